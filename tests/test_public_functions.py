"""Tests that call every public function with random and often extreme values.

Each call must return a value, or raise an error that the docstring of the function names.  Time,
memory and the length of the message are limited.  The values are generated from the types of the
parameters, so a new function is tested without a change to this file.  A type without a strategy
fails.

Damaged positions are passed only to the functions in `TAKE_ANY`: for the others, the result for an
unreachable position is undefined (see "Positions" on the page "Embedding").  Functions that the
rules call at every step do not check their numbers (see "Numbers" on the same page).  The values
for `seat`, `site` and `space` therefore exist on every board.
"""

import os
import random
import re
import tempfile
import time
import tracemalloc
from collections.abc import Callable, Hashable, Iterator, Mapping
from enum import Enum
from functools import cache
from itertools import islice
from pathlib import Path
from types import FunctionType, MethodType, NoneType, UnionType
from typing import Any, Final, SupportsIndex, Union, get_args, get_origin, get_type_hints

import attrs
import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

import valletta_rules as vr
from spec.checks import random_games
from valletta_rules import codec, memory, records, svg, words
from valletta_rules.components import Building, Generator
from valletta_rules.state import Board, Form, S
from valletta_rules.svg import SEAT_COLOURS
from valletta_rules.views.view import Recollection
from valletta_rules.words import LANGUAGES, Language

MODULES: Final = (vr, codec, memory, records, words, svg)
"""The modules with the public functions that are called."""

NEED_FIT: Final = {
    *("structured", "unstructured"),  # for any type in any dialect: not only values
    *("describe_action", "narrate", "event_sentence"),  # for values that belong to a position
    *("describe_winner", "draw_score_sheet", "refusal_of"),  # for results of the rules
    *("describe_information", "to_png"),  # for results of other functions
}
"""Functions whose arguments must be consistent with each other, so random arguments make no sense.

Other tests cover these functions.
"""

FUNCTIONS: Final = {
    f"{function.__module__}.{name}": function
    for module in MODULES
    for name in getattr(module, "__all__", vars(module))
    if isinstance(function := getattr(module, name), FunctionType | MethodType)
    if function.__module__.startswith("valletta_rules") and name not in {"__getattr__", *NEED_FIT}
}
"""The public functions except those in `NEED_FIT`, keyed by full name."""

TAKE_ANY: Final = {"problems_of", "problems_of_view", "position_line", "to_json", "to_document"}
"""The names of functions that also accept positions that no game can reach."""

MOST_BYTES, MOST_SECONDS, MOST_LETTERS = 64_000_000, 10, 2_000
"""The limits for a call: bytes of memory, seconds of CPU time, and characters in a message."""

NUMBERS = st.integers(0, 4) | st.sampled_from((-1, 5, 26, 30, 99, 255, 2**63, 10**400, -(10**30)))

WORDS = ("en", "de", "BLD-3", "building", "effects", "build 3", "gold", "2g 1w", "-")
ODD = ("\ud800", "\0", "x" * 5_000, "9" * 5_000, "[" * 5_000, "\n" * 5_000)
TEXTS = st.sampled_from(WORDS) | st.text(max_size=20) | st.sampled_from(ODD)

VIEWS = st.builds(vr.view, random_games.positions(), st.sampled_from((None, 0, 1)))


def _a_record(game: random_games.Playthrough, more: list[Any]) -> vr.Record:
    actions = (*(move.action for move in game.moves), *more)
    return vr.Record(len(game.start.players), game.start.rules, game.start.cards, actions)


FOLDER = tempfile.TemporaryDirectory()
"""A temporary folder for files that the called functions write."""

PLAIN: Final[dict[Any, st.SearchStrategy[Any]]] = {
    int: NUMBERS,
    SupportsIndex: NUMBERS,
    bool: st.booleans(),
    str: TEXTS,
    Mapping[str, str]: st.dictionaries(st.sampled_from(("LANG", "LC_ALL", "LANGUAGE")), TEXTS),
    NoneType: st.none(),
    Hashable: NUMBERS | TEXTS | st.none(),
    object: NUMBERS | TEXTS | st.lists(st.lists(NUMBERS | TEXTS, max_size=300)),
    str | os.PathLike[str]: TEXTS.map(lambda name: Path(FOLDER.name, name.replace("/", ""))),
    Generator: st.builds(random.Random, random_games.SEEDS),
    Form: st.nothing(),  # has tests of its own
    vr.CardBag: st.lists(st.sampled_from(vr.Character), max_size=254).map(
        lambda of: vr.CardBag.of(*of)
    ),
    vr.SiteSet: st.lists(st.integers(0, 400)).map(lambda sites: vr.SiteSet.of(*sites)),
    vr.CardSet: random_games.any_cards(),
    Building: st.sampled_from(vr.RECONSTRUCTION.buildings),
    vr.RuleSet: random_games.rule_sets(2) | random_games.rule_sets(3),
    Language: st.sampled_from(tuple(LANGUAGES.values())),
    vr.GameState: random_games.positions(),
    S: random_games.positions(),
    vr.PlayerView: VIEWS,
    vr.Table: VIEWS.map(lambda view: view.table),
    Board: random_games.positions(lambda state: state.phase is not vr.Phase.SETUP),
    Recollection: st.just(memory.remember(vr.Record(2), 0)),
    vr.Record: st.deferred(lambda: RECORDS),
}
"""Strategies for basic types, from which those for all other types are derived."""

ORDINARY: Final = {
    "seat": range(2),
    "site": range(20),
    "space": range(26),
    "indent": (None, 2, 10**9),
    "width": (40, 80, 10**9),
    "names": ((), ("x" * 80, "\ud800", "\n", "0")),
    "colours": (SEAT_COLOURS,),
    "keys": (None, (), ("x" * 5_000,)),
    "scale": (0.5, 2.0),
}
"""Plausible values for some parameters, keyed by the name of the parameter."""


@cache
def drawn_for(kind: Any, *, damaged: bool = False) -> st.SearchStrategy[Any]:
    """Return the strategy for a type, or fail the test if it has none."""
    if damaged and kind in (vr.GameState, vr.PlayerView):
        return _damaged(PLAIN[kind])
    if kind in PLAIN:
        return PLAIN[kind]
    origin, parts = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        return st.one_of([drawn_for(part, damaged=damaged) for part in parts])
    if origin is tuple and Ellipsis not in parts:
        return st.tuples(*map(drawn_for, parts))
    if origin is not None and issubclass(tuple, origin):
        return st.lists(drawn_for(parts[0]), max_size=300).map(tuple)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return st.sampled_from(kind)
    if attrs.has(kind):
        hints = get_type_hints(kind)
        fields = [field for field in attrs.fields(kind) if field.init]
        inner = {field.alias: drawn_for(hints[field.name]) for field in fields}
        return st.fixed_dictionaries(inner).map(lambda given: _or_reject(lambda: kind(**given)))
    pytest.fail(f"nothing is drawn for {kind}: add it to PLAIN")


def _or_reject(make: Callable[[], Any]) -> Any:
    """Call `make` and return the result. If it refuses its arguments, reject the example."""
    try:
        return make()
    except (TypeError, ValueError):
        return reject()


@st.composite
def _damaged(draw: st.DrawFn, values: st.SearchStrategy[Any]) -> Any:
    """Draw a value, and replace a part of it with a wrong value. The part may be nested."""
    value = draw(values)
    name = draw(st.sampled_from([field.name for field in attrs.fields(type(value))]))
    part = getattr(value, name)
    inner = part[0] if isinstance(part, tuple) and part else part
    if attrs.has(type(inner)) and attrs.fields(type(inner)) and draw(st.booleans()):
        other = draw(_damaged(st.just(inner)))
        other = other if part is inner else (other, *part[1:])
    else:
        other = draw(drawn_for(get_type_hints(type(value))[name]))
    return _or_reject(lambda: attrs.evolve(value, **{name: other}))


GAMES = st.builds(
    random_games.played,
    random_games.tables(),
    random_games.SEEDS,
    st.just(random_games.Temper.RANDOM),
    st.integers(0, 60),
)
MORE = st.lists(drawn_for(vr.Action), max_size=3)
RECORDS: st.SearchStrategy[vr.Record] = st.builds(_a_record, GAMES, MORE)
"""A strategy for records of the first moves of a game and a few more moves, perhaps illegal."""


@st.composite
def arguments(draw: st.DrawFn, name: str) -> dict[str, Any]:
    """Draw arguments for the public function with the given name."""
    hints, given = get_type_hints(FUNCTIONS[name]), {}
    damaged = FUNCTIONS[name].__name__ in TAKE_ANY
    for each, kind in hints.items():
        if each in ORDINARY:
            given[each] = draw(st.sampled_from(ORDINARY[each]))
        elif each != "return":
            given[each] = draw(drawn_for(kind, damaged=damaged))
    return given


def errors_of(function: FunctionType) -> Iterator[str]:
    """Yield the names of the error classes that the docstring of a function names."""
    text = function.__doc__ or ""
    yield from re.findall(r"(?<!\ba )`(?:[\w.]+\.)?(\w+Error)`", text)
    for other in re.findall(r"errors\s+(?:of|as) `(\w+)`", text):
        yield from errors_of(function.__globals__[other])


OWN: Final = (vr.VallettaError, OSError)
"""Error classes that a docstring may name instead of a subclass."""


def is_documented(error: Exception, function: FunctionType) -> bool:
    """Return whether the docstring of a function names the class of an error.

    For a subclass of a class in `OWN`, the name of a base class is enough.
    """
    kinds = [type(error), *(kind for kind in type(error).__mro__ if issubclass(kind, OWN))]
    return not {kind.__name__ for kind in kinds}.isdisjoint(errors_of(function))


@pytest.mark.parametrize("name", FUNCTIONS)
@random_games.scaled(0.6)
@given(data=st.data())
def test_a_public_function_returns_a_value_or_raises_a_documented_error(
    name: str, data: Any
) -> None:
    """The time, the memory and the length of the message are limited."""
    function: Any = FUNCTIONS[name]
    given = data.draw(arguments(name))
    refused: Exception | None = None
    tracemalloc.start()
    began = time.thread_time()
    try:
        result = function(**given)
        if isinstance(result, Iterator):
            list(islice(result, 100))
    except Exception as error:
        refused = error
    seconds, (_, peak) = time.thread_time() - began, tracemalloc.get_traced_memory()
    tracemalloc.stop()
    if refused and not is_documented(refused, function):
        raise refused
    assert isinstance(refused, OSError) or len(str(refused)) <= MOST_LETTERS
    assert (seconds <= MOST_SECONDS, peak <= MOST_BYTES) == (True, True)
