"""The table as text, in any language: the display, the score sheet, what is known of players."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from valletta_rules.components.display import ROW_LENGTH, is_above
from valletta_rules.components.goods import GOODS
from valletta_rules.components.street import AREA_LENGTH, area_of
from valletta_rules.layout import filled
from valletta_rules.outcome import Outcome
from valletta_rules.rulebook.holdings import owner_of
from valletta_rules.state import Board
from valletta_rules.text.values import write_goods
from valletta_rules.views.player_information import (
    DeckCensus,
    PlayerInformation,
    Position,
    TableInformation,
)
from valletta_rules.words import english
from valletta_rules.words.language import Language, board_of

CELL: Final = 19
"""How many columns a site takes in a drawing of the display."""

LABEL: Final = 10
"""How many columns the heading of a line takes."""


# The display


def sketch_display(
    position: Position, names: Sequence[str] | None = None, language: Language = english
) -> str:
    """Draw the display as it lies around the street: three lines for each site.

    They show its number, code and character; its cost; its points, icon and owner, a plus
    marking an upgraded building.  Takes a position, a view of one, or its table, and what the
    players are called, if not as the language calls them.
    """
    board, names = board_of(position), names or language.NAMES
    rows = range(0, len(board.display), ROW_LENGTH)
    above = [start for start in reversed(rows) if is_above(start)]
    below = [start for start in rows if not is_above(start)]
    lines = [line for start in above for line in _draw_row(board, start, names, language)]
    lines.append(_draw_street(board))
    lines += [line for start in below for line in _draw_row(board, start, names, language)]
    return "\n".join(lines)


def _draw_row(board: Board, start: int, names: Sequence[str], language: Language) -> list[str]:
    sites = range(start, min(start + ROW_LENGTH, len(board.display)))
    cells = [_cell(board, site, names, language) for site in sites]
    return ["".join(line.ljust(CELL) for line in row).rstrip() for row in zip(*cells, strict=True)]


def _cell(
    board: Board, site: int, names: Sequence[str], language: Language
) -> tuple[str, str, str]:
    building, owner = board.display[site], owner_of(board, site)
    house = ""
    if owner is not None:
        house = f", {names[owner]}{'+' if site in board.players[owner].upgraded else ''}"
    return (
        f"{site:2} {building.code} {language.SHORT_NAMES[building.character]}"[: CELL - 1],
        f"   {write_goods(building.cost, ' ')}",
        f"   {building.points}p {language.GOOD_NAMES[building.icon]}{house}",
    )


def _draw_street(board: Board) -> str:
    areas = []
    for area in range(ROW_LENGTH):
        first = area * AREA_LENGTH + 1
        valette = f" V:{board.valette}" if area_of(board.valette) == area else ""
        areas.append(f"=={first}-{first + AREA_LENGTH - 1}{valette}".ljust(CELL, "="))
    return "".join(areas)


# The score sheet


def draw_score_sheet(
    outcome: Outcome, names: Sequence[str] | None = None, language: Language = english
) -> str:
    """Draw the score sheet, with who has won and by which clause."""
    said, names = language.HEADINGS, names or language.NAMES
    rows: list[tuple[str, ...]] = [
        ("", said.track, said.buildings, said.goods, said.total, said.houses)
    ]
    for each in outcome.scores:
        counts = (each.track, each.buildings, each.goods, each.total, each.houses)
        rows.append((names[each.seat], *map(str, counts)))
    lines = ["".join([row[0].ljust(8), *(cell.rjust(11) for cell in row[1:])]) for row in rows]
    winner = language.describe_winner(outcome, names)
    return "\n".join([*lines, "", f"{_capitalized(winner)} ({outcome.clause})."])


# What is known of players


def describe_information(
    information: PlayerInformation | TableInformation, language: Language = english
) -> str:
    """Write for a terminal what is to be known of a player, or of the whole table.

    The three numbers of a deck are the draw pile, the cards on the board or in the hand, and, in
    brackets, the discard pile.
    """
    said = language.HEADINGS
    if isinstance(information, PlayerInformation):
        return "\n".join(_player_lines(information, language))
    blocks = [[*_player_lines(player, language), ""] for player in information.players]
    return "\n".join(
        [
            *(line for block in blocks for line in block),
            *_line(said.supply, language.describe_cards(information.supply), indent=""),
            *_line(said.final_phase, language.describe_ending(information.ending), indent=""),
        ]
    )


def _player_lines(known: PlayerInformation, language: Language) -> list[str]:
    said = language.HEADINGS
    stock = [
        f"{language.GOOD_NAMES[good]} {known.goods[good]} ({known.icons[good]})" for good in GOODS
    ]
    hand = [] if known.hand is None else _line(said.hand, language.describe_cards(known.hand))
    houses = map(language.describe_house, known.buildings)
    offers = list(map(language.describe_offer, known.offers))
    return [
        f"{said.seat} {known.seat}",
        *_line(_capitalized(said.points), language.describe_points(known.score)),
        *_line(_capitalized(said.houses), language.describe_houses(known.houses), *houses),
        *_line(_capitalized(said.goods), ", ".join(stock)),
        *_line(said.deck, _deck(known.deck, language)),
        *hand,
        *_line(said.end, ", ".join(map(language.describe_progress, known.conditions))),
        *_line(said.in_reach, *(offers or [said.nothing])),
    ]


def _deck(census: DeckCensus, language: Language) -> str:
    counts = f"{census.draw_pile} + {census.on_board_or_in_hand} ({census.discarded})"
    return f"{counts}: {language.describe_cards(census.characters)}"


def _line(heading: str, *parts: str, indent: str = "  ") -> list[str]:
    """Write a heading and beside it one part, or several below each other."""
    width = max(LABEL, len(heading) + 2)
    blank = indent + " " * width
    starts = [f"{indent}{heading:{width}}", *[blank] * (len(parts) - 1)]
    return [filled(part, start, f"{blank}  ") for part, start in zip(parts, starts, strict=True)]


def _capitalized(text: str) -> str:
    return text[:1].upper() + text[1:]
