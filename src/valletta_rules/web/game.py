"""A game as its log tells it: every revision, what stands at each, and what may be taken back.

Everything here is a value except the `Game` itself, to which steps are only added.  A step is
worked out first and added once it is stored.

Chance follows from the seed of the table and from the answers that stand, so nobody gets better
luck by taking back and answering the same again.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from hashlib import sha256
from itertools import takewhile
from typing import Any, Final

import attrs

from valletta_rules.actions import Action, ChanceAction
from valletta_rules.agenda import ChancePrompt, PaymentPrompt
from valletta_rules.codec import from_document, from_json, parse, to_json
from valletta_rules.components.card_set import CardSet
from valletta_rules.engine import check
from valletta_rules.errors import MalformedActionError, VallettaError
from valletta_rules.games import new_game
from valletta_rules.play.driver import Move, by_chance, follow
from valletta_rules.records.position_line import parse_position_line
from valletta_rules.records.record import Record, replay
from valletta_rules.rulings import RuleSet
from valletta_rules.specification.worked_examples import example_named, work
from valletta_rules.state import GameState
from valletta_rules.views.forced import public_answer
from valletta_rules.views.redaction import RedactedEvent, redact
from valletta_rules.views.view import PlayerView, view
from valletta_rules.web.store import LogEntry, TableDocuments, UnreadableTableError


class RefusedError(VallettaError):
    """A request is refused for a reason other than the rules."""

    def __init__(self, code: str) -> None:
        """Take the code of the reason."""
        super().__init__(code)
        self.reason = code


@attrs.frozen
class GameRevision:
    """A revision: what was done, and the position after it."""

    revision: int
    seat: int | None
    """Who did it; `None` for the setup."""
    back_to: int | None
    """The revision to which it goes back, if it takes back."""
    before: GameState = attrs.field(repr=False)
    """The position in which it was done."""
    moves: tuple[Move, ...] = attrs.field(repr=False)
    """What happened: an answer, and the chance and forced moves after it; nothing taken back."""
    state: GameState = attrs.field(repr=False)
    """The position after it."""
    last: int
    """The revision of the last answer that stands after it; 0 if none does."""
    luck: bytes = attrs.field(repr=False)
    """The source of all chance after it."""
    at: float = 0.0
    """When it was stored, in seconds since 1970."""

    @property
    def asked(self) -> int | None:
        """The seat that is asked after it, or `None` if the game is over."""
        return None if self.state.prompt is None else self.state.prompt.seat

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

    @property
    def is_open(self) -> bool:
        """Whether chance had a part in it, and so something came to light."""
        return any(isinstance(each.action, ChanceAction) for each in self.moves)


class Game:
    """The steps of a game, and its luck."""

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
        made = self._follow(self.start, self._seed, ())
        return tuple(to_json(each.action) for each in made)

    def answer(self, seat: int, action: Action) -> GameRevision:
        """Return the step that an answer would be, chance and forced moves included.

        Raises `IllegalActionError` and `MalformedActionError`.
        """
        first = Move.of(self.now.state, action)
        luck = self._luck_after(to_json(action))
        then = self._follow(first.state, luck, (*self._done(), action))
        return self._answered(seat, (first, *then), luck)

    def back(self, seat: int | None, to: int) -> GameRevision:
        """Return the step that would take back everything after a revision."""
        revision, before = len(self.steps), self.now.state
        then = self.steps[to]
        return attrs.evolve(then, revision=revision, seat=seat, back_to=to, before=before, moves=())

    def add(self, step: GameRevision) -> None:
        """Add a step that is stored."""
        self.steps.append(step)
        self.moves += len(step.moves) or 1  # a takeback
        if step.back_to is None:
            self._stands.add(step.revision)
        else:
            self._stands = {0, *self._answers(step.revision)}

    def read(self, entry: LogEntry) -> GameRevision:
        """Return the step of an entry in the log.

        Raises `VallettaError` if these rules refuse it, or it is not the next one.
        """
        if entry.revision != len(self.steps):
            raise UnreadableTableError(f"revision {len(self.steps)} is missing")
        match entry.kind:
            case "open":
                moves = _moves(self.start, entry.chance)
                state = moves[-1].state if moves else self.start
                step = GameRevision(0, None, None, self.start, moves, state, 0, self._seed)
            case "answer":
                moves = _moves(self.now.state, (entry.body, *entry.chance))
                step = self._answered(entry.seat, moves, self._luck_after(entry.body))
            case "undo":
                to = int(entry.body) if entry.body.isdecimal() else entry.revision
                if to >= entry.revision:
                    raise UnreadableTableError(f"revision {entry.revision} takes nothing back")
                step = self.back(entry.seat, to)
        return attrs.evolve(step, at=entry.at)

    def _answered(self, seat: int | None, moves: tuple[Move, ...], luck: bytes) -> GameRevision:
        revision, before, state = len(self.steps), self.now.state, moves[-1].state
        return GameRevision(revision, seat, None, before, moves, state, revision, luck)

    def _luck_after(self, answer: str) -> bytes:
        """Return what all chance after the document of an answer follows from."""
        return sha256(self.now.luck + answer.encode()).digest()

    def _follow(self, state: GameState, luck: bytes, done: Sequence[Action]) -> Iterator[Move]:
        """Run through the moves that need no answer: chance, and what all can tell is forced.

        Takes what has been done before.
        """
        rng = random.Random(sha256(self._seed + luck).digest())
        played = [*done]

        def by_script(state: GameState) -> Action | None:
            action = self._next_in_script(played)
            if action is None or not isinstance(state.prompt, ChancePrompt):
                return None
            return action if check(state, action) is None else None

        def forced(state: GameState) -> Action | None:
            return None if self._is_trial else _forced(state)  # which may never end

        for move in follow(state, by_script, by_chance(rng), forced):
            played.append(move.action)
            yield move

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
        answers = [*self._answers(len(self.steps) - 1 if revision is None else revision)]
        return (self.steps[each] for each in (0, *reversed(answers)))

    def _answers(self, revision: int) -> Iterator[int]:
        """Run through the revisions of the answers that stand at a revision, the last one first."""
        while answer := self.steps[revision].last:
            yield answer
            revision = answer - 1

    def is_struck(self, revision: int) -> bool:
        """Tell whether a step has been taken back."""
        return self.steps[revision].back_to is None and revision not in self._stands

    def last_choice(self, seats: Sequence[int] | None = None) -> tuple[GameRevision, int] | None:
        """Return the last answer that stands, of some seats or of any, and where undo leads.

        That is the revision before it, of those that stand.
        """
        for revision in self._answers(len(self.steps) - 1):
            if seats is None or self.steps[revision].seat in seats:
                return self.steps[revision], self.steps[revision - 1].last
        return None

    def free_undo(self, seats: Sequence[int]) -> tuple[GameRevision, int] | None:
        """Return what some seats may take back without agreement, as `last_choice` does.

        It is the last answer, if it was theirs, nothing that was hidden came to light by it, and
        nobody else has acted since.
        """
        last = self.last_choice()
        if last is None or last[0].seat not in seats or last[0].is_open:
            return None
        state = last[0].before
        for each in last[0].moves:
            if state.prompt is None or state.prompt.seat != last[0].seat:
                return None
            state = each.state
        return last

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
        done = [each.action for step in self.standing() for each in step.moves]
        start = self.start
        return Record(len(start.players), start.rules, start.cards, tuple(done), tuple(names))


def _moves(state: GameState, documents: Iterable[str]) -> tuple[Move, ...]:
    """Return the moves that some documents describe, from a position on."""
    moves = []
    for document in documents:
        moves.append(Move.of(state, action_of(parse(document))))
        state = moves[-1].state
    return tuple(moves)


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


PLENTY: Final = 40
"""With how many goods a player chooses the payment, even if there were only one."""


def _forced(state: GameState) -> Action | None:
    """Return the answer that all can tell is the only one, without listing too many payments."""
    prompt = state.prompt
    if isinstance(prompt, PaymentPrompt) and state.players[prompt.seat].goods.total > PLENTY:
        return None
    return public_answer(state)


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
