"""The memory layouts of rows (positions) and tables (the constants of a game).

The native backend, this package and the JavaScript package read and write the same blocks of
memory. ``rows.toml`` defines the layouts, field by field. `native` packs positions according to
these layouts. ``python -m spec.checks accept generated`` generates the C declarations from them,
and the build of the JavaScript package generates the offsets of the fields. Unused bytes are zero,
so two rows are equal exactly if their bytes are equal. A row for fewer than four players ends after
the last player. The byte order is that of the machine.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from importlib import resources
from math import prod
from struct import Struct, calcsize
from types import MappingProxyType
from typing import Final, NamedTuple

from valletta_rules.components import GOODS, MAX_SITES, QUOTAS
from valletta_rules.numeric.encoding import MOST_PLAYED, MOST_STEPS

LAYOUT_VERSION: Final = 1
"""The version of the layout of rows."""

MAX_PLAYERS: Final = max(QUOTAS)
"""The maximum number of players whose data a row can contain."""

MAX_KINDS: Final = 40
"""The maximum number of kinds of card in a bag."""

MAX_DESIGNS: Final = 255
"""The maximum number of building designs in a table."""

ANSWERS: Final = 6
"""The number of options in a rule set, including the two variants."""

UNUSED: Final = "unused"
"""The name of unused fields, which are always zero."""


class RowField(NamedTuple):
    """A field of a layout."""

    name: str
    kind: str
    """The type: ``u8``, ``u16``, ``u32``, the signed ``i32``, or the name of another layout."""
    counts: tuple[int, ...] = ()
    """The dimensions, if the field is an array; empty for a single value."""
    meaning: str = ""


MOST_EVENTS: Final = 64
"""The size of the buffer for the events of a transition. No transition reaches this number."""

_COUNTS: Final = MappingProxyType(
    {
        "kinds": MAX_KINDS,
        "goods": len(GOODS),
        "steps": MOST_STEPS,
        "sites": MAX_SITES,
        "cards played": MOST_PLAYED,
        "players": MAX_PLAYERS,
        "designs": MAX_DESIGNS,
        "answers": ANSWERS,
    }
)
"""A mapping from the names of array dimensions to their sizes."""


def _field(name: str, kind: str, of: Sequence[str] = (), meaning: str = "") -> RowField:
    return RowField(name, kind, tuple(_COUNTS[each] for each in of), meaning)


_TEXT: Final = (resources.files("valletta_rules.numeric") / "rows.toml").read_text("utf-8")

_WRITTEN: Final = tuple(
    (name, tuple(_field(**field) for field in written["fields"]), written["meaning"])
    for name, written in tomllib.loads(_TEXT).items()
)

LAYOUTS: Final = MappingProxyType({name: fields for name, fields, _ in _WRITTEN})
"""A mapping from the names of layouts to their fields.

Each layout follows the layouts that it contains.
"""

MEANINGS: Final = MappingProxyType({name: meaning for name, _, meaning in _WRITTEN})
"""A mapping from the names of layouts to their descriptions."""

_CODES: Final = MappingProxyType({"u8": "B", "u16": "H", "u32": "I", "i32": "i"})


def form_of(field: RowField) -> str:
    """Return the `struct` format for a field. An array of bytes is unpacked as one value."""
    times = prod(field.counts)
    if field.name == UNUSED:
        return f"{times * size_of(field.kind)}x"
    if field.kind in LAYOUTS and not field.counts:
        return "".join(map(form_of, LAYOUTS[field.kind]))
    if field.counts and field.kind in ("u8", *LAYOUTS):
        return f"{times * size_of(field.kind)}s"
    return f"{times}{_CODES[field.kind]}" if field.counts else _CODES[field.kind]


def size_of(kind: str) -> int:
    """Return the size in bytes of a type of number, or of a layout."""
    if kind in LAYOUTS:
        return calcsize("=" + "".join(map(form_of, LAYOUTS[kind])))
    return calcsize(f"={_CODES[kind]}")


def places_of(kind: str) -> dict[str, int]:
    """Return, for each field of a layout, its offset in bytes."""
    fields = LAYOUTS[kind]
    return {
        field.name: calcsize("=" + "".join(map(form_of, fields[:number])))
        for number, field in enumerate(fields)
        if field.name != UNUSED
    }


def struct_of(kind: str, without: str = "") -> Struct:
    """Return the `Struct` for a layout, leaving out the field named `without`."""
    fields = (field for field in LAYOUTS[kind] if field.name != without)
    return Struct("=" + "".join(map(form_of, fields)))
