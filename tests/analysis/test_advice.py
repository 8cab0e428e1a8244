"""Advice: what each answer is worth, by what its seat knows, and of what that is made."""

import random
from math import exp, fsum
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

import valletta_rules as vr
from valletta_rules import native
from valletta_rules.analysis import (
    Share,
    ValuePart,
    Weighed,
    advise,
    chances_to_win,
    compare,
    weigh,
)
from valletta_rules.analysis.adviser import EQUAL, forecast_for
from valletta_rules.analysis.chances import Curve
from valletta_rules.bots import make_bot, turns
from valletta_rules.bots.features import read
from valletta_rules.bots.value import expected, expected_points, forecast_of


def questions(players: int, seed: int, most: int) -> list[vr.PlayerView]:
    """Return the views of the first questions with a choice of a game by the novice."""
    session, found = vr.Session(players, seed=seed), list[vr.PlayerView]()
    bot = make_bot("novice", random.Random(seed))
    while session.prompt is not None and len(found) < most:
        seen = vr.view(session.state, session.prompt.seat)
        if len(seen.legal_actions) > 1:
            found.append(seen)
        session.play(bot.decide(seen))
    return found


QUESTIONS = questions(2, 5, 60) + questions(3, 6, 30)


def test_every_answer_is_weighed_and_the_best_comes_first() -> None:
    """All but dearer payments, each with a plan that begins with no other seat's question."""
    for seen in QUESTIONS:
        found = weigh(seen)
        assert {each.action for each in found} <= {*seen.legal_actions}
        assert [each.lead for each in found] == sorted([e.lead for e in found], reverse=True)
        assert seen.seat is not None
        for each in found:  # the next seat is to move after the turn, and seat 0 after the draft
            points, left = [expected(own) for own in each.prospects], each.prospects[0].left
            mover = (seen.seat + 1) % len(points) if seen.table.active == seen.seat else 0
            assert each.chance == chances_to_win(points, left, mover)[seen.seat]
            assert each.lead == points.pop(seen.seat) - max(points)
        if isinstance(seen.prompt, vr.PlayPrompt):
            assert len(found) == len(seen.legal_actions)
    dearest = weigh(QUESTIONS[0], QUESTIONS[0].legal_actions[-1])
    assert QUESTIONS[0].legal_actions[-1] in [each.action for each in dearest]


def test_the_best_answer_is_at_least_as_good_as_that_of_the_planner() -> None:
    """It searches no less than the bot, and finds hardly anything that is better."""
    missed = list[float]()
    for seen in QUESTIONS:
        action = make_bot("planner", random.Random(0)).decide(seen)
        best, *others = weigh(seen, action)
        own = next(each for each in (best, *others) if each.action == action)
        assert best.lead >= own.lead
        missed.append(best.lead - own.lead)
    assert fmean(missed) < 0.05
    assert sorted(missed)[-2] < 1  # at one position the bot's beam misses a better end of the turn


def test_what_is_hidden_changes_no_advice() -> None:
    """Positions that look the same to a seat get the same advice."""
    for seen in QUESTIONS[::7]:
        assert seen.seat is not None
        other = vr.view(vr.determinize(seen, random.Random(1)), seen.seat)
        assert other == seen
        assert advise(other) == advise(seen)


def test_the_advice_is_the_same_without_the_native_backend(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Only slower."""
    before = [advise(seen) for seen in QUESTIONS[:6]]
    monkeypatch.setattr(native, "available", False)
    assert [advise(seen) for seen in QUESTIONS[:6]] == before
    assert isinstance(turns.imagine(QUESTIONS[0], random.Random(0)), vr.GameState)


def test_two_or_three_answers_are_named() -> None:
    """The best first; what looks better is worse."""
    tempting = 0
    for seen in QUESTIONS:
        best, *others = advise(seen).suggestions
        assert len(others) <= 2
        assert others or len(weigh(seen)) == 1
        assert not best.is_tempting
        weighed = {each.action: each for each in weigh(seen)}
        for each in (best, *others):
            own = weighed[each.action]
            assert (each.plan, each.lead) == (own.plan, round(own.lead, 3))
            assert each.chance == round(own.chance, 4)
        now = forecast_for(seen).outlooks(read(seen), seen.seat)
        assert seen.seat is not None
        assert best.parts == compare(now, weighed[best.action].prospects, seen.seat)
        assert all(each.lead <= best.lead for each in others)
        for each in others:
            tempting += each.is_tempting
            is_worse = weighed[best.action].lead - weighed[each.action].lead > EQUAL
            looks = [at_once(weighed[named.action], seen.seat) for named in (best, each)]
            assert each.is_tempting == (is_worse and looks[0] < looks[1])
            assert fsum(share.points for share in each.parts) == pytest.approx(
                each.lead - best.lead, abs=0.02
            )
    assert tempting


def at_once(answer: Weighed, seat: int) -> float:
    """Return the points and goods of a seat after an answer; a good counts for half a point."""
    own = answer.prospects[seat]
    return own.points + sum(own.goods) / 2


def test_only_who_is_asked_gets_advice() -> None:
    """Neither a spectator nor another player."""
    session = vr.Session(2, seed=5)
    assert session.prompt is not None
    for seat in (None, int(session.prompt.seat == 0)):
        with pytest.raises(ValueError, match="asked"):
            weigh(vr.view(session.state, seat))


# Parts and chances


@given(st.integers(0, 10**6), st.integers(0, len(QUESTIONS) - 1))
def test_parts_add_up_to_the_difference(seed: int, number: int) -> None:
    """Whatever differs between two positions of a game."""
    seen = QUESTIONS[number]
    rng, state = random.Random(seed), vr.determinize(seen, random.Random(seed))
    for _ in range(8):
        if (state := vr.resolve_chance(state, rng)).prompt is None:
            break
        state = vr.resolve_chance(turns.after(state, rng.choice(vr.legal_actions(state))), rng)
    forecast = forecast_of(seen.table.display, len(seen.table.players))
    before, after = forecast.outlooks(read(seen), 0), forecast.outlooks(read(state), 0)
    parts = compare(before, after, 0)
    sizes = [each.points for each in parts]
    assert fsum(each.points for each in parts) == pytest.approx(
        lead(after) - lead(before), abs=0.01
    )
    assert [*map(abs, sizes)] == sorted(map(abs, sizes), reverse=True)
    back = {each.part: -each.points for each in compare(after, before, 0)}
    assert back == pytest.approx({each.part: each.points for each in parts}, abs=0.002)
    assert compare(after, after, 0) == ()
    assert tuple(map(expected, after)) == expected_points(state, 0)


def lead(prospects: object) -> float:
    """Return the lead of seat 0."""
    points = [expected(each) for each in prospects]  # type: ignore[attr-defined]
    return float(points[0] - max(points[1:]))


def test_a_part_counts_for_what_it_changes() -> None:
    """If only one differs, it is all of the difference; less for the others is good."""
    seen = QUESTIONS[5]
    forecast = forecast_of(seen.table.display, len(seen.table.players))
    here = forecast.outlooks(read(seen), 0)
    richer = [here[0]._replace(goods=tuple(each + 1 for each in here[0].goods)), *here[1:]]
    (own,) = compare(here, richer, 0)
    assert (own.part, own.points > 0) == (ValuePart.GOODS, True)
    (other,) = compare(here, richer, 1)
    assert (other.part, other.points < 0) == (ValuePart.RIVALS, True)
    scored = [here[0]._replace(points=here[0].points + 3), *here[1:]]
    assert compare(here, scored, 0) == (Share(ValuePart.POINTS, 3.0),)


@given(
    st.lists(st.floats(-50, 150), min_size=2, max_size=4),
    st.floats(0, 20),
    st.integers(0, 3),
)
def test_chances_add_up_to_one(points: list[float], left: float, mover: int) -> None:
    """And more points never mean less chance."""
    chances = chances_to_win(points, left, mover % len(points))
    assert fsum(chances) == pytest.approx(1)
    more = chances_to_win([points[0] + 1, *points[1:]], left, mover % len(points))
    assert more[0] >= chances[0]


def test_chances_worked_out() -> None:
    """With 4 turns left the spread is 2 + 2; the last to move lacks 3 points, the second 1.5."""
    weights = [exp(-3 / 4), exp(0), exp((2 - 1.5) / 4)]
    expected_chances = [weight / sum(weights) for weight in weights]
    assert chances_to_win((10, 10, 12), 4, 1, Curve(2, 1, 3)) == pytest.approx(expected_chances)
