"""Drawings of the board: the street, the display of buildings around it, and the score track."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final

from valletta_rules.components import AREA_LENGTH, LAST_SPACE, SPACES, TOWER, Building, Goods
from valletta_rules.components.display import (
    QUOTAS,
    ROW_LENGTH,
    SITES,
    are_adjacent,
    column_of,
    is_above,
    row_of,
)
from valletta_rules.errors import PlayerCountError
from valletta_rules.rulebook.scoring import track_position
from valletta_rules.rulebook.valette import barrel_spaces
from valletta_rules.rulings import HANS_IM_GLUECK, RuleSet
from valletta_rules.svg.cards import FACE_HEIGHT, FACE_WIDTH, WHERE_IT_LIES, building_face
from valletta_rules.svg.drawing import Drawing, box, drawing, group, line, place, text_line
from valletta_rules.svg.palette import (
    ACCENT,
    BORDER,
    FADED,
    PAINTS,
    PAPER,
    SEAT_COLOURS,
    SHADE,
    STONE,
    TABLE,
    WHITE,
    Paint,
    paints_of,
)
from valletta_rules.svg.portraits import portrait
from valletta_rules.svg.symbols import figure, house, ring, symbol, valette
from valletta_rules.words import ENGLISH, Language

GAP: Final = 10
"""The distance between neighbouring buildings."""

COLUMN: Final = FACE_WIDTH + GAP
"""The width of a column of the display, which is also the width of an area of the street."""

PAVING: Final = COLUMN / AREA_LENGTH
"""The width of a space on the street."""

LEFT: Final = 74
"""The x coordinate of the left edge of the first column.  The tower is to the left of this edge."""

MARGIN: Final = 14
"""The width of the empty margin along the edges of the table."""

WIDTH: Final = LEFT + ROW_LENGTH * COLUMN + MARGIN
"""The width of the table."""

STREET_HEIGHT: Final = 116
"""The height of the street, including the figures on its two lanes."""

ROW: Final = FACE_HEIGHT + GAP
"""The height of a row of the display."""

AREAS: Final = tuple(LEFT - GAP / 2 + COLUMN * area for area in range(ROW_LENGTH))
"""The x coordinates of the left edges of the street's areas."""


# The street


def draw_street(
    players: int = 4, rules: RuleSet = HANS_IM_GLUECK, *, language: Language = ENGLISH
) -> Drawing:
    """Draw the street at the start of a game: the tower, 25 spaces in five areas, and the barrels.

    Raises `PlayerCountError` for any number of players other than 2, 3 or 4.
    """
    _count_players(players)
    spaces, phrase = barrel_spaces(rules, players), language.phrase
    where = phrase("captions.some_spaces", language.joined([*map(str, spaces)]))
    if len(spaces) == LAST_SPACE:
        where = phrase("captions.every_space")
    height = STREET_HEIGHT + 40
    return drawing(
        WIDTH,
        height,
        phrase("captions.street", players, rules),
        phrase("captions.street_told", LAST_SPACE, ROW_LENGTH, AREA_LENGTH, len(spaces), where),
        ground(height),
        place(_area_names(language), 0, 18),
        place(street(spaces, (), TOWER) + figures((0,) * players), 0, 28),
        lang=language.code,
    )


@lru_cache(maxsize=128)
def street(closed: tuple[int, ...], opened: tuple[int, ...], figure_at: int) -> str:
    """Return the street with its barrels and Valette, and an empty lane for the score figures.

    `closed` lists the spaces with a closed barrel, and `opened` the spaces whose barrel has been
    opened and removed.  `figure_at` is Valette's space.
    """
    walls = box(LEFT - GAP / 2, 4, COLUMN * ROW_LENGTH, STREET_HEIGHT - 8, fill=STONE, stroke=SHADE)
    parts = [walls, place(symbol("tower"), 36, 62), *map(_space, SPACES), _borders()]
    for space in (*closed, *opened):
        spot = _middle_of(space) - (4 if space == figure_at else 0)
        lies = group(
            symbol("barrel" if space in closed else "gone"),
            kind="barrel" if space in closed else "barrel gone",
            space=space,
        )
        parts.append(place(lies, spot, 26))
    spot = 36 if figure_at == TOWER else _middle_of(figure_at) + (5 if figure_at in closed else 0)
    stands = group(valette(), kind="valette", space=figure_at)
    return "".join([*parts, place(stands, spot, 26 if figure_at != TOWER else 32, 1.1)])


def _count_players(players: int) -> None:
    if type(players) is not int or players not in QUOTAS:
        raise PlayerCountError(f"Valletta is for 2, 3 or 4 players, not {players!r}")


def ground(height: float, width: float = WIDTH) -> str:
    """Return the background of the table."""
    return box(0.5, 0.5, width - 1, height - 1, rx=12, fill=TABLE, stroke=SHADE)


def _left_of(space: int) -> float:
    """Return the x coordinate of a space's left edge."""
    return LEFT - GAP / 2 + (space - 1) * PAVING


def _middle_of(space: int) -> float:
    """Return the x coordinate of a space's middle."""
    return _left_of(space) + PAVING / 2


def _space(space: int) -> str:
    """Return a space with its number.  The spaces in every second area are darker."""
    fill = "#e9dab6" if (space - 1) // AREA_LENGTH % 2 else PAPER
    slab = box(_left_of(space) + 1.5, 46, PAVING - 3, 24, rx=3, fill=fill, stroke=SHADE)
    number = text_line(
        space, _middle_of(space), 63, 13, anchor="middle", bold=space % AREA_LENGTH == 0
    )
    return group(slab, number, kind="space", space=space)


def _borders() -> str:
    """Return the lines across the street that separate its areas."""
    dashed = {"stroke": BORDER, "stroke_width": 2, "stroke_dasharray": "6 4"}
    return "".join(line(x, 4, x, STREET_HEIGHT - 4, **dashed) for x in AREAS[1:])


def _area_names(language: Language) -> str:
    """Return the names of the areas, above the street."""
    names = []
    for area, left in enumerate(AREAS):
        before = area * AREA_LENGTH
        name = language.phrase("captions.area", area + 1, before + 1, before + AREA_LENGTH)
        names.append(text_line(name, left + COLUMN / 2, 4, 12, anchor="middle"))
    return "".join(names)


DEFAULT_PAINTS: Final = paints_of(SEAT_COLOURS, len(SEAT_COLOURS))
"""The default paints of the seats."""

CROWD: Final = ((-7.4, 0), (7.4, 0), (-7.4, 15), (7.4, 15))
"""The offsets of the first, second and further figures that share a space."""


def figures(scores: Sequence[int], paints: Sequence[Paint] = DEFAULT_PAINTS) -> str:
    """Return the score figures of all seats, in their lane of the street."""
    parts, spaces = [], [track_position(score)[0] for score in scores]
    for seat, space in enumerate(spaces):
        right, down = (0, 0) if spaces.count(space) == 1 else CROWD[spaces[:seat].count(space)]
        spot = 36 if space == 0 else _middle_of(space)
        stands = group(figure(seat, paints[seat]), kind="figure", seat=seat, space=space)
        parts.append(place(stands, spot + right, 82 + down))
    return "".join(parts)


# The score track


def draw_score_track(
    scores: Sequence[int],
    *,
    colours: Sequence[str] = SEAT_COLOURS,
    language: Language = ENGLISH,
) -> Drawing:
    """Draw the score track with the score figures and tokens of two, three or four seats.

    `scores` lists the points of the seats, and `colours` the names of their colours.  Raises
    `PlayerCountError` for any other number of scores.  Raises `ValueError` for a negative score and
    for too few, unknown or equal colours.
    """
    _count_players(len(scores))
    paints, phrase = paints_of(colours, len(scores)), language.phrase
    places = [track_position(score) for score in scores]
    height = STREET_HEIGHT - 8 + 24 * len(scores)
    sentences = [
        phrase("captions.scored", phrase(f"seat_colours.{colour}"), score, _where(phrase, *place))
        for colour, score, place in zip(colours, scores, places, strict=False)
    ]
    rows = "".join(
        place(figure(seat, paints[seat]), LEFT + 6, 24 * seat)
        + text_line(sentence, LEFT + 22, 24 * seat + 5, 13)
        for seat, sentence in enumerate(sentences)
    )
    return drawing(
        WIDTH,
        height,
        phrase("captions.track"),
        "; ".join(sentences) + ".",
        ground(height),
        place(_track() + figures(scores, paints), 0, -30),
        place(rows, 0, STREET_HEIGHT - 12),
        *(
            place(_token(tokens), WIDTH - 60, STREET_HEIGHT - 12 + 24 * seat)
            for seat, (_, tokens) in enumerate(places)
            if tokens
        ),
        lang=language.code,
    )


def _where(phrase: Callable[..., str], space: int, tokens: int) -> str:
    """Describe the place of a score figure and the value of the seat's tokens."""
    where = (
        phrase("captions.before_the_track") if space == 0 else phrase("captions.on_space", space)
    )
    return phrase("captions.with_tokens", where, tokens) if tokens else where


def _track() -> str:
    """Return the empty lane for score figures, without the rest of the street."""
    walls = box(LEFT - GAP / 2, 40, COLUMN * ROW_LENGTH, 74, fill=STONE, stroke=SHADE)
    start = text_line("0", 36, 63, 13, anchor="middle")
    return walls + start + "".join(map(_space, SPACES))


def _token(worth: int) -> str:
    """Return the token, with the value `worth`, for completed rounds of the score track."""
    coin = box(-22, -10, 44, 20, rx=10, fill=WHITE, stroke=BORDER, stroke_width=1.6)
    return coin + text_line(worth, 0, 4.8, 13, anchor="middle", bold=True)


# The display


def draw_display(
    players: int = 4,
    display: Sequence[Building] = (),
    *,
    site: int | None = None,
    language: Language = ENGLISH,
) -> Drawing:
    """Draw the display around the street: rows, columns, areas, and links between adjacent sites.

    The buildings of `display` are drawn on the first sites.  All other sites are empty and show
    their numbers.  If `site` is given, this site and its neighbours are highlighted.

    Raises `PlayerCountError` for any number of players other than 2, 3 or 4.  Raises `ValueError`
    if `site` does not exist, or for more buildings than sites.
    """
    _count_players(players)
    count = SITES[players]
    if site is not None and site not in range(count):
        raise ValueError(f"site {site} does not exist in the display of {players} players")
    if len(display) > count:
        raise ValueError(f"the display of {players} players has {count} sites, not {len(display)}")
    top, height, phrase = 34.0, display_height(count) + 34 + MARGIN, language.phrase
    buildings = [
        building_tile(building, each, language=language) for each, building in enumerate(display)
    ]
    tiles = display_around(count, street((), (), TOWER), lambda each: _tile(each, buildings, site))
    return drawing(
        WIDTH,
        round(height),
        phrase("captions.display", players),
        _describe_display(count, site, language),
        ground(height),
        _bands(height),
        place(_area_names(language), 0, 24),
        place(links(count, site) + tiles + _row_names(count, language), 0, top),
        lang=language.code,
    )


def _bands(height: float) -> str:
    """Return the bands behind the display that mark the areas, in two alternating colours."""
    dashed = {"stroke": BORDER, "stroke_width": 1.2, "stroke_dasharray": "6 4"}
    grounds = (STONE if area % 2 else PAPER for area in range(ROW_LENGTH))
    return "".join(
        box(left, 8, COLUMN, height - 16, fill=ground, fill_opacity=0.45, **dashed)
        for left, ground in zip(AREAS, grounds, strict=True)
    )


def _describe_display(count: int, site: int | None, language: Language) -> str:
    phrase = language.phrase
    rows: dict[bool, list[str]] = {True: [], False: []}
    for first in range(0, count, ROW_LENGTH):
        rows[is_above(first)].append(phrase("captions.row_told", first, first + ROW_LENGTH - 1))
    above, below = (language.joined(each) for each in (rows[True][::-1], rows[False]))
    text = phrase("captions.display_told", count, ROW_LENGTH, above, below)
    if site is None:
        return text
    near = [str(each) for each in range(count) if are_adjacent(site, each)]
    return f"{text} {phrase('captions.neighbours', site, language.joined(near))}"


def display_height(count: int) -> float:
    """Return the height of a display with `count` sites, including the street."""
    return -(-count // ROW_LENGTH) * ROW + STREET_HEIGHT + GAP


def display_around(count: int, between: str, tile: Callable[[int], str]) -> str:
    """Return the markup of the display: the street, and `count` sites around it.

    `between` is the markup of the street.  `tile` is a function that returns the markup of a site.
    """
    tiles = (place(tile(site), *corner_of(site, count)) for site in range(count))
    return "".join((place(between, 0, street_top(count)), *tiles))


def street_top(count: int) -> float:
    """Return the y coordinate of the street's upper edge in a display with `count` sites."""
    rows = -(-count // ROW_LENGTH)
    return -(-rows // 2) * ROW


def corner_of(site: int, count: int) -> tuple[float, float]:
    """Return the coordinates of the upper left corner of a site."""
    x, out = LEFT + column_of(site) * COLUMN, row_of(site) // 2
    if is_above(site):
        return x, street_top(count) - (out + 1) * ROW
    return x, street_top(count) + STREET_HEIGHT + GAP + out * ROW


def links(count: int, site: int | None = None) -> str:
    """Return the bars that link adjacent sites; if `site` is given, only the links of this site."""
    return "".join(
        _link(one, other, count)
        for one in range(count)
        for other in range(one + 1, count)
        if are_adjacent(one, other) and site in (None, one, other)
    )


def _link(one: int, other: int, count: int) -> str:
    """Return the bar that links the middles of two adjacent sites and is drawn under them."""
    x, y = corner_of(one, count)
    to_x, to_y = corner_of(other, count)
    right, down = FACE_WIDTH / 2, FACE_HEIGHT / 2
    return line(x + right, y + down, to_x + right, to_y + down, stroke=ACCENT, stroke_width=9)


def _tile(site: int, buildings: Sequence[str], chosen: int | None) -> str:
    """Draw a site with its building or number. Rings mark `chosen` and the sites next to it."""
    mark = ""
    if chosen is not None and (site == chosen or are_adjacent(site, chosen)):
        broad = 5 if site == chosen else 2.5
        mark = ring(-1, -1, FACE_WIDTH + 2, FACE_HEIGHT + 2, rx=7, stroke_width=broad)
    if site < len(buildings):
        return group(buildings[site], mark, kind="site", site=site)
    empty = box(0, 0, FACE_WIDTH, FACE_HEIGHT, rx=6, fill=PAPER, stroke=SHADE)
    number = text_line(site, FACE_WIDTH / 2, 62, 30, anchor="middle", bold=True)
    return group(empty, number, mark, kind="site", site=site)


@lru_cache(maxsize=1024)
def building_tile(
    building: Building,
    site: int,
    owner: tuple[int, Paint] | None = None,
    *,
    upgraded: bool = False,
    price: Goods | None = None,
    language: Language = ENGLISH,
) -> str:
    """Return a building on its site with the owner's house, or with the character if unowned.

    `owner` is a seat and its paint, or `None` for an unowned building.  If `price` is given, it is
    drawn instead of the cost, and amounts below those of the cost are highlighted.
    """
    if owner is None:
        person = portrait(building.character, PAINTS[building.colour])
        corner = group(place(person, *WHERE_IT_LIES), kind="card", card=building.character)
    else:
        built = group(house(*owner, upgraded=upgraded), kind="house", seat=owner[0])
        corner = place(built, 93, 72, 1.25)
    return building_face(
        building,
        upgraded=upgraded,
        corner=corner,
        note=f"{site} · ",
        price=price,
        language=language,
    )


def _row_names(count: int, language: Language) -> str:
    """Return the labels to the left of the rows, which are numbered in the order of dealing."""
    names = []
    for site in range(0, count, ROW_LENGTH):
        name, y = language.phrase("captions.row", row_of(site) + 1), corner_of(site, count)[1]
        base = y + FACE_HEIGHT / 2 + 4
        names.append(text_line(name, LEFT - 12, base, 12, fill=FADED, anchor="end"))
    return "".join(names)
