"""Use your own card set: write its file, check it, load it, and play with it.

The file has the format of ``valletta cards --template``.  This program derives the cards from the
built-in set: each costs one more gold and is worth two more points.

Run ``python examples/own_card_set.py [FILE]``; without FILE, the program uses a temporary file.
"""

import random
import sys
import tempfile
from pathlib import Path

import valletta_rules as valletta
from valletta_rules import GOODS, RECONSTRUCTION, CardSet, CardSetError, Goods
from valletta_rules.bots.automatic import choose


def amounts(goods: Goods) -> list[str]:
    """Return amounts of goods as TOML keys and values."""
    return [f"{good} = {goods[good]}" for good in GOODS]


def dear_cards() -> str:
    """Return the text of a card-set file in which every building costs more than usual."""
    lines = ["format = 1", 'name = "Dear houses"']
    lines += ["[provenance]", 'default = "reconstructed"  # the values are invented']
    lines += ["[barrels]", *amounts(RECONSTRUCTION.barrels)]
    for each in RECONSTRUCTION.buildings:
        cost = ", ".join(amounts(each.cost + Goods(gold=1)))
        lines += ["[[building]]", f'letter = "{each.letter}"', f'character = "{each.character}"']
        lines += [f"copies = {each.copies}", f"cost = {{ {cost} }}"]
        lines += [f'icon = "{each.icon}"', f"points = {each.points + 2}"]
    return "\n".join(lines)


def play(cards: CardSet, seed: int) -> valletta.Outcome:
    """Play a game between two automatic players, and return its outcome."""
    rng = random.Random(seed)
    state = valletta.resolve_chance(valletta.new_game(2, cards=cards), rng)
    while state.prompt is not None:
        state = valletta.resolve_chance(valletta.apply(state, choose(state, rng)), rng)
    outcome = valletta.outcome(state)
    assert outcome is not None, "the game is over"
    return outcome


def main(path: Path) -> None:
    """Write a faulty file and print its error; then write a valid file and play with its cards."""
    path.write_text(dear_cards().replace('"banker"', '"bakner"', 1), encoding="utf-8")
    try:
        valletta.load_card_set(path)
    except CardSetError as error:
        print(f"With a misspelt name:\n{error}\n")
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
