"""A role for names: a link where a name of the library leads somewhere, code otherwise.

It is meant as the default role, so that ```apply``` in a docstring becomes a link.  A name is
looked for in the class and the module it is mentioned in, then among all full names, then among
what ``valletta_rules`` exports.  A name that looks like a class and leads nowhere is warned of.
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
from sphinx.util import logging
from sphinx.util.docutils import ReferenceRole
from sphinx.util.nodes import make_refnode
from sphinx.util.typing import ExtensionMetadata

import valletta_rules

PACKAGE: Final = "valletta_rules."
"""What full names begin with."""

CLASS: Final = re.compile(r"(valletta_rules\.|[\w.]*\b)_?[A-Z][A-Z]*[a-z]+[A-Z]?\w*")
"""What names of classes look like, and nothing else that is set as code."""

COMPILED: Final = frozenset({"PackedState"})
"""Classes that exist only where the native backend has been compiled."""

LOGGER: Final = logging.getLogger(__name__)


class NameRole(ReferenceRole):
    """A name of the library, or else a piece of code; of ``~a.b`` only ``b`` is shown."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """Set the text as code, and leave the link to be found when all names are known."""
        target = self.target.lstrip("~").removesuffix("()")
        title = target.rpartition(".")[2] if self.target.startswith("~") else self.title
        shown = nodes.literal(self.rawtext, title, classes=["py", "py-obj"])
        reference = addnodes.pending_xref(
            self.rawtext, shown, reftype="name", refdomain="", reftarget=target
        )
        reference["py:module"] = self.env.ref_context.get("py:module")
        reference["py:class"] = self.env.ref_context.get("py:class")
        self.set_source_info(reference)
        return [reference], []


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
    """Link a name that no domain has found, if it is known; a name of this role is never missing.

    In a signature a name stands for what it stands for in its module, documented or not.
    """
    ours = node["reftype"] == "name"
    if not ours and node.get("refdomain") != "py":
        return None
    target: str = node["reftarget"]
    module = node.get("py:module")
    objects = env.domains.python_domain.objects
    found = find(objects, candidates(target, module, node.get("py:class")))
    if found is not None:
        entry = objects[found]
        return make_refnode(app.builder, node["refdoc"], entry.docname, entry.node_id, shown, found)
    if ours and CLASS.fullmatch(target) and not (hasattr(builtins, target) or is_left_out(target)):
        LOGGER.warning(
            "nothing is documented as %s", target, location=node, type="ref", subtype="name"
        )
    known = hasattr(loaded(module or ""), target.partition(".")[0])
    return shown if ours or known else None


def is_left_out(target: str) -> bool:
    """Tell whether a name is one of the native backend, which is not compiled here."""
    return target in COMPILED and not hasattr(loaded("valletta_rules.native"), target)


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
    """Add the role."""
    app.add_role("name", NameRole())
    app.add_post_transform(Qualify)
    app.connect("missing-reference", resolve)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
