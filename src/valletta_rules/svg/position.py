"""A whole position as one picture, or as the parts that it is composed of.

For a view it shows only what the view contains.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from valletta_rules.actions import Action
from valletta_rules.state import GameState
from valletta_rules.svg.board import MARGIN, WIDTH, ground
from valletta_rules.svg.drawing import Drawing, drawing
from valletta_rules.svg.palette import SEAT_COLOURS
from valletta_rules.svg.parts import Part, all_parts, bottom_of, table_parts
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
    """Draw a position: the street, the display, what every player has, and who must decide what.

    Of a whole position all cards are shown, of a view only those that its viewer may see; how many
    cards are in the other hands and draw piles everybody may know.  Equal views give equal
    drawings.

    `colours` are names out of `SEAT_PAINTS`, seat by seat; players without `names` are called by
    their colours.  The sites and cards that the actions to `highlight` speak of are ringed, sites
    with their price for the player who is asked.  Raises `ValueError` for too few names, and for
    colours of which there are too few, which there are not, or which are not different.
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
    """Draw a position part by part: what `draw` draws with the same arguments, by its keys.

    A part is equal to that of another position where all that it shows is equal, so that whoever
    shows a game exchanges the parts that differ.  Give `keys`, and only those parts are drawn.
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

    Of `sites` that are named, the buildings alone are drawn; of the others only the numbers.
    """
    scene = scene_of(position, names=None, colours=SEAT_COLOURS, language=language, highlight=())
    described = [scene.whereabouts(), *map(scene.describe_seat, range(len(scene.players)))]
    parts = tuple(table_parts(scene, MARGIN, sites))
    return _composed(scene, "captions.table", described, parts)


def _composed(scene: Scene, title: str, described: Sequence[str], parts: Sequence[Part]) -> Drawing:
    """Compose a drawing out of its parts."""
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
