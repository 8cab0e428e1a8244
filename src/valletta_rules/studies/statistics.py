"""Statistics: confidence intervals, Elo differences, a sequential test, and ratings.

A *share* is the fraction of a victory that a player gets: 1 for a single winner, less for one of
several winners.  A *block* consists of all games with the same seed and line-up, in which the
tested player takes every seat once.  The result of a block is the mean of this player's shares.
Games with the same seed have common random numbers.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Final

import attrs
from attrs.validators import ge, gt, in_, lt

from valletta_rules.components import SITES, Value

Z: Final = 1.959963984540054
"""Half the width of a normal distribution's 95 % interval, in standard deviations."""


@attrs.frozen
class ConfidenceInterval(Value):
    """An estimate with its 95 % confidence interval."""

    estimate: float
    low: float
    high: float


def percent(share: float) -> str:
    """Return a share, formatted as a percentage."""
    return f"{100 * share:.0f} %".replace("-0 %", "0 %").replace("-", "\u2212")


def format_interval(interval: ConfidenceInterval) -> str:
    """Return a share and its confidence interval, formatted as percentages."""
    low, high = (percent(each).removesuffix(" %") for each in (interval.low, interval.high))
    return f"{percent(interval.estimate)} [{low}, {high}]"


def wilson(successes: float, games: int) -> ConfidenceInterval:
    """Return the share of successes in independent games, with Wilson's confidence interval.

    `successes` need not be an integer.  If there are no games, the share is 0.5 and the interval is
    from 0 to 1.
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
    """Return the mean of a sample and a confidence interval, estimated from the sample variance.

    `counts` maps each value in the sample to its number of occurrences.  The interval is clipped to
    the range of possible values, from `least` to `most`.  For fewer than two values, the interval
    is the whole range.
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
    """Return the number at a zero-based index in a sorted sequence of numbers.

    The sequence is given as pairs of a number and its count.

    Raises `IndexError` if there are too few numbers.
    """
    met = 0
    for number, count in counts:
        met += count
        if place < met:
            return number
    raise IndexError(f"the index {place} is too large for {met} numbers")


# Elo


def share_at(elo: float, players: int) -> float:
    """Return the expected share of a player who is `elo` points stronger than all opponents."""
    odds: float = 10 ** (elo / 400)
    return odds / (odds + players - 1)


# The sequential test


@attrs.frozen
class Sprt(Value):
    """A sequential test of whether a player is `elo0` or `elo1` Elo points above its opponents.

    It is Wald's sequential probability ratio test of the mean result of blocks.  The estimate of
    the variance includes a pseudo-block with the variance of independent games between equal
    players.  Blocks with results that are equal by chance therefore do not lead to a verdict.
    """

    elo0: float
    """The difference in Elo points under the hypothesis H0."""
    elo1: float = attrs.field()
    """The difference in Elo points under the hypothesis H1, greater than `elo0`."""
    players: int = attrs.field(default=2, validator=in_(tuple(SITES)))
    """The number of players in a game, which is also the number of games in a block."""
    alpha: float = attrs.field(default=0.05, validator=[gt(0), lt(0.5)])
    """The probability of accepting H1 if H0 is true."""
    beta: float = attrs.field(default=0.025, validator=[gt(0), lt(0.5)])
    """The probability of accepting H0 if H1 is true."""
    least: int = attrs.field(default=30, validator=ge(2))
    """The minimum number of blocks before a verdict."""

    def __attrs_post_init__(self) -> None:
        """Raise `ValueError` unless `elo0` is below `elo1` and both are from -1000 to 1000."""
        if not -1000 <= self.elo0 < self.elo1 <= 1000:
            raise ValueError(
                "elo0 and elo1 must be from -1000 to 1000, and elo0 must be less than elo1, "
                f"not {self.elo0:g} and {self.elo1:g}"
            )

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios at which H0 and H1 are accepted, in this order."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def judge(self, blocks: int, total: float, squares: float) -> SprtVerdict:
        """Return the verdict of the test after `blocks` blocks.

        `total` is the sum of the results of the blocks, and `squares` the sum of their squares.
        The test ends at the first verdict, so the sums must not include later blocks.
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
    """The verdict of a sequential test after a number of blocks."""

    accepted: str | None
    """The accepted hypothesis, ``H0`` or ``H1``; `None` if the test is undecided."""
    blocks: int
    """The number of blocks on which the verdict is based."""
    ratio: float
    """The log-likelihood ratio of H1 to H0 after these blocks."""


# Ratings


def bradley_terry(beaten: Mapping[tuple[str, str], float]) -> Mapping[str, float]:
    """Return the Elo ratings that make pairwise results most likely; the mean rating is 0.

    `beaten` contains, for each pair of players, how often the first ranked above the second; a tie
    is one half for both.  A drawn game is added to each pair, so that a player without losses also
    has a finite rating.  The algorithm is minorisation-maximisation (Hunter 2004).
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
"""The iteration of `bradley_terry` stops when no strength changes by more than this fraction."""
