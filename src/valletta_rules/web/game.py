"""The game of a table: all its revisions, each a `valletta_rules.Game`, and its luck.

A step is worked out first and added once it is stored.

Chance follows from the seed of the table and from the answers that stand, so nobody gets better
luck by taking back and answering the same again.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from hashlib import sha256
from itertools import takewhile
from typing import Any, Self

from valletta_rules.actions import Action
from valletta_rules.chance import Draw, by_random
from valletta_rules.codec import from_document, to_json
from valletta_rules.errors import MalformedActionError, VallettaError
from valletta_rules.play.game import Game
from valletta_rules.records.log import Answered
from valletta_rules.records.position_line import parse_position_line
from valletta_rules.specification.worked_examples import example_named, work
from valletta_rules.state import GameState
from valletta_rules.views.view import PlayerView, view
from valletta_rules.web.store import KeptEntry, TableDocuments, UnreadableTableError


class RefusedError(VallettaError):
    """A request is refused for a reason other than the rules."""

    def __init__(self, code: str) -> None:
        """Take the code of the reason."""
        super().__init__(code)
        self.reason = code


class TableGame:
    """The revisions of the game of a table, when each was made, and the luck of the table."""

    def __init__(
        self, opened: Game, seed: bytes, script: Sequence[Action] = (), at: float = 0.0
    ) -> None:
        """Take the opening, the seed of the luck, a script, and the time of the opening.

        The script is that of a worked example: as long as everything goes as in it, chance does,
        too.
        """
        self._seed, self._script = seed, tuple(script)
        self.steps: list[Game] = [opened]
        """The game at each revision."""
        self.times = [at]
        """When each revision was made, in seconds since 1970."""
        self.moves = max(1, len(opened.done))
        """How many moves it has, with those that were taken back, and the takebacks."""
        self._luck = {0: seed}
        """The source of all chance after each answer."""

    @classmethod
    def begin(
        cls,
        start: GameState,
        seed: bytes,
        *,
        script: Sequence[Action] = (),
        skip_forced: bool = True,
    ) -> Self:
        """Return the game that begins in a position; takes the seed and the script."""
        draw = _drawing(seed, seed, (), script)
        return cls(Game.begin(start, draw=draw, skip_forced=skip_forced), seed, script)

    @property
    def now(self) -> Game:
        """The game at the last revision."""
        return self.steps[-1]

    # Steps

    def answer(self, seat: int, action: Action, name: str | None = None) -> Game:
        """Return the game after an answer, chance and forced moves included.

        Takes the id of the call.  Raises `IllegalActionError` and `MalformedActionError`.
        """
        now = self.now
        draw = _drawing(self._seed, self._luck_after(action), (*self._done(), action), self._script)
        return now.answer(action, seat=seat, revision=now.revision, draw=draw, id=name)[0]

    def read(self, kept: KeptEntry) -> Game:
        """Return the game after an entry of its log.

        Raises `VallettaError` if these rules refuse it, or it is not the next one.
        """
        if kept.revision != len(self.steps):
            raise UnreadableTableError(f"revision {len(self.steps)} is missing")
        return self.now.read(kept.entry)

    def add(self, game: Game, at: float = 0.0) -> None:
        """Add the next revision, once it is stored; takes when it was made."""
        if isinstance(game.entry, Answered):
            self._luck[game.revision] = self._luck_after(game.entry.action)
        self.steps.append(game)
        self.times.append(at)
        self.moves += len(game.done) or 1  # a takeback

    def standing(self, revision: int | None = None) -> Iterator[Game]:
        """Run through the steps that stand at a revision (by default the last), in order."""
        then = self.now if revision is None else self.steps[revision]
        answers = [choice.revision for choice in then.choices()]
        return (self.steps[each] for each in (0, *reversed(answers)))

    # Luck

    def _luck_after(self, action: Action) -> bytes:
        """Return what all chance after an answer follows from."""
        last = self.now.last_choice
        luck = self._luck[0 if last is None else last.revision]
        return sha256(luck + to_json(action).encode()).digest()

    def _done(self) -> Iterator[Action]:
        """Run through what stands, if there is a script to compare it with."""
        steps = self.standing() if self._script else ()
        return (move.action for step in steps for move in step.done)

    def next_in_script(self) -> Action | None:
        """Return what the script does now, if everything has gone as in it."""
        return _next_of(self._script, [*self._done()])

    def has_played_script(self) -> bool:
        """Tell whether everything in the script has been done."""
        return tuple(self._done())[: len(self._script)] == self._script

    def turn(self, seat: int) -> tuple[list[PlayerView], int]:
        """Return the views with which a seat was asked this turn, and the seed for a bot.

        The last view is the present one.  Views of forced answers are included, since a bot that
        thinks through the turn is asked for those, too.
        """
        _, steps = self.now.transitions_since()
        states = [self.now.start, *(step.state for step in steps)]
        active = self.now.position.active
        turn = [*takewhile(lambda each: each.active == active, reversed(states))][::-1]
        asked = [view(each, seat) for each in turn if each.prompt and each.prompt.seat == seat]
        begun = len(states) - len(turn)
        drawn = sha256(self._seed + f"thinks {seat} {begun}".encode()).digest()
        return asked, int.from_bytes(drawn[:8], "big")


def _drawing(seed: bytes, luck: bytes, done: Iterable[Action], script: Sequence[Action]) -> Draw:
    """Return what answers for chance, after what has been done before."""
    by_luck = by_random(random.Random(sha256(seed + luck).digest()))
    played = [*done]

    def draw(outcomes: tuple[tuple[Action, int], ...]) -> Action:
        action = _next_of(script, played)
        if action is None or all(action != each for each, _ in outcomes):
            action = by_luck(outcomes)
        played.append(action)
        return action

    return draw


def _next_of(script: Sequence[Action], done: Sequence[Action]) -> Action | None:
    """Return what a script does after what has been done, if that is how it begins."""
    is_kept = [*script[: len(done)]] == [*done]
    return script[len(done)] if is_kept and len(done) < len(script) else None


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


def stored_game(documents: TableDocuments, log: Sequence[KeptEntry]) -> TableGame:
    """Return the game of a stored table at its opening, the first entry of its log.

    A trial is opened again by its line: no document can be read whose position is impossible, as
    those of worked examples are.  Raises `VallettaError` if what is stored is not what was written.
    """
    if documents.is_trial:
        example = documents.option("example")
        script = () if example is None else work(example_named(example)).actions
        start = position_of(documents.option("position"))
        return TableGame.begin(start, documents.seed, script=script, skip_forced=False)
    opened = Game.replay((each.entry for each in log[:1]), is_whole=False)
    return TableGame(opened, documents.seed, at=log[0].at)
