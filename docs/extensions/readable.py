"""What autodoc writes, made readable: short signatures, short values, names for unions."""

from __future__ import annotations

import ast
import inspect
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Any, Final

import attrs
from docutils import nodes
from evidence import first_line
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
    """Return the parameters and the result of a function, each default as its module writes it."""
    signature, defaults = inspect.signature(function), defaults_of(function)
    shown = [
        each.replace(default=WrittenDefault(defaults[name])) if name in defaults else each
        for name, each in signature.parameters.items()
        if name not in {"self", "cls"}
    ]
    called, _, result = stringify_signature(signature.replace(parameters=shown)).partition(" -> ")
    return called, result


def defaults_of(function: Callable[..., object]) -> dict[str, str]:
    """Return the defaults of a function by its parameters; none if it is not written in Python.

    Sphinx has an option for it, which reads the module twice for each function and each class.
    """
    code = getattr(inspect.unwrap(function), "__code__", None)
    defined = code and definitions(code.co_filename).get(code.co_firstlineno)
    if not defined:
        return {}
    source, taken = defined
    some = [*taken.posonlyargs, *taken.args]
    found = [*zip(some[len(some) - len(taken.defaults) :], taken.defaults, strict=True)]
    found += [
        (name, each) for name, each in zip(taken.kwonlyargs, taken.kw_defaults, strict=True) if each
    ]
    return {name.arg: segment(source, each) for name, each in found}


def segment(lines: Sequence[str], value: ast.expr) -> str:
    """Return an expression as a module writes it, in one line."""
    if value.lineno != value.end_lineno:
        return ast.unparse(value)
    return lines[value.lineno - 1][value.col_offset : value.end_col_offset]


@cache
def definitions(path: str) -> dict[int, tuple[list[str], ast.arguments]]:
    """Return the lines of a module, and what its functions take by their first lines."""
    if not Path(path).is_file():
        return {}
    source = Path(path).read_text("utf-8")
    return {
        first_line(each): (source.splitlines(), each.args)
        for each in ast.walk(ast.parse(source))
        if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)
    }


def parameters(record: type) -> Iterator[inspect.Parameter]:
    """Yield what a record is made of: names and defaults, no types, which its fields tell."""
    known = vars(sys.modules[record.__module__])
    for each in inspect.signature(record).parameters.values():
        default = each.default
        if default is not inspect.Parameter.empty:
            default = WrittenDefault(named(default, known))
        yield each.replace(annotation=inspect.Parameter.empty, default=default)


def named(value: object, known: Mapping[str, object]) -> str:
    """Write a default by the name of a constant that a module knows, if it is one."""
    if value is attrs.NOTHING:
        return "…"
    if inspect.isfunction(value):
        return value.__name__
    names = (name for name, thing in known.items() if thing is value and name.isupper())
    shown = object_description(value)
    return shown if isinstance(value, str | int | None) else next(names, shown)


class WrittenDefault:
    """A default as it is to be shown."""

    def __init__(self, text: str) -> None:
        """Take the text."""
        self.text = text

    def __repr__(self) -> str:
        """Show it as it is."""
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
