"""Sessions: a game that is being played, with chance, undo and observers.

Everything else in this package is a value; a session is the one thing that changes.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from threading import RLock
from typing import Final

import attrs

from valletta_rules.actions import Action
from valletta_rules.agenda import ChancePrompt, Prompt
from valletta_rules.card_sets.files import RECONSTRUCTION
from valletta_rules.chance import sample_chance
from valletta_rules.components.card_set import CardSet
from valletta_rules.engine import Transition, legal_actions, transition
from valletta_rules.errors import VallettaError
from valletta_rules.games import new_game
from valletta_rules.records.record import Note, Record, replay
from valletta_rules.rulings import HANS_IM_GLUECK, RuleSet
from valletta_rules.state import GameState
from valletta_rules.text.notation import parse_action

Observer = Callable[[Transition], object]
"""What is called with each transition, in order."""

_SEED_BITS: Final = 128
"""How many bits a seed has that a session chooses itself."""


class NothingToUndoError(VallettaError):
    """No player has made a choice yet that could be taken back."""


class NothingToRedoError(VallettaError):
    """Nothing has been undone since the last move."""


class OutOfTurnError(VallettaError):
    """A seat answered while another was asked."""

    seat: int
    """The seat that answered."""
    asked: int | None
    """The seat that is asked; `None` if the game is over."""

    def __init__(self, seat: int, asked: int | None) -> None:
        """Carry both seats."""
        super().__init__(seat, asked)
        self.seat, self.asked = seat, asked

    def __str__(self) -> str:
        """Say who answered, and who is asked."""
        asked = "nobody is" if self.asked is None else f"seat {self.asked} is"
        return f"seat {self.seat} cannot move now: {asked} asked"


class ObserverError(VallettaError):
    """Observers raised errors.  The move was made all the same, and all observers were told."""

    errors: tuple[Exception, ...]
    """What they raised, in order; never empty."""

    def __init__(self, errors: Sequence[Exception]) -> None:
        """Carry what they raised."""
        self.errors = tuple(errors)
        super().__init__(self.errors)

    def __str__(self) -> str:
        """Say that the move stands, and what was raised."""
        raised = "; ".join(f"{type(error).__name__}: {error}" for error in self.errors)
        return f"the move was made, but observers raised {raised}"


@attrs.frozen(eq=False, repr=False)
class _Moment:
    """A point in the history of a game; the points before it hang on it as a chain."""

    state: GameState
    count: int = 0
    before: _Moment | None = None
    action: Action | None = None
    step: Transition | None = None
    notes: tuple[str, ...] = ()

    def chain(self) -> list[_Moment]:
        """Return the points after the first move, after the second, and so on up to this one."""
        moments: list[_Moment] = []
        moment = self
        while moment.before is not None:
            moments.append(moment)
            moment = moment.before
        return moments[::-1]

    def after(self, action: Action, step: Transition, notes: tuple[str, ...] = ()) -> _Moment:
        """Return the point after one more move."""
        return _Moment(step.state, self.count + 1, self, action, step, notes)


@attrs.frozen(eq=False, repr=False)
class _History:
    """Where a session stands, and what was undone (the next to be redone last)."""

    now: _Moment
    undone: tuple[_Moment, ...] = ()


@attrs.define(eq=False)
class _Watch:
    """An observer, and what is called when moves are undone."""

    observer: Observer
    rewound: Callable[[GameState], object] | None


_News = tuple[_Watch, Callable[[], object]]
"""Whom to tell, and how."""


class Session:
    """A game that is being played: seats, position, chance, undo and redo, record.

    Takes the number of players, or their names seat by seat, and the rule set and the card set as
    `valletta_rules.new_game` does.  Between calls a player is asked or the game is over, for
    the session answers for chance by a generator of its own, ``random.Random(seed)``; without
    a seed it chooses one that nobody can guess.  Two sessions never share randomness.
    With `skip_forced` the session also answers for players where only one answer is legal.

    What chance answers depends on the seed and on the moves that stand, and on nothing else.

    Any thread may read at any time, and sees the position before a move or after it with all
    that follows by itself, never one in between; all that is read is a value, and stays as it is.
    Moves of several threads are made one after the other.
    """

    def __init__(
        self,
        players: int | Sequence[str] = 2,
        *,
        rules: RuleSet = HANS_IM_GLUECK,
        cards: CardSet = RECONSTRUCTION,
        seed: int | None = None,
        skip_forced: bool = False,
    ) -> None:
        """Lay the table and let chance answer until a player is asked.

        Raises the errors of `valletta_rules.new_game`; `ValueError` for names that no record can
        hold; `TypeError` for a seed that is no whole number and for a single
        name.
        """
        if isinstance(players, str):
            raise TypeError(f"players must be a number or a sequence of names, not {players!r}")
        count, names = (players, ()) if isinstance(players, int) else (len(players), tuple(players))
        start = new_game(count, rules=rules, cards=cards)
        self._open(Record(count, rules, cards, names=names), _Moment(start), seed, skip_forced)

    @classmethod
    def resume(
        cls, record: Record, *, seed: int | None = None, skip_forced: bool = False
    ) -> Session:
        """Go on with a recorded game where it stopped, even in the middle of a turn.

        With the seed of the session that made the record, chance goes on exactly as it
        would have there; with another, or with none, luck is new from here on.  Every move of the
        record can be undone.  Notes are kept.

        Raises `RecordError` if a move of the record is illegal.
        """
        notes = record.notes_by_move()
        moment = _Moment(record.start, notes=notes.get(0, ()))
        for action, step in zip(record.actions, replay(record), strict=True):
            moment = moment.after(action, step, notes.get(moment.count + 1, ()))
        session = cls.__new__(cls)
        session._open(record, moment, seed, skip_forced)
        return session

    def _open(self, record: Record, now: _Moment, seed: int | None, skip_forced: bool) -> None:
        if seed is not None and type(seed) is not int:
            raise TypeError(f"a seed must be a whole number, not {type(seed).__name__}: {seed!r}")
        self._record = record
        self._seed = random.SystemRandom().getrandbits(_SEED_BITS) if seed is None else seed
        self._skip_forced = skip_forced
        self._lock = RLock()
        self._watches: tuple[_Watch, ...] = ()
        self._news: deque[_News] = deque()
        self._is_telling = False
        self._rng = self._generator_at(now)
        self._history = _History(self._run(now))

    def __repr__(self) -> str:
        """Show who plays what and how far they are, but not the seed: it tells the future."""
        return f"<Session {', '.join(self.names)}: {self._record.rules}, {self.moves} moves>"

    # What can be read

    @property
    def names(self) -> tuple[str, ...]:
        """What the players are called, seat by seat: their names, or Red, Blue, Green, Yellow."""
        return self._record.called

    @property
    def seed(self) -> int:
        """The seed of the session's generator.  Who knows it knows what chance will answer."""
        return self._seed

    @property
    def state(self) -> GameState:
        """The position."""
        return self._history.now.state

    @property
    def prompt(self) -> Prompt | None:
        """The question to be answered next, which is a player's; `None` when the game is over."""
        return self.state.prompt

    @property
    def moves(self) -> int:
        """How many moves stand, those of chance included."""
        return self._history.now.count

    @property
    def transitions(self) -> tuple[Transition, ...]:
        """Every transition from the fresh table on, in order."""
        return tuple(moment.step for moment in self._history.now.chain() if moment.step)

    @property
    def record(self) -> Record:
        """The game so far, from which it can be replayed, saved and resumed.

        It does not hold the seed.  Moves that were undone are not in it.
        """
        now = self._history.now
        chain = now.chain()
        first = chain[0].before if chain else now
        assert first is not None, "the point before the first move begins the chain"
        return attrs.evolve(
            self._record,
            actions=tuple(moment.action for moment in chain if moment.action),
            notes=tuple(
                Note(moment.count, text) for moment in (first, *chain) for text in moment.notes
            ),
        )

    @property
    def can_undo(self) -> bool:
        """Whether a player has made a choice that can be taken back."""
        return self._choice_before(self._history.now) is not None

    @property
    def can_redo(self) -> bool:
        """Whether something has been undone that can be done again."""
        return bool(self._history.undone)

    # What changes it

    def play(self, move: Action | str, *, seat: int | None = None) -> tuple[Transition, ...]:
        """Make a move, and let chance and forced moves follow; return every transition.

        A text is read by `valletta_rules.parse_action`.  Give the seat that moves, and a move
        out of turn is refused before anything is said about it; a server should.  What has been
        undone before can no longer be redone.

        Raises `OutOfTurnError`, `IllegalActionError`, `MalformedActionError`, and for a
        text `NotAMoveError` and `AmbiguousMoveError`; then nothing has changed.  Raises
        `ObserverError` if an observer raised something; then the move was made.
        """
        with self._lock:
            now = self._history.now
            prompt = now.state.prompt
            asked = None if prompt is None else prompt.seat
            if seat is not None and seat != asked:
                raise OutOfTurnError(seat, asked)
            action = parse_action(now.state, move) if isinstance(move, str) else move
            first = now.after(action, transition(now.state, action))
            try:
                later = self._run(first)
            except BaseException:
                self._rng = self._generator_at(now)
                raise
            return self._go_on_to(later, ())

    def undo(self) -> GameState:
        """Take back the last choice of a player and all that followed; return the position.

        Undoing past a reveal leaks: players have seen the card or the barrel and will choose
        accordingly.  The generator goes back too, so that the same move brings the same luck:
        undoing is no way to try for better luck, but it is one to find out about it.  Whether
        people may undo, and when, is for the caller to decide.

        Raises `NothingToUndoError` if no player has had a choice, and `ObserverError` as
        `play` does.
        """
        with self._lock:
            history = self._history
            before = self._choice_before(history.now)
            if before is None:
                raise NothingToUndoError("no player has made a choice yet")
            self._rng = self._generator_at(before)
            self._history = _History(before, (*history.undone, history.now))
            self._announce(
                [
                    (watch, partial(watch.rewound, before.state))
                    for watch in self._watches
                    if watch.rewound is not None
                ]
            )
            return before.state

    def redo(self) -> tuple[Transition, ...]:
        """Do again what was undone last, with the same answers of chance; return the transitions.

        Raises `NothingToRedoError` if nothing was undone since the last move, and
        `ObserverError` as `play` does.
        """
        with self._lock:
            if not self._history.undone:
                raise NothingToRedoError("nothing has been undone since the last move")
            *others, later = self._history.undone
            self._rng = self._generator_at(later)
            return self._go_on_to(later, tuple(others))

    def subscribe(
        self, observer: Observer, *, rewound: Callable[[GameState], object] | None = None
    ) -> Callable[[], None]:
        """Let an observer be called with each transition from now on; return how to end that.

        `rewound` is called with the position after an undo.  Observers are told in the order in
        which they subscribed, of one transition after the other, once the session stands
        where the move has led it.  One that raises disturbs neither the game nor other observers;
        what it raised reaches the caller as an `ObserverError`.  One that makes a move itself
        is told of it after what is still to be told.  Moves of other threads wait meanwhile.
        """
        watch = _Watch(observer, rewound)
        with self._lock:
            self._watches = (*self._watches, watch)

        def unsubscribe() -> None:
            with self._lock:
                self._watches = tuple(each for each in self._watches if each is not watch)

        return unsubscribe

    # How it is done

    def _run(self, moment: _Moment) -> _Moment:
        """Let chance answer, and players who have no choice, until a player has one."""
        while (action := self._answer(moment.state)) is not None:
            moment = moment.after(action, transition(moment.state, action))
        return moment

    def _answer(self, state: GameState) -> Action | None:
        """Return what the session itself answers in a position, if it does."""
        if isinstance(state.prompt, ChancePrompt):
            return sample_chance(state, self._rng)
        if self._skip_forced and len(actions := legal_actions(state)) == 1:
            return actions[0]
        return None

    def _is_choice(self, state: GameState) -> bool:
        """Tell whether it is for a player to answer in a position."""
        if isinstance(state.prompt, ChancePrompt):
            return False
        return not self._skip_forced or len(legal_actions(state)) > 1

    def _choice_before(self, moment: _Moment) -> _Moment | None:
        """Return the last point before this one in which a player had a choice."""
        before = moment.before
        while before is not None and not self._is_choice(before.state):
            before = before.before
        return before

    def _generator_at(self, moment: _Moment) -> random.Random:
        """Return the generator as it is once chance has answered all that was asked up to there."""
        rng = random.Random(self._seed)
        for each in moment.chain():
            assert each.before is not None, "only the first point has none before it"
            if isinstance(each.before.state.prompt, ChancePrompt):
                sample_chance(each.before.state, rng)
        return rng

    def _go_on_to(self, later: _Moment, undone: tuple[_Moment, ...]) -> tuple[Transition, ...]:
        """Stand at a later point from now on, and tell the observers how it came about."""
        done = later.count - self._history.now.count
        self._history = _History(later, undone)
        steps = tuple(moment.step for moment in later.chain()[-done:] if moment.step)
        watches = self._watches
        self._announce(
            [(watch, partial(watch.observer, step)) for step in steps for watch in watches]
        )
        return steps

    def _announce(self, news: Iterable[_News]) -> None:
        """Tell the observers, after all that they are still to be told."""
        self._news += news
        if self._is_telling:
            return
        self._is_telling = True
        try:
            errors = list(self._tell())
        finally:
            self._is_telling = False
        if errors:
            raise ObserverError(errors) from errors[0]

    def _tell(self) -> Iterator[Exception]:
        """Tell what there is to tell, and run through what the observers raise."""
        while self._news:
            watch, tell = self._news.popleft()
            if watch not in self._watches:
                continue
            try:
                tell()
            except Exception as error:
                yield error
