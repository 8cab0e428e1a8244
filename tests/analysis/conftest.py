"""Fixtures for the tests of the analysis."""

import pytest

from valletta_rules.analysis.settling import Trials


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Disable rollouts, as without the native backend.

    Answers are then judged by the turn search alone.
    """
    monkeypatch.setattr(Trials, "are_possible", lambda *_: False)
