"""The native backend answers as the engine does, is a value, and refuses what a row cannot hold."""

from __future__ import annotations

import copy
import importlib
import json
import pickle
import random
import subprocess
import sys
import types
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import attrs
import pytest
from hypothesis import given

import valletta_rules as valletta
from spec.checks import lockstep, native_comparison
from spec.checks.random_games import (
    positions,
)
from valletta_rules import (
    RECONSTRUCTION,
    Decline,
    GameState,
    NoChanceError,
    apply,
    chance_outcomes,
    legal_actions,
    native,
    new_game,
    resolve_chance,
    sample_chance,
    to_json,
)
from valletta_rules.agenda import PlayPrompt

pytestmark = pytest.mark.usefixtures("backend")


def a_game(seed: int, players: int = 3) -> list[GameState]:
    """Return the positions of a game, one for each time a player is asked, and the last."""
    rng = random.Random(seed)
    states = [resolve_chance(new_game(players), rng)]
    while actions := legal_actions(states[-1]):
        states.append(resolve_chance(apply(states[-1], rng.choice(actions)), rng))
    return states


GAME = a_game(4)
PLAYING = next(state for state in GAME if isinstance(state.prompt, PlayPrompt))
"""A position in which a card is to be played."""


# Equal to the engine


def test_the_backends_agree_on_every_successor() -> None:
    """Every legal action of every position leads to the same row, whatever the edition and cards.

    A million are compared by `.ci/run`; for more: ``python -m spec.checks.native_comparison``.
    """
    backend = native_comparison.Native()
    tally = native_comparison.run(backend, 40_000, seed=11)
    assert not tally.divergences, tally.divergences[0]
    assert tally.successors >= 40_000
    assert backend.unpacked > 300
    assert tally.refusals > 1_000
    assert tally.outcomes > 10
    assert native_comparison.carried_out() <= tally.clauses


def test_what_they_disagree_about_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A difference is reported with the position, and the command fails."""
    fewer = lambda self, packed: legal_actions(packed)[1:]  # noqa: E731
    monkeypatch.setattr(native_comparison.Native, "legal_actions", fewer)
    assert native_comparison.main(["--successors", "300"]) == 1
    assert capsys.readouterr().out.startswith("legal actions under ")
    monkeypatch.undo()
    monkeypatch.setattr(native_comparison, "examples", lambda: ())
    assert native_comparison.main(["--successors", "3"]) == 1
    assert capsys.readouterr().out.startswith("never met: BLD-1, ")
    monkeypatch.setattr(native, "why_not", "it is not there")
    assert native_comparison.main([]) == 2


def test_a_row_is_compared_in_full() -> None:
    """A position is not taken for another, and now and then it is unpacked."""
    backend, packed = native_comparison.Native(), native.pack(PLAYING)
    for state in GAME:
        assert backend.agrees(packed, state) is (state == PLAYING)
        assert backend.agrees(native.pack(state), state)
    assert backend.unpacked == 2 * len(GAME) // native_comparison.UNPACKED_OF > 0


def test_figures_are_written_as_they_are_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The command tells what was compared, and writes it with the stamps of its sources."""
    monkeypatch.setattr(lockstep, "ROOT", tmp_path)
    (tmp_path / "spec").mkdir()
    assert native_comparison.main(["--successors", "300", "--processes", "2", "--write"]) == 0
    written = json.loads((tmp_path / "spec" / "native_comparison.json").read_text("utf-8"))
    assert written["successors"] >= 300
    assert written["processes"] == 2
    assert sum(written["by_rules"].values()) == written["successors"]
    assert set(written["sources"]) == {"native", "engine", "comparison"}
    assert "0 divergences" in capsys.readouterr().out


@given(positions())
def test_a_position_comes_back_equal(state: GameState) -> None:
    """Packed and unpacked, a position is as it was, in everything that JSON tells of it."""
    packed = native.pack(state)
    assert packed.unpack() == state
    assert to_json(packed.unpack()) == to_json(state)
    assert (packed.rules, packed.cards, packed.prompt) == (state.rules, state.cards, state.prompt)


def test_any_generator_will_do() -> None:
    """Generators of other kinds, and those that were changed, are asked by their own methods."""
    asked = list[int]()

    def last(stop: int, /) -> int:
        asked.append(stop)
        return stop - 1

    changed: Any = random.Random(1)
    vars(changed)["randrange"] = last
    generators: list[Any] = [SimpleNamespace(randrange=last), SimpleNamespace(integers=last)]
    for rng in (*generators, changed):
        table = new_game(3)
        assert sample_chance(table, rng) == sample_chance(native.pack(table), rng)
        asked.clear()
        state = resolve_chance(table, rng)
        ours, asked[:] = asked[:], []
        assert resolve_chance(native.pack(table), rng) == native.pack(state)
        assert asked == ours


def test_a_generator_that_fails_is_heard() -> None:
    """Its error is passed on, and nothing else happens; nor is any answer believed."""
    packed = native.pack(new_game(3))
    failing: Any = random.Random(1)
    vars(failing)["getrandbits"] = lambda bits: bits // 0
    wrong: list[tuple[type[Exception], Any]] = [
        (ZeroDivisionError, failing),
        (ZeroDivisionError, SimpleNamespace(randrange=lambda stop: stop // 0)),
        *((ValueError, SimpleNamespace(randrange=lambda _, to=to: to)) for to in (-1, 10**6)),
        (OverflowError, SimpleNamespace(randrange=lambda _: 10**30)),
        (TypeError, SimpleNamespace(randrange=lambda _: "no number")),
        (TypeError, "no generator"),
    ]
    for error, rng in wrong:
        with pytest.raises(error):
            resolve_chance(packed, rng)
    asked = native.pack(GAME[3])
    assert resolve_chance(asked, wrong[-1][1]) is asked


def test_chance_is_only_asked_when_it_is_asked() -> None:
    """A question for a player is none for chance, and the end of a game is none at all."""
    for state in (GAME[3], GAME[-1]):
        for ask in (chance_outcomes, lambda state: sample_chance(state, random.Random())):
            with pytest.raises(NoChanceError) as ours:
                ask(state)
            with pytest.raises(NoChanceError, match=str(ours.value)):
                ask(native.pack(state))


# A value


def test_it_is_a_value() -> None:
    """It is equal by value, never to a `GameState`, hashes alike, and cannot be changed."""
    here: Any = PLAYING
    one, other = native.pack(here), native.pack(here.replace())
    assert one == other
    assert hash(one) == hash(other)
    assert one != native.pack(GAME[-1])
    assert one != here
    assert here != one
    assert len({native.pack(state) for state in (*GAME, *GAME)}) == len(set(GAME))
    assert copy.copy(one) is one
    assert copy.deepcopy([one])[0] is one
    before = bytes(one)
    apply(one, legal_actions(one)[0])
    assert bytes(one) == before
    changed: Any = one
    for error, change in (
        (AttributeError, lambda: setattr(changed, "prompt", None)),
        (AttributeError, lambda: setattr(changed, "anything", None)),
        (TypeError, lambda: setattr(type(changed), "prompt", None)),
        (TypeError, type(changed)),
        (TypeError, lambda: changed < changed),
        (TypeError, lambda: type("Sub", (type(changed),), {})),
    ):
        with pytest.raises(error):
            change()
    assert repr(one).startswith("<PackedState: PlayPrompt(")


def test_rules_and_cards_are_part_of_it() -> None:
    """Rows alike under other rules or cards are not equal."""
    named = attrs.evolve(RECONSTRUCTION, name="Mine")
    packed = native.pack(new_game(2))
    assert packed != native.pack(new_game(2, rules=valletta.Z_MAN))
    assert packed != native.pack(new_game(2, cards=named))
    native._table.cache_clear()
    assert packed == native.pack(new_game(2))


def test_it_survives_pickling() -> None:
    """It comes back equal; a pickle that was damaged is refused."""
    for state in GAME[::60]:
        packed = native.pack(state)
        pickled = pickle.dumps(packed)
        again = pickle.loads(pickled)
        assert again == packed
        assert hash(again) == hash(packed)
        assert len(pickled) < 1_500
    reduced: Any = packed.__reduce__()
    restore, (version, rules, cards, row) = reduced
    with pytest.raises(ValueError, match="version 0"):
        restore(0, rules, cards, row)
    for damaged in (row[:-1], row + b"\0", b"", bytes((9,)) + row[1:]):
        with pytest.raises(ValueError, match="row"):
            restore(version, rules, cards, damaged)
    with pytest.raises(TypeError):
        restore(version, rules, cards, "row")


# With and without it


def test_why_it_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """Absent, switched off, broken and of another version are told apart; the last two aloud."""
    packed = native.pack(GAME[0])
    monkeypatch.setenv("VALLETTA_NATIVE", "0")
    assert "VALLETTA_NATIVE is 0" in str(native._load()[1])
    monkeypatch.delenv("VALLETTA_NATIVE")

    def failing(error: Exception) -> Any:
        def load(name: str) -> types.ModuleType:
            raise error

        return load

    name = "valletta_rules._native"
    monkeypatch.setattr(native, "import_module", failing(ModuleNotFoundError("no", name=name)))
    assert "not compiled" in str(native._load()[1])
    for error in (ModuleNotFoundError("no", name="other"), ImportError("undefined symbol")):
        monkeypatch.setattr(native, "import_module", failing(error))
        with pytest.warns(RuntimeWarning, match="cannot be loaded"):
            assert native._load()[0] is None
    old = types.SimpleNamespace(TABLES_VERSION=0)
    monkeypatch.setattr(native, "import_module", lambda name: old)
    with pytest.warns(RuntimeWarning, match="another version"):
        assert native._load()[0] is None
    monkeypatch.setattr(native, "why_not", "it is not there")
    for use in (
        lambda: native.pack(GAME[0]),
        lambda: native._restore(1, valletta.HANS_IM_GLUECK, RECONSTRUCTION, b""),
        lambda: native.Batch(packed, 1),
    ):
        with pytest.raises(RuntimeError, match="it is not there"):
            use()


def test_the_module_can_do_without_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where it is switched off, the module says so and has no packed positions."""
    monkeypatch.setenv("VALLETTA_NATIVE", "0")
    monkeypatch.delitem(sys.modules, "valletta_rules.native")
    without = importlib.import_module("valletta_rules.native")
    assert without is not native
    assert not without.available
    assert without.why_not is not None
    with pytest.raises(RuntimeError, match="not used"):
        without.pack(GAME[0])


class Listening:
    """A library that notes what it is handed."""

    PackedState = None

    def __init__(self, handed: list[Any]) -> None:
        """Take where to note it."""
        self.handed = handed

    def prepare(self, *handed: Any) -> None:
        """Note it."""
        self.handed += handed


def test_a_library_that_was_handed_nothing_says_so() -> None:
    """Positions that outlive what the library needs raise an error, as when Python ends."""
    packed, asked, library = native.pack(PLAYING), native.pack(new_game(2)), native._library
    table = native._table(packed.rules, packed.cards, 3)
    uses: tuple[Callable[[], object], ...] = (
        packed.legal_actions,
        lambda: packed.allows(Decline()),
        lambda: packed.after(Decline()),
        packed.weights,
        lambda: asked.resolved(random.Random(1)),
        packed.outcome,
        packed.unpack,
        packed.__reduce__,
        lambda: packed.prompt,
        lambda: repr(packed),
        lambda: table.position(bytes(packed)),
        lambda: library.Table(1, 2, (), b""),
        lambda: library.Batch(packed, 1, False, False, 1),
        lambda: getattr(packed, "players"),  # noqa: B009  # it has none, and says so
    )
    try:
        with pytest.raises(TypeError):
            library.prepare()
        for use in uses:
            with pytest.raises(RuntimeError, match="native"):
                use()
        handed = list[Any]()
        native._prepare(Listening(handed))
        with pytest.raises(ValueError, match="another number of actions"):
            library.prepare((), *handed[1:])
        with pytest.raises(AttributeError):
            library.prepare(*handed[:-1], None)
    finally:
        native._prepare(library)
    assert packed.prompt == PLAYING.prompt


@pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError, RecursionError])
def test_to_be_interrupted_is_no_refusal(
    monkeypatch: pytest.MonkeyPatch, error: type[BaseException]
) -> None:
    """Where an action is looked up, what is no fault of the action's is passed on."""
    packed, known = native.pack(PLAYING), legal_actions(PLAYING)[0]
    action: Any = pickle.loads(pickle.dumps(known))

    def fail(*_: object) -> int:
        raise error

    with monkeypatch.context() as patch:
        patch.setattr(native, "_find_number", fail)
        native._prepare(native._library)
        for use in (packed.allows, packed.after):
            with pytest.raises(error):
                use(action)
    native._prepare(native._library)
    assert packed.allows(action)


IN_ANOTHER = """
import _testcapi
from valletta_rules import legal_actions, native, new_game

code = "from valletta_rules import native, new_game; native.pack(new_game(2)).legal_actions()[0]"
for _ in range(2):
    assert _testcapi.run_in_subinterp(code) == 0
    assert legal_actions(native.pack(new_game(2)))
"""


def test_an_interpreter_within_another_has_a_backend_of_its_own() -> None:
    """It plays there, and when that one has ended, here as well."""
    pytest.importorskip("_testcapi", reason="there is no interpreter within another")
    subprocess.run([sys.executable, "-c", IN_ANOTHER], check=True)


def test_nothing_is_left_behind() -> None:
    """Positions give back all that they hold."""
    packed = native.pack(GAME[9])
    kind, table = type(packed), native._table(packed.rules, packed.cards, 3)
    before = sys.getrefcount(kind), sys.getrefcount(table)
    for _ in range(1_000):
        apply(packed, legal_actions(packed)[0])
        resolve_chance(native.pack(new_game(2)), random.Random(1))
    assert (sys.getrefcount(kind), sys.getrefcount(table)) == before
