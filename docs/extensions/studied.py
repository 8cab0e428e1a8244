"""The study of the game: what `docs/studies/make.py` has written down, for `docs/templates/study`.

`.. study-plots:: seats` draws its plots.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Final

from docutils import nodes
from markup import ROOT, Written
from pictures import framed
from sphinx.application import Sphinx
from sphinx.util.typing import ExtensionMetadata
from templated import share

sys.path.append(str(ROOT))

from docs.studies.criteria import criteria
from docs.studies.make import OPENINGS, SUMMARY, read
from valletta_rules.analysis import Experience, find_openings, read_book
from valletta_rules.analysis.openings import LEAST
from valletta_rules.bots import LEVELS
from valletta_rules.components.characters import CHARACTERS, Character
from valletta_rules.components.display import SITES
from valletta_rules.components.goods import GOODS
from valletta_rules.studies.plots import Mark, draw_counts, draw_shares, percent, said
from valletta_rules.studies.report import course
from valletta_rules.studies.statistics import ConfidenceInterval
from valletta_rules.studies.summary import Summary
from valletta_rules.svg import Drawing
from valletta_rules.words import SHORT_NAMES

PLAYERS: Final = tuple(SITES)


@cache
def studies() -> Mapping[str, tuple[str, Summary]]:
    """Return what all cells have found, with the digests of their games, read once."""
    return read()


def cell(players: int, opening: str) -> Summary:
    """Return what a cell has found."""
    return studies()[f"planner, {players} players, {opening}"][1]


def courses(opening: str) -> Iterator[tuple[str, list[str]]]:
    """Yield what is told of the course of games, for each number of players."""
    own = (course(cell(players, opening)).rows for players in PLAYERS)
    for lines in zip(*own, strict=True):
        yield lines[0][0], [line[1] for line in lines]


def designs() -> list[tuple[Any, ...]]:
    """Return what becomes of each building, for each number of players."""
    return [*zip(*(cell(players, "draft").designs for players in PLAYERS), strict=True)]


def first_houses(opening: str) -> Iterator[tuple[Character, list[str]]]:
    """Yield the characters whose buildings enough seats built first, and how these fared."""
    cells = [find_openings(players, opening).houses[0] for players in PLAYERS]
    for who in CHARACTERS:
        found = [each.get(who) for each in cells]
        if any(each and each.seats >= LEAST for each in found):
            yield who, [*map(fared, found)]


def drafts() -> Iterator[tuple[str, int, int, list[str]]]:
    """Yield how seats fared with each good: opening, players, seat, and what is told of each."""
    for each in read_book().cells:
        for seat, goods in enumerate(each.drafts):
            yield each.opening, each.players, seat, [fared(goods.get(good)) for good in GOODS]


def fared(found: Experience | None) -> str:
    """Say how many seats began so, and how they fared, if they are enough."""
    if found is None or found.seats < LEAST:
        return f"{found.seats if found else 0}"
    low, high = found.beyond - found.margin, found.beyond + found.margin
    told = said(ConfidenceInterval(found.beyond, low, high))
    together = told.replace(" %", "\xa0%").replace(", ", ",\xa0")
    return f"{found.seats:,}: {together}"


def tried_criteria() -> list[Any]:
    """Return the criteria of a card set, with what was found."""
    return [*criteria({name: summary for name, (_, summary) in studies().items()})]


def other_levels(bots: Mapping[str, str]) -> list[str]:
    """Return the levels that were other bots when their games were played."""
    return [level for level, spec in LEVELS.items() if bots.get(level) != spec]


def seats_drawn() -> Iterator[Drawing]:
    """Draw how much each seat wins, for each opening."""
    for opening in OPENINGS:
        marks = [
            Mark(f"{players} players, seat {chair.seat + 1}", chair.share, 1 / players)
            for players in PLAYERS
            for chair in cell(players, opening).chairs
        ]
        yield draw_shares(f"Share of the victories: {opening}", marks)


def lengths_drawn() -> Iterator[Drawing]:
    """Draw how long a game is."""
    turns = "turns of the start player, the final phase included"
    yield draw_counts("How long a game of two is (draft)", cell(2, "draft").turns, turns)


def buildings_drawn() -> Iterator[Drawing]:
    """Draw how many of the buildings are built."""
    marks = [
        Mark(f"{each.code} {SHORT_NAMES[each.character]}", each.built)
        for each in cell(2, "draft").designs
    ]
    yield draw_shares("How many of the buildings dealt are built (2 players, draft)", marks)


PLOTS: Final = {"seats": seats_drawn, "lengths": lengths_drawn, "buildings": buildings_drawn}
"""What is drawn, by the argument of the directive."""


class Plots(Written):
    """Plots of the study; the page is made anew with its figures."""

    def run(self) -> list[nodes.Node]:
        """Return the plots."""
        self.env.note_dependency(str(SUMMARY))
        return [node for plot in PLOTS[self.arguments[0]]() for node in framed(plot)]


def setup(app: Sphinx) -> ExtensionMetadata:
    """Add the directive, and let templates ask."""
    app.add_directive("study-plots", Plots)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


share(
    __name__,
    OPENINGS=OPENINGS,
    PLAYERS=PLAYERS,
    GOODS=GOODS,
    percent=percent,
    said=said,
    short_name=SHORT_NAMES.__getitem__,
)
