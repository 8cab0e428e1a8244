"""The engine is scaled everywhere, by its numbers alone, and is its own self again afterwards."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator, Mapping
from types import ModuleType
from typing import Final

import pytest

from spec.checks.encoding import encode_config
from spec.checks.scaled import (
    PRINTED,
    UNSCALED,
    engine_modules,
    first_position,
    numbers_of,
    scaled_to,
)
from tests.positions import editions, position, seat
from valletta_rules import CardBag, Goods, RuleSet, new_game
from valletta_rules.components import display, street
from valletta_rules.components.goods import ONE_OF_EACH
from valletta_rules.rulebook import building, turn
from valletta_rules.specification.conformance.form import Json

OTHER: Final[Json] = {
    "players": 1,
    "columns": 2,
    "area": 3,
    "street": 4,
    "hand_limit": 6,
    "plays": 2,
    "houses": 7,
    "trigger_score": 9,
    "starting_deck": {"maid": 2},
    "starting_goods": {"brick": 2},
    "draft_goods": {"wood": 3},
    "starting_supply": {"nun": 1},
    "quotas": {"green": 1, "blue": 2},
}
"""Numbers all of which differ from those of the printed game."""

ENGINE: Final = engine_modules()
NAMES: Final = frozenset(numbers_of(OTHER))
RULES: Final = {
    name: module for name, module in ENGINE.items() if name.startswith(("rulebook.", "engine"))
}
"""The modules that carry out rules."""

FIXED: Final = frozenset(
    {
        *("components.display.MAX_SITES", "components.display.NO_SITES", "components.street.TOWER"),
        *("rulebook.blue.MONK_SPARES", "rulebook.blue.INNKEEPER_SPARES"),
        *("rulebook.blue.TAX_COLLECTOR_SPARES", "rulebook.blue.CARD_REDUCTION"),
        *("rulebook.blue.MERCHANT_WARES", "rulebook.blue.NUN_TAKES"),
        *("rulebook.blue.TRADER_TAKES", "rulebook.blue.SEAMSTRESS_TAKES"),
        "rulebook.characters.REDUCTIONS",
        "rulebook.scoring.GOODS_PER_POINT",
        *("rulebook.building.SUBSTITUTES", "rulebook.building.CONSTRUCTION_BONUS"),
        "rulebook.setup.STAGGERED_PLAYS",
        *("rulebook.yellow.ARCHITECT_PRICE", "rulebook.yellow.ARCHITECT_POINTS"),
        *("rulebook.yellow.BAILIFF_PRICE", "rulebook.yellow.BAILIFF_POINTS"),
        *("rulebook.yellow.GRAND_MASTER_PRICE", "rulebook.yellow.GRAND_MASTER_POINTS"),
        "rulebook.yellow.KNIGHT_POINTS",
    }
)
"""Numbers of the engine that are the same in every configuration."""

LIMITED: Final = {
    *(("components.display", "Seat"), ("components.display", "PlayerCount")),
    ("components.street", "Space"),
}
"""Types with limits, at which no rule looks."""

LITERALS: Final = {
    ("rulebook.valette", 3),  # three players, and spaces divisible by three [SET-4]
}
"""Numbers above two written out in functions, none of them the configuration's."""


def tree_of(module: ModuleType) -> ast.Module:
    """Return the syntax tree of a module."""
    return ast.parse(inspect.getsource(module))


def functions_of(module: ModuleType) -> Iterator[ast.FunctionDef]:
    """Run through the functions and methods of a module."""
    return (node for node in ast.walk(tree_of(module)) if isinstance(node, ast.FunctionDef))


def loads(node: ast.AST) -> set[str]:
    """Return the names that code looks up, also as attributes of something."""
    found = set()
    for each in ast.walk(node):
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load):
            found.add(each.id)
        elif isinstance(each, ast.Attribute):
            found.add(each.attr)
    return found


def evaluated_on_import(node: ast.AST) -> Iterator[ast.AST]:
    """Run through the code that runs when a module is imported: not the bodies of functions."""
    match node:
        case ast.FunctionDef() | ast.Lambda():
            yield node.args
            yield from node.decorator_list if isinstance(node, ast.FunctionDef) else ()
        case ast.Module() | ast.ClassDef() | ast.If() | ast.For() | ast.With() | ast.Try():
            for child in ast.iter_child_nodes(node):
                yield from evaluated_on_import(child)
        case _:
            yield node


def defined(node: ast.AST) -> str | None:
    """Return the name that a statement defines, if it is an assignment to one."""
    match node:
        case ast.AnnAssign(target=ast.Name(id=name)) | ast.Assign(targets=[ast.Name(id=name)]):
            return name
        case _:
            return None


def is_number(value: object) -> bool:
    """Tell whether a value is a number or made of numbers."""
    if isinstance(value, Mapping):
        return any(map(is_number, (*value.keys(), *value.values())))
    if isinstance(value, (tuple, list, frozenset)):
        return any(map(is_number, value))
    return isinstance(value, (int, float, range, Goods, CardBag, display.SiteSet))


def snapshot() -> dict[tuple[str, str], object]:
    """Return every value that any module of the engine holds."""
    return {
        (name, attribute): value
        for name, module in ENGINE.items()
        for attribute, value in vars(module).items()
        if not attribute.startswith("__")
    }


def test_the_engine_is_all_there() -> None:
    """The modules of the engine are found: the rules, and what they are made of."""
    assert {"engine", "state", "agenda", "rulebook.turn", "rulebook.scoring"} <= ENGINE.keys()
    assert {"components.street", "components.display", "components.buildings"} <= ENGINE.keys()
    assert not ENGINE.keys() & {"games", "automatic", "views", "cli.main"}


def test_every_place_where_a_number_is_used_is_scaled() -> None:
    """Wherever a function of the engine looks a number up, it finds the scaled one."""
    printed, scaled = numbers_of({}), numbers_of(OTHER)
    places = {
        (name, number)
        for name, module in ENGINE.items()
        for function in functions_of(module)
        for number in loads(function) & NAMES
    }
    assert {number for _, number in places} == NAMES
    with scaled_to(OTHER):
        for name, number in places - UNSCALED.keys():
            assert vars(ENGINE[name])[number] == scaled[number], (name, number)
            assert scaled[number] != printed[number]
    for name, number in places:
        assert vars(ENGINE[name])[number] == printed[number], (name, number)


def test_a_number_has_one_name() -> None:
    """No module gives a number another name, or imports what cannot be found by name."""
    for name, module in ENGINE.items():
        for node in ast.walk(tree_of(module)):
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                for alias in node.names:
                    assert alias.name != "*", name
                    assert alias.asname is None or alias.name not in NAMES, name


def test_nothing_else_is_computed_from_a_number_beforehand() -> None:
    """What is computed from a number on import is a number that is scaled as well."""
    found = {
        (name, defined(node))
        for name, module in ENGINE.items()
        for node in evaluated_on_import(tree_of(module))
        if loads(node) & NAMES and defined(node) not in NAMES
    }
    assert found == {("rulebook.yellow", "GRAND_MASTER_PRICE"), *LIMITED}
    assert ("rulebook.yellow", "ONE_OF_EACH") in UNSCALED


def test_every_constant_is_either_scaled_or_fixed() -> None:
    """Each number that the rules or the table hold as a constant has been judged."""
    table = ("components.street", "components.display", "components.buildings")
    found = {
        f"{name}.{constant}": constant
        for name, module in ENGINE.items()
        if name in RULES or name in table
        for node in tree_of(module).body
        if (constant := defined(node)) is not None and is_number(vars(module)[constant])
    }
    assert {place for place, constant in found.items() if constant not in NAMES} == FIXED
    assert set(found.values()) >= NAMES - {"ONE_OF_EACH"}


def test_no_number_is_written_out() -> None:
    """No function of the rules writes a number of the configuration out."""
    found = {
        (name, literal.value)
        for name, module in RULES.items()
        for function in functions_of(module)
        for literal in ast.walk(function)
        if isinstance(literal, ast.Constant)
        and type(literal.value) is int
        and literal.value > 2
        and literal not in [each for at in function.decorator_list for each in ast.walk(at)]
    }
    assert found == LITERALS


def test_every_exception_is_there() -> None:
    """Where a name means something else, it is to be found."""
    for name, number in UNSCALED:
        assert number in vars(ENGINE[name])
    before = snapshot()
    with scaled_to(OTHER):
        assert all(vars(ENGINE[name])[number] is before[name, number] for name, number in UNSCALED)


def test_the_printed_numbers_are_the_engines() -> None:
    """Scaled to the printed game, the engine has the constants it has anyway."""
    before = snapshot()
    with scaled_to(PRINTED | {"players": 2}):
        assert snapshot() == before


@editions
def test_the_first_position_is_that_of_a_game(rules: RuleSet) -> None:
    """With the printed numbers, the first position is the one in which every game begins."""
    game = new_game(3, rules=rules)
    first = first_position(encode_config(game))
    assert (first.players, first.agenda, first.barrels) == (game.players, game.agenda, game.barrels)


def test_the_functions_stay() -> None:
    """While the engine is scaled it runs the same functions; only values are exchanged."""
    before = snapshot()
    with scaled_to(OTHER):
        for place, value in snapshot().items():
            assert value is before[place] or place[1] in NAMES, place
            assert inspect.isfunction(value) == inspect.isfunction(before[place]), place
        assert display.column_of(5) == 1
        assert display.row_of(5) == 2
        assert street.area_of(4) == 1
        assert sorted(display.SiteSet(vars(building)["NEIGHBOURS"][4])) == [0, 5, 8]
    assert snapshot() == before


def test_the_engine_is_itself_again_after_a_failure() -> None:
    """An error in the block is passed on, and the numbers are the printed ones again."""
    before = snapshot()
    with pytest.raises(ZeroDivisionError), scaled_to(OTHER):
        1 / (turn.HAND_SIZE - OTHER["hand_limit"])
    assert snapshot() == before


def test_nothing_computed_in_another_scale_is_remembered() -> None:
    """The engine's caches are empty when the block begins, and when it has ended."""
    caches = [value for value in snapshot().values() if hasattr(value, "cache_info")]
    game = position(seat(), seat())

    def remembered() -> int:
        return sum(cached.cache_info().currsize for cached in caches)

    building.building_price(game, 0, 0, ONE_OF_EACH)
    assert remembered() > 0
    with scaled_to(OTHER):
        assert remembered() == 0
        building.building_price(game, 0, 0, ONE_OF_EACH)
        assert remembered() > 0
    assert remembered() == 0
