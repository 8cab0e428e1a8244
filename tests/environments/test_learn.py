"""A value that learns from games."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from docs.studies.learn import OWN, WIDTH, Learned, compare, learn, main, observe
from tests.bots.test_value import middle
from valletta_rules.bots.features import read
from valletta_rules.bots.value import Forecast

ROUNDS = ["--rounds", "3,2", "--matches", "1", "--beam", "1"]


def test_a_value_learns_round_by_round(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Rounds that are there are not played again, and give the same result."""
    main([str(tmp_path), *ROUNDS], ThreadPoolExecutor(1))
    first, rounds = capsys.readouterr().out, sorted(tmp_path.iterdir())
    written = [path.stat().st_mtime_ns for path in rounds]
    main([str(tmp_path), *ROUNDS], ThreadPoolExecutor(1))
    assert capsys.readouterr().out == first
    assert first.count("main phase") == 2
    assert "of 1 games" in first
    assert [path.name for path in rounds] == ["round-1.npy", "round-2.npy"]
    assert [path.stat().st_mtime_ns for path in rounds] == written


def test_what_is_learned_is_what_is_missed() -> None:
    """The learned value adds what the regression predicts for the same turn."""
    rows = np.concatenate([observe(1, None, 0.5, number) for number in range(4)])
    weights = learn(rows)
    state = middle(seed=1)
    plain, learned = Forecast(state.display, 2), Learned(state.display, weights, 0.5)
    features = read(state)
    *more, tens, is_final, lead = compare(features, plain, 0)
    told = weights[0] @ [*more, *(tens * each for each in more[:OWN])]
    assert len(more) == WIDTH
    assert not is_final
    assert sum(each != 0 for each in more[:OWN]) > 9
    assert abs(told) > 0.1
    assert learned.lead(features, 0) == pytest.approx(lead + told / 2)
    assert plain.lead(features, 0) == pytest.approx(lead)
