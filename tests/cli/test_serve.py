"""The command that serves the table: its options, and what it says if the extra is missing."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest.mock import Mock

import pytest

from valletta_rules.cli.main import main
from valletta_rules.cli.serve import EXTRA


@pytest.mark.parametrize(
    ("options", "wishes"),
    [
        ("", {"host": None, "port": None, "folder": None, "opens_browser": True}),
        (
            "--host 0.0.0.0 --port 0 --no-browser --folder x",
            {"host": "0.0.0.0", "port": 0, "folder": Path("x"), "opens_browser": False},
        ),
    ],
)
def test_the_options_are_passed_on(
    monkeypatch: pytest.MonkeyPatch, options: str, wishes: dict[str, Any]
) -> None:
    """Without any, the table is served on this machine alone, and a browser is opened."""
    serving = Mock(**{"serve.return_value": 0})
    monkeypatch.setitem(sys.modules, "valletta_rules.web.serving", serving)
    assert main(["serve", *options.split()]) == 0
    serving.serve.assert_called_once_with(**wishes)


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
