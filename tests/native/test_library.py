"""The rules as a library for programs in C: exported functions, an example program, and tables."""

import ctypes
import importlib.util
import json
import random
import re
import shutil
import subprocess
from contextlib import nullcontext
from functools import reduce
from itertools import product
from operator import getitem
from pathlib import Path
from typing import Any

import attrs
import pytest

import valletta_rules as vr
from spec.checks.random_games import ANSWERS
from tests.positions import position, seat
from tests.sources import ROOT
from valletta_rules import native
from valletta_rules.numeric import layout
from valletta_rules.numeric.encoding import encode_rules
from valletta_rules.version import __version__ as valletta_version

MISSING = [tool for tool in ("cc", "make", "objcopy", "nm") if shutil.which(tool) is None]

pytestmark = [
    pytest.mark.skipif(bool(MISSING), reason=f"{', '.join(MISSING)} is not installed"),
    pytest.mark.skipif(not native.available, reason=str(native.why_not)),
]

RULE_SETS = [
    vr.RuleSet("any", *answers)
    for answers in product(*ANSWERS.values(), (False, True), (False, True))
]
"""Every possible rule set."""


TABLES: list[dict[str, Any]] = json.loads((ROOT / "tests" / "tables.json").read_text("utf-8"))
"""Test cases: changes to a valid record, each with the expected problem, if any."""

RANKS = {character.value: character.rank for character in vr.Character}


def run(*command: str | Path) -> str:
    """Run a command, and return its standard output."""
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the C libraries, and return the folder that contains them."""
    output = tmp_path_factory.mktemp("library")
    run("make", "-s", "-C", ROOT / "src" / "native", f"OUT={output}", "CFLAGS=-O1 -Werror")
    return output


@pytest.mark.parametrize("kind", ["a", "so"])
def test_the_library_exports_exactly_the_functions_of_its_header(folder: Path, kind: str) -> None:
    """A program that links with the library gets no other symbols."""
    dynamic = ("-D",) if kind == "so" else ("-g",)
    listed = run("nm", *dynamic, "--defined-only", folder / f"libvalletta.{kind}")
    exported = set(re.findall(r" [A-Z] (\w+)", listed))
    header = (ROOT / "src" / "native" / "valletta.h").read_text("utf-8")
    assert exported == set(re.findall(r"^VALLETTA_API .*?(\w+)\(", header, re.MULTILINE))


def test_the_example_program_in_c_plays_games_to_the_end(folder: Path) -> None:
    """The program links only with this library.  Every game has a winner."""
    source = ROOT / "examples" / "c" / "random_games.c"
    program = folder / "random_games"
    flags = ("-std=c11", "-Wall", "-Wextra", "-Werror", f"-I{ROOT / 'src' / 'native'}")
    run("cc", *flags, source, folder / "libvalletta.a", "-o", program)
    for players in (2, 3, 4):
        *games, decisions = run(program, str(players), "20").splitlines()
        assert [game.count("*") > 0 for game in games] == [True] * 20
        assert int(decisions.split()[0]) > 20 * 60


@pytest.mark.parametrize(
    ("compiler", "standard", "suffix"), [("cc", "c17", "c"), ("c++", "c++11", "cpp")]
)
def test_the_header_compiles_in_c_and_cpp_without_warnings(
    folder: Path, compiler: str, standard: str, suffix: str
) -> None:
    """The compiled program also links with the library."""
    if shutil.which(compiler) is None:
        pytest.skip(f"the compiler {compiler} is not installed")
    source = folder / f"included.{suffix}"
    source.write_text('#include "valletta.h"\nint main(void) { return valletta_version() - 1; }\n')
    flags = (f"-std={standard}", "-Wall", "-Wextra", "-Wpedantic", "-Werror")
    program = folder / f"included-{suffix}"
    include = f"-I{ROOT / 'src' / 'native'}"
    run(compiler, *flags, include, source, folder / "libvalletta.a", "-o", program)
    assert run(program) == ""


@pytest.fixture(params=["library", "module"])
def library(request: pytest.FixtureRequest, folder: Path) -> Any:
    """Load the C library or the Python extension module; both export the same functions."""
    module = importlib.util.find_spec("valletta_rules._native")
    assert module is not None
    built = folder / "libvalletta.so" if request.param == "library" else module.origin
    library = ctypes.CDLL(str(built))
    for name in ("valletta_complete", "valletta_problem"):
        getattr(library, name).restype = ctypes.c_char_p
    return library


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_table_in_c_gives_the_same_first_position_as_python(library: Any, players: int) -> None:
    """The positions are equal byte for byte, under every rule set."""
    compared = 0
    for rules in RULE_SETS:
        try:
            state = vr.new_game(players, rules=rules)
        except vr.VariantError:
            continue
        table = ctypes.create_string_buffer(layout.size_of("table"))
        table[0] = bytes([players])
        library.valletta_built_in_cards(table)
        places = layout.places_of("table")
        for question, answer in enumerate(encode_rules(rules)):
            table[places["answers"] + question] = bytes([answer])
        assert library.valletta_complete(table) is None
        row = ctypes.create_string_buffer(layout.size_of("position"))
        library.valletta_begin(table, row)
        assert library.valletta_problem(table, row) is None
        expected = bytes(native.pack(state))
        assert row.raw[: len(expected)] == expected
        compared += 1
    assert compared == (64 if players == 2 else 32)


def document_of(case: dict[str, Any]) -> dict[str, Any]:
    """Return the record of a test case as JSON data: a valid record with some values changed."""
    cards = attrs.evolve(vr.RECONSTRUCTION, name="Mine")
    record: dict[str, Any] = json.loads(vr.to_json(vr.Record(players=2, cards=cards, actions=())))
    for (*way, last), value in [[["players"], case["players"]], *case["set"]]:
        inner = reduce(getitem, way, record["value"])
        if isinstance(inner, list) and last == len(inner):
            inner.append(value)
        else:
            inner[last] = value
    return record


def answers_of(rules: dict[str, Any]) -> bytes:
    """Encode the rulings of a rule set as bytes. If a ruling is invalid, every byte is 255."""
    try:
        return bytes(encode_rules(vr.RuleSet(**rules)))
    except ValueError:
        return bytes([255] * layout.ANSWERS)


@pytest.mark.parametrize("case", TABLES, ids=lambda case: case["name"])
def test_the_library_accepts_a_table_if_and_only_if_python_does(
    library: Any, case: dict[str, Any]
) -> None:
    """The JavaScript package is tested with the same cases."""
    document = document_of(case)
    players, rules, cards = (document["value"][part] for part in ("players", "rules", "cards"))
    table = ctypes.create_string_buffer(layout.size_of("table"))
    places, buildings = layout.places_of("table"), cards["buildings"]
    fields = {
        "players": [players],
        "designs": [len(buildings)],
        "character": [RANKS[each["character"]] for each in buildings],
        "icon": [vr.Good(each["icon"]).rank for each in buildings],
        "points": [each["points"] for each in buildings],
        "copies": [each["copies"] for each in buildings],
        "cost": [each["cost"][good] for each in buildings for good in vr.GOODS],
        "barrels": [cards["barrels"][good] for good in vr.GOODS],
        "answers": answers_of(rules),
    }
    for name, values in fields.items():
        ctypes.memmove(ctypes.byref(table, places[name]), bytes(values), len(values))
    problem = library.valletta_complete(table)
    assert (problem and problem.decode()) == case["problem"]
    with nullcontext() if problem is None else pytest.raises(ValueError, match=r"."):
        record = vr.from_json(json.dumps(document))
        assert isinstance(record, vr.Record)
        assert record.start.prompt


def test_the_library_returns_the_version_of_its_header(library: Any) -> None:
    """A program can compare the version with that of the header it was compiled with."""
    header = (ROOT / "src" / "native" / "valletta.h").read_text("utf-8")
    (version,) = re.findall(r"VALLETTA_VERSION = (\d+)", header)
    assert library.valletta_version() == int(version)


def test_an_installed_library_can_be_linked_by_the_flags_of_pkg_config(
    folder: Path, tmp_path: Path
) -> None:
    """The installation contains the headers, and a file whose name includes the interface
    version.
    """
    make = ("make", "-s", "-C", ROOT / "src" / "native", f"OUT={folder}", f"PREFIX={tmp_path}")
    run(*make, "CFLAGS=-O1 -Werror", "install")
    library = tmp_path / "lib" / "libvalletta.so.1"
    assert "Library soname: [libvalletta.so.1]" in run("readelf", "-d", library)
    described = (tmp_path / "lib" / "pkgconfig" / "valletta.pc").read_text("utf-8")
    assert f"prefix={tmp_path}\n" in described
    assert f"Version: {valletta_version}\n" in described
    program, source = tmp_path / "games", ROOT / "examples" / "c" / "random_games.c"
    flags = (f"-I{tmp_path / 'include'}", f"-L{tmp_path / 'lib'}", "-lvalletta")
    run("cc", "-std=c11", source, *flags, f"-Wl,-rpath,{tmp_path / 'lib'}", "-o", program)
    assert run(program, "2", "1").startswith("game 0:")


def test_the_library_returns_the_names_of_characters_and_goods(library: Any) -> None:
    """The names are ordered by number, and equal those used in JSON documents."""
    for function, members in (("character", vr.Character), ("good", vr.Good)):
        name = getattr(library, f"valletta_{function}_name")
        name.restype = ctypes.c_char_p
        names = [name(number) for number in range(-1, len(members) + 1)]
        assert names == [None, *(each.value.encode() for each in members), None]


def test_the_library_returns_the_seat_that_must_decide(library: Any) -> None:
    """If chance must decide, or the game is over, the function returns a code instead."""
    start = vr.new_game(3)
    for state in (start, vr.resolve_chance(start, random.Random(1))):
        prompt = state.prompt
        assert prompt is not None
        row = bytes(native.pack(state))
        assert library.valletta_asked(row) == (-1 if prompt.seat is None else prompt.seat)
    over = position(seat(), seat(), agenda=(), phase=vr.Phase.OVER)
    assert library.valletta_asked(bytes(native.pack(over))) == -2


def test_the_library_reports_all_legal_payments_until_the_callback_stops(library: Any) -> None:
    """The payments have the same order as in the list of legal actions."""
    price = vr.PaymentPrompt(0, 3, vr.Goods(gold=1, wood=1))
    owner = seat(goods=vr.Goods(4, 3, 2, 2))
    state = position(owner, seat(), agenda=(price, vr.EndTurn(0)))
    expected = [tuple(pay.goods) for pay in vr.legal_actions(state) if isinstance(pay, vr.Pay)]
    assert len(expected) > 3
    assert list_payments(library, state) == expected
    assert list_payments(library, state, most=2) == expected[:2]
    assert list_payments(library, position(owner, seat())) == []
    assert list_payments(library, attrs.evolve(state, agenda=(), phase=vr.Phase.OVER)) == []


def list_payments(library: Any, state: vr.GameState, most: int = 1_000) -> list[tuple[int, ...]]:
    """Return the payments that the library passes to a callback, which stops after `most` calls."""
    payments: list[tuple[int, ...]] = []

    def listen(_: object, payment: Any) -> bool:
        payments.append(tuple(payment[:4]))
        return len(payments) < most

    kind = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, ctypes.POINTER(ctypes.c_int))
    row = ctypes.create_string_buffer(bytes(native.pack(state)), layout.size_of("position"))
    library.valletta_payments(row, kind(listen), None)
    return payments


def test_a_card_set_may_have_more_designs_than_the_display_uses() -> None:
    """A position is refused if it has more designs left to deal than there are action numbers."""
    state = vr.resolve_chance(vr.new_game(2), random.Random(1))
    spare = [
        vr.Building(
            "Z", vr.RECONSTRUCTION.buildings[0].character, vr.Goods(), vr.Good.GOLD, 0, 1, design
        )
        for design in range(1, 201)
    ]
    many = attrs.evolve(vr.RECONSTRUCTION, buildings=(*vr.RECONSTRUCTION.buildings, *spare))
    played = attrs.evolve(state, cards=many)
    assert vr.legal_actions(native.pack(played)) == vr.legal_actions(played)
    assert native.pack(played).unpack() == played
    with pytest.raises(native.RowError, match="more designs are to be dealt than have numbers"):
        native.pack(attrs.evolve(vr.new_game(2), cards=many))
