from pathlib import Path

import pytest

from tests.studies.executors import STUDY
from valletta_rules.studies import GameResult, Store, Totals, read_games, read_store, run_study

Whole = tuple[Totals, list[GameResult]]
"""The totals of a study and the results of its games."""


@pytest.fixture(scope="module")
def serial(tmp_path_factory: pytest.TempPathFactory) -> Whole:
    """Play the study `STUDY` in this process, and return its totals and results."""
    folder = tmp_path_factory.mktemp("serial")
    with Store(folder, STUDY) as store:
        run_study(store)
    return read_whole(folder)


def read_whole(folder: Path) -> Whole:
    """Read the totals and results of a study from a folder."""
    return read_store(folder), list(read_games(folder))
