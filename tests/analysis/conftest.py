"""Fixtures of the tests of the analysis."""

import pytest

from valletta_rules.analysis.settling import Trials


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Disable rollouts, so that the search of the turn alone judges, as without native backend."""
    monkeypatch.setattr(Trials, "are_possible", lambda *_: False)
