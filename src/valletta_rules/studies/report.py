"""Reports on a study, as tables and as text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

import attrs

from valletta_rules.components import Value
from valletta_rules.studies.statistics import format_interval, percent, ranked
from valletta_rules.studies.summary import Summary
from valletta_rules.words import SHORT_NAMES

Cell = str | int | float
"""The type of the content of a cell."""


@attrs.frozen
class ReportTable(Value):
    """A table with a title, the names of its columns, and rows of cells."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


# Tables


def tables(summary: Summary) -> tuple[ReportTable, ...]:
    """Return all tables of a report except empty ones."""
    candidates = (
        standings(summary),
        meetings(summary),
        chairs(summary),
        course(summary),
        designs(summary),
        usages(summary),
    )
    return tuple(table for table in candidates if table.rows)


def standings(summary: Summary) -> ReportTable:
    """Return the table with the results of each bot, the best bot first."""
    rows = tuple(
        (
            each.bot,
            each.seats,
            format_interval(each.share),
            format_interval(each.by_block),
            f"{each.points:.1f}",
            f"{each.elo:+.0f}",
            f"{each.decision_ms:.2f}",
            f"{each.longest_ms:.0f}",
        )
        for each in summary.standings
    )
    columns = (
        *("Bot", "Seats", "Win rate", "By blocks", "Points", "Elo"),
        *("ms a decision", "longest"),
    )
    return ReportTable("Standings", columns, rows)


def meetings(summary: Summary) -> ReportTable:
    """Return the cross table: how often each row's bot ranked above each column's bot."""
    ahead = {(each.one, each.other): format_interval(each.ahead) for each in summary.meetings}
    bots = [each.bot for each in summary.standings]
    rows = tuple((one, *(ahead.get((one, other), "") for other in bots)) for one in bots)
    return ReportTable("Who came in before whom", ("", *bots), rows if ahead else ())


def chairs(summary: Summary) -> ReportTable:
    """Return the table with the results of each seat."""
    fair = percent(1 / summary.study.players)
    rows = tuple(
        (each.seat + 1, format_interval(each.share), fair, f"{each.points:.1f}")
        for each in summary.chairs
    )
    return ReportTable("Seats", ("Seat", "Win rate", "Fair", "Points"), rows)


def course(summary: Summary) -> ReportTable:
    """Return the table of game lengths, end conditions and winning margins."""
    if not summary.games:
        return ReportTable("Course of the games", ("", ""), ())
    rows = (
        ("Turns of the start player", _spread(summary.turns)),
        ("… before the final phase", _spread(summary.main_turns)),
        *(
            (f"Final phase triggered by: {condition.replace('_', ' ')}", _of(count, summary.games))
            for condition, count in summary.triggers
        ),
        ("Valette at the end, on space", f"{summary.valette:.1f}"),
        ("Points of the best", f"{summary.winner_points:.1f}"),
        ("Points ahead of the next", f"{summary.margin:.1f}"),
        ("Victories shared", _of(summary.shared, summary.games)),
        ("Broken off", _of(summary.broken_off, summary.games)),
    )
    return ReportTable("Course of the games", ("", ""), rows)


def designs(summary: Summary) -> ReportTable:
    """Return the table with the results of each building design."""
    rows = tuple(
        (
            each.code,
            SHORT_NAMES[each.character],
            each.dealt,
            format_interval(each.built),
            percent(each.upgraded),
            "" if each.turn is None else f"{each.turn:g}",
            format_interval(each.beyond),
        )
        for each in summary.designs
        if each.dealt
    )
    columns = ("", "Building", "Dealt", "Built", "Upgraded", "Turn", "Owners above seat average")
    return ReportTable("Buildings", columns, rows)


def usages(summary: Summary) -> ReportTable:
    """Return the table with the average uses of each card per game."""
    rows = tuple(
        (SHORT_NAMES[each.character], *(f"{count:.2f}" for count in counts))
        for each in summary.usages
        if any(counts := (each.played, each.dismissed, each.hired))
    )
    return ReportTable("Cards, times a game", ("Card", "Played", "Dismissed", "Hired"), rows)


def _of(count: int, games: int) -> str:
    return f"{count} ({percent(count / games)})"


def _spread(counts: Sequence[tuple[int, int]]) -> str:
    """Return the mean and the central 90 % range of a distribution, as text.

    `counts` contains pairs of a number and its count.
    """
    games = sum(count for _, count in counts)
    low, high = (ranked(counts, place) for place in (games // 20, games - 1 - games // 20))
    mean = sum(number * count for number, count in counts) / games
    return f"{mean:.1f} ({low} to {high})"


# Formats


def heading(summary: Summary) -> str:
    """Return a line with the bots, the rules, the cards and the number of games of a study."""
    study = summary.study
    played = f"{summary.games} games of {study.players} players, from seed {study.seed}"
    return f"{' - '.join(study.bots)}: {study.rules}, {study.cards}, {played}"


def verdict(summary: Summary) -> str | None:
    """Return the verdict of a study's sequential test as text; `None` without a test."""
    result, test = summary.verdict, summary.study.sprt
    if result is None or test is None:
        return None
    accepted = result.accepted or "undecided"
    low, high = test.bounds
    return (
        f"SPRT of {test.elo0:g} against {test.elo1:g} Elo: {accepted} after {result.blocks} blocks "
        f"(log-likelihood ratio {result.ratio:.2f}, bounds {low:.2f} and {high:.2f}). Games that "
        "a test has stopped overstate the difference: do not quote their win rate as a strength."
    )


def as_text(summary: Summary) -> str:
    """Return a report as plain text."""
    parts = [heading(summary)]
    if (test_verdict := verdict(summary)) is not None:
        parts.append(test_verdict)
    parts += map(_table_as_text, tables(summary))
    return "\n\n".join(parts)


def _table_as_text(table: ReportTable) -> str:
    columns = [_column(*map(str, each)) for each in zip(table.columns, *table.rows, strict=True)]
    lines = ["  ".join(cells).rstrip() for cells in zip(*columns, strict=True)]
    return "\n".join([table.title, *lines])


def _column(*cells: str) -> list[str]:
    """Return the cells of a column padded to equal width; a column of numbers is right-aligned."""
    width, are_numbers = max(map(len, cells)), all(map(_NUMBER.fullmatch, cells[1:]))
    return [cell.rjust(width) if are_numbers else cell.ljust(width) for cell in cells]


_NUMBER: Final = re.compile(r"([+-]?[0-9.]+( %)?)?")
