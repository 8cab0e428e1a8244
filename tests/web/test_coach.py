"""A first game with a coach: what is explained, led and doubted, and that it grows less."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.web.client import WISH
from tests.web.test_embedded import SEATS, TABLE, Browser
from valletta_rules import Action, new_game, view
from valletta_rules.agenda import PlayerPrompt
from valletta_rules.analysis import Decision, Grade, advise, judge
from valletta_rules.audit import problems_of
from valletta_rules.codec import to_document
from valletta_rules.records.position_line import parse_position_line
from valletta_rules.text.notation import format_action
from valletta_rules.web import coaching
from valletta_rules.web.coach import (
    DOUBTED,
    LED,
    LESSON,
    Lesson,
    is_doubtful,
    is_led,
    is_new,
    lessons,
    turn_of,
)
from valletta_rules.web.game import Game
from valletta_rules.web.presenter import Presenter
from valletta_rules.web.store import LogEntry, Occupant
from valletta_rules.words import LANGUAGES

pytestmark = pytest.mark.anyio

COACHED = json.dumps({**WISH, "seats": SEATS, "is_shuffled": False, "is_coached": True})


MOST = 180
"""How many characters somebody who has never played is told at a time, beside one answer."""


def lesson() -> Game:
    """Return the game of the lesson, before its first question."""
    game = Game(new_game(2), LESSON)
    game.add(game.read(LogEntry(0, "open", None, "", game.opening())))
    return game


def played(game: Game, answer: Action) -> None:
    """Play an answer of whoever is asked."""
    assert game.now.asked is not None
    game.add(game.answer(game.now.asked, answer))


def test_each_kind_of_question_is_explained_once_and_two_turns_are_led() -> None:
    """With its clause, in both languages; who does what the coach says is never doubted."""
    game = lesson()
    presenter = Presenter(game, [Occupant("person", None, "", each) for each in ("red", "blue")])
    explained = list[type[PlayerPrompt]]()
    while (seat := game.now.asked) is not None and turn_of(game, 0) < 9:
        state = game.now.state
        assert isinstance(state.prompt, PlayerPrompt)
        advice = advise(view(state, seat))
        best = advice.suggestions[0].action
        assert is_led(game, seat) is (turn_of(game, seat) <= LED)
        for code in LANGUAGES if seat == 0 else ():
            guide = presenter.coaching(seat, advice if is_led(game, seat) else None, code)
            assert (guide is not None) is (is_new(game, seat) or is_led(game, seat))
            if guide is not None:
                assert len(guide.text) <= MOST
                assert "%" not in guide.text
                assert (guide.answer is not None) is is_led(game, seat)
            if guide is not None and guide.answer is not None:
                assert guide.answer.action == to_document(best)
            if guide is not None and is_new(game, seat):
                assert guide.rule is not None
                assert guide.rule.clause == state.prompt.clause
                assert guide.rule.text in guide.text
        if seat == 0 and is_new(game, seat):
            explained.append(type(state.prompt))
        judged = judge(view(state, seat), best)
        assert judged is None or not is_doubtful(game, seat, judged)
        played(game, best)
    assert len(explained) == len({*explained}) >= 4
    assert not is_led(game, 0)


def decision_of(seat: int, action: Action, grade: Grade) -> Decision:
    """Return an answer of a grade."""
    return Decision(
        move=0,
        turn=0,
        seat=seat,
        action=action,
        best=action,
        plan=(),
        lead=0.0,
        chance=0.0,
        lost_points=9.0,
        lost_chance=0.9,
        grade=grade,
        parts=(),
    )


def test_bad_answers_are_doubted_less_and_less() -> None:
    """A mistake at first, a blunder for longer, and in the end the coach is silent."""
    game, doubted = lesson(), dict.fromkeys(DOUBTED, 0)
    while (seat := game.now.asked) is not None and turn_of(game, 0) <= max(DOUBTED.values()):
        state = game.now.state
        best = advise(view(state, seat)).suggestions[0].action
        for grade, last in DOUBTED.items():
            decision = decision_of(seat, best, grade)
            assert is_doubtful(game, seat, decision) is (turn_of(game, seat) <= last)
            doubted[grade] += is_doubtful(game, seat, decision)
        played(game, best)
    assert all(doubted.values())


async def test_the_coach_tells_the_person_at_the_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """First the clause, then what he would do; an answer that he doubts is made when repeated."""
    monkeypatch.setattr(coaching, "is_doubtful", lambda *_: True)
    browser = Browser(tmp_path / "t")
    _, opened = await browser.ask("tables", COACHED)
    browser.sit(opened["table"], opened["invitations"][0]["token"])
    moment = (await browser.until("welcome"))["moment"]
    while not moment["choices"]:
        moment = (await browser.until("stepped"))["moment"]
    assert moment["guide"]["rule"]["clause"] == "SET-22"
    told = await browser.until("guided")
    assert told["guide"]["text"].startswith(moment["guide"]["text"])
    advised = told["guide"]["answer"]["action"]
    assert advised in [each["action"] for each in moment["choices"]]
    answer = {"type": "answer", "id": "1", "revision": moment["revision"], "action": advised}
    browser.tables.hear("page", json.dumps(answer))
    refused = (await browser.until("refused"))["refusal"]["value"]
    assert refused["code"] == "sure"
    assert refused["message"].startswith("Bist du sicher?")
    browser.tables.hear("page", json.dumps({**answer, "id": "2"}))
    assert (await browser.until("stepped"))["moment"]["revision"] == moment["revision"] + 1
    browser.tables.hear("page", None)
    await browser.until(None)


def game_of(lesson: Lesson) -> Game:
    """Return the game of a lesson, at its question."""
    game = Game(parse_position_line(lesson.position), b"", ())
    game.add(game.read(LogEntry(0, "open", None, "", game.opening())))
    return game


@pytest.mark.parametrize("lesson", lessons().values(), ids=list(lessons()))
def test_a_lesson_teaches_what_it_says(lesson: Lesson) -> None:
    """Its position is possible; the coach gives the best answer, and doubts the other one."""
    state = parse_position_line(lesson.position)
    assert not [*problems_of(state)]
    assert state.prompt is not None
    seat = state.prompt.seat
    assert seat is not None
    game = game_of(lesson)
    assert is_led(game, seat)
    assert is_new(game, seat)
    seen = view(state, seat)
    assert format_action(advise(seen).suggestions[0].action) == lesson.best
    doubted = next(each for each in seen.legal_actions if format_action(each) == lesson.doubted)
    decision = judge(seen, doubted)
    assert decision is not None
    assert is_doubtful(game, seat, decision)


def test_lessons_have_titles_in_all_languages() -> None:
    """In the order in which they are best taken."""
    for language in LANGUAGES.values():
        assert [*language.table("talk.lessons")] == [*lessons()]


@pytest.mark.parametrize("lesson", lessons().values(), ids=list(lessons()))
def test_a_lesson_is_told_in_few_words(lesson: Lesson) -> None:
    """Of its question, with its clause; what he advises is the answer beside it alone."""
    game = game_of(lesson)
    state = game.now.state
    presenter = Presenter(game, [Occupant("person", None, "", each) for each in ("red", "blue")])
    seat = game.now.asked
    assert seat is not None
    advice = advise(view(state, seat))
    for code in LANGUAGES:
        guide = presenter.coaching(seat, advice, code)
        assert guide is not None
        assert guide.rule is not None
        assert guide.answer is not None
        assert guide.text.startswith(guide.rule.text)
        assert len(guide.text) <= MOST
        advised = LANGUAGES[code].describe_action(state, advice.suggestions[0].action)
        assert advised not in guide.text


async def test_a_lesson_is_opened_with_its_coach(tmp_path: Path) -> None:
    """He explains the question and says what he would do; what is no lesson is refused."""
    browser = Browser(tmp_path / "t")
    status, refusal = await browser.ask("lessons", '{"lesson": "x"}')
    assert (status, refusal["value"]["code"]) == (400, "table")
    assert "there are goods, " in refusal["value"]["message"]
    _, opened = await browser.ask("lessons", '{"lesson": "site"}')
    (invited,) = opened["invitations"]
    browser.sit(opened["table"], invited["token"])
    moment: Any = (await browser.until("welcome"))["moment"]
    assert moment["guide"]["rule"]["clause"] == "BLD-1"
    told = await browser.until("guided")
    assert told["guide"]["answer"]["action"]["value"] == {"type": "Build", "site": 0}
    browser.tables.hear("page", None)
    await browser.until(None)


async def test_without_a_coach_nobody_says_anything(tmp_path: Path) -> None:
    """There is no guide at a usual table."""
    browser = Browser(tmp_path / "t")
    _, opened = await browser.ask("tables", TABLE)
    browser.sit(opened["table"], opened["invitations"][0]["token"])
    moment: Any = (await browser.until("welcome"))["moment"]
    assert moment["guide"] is None
    browser.tables.hear("page", None)
    await browser.until(None)
