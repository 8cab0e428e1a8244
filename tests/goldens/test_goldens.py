"""Games in writing: nothing about play has changed that was not meant to."""

import pytest

from spec.checks.goldens import Golden, goldens, strays

REMEDY = "if this change is meant: python -m spec.checks accept goldens"


@pytest.mark.parametrize("golden", goldens(), ids=lambda golden: golden.name)
def test_a_game_is_played_as_it_was_written_down(golden: Golden) -> None:
    """The game of a seed is the one in its file, move by move."""
    kept = golden.path.read_text(encoding="utf-8")
    assert kept.splitlines() == golden.text().splitlines(), REMEDY


def test_every_file_belongs_to_a_game() -> None:
    """No file is left over from a game that is no longer played."""
    assert strays() == ()


def test_the_files_stay_small() -> None:
    """A file can be read: it stays under 64 KiB."""
    for golden in goldens():
        assert golden.path.stat().st_size < 64 * 1024, golden.name
