"""Tests of the public contract: exported names, and properties that all public values have."""

import copy
import gc
import importlib.metadata
import pickle
import pkgutil
import pydoc
import random
import re
import subprocess
import sys
import tomllib
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import attrs
import pytest

import valletta_rules as valletta
from valletta_rules import actions, agenda, events
from valletta_rules.card_sets.built_in import UnknownCardSetError, fingerprint
from valletta_rules.engine import RULES

CLOSED_UNIONS = [
    *(actions.Action, agenda.Step, events.Event, valletta.RedactedEvent),
    valletta.PlayerView | valletta.Table | valletta.SeenPlayer,
]


def playthrough(seed: int, players: int = 4) -> list[valletta.GameState]:
    """Return the positions of a random game in which no chance event is pending."""
    rng = random.Random(seed)
    state = valletta.resolve_chance(valletta.new_game(players), rng)
    states = [state]
    while state.prompt is not None:
        action = rng.choice(valletta.legal_actions(state))
        state = valletta.resolve_chance(valletta.apply(state, action), rng)
        states.append(state)
    return states


def test_the_attribute_version_equals_the_version_in_the_installed_metadata() -> None:
    """In addition, `__all__` does not contain `__version__`, so `import *` does not import it."""
    assert valletta.__version__ == importlib.metadata.version("valletta-rules")
    assert "__version__" not in valletta.__all__


@pytest.mark.parametrize(
    ("program", "unneeded"),
    [
        ("import valletta_rules", ("rulebook", "state", "engine", "results", "text", "views")),
        ("import valletta_rules as v; v.new_game()", ("views", "records", "codec", "play")),
        ("run(['--version'])", ("rulebook", "engine", "bots", "words", "play", "card_sets")),
        ("run(['rule', 'BLD-6'])", ("rulebook", "engine", "bots", "words", "play", "card_sets")),
    ],
)
def test_importing_the_package_does_not_import_modules_that_a_program_does_not_use(
    program: str, unneeded: tuple[str, ...]
) -> None:
    """Additional modules would slow down the start of every program."""
    running = """
import contextlib, io, sys
def run(words):
    from valletta_rules.cli.main import main
    with contextlib.suppress(SystemExit), contextlib.redirect_stdout(io.StringIO()):
        main(words)
"""
    loaded = output_of(f"{running}{program}\nprint(*sys.modules)").split()
    names = tuple(f"valletta_rules.{name}" for name in unneeded)
    assert not [name for name in loaded if name.startswith(names)]
    assert "cattrs" not in loaded


LIMITS: dict[str, dict[str, int]] = tomllib.loads(
    Path(__file__).with_name("limits.toml").read_text("utf-8")
)
"""The recorded values of the package's limits, keyed by module and name."""


@pytest.mark.parametrize("module", LIMITS)
def test_the_limits_of_the_package_equal_the_recorded_ones(module: str) -> None:
    """If a limit changes, other versions may be unable to read texts, records and results."""
    attributes = vars(importlib.import_module(f"valletta_rules.{module}"))
    assert {name: attributes[name] for name in LIMITS[module]} == LIMITS[module]


def test_no_exported_name_is_also_the_name_of_a_module() -> None:
    """Otherwise, `from valletta_rules import name` would be ambiguous."""
    modules = {module.name for module in pkgutil.iter_modules(valletta.__path__)}
    assert not modules & {*valletta.__all__}


def test_the_type_stub_declares_every_public_module() -> None:
    """Type checkers then know that the package has the attribute `words`, for example."""
    stub = Path(valletta.__file__).with_suffix(".pyi").read_text("utf-8")
    declared = set(re.findall(r"^from valletta_rules import (\w+) as \1$", stub, re.MULTILINE))
    modules = {each.name for each in pkgutil.iter_modules(valletta.__path__)}
    assert declared == {name for name in modules if not name.startswith("_")}


def test_dir_and_import_star_contain_every_exported_name() -> None:
    """Exported names are loaded lazily. An unknown name raises an `AttributeError`."""
    assert len(set(valletta.__all__)) == len(valletta.__all__)
    assert set(valletta.__all__) <= set(dir(valletta))
    namespace: dict[str, object] = {}
    exec("from valletta_rules import *", namespace)
    assert namespace.keys() - {"__builtins__"} == set(valletta.__all__)
    for name in ("nonsense", "_nonsense", "__nonsense__"):
        with pytest.raises(AttributeError, match=f"no attribute '{name}'"):
            getattr(valletta, name)
    with pytest.raises(ImportError, match="cannot import name 'nonsense'"):
        exec("from valletta_rules import nonsense")


def output_of(code: str) -> str:
    """Run the program `code` in a new process, and return its output."""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=False
    )
    assert not done.stderr
    return done.stdout


def test_every_type_of_prompt_has_a_rule_and_every_type_of_action_answers_a_prompt() -> None:
    """The constant `ACTION_TYPES` contains every type of action."""
    assert set(RULES) == set(get_args(agenda.Prompt))
    answered = {answer for prompt in get_args(agenda.Prompt) for answer in prompt.answers}
    assert answered == set(get_args(actions.Action)) == set(actions.ACTION_TYPES)


@pytest.mark.parametrize("union", CLOSED_UNIONS)
def test_types_of_values_are_frozen_slotted_and_hashable(union: object) -> None:
    """The test covers the types of actions, steps of the agenda, events and views."""
    for kind in get_args(union):
        assert attrs.has(kind)
        assert kind.__hash__ is not None
        assert "__slots__" in vars(kind)
        with pytest.raises(attrs.exceptions.FrozenInstanceError):
            setattr(object.__new__(kind), "anything", 1)  # noqa: B010  (typed attributes are known)


def test_copying_a_value_of_the_package_returns_the_same_object() -> None:
    """Positions, views, actions and other values are immutable, so no copy is needed."""
    state = playthrough(3, players=2)[40]
    step = valletta.transition(state, valletta.legal_actions(state)[0])
    view = valletta.view(state, 0)
    values = (state, state.players[0], state.supply, state.display[0], state.cards, state.rules)
    record = valletta.Record(2, state.rules, state.cards)
    violation = valletta.check(state, actions.DrawCard(valletta.Character.MAID))
    others = (view, view.table, view.table.players[1], step, *step.events, *state.agenda, record)
    for value in (*values, *others, *view.legal_actions, valletta.Goods(), violation):
        assert copy.copy(value) is value
        assert copy.deepcopy([value])[0] is value


def test_a_pickled_position_has_fewer_than_1200_bytes() -> None:
    """It contains only the name of the built-in cards. An unpickled view equals the original."""
    for state in playthrough(3, players=2)[::40]:
        assert len(pickle.dumps(state)) < 1_200
        view = valletta.view(state, 0)
        assert pickle.loads(pickle.dumps(view)) == view


def test_cards_that_are_not_built_in_are_pickled_in_full() -> None:
    """The process that unpickles a position may not have these cards."""
    cards = attrs.evolve(valletta.RECONSTRUCTION, name="Mine")
    state = valletta.resolve_chance(valletta.new_game(cards=cards), random.Random(1))
    assert pickle.loads(pickle.dumps(state)) == state
    odd = state.replace(display=(attrs.evolve(state.display[0], points=9), *state.display[1:]))
    assert pickle.loads(pickle.dumps(odd)) == odd


def test_unpickling_a_built_in_card_set_that_this_version_lacks_raises_an_error() -> None:
    """The pickle contains only the name. Other cards must not replace the named ones."""
    pickled = pickle.dumps(valletta.RECONSTRUCTION)
    mark = fingerprint(valletta.RECONSTRUCTION).encode()
    assert pickle.loads(pickled) is valletta.RECONSTRUCTION
    with pytest.raises(UnknownCardSetError, match="there is no card set 'reconstruction@00000000'"):
        pickle.loads(pickled.replace(mark, b"00000000"))


def test_the_repr_of_positions_tables_rule_sets_and_card_sets_is_short() -> None:
    """Rule sets and card sets are shown by name, and buildings in the display by code."""
    assert repr(valletta.RECONSTRUCTION) == "<CardSet 'Reconstruction 3'>"
    assert repr(attrs.evolve(valletta.RECONSTRUCTION, name="Mine")) == "<CardSet 'Mine'>"
    for name in ("HANS_IM_GLUECK", "Z_MAN", "REFERENCE_MANUAL"):
        rules = getattr(valletta, name)
        assert repr(rules) == name
        varied = rules.with_variants(fewer_barrels=True)
        assert repr(varied) == f"{name}.with_variants(fewer_barrels=True)"
    odd = valletta.Z_MAN.with_answers("Odd", apprentice_colour="purple")
    assert "name='Odd', " in repr(odd)
    assert "apprentice_colour=Colour.PURPLE" in repr(odd)
    for state in playthrough(3)[::40]:
        assert len(repr(state)) < 4_000
        assert len(repr(valletta.view(state, 0).table)) < 4_000
        assert f"display=<{state.display[0].code} {state.display[1].code} " in repr(state)
    help_text = pydoc.render_doc(valletta.new_game)
    assert "cards: 'CardSet' = <CardSet 'Reconstruction 3'>" in help_text
    assert len(help_text) < 1_000


@pytest.mark.parametrize("member", [*valletta.CHARACTERS, *valletta.GOODS])
def test_the_attributes_of_characters_and_goods_cannot_be_changed(member: Any) -> None:
    """Characters and goods are members of enumerations.

    Nor can attributes be deleted or added.
    """
    rank = member.rank
    changes: list[tuple[Callable[..., object], tuple[object, ...], str]] = [
        (setattr, ("rank", 5), "cannot be changed"),
        (delattr, ("rank",), "cannot be deleted"),
        (setattr, ("weight", 5), "has no attribute 'weight'"),
    ]
    for change, given, message in changes:
        with pytest.raises(AttributeError, match=message):
            change(member, *given)
    assert member.rank == rank


def test_a_bag_of_cards_returns_the_count_of_each_kind_of_card() -> None:
    """The counts of all 31 kinds are in the order of the rulebook."""
    bag = valletta.CardBag.of(valletta.Character.MAID, valletta.Character.MAID)
    assert sum(bag.counts()) == bag.counts()[valletta.Character.MAID.rank] == 2
    assert len(bag.counts()) == len(valletta.CHARACTERS)
    untyped: Any = valletta.CardBag
    with pytest.raises(TypeError):
        untyped({"maid": 1})


def test_the_positions_of_a_game_need_under_two_kilobytes_each() -> None:
    """Consecutive positions share the objects that have not changed."""
    playthrough(1)
    gc.collect()
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        states = playthrough(1)
        after = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
    assert (after - before) / (len(states) - 1) < 2_000
