"""Tests of the report with the analysis of a game."""

import random
import re
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tests.web.client import SOLO, Browser, Page, document, hands
from valletta_rules import Game, Record, Session, format_record, legal_actions, replay, to_json
from valletta_rules.analysis import Grade, analyse
from valletta_rules.analysis.words import describe_limits
from valletta_rules.web import workers
from valletta_rules.web.game import stored_game
from valletta_rules.web.presenter import Presenter
from valletta_rules.web.store import Occupant, StoredEntry, TableDocuments, TableStore
from valletta_rules.web.workers import BusyError, LocalWorkers, WorkerError
from valletta_rules.words import LANGUAGES

pytestmark = pytest.mark.anyio


def unfinished_record() -> Record:
    """Return the record of an unfinished game with 40 random answers."""
    rng, session = random.Random(3), Session(2, seed=3)
    for _ in range(40):
        session.play(rng.choice(legal_actions(session.state)))
    return session.record


RECORD = unfinished_record()


def test_each_judged_answer_in_a_report_has_the_revision_of_its_prompt() -> None:
    """Readers can thus view the position of the prompt. English and German reports are tested."""
    entries = Game.resume(RECORD, draw=None).log
    log = [StoredEntry(entry.revision, to_json(entry)) for entry in entries]
    game = stored_game(TableDocuments("{}", b"", "1.0"), log)
    for stored in log[1:]:
        game.add(game.read(stored))
    seats = [Occupant("bot", "novice", name, name) for name in ("red", "blue")]
    analysis, presenter = analyse(RECORD), Presenter(game, seats)
    states = [RECORD.start, *(step.state for step in replay(RECORD))]
    bad = [each for each in analysis.decisions if each.grade is not Grade.GOOD]
    assert bad, "random answers are not good"
    for code in LANGUAGES:
        report = presenter.report(analysis, code)
        assert [len(line) for line in report.lines] == [len(report.headings)] * 2
        for judged, decision in zip(report.answers, bad, strict=True):
            assert game.steps[judged.revision].position == states[decision.move]
        for section in report.sections:
            assert all(judged.revision < len(game.steps) for judged in section.told)


async def request_analysis(page: Page, request: str) -> tuple[list[float], Any]:
    """Request an analysis; return the fractions in the progress messages, and the report."""
    page.send_json("analyse", id=request)
    done = []
    while (message := await page.receive_until("analysed"))["report"] is None:
        assert message["id"] == request
        done.append(message["done"])
    return done, message["report"]


async def test_an_analysis_reports_progress_and_is_returned_at_once_when_requested_again(
    browser: Browser,
) -> None:
    """A progress message is sent after about every twentieth of the analysis."""
    page = await browser.open("replay", format_record(RECORD))
    done, report = await request_analysis(page, "1")
    assert all(after - before > 0.04 for before, after in pairwise(done)), "a twentieth at a time"
    assert report["limits"] == describe_limits(LANGUAGES["de"], analyse(RECORD))
    assert await request_analysis(page, "2") == ([], report)


@pytest.mark.parametrize("is_readable", [True, False])
async def test_a_stored_analysis_is_used_again_after_a_restart_unless_it_cannot_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_readable: bool
) -> None:
    """If another version has stored it in an unknown format, the analysis is computed again."""
    reports = list[object]()
    _, opened = await Browser(tmp_path / "t").request("replay", format_record(RECORD))
    for again in (False, True):
        if again and is_readable:
            monkeypatch.setattr(workers, "analysing", None)
        page = await Browser(tmp_path / "t").open_page(opened)
        assert page.messages[0]["is_analysed"] is again
        done, report = await request_analysis(page, "1")
        assert bool(done) is not (again and is_readable), "a stored analysis is there at once"
        reports.append(report)
        await page.leave()
        if not is_readable:
            with closing(TableStore(tmp_path / "t", journal="TRUNCATE")) as store:
                assert store.analysis(opened["table"]) not in (None, "{}")
                store.keep_analysis(opened["table"], "{}")
    assert reports[0] == reports[1]


async def test_a_page_can_stop_its_analysis_and_request_it_again(
    browser: Browser,
) -> None:
    """A request to stop an analysis must contain the id of the analysis."""
    page = await browser.open("replay", format_record(RECORD))
    page.send_json("analyse", id="1")
    await page.receive_until("analysed")
    for request in ("2", "1"):  # first an id that is not the analysis's
        page.send_json("stop", id=request)
        assert (await page.receive_until("ack"))["id"] == request
        if request == "2":
            before = await page.receive_until("analysed")
            assert (before["id"], before["report"]) == ("1", None)
    done, _ = await request_analysis(page, "3")
    assert done[0] < before["done"]


async def test_a_request_to_analyse_an_unfinished_game_is_refused(browser: Browser) -> None:
    """An analysis during the game would reveal the best answers to a player."""
    assert await (await browser.open("tables", SOLO)).refusal_code("analyse") == "not-over"


async def open_flagged_record(browser: Browser) -> tuple[Page, list[Any]]:
    """Open the record; return the page and the answers that the analysis judges to be mistakes."""
    page = await browser.open("replay", format_record(RECORD))
    _, report = await request_analysis(page, "1")
    assert report["answers"], "random answers are not good"
    return page, report["answers"]


async def test_reopening_a_prompt_shows_its_choices_and_only_the_hand_of_its_player(
    browser: Browser,
) -> None:
    """A page with a record shows all hands, but here the opponent's hand is hidden."""
    page, answers = await open_flagged_record(browser)
    for each in answers:
        moment = (await page.request("reopen", at=each["revision"]))["moment"]
        assert moment["viewer"] == moment["asked"] == each["seat"]
        assert [seat for seat, hand in enumerate(hands(moment)) if hand is None] == [
            1 - each["seat"]
        ]
        legal = moment["view"]["value"]["legal_actions"]
        offered = [choice["action"]["value"] for choice in moment["choices"]]
        assert offered == ([] if moment["payment"] else legal)
        assert each["best"]["value"] in legal
        assert each["answer"]["value"] in legal


async def test_a_second_try_at_a_prompt_accepts_the_best_answer_and_rejects_the_original_one(
    browser: Browser,
) -> None:
    """The sentence about the rejected answer states the loss, but not the best answer."""
    page, answers = await open_flagged_record(browser)
    for each in answers:
        right, wrong = [
            await page.request("retry", at=each["revision"], action=each[key])
            for key in ("best", "answer")
        ]
        assert (right["is_right"], wrong["is_right"]) == (True, False)
        assert right["sentence"].startswith("Auch gut: ")
        loss = re.fullmatch(r"Noch nicht: .* \((.*) schlechter\)\.", wrong["sentence"])
        assert loss is not None
        assert f"({loss[1]} schlechter, " in each["sentence"]


async def test_a_second_try_with_an_illegal_action_or_at_an_unknown_revision_is_refused(
    browser: Browser,
) -> None:
    """The codes of the refusals are `stale` and `no-moment`."""
    page, answers = await open_flagged_record(browser)
    hire = document({"type": "Hire", "character": "maid"})
    assert await page.refusal_code("retry", at=answers[0]["revision"], action=hire) == "stale"
    for kind, content in (("reopen", {}), ("retry", {"action": answers[0]["best"]})):
        assert await page.refusal_code(kind, at=len(RECORD.actions), **content) == "no-moment"


@pytest.mark.parametrize(
    ("error", "reason"), [(BusyError("wait"), "too-fast"), (WorkerError("ended"), "failed")]
)
async def test_a_second_try_that_fails_because_of_the_workers_can_be_repeated(
    browser: Browser, monkeypatch: pytest.MonkeyPatch, error: Exception, reason: str
) -> None:
    """The code of the refusal says whether the workers are busy or have failed."""
    page, (first, *_) = await open_flagged_record(browser)

    async def run(*_: object) -> None:
        raise error

    wish = {"at": first["revision"], "action": first["best"]}
    with monkeypatch.context() as patched:
        patched.setattr(LocalWorkers, "run", run)
        assert await page.refusal_code("retry", **wish) == reason
    assert (await page.request("retry", **wish))["is_right"]
