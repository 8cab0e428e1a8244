"""The study of the game: plots and tables of what `docs/studies/make.py` has written down.

.. study-seats::          how much each seat wins, a plot for each opening
.. study-course::         how long games are and what ends them, a row for each cell
.. study-buildings::      what becomes of the buildings, a plot and a table
.. study-cards::          how often cards are played, dismissed and hired
.. study-criteria::       which criteria of a card set are missed
.. study-cells::          what was played, with the digests of the games
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from html import escape
from typing import Final

from docutils import nodes
from markup import ROOT, Written, raw, table
from sphinx.application import Sphinx
from sphinx.util.typing import ExtensionMetadata

sys.path.append(str(ROOT))

from docs.studies.criteria import criteria
from docs.studies.make import OPENINGS, SUMMARY, read
from valletta_rules.components.display import SITES
from valletta_rules.studies.plots import Mark, draw_counts, draw_shares, percent, said
from valletta_rules.studies.report import course
from valletta_rules.studies.summary import Summary
from valletta_rules.svg import Drawing
from valletta_rules.words.english import SHORT_NAMES

PLAYERS: Final = tuple(SITES)


def cell(players: int, opening: str) -> Summary:
    """Return what a cell has found."""
    return summaries()[f"planner, {players} players, {opening}"][1]


@cache
def summaries() -> dict[str, tuple[str, Summary]]:
    """Return what all cells have found, read once."""
    return read()


class Studied(Written):
    """A directive that shows a part of the study; the page is made anew with its figures."""

    required_arguments = 0

    def run(self) -> list[nodes.Node]:
        """Return plots and tables."""
        self.env.note_dependency(str(SUMMARY))
        found: list[nodes.Node] = []
        for part in PARTS[self.name]():
            found += [figure(part)] if isinstance(part, Drawing) else self.written(part)
        return found


Part = Drawing | list[str]
"""A plot, or lines of reStructuredText."""


def figure(plot: Drawing) -> nodes.raw:
    """Return a plot as it stands on a page."""
    return raw(
        '<figure class="valletta-figure"><div class="valletta-scroll" tabindex="0" role="group"'
        f' aria-label="{escape(plot.title)}">{plot}</div></figure>'
    )


def seats() -> Iterator[Part]:
    """Show how much each seat wins."""
    for opening in OPENINGS:
        marks = [
            Mark(f"{players} players, seat {chair.seat + 1}", chair.share, 1 / players)
            for players in PLAYERS
            for chair in cell(players, opening).chairs
        ]
        yield draw_shares(f"Share of the victories: {opening}", marks)
    rows = [
        [
            opening,
            players,
            *(said(each.share) for each in cell(players, opening).chairs),
            *[""] * (4 - players),
        ]
        for opening in OPENINGS
        for players in PLAYERS
    ]
    yield [*table(("Opening", "Players", *(f"Seat {number}" for number in range(1, 5))), rows)]


def courses() -> Iterator[Part]:
    """Show how long games are, and what ends them."""
    yield draw_counts(
        "How long a game of two is (draft)",
        cell(2, "draft").turns,
        "turns of the start player, the final phase included",
    )
    found = {
        f"{opening}, {players}": course(cell(players, opening)).rows
        for opening in OPENINGS
        for players in PLAYERS
    }
    for opening in OPENINGS:
        own = [found[f"{opening}, {players}"] for players in PLAYERS]
        rows = [[lines[0][0], *(line[1] for line in lines)] for lines in zip(*own, strict=True)]
        headings = (opening.capitalize(), *(f"{players} players" for players in PLAYERS))
        yield [*table(headings, rows)]


def buildings() -> Iterator[Part]:
    """Show what becomes of the buildings."""
    two = cell(2, "draft").designs
    marks = [Mark(f"{each.code} {SHORT_NAMES[each.character]}", each.built) for each in two]
    yield draw_shares("How many of the buildings dealt are built (2 players, draft)", marks)
    own = zip(*(cell(players, "draft").designs for players in PLAYERS), strict=True)
    rows = [
        [
            f"{designs[0].code} {SHORT_NAMES[designs[0].character]}",
            *(percent(each.built.estimate) for each in designs),
            *(percent(each.upgraded) for each in designs[:1]),
            *("" if each.turn is None else f"{each.turn:g}" for each in designs[:1]),
            *(said(each.beyond) for each in designs),
        ]
        for designs in own
    ]
    headings = (
        *("Building", "Built, 2", "3", "4 players", "Upgraded, 2", "Turn, 2"),
        *("Owners beyond their seats, 2", "3", "4 players"),
    )
    yield [*table(headings, rows)]


def cards() -> Iterator[Part]:
    """Show how often cards are used."""
    rows = [
        [
            SHORT_NAMES[each.character],
            *(f"{count:.2f}" for count in (each.played, each.dismissed, each.hired)),
        ]
        for each in cell(2, "draft").usages
    ]
    yield [*table(("Card, times a game of two", "Played", "Dismissed", "Hired"), rows)]


def missed() -> Iterator[Part]:
    """Show which criteria are missed, and how many are in doubt or met."""
    found = list(criteria({name: summary for name, (_, summary) in summaries().items()}))
    rows = [
        [each.what, said(each.found), f"{percent(each.least)} to {percent(each.most)}"]
        for each in found
        if each.verdict == "missed"
    ]
    counts = Counter(each.verdict for each in found)
    yield [
        f"Of {len(found)} criteria {counts['met']} are met, {counts['in doubt']} are in doubt, and "
        f"{counts['missed']} are missed.",
        "",
        *(table(("Missed", "Found", "Should be"), rows) if rows else ()),
    ]


def played() -> Iterator[Part]:
    """Say what was played."""
    rows = [
        [name, summary.games, summary.study.seed, summary.study.version, f"``{digest[:16]}``"]
        for name, (digest, summary) in summaries().items()
    ]
    headings = ("Cell", "Games", "First seed", "Version", "SHA-256 of the games, its beginning")
    yield [*table(headings, ([each[0], each[1], str(each[2]), *each[3:]] for each in rows))]


PARTS: Final = {
    "study-seats": seats,
    "study-course": courses,
    "study-buildings": buildings,
    "study-cards": cards,
    "study-criteria": missed,
    "study-cells": played,
}
"""What each directive shows."""


def setup(app: Sphinx) -> ExtensionMetadata:
    """Add the directives."""
    for name in PARTS:
        app.add_directive(name, Studied)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
