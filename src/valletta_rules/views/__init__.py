"""What is seen of a position: by a seat, by everybody, and what can be read off the table."""

from valletta_rules.errors import OutOfTurnError, SeatError
from valletta_rules.views.view import (
    PlayerView,
    SeenPlayer,
    Table,
    check_by,
    determinize,
    view,
)

__all__ = [
    "OutOfTurnError",
    "PlayerView",
    "SeatError",
    "SeenPlayer",
    "Table",
    "check_by",
    "determinize",
    "view",
]
