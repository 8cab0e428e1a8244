"""The contract out of the code, for `docs/templates/contract`: prompts, actions, events, errors.

What is told of them is read off the types, their docstrings and the engine's table of rules, or was
observed in play; what is missing there is an error of the page that wants it.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, get_args

from markup import documentation
from names import homes
from observed import observed
from sphinx.application import Sphinx
from sphinx.util.typing import ExtensionMetadata
from templated import JINJA, offer

import valletta_rules
from valletta_rules import ChanceAction, Code, Event, PlayerAction, rulebook
from valletta_rules.agenda import BONUS_CLAUSES, BonusPrompt, Prompt
from valletta_rules.codec.vocabulary import FACTS, name_of, without_none
from valletta_rules.engine import RULES, ChanceRule

TemplateRows = Iterator[dict[str, Any]]
"""What is told of one thing after another."""


@offer
def summary(thing: object) -> str:
    """Return the first paragraph of a docstring in one line; raise `LookupError` without one."""
    paragraph = " ".join((inspect.getdoc(thing) or "").partition("\n\n")[0].split())
    if not paragraph:
        raise LookupError(f"{thing} has no docstring")
    return paragraph


@offer
def exported(*rooms: str) -> Iterator[tuple[str, str]]:
    """Yield the names that the package exports from some rooms, and what each stands for."""
    for name in sorted(valletta_rules.__all__, key=str.casefold):
        home, thing = homes()[name].rpartition(".")[0], getattr(valletta_rules, name)
        if home.split(".")[1] in rooms:
            is_code = inspect.isclass(thing) or inspect.isfunction(thing)
            yield name, summary(thing) if is_code else documentation(home)["", name]


@offer
def exported_as(name: str) -> str:
    """Return the full name of what the package exports."""
    return homes()[name]


@cache
def refusers() -> dict[str, list[str]]:
    """Return the functions that refuse an action, by the name of the code with which they do."""
    found: dict[str, list[str]] = {}
    folder = Path(inspect.getfile(rulebook)).parent
    for path in (*sorted(folder.glob("*.py")), folder.parent / "engine.py"):
        home = path.relative_to(folder.parents[1]).with_suffix("").as_posix().replace("/", ".")
        for function in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(function, ast.FunctionDef):
                for name in {
                    node.attr
                    for node in ast.walk(function)
                    if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "Code"
                }:
                    found.setdefault(name, []).append(f"{home}.{function.name}")
    return found


def clauses_of(prompt: Any) -> tuple[str, ...]:
    """Return the clauses under which a prompt asks; the bonus is granted by one of three."""
    return tuple(BONUS_CLAUSES.values()) if prompt is BonusPrompt else (prompt.clause,)


@offer
def prompts() -> TemplateRows:
    """Yield every prompt: who answers, with what, under which clause, and what comes of it."""
    for prompt in get_args(Prompt):
        rule = RULES[prompt]
        listing = rule.weights if isinstance(rule, ChanceRule) else rule.legal
        yield {
            "type": prompt,
            "says": summary(prompt).removeprefix("Chance: "),
            "who": documentation(prompt.__module__).get((prompt.__name__, "seat"), "Chance."),
            "clauses": clauses_of(prompt),
            "events": sorted(observed().caused[prompt], key=get_args(Event).index),
            "rules": (listing, rule.check, rule.resolve),
        }


@offer
def actions() -> TemplateRows:
    """Yield every action, those of players first: what it answers, how it is refused there."""
    for action in get_args(PlayerAction | ChanceAction):
        yield {
            "type": action,
            "by": "a player" if action in get_args(PlayerAction) else "chance",
            "prompts": [prompt for prompt in get_args(Prompt) if action in prompt.answers],
            "codes": sorted(observed().refused[action], key=[*Code].index),
        }


@offer
def events() -> TemplateRows:
    """Yield every event: by which clauses it happens, and what brings it about."""
    for event in get_args(Event):
        yield {
            "type": event,
            "happens_by_itself": event in observed().automatic,
            "prompts": [prompt for prompt in RULES if event in observed().caused[prompt]],
            "clauses": observed().clauses[event],
        }


@offer
def violations() -> TemplateRows:
    """Yield every code of a violation; one without a meaning, or never used, is an error."""
    of_prompts = {clause for prompt in RULES for clause in clauses_of(prompt)}
    for code in Code:
        found = observed().violations[code]
        yield {
            "code": code,
            "meaning": documentation("valletta_rules.errors")["Code", code.name],
            "grounds": found if found.keys() != of_prompts else {"": next(iter(found.values()))},
            "example": next(iter(found.values())).message,
            "refusers": refusers()[code.name],
        }


@offer
def facts() -> TemplateRows:
    """Yield every fact that a violation can carry: its type, and the codes that come with it."""
    for fact, kind in FACTS.items():
        other = without_none(kind)
        seen = observed().violations.items()
        codes = [code for code, each in seen if any(fact in v.facts for v in each.values())]
        if codes:  # otherwise a fact of errors, which are no violations
            yield {
                "name": fact,
                "type": name_of(other or kind) or kind.__name__,
                "is_optional": other is not None,
                "codes": sorted(codes, key=[*Code].index),
            }


def link_codes(codes: Iterable[Code]) -> str:
    """Refer to some codes of violations."""
    names = (each.name for each in codes)
    return ", ".join(f":py:obj:`{name} <valletta_rules.errors.Code.{name}>`" for name in names)


def in_order(clauses: Iterable[str]) -> list[str]:
    """Return clauses in the order of their numbers."""
    return sorted(clauses, key=lambda clause: (clause[:3], int(clause[4:])))


def setup(app: Sphinx) -> ExtensionMetadata:
    """Let the templates ask, and add what else the reference is made with."""
    for extension in ("templated", "observed", "names", "readable", "reference"):
        app.setup_extension(extension)
    JINJA.filters |= {"link_codes": link_codes, "in_order": in_order}
    return {"parallel_read_safe": True, "parallel_write_safe": True}
