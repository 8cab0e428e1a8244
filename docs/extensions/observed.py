"""What the worked examples of the clauses show of the contract.

Every action, prompt and event occurs in them, every violation, and every event after every prompt
after which it can come; tests compare them with the rules and with random games.
"""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cache
from typing import Any, Final, NamedTuple, get_args

import attrs
from sphinx.application import Sphinx
from sphinx.util.typing import ExtensionMetadata
from templated import offer

import valletta_rules as valletta
from valletta_rules import Action, Build, Code, Event, GameState, RevealBarrel, Violation
from valletta_rules.agenda import Prompt
from valletta_rules.engine import answer, run
from valletta_rules.records.position_line import write_step
from valletta_rules.specification.clauses import chapters
from valletta_rules.specification.worked_examples import work
from valletta_rules.words import narrate

UNIONS: Final = {"actions": Action, "prompts": Prompt, "events": Event}
"""What is shown as it is written, by what it is called."""

ELSEWHERE: Final = (Build(0), RevealBarrel(valletta.Good.GOLD))
"""Actions of which at least one is of a wrong type, whatever is asked."""


class WrittenValue(NamedTuple):
    """A value as it is written."""

    value: Any
    """The value."""
    text: str
    """As text."""
    clause: str
    """The clause whose example it is taken from."""

    @property
    def python(self) -> str:
        """As Python, to be pasted."""
        return re.sub(r"<(\w+\.\w+): [^>]*>", r"\1", repr(self.value))

    @property
    def json(self) -> str:
        """As JSON, a document."""
        return valletta.to_json(self.value, indent=2)


@attrs.define
class Observed:
    """What occurs in the examples."""

    forms: dict[type, WrittenValue] = attrs.field(factory=dict)
    """The first action, prompt and event of each type."""
    violations: dict[Code, dict[str, Violation]] = attrs.field(factory=lambda: defaultdict(dict))
    """One violation of each code and each clause."""
    refused: dict[type, set[Code]] = attrs.field(factory=lambda: defaultdict(set))
    """With which codes actions of a type are refused where they answer the prompt."""
    caused: dict[type, set[type]] = attrs.field(factory=lambda: defaultdict(set))
    """Which events the answers to a prompt bring about themselves."""
    automatic: set[type] = attrs.field(factory=set)
    """Which events come of what runs by itself afterwards."""
    clauses: dict[type, set[str]] = attrs.field(factory=lambda: defaultdict(set))
    """Which clauses an event names."""

    def note(self, value: Any, text: str, clause: str) -> None:
        """Keep the first value of a type as it is written."""
        self.forms.setdefault(type(value), WrittenValue(value, text, clause))

    def ask(self, state: GameState, clause: str) -> None:
        """Observe a prompt, and that it refuses actions of other types."""
        if state.prompt is not None:
            self.note(state.prompt, write_step(state.prompt), clause)
        for action in ELSEWHERE:
            self.refuse(valletta.check(state, action))

    def step(self, state: GameState, action: Action, clause: str) -> None:
        """Observe an action and what comes of it."""
        self.ask(state, clause)
        violation = valletta.check(state, action)
        if violation is not None or state.prompt is None:
            self.refuse(violation)
            if state.prompt is not None and type(action) in state.prompt.answers:
                self.refused[type(action)] |= {violation.code} if violation else set()
            return
        self.note(action, valletta.format_action(action), clause)
        caused: list[Event] = []
        automatic: list[Event] = []
        run(answer(state, action, caused), automatic)
        self.caused[type(state.prompt)].update(map(type, caused))
        self.automatic.update(map(type, automatic))
        for event in caused + automatic:
            self.clauses[type(event)].add(event.clause)
            self.note(event, narrate(event, state), clause)

    def refuse(self, violation: Violation | None) -> None:
        """Keep the first violation of its code and its clause."""
        if violation is not None:
            self.violations[violation.code].setdefault(violation.clause, violation)


@cache
def observed() -> Observed:
    """Play all worked examples, and return what occurs in them."""
    seen = Observed()
    for clause in (clause for chapter in chapters() for clause in chapter.clauses):
        for worked in map(work, clause.examples):
            for state, action in worked.steps():
                seen.step(state, action, clause.id)
            seen.ask(worked.after, clause.id)
    return seen


@offer
def forms_of(union: str) -> list[WrittenValue]:
    """Return an example of each type of a union; raise `LookupError` if one has none."""
    return [observed().forms[kind] for kind in get_args(UNIONS[union])]


def setup(app: Sphinx) -> ExtensionMetadata:
    """Let the template ask for examples."""
    app.setup_extension("templated")
    return {"parallel_read_safe": True, "parallel_write_safe": True}
