"""Statistics from the study of bots' games, for the templates in `docs/templates/study`.

`docs/studies/make.py` computes the statistics.
"""

import sys
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Final

from markup import ROOT
from sphinx.application import Sphinx
from sphinx.util.typing import ExtensionMetadata
from templated import share

sys.path.append(str(ROOT))

from docs.studies.criteria import criteria
from docs.studies.make import OPENINGS, read
from docs.studies.puzzles import PUZZLES_A_PAGE, read_puzzles
from valletta_rules.analysis import Experience, find_openings, read_book
from valletta_rules.analysis.openings import LEAST
from valletta_rules.components import CHARACTERS, GOODS, SITES, Character
from valletta_rules.studies.report import course
from valletta_rules.studies.statistics import ConfidenceInterval, format_interval, percent
from valletta_rules.studies.summary import Summary
from valletta_rules.words import SHORT_NAMES

PLAYERS: Final = tuple(SITES)


@cache
def studies() -> Mapping[str, tuple[str, Summary]]:
    """Load the digest and the statistics of the games in each cell, keyed by the cell's name."""
    return read()


def cell(players: int, opening: str) -> Summary:
    """Return the statistics of the planner's games with a number of players and an opening."""
    return studies()[f"planner, {players} players, {opening}"][1]


def courses(opening: str) -> Iterator[tuple[str, list[str]]]:
    """Yield rows of statistics about the course of games, with a column per number of players."""
    own = (course(cell(players, opening)).rows for players in PLAYERS)
    for lines in zip(*own, strict=True):
        yield lines[0][0], [line[1] for line in lines]


def designs() -> list[tuple[Any, ...]]:
    """Return statistics about each building, for each number of players."""
    return [*zip(*(cell(players, "draft").designs for players in PLAYERS), strict=True)]


def first_houses(opening: str) -> Iterator[tuple[Character, list[str]]]:
    """Yield the characters that enough seats built first, with the results of these seats."""
    cells = [find_openings(players, opening).houses[0] for players in PLAYERS]
    for who in CHARACTERS:
        experiences = [each.get(who) for each in cells]
        if any(each and each.seats >= LEAST for each in experiences):
            yield who, [*map(fared, experiences)]


def drafts() -> Iterator[tuple[str, int, int, list[str]]]:
    """Yield opening, number of players, seat, and a text with the results for each drafted good."""
    for each in read_book().cells:
        for seat, goods in enumerate(each.drafts):
            yield each.opening, each.players, seat, [fared(goods.get(good)) for good in GOODS]


def fared(experience: Experience | None) -> str:
    """Return the number of seats as text, with their results if there are enough seats."""
    if experience is None or experience.seats < LEAST:
        return f"{experience.seats if experience else 0}"
    low, high = experience.beyond - experience.margin, experience.beyond + experience.margin
    text = format_interval(ConfidenceInterval(experience.beyond, low, high))
    together = text.replace(" %", "\xa0%").replace(", ", ",\xa0")
    return f"{experience.seats:,}: {together}"


def tried_criteria() -> list[Any]:
    """Return the criteria for a balanced card set, with their measured values."""
    return [*criteria({name: summary for name, (_, summary) in studies().items()})]


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register this extension."""
    return {"parallel_read_safe": True, "parallel_write_safe": True}


share(
    __name__,
    OPENINGS=OPENINGS,
    PLAYERS=PLAYERS,
    GOODS=GOODS,
    percent=percent,
    PUZZLES_A_PAGE=PUZZLES_A_PAGE,
    read_puzzles=read_puzzles,
    format_interval=format_interval,
    short_name=SHORT_NAMES.__getitem__,
)
