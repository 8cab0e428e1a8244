"""What the tests of the analysis share."""

import pytest

from valletta_rules.analysis.settling import Trials


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the search of the turn alone judge, as without the native backend."""
    monkeypatch.setattr(Trials, "are_possible", lambda *_: False)
