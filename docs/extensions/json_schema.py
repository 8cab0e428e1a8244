"""The JSON Schema of the documents, rendered: what a value of each kind consists of.

``.. json-schema::`` shows every definition.  Each can be referred to as ``:schema:`Goods```.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from docutils import nodes
from markup import Written, capitalised, table
from sphinx.application import Sphinx
from sphinx.util.typing import ExtensionMetadata

from valletta_rules.codec import SCHEMA

Schema = Mapping[str, Any]
"""A JSON Schema, or a part of one."""

LARGEST: Final = 2**53 - 1
"""The largest whole number that every reader of JSON knows; it is no limit worth telling."""


class JsonSchema(Written):
    """Every definition of the schema, sorted into documents, unions, words, and values."""

    required_arguments = 0

    def run(self) -> list[nodes.Node]:
        """Write the definitions, section by section."""
        schema: Schema = json.loads(SCHEMA.read_text("utf-8"))
        self.env.note_dependency(str(SCHEMA))
        sections: dict[str, list[str]] = {heading: [] for heading in HEADINGS}
        for name, definition in schema["$defs"].items():
            if not name.endswith("Document"):
                sections[heading_of(definition)] += described(name, definition)
        sections[HEADINGS[0]] += documents(schema)
        for heading, lines in sections.items():
            lines[:0] = [heading, "-" * len(heading), ""]
        return self.written(line for lines in sections.values() for line in lines)


IMPLIED: Final = {"type": "Which type it is."}
"""What is said of fields that need no description."""

HEADINGS: Final = (
    "Documents",
    "Choices of one type among several",
    "Words",
    "Numbers and texts",
    "Values",
)
"""The sections, in their order."""


def heading_of(definition: Schema) -> str:
    """Return the section in which a definition belongs."""
    if "oneOf" in definition:
        return HEADINGS[1]
    if "enum" in definition:
        return HEADINGS[2]
    return HEADINGS[3] if definition["type"] in ("integer", "string") else HEADINGS[4]


def documents(schema: Schema) -> Iterator[str]:
    """Write the table of the kinds of document."""
    names = [each["$ref"].rpartition("/")[2] for each in schema["oneOf"]]
    every = [schema["$defs"][name]["properties"] for name in names]
    rows = [(typed(fields["kind"]), typed(fields["value"])) for fields in every]
    return table(("``kind``", "``value``"), rows, ":align: left")


def described(name: str, definition: Schema) -> Iterator[str]:
    """Write a definition: what it is, and what it consists of."""
    yield from (f".. schema:: {name}", "")
    for paragraph in said(definition):
        yield from (f"   {paragraph}", "")
    for line in consisting(definition):
        yield f"   {line}".rstrip()
    yield ""


def said(definition: Schema) -> Iterator[str]:
    """Yield the paragraphs of a description, without those that explain single words."""
    words = definition.get("enum", ())
    for paragraph in definition["description"].splitlines():
        if paragraph.partition(": ")[0] not in words:
            yield paragraph


def consisting(definition: Schema) -> Iterator[str]:
    """Write what a value consists of: fields, words, or one of several."""
    if "enum" in definition:
        meanings = dict(
            line.partition(": ")[::2] for line in definition["description"].splitlines()
        )
        for word in definition["enum"]:
            yield f"* ``{word}``" + (f": {meanings[word]}" if word in meanings else "")
    elif "oneOf" in definition:
        yield "One of: " + ", ".join(typed(each) for each in definition["oneOf"]) + "."
    elif "properties" in definition:
        yield from fields(definition)
    else:
        yield capitalised(typed(definition)) + "."


def fields(definition: Schema) -> Iterator[str]:
    """Write the table of an object's fields."""
    rows = [
        (
            f"``{name}``{'' if name in definition['required'] else ' (optional)'}",
            typed(field),
            field.get("description", IMPLIED.get(name, "")),
        )
        for name, field in definition["properties"].items()
    ]
    return table(("Field", "Type", "Meaning"), rows, ":align: left")


def typed(schema: Schema) -> str:
    """Say in a few words what a value may be."""
    match schema:
        case {"$ref": reference} | {"allOf": [{"$ref": reference}]}:
            return f":schema:`{reference.rpartition('/')[2]}`"
        case {"enum": words}:
            return " or ".join(f"``{word}``" for word in words)
        case {"const": value}:
            return f"``{json.dumps(value)}``"
        case {"oneOf": parts}:
            return " or ".join(map(typed, parts))
        case {"type": "array", "items": items}:
            each = ", each once" if schema.get("uniqueItems") else ""
            return f"array of {typed(items)}{each}"
        case {"type": "integer", "minimum": least, "maximum": most}:
            return f"integer, {least} or more" if most == LARGEST else f"integer, {least} to {most}"
        case {"type": "string", "pattern": pattern}:
            return f"string like ``{pattern}``"
        case {"type": plain}:
            return str(plain)
    raise KeyError(f"a schema of an unknown shape: {schema}")


def setup(app: Sphinx) -> ExtensionMetadata:
    """Add the directive, and a kind of object for definitions."""
    app.add_directive("json-schema", JsonSchema)
    app.add_object_type("schema", "schema", indextemplate="pair: %s; JSON schema")
    return {"parallel_read_safe": True, "parallel_write_safe": True}
