"""A position as one picture, or as its parts.

A picture of a view shows only what the view contains.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from valletta_rules.actions import Action
from valletta_rules.state import GameState
from valletta_rules.svg.board import MARGIN, WIDTH, ground
from valletta_rules.svg.drawing import Drawing, drawing
from valletta_rules.svg.palette import SEAT_COLOURS
from valletta_rules.svg.picture_parts import Part, all_parts, bottom_of, table_parts
from valletta_rules.svg.scene import Scene, scene_of
from valletta_rules.views.view import PlayerView
from valletta_rules.words import ENGLISH, Language


def draw(
    position: GameState | PlayerView,
    *,
    names: Sequence[str] | None = None,
    colours: Sequence[str] = SEAT_COLOURS,
    language: Language = ENGLISH,
    highlight: Collection[Action] = (),
) -> Drawing:
    """Draw a position: the street, the display, the players' possessions, and the question.

    A whole position is drawn with all cards, a view with those that its viewer may see, and with
    the numbers of cards in the other hands and draw piles.  Equal views give equal drawings.

    `colours` are names from `SEAT_PAINTS`, seat by seat; players without `names` are called by
    their colours.  The sites and cards of the actions to `highlight` are ringed, sites with their
    price for the player who must answer.  Raises `ValueError` for too few names, and for too few,
    unknown or equal colours.
    """
    scene = scene_of(position, names=names, colours=colours, language=language, highlight=highlight)
    described = [scene.question(), *map(scene.describe_seat, range(len(scene.players)))]
    return _composed(scene, "captions.game", described, tuple(all_parts(scene)))


def draw_parts(
    position: GameState | PlayerView,
    *,
    names: Sequence[str] | None = None,
    colours: Sequence[str] = SEAT_COLOURS,
    language: Language = ENGLISH,
    highlight: Collection[Action] = (),
    keys: Collection[str] | None = None,
) -> dict[str, Part]:
    """Draw a position in parts: those of the drawing that `draw` returns, by their keys.

    Parts of two positions are equal if they show the same, so a display of a game has to replace
    only the parts that differ.  If `keys` are given, only those parts are drawn.
    """
    scene = scene_of(position, names=names, colours=colours, language=language, highlight=highlight)
    return {part.key: part for part in all_parts(scene, keys)}


def draw_table(
    position: GameState | PlayerView,
    *,
    sites: Collection[int] | None = None,
    language: Language = ENGLISH,
) -> Drawing:
    """Draw the table: the street, and the display around it with all houses.

    If `sites` are given, only their buildings are drawn; the other sites show their numbers.
    """
    scene = scene_of(position, names=None, colours=SEAT_COLOURS, language=language, highlight=())
    described = [scene.whereabouts(), *map(scene.describe_seat, range(len(scene.players)))]
    parts = tuple(table_parts(scene, MARGIN, sites))
    return _composed(scene, "captions.table", described, parts)


def _composed(scene: Scene, title: str, described: Sequence[str], parts: Sequence[Part]) -> Drawing:
    """Compose a drawing from its parts."""
    height = bottom_of(parts)
    return drawing(
        WIDTH,
        height,
        scene.say(title, scene.status()),
        " ".join(described),
        ground(height),
        *(part.svg for part in parts),
        lang=scene.language.code,
    )
