"""Running studies: in this process, by other processes, by executors that break."""

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
from valletta_rules.studies.run import BatchResult, InlineExecutor, open_processes, play_batch, run
from valletta_rules.studies.store import GAMES
from valletta_rules.studies.totals import Played, Totals

RUN = import_module("valletta_rules.studies.run")  # there is a function of this name, too
STORE = import_module("valletta_rules.studies.store")
ROOT = Path(__file__).parents[2]


def test_a_study_is_played_to_the_end(serial: Whole) -> None:
    """The store contains all games, each equal to its job played alone."""
    sums, games = serial
    assert sums.games == 10
    assert games == [play_game(job).result for job in STUDY.jobs()]


def test_a_pool_whose_process_dies_is_replaced(tmp_path: Path, serial: Whole) -> None:
    """Processes play the same games, and unfinished games of a broken pool are played again."""
    opened = []

    def open_executor() -> Executor:
        opened.append(executor := open_processes(2))
        executor.submit(die_once, str(tmp_path / "died"))
        return executor

    with Store(tmp_path / "study", STUDY) as store:
        run(store, open_executor, workers=2)
    assert (tmp_path / "died").exists()
    assert len(opened) == 2
    assert read_whole(tmp_path / "study") == serial


def test_a_killed_study_is_resumed_to_the_same_sums(tmp_path: Path, serial: Whole) -> None:
    """After a `kill -9` no process is left over."""
    command = [sys.executable, "-m", "tests.studies.executors", str(tmp_path)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE) as driver:
        assert driver.stdout is not None
        assert 0 < int(driver.stdout.readline()) < 10
        driver.send_signal(signal.SIGKILL)
        assert not driver.stdout.read()  # ends when no process is left that could write to it
    before = _lines(tmp_path)[:2]  # none yet if later games ended first
    with Store(tmp_path, STUDY) as store:
        assert 0 < store.played < 10
        run(store)
    assert _lines(tmp_path)[: len(before)] == before
    assert read_whole(tmp_path) == serial


def _lines(folder: Path) -> list[str]:
    path = folder / GAMES
    text = path.read_text() if path.exists() else ""
    return text[: text.rfind("\n") + 1].splitlines()  # the last one may have been cut off


def test_an_executor_that_breaks_at_once_is_given_up(tmp_path: Path) -> None:
    """An executor that has played games is opened again; three without a result end the study."""
    batches = iter([0, 2, 1, 2, 0, 0, 0])
    with Store(tmp_path, STUDY) as store:
        with pytest.raises(BrokenExecutor):
            run(store, lambda: Fragile(next(batches)))
        assert not list(batches)


def played(number: int, study: Study = STUDY) -> Played:
    """Return the stored data of a game of a study."""
    game = play_game(study.job(number))
    return game.result, game.course


def test_games_that_finish_early_wait_for_their_turn(tmp_path: Path, serial: Whole) -> None:
    """They are added in the order of the games, and stored while they wait."""
    with Store(tmp_path, STUDY) as store:
        store.add({number: played(number) for number in (1, 2, 5)})
        assert (store.sums.games, store.played) == (0, 3)
    with Store(tmp_path, STUDY) as store:
        assert sorted(store.waiting) == [1, 2, 5]
        assert list(store.missing()) == [0, 3, 4, 6, 7, 8, 9]
        store.add({number: played(number) for number in (0, 3)})
        assert (store.sums.games, store.played) == (4, 5)
        run(store)
        assert not store.waiting
    assert read_whole(tmp_path) == serial


def test_the_number_of_waiting_games_is_limited(
    tmp_path: Path, serial: Whole, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No others start while too many wait; fewer are stored in the folder."""
    monkeypatch.setattr(RUN, "MOST_WAITING", 2)
    monkeypatch.setattr(STORE, "MOST_KEPT", 1)
    with Store(tmp_path, STUDY) as store:
        store.add({number: played(number) for number in (1, 2, 3)})
    with Store(tmp_path, STUDY) as store:
        assert sorted(store.waiting) == [1]
        store.add({number: played(number) for number in (2, 3)})
        waited = []
        run(store, tell=lambda store: waited.append(len(store.waiting)))
        assert max(waited) <= 3
    assert read_whole(tmp_path) == serial


def test_a_test_ends_a_study(tmp_path: Path) -> None:
    """After the verdict only games under way are played, and none when it is resumed."""
    study = Study(("automatic", "random"), games=1000, sprt=Sprt(0, 35, least=3))
    told = []
    with Store(tmp_path, study) as store:
        run(store, tell=lambda store: told.append(store.played))
        verdict = store.sums.verdict
        assert verdict is not None
        assert verdict.accepted == "H1"
        assert 2 * verdict.blocks == store.sums.games == store.played < 20
        run(store, lambda: Fragile(0))
    assert len(list(read_games(tmp_path))) == store.sums.games
    again = Totals(study)
    for number in range(0, store.sums.games, 2):
        assert not again.is_decided
        again.add([played(number, study), played(number + 1, study)])
    assert again == store.sums


@pytest.mark.parametrize("error", [RuntimeError("a bot gave up"), KeyboardInterrupt()])
@pytest.mark.parametrize("number", [3, 4])
def test_an_error_of_a_game_ends_the_study(
    error: BaseException, number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Results before it are stored, also those of the same batch."""
    batches = list[int]()

    def fail(job: Job) -> PlayedGame:
        if job == study.job(number):
            raise error
        return play_game(job)

    def play(study: Study, numbers: Sequence[int]) -> BatchResult:
        batches.append(len(numbers))
        return play_batch(study, numbers)

    monkeypatch.setattr(RUN, "play_game", fail)
    monkeypatch.setattr(RUN, "play_batch", play)
    monkeypatch.setattr(RUN, "BATCH_SECONDS", 1000)
    study = attrs.evolve(STUDY, most_turns=1)
    with Store(tmp_path, study) as store, pytest.raises(type(error)) as raised:
        run(store)
    assert raised.value is error
    assert batches == [1, 2, 4]
    assert len(list(read_games(tmp_path))) == number


def test_waiting_games_are_cancelled_when_a_study_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Games that an executor has not begun are not played."""
    waiting = Future[Any]()

    class Busy(InlineExecutor):
        def submit(self, call: Callable[..., Any], /, *given: Any, **named: Any) -> Future[Any]:
            return waiting if given[1] == (0,) else super().submit(call, *given, **named)

    def fail(job: Job) -> PlayedGame:
        raise RuntimeError("a bot gave up")

    monkeypatch.setattr(RUN, "play_game", fail)
    with Store(tmp_path, STUDY) as store, pytest.raises(RuntimeError, match="gave up"):
        run(store, Busy, workers=2)
    assert waiting.cancelled()
