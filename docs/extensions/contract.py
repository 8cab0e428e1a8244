"""The contract out of the code: prompts, actions, events, violations, and what is exported.

Each directive takes no argument and makes one table.  What the tables say is read off the types,
their docstrings and the engine's table of rules, or was observed in play; what is missing there
is an error of the page that wants it.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final, get_args

from docutils import nodes
from markup import Written, broad_table, capitalised, documentation
from names import homes
from observed import Observed, observed
from sphinx.application import Sphinx
from sphinx.pycode import ModuleAnalyzer
from sphinx.util.typing import ExtensionMetadata

import valletta_rules
from valletta_rules import ChanceAction, Code, Event, PlayerAction, Violation, rulebook
from valletta_rules.agenda import BONUS_CLAUSES, BonusPrompt, Prompt
from valletta_rules.codec.vocabulary import FACTS, name_of, without_none
from valletta_rules.engine import RULES, ChanceRule

Row = Sequence[str]
"""The cells of a row, in reStructuredText."""


# What the code says


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


def codes(some: Iterable[Code]) -> str:
    """Link to some codes."""
    return ", ".join(
        f":name:`{each.name} <valletta_rules.errors.Code.{each.name}>`" for each in some
    )


# The tables


def prompts(seen: Observed) -> Iterator[Row]:
    """Yield every prompt: who answers, with what, under which clause, and what comes of it."""
    for prompt in get_args(Prompt):
        rule = RULES[prompt]
        listing = rule.weights if isinstance(rule, ChanceRule) else rule.legal
        who = documentation(prompt.__module__).get((prompt.__name__, "seat"), "Chance.")
        yield (
            f"{link(prompt)}\n\n{capitalised(summary(prompt).removeprefix('Chance: '))}",
            who,
            links(prompt.answers),
            rules(clauses_of(prompt)),
            links(sorted(seen.caused[prompt], key=get_args(Event).index)),
            links((listing, rule.check, rule.resolve)),
        )


def actions(seen: Observed) -> Iterator[Row]:
    """Yield every action, those of players first: what it answers, how it is refused there."""
    for action in get_args(PlayerAction | ChanceAction):
        yield (
            f"{link(action)}\n\n{summary(action)}",
            "a player" if action in get_args(PlayerAction) else "chance",
            links(prompt for prompt in get_args(Prompt) if action in prompt.answers),
            codes(sorted(seen.refused[action], key=[*Code].index)),
        )


def events(seen: Observed) -> Iterator[Row]:
    """Yield every event: by which clauses it happens, and what brings it about."""
    for event in get_args(Event):
        after = links(prompt for prompt in RULES if event in seen.caused[prompt])
        yield (
            f"{link(event)}\n\n{summary(event)}",
            "nothing: it happens by itself" if event in seen.automatic else after,
            rules(seen.clauses[event]),
        )


def violations(seen: Observed) -> Iterator[Row]:
    """Yield every code of a violation; one without a meaning, or never used, is an error."""
    for code in Code:
        meaning = documentation("valletta_rules.errors").get(("Code", code.name))
        found = seen.violations.get(code)
        if not meaning or not found or code.name not in refusers():
            raise LookupError(f"no meaning, no use or no example of Code.{code.name} is known")
        yield (
            f"``{code}``\n\n:name:`~valletta_rules.errors.Code.{code.name}`\n\n{meaning}",
            "\n\n".join(grounds(found)),
            next(iter(found.values())).message,
            ", ".join(f":name:`~{name}`" for name in refusers()[code.name]),
        )


def grounds(found: Mapping[str, Violation]) -> Iterator[str]:
    """Yield the clauses that a code can name, each with its facts."""
    of_prompts = {clause for prompt in RULES for clause in clauses_of(prompt)}
    for clause, each in found.items():
        names = ", ".join(f"``{name}``" for name, _ in each.details) or "no facts"
        if found.keys() == of_prompts:
            yield f"The clause of the prompt: {names}"
            return
        yield f":rule:`{clause}`: {names}"


def facts(seen: Observed) -> Iterator[Row]:
    """Yield every fact that a violation can carry: its type, and the codes that come with it."""
    for fact, kind in FACTS.items():
        those = [
            code
            for code in Code
            if any(fact in each.facts for each in seen.violations[code].values())
        ]
        if not those:  # a fact of errors, which are no violations
            continue
        optional = "" if (other := without_none(kind)) is None else " or ``None``"
        written = f":name:`{name_of(other or kind) or kind.__name__}`{optional}"
        yield f"``{fact}``", written, codes(those)


def exports(seen: Observed, rooms: str) -> Iterator[Row]:
    """Yield the names that the package exports from some rooms or modules, in their order."""
    for name in sorted(valletta_rules.__all__, key=str.casefold):
        if homes()[name].split(".")[1] in rooms.split():
            yield f":py:obj:`{name} <{homes()[name]}>`", exported(name)


TABLES: Final[Mapping[Callable[..., Iterator[Row]], str]] = {
    prompts: (
        "Prompt 24 | Who answers 18 | Answers 14 | Clause 12 | Events of the answer 18 | Rules 14"
    ),
    actions: "Action 34 | By 10 | Answers 26 | Refused with 30",
    events: "Event 34 | Brought about by an answer to 36 | Clauses 30",
    violations: "Code 28 | Clauses, and the facts 24 | For example 28 | Refused by 20",
    facts: "Fact 20 | Type 30 | Comes with 50",
    exports: "Name 30 | What it is 70",
}
"""The columns of each table with their widths."""


class Contract(Written):
    """A table of the contract."""

    required_arguments = 0

    def run(self) -> list[nodes.Node]:
        """Write the table, and see to it that every page that shows it is written anew with it."""
        for module in ("valletta_rules.engine", "valletta_rules.errors", "valletta_rules.events"):
            self.env.note_dependency(ModuleAnalyzer.for_module(module).srcname)
        made = globals()[self.name.removeprefix("contract-")]
        try:
            rows = [*made(observed(), *self.arguments)]
        except LookupError as error:
            raise self.error(str(error)) from None
        for row in rows:
            if not all(cell.strip() for cell in row):
                raise self.error(f"a cell of this row has no text: {' | '.join(row)}")
        return self.written(broad_table(TABLES[made], rows, "contract"))


class Exports(Contract):
    """A table of what is exported from some rooms or modules, which are named."""

    required_arguments = 1
    final_argument_whitespace = True


def setup(app: Sphinx) -> ExtensionMetadata:
    """Add the directives, and what else the reference is made with."""
    for extension in ("names", "readable", "json_schema", "command_line", "operations"):
        app.setup_extension(extension)
    for made in TABLES:
        app.add_directive(f"contract-{made.__name__}", Exports if made is exports else Contract)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
