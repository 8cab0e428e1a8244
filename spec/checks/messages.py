"""The types of the table's messages in TypeScript, generated from the classes of the messages.

Values of the game in them have the types of ``valletta.d.ts``, which are imported.
"""

from pathlib import Path
from typing import Final, get_args

from valletta_rules.codec.schema import Definitions, json_schema
from valletta_rules.codec.typescript import declarations
from valletta_rules.web import protocol

TYPES: Final = Path(protocol.__file__).parent / "pages" / "table.d.ts"
"""The path of the types of the messages."""

HEAD: Final = f"""\
/**
 * The messages between a table and its pages, protocol version {protocol.PROTOCOL}.
 *
 * Generated from `web/protocol.py` by `python -m spec.checks accept generated`; do not edit.
 */
"""


def text() -> str:
    """Return the text of the file of types."""
    made = Definitions(protocol.MESSAGES, known=json_schema()["$defs"].keys())
    for kind in (protocol.Said, protocol.Told, *get_args(protocol.Sent)):
        made.schema(kind)
    imported = ", ".join(sorted(made.imported))
    head = f"import type {{ {imported} }} from '../../schema/valletta.js';\n"
    return "\n".join([HEAD, head, *declarations(made.schemas.values())])
