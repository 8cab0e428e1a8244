"""Every action, prompt and event as Python, as text and as JSON: the data of a template."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from types import MappingProxyType
from typing import Any, Final, NamedTuple, get_args

from sphinx.application import Sphinx
from sphinx.util.typing import ExtensionMetadata
from templated import offer

import valletta_rules as valletta
from valletta_rules.agenda import Prompt
from valletta_rules.records.position_line import write_step
from valletta_rules.specification.clauses import chapters
from valletta_rules.specification.worked_examples import Worked, work
from valletta_rules.words import narrate

UNIONS: Final = MappingProxyType(
    {"actions": valletta.Action, "prompts": Prompt, "events": valletta.Event}
)
"""What is shown, by what it is called."""


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


def met(worked: Worked) -> Iterator[tuple[Any, str]]:
    """Yield what is met in an example, each with its text."""
    for state, action in worked.steps():
        if state.prompt is not None:
            yield state.prompt, write_step(state.prompt)
        if valletta.check(state, action) is None:
            yield action, valletta.format_action(action)
            for event in valletta.transition(state, action).events:
                yield event, narrate(event, state)
    if worked.after.prompt is not None:
        yield worked.after.prompt, write_step(worked.after.prompt)


@cache
def forms() -> Mapping[type, WrittenValue]:
    """Return the first example of each type that a worked example of a clause has."""
    found: dict[type, WrittenValue] = {}
    for clause in (clause for chapter in chapters() for clause in chapter.clauses):
        for example in clause.examples:
            for value, text in met(work(example)):
                found.setdefault(type(value), WrittenValue(value, text, clause.id))
    return found


@offer
def forms_of(union: str) -> list[WrittenValue]:
    """Return an example of each type of a union; raise `LookupError` if one has none."""
    return [forms()[kind] for kind in get_args(UNIONS[union])]


def setup(app: Sphinx) -> ExtensionMetadata:
    """Let the template ask for examples."""
    app.setup_extension("templated")
    return {"parallel_read_safe": True, "parallel_write_safe": True}
