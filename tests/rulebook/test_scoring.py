"""The score track, the final scoring and the winner."""

from __future__ import annotations

import pytest

from tests.positions import a_building, editions, play, position, seat
from valletta_rules import (
    HANS_IM_GLUECK,
    Build,
    Character,
    GameState,
    Goods,
    Outcome,
    Pay,
    Phase,
    Player,
    RuleSet,
    Score,
    Upgrade,
    outcome,
)
from valletta_rules.agenda import PlayPrompt
from valletta_rules.rulebook.scoring import score_sheet, track_position

SPARE = Character.SHOPKEEPER
POINTS = (2, 3, 4, 4, 3, 1, 4)
"""What the fronts of seven buildings show: the printed example, its last building upgraded."""
SEVEN = {site: a_building(points=points) for site, points in enumerate(POINTS)}


def at_the_end(*players: Player, rules: RuleSet = HANS_IM_GLUECK) -> GameState:
    """Return a position in which the game is over; every building shows 1 point."""
    return position(*players, rules=rules, phase=Phase.OVER, agenda=())


def outcome_of(state: GameState) -> Outcome:
    """Return the outcome of a game that is over."""
    result = outcome(state)
    assert result is not None
    return result


# The track


@pytest.mark.rule("SCO-1")
@editions
def test_points_at_once(rules: RuleSet) -> None:
    """The Knight's 2 points are scored in the middle of the turn, before the next card."""
    state = position(seat(hand=[Character.KNIGHT, SPARE], score=30), seat(score=5), rules=rules)
    after = play(state, Character.KNIGHT)
    assert after.prompt == PlayPrompt(0, 2)
    assert [player.score for player in after.players] == [32, 5]


@pytest.mark.rule("SCO-1")
def test_points_of_buildings_are_not_scored_at_once() -> None:
    """A new building and an upgrade out of Valette's sight score nothing during the game."""
    state = position(
        seat(hand=[Character.BUILDER, Character.BUILDER, SPARE], goods=Goods(1, 1, 0, 0)),
        seat(),
        display={0: a_building(cost=Goods(gold=1), points=8)}
        | {1: a_building(cost=Goods(wood=1), points=8)},
        valette=25,
    )
    after = play(state, Character.BUILDER, Build(0), Pay(Goods(gold=1)))
    assert after.players[0].score == 0
    after = play(after, Character.BUILDER, Upgrade(0), Pay(Goods()))
    assert after.players[0].score == 0
    assert score_sheet(after)[0].buildings == 16


@pytest.mark.rule("SCO-1")
def test_bonus_at_once() -> None:
    """A building under Valette's eyes scores 2 points as it is paid."""
    state = position(
        seat(hand=[Character.BUILDER, SPARE], goods=Goods(gold=1), score=1),
        seat(),
        display={4: a_building(cost=Goods(gold=1))},
        valette=21,
    )
    assert play(state, Character.BUILDER, Build(4), Pay(Goods(gold=1))).players[0].score == 3


@pytest.mark.rule("SCO-2")
@pytest.mark.parametrize(
    ("score", "space"),
    [(1, 1), (2, 2), (24, 24), (26, 1), (27, 2), (49, 24), (51, 1), (76, 1), (99, 24), (112, 12)],
)
def test_space_of_the_figure(score: int, space: int) -> None:
    """Past space 25 the figure counts on from space 1."""
    assert track_position(score)[0] == space


@pytest.mark.rule("SCO-3")
@pytest.mark.parametrize(
    ("score", "tokens"),
    [(0, 0), (1, 0), (24, 0), (26, 25), (49, 25), (51, 50), (74, 50), (76, 75), (101, 100)],
)
def test_point_tokens(score: int, tokens: int) -> None:
    """For each round completed the player holds tokens worth 25 points."""
    assert track_position(score)[1] == tokens


@pytest.mark.rule("SCO-4")
@pytest.mark.parametrize(("score", "tokens"), [(25, 0), (50, 25), (75, 50), (100, 75), (125, 100)])
def test_exactly_at_the_end(score: int, tokens: int) -> None:
    """A score of 25 is space 25 without a token; one more point takes the token."""
    assert track_position(score) == (25, tokens)
    assert track_position(score + 1) == (1, tokens + 25)


@pytest.mark.rule("SCO-2", "SCO-3", "SCO-4")
def test_track_shows_every_score() -> None:
    """Space and tokens together always show the score."""
    for score in range(1, 200):
        space, tokens = track_position(score)
        assert 1 <= space <= 25
        assert tokens % 25 == 0
        assert space + tokens == score


@pytest.mark.rule("SCO-2")
def test_a_score_of_zero() -> None:
    """Before the first point the figure stands before space 1 and there is no token."""
    assert track_position(0) == (0, 0)


# The final scoring


@pytest.mark.rule("SCO-5", "SCO-6")
@editions
def test_seven_buildings(rules: RuleSet) -> None:
    """Red's seven buildings score 2+3+4+4+3+1+8: the last is upgraded and shows 4 in front."""
    state = position(
        seat(built=range(6), upgraded=[6]),
        seat(),
        rules=rules,
        display=SEVEN,
        phase=Phase.OVER,
        agenda=(),
    )
    assert outcome_of(state).scores[0] == Score(0, track=0, buildings=25, goods=0, houses=7)


@pytest.mark.rule("SCO-5")
@pytest.mark.parametrize("count", [2, 3, 4])
def test_each_player_scores_his_own(count: int) -> None:
    """Buildings of others and buildings of nobody score nothing for a player."""
    players = [seat(built=[number]) for number in range(count)]
    state = position(*players, display=SEVEN, phase=Phase.OVER, agenda=())
    scores = outcome_of(state).scores
    assert [score.buildings for score in scores] == list(POINTS[:count])
    assert [score.seat for score in scores] == list(range(count))


@pytest.mark.rule("SCO-5")
@pytest.mark.parametrize("character", [Character.BANKER, Character.NUN, Character.KNIGHT])
def test_buildings_of_every_colour_score(character: Character) -> None:
    """A green, a blue and a yellow building of 3 points score 3 points."""
    state = position(
        seat(built=[0]),
        seat(),
        display={0: a_building(character=character, points=3)},
        phase=Phase.OVER,
        agenda=(),
    )
    assert outcome_of(state).scores[0].buildings == 3


@pytest.mark.rule("SCO-5")
def test_no_buildings() -> None:
    """Without buildings there are no points for buildings."""
    assert outcome_of(at_the_end(seat(), seat())).scores[1] == Score(1, 0, 0, 0, 0)


@pytest.mark.rule("SCO-6")
@pytest.mark.parametrize("points", [0, 1, 4, 7])
def test_upgraded_points(points: int) -> None:
    """An upgraded building scores twice what its front shows; the other scores it once."""
    state = position(
        seat(upgraded=[0]),
        seat(built=[1]),
        display={0: a_building(points=points), 1: a_building(points=points)},
        phase=Phase.OVER,
        agenda=(),
    )
    assert [score.buildings for score in outcome_of(state).scores] == [2 * points, points]


@pytest.mark.rule("SCO-7")
@editions
def test_seven_goods(rules: RuleSet) -> None:
    """Red still has 4 gold, 1 wood and 2 stones, seven goods in all: 2 points."""
    state = at_the_end(seat(goods=Goods(gold=4, wood=1, stone=2)), seat(), rules=rules)
    assert outcome_of(state).scores[0] == Score(0, track=0, buildings=0, goods=2, houses=0)


@pytest.mark.rule("SCO-7")
@pytest.mark.parametrize(
    ("goods", "points"),
    [
        (Goods(), 0),
        (Goods(gold=1), 0),
        (Goods(0, 1, 0, 1), 0),
        (Goods(0, 0, 0, 3), 1),
        (Goods(1, 0, 1, 1), 1),
        (Goods(1, 1, 1, 1), 1),
        (Goods(2, 2, 1, 0), 1),
        (Goods(2, 2, 2, 0), 2),
        (Goods(2, 2, 2, 2), 2),
        (Goods(0, 30, 0, 0), 10),
    ],
    ids=str,
)
def test_points_of_goods(goods: Goods, points: int) -> None:
    """Three goods make a point, in any mix and never rounded up."""
    assert outcome_of(at_the_end(seat(), seat(goods=goods))).scores[1].goods == points


@pytest.mark.rule("SCO-8")
def test_final_score() -> None:
    """A score of 31, seven buildings of 25 points and seven goods make 58."""
    state = position(
        seat(built=range(6), upgraded=[6], goods=Goods(4, 1, 2, 0), score=31),
        seat(score=57),
        display=SEVEN,
        phase=Phase.OVER,
        agenda=(),
    )
    red, blue = outcome_of(state).scores
    assert red == Score(0, track=31, buildings=25, goods=2, houses=7)
    assert (red.total, blue.total) == (58, 57)


@pytest.mark.rule("SCO-8")
def test_no_outcome_before_the_end() -> None:
    """While a card is left to play there is a score sheet, but no outcome."""
    for phase in (Phase.MAIN, Phase.FINAL):
        state = position(seat(hand=[SPARE], score=4, goods=Goods(gold=3)), seat(), phase=phase)
        assert outcome(state) is None
        assert [line.total for line in score_sheet(state)] == [5, 0]


# The winner


@pytest.mark.rule("SCO-9")
@pytest.mark.parametrize("count", [2, 3, 4])
@pytest.mark.parametrize("winner", [0, 1])
def test_the_winner(winner: int, count: int) -> None:
    """The most points win, though others have built more houses."""
    players = [seat(score=10, built=[5 + number]) for number in range(count)]
    players[winner] = seat(score=12)
    result = outcome_of(at_the_end(*players))
    assert (result.winners, result.clause) == ((winner,), "SCO-9")


@pytest.mark.rule("SCO-9")
def test_all_points_count_for_the_winner() -> None:
    """Red leads on the track, but Blue's buildings and goods are worth more."""
    state = at_the_end(seat(score=10), seat(score=7, upgraded=[0], goods=Goods(6, 0, 0, 0)))
    result = outcome_of(state)
    assert [score.total for score in result.scores] == [10, 11]
    assert (result.winners, result.clause) == ((1,), "SCO-9")


@pytest.mark.rule("SCO-10")
@pytest.mark.parametrize("count", [2, 3, 4])
def test_tie_broken_by_houses(count: int) -> None:
    """All have 10 points; the last seat has built two houses, the others one."""
    players = [seat(score=9, built=[5 + number]) for number in range(count - 1)]
    result = outcome_of(at_the_end(*players, seat(score=8, built=[0, 1])))
    assert {score.total for score in result.scores} == {10}
    assert (result.winners, result.clause) == ((count - 1,), "SCO-10")


@pytest.mark.rule("SCO-10")
def test_upgraded_buildings_are_one_house_each() -> None:
    """Both have 10 points: two plain buildings break the tie against one upgraded."""
    result = outcome_of(at_the_end(seat(score=8, upgraded=[0]), seat(score=8, built=[1, 2])))
    assert [score.houses for score in result.scores] == [1, 2]
    assert (result.winners, result.clause) == ((1,), "SCO-10")


@pytest.mark.rule("SCO-10")
def test_only_tied_players_compare_houses() -> None:
    """The player with the most houses has fewer points and does not win."""
    result = outcome_of(
        at_the_end(seat(score=1, built=range(5, 13)), seat(score=10), seat(score=9, built=[0]))
    )
    assert [score.total for score in result.scores] == [9, 10, 10]
    assert (result.winners, result.clause) == ((2,), "SCO-10")


@pytest.mark.rule("SCO-11")
@editions
@pytest.mark.parametrize("count", [2, 3, 4])
def test_shared_victory(count: int, rules: RuleSet) -> None:
    """Equal in points and in houses, all share the victory."""
    players = [seat(score=6, built=[number]) for number in range(count)]
    result = outcome_of(at_the_end(*players, rules=rules))
    assert (result.winners, result.clause) == (tuple(range(count)), "SCO-11")


@pytest.mark.rule("SCO-11", "SCO-10")
def test_partly_shared_victory() -> None:
    """Three are tied in points; two of them have more houses and share the victory."""
    result = outcome_of(
        at_the_end(
            seat(score=9, built=[0]),
            seat(score=10),
            seat(score=2, built=range(10, 17)),
            seat(score=9, built=[1]),
        )
    )
    assert [score.total for score in result.scores] == [10, 10, 9, 10]
    assert (result.winners, result.clause) == ((0, 3), "SCO-11")


@pytest.mark.rule("SCO-11")
def test_nothing_at_all_is_shared_too() -> None:
    """Nobody scored or built anything: the victory is shared."""
    result = outcome_of(at_the_end(seat(), seat(goods=Goods(2, 0, 0, 0))))
    assert (result.winners, result.clause) == ((0, 1), "SCO-11")


@pytest.mark.parametrize("score", [-1, -25])
def test_no_score_below_zero(score: int) -> None:
    """No rule takes points away: a score below zero has no space."""
    with pytest.raises(ValueError, match=str(score)):
        track_position(score)
