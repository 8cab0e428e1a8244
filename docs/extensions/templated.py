"""Parts of pages out of templates, which hold layout alone, in Jinja and reStructuredText.

`.. templated:: checks/explored` shows what `docs/templates/checks/explored.rst`, or in `en` or `de`
a template of the page's language, makes of data: of
what `load` reads from a file of figures, and of the functions that other extensions `share`.
Further words of the directive are the template's `arguments`.  Whatever is missing is an error of
the page that wants it.
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
"""Where the templates are."""

JINJA: Final = jinja2.Environment(
    loader=jinja2.FileSystemLoader(TEMPLATES),
    undefined=jinja2.StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
    keep_trailing_newline=True,
    extensions=["jinja2.ext.do"],
)
"""What renders them."""

READERS: Final[dict[str, Callable[[str], Any]]] = {".json": json.loads, ".toml": tomllib.loads}
"""What reads a file of figures, by its ending."""


def share(module: str, **more: Any) -> None:
    """Let templates call what a module defines, and more, as functions and as filters."""
    defined = vars(sys.modules[module]).items()
    given = {name: each for name, each in defined if getattr(each, "__module__", "") == module}
    JINJA.globals |= given | more
    JINJA.filters |= {name: each for name, each in (given | more).items() if callable(each)}


def table(*heads: object, title: str = "", **options: str) -> str:
    """Begin a table with the heads of its columns, and with options of `list-table`."""
    given = {"header-rows": "1"} | options
    lines = [f".. list-table:: {title}", *(f"   :{key}: {text}" for key, text in given.items())]
    return "\n".join([*lines, "", row(*heads)])


def row(*cells: object) -> str:
    """Write a row of a table."""
    return "   * - " + "\n     - ".join(map(str, cells))


def rule(clause: str) -> str:
    """Refer to a clause."""
    return f":rule:`{clause}`"


def rules(clauses: Iterable[str]) -> str:
    """Refer to clauses."""
    return ", ".join(map(rule, clauses))


def link(thing: Any) -> str:
    """Refer to a class or a function by its short name."""
    return f":py:obj:`~{thing.__module__}.{thing.__qualname__}`"


def quoted(text: str) -> str:
    """Write a text in which code stands between backquotes."""
    parts = re.split(r"`([^`]+)`", text)
    return "".join(f"``{part}``" if n % 2 else escape(part) for n, part in enumerate(parts))


def figure(value: Any) -> str:
    """Write a figure of a check: a number, a text, or a list or a mapping of figures."""
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
    links=lambda things: ", ".join(map(link, things)),
    code=lambda text: f"``{text}``",
    codes=lambda texts: ", ".join(f"``{each}``" for each in texts),
    number=lambda count: f"{count:,}",
    counted=counted,
    capitalised=capitalised,
)


class Templated(Written):
    """Shows what a template makes of the data."""

    optional_arguments = 9

    def run(self) -> list[nodes.Node]:
        """Render the template, and parse it."""
        name, *arguments = self.arguments
        try:
            text = self.rendered(name, arguments)
        except jinja2.TemplatesNotFound:
            known = ", ".join(each.removesuffix(".rst") for each in JINJA.list_templates())
            raise self.error(f"there is no template {name!r}; there are {known}") from None
        except (jinja2.UndefinedError, LookupError, OSError, TypeError, ValueError) as error:
            raise self.error(f"{name} cannot be shown: {error}") from None
        return self.written(text.split("\n"))

    def rendered(self, name: str, arguments: list[str]) -> str:
        """Return what a template says; its page is made anew with what it has been made of."""
        template = JINJA.select_template([f"{self.code}/{name}.rst", f"{name}.rst"])
        for each in (str(template.name), "macros.rst"):
            self.env.note_dependency(str(TEMPLATES / each))
        return template.render(
            arguments=arguments, language=self.code, load=self.load, depend=self.depend
        )

    def depend(self, path: str) -> None:
        """Have the page made anew when a file of the repository changes."""
        self.env.note_dependency(str(ROOT / path))

    def load(self, path: str) -> Any:
        """Read a file of figures."""
        self.depend(path)
        return READERS[Path(path).suffix]((ROOT / path).read_text("utf-8"))


def setup(app: Sphinx) -> ExtensionMetadata:
    """Add the directive."""
    app.add_directive("templated", Templated)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
