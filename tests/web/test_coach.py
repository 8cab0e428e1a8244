"""Tests of the coach, which explains prompts, recommends answers and questions bad answers."""

from unittest.mock import Mock

import pytest

import valletta_rules as vr
from tests.web.client import SOLO, Browser
from valletta_rules.analysis import advise, judge
from valletta_rules.codec import to_document
from valletta_rules.web import coach, coaching
from valletta_rules.web.game import TableGame
from valletta_rules.web.presenter import Presenter
from valletta_rules.web.store import Occupant
from valletta_rules.words import LANGUAGES

pytestmark = pytest.mark.anyio

MOST = 180
"""The maximum length of an explanation in characters, without the recommendation."""


RED_AND_BLUE = [Occupant("person", None, "", each) for each in ("red", "blue")]


def test_the_coach_explains_each_kind_of_prompt_once_and_recommends_answers_for_two_turns() -> None:
    """The explanations name the clause. In the first turns, the coach also questions mistakes.

    It questions blunders for some more turns, but never the best answer.  After that it is silent.
    """
    game = TableGame.begin(vr.new_game(2), coach.LESSON)
    presenter = Presenter(game, RED_AND_BLUE)
    explained, doubted = list[type[vr.PlayerPrompt]](), dict.fromkeys(coach.DOUBTED, 0)
    while (seat := game.now.asked) is not None and coach.turn_of(game, 0) < 9:
        state = game.now.position
        assert isinstance(state.prompt, vr.PlayerPrompt)
        advice = advise(vr.view(state, seat))
        best = advice.suggestions[0].action
        assert coach.is_led(game, seat) is (coach.turn_of(game, seat) <= coach.LED)
        for code in LANGUAGES if seat == 0 else ():
            guide = presenter.coaching(seat, advice if coach.is_led(game, seat) else None, code)
            assert (guide is not None) is (coach.is_new(game, seat) or coach.is_led(game, seat))
            if guide is not None:
                assert len(guide.text) <= MOST
                assert "%" not in guide.text
                assert (guide.answer is not None) is coach.is_led(game, seat)
            if guide is not None and guide.answer is not None:
                assert guide.answer.action == to_document(best)
            if guide is not None and coach.is_new(game, seat):
                assert guide.rule is not None
                assert guide.rule.clause == state.prompt.clause
                assert guide.rule.text in guide.text
        if seat == 0 and coach.is_new(game, seat):
            explained.append(type(state.prompt))
        judged = judge(vr.view(state, seat), best)
        assert judged is None or not coach.is_doubtful(game, seat, judged)
        for grade, last in coach.DOUBTED.items():
            is_doubted = coach.is_doubtful(game, seat, Mock(grade=grade))
            assert is_doubted is (coach.turn_of(game, seat) <= last)
            doubted[grade] += is_doubted
        game.add(game.answer(seat, best))
    assert len(explained) == len({*explained}) >= 4
    assert not coach.is_led(game, 0)
    assert all(doubted.values())


async def test_the_coach_shows_the_clause_before_the_recommendation_and_questions_an_answer_once(
    browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The coach asks: *Are you sure?* A player who repeats the answer is not asked again."""
    monkeypatch.setattr(coaching, "is_doubtful", lambda *_: True)
    page = await browser.open("tables", {**SOLO, "is_coached": True})
    await page.wait_for_prompt()
    guide, revision = page.moment["guide"], page.revision
    assert guide["rule"]["clause"] == "SET-22"
    full_guide = (await page.receive_until("guided"))["guide"]
    assert full_guide["text"].startswith(guide["text"])
    advised = full_guide["answer"]["action"]["value"]
    assert advised in page.legal
    refused = (await page.answer(advised))["refusal"]["value"]
    assert refused["code"] == "sure"
    assert refused["message"].startswith("Bist du sicher?")
    assert (await page.answer(advised))["revision"] == revision + 1


@pytest.mark.parametrize("lesson", coach.lessons().values(), ids=list(coach.lessons()))
@pytest.mark.parametrize("is_settled", [False, True], ids=["by search", "by rollouts"])
def test_in_a_lesson_the_coach_recommends_the_best_answer_and_questions_the_bad_one(
    lesson: coach.Lesson, is_settled: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The data of the lesson contain the position, the best answer and the bad one.

    The explanation is short and begins with the clause.  It does not contain the recommendation.
    """
    if is_settled:
        monkeypatch.undo()  # also what `conftest` replaces
    state = vr.parse_position_line(lesson.position)
    assert not [*vr.problems_of(state)]
    game = TableGame.begin(state, b"", skip_forced=False)
    seat = game.now.asked
    assert seat is not None
    assert coach.is_led(game, seat)
    assert coach.is_new(game, seat)
    view = vr.view(state, seat)
    advice = advise(view)
    best = advice.suggestions[0].action
    assert vr.format_action(best) == lesson.best
    doubted = next(each for each in view.legal_actions if vr.format_action(each) == lesson.doubted)
    decision = judge(view, doubted)
    assert decision is not None
    assert coach.is_doubtful(game, seat, decision)
    for code in LANGUAGES:
        guide = Presenter(game, RED_AND_BLUE).coaching(seat, advice, code)
        assert guide is not None
        assert guide.rule is not None
        assert guide.answer is not None
        assert guide.text.startswith(guide.rule.text)
        assert len(guide.text) <= MOST
        assert LANGUAGES[code].describe_action(state, best) not in guide.text


def test_every_language_has_titles_for_all_lessons_in_the_recommended_order() -> None:
    """The lobby lists the titles in this order."""
    for language in LANGUAGES.values():
        assert [*language.table("talk.lessons")] == [*coach.lessons()]


async def test_a_lesson_begins_with_an_explanation_followed_by_a_recommended_answer(
    browser: Browser,
) -> None:
    """For an unknown lesson, the response has status 400 and lists all lessons."""
    status, refusal = await browser.request("lessons", {"lesson": "x"})
    assert (status, refusal["value"]["code"]) == (400, "table")
    assert "there are goods, " in refusal["value"]["message"]
    page = await browser.open("lessons", {"lesson": "site"})
    assert page.moment["guide"]["rule"]["clause"] == "BLD-1"
    message = await page.receive_until("guided")
    assert message["guide"]["answer"]["action"]["value"] == {"type": "Build", "site": 0}


async def test_a_table_opened_without_a_coach_has_no_guide(browser: Browser) -> None:
    """The page of such a table shows no explanations."""
    assert (await browser.open("tables", SOLO)).moment["guide"] is None
