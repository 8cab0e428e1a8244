"""The pieces of the embedding page: the head of an operation.

``.. operation:: apply`` shows how a function of the package is called, what it does in a sentence,
where its entry is and which clauses it carries out.  What it requires and ensures is written below.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Sequence
from typing import Final

from docutils import nodes
from markup import Written
from names import homes
from sphinx.application import Sphinx
from sphinx.util.typing import ExtensionMetadata

import valletta_rules

WIDTH: Final = 84
"""How long a line may be."""

SEPARATOR: Final = re.compile(r", (?![^\[]*\])")
"""What stands between parameters, but not within the brackets of a type."""

RULES: Final = re.compile(r"^Rules: (.+)$", re.MULTILINE)
"""Where a docstring names its clauses."""


class Operation(Written):
    """The head of an operation: call, meaning, entry, clauses."""

    def run(self) -> list[nodes.Node]:
        """Show the operation."""
        (name,) = self.arguments
        function = getattr(valletta_rules, name, None)
        if name not in valletta_rules.__all__ or not inspect.isfunction(function):
            raise self.error(f"valletta_rules exports no function {name!r}")
        said = inspect.getdoc(function) or ""
        summary = " ".join(said.partition("\n\n")[0].split())
        lines = [".. code-block:: python", "", *(f"   {line}" for line in call(function)), ""]
        lines += [f"{summary}  Entry: :name:`{name} <{homes()[name]}>`.", ""]
        if found := RULES.search(said):
            lines += [":Clauses: " + ", ".join(f":rule:`{id}`" for id in found[1].split(", ")), ""]
        return self.written(lines)


def call(function: Callable[..., object]) -> Sequence[str]:
    """Write how a function is called, as its source does, but in shorter lines."""
    source = inspect.getsource(function)
    head = source[source.index("def ") + 4 :].partition(':\n    """')[0]
    is_long = any(len(line) > WIDTH for line in head.splitlines())
    return (SEPARATOR.sub(",\n    ", head) if is_long else head).splitlines()


def setup(app: Sphinx) -> ExtensionMetadata:
    """Add the directive."""
    app.add_directive("operation", Operation)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
