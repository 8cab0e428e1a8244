"""The codec: converts values of the game to and from JSON, to be sent or stored.

`to_json` serialises a value as a document; `from_json` deserialises and validates a document.
`to_document` and `from_document` convert JSON objects instead of text, for documents that are part
of other JSON. A document is an object with three entries::

    {"valletta_rules": 2, "kind": "Action", "value": {"type": "PlayCard", ...}}

``valletta_rules`` is the version of the format. Readers use it to recognise documents that they
cannot read. ``kind`` is the kind of value that the document contains. A value that can be of
several types has an entry ``type``.

The same code also reads and writes other JSON, such as the messages of the table's server and the
lines of the conformance suite. A `Dialect` describes how such JSON differs from documents.

A document is self-contained. A position includes the buildings of the display, so that a frontend
need not look them up, and a custom card set is written in full. A built-in card set is written as
its name with a fingerprint of its values, so that the meaning of a name never changes.

Two generated files describe the format: a JSON Schema (`SCHEMA`), generated from the types, and
TypeScript types (`TYPESCRIPT`), generated from the schema.
"""

from valletta_rules.codec.reading import from_document, from_json, structured
from valletta_rules.codec.text import DEEPEST, LARGEST, LONGEST, CodecError, Misfit, parse
from valletta_rules.codec.vocabulary import (
    DOCUMENT_VERSION,
    KINDS,
    MOST_LISTED,
    SCHEMA,
    TYPESCRIPT,
    Dialect,
    Embedded,
    OneOf,
    Value,
)
from valletta_rules.codec.writing import text_of, to_document, to_json, unstructured

__all__ = [
    "DEEPEST",
    "KINDS",
    "LARGEST",
    "LONGEST",
    "MOST_LISTED",
    "SCHEMA",
    "TYPESCRIPT",
    "DOCUMENT_VERSION",
    "CodecError",
    "Dialect",
    "Embedded",
    "Misfit",
    "OneOf",
    "Value",
    "from_document",
    "from_json",
    "parse",
    "structured",
    "text_of",
    "to_document",
    "to_json",
    "unstructured",
]
