"""What the sources of the native backend take from Python: tables, and clauses of functions.

``python -m spec.checks accept generated`` writes the tables to `src/native/tables.h`, and in the
chapters the clauses that each function carries out, as the function of the same name in Python
tells them.  A test compares the files with what is made anew: so no number of the game is typed
twice, and no list of clauses.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, get_args

from spec.mentions import FUNCTION_IN_C
from valletta_rules.agenda import Step
from valletta_rules.components import buildings, display, street
from valletta_rules.components.characters import CHARACTERS, Colour
from valletta_rules.components.goods import GOODS, NOTHING
from valletta_rules.native import LIMITS, TABLES_VERSION
from valletta_rules.numeric import encoding, numbering
from valletta_rules.rulebook import blue, building, final_phase, red, scoring, turn, yellow
from valletta_rules.rulebook.characters import EFFECTS
from valletta_rules.rulebook.effects import Declining
from valletta_rules.rulings import HANS_IM_GLUECK
from valletta_rules.state import Phase

ROOT: Final = Path(__file__).resolve().parents[1]
NATIVE: Final = ROOT / "src" / "native"
RULEBOOK: Final = ROOT / "src" / "valletta_rules" / "rulebook"
HEADER: Final = NATIVE / "tables.h"

CHAPTERS: Final = tuple(sorted(path.stem for path in RULEBOOK.glob("[a-z]*.py")))
"""The chapters: each is a module of the rulebook, and a file in C."""

NAMED_OTHERWISE: Final = {
    "building": {"least_replaced", "most_replaced", "smaller", "larger", "lay_out"},
    "blue": {"anybody_gives", "due"},
    "characters": {"can_do_something", "stake", "carry_out"},
    "setup": {"divisor"},
    "holdings": {"gain", "lose", "join_discard_pile"},
    "yellow": {"can_sell"},
}
"""Functions that Python has within another one, as a method, or from its library."""


def constants() -> dict[str, int]:
    """Return the numbers of the rules, by the names that they have in Python."""
    return {
        "HAND_SIZE": turn.HAND_SIZE,
        "HOUSES_PER_PLAYER": buildings.HOUSES_PER_PLAYER,
        "LAST_SPACE": street.LAST_SPACE,
        "TOWER": street.TOWER,
        "AREA_LENGTH": street.AREA_LENGTH,
        "ROW_LENGTH": display.ROW_LENGTH,
        "PLAYS_PER_TURN": turn.PLAYS_PER_TURN,
        "TRIGGERING_SCORE": final_phase.TRIGGERING_SCORE,
        "SUBSTITUTES": building.SUBSTITUTES,
        "CONSTRUCTION_BONUS": building.CONSTRUCTION_BONUS,
        "GOODS_PER_POINT": scoring.GOODS_PER_POINT,
        "MONK_SPARES": blue.MONK_SPARES,
        "INNKEEPER_SPARES": blue.INNKEEPER_SPARES,
        "TAX_COLLECTOR_SPARES": blue.TAX_COLLECTOR_SPARES,
        "NUN_TAKES": blue.NUN_TAKES,
        "ARCHITECT_PRICE": yellow.ARCHITECT_PRICE,
        "ARCHITECT_POINTS": yellow.ARCHITECT_POINTS,
        "BAILIFF_POINTS": yellow.BAILIFF_POINTS,
        "GRAND_MASTER_POINTS": yellow.GRAND_MASTER_POINTS,
        "KNIGHT_POINTS": yellow.KNIGHT_POINTS,
    }


def arrays() -> dict[str, int]:
    """Return the numbers of the arrays that views are written as."""
    return {
        "ANSWERS": len(encoding.encode_rules(HANS_IM_GLUECK)),
        "PARTS": encoding.PARTS,
        "MOST_NUMBER": encoding.MOST,
    }


AMOUNTS: Final = {
    "TRADER_TAKES": blue.TRADER_TAKES,
    "MERCHANT_WARES": blue.MERCHANT_WARES,
    "BAILIFF_PRICE": yellow.BAILIFF_PRICE,
    "GRAND_MASTER_PRICE": yellow.GRAND_MASTER_PRICE,
}
"""The goods of the rules, by the names that they have in Python."""


def header() -> str:
    """Return the text of the header."""
    return "\n".join([*_head(), *_enumerations(), *_numbers(), *_arrays(), "", "#endif", ""])


def _head() -> Iterator[str]:
    yield "/* The tables of the game.  Written by `python -m spec.checks accept generated`. */"
    yield ""
    yield "#ifndef VALLETTA_TABLES_H"
    yield "#define VALLETTA_TABLES_H"
    yield ""
    yield "#include <stdint.h>"
    yield ""
    yield f"enum {{ TABLES_VERSION = {TABLES_VERSION} }};"


def _snake(name: str) -> str:
    """Return the name of a class as a constant is written."""
    return "".join(f"_{each}" if each.isupper() else each for each in name).strip("_").upper()


def _enum(names: Iterable[str], last: str) -> Iterator[str]:
    yield ""
    yield "enum {"
    yield from (f"    {name}," for name in names)
    yield f"    {last}"
    yield "};"


def _enumerations() -> Iterator[str]:
    yield from _enum((colour.name for colour in Colour), "COLOURS")
    yield from _enum((good.name for good in GOODS), "GOODS")
    yield from _enum((character.name for character in CHARACTERS), "CHARACTERS")
    yield from _enum((phase.name for phase in Phase), "PHASES")
    steps = (_snake(step.__name__) for step in get_args(Step))
    yield from _enum(("NO_STEP", *steps), "STEPS")
    yield from _enum((declining.name for declining in Declining), "DECLININGS")


def _numbers() -> Iterator[str]:
    yield ""
    yield "/* The first number of each type of action. */"
    yield "enum {"
    for kind, numbers in numbering.NUMBERS.items():
        yield f"    {_snake(kind.__name__)} = {numbers.start},"
    yield f"    NUMBERS = {numbering.COUNT}"
    yield "};"
    for title, named in (
        ("The numbers of the rules.", constants()),
        ("How much a row can hold.", LIMITS),
        ("How views are written as arrays.", arrays()),
    ):
        yield ""
        yield f"/* {title} */"
        yield "enum {"
        yield from (f"    {name} = {value}," for name, value in named.items())
        yield "};"


def _arrays() -> Iterator[str]:
    sites = range(display.MAX_SITES)
    effects = [EFFECTS.get(character) for character in CHARACTERS]
    never = Declining.NEVER
    yield from _array("COLOUR_OF", "CHARACTERS", (each.colour.name for each in CHARACTERS))
    yield from _array(
        "DECLINING", "CHARACTERS", ((each.declining if each else never).name for each in effects)
    )
    reductions = ((each.reduction if each else None) or NOTHING for each in effects)
    yield from _array("REDUCTIONS", "CHARACTERS][GOODS", map(_row, reductions))
    yield from _array(
        "BONUS_GOODS",
        "CHARACTERS",
        (sum(1 << good.rank for good in blue.BONUS_GOODS.get(each, ())) for each in CHARACTERS),
    )
    copied = (int(colour in red.COPIED_COLOURS) for colour in Colour)
    yield from _array("COPIED_COLOURS", "COLOURS", copied)
    yield from _array(
        "PAIRS", "RETURN_GOOD - TAKE_GOODS][GOODS", (_row(pair.goods) for pair in blue.PAIRS)
    )
    yield from _array(
        "NEIGHBOURS", "MAX_SITES", (f"{display.NEIGHBOURS[site]:#x}" for site in sites)
    )
    players = range(max(display.SITES) + 1)
    yield from _array("SITES", "MAX_PLAYERS + 1", (display.SITES.get(each, 0) for each in players))
    quotas = [dict(display.QUOTAS.get(each, {})) for each in players]
    yield from _array(
        "QUOTAS",
        "MAX_PLAYERS + 1][COLOURS",
        (_row(quota.get(colour, 0) for colour in Colour) for quota in quotas),
    )
    for name, goods in AMOUNTS.items():
        yield from _array(name, "GOODS", goods)


def _array(name: str, size: str, values: Iterable[object]) -> Iterator[str]:
    kind = "uint32_t" if name == "NEIGHBOURS" else "uint8_t"
    yield ""
    yield f"static const {kind} {name}[{size}] = {{"
    yield from (f"    {value}," for value in values)
    yield "};"


def _row(values: Iterable[object]) -> str:
    return f"{{{', '.join(map(str, values))}}}"


# The clauses


def accept() -> None:
    """Write the tables and the clauses."""
    HEADER.write_text(header(), encoding="utf-8")
    for chapter in CHAPTERS:
        (NATIVE / f"{chapter}.c").write_text(with_clauses(chapter), encoding="utf-8")


def with_clauses(chapter: str) -> str:
    """Return the text of a chapter in C, its functions with the clauses that Python gives them.

    Raises `LookupError` if Python has no function of a name.
    """
    known = clauses_in_python(chapter)

    def renewed(found: re.Match[str]) -> str:
        name = found["name"]
        if name in NAMED_OTHERWISE.get(chapter, ()):
            return found[0]
        said = re.sub(r"\n \*\n \* Rules: [^/]*$", "\n ", found["said"]).rstrip()
        clauses = known[name]
        before, after = found[0].split(found["said"] + "*/", 1)
        ending = f"\n *\n * Rules: {clauses}\n */" if clauses else " */"
        return f"{before}{said}{ending}{after}"

    return FUNCTION_IN_C.sub(renewed, (NATIVE / f"{chapter}.c").read_text(encoding="utf-8"))


def clauses_in_python(chapter: str) -> dict[str, str]:
    """Return the clauses of each function of a chapter in Python, of nested ones too."""
    tree = ast.parse((RULEBOOK / f"{chapter}.py").read_text(encoding="utf-8"))
    return {
        node.name.removeprefix("_"): ", ".join(clauses_in(ast.get_docstring(node) or ""))
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
    }


def clauses_in(text: str) -> list[str]:
    """Return the clauses that a docstring names under Rules."""
    _, _, listed = text.partition("Rules:")
    return re.findall(r"[A-Z]{3}-[0-9]+", listed)
