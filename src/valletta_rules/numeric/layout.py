"""How a position lies in a block of memory, a row, and what is the same in all of a game, a table.

The native backend, this package and the one for JavaScript read and write the same blocks.  Their
layouts are stated here, field by field: `native` packs by them, and from them
``python -m spec.checks accept generated`` writes the declarations in C, while the build of the
package for JavaScript writes the places of the fields.

Rows are equal exactly if their bytes are: what is unused is zero.  Rows of fewer than four players
end with the last of them.  Bytes are ordered as on the machine.
"""

from __future__ import annotations

from math import prod
from struct import Struct, calcsize
from types import MappingProxyType
from typing import Final, NamedTuple

from valletta_rules.components.display import MAX_SITES, QUOTAS
from valletta_rules.components.goods import GOODS
from valletta_rules.numeric.encoding import MOST_PLAYED, MOST_STEPS

VERSION: Final = 1
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


class Field(NamedTuple):
    """A field of a layout."""

    name: str
    kind: str
    """``u8``, ``u16``, ``u32`` or ``i32`` for a number of that many bits, the last with a sign; or
    the name of another layout."""
    counts: tuple[int, ...] = ()
    """How many there are, for an array: one number for each dimension."""
    meaning: str = ""


_BAG: Final = (
    Field("of", "u8", (MAX_KINDS,)),
    Field("total", "u8"),
)

_STEP: Final = (
    Field("kind", "u8"),
    Field("seat", "u8"),
    Field("value", "u8"),
    Field(UNUSED, "u8"),
    Field("goods", "u8", (len(GOODS),)),
)

_PLAYER: Final = (
    Field("hand", "bag"),
    Field("draw_pile", "bag"),
    Field("discard_pile", "bag"),
    Field("shown", "bag"),
    Field("built", "u32"),
    Field("upgraded", "u32"),
    Field("goods", "u16", (len(GOODS),)),
    Field("score", "u16"),
    Field(UNUSED, "u16"),
)

_POSITION: Final = (
    Field("agenda", "step", (MOST_STEPS,), "the next step last"),
    Field("display", "u8", (MAX_SITES,), "designs, by their places in the card set"),
    Field("dealt", "u8", meaning="buildings in the display"),
    Field("players", "u8"),
    Field("active", "u8"),
    Field("phase", "u8"),
    Field("valette", "u8"),
    Field("plays", "u8", meaning="cards played this turn"),
    Field("steps", "u8", meaning="on the agenda"),
    Field("fault", "u8", meaning="a limit was exceeded; never set in a row that is returned"),
    Field("barrels", "u8", (len(GOODS),)),
    Field("played", "u8", (MOST_PLAYED,)),
    Field("supply", "bag"),
    Field("told", "u8", meaning="somebody is told of events; never in a row that is returned"),
    Field("player", "player", (MAX_PLAYERS,)),
)

_TABLE: Final = (
    Field("players", "u8"),
    Field("effects_are_optional", "u8"),
    Field("apprentice_is_red", "u8"),
    Field("fewer_barrels", "u8"),
    Field("barrel_spaces", "u32", meaning="a bit for each space that has a barrel at the start"),
    Field("designs", "u8"),
    Field("character", "u8", (MAX_DESIGNS,)),
    Field("icon", "u8", (MAX_DESIGNS,)),
    Field("points", "u8", (MAX_DESIGNS,)),
    Field("copies", "u8", (MAX_DESIGNS,)),
    Field("cost", "u8", (MAX_DESIGNS, len(GOODS))),
    Field("barrels", "u8", (len(GOODS),), "how many show each good"),
    Field("answers", "u8", (ANSWERS,), "of the rule set, as encoded in arrays"),
    Field(UNUSED, "u8"),
)

_REFUSAL: Final = (
    Field("code", "i32"),
    Field("clause", "u32"),
    Field("facts", "u32", meaning="a bit for each that belongs to it"),
    Field("character", "i32"),
    Field("site", "i32"),
    Field("owner", "i32", meaning="-1 for nobody"),
    Field("owned", "i32"),
    Field("price", "goods"),
    Field("goods", "goods"),
    Field("missing", "goods"),
)

_EVENT: Final = (
    Field("kind", "i32"),
    Field("seat", "i32"),
    Field("value", "i32"),
    Field("other", "i32"),
    Field("clause", "u32", meaning="0 where its kind says it"),
    Field("goods", "goods"),
)

MOST_EVENTS: Final = 64
"""How many events a transition has room for: more than can be."""

LAYOUTS: Final = MappingProxyType(
    {
        "bag": _BAG,
        "step": _STEP,
        "player": _PLAYER,
        "position": _POSITION,
        "table": _TABLE,
        "goods": (Field("of", "i32", (len(GOODS),)),),
        "refusal": _REFUSAL,
        "event": _EVENT,
    }
)
"""The layouts by name, each after those that it contains."""

MEANINGS: Final = MappingProxyType(
    {
        "bag": "Cards whose order does not matter: how many of each kind, and the total. There is "
        "room for more kinds than the game has.",
        "step": "A step of the agenda. `value` is the site of a payment, the plays of a turn, the "
        "seat that takes, or the character that grants a good; `goods` the price, the reduction or "
        "the choice.",
        "player": "What belongs to one player; `built` and `upgraded` have a bit for each site.",
        "position": "A position. What comes first need not be kept with each: of the agenda only "
        "the steps that are there, and what follows it up to `players` once for a game. The "
        "players come last, so that a position can be cut off behind the last of them.",
        "table": "What is the same in all positions of a game: rule set and cards. What follows "
        "from the players and the answers is filled in by `valletta_complete`.",
        "goods": "An amount of each good.",
        "refusal": "Why an action is refused. The code is that of a violation in the Python "
        "package, or `VALLETTA_MALFORMED` for what is no action of this game; the clause is its "
        "number after its chapter: `VALLETTA_CLAUSE_BLD + 3` is BLD-3, whose letters are the upper "
        "bytes. The facts follow in numbers, but for those of the action itself.",
        "event": "Something that happened; its kinds are those of events in the Python package. "
        "`value` is the card, good, condition, space or design, the points or the plays; `other` "
        "the site or the seat that takes.",
    }
)
"""What each layout is of."""

_CODES: Final = MappingProxyType({"u8": "B", "u16": "H", "u32": "I", "i32": "i"})


def form_of(field: Field) -> str:
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
