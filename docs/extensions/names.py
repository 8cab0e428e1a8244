"""Where the names lead that the default role `py:obj` and signatures use without their modules.

Sphinx looks for a name in the module and the class that mention it.  Here it is looked for among
what that module has imported, and among what ``valletta_rules`` exports.  A name of the default
role that leads nowhere is set as code, unless it looks like a class: Sphinx warns of that.
"""

from __future__ import annotations

import builtins
import inspect
import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Final

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.domains.python import ObjectEntry
from sphinx.environment import BuildEnvironment
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.nodes import make_refnode
from sphinx.util.typing import ExtensionMetadata

import valletta_rules

PACKAGE: Final = "valletta_rules."
"""What full names begin with."""

CLASS: Final = re.compile(r"(valletta_rules\.|[\w.]*\b)_?[A-Z][A-Z]*[a-z]+[A-Z]?\w*")
"""What names of classes look like, and nothing else that is set as code."""


@cache
def homes() -> Mapping[str, str]:
    """Return the full name of everything that the package exports, by its short name."""
    return {
        name: f"{valletta_rules._home_of(name).__name__}.{name}" for name in valletta_rules.__all__
    }


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


def setup(app: Sphinx) -> ExtensionMetadata:
    """Look for names."""
    app.add_post_transform(Qualify)
    app.connect("missing-reference", resolve)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
