"""A value that learns from games."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from docs.studies.learn import OWN, WIDTH, Learned, compare, learn, main, observe
from tests.bots.test_value import middle
from valletta_rules.bots.reading import read
from valletta_rules.bots.value import Forecast

ROUNDS = ["--rounds", "3", "2", "--matches", "2", "--beam", "1"]


def test_a_value_learns_round_by_round(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Rounds that are there are not played again, and the same comes of them."""
    main([str(tmp_path), *ROUNDS], ThreadPoolExecutor(1))
    first = capsys.readouterr()
    main([str(tmp_path), *ROUNDS], ThreadPoolExecutor(1))
    again = capsys.readouterr()
    assert "round 2: 2 of 2 games" in first.err
    assert not again.err
    assert again.out == first.out
    assert again.out.count("main phase") == 2
    assert "of 2 games" in again.out
    assert [path.name for path in sorted(tmp_path.iterdir())] == ["round-1.npy", "round-2.npy"]


def test_what_is_learned_is_what_is_missed() -> None:
    """A value that has learned foretells as much more as the regression says of the same turn."""
    rows = np.concatenate([observe(1, None, 0.5, number) for number in range(4)])
    weights = learn(rows)
    state = middle()
    plain, learned = Forecast(state.display, 2), Learned(state.display, 2, weights, 0.5)
    reading = read(state)
    (*more, tens, is_final), lead = compare(reading, plain, 0)
    told = weights[0] @ [*more, *(tens * each for each in more[:OWN])]
    assert len(more) == WIDTH
    assert not is_final
    assert sum(each != 0 for each in more[:OWN]) > 9
    assert abs(told) > 0.1
    assert learned.lead(reading, 0) == pytest.approx(lead + told / 2)
    assert plain.lead(reading, 0) == pytest.approx(lead)
