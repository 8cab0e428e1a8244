"""Access to the formal statements of the clauses.

Formal statements are Python functions that verify actions, positions and events.  They are in the
folder `statements` of the specification, in the wheel and in the repository.  The README in this
folder explains them.  Only `valletta trace` and `valletta conformance` load them.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from typing import Any, Final

import attrs

from valletta_rules.specification.clauses import explain
from valletta_rules.specification.files import specification

PACKAGE: Final = "valletta_rules_statements"
"""The package name under which the folder ``statements`` is imported."""


@cache
def statements(module: str = "judge") -> Any:
    """Import a module of the formal statements: ``judge``, or the module of a chapter.

    Raises `ImportError` if no module has this name.
    """
    if PACKAGE not in sys.modules:
        folder = specification().folder / "statements"
        spec = spec_from_file_location(
            PACKAGE, str(folder / "__init__.py"), submodule_search_locations=[str(folder)]
        )
        assert spec is not None
        assert spec.loader is not None
        sys.modules[PACKAGE] = package = module_from_spec(spec)
        spec.loader.exec_module(package)
    return import_module(f"{PACKAGE}.{module}")


@attrs.frozen
class Broken:
    """A formal statement that an engine violates."""

    clauses: Sequence[str]
    """The ids of the clauses that the statement formalises.

    Empty if the violation is that a position contradicts the events before it.
    """
    sentences: Sequence[str]
    """The texts of the clauses in `clauses`."""
    kind: str
    """The kind of the statement."""
    due: str
    """The value that the statement requires."""
    found: str
    """The actual value."""


def broken(failures: Iterable[Any], language: str = "en") -> Iterator[Broken]:
    """Convert violations to `Broken` objects, which contain the texts of the clauses."""
    for each in failures:
        sentences = [explain(clause, language).text for clause in each.clauses]
        yield Broken(each.clauses, sentences, each.kind, each.due, each.actual)
