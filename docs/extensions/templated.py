"""Parts of pages that Jinja templates generate as reStructuredText.

The directive `.. templated:: checks/explored` renders `docs/templates/checks/explored.rst`, or a
template with this name in the language's folder `en` or `de`.  Templates contain only layout.  They
read data files with `load`, and call functions that other extensions `share`.  Any words after the
template's name are passed to the template as `arguments`.  Missing data are reported as an error at
the directive.
"""

import json
import re
import sys
import tomllib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final

import jinja2
from docutils import nodes
from languages import PHRASES
from markup import ROOT, Written, capitalised, counted
from sphinx.application import Sphinx
from sphinx.util.rst import escape
from sphinx.util.typing import ExtensionMetadata

TEMPLATES: Final = Path(__file__).parents[1] / "templates"
"""The folder of the templates."""

JINJA: Final = jinja2.Environment(
    loader=jinja2.FileSystemLoader(TEMPLATES),
    undefined=jinja2.StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
    keep_trailing_newline=True,
    extensions=["jinja2.ext.do"],
)
"""The Jinja environment that renders all templates."""

READERS: Final[dict[str, Callable[[str], Any]]] = {".json": json.loads, ".toml": tomllib.loads}
"""The parsers for data files, keyed by suffix."""


def share(module: str, **more: Any) -> None:
    """Make functions of a module, and `more`, available as functions and filters in templates."""
    defined = vars(sys.modules[module]).items()
    shared = {name: each for name, each in defined if getattr(each, "__module__", "") == module}
    JINJA.globals |= shared | more
    JINJA.filters |= {name: each for name, each in (shared | more).items() if callable(each)}


def table(*heads: object, title: str = "", **options: str) -> str:
    """Return the beginning of a `list-table`: its title, options and column headings."""
    merged = {"header-rows": "1"} | options
    lines = [f".. list-table:: {title}", *(f"   :{key}: {text}" for key, text in merged.items())]
    return "\n".join([*lines, "", row(*heads)])


def row(*cells: object) -> str:
    """Return a row for a table that `table` began."""
    return "   * - " + "\n     - ".join(map(str, cells))


def rule(clause: str) -> str:
    """Return a link to a clause."""
    return f":rule:`{clause}`"


def rules(clauses: Iterable[str]) -> str:
    """Return links to clauses, separated by commas."""
    return ", ".join(map(rule, clauses))


def link(obj: Any) -> str:
    """Return a link to a class or a function; its text is the short name."""
    return f":py:obj:`~{obj.__module__}.{obj.__qualname__}`"


def quoted(text: str) -> str:
    """Return a text as reStructuredText, with Markdown's inline code converted."""
    parts = re.split(r"`([^`]+)`", text)
    return "".join(f"``{part}``" if n % 2 else escape(part) for n, part in enumerate(parts))


def figure(value: Any) -> str:
    """Format a value from a data file: a number, a string, or a list or mapping of values."""
    match value:
        case bool() | str() | None:
            return escape(str(value))
        case int() | float():
            return f"{value:,}"
        case dict():
            return ", ".join(f"{escape(str(key))} {figure(each)}" for key, each in value.items())
        case _:
            return f"{len(value):,} ({', '.join(map(figure, value))})"


share(
    __name__,
    PHRASES=PHRASES,
    rst=lambda text: escape(str(text)),
    links=lambda objects: ", ".join(map(link, objects)),
    code=lambda text: f"``{text}``",
    codes=lambda texts: ", ".join(f"``{each}``" for each in texts),
    number=lambda count: f"{count:,}",
    counted=counted,
    capitalised=capitalised,
)


class Templated(Written):
    """A directive that renders a template."""

    optional_arguments = 9

    def run(self) -> list[nodes.Node]:
        """Render the template, and parse the result."""
        name, *arguments = self.arguments
        try:
            text = self.rendered(name, arguments)
        except jinja2.TemplatesNotFound:
            known = ", ".join(each.removesuffix(".rst") for each in JINJA.list_templates())
            raise self.error(f"unknown template {name!r}; known: {known}") from None
        except (jinja2.UndefinedError, LookupError, OSError, TypeError, ValueError) as error:
            raise self.error(f"the template {name!r} cannot be rendered: {error}") from None
        return self.written(text.split("\n"))

    def rendered(self, name: str, arguments: list[str]) -> str:
        """Render a template, and make the page depend on the template's files."""
        template = JINJA.select_template([f"{self.code}/{name}.rst", f"{name}.rst"])
        for each in (str(template.name), "macros.rst"):
            self.env.note_dependency(str(TEMPLATES / each))
        return template.render(
            arguments=arguments, language=self.code, load=self.load, depend=self.depend
        )

    def depend(self, path: str) -> None:
        """Make the page depend on a file in the repository."""
        self.env.note_dependency(str(ROOT / path))

    def load(self, path: str) -> Any:
        """Load a data file, and make the page depend on it."""
        self.depend(path)
        return READERS[Path(path).suffix]((ROOT / path).read_text("utf-8"))


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register the directive."""
    app.add_directive("templated", Templated)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
