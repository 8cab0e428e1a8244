"""Functions that draw the display, the score sheet and the players as text, in any language."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import chain
from typing import Final

from valletta_rules.actions import Build
from valletta_rules.components import AREA_LENGTH, GOODS, ROW_LENGTH, area_of, is_above, need
from valletta_rules.results import Outcome
from valletta_rules.rulebook.houses_and_icons import icons, owner_of
from valletta_rules.rulebook.scoring import score_sheet
from valletta_rules.state import Board
from valletta_rules.text.layout import WIDTH, filled
from valletta_rules.text.values import write_goods
from valletta_rules.views.player_information import (
    DeckCensus,
    Offer,
    PlayerInformation,
    Position,
    TableInformation,
)
from valletta_rules.words.language import Language, board_of, capitalized
from valletta_rules.words.languages import ENGLISH

WIDEST_CELL: Final = 24
"""The maximum width of a site in a drawing of the display, in characters."""

LABEL: Final = 10
"""The minimum width of the heading of a line, in characters."""


# The display


def sketch_display(
    position: Position,
    names: Sequence[str] = (),
    language: Language = ENGLISH,
    width: int = WIDTH,
    *,
    is_low: bool = False,
) -> str:
    """Draw the display around the street, with four lines for each site, or two if `is_low`.

    The first line of a site shows its number and the code, points and icon of its building.  The
    other lines show the character, the cost, and the owner, with a plus for an upgraded building.
    With `is_low`, the first line shows the number, code and character.  The second line shows the
    points, the icon, and the owner; a building without an owner shows its cost instead.

    `position` is a position, a view or the table of a view.  `names` are the names of the players,
    by default the names of the language, and `width` is the maximum width in characters.
    """
    board, names = board_of(position), names or language.names
    cell = min(width // ROW_LENGTH, WIDEST_CELL)
    rows = range(0, len(board.display), ROW_LENGTH)
    above = [start for start in reversed(rows) if is_above(start)]
    below = [start for start in rows if not is_above(start)]
    draw = partial(_draw_row, board, names, language, cell, _low_cell if is_low else _cell)
    lines = [*chain(*map(draw, above)), _draw_street(board, cell), *chain(*map(draw, below))]
    return "\n".join(lines)


def _draw_row(
    board: Board,
    names: Sequence[str],
    language: Language,
    width: int,
    draw: Callable[[Board, int, Sequence[str], Language, int], list[str]],
    start: int,
) -> list[str]:
    sites = range(start, min(start + ROW_LENGTH, len(board.display)))
    cells = [draw(board, site, names, language, width - 1) for site in sites]
    rows = zip(*cells, strict=True)
    return ["".join(line.ljust(width) for line in row).rstrip() for row in rows]


def _cell(
    board: Board, site: int, names: Sequence[str], language: Language, width: int
) -> list[str]:
    building, house = board.display[site], _house(board, site, names)
    head = f"{site:2} {building.code} {building.points}p {language.good_names[building.icon]}"
    cost = write_goods(building.cost, " ")
    if len(cost) > width:
        cost = write_goods(building.cost, "")
    lines = (language.short_names[building.character], cost, house)
    indented = (" " * min(3, max(0, width - len(line))) + line for line in lines)
    return [_cut(line, width) for line in (head, *indented)]


def _low_cell(
    board: Board, site: int, names: Sequence[str], language: Language, width: int
) -> list[str]:
    building = board.display[site]
    name = language.short_names[building.character]
    value = f"{building.points}p {building.icon[0]}"
    last = _house(board, site, names) or write_goods(building.cost)
    return [_cut(line, width) for line in (f"{site:2} {building.code} {name}", f"  {value} {last}")]


def _house(board: Board, site: int, names: Sequence[str]) -> str:
    """Return the owner's name, with a plus for an upgraded building; empty if there is no owner."""
    owner = owner_of(board, site)
    if owner is None:
        return ""
    return f"{names[owner]}{'+' if site in board.players[owner].upgraded else ''}"


def _cut(line: str, width: int) -> str:
    """Return a line shortened to `width` characters, with an ellipsis for the omitted part."""
    return line if len(line) <= width else f"{line[: width - 1]}…"


def _draw_street(board: Board, width: int) -> str:
    areas = []
    for area in range(ROW_LENGTH):
        first = area * AREA_LENGTH + 1
        valette = f" V:{board.valette}" if area_of(board.valette) == area else ""
        areas.append(f"=={first}-{first + AREA_LENGTH - 1}{valette}".ljust(width, "="))
    return "".join(areas)


# The score sheet


def draw_score_sheet(
    outcome: Outcome, names: Sequence[str] = (), language: Language = ENGLISH
) -> str:
    """Draw the score sheet, with the winners and the clause that determines them."""
    need(outcome, Outcome, "an outcome")
    names, columns = names or language.names, ("track", "buildings", "goods", "total", "houses")
    rows = [("", *(language.phrase(f"headings.{column}") for column in columns))]
    for each in outcome.scores:
        rows.append((names[each.seat], *(str(getattr(each, column)) for column in columns)))
    first = max(8, *(len(row[0]) for row in rows))
    lines = ["".join([row[0].ljust(first), *(cell.rjust(11) for cell in row[1:])]) for row in rows]
    winner = language.describe_winner(outcome, names)
    return "\n".join([*lines, "", f"{capitalized(winner)} ({outcome.clause})."])


# The players


def draw_players(
    position: Position, names: Sequence[str] = (), language: Language = ENGLISH
) -> str:
    """Draw a line for each player: goods, houses, points, and the score if the game ended now.

    The number in brackets after a good is the player's number of icons of this good.
    """
    phrase, board, names = language.phrase, board_of(position), names or language.names
    goods = "".join(f"{language.good_names[good]:>6}   " for good in GOODS)
    rows = [
        goods
        + _aligned(phrase("headings.houses"), phrase("headings.points"), phrase("headings.total"))
    ]
    for score in score_sheet(board):
        stock = (
            f"{board.players[score.seat].goods[good]:>4}"
            f"{_in_brackets(icons(board, score.seat, good)):5}"
            for good in GOODS
        )
        rows.append("".join(stock) + _aligned(score.houses, score.track, score.total))
    first = max(map(len, names[: len(board.players)]))
    return "\n".join(f"{name:{first}}{row}" for name, row in zip(("", *names), rows, strict=False))


def _aligned(*cells: object) -> str:
    return "".join(f"{cell:>9}" for cell in cells)


def _in_brackets(count: int) -> str:
    return f" ({count})" if count else ""


def draw_offers(offers: Sequence[Offer], language: Language = ENGLISH, width: int = WIDTH) -> str:
    """Draw a line for each site that can be built on or upgraded: site, building, price, gain.

    If the columns are wider than `width`, each offer is wrapped to several lines.
    """
    rows = []
    for offer in offers:
        building, is_new = offer.building, isinstance(offer.action, Build)
        paid = "" if offer.payment == offer.price else f" > {write_goods(offer.payment, ' ')}"
        bonus = f", Valette {offer.bonus}p" if offer.bonus else ""
        rows.append(
            (
                f"{offer.action.site:4}",
                language.phrase("console.build" if is_new else "console.upgrade"),
                f"{building.code} {language.short_names[building.character]}",
                f"{write_goods(offer.price, ' ')}{paid}",
                f"{building.points}p {language.good_names[building.icon]}{bonus}",
            )
        )
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        "  ".join(cell.ljust(most) for cell, most in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]
    if max(map(len, lines)) <= width:
        return "\n".join(lines)
    return "\n".join(
        filled(f"{verb} {label}; {price}; {gain}", f"{site}  ", " " * 8, width)
        for site, verb, label, price, gain in rows
    )


def describe_information(
    information: PlayerInformation | TableInformation,
    language: Language = ENGLISH,
    names: Sequence[str] = (),
    width: int = WIDTH,
) -> str:
    """Format the public information about a player, or about the whole table, for a terminal.

    A player's deck is shown as three numbers of cards, such as ``5 + 3 (2)``: in the draw pile, on
    the board or in the hand, and in the discard pile.  `names` are the names of the players, by
    default the names of the language, and `width` is the maximum width in characters.
    """
    phrase, names = language.phrase, names or language.names
    if isinstance(information, PlayerInformation):
        return "\n".join(_player_lines(information, language, names, width))
    line = partial(_line, width, "")
    lines = [
        each
        for player in information.players
        for each in (*_player_lines(player, language, names, width), "")
    ]
    lines += line(phrase("headings.supply"), language.describe_cards(information.supply))
    lines += line(phrase("headings.final_phase"), language.describe_ending(information.ending))
    return "\n".join(lines)


def _player_lines(
    known: PlayerInformation, language: Language, names: Sequence[str], width: int
) -> list[str]:
    line = partial(_line, width, "  ")

    def heading(key: str) -> str:
        return capitalized(language.phrase(f"headings.{key}"))

    stock = (
        f"{language.good_names[good]} {known.goods[good]} ({known.icons[good]})" for good in GOODS
    )
    houses = map(language.describe_house, known.buildings)
    offers = list(map(language.describe_offer, known.offers)) or [
        language.phrase("headings.nothing")
    ]
    hand = () if known.hand is None else line(heading("hand"), language.describe_cards(known.hand))
    return [
        names[known.seat],
        *line(heading("points"), language.describe_points(known.score)),
        *line(heading("houses"), language.describe_houses(known.houses), *houses),
        *line(heading("goods"), ", ".join(stock)),
        *line(heading("deck"), _deck(known.deck, language)),
        *hand,
        *line(heading("end"), ", ".join(map(language.describe_progress, known.conditions))),
        *line(heading("in_reach"), *offers),
    ]


def _deck(census: DeckCensus, language: Language) -> str:
    counts = f"{census.draw_pile} + {census.on_board_or_in_hand} ({census.discarded})"
    return f"{counts}: {language.describe_cards(census.characters)}"


def _line(width: int, indent: str, heading: str, *parts: str) -> list[str]:
    """Format a heading with one or more texts to its right, each starting on a new line."""
    label = max(LABEL, len(heading) + 2)
    blank = indent + " " * label
    starts = [f"{indent}{heading:{label}}", *[blank] * (len(parts) - 1)]
    return [
        filled(part, start, f"{blank}  ", width) for part, start in zip(parts, starts, strict=True)
    ]
