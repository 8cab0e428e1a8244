"""The fuzzer of the native backend, and the report on lines that no test executes."""

import json
import re
import tomllib
from pathlib import Path

import pytest

from spec.checks import hostile, reached
from valletta_rules import native

NATIVE = reached.NATIVE


@pytest.mark.usefixtures("backend")
def test_the_backend_survives_four_hundred_attacks_of_the_fuzzer(figures: Path) -> None:
    """Each attack ends with an error or a position, not a crash.

    ``bash tests/native/sanitize.sh hostile 600`` runs more attacks, with sanitizers.
    """
    fuzzer = hostile.Fuzzer(seed=3)
    for _ in range(400):
        fuzzer.once()
    assert len(fuzzer.tried) == 7
    assert 0 < fuzzer.refused.total() < fuzzer.tried.total() == 400
    assert hostile.main(["--seconds", "0.1"]) == 0
    assert json.loads(figures.read_text("utf-8"))["tried"]


def test_the_fuzzer_exits_with_status_2_without_a_backend(monkeypatch: pytest.MonkeyPatch) -> None:
    """The program prints the reason."""
    monkeypatch.setattr(native, "why_not", "it is not there")
    assert hostile.main([]) == 2


def test_the_report_of_unreached_lines_gives_the_text_of_each_line() -> None:
    """A line is reported if it never ran, or if its branch always went in the same direction."""
    text = (NATIVE / "ledger.c").read_text("utf-8").split("\n")
    line = text.index("    if (player->score > MOST_SCORE - points) {")
    one_way, both = [{"count": 3}, {"count": 0}], [{"count": 3}, {"count": 1}]
    lines = [
        {"line_number": line, "count": 3, "function_name": "score", "branches": both},
        {"line_number": line + 1, "count": 3, "function_name": "score", "branches": one_way},
        {"line_number": line + 2, "count": 0, "function_name": "score", "branches": []},
    ]
    files = [{"file": str(NATIVE / "ledger.c"), "lines": lines}, {"file": "/usr/include/stdio.h"}]
    assert list(reached.unreached({"files": files})) == [
        ("ledger.c::score", "if (player->score > MOST_SCORE - points) {"),
        ("ledger.c::score", "row->fault = 1;"),
    ]


def test_every_excuse_for_unreached_lines_names_existing_functions_and_lines() -> None:
    """An excuse is an entry that explains why no test reaches a line.

    It must be deleted with the line.
    """
    for each in tomllib.loads(reached.EXCUSED.read_text("utf-8"))["unreached"]:
        texts = [
            (NATIVE / name.partition("::")[0]).read_text("utf-8") for name in each["functions"]
        ]
        for name, text in zip(each["functions"], texts, strict=True):
            assert re.search(rf"\b{name.partition('::')[2]}\(", text)
        for code in each["code"]:
            assert any(code in text for text in texts), code
