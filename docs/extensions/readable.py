"""What autodoc writes, made readable: short signatures, short values, names for unions."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from typing import Any, Final

import attrs
from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.util.inspect import TypeAliasForwardRef, object_description, stringify_signature
from sphinx.util.typing import ExtensionMetadata

from valletta_rules.errors import Flaw

LONGEST: Final = 80
"""From how many characters on a value is left out."""

CLASS: Final = re.compile(r"<class '(?:[\w.]+\.)?(\w+)'>")
"""How Python shows a class."""


def rewrite_signature(
    app: Sphinx, what: str, name: str, thing: Any, options: Any, given: str | None, _: str
) -> tuple[str, str] | None:
    """Show a function as it is written, and how a record is made; an enum is not called."""
    if not given:
        return None
    if what in {"function", "method"}:
        return as_written(thing)
    if what not in {"class", "exception"}:
        return None
    if issubclass(thing, Enum):
        return "", ""
    if attrs.has(thing) and not issubclass(thing, Exception):
        return stringify_signature(inspect.Signature(list(parameters(thing)))), ""
    if inspect.isfunction(made := vars(thing).get("__init__")):
        return as_written(made)[0], ""
    return "", ""


def as_written(function: Callable[..., object]) -> tuple[str, str]:
    """Return the parameters and the result of a function."""
    signature = inspect.signature(function)
    shown = [each for each in signature.parameters.values() if each.name not in {"self", "cls"}]
    called, _, result = stringify_signature(signature.replace(parameters=shown)).partition(" -> ")
    return called, result


def parameters(record: type) -> Iterator[inspect.Parameter]:
    """Yield what a record is made of: names and defaults, no types, which its fields tell."""
    known = vars(sys.modules[record.__module__])
    for each in inspect.signature(record).parameters.values():
        default = each.default
        if default is not inspect.Parameter.empty:
            default = WrittenDefault(default, known)
        yield each.replace(annotation=inspect.Parameter.empty, default=default)


class WrittenDefault:
    """A default as a module writes it: by the name of a constant, if it is one."""

    def __init__(self, value: object, known: Mapping[str, object]) -> None:
        """Take the value and what the module knows by name."""
        names = (name for name, thing in known.items() if thing is value and name.isupper())
        self.text = "…" if value is attrs.NOTHING else object_description(value)
        if not isinstance(value, str | int | None):
            self.text = next(names, self.text)

    def __repr__(self) -> str:
        """Show the value as it is written."""
        return self.text


def shorten_values(app: Sphinx, document: nodes.document) -> None:
    """Leave out values that nobody would read, and show classes by their names."""
    for signature in document.findall(addnodes.desc_signature):
        for shown in list(signature.findall(addnodes.desc_annotation)):
            text = shown.astext()
            if not text.startswith(" = "):
                continue
            text = CLASS.sub(r"\1", text)
            if len(text) > LONGEST or re.search(r" object at 0x|Path\(", text):
                text = " = …"
            if text != shown.astext():
                shown.children = []
                shown += nodes.Text(text)


def name_module(
    app: Sphinx, what: str, name: str, thing: Any, options: Any, lines: list[str]
) -> None:
    """Say which module it is of which the docstring follows."""
    if what == "module":
        lines[:0] = [f"*Module* ``{name}``", ""]


def list_flaws(
    app: Sphinx, what: str, name: str, thing: Any, options: Any, lines: list[str]
) -> None:
    """Say what is said of everything that can be wrong with something, code by code."""
    if isinstance(thing, type) and issubclass(thing, Flaw):
        for flaw in thing:
            clause = flaw.clause and f" (:rule:`{flaw.clause}`)"
            lines += [f"``{flaw}``", f"   {flaw.template}{clause or ''}", ""]


def setup(app: Sphinx) -> ExtensionMetadata:
    """Listen to autodoc."""
    TypeAliasForwardRef.__repr__ = lambda alias: f"~{alias.name}"  # type: ignore[method-assign]
    app.connect("autodoc-process-signature", rewrite_signature)
    app.connect("autodoc-process-docstring", name_module)
    app.connect("autodoc-process-docstring", list_flaws)
    app.connect("doctree-read", shorten_values)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
