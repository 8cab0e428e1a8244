"""What autodoc writes, made readable: short signatures, short values, names for unions."""

from __future__ import annotations

import ast
import inspect
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Any, Final

import attrs
from docutils import nodes
from evidence import first_line
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.ext.autodoc.preserve_defaults import DefaultValue  # type: ignore[attr-defined]
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
        each.replace(default=DefaultValue(defaults[name])) if name in defaults else each
        for name, each in signature.parameters.items()
        if name not in {"self", "cls"}
    ]
    called, _, result = stringify_signature(signature.replace(parameters=shown)).partition(" -> ")
    return called, result


def defaults_of(function: Callable[..., object]) -> Mapping[str, str]:
    """Return the defaults of a function by its parameters; none if it is not written in Python.

    Sphinx's `autodoc_preserve_defaults` fails on exceptions that take what their base takes.
    """
    code = getattr(inspect.unwrap(function), "__code__", None)
    return defaults_in(code.co_filename).get(code.co_firstlineno, {}) if code else {}


@cache
def defaults_in(path: str) -> Mapping[int, Mapping[str, str]]:
    """Return the defaults that a module writes, of each function by its first line."""
    if not Path(path).is_file():
        return {}
    source = Path(path).read_text("utf-8")
    return {
        first_line(each): {
            name.arg: " ".join((ast.get_source_segment(source, value) or "").split())
            for name, value in (
                *zip(
                    reversed([*each.args.posonlyargs, *each.args.args]),
                    each.args.defaults[::-1],
                    strict=False,
                ),
                *zip(each.args.kwonlyargs, each.args.kw_defaults, strict=True),
            )
            if value
        }
        for each in ast.walk(ast.parse(source))
        if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)
    }


def parameters(record: type) -> Iterator[inspect.Parameter]:
    """Yield what a record is made of: names and defaults, no types, which its fields tell."""
    known = vars(sys.modules[record.__module__])
    for each in inspect.signature(record).parameters.values():
        default = each.default
        if default is not inspect.Parameter.empty:
            default = DefaultValue(named(default, known))
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
