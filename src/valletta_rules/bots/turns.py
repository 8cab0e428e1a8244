"""Thinking a turn through: what a player can reach before somebody else has a turn.

Within a turn nothing is hidden from its player, and there is next to no chance in it, so that the
cards can be tried in any order with all that they offer.  Only payments are left to arithmetic: the
cheapest one is taken.  Positions that are equal are looked at once.  At each card but the last the
best positions go on, a *beam* of so many.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from operator import itemgetter
from typing import TypeVar

import attrs

from valletta_rules import native
from valletta_rules.actions import GIVE, Action, GiveGood, Pay
from valletta_rules.agenda import BarrelPrompt, PaymentPrompt, PlayerPrompt, PlayPrompt
from valletta_rules.bots.features import goods_of
from valletta_rules.chance import chance_outcomes, resolve_chance
from valletta_rules.components.goods import GOODS, Goods
from valletta_rules.components.numbers import Generator
from valletta_rules.engine import answer, legal_actions, run
from valletta_rules.state import Form, GameState
from valletta_rules.views.forced import only_answer
from valletta_rules.views.player_information import cheapest_payment
from valletta_rules.views.view import PlayerView, determinize

State = GameState | Form
"""A position as it is searched: packed, if the native backend is there."""

S = TypeVar("S", bound=State)


def imagine(view: PlayerView, rng: Generator) -> State:
    """Return a position that agrees with a view, in the quickest form to search."""
    if native.available:
        try:
            return native.determinize(view, rng)
        except native.RowError:
            pass  # a row does not hold every position
    return determinize(view, rng)


def after(state: S, action: Action) -> S:
    """Return the position after an action that is known to be legal."""
    if isinstance(state, GameState):
        return run(answer(state, action, None), None)  # type: ignore[return-value]
    return state.after(action)  # type: ignore[return-value]


def options(state: State) -> Sequence[Action]:
    """Return the answers worth a try: all that are legal, and of payments the cheapest."""
    prompt = state.prompt
    if isinstance(prompt, PaymentPrompt):
        return _cheapest(prompt.price, goods_of(state, prompt.seat))
    return legal_actions(state)


@lru_cache(maxsize=1 << 12)
def _cheapest(price: Goods, goods: Goods) -> tuple[Action, ...]:
    """Return the payment that a search takes, alone."""
    return (Pay(cheapest_payment(price, goods)),)


def advance(state: S, rng: Generator) -> S:
    """Go on until a player has a choice, or the game is over.

    Chance answers by a generator, and who has only one answer gives it.
    """
    state = resolve_chance(state, rng)
    while (only := only_answer(state)) is not None:
        state = resolve_chance(after(state, only), rng)
    return state


@attrs.frozen
class Line:
    """Answers of one player, and the position that they lead to."""

    actions: tuple[Action, ...]
    state: State
    worth: float


def lines(state: State, seat: int, value: Callable[[State], float], beam: int) -> list[Line]:
    """Return all ends of a turn that a search finds, the best first.

    Takes a position in which a seat is asked, what a position is worth to it, and how many
    positions go on after each card.
    """
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
    """Return the new positions in which a seat is asked for its next card, or its turn is over.

    Takes where to begin, and the way to each position that has been met, and adds to these.
    """
    reached, ended, left = list[State](), list[State](), list(started)
    while left:
        state = left.pop()
        actions = ways[state]
        for action in options(state):
            end, way = foresee(state, action, seat), (*actions, action)
            if ways.setdefault(end, way) is not way:
                continue  # another way leads there, too
            prompt = end.prompt
            if prompt is None or prompt.seat != seat:
                ended.append(end)
            elif isinstance(prompt, PlayPrompt):
                reached.append(end)
            else:
                left.append(end)
    return reached, ended


def foresee(state: State, action: Action, seat: int) -> State:
    """Return the position after a legal answer in which, as a search has it, a seat is asked next.

    The likeliest barrel is revealed, and others give to the Monk what they have most of.
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
