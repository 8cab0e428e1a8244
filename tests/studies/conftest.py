"""Fixtures of several tests of studies."""

from __future__ import annotations

import pytest

from tests.studies.executors import STUDY
from valletta_rules.studies import GameResult, Store, read_store, run


@pytest.fixture(scope="module")
def serial(tmp_path_factory: pytest.TempPathFactory) -> dict[int, GameResult]:
    """Return the results of the series, played in this process."""
    folder = tmp_path_factory.mktemp("serial")
    with Store(folder, STUDY) as store:
        run(store)
    return read_store(folder)[1]
