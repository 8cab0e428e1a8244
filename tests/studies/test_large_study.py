"""Studies of very many games: nothing of a game is held, and the check of that."""

from __future__ import annotations

import gc
import json
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path

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
    assert (len(sums.round), len(sums.times)) == (1, 1)


@pytest.mark.skipif(not native.available, reason=str(native.why_not))
def test_several_processes_play_what_one_plays(
    tmp_path: Path,
    figures: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The command goes on with what is there, compares, and publishes what it took.

    For more: ``python -m spec.checks.large_study --games 1000000 --out FOLDER``.
    """
    monkeypatch.delitem(large_study.EXECUTORS, "dask")  # see `tests/studies/cluster.py`
    asked = ["--games", "100", "--out", str(tmp_path)]
    large_study.play(tmp_path / "alone", 10, "alone")
    games = tmp_path / "alone" / "games.csv"
    before = games.read_text()
    assert large_study.main(asked) == 0
    assert games.read_text() == before
    processes, alone = json.loads(figures.read_text("utf-8")).values()
    assert (processes["games"], alone["games"]) == (100, 10)
    folders = [games.parent, tmp_path / "processes"]
    assert len({large_study.digest(folder, 10) for folder in folders}) == 1
    monkeypatch.setattr(large_study, "digest", lambda folder, games: folder.name)
    assert large_study.main(asked) == 1
    assert "the games differ: " in capsys.readouterr().out
    monkeypatch.undo()
    games.write_text(before.replace(",over,", ",turns,", 1))
    assert len({large_study.digest(folder, 10) for folder in folders}) == 2


def test_what_is_wrong_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Too many bytes, and memory that grows; and without a backend there is nothing."""
    (tmp_path / "games.csv").write_bytes(bytes(2_001))
    good = {1: 9 << 20, 10: 10 << 20, 100: 12 << 20}
    assert [*large_study.problems(tmp_path, 11, good)] == []
    large, grown = large_study.problems(tmp_path, 10, good | {100: 19 << 20})
    assert large.endswith(": 200.1 bytes a game")
    assert grown.endswith(": memory grows from 10,485,760 bytes to 19,922,944")
    monkeypatch.setattr(native, "why_not", "it is not there")
    assert large_study.main(["--out", str(tmp_path)]) == 2
