"""Fixtures for the tests of studies."""

from pathlib import Path

import pytest

from tests.studies.executors import STUDY
from valletta_rules.studies import GameResult, Store, Totals, read_games, read_store, run_study

Whole = tuple[Totals, list[GameResult]]
"""The totals of a study and the results of its games."""


@pytest.fixture(scope="module")
def serial(tmp_path_factory: pytest.TempPathFactory) -> Whole:
    """Return the totals and results of the test study, played in this process."""
    folder = tmp_path_factory.mktemp("serial")
    with Store(folder, STUDY) as store:
        run_study(store)
    return read_whole(folder)


def read_whole(folder: Path) -> Whole:
    """Return the totals and the results of the study in a folder."""
    return read_store(folder), list(read_games(folder))
