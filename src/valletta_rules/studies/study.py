"""A study: the bots, and the games that they play.

The unit is the *block*: one seed, and a line-up of bots in every rotation, so that each bot takes
every seat once with the same random numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import attrs
from attrs.validators import ge, in_, instance_of

from valletta_rules.card_sets.files import RECONSTRUCTION
from valletta_rules.components import MOST_TURNS, SITES, CardSet, Value
from valletta_rules.rulings import HANS_IM_GLUECK, RuleSet
from valletta_rules.studies.game import Job, specs
from valletta_rules.studies.statistics import Sprt
from valletta_rules.version import __version__


@attrs.frozen
class Study(Value):
    """The games of a match, of a round robin, or of a bot against itself.

    If there are as many bots as players, they make one line-up; if there are more, each combination
    of that many is one.  If there are fewer, the last one takes the remaining seats: ``planner``
    and ``automatic`` with four players are one planner against three automatic players.
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
        """Raise `ValueError` for bots that do not make a study, and for an unsuitable test."""
        if not self.bots or len(set(self.bots)) < len(self.bots):
            raise ValueError(f"a study needs bots, all different: {', '.join(self.bots) or 'none'}")
        if self.sprt is not None and not 1 < len(self.bots) <= self.players:
            raise ValueError("a test compares one bot with the others at the table")
        if self.sprt is not None and self.sprt.players != self.players:
            raise ValueError(f"the test is for {self.sprt.players} players, not for {self.players}")

    @property
    def line_ups(self) -> tuple[tuple[str, ...], ...]:
        """The bots that play together, in the order in which they are named."""
        lacking = self.players - len(self.bots)
        full = (*self.bots, *self.bots[-1:] * lacking)
        return tuple(combinations(full, self.players)) if lacking < 0 else (full,)

    @property
    def block_size(self) -> int:
        """The number of games in a block: one for each different rotation."""
        return 1 if len(self.bots) == 1 else self.players

    @property
    def blocks(self) -> int:
        """The number of blocks."""
        return -(-self.games // self.block_size) * len(self.line_ups)

    @property
    def size(self) -> int:
        """The total number of games."""
        return self.blocks * self.block_size

    @property
    def games_of_seed(self) -> int:
        """The number of games with the same seed, which follow one another."""
        return self.block_size * len(self.line_ups)

    def seating(self, number: int) -> tuple[str, ...]:
        """Return the bots of a game by seat."""
        block, turned = divmod(number, self.block_size)
        line_up = self.line_ups[block % len(self.line_ups)]
        return (*line_up[len(line_up) - turned :], *line_up[: len(line_up) - turned])

    def seed_of(self, number: int) -> int:
        """Return the seed of a game."""
        return self.seed + number // self.games_of_seed

    def job(self, number: int) -> Job:
        """Return a game by its number, from 0; raise `IndexError` if there is none."""
        if not 0 <= number < self.size:
            raise IndexError(f"the study has {self.size} games, not {number}")
        bots, seed = self.seating(number), self.seed_of(number)
        return Job(bots, seed, self.rules, self.cards, self.most_turns)

    def jobs(self) -> Iterator[Job]:
        """Yield all games, block by block."""
        return map(self.job, range(self.size))
