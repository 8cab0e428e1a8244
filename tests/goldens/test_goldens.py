"""Tests that the engine replays games with fixed seeds exactly as they were recorded."""

import pytest

from spec.checks.goldens import Golden, goldens, strays

REMEDY = "if the new games are right, run python -m spec.checks accept goldens"


@pytest.mark.parametrize("golden", goldens(), ids=lambda golden: golden.name)
def test_a_game_with_a_fixed_seed_equals_its_recorded_file_line_by_line(golden: Golden) -> None:
    """If a change of the code affects the game, the failure shows the first move that differs."""
    kept = golden.path.read_text(encoding="utf-8")
    assert kept.splitlines() == golden.text().splitlines(), REMEDY


def test_every_recorded_file_belongs_to_a_game_that_the_tests_play() -> None:
    """A file that is left over from a removed game must be deleted."""
    assert strays() == ()


def test_every_recorded_game_is_smaller_than_64_kib() -> None:
    """A reviewer must be able to read the differences in a recorded game."""
    for golden in goldens():
        assert golden.path.stat().st_size < 64 * 1024, golden.name
