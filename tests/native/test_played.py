"""Games at random by Python's generators: what random bots would play, with chance in its place."""

from __future__ import annotations

import random
from types import SimpleNamespace
from typing import Any

import attrs
import pytest

from tests.native.uses import PLAYING, at_random
from valletta_rules import (
    HANS_IM_GLUECK,
    REFERENCE_MANUAL,
    GameState,
    Goods,
    RuleSet,
    apply,
    legal_actions,
    native,
    new_game,
    sample_chance,
)
from valletta_rules.actions import Action
from valletta_rules.agenda import BarrelPrompt, ChancePrompt, DrawPrompt, PaymentPrompt, PlayPrompt
from valletta_rules.components.bags import CardBag
from valletta_rules.components.characters import Character
from valletta_rules.components.display import SITES
from valletta_rules.state import Phase

pytestmark = pytest.mark.usefixtures("backend")

Run = tuple[int, bool, list[Action]]


def by_engine(state: GameState, given: tuple[Any, ...]) -> tuple[GameState, list[Run]]:
    """Play as the backend does, with the engine."""
    bots, chance, turns, is_told = given
    runs, phase, last = list[Run](), state.phase, None
    while (prompt := state.prompt) is not None:
        if isinstance(prompt, ChancePrompt):
            place = 2 + prompt.player if isinstance(prompt, DrawPrompt) else 0
            rng = chance[1 if isinstance(prompt, BarrelPrompt) else place]
            state = apply(state, sample_chance(state, rng))
            continue
        begins = isinstance(prompt, PlayPrompt) and not state.played and not is_told
        if bots[prompt.seat] is None or (begins and (state.phase is not phase or turns == 0)):
            break
        turns, is_told = turns - begins, False
        if begins or prompt.seat != last:
            runs.append((last := prompt.seat, begins, []))
        runs[-1][2].append(action := bots[prompt.seat].choice(legal_actions(state)))
        state = apply(state, action)
    return state, runs


@pytest.mark.parametrize("rules", [HANS_IM_GLUECK, REFERENCE_MANUAL])
@pytest.mark.parametrize("players", SITES)
@pytest.mark.parametrize("others", [(), (1,), (0, 1)])
def test_a_game_is_that_of_random_bots(
    players: int, rules: RuleSet, others: tuple[int, ...]
) -> None:
    """The backend takes the same numbers, and stops where somebody else is asked.

    The seats of others are played by generators, too, but here; so the whole game is met.
    """
    ours, theirs = at_random(players, 5), at_random(players, 5)
    mine, yours = ([*given[0]] for given in (ours, theirs))
    bots = tuple(None if seat in others else rng for seat, rng in enumerate(mine))
    same = tuple(None if seat in others else rng for seat, rng in enumerate(yours))
    packed: Any = native.pack(new_game(players, rules=rules))
    state, is_told, calls = new_game(players, rules=rules), False, 0
    while True:
        packed, runs = packed.played_on(bots, ours[1], 1000, is_told)
        state, expected = by_engine(state, (same, theirs[1], 1000, is_told))
        assert runs == expected
        assert packed.unpack() == state
        calls += 1
        if state.prompt is None:
            break
        seat = state.prompt.seat
        assert seat is not None
        is_told = seat not in others
        if not is_told:
            action = mine[seat].choice(legal_actions(state))
            packed, state = apply(packed, action), apply(state, action)
            yours[seat].setstate(mine[seat].getstate())
    assert state.phase is Phase.OVER
    assert calls > 50 if others else calls == 3


def test_so_many_turns_begin_and_no_more() -> None:
    """The next is left to the caller; one whose first question was told is not counted."""
    packed: Any = native.pack(new_game(2))
    bots, chance, *_ = at_random(2)
    begun, _ = packed.played_on(bots, chance, 0, False)
    assert isinstance(begun.prompt, PlayPrompt)
    assert begun.played_on(bots, chance, 0, False) == (begun, [])
    for turns in (0, 2):
        _, runs = begun.played_on(bots, chance, turns, True)
        assert [begins for _, begins, _ in runs].count(True) == turns
        assert not runs[0][1]
    _, runs = begun.played_on(bots, chance, 3, False)
    assert [begins for _, begins, _ in runs].count(True) == 3


def test_any_generator_plays() -> None:
    """Those of other types are called by their own methods."""
    packed: Any = native.pack(new_game(2))
    bots, chance, *rest = at_random(2)
    likes = at_random(2)
    others = [tuple(SimpleNamespace(randrange=rng.randrange) for rng in some) for some in likes[:2]]
    assert packed.played_on(bots, chance, *rest) == packed.played_on(*others, *rest)


def test_generators_that_cannot_be_used_are_errors() -> None:
    """Those that are missing, are none, or fail."""
    packed: Any = native.pack(new_game(2))
    bots, chance, *rest = at_random(2)
    for wrong in ((bots[1:], chance), (bots, chance[1:])):
        with pytest.raises(ValueError, match="another number of generators"):
            packed.played_on(*wrong, *rest)
    wrong_types: tuple[Any, ...] = (
        (bots, (None, *chance[1:])),
        ((object(), bots[1]), chance),
        ([], chance),
        (1, 2),
    )
    for odd in wrong_types:
        with pytest.raises(TypeError):
            packed.played_on(*odd, *rest)
    failing: Any = random.Random(1)
    vars(failing)["getrandbits"] = lambda bits: bits // 0
    for bad in ((bots, (failing, *chance[1:])), ((failing, failing), chance)):
        with pytest.raises(ZeroDivisionError):
            packed.played_on(*bad, *rest)


def test_positions_that_cannot_be_played_on_are_errors() -> None:
    """Nothing is legal, chance has no answer, or there is more than a row can hold."""
    given = at_random(3)
    empty = attrs.evolve(PLAYING.players[PLAYING.active], hand=CardBag(), shown=CardBag())
    for stuck in (
        PLAYING.replace(agenda=(PaymentPrompt(0, 0, Goods(gold=200)),)),
        PLAYING.with_player(PLAYING.active, empty),
    ):
        dead: Any = native.pack(stuck)
        with pytest.raises(ValueError, match="no answer is legal"):
            dead.played_on(*given)
    asked = PLAYING.replace(barrels=Goods(), agenda=(BarrelPrompt(0),))
    none: Any = native.pack(asked)
    with pytest.raises(ValueError, match="chance has no answer"):
        none.played_on(*given)
    rich = attrs.evolve(asked.players[0], goods=Goods(gold=65_000))
    knight = attrs.evolve(empty, hand=CardBag.of(Character.KNIGHT), score=65_000)
    for state in (
        asked.with_player(0, rich).replace(barrels=Goods(gold=1)),
        PLAYING.with_player(PLAYING.active, knight),
    ):
        full: Any = native.pack(state)
        with pytest.raises(OverflowError, match="cannot hold"):
            full.played_on(*given)
