"""Tests of running a study in this process, in other processes, and in executors that break."""

import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future
from importlib import import_module
from pathlib import Path
from typing import Any

import attrs
import pytest

from tests.studies.conftest import Whole, read_whole
from tests.studies.executors import STUDY, Fragile, die_once
from valletta_rules.studies import Job, Sprt, Store, Study, play_game, read_games
from valletta_rules.studies.game import PlayedGame
from valletta_rules.studies.run import (
    BatchResult,
    InlineExecutor,
    open_processes,
    play_batch,
    run_study,
)
from valletta_rules.studies.store import GAMES
from valletta_rules.studies.totals import Played, Totals

STORE = import_module("valletta_rules.studies.store")
ROOT = Path(__file__).parents[2]


def test_the_results_of_a_study_equal_those_of_its_jobs_played_one_by_one(serial: Whole) -> None:
    """The study in this test runs in the current process."""
    sums, games = serial
    assert sums.games == 10
    assert games == [play_game(job).result for job in STUDY.jobs()]


def test_a_broken_process_pool_is_replaced_without_an_effect_on_the_results(
    tmp_path: Path, serial: Whole
) -> None:
    """A process of the first pool exits. Its unfinished games are played again."""
    opened = []

    def open_executor() -> Executor:
        opened.append(executor := open_processes(2))
        executor.submit(die_once, str(tmp_path / "died"))
        return executor

    with Store(tmp_path / "study", STUDY) as store:
        run_study(store, open_executor, workers=2)
    assert (tmp_path / "died").exists()
    assert len(opened) == 2
    assert read_whole(tmp_path / "study") == serial


def test_a_study_that_was_killed_and_resumed_has_the_same_results(
    tmp_path: Path, serial: Whole
) -> None:
    """The results equal those of an uninterrupted study.

    SIGKILL leaves no child process, and stored games are not played again.
    """
    command = [sys.executable, "-m", "tests.studies.executors", str(tmp_path)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE) as driver:
        assert driver.stdout is not None
        assert 0 < int(driver.stdout.readline()) < 10
        driver.send_signal(signal.SIGKILL)
        assert not driver.stdout.read()  # ends when no process is left that could write to it
    before = _lines(tmp_path)[:2]  # none yet if later games ended first
    with Store(tmp_path, STUDY) as store:
        assert 0 < store.played < 10
        run_study(store)
    assert _lines(tmp_path)[: len(before)] == before
    assert read_whole(tmp_path) == serial


def _lines(folder: Path) -> list[str]:
    path = folder / GAMES
    text = path.read_text() if path.exists() else ""
    return text[: text.rfind("\n") + 1].splitlines()  # the last one may have been cut off


def test_a_study_ends_after_three_executors_that_broke_without_a_result(tmp_path: Path) -> None:
    """An executor that breaks after a result is replaced and is not counted."""
    batches = iter([0, 2, 1, 2, 0, 0, 0])
    with Store(tmp_path, STUDY) as store:
        with pytest.raises(BrokenExecutor):
            run_study(store, lambda: Fragile(next(batches)))
        assert not list(batches)


def played(number: int, study: Study = STUDY) -> Played:
    """Play a game of a study, and return its result and timeline."""
    game = play_game(study.job(number))
    return game.result, game.course


def test_games_that_finish_out_of_order_are_stored_and_counted_in_order(
    tmp_path: Path, serial: Whole
) -> None:
    """A game is added to the totals only after all games with smaller numbers."""
    with Store(tmp_path, STUDY) as store:
        store.add({number: played(number) for number in (1, 2, 5)})
        assert (store.sums.games, store.played) == (0, 3)
    with Store(tmp_path, STUDY) as store:
        assert sorted(store.waiting) == [1, 2, 5]
        assert list(store.missing()) == [0, 3, 4, 6, 7, 8, 9]
        store.add({number: played(number) for number in (0, 3)})
        assert (store.sums.games, store.played) == (4, 5)
        run_study(store)
        assert not store.waiting
    assert read_whole(tmp_path) == serial


def test_no_new_games_start_while_too_many_finished_games_wait_for_earlier_ones(
    tmp_path: Path, serial: Whole, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The folder of the study also stores only a limited number of the waiting games."""
    monkeypatch.setattr("valletta_rules.studies.run.MOST_WAITING", 2)
    monkeypatch.setattr(STORE, "MOST_STORED", 1)
    with Store(tmp_path, STUDY) as store:
        store.add({number: played(number) for number in (1, 2, 3)})
    with Store(tmp_path, STUDY) as store:
        assert sorted(store.waiting) == [1]
        store.add({number: played(number) for number in (2, 3)})
        waited = []
        run_study(store, on_progress=lambda store: waited.append(len(store.waiting)))
        assert max(waited) <= 3
    assert read_whole(tmp_path) == serial


def test_a_study_stops_when_its_sequential_test_has_a_verdict(tmp_path: Path) -> None:
    """Games that have already begun are finished. Resuming the study starts no more games."""
    study = Study(("automatic", "random"), games=1000, sprt=Sprt(0, 35, least=3))
    progress = []
    with Store(tmp_path, study) as store:
        run_study(store, on_progress=lambda store: progress.append(store.played))
        verdict = store.sums.verdict
        assert verdict is not None
        assert verdict.accepted == "H1"
        assert 2 * verdict.blocks == store.sums.games == store.played < 20
        run_study(store, lambda: Fragile(0))
    assert len(list(read_games(tmp_path))) == store.sums.games
    again = Totals(study)
    for number in range(0, store.sums.games, 2):
        assert not again.is_decided
        again.add([played(number, study), played(number + 1, study)])
    assert again == store.sums


@pytest.mark.parametrize("error", [RuntimeError("the bot cannot decide"), KeyboardInterrupt()])
@pytest.mark.parametrize("number", [3, 4])
def test_an_error_in_a_game_ends_the_study_after_storing_all_earlier_games(
    error: BaseException, number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Earlier games of the same batch are also stored."""
    batches = list[int]()

    def fail(job: Job) -> PlayedGame:
        if job == study.job(number):
            raise error
        return play_game(job)

    def play(study: Study, numbers: Sequence[int]) -> BatchResult:
        batches.append(len(numbers))
        return play_batch(study, numbers)

    monkeypatch.setattr("valletta_rules.studies.run.play_game", fail)
    monkeypatch.setattr("valletta_rules.studies.run.play_batch", play)
    monkeypatch.setattr("valletta_rules.studies.run.BATCH_SECONDS", 1000)
    study = attrs.evolve(STUDY, most_turns=1)
    with Store(tmp_path, study) as store, pytest.raises(type(error)) as raised:
        run_study(store)
    assert raised.value is error
    assert batches == [1, 2, 4]
    assert len(list(read_games(tmp_path))) == number


def test_after_an_error_in_a_game_the_study_cancels_games_that_have_not_begun(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The test uses two workers. After the error, the study does not wait for the other one."""
    waiting = Future[Any]()

    class Busy(InlineExecutor):
        def submit(self, call: Callable[..., Any], /, *given: Any, **named: Any) -> Future[Any]:
            return waiting if given[1] == (0,) else super().submit(call, *given, **named)

    def fail(job: Job) -> PlayedGame:
        raise RuntimeError("the bot cannot decide")

    monkeypatch.setattr("valletta_rules.studies.run.play_game", fail)
    with Store(tmp_path, STUDY) as store, pytest.raises(RuntimeError, match="cannot decide"):
        run_study(store, Busy, workers=2)
    assert waiting.cancelled()
