"""Play a game between bots.  The game depends only on its `Job`.

The deal, the barrels, the draws of each seat and the bot of each seat have separate random
generators.  A different bot in one seat therefore does not change the random numbers for outcomes
and for other bots: games with the same seed have common random numbers, as far as possible.

If the native backend is available and no bot observes events, the game is played on packed
positions.  This is faster, and does not change the game.  Random bots are never called: the backend
or this module chooses a legal action with the generator of the bot, as the bot would.
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
"""The number of parts of a victory, which 2, 3 or 4 winners can share equally."""


def specs(bots: Iterable[str]) -> tuple[str, ...]:
    """Return `bots` as a tuple; raise `TypeError` unless it is a sequence of strings."""
    if isinstance(bots, str):
        raise TypeError(f"bots must be a sequence of names, not {abbreviated(bots)}")
    names = tuple(bots)
    for name in names:
        if not isinstance(name, str):
            raise TypeError(
                f"a bot must be a string such as 'my_module:MyBot', not {abbreviated(name)}"
            )
    return names


@attrs.frozen
class Job(Value):
    """The bots, seed, rules and cards of a game, which determine its result."""

    bots: tuple[str, ...] = attrs.field(converter=specs)
    """The bots in the order of the seats, in the notation of `valletta_rules.bots.make_bot`."""
    seed: int = attrs.field(validator=instance_of(int))
    """The seed of the random outcomes and of the bots."""
    rules: RuleSet = HANS_IM_GLUECK
    """The rule set of the game."""
    cards: CardSet = RECONSTRUCTION
    """The card set of the game."""
    most_turns: int = attrs.field(default=MOST_TURNS, validator=[instance_of(int), ge(1)])
    """The total number of turns, of all players together, after which the game is truncated."""

    def __attrs_post_init__(self) -> None:
        """Raise `ValueError` unless there are 2 to 4 bots."""
        if len(self.bots) not in QUOTAS:
            raise ValueError(f"a game has 2 to 4 bots, not {len(self.bots)}")


@attrs.frozen
class GameResult(Value):
    """The result of a game, as a study stores it.

    Every tuple except `winners` contains one value for each seat.
    """

    points: tuple[int, ...]
    """The final scores.  For a truncated game, the scores as if it had ended at that point."""
    houses: tuple[int, ...]
    """The number of houses that each seat has placed."""
    winners: tuple[int, ...]
    """The winning seats; empty if the game was truncated."""
    stop: str = attrs.field(validator=in_(("over", "turns")))
    """The reason for the end: ``over``, or ``turns`` if the game had too many turns."""
    main_turns: tuple[int, ...]
    """For each seat, the number of its turns that began before the final phase."""
    turns: tuple[int, ...]
    """For each seat, the number of its turns in the whole game."""
    decisions: tuple[int, ...]
    """The number of prompts that each seat answered."""
    digest: str
    """The digest of all answers, computed by `digest_of`."""
    cpu_ms: tuple[float, ...] = attrs.field(eq=False)
    """The CPU time of each bot in milliseconds, including the time to apply its answers.

    The total time of random bots is divided among them.  Comparisons ignore these times.
    """
    longest_ms: tuple[float, ...] = attrs.field(eq=False)
    """The CPU time of each bot's longest decision in milliseconds.  Comparisons ignore it."""

    def __attrs_post_init__(self) -> None:
        """Raise `ValueError` for an invalid winner, or a tuple with a wrong number of values."""
        seats, winners = len(self.points), self.winners
        by_seat = (self.houses, self.main_turns, self.turns, self.decisions)
        if {seats} != set(map(len, (*by_seat, self.cpu_ms, self.longest_ms))):
            raise ValueError(
                f"each field with values by seat must have {seats} values, one for each seat"
            )
        if not {*winners} <= {*range(seats)} or len({*winners}) < len(winners):
            raise ValueError(
                f"winners must be seats from 0 to {seats - 1}, each once, not {self.winners}"
            )

    @property
    def twelfths(self) -> tuple[int, ...]:
        """The fraction of the victory that each seat gets, in twelfths.

        Several winners have equal shares.  In a truncated game, all seats have equal shares.
        """
        seats = range(len(self.points))
        winners = self.winners or seats
        each = WHOLE_VICTORY // len(winners)
        return tuple([each if seat in winners else 0 for seat in seats])

    @property
    def shares(self) -> tuple[float, ...]:
        """The fraction of the victory that each seat gets, from 0 to 1."""
        return tuple([part / WHOLE_VICTORY for part in self.twelfths])

    @property
    def places(self) -> tuple[int, ...]:
        """The rank of each seat; 1 is the best.  Houses break ties in points."""
        sums = list(zip(self.points, self.houses, strict=True))
        return tuple([1 + sum([other > own for other in sums]) for own in sums])


@attrs.frozen
class PlayedGame(Value):
    """A finished or truncated game, with its answers and its result."""

    job: Job
    """The job that defines the game."""
    answers: tuple[Action, ...] = attrs.field(repr=False)
    """The answers of the players, in order."""
    result: GameResult
    """The result of the game."""
    course: Timeline
    """The statistics of the game for reports."""

    @property
    def record(self) -> Record:
        """The record of the game with all random outcomes.  It can be replayed without bots."""
        job, chance = self.job, _Chance(self.job.seed, len(self.job.bots))
        start = new_game(len(job.bots), rules=job.rules, cards=job.cards)
        actions = tuple(with_chance(_packed(start), self.answers, chance.sample))
        return Record(len(job.bots), job.rules, job.cards, actions)


def play_game(job: Job, make: Callable[[str, random.Random], Bot] = make_bot) -> PlayedGame:
    """Play the game of a job; equal jobs result in equal games.

    `make` is a function that creates a bot from its name and a random generator; the default is
    `valletta_rules.bots.make_bot`.  The native backend makes the game faster, and does not change
    it.

    Raises the errors of `valletta_rules.bots.make_bot` and of `valletta_rules.new_game`,
    `IllegalActionError` if a bot returns an illegal action, and any error that a bot raises.  The
    notes of the error name the bot, its seat and the job.
    """
    try:
        return _Playing(job, make).game()
    except Exception as error:
        error.add_note(f"in {job}")
        raise


def digest_of(texts: Iterable[str]) -> str:
    """Return the digest of the notation of a game's answers: BLAKE2b with ten bytes."""
    return blake2b("\n".join(texts).encode(), digest_size=10).hexdigest()


def stream(seed: int, purpose: str, owner: int = 0) -> random.Random:
    """Return the random generator for the deal, for the barrels, or for the draws or bot of a seat.

    `purpose` is ``deal``, ``barrel``, ``draw`` or ``bot``, and `owner` is the seat.
    """
    return random.Random(f"valletta {seed} {purpose} {owner}")


class _Chance:
    """A source of random outcomes: separate generators for the deal, the barrels and each seat."""

    def __init__(self, seed: int, seats: int) -> None:
        draws = [stream(seed, "draw", seat) for seat in range(seats)]
        self.sources = (stream(seed, "deal"), stream(seed, "barrel"), *draws)
        """The random generators for the deal, for the barrels, and for each seat's draws."""

    def source(self, prompt: Prompt | None) -> random.Random:
        """Return the random generator for the outcome that a prompt requires."""
        match prompt:
            case DrawPrompt(seat):
                return self.sources[2 + seat]
            case BarrelPrompt():
                return self.sources[1]
            case _:
                return self.sources[0]

    def sample(self, position: GameState | PackedState) -> Action:
        """Return a random outcome for the chance prompt of a position."""
        return sample_chance(position, self.source(position.prompt))


class _Times:
    """A timer that measures each bot's total CPU time and its longest decision, in seconds.

    A decision of a random bot is too short to be measured.  The time between two readings of the
    clock is therefore divided equally among all decisions that were made between them.
    """

    def __init__(self, seats: int) -> None:
        self.spent, self.longest, self._timed = [0.0] * seats, [0.0] * seats, [0] * seats
        self._before = time.process_time()

    def read(self, decisions: Sequence[int]) -> None:
        """Read the clock, and divide the time since the previous reading among the new decisions.

        `decisions` contains the total number of each seat's decisions so far.
        """
        now, new = time.process_time(), list(map(sub, decisions, self._timed))
        if any(new):
            each = (now - self._before) / sum(new)
            for seat, count in enumerate(new):
                self.spent[seat] += each * count
                self.longest[seat] = max(self.longest[seat], each if count else 0.0)
            self._timed = list(decisions)
        self._before = now


class _Playing:
    """A game in progress, with its bots, random generators and statistics."""

    def __init__(self, job: Job, make: Callable[[str, random.Random], Bot]) -> None:
        seats = range(len(job.bots))
        self.job, self.chance = job, _Chance(job.seed, len(seats))
        self.follower = Follower(len(seats))
        self.bots = [make(job.bots[seat], stream(job.seed, "bot", seat)) for seat in seats]
        self.randomly = tuple([bot.rng if type(bot) is RandomBot else None for bot in self.bots])
        """For each random bot, the generator that replaces the bot; `None` for any other bot."""
        start = _start(len(seats), job.rules, job.cards)
        others = {seat: bot for seat, bot in enumerate(self.bots) if self.randomly[seat] is None}
        self.audience = Audience(start, others)
        self.position = start if self.audience.listens else _packed(start)
        self.times = _Times(len(seats))

    def game(self) -> PlayedGame:
        """Play until the game is over or must be truncated, and return the game."""
        job, follower, is_noted = self.job, self.follower, False
        while (prompt := self.play_on(is_noted)) is not None and (seat := prompt.seat) is not None:
            if follower.note_prompt(self.position, prompt) > job.most_turns:
                break
            is_noted = self.randomly[seat] is not None and not isinstance(self.position, GameState)
            if is_noted:
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
        return self.played_game()

    def decide(self, seat: int) -> Action:
        """Return the answer of the bot in a seat.  A random bot is simulated instead of called."""
        if (rng := self.randomly[seat]) is not None:
            return rng.choice(legal_actions(self.position))
        self.times.read(self.follower.decisions)
        return self.bots[seat].decide(view(self.position, seat))

    def play_on(self, is_noted: bool) -> Prompt | None:
        """Play until a bot must be called or the game is over; return the prompt.

        Random outcomes are drawn, and the backend chooses the actions of random bots with their
        generators.  The backend stops at a prompt for which `follower.note_prompt` must be called.
        `is_noted` says whether this call has been made for the current prompt.
        """
        position, follower = self.position, self.follower
        if isinstance(position, GameState):
            return self.resolve_chance()
        left = self.job.most_turns - follower.count
        self.position, runs = position.played_on(self.randomly, self.chance.sources, left, is_noted)
        for seat, begins, actions in runs:
            if begins:
                follower.begin(seat)
            follower.answer(seat, actions)
        return self.position.prompt

    def take(self, action: Action) -> None:
        """Apply an action, and pass the events to the bots that observe them."""
        if self.audience.listens:
            step = transition(whole(self.position), action)
            self.position = step.state
            self.audience.receive(step.events)
        else:
            self.position = apply(self.position, action)

    def resolve_chance(self) -> Prompt | None:
        """Draw random outcomes until a player must answer or the game is over; return the prompt.

        After the first turn has begun, draws occur only at the end of a turn.  Consecutive draws
        are therefore resolved in one call if no bot observes the events.
        """
        while (prompt := self.position.prompt) is not None and prompt.seat is None:
            draws = self.follower.count and isinstance(prompt, DrawPrompt)
            if draws and not self.audience.listens:
                self.position = resolve_chance(self.position, self.chance.source(prompt))
            else:
                self.take(self.chance.sample(self.position))
        return prompt

    def played_game(self) -> PlayedGame:
        """Return the moves so far as a played game, with its result."""
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
    return new_game(players, rules=rules, cards=cards)


def _packed(start: GameState) -> GameState | PackedState:
    """Return a position in packed form if possible, otherwise unchanged."""
    try:
        return native.pack(start) if native.available else start
    except native.RowError:
        return start
