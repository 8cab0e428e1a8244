"""Generate the reference of prompts, actions, events and errors (the *contract*) from the code.

The data for `docs/templates/contract` are taken from the types, their docstrings, the engine's
table of rules, and the worked examples of the clauses.  Every action, prompt, event and violation
occurs in the examples, and so does every pair of a prompt and an event that it can lead to.  Tests
compare the examples with the rules and with random games.  If some data are missing, the page that
shows them reports an error.
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
"""The types of actions, prompts and events, for which pages show examples."""

ELSEWHERE: Final = (valletta.Build(0), valletta.RevealBarrel(valletta.Good.GOLD))
"""Actions that are tried at every position, to collect refusals of actions of the wrong type."""


class WrittenValue(NamedTuple):
    """A value that occurs in a worked example, with methods that write it in several notations."""

    value: Any
    """The action, prompt or event."""
    text: str
    """The value as text. Actions are written as in records, prompts as in position lines, and
    events as sentences."""
    clause: str
    """The clause to which the worked example belongs."""

    @property
    def python(self) -> str:
        """The value as a Python expression that readers can paste."""
        return re.sub(r"<(\w+\.\w+): [^>]*>", r"\1", repr(self.value))

    @property
    def json(self) -> str:
        """The value as a JSON document."""
        return valletta.to_json(self.value, indent=2)


@attrs.define
class Observations:
    """Data collected while the worked examples were played."""

    forms: dict[type, WrittenValue] = attrs.field(factory=dict)
    """An example for each type of action, prompt and event."""
    violations: dict[Code, dict[str, valletta.Violation]] = attrs.Factory(lambda: defaultdict(dict))
    """One violation for each error code and clause."""
    refused: dict[type, set[Code]] = attrs.Factory(lambda: defaultdict(set))
    """For each type of action, the error codes of refusals at prompts that accept this type."""
    caused: dict[type, set[type]] = attrs.Factory(lambda: defaultdict(set))
    """For each type of prompt, the types of events that answers cause directly."""
    automatic: set[type] = attrs.field(factory=set)
    """The types of events that follow automatically, and are not caused directly by an answer."""
    clauses: dict[type, set[str]] = attrs.Factory(lambda: defaultdict(set))
    """For each type of event, the clauses that events of this type name."""

    def note(self, value: Any, text: str, clause: str) -> None:
        """Record a value as the example for its type, unless the type already has one."""
        self.forms.setdefault(type(value), WrittenValue(value, text, clause))

    def observe(self, state: GameState, actions: Iterable[Action], clause: str) -> None:
        """Record the position's prompt, and the violation of each illegal action."""
        if state.prompt is not None:
            self.note(state.prompt, write_step(state.prompt), clause)
        for action in (*ELSEWHERE, *actions):
            violation = valletta.check(state, action)
            if violation is not None:
                self.violations[violation.code].setdefault(violation.clause, violation)
                if state.prompt is not None and type(action) in state.prompt.answers:
                    self.refused[type(action)].add(violation.code)

    def step(self, state: GameState, action: Action, clause: str) -> None:
        """Record a legal action and the events that it causes."""
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
def observations() -> Observations:
    """Play all worked examples, and return the collected data."""
    data = Observations()
    for clause in (clause for chapter in chapters() for clause in chapter.clauses):
        for worked in map(work, clause.examples):
            for state, action in worked.steps():
                data.observe(state, [action], clause.id)
                if valletta.check(state, action) is None:
                    data.step(state, action, clause.id)
            data.observe(worked.after, [], clause.id)
    return data


def forms_of(union: str) -> list[WrittenValue]:
    """Return an example for each type in the named union; raise `KeyError` if a type has none."""
    return [observations().forms[kind] for kind in get_args(UNIONS[union])]


# What the tables say

TemplateRows = Iterator[dict[str, Any]]
"""The rows of a table that a template renders."""


def summary(obj: object) -> str:
    """Return the first paragraph of a docstring as one line; raise `LookupError` without one."""
    paragraph = " ".join((inspect.getdoc(obj) or "").partition("\n\n")[0].split())
    if not paragraph:
        raise LookupError(f"{obj} must have a docstring")
    return paragraph


def clauses_of(prompt: Any) -> tuple[str, ...]:
    """Return the clauses that a type of prompt can name; only a bonus prompt has several."""
    return tuple(BONUS_CLAUSES.values()) if prompt is BonusPrompt else (prompt.clause,)


def prompts() -> TemplateRows:
    """Yield a row for every type of prompt: its player, its clauses, events and functions."""
    for prompt in get_args(Prompt):
        rule = RULES[prompt]
        listing = rule.weights if isinstance(rule, ChanceRule) else rule.legal
        yield {
            "type": prompt,
            "says": summary(prompt).removeprefix("A question to chance: "),
            "who": documentation(prompt.__module__).get((prompt.__name__, "seat"), "Chance."),
            "clauses": clauses_of(prompt),
            "events": sorted(observations().caused[prompt], key=get_args(Event).index),
            "rules": (listing, rule.check, rule.resolve),
        }


def actions() -> TemplateRows:
    """Yield a row for every type of action: its actor, its prompts and error codes."""
    for action in get_args(PlayerAction | ChanceAction):
        yield {
            "type": action,
            "by": "a player" if action in get_args(PlayerAction) else "chance",
            "prompts": [prompt for prompt in get_args(Prompt) if action in prompt.answers],
            "codes": sorted(observations().refused[action], key=[*Code].index),
        }


def events() -> TemplateRows:
    """Yield a row for every type of event: its clauses, and the prompts whose answers cause it."""
    for event in get_args(Event):
        yield {
            "type": event,
            "happens_by_itself": event in observations().automatic,
            "prompts": [prompt for prompt in RULES if event in observations().caused[prompt]],
            "clauses": observations().clauses[event],
        }


def violations() -> TemplateRows:
    """Yield a row for every error code: its meaning, its clauses and an example.

    Raises an error if a code has no meaning or no example.
    """
    of_prompts = {clause for prompt in RULES for clause in clauses_of(prompt)}
    for code in Code:
        by_clause = observations().violations[code]
        first = next(iter(by_clause.values()))
        yield {
            "code": code,
            "meaning": documentation("valletta_rules.errors")["Code", code.name],
            "grounds": by_clause if by_clause.keys() != of_prompts else {"": first},
            "example": first.message,
        }


def link_codes(codes: Iterable[Code]) -> str:
    """Return links to the given error codes, separated by commas."""
    names = (each.name for each in codes)
    return ", ".join(f":py:obj:`{name} <valletta_rules.errors.Code.{name}>`" for name in names)


def in_order(clauses: Iterable[str]) -> list[str]:
    """Sort clauses by chapter and number."""
    return sorted(clauses, key=lambda clause: (clause[:3], int(clause[4:])))


def setup(app: Sphinx) -> ExtensionMetadata:
    """Load the extensions on which this extension depends."""
    for extension in ("names", "reference"):
        app.setup_extension(extension)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


share(__name__, work=work, transition=valletta.transition, notation=valletta.format_action)
