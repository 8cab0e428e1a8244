"""The JSON Schema of all documents, generated from the types and their docstrings.

It says as much as can be said of the shape of a document: types, ranges, words, which keys there
are.  `from_json` wants more: that a position is possible, for one.  Every object is closed, every
union is a `oneOf` whose members tell themselves apart by a constant, and everything has a
title, so that types for a frontend can be generated from it.
"""

from __future__ import annotations

import ast
import inspect
import json
import sys
from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from functools import lru_cache
from itertools import pairwise
from typing import Any, Final, get_args, get_type_hints

import attrs

from valletta_rules.codec.vocabulary import (
    CARDS_IN_A_BAG,
    EVENTS,
    FACTS,
    KINDS,
    TAGGED,
    TEXTS,
    UNIONS,
    VERSION,
    WORDS,
    is_union,
    item_type,
    number_range,
    without_none,
)
from valletta_rules.components.bags import CardBag
from valletta_rules.components.buildings import Building
from valletta_rules.components.card_set import CardSet
from valletta_rules.components.characters import Character
from valletta_rules.components.display import SiteSet
from valletta_rules.components.goods import Good, Goods
from valletta_rules.errors import Code, Violation

Schema = dict[str, Any]
"""A JSON Schema, or a part of one."""


def schema_text() -> str:
    """Return the text of the schema file."""
    return json.dumps(json_schema(), ensure_ascii=False, indent=2) + "\n"


def json_schema() -> Schema:
    """Return the JSON Schema (draft 2020-12) of every document that `to_json` writes."""
    definitions: dict[str, Schema] = {}
    documents = [_document(kind, values, definitions) for kind, values in KINDS.items()]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:valletta-rules:schema:{VERSION}",
        "title": "Document",
        "description": "A value of the board game Valletta, as valletta-rules writes it.",
        "oneOf": documents,
        "$defs": dict(sorted(definitions.items())),
    }


def _document(kind: str, values: Any, definitions: dict[str, Schema]) -> Schema:
    """Define the documents of a kind and return the reference to them."""
    title = f"{kind}Document"
    definitions[title] = _object(
        title,
        f"A document that holds a value of the kind {kind}.",
        {
            "valletta_rules": {"const": VERSION, "description": "The version of the format."},
            "kind": {"const": kind, "description": "What the value is."},
            "value": _schema(values, "value", definitions),
        },
    )
    return {"$ref": f"#/$defs/{title}"}


def _object(
    title: str, description: str, properties: Schema, required: list[str] | None = None
) -> Schema:
    """Return the schema of an object that has these entries and no others."""
    return {
        "title": title,
        "description": description,
        "type": "object",
        "properties": properties,
        "required": list(properties) if required is None else required,
        "additionalProperties": False,
    }


def _schema(kind: Any, name: str, definitions: dict[str, Schema]) -> Schema:
    """Return the schema of a value of a type that stands in a field of a name."""
    if (other := without_none(kind)) is not None:
        return {"oneOf": [_schema(other, name, definitions), {"type": "null"}]}
    if is_union(kind):
        title = next(title for title, union in UNIONS.items() if union == kind)
        return _refer(title, lambda: _union(title, definitions), definitions)
    if (item := item_type(kind)) is not None:
        return {"type": "array", "items": _schema(item, name, definitions)}
    if kind is int:
        allowed = number_range(name)
        return {"type": "integer", "minimum": allowed[0], "maximum": allowed[-1]}
    if kind is str:
        return {"type": "string"} | ({"pattern": f"^{TEXTS[name]}$"} if name in TEXTS else {})
    if kind is bool:
        return {"type": "boolean"}
    if name in WORDS:
        return {"enum": [word.value for word in WORDS[name]]}
    return _refer(kind.__name__, lambda: _named(kind, definitions), definitions)


def _refer(title: str, define: Any, definitions: dict[str, Schema]) -> Schema:
    """Return the reference to a definition, which is made the first time."""
    if title not in definitions:
        definitions[title] = {}
        definitions[title] = define()
    return {"$ref": f"#/$defs/{title}"}


def _union(title: str, definitions: dict[str, Schema]) -> Schema:
    members = get_args(UNIONS[title])
    return {
        "title": title,
        "description": _ALIASES[title],
        "oneOf": [_schema(member, "", definitions) for member in members],
    }


_ALIASES: Final[Mapping[str, str]] = {
    "Action": "Every action there is.",
    "Event": "Everything that can happen.",
    "RedactedEvent": "Everything that somebody may learn of.",
    "Prompt": "Every question there is.",
    "Step": "Everything that can stand on the agenda.",
}
"""What the unions are: they have no docstrings to be found."""


def _named(kind: Any, definitions: dict[str, Schema]) -> Schema:
    """Return the schema of a class."""
    if issubclass(kind, Enum):
        return _enum(kind)
    if kind in _FORMS:
        return _FORMS[kind](definitions)
    hints, described = get_type_hints(kind), field_descriptions(kind)
    names = [field.name for field in attrs.fields(kind)]
    properties: Schema = {}
    if kind in TAGGED:
        properties["type"] = {"const": kind.__name__}
    for name in names:
        schema = _schema(hints[name], name, definitions)
        if name == "display":
            schema = {"type": "array", "items": _schema(str, "code", definitions)}
        properties[name] = _described(schema, described.get(name))
    if kind in EVENTS:
        constant = {} if "clause" in names else {"const": kind.clause}
        clause = properties.pop("clause", {}) | constant
        properties["clause"] = _described(clause, "The clause of the rulebook by which it happens.")
    return _object(kind.__name__, description(kind), properties)


def _described(schema: Schema, text: str | None) -> Schema:
    return schema if text is None else {**schema, "description": text}


def _enum(kind: type[Enum]) -> Schema:
    described = field_descriptions(kind)
    lines = [
        f"{member.value}: {described[member.name]}" for member in kind if member.name in described
    ]
    return {
        "title": kind.__name__,
        "description": "\n".join([description(kind), *lines]),
        "enum": [member.value for member in kind],
    }


def _field(kind: type, name: str, part: Any, definitions: dict[str, Schema]) -> Schema:
    """Return the schema of a field of a class with what its docstring says."""
    return _described(_schema(part, name, definitions), field_descriptions(kind).get(name))


# The types that are written in another form than field by field


def _site_set(definitions: dict[str, Schema]) -> Schema:
    return {
        "title": "SiteSet",
        "description": "Sites in ascending order, each once.",
        "type": "array",
        "items": _schema(int, "site", definitions),
        "uniqueItems": True,
    }


_COUNT: Final = {
    "type": "integer",
    "minimum": CARDS_IN_A_BAG[0],
    "maximum": CARDS_IN_A_BAG[-1],
}


def _card_bag(definitions: dict[str, Schema]) -> Schema:
    text = f"{description(CardBag)} Each kind of which there is a card, with its count."
    counts = dict.fromkeys((character.value for character in Character), _COUNT)
    return _object("CardBag", text, counts, required=[])


def _violation(definitions: dict[str, Schema]) -> Schema:
    facts = {name: _schema(fact, name, definitions) for name, fact in FACTS.items()}
    definitions["Facts"] = _object("Facts", "The facts of a violation.", facts, required=[])
    properties = {
        "clause": _field(Violation, "clause", str, definitions),
        "code": _field(Violation, "code", Code, definitions),
        "message": _field(Violation, "message", str, definitions),
        "facts": {"$ref": "#/$defs/Facts"},
    }
    return _object("Violation", description(Violation), properties)


def _card_set(definitions: dict[str, Schema]) -> Schema:
    properties = {
        "name": _field(CardSet, "name", str, definitions),
        "buildings": _field(CardSet, "buildings", tuple[Building, ...], definitions),
        "barrels": _field(CardSet, "barrels", Goods, definitions),
    }
    return _object("CardSet", description(CardSet), properties)


def _building(definitions: dict[str, Schema]) -> Schema:
    code = "Letter and number of the design: A for the first of the letter A, A2 for the second."
    properties = {
        "code": _described(_schema(str, "code", definitions), code),
        "character": _field(Building, "character", Character, definitions),
        "cost": _field(Building, "cost", Goods, definitions),
        "icon": _field(Building, "icon", Good, definitions),
        "points": _field(Building, "points", int, definitions),
        "copies": _described(_COUNT, field_descriptions(Building)["copies"]),
    }
    return _object("Building", description(Building), properties)


_FORMS: Final[Mapping[type, Callable[[dict[str, Schema]], Schema]]] = {
    CardBag: _card_bag,
    SiteSet: _site_set,
    Building: _building,
    CardSet: _card_set,
    Violation: _violation,
}


# Docstrings


def description(kind: type) -> str:
    """Return the docstring of a class without the clauses it names, a line for each paragraph."""
    paragraphs = inspect.cleandoc(kind.__doc__ or "").split("\n\n")
    return "\n".join(_plain(text) for text in paragraphs if not text.startswith("Rules:"))


@lru_cache(maxsize=256)
def field_descriptions(kind: type) -> Mapping[str, str]:
    """Return the docstrings that stand under the fields of a class, or the members of an enum."""
    source = inspect.getsource(sys.modules[kind.__module__])
    body = next(
        node.body
        for node in ast.parse(source).body
        if isinstance(node, ast.ClassDef) and node.name == kind.__name__
    )
    return dict(_documented(body))


def _documented(body: list[ast.stmt]) -> Iterator[tuple[str, str]]:
    for statement, text in pairwise(body):
        match statement, text:
            case (
                ast.AnnAssign(target=ast.Name(name)) | ast.Assign(targets=[ast.Name(name)]),
                ast.Expr(ast.Constant(str(words))),
            ):
                yield name, _plain(inspect.cleandoc(words))
            case _:
                pass


def _plain(text: str) -> str:
    """Return a text on one line and without markup."""
    return " ".join(text.split()).replace("``", "").replace("`", "")
