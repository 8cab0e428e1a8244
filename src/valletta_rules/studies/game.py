"""One game between bots: a pure function from a job to its result.

Chance has its own generators, one for the deal, one for the barrels and one for each seat's draws,
and so has the bot of each seat.  Another bot at the table therefore changes none of the numbers
that the others, or chance, take: the same seed gives common random numbers, as far as possible.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable
from functools import cache, partial

import attrs
from attrs.validators import ge, in_, instance_of

from valletta_rules import native
from valletta_rules.actions import Action
from valletta_rules.agenda import BarrelPrompt, DealPrompt, DrawPrompt
from valletta_rules.bots.protocol import Bot
from valletta_rules.bots.registry import make_bot
from valletta_rules.card_sets.files import RECONSTRUCTION
from valletta_rules.chance import sample_chance
from valletta_rules.components.card_set import CardSet
from valletta_rules.components.display import QUOTAS
from valletta_rules.components.limits import MOST_TURNS
from valletta_rules.components.names import shown
from valletta_rules.components.values import Value
from valletta_rules.games import new_game
from valletta_rules.play.driver import Answerer, Audience, Move, follow
from valletta_rules.records.files import format_played
from valletta_rules.records.record import Record
from valletta_rules.rulebook.scoring import outcome
from valletta_rules.rulings import HANS_IM_GLUECK, RuleSet
from valletta_rules.state import GameState
from valletta_rules.studies.course import Course, course_of
from valletta_rules.views.player_information import predicted_scores
from valletta_rules.views.view import view


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
    number: int = 0
    """The number of the game in its study, from 0; the game does not depend on it."""

    def __attrs_post_init__(self) -> None:
        """Refuse a number of bots that cannot play."""
        if len(self.bots) not in QUOTAS:
            raise ValueError(f"2 to 4 bots can play, not {len(self.bots)}")


@attrs.frozen
class GameResult(Value):
    """The result of a game, with the game itself."""

    job: Job
    """The game that was played."""
    points: tuple[int, ...]
    """The points by seat; in a truncated game, the points so far."""
    houses: tuple[int, ...]
    """The houses by seat."""
    winners: tuple[int, ...]
    """The seats that won; none if the game was truncated."""
    stop: str = attrs.field(validator=in_(("over", "turns")))
    """Why it stopped: it was over, or had taken too many turns."""
    decisions: tuple[int, ...]
    """How many prompts each seat answered."""
    course: Course
    """The figures for reports; they follow from the record."""
    record: str = attrs.field(repr=False)
    """The game, as the text of a record."""
    cpu_ms: tuple[float, ...] = attrs.field(eq=False)
    """The CPU time of each bot in milliseconds; ignored by comparisons."""
    longest_ms: tuple[float, ...] = attrs.field(eq=False)
    """The CPU time of each bot's longest decision; likewise."""
    is_native: bool = attrs.field(eq=False)
    """Whether the native backend was used; likewise."""

    def __attrs_post_init__(self) -> None:
        """Refuse figures that do not fit the number of players or the cards."""
        seats, codes = range(len(self.job.bots)), {each.code for each in self.job.cards.buildings}
        course = self.course
        by_seat = (self.points, self.houses, self.decisions, course.main_turns, course.turns)
        if any(len(each) != len(seats) for each in (*by_seat, self.cpu_ms, self.longest_ms)):
            raise ValueError(f"there must be a figure for each of {len(seats)} seats")
        owners = {site.owner for site in course.sites} - {None}
        if not owners | {*self.winners} <= {*seats} or len({*self.winners}) < len(self.winners):
            raise ValueError(f"owners and winners must be among {len(seats)} seats")
        if not {site.code for site in course.sites} <= codes:
            raise ValueError("the buildings must be of the card set")

    @property
    def shares(self) -> tuple[float, ...]:
        """Each seat's share of the victory: all of it, or a part if several won.

        In a truncated game every seat has an equal share.
        """
        seats = range(len(self.points))
        winners = self.winners or tuple(seats)
        return tuple(1 / len(winners) if seat in winners else 0.0 for seat in seats)

    @property
    def places(self) -> tuple[int, ...]:
        """The place of each seat, from 1; houses break ties of points."""
        sums = list(zip(self.points, self.houses, strict=True))
        return tuple(1 + sum(other > own for other in sums) for own in sums)


def play_game(job: Job, make: Callable[[str, random.Random], Bot] = make_bot) -> GameResult:
    """Play a game and return its result: equal jobs give equal results.

    Takes the function that makes a bot from its name and a generator, if it is not `make_bot`.

    The native backend makes bots faster; the game is the same without it.  Raises the errors of
    `valletta_rules.bots.make_bot` and of `valletta_rules.new_game`, `IllegalActionError` if a bot
    returns an illegal action, and any error of a bot; notes on the error name the bot, its seat and
    the job.
    """
    try:
        return _Playing(job, make).result()
    except Exception as error:
        error.add_note(f"in {job}")
        raise


def stream(seed: int, what: str, owner: int = 0) -> random.Random:
    """Return the generator for one source of chance: a kind of draw, or a bot, and a seat."""
    return random.Random(f"valletta {seed} {what} {owner}")


def _chance(seed: int) -> Answerer:
    """Return a function that resolves chance, with a generator for each kind of draw and owner."""
    source = cache(partial(stream, seed))

    def answer(position: GameState) -> Action | None:
        match position.prompt:
            case DealPrompt():
                return sample_chance(position, source("deal"))
            case DrawPrompt(seat):
                return sample_chance(position, source("draw", seat))
            case BarrelPrompt():
                return sample_chance(position, source("barrel"))
            case _:
                return None

    return answer


class _Playing:
    """A game while it is played."""

    def __init__(self, job: Job, make: Callable[[str, random.Random], Bot]) -> None:
        """Seat the bots and lay the table."""
        seats = range(len(job.bots))
        self.job = job
        self.bots = {seat: make(job.bots[seat], stream(job.seed, "bot", seat)) for seat in seats}
        self.times: list[list[float]] = [[] for _ in seats]
        self.moves: list[Move] = []
        self.position = new_game(len(seats), rules=job.rules, cards=job.cards)
        self.audience = Audience(self.position, self.bots)
        self.asked: int | None = None

    def result(self) -> GameResult:
        """Play until the game is over or has taken too many turns, and return the result."""
        try:
            for move in follow(self.position, _chance(self.job.seed), self._ask):
                self.audience.hear(move.events)
                self.position, self.asked = move.state, None
                self.moves.append(move)
                if self.audience.turns.total() > self.job.most_turns:
                    break
        except Exception as error:
            if self.asked is not None:
                bot = self.job.bots[self.asked]
                error.add_note(f"when {bot} was asked, in seat {self.asked}")
            raise
        return self._told()

    def _ask(self, position: GameState) -> Action | None:
        """Return the action of the bot that is asked, if one is, and measure its time."""
        if position.prompt is None or position.prompt.seat is None:
            return None
        self.asked = seat = position.prompt.seat
        seen = view(position, seat)
        before = time.process_time()
        action = self.bots[seat].decide(seen)
        self.times[seat].append(time.process_time() - before)
        return action

    def _told(self) -> GameResult:
        """Return the result of the game as far as it was played."""
        job, end = self.job, outcome(self.position)
        steps = [move.transition for move in self.moves]
        record = Record(
            len(job.bots), job.rules, job.cards, tuple(move.action for move in self.moves)
        )
        scores = predicted_scores(self.position) if end is None else end.scores
        return GameResult(
            job=job,
            points=tuple(score.total for score in scores),
            houses=tuple(score.houses for score in scores),
            winners=() if end is None else end.winners,
            stop="turns" if end is None else "over",
            decisions=tuple(map(len, self.times)),
            course=course_of(record.players, steps),
            record=format_played(record, steps),
            cpu_ms=tuple(round(1000 * sum(each), 3) for each in self.times),
            longest_ms=tuple(round(1000 * max(each, default=0), 3) for each in self.times),
            is_native=native.available,
        )
