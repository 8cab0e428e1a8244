"""Generate the reference of prompts, actions, events and errors (the *contract*) from the code.

The facts for `docs/templates/contract` come from the types, their docstrings, the engine's table of
rules, and the worked examples of the clauses.  Every action, prompt, event and violation occurs in
the examples, and so does every event after every prompt that can lead to it.  Tests compare the
examples with the rules and with random games.  If a fact is missing, the page that shows it reports
an error.
"""

import inspect
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, Final, NamedTuple, get_args

import attrs
from markup import documentation
from sphinx.application import Sphinx
from sphinx.util.typing import ExtensionMetadata
from templated import share

import valletta_rules as valletta
from valletta_rules import Action, ChanceAction, Code, Event, GameState, PlayerAction, chapters
from valletta_rules.agenda import BONUS_CLAUSES, BonusPrompt, Prompt
from valletta_rules.engine import RULES, answer, run
from valletta_rules.records.position_line import write_step
from valletta_rules.rulebook.effects import ChanceRule
from valletta_rules.specification.worked_examples import work
from valletta_rules.words import narrate

# What occurs in the examples

UNIONS: Final = {"actions": Action, "prompts": Prompt, "events": Event}
"""The unions of types for which the pages show examples, keyed by name."""

ELSEWHERE: Final = (valletta.Build(0), valletta.RevealBarrel(valletta.Good.GOLD))
"""Actions that are tried at every prompt, so that each prompt refuses an action of a wrong type."""


class WrittenValue(NamedTuple):
    """An example of a value, with methods that write it in several notations."""

    value: Any
    """The example itself."""
    text: str
    """The value in the notation of texts, such as an action in a record."""
    clause: str
    """The clause of the worked example that contains the value."""

    @property
    def python(self) -> str:
        """The value as a Python expression that can be pasted."""
        return re.sub(r"<(\w+\.\w+): [^>]*>", r"\1", repr(self.value))

    @property
    def json(self) -> str:
        """The value as a JSON document."""
        return valletta.to_json(self.value, indent=2)


@attrs.define
class Observed:
    """Facts that were observed while the worked examples were played."""

    forms: dict[type, WrittenValue] = attrs.field(factory=dict)
    """The first action, prompt or event of each type."""
    violations: dict[Code, dict[str, valletta.Violation]] = attrs.Factory(lambda: defaultdict(dict))
    """For each code of a violation and each clause, one violation."""
    refused: dict[type, set[Code]] = attrs.Factory(lambda: defaultdict(set))
    """For each type of action, the codes of its refusals at prompts that it answers."""
    caused: dict[type, set[type]] = attrs.Factory(lambda: defaultdict(set))
    """For each type of prompt, the types of event that answers cause directly."""
    automatic: set[type] = attrs.field(factory=set)
    """The types of event that can happen automatically after an answer."""
    clauses: dict[type, set[str]] = attrs.Factory(lambda: defaultdict(set))
    """For each type of event, the clauses that its events name."""

    def note(self, value: Any, text: str, clause: str) -> None:
        """Record a value as the example of its type, unless the type has an example."""
        self.forms.setdefault(type(value), WrittenValue(value, text, clause))

    def look(self, state: GameState, actions: Iterable[Action], clause: str) -> None:
        """Record the prompt of a position, and the violations of those actions that are illegal."""
        if state.prompt is not None:
            self.note(state.prompt, write_step(state.prompt), clause)
        for action in (*ELSEWHERE, *actions):
            violation = valletta.check(state, action)
            if violation is not None:
                self.violations[violation.code].setdefault(violation.clause, violation)
                if state.prompt is not None and type(action) in state.prompt.answers:
                    self.refused[type(action)].add(violation.code)

    def step(self, state: GameState, action: Action, clause: str) -> None:
        """Record a legal action and its events."""
        self.note(action, valletta.format_action(action), clause)
        caused: list[Event] = []
        automatic: list[Event] = []
        run(answer(state, action, caused), automatic)
        self.caused[type(state.prompt)].update(map(type, caused))
        self.automatic.update(map(type, automatic))
        for event in caused + automatic:
            self.clauses[type(event)].add(event.clause)
            self.note(event, narrate(event, state), clause)


@cache
def observed() -> Observed:
    """Play all worked examples, and return the observed facts."""
    seen = Observed()
    for clause in (clause for chapter in chapters() for clause in chapter.clauses):
        for worked in map(work, clause.examples):
            for state, action in worked.steps():
                seen.look(state, [action], clause.id)
                if valletta.check(state, action) is None:
                    seen.step(state, action, clause.id)
            seen.look(worked.after, [], clause.id)
    return seen


def forms_of(union: str) -> list[WrittenValue]:
    """Return an example for each type in a union; raise `KeyError` if a type has none."""
    return [observed().forms[kind] for kind in get_args(UNIONS[union])]


# What the tables say

TemplateRows = Iterator[dict[str, Any]]
"""The rows of a table, for use in a template."""


def summary(thing: object) -> str:
    """Return the first paragraph of a docstring in one line; raise `LookupError` without one."""
    paragraph = " ".join((inspect.getdoc(thing) or "").partition("\n\n")[0].split())
    if not paragraph:
        raise LookupError(f"{thing} must have a docstring")
    return paragraph


def clauses_of(prompt: Any) -> tuple[str, ...]:
    """Return the clauses that a type of prompt can name; only a bonus prompt has several."""
    return tuple(BONUS_CLAUSES.values()) if prompt is BonusPrompt else (prompt.clause,)


def prompts() -> TemplateRows:
    """Yield a row for every type of prompt: seat, clauses, events of its answers, and functions."""
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


def actions() -> TemplateRows:
    """Yield a row for every type of action, those of players first: prompts and refusal codes."""
    for action in get_args(PlayerAction | ChanceAction):
        yield {
            "type": action,
            "by": "a player" if action in get_args(PlayerAction) else "chance",
            "prompts": [prompt for prompt in get_args(Prompt) if action in prompt.answers],
            "codes": sorted(observed().refused[action], key=[*Code].index),
        }


def events() -> TemplateRows:
    """Yield a row for every type of event: its clauses, and the prompts that cause it."""
    for event in get_args(Event):
        yield {
            "type": event,
            "happens_by_itself": event in observed().automatic,
            "prompts": [prompt for prompt in RULES if event in observed().caused[prompt]],
            "clauses": observed().clauses[event],
        }


def violations() -> TemplateRows:
    """Yield a row for every code of a violation.

    Raises an error if a code has no meaning or no example.
    """
    of_prompts = {clause for prompt in RULES for clause in clauses_of(prompt)}
    for code in Code:
        found = observed().violations[code]
        first = next(iter(found.values()))
        yield {
            "code": code,
            "meaning": documentation("valletta_rules.errors")["Code", code.name],
            "grounds": found if found.keys() != of_prompts else {"": first},
            "example": first.message,
        }


def link_codes(codes: Iterable[Code]) -> str:
    """Return links to the given codes of violations."""
    names = (each.name for each in codes)
    return ", ".join(f":py:obj:`{name} <valletta_rules.errors.Code.{name}>`" for name in names)


def in_order(clauses: Iterable[str]) -> list[str]:
    """Sort clauses by chapter and number."""
    return sorted(clauses, key=lambda clause: (clause[:3], int(clause[4:])))


def setup(app: Sphinx) -> ExtensionMetadata:
    """Load the extensions that this extension needs."""
    for extension in ("names", "reference"):
        app.setup_extension(extension)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


share(__name__, work=work, transition=valletta.transition, notation=valletta.format_action)
