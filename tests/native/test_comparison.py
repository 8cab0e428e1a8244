"""The native backend gives the same results as the engine; packed positions compare by value."""

import copy
import importlib
import pickle
import random
import subprocess
import sys
import types
from collections.abc import Callable
from itertools import pairwise
from types import SimpleNamespace
from typing import Any, cast

import attrs
import pytest
from hypothesis import given

import valletta_rules as vr
from spec.checks.agreement import agreement
from spec.checks.random_games import positions
from tests.benchmarks import games
from tests.native.uses import GAME, PLAYING, needing_python
from valletta_rules import native
from valletta_rules.numeric import layout

pytestmark = pytest.mark.usefixtures("backend")


# Comparison with the engine


def test_the_backend_agrees_with_the_engine_in_over_a_thousand_positions() -> None:
    """The positions come from worked examples, and from games with all editions and random card
    sets.
    """
    trial = next(each for each in agreement("packed", 11) if each.findings or each.steps > 10_000)
    assert not trial.findings, trial.findings[0]
    assert trial.positions > 1_000


@given(positions())
def test_unpacking_a_packed_position_returns_an_equal_position(state: vr.GameState) -> None:
    """The JSON documents of the two positions are also equal."""
    packed = native.pack(state)
    assert packed.unpack() == state
    assert vr.to_json(packed.unpack()) == vr.to_json(state)
    assert (packed.rules, packed.cards, packed.prompt) == (state.rules, state.cards, state.prompt)


def test_the_backend_accepts_any_random_generator() -> None:
    """Generators of other types and patched methods of `random.Random` are called as usual."""
    limits = list[int]()

    def last(stop: int, /) -> int:
        limits.append(stop)
        return stop - 1

    changed: Any = random.Random(1)
    vars(changed)["randrange"] = last
    generators: list[Any] = [SimpleNamespace(randrange=last), SimpleNamespace(integers=last)]
    for rng in (*generators, changed):
        table = vr.new_game(3)
        assert vr.sample_chance(table, rng) == vr.sample_chance(native.pack(table), rng)
        limits.clear()
        state = vr.resolve_chance(table, rng)
        ours, limits[:] = limits[:], []
        assert vr.resolve_chance(native.pack(table), rng) == native.pack(state)
        assert limits == ours


def test_the_backend_consumes_the_same_random_numbers_as_the_engine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The states of the two generators are equal afterwards, even if their methods are patched."""

    def changed() -> random.Random:
        rng: Any = random.Random(5)
        plain = rng.getrandbits
        vars(rng)["getrandbits"] = lambda bits: plain(bits + 1) >> 1
        return cast("random.Random", rng)

    def drawn(make: Callable[[], random.Random]) -> None:
        ours, theirs, state = make(), make(), vr.new_game(4)
        packed = native.pack(state)
        while state.prompt is not None:
            state, packed = vr.resolve_chance(state, theirs), vr.resolve_chance(packed, ours)
            assert ours.getstate() == theirs.getstate()
            assert packed.determinized(-1, ours)
            assert vr.determinize(vr.view(state, None), theirs)
            assert ours.getstate() == theirs.getstate()
            assert packed.unpack() == state
            if not (answers := vr.legal_actions(state)):
                break
            action = ours.choice(answers)
            theirs.setstate(ours.getstate())
            state, packed = vr.apply(state, action), vr.apply(packed, action)

    drawn(lambda: random.Random(4))
    drawn(changed)
    doubled: Any = random.Random._randbelow  # type: ignore[attr-defined]  # as `randrange` draws
    monkeypatch.setattr(random.Random, "_randbelow", lambda rng, n: doubled(rng, 2 * n) // 2)
    drawn(lambda: random.Random(6))
    noted = random.Random(7)
    vars(noted).clear()
    vars(noted)["note"] = "an attribute that draws nothing"
    packed = native.pack(vr.new_game(4))
    assert vr.resolve_chance(packed, noted) == vr.resolve_chance(packed, random.Random(7))


def test_an_error_of_a_random_generator_propagates() -> None:
    """The failed call changes nothing.

    A generator that returns a number out of range is refused.
    """
    packed = native.pack(vr.new_game(3))
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
            vr.resolve_chance(packed, rng)
    at_decision = native.pack(GAME[3])
    assert vr.resolve_chance(at_decision, wrong[-1][1]) is at_decision


# Packed positions as values


def test_a_packed_position_is_immutable_and_compared_by_value() -> None:
    """A packed position never equals a `GameState`."""
    playing: Any = PLAYING
    one, other = native.pack(playing), native.pack(playing.replace())
    assert one == other
    assert hash(one) == hash(other)
    assert one != native.pack(GAME[-1])
    assert one != playing
    assert playing != one
    assert len({native.pack(state) for state in (*GAME, *GAME)}) == len(set(GAME))
    assert copy.copy(one) is one
    assert copy.deepcopy([one])[0] is one
    before = bytes(one)
    vr.apply(one, vr.legal_actions(one)[0])
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


def test_packed_positions_with_different_rules_or_cards_are_not_equal() -> None:
    """The bytes of such positions can be equal."""
    named = attrs.evolve(vr.RECONSTRUCTION, name="Mine")
    packed = native.pack(vr.new_game(2))
    assert packed != native.pack(vr.new_game(2, rules=vr.Z_MAN))
    assert packed != native.pack(vr.new_game(2, cards=named))
    native._table.cache_clear()
    assert packed == native.pack(vr.new_game(2))


def test_functions_of_the_native_module_return_the_same_results_as_those_of_the_package() -> None:
    """The functions also raise the same errors, with the same messages."""
    for state in (*GAME[::25], GAME[-1]):
        form: Any
        for form in (native.pack(state), state):
            actions = native.legal_actions(form)
            assert actions == native.legal_actions(state=form) == vr.legal_actions(form)
            resolved = native.resolve_chance(form, random.Random(1))
            assert resolved == vr.resolve_chance(form, rng=random.Random(1))
            assert resolved == native.resolve_chance(form, rng=random.Random(1))
            for action in actions[:3]:
                assert native.apply(form, action) == native.apply(form, action=action)
                assert native.apply(form, action) == vr.apply(form, action)
    with pytest.raises(TypeError):
        native.legal_actions(form, **{"more": 1})
    refused: list[tuple[Any, ...]] = [(PLAYING, 5), (native.pack(PLAYING), 5), (5, 5), (5,), ()]
    for wrong in refused:
        with pytest.raises((ValueError, TypeError)) as expected:
            vr.apply(*wrong)
        with pytest.raises(expected.type) as actual:
            native.apply(*wrong)
        assert str(actual.value) == str(expected.value)


def test_different_packed_positions_are_not_equal() -> None:
    """Some of the positions have the same size, or differ only in the display."""
    packed = native.pack(vr.new_game(2))
    one, other = (vr.apply(packed, action) for action in vr.legal_actions(packed)[:2])
    assert one != other
    assert all(native.pack(one) != native.pack(other) for one, other in pairwise(GAME))


def test_a_packed_position_has_at_most_850_bytes_on_average() -> None:
    """Each of the four players has space for 40 kinds of cards. Each agenda step takes 8 bytes."""
    game = list(games.positions(native.pack(vr.new_game(4)), random.Random(1)))
    assert layout.MAX_KINDS >= 40
    assert sum(map(sys.getsizeof, game)) <= 850 * len(game)
    shortest = min(map(sys.getsizeof, game))
    for packed in game:
        steps = len(packed.unpack().agenda)
        assert sys.getsizeof(packed) == shortest + 8 * (steps - 2)


def test_a_packed_position_survives_pickling() -> None:
    """The pickle has fewer than 1,500 bytes.  Unpickling damaged data raises an error."""
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
    players = layout.places_of("position")["players"]
    nine = row[:players] + bytes((9,)) + row[players + 1 :]
    for damaged in (row[:-1], row + b"\0", b"", nine):
        with pytest.raises(ValueError, match=r"row|cannot be packed"):
            restore(version, rules, cards, damaged)
    with pytest.raises(TypeError):
        restore(version, rules, cards, "row")


# Missing and unprepared backends


def test_the_reason_for_a_missing_backend_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    """The library is missing, broken, or from another version; the last two also cause a
    warning.
    """
    packed = native.pack(GAME[0])
    monkeypatch.delenv("VALLETTA_NATIVE", raising=False)

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
        lambda: native._restore(1, vr.HANS_IM_GLUECK, vr.RECONSTRUCTION, b""),
        lambda: native.Batch(packed, 1),
    ):
        with pytest.raises(RuntimeError, match="it is not there"):
            use()


def test_packing_without_the_backend_raises_an_error_with_the_reason(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The environment variable `VALLETTA_NATIVE` can disable the backend."""
    monkeypatch.setenv("VALLETTA_NATIVE", "0")
    monkeypatch.setattr(vr, "native", native)  # the import below replaces it
    monkeypatch.delitem(sys.modules, "valletta_rules.native")
    without = importlib.import_module("valletta_rules.native")
    assert without is not native
    assert not without.available
    with pytest.raises(RuntimeError, match="VALLETTA_NATIVE is 0"):
        without.pack(GAME[0])


def test_calls_of_an_unprepared_library_raise_an_error() -> None:
    """When Python exits, positions may outlive the Python objects that the library depends on."""
    packed: Any = native.pack(PLAYING)
    library = native._library
    calls: list[Callable[[], object]] = [*needing_python().values(), lambda: packed.players]
    try:
        with pytest.raises(TypeError):
            library.prepare()
        for use in calls:
            with pytest.raises(RuntimeError, match="native"):
                use()
        handed = list[Any]()
        listening = SimpleNamespace(PackedState=None, prepare=lambda *given: handed.extend(given))
        native._prepare(listening)
        with pytest.raises(ValueError, match="another number of actions"):
            library.prepare((), *handed[1:])
        readers = next(each for each in handed if type(each) is tuple and vr.Table in each)
        for bad in ((), (1, *readers[1:]), (*readers[:2], 1, *readers[3:]), (*readers[:-1], ())):
            with pytest.raises(ValueError, match="what a table is made of"):
                library.prepare(*[bad if each is readers else each for each in handed])
        with pytest.raises(AttributeError):
            library.prepare(*handed[:-1], None)
    finally:
        native._prepare(library)
    assert packed.prompt == PLAYING.prompt


@pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError, RecursionError])
def test_an_interrupt_or_memory_error_during_the_lookup_of_an_action_propagates(
    monkeypatch: pytest.MonkeyPatch, error: type[BaseException]
) -> None:
    """The library must not treat an action as illegal because its number cannot be computed."""
    packed, known = native.pack(PLAYING), vr.legal_actions(PLAYING)[0]
    action: Any = pickle.loads(pickle.dumps(known))

    def fail(*_: object) -> int:
        raise error

    with monkeypatch.context() as patch:
        patch.setattr(native, "_find_number", fail)
        native._prepare(native._library)
        for use in (packed.allows, packed.position_after):
            with pytest.raises(error):
                use(action)
    native._prepare(native._library)
    assert packed.allows(action)


IN_ANOTHER = """
import _testcapi
from valletta_rules import legal_actions, native, new_game

code = "from valletta_rules import native, new_game; native.pack(new_game(2)).list_actions()[0]"
for _ in range(2):
    assert _testcapi.run_in_subinterp(code) == 0
    assert legal_actions(native.pack(new_game(2)))
"""


def test_a_subinterpreter_has_its_own_backend() -> None:
    """The backend in the main interpreter still works afterwards."""
    pytest.importorskip("_testcapi", reason="this Python cannot create subinterpreters")
    subprocess.run([sys.executable, "-c", IN_ANOTHER], check=True)
