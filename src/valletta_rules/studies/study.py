"""A study: which bots play which games.

The unit is the *block*: one seed, and a line-up of bots in every rotation, so that each bot takes
every seat once with the same random numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations, takewhile

import attrs
from attrs.validators import ge, in_, instance_of

from valletta_rules.card_sets.files import RECONSTRUCTION
from valletta_rules.components.card_set import CardSet
from valletta_rules.components.display import SITES
from valletta_rules.components.limits import MOST_TURNS
from valletta_rules.components.values import Value
from valletta_rules.rulings import HANS_IM_GLUECK, RuleSet
from valletta_rules.studies.game import GameResult, Job, specs
from valletta_rules.studies.statistics import Sprt, SprtVerdict
from valletta_rules.version import __version__

Results = Mapping[int, GameResult]
"""Results by the numbers of their games."""

Block = tuple[GameResult, ...]
"""The results of one seed and line-up."""


@attrs.frozen
class Study(Value):
    """What is played: a match, a round robin, or a bot against itself.

    If there are as many bots as players, they make one line-up; if there are more, each combination
    of that many is one.  If there are fewer, the last one takes the seats that are left:
    ``planner`` and ``automatic`` with four players are one planner against three automatic players.
    """

    bots: tuple[str, ...] = attrs.field(converter=specs)
    """The bots, all named differently; `valletta_rules.bots.normalise` gives a bot one name."""
    players: int = attrs.field(default=2, validator=in_(tuple(SITES)))
    """The number of players in a game."""
    games: int = attrs.field(default=400, validator=[instance_of(int), ge(1)])
    """The number of games of each line-up, rounded up to whole blocks."""
    seed: int = attrs.field(default=1000, validator=instance_of(int))
    """The seed of the first block; the others follow."""
    rules: RuleSet = attrs.field(default=HANS_IM_GLUECK, validator=instance_of(RuleSet))
    """The rule set."""
    cards: CardSet = attrs.field(default=RECONSTRUCTION, validator=instance_of(CardSet))
    """The card set."""
    most_turns: int = attrs.field(default=MOST_TURNS, validator=[instance_of(int), ge(1)])
    """The number of turns after which a game is truncated."""
    sprt: Sprt | None = None
    """The test that stops the study, if any: whether the first bot is better than the others."""
    version: str = __version__
    """The version of the package that plays."""

    def __attrs_post_init__(self) -> None:
        """Refuse bots that make no study, and a test that has nothing to test."""
        if not self.bots or len(set(self.bots)) < len(self.bots):
            raise ValueError(f"a study needs bots, all different: {', '.join(self.bots) or 'none'}")
        if self.sprt is not None and not 1 < len(self.bots) <= self.players:
            raise ValueError("a test is of one bot against the others at the table")
        if self.sprt is not None and self.sprt.players != self.players:
            raise ValueError(f"the test is of {self.sprt.players} players, not of {self.players}")

    @property
    def line_ups(self) -> tuple[tuple[str, ...], ...]:
        """The bots that play together, in the order in which they are named."""
        lacking = self.players - len(self.bots)
        full = (*self.bots, *self.bots[-1:] * lacking)
        return tuple(combinations(full, self.players)) if lacking < 0 else (full,)

    @property
    def block_size(self) -> int:
        """The number of games in a block: one for each rotation that is different."""
        return 1 if len(self.bots) == 1 else self.players

    @property
    def blocks(self) -> int:
        """The number of blocks."""
        return -(-self.games // self.block_size) * len(self.line_ups)

    def job(self, number: int) -> Job:
        """Return a game by its number, from 0; raise `IndexError` if there is none."""
        block, turned = divmod(number, self.block_size)
        if not 0 <= block < self.blocks:
            raise IndexError(f"the study has {self.blocks * self.block_size} games, not {number}")
        after, which = divmod(block, len(self.line_ups))
        line_up = self.line_ups[which]
        bots = (*line_up[len(line_up) - turned :], *line_up[: len(line_up) - turned])
        return Job(bots, self.seed + after, self.rules, self.cards, self.most_turns, number)

    def __contains__(self, job: Job) -> bool:
        """Tell whether a game is one of the study."""
        return job.number in range(self.blocks * self.block_size) and job == self.job(job.number)

    def jobs(self) -> Iterator[Job]:
        """Yield all games, block by block."""
        return map(self.job, range(self.blocks * self.block_size))

    def complete(self, results: Results) -> Iterator[Block]:
        """Yield the blocks that are complete and count, in order.

        If there is a test, these are the blocks before the first incomplete one and none after its
        verdict, so that the verdict does not depend on which games finish first.
        """
        blocks = (self._block(number, results) for number in range(self.blocks))
        if self.sprt is None:
            return filter(None, blocks)
        found = list(takewhile(bool, blocks))
        return iter(found[: self.sprt.judge(map(self.result_of, found)).blocks])

    def _block(self, block: int, results: Results) -> Block:
        """Return a block, empty if it is not complete."""
        numbers = range(block * self.block_size, (block + 1) * self.block_size)
        return tuple(results[n] for n in numbers) if all(n in results for n in numbers) else ()

    def result_of(self, block: Block) -> float:
        """Return the mean share in a block of the first bot of its line-up.

        For a bot that plays against itself it is the share of the first seat.
        """
        return sum(game.shares[game.job.number % self.block_size] for game in block) / len(block)

    def verdict(self, results: Results) -> SprtVerdict | None:
        """Return the verdict of the test, if there is one."""
        if self.sprt is None:
            return None
        return self.sprt.judge(map(self.result_of, self.complete(results)))

    def missing(self, results: Results) -> Iterator[Job]:
        """Yield the games that are still to be played, in order."""
        verdict = self.verdict(results)
        if verdict is not None and verdict.accepted is not None:
            return iter(())
        return (job for job in self.jobs() if job.number not in results)
