"""Search within a turn: the positions that a player can reach before the next player's turn.

Within a turn nothing is hidden from its player, and there is next to no chance in it, so the cards
can be tried in every order with all their options.  Only payments are not searched: the cheapest
one is used.  Equal positions are examined once.  After each card but the last only the best
positions are kept, as many as the *beam* is wide.
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
"""A position in the form that is searched: packed, if the native backend is available."""

S = TypeVar("S", bound=State)

MOST_KEPT: Final = 1 << 30
"""The default number of lines that are returned: all."""


def imagine(view: PlayerView, rng: Generator, memory: Recollection | None = None) -> State:
    """Return a position that agrees with a view, in the form that is fastest to search.

    With a memory of the game, it also agrees with all events that the viewer knows.
    """
    if native.available:
        try:
            return native.determinize(view, rng, memory)
        except native.RowError:
            pass  # not every position fits in a row
    return determinize(view, rng, memory)


def graft(state: State, world: State, seat: int) -> State:
    """Return a position in which the hands hidden from a seat are replaced by those of `world`.

    In both positions that seat sees hands of the same size.
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
    """Return the position after an action that is known to be legal."""
    if isinstance(state, GameState):
        return run(answer(state, action, None), None)  # type: ignore[return-value]
    return state.position_after(action)  # type: ignore[return-value]


def options(state: State) -> Sequence[Action]:
    """Return the actions worth searching: all legal ones, but only the cheapest payment."""
    prompt = state.prompt
    if isinstance(prompt, PaymentPrompt):
        return _cheapest(prompt.price, goods_of(state, prompt.seat))
    return legal_actions(state)


@lru_cache(maxsize=1 << 12)
def _cheapest(price: Goods, goods: Goods) -> tuple[Action, ...]:
    """Return the only payment that is searched."""
    return (Pay(cheapest_payment(price, goods)),)


@attrs.frozen
class Line:
    """Actions of one player, and the position that they reach."""

    actions: tuple[Action, ...]
    state: State
    worth: float


@attrs.frozen
class Lead:
    """The value of a position to a seat: its expected lead."""

    forecast: Forecast
    seat: int

    def __call__(self, state: State) -> float:
        """Return the value of a position."""
        return self.forecast.lead(read(state), self.seat)


def lines(
    state: State, seat: int, value: Callable[[State], float], beam: int, keep: int = MOST_KEPT
) -> list[Line]:
    """Return the lines to all ends of a turn that a search finds, the best first.

    The seat must answer in `state`; `value` is the value of a position to it, and `beam` is the
    beam width after each card.  For every number of first actions, from none on, the `keep`
    best of the lines that share these with the best line are returned, perhaps with others.
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
    found = [Line(ways[end], end, value(end)) for end in ends]
    return sorted(found, key=lambda line: line.worth, reverse=True)


def _play_a_card(
    started: list[State], seat: int, ways: dict[State, tuple[Action, ...]]
) -> tuple[list[State], list[State]]:
    """Return the new positions in which a seat plays its next card, or its turn is over.

    `started` are the positions to start from, and `ways` is extended by the line to every position
    that is reached.
    """
    reached, ended, left = list[State](), list[State](), list(started)
    while left:
        state = left.pop()
        actions = ways[state]
        for action in options(state):
            end, way = foresee(state, action, seat), (*actions, action)
            if ways.setdefault(end, way) is not way:
                continue  # another line has reached it already
            prompt = end.prompt
            if prompt is None or prompt.seat != seat:
                ended.append(end)
            elif isinstance(prompt, PlayPrompt):
                reached.append(end)
            else:
                left.append(end)
    return reached, ended


def foresee(state: State, action: Action, seat: int) -> State:
    """Return the next position in which a seat must answer, as a search assumes.

    `action` is legal.  The likeliest barrel is revealed, and opponents give the Monk their most
    plentiful good.
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
