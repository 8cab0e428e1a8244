"""The JSON Schemas of the kit: positions as published, and what vectors add."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any, Final, get_args

from valletta_rules.agenda import Prompt
from valletta_rules.codec.schema import json_schema
from valletta_rules.specification.conformance.form import LEFT_OUT
from valletta_rules.specification.conformance.kit import NEEDS, PROTOCOL
from valletta_rules.specification.conformance.peer import OPS

Schema = dict[str, Any]

SLUG: Final = "^[a-z_]+/[a-z0-9-]+[.][0-9a-f]{6}$"
"""The form of an id."""


def schemas() -> dict[str, Schema]:
    """Return the schemas by the names of their files."""
    return {"vector.schema.json": _vectors(), "protocol.schema.json": _protocol()}


def _vectors() -> Schema:
    common = {
        "id": {"type": "string", "pattern": SLUG},
        "clauses": _list({"$ref": "#/$defs/ClauseId"}) | {"minItems": 1},
        "rules": {"type": "string"},
        "cards": {"type": "string"},
        "needs": _list({"enum": list(NEEDS)}),
        "text": {"type": "string"},
        "about": _list({"$ref": "#/$defs/Action"}),
        "position": {"$ref": "#/$defs/GameState"},
        "origin": {"type": "string"},
        "agreed": _list({"enum": ["engine", "quint"]}),
        "since": {"type": "string"},
        "revision": {"type": "integer", "minimum": 1},
    }
    members = [
        _object({"kind": {"const": kind}, **common, **fields}) for kind, fields in _kinds().items()
    ]
    return _whole("A line of the conformance kit: a test vector.", {"oneOf": members})


def _kinds() -> dict[str, Schema]:
    """Return what the vectors of each kind have besides."""
    action, position = {"$ref": "#/$defs/Action"}, {"$ref": "#/$defs/GameState"}
    whole = {"type": "integer", "minimum": 1, "maximum": 2**53}
    turn = {
        "legal": _list(action),
        "next": _list(_object({"action": action, "position": position})),
        "complete": {"type": "boolean"},
        "refused": _list(
            _object(
                {
                    "action": action,
                    "codes": _list({"$ref": "#/$defs/Code"}),
                    "clauses": _list({"$ref": "#/$defs/ClauseId"}),
                }
            )
        ),
    }
    odds = _list(_object({"action": action, "numerator": whole, "denominator": whole}))
    return {
        "start": {},
        "turn": turn,
        "chance": turn | {"chance": odds},
        "final": turn | {"final": {"$ref": "#/$defs/Outcome"}},
    }


def _protocol() -> Schema:
    text, names = {"type": "string"}, _list({"type": "string"})
    engine = _object(dict.fromkeys(("name", "version", "language"), text))
    seq, protocol = {"type": "integer"}, {"const": PROTOCOL}
    position, action = {"$ref": "#/$defs/GameState"}, {"$ref": "#/$defs/Action"}
    asks: list[Schema] = [{"op": {"const": "first"}, "players": {"enum": [2, 3, 4]}}]
    asks += [{"op": {"const": op}, "position": position} for op in ("legal", "chance", "final")]
    asks += [{"op": {"const": "next"}, "position": position, "action": action}]
    requests: list[Schema] = [
        {"command": {"const": "start"}, "protocol": protocol, "kit": text},
        {
            "command": {"const": "setup"},
            "rules": {"$ref": "#/$defs/RuleSet"},
            "cards": {"type": "object"},
        },
        *({"command": {"const": "ask"}, "seq": seq, **ask} for ask in asks),
        {"command": {"const": "stop"}},
    ]
    refused = {"type": "object", "properties": {"code": text, "clause": text}}
    replies: list[Schema] = [
        {
            "protocol": protocol,
            "engine": engine,
            "needs": names,
            "ops": _list({"enum": list(OPS)}),
            "players": _list({"type": "integer"}),
        },
        {"ok": {"const": True}},
        {"unsupported": text},
        {"seq": seq, "result": {}},
        {"seq": seq, "refused": refused},
        {"seq": seq, "unsupported": text},
        {"seq": seq, "error": {}},
    ]
    either = {
        "request": {"oneOf": [_object(each) for each in requests]},
        "reply": {"oneOf": [_object(each) for each in replies]},
    }
    return _whole("A line between runner and engine.", {"oneOf": [*either.values()]})


def _object(properties: Schema) -> Schema:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _list(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def _whole(text: str, schema: Schema) -> Schema:
    """Return a schema with those of the definitions to which it refers."""
    definitions = _definitions()
    used: dict[str, Schema] = {}
    waiting = list(_references(schema))
    while waiting:
        name = waiting.pop()
        if name not in used:
            used[name] = definitions[name]
            waiting += _references(definitions[name])
    draft = "https://json-schema.org/draft/2020-12/schema"
    return {"$schema": draft, "description": text, **schema, "$defs": dict(sorted(used.items()))}


def _definitions() -> dict[str, Schema]:
    """Return the definitions of the published schema without what the kit leaves out."""
    definitions: dict[str, Schema] = copy.deepcopy(json_schema()["$defs"])
    left_out = {
        kind.__name__: [name for name in names if name != "display"]
        for kind, names in LEFT_OUT.items()
    }
    left_out |= {prompt.__name__: ["clause"] for prompt in get_args(Prompt)}
    for name, fields in left_out.items():
        for field in fields:
            if field in definitions[name]["required"]:
                definitions[name]["required"].remove(field)
                del definitions[name]["properties"][field]
    display = definitions["GameState"]["properties"]["display"]
    display["items"] = {"$ref": "#/$defs/BuildingCode"}
    return definitions


def _references(schema: object) -> Iterator[str]:
    match schema:
        case dict():
            for key, value in schema.items():
                if key == "$ref":
                    yield str(value).removeprefix("#/$defs/")
                else:
                    yield from _references(value)
        case list():
            for item in schema:
                yield from _references(item)
