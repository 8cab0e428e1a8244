"""Draw the picture of a game in progress for the README.

`python -m spec.checks accept generated` writes the picture.
"""

import random
from typing import Final

import valletta_rules as valletta
from spec.checks.established import ROOT
from valletta_rules.bots.automatic import choose
from valletta_rules.svg import draw_table

PICTURE: Final = ROOT / "docs" / "static" / "board.svg"

MOVES: Final = 120
"""The number of moves after which the position is drawn."""


def text() -> str:
    """Return the picture as SVG."""
    rng = random.Random(7)
    state = valletta.resolve_chance(valletta.new_game(2), rng)
    for _ in range(MOVES):
        state = valletta.resolve_chance(valletta.apply(state, choose(state, rng)), rng)
    return f"{draw_table(state).svg}\n"
