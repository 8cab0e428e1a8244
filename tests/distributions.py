"""Compute the exact probability of each possible result of code that uses a random generator."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import TypeVar

T = TypeVar("T")


def mixture(parts: Iterable[tuple[T, Fraction]]) -> dict[T, Fraction]:
    """Return the distribution of results, adding the probabilities of equal ones."""
    total: Counter[T] = Counter()
    for value, probability in parts:
        total[value] += probability  # type: ignore[assignment]
    return dict(total)  # type: ignore[arg-type]


class Ways:
    """A substitute for a random generator, which replays a given sequence of choices.

    It also records the alternatives to each later choice, so that a test can try all of them.
    """

    def __init__(self, path: tuple[int, ...]) -> None:
        """Create a generator that replays the choices in `path`.

        After these, it always chooses index 0.
        """
        self.path, self.chosen, self.chance = path, 0, Fraction(1)
        self.others: list[tuple[int, ...]] = []

    def randrange(self, stop: int, /) -> int:
        """Choose an integer from 0 to `stop` - 1."""
        self.chance /= stop
        return self._choose(stop)

    def pick(self, weights: Sequence[int]) -> int:
        """Choose an index with the given weights, as `valletta_rules.memory.belief.pick` does."""
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
    """Run `make` with every sequence of random choices.

    Return its possible results with their exact probabilities.
    """
    results: list[tuple[T, Fraction]] = []
    ahead: list[tuple[int, ...]] = [()]
    while ahead:
        ways = Ways(ahead.pop())
        result = make(ways)
        results.append((result, ways.chance))
        ahead += ways.others
    return mixture(results)
