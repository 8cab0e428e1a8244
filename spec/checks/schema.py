"""A fast validator for JSON Schemas that have unions distinguished by a constant.

It returns the same results as `jsonschema`, but validates only those members of a union whose
constants do not contradict the document.  It also looks up definitions in the same schema directly.
"""

from collections.abc import Iterator
from typing import Any

import jsonschema
from jsonschema.exceptions import ValidationError

from valletta_rules.codec.schema import Schema

LOCAL = "#/$defs/"
"""The prefix of references to definitions in the same schema."""

FULL = jsonschema.Draft202012Validator


def validator(schema: Schema) -> Any:
    """Return a validator for a schema that refers only to its own definitions."""
    definitions: dict[str, Schema] = schema.get("$defs", {})

    def defined(within: Schema) -> Schema:
        while "$ref" in within:
            within = definitions[within["$ref"].removeprefix(LOCAL)]
        return within

    def ref(judge: Any, name: str, instance: object, _: Schema) -> Iterator[ValidationError]:
        yield from judge.descend(instance, definitions[name.removeprefix(LOCAL)])

    def one_of(
        judge: Any, members: list[Schema], instance: object, within: Schema
    ) -> Iterator[ValidationError]:
        likely = [each for each in members if not _differs(defined(each), instance)]
        yield from FULL.VALIDATORS["oneOf"](judge, likely, instance, within)

    extend: Any = jsonschema.validators.extend  # has no types
    return extend(FULL, {"$ref": ref, "oneOf": one_of})(schema)


def _differs(member: Schema, instance: object) -> bool:
    """Return whether a document contradicts a constant that a member of a union requires."""
    if not isinstance(instance, dict):
        return False
    return any(
        "const" in demanded and name in instance and instance[name] != demanded["const"]
        for name, demanded in member.get("properties", {}).items()
    )
