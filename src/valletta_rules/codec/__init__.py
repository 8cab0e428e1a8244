"""The codec: values of the game as JSON, to be sent over a wire or kept.

`to_json` writes a value as a document, `from_json` reads one and makes sure that it makes sense.
A document is an object with three entries::

    {"valletta_rules": 1, "kind": "Action", "value": {"type": "PlayCard", ...}}

The version of the format comes first, so that a reader knows what it can read; the kind says what
the value is.  Where a value can be one of several types it names its own as ``type``.

A document is whole in itself: a position contains its card set.  A reference by name would be
shorter, but a document would then mean something else, or nothing, as soon as somebody's card set
of that name differs, and a frontend in another language would have to bring its own copy.
The built-in card set takes some 2,900 characters, or 600 bytes once compressed.

The format is described by a JSON Schema (`SCHEMA`), which is generated from the types by
``python -m valletta_rules.codec --schema``.
"""

from valletta_rules.codec.reading import from_json
from valletta_rules.codec.text import DEEPEST, LONGEST, CodecError
from valletta_rules.codec.vocabulary import KINDS, LARGEST, SCHEMA, VERSION, Value
from valletta_rules.codec.writing import to_json

__all__ = [
    "DEEPEST",
    "KINDS",
    "LARGEST",
    "LONGEST",
    "SCHEMA",
    "VERSION",
    "CodecError",
    "Value",
    "from_json",
    "to_json",
]
