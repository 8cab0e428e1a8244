"""The formal model, highlighted, each name a link to its definition.

The role `quint` links to a definition, ``:quint:`discount <building.discount>```, or to a module,
``:quint:`building```; the directive `quint-module` makes the page of a module, and
`quint-definition` shows one definition.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import groupby
from typing import Final

from docutils import nodes
from evidence import with_clauses
from markup import ROOT, Written, capitalised
from quint_lexer import QuintLexer
from quint_source import Module, QuintBlock, modules
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util import rst
from sphinx.util.typing import ExtensionMetadata
from sphinx.writers.html5 import HTML5Translator

from valletta_rules.specification.files import CLAUSE_ID

NAMED: Final = re.compile(r'<span class="(n|nf|nc)">(\w+)</span>')
"""A name in highlighted Quint."""

PLAIN: Final = re.compile(r'<span class="(?:w|p|o|mi|n|na|nb)">([^<]*)</span>')
"""What is set as any other text: all but keywords, types, and names that lead somewhere."""

MARKED: Final = re.compile(rf"\[({CLAUSE_ID.pattern})\]|`([^`]+)`")
"""A clause or a piece of code in a comment."""


class quint(nodes.literal_block):  # noqa: N801 -- docutils names nodes so
    """Definitions of the model; elsewhere than in HTML an ordinary block of code."""


@cache
def homes(module: str) -> Mapping[str, str]:
    """Return the modules of all names that a module can use; state variables are no such names."""
    known = modules()
    found: dict[str, str] = {}
    for home in (*reversed(known[module].imports), module):
        found |= {name: home for name, defined in known[home].names() if defined.kind != "var"}
    return found


# What a comment says


def marked_up(comment: str, module: str) -> str:
    """Write a comment of the model as reStructuredText."""
    parts, end = [], 0
    for found in MARKED.finditer(comment):
        clause, quoted = found.groups()
        marked = f":rule:`{clause}`" if clause else code(quoted, module)
        parts += [rst.escape(comment[end : found.start()]), marked]
        end = found.end()
    return "".join([*parts, rst.escape(comment[end:])])


def code(quoted: str, module: str) -> str:
    """Write a piece of code: a link if it names a definition."""
    home, _, name = quoted.rpartition("::")
    home = home or homes(module).get(name, "")
    if home in modules() and name in dict(modules()[home].names()):
        return f":quint:`{name} <{home}.{name}>`"
    return f"``{quoted}``"


# The page of a module


class ModelDirective(Written):
    """A directive that writes reStructuredText on behalf of a module of the model."""

    def module(self, name: str) -> Module:
        """Return a module, if there is one of that name."""
        if name not in modules():
            raise self.error(f"the model has no module {name!r}; there are {', '.join(modules())}")
        self.env.note_dependency(ROOT / modules()[name].path)
        return modules()[name]

    def source(self, block: QuintBlock, module: Module, anchors: Sequence[str]) -> quint:
        """Return definitions that belong together, the first of them without an anchor."""
        node = quint(block.source, block.source, language="quint", module=module.name)
        node["bound"], node["anchors"] = sorted(block.bound), [*anchors]
        self.set_source_info(node)
        return node


class QuintDefinition(ModelDirective):
    """`.. quint-definition:: building.discount`: one definition, on any page."""

    def run(self) -> list[nodes.Node]:
        """Return the definition without its comment."""
        home, _, name = self.arguments[0].rpartition(".")
        module = self.module(home)
        for definition, block in module.definitions():
            if definition.name == name:
                return [self.source(block, module, [])]
        raise self.error(f"{module.path} does not define {name!r}")


class QuintModule(ModelDirective):
    """`.. quint-module:: building`: the definitions of a module with their comments."""

    def run(self) -> list[nodes.Node]:
        """Return what stands before the first ruler, then a section for each ruler."""
        module = self.module(self.arguments[0])
        label = f"module-{module.name}"
        note_object(self.env, module.name, label, module.path, 1)
        imports = ", ".join(f":quint:`{name}`" for name in module.imports)
        bearings = f"The module is ``{module.path}``." + f"  It uses {imports}." * bool(imports)
        head = nodes.container("", ids=[label], classes=["quint-module"])
        head += self.written([marked_up(module.comment, module.name), "", bearings], module.path)
        found: list[nodes.Node] = [head]
        for section, blocks in groupby(module.blocks, key=lambda block: block.section):
            shown = [self.block(block, module) for block in blocks]
            if section:
                title = nodes.title("", capitalised(section))
                shown = [nodes.section("", title, *shown, ids=[f"on-{nodes.make_id(section)}"])]
            found += shown
        return found

    def block(self, block: QuintBlock, module: Module) -> nodes.Element:
        """Return definitions that belong together, with their comment; make their names known."""
        node = nodes.container("", classes=["quint-block"])
        node["ids"] = [definition.name for definition in block.definitions[:1]]
        node += self.written([marked_up(block.comment, module.name)], module.path, block.line)
        names = [(name, each) for each in block.definitions for name in each.names]
        for name, each in names:
            note_object(self.env, f"{module.name}.{name}", name, module.path, each.line)
        if names:
            node += self.source(block, module, [name for name, _ in names])
        return node


class QuintProperties(ModelDirective):
    """`.. quint-properties:: inv_`: what the invariants whose names begin so say, in a list."""

    def run(self) -> list[nodes.Node]:
        """Return a list of the definitions that the invariants stand for, with their comments."""
        module = self.module("invariants")
        lines = []
        for definition, block in module.definitions():
            if definition.name.startswith(self.arguments[0]):
                name, comment = self.stated(definition.name, block, module)
                said = " ".join(marked_up(comment, module.name).split())
                lines += [f":quint:`{definition.name} <invariants.{name}>`", f"   {said}", ""]
        return self.written(lines, module.path)

    def stated(self, name: str, block: QuintBlock, module: Module) -> tuple[str, str]:
        """Return the definition that an invariant stands for, and the comment above it."""
        line = next(line for line in block.source.split("\n") if line.startswith(f"val {name} ="))
        comments = {each.name: found.comment for each, found in module.definitions()}
        for used in re.findall(r"\w+", line.partition("=")[2]):
            if comments.get(used):
                return used, comments[used]
        raise self.error(f"what {name} says stands in no comment")


def note_object(env: BuildEnvironment, name: str, anchor: str, path: str, line: int) -> None:
    """Make a definition or a module known to the role."""
    node = nodes.target()
    node.source, node.line = str(ROOT / path), line
    env.domains.standard_domain.note_object("quint", name, anchor, location=node)


# In HTML


def visit_quint(self: HTML5Translator, node: nodes.Element) -> None:
    """Write highlighted definitions, with anchors and links."""
    shown = self.highlighter.highlight_block(node.astext(), "quint", location=node)
    linked = PLAIN.sub(r"\1", link_names(shown, node, lambda home: page(self, home)))
    linked = with_clauses(self.builder, self.builder.current_docname, linked)
    head = self.starttag(node, "div", CLASS="highlight-quint notranslate")
    self.body.append(f"{head}{linked}</div>\n")
    raise nodes.SkipNode


def page(translator: HTML5Translator, module: str) -> str:
    """Return the address of a module's page, as seen from the page being written."""
    here = translator.builder.current_docname
    there = f"model/{module}"
    return "" if there == here else translator.builder.get_relative_uri(here, there)


def link_names(shown: str, node: nodes.Element, address: Callable[[str], str]) -> str:
    """Make anchors of the names that a block defines, and links of those it uses."""
    module, bound = node["module"], set(node["bound"])
    waiting = set(node["anchors"])

    def linked(found: re.Match[str]) -> str:
        token, name = found.groups()
        if name in waiting and token != "n":
            waiting.discard(name)
            anchor = "" if name == node["anchors"][0] else f' id="{name}"'
            return f'<a class="{token} quint-name" href="#{name}"{anchor}>{name}</a>'
        home = homes(module).get(name)
        if home is None or name in bound:
            return found[0]
        if not node["anchors"]:  # an excerpt, in which one link to each name will do
            bound.add(name)
        return f'<a class="{token}" href="{address(home)}#{name}">{name}</a>'

    return NAMED.sub(linked, shown)


def setup(app: Sphinx) -> ExtensionMetadata:
    """Add the lexer, the role and the directives."""
    app.add_lexer("quint", QuintLexer)
    app.add_object_type(
        "quint", "quint", objname="definition of the formal model", ref_nodeclass=nodes.literal
    )
    app.add_directive("quint-module", QuintModule)
    app.add_directive("quint-definition", QuintDefinition)
    app.add_directive("quint-properties", QuintProperties)
    app.add_node(quint, html=(visit_quint, None))
    app.setup_extension("checks")
    return {"parallel_read_safe": True, "parallel_write_safe": True}
