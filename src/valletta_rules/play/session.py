"""Sessions: games in progress with chance, undo and observers.

A session is mutable. It contains games, which are immutable.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import copy
from functools import partial
from threading import RLock
from types import EllipsisType
from typing import Final, SupportsIndex

import attrs

from valletta_rules.actions import Action
from valletta_rules.agenda import ChancePrompt, Prompt
from valletta_rules.card_sets.files import RECONSTRUCTION
from valletta_rules.chance import by_random, sample_chance
from valletta_rules.components.card_set import CardSet
from valletta_rules.components.names import abbreviated
from valletta_rules.components.numbers import whole
from valletta_rules.components.values import need
from valletta_rules.engine import Transition
from valletta_rules.errors import (
    ObserverError,
)
from valletta_rules.games import new_game
from valletta_rules.play.game import Game
from valletta_rules.records.record import Record, replay
from valletta_rules.rulings import HANS_IM_GLUECK, RuleSet
from valletta_rules.state import GameState
from valletta_rules.words.typed import parse_action

Observer = Callable[[Transition], object]
"""A function that is called with each transition of a game, in order."""

_SEED_BITS: Final = 128
"""The number of bits of a seed that a session chooses at random."""


@attrs.define(eq=False)
class _Watch:
    """A subscription: an observer, and an optional function to call after an undo."""

    observer: Observer
    rewound: Callable[[GameState], object] | None


def _draw_again(luck: random.Random, state: GameState, steps: Iterable[Transition]) -> None:
    """Advance a generator to its state after the chance outcomes in `steps` were drawn."""
    for step in steps:
        if isinstance(state.prompt, ChancePrompt):
            sample_chance(state, luck)
        state = step.state


_Notification = tuple[_Watch, Callable[[], object]]
"""A pending notification: a subscription, and a function that calls its observer."""


class Session:
    """A game in progress that resolves chance itself, with undo, redo, player names and a record.

    `players` is the number of players, or their names in the order of seats. `rules` and `cards`
    are as in `valletta_rules.new_game`. After each call, a player must answer or the game is over,
    because the session resolves chance prompts with its own generator, ``random.Random(seed)``. The
    default for `seed` is an unpredictable number. Sessions never share a generator. With
    `skip_forced`, the session also plays forced actions if all players can infer that they are
    forced. A card is played automatically only from a hand that all players know, since otherwise
    an automatic move would reveal the hand.

    Chance outcomes depend only on the seed and on the moves that have not been undone. A copy,
    pickled or not, is independent of the original. It starts with the same generator state, history
    and revision, but without observers.

    Any thread may read the session at any time. The thread reads the position either before a move,
    or after the move and all automatic moves that follow it. All values that a thread can read are
    immutable. Moves by several threads are made one after another.
    """

    def __init__(
        self,
        players: SupportsIndex | Sequence[str] = 2,
        *,
        rules: RuleSet = HANS_IM_GLUECK,
        cards: CardSet = RECONSTRUCTION,
        seed: SupportsIndex | None = None,
        skip_forced: bool = False,
    ) -> None:
        """Set up the game and resolve chance until a player must answer.

        Raises the errors of `valletta_rules.new_game`; `ValueError` for names that are not valid in
        a record and for a seed below 0; and `TypeError` for a seed that is not an integer and for a
        string instead of a sequence of names.
        """
        if isinstance(players, str):
            raise TypeError(
                f"players must be a number or a sequence of names, not {abbreviated(players)}"
            )
        names = tuple(players) if isinstance(players, Sequence) else ()
        count = len(names) if isinstance(players, Sequence) else whole(players, "players")
        luck = self._seeded(seed)
        start = new_game(count, rules=rules, cards=cards)
        self._record = Record(count, rules, cards, names=names)
        self._game = Game.begin(start, draw=by_random(luck), skip_forced=skip_forced)
        self._luck, self._resumed = luck, 0
        self._unwatched()

    @classmethod
    def resume(
        cls,
        kept: Record | Game,
        *,
        seed: SupportsIndex | None = None,
        skip_forced: bool = False,
    ) -> Session:
        """Return a session that continues a `Game` or a record, even in the middle of a turn.

        With the seed of the session that recorded the game, later chance outcomes are the same as
        they would be in that session. Otherwise, new outcomes are drawn. Every move in the record
        can be undone. The session keeps the names and notes in the record. A `Game` has neither;
        use `rename` to add names.

        A record does not contain a revision, so the session's first revision is the number of
        choices in the record. A session that continues a `Game`, for example from `Game.replay`,
        keeps the revision and the `skip_forced` of the game.

        Raises `RecordError` if a move of the record is illegal, and `ValueError` for a seed below 0
        and for a game that did not begin with `valletta_rules.new_game`.
        """
        session = cls.__new__(cls)
        if isinstance(kept, Game):
            session._record, session._game = kept.record(), kept
            session._luck = session._luck_after(kept, session._seeded(seed))
        else:
            need(kept, Record, "a record")
            luck = session._seeded(seed)
            _draw_again(luck, kept.start, replay(kept))
            session._record, session._luck = kept, luck
            session._game = Game.resume(kept, draw=by_random(luck), skip_forced=skip_forced)
        session._resumed = session._game.revision
        session._unwatched()
        return session

    def _seeded(self, seed: SupportsIndex | None) -> random.Random:
        """Store the seed, or a random seed for `None`, and return a generator for it."""
        chosen = random.SystemRandom().getrandbits(_SEED_BITS) if seed is None else seed
        self._seed = whole(chosen, "a seed")
        if self._seed < 0:
            raise ValueError(f"a seed must be 0 or more, not {self._seed}")
        return random.Random(self._seed)

    def _unwatched(self) -> None:
        self._lock = RLock()
        self._watches: tuple[_Watch, ...] = ()
        self._news: deque[_Notification] = deque()
        self._is_notifying = False

    def __getstate__(self) -> dict[str, object]:
        """Return the state for a copy, without the lock, the observers and their pending calls."""
        names = ("_record", "_seed", "_game", "_luck", "_resumed")
        return {name: vars(self)[name] for name in names}

    def __setstate__(self, state: dict[str, object]) -> None:
        """Restore the state of a copied session, with a new lock and without observers."""
        vars(self).update(state)
        self._unwatched()

    def __repr__(self) -> str:
        """Describe the players, rules and progress.

        The seed is omitted, because it determines future outcomes.
        """
        return f"<Session {', '.join(self.names)}: {self._record.rules}, {self._game.moves} moves>"

    # Reading

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the players, in the order of seats.

        The default is red, blue, green, yellow.
        """
        return self._record.called

    @property
    def seed(self) -> int:
        """The seed of the session's generator, which determines all future chance outcomes."""
        return self._seed

    @property
    def game(self) -> Game:
        """The current game, an immutable value with a revision and a log.

        If other threads make moves, read all values that must be consistent from the same `game`.
        """
        return self._game

    @property
    def state(self) -> GameState:
        """The current position."""
        return self._game.position

    @property
    def prompt(self) -> Prompt | None:
        """The current prompt, which is always for a player; `None` when the game is over."""
        return self._game.prompt

    @property
    def transitions(self) -> tuple[Transition, ...]:
        """Every transition since the start of the game, in order."""
        return self._game.transitions_since()[1]

    @property
    def record(self) -> Record:
        """The game so far as a record, which can be replayed, saved and resumed.

        It contains neither the seed nor moves that were undone.
        """
        game, meta = self._game, self._record
        common = game.transitions_since(self._resumed)[0] if meta.notes else 0
        notes = tuple(note for note in meta.notes if note.after <= common)
        return attrs.evolve(game.record(meta.names), notes=notes)

    # Changing

    def play(
        self,
        move: Action | str,
        *,
        seat: SupportsIndex | EllipsisType | None = ...,
        revision: SupportsIndex | None = None,
    ) -> tuple[Transition, ...]:
        """Make a move, resolve chance, and make forced moves; return all transitions.

        If `move` is a text, `valletta_rules.parse_action` parses it. `seat` is the seat that moves.
        The default is the seat that must answer, and `None` means a spectator, who never moves.
        Servers should pass the seat, so that a move out of turn raises an error before its content
        is checked. `revision` is the revision for which the move was chosen. If the session has
        changed since then, an error is raised. A move that arrives twice is therefore made only
        once. Earlier undos can no longer be redone.

        Raises `StaleError`, `FutureRevisionError`, `SeatError`, `NotAskedError`,
        `IllegalActionError` and `MalformedActionError`; for a text, also `NotAMoveError` and
        `AmbiguousMoveError`. After these errors, the session is unchanged. Raises `ObserverError`
        if an observer raised an exception. In this case, the move has been made.
        """
        with self._lock:
            game, luck = self._game, copy(self._luck)
            expected = game.revision if revision is None else revision
            if seat is not ... or revision is not None:
                game.expect(seat=game.asked if seat is ... else seat, revision=expected)
            action = parse_action(game.position, move) if isinstance(move, str) else move
            after, _ = game.answer(action, seat=game.asked, revision=expected, draw=by_random(luck))
            return self._go_on_to(after, luck)

    def undo(
        self,
        *,
        seat: SupportsIndex | None = None,
        revision: SupportsIndex | None = None,
        to: SupportsIndex | None = None,
    ) -> GameState:
        """Undo the last choice of a player and all later moves, and return the position.

        With an earlier revision `to`, this method undoes all choices since that revision.

        `seat` is the seat that undoes; the default is the seat that made the choice. `revision` is
        the current revision. If it is omitted, an undo request that arrives twice undoes two
        choices.

        Players still know a card or barrel that was revealed after the undone choice. The state of
        the generator is restored, too, so a repeated move has the outcome that it had before. Undo
        therefore cannot change chance, but players can use it to look ahead. The caller decides who
        may undo and when, with `Game.last_choice` and a function such as
        `valletta_rules.may_undo_own`.

        Raises `NothingToUndoError` if there is no choice to undo, the errors of `Game.undo` for
        seat and revisions, and `ObserverError` as `play` does.
        """
        with self._lock:
            game, by, expected = self._called(seat, revision)
            after, _ = game.undo(seat=by, revision=expected, to=to)
            self._luck = self._luck_after(after, random.Random(self._seed))
            self._game = after
            self._announce(
                (watch, partial(watch.rewound, after.position))
                for watch in self._watches
                if watch.rewound is not None
            )
            return after.position

    def redo(
        self, *, seat: SupportsIndex | None = None, revision: SupportsIndex | None = None
    ) -> tuple[Transition, ...]:
        """Restore the moves that the last undo removed, and return their transitions.

        Chance outcomes are the same as before the undo. `seat` is the seat that redoes; the default
        is the seat of the last choice that has not been undone. `revision` is as in `undo`. Raises
        `NothingToRedoError` if there was no undo since the last move, and the other errors of
        `undo`.
        """
        with self._lock:
            game, by, expected = self._called(seat, revision)
            after, _ = game.redo(seat=by, revision=expected)
            return self._go_on_to(after, self._luck_after(after, random.Random(self._seed)))

    def rename(self, names: Sequence[str]) -> None:
        """Rename the players, in the order of seats.

        If `names` is empty, the players are identified by colour. Raises `ValueError` for names
        that are not valid in a record, and `TypeError` for a string instead of a sequence of names.
        """
        if isinstance(names, str):
            raise TypeError(f"names must be a sequence of names, not {abbreviated(names)}")
        with self._lock:
            self._record = attrs.evolve(self._record, names=tuple(names))

    def subscribe(
        self, observer: Observer, *, rewound: Callable[[GameState], object] | None = None
    ) -> Callable[[], None]:
        """Register an observer for all later transitions; return a function that unsubscribes it.

        After a move, observers are called with each transition, in the order in which they
        subscribed. The session is then already in the new position. `rewound` is called with the
        position after an undo.

        If an observer raises an exception, neither the game nor other observers are affected. The
        caller of the session's method receives the exception in an `ObserverError`. If an observer
        makes a move, its transitions are announced after those of the current move. Moves by other
        threads wait until all observers have returned.

        Raises `TypeError` for arguments that are not callable.
        """
        if not callable(observer) or not (rewound is None or callable(rewound)):
            raise TypeError(f"observers must be callable: {observer!r}, {rewound!r}")
        watch = _Watch(observer, rewound)
        with self._lock:
            self._watches = (*self._watches, watch)

        def unsubscribe() -> None:
            with self._lock:
                self._watches = tuple(each for each in self._watches if each is not watch)

        return unsubscribe

    # Implementation

    def _called(
        self, seat: SupportsIndex | None, revision: SupportsIndex | None
    ) -> tuple[Game, SupportsIndex, SupportsIndex]:
        """Return the game, and the given seat and revision, or their defaults for `None`.

        The defaults are the seat of the last choice (0 if there is none) and the current revision.
        """
        game = self._game
        choice = game.last_choice
        by = seat if seat is not None else 0 if choice is None else choice.seat
        return game, by, game.revision if revision is None else revision

    def _luck_after(self, game: Game, luck: random.Random) -> random.Random:
        """Advance a new generator to its state after the moves of `game`, and return it."""
        _draw_again(luck, self._record.start, game.transitions_since()[1])
        return luck

    def _go_on_to(self, later: Game, luck: random.Random) -> tuple[Transition, ...]:
        """Replace the game with a later one, and announce the new transitions to the observers."""
        _, steps = later.transitions_since(self._game.revision)
        self._game, self._luck = later, luck
        watches = self._watches
        self._announce(
            (watch, partial(watch.observer, step)) for step in steps for watch in watches
        )
        return steps

    def _announce(self, news: Iterable[_Notification]) -> None:
        """Queue notifications, and deliver the queue unless its delivery is already in progress.

        Raises `ObserverError` for exceptions of observers.
        """
        self._news += news
        if self._is_notifying:
            return
        self._is_notifying = True
        try:
            raised = list(self._notify())
        finally:
            self._is_notifying = False
        errors = [error for error in raised if isinstance(error, Exception)]
        for interruption in (each for each in raised if not isinstance(each, Exception)):
            raise interruption
        if errors:
            raise ObserverError(tuple(errors)) from errors[0]

    def _notify(self) -> Iterator[BaseException]:
        """Deliver all pending notifications, and yield the exceptions that observers raise."""
        while self._news:
            watch, notify = self._news.popleft()
            if watch not in self._watches:
                continue
            try:
                notify()
            except BaseException as error:  # even an interruption waits for the other observers
                yield error
