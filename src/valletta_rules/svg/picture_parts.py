"""Parts of drawings of positions.  Each part can be drawn and replaced separately.

Parts of two drawings are equal if their places and their content are equal.  The place of a part
depends only on the number of players and on the viewer.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from functools import partial
from typing import Final

import attrs

from valletta_rules.actions import Hire
from valletta_rules.agenda import BarrelPrompt
from valletta_rules.components import GOODS, SITES, Value
from valletta_rules.rulebook.houses_and_icons import owner_of
from valletta_rules.rulebook.valette import barrel_spaces
from valletta_rules.svg import board
from valletta_rules.svg.cards import FACE_HEIGHT, FACE_WIDTH
from valletta_rules.svg.drawing import (
    Drawing,
    box,
    drawing,
    group,
    place,
    text_line,
)
from valletta_rules.svg.hands import HAND_HEIGHT, ROW_HEIGHT, SIZE, hand, labels
from valletta_rules.svg.palette import ACCENT, FADED, PAPER, SHADE
from valletta_rules.svg.panels import PANEL, PANEL_HEIGHT, panel
from valletta_rules.svg.scene import Scene
from valletta_rules.svg.symbols import ring, symbol

BROAD: Final = board.WIDTH - 2 * board.MARGIN
"""The width of a part that extends from the left to the right margin."""

HEADER_HEIGHT: Final = 62
"""The height of the lines of text above the display."""

TRAY: Final = 62
"""The height of the area below the display, with barrels, played cards and supply."""


@attrs.frozen
class Part(Value):
    """A part of a drawing with its place and its content.

    The attribute ``data-part`` of the part's SVG element contains the key.
    """

    key: str
    """The name of the part within its drawing, such as ``site-7``."""
    x: float
    """The x coordinate of the left edge in the whole drawing."""
    y: float
    """The y coordinate of the upper edge in the whole drawing."""
    width: float
    """The width of the part."""
    height: float
    """The height of the part."""
    title: str
    """A title of a few words, which describes the content of the part."""
    lang: str
    """The code of the language in which the texts of the part are written."""
    markup: str = attrs.field(repr=False)
    """The SVG element of the part.  Its origin is the upper left corner of the part."""

    @property
    def svg(self) -> str:
        """The SVG element, moved to its place in the whole drawing."""
        return place(self.markup, self.x, self.y)

    def alone(self) -> Drawing:
        """Return a drawing with only this part and a narrow margin."""
        width, height = round(self.width) + 8, round(self.height) + 8
        markup = place(self.markup, 4, 4)
        return drawing(width, height, self.title, self.title, markup, lang=self.lang)


def all_parts(scene: Scene, keys: Collection[str] | None = None) -> Iterator[Part]:
    """Yield the parts of a drawing from top to bottom; if `keys` is given, only these parts."""
    for key, make in _in_order(scene):
        if keys is None or key in keys:
            yield make()


def _in_order(scene: Scene) -> Iterator[tuple[str, Callable[[], Part]]]:
    """Yield the keys of all parts, each with the function that draws the part."""
    below = HEADER_HEIGHT + board.display_height(SITES[len(scene.players)])
    yield "question", partial(_question, scene)
    yield from _on_the_table(scene, HEADER_HEIGHT)
    yield "barrels", partial(_barrels, scene, below)
    yield "played", partial(_played, scene, board.MARGIN + 290, below)
    yield "supply", partial(_supply, scene, below + 30)
    below += TRAY
    seat = scene.view.seat
    if seat is not None:
        yield f"hand-{seat}", partial(_hand, scene, seat, board.MARGIN, below)
        below += HAND_HEIGHT + 4
    block = PANEL_HEIGHT + 10 + ROW_HEIGHT * scene.is_whole
    for each in range(len(scene.players)):
        column = 0.5 if each == 2 == len(scene.players) - 1 else each % 2  # centre a third player
        x, y = board.MARGIN + column * (PANEL + 10), below + each // 2 * block
        yield f"player-{each}", partial(_player, scene, each, x, y)
        if scene.is_whole:
            yield f"hand-{each}", partial(_hand_in_short, scene, each, x, y + PANEL_HEIGHT)


def bottom_of(parts: Collection[Part]) -> int:
    """Return the height of a drawing that contains the given parts and a margin at the bottom."""
    return round(max(part.y + part.height for part in parts) + board.MARGIN)


def table_parts(scene: Scene, top: float, sites: Collection[int] | None = None) -> Iterator[Part]:
    """Yield the street, the figures of the score track and the sites.

    If `sites` is given, only the buildings on these sites are drawn, and all other sites show their
    numbers.
    """
    return (make() for _, make in _on_the_table(scene, top, sites))


def _on_the_table(
    scene: Scene, top: float, sites: Collection[int] | None = None
) -> Iterator[tuple[str, Callable[[], Part]]]:
    """Yield the keys of the parts of the table, each with the function that draws the part."""
    count = SITES[len(scene.players)]
    lane = top + board.street_top(count)
    yield "street", partial(_street, scene, lane)
    yield "score-track", partial(_score_track, scene, lane)
    for site in range(count):
        x, y = board.corner_of(site, count)
        is_drawn = site < len(scene.table.display) and (sites is None or site in sites)
        yield f"site-{site}", partial(_site if is_drawn else _empty_site, scene, site, x, top + y)


def _part(
    scene: Scene,
    key: str,
    where: tuple[float, float, float, float],
    title: str,
    *markup: str,
    kind: str,
    tip: str = "",
    **facts: object,
) -> Part:
    """Return a part with the key `key` and the content `markup`.

    `where` contains the place and the size of the part, `title` describes the content, and `tip` is
    the tooltip.  `kind` and `facts` are passed to `group`.
    """
    drawn = group(*markup, kind=kind, title=tip, part=key, **facts)
    return Part(key, *where, title, scene.language.code, drawn)


# Public parts


def _question(scene: Scene) -> Part:
    """Return the part with the lines above the display: the game and the prompt."""
    prompt, question = scene.view.prompt, scene.question()
    clause = "" if prompt is None else f"[{prompt.clause}]"
    return _part(
        scene,
        "question",
        (board.MARGIN, 0, BROAD, HEADER_HEIGHT),
        question,
        text_line(scene.status(), 0, 21, 12, fill=FADED, room=BROAD),
        box(0, 30, BROAD, 25, rx=5, fill=PAPER, stroke=ACCENT, stroke_width=1.5),
        text_line(question, 10, 47, 13.5, bold=True, room=BROAD - 90),
        text_line(clause, BROAD - 10, 47, 12, fill=FADED, anchor="end"),
        kind="question",
        seat=None if prompt is None else prompt.seat,
    )


def _street(scene: Scene, y: float) -> Part:
    """Return the part with the street, its barrels and Valette."""
    table = scene.table
    laid = barrel_spaces(table.rules, len(table.players))
    is_closed = any(isinstance(step, BarrelPrompt) for step in scene.view.agenda)
    first = table.valette + (not is_closed)
    closed, opened = (
        tuple(space for space in laid if (space >= first) is is_ahead) for is_ahead in (True, False)
    )
    lane, where = (
        board.street(closed, opened, table.valette),
        (0, y, board.WIDTH, board.STREET_HEIGHT),
    )
    return _part(scene, "street", where, scene.whereabouts(), lane, kind="street")


def _score_track(scene: Scene, y: float) -> Part:
    """Return the part with the score figures.  The score track is drawn with the street."""
    scores = [player.score for player in scene.players]
    where, track = (0, y, board.WIDTH, board.STREET_HEIGHT), scene.phrase("headings.track")
    title = "; ".join(
        f"{name}: {track} {score}" for name, score in zip(scene.names, scores, strict=False)
    )
    drawn = board.figures(scores, scene.paints)
    return _part(scene, "score-track", where, title, drawn, kind="score-track")


def _empty_site(scene: Scene, site: int, x: float, y: float) -> Part:
    """Return the part for a site that has no building or whose building is not shown."""
    return _part(
        scene,
        f"site-{site}",
        (x, y, FACE_WIDTH, FACE_HEIGHT),
        scene.phrase("captions.site", site),
        box(0, 0, FACE_WIDTH, FACE_HEIGHT, rx=6, fill="none", stroke=SHADE, stroke_dasharray="4 3"),
        text_line(site, FACE_WIDTH / 2, 58, 14, fill=FADED, anchor="middle"),
        kind="site",
        site=site,
    )


def _site(scene: Scene, site: int, x: float, y: float) -> Part:
    """Return the part for a site with its building."""
    table, language, phrase = scene.table, scene.language, scene.phrase
    building, owner = table.display[site], owner_of(table, site)
    upgraded = owner is not None and site in table.players[owner].upgraded
    is_picked, is_chosen = scene.is_site_picked(site), scene.is_site_chosen(site)
    dashes = "9 5" if is_chosen else None
    mark = ring(-2, -2, FACE_WIDTH + 4, FACE_HEIGHT + 4, stroke_dasharray=dashes)
    facts = [
        f"{phrase('captions.site', site)}: {language.label(building)}",
        phrase("captions.free") if owner is None else scene.names[owner],
        *([phrase("captions.upgraded")] if upgraded else ()),
    ]
    kinds = {"site": True, "legal": is_picked, "chosen": is_chosen, "upgraded": upgraded}
    return _part(
        scene,
        f"site-{site}",
        (x, y, FACE_WIDTH, FACE_HEIGHT),
        ", ".join(facts),
        board.building_tile(
            building,
            site,
            None if owner is None else (owner, scene.paints[owner]),
            upgraded=upgraded,
            price=scene.price(site),
            language=language,
        ),
        mark if is_picked or is_chosen else "",
        kind=" ".join(kind for kind, holds in kinds.items() if holds),
        tip=", ".join(facts),
        site=site,
        building=building.code,
        seat=owner,
    )


def _played(scene: Scene, x: float, y: float) -> Part:
    """Return the part with the cards played in this turn."""
    phrase, played = scene.phrase, [(card, 1) for card in scene.table.played]
    where = (x, y, board.WIDTH - board.MARGIN - x, ROW_HEIGHT)
    row = labels(scene, f"{phrase('captions.played')}:", played, where[2])
    return _part(scene, "played", where, phrase("captions.played"), row, kind="played")


def _supply(scene: Scene, y: float) -> Part:
    supply, heading = scene.table.supply, scene.phrase("headings.supply")
    picked = [card for card in supply if Hire(card) in scene.picked]
    row = labels(scene, f"{heading}:", supply.items(), BROAD, picked)
    return _part(scene, "supply", (board.MARGIN, y, BROAD, ROW_HEIGHT), heading, row, kind="supply")


def _barrels(scene: Scene, y: float) -> Part:
    """Return the part with the goods in the closed barrels."""
    parts = [
        place(symbol("barrel"), 10, 14, 0.9),
        text_line(f"{scene.phrase('captions.barrels')}:", 24, 18, SIZE),
    ]
    for number, good in enumerate(GOODS):
        x = 128 + 40 * number
        parts.append(text_line(scene.table.barrels[good], x, 18, 12.5, bold=True, anchor="end"))
        parts.append(place(symbol(good), x + 12, 14, 0.8))
    where = (board.MARGIN, y, 280, ROW_HEIGHT)
    return _part(scene, "barrels", where, scene.phrase("captions.barrels"), *parts, kind="barrels")


# The players


def _hand(scene: Scene, seat: int, x: float, y: float) -> Part:
    """Return the part with the hand of the viewer."""
    cards, where = scene.hand(seat), (x, y, BROAD, HAND_HEIGHT)
    title = f"{scene.names[seat]}: {scene.language.describe_cards(cards)}"
    drawn = hand(scene, seat, cards, BROAD)
    return _part(scene, f"hand-{seat}", where, title, drawn, kind="hand", seat=seat)


def _hand_in_short(scene: Scene, seat: int, x: float, y: float) -> Part:
    """Return the part with a hand as a row of labels, for a drawing that shows all hands."""
    cards, where = scene.hand(seat), (x, y, PANEL, ROW_HEIGHT)
    heading = scene.phrase("headings.hand")
    picked = [card for card in cards if scene.is_card_picked(seat, card)]
    drawn = labels(scene, f"{heading}:", cards.items(), PANEL, picked)
    return _part(scene, f"hand-{seat}", where, heading, drawn, kind="hand", seat=seat)


def _player(scene: Scene, seat: int, x: float, y: float) -> Part:
    kind = "player asked" if scene.is_asked(seat) else "player"
    where, description = (x, y, PANEL, PANEL_HEIGHT), scene.describe_seat(seat)
    drawn = panel(scene, seat)
    return _part(scene, f"player-{seat}", where, description, drawn, kind=kind, seat=seat)
