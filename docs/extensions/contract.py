"""The contract out of the code: prompts, actions, events, violations, and what is exported.

Each directive takes no argument and makes one table.  What the tables say is read off the types,
their docstrings and the engine's table of rules, or was observed in play; what is missing there
is an error of the page that wants it.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, get_args

from docutils import nodes
from names import homes
from observed import Observed, observed
from readable import capitalised
from sphinx.application import Sphinx
from sphinx.pycode import ModuleAnalyzer
from sphinx.util.docutils import SphinxDirective
from sphinx.util.typing import ExtensionMetadata

import valletta_rules
from valletta_rules import Action, Code, Event, PlayerAction, Violation, rulebook
from valletta_rules.agenda import BONUS_CLAUSES, BonusPrompt, Prompt
from valletta_rules.codec.vocabulary import FACTS, name_of, without_none
from valletta_rules.engine import RULES, ChanceRule

Row = Sequence[str]
"""The cells of a row, in reStructuredText."""


# What the code says


@cache
def documentation(module: str) -> dict[tuple[str, str], str]:
    """Return what stands under each field and constant of a module, by class and name."""
    analyzer = ModuleAnalyzer.for_module(module)
    analyzer.analyze()
    return {key: " ".join(lines).strip() for key, lines in analyzer.attr_docs.items()}


def summary(thing: object) -> str:
    """Return the first paragraph of a docstring in one line."""
    paragraph, _, _ = (inspect.getdoc(thing) or "").partition("\n\n")
    return " ".join(paragraph.split())


def exported(name: str) -> str:
    """Return what an exported name stands for, in a line."""
    thing = getattr(valletta_rules, name)
    if inspect.isclass(thing) or inspect.isfunction(thing):
        return summary(thing)
    home = homes()[name].rpartition(".")[0]
    return documentation(home).get(("", name), "")


@cache
def refusers() -> dict[str, list[str]]:
    """Return the functions that refuse an action, by the name of the code with which they do."""
    found: dict[str, list[str]] = {}
    folder = Path(inspect.getfile(rulebook)).parent
    for path in (*sorted(folder.glob("*.py")), folder.parent / "engine.py"):
        module = ".".join(
            ("valletta_rules", *path.relative_to(folder.parent).with_suffix("").parts)
        )
        for function in ast.walk(ast.parse(path.read_text())):
            if isinstance(function, ast.FunctionDef):
                for name in sorted({*codes_in(function)}):
                    found.setdefault(name, []).append(f"{module}.{function.name}")
    return found


def codes_in(function: ast.FunctionDef) -> Iterator[str]:
    """Yield the names of the codes that a function mentions."""
    for node in ast.walk(function):
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "Code":
            yield node.attr


def clauses_of(prompt: Any) -> tuple[str, ...]:
    """Return the clauses under which a prompt asks; the bonus is granted by one of three."""
    return tuple(BONUS_CLAUSES.values()) if prompt is BonusPrompt else (prompt.clause,)


# How it is written


def link(thing: Any) -> str:
    """Link to a class or function by its short name."""
    return f":name:`~{thing.__module__}.{thing.__qualname__}`"


def links(things: Iterable[Any]) -> str:
    """Link to some classes or functions."""
    return ", ".join(map(link, things)) or "none"


def rules(clauses: Iterable[str]) -> str:
    """Link to some clauses, in the order of their numbers."""
    ordered = sorted(clauses, key=lambda clause: (clause[:3], int(clause[4:])))
    return ", ".join(f":rule:`{clause}`" for clause in ordered)


def table(headings: Row, rows: Iterable[Row], widths: str) -> Iterator[str]:
    """Write a table with one row of headings."""
    yield from (".. list-table::", "   :class: contract", "   :header-rows: 1")
    yield from (f"   :widths: {widths}", "")
    for row in (headings, *rows):
        for number, cell in enumerate(row):
            first, *others = cell.splitlines() or [""]
            yield f"   {'-' if number else '* -'} {first}".replace("   - ", "     - ", 1)
            yield from (f"       {line}".rstrip() for line in others)
    yield ""


class ContractTable(SphinxDirective):
    """A table of the contract."""

    headings: ClassVar[Row]
    widths: ClassVar[str]

    def run(self) -> list[nodes.Node]:
        """Write the table, and see to it that every page that shows it is written anew with it."""
        for module in ("valletta_rules.engine", "valletta_rules.errors", "valletta_rules.events"):
            self.env.note_dependency(ModuleAnalyzer.for_module(module).srcname)
        rows = list(self.rows(observed()))
        for row in rows:
            if not all(cell.strip() for cell in row):
                raise self.error(f"a cell of this row has no text: {' | '.join(row)}")
        return self.parse_text_to_nodes("\n".join(table(self.headings, rows, self.widths)))

    def rows(self, seen: Observed) -> Iterator[Row]:
        """Yield the rows."""
        raise NotImplementedError


class Prompts(ContractTable):
    """Every prompt: who answers, with what, under which clause, and what comes of it."""

    headings = ("Prompt", "Who answers", "Answers", "Clause", "Events of the answer", "Rules")
    widths = "24 18 14 12 18 14"

    def rows(self, seen: Observed) -> Iterator[Row]:
        """Yield a row for each prompt, in the order in which the engine lists them."""
        for prompt in get_args(Prompt):
            rule = RULES[prompt]
            listing = rule.weights if isinstance(rule, ChanceRule) else rule.legal
            who = documentation(prompt.__module__).get((prompt.__name__, "seat"), "Chance.")
            yield (
                f"{link(prompt)}\n\n{capitalised(summary(prompt).removeprefix('Chance: '))}",
                who,
                links(prompt.answers),
                rules(clauses_of(prompt)),
                links(happening(seen.caused[prompt])),
                links((listing, rule.check, rule.resolve)),
            )


class Actions(ContractTable):
    """Every action: which prompts it answers, and with which codes it is refused there."""

    headings = ("Action", "By", "Answers", "Refused with")
    widths = "34 10 26 30"

    def rows(self, seen: Observed) -> Iterator[Row]:
        """Yield a row for each action."""
        for action in get_args(Action):
            codes = sorted(seen.refused.get(action, ()), key=list(Code).index)
            yield (
                f"{link(action)}\n\n{summary(action)}",
                "a player" if action in get_args(PlayerAction) else "chance",
                links(prompt for prompt in get_args(Prompt) if action in prompt.answers),
                ", ".join(
                    f":name:`{code.name} <valletta_rules.errors.Code.{code.name}>`"
                    for code in codes
                ),
            )


class Events(ContractTable):
    """Every event: by which clauses it happens, and what brings it about."""

    headings = ("Event", "Brought about by an answer to", "Clauses")
    widths = "34 36 30"

    def rows(self, seen: Observed) -> Iterator[Row]:
        """Yield a row for each event."""
        for event in get_args(Event):
            after = links(prompt for prompt in RULES if event in seen.caused[prompt])
            yield (
                f"{link(event)}\n\n{summary(event)}",
                "nothing: it happens by itself" if event in seen.automatic else after,
                rules(seen.clauses[event]),
            )


class Violations(ContractTable):
    """Every code of a violation: meaning, clauses, facts, an example, and who refuses with it."""

    headings = ("Code", "Clauses, and the facts", "For example", "Refused by")
    widths = "28 24 28 20"

    def rows(self, seen: Observed) -> Iterator[Row]:
        """Yield a row for each code; a code without a meaning, or never used, is an error."""
        for code in Code:
            meaning = documentation("valletta_rules.errors").get(("Code", code.name))
            found = seen.violations.get(code)
            if not meaning or not found or code.name not in refusers():
                raise self.error(f"no meaning, no use or no example of Code.{code.name} is known")
            yield (
                f"``{code}``\n\n:name:`~valletta_rules.errors.Code.{code.name}`\n\n{meaning}",
                "\n\n".join(grounds(found)),
                next(iter(found.values())).message,
                ", ".join(f":name:`~{name}`" for name in refusers()[code.name]),
            )


def grounds(found: dict[str, Violation] | Any) -> Iterator[str]:
    """Yield the clauses that a code can name, each with its facts."""
    of_prompts = {clause for prompt in RULES for clause in clauses_of(prompt)}
    facts = {
        clause: ", ".join(f"``{name}``" for name, _ in each.details)
        for clause, each in found.items()
    }
    if found.keys() == of_prompts:
        yield f"The clause of the prompt: {next(iter(facts.values()))}"
        return
    for clause, names in facts.items():
        yield f":rule:`{clause}`: {names or 'no facts'}"


class Facts(ContractTable):
    """Every fact that a violation can carry: its type, and the codes that come with it."""

    headings = ("Fact", "Type", "Comes with")
    widths = "20 30 50"

    def rows(self, seen: Observed) -> Iterator[Row]:
        """Yield a row for each fact."""
        for fact, kind in FACTS.items():
            codes = [
                f":name:`{code.name} <valletta_rules.errors.Code.{code.name}>`"
                for code in Code
                if any(fact in each.facts for each in seen.violations[code].values())
            ]
            optional = "" if (other := without_none(kind)) is None else " or ``None``"
            written = f":name:`{name_of(other or kind) or kind.__name__}`{optional}"
            yield f"``{fact}``", written, ", ".join(codes)


class Exports(ContractTable):
    """The names that the package exports from some rooms or modules, and what they stand for."""

    headings = ("Name", "What it is")
    widths = "30 70"
    required_arguments = 1
    final_argument_whitespace = True

    def rows(self, seen: Observed) -> Iterator[Row]:
        """Yield a row for each name, in the order of the list."""
        rooms = self.arguments[0].split()
        for name in sorted(valletta_rules.__all__, key=str.casefold):
            if homes()[name].split(".")[1] in rooms:
                yield f":py:obj:`{name} <{homes()[name]}>`", exported(name)


def happening(events: Iterable[type]) -> list[type]:
    """Put events in the order in which their module lists them."""
    return sorted(events, key=get_args(Event).index)


def setup(app: Sphinx) -> ExtensionMetadata:
    """Add the directives, and what else the reference is made with."""
    for extension in ("names", "readable", "json_schema", "command_line", "operations"):
        app.setup_extension(extension)
    for made in (Prompts, Actions, Events, Violations, Facts, Exports):
        app.add_directive(f"contract-{made.__name__.lower()}", made)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
