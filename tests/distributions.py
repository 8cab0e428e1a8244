"""Exact probability distributions of the results of code that uses a random generator."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import TypeVar

T = TypeVar("T")


def mixture(parts: Iterable[tuple[T, Fraction]]) -> dict[T, Fraction]:
    """Return a distribution in which equal results are merged by adding their probabilities."""
    total: Counter[T] = Counter()
    for value, probability in parts:
        total[value] += probability  # type: ignore[assignment]
    return dict(total)  # type: ignore[arg-type]


class Ways:
    """A random generator replacement: it replays given choices, and records alternatives to later
    ones.
    """

    def __init__(self, path: tuple[int, ...]) -> None:
        """Replay the choices in `path`, one per call; afterwards, always choose index 0."""
        self.path, self.chosen, self.chance = path, 0, Fraction(1)
        self.others: list[tuple[int, ...]] = []

    def randrange(self, stop: int, /) -> int:
        """Choose a whole number from 0 to `stop` - 1."""
        self.chance /= stop
        return self._choose(stop)

    def pick(self, weights: Sequence[int]) -> int:
        """Choose an index by weight, as `valletta_rules.memory.belief.pick` does."""
        possible = [place for place, weight in enumerate(weights) if weight]
        place = possible[self._choose(len(possible))]
        self.chance *= Fraction(weights[place], sum(weights))
        return place

    def _choose(self, count: int) -> int:
        if self.chosen == len(self.path):
            self.others += ((*self.path, other) for other in range(1, count))
            self.path += (0,)
        self.chosen += 1
        return self.path[self.chosen - 1]


def distribution(make: Callable[[Ways], T]) -> dict[T, Fraction]:
    """Try all random choices of `make`, and return its possible results with their exact
    probabilities.
    """
    found: list[tuple[T, Fraction]] = []
    ahead: list[tuple[int, ...]] = [()]
    while ahead:
        ways = Ways(ahead.pop())
        made = make(ways)
        found.append((made, ways.chance))
        ahead += ways.others
    return mixture(found)
