"""Public functions accept packed positions, or raise an error that suggests unpacking them."""

import inspect
import random
from collections.abc import Callable, Iterator, Set
from typing import Any

import pytest

import valletta_rules as vr
from spec.checks.random_games import Temper, seeded_moves
from valletta_rules import native, svg, words
from valletta_rules.numeric import encoding, numbering
from valletta_rules.rulebook import building, houses_and_icons, scoring

pytestmark = pytest.mark.usefixtures("backend")

GIVEN: dict[str, Any] = {
    "seat": 0,
    "site": 0,
    "good": vr.Good.GOLD,
    "price": vr.Goods(),
    "reduction": vr.Goods(),
    "events": (vr.TurnBegan(0, 3),),
    "action": vr.DraftGood(vr.Good.GOLD),
    "text": "draft gold",
    "colour": vr.Colour.GREEN,
}
"""Values for parameters that are not positions, keyed by parameter name."""

POSITIONS = {"GameState", "Board", "PlayerView", "Table", "Position"}
"""Names of parameter types for which a caller might pass a packed position."""


def public_functions() -> Iterator[Callable[..., Any]]:
    """Yield each public function with a parameter for a position, a view or a board."""
    every: list[Any] = [vr, svg, words, encoding, numbering, native]
    for module in (*every, building, houses_and_icons, scoring):
        wanted = POSITIONS if module in every else {"Board"}
        for name in getattr(module, "__all__", None) or dir(module):
            function = getattr(module, name)
            if name[0] == "_" or not inspect.isfunction(function) or parameters(function, {"Form"}):
                continue
            if parameters(function, wanted):
                yield function


def parameters(function: Callable[..., Any], types: Set[str]) -> list[str]:
    """Return the names of a function's parameters that are annotated with one of `types`."""
    given = inspect.signature(function).parameters.values()
    return [each.name for each in given if types & {*str(each.annotation).split(" | ")}]


FUNCTIONS = {f"{each.__module__}.{each.__name__}": each for each in public_functions()}


def called(function: Callable[..., Any], position: object) -> Any:
    """Call a function with a position, and with valid values for its other arguments.

    The items of a generator are returned as a list.
    """
    first, *_ = parameters(function, POSITIONS)
    known = GIVEN | {"rng": random.Random(1), first: position}
    given = [
        known[each.name]
        for each in inspect.signature(function).parameters.values()
        if each.default is each.empty and each.kind is each.POSITIONAL_OR_KEYWORD
    ]
    result = function(*given)
    return list(result) if inspect.isgenerator(result) else result


def test_functions_of_every_module_are_among_the_tested_functions() -> None:
    """If `public_functions` missed a module, the functions of that module would not be tested."""
    names = {name.rpartition(".")[2] for name in FUNCTIONS}
    assert names >= {"owner_of", "building_price", "score_sheet", "draw"}
    assert len(FUNCTIONS) > 30


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_accepts_a_packed_position_or_suggests_unpacking_it(name: str) -> None:
    """If the function accepts the packed position, the result equals that for the unpacked one."""
    packed = native.pack(vr.resolve_chance(vr.new_game(2), random.Random(1)))
    try:
        result = called(FUNCTIONS[name], packed)
    except TypeError as error:
        message = str(error)
    else:
        message = ".unpack()" if result == called(FUNCTIONS[name], packed.unpack()) else "another"
    assert ".unpack()" in message


ASKING = vr.resolve_chance(vr.new_game(2), random.Random(1))
"""A position in which a player must decide."""

ENDED = [move.after for move in seeded_moves(vr.new_game(2), 1, Temper.EAGER)][-1]
"""The final position of a finished game."""


@pytest.mark.parametrize("state", [vr.new_game(2), ASKING, ENDED])
def test_chance_and_outcome_of_a_packed_position_equal_those_of_the_unpacked_position(
    state: vr.GameState,
) -> None:
    """The positions have a prompt for a random event, a prompt for a player, or no prompt."""
    packed = native.pack(state)
    assert vr.outcome(packed) == vr.outcome(state)
    assert (vr.outcome(state) is None) == (state is not ENDED)
    resolved = vr.resolve_chance(packed, random.Random(1))
    assert resolved.unpack() == vr.resolve_chance(state, random.Random(1))
    if state in (ASKING, ENDED):
        why = "seat . must answer, not chance" if state is ASKING else "the game is over"
        for each in (packed, state):
            with pytest.raises(vr.NoChanceError, match=why):
                vr.chance_outcomes(each)
    else:
        assert vr.chance_outcomes(packed) == vr.chance_outcomes(state)


def test_the_error_for_a_missing_attribute_of_a_packed_position_suggests_unpack() -> None:
    """`GameState` has this attribute, so the caller can use it after `.unpack()`."""
    packed: Any = native.pack(vr.new_game(2))
    for name in vars(vr.GameState):
        if not name.startswith("_") and name not in ("prompt", "rules", "cards"):
            with pytest.raises(native.PackedError, match=r"\.unpack\(\) gives it"):
                getattr(packed, name)
            assert not hasattr(packed, name)
            assert issubclass(native.PackedError, TypeError)
