"""`valletta analyse FILE`: report the mistakes, luck and turning points in a recorded game."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from typing import Final

import attrs

from valletta_rules.analysis import Analysis, analyse, analysis_from_json, analysis_to_json, words
from valletta_rules.cli.game import read_game, screen_for, text_of
from valletta_rules.cli.options import add_language, add_path, spoken
from valletta_rules.cli.screen import STRONG, Screen
from valletta_rules.codec import LONGEST
from valletta_rules.records.files import parse_record
from valletta_rules.records.record import replay
from valletta_rules.words import language_of

DONE: Final = 0
"""Exit status: the analysis was printed."""

FAULTY: Final = 2
"""Exit status: the file cannot be read, is damaged, or contains an illegal move."""

BARS: Final = "\u2581\u2582\u2583\u2584\u2585\u2586\u2587\u2588"
"""The block characters for a bar chart in the terminal, from the lowest to the highest bar."""


ABOUT: Final = (
    "Analyse a recorded game: compare each decision with the best legal action, judged by what "
    "its player knew at that time, and report mistakes, turning points and luck."
)
"""The description of the command in its help text."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments to its parser."""
    add_path(parser, "file", "the record of the game, or its analysis as JSON; - is standard input")
    parser.add_argument(
        "--format",
        choices=("text", "json"),
        default="text",
        help="the format of the output: text, or JSON with every decision (default: text)",
    )
    add_language(parser, default=argparse.SUPPRESS)


def run(arguments: argparse.Namespace) -> int:
    """Run the command and return its exit status."""
    language = language_of(spoken(arguments))
    analysis = read_game(
        arguments.file, language, lambda path: parse_analysis(text_of(path, LONGEST))
    )
    report = GameReport(analysis, screen_for(analysis.record, language))
    if arguments.format == "json":
        print(analysis_to_json(analysis, indent=2))
    else:
        report.print_report()
    return DONE


def parse_analysis(text: str) -> Analysis:
    """Return the analysis of a game; `text` is the record of the game, or an analysis in JSON.

    A record is analysed; an analysis in JSON is only checked for illegal moves.  Raises
    `RecordError` for an unreadable record, and `CodecError` for an unreadable analysis.
    """
    if not text.lstrip().startswith("{"):
        return analyse(parse_record(text))
    analysis = analysis_from_json(text)
    for _ in replay(analysis.record):
        pass  # an illegal move is an error
    return analysis


@attrs.frozen
class GameReport:
    """A report that prints the analysis of a game on a screen."""

    analysis: Analysis
    screen: Screen

    def print_report(self) -> None:
        """Print the whole analysis."""
        phrase, screen = self.screen.language.phrase, self.screen
        screen.fill(phrase("analysis.title"), style=STRONG)
        screen.fill(words.describe_limits(screen.language, self.analysis))
        headings, lines = words.describe_play(screen.language, self.analysis, screen.names)
        screen.write(f"\n{_aligned([*zip(headings, *lines, strict=True)])}\n")
        course = self.analysis.course
        chances = [each.chances for each in course]
        self._draw("course", chances, 1.0, lambda chance: f"{words.percent(chance)} %")
        points = [each.points for each in course]
        screen.write()
        self._draw("lead", points, max(chain((1.0,), *points)), lambda number: f"{number:.0f}")
        for title, sentences in self.sections().items():
            screen.write()
            screen.fill(title, style=STRONG)
            for each in sentences or (phrase("analysis.none"),):
                screen.fill(each, "  ", "    ")

    def _draw(
        self,
        key: str,
        course: Sequence[Sequence[float]],
        most: float,
        format_value: Callable[[float], str],
    ) -> None:
        """Print, for each player, a bar chart of a value over the game, followed by the last value.

        `key` is the key of the phrase for the title.  `course` contains the values of all players
        at each point in the game.  `most` is the value of a full bar, and `format_value` formats
        the last value.
        """
        phrase = self.screen.language.phrase
        title = phrase("analysis.scale", title=phrase(f"analysis.{key}"), most=format_value(most))
        self.screen.fill(title, style=STRONG)
        width = max(map(len, self.screen.names))
        step = max(1, -(-len(course) // max(1, self.screen.width - width - 12)))
        for seat, name in enumerate(self.screen.names):
            values = [each[seat] for each in course] or [0.0]
            bars = "".join(BARS[max(0, min(7, int(8 * each / most)))] for each in values[::step])
            self.screen.write(f"  {name.ljust(width)}  {bars} {format_value(values[-1])}")

    def sections(self) -> Mapping[str, Sequence[str]]:
        """Return sentences on the turning points and on the costliest decisions, keyed by title."""
        language, names, analysis = self.screen.language, self.screen.names, self.analysis
        record = analysis.record
        states = [record.start, *(step.state for step in replay(record))]
        points = words.describe_points(language, analysis, states, names)
        return {
            language.phrase("analysis.turning"): [sentence for _, sentence in points],
            language.phrase("analysis.mistakes"): [
                words.describe_when(language, each, states, names) for each in words.worst(analysis)
            ],
        }


def _aligned(rows: Sequence[Sequence[object]]) -> str:
    """Return the rows of a table as text; labels are left-aligned, values right-aligned."""
    texts = [[str(cell) for cell in row] for row in rows]
    label = max(len(row[0]) for row in texts)
    width = max(len(cell) for row in texts for cell in row[1:])
    return "\n".join(
        f"  {first.ljust(label)}  {'  '.join(cell.rjust(width) for cell in rest)}"
        for first, *rest in texts
    )
