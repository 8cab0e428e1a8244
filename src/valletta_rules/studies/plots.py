"""Plots as drawings: shares with their intervals, and histograms."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import attrs

from valletta_rules.components.values import Value
from valletta_rules.studies.statistics import ConfidenceInterval
from valletta_rules.svg.drawing import Drawing, box, disc, drawing, line, text_line
from valletta_rules.svg.palette import ACCENT, BORDER, FADED, PAPER, SHADE, STONE

WIDTH: Final = 640
MARGIN: Final = 14
LABELS: Final = 190
"""The width of the labels."""

LINE: Final = 22
"""The height of a line."""

HEAD: Final = 46
"""The height of the title."""


@attrs.frozen
class Mark(Value):
    """A line of a plot: its label, its interval, and the value to compare it with."""

    label: str
    interval: ConfidenceInterval
    fair: float | None = None
    """The value that would be fair, if there is one."""


def draw_shares(
    title: str, marks: Sequence[Mark], least: float = 0.0, most: float = 1.0
) -> Drawing:
    """Return a plot of shares from the least to the most: a dot with its interval for each.

    Values beyond these bounds are drawn at the edge.  A short red stroke marks the fair value.
    """
    height = HEAD + LINE * len(marks) + 30
    left, right = LABELS, WIDTH - MARGIN - 56

    def x_of(value: float) -> float:
        inside = max(least, min(most, value))
        return left + (right - left) * (inside - least) / (most - least)

    bottom = HEAD + LINE * len(marks)
    parts = [*_frame(title, height)]
    for tick in range(5):
        value = least + (most - least) * tick / 4
        x, text = x_of(value), percent(value)
        parts.append(line(x, HEAD - 6, x, bottom, stroke=STONE))
        parts.append(text_line(text, x, bottom + 16, 11, fill=FADED, anchor="middle"))
    for number, mark in enumerate(marks):
        y, shares = HEAD + LINE * number + LINE / 2, mark.interval
        low, middle, high = map(x_of, (shares.low, shares.estimate, shares.high))
        if mark.fair is not None:
            x = x_of(mark.fair)
            parts.append(line(x, y - 8, x, y + 8, stroke=BORDER, stroke_width=2))
        parts += [
            text_line(mark.label, left - 12, y + 4, 12, anchor="end", room=left - 18.0),
            line(low, y, high, y, stroke=ACCENT, stroke_width=3),
            disc(middle, y, 4.5, fill=ACCENT, stroke=PAPER),
            text_line(percent(shares.estimate), WIDTH - MARGIN, y + 4, 12, anchor="end"),
        ]
    told = "; ".join(f"{mark.label} {said(mark.interval)}" for mark in marks)
    return drawing(WIDTH, height, title, f"{title}. {told}.", *parts)


def draw_counts(title: str, counts: Sequence[tuple[int, int]], unit: str) -> Drawing:
    """Return a histogram of pairs of a number and its count, in ascending order."""
    height, bottom = 220, 170
    met = dict(counts)
    numbers = range(min(met, default=0), max(met, default=0) + 1)
    most, step = max(met.values(), default=1), (WIDTH - 2.0 * MARGIN) / len(numbers)
    parts = [*_frame(title, height)]
    for place, number in enumerate(numbers):
        tall, x = (bottom - HEAD) * met.get(number, 0) / most, MARGIN + step * place
        parts += [
            box(x + step * 0.1, bottom - tall, step * 0.8, tall, fill=SHADE),
            text_line(number, x + step / 2, bottom + 16, 11, fill=FADED, anchor="middle"),
        ]
    parts.append(line(MARGIN, bottom, WIDTH - MARGIN, bottom, stroke=SHADE))
    parts.append(text_line(unit, WIDTH / 2, bottom + 36, 12, fill=FADED, anchor="middle"))
    told = ", ".join(f"{number}: {count}" for number, count in counts)
    return drawing(WIDTH, height, title, f"{title}: {unit}, and how often. {told}.", *parts)


def _frame(title: str, height: int) -> tuple[str, str]:
    """Return the background of a plot, and its title."""
    ground = box(0.5, 0.5, WIDTH - 1, height - 1, fill=PAPER, stroke=SHADE, rx=6)
    return ground, text_line(title, MARGIN, 26, 15, bold=True)


def percent(share: float) -> str:
    """Return a share in percent."""
    return f"{100 * share:.0f} %".replace("-0 %", "0 %").replace("-", "\u2212")


def said(interval: ConfidenceInterval) -> str:
    """Return a share in percent with its interval."""
    low, high = (percent(each).removesuffix(" %") for each in (interval.low, interval.high))
    return f"{percent(interval.estimate)} [{low}, {high}]"
