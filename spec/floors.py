"""The floors of the package: which room stands above which, and what each of them stands on.

A room is a folder of the package, or a module beside them.  `FLOORS` is the one place where it is
given its floor: `tests/test_floors.py` keeps the imports to it, and the page on the architecture
is drawn from it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Final

PACKAGE: Final = Path(__file__).resolve().parents[1] / "src" / "valletta_rules"

FLOORS: Final = (
    ("components",),
    ("rulings",),
    ("errors", "actions", "agenda", "outcome", "events", "state"),
    ("rulebook",),
    ("engine",),
    ("text",),
    ("card_sets", "chance", "version"),
    ("games", "views"),
    ("_native", "numeric"),
    ("native", "records"),
    ("audit", "memory"),
    ("codec", "bots"),
    ("specification",),
    ("words",),
    ("svg", "play"),
    ("studies", "environments", "web"),
    ("cli", "__init__", "__main__"),
)
"""The rooms of each floor, from the ground up."""

EDGES: Final = 5
"""The first floor on which there may be input and output, a clock, or a random number."""


def room_of(module: str) -> str:
    """Return the room of a module, given without the package's name."""
    return module.split(".")[0]


def floor_of(module: str) -> int:
    """Return the floor of a module; raise `LookupError` if its room has none."""
    for floor, rooms in enumerate(FLOORS):
        if room_of(module) in rooms:
            return floor
    raise LookupError(f"spec/floors.py gives no floor to {room_of(module)}")


@cache
def modules() -> Mapping[str, Path]:
    """Return every module of the package by its name within it; a compiled one by its stub."""
    return {
        ".".join(path.relative_to(PACKAGE).with_suffix("").parts).removesuffix(".__init__"): path
        for path in sorted((*PACKAGE.rglob("*.py"), *PACKAGE.rglob("*.pyi")))
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


@cache
def own_imports(path: Path) -> frozenset[str]:
    """Return the modules of this package that a file imports, named within it."""
    return frozenset(
        name.removeprefix("valletta_rules").removeprefix(".") or "__init__"
        for name in imports_of(path)
        if name.split(".")[0] == "valletta_rules"
    )


@cache
def rooms() -> Mapping[str, frozenset[str]]:
    """Return the rooms that each room imports from; raise `LookupError` for one without a floor.

    The rooms are in the order of their floors.
    """
    imported: dict[str, set[str]] = {room: set() for floor in FLOORS for room in floor}
    for module, path in modules().items():
        floor_of(module)
        imported[room_of(module)] |= {room_of(other) for other in own_imports(path)}
    return {room: frozenset(others - {room}) for room, others in imported.items()}


def all_below(room: str) -> frozenset[str]:
    """Return the rooms that a room imports from, and those that they import from, and so on."""
    found: set[str] = set()
    left = [room]
    while left:
        new = rooms()[left.pop()] - found
        found |= new
        left += new
    return frozenset(found)


def stands_on(room: str) -> tuple[str, ...]:
    """Return the rooms that a room imports from, without those that others of them stand on."""
    others = rooms()[room]
    covered = {below for other in others for below in all_below(other)}
    return tuple(each for each in rooms() if each in others - covered)


def sentence(room: str) -> str:
    """Return what a room is: the first sentence of its docstring.

    Raises `LookupError` if there is no such room, or if it has no docstring.
    """
    said = ast.get_docstring(ast.parse(modules()[room].read_text(encoding="utf-8")))
    if said is None:
        raise LookupError(f"{room} does not say what it is")
    return " ".join(said.split("\n\n")[0].split())
