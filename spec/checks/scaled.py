"""The engine with other numbers: as many columns, spaces, plays and houses as an instance has.

The instances that the formal specification explores exhaustively are small because their numbers
are: a hand of two cards, a street of four spaces, three houses.  In the engine these numbers are
constants.  `scaled_to` exchanges the constants while a block runs, in every module of the engine
that holds them.  Everything else stays: **the code that runs is the engine's own, all of it; only
the numbers are scaled**, and tables that were computed from them are computed anew by the same
functions.  If a place is forgotten, the engine disagrees with every instance that depends on it.
"""

from __future__ import annotations

import ast
import importlib
import inspect
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import cache
from types import ModuleType
from typing import Any, Final
from unittest.mock import patch

import valletta_rules.engine
from spec.checks.encoding import decode_bag, decode_config, decode_goods
from valletta_rules import Colour, GameState
from valletta_rules.agenda import DraftPrompt
from valletta_rules.components import display
from valletta_rules.engine import begin
from valletta_rules.rulebook.setup import lay_table

PACKAGE: Final = "valletta_rules"

UNSCALED: Final[Mapping[tuple[str, str], str]] = {
    ("rulebook.scoring", "LAST_SPACE"): "the score track has 25 spaces, however long the street is",
    ("rulebook.yellow", "ONE_OF_EACH"): "here it is the price of the Grand Master's points",
    ("components.goods", "ONE_OF_EACH"): "only where setup uses it is it what players start with",
}
"""Where a constant of that name is no number of the configuration, and why."""


@cache
def engine_modules() -> Mapping[str, ModuleType]:
    """Return the modules that the engine consists of, by their names within the package.

    They are found by following the imports, beginning with `valletta_rules.engine`.
    """
    found: dict[str, ModuleType] = {}
    waiting = [valletta_rules.engine]
    while waiting:
        module = waiting.pop()
        name = module.__name__.removeprefix(f"{PACKAGE}.")
        if name not in found:
            found[name] = module
            waiting += _imported(module)
    return found


def _imported(module: ModuleType) -> Iterator[ModuleType]:
    for node in ast.walk(ast.parse(inspect.getsource(module))):
        if isinstance(node, ast.ImportFrom) and str(node.module).startswith(f"{PACKAGE}."):
            source = importlib.import_module(str(node.module))
            values = [vars(source)[alias.name] for alias in node.names]
            modules = [value for value in values if inspect.ismodule(value)]
            yield from modules or [source]


def numbers_of(config: Mapping[str, Any]) -> dict[str, object]:
    """Return the engine's constants that a configuration gives, by name, as the engine has them.

    What it does not give is as in the printed game.
    """
    numbers = {name: read(config[key]) for name, (key, read) in NUMBERS.items() if key in config}
    if "quotas" in config:
        quotas = {
            colour: config["quotas"].get(colour.value, 0)
            for colour in (Colour.GREEN, Colour.BLUE, Colour.YELLOW)
        }
        players = config["players"]
        numbers |= {"QUOTAS": {players: quotas}, "SITES": {players: sum(quotas.values())}}
    return numbers


def _neighbours(columns: int) -> tuple[int, ...]:
    """Return the table of adjacent sites for rows of some length."""
    with patch.object(display, "ROW_LENGTH", columns):
        return tuple(
            display.mask_of(
                other for other in range(display.MAX_SITES) if display.are_adjacent(site, other)
            )
            for site in range(display.MAX_SITES)
        )


NUMBERS: Final[Mapping[str, tuple[str, Callable[[Any], object]]]] = {
    "ROW_LENGTH": ("columns", int),
    "NEIGHBOURS": ("columns", _neighbours),
    "AREA_LENGTH": ("area", int),
    "LAST_SPACE": ("street", int),
    "SPACES": ("street", lambda last: range(1, last + 1)),
    "ODD_SPACES": ("street", lambda last: tuple(range(1, last + 1, 2))),
    "HAND_SIZE": ("hand_limit", int),
    "PLAYS_PER_TURN": ("plays", int),
    "HOUSES_PER_PLAYER": ("houses", int),
    "TRIGGERING_SCORE": ("trigger_score", int),
    "STARTING_DECK": ("starting_deck", decode_bag),
    "GENERAL_SUPPLY": ("starting_supply", decode_bag),
    "ONE_OF_EACH": ("starting_goods", decode_goods),
}
"""The engine's constants, each with its key in a configuration, and how it is read there."""


def forget_what_was_computed() -> None:
    """Empty every cache in the engine, whether its values depend on a number or not."""
    for module in engine_modules().values():
        for value in vars(module).values():
            if hasattr(value, "cache_clear"):
                value.cache_clear()


@contextmanager
def scaled_to(config: Mapping[str, Any]) -> Iterator[None]:
    """Let the engine play with the numbers of a configuration while a block runs.

    The whole package is loaded first: a module loaded in the block would keep its numbers.
    """
    for name in valletta_rules.__all__:
        getattr(valletta_rules, name)
    numbers = numbers_of(config)
    with ExitStack() as stack:
        stack.callback(forget_what_was_computed)
        for name, module in engine_modules().items():
            values: dict[str, Any] = {
                number: value
                for number, value in numbers.items()
                if number in vars(module) and (name, number) not in UNSCALED
            }
            if values:
                stack.enter_context(patch.multiple(module, **values))
        forget_what_was_computed()
        yield


def first_position(config: Mapping[str, Any]) -> GameState:
    """Return the first position of a game, as the engine lays it in a `scaled_to` block.

    In the printed game everybody starts with the same set of goods that goes round in the draft,
    and the engine has one constant for both; a configuration may have two sets.
    """
    table = lay_table(config["players"], *decode_config(config))
    goods = config.get("draft_goods")
    return begin(
        table.replace(
            agenda=tuple(
                DraftPrompt(step.seat, decode_goods(goods))
                if goods is not None and isinstance(step, DraftPrompt)
                else step
                for step in table.agenda
            )
        )
    )
