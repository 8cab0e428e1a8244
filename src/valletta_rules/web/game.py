"""The game at a table: its revisions, each as a `valletta_rules.Game`, and its random seed.

A step is computed first, then stored, and only then added to the game.

Random outcomes depend only on the seed of the table and the answers that have not been taken back.
Players therefore cannot change their luck by taking an answer back and repeating it.
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
from valletta_rules.web.store import StoredEntry, TableDocuments, UnreadableTableError


class RefusedError(VallettaError):
    """Raised if a request is refused for a reason other than a rule of the game."""

    def __init__(self, code: str) -> None:
        """Create an error; `code` identifies the reason, such as ``not-over``."""
        super().__init__(code)
        self.reason = code


class TableGame:
    """The game at a table: its revisions, their times, and the seed of random outcomes."""

    def __init__(
        self, opened: Game, seed: bytes, script: Sequence[Action] = (), at: float = 0.0
    ) -> None:
        """Create a game with the first revision `opened`; `at` is the time of this revision.

        `seed` determines all random outcomes.  `script` contains the moves of a worked example.  As
        long as the answers follow the script, the random outcomes are those in the script.
        """
        self._seed, self._script = seed, tuple(script)
        self.steps: list[Game] = [opened]
        """The game at each revision."""
        self.times = [at]
        """The time of each revision, in seconds since 1970."""
        self.moves = max(1, len(opened.done))
        """The number of moves and takebacks, including the moves that were taken back."""
        self._luck = {0: seed}
        """The seed of the random outcomes after each answer, keyed by the answer's revision."""

    @classmethod
    def begin(
        cls,
        start: GameState,
        seed: bytes,
        *,
        script: Sequence[Action] = (),
        skip_forced: bool = True,
    ) -> Self:
        """Return a new game that starts in a position.

        `seed` and `script` are as in the constructor.
        """
        draw = _drawing(seed, seed, (), script)
        return cls(Game.begin(start, draw=draw, skip_forced=skip_forced), seed, script)

    @property
    def now(self) -> Game:
        """The game at the latest revision."""
        return self.steps[-1]

    # Steps

    def answer(self, seat: int, action: Action, name: str | None = None) -> Game:
        """Return the game after an answer and the random and forced moves that follow it.

        `name` is the id of the request.  Raises `IllegalActionError` and `MalformedActionError`.
        """
        now = self.now
        draw = _drawing(self._seed, self._luck_after(action), (*self._done(), action), self._script)
        return now.answer(action, seat=seat, revision=now.revision, draw=draw, id=name)[0]

    def read(self, log_entry: StoredEntry) -> Game:
        """Return the game after `log_entry`, the next entry in its log.

        Raises `VallettaError` if the installed rules refuse the entry, or if the entry has a wrong
        revision.
        """
        if log_entry.revision != len(self.steps):
            problem = f"revision {len(self.steps)} is missing, before revision {log_entry.revision}"
            raise UnreadableTableError(problem)
        return self.now.read(log_entry.entry)

    def add(self, game: Game, at: float = 0.0) -> None:
        """Add the next revision after it has been stored; `at` is its time."""
        if isinstance(game.entry, Answered):
            self._luck[game.revision] = self._luck_after(game.entry.action)
        self.steps.append(game)
        self.times.append(at)
        self.moves += len(game.done) or 1  # an undo counts as one

    def standing(self, revision: int | None = None) -> Iterator[Game]:
        """Yield the steps that lead to a revision, in order, without those that were taken back.

        The default is the latest revision.
        """
        then = self.now if revision is None else self.steps[revision]
        answers = [choice.revision for choice in then.choices()]
        return (self.steps[each] for each in (0, *reversed(answers)))

    # Seeds of random outcomes

    def _luck_after(self, action: Action) -> bytes:
        """Return the seed of random outcomes after an answer."""
        last = self.now.last_choice
        luck = self._luck[0 if last is None else last.revision]
        return sha256(luck + to_json(action).encode()).digest()

    def _done(self) -> Iterator[Action]:
        """Yield the moves that are not taken back, or nothing if the game has no script."""
        steps = self.standing() if self._script else ()
        return (move.action for step in steps for move in step.done)

    def next_in_script(self) -> Action | None:
        """Return the next action in the script.

        Returns `None` if the game differs from the script, or if the script is finished or empty.
        """
        return _next_of(self._script, [*self._done()])

    def has_played_script(self) -> bool:
        """Return whether the game has followed the script to its end."""
        return tuple(self._done())[: len(self._script)] == self._script

    def turn(self, seat: int) -> tuple[list[PlayerView], int]:
        """Return a seat's views at its prompts in the current turn, and the seed for its bot.

        The last view is for the current prompt.  Prompts with a single legal answer are included,
        because a bot that plans its turn also answers them.
        """
        _, steps = self.now.transitions_since()
        states = [self.now.start, *(step.state for step in steps)]
        active = self.now.position.active
        turn = [*takewhile(lambda each: each.active == active, reversed(states))][::-1]
        views = [view(each, seat) for each in turn if each.prompt and each.prompt.seat == seat]
        turn_start = len(states) - len(turn)
        drawn = sha256(self._seed + f"thinks {seat} {turn_start}".encode()).digest()
        return views, int.from_bytes(drawn[:8], "big")


def _drawing(seed: bytes, luck: bytes, done: Iterable[Action], script: Sequence[Action]) -> Draw:
    """Return a function that draws the random outcomes after the moves in `done`."""
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
    """Return the action that follows `done` in a script.

    Returns `None` if the script does not begin with `done`, or contains no further action.
    """
    is_followed = [*script[: len(done)]] == [*done]
    return script[len(done)] if is_followed and len(done) < len(script) else None


def action_of(document: Any) -> Action:
    """Convert a JSON document to an action.

    Raises `CodecError` for an invalid document, and `MalformedActionError` if the document
    describes an object of another type.
    """
    action = from_document(document)
    if not isinstance(action, Action):
        raise MalformedActionError(f"expected an action, not {type(action).__name__}")
    return action


@lru_cache(maxsize=64)
def position_of(line: str) -> GameState:
    """Parse a position line; the last 64 positions are cached.

    Raises `PositionLineError` for an invalid line.
    """
    return parse_position_line(line)


def stored_game(documents: TableDocuments, log: Sequence[StoredEntry]) -> TableGame:
    """Return the game of a stored table at the first entry of its log.

    The game of a trial is read from its position line instead of the log, because some worked
    examples begin with impossible positions, which cannot be read from JSON documents.  Raises
    `VallettaError` if the stored data is corrupt.
    """
    if documents.is_trial:
        example = documents.option("example")
        script = () if example is None else work(example_named(example)).actions
        start = position_of(documents.option("position"))
        return TableGame.begin(start, documents.seed, script=script, skip_forced=False)
    opened = Game.replay((each.entry for each in log[:1]), is_whole=False)
    return TableGame(opened, documents.seed, at=log[0].at)
