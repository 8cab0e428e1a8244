"""Games in progress as immutable values, with a log, undo and redo, and news for each seat.

Each call on a `Game` returns the next game and a log entry. The caller appends the entry to a log,
and replays the log after a restart. A game has no random generator and no clock. The caller chooses
chance outcomes, and the entry records them.

Successive games share their history, so the cost of a call does not grow with the length of the
game.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Self, SupportsIndex, TypeVar, cast

import attrs

from valletta_rules import errors
from valletta_rules.actions import Action, ChanceAction
from valletta_rules.agenda import ChancePrompt, Prompt
from valletta_rules.chance import Draw
from valletta_rules.codec import from_json
from valletta_rules.components import Value, abbreviated, need, whole
from valletta_rules.engine import Transition
from valletta_rules.play.driver import Answerer, Move, by_draw, follow
from valletta_rules.play.undo import LastChoice
from valletta_rules.records.damage import Damage
from valletta_rules.records.log import ID_FORM, Answered, LogEntry, Opened, Redone, Undone
from valletta_rules.records.record import Record, replay
from valletta_rules.state import GameState
from valletta_rules.text.notation import format_action
from valletta_rules.text.values import plain
from valletta_rules.views.forced_actions import public_answer
from valletta_rules.views.news import News
from valletta_rules.views.seen_events import redact
from valletta_rules.views.view import PlayerView, find_seat, find_viewer, view

E = TypeVar("E", Answered, Undone, Redone)


@attrs.frozen(eq=False, repr=False)
class _Standing:
    """An element of a linked list of the answers that have not been undone.

    The first is the opening.
    """

    entry: Opened | Answered
    before: "_Standing | None"
    moves: tuple[Move, ...]
    """The answer (none for the opening), then the forced answers and chance outcomes that follow
    it.
    """
    count: int
    """The number of moves up to and including this element."""
    position: GameState
    """The position after these moves."""

    def back_to(self, count: int) -> Iterator["_Standing"]:
        """Iterate backwards over the answers that follow the first `count` moves."""
        each: _Standing | None = self
        while each is not None and each.count > count:
            yield each
            each = each.before


def _shared(one: _Standing, other: _Standing) -> _Standing:
    """Return the last answer that two histories of the same game have in common."""
    while one is not other:
        if one.count < other.count:
            one, other = other, one
        assert one.before is not None, "both lead back to the same opening"
        one = one.before
    return one


_Ids = tuple[Mapping[str, LogEntry], ...]
"""Several maps of decreasing size from the ids of calls to their log entries. Maps are merged but
never changed, so each id is copied once whenever the log doubles.
"""


def _with_id(ids: _Ids, entry: LogEntry) -> _Ids:
    """Return maps to which the id of an entry has been added, if it has one."""
    if isinstance(entry, Opened) or entry.id is None:
        return ids
    last: Mapping[str, LogEntry] = {entry.id: entry}
    while ids and len(ids[-1]) <= len(last):
        *others, smallest = ids
        ids, last = tuple(others), {**smallest, **last}
    return (*ids, last)


@attrs.frozen(eq=False, repr=False)
class Game(Value):
    """A game in progress, as an immutable value; create it with `begin`, `resume` or `replay`.

    Each call of `answer`, `undo` and `redo` names a seat and a revision. A late call or a call for
    the wrong seat raises an error. A client may add an id to a call to make it idempotent: if the
    log already contains a call with this id, the game does not change, and the existing entry is
    returned.

    Games with equal logs are equal. The log and the position contain hidden information. Send only
    the results of `view` and `since` to a seat.
    """

    entry: LogEntry
    """The last entry of the log."""
    _opened: Opened
    _standing: _Standing
    """The last answer that has not been undone."""
    previous: "Game | None" = None
    """The game before the last entry; `None` if the log has only one entry."""
    _undone: "Game | None" = None
    """The game before the last undo that can be redone, or `None`."""
    _ids: _Ids = ()

    # Constructors

    @classmethod
    def begin(cls, start: GameState, *, draw: Draw, skip_forced: bool = False) -> Self:
        """Begin a game in a position, such as one that `valletta_rules.new_game` returns.

        Chance prompts are resolved until a player must answer. With `skip_forced`, now and later, a
        prompt is answered automatically if all players can infer its only legal answer. `draw`
        chooses chance outcomes, see `valletta_rules.by_random`. Raises `ValueError` if `draw`
        returns an action that is not a possible outcome.
        """
        return cls._open(start, follow(start, by_draw(draw), _forced(skip_forced)), skip_forced)

    @classmethod
    def resume(cls, record: Record, *, draw: Draw | None, skip_forced: bool = False) -> Self:
        """Continue the game in a record.

        Every choice in it can be undone. `draw` and `skip_forced` are as in `begin`. If the record
        ends at a chance prompt, `draw` resolves it. If `draw` is `None`, the chance prompt stays
        open, and the game can be viewed but not continued. Raises `RecordError` if a move of the
        record is illegal.
        """
        state, forced = record.start, _forced(skip_forced)
        groups: list[list[Move]] = [[]]
        for action, step in zip(record.actions, replay(record), strict=True):
            if not isinstance(state.prompt, ChancePrompt) and forced(state) is None:
                groups.append([])
            groups[-1].append(Move(action, step.events, step.state))
            state = step.state
        if draw is not None:
            groups[-1] += follow(state, by_draw(draw), forced)
        game = cls._open(record.start, groups[0], skip_forced)
        for moves in groups[1:]:
            game = game._after_answer(game._entry_of(moves, None), tuple(moves))
        return game

    @classmethod
    def replay(cls, log: Iterable[LogEntry | str], *, is_whole: bool = True) -> Self:
        """Restore a game from all entries of its log, or their documents, in order.

        An incomplete log may end at a chance prompt. The game can then be viewed, but no seat can
        answer.

        Raises `LogError`, with the number and the cause, for an entry that cannot be read, has
        another version of the format, or does not follow from the entries before it. Raises the
        subclass `CutLogError` if the log is empty, if an entry is missing before the last one, or
        if an entry is without its last chance outcomes.
        """
        game: Self | None = None
        for number, document in enumerate(log):
            game = cls._read(game, number, document)
        if game is None:
            raise errors.CutLogError.of(0, Damage.EMPTY_LOG)
        if is_whole:
            game._need_end()
        return game

    def read(self, entry: LogEntry | str) -> Self:
        """Return the game after the next log entry, which may be a document.

        Use it to follow a log that another process writes. The entry may end at a chance prompt, as
        in an incomplete log. Raises `LogError` as `replay` does.
        """
        return self._read(self, self.revision + 1, entry)

    # Reading

    @property
    def revision(self) -> int:
        """The number of calls that have been carried out.

        It is the revision of the last log entry.
        """
        return self.entry.revision

    @property
    def start(self) -> GameState:
        """The position before the first action."""
        return self._opened.start

    @property
    def position(self) -> GameState:
        """The current position, with hidden information; do not send it to players."""
        return self._standing.position

    @property
    def prompt(self) -> Prompt | None:
        """The current prompt, which is always for a player; `None` when the game is over."""
        return self.position.prompt

    @property
    def asked(self) -> int | None:
        """The seat that must answer; `None` when the game is over."""
        return _asked(self.position)

    @property
    def log(self) -> tuple[LogEntry, ...]:
        """All entries of the log, in order."""
        return tuple(game.entry for game in self._back_to(0))[::-1]

    @property
    def done(self) -> tuple[Move, ...]:
        """The moves of the last entry if it is the opening or an answer, otherwise none."""
        is_answer = self.entry is self._standing.entry
        return self._standing.moves if is_answer else ()

    @property
    def before(self) -> GameState:
        """The position before the last entry, or the first position of the game."""
        return self.start if self.previous is None else self.previous.position

    @property
    def last_choice(self) -> LastChoice | None:
        """The last answer that has not been undone; `None` if there is none."""
        return next(self.choices(), None)

    def choices(self) -> Iterator[LastChoice]:
        """Iterate over the answers that have not been undone, the last one first."""
        has_revealed, acted = False, set[int | None]()
        for each in self._standing.back_to(0):
            if isinstance(each.entry, Opened):
                return
            then = each.entry.then
            has_revealed |= any(isinstance(action, ChanceAction) for action in then)
            acted |= {_asked(move.state) for move in each.moves[:-1]} - {None}
            others_acted = bool(acted - {each.entry.seat})
            yield LastChoice(
                each.entry.seat, each.entry.revision, has_revealed, others_acted, self._players
            )
            acted.add(each.entry.seat)

    @property
    def can_redo(self) -> bool:
        """Whether an undo can be redone: no answer has followed, and it has not been redone."""
        return self._undone is not None

    @property
    def moves(self) -> int:
        """The number of moves that have not been undone, including those of chance."""
        return self._standing.count

    def entry_with(self, id: str) -> LogEntry | None:  # noqa: A002
        """Return the log entry for the call with an id, or `None` if there is no such call."""
        return next((entries[id] for entries in self._ids if id in entries), None)

    def expect(self, *, seat: SupportsIndex | None, revision: SupportsIndex) -> None:
        """Raise the error that `answer` would raise, unless this seat must answer at this revision.

        Call this method before you parse the text of a move, since its meaning can depend on the
        hand. Raises `StaleError`, `FutureRevisionError`, `SeatError` and `NotAskedError`.
        """
        self._need_revision(revision)
        self._need_asked(find_viewer(seat, self._players))

    def view(self, seat: SupportsIndex | None) -> PlayerView:
        """Return the view of a seat, or of a spectator for `None`.

        Raises `SeatError` if the game has no such seat.
        """
        return view(self.position, seat)

    def since(self, revision: SupportsIndex | None, seat: SupportsIndex | None) -> News:
        """Return the news since a revision for a seat, or for a spectator if the seat is `None`.

        With the revision `None`, the news include all moves. Otherwise, they exclude moves that
        were already part of the game at that revision and still are. Raises `SeatError` if the game
        has no such seat, and `FutureRevisionError` and `ValueError` for a revision that the game
        has not had.
        """
        seat = find_viewer(seat, self._players)
        kept, steps = self.transitions_since(revision)
        told = tuple(tuple(redact(event, seat) for event in step.events) for step in steps)
        return News(self.revision, kept, told, self.view(seat))

    def transitions_since(
        self, revision: SupportsIndex | None = None
    ) -> tuple[int, tuple[Transition, ...]]:
        """Return the number of moves kept since a revision, and the transitions after these moves.

        The transitions contain hidden information. Do not send them to players. The revision `None`
        means the time before the first move. Raises `FutureRevisionError` and `ValueError` for a
        revision that the game has not had.
        """
        kept = 0
        if revision is not None:
            then = self._at(whole(revision, "a revision"))
            kept = _shared(self._standing, then._standing).count
        return kept, tuple(move.transition for move in self._moves(kept))

    def record(self, names: Sequence[str] = ()) -> Record:
        """Return the game as a record with the names of the players. It omits undone answers.

        Raises `ValueError` for names that are not valid in a record, and if the first position of
        the game is not one that `valletta_rules.new_game` returns.
        """
        start = self._opened.start
        table = Record(self._players, start.rules, start.cards, names=tuple(names))
        if start != table.start:
            raise ValueError("the game does not begin with the setup, so it cannot be a record")
        actions = tuple(move.action for move in self._moves(0))
        return attrs.evolve(table, actions=actions)

    # Changing

    def answer(
        self,
        action: Action,
        *,
        seat: SupportsIndex | None,
        revision: SupportsIndex,
        draw: Draw,
        id: str | None = None,  # noqa: A002  # the field's word
    ) -> tuple[Self, Answered]:
        """Answer the prompt for a seat.

        Return the next game and the log entry. Chance outcomes and forced answers follow, as in
        `begin`, and the entry records them. Earlier undos can no longer be redone. The seat `None`
        is a spectator, who never has to answer. If the log already contains a call with this id,
        the result is this game and the existing entry. Raises `SeatError`; `CallIdError` for an id
        of another form than `CallId`, and `ForeignIdError` for the id of another call; `StaleError`
        and `FutureRevisionError` for any revision other than that of this game; `NotAskedError`,
        before any error that depends on a hand; `IllegalActionError` with the violation;
        `MalformedActionError`; `ValueError` if `draw` returns an action that is not a possible
        outcome.
        """
        sent = find_viewer(seat, self._players)
        if (logged := self._logged(Answered, sent, id, action)) is not None:
            return self, logged
        self.expect(seat=sent, revision=revision)
        first = Move.of(self.position, action)
        then = follow(first.state, by_draw(draw), _forced(self._opened.skip_forced))
        moves = (first, *then)
        entry = self._entry_of(moves, id)
        return self._after_answer(entry, moves), entry

    def undo(
        self,
        *,
        seat: SupportsIndex,
        revision: SupportsIndex,
        to: SupportsIndex | None = None,
        id: str | None = None,  # noqa: A002
    ) -> tuple[Self, Undone]:
        """Undo the last choice, or all choices since revision `to`.

        Return the next game and the entry.

        The caller decides whether the seat may undo, for example by passing `last_choice` to
        `may_undo_own`. All answers up to the revision `to` must still be part of the game. If the
        log already has a call with this id, the result is this game and the existing entry.

        Raises `SeatError`, `CallIdError`, `ForeignIdError`, `StaleError` and `FutureRevisionError`
        as `answer` does, and `NothingToUndoError` if there is no such choice.
        """
        sent = find_seat(seat, self._players)
        to = None if to is None else whole(to, "a revision")
        if (logged := self._logged(Undone, sent, id, to=to)) is not None:
            return self, logged
        self._need_revision(revision)
        if to is None:
            before = self._standing.before
            if before is None:
                raise errors.NothingToUndoError
            to = before.entry.revision
        entry = Undone(self.revision + 1, sent, to, id)
        return self._after_undo(entry), entry

    def redo(
        self,
        *,
        seat: SupportsIndex,
        revision: SupportsIndex,
        id: str | None = None,  # noqa: A002
    ) -> tuple[Self, Redone]:
        """Restore the answers that the last undo removed.

        Return the next game and the log entry. Chance outcomes are restored, too. If the log
        already has a call with this id, the result is this game and the existing entry. Raises
        `NothingToRedoError` if nothing has been undone since the last answer, and the other errors
        of `undo`.
        """
        sent = find_seat(seat, self._players)
        if (logged := self._logged(Redone, sent, id)) is not None:
            return self, logged
        self._need_revision(revision)
        entry = Redone(self.revision + 1, sent, id)
        return self._after_redo(entry), entry

    # As a value

    def __eq__(self, other: object) -> bool:
        """Return whether another value is a game and has an equal log."""
        if not isinstance(other, Game):
            return NotImplemented
        return self is other or (self.entry == other.entry and self.log == other.log)

    def __hash__(self) -> int:
        """Return the hash of the last entry, which equal games share."""
        return hash(self.entry)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the log, which `replay` restores."""
        return type(self).replay, (self.log,)

    def __repr__(self) -> str:
        """Return the number of players and the progress, without hidden information."""
        asked = "over" if self.asked is None else f"seat {self.asked} is asked"
        return f"<Game of {self._players}, revision {self.revision}: {asked}>"

    # Implementation

    @property
    def _players(self) -> int:
        return len(self.position.players)

    def _back_to(self, revision: int) -> Iterator["Game"]:
        """Iterate over this game and the games before it, back to a revision."""
        game: Game | None = self
        while game is not None and game.revision >= revision:
            yield game
            game = game.previous

    def _at(self, revision: int) -> "Game":
        """Return the game at a revision. Raise an error if the game has not had this revision."""
        if revision > self.revision:
            raise errors.FutureRevisionError(revision, self.revision)
        if revision < 0:
            raise ValueError(f"a revision must be 0 or more, not {revision}")
        *_, game = self._back_to(revision)
        return game

    def _moves(self, count: int) -> Iterator[Move]:
        """Iterate over the moves after the first `count` moves."""
        answers = [*self._standing.back_to(count)]
        return (move for each in reversed(answers) for move in each.moves)

    def _logged(
        self,
        call: type[E],
        seat: int | None,
        name: str | None,
        action: Action | None = None,
        to: int | None = None,
    ) -> E | None:
        """Return the log entry of an earlier call with the same id, or `None`."""
        if name is None:
            return None
        need(name, str, "an id")
        if not re.fullmatch(ID_FORM, name):
            raise errors.CallIdError(name)
        entry = self.entry_with(name)
        if entry is None:
            return None
        if (
            not isinstance(entry, call)
            or entry.seat != seat
            or getattr(entry, "action", None) != action
            or (to is not None and getattr(entry, "to", None) != to)
        ):
            raise errors.ForeignIdError(name, entry.revision)
        return entry

    def _need_revision(self, revision: SupportsIndex) -> None:
        wanted = whole(revision, "a revision")
        if wanted > self.revision:
            raise errors.FutureRevisionError(wanted, self.revision)
        if wanted < self.revision:
            raise errors.StaleError(wanted, self.revision)

    def _need_asked(self, seat: int | None) -> None:
        if seat is None or seat != self.asked:
            raise errors.NotAskedError(seat, self.asked)

    @classmethod
    def _open(cls, start: GameState, moves: Iterable[Move], skip_forced: bool) -> Self:
        made = tuple(moves)
        entry = Opened(0, start, skip_forced, tuple(move.action for move in made))
        return cls(entry, entry, _Standing(entry, None, made, len(made), _last(start, made)))

    def _entry_of(self, moves: Sequence[Move], name: str | None) -> Answered:
        """Return a log entry for an answer and the moves that followed it."""
        action, *then = (move.action for move in moves)
        asked = find_seat(cast("int", self.asked), self._players)
        return Answered(self.revision + 1, asked, action, tuple(then), name)

    def _after_answer(self, entry: Answered, moves: tuple[Move, ...]) -> Self:
        before, position = self._standing, moves[-1].state
        standing = _Standing(entry, before, moves, before.count + len(moves), position)
        return self._next(entry, standing, None)

    def _after_undo(self, entry: Undone) -> Self:
        """Return the game after an undo; raise `NothingToUndoError` if none is possible."""
        standing = self._at(entry.to)._standing
        if standing is self._standing or _shared(standing, self._standing) is not standing:
            raise errors.NothingToUndoError(to=entry.to)
        return self._next(entry, standing, self)

    def _after_redo(self, entry: Redone) -> Self:
        """Return the game after a redo; raise `NothingToRedoError` if there is no undo to redo."""
        if self._undone is None:
            raise errors.NothingToRedoError
        return self._next(entry, self._undone._standing, self._undone._undone)

    def _next(self, entry: LogEntry, standing: _Standing, undone: "Game | None") -> Self:
        ids = _with_id(self._ids, entry)
        return type(self)(entry, self._opened, standing, self, undone, ids)

    @classmethod
    def _read(cls, game: Self | None, number: int, document: LogEntry | str) -> Self:
        """Return the game after a log entry or its document, which must have the given number."""
        try:
            entry = from_json(document) if isinstance(document, str) else document
            if not isinstance(entry, LogEntry):
                raise errors.LogError.of(number, Damage.NO_ENTRY, found=abbreviated(entry))
            if entry.revision != number or (game is None and not isinstance(entry, Opened)):
                raise errors.CutLogError.of(number, Damage.MISSING_ENTRY, found=entry.revision)
            if not isinstance(entry, Opened):
                assert game is not None, "else it is missing"
                game._need_end()
                return game._after(entry)
            if game is not None:
                raise errors.LogError.of(number, Damage.OPENED_AGAIN)
            moves = _retold(entry, entry.start, entry.skip_forced)
            return cls._open(entry.start, moves, entry.skip_forced)
        except errors.LogError:
            raise
        except errors.VallettaError as error:
            raise errors.LogError(number, str(error)) from error

    def _need_end(self) -> None:
        if isinstance(self.prompt, ChancePrompt):
            raise errors.CutLogError.of(self.revision, Damage.NO_END)

    def _after(self, entry: Answered | Undone | Redone) -> Self:
        """Return the game after a log entry; raise an error if it cannot follow this game."""
        seat = find_seat(entry.seat, self._players)
        if entry.id is not None and (other := self.entry_with(entry.id)) is not None:
            raise errors.ForeignIdError(entry.id, other.revision)
        match entry:
            case Answered():
                self._need_asked(seat)
                first = Move.of(self.position, entry.action)
                then = _retold(entry, first.state, self._opened.skip_forced)
                return self._after_answer(entry, (first, *then))
            case Undone():
                return self._after_undo(entry)
            case Redone():
                return self._after_redo(entry)


def _forced(skip_forced: bool) -> Answerer:
    """Return a function that answers a prompt if all players can infer the only legal answer."""
    return public_answer if skip_forced else lambda state: None


def _asked(state: GameState) -> int | None:
    """Return the seat that must answer in a position; `None` if there is none."""
    return None if state.prompt is None else state.prompt.seat


def _last(start: GameState, moves: Sequence[Move]) -> GameState:
    """Return the position after the given moves, or `start` if there are none."""
    return moves[-1].state if moves else start


def _retold(entry: Opened | Answered, state: GameState, skip_forced: bool) -> list[Move]:
    """Return the moves recorded after the answer of an entry. Raise `LogError` for an invalid move.

    An answer that was forced when it was logged may not be forced in a later version of the rules.
    """
    moves: list[Move] = []
    for action in entry.then:
        if not (skip_forced or isinstance(state.prompt, ChancePrompt)):
            said = plain(format_action(action))
            raise errors.LogError.of(entry.revision, Damage.NO_CHANCE, word=said)
        moves.append(Move.of(state, action))
        state = moves[-1].state
    return moves
