"""The JSON Schemas of the kit: positions as the kit writes them, and what vectors add."""

from __future__ import annotations

from typing import Any, Final

from valletta_rules.actions import Action
from valletta_rules.codec.schema import Definitions, Schema, array, closed, field_descriptions
from valletta_rules.components.buildings import BuildingCode
from valletta_rules.errors import ClauseId, Code
from valletta_rules.results import Outcome
from valletta_rules.rulings import RuleSet
from valletta_rules.specification.conformance.form import LINES
from valletta_rules.specification.conformance.kit import NEEDS, PROTOCOL
from valletta_rules.specification.conformance.peer import OPS
from valletta_rules.state import GameState

SLUG: Final = "^[a-z_]+/[a-z0-9-]+[.][0-9a-f]{6}$"
"""The form of an id."""

TEXT: Final[Schema] = {"type": "string"}


def schemas() -> dict[str, Schema]:
    """Return the schemas by the names of their files."""
    return {"vector.schema.json": _vectors(), "protocol.schema.json": _protocol()}


def _position(made: Definitions) -> Schema:
    """Return the schema of a position, whose display has the codes of buildings."""
    position = made.schema(GameState)
    said = {"description": field_descriptions(GameState)["display"]}
    display = said | array(made.schema(BuildingCode))
    definition = made.schemas["GameState"]
    definition |= closed({"display": display, **definition["properties"]})
    return position


def _vectors() -> Schema:
    made = Definitions(LINES)
    action, position = made.schema(Action), _position(made)
    clauses, codes = array(made.schema(ClauseId)), array(made.schema(Code))
    whole = {"type": "integer", "minimum": 1, "maximum": 2**53}
    common = {
        "id": {"type": "string", "pattern": SLUG},
        "clauses": clauses | {"minItems": 1},
        "rules": TEXT,
        "cards": TEXT,
        "needs": array({"enum": list(NEEDS)}),
        "text": TEXT,
        "about": array(action),
        "position": position,
        "origin": TEXT,
        "agreed": array({"enum": ["engine", "quint"]}),
        "since": TEXT,
        "revision": {"type": "integer", "minimum": 1},
    }
    turn = {
        "legal": array(action),
        "next": array(closed({"action": action, "position": position})),
        "complete": {"type": "boolean"},
        "refused": array(closed({"action": action, "codes": codes, "clauses": clauses})),
    }
    odds = array(closed({"action": action, "numerator": whole, "denominator": whole}))
    kinds: dict[str, Schema] = {
        "start": {},
        "turn": turn,
        "chance": turn | {"chance": odds},
        "final": turn | {"final": made.schema(Outcome)},
    }
    members = [
        closed({"kind": {"const": kind}, **common, **fields}) for kind, fields in kinds.items()
    ]
    return _whole("A line of the conformance suite: a test vector.", members, made)


def _protocol() -> Schema:
    made = Definitions(LINES)
    position, action = _position(made), made.schema(Action)
    names, seq, protocol = array(TEXT), {"type": "integer"}, {"const": PROTOCOL}
    engine = closed(dict.fromkeys(("name", "version", "language"), TEXT))
    asks: list[Schema] = [{"op": {"const": "first"}, "players": {"enum": [2, 3, 4]}}]
    asks += [{"op": {"const": op}, "position": position} for op in ("legal", "chance", "final")]
    asks += [{"op": {"const": "next"}, "position": position, "action": action}]
    requests: list[Schema] = [
        {"command": {"const": "start"}, "protocol": protocol, "kit": TEXT},
        {
            "command": {"const": "setup"},
            "rules": made.schema(RuleSet),
            "cards": {"type": "object"},
        },
        *({"command": {"const": "ask"}, "seq": seq, **ask} for ask in asks),
        {"command": {"const": "stop"}},
    ]
    refused = {"type": "object", "properties": {"code": TEXT, "clause": TEXT}}
    replies: list[Schema] = [
        {
            "protocol": protocol,
            "engine": engine,
            "needs": names,
            "ops": array({"enum": list(OPS)}),
            "players": array({"type": "integer"}),
        },
        {"ok": {"const": True}},
        {"unsupported": TEXT},
        {"seq": seq, "result": {}},
        {"seq": seq, "refused": refused},
        {"seq": seq, "unsupported": TEXT},
        {"seq": seq, "error": {}},
    ]
    either: list[Schema] = [
        {"oneOf": [closed(each) for each in requests]},
        {"oneOf": [closed(each) for each in replies]},
    ]
    return _whole("A line between runner and engine.", either, made)


def _whole(text: str, members: list[Schema], made: Definitions) -> dict[str, Any]:
    """Return a schema with the definitions that it needs."""
    draft = "https://json-schema.org/draft/2020-12/schema"
    defined = dict(sorted(made.schemas.items()))
    return {"$schema": draft, "description": text, "oneOf": members, "$defs": defined}
