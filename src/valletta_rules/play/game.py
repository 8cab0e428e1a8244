"""Games in progress as immutable values, with a log, undo, redo, and updates for each seat.

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

    The first element is the opening: the automatic moves before the first answer.
    """

    entry: Opened | Answered
    before: "_Standing | None"
    moves: tuple[Move, ...]
    """The answer, and the forced answers and chance outcomes that follow it.

    The opening has no answer.
    """
    count: int
    """The number of moves from the start of the game to the end of this element."""
    position: GameState
    """The position after the moves of this element."""

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
"""Maps from the ids of calls to their log entries, the largest map first.

Maps are merged but never changed. Only maps of equal size are merged, so ids are rarely copied.
"""


def _with_id(ids: _Ids, entry: LogEntry) -> _Ids:
    """Return `ids` with the id of `entry`, if the entry has an id."""
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

    A call of `answer`, `undo` or `redo` names a seat and a revision. A call for an old revision
    raises an error, and so does an answer for a seat that need not answer. A client may add an id
    to a call to make it idempotent. If the log already contains the call with this id, the game
    does not change, and the existing entry is returned.

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
        """Continue the game in a record; every choice in the record can be undone.

        `draw` and `skip_forced` are as in `begin`. If the record ends at a chance prompt, `draw`
        resolves it. If `draw` is `None`, the chance prompt stays open, and the game can be viewed
        but not continued. Raises `RecordError` if a move of the record is illegal.
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
        """Restore a game from all entries of its log, in order; an entry may be a JSON document.

        If `is_whole` is false, the last entry may lack its last chance outcomes. The game can then
        be viewed, but no seat can answer.

        Raises `LogError`, with the number of the entry and the cause, for an entry that cannot be
        read, has another version of the format, or does not follow from the entries before it.
        Raises the subclass `CutLogError` if the log is empty, if an entry is missing before the
        last one, or if an entry lacks its last chance outcomes.
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
        """Return the game after the next log entry, which may be a JSON document.

        Use this method to follow a log that another process writes. The entry may lack its last
        chance outcomes, as in `replay`. Raises `LogError` as `replay` does.
        """
        return self._read(self, self.revision + 1, entry)

    # Reading

    @property
    def revision(self) -> int:
        """The revision of the last log entry: the number of answers, undos and redos so far."""
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
        return _answering_seat(self.position)

    @property
    def log(self) -> tuple[LogEntry, ...]:
        """All entries of the log, in order."""
        return tuple(game.entry for game in self._back_to(0))[::-1]

    @property
    def done(self) -> tuple[Move, ...]:
        """The moves in the last log entry; empty if the entry is an undo or a redo."""
        is_answer = self.entry is self._standing.entry
        return self._standing.moves if is_answer else ()

    @property
    def before(self) -> GameState:
        """The position before the last entry; the first position if there is only one entry."""
        return self.start if self.previous is None else self.previous.position

    @property
    def last_choice(self) -> LastChoice | None:
        """The last answer that has not been undone; `None` if there is none."""
        return next(self.choices(), None)

    def choices(self) -> Iterator[LastChoice]:
        """Iterate over the answers that have not been undone, from the last to the first."""
        has_revealed, acted = False, set[int | None]()
        for each in self._standing.back_to(0):
            if isinstance(each.entry, Opened):
                return
            then = each.entry.then
            has_revealed |= any(isinstance(action, ChanceAction) for action in then)
            acted |= {_answering_seat(move.state) for move in each.moves[:-1]} - {None}
            others_acted = bool(acted - {each.entry.seat})
            yield LastChoice(
                each.entry.seat, each.entry.revision, has_revealed, others_acted, self._players
            )
            acted.add(each.entry.seat)

    @property
    def can_redo(self) -> bool:
        """Whether there is an undo that has not been redone and that no answer has followed."""
        return self._undone is not None

    @property
    def moves(self) -> int:
        """The number of moves that have not been undone, including chance outcomes."""
        return self._standing.count

    def entry_with(self, id: str) -> LogEntry | None:  # noqa: A002
        """Return the log entry of the call with this id, or `None` if the log has no such entry."""
        return next((entries[id] for entries in self._ids if id in entries), None)

    def expect(self, *, seat: SupportsIndex | None, revision: SupportsIndex) -> None:
        """Check that a seat must answer, and that the revision is the current one.

        Call this method before you parse the text of a move. Otherwise, the result of parsing could
        reveal the hand of another seat. Raises `StaleError`, `FutureRevisionError`, `SeatError` and
        `NotAskedError`.
        """
        self._need_revision(revision)
        self._need_answering_seat(find_viewer(seat, self._players))

    def view(self, seat: SupportsIndex | None) -> PlayerView:
        """Return the view of a seat, or of a spectator for `None`.

        Raises `SeatError` if the game has no such seat.
        """
        return view(self.position, seat)

    def since(self, revision: SupportsIndex | None, seat: SupportsIndex | None) -> News:
        """Return the current view, and the moves since a revision, redacted for a seat.

        The seat `None` is a spectator. With the revision `None`, the result contains all moves.
        Otherwise, it omits the moves that were part of the game at that revision and have not been
        undone. Raises `SeatError` if the game has no such seat, and `FutureRevisionError` and
        `ValueError` for a revision that the game has not had.
        """
        seat = find_viewer(seat, self._players)
        common, steps = self.transitions_since(revision)
        redacted = tuple(tuple(redact(event, seat) for event in step.events) for step in steps)
        return News(self.revision, common, redacted, self.view(seat))

    def transitions_since(
        self, revision: SupportsIndex | None = None
    ) -> tuple[int, tuple[Transition, ...]]:
        """Return how many moves the game shares with a revision, and the transitions after them.

        Moves that have been undone since the revision are not shared. The transitions contain
        hidden information: do not send them to players. The revision `None` means the time before
        the first move. Raises `FutureRevisionError` for a later revision than the current one, and
        `ValueError` for a negative one.
        """
        common = 0
        if revision is not None:
            then = self._at(whole(revision, "a revision"))
            common = _shared(self._standing, then._standing).count
        return common, tuple(move.transition for move in self._moves(common))

    def record(self, names: Sequence[str] = ()) -> Record:
        """Return the game as a record, without undone answers. `names` are the players' names.

        Raises `ValueError` for names that are not valid in a record, and if the first position of
        the game is not one that `valletta_rules.new_game` returns.
        """
        start = self._opened.start
        table = Record(self._players, start.rules, start.cards, names=tuple(names))
        if start != table.start:
            raise ValueError("the game does not begin with the setup, so it has no record")
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
        """Answer the current prompt for a seat, and return the next game and the log entry.

        Chance outcomes and forced answers follow, as in `begin`, and the entry records them.
        Earlier undos can no longer be redone. The seat `None` is a spectator, who never has to
        answer. If the log already contains this call with the same id, the result is this game and
        the existing entry.

        Raises `IllegalActionError` with the violation, and `MalformedActionError`. Raises
        `NotAskedError`, before any error that depends on a hand, and `SeatError`. Raises
        `StaleError` and `FutureRevisionError` for a revision other than that of this game. Raises
        `CallIdError` for an id that does not match `CallId`, and `ForeignIdError` for the id of
        another call. Raises `ValueError` if `draw` returns an action that is not a possible
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

        Return the next game and the log entry. The caller decides whether the seat may undo, for
        example by passing `last_choice` to `may_undo_own`. All answers up to the revision `to` must
        still be part of the game. If the log already contains this call with the same id, the
        result is this game and the existing entry.

        Raises `SeatError`, `CallIdError`, `ForeignIdError`, `StaleError` and `FutureRevisionError`
        as `answer` does, and `NothingToUndoError` if there is no choice to undo.
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
        already contains this call with the same id, the result is this game and the existing entry.
        Raises `NothingToRedoError` if nothing has been undone since the last answer, and the other
        errors of `undo`.
        """
        sent = find_seat(seat, self._players)
        if (logged := self._logged(Redone, sent, id)) is not None:
            return self, logged
        self._need_revision(revision)
        entry = Redone(self.revision + 1, sent, id)
        return self._after_redo(entry), entry

    # As a value

    def __eq__(self, other: object) -> bool:
        """Return whether `other` is a game with an equal log."""
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
        """Describe the number of players and the progress, without hidden information."""
        status = "over" if self.asked is None else f"seat {self.asked} is asked"
        return f"<Game of {self._players}, revision {self.revision}: {status}>"

    # Implementation

    @property
    def _players(self) -> int:
        return len(self.position.players)

    def _back_to(self, revision: int) -> Iterator["Game"]:
        """Iterate backwards from this game to the game at a revision."""
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
        """Iterate over all moves except the first `count`."""
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
        """Return the log entry of an earlier identical call with the id `name`, or `None`."""
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

    def _need_answering_seat(self, seat: int | None) -> None:
        if seat is None or seat != self.asked:
            raise errors.NotAskedError(seat, self.asked)

    @classmethod
    def _open(cls, start: GameState, moves: Iterable[Move], skip_forced: bool) -> Self:
        played = tuple(moves)
        entry = Opened(0, start, skip_forced, tuple(move.action for move in played))
        return cls(entry, entry, _Standing(entry, None, played, len(played), _last(start, played)))

    def _entry_of(self, moves: Sequence[Move], name: str | None) -> Answered:
        action, *then = (move.action for move in moves)
        seat = find_seat(cast("int", self.asked), self._players)
        return Answered(self.revision + 1, seat, action, tuple(then), name)

    def _after_answer(self, entry: Answered, moves: tuple[Move, ...]) -> Self:
        before, position = self._standing, moves[-1].state
        standing = _Standing(entry, before, moves, before.count + len(moves), position)
        return self._next(entry, standing, None)

    def _after_undo(self, entry: Undone) -> Self:
        standing = self._at(entry.to)._standing
        if standing is self._standing or _shared(standing, self._standing) is not standing:
            raise errors.NothingToUndoError(to=entry.to)
        return self._next(entry, standing, self)

    def _after_redo(self, entry: Redone) -> Self:
        if self._undone is None:
            raise errors.NothingToRedoError
        return self._next(entry, self._undone._standing, self._undone._undone)

    def _next(self, entry: LogEntry, standing: _Standing, undone: "Game | None") -> Self:
        ids = _with_id(self._ids, entry)
        return type(self)(entry, self._opened, standing, self, undone, ids)

    @classmethod
    def _read(cls, game: Self | None, number: int, document: LogEntry | str) -> Self:
        """Return the game after the log entry `number`, which may be a JSON document."""
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
            moves = _recorded_moves(entry, entry.start, entry.skip_forced)
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
                self._need_answering_seat(seat)
                first = Move.of(self.position, entry.action)
                then = _recorded_moves(entry, first.state, self._opened.skip_forced)
                return self._after_answer(entry, (first, *then))
            case Undone():
                return self._after_undo(entry)
            case Redone():
                return self._after_redo(entry)


def _forced(skip_forced: bool) -> Answerer:
    """Return an answerer that, if `skip_forced`, gives answers that all players can infer."""
    return public_answer if skip_forced else lambda state: None


def _answering_seat(state: GameState) -> int | None:
    return None if state.prompt is None else state.prompt.seat


def _last(start: GameState, moves: Sequence[Move]) -> GameState:
    return moves[-1].state if moves else start


def _recorded_moves(entry: Opened | Answered, state: GameState, skip_forced: bool) -> list[Move]:
    """Return the chance outcomes and forced answers that an entry records, as moves.

    A forced answer in the log must be legal, but under the installed version of the rules there
    may be other legal answers.  Raises `LogError` if an entry of a game without `skip_forced`
    contains a forced answer.
    """
    moves: list[Move] = []
    for action in entry.then:
        if not (skip_forced or isinstance(state.prompt, ChancePrompt)):
            text = plain(format_action(action))
            raise errors.LogError.of(entry.revision, Damage.NO_CHANCE, word=text)
        moves.append(Move.of(state, action))
        state = moves[-1].state
    return moves
