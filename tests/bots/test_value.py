"""Tests of the expected points of a position, from which bots compute the value of a position."""

import random

import pytest

import valletta_rules as vr
from tests.positions import a_building, position, seat
from valletta_rules import native
from valletta_rules.bots import expected_points, value
from valletta_rules.bots.features import read
from valletta_rules.bots.value import Forecast
from valletta_rules.card_sets.built_in import write_any_cards

C = vr.Character

with_twin = pytest.mark.skipif(not native.available, reason=str(native.why_not))


def middle(players: int = 2, seed: int = 5, answers: int = 60) -> vr.GameState:
    """Return a position after a number of moves of a random game."""
    rng = random.Random(seed)
    state = vr.resolve_chance(vr.new_game(players), rng)
    for _ in range(answers):
        state = vr.resolve_chance(vr.apply(state, rng.choice(vr.legal_actions(state))), rng)
    return state


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_expected_points_of_a_position_equal_those_of_its_views_and_tables(
    players: int,
) -> None:
    """The test compares the views of all seats, and that of a spectator."""
    state = middle(players)
    for viewer in (None, *range(players)):
        view = vr.view(state, viewer)
        points = expected_points(state, viewer)
        assert len(points) == players
        assert points == expected_points(view) == expected_points(view.table, viewer)
        assert points == expected_points(vr.determinize(view, random.Random(1)), viewer)


@with_twin
@pytest.mark.parametrize("answers", [0, 59, 60, 61])
def test_packing_a_position_does_not_change_its_expected_points(
    answers: int,
) -> None:
    """The positions are those after 0, 59, 60 and 61 moves of a random game."""
    state = middle(3, answers=answers)
    assert expected_points(native.pack(state), 1) == expected_points(state, 1)
    assert read(native.pack(state)) == read(state)


def test_expected_points_depend_on_a_hand_only_in_the_view_of_its_owner() -> None:
    """Opponents and spectators cannot tell a good hand from a poor one."""
    rich = seat(hand=[C.BUILDER, C.SEAMSTRESS], draw_pile=[C.MAID, C.APPRENTICE])
    poor = seat(hand=[C.MAID, C.APPRENTICE], draw_pile=[C.BUILDER, C.SEAMSTRESS])
    one, other = position(rich, seat(hand=[C.MAID])), position(poor, seat(hand=[C.MAID]))
    assert expected_points(one) == expected_points(other)
    assert expected_points(one, 1) == expected_points(other, 1)
    assert expected_points(one, 0)[0] > expected_points(other, 0)[0] > expected_points(other)[0]


def test_after_the_end_of_a_game_the_expected_points_are_close_to_the_score() -> None:
    """A good is worth at most a third of a point."""
    state = position(
        seat(goods=vr.Goods(gold=3), score=4, built=[0]),
        seat(),
        display={0: a_building(points=2)},
        phase=vr.Phase.OVER,
        agenda=(),
    )
    waste = expected_points(state)
    assert [score.total for score in vr.predicted_scores(state)] == [7, 0]
    assert 6 < waste[0] < 7
    assert waste[1] == 0


def test_the_weights_of_the_forecast_were_tuned_for_the_current_card_set() -> None:
    """If the cards change, tune the weights again, or set `TUNED_FOR` to the earlier cards."""
    assert write_any_cards(vr.RECONSTRUCTION) == value.TUNED_FOR


def test_expected_points_raises_an_error_for_an_integer_or_a_seat_that_does_not_exist() -> None:
    """The function accepts positions, views and tables only."""
    with pytest.raises(TypeError, match="expected a position, a view or a table, not int"):
        expected_points(3)  # type: ignore[arg-type]
    with pytest.raises(vr.SeatError):
        expected_points(vr.new_game(2), 2)


def test_the_caches_of_a_forecast_are_bounded_and_do_not_change_its_predictions(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The test limits each cache to two entries, and makes three predictions."""
    states = [middle(answers=answers) for answers in (20, 60, 100)]
    usual = [[*expected_points(state)] for state in states]
    monkeypatch.setattr(value, "MOST_REMEMBERED", 2)
    forecast = Forecast(states[0].display, 2)
    assert [forecast.points(read(state), None) for state in states] == usual
    caches = [each for each in vars(forecast).values() if hasattr(each, "cache_info")]
    assert [each.cache_info().currsize in {1, 2} for each in caches] == [True] * 4
