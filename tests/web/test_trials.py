"""Trials: tables at a position, or at that of a worked example, whose answers they know."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.web.test_embedded import Browser
from valletta_rules.actions import ChanceAction
from valletta_rules.bots import LEVELS
from valletta_rules.errors import IllegalActionError
from valletta_rules.records.position_line import position_line
from valletta_rules.specification.clauses import chapters
from valletta_rules.specification.worked_examples import example_named, work
from valletta_rules.web.game import Game
from valletta_rules.web.lobby import lay_trial
from valletta_rules.web.store import LogEntry

pytestmark = pytest.mark.anyio

WORKED = [work(each) for ch in chapters() for clause in ch.clauses for each in clause.examples]
"""All worked examples."""


def wish(position: str | None, example: str | None, against: str | None = None) -> str:
    """Return the text of a request for a trial."""
    return json.dumps({"position": position, "example": example, "against": against})


@pytest.mark.parametrize("chapter", [each.name for each in chapters()])
def test_an_example_is_played_as_it_is_told(chapter: str) -> None:
    """Chance does what it says, no answer is forced, and what it refuses is refused."""
    names = {
        str(e) for ch in chapters() if ch.name == chapter for c in ch.clauses for e in c.examples
    }
    for worked in (each for each in WORKED if str(each.example) in names):
        laid = lay_trial(b"", wish(None, str(worked.example)))
        assert json.loads(laid.documents.options)["position"] == position_line(worked.before)
        game = Game(worked.before, b"", worked.actions)
        game.add(game.read(LogEntry(0, "open", None, "", laid.documents.chance)))
        for number, action in enumerate(worked.actions, 1):
            if isinstance(action, ChanceAction):
                continue
            assert action == game.next_in_script()
            if number < len(worked.actions) or worked.violation is None:
                game.add(game.answer(game.now.asked or 0, action))
            elif game.now.asked is not None:
                with pytest.raises(IllegalActionError) as refused:
                    game.answer(game.now.asked, action)
                assert refused.value.violation == worked.violation
        assert worked.violation is not None or game.has_played_script()


async def test_the_reader_is_led_through_an_example_and_may_leave_it(tmp_path: Path) -> None:
    """Nobody's hand is hidden, what was played can be taken back, and there is no record."""
    browser = Browser(tmp_path / "t")
    _, opened = await browser.ask("trials", wish(None, "BLD-6/two-neighbours"))
    browser.sit(opened["table"], *(each["token"] for each in opened["invitations"]))
    welcome = await browser.until("welcome")
    moment = welcome["moment"]
    assert (welcome["is_trial"], moment["viewer"], moment["waits_for"]) == (True, 0, None)
    guide = moment["guide"]
    assert guide["text"] == example_named("BLD-6/two-neighbours", "de").says
    assert guide["rule"]["clause"] == "BLD-6"
    answer = {"type": "answer", "id": "1", "revision": 0, "action": guide["answer"]["action"]}
    browser.tables.hear("page", json.dumps(answer))
    moment = (await browser.until("stepped"))["moment"]
    assert moment["guide"]["answer"] is not None
    assert (moment["undo"]["to"], moment["undo"]["needs_agreement"]) == (0, False)
    other = next(each for each in moment["choices"] if each != moment["guide"]["answer"])
    other = {"type": "answer", "id": "2", "revision": 1, "action": other["action"]}
    browser.tables.hear("page", json.dumps(other))
    assert (await browser.until("stepped"))["moment"]["guide"]["answer"] is None
    path = f"tables/{opened['table']}/record"
    status, refusal = await browser.ask(path, token=opened["invitations"][0]["token"])
    assert (status, refusal["value"]["code"]) == (403, "is-trial")
    browser.tables.hear("page", None)
    await browser.until(None)


@pytest.mark.parametrize("level", LEVELS)
async def test_a_position_is_played_on_against_bots(tmp_path: Path, level: str) -> None:
    """They have all seats but the one that is asked, and answer from what they know there."""
    browser = Browser(tmp_path / "t")
    line = position_line(work(example_named("TRN-3/the-other-lumberjack")).before)
    _, opened = await browser.ask("trials", wish(line, None, level))
    (own,) = opened["invitations"]
    browser.sit(opened["table"], own["token"])
    moment = (await browser.until("welcome"))["moment"]
    assert moment["asked"] == own["seat"]
    answered = 0
    while moment["asked"] is not None and answered < 12:
        if moment["asked"] == own["seat"]:
            action = (moment["choices"] or moment["view"]["value"]["legal_actions"])[0]
            said = {"id": str(answered), "revision": moment["revision"], "action": action["action"]}
            browser.tables.hear("page", json.dumps({"type": "answer", **said}))
        answered += 1
        moment = (await browser.until("stepped"))["moment"]
    browser.tables.hear("page", None)
    await browser.until(None)


@pytest.mark.parametrize(
    ("body", "code", "said"),
    [
        (wish("valletta/2 rules=hans-im-glueck", None), "position-line", "seats"),
        (wish(None, "BLD-6/nothing"), "unknown-clause", "BLD-6/nothing"),
        (wish(None, "XYZ-1/nothing"), "unknown-clause", "XYZ-1"),
        (wish(None, None), "table", "a position or at an example"),
        (wish("", None, "nobody"), "message", "nobody"),
    ],
)
async def test_what_cannot_be_opened_is_refused(
    tmp_path: Path, body: str, code: str, said: str
) -> None:
    """It is said what is wrong with it."""
    status, refusal = await Browser(tmp_path / "t").ask("trials", body)
    assert (status, refusal["value"]["code"]) == (400, code)
    assert said in refusal["value"]["message"]
