"""A game played by action number, with prompts for real choices only.

Chance is resolved and forced actions are played; a payment takes four numbers, as in
`valletta_rules.numeric.numbering`.

So anyone who sees whom the referee asks can tell when a hand has only one kind of card, which only
its owner should know.  An agent that is to know no more than a player must be given its view only
when it must answer, and not between the actions of others.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from valletta_rules import agenda, components, engine, games, results, rulings
from valletta_rules.actions import Action
from valletta_rules.card_sets.files import RECONSTRUCTION
from valletta_rules.chance import resolve_chance, sample_chance
from valletta_rules.native import available, glance, pack
from valletta_rules.native import encode as encode_packed
from valletta_rules.numeric.encoding import encode
from valletta_rules.numeric.numbering import COUNT, action_of, legal_mask
from valletta_rules.play.driver import Audience, with_chance
from valletta_rules.records.record import Record
from valletta_rules.rulebook.scoring import outcome, score_sheet
from valletta_rules.state import GameState
from valletta_rules.views.view import PlayerView, view

if TYPE_CHECKING:
    from valletta_rules.native import PackedState

NOTHING_LEGAL = bytes(COUNT)
"""The mask of a seat without a prompt."""


class Referee:
    """A game that goes on by numbers until it is over or has had too many turns."""

    def __init__(
        self,
        players: int = 2,
        *,
        rules: rulings.RuleSet = rulings.HANS_IM_GLUECK,
        cards: components.CardSet = RECONSTRUCTION,
        seed: int,
        max_turns: int | None = components.MOST_TURNS,
        bots: Mapping[int, object] | None = None,
    ) -> None:
        """Start a game and go on to the first choice.

        Takes the seed of chance, the number of turns after which the game is broken off (`None`:
        never), and the bots by seat; those with a memory receive the events.  Raises the errors of
        `valletta_rules.new_game`.
        """
        self._start = games.new_game(players, rules=rules, cards=cards)
        self._seed, self._rng = seed, random.Random(seed)
        self._audience = Audience(self._start, bots or {})
        self._actions: list[Action] = []
        is_packed = available and not self._audience.listens
        self.position: GameState | PackedState = pack(self._start) if is_packed else self._start
        """The position in the form that is played; during a partial payment, the position before
        it.
        """
        self.begun: tuple[int, ...] = ()
        """The numbers of a partial payment."""
        self.legal: bytes = NOTHING_LEGAL
        """A byte for each number, 1 if it is legal for the seat that must answer."""
        self.seat: int | None = None
        """The seat that must answer; `None` if the game is over or truncated."""
        self.turns = 0
        """The number of turns so far."""
        self._turns_left = check_turns(max_turns)
        self._go_on()

    @property
    def state(self) -> GameState:
        """The position as a `GameState`."""
        position = self.position
        return position if isinstance(position, GameState) else position.unpack()

    @property
    def record(self) -> Record:
        """The game so far as a record."""
        start, chance = self._start, partial(sample_chance, rng=random.Random(self._seed))
        actions = with_chance(pack(start) if available else start, self._actions, chance)
        return Record(len(start.players), start.rules, start.cards, tuple(actions))

    @property
    def is_broken_off(self) -> bool:
        """Whether the game has had too many turns and is not over."""
        has_time = self._turns_left is None or self.turns <= self._turns_left
        return not has_time and self.position.prompt is not None

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
        return self.position.prompt is None

    @property
    def outcome(self) -> results.Outcome | None:
        """The outcome, if the game is over."""
        return outcome(self.position)

    @property
    def points(self) -> tuple[int, ...]:
        """The points of each seat, as if the game ended now."""
        position = self.position
        if isinstance(position, GameState):
            return tuple([score.total for score in score_sheet(position)])
        return position.points()

    @property
    def numbers(self) -> tuple[int, ...]:
        """The legal numbers, ascending; none if no seat must answer."""
        return tuple([number for number, legal in enumerate(self.legal) if legal])

    def view(self, seat: int) -> PlayerView:
        """Return a seat's view of the position."""
        return view(self.position, seat)

    def observe(self, seat: int) -> Sequence[int]:
        """Return a seat's view as an array of `valletta_rules.numeric.encoding`."""
        return observe(self.position, seat, self.begun if seat == self.seat else ())

    def mask(self, seat: int) -> bytes:
        """Return a byte for each number, 1 if it is legal for a seat."""
        return self.legal if seat == self.seat else NOTHING_LEGAL

    def answer(self, number: int) -> None:
        """Play a number, and go on to the next choice.

        Raises `ValueError` for a number that is not legal; then nothing has changed.
        """
        if not 0 <= number < COUNT or not self.legal[number]:
            raise ValueError(f"{number} is no legal answer; legal are {list(self.numbers)}")
        self._answer(number)
        self._go_on()

    def play(self, action: Action) -> None:
        """Play an action, and go on to the next choice.

        Raises the errors of `valletta_rules.transition`; then nothing has changed.
        """
        self._take(action)
        self._actions.append(action)
        self._go_on()

    def _answer(self, number: int) -> None:
        """Play a number; the parts of a payment wait until it is complete."""
        begun = (*self.begun, number)
        action = action_of(begun, self.position.cards)
        if action is None:
            self.begun = begun
        else:
            self._take(action)
            self._actions.append(action)

    def _go_on(self) -> None:
        """Resolve chance and play forced numbers up to the next choice."""
        while True:
            self._resolve_chance()
            position = self.position
            prompt = position.prompt
            if not self.begun and isinstance(prompt, agenda.PlayPrompt):
                self.turns += not _has_played(position)
            if prompt is None or self.is_broken_off:
                self.seat, self.legal = None, NOTHING_LEGAL
                return
            self.seat, self.legal = prompt.seat, legal_mask(position, self.begun)
            if self.legal.count(1) > 1:
                return
            self._answer(self.legal.index(1))

    def _resolve_chance(self) -> None:
        """Resolve chance; listeners receive each of its answers."""
        if not self._audience.listens:
            self.position = resolve_chance(self.position, self._rng)
        while isinstance(self.position.prompt, agenda.ChancePrompt):
            self._take(sample_chance(self.position, self._rng))

    def _take(self, action: Action) -> None:
        """Carry out an action of a player or of chance."""
        if self._audience.listens:
            made = engine.transition(self.state, action)
            self.position = made.state
            self._audience.hear(made.events)
        else:
            self.position = engine.apply(self.position, action)
        self.begun = ()


def _has_played(position: GameState | PackedState) -> bool:
    """Return whether a card has been played this turn."""
    played = position.played if isinstance(position, GameState) else glance(position).played
    return bool(played)


def observe(
    position: GameState | PackedState, seat: int | None, begun: Sequence[int]
) -> Sequence[int]:
    """Return a view as an array, for either form of a position."""
    if isinstance(position, GameState):
        return encode(view(position, seat), begun)
    array: Sequence[int] = encode_packed(position, seat, begun)
    return array


def check_turns(max_turns: int | None) -> int | None:
    """Return the number of turns before truncation; raise `ValueError` for less than one."""
    turns = None if max_turns is None else components.whole(max_turns, "max_turns")
    if turns is not None and turns < 1:
        raise ValueError(f"max_turns must be at least 1, not {turns}")
    return turns


def margins(points: Iterable[int]) -> tuple[int, ...]:
    """Return the lead in points of each seat over its best opponent; negative if it is behind."""
    every = list(points)
    return tuple(own - max(every[:seat] + every[seat + 1 :]) for seat, own in enumerate(every))


def shares(winners: Sequence[int], players: int) -> tuple[float, ...]:
    """Return each seat's share of the victory."""
    return tuple((seat in winners) / len(winners) for seat in range(players))
