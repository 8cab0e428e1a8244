"""The first turn that the book shows, out of docs/learn/first_turn.toml: replayed, and compared."""

from __future__ import annotations

import random
import tomllib
from collections.abc import Mapping
from functools import cache
from typing import Final, NamedTuple

from markup import ROOT

import valletta_rules as valletta
from valletta_rules import Action, CardBag, GameState
from valletta_rules.text.values import write_bag, write_goods

FILE: Final = "docs/learn/first_turn.toml"
"""What is played, and what its pictures show."""


class Scene(NamedTuple):
    """A scene."""

    state: GameState
    """The position after what is played in it."""
    hand: CardBag
    """The cards in Red's hand then."""
    show: tuple[str, ...]
    """The pictures."""
    picked: tuple[Action, ...]
    """The actions that are picked out in them."""


@cache
def scenes() -> Mapping[str, Scene]:
    """Replay the turn; raise `ValueError` if a scene is not as the file says."""
    told = tomllib.loads((ROOT / FILE).read_text("utf-8"))
    state = valletta.resolve_chance(valletta.new_game(told["players"]), random.Random(told["seed"]))
    shown = {}
    for scene in told["scene"]:
        for text in scene.get("play", ()):
            state = valletta.apply(state, valletta.parse_action(state, text))
        red = state.players[0]
        reached = {
            "goods": write_goods(red.goods, " "),
            "points": red.score,
            "hand": write_bag(red.hand).replace(",", ", "),
        }
        for key, found in reached.items():
            if scene.get(key, found) != found:
                raise ValueError(f"{FILE}: {scene['id']}: {key} are {found}, not {scene[key]}")
        picked = tuple(valletta.legal_actions(state)) if scene.get("pick") else ()
        shown[scene["id"]] = Scene(state, red.hand, tuple(scene["show"]), picked)
    return shown
