"""The engine replays seeded games exactly as they were recorded."""

import pytest

from spec.checks.goldens import Golden, goldens, strays

REMEDY = "if the new games are right, run python -m spec.checks accept goldens"


@pytest.mark.parametrize("golden", goldens(), ids=lambda golden: golden.name)
def test_a_seeded_game_equals_its_recorded_file_line_by_line(golden: Golden) -> None:
    """The first difference shows which moves a change of the code affects."""
    kept = golden.path.read_text(encoding="utf-8")
    assert kept.splitlines() == golden.text().splitlines(), REMEDY


def test_every_recorded_file_belongs_to_a_seeded_game() -> None:
    """No recorded file is left over from a game that is no longer played."""
    assert strays() == ()


def test_every_recorded_game_is_smaller_than_64_kib() -> None:
    """A reviewer can still read a file of this size."""
    for golden in goldens():
        assert golden.path.stat().st_size < 64 * 1024, golden.name
