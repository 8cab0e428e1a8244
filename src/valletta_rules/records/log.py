"""Entries of the log of a game in progress, which is append-only.

A log begins with an `Opened`; each later entry is one call that was carried out.
Undo and redo are entries, so that revisions only grow, and an entry, once written, never changes.
Every answer of chance is in the entry, so a log replays without a seed.
It contains hidden information: it is for the program that keeps the game, never for a player.
"""

from typing import Annotated, Final

import attrs

from valletta_rules.actions import Action
from valletta_rules.components import Count, Pattern, Seat, Value
from valletta_rules.state import GameState

ID_FORM: Final = "[!-~]{1,100}"
"""The form of the id of a call, as a regular expression."""

CallId = Annotated[str, Pattern(ID_FORM)]
"""An id that a client chose for a call: 1 to 100 printable ASCII characters without a space."""


@attrs.frozen
class Opened(Value):
    """The game was opened: the first entry of a log."""

    revision: Count
    """The resulting revision: 0."""
    start: GameState
    """The position before the first action."""
    skip_forced: bool
    """Whether answers that all players know to be forced are given automatically."""
    then: tuple[Action, ...]
    """The answers of chance and the forced answers before the first choice of a player."""


@attrs.frozen
class Answered(Value):
    """A seat answered the prompt."""

    revision: Count
    """The resulting revision."""
    seat: Seat
    """The seat that answered."""
    action: Action
    """Its answer."""
    then: tuple[Action, ...]
    """The answers of chance and the forced answers before the next choice of a player."""
    id: CallId | None
    """The id of the call, if it had one."""


@attrs.frozen
class Undone(Value):
    """A seat took back answers."""

    revision: Count
    """The resulting revision."""
    seat: Seat
    """The seat that took them back."""
    to: Count
    """The earlier revision to which the game returned."""
    id: CallId | None
    """The id of the call, if it had one."""


@attrs.frozen
class Redone(Value):
    """A seat restored the answers of the last undo."""

    revision: Count
    """The resulting revision."""
    seat: Seat
    """The seat that restored them."""
    id: CallId | None
    """The id of the call, if it had one."""


LogEntry = Opened | Answered | Undone | Redone
"""An entry of the log of a game in progress."""
