"""What a seat or a spectator sees of a position, and the figures that follow from it."""

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
