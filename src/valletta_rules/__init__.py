"""The rules of the board game Valletta as an immutable, typed core.

Ask a position for its legal actions, apply one of them, and get the next position.

Import public names from this package and not from its modules. A module is loaded when one of its
names is first used. `__init__.pyi` lists the names.
"""

import ast
import sys
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Final

from valletta_rules.version import __version__ as __version__

_HOMES: Final[Mapping[str, str]] = MappingProxyType(
    {
        alias.name: str(statement.module)
        for statement in ast.parse(Path(__file__).with_suffix(".pyi").read_text("utf-8")).body
        if isinstance(statement, ast.ImportFrom) and statement.module != __name__
        for alias in statement.names
        if alias.asname and not alias.name.startswith("_")
    }
)
"""A mapping from each exported name to the module that defines it."""

__all__ = list(_HOMES)  # pyright: ignore[reportUnsupportedDunderAll]


def __getattr__(name: str) -> object:
    """Return the exported value or the submodule with this name."""
    if name in _HOMES:
        return globals().setdefault(name, getattr(import_module(_HOMES[name]), name))
    try:
        if name.startswith("_"):
            raise ModuleNotFoundError
        return import_module(f"{__name__}.{name}")
    except ModuleNotFoundError:
        message = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(message, name=name, obj=sys.modules[__name__]) from None


def __dir__() -> list[str]:
    """Return the names of the package, including those of modules that are not loaded yet."""
    return sorted({*globals(), *__all__})
