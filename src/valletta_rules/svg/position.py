"""Functions that draw a position or a view, as one picture or as parts."""

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
    """Draw a position: the street, the display, the players' possessions, and the prompt.

    A drawing of a position shows all hands.  A drawing of a view shows only the cards that the
    viewer may see, and the numbers of cards in other hands and in draw piles.  Equal views result
    in equal drawings.

    `names` lists the names of the players, which are their colours by default.  `colours` lists the
    colours of the seats, as keys of `SEAT_PAINTS`.  The cards and sites of the actions in
    `highlight` are drawn with a ring.  These sites also show the price for the player who must
    answer.  Raises `ValueError` for too few names, and for too few, unknown or equal colours.
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
    """Draw a position, and return the parts of the drawing, keyed by their names.

    The arguments are the same as those of `draw`.  If `keys` is also given, only the parts with
    these keys are drawn.  A program that shows a game only needs to replace the parts that are not
    equal to those of the previous position.
    """
    scene = scene_of(position, names=names, colours=colours, language=language, highlight=highlight)
    return {part.key: part for part in all_parts(scene, keys)}


def draw_table(
    position: GameState | PlayerView,
    *,
    sites: Collection[int] | None = None,
    language: Language = ENGLISH,
) -> Drawing:
    """Draw the street, and the display around the street with all houses.

    If `sites` is given, only the buildings on these sites are drawn, and all other sites show their
    numbers.
    """
    scene = scene_of(position, names=None, colours=SEAT_COLOURS, language=language, highlight=())
    described = [scene.whereabouts(), *map(scene.describe_seat, range(len(scene.players)))]
    parts = tuple(table_parts(scene, MARGIN, sites))
    return _composed(scene, "captions.table", described, parts)


def _composed(scene: Scene, title: str, described: Sequence[str], parts: Sequence[Part]) -> Drawing:
    """Return a drawing composed of the given parts."""
    height = bottom_of(parts)
    return drawing(
        WIDTH,
        height,
        scene.phrase(title, scene.status()),
        " ".join(described),
        ground(height),
        *(part.svg for part in parts),
        lang=scene.language.code,
    )
