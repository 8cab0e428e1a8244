"""Plots as drawings: shares with their intervals, and histograms."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import attrs

from valletta_rules.components.values import Value
from valletta_rules.studies.statistics import ConfidenceInterval
from valletta_rules.svg.drawing import Drawing, box, disc, drawing, line, path, text_line
from valletta_rules.svg.palette import ACCENT, BORDER, FADED, PAPER, SEAT_PAINTS, SHADE, STONE

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


def draw_lines(
    title: str, lines: Sequence[tuple[str, Sequence[float]]], lang: str = "en"
) -> Drawing:
    """Return a plot of a line for each seat: its name, and its values at equal distances."""
    height, bottom, right = 260, 226, WIDTH - 110.0
    values = [value for _, each in lines for value in each]
    least, most = min([0.0, *values]), max([1.0, *values])

    def y_of(value: float) -> float:
        return bottom - (bottom - HEAD) * (value - least) / (most - least)

    parts = [*_frame(title, height)]
    for tick in range(5):
        value = least + (most - least) * tick / 4
        text = percent(value) if most == 1 else f"{value:.0f}"
        parts.append(line(50, y_of(value), right, y_of(value), stroke=STONE))
        parts.append(text_line(text, 44, y_of(value) + 4, 11, fill=FADED, anchor="end"))
    paints = [*SEAT_PAINTS.values()]
    order = sorted(range(len(lines)), key=lambda seat: y_of(lines[seat][1][-1]))
    for place, seat in enumerate(order):
        name, course = lines[seat]
        step = (right - 50) / max(1, len(course) - 1)
        places = (f"{50 + step * at:.1f} {y_of(each):.1f}" for at, each in enumerate(course))
        dashes, ink = DASHES[seat % len(DASHES)], paints[seat].ground
        look = {"fill": "none", "stroke": ink, "stroke_width": 2.5, "stroke_dasharray": dashes}
        label = HEAD + 16 + 20 * place
        parts += [
            path(f"M {' '.join(places)}", **look),
            line(right + 8, label - 4, right + 30, label - 4, **look),
            text_line(name, right + 36, label, 12, room=70.0),
        ]
    told = "; ".join(f"{name} {course[-1]:.2f}" for name, course in lines)
    return drawing(WIDTH, height, title, f"{title}. {told}.", *parts, lang=lang)


DASHES: Final = (None, "7 3", "2 3", "9 3 2 3")
"""How the lines of the seats are dashed, so that they are told apart without colours."""


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
