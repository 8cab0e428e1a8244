"""Generate TypeScript types for the messages of the web table from their Python classes.

The generated file imports ``valletta.d.ts``, which defines the types of the game's values.
"""

from pathlib import Path
from typing import Final, get_args

from valletta_rules.codec.schema import Definitions, json_schema
from valletta_rules.codec.typescript import declarations
from valletta_rules.web import protocol

TYPES: Final = Path(protocol.__file__).parent / "pages" / "table.d.ts"
"""The path of the generated file."""

HEAD: Final = f"""\
/**
 * The messages between a table and its pages, protocol version {protocol.PROTOCOL}.
 *
 * Generated from `web/protocol.py` by `python -m spec.checks accept generated`; do not edit.
 */
"""


def text() -> str:
    """Return the generated TypeScript."""
    definitions = Definitions(protocol.MESSAGES, known=json_schema()["$defs"].keys())
    for kind in (protocol.PageMessage, protocol.ServerMessage, *get_args(protocol.Sent)):
        definitions.schema(kind)
    imported = ", ".join(sorted(definitions.imported))
    head = f"import type {{ {imported} }} from '../../schema/valletta.js';\n"
    return "\n".join([HEAD, head, *declarations(definitions.schemas.values())])
