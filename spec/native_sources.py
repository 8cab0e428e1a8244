"""Generate parts of the native backend's sources from Python.

``python -m spec.checks accept generated`` writes the tables of the game to `src/native/tables.h`,
and the types and numbers for programs that embed the backend to `src/native/valletta_types.h`.  The
comment of each C function in a chapter gets the list of clauses of the Python function with the
same name.  The declarations of these functions are written to `src/native/row.h`.  A test compares
the files with newly generated ones.  No number of the game and no list of clauses is therefore
maintained by hand in C.
"""

import ast
import re
import textwrap
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, Final, get_args

import attrs

from spec.mentions import FUNCTION_IN_C
from valletta_rules import RECONSTRUCTION, Code, EndCondition, Event, Phase, chapters, rulings
from valletta_rules.agenda import BONUS_CLAUSES, Prompt, Step
from valletta_rules.card_sets import validation
from valletta_rules.components import (
    CHARACTERS,
    GOODS,
    NOTHING,
    Colour,
    Goods,
    buildings,
    display,
    street,
)
from valletta_rules.native import FACTS, LIMITS, TABLES_VERSION, clause_number
from valletta_rules.numeric import encoding, layout, numbering
from valletta_rules.rulebook import (
    blue,
    building,
    final_phase,
    red,
    scoring,
    setup,
    turn,
    yellow,
)
from valletta_rules.rulebook.card_effects import CARD_EFFECTS
from valletta_rules.rulebook.effects import Declining

ROOT: Final = Path(__file__).resolve().parents[1]
NATIVE: Final = ROOT / "src" / "native"
RULEBOOK: Final = ROOT / "src" / "valletta_rules" / "rulebook"
HEADER: Final = NATIVE / "tables.h"
TYPES: Final = NATIVE / "valletta_types.h"
GENERATED: Final = (HEADER, TYPES)
ROW: Final = NATIVE / "row.h"

CHAPTERS: Final = tuple(sorted(path.stem for path in RULEBOOK.glob("[a-z]*.py")))
"""The chapters of the rules. Each is a module of `rulebook` in Python, and a source file in C."""

NAMED_OTHERWISE: Final = {
    "building": """
        price_of least_replaced most_replaced replaces can_replace smaller larger lay_out
        lay_out_bricks bound count_stones count_woods count_payments pick nth_payment
    """,
    "blue": "anybody_gives due",
    "card_effects": "can_do_something stake carry_out",
    "scoring": "line_of",
    "setup": "common_multiple weigh_colours weight_of equip open_street",
    "houses_and_icons": "free_sites gain lose join_discard_pile",
    "yellow": "can_sell",
}
"""The C functions without a module-level Python function of the same name, keyed by chapter.  They
are separated by spaces."""


MODULES: Final = (
    *(turn, buildings, street, display, final_phase, building, scoring, blue, yellow),
    validation,
)
"""The modules that define the constants of the rules."""


def constants(kind: type) -> dict[str, Any]:
    """Return the constants of a type that `MODULES` define and the C sources use, keyed by name."""
    written = (path.read_text("utf-8") for path in NATIVE.glob("*.[ch]") if path not in GENERATED)
    used = {word for text in written for word in re.findall(r"[A-Z]\w+", text)} - {*LIMITS}
    known = [item for module in MODULES for item in vars(module).items()]
    return {name: value for name, value in known if type(value) is kind and name in used}


def header() -> str:
    """Return the text of `tables.h`."""
    lines = [*_enumerations(), *_numbers(), *_arrays(), *_names()]
    return "\n".join([HEAD, *lines, "", "#endif", ""])


def types() -> str:
    """Return the text of `valletta_types.h`, for programs that embed the backend."""
    lines = [*_enumerations(PREFIX), *_public_numbers(), *_layouts()]
    return "\n".join([TYPES_HEAD, *lines, "", "#endif", ""])


PREFIX: Final = "VALLETTA_"
"""The prefix of the names in the public headers."""

TYPES_HEAD: Final = """\
/* The numbers and types of valletta.h.  Written by `python -m spec.checks accept generated`. */

#ifndef VALLETTA_TYPES_H
#define VALLETTA_TYPES_H

#include <assert.h>
#include <stdint.h>"""

HEAD: Final = f"""\
/* The tables of the game.  Written by `python -m spec.checks accept generated`. */

#ifndef VALLETTA_TABLES_H
#define VALLETTA_TABLES_H

#include <stdint.h>

enum {{ TABLES_VERSION = {TABLES_VERSION} }};"""


def _snake(name: str) -> str:
    """Convert the name of a class to the name of a constant: ``PlayCard`` becomes ``PLAY_CARD``."""
    return "".join(f"_{each}" if each.isupper() else each for each in name).strip("_").upper()


def _block(head: str, lines: Iterable[object], last: str = "") -> Iterator[str]:
    """Yield the lines of a C list in braces; items that assign a value have their own lines."""
    items = [*(f"{line}," for line in lines), *((last,) if last else ())]
    unbroken = " ".join(item.replace(" ", "\0") for item in items)
    has_values = any("=" in item for item in items)
    written = items if has_values else textwrap.wrap(unbroken, 96, break_on_hyphens=False)
    yield from ("", f"{head} {{", *(f"    {line}".replace("\0", " ") for line in written), "};")


def _enumerations(prefix: str = "") -> Iterator[str]:
    steps = (_snake(step.__name__) for step in get_args(Step))
    questions = (field.name.upper() for field in attrs.fields(rulings.RuleSet)[1:])
    for names, last in (
        ((colour.name for colour in Colour), "COLOURS"),
        ((good.name for good in GOODS), "GOODS"),
        ((character.name for character in CHARACTERS), "CHARACTERS"),
        ((phase.name for phase in Phase), "PHASES"),
        (("NO_STEP", *steps), "STEPS"),
        (questions, "ANSWERS"),
        *(
            ((each.name for each in kind), "")
            for kind in (rulings.Effects, rulings.Opening, rulings.BarrelLayout)
        ),
        ((code.name for code in Code), "MALFORMED"),
        ((f"FACT_{fact.upper()}" for fact in FACTS), ""),
        ((f"EVENT_{_snake(event.__name__)}" for event in get_args(Event)), "EVENTS"),
        ((condition.name for condition in EndCondition), ""),
        *(() if prefix else (((declining.name for declining in Declining), "DECLININGS"),)),
    ):
        yield from _block("enum", (prefix + name for name in names), last and prefix + last)


def _names() -> Iterator[str]:
    """Yield the C arrays of the names that documents use for characters and goods."""
    for kind, members in (("CHARACTER", CHARACTERS), ("GOOD", GOODS)):
        head = f"static const char *const {kind}_NAMES[{kind}S] ="
        yield from _block(head, (f'"{each.value}"' for each in members))


def _firsts() -> dict[str, int]:
    """Return the lowest action number of each type of action, keyed by C constant."""
    return {_snake(kind.__name__): each.start for kind, each in numbering.NUMBERS.items()}


def _chapters() -> dict[str, int]:
    """Return the base of each chapter's clause numbers, keyed by C constant."""
    return {f"CLAUSE_{each.prefix}": clause_number(f"{each.prefix}-0") for each in chapters()}


def _public_numbers() -> Iterator[str]:
    public = ("MAX_PLAYERS", "MAX_SITES", "MAX_DESIGNS", "MOST_EVENTS")
    limits = {name: LIMITS[name] for name in public}
    sizes = {f"{name.upper()}_BYTES": layout.size_of(name) for name in layout.LAYOUTS}
    for title, named in (
        ("The first number of each type of action.", _firsts() | {"NUMBERS": numbering.COUNT}),
        ("Limits.", limits),
        ("The number to which each chapter adds the numbers of its clauses.", _chapters()),
        ("The sizes of the types.", sizes),
    ):
        lines = (f"{PREFIX}{name} = {value}" for name, value in named.items())
        yield from _block(f"/* {title} */\nenum", lines)


def _layouts() -> Iterator[str]:
    """Yield C declarations of the structures that `layout` defines."""
    for name, fields in layout.LAYOUTS.items():
        lines = textwrap.wrap(layout.MEANINGS[name], 94)
        yield from ("", "/* " + "\n * ".join(lines) + " */", "typedef struct {")
        for field in fields:
            kind = f"{PREFIX.lower()}{field.kind}"
            sign = "u" if field.kind[0] == "u" else ""
            kind = kind if field.kind in layout.LAYOUTS else f"{sign}int{field.kind[1:]}_t"
            counts = "".join(f"[{count}]" for count in field.counts)
            comment = field.meaning and f" /* {field.meaning} */"
            yield f"    {kind} {field.name}{counts};{comment}"
        yield f"}} {PREFIX.lower()}{name};"
        size = f"{PREFIX}{name.upper()}_BYTES"
        yield f'static_assert(sizeof({PREFIX.lower()}{name}) == {size}, "{name}: no holes");'


def _numbers() -> Iterator[str]:
    firsts = _firsts()
    arrays = {
        "PARTS": encoding.PARTS,
        "MOST_NUMBER": encoding.MOST,
    }
    for title, named, last in (
        ("The first number of each type of action.", firsts, f"NUMBERS = {numbering.COUNT}"),
        ("The constants of the rules.", constants(int), ""),
        ("The limits of a row.", LIMITS, ""),
        ("The encoding of views as arrays.", arrays, ""),
        ("The number to which each chapter adds the numbers of its clauses.", _chapters(), ""),
        ("The types of actions.", _kinds(), f"KINDS = {len(numbering.NUMBERS)}"),
    ):
        lines = (f"{name} = {value}" for name, value in named.items())
        yield from _block(f"/* {title} */\nenum", lines, last)


def _kinds() -> dict[str, int]:
    """Return the index of each type of action in the list of all types, keyed by C constant."""
    return {f"{_snake(kind.__name__)}_KIND": place for place, kind in enumerate(numbering.NUMBERS)}


def _steps(value_of: Callable[[Any], int]) -> list[int]:
    """Return the value of `value_of` for each type of step; it is 0 for steps without a prompt."""
    prompts = get_args(Prompt)
    return [0, *(value_of(step) if step in prompts else 0 for step in get_args(Step))]


def _answered_by(prompt: Any) -> int:
    """Return the types of actions that answer a prompt, as a bit mask."""
    kinds = list(numbering.NUMBERS)
    return sum(1 << kinds.index(kind) for kind in prompt.answers)


def _clause(prompt: Any) -> int:
    """Return the number of a prompt's clause, or 0 if the clause depends on a character."""
    return clause_number(prompt.clause) if isinstance(prompt.clause, str) else 0


def _arrays() -> Iterator[str]:
    players = range(max(display.SITES) + 1)
    effects = [CARD_EFFECTS.get(character) for character in CHARACTERS]
    bonus_goods = [blue.BONUS_GOODS.get(each, ()) for each in CHARACTERS]
    quotas = [dict(display.QUOTAS.get(each, {})) for each in players]
    neighbours = [display.NEIGHBOURS[site] for site in range(display.MAX_SITES)]
    rows: dict[str, Iterable[object]] = {
        "COLOUR_OF[CHARACTERS]": (each.colour.name for each in CHARACTERS),
        "DECLINING[CHARACTERS]": (
            (each.declining if each else Declining.NEVER).name for each in effects
        ),
        "REDUCTIONS[CHARACTERS][GOODS]": (
            _row((each.reduction if each else None) or NOTHING) for each in effects
        ),
        "BONUS_GOODS[CHARACTERS][GOODS]": (
            _row(int(good in each) for good in GOODS) for each in bonus_goods
        ),
        "COPIED_COLOURS[COLOURS]": (int(colour in red.COPIED_COLOURS) for colour in Colour),
        "PAIRS[RETURN_GOOD - TAKE_GOODS][GOODS]": (_row(pair.goods) for pair in blue.PAIRS),
        "NEIGHBOURS[MAX_SITES]": (f"{each:#x}" for each in neighbours),
        "FIRSTS[KINDS]": _firsts().values(),
        "ANSWERED_BY[STEPS]": map(hex, _steps(_answered_by)),
        "STEP_CLAUSES[STEPS]": map(hex, _steps(_clause)),
        **_clause_rows(),
        "SITES[MAX_PLAYERS + 1]": (display.SITES.get(each, 0) for each in players),
        "QUOTAS[MAX_PLAYERS + 1][COLOURS]": (
            _row(quota.get(colour, 0) for colour in Colour) for quota in quotas
        ),
    }
    amounts = constants(Goods).items()
    rows |= {f"{name}[GOODS]": goods for name, goods in amounts if goods != NOTHING}
    rows |= _built_in()
    for name, row in rows.items():
        kind = "uint32_t" if name.startswith(WIDE) else "uint8_t"
        yield from _block(f"static const {kind} {name} =", row)


def _clause_rows() -> dict[str, Iterable[object]]:
    """Return the arrays with the clause numbers of events and actions."""
    effects = [CARD_EFFECTS.get(character) for character in CHARACTERS]
    return {
        "CONDITION_CLAUSES[]": (
            hex(clause_number(final_phase.CONDITION_CLAUSES[each])) for each in EndCondition
        ),
        "PERMISSIONS[CHARACTERS]": (
            hex(clause_number(each.permission)) if each else 0 for each in effects
        ),
        "BONUS_CLAUSES[CHARACTERS]": (
            hex(clause_number(BONUS_CLAUSES[each])) if each in BONUS_CLAUSES else 0
            for each in CHARACTERS
        ),
    }


def _built_in() -> dict[str, Iterable[object]]:
    """Return the tables for the setup, and those that describe the built-in card set."""
    cards = RECONSTRUCTION
    designs = (
        _row((each.character.rank, each.icon.rank, each.points, each.copies, *each.cost))
        for each in cards.buildings
    )
    return {
        "STARTING_DECK[CHARACTERS]": setup.STARTING_DECK.counts(),
        "GENERAL_SUPPLY[CHARACTERS]": setup.GENERAL_SUPPLY.counts(),
        "STAGGERED_PLAYS[]": setup.STAGGERED_PLAYS,
        "APPRENTICE_COLOURS[]": (each.name for each in rulings.APPRENTICE_COLOURS),
        "BUILT_IN_DESIGNS[][4 + GOODS]": designs,
        "BUILT_IN_BARRELS[GOODS]": cards.barrels,
    }


def _row(values: Iterable[object]) -> str:
    return f"{{{', '.join(map(str, values))}}}"


WIDE: Final = (
    *("NEIGHBOURS", "FIRSTS", "ANSWERED_BY", "STEP_CLAUSES", "BONUS_CLAUSES"),
    *("CONDITION_CLAUSES", "PERMISSIONS"),
)
"""The prefixes of the names of arrays with numbers greater than 255."""

# The clauses and the declarations


DEFINED: Final = re.compile(
    r"^(?P<declared>(?!static\b)\w[\w ]* \**(?P<name>\w+)\([^;{]*\))\n\{", re.MULTILINE
)
"""A pattern for the definition of a C function that is not static."""


def accept() -> None:
    """Write the files, and the parts of files, that are generated for the native backend."""
    HEADER.write_text(header(), encoding="utf-8")
    TYPES.write_text(types(), encoding="utf-8")
    for chapter in CHAPTERS:
        (NATIVE / f"{chapter}.c").write_text(with_clauses(chapter), encoding="utf-8")
    ROW.write_text(with_declarations(ROW.read_text("utf-8")), encoding="utf-8")


def with_declarations(header: str) -> str:
    """Return a header with regenerated declarations of all chapters."""

    def declared(match: re.Match[str]) -> str:
        source = (NATIVE / match["file"]).read_text("utf-8")
        functions = (each for each in DEFINED.finditer(source) if each["name"] not in aliases)
        return "".join([match["title"], *(f"{each['declared']};\n" for each in functions)])

    aliases = re.findall(r"^#define (\w+)\(", header, re.MULTILINE)
    chapters = "|".join(CHAPTERS)
    return re.sub(
        rf"(?P<title>/\* (?P<file>(?:{chapters})\.c)\b[^*]*\*/\n)(?:.+\n)+", declared, header
    )


def with_clauses(chapter: str) -> str:
    """Return the C source of a chapter with regenerated lists of clauses."""
    known = clauses_in_python(chapter)

    def renewed(match: re.Match[str]) -> str:
        name = match["name"]
        if name in NAMED_OTHERWISE.get(chapter, "").split():
            return match[0]
        comment = re.sub(r"\n \*\n \* Rules: [^/]*$", "\n ", match["comment"]).rstrip()
        clauses = known[name]
        before, after = match[0].split(match["comment"] + "*/", 1)
        ending = f"\n *\n * Rules: {clauses}\n */" if clauses else " */"
        return f"{before}{comment}{ending}{after}"

    return FUNCTION_IN_C.sub(renewed, (NATIVE / f"{chapter}.c").read_text(encoding="utf-8"))


def clauses_in_python(chapter: str) -> dict[str, str]:
    """Return the clauses of each Python function in a chapter, including nested functions."""
    tree = ast.parse((RULEBOOK / f"{chapter}.py").read_text(encoding="utf-8"))
    return {
        node.name.removeprefix("_"): ", ".join(clauses_in(ast.get_docstring(node) or ""))
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
    }


def clauses_in(text: str) -> list[str]:
    """Return the clauses that a docstring lists after ``Rules:``."""
    _, _, listed = text.partition("Rules:")
    return re.findall(r"[A-Z]{3}-[0-9]+", listed)
