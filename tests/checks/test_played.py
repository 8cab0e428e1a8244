"""What is read of a run of games in the page of the documentation."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from spec.checks import played

LINES = """\
# en desk, game 1: 250 bytes, 45 of them Python's
# de phone, game 1: 260 bytes, 40 of them Python's
# en desk, game 2: 240 bytes, {python} of them Python's
# a start takes 3.0 CPU s, that of Pyodide alone 2.0
# a start takes 2.8 CPU s, that of Pyodide alone 2.0
# a start takes 2.0 CPU s, that of Pyodide alone 2.0
ok 1 - games
"""


def test_what_a_run_has_printed_is_read(tmp_path: Path, figures: Path) -> None:
    """Games by page, memory after the first and the last, and the ratio of the starts."""
    log = tmp_path / "log"
    log.write_text(LINES.format(python=50), "utf-8")
    assert played.main(["--log", str(log)]) == 0
    found = json.loads(figures.read_text("utf-8"))
    assert (found["games"], found["pages"]) == (3, {"en desk": 2, "de phone": 1})
    assert (found["bytes_after_one"], found["bytes_at_the_end"]) == (260, 260)
    assert (found["python_at_the_end"], found["start_ratio"], found["starts"]) == (50, 1.4, 3)


def test_an_error_or_growth_is_no_result(tmp_path: Path) -> None:
    """A failed test of the run, or a Python that has grown to twice its size."""
    with pytest.raises(ValueError, match="not ok 2"):
        played.figures_of(["not ok 2 - games"])
    log = tmp_path / "log"
    log.write_text(LINES.format(python=91), "utf-8")
    assert played.main(["--log", str(log)]) == 1
