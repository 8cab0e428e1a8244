"""One game between bots: a pure function from a job to the game.

Chance has its own generators, one for the deal, one for the barrels and one for each seat's draws,
and so has the bot of each seat.  Another bot at the table therefore changes none of the numbers
that the others, or chance, take: the same seed gives common random numbers, as far as possible.

The game is played on packed positions, if there are any and no bot wants to be told the events; it
is the same game otherwise, only slower.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable
from functools import cache, lru_cache, partial
from hashlib import blake2b
from typing import TYPE_CHECKING, Final

import attrs
from attrs.validators import ge, in_, instance_of

from valletta_rules import native
from valletta_rules.actions import Action
from valletta_rules.agenda import BarrelPrompt, DrawPrompt, Prompt
from valletta_rules.bots.protocol import Bot
from valletta_rules.bots.registry import make_bot
from valletta_rules.card_sets.files import RECONSTRUCTION
from valletta_rules.chance import resolve_chance, sample_chance
from valletta_rules.components.card_set import CardSet
from valletta_rules.components.display import QUOTAS
from valletta_rules.components.limits import MOST_TURNS
from valletta_rules.components.names import shown
from valletta_rules.components.values import Value
from valletta_rules.engine import apply, transition
from valletta_rules.games import new_game
from valletta_rules.play.driver import Audience, with_chance
from valletta_rules.records.record import Record
from valletta_rules.rulebook.scoring import outcome
from valletta_rules.rulings import HANS_IM_GLUECK, RuleSet
from valletta_rules.state import GameState
from valletta_rules.studies.course import Course, Follower, whole
from valletta_rules.text.notation import format_action
from valletta_rules.views.player_information import predicted_scores
from valletta_rules.views.view import view

if TYPE_CHECKING:
    from valletta_rules.native import PackedState

WHOLE_VICTORY: Final = 12
"""A victory in the unit in which shares of it are added up: each part is a whole number."""


def specs(bots: Iterable[str]) -> tuple[str, ...]:
    """Return the names of bots as a tuple; raise `TypeError` for a single one."""
    if isinstance(bots, str):
        raise TypeError(f"bots must be a sequence of names, not {shown(bots)}")
    return tuple(bots)


@attrs.frozen
class Job(Value):
    """A game to be played: everything that determines its result."""

    bots: tuple[str, ...] = attrs.field(converter=specs)
    """The bots by seat, named as for `valletta_rules.bots.make_bot`."""
    seed: int = attrs.field(validator=instance_of(int))
    """The seed of chance and of the bots."""
    rules: RuleSet = HANS_IM_GLUECK
    """The rule set."""
    cards: CardSet = RECONSTRUCTION
    """The card set."""
    most_turns: int = attrs.field(default=MOST_TURNS, validator=[instance_of(int), ge(1)])
    """The number of turns of all players after which the game is truncated."""

    def __attrs_post_init__(self) -> None:
        """Refuse a number of bots that cannot play."""
        if len(self.bots) not in QUOTAS:
            raise ValueError(f"2 to 4 bots can play, not {len(self.bots)}")


@attrs.frozen
class GameResult(Value):
    """The result of a game: what a study keeps of it, with a figure for each seat."""

    points: tuple[int, ...]
    """The points; in a truncated game, the points so far."""
    houses: tuple[int, ...]
    """The houses."""
    winners: tuple[int, ...]
    """The seats that won; none if the game was truncated."""
    stop: str = attrs.field(validator=in_(("over", "turns")))
    """Why it stopped: it was over, or had taken too many turns."""
    main_turns: tuple[int, ...]
    """How many turns began before the final phase."""
    turns: tuple[int, ...]
    """How many turns began in all."""
    decisions: tuple[int, ...]
    """How many prompts each seat answered."""
    digest: str
    """The digest of the game, see `digest_of`."""
    cpu_ms: tuple[float, ...] = attrs.field(eq=False)
    """The CPU time of each bot in milliseconds, with what its answers led to; ignored by
    comparisons."""
    longest_ms: tuple[float, ...] = attrs.field(eq=False)
    """The CPU time of each bot's longest decision; likewise."""

    def __attrs_post_init__(self) -> None:
        """Refuse figures that do not fit together."""
        seats, winners = len(self.points), self.winners
        by_seat = (self.houses, self.main_turns, self.turns, self.decisions)
        if {seats} != set(map(len, (*by_seat, self.cpu_ms, self.longest_ms))):
            raise ValueError(f"there must be a figure for each of {seats} seats")
        if not {*winners} <= {*range(seats)} or len({*winners}) < len(winners):
            raise ValueError(f"winners must be among {seats} seats")

    @property
    def twelfths(self) -> tuple[int, ...]:
        """Each seat's share of the victory in twelfths: all of it, or a part if several won.

        In a truncated game every seat has an equal share.
        """
        seats = range(len(self.points))
        winners = self.winners or seats
        each = WHOLE_VICTORY // len(winners)
        return tuple([each if seat in winners else 0 for seat in seats])

    @property
    def shares(self) -> tuple[float, ...]:
        """Each seat's share of the victory."""
        return tuple([part / WHOLE_VICTORY for part in self.twelfths])

    @property
    def places(self) -> tuple[int, ...]:
        """The place of each seat, from 1; houses break ties of points."""
        sums = list(zip(self.points, self.houses, strict=True))
        return tuple([1 + sum([other > own for other in sums]) for own in sums])


@attrs.frozen
class Game(Value):
    """A game that was played."""

    job: Job
    """What determines it."""
    answers: tuple[Action, ...] = attrs.field(repr=False)
    """The answers of the players, in order."""
    result: GameResult
    """Its result."""
    course: Course
    """The figures for reports."""

    @property
    def record(self) -> Record:
        """The game with the answers of chance, from which it can be replayed without its bots."""
        job, chance = self.job, _Chance(self.job.seed)
        start = new_game(len(job.bots), rules=job.rules, cards=job.cards)
        actions = tuple(with_chance(_packed(start), self.answers, chance.sample))
        return Record(len(job.bots), job.rules, job.cards, actions)


def play_game(job: Job, make: Callable[[str, random.Random], Bot] = make_bot) -> Game:
    """Play a game: equal jobs give equal games.

    Takes the function that makes a bot from its name and a generator, if it is not `make_bot`.

    The native backend makes it faster; the game is the same without it.  Raises the errors of
    `valletta_rules.bots.make_bot` and of `valletta_rules.new_game`, `IllegalActionError` if a bot
    returns an illegal action, and any error of a bot; notes on the error name the bot, its seat and
    the job.
    """
    try:
        return _Playing(job, make).game()
    except Exception as error:
        error.add_note(f"in {job}")
        raise


def digest_of(answers: Iterable[Action]) -> str:
    """Return the digest of a game: BLAKE2b, ten bytes, of the players' answers in notation."""
    return blake2b("\n".join(map(_notation, answers)).encode(), digest_size=10).hexdigest()


_notation: Final = lru_cache(maxsize=1 << 14)(format_action)


def stream(seed: int, what: str, owner: int = 0) -> random.Random:
    """Return the generator for one source of chance: a kind of draw, or a bot, and a seat."""
    return random.Random(f"valletta {seed} {what} {owner}")


class _Chance:
    """The answers of chance in a game, with a generator for each kind of draw and owner."""

    def __init__(self, seed: int) -> None:
        """Take the seed of the game."""
        self._source = cache(partial(stream, seed))

    def source(self, prompt: Prompt | None) -> random.Random:
        """Return the generator by which chance answers a question."""
        match prompt:
            case DrawPrompt(seat):
                return self._source("draw", seat)
            case BarrelPrompt():
                return self._source("barrel")
            case _:
                return self._source("deal")

    def sample(self, position: GameState | PackedState) -> Action:
        """Return the answer of chance in a position."""
        return sample_chance(position, self.source(position.prompt))


class _Playing:
    """A game while it is played."""

    def __init__(self, job: Job, make: Callable[[str, random.Random], Bot]) -> None:
        """Seat the bots and lay the table."""
        seats = range(len(job.bots))
        self.job, self.chance, self.follower = job, _Chance(job.seed), Follower(len(seats))
        self.bots = [make(job.bots[seat], stream(job.seed, "bot", seat)) for seat in seats]
        self.times: list[list[float]] = [[] for _ in seats]
        self.answers: list[Action] = []
        start = new_game(len(seats), rules=job.rules, cards=job.cards)
        self.audience = Audience(start, dict(enumerate(self.bots)))
        self.position = start if self.audience.listens else _packed(start)

    def game(self) -> Game:
        """Play until the game is over or has taken too many turns, and return it."""
        job, follower, clock = self.job, self.follower, time.process_time
        self.resolve_chance()
        before = clock()
        while (prompt := self.position.prompt) is not None and prompt.seat is not None:
            if follower.ask(self.position, prompt) > job.most_turns:
                break
            seat = prompt.seat
            try:
                action = self.bots[seat].decide(view(self.position, seat))
                self.take(action)
            except Exception as error:
                error.add_note(f"when {job.bots[seat]} was asked, in seat {seat}")
                raise
            self.answers.append(action)
            follower.answer(prompt, action)
            self.resolve_chance()
            now = clock()
            self.times[seat].append(now - before)
            before = now
        return self.told()

    def take(self, action: Action) -> None:
        """Carry out an action, and tell the bots that want to know what happens."""
        if self.audience.listens:
            made = transition(whole(self.position), action)
            self.position = made.state
            self.audience.hear(made.events)
        else:
            self.position = apply(self.position, action)

    def resolve_chance(self) -> None:
        """Let chance answer until a player is asked or the game is over.

        Once turns have begun, nothing but the next turn follows when a player draws, so that all
        draws are resolved at once if nobody listens.
        """
        while (prompt := self.position.prompt) is not None and prompt.seat is None:
            draws = self.follower.has_begun and isinstance(prompt, DrawPrompt)
            if draws and not self.audience.listens:
                self.position = resolve_chance(self.position, self.chance.source(prompt))
            else:
                self.take(self.chance.sample(self.position))

    def told(self) -> Game:
        """Return the game as far as it was played."""
        last, follower = whole(self.position), self.follower
        end = outcome(last)
        scores = predicted_scores(last) if end is None else end.scores
        result = GameResult(
            points=tuple([score.total for score in scores]),
            houses=tuple([score.houses for score in scores]),
            winners=() if end is None else end.winners,
            stop="turns" if end is None else "over",
            main_turns=tuple(follower.main_turns),
            turns=tuple(follower.turns),
            decisions=tuple(map(len, self.times)),
            digest=digest_of(self.answers),
            cpu_ms=tuple([round(1000 * sum(each), 2) for each in self.times]),
            longest_ms=tuple([round(1000 * max(each, default=0), 2) for each in self.times]),
        )
        return Game(self.job, tuple(self.answers), result, follower.course(last))


def _packed(start: GameState) -> GameState | PackedState:
    """Return a position packed, if it can be."""
    try:
        return native.pack(start) if native.available else start
    except native.RowError:
        return start
