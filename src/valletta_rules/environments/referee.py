"""Run a game for agents, and prompt an agent only if it has a choice.

Agents answer with the numbers of actions.  The referee draws random outcomes and plays forced
actions without a prompt.  A payment consists of four numbers, as in
`valletta_rules.numeric.numbering`.

A player who can only play one kind of card is not prompted, because the action is forced.  Other
agents could conclude from the missing prompt which cards are in this player's hand.  To prevent
this, pass a view to an agent only when it must answer, and not between the actions of other agents.
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
from valletta_rules.native import available, pack, peek
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
"""The mask of a seat that need not answer."""


class Referee:
    """A referee of a game.  The agents answer with the numbers of actions."""

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
        """Start a game, and continue until a seat has a choice.

        `seed` seeds the random outcomes.  `max_turns` is the number of turns after which the game
        is truncated; `None` means no limit.  `bots` maps seats to their bots; all events are passed
        to bots that have a memory.  Raises the errors of `valletta_rules.new_game`, and
        `ValueError` for `max_turns` below 1.
        """
        self._start = games.new_game(players, rules=rules, cards=cards)
        self._seed, self._rng = seed, random.Random(seed)
        self._audience = Audience(self._start, bots or {})
        self._actions: list[Action] = []
        is_packed = available and not self._audience.listens
        self.position: GameState | PackedState = pack(self._start) if is_packed else self._start
        """The current position, possibly packed.  It does not include an incomplete payment."""
        self.prefix: tuple[int, ...] = ()
        """The action numbers of an incomplete payment; empty if there is none."""
        self.legal: bytes = NOTHING_LEGAL
        """The action mask: one byte for each action number, which is 1 if the action is legal."""
        self.seat: int | None = None
        """The seat that must answer; `None` if the game is over or truncated."""
        self.turns = 0
        """The number of turns that have begun."""
        self._turns_left = check_turns(max_turns)
        self._go_on()

    @property
    def state(self) -> GameState:
        """The current position as a `GameState`."""
        position = self.position
        return position if isinstance(position, GameState) else position.unpack()

    @property
    def record(self) -> Record:
        """The record of the game up to now."""
        start, chance = self._start, partial(sample_chance, rng=random.Random(self._seed))
        actions = with_chance(pack(start) if available else start, self._actions, chance)
        return Record(len(start.players), start.rules, start.cards, tuple(actions))

    @property
    def is_broken_off(self) -> bool:
        """Whether the game was truncated after too many turns."""
        has_time = self._turns_left is None or self.turns <= self._turns_left
        return not has_time and self.position.prompt is not None

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
        return self.position.prompt is None

    @property
    def outcome(self) -> results.Outcome | None:
        """The outcome; `None` if the game is not over."""
        return outcome(self.position)

    @property
    def points(self) -> tuple[int, ...]:
        """The score that each seat would have if the game ended now."""
        position = self.position
        if isinstance(position, GameState):
            return tuple([score.total for score in score_sheet(position)])
        return position.points()

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers of the legal actions, in ascending order."""
        return tuple([number for number, legal in enumerate(self.legal) if legal])

    def view(self, seat: int) -> PlayerView:
        """Return the view of a seat."""
        return view(self.position, seat)

    def observe(self, seat: int) -> Sequence[int]:
        """Return the view of a seat, encoded by `valletta_rules.numeric.encoding`."""
        return observe(self.position, seat, self.prefix if seat == self.seat else ())

    def mask(self, seat: int) -> bytes:
        """Return a seat's action mask: one byte for each number, which is 1 if it is legal."""
        return self.legal if seat == self.seat else NOTHING_LEGAL

    def answer(self, number: int) -> None:
        """Play the action numbered `number`, and continue until a seat has a choice.

        Raises `ValueError` for the number of an illegal action.  An error leaves the game
        unchanged.
        """
        if not 0 <= number < COUNT or not self.legal[number]:
            legal = f"the legal numbers are {list(self.numbers)}"
            raise ValueError(f"{number} is not the number of a legal action; {legal}")
        self._answer(number)
        self._go_on()

    def play(self, action: Action) -> None:
        """Play an action, and continue until a seat has a choice.

        Raises the errors of `valletta_rules.transition`.  An error leaves the game unchanged.
        """
        self._take(action)
        self._actions.append(action)
        self._go_on()

    def _answer(self, number: int) -> None:
        """Play a numbered action.  The numbers of a payment are stored until it is complete."""
        prefix = (*self.prefix, number)
        action = action_of(prefix, self.position.cards)
        if action is None:
            self.prefix = prefix
        else:
            self._take(action)
            self._actions.append(action)

    def _go_on(self) -> None:
        """Draw random outcomes and play forced actions until a seat has a choice."""
        while True:
            self._resolve_chance()
            position = self.position
            prompt = position.prompt
            if not self.prefix and isinstance(prompt, agenda.PlayPrompt):
                self.turns += not _has_played(position)
            if prompt is None or self.is_broken_off:
                self.seat, self.legal = None, NOTHING_LEGAL
                return
            self.seat, self.legal = prompt.seat, legal_mask(position, self.prefix)
            if self.legal.count(1) > 1:
                return
            self._answer(self.legal.index(1))

    def _resolve_chance(self) -> None:
        """Draw the pending random outcomes, and report their events to bots that have a memory."""
        if not self._audience.listens:
            self.position = resolve_chance(self.position, self._rng)
        while isinstance(self.position.prompt, agenda.ChancePrompt):
            self._take(sample_chance(self.position, self._rng))

    def _take(self, action: Action) -> None:
        """Apply a player's action or a random outcome."""
        if self._audience.listens:
            step = engine.transition(self.state, action)
            self.position = step.state
            self._audience.receive(step.events)
        else:
            self.position = engine.apply(self.position, action)
        self.prefix = ()


def _has_played(position: GameState | PackedState) -> bool:
    played = position.played if isinstance(position, GameState) else peek(position).played
    return bool(played)


def observe(
    position: GameState | PackedState, seat: int | None, prefix: Sequence[int]
) -> Sequence[int]:
    """Return the encoded view of a seat in a position; the position may be packed.

    `prefix` contains the action numbers of an incomplete payment.
    """
    if isinstance(position, GameState):
        return encode(view(position, seat), prefix)
    array: Sequence[int] = encode_packed(position, seat, prefix)
    return array


def check_turns(max_turns: int | None) -> int | None:
    """Return `max_turns` as an integer or `None`; raise `ValueError` if it is below 1."""
    turns = None if max_turns is None else components.whole(max_turns, "max_turns")
    if turns is not None and turns < 1:
        raise ValueError(f"max_turns must be at least 1, not {turns}")
    return turns


def margins(points: Iterable[int]) -> tuple[int, ...]:
    """Return each seat's margin: its entry in `points` minus that of its best opponent."""
    every = list(points)
    return tuple(own - max(every[:seat] + every[seat + 1 :]) for seat, own in enumerate(every))


def shares(winners: Sequence[int], players: int) -> tuple[float, ...]:
    """Return each seat's fraction of the win: equal for all in `winners`, 0 for other seats."""
    return tuple((seat in winners) / len(winners) for seat in range(players))
