"""Definitions of studies: the bots, and the series of games that they play.

The unit of a study is the *block*: games of one line-up of bots with the same seed, one game for
each rotation of the seats.  Each member of the line-up therefore takes every seat once, with the
same random numbers.
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
    """The definition of a study: a match, a round robin, or games of a bot against itself.

    If there are as many bots as players, they form a single line-up.  If there are more bots, each
    combination of bots is a line-up.  If there are fewer, the last bot takes the remaining seats:
    with four players, ``planner`` and ``automatic`` mean one planner against three automatic
    players.
    """

    bots: tuple[str, ...] = attrs.field(converter=specs)
    """The names of the bots, which must differ; see `valletta_rules.bots.normalise`."""
    players: int = attrs.field(default=2, validator=in_(tuple(SITES)))
    """The number of players in a game."""
    games: int = attrs.field(default=400, validator=[instance_of(int), ge(1)])
    """The minimum number of games of each line-up, rounded up to complete blocks."""
    seed: int = attrs.field(default=1000, validator=instance_of(int))
    """The seed of the first block; the seeds of later blocks are consecutive."""
    rules: RuleSet = attrs.field(default=HANS_IM_GLUECK, validator=instance_of(RuleSet))
    """The rule set of all games."""
    cards: CardSet = attrs.field(default=RECONSTRUCTION, validator=instance_of(CardSet))
    """The card set of all games."""
    most_turns: int = attrs.field(default=MOST_TURNS, validator=[instance_of(int), ge(1)])
    """The number of turns after which a game is truncated."""
    sprt: Sprt | None = None
    """The test that ends the study as soon as it has a verdict; `None` to play all games."""
    version: str = __version__
    """The version of the package that plays the games."""

    def __attrs_post_init__(self) -> None:
        """Raise `ValueError` for no bots, equal bots, or a test that does not fit the study."""
        if not self.bots or len(set(self.bots)) < len(self.bots):
            listed = ", ".join(self.bots) or "none"
            raise ValueError(f"a study must have one or more distinct bots, not: {listed}")
        if self.sprt is not None and not 1 < len(self.bots) <= self.players:
            raise ValueError(
                f"a sequential test of games with {self.players} players needs at least 2 and at "
                f"most {self.players} bots, not {len(self.bots)}"
            )
        if self.sprt is not None and self.sprt.players != self.players:
            raise ValueError(
                f"the sequential test is for games with {self.sprt.players} players, "
                f"not {self.players}"
            )

    @property
    def line_ups(self) -> tuple[tuple[str, ...], ...]:
        """The line-ups, each a tuple of bots that play together, in the order of `bots`."""
        lacking = self.players - len(self.bots)
        full = (*self.bots, *self.bots[-1:] * lacking)
        return tuple(combinations(full, self.players)) if lacking < 0 else (full,)

    @property
    def block_size(self) -> int:
        """The number of games in a block, one for each rotation of a line-up."""
        return 1 if len(self.bots) == 1 else self.players

    @property
    def blocks(self) -> int:
        """The number of blocks in the study."""
        return -(-self.games // self.block_size) * len(self.line_ups)

    @property
    def size(self) -> int:
        """The total number of games in the study."""
        return self.blocks * self.block_size

    @property
    def games_of_seed(self) -> int:
        """The number of consecutive games with the same seed."""
        return self.block_size * len(self.line_ups)

    def seating(self, number: int) -> tuple[str, ...]:
        """Return the bots of game `number`, in the order of the seats."""
        block, turned = divmod(number, self.block_size)
        line_up = self.line_ups[block % len(self.line_ups)]
        return (*line_up[len(line_up) - turned :], *line_up[: len(line_up) - turned])

    def seed_of(self, number: int) -> int:
        """Return the seed of game `number`."""
        return self.seed + number // self.games_of_seed

    def job(self, number: int) -> Job:
        """Return the job of game `number`, counted from 0.

        Raises `IndexError` if the study has no game with this number.
        """
        if not 0 <= number < self.size:
            raise IndexError(
                f"the study has no game {number}; it has {self.size} games, numbered from 0"
            )
        bots, seed = self.seating(number), self.seed_of(number)
        return Job(bots, seed, self.rules, self.cards, self.most_turns)

    def jobs(self) -> Iterator[Job]:
        """Yield the jobs of all games, block by block."""
        return map(self.job, range(self.size))
