"""TypeScript types for all documents, generated from the JSON Schema.

Every definition becomes an exported type with the same name. Objects become interfaces, so that the
compiler can narrow types in a `switch` over ``type`` or ``kind`` and detect missing cases. All
properties are `readonly`, because values are immutable.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final

from valletta_rules.codec.schema import Schema, json_schema
from valletta_rules.codec.vocabulary import DOCUMENT_VERSION

PREAMBLE: Final = f"""\
/**
 * What valletta-rules writes as JSON, version {DOCUMENT_VERSION} of the format.
 *
 * Generated from the JSON Schema; do not edit.
 */
"""
"""The comment at the top of the TypeScript file."""

_PLAIN: Final[Mapping[str, str]] = MappingProxyType(
    {
        "string": "string",
        "boolean": "boolean",
        "integer": "number",
        "number": "number",
        "null": "null",
    }
)
"""A mapping from the JSON types that have no parts to TypeScript types."""


def typescript_text() -> str:
    """Return the text of the file that declares the TypeScript types."""
    schema = json_schema()
    whole = {key: schema[key] for key in ("title", "description", "oneOf")}
    return "\n".join([PREAMBLE, *declarations([whole, *schema["$defs"].values()])])


def declarations(schemas: Iterable[Schema]) -> Iterator[str]:
    """Iterate over the declarations of the named types."""
    return map(_declaration, schemas)


def _declaration(schema: Schema) -> str:
    """Return the declaration of a named type."""
    name = schema["title"]
    if schema.get("type") == "object":
        return "\n".join(
            [*_comment(schema), f"export interface {name} {{", *_fields(schema), "}\n"]
        )
    return "\n".join([*_comment(schema), f"export type {name} = {_type(schema)};\n"])


def _fields(schema: Schema) -> Iterator[str]:
    """Iterate over the lines that declare the entries of an object."""
    for name, field in schema["properties"].items():
        yield from _comment(field, "  ")
        optional = "" if name in schema["required"] else "?"
        yield f"  readonly {name}{optional}: {_type(field)};"


def _type(schema: Schema) -> str:
    """Return a TypeScript expression for the type that a schema describes."""
    match schema:
        case {"$ref": reference}:
            return str(reference).rpartition("/")[2]
        case {"allOf": [part]}:
            return _type(part)
        case {"oneOf": parts}:
            return " | ".join(map(_type, parts))
        case {"const": value}:
            return json.dumps(value)
        case {"enum": values}:
            return " | ".join(map(json.dumps, values))
        case {"type": "array", "items": items}:
            item = _type(items)
            return f"readonly ({item})[]" if " " in item else f"readonly {item}[]"
        case {"type": plain}:
            return _PLAIN[plain]
        case _:
            return "unknown"


def _comment(schema: Mapping[str, Any], indent: str = "") -> Iterator[str]:
    """Iterate over the lines of a comment with the description of a schema, if it has one."""
    if "description" not in schema:
        return
    lines = schema["description"].replace("*/", "* /").split("\n")
    if len(lines) == 1:
        yield f"{indent}/** {lines[0]} */"
    else:
        yield f"{indent}/**"
        yield from (f"{indent} * {line}" for line in lines)
        yield f"{indent} */"
