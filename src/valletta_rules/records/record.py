"""Records: whole games as values that can be replayed exactly.

A record contains the card set, the rule set, the number of players and all actions. The actions
include those of chance, so replaying needs no seed. `valletta_rules.records.files` reads and writes
records in files.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any, Final, SupportsIndex
from unicodedata import normalize

import attrs
from attrs.validators import ge, instance_of

from valletta_rules.actions import ACTION_TYPES, Action
from valletta_rules.card_sets.files import RECONSTRUCTION
from valletta_rules.components import CardSet, Count, PlayerCount, Value, need, whole
from valletta_rules.components.names import UNFIT_NAME, abbreviated, is_line, is_name
from valletta_rules.engine import Transition, transition
from valletta_rules.errors import VallettaError
from valletta_rules.games import new_game
from valletta_rules.records.damage import Damage
from valletta_rules.rulebook.setup import check_table
from valletta_rules.rulings import HANS_IM_GLUECK, RuleSet
from valletta_rules.state import GameState
from valletta_rules.text.notation import format_action
from valletta_rules.text.values import SEATS, UnfitError, plain, quoted

NOTE_LIMIT: Final = 1_000
"""The maximum number of characters of a note."""


@attrs.define(slots=False)
class RecordError(VallettaError, ValueError):
    """A record cannot be replayed, or a file is not a valid record."""

    reason: str
    """A description of the problem with the record."""
    line: int | None = None
    """The number of the faulty line, from 1, if the record is in a file."""
    move: int | None = None
    """The number of the faulty move, from 1, if the problem concerns a move."""

    def __str__(self) -> str:
        """Return the line, the move and the problem."""
        places = (("line", self.line), ("move", self.move))
        where = ", ".join(f"{word} {number}" for word, number in places if number is not None)
        return f"{where}: {self.reason}" if where else self.reason


def _count(players: SupportsIndex) -> int:
    return whole(players, "players")


def _moves(after: SupportsIndex) -> int:
    return whole(after, "the number of moves")


def _check_players(record: Record, field: attrs.Attribute[Any], players: int) -> None:
    check_table(players, HANS_IM_GLUECK)


def _check_names(record: Record, field: attrs.Attribute[Any], names: tuple[str, ...]) -> None:
    if names and len(names) != record.players:
        raise UnfitError.of(Damage.NAME_COUNT, players=record.players, found=len(names))
    if any(not is_name(name) for name in names):
        raise ValueError(f"a name {UNFIT_NAME}: {abbreviated(names)}")
    if len({normalize("NFC", name) for name in names}) != len(names):
        raise UnfitError.of(Damage.SAME_NAME, names=abbreviated(names))


def _actions(actions: Iterable[Action]) -> tuple[Action, ...]:
    return tuple(actions)


def _names(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(names)


def _notes(notes: Iterable[Note]) -> tuple[Note, ...]:
    return tuple(notes)


def _check_actions(
    record: Record, field: attrs.Attribute[Any], actions: tuple[Action, ...]
) -> None:
    for number, action in enumerate(actions, 1):
        if type(action) not in ACTION_TYPES:
            raise TypeError(f"move {number} is not an action: {abbreviated(action)}")


def _check_notes(record: Record, field: attrs.Attribute[Any], notes: tuple[Note, ...]) -> None:
    afters = [note.after for note in notes]
    if afters != sorted(afters) or any(after > len(record.actions) for after in afters):
        raise ValueError(
            f"notes must follow moves 0 to {len(record.actions)} in ascending order, "
            f"not {abbreviated(afters)}"
        )


@attrs.frozen
class Note(Value):
    """A comment on a game, on one line."""

    after: Count = attrs.field(converter=_moves, validator=ge(0))
    """The number of moves that precede the note."""
    text: str = attrs.field(validator=instance_of(str))
    """The text of the note, which is one line and not empty."""

    def __attrs_post_init__(self) -> None:
        """Raise `ValueError` for a text that is not one line of the allowed length."""
        if not is_line(self.text, NOTE_LIMIT):
            limit = f"1 to {NOTE_LIMIT:,} printable characters"
            raise ValueError(f"a note must be one line of {limit}, not {quoted(self.text)}")


@attrs.frozen(cache_hash=True)
class Record(Value):
    """A game, or the beginning of a game, with all data needed to replay it.

    The actions are not checked before the record is replayed. Raises `ValueError` or `TypeError`
    for names, notes and actions that cannot be written to a file.
    """

    players: PlayerCount = attrs.field(converter=_count, validator=_check_players)
    """The number of players."""
    rules: RuleSet = attrs.field(default=HANS_IM_GLUECK, validator=instance_of(RuleSet))
    """The rule set of the game."""
    cards: CardSet = attrs.field(default=RECONSTRUCTION, validator=instance_of(CardSet))
    """The card set of the game."""
    actions: tuple[Action, ...] = attrs.field(
        default=(), converter=_actions, validator=_check_actions
    )
    """All actions in order, including chance actions."""
    names: tuple[str, ...] = attrs.field(default=(), converter=_names, validator=_check_names)
    """The names of the players, in the order of seats. Empty if the names are unknown."""
    notes: tuple[Note, ...] = attrs.field(default=(), converter=_notes, validator=_check_notes)
    """The notes, in the order of the moves that they follow."""

    @property
    def start(self) -> GameState:
        """The position before the first action.  Raises the errors of `valletta_rules.new_game`."""
        return new_game(self.players, rules=self.rules, cards=self.cards)

    @property
    def called(self) -> tuple[str, ...]:
        """The names of the players or, if the names are unknown, the players' colours."""
        return self.names or SEATS[: self.players]

    def notes_by_move(self) -> Mapping[int, tuple[str, ...]]:
        """Return the texts of the notes, keyed by the number of moves before them."""
        return {
            after: tuple(note.text for note in notes)
            for after, notes in groupby(self.notes, key=lambda note: note.after)
        }

    def __str__(self) -> str:
        """Return the players, the rule set and the number of moves."""
        return f"{', '.join(self.called)}: {self.rules}, {len(self.actions)} moves"


def replay(record: Record) -> Iterator[Transition]:
    """Iterate over the transitions of a game, starting from `Record.start`.

    Raises `RecordError` at an illegal action. The error has the number of the move, and its
    `__cause__` is the original error. Raises `TypeError` for any value that is not a record.
    """
    need(record, Record, "a record")
    state = record.start
    for number, action in enumerate(record.actions, 1):
        try:
            step = transition(state, action)
        except VallettaError as error:
            raise RecordError(
                f"{plain(format_action(action), 200)}: {error}", move=number
            ) from error
        yield step
        state = step.state


def position_after(record: Record, moves: SupportsIndex | None = None) -> GameState:
    """Return the position after the given number of moves in a record, or after all moves.

    Raises `RecordError` for an illegal move, `ValueError` if the record has fewer moves, and
    `TypeError` for arguments other than a record and an integer.
    """
    need(record, Record, "a record")
    wanted = len(record.actions) if moves is None else whole(moves, "moves")
    if not 0 <= wanted <= len(record.actions):
        raise ValueError(f"the record has {len(record.actions)} moves, not {wanted}")
    state = record.start
    for _, step in zip(range(wanted), replay(record), strict=False):
        state = step.state
    return state
