"""`valletta analyse FILE`: tell mistakes, luck and turning points of a recorded game."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import Final

import attrs

from valletta_rules.analysis import (
    Analysis,
    analyse,
    analysis_from_json,
    analysis_to_json,
)
from valletta_rules.analysis.words import (
    describe_limits,
    describe_play,
    describe_points,
    describe_when,
    percent,
    worst,
)
from valletta_rules.cli.game import read_game, screen_for, text_of
from valletta_rules.cli.options import add_language, spoken
from valletta_rules.cli.screen import STRONG, Screen
from valletta_rules.cli.statuses import DONE
from valletta_rules.codec import LONGEST
from valletta_rules.records.files import parse_record
from valletta_rules.records.record import replay
from valletta_rules.studies.plots import draw_lines
from valletta_rules.studies.report import ReportTable, page_of, table_as_html
from valletta_rules.words import language_of

BARS: Final = "\u2581\u2582\u2583\u2584\u2585\u2586\u2587\u2588"
"""The signs of a course in the terminal, from 0 to the most."""


ABOUT: Final = (
    "Analyse a recorded game: compare each answer with the best one, judged by what its player "
    "knew, and tell mistakes, turning points, and luck apart from play."
)
"""The command's description."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to its parser."""
    parser.add_argument(
        "file",
        metavar="FILE",
        help="the record of the game, or its analysis as JSON; - is standard input",
    )
    parser.add_argument(
        "--format",
        choices=("text", "json", "html"),
        default="text",
        help="text, JSON with the record and every decision, or a page with graphs (default: text)",
    )
    add_language(parser, default=argparse.SUPPRESS)


def run(arguments: argparse.Namespace) -> int:
    """Carry out the command and return its exit status."""
    language = language_of(spoken(arguments))
    analysis = read_game(
        arguments.file, language, lambda path: parse_analysis(text_of(path, LONGEST))
    )
    report = GameReport(analysis, screen_for(analysis.record, language))
    match arguments.format:
        case "json":
            print(analysis_to_json(analysis, indent=2))
        case "html":
            print(report.as_html())
        case _:
            report.tell()
    return DONE


def parse_analysis(text: str) -> Analysis:
    """Return the analysis in a text: of the record in it, or the one that was written as JSON.

    Raises `RecordError` and `CodecError`.
    """
    if not text.lstrip().startswith("{"):
        return analyse(parse_record(text))
    analysis = analysis_from_json(text)
    for _ in replay(analysis.record):
        pass  # an illegal move is an error
    return analysis


@attrs.frozen
class GameReport:
    """The analysis of a game in words, on a screen or as a page."""

    analysis: Analysis
    screen: Screen

    def tell(self) -> None:
        """Print it."""
        say, screen = self.screen.language.say, self.screen
        screen.fill(say("analysis.title"), style=STRONG)
        screen.fill(describe_limits(screen.language))
        table = self.summaries()
        screen.say(f"\n{_aligned((table.columns, *table.rows))}\n")
        self._draw("course", self.chances(), 1.0, lambda chance: f"{percent(chance)} %")
        points = self.points()
        most = max(1.0, *(max(each) for _, each in points))
        screen.say()
        self._draw("lead", points, most, lambda number: f"{number:.0f}")
        for title, told in self.sections().items():
            screen.say()
            screen.fill(title, style=STRONG)
            for each in told or (say("analysis.none"),):
                screen.fill(each, "  ", "    ")

    def _draw(
        self,
        key: str,
        lines: Sequence[tuple[str, Sequence[float]]],
        most: float,
        shown: Callable[[float], str],
    ) -> None:
        """Draw courses with bars, from 0 to the most, and print how each ends."""
        self.screen.fill(self.screen.language.say(f"analysis.{key}"), style=STRONG)
        width = max(map(len, self.screen.names))
        for name, values in lines:
            course = _thinned(values, self.screen.width - width - 12)
            bars = "".join(BARS[max(0, min(7, int(8 * each / most)))] for each in course)
            self.screen.say(f"  {name.ljust(width)}  {bars} {shown(values[-1])}")

    def as_html(self) -> str:
        """Return it as a self-contained page."""
        language = self.screen.language
        title, code = language.say("analysis.title"), language.code
        body = [f"<p>{escape(describe_limits(language))}</p>", table_as_html(self.summaries())]
        for key, lines in (("course", self.chances()), ("lead", self.points())):
            plot = draw_lines(language.say(f"analysis.{key}"), lines, code)
            body.append(f"<figure>{plot}</figure>")
        for heading, told in self.sections().items():
            items = "".join(f"<li>{escape(each)}</li>" for each in told)
            none = f"<p>{escape(language.say('analysis.none'))}</p>"
            body.append(f"<h2>{escape(heading)}</h2>{f'<ol>{items}</ol>' if told else none}")
        return page_of(escape(title), body, code)

    def chances(self) -> list[tuple[str, list[float]]]:
        """Return the names of the players, and their chances to win turn by turn."""
        course = self.analysis.course
        return [
            (name, [each.chances[seat] for each in course] or [0.0])
            for seat, name in enumerate(self.screen.names)
        ]

    def points(self) -> list[tuple[str, list[float]]]:
        """Return the names of the players, and their expected points turn by turn."""
        course = self.analysis.course
        return [
            (name, [each.points[seat] for each in course] or [0.0])
            for seat, name in enumerate(self.screen.names)
        ]

    def summaries(self) -> ReportTable:
        """Return the play and the luck of the players as a table, a column for each of them."""
        language = self.screen.language
        headings, lines = describe_play(language, self.analysis, self.screen.names)
        columns, *rows = zip(headings, *lines, strict=True)
        return ReportTable(language.say("analysis.play"), columns, tuple(rows))

    def sections(self) -> Mapping[str, Sequence[str]]:
        """Return the turning points and the answers that lost most, in words."""
        language, names, found = self.screen.language, self.screen.names, self.analysis
        record = found.record
        states = [record.start, *(step.state for step in replay(record))]
        points = describe_points(language, found, states, names)
        return {
            language.say("analysis.turning"): [told for _, told in points],
            language.say("analysis.mistakes"): [
                describe_when(language, each, states, names) for each in worst(found)
            ],
        }


def _thinned(values: Sequence[float], most: int) -> Sequence[float]:
    """Return a course with no more values than fit."""
    step = -(-len(values) // max(1, most))
    return values[::step]


def _aligned(rows: Sequence[Sequence[object]]) -> str:
    """Return a table of text."""
    texts = [[str(cell) for cell in row] for row in rows]
    label = max(len(row[0]) for row in texts)
    width = max(len(cell) for row in texts for cell in row[1:])
    return "\n".join(
        f"  {first.ljust(label)}  {'  '.join(cell.rjust(width) for cell in rest)}"
        for first, *rest in texts
    )
