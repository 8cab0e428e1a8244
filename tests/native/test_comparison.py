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
from itertools import islice
from pathlib import Path
from typing import Any

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

import valletta_rules as valletta
from spec.checks import native_comparison
from spec.checks.random_games import (
    RandomPlayer,
    a_position,
    positions,
    well_formed_actions,
)
from tests.positions import EDITIONS
from valletta_rules import (
    RECONSTRUCTION,
    Action,
    Build,
    Character,
    Colour,
    DealBuilding,
    Decline,
    Effects,
    GameState,
    Goods,
    IllegalActionError,
    MalformedActionError,
    NoChanceError,
    Pay,
    PlayCard,
    RuleSet,
    TakeGoods,
    apply,
    chance_outcomes,
    check,
    legal_actions,
    native,
    new_game,
    outcome,
    resolve_chance,
    sample_chance,
    to_json,
    transition,
    view,
)
from valletta_rules.agenda import DealPrompt, EndTurn, PlayPrompt, Turn

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


@pytest.mark.parametrize("colour", [Colour.RED, Colour.PURPLE])
@pytest.mark.parametrize("effects", Effects)
def test_the_backends_agree_on_every_character(effects: Effects, colour: Colour) -> None:
    """Every card, alone and after others, and what it asks, whether effects are optional or not."""
    rules = RuleSet("Mine", effects=effects, apprentice_colour=colour)
    wanderer = RandomPlayer(random.Random(5))
    lockstep = native_comparison.against(native_comparison.Native(), wanderer.rng)
    for character in Character:
        for players in (2, 3):
            state = a_position(wanderer.rng, rules, players, RECONSTRUCTION, character)
            rich = state.players[state.active].replace(goods=Goods(4, 4, 4, 4))
            state = state.with_player(state.active, rich)
            moves = lockstep.game(
                state, wanderer, breadth=native_comparison.MOST, first=PlayCard(character)
            )
            for _ in islice(moves, 3):
                pass
        for played in ((character,), (character, Character.APPRENTICE)):
            state = a_position(wanderer.rng, rules, 2, RECONSTRUCTION, Character.APPRENTICE)
            state = state.replace(played=played)
            lockstep.compare(state, legal_actions(state), legal_actions(state))
    assert not lockstep.tally.divergences, lockstep.tally.divergences[0]


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
    monkeypatch.setattr(native_comparison, "FIGURES", tmp_path / "native_comparison.json")
    assert native_comparison.main(["--successors", "300", "--processes", "2", "--write"]) == 0
    written = json.loads((tmp_path / "native_comparison.json").read_text("utf-8"))
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


@given(positions(), st.data())
def test_actions_are_refused_for_the_same_reason(state: GameState, data: st.DataObject) -> None:
    """What is illegal is illegal by the same clause, with the same code, facts and words."""
    action, packed = data.draw(well_formed_actions(state)), native.pack(state)
    found = check(state, action)
    assert check(packed, action) == found
    if found is not None:
        with pytest.raises(IllegalActionError) as refused:
            apply(packed, action)
        assert refused.value.violation == found


@pytest.mark.parametrize("thing", [None, "play", Pay, {}, 3.5, [], object()])
def test_what_is_no_action_is_malformed(thing: Any) -> None:
    """Whatever it is, it is refused as the engine refuses it."""
    packed = native.pack(GAME[5])
    for ask in (check, apply):
        with pytest.raises(MalformedActionError):
            ask(packed, thing)


def test_an_action_without_a_number_is_refused() -> None:
    """What no position of any game has is refused as by the engine."""
    for action in (Build(30), DealBuilding("Z9"), TakeGoods(Goods(gold=3)), Pay(Goods(gold=10**6))):
        for state in (PLAYING, new_game(3)):
            raised = []
            for position in (state, native.pack(state)):
                with pytest.raises((IllegalActionError, MalformedActionError)) as refused:
                    apply(position, action)
                raised.append((refused.type, str(refused.value)))
            assert raised[0] == raised[1]


def test_an_action_need_not_be_ready_made() -> None:
    """Equal actions are the same action, wherever they come from."""
    for state in GAME[::7]:
        packed = native.pack(state)
        for action in legal_actions(state):
            again: Action = pickle.loads(pickle.dumps(action))
            assert apply(packed, again) == apply(packed, action)


@pytest.mark.parametrize("seed", range(3))
def test_a_generator_is_asked_for_the_same_numbers(seed: int) -> None:
    """A seeded game is the same game, and the generator is left in the same state."""
    here, there = random.Random(seed), random.Random(seed)
    state, packed = new_game(4), native.pack(new_game(4))
    while True:
        assert sample_chance(state, here) == sample_chance(packed, there)
        state, packed = resolve_chance(state, here), resolve_chance(packed, there)
        assert here.getstate() == there.getstate()
        while legal_actions(state) and not hasattr(state.prompt, "player"):
            action = here.choice(legal_actions(state))
            assert there.choice(legal_actions(packed)) == action
            state, packed = apply(state, action), apply(packed, action)
        if state.prompt is None:
            break
        assert chance_outcomes(state) == chance_outcomes(packed)
    assert outcome(state) == outcome(packed)


class Tape:
    """A generator that remembers what it was asked, and answers with the last number."""

    def __init__(self) -> None:
        """Begin."""
        self.asked: list[int] = []

    def randrange(self, stop: int, /) -> int:
        """Return the last number."""
        self.asked.append(stop)
        return stop - 1


class NumpyLike:
    """A generator that draws like numpy's."""

    def __init__(self) -> None:
        """Begin."""
        self.tape = Tape()

    def integers(self, low: int, /) -> int:
        """Return the last number."""
        return self.tape.randrange(low)


def test_any_generator_will_do() -> None:
    """Generators of other kinds, and those that were changed, are asked by their own methods."""
    mine, theirs = Tape(), Tape()
    assert native.pack(resolve_chance(new_game(3), mine)) == resolve_chance(
        native.pack(new_game(3)), theirs
    )
    assert mine.asked == theirs.asked
    like = NumpyLike()
    resolve_chance(native.pack(new_game(3)), like)
    assert like.tape.asked == mine.asked
    changed, tape = random.Random(1), Tape()
    vars(changed)["randrange"] = tape.randrange
    resolve_chance(native.pack(new_game(3)), changed)
    assert tape.asked == mine.asked


def test_a_generator_that_fails_is_heard() -> None:
    """Its error is passed on, and nothing else happens; nor is any answer believed."""
    packed = native.pack(new_game(3))

    class Failing:
        def __init__(self, answer: object) -> None:
            self.answer = answer

        def randrange(self, stop: int, /) -> Any:
            if isinstance(self.answer, Exception):
                raise self.answer
            return self.answer

    with pytest.raises(ZeroDivisionError):
        resolve_chance(packed, Failing(ZeroDivisionError()))
    for answer in (-1, 10**6, 10**30):
        with pytest.raises((ValueError, OverflowError)):
            resolve_chance(packed, Failing(answer))
    not_one: Any = "no number"
    with pytest.raises(TypeError):
        resolve_chance(packed, Failing(not_one))
    with pytest.raises(TypeError, match="generator"):
        resolve_chance(packed, not_one)
    asked = native.pack(GAME[3])
    assert resolve_chance(asked, not_one) is asked


def test_chance_is_only_asked_when_it_is_asked() -> None:
    """A question for a player is none for chance, and the end of a game is none at all."""
    for state in (GAME[3], GAME[-1]):
        for ask in (chance_outcomes, lambda state: sample_chance(state, random.Random())):
            with pytest.raises(NoChanceError) as ours:
                ask(state)
            with pytest.raises(NoChanceError, match=str(ours.value)):
                ask(native.pack(state))


def test_a_view_of_it_is_the_view() -> None:
    """A seat sees the same, and what it makes up of that is packed."""
    for state in GAME[::40]:
        packed = native.pack(state)
        for seat in (None, 0, 2):
            seen = view(packed, seat)
            assert seen == view(state, seat)
            assert seen.legal_actions == view(state, seat).legal_actions
            made_up = native.determinize(seen, random.Random(3))
            assert made_up.unpack() == valletta.determinize(seen, random.Random(3))


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
    with pytest.raises(AttributeError):
        changed.prompt = None
    with pytest.raises(AttributeError):
        changed.anything = None
    with pytest.raises(TypeError):
        type(changed).prompt = None
    with pytest.raises(TypeError):
        type(changed)()
    with pytest.raises(TypeError):
        _ = changed < changed
    with pytest.raises(TypeError):
        type("Sub", (type(changed),), {})
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


@pytest.mark.parametrize("total", [1, 3, 5, 7])
def test_cards_that_do_not_add_up_are_refused(total: int) -> None:
    """The hand, the draw pile, the discard pile and the cards shown know how many they are."""
    packed = native.pack(GAME[-1])
    row, table = bytes(packed), native._table(packed.rules, packed.cards, 3)
    for seat in range(3):
        start = native.HEAD.size + seat * native.PLAYER.size
        player = [*native.PLAYER.unpack_from(row, start)]
        player[total] += 1
        wrong = bytearray(row)
        native.PLAYER.pack_into(wrong, start, *player)
        with pytest.raises(ValueError, match="too many cards"):
            table.position(bytes(wrong))


@given(st.integers(0, len(GAME) - 1), st.lists(st.tuples(st.integers(0, 623), st.integers(0, 255))))
def test_bytes_that_are_no_row_are_refused_and_never_crash(
    number: int, damage: list[tuple[int, int]]
) -> None:
    """Whatever the bytes are, they are refused, or they are a row that can be played on."""
    packed = native.pack(GAME[number])
    row = bytearray(bytes(packed))
    for place, value in damage:
        row[place % len(row)] = value
    try:
        position = native._table(packed.rules, packed.cards, 3).position(bytes(row))
    except ValueError:
        return
    rng = random.Random(1)
    for _ in range(30):
        assert hash(position) is not None
        actions = position.legal_actions()
        if not actions:
            break
        try:
            after = position.after(rng.choice(actions))
        except OverflowError:
            break
        assert after is not None
        position = after


# Limits


def test_what_a_row_cannot_hold_is_refused() -> None:
    """Positions beyond the limits are refused with a reason."""
    state = GAME[9]
    player = state.players[0]
    many = valletta.CardBag.of(*[Character.MAID] * 200)
    odd = attrs.evolve(state.display[0], points=9)
    designs = tuple(
        attrs.evolve(each, design=design, copies=1)
        for each in RECONSTRUCTION.buildings
        for design in (1, 2)
    )
    for impossible in (
        state.with_player(0, player.replace(goods=Goods(gold=70_000))),
        state.with_player(0, player.replace(goods=Goods(gold=65_001))),
        state.with_player(0, player.replace(score=65_001)),
        state.with_player(0, player.replace(score=-1)),
        state.with_player(0, player.replace(hand=many)),
        state.with_player(0, player.replace(shown=many)),
        state.with_player(0, player.replace(built=valletta.SiteSet(1 << 29))),
        state.replace(display=(odd, *state.display[1:])),
        state.replace(display=state.display[:-1]),
        state.replace(display=state.display * 2),
        state.replace(agenda=state.agenda * 9),
        state.replace(agenda=(EndTurn(0),)),
        state.replace(agenda=(DealPrompt(),)),
        state.replace(agenda=(PlayPrompt(0, 300),)),
        state.replace(agenda=(PlayPrompt(3, 1),)),
        state.replace(played=(Character.MAID,) * 9),
        state.replace(valette=26),
        state.replace(active=3),
        state.replace(barrels=Goods(gold=256)),
        state.replace(players=(player,) * 5),
        attrs.evolve(state, cards=attrs.evolve(RECONSTRUCTION, buildings=designs)),
    ):
        with pytest.raises(native.RowError, match=r"^(a row|rows) cannot "):
            native.pack(impossible)
    for thing in (None, view(state, 0), native.pack(state)):
        with pytest.raises(TypeError, match="GameState"):
            native.pack(thing)  # type: ignore[arg-type]


def test_what_becomes_more_than_a_row_can_hold_is_told() -> None:
    """Nothing wraps around: an action that leads beyond the limits fails, and changes nothing."""
    state, card = PLAYING, PlayCard(Character.SHOPKEEPER)
    rich = state.players[state.active].replace(
        goods=Goods(gold=65_000), hand=valletta.CardBag.of(Character.SHOPKEEPER)
    )
    packed = native.pack(state.with_player(state.active, rich))
    with pytest.raises(OverflowError, match=r"\.unpack\(\)"):
        apply(packed, card)
    scored = state.players[state.active].replace(
        score=65_000, hand=valletta.CardBag.of(Character.KNIGHT)
    )
    with pytest.raises(OverflowError):
        apply(
            native.pack(state.with_player(state.active, scored)),
            PlayCard(Character.KNIGHT),
        )
    crowded = state.replace(
        agenda=(PlayPrompt(state.active, 3), *[Turn(0, 3)] * 11), played=(Character.MAID,) * 8
    ).with_player(state.active, rich.replace(goods=Goods()))
    with pytest.raises(OverflowError):
        apply(native.pack(crowded), card)


def test_a_table_is_checked() -> None:
    """What the library is told of cards is not believed."""
    library: Any = native._library
    known = bytes(300)
    wrongs: list[Any] = [(), (1, 2, (), known), (1, 2, [], known), (1, 2, (), bytes(308))]
    for wrong in wrongs:
        with pytest.raises((TypeError, ValueError)):
            library.Table(*wrong)
    with pytest.raises(TypeError):
        library.Table(1, 2, (), known, more=3)
    good: list[Any] = list(native._TABLE.unpack(bytes(native._TABLE.size)))
    good[0], good[5] = 2, 1
    for place, value in ((0, 0), (0, 5), (3, 1), (5, 38), (6, b"\xff"), (7, b"\4")):
        changed = [*good[:place], value, *good[place + 1 :]]
        with pytest.raises(ValueError, match=r"players|designs|barrel|building"):
            library.Table(1, 2, (None,), native._TABLE.pack(*changed))
    table = native._table(valletta.HANS_IM_GLUECK, RECONSTRUCTION, 2)
    for row in (b"", bytes(10), "row"):
        with pytest.raises((TypeError, ValueError)):
            table.position(row)


# What takes no packed position says so


def test_what_takes_no_packed_position_names_the_way_out() -> None:
    """A function that wants a position says how it is had."""
    packed: Any = native.pack(GAME[9])
    functions: tuple[Callable[[Any], object], ...] = (
        lambda position: transition(position, Decline()),
        lambda position: valletta.determinize(position, random.Random(1)),
        lambda position: valletta.check_by(position, 0, Decline()),
        lambda position: valletta.affordable_sites(position, 0),
        to_json,
        valletta.ending,
        valletta.problems_of,
        valletta.position_line,
    )
    for function in functions:
        with pytest.raises(TypeError, match=r"\.unpack\(\)"):
            function(packed)
    for name in ("players", "display", "supply", "agenda", "phase"):
        with pytest.raises(AttributeError, match=rf"no {name}: \.unpack\(\)"):
            getattr(packed, name)


# With and without it


def test_why_it_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """Absent, switched off, broken and of another version are told apart; the last two aloud."""
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
    restore, arguments = native.pack, (GAME[0],)
    with pytest.raises(RuntimeError, match="it is not there"):
        restore(*arguments)
    with pytest.raises(RuntimeError, match="it is not there"):
        native._restore(1, valletta.HANS_IM_GLUECK, RECONSTRUCTION, b"")


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


def test_editions_are_told_apart() -> None:
    """Effects are optional in rows where they are in the rules."""
    optional = RuleSet("Mine", effects=Effects.OPTIONAL)
    for rules in (*EDITIONS, optional):
        state = resolve_chance(new_game(2, rules=rules), random.Random(2))
        assert legal_actions(native.pack(state)) == legal_actions(state)
