"""How a position lies in a block of memory, a row, and what is the same in all of a game, a table.

The native backend, this package and the one for JavaScript read and write the same blocks.  Their
layouts are stated in ``rows.toml``, field by field: `native` packs by them, and from them
``python -m spec.checks accept generated`` writes the declarations in C, while the build of the
package for JavaScript writes the places of the fields.

Rows are equal exactly if their bytes are: what is unused is zero.  Rows of fewer than four players
end with the last of them.  Bytes are ordered as on the machine.
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
"""How many players a row has room for."""

MAX_KINDS: Final = 40
"""How many kinds of card a bag has room for."""

MAX_DESIGNS: Final = 255
"""How many designs of buildings a table has room for."""

ANSWERS: Final = 6
"""How many answers a rule set has."""

UNUSED: Final = "unused"
"""The name of what is always zero."""


class RowField(NamedTuple):
    """A field of a layout."""

    name: str
    kind: str
    """``u8``, ``u16``, ``u32`` or ``i32`` for a number of that many bits, the last with a sign; or
    the name of another layout."""
    counts: tuple[int, ...] = ()
    """How many there are, for an array: one number for each dimension."""
    meaning: str = ""


MOST_EVENTS: Final = 64
"""How many events a transition has room for: more than can be."""

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
"""How many there are of the things that an array has one of each for."""


def _field(name: str, kind: str, of: Sequence[str] = (), meaning: str = "") -> RowField:
    """Return a field of a layout as ``rows.toml`` has it."""
    return RowField(name, kind, tuple(_COUNTS[each] for each in of), meaning)


_TEXT: Final = (resources.files("valletta_rules.numeric") / "rows.toml").read_text("utf-8")

_WRITTEN: Final = tuple(
    (name, tuple(_field(**field) for field in written["fields"]), written["meaning"])
    for name, written in tomllib.loads(_TEXT).items()
)

LAYOUTS: Final = MappingProxyType({name: fields for name, fields, _ in _WRITTEN})
"""The layouts by name, each after those that it contains."""

MEANINGS: Final = MappingProxyType({name: meaning for name, _, meaning in _WRITTEN})
"""What each layout is of."""

_CODES: Final = MappingProxyType({"u8": "B", "u16": "H", "u32": "I", "i32": "i"})


def form_of(field: RowField) -> str:
    """Return the form of a field, as in a format of `struct`: an array of bytes is one value."""
    times = prod(field.counts)
    if field.name == UNUSED:
        return f"{times * size_of(field.kind)}x"
    if field.kind in LAYOUTS and not field.counts:
        return "".join(map(form_of, LAYOUTS[field.kind]))
    if field.counts and field.kind in ("u8", *LAYOUTS):
        return f"{times * size_of(field.kind)}s"
    return f"{times}{_CODES[field.kind]}" if field.counts else _CODES[field.kind]


def size_of(kind: str) -> int:
    """Return how many bytes a number takes, or a layout."""
    if kind in LAYOUTS:
        return calcsize("=" + "".join(map(form_of, LAYOUTS[kind])))
    return calcsize(f"={_CODES[kind]}")


def places_of(kind: str) -> dict[str, int]:
    """Return where each field of a layout begins."""
    fields = LAYOUTS[kind]
    return {
        field.name: calcsize("=" + "".join(map(form_of, fields[:number])))
        for number, field in enumerate(fields)
        if field.name != UNUSED
    }


def struct_of(kind: str, without: str = "") -> Struct:
    """Return what packs and unpacks a layout, without one of its fields."""
    fields = (field for field in LAYOUTS[kind] if field.name != without)
    return Struct("=" + "".join(map(form_of, fields)))
