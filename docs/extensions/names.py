"""Make the output of autodoc more readable, and link names that are written without their modules.

Sphinx searches for a name only in the module and class whose documentation contains it.  This
extension also searches the names that the module imports, and those that ``valletta_rules``
exports.  An unknown name in single backticks (the default role) is formatted as code.  If it looks
like the name of a class, Sphinx also reports it.
"""

import ast
import builtins
import inspect
import re
import sys
import textwrap
from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any, Final

import attrs
from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.domains.python import ObjectEntry
from sphinx.environment import BuildEnvironment
from sphinx.ext.autodoc.preserve_defaults import DefaultValue  # type: ignore[attr-defined]
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.inspect import TypeAliasForwardRef, object_description, stringify_signature
from sphinx.util.nodes import make_refnode
from sphinx.util.typing import ExtensionMetadata

import valletta_rules
from valletta_rules.errors import Flaw

PACKAGE: Final = "valletta_rules."
"""The prefix of all full names in this package."""

CLASS: Final = re.compile(r"(valletta_rules\.|[\w.]*\b)_?[A-Z][A-Z]*[a-z]+[A-Z]?\w*")
"""A pattern that matches class names, and no other inline code in the documentation."""

LONGEST: Final = 80
"""The maximum length of a value in the output. Longer values are shown as dots."""

CLASS_REPR: Final = re.compile(r"<class '(?:[\w.]+\.)?(\w+)'>")
"""A pattern that matches the `repr` of a class."""


# Names


@cache
def homes() -> Mapping[str, str]:
    """Map each name that the package exports to its full name, which includes the module."""
    return {name: f"{home}.{name}" for name, home in valletta_rules._HOMES.items()}


def candidates(name: str, module: str | None, within: str | None) -> Iterator[str]:
    """Yield the full names to which a short name can refer in its context, most specific first."""
    if module:
        yield from (f"{module}.{within}.{name}", f"{module}.{name}")
        yield from origin(module, name)
    yield name
    yield from origin(*name.rpartition(".")[::2])
    first, _, rest = name.removeprefix(PACKAGE).partition(".")
    if first in homes():
        yield ".".join(filter(None, (homes()[first], rest)))
    if name[:1].isupper() or "." in name:
        yield f"*.{name}"


def origin(module: str, name: str) -> Iterator[str]:
    """Yield the full name of the class or function that a module imports under the given name."""
    first, _, rest = name.partition(".")
    meant = getattr(loaded(module), first, None)
    if inspect.isclass(meant) or inspect.isfunction(meant):
        yield ".".join(filter(None, (meant.__module__, meant.__qualname__, rest)))


def find(objects: Mapping[str, ObjectEntry], names: Iterator[str]) -> str | None:
    """Return the first of the names that is documented.

    ``*.x`` matches a name that ends in ``.x``, if there is only one such name.
    """
    for name in names:
        if name in objects:
            return name
        if name.startswith("*"):
            matches = [known for known in objects if known.endswith(name[1:])]
            if len(matches) == 1:
                return matches[0]
    return None


def resolve(
    app: Sphinx, env: BuildEnvironment, node: addnodes.pending_xref, text: nodes.TextElement
) -> nodes.Element | None:
    """Link a name that the Python domain cannot resolve, if one of its `candidates` is documented.

    An undocumented name in a signature remains plain text if the signature's module contains it.
    """
    if node.get("refdomain") != "py":
        return None
    target = node["reftarget"].removesuffix("()")
    module = node.get("py:module")
    objects = env.domains.python_domain.objects
    name = find(objects, candidates(target, module, node.get("py:class")))
    if name is not None:
        entry = objects[name]
        return make_refnode(app.builder, node["refdoc"], entry.docname, entry.node_id, text, name)
    if node["reftype"] == "obj":
        return None if CLASS.fullmatch(target) and not hasattr(builtins, target) else text
    return text if hasattr(loaded(module or ""), target.partition(".")[0]) else None


@cache
def loaded(module: str) -> ModuleType | None:
    """Import a module; return `None` if the name is empty or the import fails."""
    try:
        return import_module(module) if module else None
    except ImportError:
        return None


class Qualify(SphinxPostTransform):
    """A transform that replaces imported names in signatures with full names."""

    default_priority = 5  # before references are resolved

    def run(self, **_: object) -> None:
        """Replace imported names with full names, if the full names are documented."""
        objects = self.env.domains.python_domain.objects
        for node in self.document.findall(addnodes.pending_xref):
            module = node.get("py:module")
            if node.get("refdomain") != "py" or not module or "refspecific" not in node:
                continue
            if full_name := find(objects, origin(module, node["reftarget"])):
                node["reftarget"] = full_name
                del node["refspecific"]
            elif hasattr(builtins, node["reftarget"]):
                del node["refspecific"]  # spares a look at the ends of all names


# Signatures


def rewrite_signature(
    app: Sphinx, kind: str, name: str, obj: Any, options: Any, signature: str | None, _: str
) -> tuple[str, str] | None:
    """Return the signature as it is written in the source.

    The signature of an attrs class contains its fields.  An enum's signature is empty.
    """
    if not signature:
        return None
    if kind in {"function", "method"}:
        return as_written(obj)
    if kind not in {"class", "exception"}:
        return None
    if issubclass(obj, Enum):
        return "", ""
    init = vars(obj).get("__init__")
    is_written = inspect.isfunction(init) and not init.__code__.co_filename.startswith("<attrs")
    if attrs.has(obj) and not (is_written and issubclass(obj, Exception)):
        return stringify_signature(inspect.Signature(list(parameters(obj)))), ""
    return as_written(init)[0] if is_written else "", ""


def as_written(function: Callable[..., object]) -> tuple[str, str]:
    """Return a function's parameters and return type as they are written in its source."""
    try:
        (written,) = ast.parse(textwrap.dedent(inspect.getsource(function))).body
    except (OSError, TypeError):  # it is not written in Python
        return stringify_signature(inspect.signature(function)), ""
    if not isinstance(written, ast.FunctionDef | ast.AsyncFunctionDef):
        return stringify_signature(inspect.signature(function)), ""
    called = written.args
    called.args = [each for each in called.args if each.arg not in {"self", "cls"}]
    return f"({ast.unparse(called)})", ast.unparse(written.returns) if written.returns else ""


def parameters(record: type) -> Iterator[inspect.Parameter]:
    """Yield an attrs class's parameters without types, which are shown with its fields."""
    known = vars(sys.modules[record.__module__])
    for each in inspect.signature(record).parameters.values():
        default = each.default
        if default is not inspect.Parameter.empty:
            default = DefaultValue(named(default, known))
        yield each.replace(annotation=inspect.Parameter.empty, default=default)


def named(value: object, known: Mapping[str, object]) -> str:
    """Return the name of the constant in `known` that is the given value, or the value's `repr`."""
    if value is attrs.NOTHING:
        return "…"
    if inspect.isfunction(value):
        return value.__name__
    names = (name for name, constant in known.items() if constant is value and name.isupper())
    text = object_description(value)
    return text if isinstance(value, str | int | None) else next(names, text)


def shorten_values(app: Sphinx, document: nodes.document) -> None:
    """Replace long values and memory addresses with dots, and classes with their names."""
    for signature in document.findall(addnodes.desc_signature):
        for annotation in list(signature.findall(addnodes.desc_annotation)):
            text = annotation.astext()
            if not text.startswith(" = "):
                continue
            text = CLASS_REPR.sub(r"\1", text)
            if len(text) > LONGEST or re.search(r" object at 0x|Path\(", text):
                text = " = …"
            if text != annotation.astext() or "'" in text:
                annotation.children = []
                annotation += addnodes.desc_sig_name("", text)  # keeps its quotation marks


# Docstrings


def complete(app: Sphinx, kind: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    """Add the name of a module, or the messages of a `Flaw` enum, to its documentation."""
    if kind == "module":
        lines[:0] = [f"*Module* ``{name}``", ""]
    if isinstance(obj, type) and issubclass(obj, Flaw):
        for flaw in obj:
            clause = flaw.clause and f" (:rule:`{flaw.clause}`)"
            lines += [f"``{flaw}``", f"   {flaw.template}{clause or ''}", ""]


def setup(app: Sphinx) -> ExtensionMetadata:
    """Connect the handlers to autodoc and to unresolved references."""
    TypeAliasForwardRef.__repr__ = lambda alias: f"~{alias.name}"  # type: ignore[method-assign]
    app.connect("autodoc-process-signature", rewrite_signature)
    app.connect("autodoc-process-docstring", complete)
    app.connect("doctree-read", shorten_values)
    app.add_post_transform(Qualify)
    app.connect("missing-reference", resolve)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
