"""Tests of the adviser, which evaluates the possible answers to a prompt."""

import random
from math import exp, fsum
from statistics import fmean

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

import valletta_rules as vr
from valletta_rules import analysis, native
from valletta_rules.bots import make_bot, turns
from valletta_rules.bots.features import read
from valletta_rules.bots.value import expected, expected_points, forecast_of


def questions(players: int, seed: int, most: int) -> list[vr.PlayerView]:
    """Return at most `most` views of a game between bots, each with two or more legal actions."""
    session, views = vr.Session(players, seed=seed), list[vr.PlayerView]()
    bot = make_bot("novice", random.Random(seed))
    while session.prompt is not None and len(views) < most:
        view = vr.view(session.state, session.prompt.seat)
        if len(view.legal_actions) > 1:
            views.append(view)
        session.play(bot.decide(view))
    return views


rollouts = pytest.mark.skipif(not native.available, reason="rollouts need the native backend")

QUESTIONS = questions(2, 5, 60) + questions(3, 6, 30)


def test_answers_are_evaluated_and_listed_with_the_best_first() -> None:
    """Among payments, only the cheapest one and the one that the caller passes are evaluated."""
    for view in QUESTIONS:
        weighed = analysis.weigh(view)
        assert {each.action for each in weighed} <= {*view.legal_actions}
        assert [each.lead for each in weighed] == sorted([e.lead for e in weighed], reverse=True)
        assert view.seat is not None
        for each in weighed:  # the next seat is to move after the turn, and seat 0 after the draft
            points, left = [expected(own) for own in each.prospects], each.prospects[0].left
            mover = (view.seat + 1) % len(points) if view.table.active == view.seat else 0
            assert each.chance == analysis.chances_to_win(points, left, mover)[view.seat]
            assert each.lead == points.pop(view.seat) - max(points)
        if isinstance(view.prompt, vr.PlayPrompt):
            assert len(weighed) == len(view.legal_actions)
    dearest = analysis.weigh(QUESTIONS[0], QUESTIONS[0].legal_actions[-1])
    assert QUESTIONS[0].legal_actions[-1] in [each.action for each in dearest]


def test_the_best_answer_of_the_adviser_is_never_worse_than_that_of_the_planner_bot() -> None:
    """The adviser also evaluates the answer of the bot.

    On average, the bot's answer is worse by less than 0.05 points.
    """
    missed = list[float]()
    for view in QUESTIONS:
        action = make_bot("planner", random.Random(0)).decide(view)
        best, *others = analysis.weigh(view, action)
        own = next(each for each in (best, *others) if each.action == action)
        assert best.lead >= own.lead
        missed.append(best.lead - own.lead)
    assert fmean(missed) < 0.05
    assert sorted(missed)[-2] < 1  # at one position the bot's beam misses a better end of the turn


def test_hidden_hands_do_not_change_the_advice() -> None:
    """Replacing the hidden cards with others changes neither the view nor the advice."""
    for view in QUESTIONS[::30]:
        assert view.seat is not None
        other = vr.view(vr.determinize(view, random.Random(1)), view.seat)
        assert other == view
        assert analysis.advise(other) == analysis.advise(view)


@pytest.mark.usefixtures("alone")
def test_advice_without_rollouts_is_the_same_with_and_without_the_native_backend(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Without rollouts, suggestions have no estimated error."""
    before = [analysis.advise(view) for view in QUESTIONS[:6]]
    monkeypatch.setattr(native, "available", False)
    assert [analysis.advise(view) for view in QUESTIONS[:6]] == before
    assert {each.error for advice in before for each in advice.suggestions} == {None}
    assert isinstance(turns.imagine(QUESTIONS[0], random.Random(0)), vr.GameState)


@pytest.mark.usefixtures("alone")
def test_advice_contains_the_best_answer_and_up_to_two_other_answers() -> None:
    """A worse answer is marked as tempting if it brings more points and goods in this turn."""
    tempting = 0
    for view in QUESTIONS:
        best, *others = analysis.advise(view).suggestions
        assert len(others) <= 2
        assert others or len(analysis.weigh(view)) == 1
        assert not best.is_tempting
        weighed = {each.action: each for each in analysis.weigh(view)}
        for each in (best, *others):
            own = weighed[each.action]
            assert (each.plan, each.lead) == (own.plan, round(own.lead, 3))
            assert each.chance == round(own.chance, 4)
        now = analysis.adviser.forecast_for(view).outlooks(read(view), view.seat)
        assert view.seat is not None
        assert best.parts == analysis.compare(now, weighed[best.action].prospects, view.seat)
        assert all(each.lead <= best.lead for each in others)
        for each in others:
            tempting += each.is_tempting
            is_worse = (
                weighed[best.action].lead - weighed[each.action].lead > analysis.adviser.EQUAL
            )
            looks = [at_once(weighed[named.action], view.seat) for named in (best, each)]
            assert each.is_equal is not is_worse
            assert each.is_tempting == (is_worse and looks[0] < looks[1])
            assert fsum(share.points for share in each.parts) == pytest.approx(
                each.lead - best.lead, abs=0.02 if is_worse else analysis.adviser.EQUAL
            )
    assert tempting


@rollouts
def test_suggestions_based_on_rollouts_have_an_estimated_error() -> None:
    """An answer counts as equal to the best one if the difference is within the error.

    The reasons listed for a worse answer never add up to an advantage.
    """
    for view in QUESTIONS[::30]:
        best, *others = analysis.advise(view).suggestions
        assert best.error is not None
        assert others or len(analysis.weigh(view)) == 1
        for each in others:
            assert each.error is not None
            assert each.is_equal is (
                best.lead - each.lead <= max(analysis.adviser.EQUAL, each.error)
            )
            assert fsum(share.points for share in each.parts) <= 0
            assert each.action in view.legal_actions


@rollouts
def test_rollouts_for_choosing_and_for_measuring_use_different_worlds() -> None:
    """A world is a sample of the hidden hands.

    If both used the same worlds, the measured loss of an answer would be biased.
    """
    view = next(each for each in QUESTIONS if isinstance(each.prompt, vr.PlayPrompt))
    trials = analysis.settling.Trials(view, seed=3, worlds=(4, 24))
    ends = [line.state for line in analysis.weigh(view)[0].lines[:2]]
    chosen, measured = trials.leads(ends, 0), trials.leads(ends, 1)
    assert [len(each) for each in (*chosen.values(), *measured.values())] == [4, 4, 6, 6]
    assert chosen == analysis.settling.Trials(view, seed=3, worlds=(4, 24)).leads(ends, 0)
    assert trials.leads(ends[:1], 1) == {ends[0]: measured[ends[0]]}
    settled = trials.settle(ends, [ends[:1], ends[1:]], force=True)
    best = max(settled.values(), key=lambda each: each.lead)
    assert (best.error, best.lost, len(settled)) == (0, 0, 2)
    rounds = trials.measure([*settled])
    assert {each.lead for each in settled.values()} == {fmean(each) for each in rounds.values()}
    assert len(rounds[ends[0]]) in {6, 12, 24}


@rollouts
def test_an_answer_is_measured_by_rollouts_only_if_it_seems_to_lose_at_least_one_point(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The first estimate of a loss is the average of a search and of a few rollouts."""
    view = next(each for each in QUESTIONS if isinstance(each.prompt, vr.PlayPrompt))
    trials = analysis.settling.Trials(view, worlds=(2, 8))
    first, second, third = (line.state for line in analysis.weigh(view)[0].lines[:3])
    search = {first: 5.0, second: 4.0, third: 5.0}
    monkeypatch.setattr(trials, "lead", search.__getitem__)
    for choosing, ends in ((0.9, [second]), (1.0, [third, second])):
        leads = {first: [0.0] * 2, second: [2.0] * 2, third: [2.0 + choosing] * 2}
        monkeypatch.setattr(
            trials, "leads", lambda ends, _, leads=leads: {e: leads[e] for e in ends}
        )
        assert [*trials.settle([first, second, third], [[second]])] == ends


@rollouts
def test_rollouts_are_added_while_the_loss_of_an_answer_is_uncertain(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A loss is certain if it exceeds twice its error and reduces the chance to win by 0.2."""
    view = next(each for each in QUESTIONS if isinstance(each.prompt, vr.PlayPrompt))
    trials = analysis.settling.Trials(view, worlds=(2, 8))
    first, second = (line.state for line in analysis.weigh(view)[0].lines[:2])
    for best, other, count in (
        ([0, -1], [0, 0], 2),
        ([0, 0], [0, 0], 2),
        ([6, 5], [0, 0], 2),
        ([3, 2], [0, 0], 4),
        ([4, 3], [1, 1], 6),
        ([4, -2], [0, 0], 6),
    ):
        leads = {first: best, second: other}
        monkeypatch.setattr(
            trials, "leads", lambda ends, _, leads=leads: {e: leads[e] for e in ends}
        )
        assert len(trials.measure([first, second])[first]) == count


@rollouts
def test_an_answer_after_which_every_end_of_the_turn_is_possible_needs_no_rollouts() -> None:
    """Such an answer cannot lose points. With `force=True`, rollouts are made nevertheless."""
    view = next(each for each in QUESTIONS if isinstance(each.prompt, vr.PlayPrompt))
    weighed = analysis.weigh(view)
    every = attrs.evolve(weighed[0], lines=tuple(line for each in weighed for line in each.lines))
    trials = analysis.settling.Trials(view, worlds=(2, 8))
    free = analysis.adviser.settle((every, *weighed[1:]), trials, every.action)
    assert free == tuple([attrs.evolve(each, error=0.0) for each in (every, *weighed[1:])])
    assert not trials._leads
    analysis.adviser.settle((every, *weighed[1:]), trials, every.action, force=True)
    assert trials._leads


def at_once(answer: analysis.Weighed, seat: int) -> float:
    """Return the points of a seat after an answer, plus half a point for each good that it owns."""
    own = answer.prospects[seat]
    return own.points + sum(own.goods) / 2


def test_advice_for_a_viewer_who_need_not_answer_raises_a_value_error() -> None:
    """The test uses the views of a spectator and of the other player."""
    session = vr.Session(2, seed=5)
    assert session.prompt is not None
    for seat in (None, int(session.prompt.seat == 0)):
        with pytest.raises(ValueError, match="must answer"):
            analysis.weigh(vr.view(session.state, seat))


# Parts and chances


@given(st.integers(0, 10**6), st.integers(0, len(QUESTIONS) - 1))
def test_the_parts_of_a_difference_in_lead_add_up_to_the_difference(seed: int, number: int) -> None:
    """The two compared positions are eight random moves apart."""
    view = QUESTIONS[number]
    rng, state = random.Random(seed), vr.determinize(view, random.Random(seed))
    for _ in range(8):
        if (state := vr.resolve_chance(state, rng)).prompt is None:
            break
        state = vr.resolve_chance(turns.after(state, rng.choice(vr.legal_actions(state))), rng)
    forecast = forecast_of(view.table.display, len(view.table.players))
    before, after = forecast.outlooks(read(view), 0), forecast.outlooks(read(state), 0)
    parts = analysis.compare(before, after, 0)
    sizes = [each.points for each in parts]
    assert fsum(each.points for each in parts) == pytest.approx(
        lead(after) - lead(before), abs=0.01
    )
    assert [*map(abs, sizes)] == sorted(map(abs, sizes), reverse=True)
    back = {each.part: -each.points for each in analysis.compare(after, before, 0)}
    assert back == pytest.approx({each.part: each.points for each in parts}, abs=0.002)
    assert analysis.compare(after, after, 0) == ()
    assert tuple(map(expected, after)) == expected_points(state, 0)


def lead(prospects: object) -> float:
    """Return the expected lead of seat 0 over the best opponent."""
    points = [expected(each) for each in prospects]  # type: ignore[attr-defined]
    return float(points[0] - max(points[1:]))


def test_a_difference_in_goods_or_points_alone_has_a_single_part() -> None:
    """If the other player gains goods, the single part is `RIVALS`, which is negative."""
    view = QUESTIONS[5]
    forecast = forecast_of(view.table.display, len(view.table.players))
    outlooks = forecast.outlooks(read(view), 0)
    richer = [
        outlooks[0]._replace(goods=tuple(each + 1 for each in outlooks[0].goods)),
        *outlooks[1:],
    ]
    (own,) = analysis.compare(outlooks, richer, 0)
    assert (own.part, own.points > 0) == (analysis.ValuePart.GOODS, True)
    (other,) = analysis.compare(outlooks, richer, 1)
    assert (other.part, other.points < 0) == (analysis.ValuePart.RIVALS, True)
    scored = [outlooks[0]._replace(points=outlooks[0].points + 3), *outlooks[1:]]
    assert analysis.compare(outlooks, scored, 0) == (
        analysis.Share(analysis.ValuePart.POINTS, 3.0),
    )


@given(
    st.lists(st.floats(-50, 150), min_size=2, max_size=4),
    st.floats(0, 20),
    st.integers(0, 3),
)
def test_the_chances_of_all_players_to_win_add_up_to_one(
    points: list[float], left: float, mover: int
) -> None:
    """The test also checks that more points never reduce a player's chance."""
    chances = analysis.chances_to_win(points, left, mover % len(points))
    assert fsum(chances) == pytest.approx(1)
    more = analysis.chances_to_win([points[0] + 1, *points[1:]], left, mover % len(points))
    assert more[0] >= chances[0]


def test_the_chances_to_win_equal_those_computed_by_hand() -> None:
    """With 4 turns left, the spread of the final points is 2 + 1 * 2 = 4.

    The player who moves second has a disadvantage of 1.5 points, the third player one of 3.
    """
    weights = [exp(-3 / 4), exp(0), exp((2 - 1.5) / 4)]
    expected_chances = [weight / sum(weights) for weight in weights]
    assert analysis.chances_to_win(
        (10, 10, 12), 4, 1, analysis.chances.Curve(2, 1, 3)
    ) == pytest.approx(expected_chances)
