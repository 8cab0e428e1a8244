"""One game between bots: a pure function from a job to the game.

Chance has its own generators, one for the deal, one for the barrels and one for each seat's draws,
and so has the bot of each seat.  Another bot at the table therefore changes none of the numbers
that the others, or chance, draw: the same seed gives common random numbers, as far as possible.

The game is played on packed positions, if there are any and no bot follows the events; it is the
same game otherwise, only slower.  Bots that play at random are not called: one of the legal actions
is picked as they would, with their generators, by the backend if there is one.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from hashlib import blake2b
from operator import sub
from typing import TYPE_CHECKING, Final

import attrs
from attrs.validators import ge, in_, instance_of

from valletta_rules import native
from valletta_rules.actions import Action
from valletta_rules.agenda import BarrelPrompt, DrawPrompt, Prompt
from valletta_rules.bots import Bot, make_bot
from valletta_rules.bots.random_bot import RandomBot
from valletta_rules.card_sets.files import RECONSTRUCTION
from valletta_rules.chance import resolve_chance, sample_chance
from valletta_rules.components import MOST_TURNS, QUOTAS, CardSet, Value, abbreviated
from valletta_rules.engine import apply, legal_actions, transition
from valletta_rules.games import new_game
from valletta_rules.play.driver import Audience, with_chance
from valletta_rules.records.record import Record
from valletta_rules.rulebook.scoring import outcome
from valletta_rules.rulings import HANS_IM_GLUECK, RuleSet
from valletta_rules.state import GameState
from valletta_rules.studies.timeline import Follower, Timeline, texts_of, whole
from valletta_rules.views.player_information import predicted_scores
from valletta_rules.views.view import view

if TYPE_CHECKING:
    from valletta_rules.native import PackedState

WHOLE_VICTORY: Final = 12
"""The unit of victory: every share of a victory is a whole number of it."""


def specs(bots: Iterable[str]) -> tuple[str, ...]:
    """Return the names of bots as a tuple; raise `TypeError` for any other value."""
    if isinstance(bots, str):
        raise TypeError(f"bots must be a sequence of names, not {abbreviated(bots)}")
    names = tuple(bots)
    for name in names:
        if not isinstance(name, str):
            raise TypeError(f"a bot is named, as in 'my_module:MyBot', not {abbreviated(name)}")
    return names


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
        """Raise `ValueError` for a number of bots that cannot play."""
        if len(self.bots) not in QUOTAS:
            raise ValueError(f"a game has 2 to 4 bots, not {len(self.bots)}")


@attrs.frozen
class GameResult(Value):
    """The result of a game: the data that a study stores, with a value for each seat."""

    points: tuple[int, ...]
    """The points; in a truncated game, the points so far."""
    houses: tuple[int, ...]
    """The houses."""
    winners: tuple[int, ...]
    """The seats that won; none if the game was truncated."""
    stop: str = attrs.field(validator=in_(("over", "turns")))
    """Why the game stopped: it was over, or had too many turns."""
    main_turns: tuple[int, ...]
    """The number of each seat's turns that began before the final phase."""
    turns: tuple[int, ...]
    """The number of all turns of each seat."""
    decisions: tuple[int, ...]
    """The number of prompts that each seat answered."""
    digest: str
    """The digest of the game, see `digest_of`."""
    cpu_ms: tuple[float, ...] = attrs.field(eq=False)
    """The CPU time of each bot in milliseconds, its answers' immediate effects included.

    Random bots share their total.  Comparisons ignore these times.
    """
    longest_ms: tuple[float, ...] = attrs.field(eq=False)
    """The CPU time of each bot's longest decision; comparisons ignore it."""

    def __attrs_post_init__(self) -> None:
        """Raise `ValueError` for values that do not fit together."""
        seats, winners = len(self.points), self.winners
        by_seat = (self.houses, self.main_turns, self.turns, self.decisions)
        if {seats} != set(map(len, (*by_seat, self.cpu_ms, self.longest_ms))):
            raise ValueError(f"there must be a value for each of {seats} seats")
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
class PlayedGame(Value):
    """A game that was played."""

    job: Job
    """The job that determines it."""
    answers: tuple[Action, ...] = attrs.field(repr=False)
    """The answers of the players, in order."""
    result: GameResult
    """Its result."""
    course: Timeline
    """The statistics for reports."""

    @property
    def record(self) -> Record:
        """The game with the answers of chance, from which it can be replayed without its bots."""
        job, chance = self.job, _Chance(self.job.seed, len(self.job.bots))
        start = new_game(len(job.bots), rules=job.rules, cards=job.cards)
        actions = tuple(with_chance(_packed(start), self.answers, chance.sample))
        return Record(len(job.bots), job.rules, job.cards, actions)


def play_game(job: Job, make: Callable[[str, random.Random], Bot] = make_bot) -> PlayedGame:
    """Play a game: equal jobs give equal games.

    `make` makes a bot from its name and a generator, by default with
    `valletta_rules.bots.make_bot`.  The native backend makes the game faster, and does not change
    it.  Raises the errors of `valletta_rules.bots.make_bot` and of `valletta_rules.new_game`,
    `IllegalActionError` if a bot returns an illegal action, and any error of a bot; notes on the
    error name the bot, its seat and the job.
    """
    try:
        return _Playing(job, make).game()
    except Exception as error:
        error.add_note(f"in {job}")
        raise


def digest_of(texts: Iterable[str]) -> str:
    """Return the digest of a game: BLAKE2b, ten bytes, of the players' answers in notation."""
    return blake2b("\n".join(texts).encode(), digest_size=10).hexdigest()


def stream(seed: int, what: str, owner: int = 0) -> random.Random:
    """Return the generator for one source of chance: a kind of draw, or a bot, and a seat."""
    return random.Random(f"valletta {seed} {what} {owner}")


class _Chance:
    """The answers of chance in a game, with a generator for each kind of draw and owner."""

    def __init__(self, seed: int, seats: int) -> None:
        """Create the generators from the seed of the game, for `seats` seats."""
        draws = [stream(seed, "draw", seat) for seat in range(seats)]
        self.sources = (stream(seed, "deal"), stream(seed, "barrel"), *draws)
        """The generators: of the deal, of the barrels, and of each seat's draws."""

    def source(self, prompt: Prompt | None) -> random.Random:
        """Return the generator by which chance answers a question."""
        match prompt:
            case DrawPrompt(seat):
                return self.sources[2 + seat]
            case BarrelPrompt():
                return self.sources[1]
            case _:
                return self.sources[0]

    def sample(self, position: GameState | PackedState) -> Action:
        """Return the answer of chance in a position."""
        return sample_chance(position, self.source(position.prompt))


class _Times:
    """The CPU time of each bot, and of its longest decision, in seconds.

    A random decision is too short to be timed: all those between two readings of the clock share
    the time between them.
    """

    def __init__(self, seats: int) -> None:
        """Start the clock."""
        self.spent, self.longest, self._timed = [0.0] * seats, [0.0] * seats, [0] * seats
        self._before = time.process_time()

    def read(self, decisions: Sequence[int]) -> None:
        """Read the clock; `decisions` holds the number of decisions of each seat so far."""
        now, new = time.process_time(), list(map(sub, decisions, self._timed))
        if any(new):
            each = (now - self._before) / sum(new)
            for seat, made in enumerate(new):
                self.spent[seat] += each * made
                self.longest[seat] = max(self.longest[seat], each if made else 0.0)
            self._timed = list(decisions)
        self._before = now


class _Playing:
    """A game in progress."""

    def __init__(self, job: Job, make: Callable[[str, random.Random], Bot]) -> None:
        """Create the bots and the first position."""
        seats = range(len(job.bots))
        self.job, self.chance = job, _Chance(job.seed, len(seats))
        self.follower = Follower(len(seats))
        self.bots = [make(job.bots[seat], stream(job.seed, "bot", seat)) for seat in seats]
        self.randomly = tuple([bot.rng if type(bot) is RandomBot else None for bot in self.bots])
        """The generators of the bots that play at random, which need not be called."""
        start = _start(len(seats), job.rules, job.cards)
        others = {seat: bot for seat, bot in enumerate(self.bots) if self.randomly[seat] is None}
        self.audience = Audience(start, others)
        self.position = start if self.audience.listens else _packed(start)
        self.times = _Times(len(seats))

    def game(self) -> PlayedGame:
        """Play until the game is over or has had too many turns, and return it."""
        job, follower, is_told = self.job, self.follower, False
        while (prompt := self.play_on(is_told)) is not None and (seat := prompt.seat) is not None:
            if follower.ask(self.position, prompt) > job.most_turns:
                break
            is_told = self.randomly[seat] is not None and not isinstance(self.position, GameState)
            if is_told:
                continue
            try:
                action = self.decide(seat)
                self.take(action)
            except Exception as error:
                error.add_note(f"when {job.bots[seat]} had to answer, in seat {seat}")
                raise
            follower.answer(seat, [action])
            if self.randomly[seat] is None:
                self.times.read(follower.decisions)
        self.times.read(follower.decisions)
        return self.told()

    def decide(self, seat: int) -> Action:
        """Return the answer of a bot; of a random bot, the answer that it would give."""
        if (rng := self.randomly[seat]) is not None:
            return rng.choice(legal_actions(self.position))
        self.times.read(self.follower.decisions)
        return self.bots[seat].decide(view(self.position, seat))

    def play_on(self, is_told: bool) -> Prompt | None:
        """Play until a bot must be called, or the game is over; return the prompt.

        Chance answers, and the backend for bots that play at random, with the generators and the
        legal actions that these would use.  The backend stops where `follower.ask` must be called;
        `is_told` tells whether it has been called for the present prompt.
        """
        position, follower = self.position, self.follower
        if isinstance(position, GameState):
            return self.resolve_chance()
        left = self.job.most_turns - follower.count
        self.position, runs = position.played_on(self.randomly, self.chance.sources, left, is_told)
        for seat, begins, actions in runs:
            if begins:
                follower.begin(seat)
            follower.answer(seat, actions)
        return self.position.prompt

    def take(self, action: Action) -> None:
        """Apply an action, and pass the events to the bots that follow them."""
        if self.audience.listens:
            made = transition(whole(self.position), action)
            self.position = made.state
            self.audience.hear(made.events)
        else:
            self.position = apply(self.position, action)

    def resolve_chance(self) -> Prompt | None:
        """Resolve chance until a player must answer or the game is over; return the prompt.

        Once turns have begun, only the next turn follows when a player draws, so all draws are
        resolved at once if no bot follows the events.
        """
        while (prompt := self.position.prompt) is not None and prompt.seat is None:
            draws = self.follower.count and isinstance(prompt, DrawPrompt)
            if draws and not self.audience.listens:
                self.position = resolve_chance(self.position, self.chance.source(prompt))
            else:
                self.take(self.chance.sample(self.position))
        return prompt

    def told(self) -> PlayedGame:
        """Return the game as far as it was played."""
        last, follower, times = whole(self.position), self.follower, self.times
        texts, end = texts_of(follower.answers), outcome(last)
        scores = predicted_scores(last) if end is None else end.scores
        result = GameResult(
            points=tuple([score.total for score in scores]),
            houses=tuple([score.houses for score in scores]),
            winners=() if end is None else end.winners,
            stop="turns" if end is None else "over",
            main_turns=tuple(follower.main_turns),
            turns=tuple(follower.turns),
            decisions=tuple(follower.decisions),
            digest=digest_of(texts),
            cpu_ms=tuple([round(1000 * each, 2) for each in times.spent]),
            longest_ms=tuple([round(1000 * each, 2) for each in times.longest]),
        )
        return PlayedGame(self.job, tuple(follower.answers), result, follower.course(last))


@lru_cache(maxsize=8)
def _start(players: int, rules: RuleSet, cards: CardSet) -> GameState:
    """Return the first position of a game."""
    return new_game(players, rules=rules, cards=cards)


def _packed(start: GameState) -> GameState | PackedState:
    """Return a position packed, if it can be."""
    try:
        return native.pack(start) if native.available else start
    except native.RowError:
        return start
