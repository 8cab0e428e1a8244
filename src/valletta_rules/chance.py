"""Chance: the probabilities of what it may answer, and a random generator that answers for it."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import accumulate
from typing import assert_never

from valletta_rules.actions import DRAW, REVEAL, Action, ChanceAction, DealBuilding
from valletta_rules.agenda import BarrelPrompt, ChancePrompt, DealPrompt, DrawPrompt
from valletta_rules.components.bags import UNIT, CardBag
from valletta_rules.components.goods import GOODS
from valletta_rules.engine import RULES, run
from valletta_rules.errors import NoChanceError
from valletta_rules.rulebook import setup, turn, valette
from valletta_rules.state import GameState


def chance_outcomes(state: GameState) -> tuple[tuple[Action, Fraction], ...]:
    """Return what chance may answer in a position, and how probable each answer is.

    The answers are those of `legal_actions`, in the same order; the probabilities are exact and
    add up to 1.  Raises `NoChanceError` if it is not for chance to answer.

    Rules: SET-9, SET-10, TRN-18, VAL-4
    """
    match state.prompt:
        case DealPrompt() as prompt:
            return setup.deal_odds(state, prompt)
        case DrawPrompt() as prompt:
            return turn.draw_odds(state, prompt)
        case BarrelPrompt() as prompt:
            return valette.barrel_odds(state, prompt)
        case None:
            raise NoChanceError("the game is over")
        case prompt:
            raise NoChanceError(f"seat {prompt.seat} must answer, not chance")


def resolve_chance(state: GameState, rng: random.Random) -> GameState:
    """Let a random generator answer for chance until a player is asked or the game is over.

    Takes one number from the generator for each answer.  Returns the position itself if it is
    not for chance to answer.
    """
    prompt = state.prompt
    while isinstance(prompt, (DrawPrompt, BarrelPrompt, DealPrompt)):
        if isinstance(prompt, DrawPrompt):
            resolved = turn.draw_cards(state, prompt, _sample_cards(state, prompt, rng))
        else:
            action = _sample(state, prompt, rng)
            resolved = RULES[type(prompt)].resolve(state, prompt, action, None)
        state = run(resolved, None)
        prompt = state.prompt
    return state


def sample_chance(state: GameState, rng: random.Random) -> Action:
    """Return one answer of chance, drawn with the right probabilities.

    Raises `NoChanceError` if it is not for chance to answer.
    """
    prompt = state.prompt
    if not isinstance(prompt, ChancePrompt):
        raise NoChanceError("it is not for chance to answer")
    return _sample(state, prompt, rng)


def _sample(state: GameState, prompt: ChancePrompt, rng: random.Random) -> ChanceAction:
    match prompt:
        case DrawPrompt(player):
            pile = state.players[player].draw_pile
            return DRAW[pile.at(rng.randrange(len(pile)))]
        case BarrelPrompt():
            barrels = state.barrels
            tokens = [good for good in GOODS for _ in range(barrels[good])]
            return REVEAL[tokens[rng.randrange(len(tokens))]]
        case DealPrompt():
            return DealBuilding(_pick(setup.deal_chances(state), rng))
        case _:
            assert_never(prompt)


def _sample_cards(state: GameState, prompt: DrawPrompt, rng: random.Random) -> int:
    """Draw all the cards that are wanted before a reshuffle, one by one, as a packed bag."""
    pile = state.players[prompt.player].draw_pile
    for _ in range(turn.cards_wanted(state, prompt)):
        pile = CardBag(pile.packed - UNIT[pile.at(rng.randrange(len(pile)))])
    return state.players[prompt.player].draw_pile.packed - pile.packed


def _pick(chances: dict[str, int], rng: random.Random) -> str:
    """Return one of the keys, each with a chance in proportion to its number."""
    ticket = rng.randrange(sum(chances.values()))
    ends = accumulate(chances.values())
    return next(code for code, end in zip(chances, ends, strict=True) if ticket < end)
