"""Checks publish their figures for the report of a run."""

import json
from pathlib import Path

import pytest

from spec.checks.figures import VARIABLE, publish


def test_figures_are_published_where_a_file_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each publication adds to the object in the file; without the variable nothing is written."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv(VARIABLE, raising=False)
    publish(games=1)
    assert not [*tmp_path.iterdir()]
    monkeypatch.setenv(VARIABLE, "figures.json")
    publish(games=2, steps={"Z_MAN": 3})
    publish(games=4)
    with pytest.raises(TypeError, match="set"):
        publish(clauses={"BLD-1"})
    found = json.loads(Path("figures.json").read_text("utf-8"))
    assert found == {"games": 4, "steps": {"Z_MAN": 3}}
