"""Statistics: confidence intervals, Elo differences, a sequential test, ratings.

A *share* is a player's share of the victory: 1, or a part of it if several won.  A *block* is
all games of one seed and line-up, in which the player examined takes every seat once; its result is
the mean of the shares.  Games of one seed share their random numbers, games of two seeds do not.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Final

import attrs
from attrs.validators import ge, gt, in_, lt

from valletta_rules.components import SITES, Value

Z: Final = 1.959963984540054
"""The number of standard deviations to either side that hold 95 % of a normal distribution."""


@attrs.frozen
class ConfidenceInterval(Value):
    """An estimate and the interval of 95 % around it."""

    estimate: float
    low: float
    high: float


def percent(share: float) -> str:
    """Return a share in percent."""
    return f"{100 * share:.0f} %".replace("-0 %", "0 %").replace("-", "\u2212")


def said(interval: ConfidenceInterval) -> str:
    """Return a share in percent with its interval."""
    low, high = (percent(each).removesuffix(" %") for each in (interval.low, interval.high))
    return f"{percent(interval.estimate)} [{low}, {high}]"


def wilson(successes: float, games: int) -> ConfidenceInterval:
    """Return the share of successes among independent games, with Wilson's interval.

    Successes need not be whole.  Without any game the share is one half, and the interval from 0 to
    1.
    """
    if not games:
        return ConfidenceInterval(0.5, 0.0, 1.0)
    share, spread = successes / games, Z * Z / games
    middle = (share + spread / 2) / (1 + spread)
    half = Z / (1 + spread) * math.sqrt((share * (1 - share) + spread / 4) / games)
    return ConfidenceInterval(share, max(0.0, middle - half), min(1.0, middle + half))


def around(
    counts: Mapping[float, int], least: float = 0.0, most: float = 1.0
) -> ConfidenceInterval:
    """Return the mean of counted values, and the interval from their spread.

    The interval is clipped to the least and the greatest possible value; with fewer than two values
    it is that whole range.
    """
    number = sum(counts.values())
    if not number:
        return ConfidenceInterval((least + most) / 2, least, most)
    mean = sum(value * count for value, count in counts.items()) / number
    if number == 1:
        return ConfidenceInterval(mean, least, most)
    squares = sum((value - mean) ** 2 * count for value, count in counts.items())
    half = Z * math.sqrt(squares / (number - 1) / number)
    return ConfidenceInterval(mean, max(least, mean - half), min(most, mean + half))


def ranked(counts: Iterable[tuple[int, int]], place: int) -> int:
    """Return the number at a place, from 0, of numbers that are counted in ascending order.

    Raises `IndexError` if there are too few numbers.
    """
    met = 0
    for number, count in counts:
        met += count
        if place < met:
            return number
    raise IndexError(f"there are only {met} numbers, none at place {place}")


# Elo


def share_at(elo: float, players: int) -> float:
    """Return the expected share of a player who is stronger than all others by some Elo points."""
    odds: float = 10 ** (elo / 400)
    return odds / (odds + players - 1)


# The sequential test


@attrs.frozen
class Sprt(Value):
    """A sequential test: is a player `elo1` Elo points stronger than the others, or `elo0`?

    It is Wald's test, with the likelihood ratio of the mean of blocks.  Their variance is estimated
    with one pseudo-block, which has the variance of independent games between equals, so that no
    verdict rests on blocks that happen to be equal.
    """

    elo0: float
    """The difference in Elo under the hypothesis H0."""
    elo1: float = attrs.field()
    """The difference under the hypothesis H1, greater than `elo0`."""
    players: int = attrs.field(default=2, validator=in_(tuple(SITES)))
    """The number of players in a game; a block has as many games."""
    alpha: float = attrs.field(default=0.05, validator=[gt(0), lt(0.5)])
    """The probability of accepting H1 if H0 is true."""
    beta: float = attrs.field(default=0.025, validator=[gt(0), lt(0.5)])
    """The probability of accepting H0 if H1 is true."""
    least: int = attrs.field(default=30, validator=ge(2))
    """The number of blocks before which there is no verdict."""

    def __attrs_post_init__(self) -> None:
        """Raise `ValueError` for differences that are out of order."""
        if not -1000 <= self.elo0 < self.elo1 <= 1000:
            raise ValueError(
                "the test needs two differences in Elo from -1000 to 1000, the smaller one first, "
                f"not {self.elo0:g} and {self.elo1:g}"
            )

    @property
    def bounds(self) -> tuple[float, float]:
        """The logarithms of the likelihood ratio at which H0 and H1 are accepted."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def judge(self, blocks: int, total: float, squares: float) -> SprtVerdict:
        """Return the verdict after some blocks, by the sums of their results and of the squares.

        The test ends at the first verdict; blocks after it must be left out.
        """
        if not blocks:
            return SprtVerdict(None, 0, 0.0)
        low, high = self.bounds
        share0, share1 = (share_at(elo, self.players) for elo in (self.elo0, self.elo1))
        fair = 1 / self.players
        pseudo = fair * (1 - fair) / self.players
        variance = (squares - total * total / blocks + pseudo) / blocks
        ratio = (share1 - share0) * (2 * total - blocks * (share0 + share1)) / (2 * variance)
        if blocks < self.least or low < ratio < high:
            return SprtVerdict(None, blocks, ratio)
        return SprtVerdict("H1" if ratio >= high else "H0", blocks, ratio)


@attrs.frozen
class SprtVerdict(Value):
    """The verdict of a sequential test."""

    accepted: str | None
    """The hypothesis accepted, ``H0`` or ``H1``; none if it is undecided."""
    blocks: int
    """The number of blocks before it."""
    ratio: float
    """The logarithm of the likelihood ratio after them."""


# Ratings


def bradley_terry(beaten: Mapping[tuple[str, str], float]) -> Mapping[str, float]:
    """Return the Elo ratings under which the results of pairs are likeliest; their mean is 0.

    `beaten` counts how often the first of two was ahead of the second; a tie is one half for both.
    One drawn game is added to each pair, so that a player who has never lost has a rating, too.
    The ratings are found by minorisation and maximisation (Hunter 2004).
    """
    pairs = sorted({(min(pair), max(pair)) for pair in beaten})
    names = sorted({name for pair in pairs for name in pair})
    strengths, change = dict.fromkeys(names, 1.0), 1.0
    while change > _STILL:
        won, due = dict.fromkeys(names, 0.0), dict.fromkeys(names, 0.0)
        for one, other in pairs:
            victories, losses = (
                beaten.get(pair, 0.0) + 0.5 for pair in ((one, other), (other, one))
            )
            won[one] += victories
            won[other] += losses
            for name in (one, other):
                due[name] += (victories + losses) / (strengths[one] + strengths[other])
        new = {name: won[name] / due[name] for name in names}
        scale = math.exp(sum(map(math.log, new.values())) / max(1, len(new)))
        change = max((abs(new[name] / scale / strengths[name] - 1) for name in names), default=0)
        strengths = {name: strength / scale for name, strength in new.items()}
    return {name: 400 * math.log10(strength) for name, strength in strengths.items()}


_STILL: Final = 1e-9
"""The relative change of the strengths below which the iteration ends."""
