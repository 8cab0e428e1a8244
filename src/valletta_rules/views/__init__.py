"""Views of a position for a seat or a spectator, and information derived from them."""

from valletta_rules.errors import NotAskedError as NotAskedError
from valletta_rules.errors import SeatError as SeatError
from valletta_rules.views.view import PlayerView as PlayerView
from valletta_rules.views.view import SeenPlayer as SeenPlayer
from valletta_rules.views.view import Table as Table
from valletta_rules.views.view import check_by as check_by
from valletta_rules.views.view import determinize as determinize
from valletta_rules.views.view import view as view
