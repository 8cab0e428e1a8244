"""Node and the packages of the formal specification: found, fetched, or said to be missing."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from spec.checks import node


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Lay out a specification without its packages, on a machine with Node in a package."""
    (tmp_path / "package-lock.json").write_text("{}", "utf-8")
    monkeypatch.setattr(node, "SPEC", tmp_path)
    monkeypatch.setattr(node, "NODE", "node")
    monkeypatch.setattr("shutil.which", lambda name: None)
    monkeypatch.setattr(node, "_from_wheel", lambda file: f"wheel/{file}")
    return tmp_path


def why() -> str | None:
    """Ask anew."""
    return node.why_unavailable.__wrapped__()


def test_packages_are_fetched_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first who asks for them has them fetched, by the npm that is there."""
    ran: list[list[str]] = []

    def run(command: list[str], **_: object) -> None:
        ran.append(command)
        quint = folder / "node_modules" / "@informalsystems" / "quint"
        quint.mkdir(parents=True)
        (quint / "package.json").write_text("{}", "utf-8")

    monkeypatch.setattr(subprocess, "run", run)
    assert [why(), why()] == [None, None]
    assert [command[:3] for command in ran] == [
        ["node", "wheel/lib/node_modules/npm/bin/npm-cli.js", "ci"]
    ]


def test_what_is_missing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """No registry, no npm, no Node: each is a reason of its own."""

    def fail(command: list[str], **_: object) -> None:
        raise subprocess.CalledProcessError(1, command)

    monkeypatch.setattr(subprocess, "run", fail)
    assert str(why()).startswith("spec/node_modules is missing, and `npm ci` does not fetch it")
    monkeypatch.setattr(node, "_from_wheel", lambda file: None)
    assert why() == "spec/node_modules is missing, and there is no npm to fetch it"
    monkeypatch.setattr(node, "NODE", None)
    assert str(why()).startswith("there is no Node")
