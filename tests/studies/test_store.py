"""Tests of the folders that store studies."""

import csv
import os
import sys
from contextlib import suppress
from pathlib import Path
from unittest.mock import Mock

import attrs
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.studies.test_commands import CASES
from valletta_rules import RECONSTRUCTION, Z_MAN, __version__
from valletta_rules.studies import Totals, play_game
from valletta_rules.studies import store as stores
from valletta_rules.studies.statistics import Sprt
from valletta_rules.studies.study import Study

OWN_CARDS = attrs.evolve(RECONSTRUCTION, name="Our own")
PLAYED = Study(("automatic", "random"), games=4, rules=Z_MAN, cards=OWN_CARDS, most_turns=3)
ALL = [play_game(job) for job in PLAYED.jobs()]
RESULTS = {number: (game.result, game.course) for number, game in enumerate(ALL)}
SUMS = Totals(PLAYED)
SUMS.add([RESULTS[0], RESULTS[1]])
SUMS.add([RESULTS[2], RESULTS[3]])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Store a finished study of four games in a folder, and return the folder."""
    with stores.Store(tmp_path / "study", PLAYED) as store:
        store.add(RESULTS)
    return tmp_path / "study"


def test_reading_a_stored_study_returns_its_totals_and_results(folder: Path) -> None:
    """The results are in a CSV file with one line per game."""
    assert stores.read_store(folder) == SUMS
    assert stores.read_store(folder).times == SUMS.times
    assert list(stores.read_games(folder)) == [game.result for game in ALL]
    rows = list(csv.DictReader((folder / stores.GAMES).read_text().splitlines()))
    figures = attrs.asdict(ALL[2].result)
    assert rows[2] == {"game": "2", "seed": "1001"} | {
        name: figure if type(figure) is str else " ".join(map(str, figure))
        for name, figure in figures.items()
    }
    assert (rows[2]["winners"], rows[2]["stop"]) == ("", "turns")


def test_a_line_in_the_file_of_games_has_fewer_than_200_characters() -> None:
    """The longest line is that of game 999,999 with four players and very slow bots."""
    study = Study(("random",), players=4, games=10**6)
    result = attrs.evolve(
        play_game(study.job(0)).result,
        points=(150, 120, 101, 100),
        cpu_ms=(99999.99,) * 4,
        longest_ms=(9999.99,) * 4,
    )
    assert len(stores.write_line(study, 10**6 - 1, result)) < 200


def test_replaying_a_stored_game_by_its_number_returns_its_record(folder: Path) -> None:
    """A number outside the study raises an `IndexError`."""
    assert stores.replay_game(folder, 3) == ALL[3].record
    for number in (4, -1):
        with pytest.raises(IndexError, match=f"this study has no game {number}; it has 4 games"):
            stores.replay_game(folder, number)


def test_replaying_a_stored_game_raises_an_error_if_its_digest_differs(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The error contains the line, both digests, and the version of the package."""
    monkeypatch.setattr(stores, "play_game", lambda job: ALL[1])
    with pytest.raises(stores.StoreError) as caught:
        stores.replay_game(folder, 2)
    assert caught.value.line == 4
    digests = f"its digest is {ALL[1].result.digest}, not {ALL[2].result.digest}"
    for part in ("line 4: game 2 differs", digests, f"this is version {__version__}"):
        assert part in str(caught.value)


@pytest.mark.parametrize("stopped", ["write", "fsync", "replace"])
def test_a_study_can_be_resumed_after_writing_flushing_or_renaming_a_file_failed(
    stopped: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The folder still contains all earlier games. Incomplete lines are ignored."""
    with stores.Store(tmp_path, PLAYED) as store:
        store.add({0: RESULTS[0], 1: RESULTS[1]})

        def stop(*given: object) -> None:
            raise InterruptedError

        if stopped == "write":
            store._file.close()
        else:
            monkeypatch.setattr(os, stopped, stop)
        with pytest.raises((InterruptedError, ValueError)):
            store.add({2: RESULTS[2], 3: RESULTS[3]})
        monkeypatch.undo()
    with (tmp_path / stores.GAMES).open("ab") as games:  # whatever else there may be
        games.write(b"\xff\n torn")
    assert stores.read_store(tmp_path).games == 2
    with stores.Store(tmp_path, PLAYED) as store:
        assert list(store.missing()) == [2, 3]
        store.add({2: RESULTS[2], 3: RESULTS[3]})
    assert stores.read_store(tmp_path) == SUMS
    assert len(list(stores.read_games(tmp_path))) == 4


def test_a_stored_study_can_be_extended_by_more_games_but_not_changed_in_any_other_way(
    folder: Path,
) -> None:
    """The error for any other change lists the differences. No file is changed."""
    with stores.Store(folder, attrs.evolve(PLAYED, games=6)) as store:
        assert store.played == 4
    assert stores.read_study(folder).games == 6
    before = (folder / stores.STUDY).read_bytes()
    for other, message in (
        (attrs.evolve(PLAYED, games=6, seed=7), "a different study: seed 1000, not 7"),
        (attrs.evolve(PLAYED, games=6, sprt=Sprt(0, 35)), "a different study: sprt None, not {"),
        (PLAYED, "a different study: games 6, not 4"),
    ):
        with pytest.raises(stores.StoreError, match=message):
            stores.Store(folder, other)
    assert (folder / stores.STUDY).read_bytes() == before


def test_opening_a_folder_without_the_file_study_json_raises_an_error(tmp_path: Path) -> None:
    """The folder is empty at first. Then it contains only a file of games."""
    with pytest.raises(stores.StoreError, match=r"this folder has no study: study.json is missing"):
        stores.read_store(tmp_path)
    (tmp_path / stores.GAMES).write_text("{}\n")
    with pytest.raises(stores.StoreError, match=r"but study\.json is missing"):
        stores.Store(tmp_path, PLAYED)


def test_the_folder_of_a_study_is_locked_while_the_study_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Opening it a second time raises an error, except on systems without file locks."""
    with stores.Store(tmp_path, PLAYED) as store:
        store.add({0: RESULTS[0], 1: RESULTS[1]})
        with pytest.raises(stores.StoreError, match=r"another process is playing"):
            stores.Store(tmp_path, attrs.evolve(PLAYED, games=6))
        store.add({2: RESULTS[2], 3: RESULTS[3]})
        assert stores.read_store(tmp_path) == SUMS
        none = Mock(flock=Mock(side_effect=OSError("no locks")), LOCK_EX=0, LOCK_NB=0)
        for missing in (None, none):
            monkeypatch.setitem(sys.modules, "fcntl", missing)
            with stores.Store(tmp_path, PLAYED) as other:
                assert other.sums == store.sums
    monkeypatch.undo()
    with stores.Store(tmp_path, PLAYED) as again:
        assert again.sums == store.sums


def changed(folder: Path, old: str, new: str, file: str = stores.GAMES) -> None:
    """Replace the first occurrence of `old` with `new` in a file of a study."""
    text = (folder / file).read_text()
    assert old in text
    (folder / file).write_text(text.replace(old, new, 1))


@pytest.mark.parametrize(("old", "new", "reason"), CASES["lines"])
def test_a_damaged_line_in_the_file_of_games_raises_an_error_with_line_number_and_reason(
    folder: Path, old: str, new: str, reason: str
) -> None:
    """`refused.toml` lists kinds of damage and the reasons."""
    changed(folder, old, new)
    with pytest.raises(stores.StoreError, match=reason) as caught:
        stores.Store(folder, PLAYED)
    assert caught.value.line == 2
    assert f"{stores.GAMES}, line 2: damaged: " in str(caught.value)


def test_a_file_of_games_that_was_changed_or_truncated_raises_an_error(folder: Path) -> None:
    """The file `study.json` contains the expected length and digest."""
    changed(folder, ALL[0].result.digest, ALL[1].result.digest)
    with pytest.raises(
        stores.StoreError, match=r"games.csv: damaged: the file was changed since it was written"
    ):
        stores.read_store(folder)
    content = (folder / stores.GAMES).read_bytes()
    (folder / stores.GAMES).write_bytes(content[: len(content) // 2])
    missing = len(content) - len(content) // 2
    with pytest.raises(stores.StoreError, match=f"games.csv: damaged: the last {missing} bytes"):
        list(stores.read_games(folder))


@pytest.mark.parametrize(("old", "new", "reason"), CASES["studies"])
def test_a_damaged_study_json_raises_an_error_with_the_reason(
    folder: Path, old: str, new: str, reason: str
) -> None:
    """The file `study.json` contains the definition and the totals of the study."""
    changed(folder, old, new, stores.STUDY)
    with pytest.raises(stores.StoreError, match=f"study.json: {reason}"):
        stores.read_store(folder)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_random_damage_to_a_stored_study_raises_an_error_or_is_harmless(
    folder: Path, data: st.DataObject
) -> None:
    """The test changes random bytes in each of the two files of the study."""
    for name in (stores.STUDY, stores.GAMES):
        content = (folder / name).read_bytes()
        start = data.draw(st.integers(0, len(content)))
        length = data.draw(st.integers(0, 20))
        into = data.draw(
            st.binary(max_size=8) | st.sampled_from([b"null", b"1e9", b'"', b"}", b"-1"])
        )
        (folder / name).write_bytes(content[:start] + into + content[start + length :])
        with suppress(stores.StoreError):
            assert stores.read_store(folder) == SUMS
            assert len(list(stores.read_games(folder))) == 4
        (folder / name).write_bytes(content)
