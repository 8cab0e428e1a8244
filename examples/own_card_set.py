"""Play with your own card set: write the file, check it, load it, play with it.

The file has the form that ``valletta cards --template`` prints.  Here a program fills it in: with
the cards of the built-in set, each for one more gold and worth two more points.

Run ``python examples/own_card_set.py [FILE]``; without a file it writes a temporary one.
"""

import random
import sys
import tempfile
from pathlib import Path

import valletta_rules as valletta
from valletta_rules import GOODS, RECONSTRUCTION, CardSet, CardSetError, Goods
from valletta_rules.bots.automatic import choose


def amounts(goods: Goods) -> list[str]:
    """Return goods as keys and values."""
    return [f"{good} = {goods[good]}" for good in GOODS]


def dear_cards() -> str:
    """Return the text of the card set."""
    lines = ["format = 1", 'name = "Dear houses"']
    lines += ["[provenance]", 'default = "reconstructed"  # made up, and so it says']
    lines += ["[barrels]", *amounts(RECONSTRUCTION.barrels)]
    for each in RECONSTRUCTION.buildings:
        cost = ", ".join(amounts(each.cost + Goods(gold=1)))
        lines += ["[[building]]", f'letter = "{each.letter}"', f'character = "{each.character}"']
        lines += [f"copies = {each.copies}", f"cost = {{ {cost} }}"]
        lines += [f'icon = "{each.icon}"', f"points = {each.points + 2}"]
    return "\n".join(lines)


def play(cards: CardSet, seed: int) -> valletta.Outcome:
    """Play a game between two automatic players."""
    rng = random.Random(seed)
    state = valletta.resolve_chance(valletta.new_game(2, cards=cards), rng)
    while state.prompt is not None:
        state = valletta.resolve_chance(valletta.apply(state, choose(state, rng)), rng)
    outcome = valletta.outcome(state)
    assert outcome is not None, "the game is over"
    return outcome


def main(path: Path) -> None:
    """Write a faulty file, then a good one, and play with it."""
    path.write_text(dear_cards().replace('"banker"', '"bakner"', 1), encoding="utf-8")
    try:
        valletta.load_card_set(path)
    except CardSetError as error:
        print(f"With a slip of the pen:\n{error}\n")
    path.write_text(dear_cards(), encoding="utf-8")
    cards = valletta.load_card_set(path)
    for card_set in (RECONSTRUCTION, cards):
        print(f"{card_set.name}\n{play(card_set, seed=5)}\n")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        main(Path(sys.argv[1]))
    else:
        with tempfile.TemporaryDirectory() as folder:
            main(Path(folder, "dear.toml"))
