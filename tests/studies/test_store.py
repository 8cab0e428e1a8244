"""Studies kept in folders."""

from __future__ import annotations

import json
import sys
from contextlib import suppress
from pathlib import Path

import attrs
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.studies.test_commands import CASES
from valletta_rules import RECONSTRUCTION, Z_MAN, parse_record
from valletta_rules.studies import Job, play_game
from valletta_rules.studies.statistics import Sprt
from valletta_rules.studies.store import GAMES, STUDY, Store, StoreError, read_store
from valletta_rules.studies.study import Study

OWN_CARDS = attrs.evolve(RECONSTRUCTION, name="Our own")
PLAYED = Study(("automatic", "random"), games=4, rules=Z_MAN, cards=OWN_CARDS, most_turns=3)
RESULTS = {job.number: play_game(job) for job in PLAYED.jobs()}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return the folder of a study of four games."""
    with Store(tmp_path / "study", PLAYED) as store:
        for result in RESULTS.values():
            store.add(result)
    return tmp_path / "study"


def test_what_is_written_is_read_back(folder: Path) -> None:
    """A line has everything that determines its game, its result, and the game."""
    assert read_store(folder) == (PLAYED, RESULTS)
    first = json.loads((folder / GAMES).read_text().splitlines()[0])
    assert first["cpu_ms"] == list(RESULTS[0].cpu_ms)
    job, record = first["job"], parse_record(first["record"])
    again = Job(tuple(job["bots"]), job["seed"], record.rules, record.cards, job["most_turns"])
    assert play_game(again) == RESULTS[0]


def test_a_torn_last_line_is_cut_off(folder: Path) -> None:
    """However much of the last line was written, only its game is lost."""
    whole = (folder / GAMES).read_bytes()
    last = whole.splitlines(keepends=True)[-1]
    for kept in (1, len(last) // 2, len(last) - 1):
        (folder / GAMES).write_bytes(whole[: len(whole) - len(last) + kept])
        assert sorted(read_store(folder)[1]) == [0, 1, 2]
        with Store(folder, PLAYED) as store:
            assert [job.number for job in store.study.missing(store.results)] == [3]
            store.add(RESULTS[3])
        assert (folder / GAMES).read_bytes() == whole


def test_a_study_can_get_more_games_and_not_another_seed(folder: Path) -> None:
    """Another study in the same folder is refused, with what differs; nothing is written."""
    with Store(folder, attrs.evolve(PLAYED, games=6)) as store:
        assert len(store.results) == 4
    assert read_store(folder)[0].games == 6
    before = (folder / STUDY).read_bytes()
    for other, said in (
        (attrs.evolve(PLAYED, games=6, seed=7), "another study: seed 1000, not 7"),
        (attrs.evolve(PLAYED, games=6, sprt=Sprt(0, 35)), "another study: sprt None, not {"),
        (PLAYED, "another study: games 6, not 4"),
    ):
        with pytest.raises(StoreError, match=said):
            Store(folder, other)
    assert (folder / STUDY).read_bytes() == before


def test_a_folder_without_a_study_is_refused(tmp_path: Path) -> None:
    """So is one with results alone."""
    with pytest.raises(StoreError, match=r"no study here: study.json is missing"):
        read_store(tmp_path)
    (tmp_path / GAMES).write_text("{}\n")
    with pytest.raises(StoreError, match=r"but no study\.json"):
        Store(tmp_path, PLAYED)


def test_a_study_is_played_by_one_process_at_a_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A second one is refused and disturbs nothing, where the system has locks."""
    with Store(tmp_path, PLAYED) as store:
        store.add(RESULTS[0])
        with pytest.raises(StoreError, match=r"being played already"):
            Store(tmp_path, attrs.evolve(PLAYED, games=6))
        store.add(RESULTS[1])
        assert read_store(tmp_path) == (PLAYED, {0: RESULTS[0], 1: RESULTS[1]})
        for missing in (None, NoLocks):
            monkeypatch.setitem(sys.modules, "fcntl", missing)
            with Store(tmp_path, PLAYED) as other:
                assert other.results == store.results
    monkeypatch.undo()
    with Store(tmp_path, PLAYED) as again:
        assert again.results == store.results


class NoLocks:
    """A stand-in for `fcntl` on a file system without locks."""

    LOCK_EX = LOCK_NB = 0

    @staticmethod
    def flock(file: object, how: int) -> None:
        """Refuse."""
        raise OSError("no locks available")


def changed(folder: Path, old: str, new: str, file: str = GAMES) -> None:
    """Replace the first occurrence of a text in a file."""
    text = (folder / file).read_text()
    assert old in text
    (folder / file).write_text(text.replace(old, new, 1))


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [*CASES["lines"], ("{", "[" * 100_000, "nested too deeply")],
)
def test_a_damaged_line_is_named(folder: Path, old: str, new: str, reason: str) -> None:
    """Every line but the last must be complete: the error has its number and the reason."""
    changed(folder, old, new)
    with pytest.raises(StoreError, match=reason) as caught:
        Store(folder, PLAYED)
    assert caught.value.line == 1
    assert f"{GAMES}, line 1: " in str(caught.value)


def test_a_game_that_is_there_twice_is_named(folder: Path) -> None:
    """It may come of two processes that wrote into one folder."""
    with (folder / GAMES).open("a") as file:
        file.write((folder / GAMES).read_text().splitlines(keepends=True)[2])
    with pytest.raises(StoreError, match=r"line 5: game 2 is there twice"):
        read_store(folder)


def test_a_damaged_study_is_refused(folder: Path) -> None:
    """Results are not read without the definition of their study."""
    changed(folder, '"players":2', '"players":7', STUDY)
    with pytest.raises(StoreError, match=r"study.json: damaged: ValueError"):
        read_store(folder)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_whatever_the_files_hold_is_read_or_refused(folder: Path, data: st.DataObject) -> None:
    """Bytes exchanged, lost or added anywhere lead to a clear error, or to results that fit."""
    for name in (STUDY, GAMES):
        kept = (folder / name).read_bytes()
        start = data.draw(st.integers(0, len(kept)))
        length = data.draw(st.integers(0, 20))
        into = data.draw(
            st.binary(max_size=8) | st.sampled_from([b"null", b"1e9", b'"', b"}", b"-1"])
        )
        (folder / name).write_bytes(kept[:start] + into + kept[start + length :])
        with suppress(StoreError):
            study, results = read_store(folder)
            assert all(result.job in study for result in results.values())
        (folder / name).write_bytes(kept)
