"""The pieces of the embedding page: an operation's head, and the tests that show a property.

``.. operation:: apply`` shows how a function of the package is called, what it does in a sentence,
where its entry is and which clauses it carries out.  What it requires and ensures is written below.

``.. shown-by:: tests/properties/test_values.py`` lists tests of a file, named one a line, by the
sentences that they show.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import ClassVar, Final

from docutils import nodes
from names import homes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective
from sphinx.util.typing import ExtensionMetadata

import valletta_rules

ROOT: Final = Path(__file__).resolve().parents[2]
"""The repository."""

WIDTH: Final = 84
"""How long a call may be on one line."""

SEPARATOR: Final = re.compile(r", (?![^\[]*\])")
"""What stands between parameters, but not within the brackets of a type."""

RULES: Final = re.compile(r"^Rules: (.+)$", re.MULTILINE)
"""Where a docstring names its clauses."""


class Operation(SphinxDirective):
    """The head of an operation: call, meaning, entry, clauses."""

    required_arguments: ClassVar[int] = 1

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
        return self.parse_text_to_nodes("\n".join(lines))


def call(function: Callable[..., object]) -> Iterator[str]:
    """Write how a function is called: on one line, or a line for each parameter."""
    written = ast.parse(inspect.getsource(function)).body[0]
    assert isinstance(written, ast.FunctionDef)
    assert written.returns is not None
    result = ast.unparse(written.returns)
    parameters = re.sub(r"(?<=[\w\]])=", " = ", ast.unparse(written.args))
    line = f"{written.name}({parameters}) -> {result}"
    if len(line) <= WIDTH:
        yield line
        return
    yield f"{written.name}("
    yield from (f"    {part}," for part in SEPARATOR.split(parameters))
    yield f") -> {result}"


class ShownBy(SphinxDirective):
    """Some tests of a file, by what they show."""

    required_arguments: ClassVar[int] = 1
    has_content: ClassVar[bool] = True

    def run(self) -> list[nodes.Node]:
        """List the tests."""
        (path,) = self.arguments
        if not (ROOT / path).is_file():
            raise self.error(f"there is no file {path}")
        self.env.note_dependency(str(ROOT / path))
        known = tests_in(ROOT / path)
        lines = []
        for name in self.content:
            if name not in known:
                raise self.error(f"{path} has no test {name!r}")
            line, said = known[name]
            title = name.rpartition("::")[2]
            lines.append(f"* {said} (:source:`{title} <{path}#L-{line}>`)")
        return self.parse_text_to_nodes("\n".join(lines))


def tests_in(path: Path) -> dict[str, tuple[int, str]]:
    """Return the line of every test of a file, and the sentence that it shows, by its name."""
    found = {}
    for node in ast.parse(path.read_text("utf-8")).body:
        inner = node.body if isinstance(node, ast.ClassDef) else [node]
        prefix = f"{node.name}::" if isinstance(node, ast.ClassDef) else ""
        for test in inner:
            if isinstance(test, ast.FunctionDef) and test.name.startswith("test_"):
                said = (ast.get_docstring(test) or "").partition("\n\n")[0]
                found[prefix + test.name] = (test.lineno, " ".join(said.split()))
    return found


def setup(app: Sphinx) -> ExtensionMetadata:
    """Add the directives."""
    app.add_directive("operation", Operation)
    app.add_directive("shown-by", ShownBy)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
