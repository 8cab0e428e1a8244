"""Tests of trials: tables on which a reader can play a position or a worked example."""

import json
from typing import Any

import pytest

import valletta_rules as vr
from tests.web.client import Browser
from valletta_rules.bots import LEVELS
from valletta_rules.specification.worked_examples import example_named, work
from valletta_rules.web.game import TableGame, position_of
from valletta_rules.web.lobby import lay_trial

pytestmark = pytest.mark.anyio


def wish(position: str | None, example: str | None, against: str | None = None) -> str:
    """Return the body of a request that opens a trial."""
    return json.dumps({"position": position, "example": example, "against": against})


@pytest.mark.parametrize("chapter", vr.chapters(), ids=lambda each: each.name)
def test_every_worked_example_can_be_played_with_its_own_actions_and_random_outcomes(
    chapter: Any,
) -> None:
    """If the last action of an example is illegal, it is refused with the expected violation."""
    for worked in (work(each) for clause in chapter.clauses for each in clause.examples):
        laid = lay_trial(b"", wish(None, str(worked.example)))
        game = TableGame.begin(worked.before, b"", script=worked.actions, skip_forced=False)
        assert laid.log == (vr.to_json(game.now.entry),)
        assert json.loads(laid.documents.options)["position"] == vr.position_line(worked.before)
        for number, action in enumerate(worked.actions, 1):
            if isinstance(action, vr.ChanceAction):
                continue
            assert action == game.next_in_script()
            if number < len(worked.actions) or worked.violation is None:
                game.add(game.answer(game.now.asked or 0, action))
            elif game.now.asked is not None:
                with pytest.raises(vr.IllegalActionError) as refused:
                    game.answer(game.now.asked, action)
                assert refused.value.violation == worked.violation
        assert worked.violation is not None or game.has_played_script()


async def test_a_trial_of_an_example_recommends_its_actions_until_the_reader_chooses_another_one(
    browser: Browser,
) -> None:
    """In addition, takebacks need no agreement, and requesting a record of the trial is refused."""
    _, opened = await browser.request("trials", wish(None, "BLD-6/two-neighbours"))
    page = await browser.open_page(opened)
    assert (page.messages[0]["is_trial"], page.moment["viewer"], page.waits_for) == (True, 0, None)
    guide = page.moment["guide"]
    assert guide["text"] == example_named("BLD-6/two-neighbours", "de").says
    assert guide["rule"]["clause"] == "BLD-6"
    await page.answer(guide["answer"]["action"]["value"])
    answer = page.moment["guide"]["answer"]
    assert answer is not None
    assert (page.undo["to"], page.undo["needs_agreement"]) == (0, False)
    await page.answer(next(each for each in page.legal if each != answer["action"]["value"]))
    assert page.moment["guide"]["answer"] is None
    token = opened["invitations"][0]["token"]
    status, refusal = await browser.request(f"tables/{opened['table']}/record", token=token)
    assert (status, refusal["value"]["code"]) == (403, "is-trial")


@pytest.mark.parametrize("level", LEVELS)
async def test_a_trial_of_a_position_is_played_against_bots_of_the_requested_level(
    browser: Browser, level: str
) -> None:
    """The reader plays the seat that must act. The position line is parsed once and then cached."""
    line = vr.position_line(work(example_named("TRN-3/the-other-lumberjack")).before)
    position_of.cache_clear()
    page = await browser.open("trials", wish(line, None, level))
    assert position_of.cache_info()[:2] == (1, 1)
    assert page.own == (page.moment["asked"],)
    while page.moment["asked"] is not None and page.revision < 12:
        await (page.play() if page.legal else page.receive_until("stepped"))


@pytest.mark.parametrize(
    ("body", "code", "expected"),
    [
        (wish("valletta/2 rules=hans-im-glueck", None), "position-line", "seats"),
        (wish(None, "BLD-6/nothing"), "unknown-clause", "BLD-6/nothing"),
        (wish(None, "XYZ-1/nothing"), "unknown-clause", "XYZ-1"),
        (wish(None, None), "table", "either a position or an example"),
        (wish("valletta/2", "BLD-6/two-neighbours"), "table", "either a position or an example"),
        (wish("", None, "nobody"), "message", "nobody"),
    ],
)
async def test_an_invalid_request_for_a_trial_gets_status_400_with_code_and_message(
    browser: Browser, body: str, code: str, expected: str
) -> None:
    """A valid request contains either a position line or the name of an example."""
    status, refusal = await browser.request("trials", body)
    assert (status, refusal["value"]["code"]) == (400, code)
    assert expected in refusal["value"]["message"]
