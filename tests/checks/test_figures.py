"""Tests of `publish`, which adds measured values (*figures*) to the report on a run of checks."""

import json
from pathlib import Path

import pytest

from spec.checks.figures import VARIABLE, publish


def test_publish_adds_figures_to_the_json_file_that_the_environment_variable_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The runner of the checks sets the variable. Without it, `publish` writes no file.

    A value that cannot be written as JSON raises an error.
    """
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv(VARIABLE, raising=False)
    publish(games=1)
    assert not [*tmp_path.iterdir()]
    monkeypatch.setenv(VARIABLE, "figures.json")
    publish(games=2, steps={"Z_MAN": 3})
    publish(games=4)
    with pytest.raises(TypeError, match="set"):
        publish(clauses={"BLD-1"})
    figures = json.loads(Path("figures.json").read_text("utf-8"))
    assert figures == {"games": 4, "steps": {"Z_MAN": 3}}
