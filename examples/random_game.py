"""Play a game between random players, and count their actions.

Run ``python examples/random_game.py [SEED]``.
"""

import random
import sys
from collections import Counter

import valletta_rules as valletta


def main(seed: int) -> None:
    """Play one four-player game; print its outcome, and the number of actions of each type."""
    rng = random.Random(seed)
    state = valletta.resolve_chance(valletta.new_game(players=4), rng)
    actions: Counter[str] = Counter()
    while state.prompt is not None:
        action = rng.choice(valletta.legal_actions(state))
        actions[type(action).__name__] += 1
        state = valletta.resolve_chance(valletta.apply(state, action), rng)
    print(valletta.outcome(state))
    for name, count in actions.most_common():
        print(f"{count:5} {name}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 7)
