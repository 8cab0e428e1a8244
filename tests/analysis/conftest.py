import pytest

from valletta_rules.analysis.settling import Trials


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Disable rollouts, so that answers are judged only by a search of the current turn.

    Without the native backend, rollouts are always disabled.
    """
    monkeypatch.setattr(Trials, "are_possible", lambda *_: False)
