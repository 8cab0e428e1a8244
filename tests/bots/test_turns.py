"""Tests of the beam search for the best actions of a turn."""

import random
from operator import itemgetter

import pytest

import valletta_rules as vr
from tests.bots.test_value import middle
from tests.positions import a_building, position, seat
from valletta_rules.bots.features import read
from valletta_rules.bots.turns import State, after, imagine, lines
from valletta_rules.specification.worked_examples import position_of

C = vr.Character


def worth(state: State) -> float:
    """Return the value of a position: the score of seat 0, plus 1/3 of a point for each good."""
    owned = read(state).players[0]
    return owned.score + sum(owned[3:7]) / 3


def test_the_search_of_a_turn_finds_the_best_order_of_cards() -> None:
    """The Builder needs wood from the Lumberjack and from the Apprentice that copies it."""
    wood = a_building(cost=vr.Goods(wood=2), icon=vr.Good.WOOD, points=3)
    me = seat(hand=[C.BUILDER, C.LUMBERJACK, C.APPRENTICE], goods=vr.Goods(wood=0))
    state = position(me, seat(hand=[C.MAID]), display={0: wood}, plays=3)
    best = lines(state, 0, lambda end: read(end).players[0].built, 8)[0]
    cards = [action.character for action in best.actions if isinstance(action, vr.PlayCard)]
    assert cards == [C.LUMBERJACK, C.APPRENTICE, C.BUILDER]
    assert best.worth == 1


@pytest.mark.parametrize("beam", [1, 30])
def test_each_line_of_a_turn_consists_of_legal_actions_that_lead_to_its_final_position(
    beam: int,
) -> None:
    """A line is a sequence of actions. Lines are sorted by value and end in different positions."""
    state = middle(answers=59)
    best_lines = lines(state, mover(state), worth, beam)
    assert [line.worth for line in best_lines] == sorted(
        (line.worth for line in best_lines), reverse=True
    )
    assert len({line.state for line in best_lines}) == len(best_lines)
    for line in best_lines[:20]:
        now = state
        for action in line.actions:
            assert action in vr.legal_actions(now)
            now = after(now, action)
            while isinstance(now.prompt, vr.BarrelPrompt):
                now = after(now, max(vr.chance_outcomes(now), key=itemgetter(1))[0])
        assert now == line.state


def mover(state: vr.GameState) -> int:
    """Return the seat of the player who must answer."""
    assert state.prompt is not None
    assert state.prompt.seat is not None
    return state.prompt.seat


def test_a_search_assumes_that_an_opponent_gives_the_monk_the_most_frequent_good() -> None:
    """The opponent has five stone, and one of each other good."""
    me, other = seat(hand=[C.MONK]), seat(hand=[C.MAID], goods=vr.Goods(1, 1, 5, 1))
    best_lines = lines(position(me, other, plays=1), 0, worth, 8)
    assert all(read(line.state).players[1].stone == 4 for line in best_lines)


def test_the_search_for_a_player_who_must_answer_out_of_turn_is_one_action_deep() -> None:
    """The player must give a good to an opponent who has played the Monk."""
    given = {"red": {"goods": "1g1w5s1b"}, "blue": {"hand": "maid", "draw": "maid"}}
    state = position_of(given | {"active": "blue", "asked": "monk/0/1"})
    assert {len(line.actions) for line in lines(state, 0, worth, 8)} == {1}


def test_a_search_assumes_that_a_barrel_contains_the_likeliest_good() -> None:
    """Valette reaches a barrel. Four of the seven barrels contain stone."""
    me = seat(hand=[C.VALETTE])
    state = position(me, seat(hand=[C.MAID]), plays=1, barrels=vr.Goods(1, 1, 4, 1))
    assert all(read(line.state).players[0].stone == 1 for line in lines(state, 0, worth, 8))


def test_the_function_imagine_returns_a_game_state_if_a_number_is_too_large_to_pack() -> None:
    """The native backend would return a packed position, which cannot represent 70,000 gold."""
    full = seat(hand=[C.MAID, C.BUILDER], goods=vr.Goods(gold=70_000))
    state = position(full, seat(hand=[C.MAID]))
    assert isinstance(imagine(vr.view(state, 0), random.Random(1)), vr.GameState)
