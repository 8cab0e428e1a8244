"""Ask chance for exact probabilities: how likely is a Builder in the opening hand?

Run ``python examples/exact_odds.py``.
"""

from __future__ import annotations

import random
from fractions import Fraction

import valletta_rules as valletta
from valletta_rules import Character, GameState


def chance_of(card: Character, state: GameState, seat: int) -> Fraction:
    """Return the probability that a seat holds a card when its opening hand is complete."""
    if card in state.players[seat].hand:
        return Fraction(1)
    if len(state.players[seat].hand) == 5:
        return Fraction(0)
    return sum(
        (
            probability * chance_of(card, valletta.apply(state, outcome), seat)
            for outcome, probability in valletta.chance_outcomes(state)
        ),
        Fraction(0),
    )


def main() -> None:
    """Deal a display, then look at every way to draw the first hand."""
    rng = random.Random(1)
    state = valletta.new_game(players=2)
    while not state.players[0].hand:
        state = valletta.apply(state, valletta.sample_chance(state, rng))
    known = next(iter(state.players[0].hand))
    wanted = Character.BUILDER if known is not Character.BUILDER else Character.MAID
    probability = chance_of(wanted, state, seat=0)
    print(f"After drawing the {known.english}, the {wanted.english} comes with {probability}.")


if __name__ == "__main__":
    main()
