"""A beam search for the best positions that a player can reach in a turn.

Within a turn, the player has all the necessary information and hardly any outcome is random, so the
search tries the cards in every order, with all their options.  Of all possible payments, only the
cheapest is tried.  Equal positions are examined once.  After each card except the last, only the
best positions are kept; the *beam width* is their number.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from operator import itemgetter
from typing import Final, TypeVar

import attrs

from valletta_rules import native
from valletta_rules.actions import GIVE, Action, GiveGood, Pay
from valletta_rules.agenda import BarrelPrompt, PaymentPrompt, PlayerPrompt, PlayPrompt
from valletta_rules.bots import native_search
from valletta_rules.bots.features import goods_of, read
from valletta_rules.bots.value import Forecast
from valletta_rules.chance import chance_outcomes
from valletta_rules.components import GOODS, Generator, Goods
from valletta_rules.engine import answer, legal_actions, run
from valletta_rules.state import Form, GameState
from valletta_rules.views.player_information import cheapest_payment
from valletta_rules.views.view import PlayerView, Recollection, determinize

State = GameState | Form
"""A position in a search.  It has the packed form of the native backend if possible."""

S = TypeVar("S", bound=State)

ALL_LINES: Final = 1 << 30
"""The default of `keep`, so large that a search returns all lines."""


def imagine(view: PlayerView, rng: Generator, memory: Recollection | None = None) -> State:
    """Return a random position that is consistent with a view, packed if possible.

    If `memory` is passed, the position is also consistent with all events that the viewer knows.
    """
    if native.available:
        try:
            return native.determinize(view, rng, memory)
        except native.RowError:
            pass  # not every position fits in a row
    return determinize(view, rng, memory)


def graft(state: State, world: State, seat: int) -> State:
    """Return `state` with the hands that are hidden from a seat replaced by the hands in `world`.

    The sizes of the hidden hands must be equal in both positions.
    """
    before, drawn = (
        each if isinstance(each, GameState) else each.unpack() for each in (state, world)
    )
    players = [
        player
        if owner == seat
        else player.replace(hand=other.hand, draw_pile=player.hand + player.draw_pile - other.hand)
        for owner, (player, other) in enumerate(zip(before.players, drawn.players, strict=True))
    ]
    grafted = before.replace(players=tuple(players))
    return grafted if before is state else native.pack(grafted)


def after(state: S, action: Action) -> S:
    """Return the position after an action, which must be legal."""
    if isinstance(state, GameState):
        return run(answer(state, action, None), None)  # type: ignore[return-value]
    return state.position_after(action)  # type: ignore[return-value]


def options(state: State) -> Sequence[Action]:
    """Return the actions to search: all legal actions, but only the cheapest payment."""
    prompt = state.prompt
    if isinstance(prompt, PaymentPrompt):
        return _cheapest(prompt.price, goods_of(state, prompt.seat))
    return legal_actions(state)


@lru_cache(maxsize=1 << 12)
def _cheapest(price: Goods, goods: Goods) -> tuple[Action, ...]:
    """Return a tuple with one action: the cheapest payment."""
    return (Pay(cheapest_payment(price, goods)),)


@attrs.frozen
class Line:
    """A line of a search: a player's actions, the position after them, and its worth."""

    actions: tuple[Action, ...]
    state: State
    worth: float


@attrs.frozen
class Lead:
    """A callable that returns the expected lead of a seat in a position."""

    forecast: Forecast
    seat: int

    def __call__(self, state: State) -> float:
        """Return the expected lead of the seat in a position."""
        return self.forecast.lead(read(state), self.seat)


def lines(
    state: State, seat: int, value: Callable[[State], float], beam: int, keep: int = ALL_LINES
) -> list[Line]:
    """Return the lines from a position to the end of a seat's turn, the best line first.

    `seat` must answer in `state`, `value` returns the value of a position for this seat, and `beam`
    is the beam width after each card.  For every prefix of the best line, including the empty
    prefix, the result contains the `keep` best lines that begin with this prefix, and possibly
    other lines.
    """
    if isinstance(value, Lead) and native_search.can_search(state, value.forecast):
        packed: Form = state  # type: ignore[assignment]
        best = native_search.lines(packed, value.forecast, seat, beam, keep)
        return [Line(*line) for line in best]
    ways: dict[State, tuple[Action, ...]] = {state: ()}
    started, ends = [state], list[State]()
    while started:
        reached, ended = _play_a_card(started, seat, ways)
        ends += ended
        started = (
            sorted(reached, key=value, reverse=True)[:beam] if len(reached) > beam else reached
        )
    plans = [Line(ways[end], end, value(end)) for end in ends]
    return sorted(plans, key=lambda line: line.worth, reverse=True)


def _play_a_card(
    started: list[State], seat: int, ways: dict[State, tuple[Action, ...]]
) -> tuple[list[State], list[State]]:
    """Try all ways to play a card.  Return the positions before the next card, and after the turn.

    `started` contains the positions from which a card is played.  The actions that lead to each new
    position are added to `ways`.
    """
    reached, ended, left = list[State](), list[State](), list(started)
    while left:
        state = left.pop()
        actions = ways[state]
        for action in options(state):
            end, way = foresee(state, action, seat), (*actions, action)
            if ways.setdefault(end, way) is not way:
                continue  # another sequence of actions has reached this position
            prompt = end.prompt
            if prompt is None or prompt.seat != seat:
                ended.append(end)
            elif isinstance(prompt, PlayPrompt):
                reached.append(end)
            else:
                left.append(end)
    return reached, ended


def foresee(state: State, action: Action, seat: int) -> State:
    """Return the next position in which `seat` must answer, or the position after its turn.

    `action` must be legal.  The search assumes that the most likely barrel is revealed, and that an
    opponent who must give a good gives the kind with the largest stock.
    """
    state = after(state, action)
    while True:
        prompt = state.prompt
        if isinstance(prompt, BarrelPrompt):
            state = after(state, max(chance_outcomes(state), key=itemgetter(1))[0])
        elif (
            isinstance(prompt, PlayerPrompt) and prompt.seat != seat and GiveGood in prompt.answers
        ):
            goods = goods_of(state, prompt.seat)
            state = after(state, GIVE[max(GOODS, key=goods.__getitem__)])
        else:
            return state
