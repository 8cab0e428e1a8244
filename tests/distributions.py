"""Exact distributions over the results of code that uses a random generator."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import TypeVar

T = TypeVar("T")


def mixture(parts: Iterable[tuple[T, Fraction]]) -> dict[T, Fraction]:
    """Add up the probabilities of equal results."""
    total: Counter[T] = Counter()
    for value, probability in parts:
        total[value] += probability  # type: ignore[assignment]
    return dict(total)  # type: ignore[arg-type]


class Ways:
    """A generator that follows one path through all choices, and records the alternatives."""

    def __init__(self, path: tuple[int, ...]) -> None:
        """Follow a path, and after its end always choose the first."""
        self.path, self.chosen, self.chance = path, 0, Fraction(1)
        self.others: list[tuple[int, ...]] = []

    def randrange(self, stop: int, /) -> int:
        """Choose a number below a limit."""
        self.chance /= stop
        return self._choose(stop)

    def pick(self, weights: Sequence[int]) -> int:
        """Choose one of some weights, as `valletta_rules.memory.belief.pick` does."""
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
    """Return all results of code with a generator, with their exact probabilities."""
    found: list[tuple[T, Fraction]] = []
    ahead: list[tuple[int, ...]] = [()]
    while ahead:
        ways = Ways(ahead.pop())
        made = make(ways)
        found.append((made, ways.chance))
        ahead += ways.others
    return mixture(found)
