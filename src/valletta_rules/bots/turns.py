"""Thinking a turn through: what a player can reach before somebody else has his turn.

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
from valletta_rules.actions import GIVE, Action, Pay
from valletta_rules.agenda import BarrelPrompt, MonkPrompt, PaymentPrompt, PlayPrompt
from valletta_rules.bots.reading import read
from valletta_rules.chance import chance_outcomes, resolve_chance
from valletta_rules.components.goods import GOODS, Goods
from valletta_rules.components.numbers import Generator
from valletta_rules.engine import answer, legal_actions, run
from valletta_rules.state import Form, GameState
from valletta_rules.views import player_information
from valletta_rules.views.view import PlayerView, determinize

State = GameState | Form
"""A position as it is searched: packed, where the native twin is there."""

S = TypeVar("S", bound=State)

cheapest_payment = lru_cache(maxsize=1 << 14)(player_information.cheapest_payment)
"""The payment that a search takes."""


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
        owned = read(state).players[prompt.seat]
        return (Pay(cheapest_payment(prompt.price, Goods(*owned[3:7]))),)
    return legal_actions(state)


def advance(state: S, rng: Generator) -> S:
    """Go on until a player has a choice, or the game is over.

    Chance answers by a generator, and who has only one answer gives it.
    """
    state = resolve_chance(state, rng)
    while state.prompt is not None and len(only := legal_actions(state)) == 1:
        state = resolve_chance(after(state, only[0]), rng)
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
    started: dict[State, tuple[Action, ...]] = {state: ()}
    ends: dict[State, tuple[Action, ...]] = {}
    while started:
        reached = _play_a_card(started, seat, ends)
        if len(reached) > beam:
            best = sorted(reached, key=value, reverse=True)[:beam]
            reached = {each: reached[each] for each in best}
        started = reached
    found = [Line(actions, end, value(end)) for end, actions in ends.items()]
    return sorted(found, key=lambda line: line.worth, reverse=True)


def _play_a_card(
    started: dict[State, tuple[Action, ...]], seat: int, ends: dict[State, tuple[Action, ...]]
) -> dict[State, tuple[Action, ...]]:
    """Return the positions in which a seat is asked for its next card, and the way to each.

    Takes where to begin, and puts those positions into `ends` in which its turn is over.
    """
    reached: dict[State, tuple[Action, ...]] = {}
    seen, left = set[State](), list(started.items())
    while left:
        state, actions = left.pop()
        for action in options(state):
            end = _until_asked(after(state, action), seat)
            if end in seen:
                continue
            seen.add(end)
            way, prompt = (*actions, action), end.prompt
            if prompt is None or prompt.seat != seat:
                ends.setdefault(end, way)
            elif isinstance(prompt, PlayPrompt):
                reached.setdefault(end, way)
            else:
                left.append((end, way))
    return reached


def _until_asked(state: State, seat: int) -> State:
    """Let the likeliest barrel be revealed, and others give to the Monk what they have most of."""
    while True:
        prompt = state.prompt
        if isinstance(prompt, BarrelPrompt):
            state = after(state, max(chance_outcomes(state), key=itemgetter(1))[0])
        elif isinstance(prompt, MonkPrompt) and prompt.seat != seat:
            goods = read(state).players[prompt.seat][3:7]
            state = after(state, GIVE[GOODS[goods.index(max(goods))]])
        else:
            return state
