"""The codec: values of the game as JSON, to be sent or stored.

`to_json` writes a value as a document, `from_json` reads one and makes sure that it makes sense;
`to_document` and `from_document` do the same without the text, for what is part of a larger one.
A document is an object with three entries::

    {"valletta_rules": 2, "kind": "Action", "value": {"type": "PlayCard", ...}}

The version of the format comes first, so that a reader knows what it can read; the kind says what
the value is.  Where a value can be one of several types it names its own as ``type``.

Other JSON, such as the messages of the table and the lines of the conformance suite, is read and
written by the same converter: a `Dialect` says what differs there.

A document is whole in itself: in a position the buildings of the display are written out, for
frontends, and so are your own card sets.  A card set that comes with the package is
only named, with a fingerprint of its values: the name never changes its meaning.

The format is described by a JSON Schema (`SCHEMA`), which is generated from the types, and by types
in TypeScript (`TYPESCRIPT`), which are generated from the schema.
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
