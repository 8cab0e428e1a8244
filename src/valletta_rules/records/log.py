"""The entries in the log of a game in progress.

A log is append-only. It begins with an `Opened`, and each later entry is one call that was carried
out. Undo and redo are entries, too, so revisions only increase and written entries never change.
Entries include all chance outcomes, so a log replays without a seed. A log contains hidden
information. It is for the program that runs the game, never for a player.
"""

from typing import Annotated, Final

import attrs

from valletta_rules.actions import Action
from valletta_rules.components import Count, Pattern, Seat, Value
from valletta_rules.state import GameState

ID_FORM: Final = "[!-~]{1,100}"
"""A regular expression for valid ids of calls."""

CallId = Annotated[str, Pattern(ID_FORM)]
"""An id that a client chooses for a call: 1 to 100 printable ASCII characters without spaces."""


@attrs.frozen
class Opened(Value):
    """The game was opened. This is always the first entry of a log."""

    revision: Count
    """The revision after this entry, which is always 0."""
    start: GameState
    """The position before the first action of the game."""
    skip_forced: bool
    """Whether the program answers a prompt automatically if all players can infer the only answer.
    """
    then: tuple[Action, ...]
    """The chance outcomes and forced answers before the first choice of a player."""


@attrs.frozen
class Answered(Value):
    """A seat answered the prompt."""

    revision: Count
    """The revision after this entry."""
    seat: Seat
    """The seat that answered the prompt."""
    action: Action
    """The action with which the seat answered."""
    then: tuple[Action, ...]
    """The chance outcomes and forced answers before the next choice of a player."""
    id: CallId | None
    """The id that the client chose for the call, or `None` if it chose none."""


@attrs.frozen
class Undone(Value):
    """A seat undid answers."""

    revision: Count
    """The revision after this entry."""
    seat: Seat
    """The seat that undid the answers."""
    to: Count
    """The earlier revision to which the game returned."""
    id: CallId | None
    """The id that the client chose for the call, or `None` if it chose none."""


@attrs.frozen
class Redone(Value):
    """A seat restored the answers of the last undo."""

    revision: Count
    """The revision after this entry."""
    seat: Seat
    """The seat that restored the answers."""
    id: CallId | None
    """The id that the client chose for the call, or `None` if it chose none."""


LogEntry = Opened | Answered | Undone | Redone
"""Any entry of a log. The union is complete: no other type is an entry."""
