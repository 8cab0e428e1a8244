"""The totals of a study, which accumulate the statistics of its games block by block.

Reports use only these totals: counts of values, sums of integers, CPU times, and the state of the
sequential test.  Their size does not grow with the number of games.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import permutations
from typing import Any, Final

import attrs

from valletta_rules.studies.game import WHOLE_VICTORY, GameResult
from valletta_rules.studies.statistics import SprtVerdict
from valletta_rules.studies.study import Study
from valletta_rules.studies.timeline import Timeline

Played = tuple[GameResult, Timeline]
"""The result and the statistics of a game, which a study stores."""

Key = tuple[str | int, ...]
"""The key of a count: the count's name, followed by values such as a bot, a seat or a number."""

FIRST_HOUSES: Final = 2
"""Results are counted for the first `FIRST_HOUSES` buildings of each seat."""


@attrs.define
class Totals:
    """The totals of a study's first games, up to the end of a block."""

    study: Study
    """The study to which the games belong."""
    games: int = 0
    """The number of games in the totals."""
    counts: Counter[Key] = attrs.Factory(Counter)
    """The counts of values and the sums of integers, each under its key."""
    times: dict[str, tuple[float, float]] = attrs.field(factory=dict, eq=False)
    """Each bot's total CPU time and longest decision, in milliseconds; comparisons ignore them."""
    test: tuple[int, int] = (0, 0)
    """The sum of the blocks' results, in twelfths of a victory, and the sum of their squares."""
    round: dict[str, tuple[int, int]] = attrs.Factory(dict)
    """Each bot's victories, in twelfths, and number of seats, in the games with the latest seed."""

    @property
    def verdict(self) -> SprtVerdict | None:
        """The verdict of the study's sequential test; `None` without a test."""
        if (sprt := self.study.sprt) is None:
            return None
        size = self.study.block_size
        scale, (total, squares) = WHOLE_VICTORY * size, self.test
        return sprt.judge(self.games // size, total / scale, squares / scale**2)

    @property
    def is_decided(self) -> bool:
        """Whether the sequential test has accepted a hypothesis; further games are then ignored."""
        verdict = self.verdict
        return verdict is not None and verdict.accepted is not None

    def named(self, name: str) -> Iterator[tuple[Any, ...]]:
        """Yield the counts whose keys begin with `name`, each preceded by the rest of its key."""
        return ((*key[1:], count) for key, count in self.counts.items() if key[0] == name)

    def total(self, name: str) -> int:
        """Return the sum of the counts whose keys begin with `name`."""
        return sum(count for *_, count in self.named(name))

    def won(self, place: int | str) -> tuple[float, int]:
        """Return the sum of a bot's or a seat's victory shares, and the number of these shares."""
        met = [
            (twelfths * count, count)
            for bot, seat, twelfths, count in self.named("share")
            if place in (bot, seat)
        ]
        return sum(won for won, _ in met) / WHOLE_VICTORY, sum(count for _, count in met)

    def add(self, block: Sequence[Played]) -> None:
        """Add the games of the next block."""
        first = 0
        for place, (result, course) in enumerate(block):
            bots = self.study.seating(self.games)
            if not self.games % self.study.games_of_seed:
                self.end_round()
            self._add_result(bots, result)
            self._add_course(bots, result, course)
            first += result.twelfths[place]
            self.games += 1
        total, squares = self.test
        self.test = total + first, squares + first * first

    def end_round(self) -> None:
        """Count the bots' results in all blocks with the latest seed, and reset `round`."""
        for bot, met in self.round.items():
            self.counts["round", bot, *met] += 1
        self.round.clear()

    def _add_result(self, bots: Sequence[str], result: GameResult) -> None:
        counts, most = self.counts, sorted(result.points, reverse=True)
        counts["broken_off",] += result.stop != "over"
        counts["shared",] += len(result.winners) > 1
        counts["winner_points",] += most[0]
        counts["margin",] += most[0] - most[1]
        counts["main_turns", result.main_turns[0]] += 1
        counts["turns", result.turns[0]] += 1
        for seat, (bot, twelfths) in enumerate(zip(bots, result.twelfths, strict=True)):
            counts["share", bot, seat, twelfths] += 1
            counts["points", bot, seat] += result.points[seat]
            counts["decisions", bot] += result.decisions[seat]
            spent, longest = self.times.get(bot, (0.0, 0.0))
            longest = max(longest, result.longest_ms[seat])
            self.times[bot] = spent + result.cpu_ms[seat], longest
            won, seats = self.round.get(bot, (0, 0))
            self.round[bot] = won + twelfths, seats + 1
        for (one, place), (other, next_place) in permutations(
            zip(bots, result.places, strict=True), 2
        ):
            if one != other:  # in halves: a tie is one half for each
                counts["ahead", one, other] += 2 * (place < next_place) + (place == next_place)

    def _add_course(self, bots: Sequence[str], result: GameResult, course: Timeline) -> None:
        counts, shares = self.counts, result.twelfths
        counts["valette",] += course.valette
        for condition in course.triggers:
            counts["trigger", condition] += 1
        for code, owner, built, upgraded in zip(
            course.buildings, course.owners, course.built, course.upgraded, strict=True
        ):
            counts["dealt", code] += 1
            if owner is not None and built is not None:
                counts["built", code, built] += 1
                counts["owned", code, bots[owner], owner, shares[owner]] += 1
                counts["upgraded", code] += upgraded is not None
        for seat, (good, sites) in enumerate(zip(course.drafted, course.sites, strict=True)):
            own = (bots[seat], seat, shares[seat])
            if good is not None:
                counts["drafted", seat, good, *own] += 1
            for place, site in enumerate(sites[:FIRST_HOUSES], 1):
                building = self.study.cards.building(course.buildings[site])
                counts["first", place, building.character, *own] += 1
        for use, kinds in enumerate(course.uses):
            for rank, times in enumerate(kinds):
                if times:
                    counts["used", use, rank] += times
