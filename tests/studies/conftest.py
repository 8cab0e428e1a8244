"""Fixtures that several tests of studies use."""

from pathlib import Path

import pytest

from tests.studies.executors import STUDY
from valletta_rules.studies import GameResult, Store, Totals, read_games, read_store, run

Whole = tuple[Totals, list[GameResult]]
"""The sums of a study, and its games."""


@pytest.fixture(scope="module")
def serial(tmp_path_factory: pytest.TempPathFactory) -> Whole:
    """Return the results of the series, played in this process."""
    folder = tmp_path_factory.mktemp("serial")
    with Store(folder, STUDY) as store:
        run(store)
    return read_whole(folder)


def read_whole(folder: Path) -> Whole:
    """Return the sums and the games in a folder."""
    return read_store(folder), list(read_games(folder))
