"""The probabilities of chance outcomes, and functions that draw outcomes at random."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from fractions import Fraction
from typing import Any, Final, TypeVar

from valletta_rules.actions import Action
from valletta_rules.agenda import BarrelPrompt, DealPrompt, DrawPrompt, Step
from valletta_rules.components import CardBag, Generator, abbreviated, numbers_from
from valletta_rules.engine import CHANCE_RULES, answer, run
from valletta_rules.errors import NoChanceError
from valletta_rules.rulebook import setup, turn
from valletta_rules.state import Form, GameState, S, has_another_form, need_position

T = TypeVar("T")

Numbers = Callable[[int], int]
"""A function that draws a random integer from 0 up to, but not including, a limit."""


Draw = Callable[[tuple[tuple[Action, int], ...]], Action]
"""A function that chooses a chance outcome. Its argument is a tuple of the possible chance actions,
each with its weight (an integer of at least 1), and it returns one of the actions. The probability
of an action should be proportional to its weight.
"""


def by_random(rng: Generator) -> Draw:
    """Return a function for `draw_chance` that chooses with the random generator `rng`.

    The generator is Python's or numpy's. Each choice draws one number from it, as in
    `sample_chance`. Raises `TypeError` for any other value.
    """
    number = numbers_from(rng)

    def draw(outcomes: tuple[tuple[Action, int], ...]) -> Action:
        return _pick(outcomes, number)

    return draw


def draw_chance(state: GameState | Form, draw: Draw) -> Action:
    """Return the chance outcome that the function `draw` chooses in a position.

    Raises `NoChanceError` if the position has no prompt for chance, and `ValueError` if `draw`
    returns an action that is not a possible outcome.
    """
    outcomes = _weights(state)
    drawn = draw(outcomes)
    if all(drawn != action for action, _ in outcomes):
        raise ValueError(f"draw must return an action that it was given, not {abbreviated(drawn)}")
    return drawn


def chance_outcomes(state: GameState | Form) -> tuple[tuple[Action, Fraction], ...]:
    """Return the possible chance outcomes in a position, each with its probability.

    The outcomes are in the order of `legal_actions`. The probabilities are exact fractions with the
    sum 1. Raises `NoChanceError` if the position has no prompt for chance.

    Rules: SET-9, SET-10, TRN-18, VAL-4
    """
    weights = _weights(state)
    total = sum(weight for _, weight in weights)
    return tuple((action, Fraction(weight, total)) for action, weight in weights)


def sample_chance(state: GameState | Form, rng: Generator) -> Action:
    """Return a random chance outcome, drawn with the probabilities of `chance_outcomes`.

    The generator is Python's or numpy's, and one number is drawn from it. Raises `NoChanceError` if
    the position has no prompt for chance.
    """
    return _pick(_weights(state), numbers_from(rng))


def resolve_chance(state: S, rng: Generator) -> S:
    """Answer chance prompts at random until a player must answer or the game is over.

    Returns the position after the last of these answers, or the given position if it has no prompt
    for chance. The generator is Python's or numpy's. Each answer draws one number from it.
    """
    if type(state) is not GameState:
        form: Any = state
        try:
            after: S = form.resolved(rng)
            return after
        except AttributeError:
            if has_another_form(state):
                raise
    position = need_position(state)
    while position.agenda and (resolve := _RESOLVE.get(type(position.agenda[0]))) is not None:
        position = run(resolve(position, position.agenda[0], numbers_from(rng)), None)
    return position  # type: ignore[return-value]  # S is its type


def _resolve_deal(state: GameState, prompt: DealPrompt, number: Numbers) -> GameState:
    """Deal random buildings to all empty sites of the display."""
    cards, quotas = setup.left_of_cards(state), setup.left_of_quotas(state)
    display = list(state.display)
    while any(quotas.values()):
        building = _pick(setup.weights_of(cards, quotas), number)
        cards[building] -= 1
        quotas[building.colour] -= 1
        display.append(building)
    return state.replace(display=tuple(display))


def _resolve_draw(state: GameState, prompt: DrawPrompt, number: Numbers) -> GameState:
    """Draw cards at random until the hand is full or the draw pile is empty."""
    pile = list(state.players[prompt.player].draw_pile)
    wanted = turn.cards_wanted(state, prompt)
    cards = CardBag.of(*[pile.pop(number(len(pile))) for _ in range(wanted)])
    return turn.draw_cards(state, prompt, cards, None)


def _resolve_barrel(state: GameState, prompt: BarrelPrompt, number: Numbers) -> GameState:
    """Reveal a random barrel."""
    return answer(state, _pick(_weights(state), number), None)


_RESOLVE: Final[Mapping[type[Step], Callable[[GameState, Any, Numbers], GameState]]] = {
    DealPrompt: _resolve_deal,
    DrawPrompt: _resolve_draw,
    BarrelPrompt: _resolve_barrel,
}
"""A mapping from each type of chance prompt to the function that answers it at random, together
with all repetitions of the prompt.
"""


def _weights(state: GameState | Form) -> tuple[tuple[Action, int], ...]:
    """Return the possible chance outcomes, each with its weight."""
    if not has_another_form(state):
        state = need_position(state)
    prompt = state.prompt
    if prompt is None:
        raise NoChanceError("the game is over")
    if type(prompt) not in CHANCE_RULES:
        raise NoChanceError(f"seat {prompt.seat} must answer, not chance")
    if isinstance(state, GameState):
        return CHANCE_RULES[type(prompt)].weights(state, prompt)
    return state.weights()


def _pick(weights: Collection[tuple[T, int]], number: Numbers) -> T:
    """Return one of the outcomes at random, with probabilities proportional to their weights."""
    ticket = number(sum([weight for _, weight in weights]))
    rest = iter(weights)
    each, weight = next(rest)
    while ticket >= weight:
        ticket -= weight
        each, weight = next(rest)
    return each
