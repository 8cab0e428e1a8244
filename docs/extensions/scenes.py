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
from valletta_rules.text.values import read_bag, read_goods

FILE: Final = "docs/learn/first_turn.toml"
"""What is played, and what its pictures show."""


class Shown(NamedTuple):
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
def scenes() -> Mapping[str, Shown]:
    """Replay the turn; raise `ValueError` if a scene is not as the file says."""
    told = tomllib.loads((ROOT / FILE).read_text("utf-8"))
    state = valletta.resolve_chance(valletta.new_game(told["players"]), random.Random(told["seed"]))
    found = {}
    for scene in told["scene"]:
        for text in scene.get("play", ()):
            state = valletta.apply(state, valletta.parse_action(state, text))
        red = state.players[0]
        for key, expected, is_so in (
            ("goods", scene.get("goods"), red.goods),
            ("points", scene.get("points"), red.score),
            ("hand", scene.get("hand"), red.hand),
        ):
            if expected is not None and read(key, expected) != is_so:
                raise ValueError(f"{FILE}: {scene['id']}: {key} are {is_so}, not {expected}")
        picked = tuple(valletta.legal_actions(state)) if scene.get("pick") else ()
        found[scene["id"]] = Shown(state, red.hand, tuple(scene["show"]), picked)
    return found


def read(key: str, text: str | int) -> object:
    """Read what the file says of Red."""
    match text:
        case int():
            return text
        case _:
            return read_goods(text) if key == "goods" else read_bag(text.replace(", ", ","))
