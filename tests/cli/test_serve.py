"""Tests of `valletta serve`: its options, and its message if a dependency is missing."""

import sys
from ipaddress import ip_network
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest.mock import Mock

import pytest

from valletta_rules.cli.main import main
from valletta_rules.cli.serve import EXTRA, MISUSED
from valletta_rules.web.store import Ages


@pytest.mark.parametrize(
    ("options", "wishes"),
    [
        ("", {}),
        (
            "--host 0.0.0.0 --port 0 --no-browser --folder x"
            " --keep-finished 7 --keep-abandoned forever",
            {
                **{"host": "0.0.0.0", "port": 0, "folder": Path("x"), "opens_browser": False},
                "ages": Ages(finished=7, abandoned=None),
            },
        ),
        (
            "--public-url https://Valletta.example:443/ --proxy 127.0.0.1 --proxy fd00::/8",
            {
                "public": "https://valletta.example",
                "proxies": [ip_network("127.0.0.1/32"), ip_network("fd00::/8")],
            },
        ),
        ("--public-url http://[FD00::7]:8080", {"public": "http://[fd00::7]:8080"}),
    ],
)
def test_the_options_of_the_serve_command_become_the_arguments_of_the_server(
    monkeypatch: pytest.MonkeyPatch, options: str, wishes: dict[str, Any]
) -> None:
    """The first case tests the defaults. For example, the server opens a browser by default."""
    serving = Mock(**{"serve.return_value": 0})
    monkeypatch.setitem(sys.modules, "valletta_rules.web.serving", serving)
    assert main(["serve", *options.split()]) == 0
    usual = {"host": None, "port": None, "folder": None, "opens_browser": True, "public": None}
    serving.serve.assert_called_once_with(**{**usual, "proxies": [], "ages": Ages(), **wishes})


@pytest.mark.parametrize("missing", EXTRA)
def test_the_serve_command_without_a_dependency_prints_how_to_install_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], missing: str
) -> None:
    """The server needs the optional dependencies of the extra `web`."""

    def lacking(name: str) -> ModuleType:
        raise ModuleNotFoundError(f"No module named {missing!r}", name=missing)

    monkeypatch.setattr("valletta_rules.cli.serve.import_module", lacking)
    assert main(["serve"]) == MISUSED
    message = f"the server needs the module {missing}: pip install 'valletta-rules[web]'"
    assert capsys.readouterr().err == f"valletta serve: {message}\n"


def test_a_missing_module_of_the_package_itself_is_not_reported_as_a_missing_dependency(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Such an error is a defect of the package, so it is not caught."""
    monkeypatch.setitem(sys.modules, "valletta_rules.web.serving", None)
    with pytest.raises(ModuleNotFoundError, match="serving"):
        main(["serve"])
