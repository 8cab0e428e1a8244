"""The search of a turn."""

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
    """Return the points of seat 0, on the track and for goods."""
    owned = read(state).players[0]
    return owned.score + sum(owned[3:7]) / 3


def test_the_best_order_of_cards_is_found() -> None:
    """A card on which others depend is played before them, and all legal actions are tried."""
    wood = a_building(cost=vr.Goods(wood=2), icon=vr.Good.WOOD, points=3)
    me = seat(hand=[C.BUILDER, C.LUMBERJACK, C.APPRENTICE], goods=vr.Goods(wood=0))
    state = position(me, seat(hand=[C.MAID]), display={0: wood}, plays=3)
    best = lines(state, 0, lambda end: read(end).players[0].built, 8)[0]
    cards = [action.character for action in best.actions if isinstance(action, vr.PlayCard)]
    assert cards == [C.LUMBERJACK, C.APPRENTICE, C.BUILDER]
    assert best.worth == 1


@pytest.mark.parametrize("beam", [1, 30])
def test_every_line_leads_to_its_end(beam: int) -> None:
    """The answers of a line are legal one after the other."""
    state = middle(answers=59)
    found = lines(state, mover(state), worth, beam)
    assert [line.worth for line in found] == sorted((line.worth for line in found), reverse=True)
    assert len({line.state for line in found}) == len(found)
    for line in found[:20]:
        now = state
        for action in line.actions:
            assert action in vr.legal_actions(now)
            now = after(now, action)
            while isinstance(now.prompt, vr.BarrelPrompt):
                now = after(now, max(vr.chance_outcomes(now), key=itemgetter(1))[0])
        assert now == line.state


def mover(state: vr.GameState) -> int:
    """Return the seat that must answer."""
    assert state.prompt is not None
    assert state.prompt.seat is not None
    return state.prompt.seat


def test_others_give_the_monk_what_they_have_most_of() -> None:
    """A search does not consider the goods that an opponent would rather keep."""
    me, other = seat(hand=[C.MONK]), seat(hand=[C.MAID], goods=vr.Goods(1, 1, 5, 1))
    found = lines(position(me, other, plays=1), 0, worth, 8)
    assert all(read(line.state).players[1].stone == 4 for line in found)


def test_a_player_out_of_turn_searches_one_answer_only() -> None:
    """A player who gives a Monk a good has no other decision to search."""
    given = {"red": {"goods": "1g1w5s1b"}, "blue": {"hand": "maid", "draw": "maid"}}
    state = position_of(given | {"active": "blue", "asked": "monk/0/1"})
    assert {len(line.actions) for line in lines(state, 0, worth, 8)} == {1}


def test_the_likeliest_barrel_is_counted_on() -> None:
    """When Valette reaches a barrel, the search continues with the good of most barrels."""
    me = seat(hand=[C.VALETTE])
    state = position(me, seat(hand=[C.MAID]), plays=1, barrels=vr.Goods(1, 1, 4, 1))
    assert all(read(line.state).players[0].stone == 1 for line in lines(state, 0, worth, 8))


def test_a_position_that_fits_no_row_is_searched_too() -> None:
    """A position that cannot be packed is sampled unpacked."""
    full = seat(hand=[C.MAID, C.BUILDER], goods=vr.Goods(gold=70_000))
    state = position(full, seat(hand=[C.MAID]))
    assert isinstance(imagine(vr.view(state, 0), random.Random(1)), vr.GameState)
