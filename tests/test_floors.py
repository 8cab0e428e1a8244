"""The structure of the package: floors, and what the core must not touch."""

from __future__ import annotations

import ast
from graphlib import TopologicalSorter

import pytest

from spec.floors import (
    EDGES,
    FLOORS,
    floor_of,
    imports_of,
    modules,
    own_imports,
    room_of,
    sentence,
    stands_on,
)

FORBIDDEN_BELOW_THE_EDGES = {"random", "time", "datetime", "os", "logging", "io", "pathlib", "sys"}


def test_every_room_has_one_floor() -> None:
    """A folder or module that is new is given a floor, and one that is gone gives it up."""
    placed = [room for floor in FLOORS for room in floor]
    assert sorted(placed) == sorted({room_of(module) for module in modules()})


def test_a_module_without_a_floor_is_named() -> None:
    """Who makes a room and gives it no floor is told so."""
    with pytest.raises(LookupError, match="gives no floor to cellar"):
        floor_of("cellar.wine")


@pytest.mark.parametrize("room", [room for floor in FLOORS for room in floor])
def test_a_room_says_what_it_is(room: str) -> None:
    """The first sentence of a room is one, and can stand in the figure of the house."""
    assert sentence(room).endswith(".")
    assert len(sentence(room)) < 120


def test_a_room_stands_on_what_it_imports_and_on_all_below() -> None:
    """What is reached by way of another room is not named again."""
    assert stands_on("components") == ()
    assert stands_on("rulings") == ("components",)
    assert stands_on("__main__") == ("cli",)


def test_a_room_that_is_gone_is_missed() -> None:
    """The figure of the house cannot be drawn of rooms that are not there."""
    with pytest.raises(LookupError, match="cellar"):
        sentence("cellar")


@pytest.mark.parametrize("module", modules())
def test_a_module_imports_only_lower_floors_or_its_own(module: str) -> None:
    """A module imports nothing from a higher floor."""
    higher = [
        other
        for other in own_imports(modules()[module])
        if floor_of(other) > floor_of(module) and module != "__init__"
    ]
    assert not higher


def test_modules_import_one_another_without_a_cycle() -> None:
    """No module imports itself by way of others."""
    graph = {module: own_imports(path) for module, path in modules().items()}
    TopologicalSorter(graph).prepare()


@pytest.mark.parametrize("module", [m for m in modules() if floor_of(m) < EDGES])
def test_the_core_draws_no_number_reads_no_clock_and_prints_nothing(module: str) -> None:
    """Below the edges there is no randomness, no clock, no input or output, no logging."""
    path = modules()[module]
    assert not FORBIDDEN_BELOW_THE_EDGES & {name.split(".")[0] for name in imports_of(path)}
    called = {
        node.func.id
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    assert not called & {"print", "open", "input", "exec", "eval"}


def test_the_rules_never_ask_a_rule_set_for_its_name() -> None:
    """An edition is a value: rules look at its answers, not at what it is called."""
    for module, path in modules().items():
        if floor_of(module) in (3, 4):
            text = path.read_text(encoding="utf-8")
            assert "rules.name" not in text
            assert "Z_MAN" not in text
            assert "HANS_IM_GLUECK" not in text
