"""A game answered by number, in which only real choices are asked for.

Chance is answered for, and so is a question with one legal answer; every answer of a payment is
one of four numbers, as in `valletta_rules.numeric.numbering`.

So an observer of whom the referee asks can tell when a hand has only one kind of card, which
is its owner's to know.  An agent that is to know no more than a player is given its view when
it is asked, and not between the answers of others.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from valletta_rules.actions import Action
from valletta_rules.bots.protocol import MOST_TURNS
from valletta_rules.card_sets.files import RECONSTRUCTION
from valletta_rules.components.card_set import CardSet
from valletta_rules.components.numbers import whole
from valletta_rules.engine import Transition, legal_actions
from valletta_rules.numeric.encoding import encode
from valletta_rules.numeric.numbering import COUNT, action_of, numbers_of
from valletta_rules.outcome import Outcome, Score
from valletta_rules.play.driver import Audience
from valletta_rules.play.session import Session
from valletta_rules.records.record import Record
from valletta_rules.rulebook.scoring import outcome, score_sheet
from valletta_rules.rulings import HANS_IM_GLUECK, RuleSet
from valletta_rules.state import GameState
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

        Takes the seed of chance, after how many turns to break the game off (`None`: never), and
        the bots, of which those that remember hear of what happens, by seat.  Raises the errors of
        `valletta_rules.new_game`.
        """
        self._session = Session(players, rules=rules, cards=cards, seed=seed)
        self._turns_left = check_turns(max_turns)
        self._legal: list[tuple[int, ...]] = []
        self.begun: tuple[int, ...] = ()
        self._audience = Audience(self._session.record.start, bots or {})
        self._go_on(self._session.transitions)

    @property
    def state(self) -> GameState:
        """The position; that from before a payment which is half made."""
        return self._session.state

    @property
    def record(self) -> Record:
        """The game so far, from which it can be replayed."""
        return self._session.record

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
    def numbers(self) -> tuple[int, ...]:
        """The numbers that are legal answers, ascending; none if nobody is asked."""
        place = len(self.begun)
        fitting = {numbers[place] for numbers in self._legal if numbers[:place] == self.begun}
        return tuple(sorted(fitting))

    @property
    def scores(self) -> tuple[Score, ...]:
        """The score sheet of the position, as if the game were over."""
        return score_sheet(self.state)

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
        """Return a byte for each number, 1 if it is a legal answer of a seat."""
        mask = bytearray(COUNT)
        for number in self.numbers if seat == self.seat else ():
            mask[number] = 1
        return mask

    def answer(self, number: int) -> None:
        """Answer by a number, and go on to the next choice.

        Raises `ValueError` for a number that is not legal; then nothing has changed.
        """
        if number not in self.numbers:
            raise ValueError(f"{number} is no legal answer; legal are {list(self.numbers)}")
        self._take(number)
        self._answer_what_is_forced()

    def play(self, action: Action) -> None:
        """Answer by an action, and go on to the next choice.

        Raises what `valletta_rules.Session.play` does; then nothing has changed.
        """
        self._go_on(self._session.play(action))

    def _take(self, number: int) -> None:
        begun = (*self.begun, number)
        action = action_of(begun, self.state.cards)
        if action is None:
            self.begun = begun
        else:
            self._hear(self._session.play(action))

    def _go_on(self, steps: Iterable[Transition]) -> None:
        self._hear(steps)
        self._answer_what_is_forced()

    def _answer_what_is_forced(self) -> None:
        while self.seat is not None and len(numbers := self.numbers) == 1:
            self._take(numbers[0])

    def _hear(self, steps: Iterable[Transition]) -> None:
        """Record the events, and find the legal actions."""
        for step in steps:
            self._audience.hear(step.events)
        self.begun = ()
        asked = () if self.seat is None else legal_actions(self.state)
        self._legal = [numbers_of(action, self.state.cards) for action in asked]


def check_turns(max_turns: int | None) -> int | None:
    """Return after how many turns to break off; raise `ValueError` for fewer than one."""
    turns = None if max_turns is None else whole(max_turns, "max_turns")
    if turns is not None and turns < 1:
        raise ValueError(f"max_turns must be at least 1, not {turns}")
    return turns


def margins(scores: Iterable[Score]) -> tuple[int, ...]:
    """Return how many points each seat is ahead of the best other; negative for who is behind."""
    totals = [score.total for score in scores]
    return tuple(
        total - max(totals[:seat] + totals[seat + 1 :]) for seat, total in enumerate(totals)
    )


def shares(winners: Sequence[int], players: int) -> tuple[float, ...]:
    """Return each seat's share of the victory."""
    return tuple((seat in winners) / len(winners) for seat in range(players))
