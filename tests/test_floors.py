"""The structure of the package: floors, and what the core must not touch."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import valletta_rules

PACKAGE = Path(valletta_rules.__file__).parent

FLOORS = (
    ("components",),
    ("rulings",),
    ("errors", "actions", "agenda", "prompts", "outcome", "events", "state"),
    ("rulebook",),
    ("engine",),
    ("text",),
    ("card_sets", "chance", "clauses", "layout", "version"),
    ("games", "views"),
    ("records",),
    ("audit",),
    ("codec", "play", "bots"),
    ("words",),
    ("svg",),
    ("cli", "__init__", "__main__"),
)
"""The floors of the package from the ground up: each module, or folder of modules, has one."""

EDGES = 5
FORBIDDEN_BELOW_THE_EDGES = {"random", "time", "datetime", "os", "logging", "io", "pathlib", "sys"}


def floor_of(module: str) -> int:
    """Return the floor of a module, given without the package's name."""
    part = module.split(".")[0]
    return next(floor for floor, parts in enumerate(FLOORS) if part in parts)


def modules() -> dict[str, Path]:
    """Return every module of the package by its name within it."""
    return {
        ".".join(path.relative_to(PACKAGE).with_suffix("").parts).removesuffix(".__init__"): path
        for path in sorted(PACKAGE.rglob("*.py"))
    }


def imports_of(path: Path) -> Iterator[str]:
    """Run through the names of the modules that a file imports."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.module is not None, f"{path}: imports are absolute"
            names = {f"{node.module}.{alias.name}" for alias in node.names}
            submodules = {
                name for name in names if name.removeprefix("valletta_rules.") in modules()
            }
            yield from submodules or {node.module}


def own_imports(path: Path) -> set[str]:
    """Return the modules of this package that a file imports, named within it."""
    return {
        name.removeprefix("valletta_rules").removeprefix(".") or "__init__"
        for name in imports_of(path)
        if name.split(".")[0] == "valletta_rules"
    }


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
