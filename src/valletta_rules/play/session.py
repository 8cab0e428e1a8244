"""Sessions: a game that is being played, with chance, undo and observers.

Everything else in this package is a value; a session is the one thing that changes.
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
from valletta_rules.components.card_set import CardSet
from valletta_rules.components.names import shown
from valletta_rules.components.numbers import whole
from valletta_rules.engine import Transition
from valletta_rules.errors import (
    NotAskedError,
    NothingToRedoError,
    NothingToUndoError,
    ObserverError,
    StaleError,
)
from valletta_rules.games import new_game
from valletta_rules.play.driver import Move, by_chance, follow
from valletta_rules.records.record import Note, Record, replay
from valletta_rules.rulings import HANS_IM_GLUECK, RuleSet
from valletta_rules.state import GameState
from valletta_rules.views.forced import public_answer
from valletta_rules.views.news import News
from valletta_rules.views.redaction import redact
from valletta_rules.views.view import find_viewer, view
from valletta_rules.words.typed import parse_action

Observer = Callable[[Transition], object]
"""A function that is called with each transition, in order."""

_SEED_BITS: Final = 128
"""The number of bits of a seed that a session chooses itself."""


@attrs.frozen(eq=False, repr=False)
class _History:
    """The moves played, the state of the generator, and the moves undone."""

    start: GameState
    """The position before the first move."""
    luck: random.Random
    """The generator after the last chance outcome; only copies of it are ever used."""
    actions: tuple[Action, ...] = ()
    transitions: tuple[Transition, ...] = ()
    notes: tuple[Note, ...] = ()
    undone: tuple[_History, ...] = ()
    """The moves undone, with the next to be redone last."""
    marks: tuple[int, ...] = ()
    """How many moves stood at each revision from the first on, this one included."""
    first: int = 0
    """The first revision: 0, or that at which the game was resumed."""

    @property
    def revision(self) -> int:
        """How often the session has been changed."""
        return self.first + len(self.marks) - 1

    def known_at(self, revision: int | None) -> int:
        """Return how many of the moves known at a revision still stand."""
        if revision is None or not self.first <= revision <= self.revision:
            return 0
        return min(self.marks[revision - self.first :])

    def state_after(self, moves: int) -> GameState:
        """Return the position after a number of moves."""
        return self.transitions[moves - 1].state if moves else self.start

    @property
    def state(self) -> GameState:
        """The position after all moves."""
        return self.state_after(len(self.actions))

    def back_to(self, moves: int, luck: random.Random) -> _History:
        """Return the history with all moves undone after a number of them."""
        return _History(
            self.start,
            luck,
            self.actions[:moves],
            self.transitions[:moves],
            tuple(note for note in self.notes if note.after <= moves),
            (*self.undone, self),
            (*self.marks, moves),
            self.first,
        )

    def forward(self) -> _History:
        """Return the history with the last undo redone."""
        *others, later = self.undone
        marks = (*self.marks, len(later.actions))
        return attrs.evolve(later, undone=tuple(others), marks=marks)


@attrs.define(eq=False)
class _Watch:
    """An observer, and the function called when moves are undone."""

    observer: Observer
    rewound: Callable[[GameState], object] | None


_Notification = tuple[_Watch, Callable[[], object]]
"""An observer still to be called, and how."""


class Session:
    """A game that is being played: seats, position, chance, undo and redo, record.

    Takes the number of players, or their names seat by seat, and the rule set and the card set as
    `valletta_rules.new_game` does.  Between calls a player is asked or the game is over, since
    the session resolves chance by its own generator, ``random.Random(seed)``; without a seed it
    chooses an unpredictable one.  Two sessions never share randomness.
    With `skip_forced` the session also plays forced actions, as far as everybody can tell that they
    are forced: a card is played automatically only from a hand that everybody knows, since an
    automatic move would otherwise tell the others what the hand holds.

    Chance outcomes depend only on the seed and on the moves that stand.  A copy, pickled or not, is
    independent, with the same generator state, history and revision, and without the observers.

    Any thread may read at any time, and sees the position before a move, or after it and all
    automatic moves, never one in between; everything that is read is an immutable value.  Moves of
    several threads are made one after the other.
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
        """Lay the table and resolve chance until a player is asked.

        Raises the errors of `valletta_rules.new_game`; `ValueError` for names that no record can
        hold and for a seed below 0; `TypeError` for a seed that is not an integer and for a single
        name.
        """
        if isinstance(players, str):
            raise TypeError(
                f"players must be a number or a sequence of names, not {shown(players)}"
            )
        names = tuple(players) if isinstance(players, Sequence) else ()
        count = len(names) if isinstance(players, Sequence) else whole(players, "players")
        start = new_game(count, rules=rules, cards=cards)
        self._open(Record(count, rules, cards, names=names), start, (), seed, skip_forced)

    @classmethod
    def resume(
        cls,
        record: Record,
        *,
        seed: SupportsIndex | None = None,
        skip_forced: bool = False,
        revision: SupportsIndex | None = None,
    ) -> Session:
        """Resume a recorded game where it stopped, even in the middle of a turn.

        With the seed of the session that made the record, chance goes on exactly as it would have
        there; with another, or with none, it is new from here on.  Every move of the record can
        be undone.  Notes are kept.

        Give the `revision` of the session that made the record, and counting goes on from there, so
        that actions for an earlier revision are still refused.  The default is the number of the
        record's moves, which is the revision of a session that has never undone anything.

        Raises `RecordError` if a move of the record is illegal, `TypeError` for a revision that is
        not an integer, and `ValueError` for one, or a seed, below 0.
        """
        first = len(record.actions) if revision is None else whole(revision, "a revision")
        if first < 0:
            raise ValueError(f"revisions are counted from 0: {first}")
        session = cls.__new__(cls)
        session._open(record, record.start, tuple(replay(record)), seed, skip_forced, first)
        return session

    def _open(
        self,
        record: Record,
        start: GameState,
        transitions: tuple[Transition, ...],
        seed: SupportsIndex | None,
        skip_forced: bool,
        first: int | None = None,
    ) -> None:
        chosen = random.SystemRandom().getrandbits(_SEED_BITS) if seed is None else seed
        self._seed = whole(chosen, "a seed")
        if self._seed < 0:
            raise ValueError(f"a seed is a number from 0 upwards, not {self._seed}")
        self._record = record
        self._skip_forced = skip_forced
        played = _History(start, random.Random(), record.actions, transitions, record.notes)
        played = attrs.evolve(played, luck=self._luck_after(played, len(transitions)))
        if first is not None:
            played = attrs.evolve(played, marks=(len(transitions),), first=first)
        goes_on = first is None or not self._is_choice(played.state)
        self._history = self._run(played) if goes_on else played
        self._unwatched()

    def _unwatched(self) -> None:
        """Begin with a new lock, and without observers."""
        self._lock = RLock()
        self._watches: tuple[_Watch, ...] = ()
        self._news: deque[_Notification] = deque()
        self._is_telling = False

    def __getstate__(self) -> dict[str, object]:
        """Return the state that a copy takes over: not the lock, the observers and their queue."""
        names = ("_record", "_seed", "_skip_forced", "_history")
        return {name: vars(self)[name] for name in names}

    def __setstate__(self, state: dict[str, object]) -> None:
        """Take over the state of another session."""
        vars(self).update(state)
        self._unwatched()

    def __repr__(self) -> str:
        """Show players, rules and progress, but not the seed: it reveals the future."""
        return f"<Session {', '.join(self.names)}: {self._record.rules}, {self.moves} moves>"

    # Reading

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the players, seat by seat, or red, blue, green, yellow."""
        return self._record.called

    @property
    def seed(self) -> int:
        """The seed of the session's generator.  It determines all future chance outcomes."""
        return self._seed

    @property
    def state(self) -> GameState:
        """The position."""
        return self._history.state

    @property
    def prompt(self) -> Prompt | None:
        """The current prompt, which is a player's; `None` when the game is over."""
        return self.state.prompt

    @property
    def moves(self) -> int:
        """How many moves stand, those of chance included."""
        return len(self._history.actions)

    @property
    def revision(self) -> int:
        """How often the session has been changed: it grows by one with each move, undo and redo.

        A session that was resumed counts on from the revision that it was given.  If other threads
        make moves, read it before the value it belongs to; or read both from a copy, which nobody
        else changes.
        """
        return self._history.revision

    @property
    def transitions(self) -> tuple[Transition, ...]:
        """Every transition since the start of the game, in order."""
        return self._history.transitions

    @property
    def record(self) -> Record:
        """The game so far, from which it can be replayed, saved and resumed.

        It does not hold the seed.  Moves that were undone are not in it.
        """
        history = self._history
        return attrs.evolve(self._record, actions=history.actions, notes=history.notes)

    @property
    def can_undo(self) -> bool:
        """Whether a player has made a choice that can be taken back."""
        return self._last_choice(self._history) is not None

    @property
    def can_redo(self) -> bool:
        """Whether something has been undone that can be redone."""
        return bool(self._history.undone)

    def since(self, revision: SupportsIndex | None, seat: SupportsIndex | None) -> News:
        """Return what a seat, or a spectator for `None`, has missed since a revision.

        Moves taken back since then are not included, nor are known moves that still stand; one that
        was taken back and made again is included again.  The revision `None` stands for knowing
        nothing: everything is included, as for a revision that this session never had.
        Raises `SeatError` if the game has no such seat.
        """
        history = self._history
        seat = find_viewer(seat, self._record.players)
        known = history.known_at(None if revision is None else whole(revision, "a revision"))
        steps = history.transitions[known:]
        return News(
            revision=history.revision,
            kept=known,
            steps=tuple(tuple(redact(event, seat) for event in step.events) for step in steps),
            view=view(history.state, seat),
        )

    # Changing

    def play(
        self,
        move: Action | str,
        *,
        seat: SupportsIndex | EllipsisType | None = ...,
        revision: SupportsIndex | None = None,
    ) -> tuple[Transition, ...]:
        """Make a move, followed by chance and forced moves; return every transition.

        A text is read by `valletta_rules.parse_action`.  Give the seat that moves, as a server
        should, and a move out of turn is refused before the error can reveal anything about it;
        `None` is a spectator, who never moves.  Leave the seat out, and the move is that of whoever
        is asked.  Give the `revision` for which the move was chosen, and it is refused if the
        session has changed since: so a move that arrives twice is made once.  Moves undone before
        can no longer be redone.

        Raises `StaleError`, `SeatError`, `NotAskedError`, `IllegalActionError`,
        `MalformedActionError`, and for a text `NotAMoveError` and `AmbiguousMoveError`; then
        nothing has changed.  Raises `ObserverError` if an observer raised something; then the
        move was made.
        """
        with self._lock:
            history = self._history
            state = history.state
            if revision is not None and (told := whole(revision, "a revision")) != self.revision:
                raise StaleError(told, self.revision)
            asked = None if state.prompt is None else state.prompt.seat
            if seat is not ...:
                sent = find_viewer(seat, self._record.players)
                if sent is None or sent != asked:
                    raise NotAskedError(sent, asked)
            action = parse_action(state, move) if isinstance(move, str) else move
            return self._go_on_to(self._run(history, Move.of(state, action)))

    def undo(self) -> GameState:
        """Take back the last choice of a player and all that followed; return the position.

        Undoing past a reveal leaks: players have seen the card or the barrel and will choose
        accordingly.  The generator goes back too, so the same move has the same outcome: undoing
        cannot change chance, but it can be used to look ahead.  Whether people may undo, and
        when, is for the caller to decide.

        Raises `NothingToUndoError` if no player has had a choice, and `ObserverError` as
        `play` does.
        """
        with self._lock:
            history = self._history
            before = self._last_choice(history)
            if before is None:
                raise NothingToUndoError("no player has made a choice yet")
            self._history = history.back_to(before, self._luck_after(history, before))
            state = self._history.state
            self._announce(
                (watch, partial(watch.rewound, state))
                for watch in self._watches
                if watch.rewound is not None
            )
            return state

    def redo(self) -> tuple[Transition, ...]:
        """Redo the last undo, with the same chance outcomes; return the transitions.

        Raises `NothingToRedoError` if nothing was undone since the last move, and
        `ObserverError` as `play` does.
        """
        with self._lock:
            if not self._history.undone:
                raise NothingToRedoError("nothing has been undone since the last move")
            return self._go_on_to(self._history.forward())

    def rename(self, names: Sequence[str]) -> None:
        """Rename the players, seat by seat; without names they are called by their colours.

        Raises `ValueError` for names that no record can hold, `TypeError` for a single name.
        """
        if isinstance(names, str):
            raise TypeError(f"names must be a sequence of names, not {shown(names)}")
        with self._lock:
            self._record = attrs.evolve(self._record, names=tuple(names))

    def subscribe(
        self, observer: Observer, *, rewound: Callable[[GameState], object] | None = None
    ) -> Callable[[], None]:
        """Call an observer with each transition from now on; return a function that ends this.

        `rewound` is called with the position after an undo.  Observers are called in the order in
        which they subscribed, with one transition after the other, once the session has reached
        the new position.  An exception of one disturbs neither the game nor other observers; it
        reaches the caller in an `ObserverError`.  An observer that makes a move itself is called
        for it after all pending calls.  Moves of other threads wait meanwhile.

        Raises `TypeError` for anything that is not callable.
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

    def _run(self, history: _History, *played: Move) -> _History:
        """Resolve chance and publicly forced actions, until a player is asked."""
        luck = copy(history.luck)
        state = played[-1].state if played else history.state
        moves = (*played, *follow(state, by_chance(luck), self._forced))
        actions = (*history.actions, *(move.action for move in moves))
        return attrs.evolve(
            history,
            luck=luck,
            actions=actions,
            transitions=(*history.transitions, *(move.transition for move in moves)),
            undone=(),
            marks=(*history.marks, len(actions)),
        )

    def _forced(self, state: GameState) -> Action | None:
        """Return the action that the session takes for a player, if any."""
        return public_answer(state) if self._skip_forced else None

    def _is_choice(self, state: GameState) -> bool:
        """Tell whether a player is asked in a position and has a choice."""
        return not isinstance(state.prompt, ChancePrompt) and self._forced(state) is None

    def _last_choice(self, history: _History) -> int | None:
        """Return the number of moves before a player's last choice."""
        earlier = reversed(range(len(history.actions)))
        return next((n for n in earlier if self._is_choice(history.state_after(n))), None)

    def _luck_after(self, history: _History, moves: int) -> random.Random:
        """Return the generator as a number of moves leave it, some of them chance's."""
        luck = random.Random(self._seed)
        answer = by_chance(luck)
        for number in range(moves):
            answer(history.state_after(number))
        return luck

    def _go_on_to(self, later: _History) -> tuple[Transition, ...]:
        """Move to a later history, and call the observers with its transitions."""
        steps = later.transitions[self.moves :]
        self._history = later
        watches = self._watches
        self._announce(
            (watch, partial(watch.observer, step)) for step in steps for watch in watches
        )
        return steps

    def _announce(self, news: Iterable[_Notification]) -> None:
        """Call the observers, after all pending calls."""
        self._news += news
        if self._is_telling:
            return
        self._is_telling = True
        try:
            raised = list(self._tell())
        finally:
            self._is_telling = False
        errors = [error for error in raised if isinstance(error, Exception)]
        for interruption in (each for each in raised if not isinstance(each, Exception)):
            raise interruption
        if errors:
            raise ObserverError(tuple(errors)) from errors[0]

    def _tell(self) -> Iterator[BaseException]:
        """Make all pending calls, and yield the exceptions of the observers."""
        while self._news:
            watch, tell = self._news.popleft()
            if watch not in self._watches:
                continue
            try:
                tell()
            except BaseException as error:  # an interruption, too, waits until all are called
                yield error
