"""How hard the property tests try, and what every test finds.

Choose a Hypothesis profile with the environment variable `HYPOTHESIS_PROFILE`: ``dev`` (few
examples, at random), ``ci`` (the default: the same examples on every run) or ``thorough`` (many,
at random).
"""

from __future__ import annotations

import gc
import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.internal.conjecture import providers

from spec.checks.figures import VARIABLE
from spec.checks.runner import FORCED, KEYS
from spec.mentions import refresh_matrix
from spec.traceability import lacks
from tests.sources import ROOT

settings.register_profile(
    "ci",
    max_examples=22,
    derandomize=True,  # a failure on one machine is a failure on every machine
    database=None,  # nothing is left behind in the tree
    deadline=None,  # a whole game takes its time, and a shared machine may take more
    suppress_health_check=[HealthCheck.too_slow],  # likewise
    phases=[Phase.explicit, Phase.generate, Phase.shrink],  # to explain a game takes minutes
    print_blob=True,
)
settings.register_profile(
    "dev", settings.get_profile("ci"), max_examples=5, derandomize=False, print_blob=False
)
settings.register_profile(
    "thorough", settings.get_profile("ci"), max_examples=300, derandomize=False
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))

# Hypothesis likes numbers that it finds in the modules that are loaded: what is drawn would depend
# on which tests came before.
pytest.MonkeyPatch().setattr(providers, "_get_local_constants", lambda: providers._local_constants)


gc.set_threshold(100_000, 50, 50)  # games that tests share stay: a tenth of the time went into it

os.environ |= {"LANGUAGE": "", "LC_ALL": "C.UTF-8"}  # commands speak English in every locale
os.environ.pop("COLUMNS", None)


for each in (KEYS, FORCED):  # what tests judge, they judge
    os.environ.pop(each, None)

FIGURES = os.environ.pop(VARIABLE, None)
"""Where this run publishes its figures; the checks that tests run publish none there."""


@pytest.fixture
def figures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file in which a check publishes its figures."""
    monkeypatch.setenv(VARIABLE, str(tmp_path / "figures.json"))
    return tmp_path / "figures.json"


@pytest.fixture(scope="session", autouse=True)
def _matrix() -> None:
    """Let the package know where each clause is met, as the sources are now."""
    refresh_matrix(ROOT)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say which tables lack something, if tests could not be read: mostly that is the reason."""
    if terminalreporter.stats.get("error"):
        terminalreporter.write("".join(f"{each}\n" for each in lacks(ROOT)))
