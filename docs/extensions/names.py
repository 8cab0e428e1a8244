"""What autodoc writes, made readable, and where names lead that are used without their modules.

Sphinx looks for a name in the module and the class that mention it.  Here it is looked for among
what that module has imported, and among what ``valletta_rules`` exports.  A name of the default
role that leads nowhere is set as code, unless it looks like a class: Sphinx warns of that.
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
"""What full names begin with."""

CLASS: Final = re.compile(r"(valletta_rules\.|[\w.]*\b)_?[A-Z][A-Z]*[a-z]+[A-Z]?\w*")
"""What names of classes look like, and nothing else that is set as code."""

LONGEST: Final = 80
"""From how many characters on a value is left out."""

SHOWN_CLASS: Final = re.compile(r"<class '(?:[\w.]+\.)?(\w+)'>")
"""How Python shows a class."""


# Names


@cache
def homes() -> Mapping[str, str]:
    """Return the full name of everything that the package exports, by its short name."""
    return {name: f"{home}.{name}" for name, home in valletta_rules._HOMES.items()}


def candidates(name: str, module: str | None, within: str | None) -> Iterator[str]:
    """Return the full names that a name may stand for where it is mentioned, the nearest first."""
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
    """Yield the full name of what a module has imported under some name, if it is ours."""
    first, _, rest = name.partition(".")
    meant = getattr(loaded(module), first, None)
    if inspect.isclass(meant) or inspect.isfunction(meant):
        yield ".".join(filter(None, (meant.__module__, meant.__qualname__, rest)))


def find(objects: Mapping[str, ObjectEntry], names: Iterator[str]) -> str | None:
    """Return the first of some names that is documented; a star stands for any one beginning."""
    for name in names:
        if name in objects:
            return name
        if name.startswith("*"):
            found = [known for known in objects if known.endswith(name[1:])]
            if len(found) == 1:
                return found[0]
    return None


def resolve(
    app: Sphinx, env: BuildEnvironment, node: addnodes.pending_xref, shown: nodes.TextElement
) -> nodes.Element | None:
    """Link a name that the Python domain has not found, if it is known.

    In a signature a name stands for what it stands for in its module, documented or not.
    """
    if node.get("refdomain") != "py":
        return None
    target = node["reftarget"].removesuffix("()")
    module = node.get("py:module")
    objects = env.domains.python_domain.objects
    found = find(objects, candidates(target, module, node.get("py:class")))
    if found is not None:
        entry = objects[found]
        return make_refnode(app.builder, node["refdoc"], entry.docname, entry.node_id, shown, found)
    if node["reftype"] == "obj":
        return None if CLASS.fullmatch(target) and not hasattr(builtins, target) else shown
    return shown if hasattr(loaded(module or ""), target.partition(".")[0]) else None


@cache
def loaded(module: str) -> ModuleType | None:
    """Return a module by its name; pages that are up to date have not loaded theirs."""
    try:
        return import_module(module) if module else None
    except ImportError:
        return None


class Qualify(SphinxPostTransform):
    """Say in full what a signature names, lest it be looked for in other modules."""

    default_priority = 5  # before references are resolved

    def run(self, **_: object) -> None:
        """Replace short names by full ones that are documented."""
        objects = self.env.domains.python_domain.objects
        for node in self.document.findall(addnodes.pending_xref):
            module = node.get("py:module")
            if node.get("refdomain") != "py" or not module or "refspecific" not in node:
                continue
            if found := find(objects, origin(module, node["reftarget"])):
                node["reftarget"] = found
                del node["refspecific"]
            elif hasattr(builtins, node["reftarget"]):
                del node["refspecific"]  # spares a look at the ends of all names


# Signatures


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
    made = vars(thing).get("__init__")
    is_written = inspect.isfunction(made) and not made.__code__.co_filename.startswith("<attrs")
    if attrs.has(thing) and not (is_written and issubclass(thing, Exception)):
        return stringify_signature(inspect.Signature(list(parameters(thing)))), ""
    return as_written(made)[0] if is_written else "", ""


def as_written(function: Callable[..., object]) -> tuple[str, str]:
    """Return the parameters and the result of a function as its module writes them."""
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
    """Leave out values that are long or mere addresses, and show classes by their names."""
    for signature in document.findall(addnodes.desc_signature):
        for shown in list(signature.findall(addnodes.desc_annotation)):
            text = shown.astext()
            if not text.startswith(" = "):
                continue
            text = SHOWN_CLASS.sub(r"\1", text)
            if len(text) > LONGEST or re.search(r" object at 0x|Path\(", text):
                text = " = …"
            if text != shown.astext() or "'" in text:
                shown.children = []
                shown += addnodes.desc_sig_name("", text)  # keeps its quotation marks


# Docstrings


def complete(app: Sphinx, what: str, name: str, thing: Any, options: Any, lines: list[str]) -> None:
    """Name the module whose docstring follows, and list the description of each flaw by code."""
    if what == "module":
        lines[:0] = [f"*Module* ``{name}``", ""]
    if isinstance(thing, type) and issubclass(thing, Flaw):
        for flaw in thing:
            clause = flaw.clause and f" (:rule:`{flaw.clause}`)"
            lines += [f"``{flaw}``", f"   {flaw.template}{clause or ''}", ""]


def setup(app: Sphinx) -> ExtensionMetadata:
    """Listen to autodoc, and look for names."""
    TypeAliasForwardRef.__repr__ = lambda alias: f"~{alias.name}"  # type: ignore[method-assign]
    app.connect("autodoc-process-signature", rewrite_signature)
    app.connect("autodoc-process-docstring", complete)
    app.connect("doctree-read", shorten_values)
    app.add_post_transform(Qualify)
    app.connect("missing-reference", resolve)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
