"""The JSON Schema for lines of the kit (vectors, requests, replies), and TypeScript types.

The definitions of lines in `spec/conformance/conformance.schema.json` are written by hand.  The
definitions of actions, positions and other values of the game are generated from the types of the
package.  The TypeScript types are generated from the schema.  `python -m spec.checks accept
generated` writes both files.
"""

import json
from typing import Any, Final

from spec.checks.established import ROOT
from spec.checks.kit import documents, logs
from valletta_rules.actions import Action
from valletta_rules.codec.schema import Definitions, Schema, array, closed, field_descriptions
from valletta_rules.codec.typescript import declarations
from valletta_rules.components import BuildingCode, CardBag, CardSet, PlayerCount, Seat
from valletta_rules.errors import ClauseId, Code
from valletta_rules.results import Outcome
from valletta_rules.rulings import RuleSet
from valletta_rules.specification.conformance.form import LINES
from valletta_rules.state import GameState, Player
from valletta_rules.views.seen_events import RedactedEvent
from valletta_rules.views.view import PlayerView, Table

FILE: Final = ROOT / "spec" / "conformance" / "conformance.schema.json"

TYPES: Final = "conformance.d.ts"
"""The name of the file that contains the TypeScript types."""

HEAD: Final = """\
/**
 * The lines of the conformance suite: vectors, and the messages of runner and engine.
 *
 * Generated from the types by `python -m spec.checks accept generated`; do not edit.
 * A `Position` lacks some parts of the `GameState` of valletta.d.ts: see the README.
 */
"""
"""The comment at the beginning of the TypeScript file."""

VALUES: Final = (
    *(Action, CardSet, ClauseId, Code, Outcome, PlayerCount, RedactedEvent, RuleSet, Seat),
    *(GameState, PlayerView),
)
"""The types of game values that can occur in the lines of the kit's files."""


def files() -> dict[str, str]:
    """Return the texts of the schema, the types and the two tables of test cases, keyed by file."""
    lines = schema()
    types = "\n".join([HEAD, *declarations(lines["$defs"].values())])
    return {
        FILE.name: f"{json.dumps(lines, indent=1)}\n",
        TYPES: types,
        documents.FILE.name: documents.table(),
        logs.FILE.name: logs.table(),
    }


def schema() -> Schema:
    """Return the schema for all lines: vectors, requests and replies."""
    lines: Schema = json.loads(FILE.read_text("utf-8"))
    values, definitions = _values(), dict[str, Schema]()
    todo = _references(lines["oneOf"])
    while todo:
        name = todo.pop()
        definitions[name] = values.get(name) or lines["$defs"][name]
        todo |= _references(definitions[name]) - definitions.keys()
    return lines | {"$defs": dict(sorted(definitions.items()))}


def schema_of(kind: str) -> Schema:
    """Return the schema for one type of line: ``Vector``, ``Request`` or ``Reply``."""
    lines = schema()
    return {"$schema": lines["$schema"], "$ref": f"#/$defs/{kind}", "$defs": lines["$defs"]}


def _references(schema: Any) -> set[str]:
    """Return the names of the definitions to which a part of a schema refers."""
    if isinstance(schema, dict) and isinstance(schema.get("$ref"), str):
        return {schema["$ref"].rpartition("/")[2]}
    parts = schema.values() if isinstance(schema, dict) else schema
    return set().union(*map(_references, parts)) if isinstance(schema, dict | list) else set()


def _values() -> dict[str, Schema]:
    """Return the definitions of the game values that occur in lines of the kit."""
    definitions = Definitions(LINES)
    for kind in VALUES:
        definitions.schema(kind)
    for with_display in (GameState, Table):
        display = {"description": field_descriptions(with_display)["display"]}
        display |= array(definitions.schema(BuildingCode))
        definition = definitions.schemas[with_display.__name__]
        definition |= closed({"display": display, **definition["properties"]})
    revealed = {
        "description": field_descriptions(Player)["shown"],
        "allOf": [definitions.schema(CardBag)],
    }
    definitions.schemas["Player"]["properties"]["shown"] = revealed
    position = {**definitions.schemas.pop("GameState"), "title": "Position"}
    return definitions.schemas | {"Position": position}
