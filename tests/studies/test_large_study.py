"""Studies of very many games: nothing of a game is held, and the check of that."""

from __future__ import annotations

import gc
import json
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from spec.checks import large_study
from valletta_rules import native
from valletta_rules.studies import GameResult, Store, Study, Sums, run
from valletta_rules.studies.course import Course
from valletta_rules.studies.run import play_batch

RUN = import_module("valletta_rules.studies.run")  # by this name there is a function, too
STUDY = Study(("random",), games=40, most_turns=4)


@contextmanager
def frozen() -> Iterator[None]:
    """Count nothing of what is there already, which would take most of the time."""
    gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


def held() -> int:
    """Return how many results and courses of games there are that were not before."""
    gc.collect()
    return sum(isinstance(each, GameResult | Course) for each in gc.get_objects())


def test_no_game_is_held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only those are that have just been played, whether a study has had few games or many."""
    monkeypatch.setattr(RUN, "BATCH_SECONDS", 1e-9)  # one game at a time
    during = list[int]()
    with frozen(), Store(tmp_path, STUDY) as store:
        run(store, tell=lambda _: during.append(held()))
        assert store.played == STUDY.size
        assert not store.waiting
        assert held() == 0
    assert len(during) >= STUDY.size // 2
    assert max(during) <= 2 * 2  # a result and a course of each of two batches


def test_sums_do_not_grow_with_the_games() -> None:
    """More games like those that were added up change numbers, but add none."""
    sums, (games, _, error) = Sums(STUDY), play_batch(STUDY, range(20))
    assert error is None
    sizes = list[int]()
    for _ in range(4):
        for game in games:
            sums.add([game])
        sizes.append(len(sums.counts))
    assert len({*sizes[1:]}) == 1
    assert sums.games == 80
    assert (len(sums.round), len(sums.times), sums.skills) == (1, 1, {})


@pytest.mark.skipif(not native.available, reason=str(native.why_not))
def test_several_processes_play_what_one_plays(
    tmp_path: Path,
    figures: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The command goes on with what is there, compares, and publishes what it took.

    For more: ``python -m spec.checks.large_study --games 1000000``.
    """
    monkeypatch.delitem(large_study.EXECUTORS, "dask")  # see `tests/studies/cluster.py`
    asked = ["--games", "100", "--out", str(tmp_path)]
    assert large_study.main(["--only", "processes", "--games", "50", *asked[2:]]) == 0
    assert json.loads(capsys.readouterr().out)["played"] == 50
    assert large_study.main(asked) == 0
    processes, alone = json.loads(figures.read_text("utf-8"))["runs"].values()
    assert (processes["games"], processes["played"], alone["games"]) == (100, 50, 10)
    assert processes["bytes"] == (tmp_path / "processes" / "games.csv").stat().st_size
    path = tmp_path / "alone" / "games.csv"
    path.write_text(path.read_text().replace(",over,", ",turns,", 1))
    assert large_study.digest(tmp_path / "alone", 10) != large_study.digest(
        tmp_path / "processes", 10
    )


def test_what_is_wrong_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Too many bytes, memory that grows, other games; and without a backend there is nothing."""
    good: dict[str, Any] = {"by": "alone", "games": 10, "bytes": 2000}
    good["in_memory"] = {"1": 9 << 20, "10": 10 << 20, "100": 12 << 20}
    assert not large_study.problems([good], ["a", "a"])
    large = good | {"bytes": 2001}
    grown = good | {"in_memory": good["in_memory"] | {"100": 19 << 20}}
    found = large_study.problems([grown, large], ["a", "b"])
    assert [each.partition(":")[0].partition(" from")[0] for each in found] == [
        "by alone",
        "memory grows",
        "the games differ",
    ]
    monkeypatch.setattr(large_study, "compare", lambda *_: 1)
    assert large_study.main([]) == 1 or native.why_not is not None
    monkeypatch.setattr(native, "why_not", "it is not there")
    assert large_study.main([]) == 2
