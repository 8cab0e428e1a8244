"""The command that serves the table: its options, and what it says if the extra is missing."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from valletta_rules.cli.main import main
from valletta_rules.cli.serve import EXTRA


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """Return with what the table is served, which it is not."""
    found: list[dict[str, Any]] = []

    def serve(**wishes: object) -> int:
        found.append(wishes)
        return 0

    serving = ModuleType("serving")
    vars(serving)["serve"] = serve
    monkeypatch.setitem(sys.modules, "valletta_rules.web.serving", serving)
    return found


def test_the_table_is_served_on_this_machine_alone(served: list[dict[str, Any]]) -> None:
    """Without options nothing is said of the address, and a browser is opened."""
    assert main(["serve"]) == 0
    assert served == [{"host": None, "port": None, "folder": None, "opens_browser": True}]


def test_the_options_are_handed_on(served: list[dict[str, Any]]) -> None:
    """Address, port, folder and browser can be chosen."""
    assert main(["serve", "--host", "0.0.0.0", "--port", "0", "--no-browser", "--folder", "x"]) == 0
    wishes = {"host": "0.0.0.0", "port": 0, "folder": Path("x"), "opens_browser": False}
    assert served == [wishes]


@pytest.mark.parametrize("missing", EXTRA)
def test_the_extra_is_named_if_it_is_missing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], missing: str
) -> None:
    """Whoever has only the package is told what to install."""

    def lacking(name: str) -> ModuleType:
        raise ModuleNotFoundError(f"No module named {missing!r}", name=missing)

    monkeypatch.setattr("valletta_rules.cli.serve.import_module", lacking)
    assert main(["serve"]) == 2
    said = f"valletta serve: needs {missing}: pip install '.[web]' in a clone of the repository\n"
    assert capsys.readouterr().err == said


def test_a_fault_of_its_own_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    """A module of the package that is not there is no missing extra."""
    monkeypatch.setitem(sys.modules, "valletta_rules.web.serving", None)
    with pytest.raises(ModuleNotFoundError, match="serving"):
        main(["serve"])
