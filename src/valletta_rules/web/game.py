"""A game as its log tells it: every revision, what stands at each, and what may be taken back.

Everything here is a value except the `Game` itself, to which steps are only added.  A step is
worked out first and added once it is stored.

Chance follows from the seed of the table and from the answers that stand, so nobody gets better
luck by taking back and answering the same again.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import lru_cache
from hashlib import sha256
from itertools import takewhile
from typing import Any, Final

import attrs

from valletta_rules.actions import Action
from valletta_rules.chance import Draw, by_random
from valletta_rules.codec import from_document, from_json, parse, to_json
from valletta_rules.components.card_set import CardSet
from valletta_rules.errors import MalformedActionError, VallettaError
from valletta_rules.games import new_game
from valletta_rules.play.driver import Move
from valletta_rules.play.game import Game as GameValue
from valletta_rules.play.undo import LastChoice, may_undo_own
from valletta_rules.records.log import Answered, Opened, Undone
from valletta_rules.records.position_line import parse_position_line
from valletta_rules.records.record import Record, replay
from valletta_rules.rulings import RuleSet
from valletta_rules.specification.worked_examples import example_named, work
from valletta_rules.state import GameState
from valletta_rules.views.redaction import RedactedEvent, redact
from valletta_rules.views.view import PlayerView, view
from valletta_rules.web.store import LogEntry, TableDocuments, UnreadableTableError


class RefusedError(VallettaError):
    """A request is refused for a reason other than the rules."""

    def __init__(self, code: str) -> None:
        """Take the code of the reason."""
        super().__init__(code)
        self.reason = code


@attrs.frozen(eq=False)
class GameRevision:
    """A revision: the game at it, and what the table adds."""

    game: GameValue
    luck: bytes = attrs.field(repr=False)
    """The source of all chance after it."""
    at: float = 0.0
    """When it was stored, in seconds since 1970."""

    @property
    def revision(self) -> int:
        """Its number."""
        return self.game.revision

    @property
    def seat(self) -> int | None:
        """Who did it; `None` for the setup."""
        return None if isinstance(self.game.entry, Opened) else self.game.entry.seat

    @property
    def back_to(self) -> int | None:
        """The revision to which it goes back, if it takes back."""
        return self.game.entry.to if isinstance(self.game.entry, Undone) else None

    @property
    def before(self) -> GameState:
        """The position in which it was done."""
        if isinstance(self.game.entry, Opened):
            return self.game.entry.start
        assert self.game.previous is not None, "the game was opened before"
        return self.game.previous.position

    @property
    def moves(self) -> tuple[Move, ...]:
        """What happened: an answer and what followed from it; nothing if it takes back."""
        return self.game.done

    @property
    def state(self) -> GameState:
        """The position after it."""
        return self.game.position

    @property
    def last(self) -> int:
        """The revision of the last answer that stands after it; 0 if none does."""
        choice = self.game.last_choice
        return 0 if choice is None else choice.revision

    @property
    def asked(self) -> int | None:
        """The seat that is asked after it, or `None` if the game is over."""
        return self.game.asked

    def entry(self, answer_id: str | None) -> LogEntry:
        """Return its entry in the log: an answer and what followed from it, or an undo."""
        ends = self.asked is None
        if self.back_to is not None:
            body = str(self.back_to)
            return LogEntry(self.revision, "undo", self.seat, body, (), answer_id, ends=ends)
        body, *chance = (to_json(each.action) for each in self.moves)
        kept = (body, tuple(chance), answer_id)
        return LogEntry(self.revision, "answer", self.seat, *kept, ends=ends)

    def events_for(self, seat: int | None) -> Iterator[RedactedEvent]:
        """Run through what happened, as a seat may know it."""
        return (redact(event, seat) for each in self.moves for event in each.events)


class Game:
    """The revisions of a game, and its luck."""

    def __init__(
        self, start: GameState, seed: bytes, script: Sequence[Action] | None = None
    ) -> None:
        """Take the position before all chance, and the seed of its luck.

        The script is that of a trial, which may be empty: as long as everything goes as in it,
        chance does, too.  In a trial everybody is asked, even if there is no choice.
        """
        self.start: Final = start
        self._seed, self._is_trial, self._script = seed, script is not None, tuple(script or ())
        self.steps: list[GameRevision] = []
        self.moves = 0
        """How many moves it has, with those that were taken back, and the takebacks."""
        self._stands: set[int] = set()
        """The revisions that stand now."""

    @property
    def now(self) -> GameRevision:
        """The last step."""
        return self.steps[-1]

    # Steps

    def opening(self) -> tuple[str, ...]:
        """Return the documents of the chance actions before the first question."""
        draw, skip_forced = self._draw(self._seed, ()), not self._is_trial
        opened = GameValue.begin(self.start, draw=draw, skip_forced=skip_forced).entry
        assert isinstance(opened, Opened), "it is the first entry"
        return tuple(map(to_json, opened.then))

    def answer(self, seat: int, action: Action) -> GameRevision:
        """Return the step that an answer would be, chance and forced moves included.

        Raises `IllegalActionError` and `MalformedActionError`.
        """
        luck = self._luck_after(to_json(action))
        draw, now = self._draw(luck, (*self._done(), action)), self.now.game
        game, _ = now.answer(action, seat=seat, revision=now.revision, draw=draw)
        return GameRevision(game, luck)

    def back(self, seat: int, to: int) -> GameRevision:
        """Return the step that would take back everything after a revision."""
        now = self.now.game
        game, _ = now.undo(seat=seat, revision=now.revision, to=to)
        return GameRevision(game, self.steps[to].luck)

    def add(self, step: GameRevision) -> None:
        """Add a step that is stored."""
        self.steps.append(step)
        self.moves += len(step.moves) or 1  # a takeback
        if step.back_to is None:
            self._stands.add(step.revision)
        else:
            self._stands = {each.revision for each in self.standing()}

    def read(self, entry: LogEntry) -> GameRevision:
        """Return the step of an entry in the log.

        Raises `VallettaError` if these rules refuse it, or it is not the next one.
        """
        if entry.revision != len(self.steps):
            raise UnreadableTableError(f"revision {len(self.steps)} is missing")
        then = tuple(action_of(parse(each)) for each in entry.chance)
        match entry.kind:
            case "open":
                opened = Opened(entry.revision, self.start, not self._is_trial, then)
                game, luck = GameValue.replay([opened], is_whole=False), self._seed
            case "answer":
                assert entry.seat is not None, "the file has no other answers"
                done = action_of(parse(entry.body))
                answered = Answered(entry.revision, entry.seat, done, then, None)
                luck, game = self._luck_after(entry.body), self.now.game.read(answered)
            case "undo":
                assert entry.seat is not None, "the file has no other undos"
                to = int(entry.body) if entry.body.isdecimal() else entry.revision
                if to >= entry.revision:
                    raise UnreadableTableError(f"revision {entry.revision} takes nothing back")
                game = self.now.game.read(Undone(entry.revision, entry.seat, to, None))
                luck = self.steps[to].luck
        return GameRevision(game, luck, entry.at)

    def _luck_after(self, answer: str) -> bytes:
        """Return what all chance after the document of an answer follows from."""
        return sha256(self.now.luck + answer.encode()).digest()

    def _draw(self, luck: bytes, done: Sequence[Action]) -> Draw:
        """Return what answers for chance, after what has been done before."""
        by_luck = by_random(random.Random(sha256(self._seed + luck).digest()))
        played = [*done]

        def draw(outcomes: tuple[tuple[Action, int], ...]) -> Action:
            action = self._next_in_script(played)
            if action is None or all(action != each for each, _ in outcomes):
                action = by_luck(outcomes)
            played.append(action)
            return action

        return draw

    def _done(self) -> Iterator[Action]:
        """Run through what stands, if there is a script to compare it with."""
        steps = self.standing() if self._script else ()
        return (move.action for step in steps for move in step.moves)

    def _next_in_script(self, done: Sequence[Action]) -> Action | None:
        is_kept = self._script[: len(done)] == tuple(done)
        return self._script[len(done)] if is_kept and len(done) < len(self._script) else None

    def next_in_script(self) -> Action | None:
        """Return what the script does now, if everything has gone as in it."""
        return self._next_in_script([*self._done()])

    def has_played_script(self) -> bool:
        """Tell whether everything in the script has been done."""
        return tuple(self._done())[: len(self._script)] == self._script

    def turn(self, seat: int) -> tuple[list[PlayerView], int]:
        """Return the views with which a seat was asked this turn, and the seed for a bot.

        The last view is the present one.  Views of forced answers are included, since a bot that
        thinks through the turn is asked for those, too.
        """
        done = [(self.start, self._seed)]
        done += [(move.state, step.luck) for step in self.standing() for move in step.moves]
        active = self.now.state.active
        turn = [*takewhile(lambda each: each[0].active == active, reversed(done))]
        states = [state for state, _ in reversed(turn)]
        asked = [view(each, seat) for each in states if each.prompt and each.prompt.seat == seat]
        _, luck = turn[-1]
        drawn = sha256(self._seed + luck + f"thinks {seat}".encode()).digest()
        return asked, int.from_bytes(drawn[:8], "big")

    # What stands, and what can be taken back

    def standing(self, revision: int | None = None) -> Iterator[GameRevision]:
        """Run through the steps that stand at a revision (by default the last), in order."""
        then = self.now if revision is None else self.steps[revision]
        answers = [choice.revision for choice in then.game.choices()]
        return (self.steps[each] for each in (0, *reversed(answers)))

    def is_struck(self, revision: int) -> bool:
        """Tell whether a step has been taken back."""
        return self.steps[revision].back_to is None and revision not in self._stands

    def last_choice(self, seats: Sequence[int] | None = None) -> tuple[GameRevision, int] | None:
        """Return the last answer that stands, of some seats or of any, and where undo leads.

        That is the revision before it, of those that stand.
        """
        choices = self.now.game.choices()
        return self._undo_of(
            next((each for each in choices if seats is None or each.seat in seats), None)
        )

    def free_undo(self, seats: Sequence[int]) -> tuple[GameRevision, int] | None:
        """Return what some seats may take back without agreement, as `last_choice` does.

        It is the last answer, if it was theirs, nothing that was hidden came to light by it, and
        nobody else has acted since.
        """
        last = self.now.game.last_choice
        is_own = any(may_undo_own(last, seat) for seat in seats)
        return self._undo_of(last) if is_own else None

    def _undo_of(self, choice: LastChoice | None) -> tuple[GameRevision, int] | None:
        """Return the step of a choice, and where its undo leads."""
        if choice is None:
            return None
        return self.steps[choice.revision], self.steps[choice.revision - 1].last

    def kept_since(self, revision: int | None) -> int | None:
        """Return the revision up to which a log that ends at a revision still holds.

        `None` if it is not a log of this game.
        """
        if revision is None or not 0 <= revision < len(self.steps):
            return None
        backs = [step.back_to for step in self.steps[revision + 1 :] if step.back_to is not None]
        return min([revision, *backs])

    def record(self, names: Sequence[str]) -> Record:
        """Return the game so far as a record, without what was taken back."""
        return self.now.game.record(names)


def action_of(document: Any) -> Action:
    """Return the action of a document; raise `CodecError` or `MalformedActionError`."""
    action = from_document(document)
    if not isinstance(action, Action):
        raise MalformedActionError(f"an action is wanted, not {type(action).__name__}")
    return action


@lru_cache(maxsize=64)
def position_of(line: str) -> GameState:
    """Return the position of a line; the lines of the last trials are not parsed again.

    Raises `PositionLineError`.
    """
    return parse_position_line(line)


def stored_game(documents: TableDocuments, players: int) -> Game:
    """Return the game of a stored table, before its log is read.

    Raises `VallettaError` if its documents are not what was written.
    """
    if documents.is_trial:
        example = documents.option("example")
        script = () if example is None else work(example_named(example)).actions
        return Game(position_of(documents.option("position")), documents.seed, script)
    rules, cards = from_json(documents.rules), from_json(documents.cards)
    if not (isinstance(rules, RuleSet) and isinstance(cards, CardSet)):
        raise UnreadableTableError("a table has rules and cards")
    return Game(new_game(players, rules=rules, cards=cards), documents.seed)


def log_of(record: Record) -> Iterator[LogEntry]:
    """Run through the log of the game in a record; raise `RecordError` if a move is illegal."""
    entry, state = LogEntry(0, "open", None, ""), record.start
    for action, done in zip(record.actions, replay(record), strict=True):
        seat = None if state.prompt is None else state.prompt.seat
        if seat is None:
            entry = attrs.evolve(entry, chance=(*entry.chance, to_json(action)))
        else:
            yield entry
            entry = LogEntry(entry.revision + 1, "answer", seat, to_json(action))
        state = done.state
    yield entry
