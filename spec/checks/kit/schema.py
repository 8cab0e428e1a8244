"""The JSON Schema of the kit's lines, and their types in TypeScript, which are made of it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from spec.checks.kit import documents
from valletta_rules.actions import Action
from valletta_rules.codec.schema import Definitions, Schema, array, closed, field_descriptions
from valletta_rules.codec.typescript import declarations
from valletta_rules.components.bags import CardBag
from valletta_rules.components.buildings import BuildingCode
from valletta_rules.components.card_set import CardSet
from valletta_rules.components.display import PlayerCount, Seat
from valletta_rules.errors import ClauseId, Code
from valletta_rules.results import Outcome
from valletta_rules.rulings import RuleSet
from valletta_rules.specification.conformance.form import LINES
from valletta_rules.specification.conformance.kit import NEEDS, PROTOCOL
from valletta_rules.specification.conformance.peer import OPS
from valletta_rules.state import GameState, Player
from valletta_rules.views.redaction import RedactedEvent
from valletta_rules.views.view import PlayerView, Table

SLUG: Final = "^[a-z_]+/[a-z0-9-]+[.][0-9a-f]{6}$"
"""The form of an id."""

TEXT: Final[Schema] = {"type": "string"}

SCHEMA: Final = "conformance.schema.json"
"""The file of the schema."""

TYPES: Final = "conformance.d.ts"
"""The file of the types."""

HEAD: Final = """\
/**
 * The lines of the conformance suite: vectors, and what runner and engine say to one another.
 *
 * Made by `python -m spec.checks accept generated` out of the types; not to be edited.
 * A `Position` is not quite the `GameState` of valletta.d.ts: the README says what it lacks.
 */
"""
"""What stands above the types."""

LINE: Final[Mapping[str, str]] = MappingProxyType(
    {
        "Vector": "A line of the conformance suite: a test vector.",
        "Request": "A line from the runner to an engine.",
        "Reply": "A line from an engine to the runner.",
    }
)
"""The kinds of lines."""


def files() -> dict[str, str]:
    """Return the texts of the schema, the types and the table of documents, by file."""
    lines = schema()
    types = "\n".join([HEAD, *declarations(lines["$defs"].values())])
    return {
        SCHEMA: f"{json.dumps(lines, indent=1)}\n",
        TYPES: types,
        documents.NAME: documents.table(),
    }


def schema() -> Schema:
    """Return the schema of all lines: vectors, requests and replies."""
    made = _Lines()
    members = {"Vector": _vectors(made), "Request": _requests(made), "Reply": _replies(made)}
    kinds = [
        made.titled(kind, {"description": LINE[kind], "oneOf": each})
        for kind, each in members.items()
    ]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "description": "A line of the conformance suite, or between runner and engine.",
        "oneOf": kinds,
        "$defs": dict(sorted(made.schemas.items())),
    }


def schema_of(kind: str) -> Schema:
    """Return the schema of one kind of line: ``Vector``, ``Request`` or ``Reply``."""
    lines = schema()
    return {"$schema": lines["$schema"], "$ref": f"#/$defs/{kind}", "$defs": lines["$defs"]}


class _Lines(Definitions):
    """The definitions of a schema of lines."""

    def __init__(self) -> None:
        """Begin with actions, and positions as the kit writes them."""
        super().__init__(LINES)
        self.action = self.schema(Action)
        self._show_codes(GameState)
        shown = {"description": field_descriptions(Player)["shown"]}
        self.schemas["Player"]["properties"]["shown"] = shown | {"allOf": [self.schema(CardBag)]}
        self.position = self.titled("Position", self.schemas.pop("GameState"))
        self.viewer: Schema = {"oneOf": [self.schema(Seat), {"type": "null"}]}

    def _show_codes(self, kind: type) -> None:
        """Give what has a display the codes of its buildings."""
        self.schema(kind)
        said = {"description": field_descriptions(kind)["display"]}
        display = said | array(self.schema(BuildingCode))
        definition = self.schemas[kind.__name__]
        definition |= closed({"display": display, **definition["properties"]})

    def titled(self, title: str, schema: Schema) -> Schema:
        """Give a schema a name, and return the reference to it."""
        self.schemas[title] = {**schema, "title": title}
        return {"$ref": f"#/$defs/{title}"}

    def entry(self, title: str, text: str, /, **fields: Schema) -> Schema:
        """Return the reference to the schema of an object."""
        return self.titled(title, {"description": text, **closed(fields)})

    def view(self) -> Schema:
        """Return the schema of a view."""
        view = self.schema(PlayerView)
        self._show_codes(Table)
        return view


def _vectors(made: _Lines) -> list[Schema]:
    clauses, codes = array(made.schema(ClauseId)), array(made.schema(Code))
    common = {
        "id": {"type": "string", "pattern": SLUG},
        "clauses": clauses | {"minItems": 1},
        "rules": TEXT,
        "cards": TEXT,
        "needs": array({"enum": list(NEEDS)}),
        "text": TEXT,
        "about": array(made.action),
        "position": made.position,
        "origin": TEXT,
        "agreed": array({"enum": ["engine", "quint"]}),
        "since": TEXT,
        "revision": {"type": "integer", "minimum": 1},
    }
    refused = made.entry(
        "RefusedAction",
        "An action that is illegal.",
        action=made.action,
        codes=codes,
        clauses=clauses,
    )
    return [
        made.entry(
            f"{kind.title()}Vector",
            f"A vector of the kind {kind}.",
            kind={"const": kind},
            **common,
            **fields,
        )
        for kind, fields in _kinds(made, array(refused)).items()
    ]


def _kinds(made: _Lines, refused: Schema) -> dict[str, Schema]:
    """Return what the vectors of each kind have besides."""
    events = array(made.schema(RedactedEvent))
    after = {"action": made.action, "position": made.position, "events": events}
    told = made.entry("Told", "What a seat is told of an action.", seat=made.viewer, events=events)
    turn = {
        "legal": array(made.action),
        "next": array(made.entry("Successor", "What a legal action leads to.", **after)),
        "complete": {"type": "boolean"},
        "refused": refused,
    }
    whole = {"type": "integer", "minimum": 1, "maximum": 2**53}
    odds = made.entry(
        "Odds",
        "The probability of an answer.",
        action=made.action,
        numerator=whole,
        denominator=whole,
    )
    look = made.entry("Look", "What a seat sees.", seat=made.viewer, view=made.view())
    seen = made.entry(
        "SeenSuccessor",
        "What an action leads to, and what each seat is told.",
        **after,
        seen=array(told),
    )
    return {
        "start": {},
        "turn": turn,
        "chance": turn | {"chance": array(odds)},
        "final": turn | {"final": made.schema(Outcome)},
        "view": {"views": array(look), "next": array(seen)},
    }


def _requests(made: _Lines) -> list[Schema]:
    tables = {"rules": made.schema(RuleSet), "cards": made.schema(CardSet)}
    requests: dict[str, Schema] = {
        "StartRequest": {
            "command": {"const": "start"},
            "protocol": {"const": PROTOCOL},
            "kit": TEXT,
        },
        "SetupRequest": {"command": {"const": "setup"}, **tables},
        **_questions(made),
        "StopRequest": {"command": {"const": "stop"}},
    }
    return [made.entry(title, "A line of the runner.", **each) for title, each in requests.items()]


def _replies(made: _Lines) -> list[Schema]:
    seq = {"type": "integer"}
    engine = made.entry(
        "Engine", "What is tested.", **dict.fromkeys(("name", "version", "language"), TEXT)
    )
    refused = {
        "description": "Why an action is illegal, as far as the engine says it.",
        "type": "object",
        "properties": {"code": TEXT, "clause": TEXT},
        "required": [],
    }
    declared = {
        "protocol": {"const": PROTOCOL},
        "engine": engine,
        "needs": array(TEXT),
        "ops": array({"enum": list(OPS)}),
        "players": array({"type": "integer"}),
    }
    replies: dict[str, Schema] = {
        "Declared": declared,
        "Ready": {"ok": {"const": True}},
        "NotSetUp": {"unsupported": TEXT},
        "Answer": {"seq": seq, "result": {}},
        "RefusedAnswer": {"seq": seq, "refused": made.titled("Refusal", refused)},
        "NoAnswer": {"seq": seq, "unsupported": TEXT},
        "FailedAnswer": {"seq": seq, "error": TEXT},
    }
    return [made.entry(title, "A line of the engine.", **each) for title, each in replies.items()]


def _questions(made: _Lines) -> dict[str, Schema]:
    """Return what an engine is asked, by the names of the types."""
    position = {"position": made.position}
    after = {**position, "action": made.action}
    asked: dict[str, tuple[str, Schema]] = {
        "First": ("first", {"players": made.schema(PlayerCount)}),
        **{op.title(): (op, position) for op in ("legal", "chance", "final")},
        "Next": ("next", after),
        "Events": ("events", after),
        "SeenEvents": ("events", {**after, "seat": made.viewer}),
        "View": ("view", {**position, "seat": made.viewer}),
    }
    ask = {"command": {"const": "ask"}, "seq": {"type": "integer"}}
    return {
        f"{title}Question": {**ask, "op": {"const": op}, **fields}
        for title, (op, fields) in asked.items()
    }
