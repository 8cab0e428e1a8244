"""Every action, prompt and event as it is written in Python, as text, and as JSON, side by side.

.. forms:: actions        one example of each type: the first that a worked example of a clause has
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from types import MappingProxyType
from typing import Any, Final, NamedTuple, get_args

from docutils import nodes
from markup import Written
from sphinx.application import Sphinx
from sphinx.util.typing import ExtensionMetadata

import valletta_rules as valletta
from valletta_rules.agenda import Prompt
from valletta_rules.records.position_line import write_step
from valletta_rules.specification.clauses import chapters
from valletta_rules.specification.worked_examples import Worked, work
from valletta_rules.words import narrate

UNIONS: Final = MappingProxyType(
    {"actions": valletta.Action, "prompts": Prompt, "events": valletta.Event}
)
"""What is shown, by the argument of the directive."""

TEXT: Final = MappingProxyType(
    {"actions": "Notation", "prompts": "In a position line", "events": "In words"}
)
"""What stands in the middle."""


class Form(NamedTuple):
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
def forms() -> Mapping[type, Form]:
    """Return an example of each type; raise `LookupError` if there is none."""
    found: dict[type, Form] = {}
    wanted = {kind for union in UNIONS.values() for kind in get_args(union)}
    for clause in (clause for chapter in chapters() for clause in chapter.clauses):
        if found.keys() == wanted:
            break
        for example in clause.examples:
            for value, text in met(work(example)):
                found.setdefault(type(value), Form(value, text, clause.id))
    if missing := wanted - found.keys():
        raise LookupError(f"no worked example has {sorted(kind.__name__ for kind in missing)}")
    return found


class Forms(Written):
    """All types of a union, each with its example."""

    def run(self) -> list[nodes.Node]:
        """Return a row for each type."""
        if self.arguments[0] not in UNIONS:
            raise self.error(f"there are forms of {', '.join(UNIONS)}, not of {self.arguments[0]}")
        lines = (
            line for kind in get_args(UNIONS[self.arguments[0]]) for line in self.row(forms()[kind])
        )
        return self.written(lines)

    def row(self, form: Form) -> Iterator[str]:
        """Write a value in its three forms."""
        kind = type(form.value)
        named = f":name:`~{kind.__module__}.{kind.__qualname__}`"
        yield f"{named}, from an example of :rule:`{form.clause}`:"
        yield from ("", ".. container:: forms", "")
        for caption, language, text in (
            ("Python", "python", form.python),
            (TEXT[self.arguments[0]], "text", form.text),
            ("JSON", "json", form.json),
        ):
            yield from (f"   .. code-block:: {language}", f"      :caption: {caption}", "")
            yield from (f"      {line}" for line in text.splitlines())
            yield ""


def setup(app: Sphinx) -> ExtensionMetadata:
    """Add the directive."""
    app.setup_extension("markup")
    app.add_directive("forms", Forms)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
