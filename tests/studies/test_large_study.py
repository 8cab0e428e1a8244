"""Tests that a study with many games needs no more memory than one with few games."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from valletta_rules.studies import GameResult, Store, Study, Totals, run_study
from valletta_rules.studies.run import play_batch
from valletta_rules.studies.timeline import Timeline

STUDY = Study(("random",), games=40, most_turns=4)


@contextmanager
def frozen() -> Iterator[None]:
    """Exclude all existing objects from garbage collection.

    New objects can then be counted quickly.
    """
    gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


def count_results() -> int:
    """Return the number of game results and timelines created since `frozen` began."""
    gc.collect()
    return sum(isinstance(each, GameResult | Timeline) for each in gc.get_objects())


def test_a_running_study_has_only_the_games_of_the_last_two_batches_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the test, a batch is one game. After the study, no game is in memory."""
    monkeypatch.setattr("valletta_rules.studies.run.BATCH_SECONDS", 1e-9)  # one game at a time
    during = list[int]()
    with frozen(), Store(tmp_path, STUDY) as store:
        run_study(store, on_progress=lambda _: during.append(count_results()))
        assert store.played == STUDY.size
        assert not store.waiting
        assert count_results() == 0
    assert len(during) >= STUDY.size // 2
    assert max(during) <= 2 * 2  # a result and a course of each of two batches


def test_adding_the_same_games_again_adds_no_entries_to_the_totals() -> None:
    """The test adds 20 games four times.

    The number of entries is constant from the second time on.
    """
    sums, (games, _, error) = Totals(STUDY), play_batch(STUDY, range(20))
    assert error is None
    sizes = list[int]()
    for _ in range(4):
        for game in games:
            sums.add([game])
        sizes.append(len(sums.counts))
    assert len({*sizes[1:]}) == 1
    assert sums.games == 80
    assert (len(sums.round), len(sums.times)) == (1, 1)
