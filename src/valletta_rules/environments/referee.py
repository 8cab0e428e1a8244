"""A game played by action number, in which only real choices are asked for.

Chance is resolved and forced actions are played; a payment takes four numbers, as in
`valletta_rules.numeric.numbering`.

So anyone who sees whom the referee asks can tell when a hand has only one kind of card, which only
its owner should know.  An agent that is to know no more than a player must be given its view only
when it is asked, and not between the actions of others.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence

from valletta_rules.actions import Action
from valletta_rules.bots.protocol import MOST_TURNS
from valletta_rules.card_sets.files import RECONSTRUCTION
from valletta_rules.components.card_set import CardSet
from valletta_rules.components.numbers import whole
from valletta_rules.games import new_game
from valletta_rules.numeric.encoding import encode
from valletta_rules.numeric.numbering import COUNT, action_of, legal_numbers
from valletta_rules.outcome import Outcome
from valletta_rules.play.driver import Audience, Move, by_chance, follow
from valletta_rules.records.record import Record
from valletta_rules.rulebook.scoring import outcome
from valletta_rules.rulings import HANS_IM_GLUECK, RuleSet
from valletta_rules.state import GameState
from valletta_rules.views.forced import only_answer
from valletta_rules.views.view import PlayerView, view


class Referee:
    """A game that goes on by numbers until it is over or has had too many turns."""

    def __init__(
        self,
        players: int = 2,
        *,
        rules: RuleSet = HANS_IM_GLUECK,
        cards: CardSet = RECONSTRUCTION,
        seed: int,
        max_turns: int | None = MOST_TURNS,
        bots: Mapping[int, object] | None = None,
    ) -> None:
        """Begin a game and go on to the first choice.

        Takes the seed of chance, the number of turns after which the game is broken off (`None`:
        never), and the bots by seat, of which those that remember are told the events.  Raises the
        errors of `valletta_rules.new_game`.
        """
        self.state: GameState = new_game(players, rules=rules, cards=cards)
        """The position; during a partial payment, the position before it."""
        self.begun: tuple[int, ...] = ()
        """The numbers of a partial payment."""
        self.numbers: tuple[int, ...] = ()
        """The numbers that are legal, ascending; none if nobody is asked."""
        self._turns_left = check_turns(max_turns)
        self._actions: list[Action] = []
        self._chance = by_chance(random.Random(seed))
        self._audience = Audience(self.state, bots or {})
        self._go_on()

    @property
    def record(self) -> Record:
        """The game so far, from which it can be replayed."""
        state = self.state
        return Record(len(state.players), state.rules, state.cards, self._actions)

    @property
    def turns(self) -> int:
        """How many turns have begun."""
        return self._audience.turns.total()

    @property
    def is_broken_off(self) -> bool:
        """Whether the game has had too many turns and is not over."""
        has_time = self._turns_left is None or self.turns <= self._turns_left
        return not has_time and self.state.prompt is not None

    @property
    def seat(self) -> int | None:
        """The seat that is asked; `None` if the game is over or broken off."""
        prompt = self.state.prompt
        return None if prompt is None or self.is_broken_off else prompt.seat

    @property
    def outcome(self) -> Outcome | None:
        """The outcome, if the game is over."""
        return outcome(self.state)

    def view(self, seat: int) -> PlayerView:
        """Return a seat's view of the position."""
        return view(self.state, seat)

    def observe(self, seat: int) -> Sequence[int]:
        """Return a seat's view as an array of `valletta_rules.numeric.encoding`."""
        return encode(self.view(seat), self.begun if seat == self.seat else ())

    def mask(self, seat: int) -> bytearray:
        """Return a byte for each number, 1 if it is legal for a seat."""
        mask = bytearray(COUNT)
        for number in self.numbers if seat == self.seat else ():
            mask[number] = 1
        return mask

    def answer(self, number: int) -> None:
        """Play a number, and go on to the next choice.

        Raises `ValueError` for a number that is not legal; then nothing has changed.
        """
        if number not in self.numbers:
            raise ValueError(f"{number} is no legal answer; legal are {list(self.numbers)}")
        begun = (*self.begun, number)
        if (action := action_of(begun, self.state.cards)) is not None:
            self.play(action)
        else:
            self.begun = begun
            self._ask()

    def play(self, action: Action) -> None:
        """Play an action, and go on to the next choice.

        Raises the errors of `valletta_rules.transition`; then nothing has changed.
        """
        self._take(Move.of(self.state, action))
        self._go_on()

    def _go_on(self) -> None:
        """Resolve chance and play forced actions until somebody has a choice."""
        for move in follow(self.state, self._chance, self._forced):
            self._take(move)
        self._ask()

    def _forced(self, state: GameState) -> Action | None:
        return None if self.is_broken_off else only_answer(state)

    def _take(self, move: Move) -> None:
        self.state, self.begun = move.state, ()
        self._actions.append(move.action)
        self._audience.hear(move.events)

    def _ask(self) -> None:
        """Find the legal numbers; a part of a payment may be forced."""
        self.numbers = () if self.seat is None else legal_numbers(self.state, self.begun)
        if len(self.numbers) == 1:
            self.answer(self.numbers[0])


def check_turns(max_turns: int | None) -> int | None:
    """Return the number of turns after which to break off; raise `ValueError` for less than one."""
    turns = None if max_turns is None else whole(max_turns, "max_turns")
    if turns is not None and turns < 1:
        raise ValueError(f"max_turns must be at least 1, not {turns}")
    return turns


def margins(points: Iterable[int]) -> tuple[int, ...]:
    """Return how many points each seat is ahead of its best opponent; negative if it is behind."""
    every = list(points)
    return tuple(own - max(every[:seat] + every[seat + 1 :]) for seat, own in enumerate(every))


def shares(winners: Sequence[int], players: int) -> tuple[float, ...]:
    """Return each seat's share of the victory."""
    return tuple((seat in winners) / len(winners) for seat in range(players))
