"""Hypothesis profiles and shared fixtures.

Choose a Hypothesis profile with the environment variable `HYPOTHESIS_PROFILE`: ``dev`` (few random
examples), ``ci`` (the default: the same examples on every run) or ``night`` (many examples, with a
new seed for every run).
"""

import gc
import os
import random
import shlex
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings

from spec.checks.figures import VARIABLE, publish
from spec.checks.runner import FORCED, KEYS
from spec.mentions import refresh_matrix
from spec.traceability import lacks
from tests.sources import ROOT

settings.register_profile(
    "ci",
    max_examples=22,
    derandomize=True,  # a failure on one machine is a failure on every machine
    database=None,  # leaves no files in the working tree
    deadline=None,  # a whole game takes long, especially on a busy machine
    suppress_health_check=[HealthCheck.too_slow],  # for the same reason
    phases=[
        Phase.explicit,
        Phase.generate,
        Phase.shrink,
    ],  # without the phase that explains failures, which takes minutes for a game
    print_blob=True,
)
settings.register_profile(
    "dev", settings.get_profile("ci"), max_examples=5, derandomize=False, print_blob=False
)
settings.register_profile("night", settings.get_profile("ci"), max_examples=1000, derandomize=False)
settings.register_profile("properties", settings.get_profile("ci"), max_examples=40)
PROFILE = os.environ.get("HYPOTHESIS_PROFILE", "ci")
settings.load_profile(PROFILE)
random_games = import_module("spec.checks.random_games")  # reads the profile

if settings().derandomize:
    # Hypothesis prefers numbers that occur in loaded modules, so that its examples would depend on
    # the tests before.  These names are private: if they do not exist, this patch is left out.
    with suppress(ImportError, AttributeError):
        providers: Any = import_module("hypothesis.internal.conjecture.providers")
        constants = providers._local_constants
        pytest.MonkeyPatch().setattr(providers, "_get_local_constants", lambda: constants)


gc.set_threshold(100_000, 50, 50)  # tests share many games: collecting took a tenth of the time

os.environ |= {"LANGUAGE": "", "LC_ALL": "C.UTF-8"}  # commands print English in every locale
os.environ["OPENBLAS_NUM_THREADS"] = "1"  # more threads wait for each other in small products
os.environ.pop("COLUMNS", None)


for each in (KEYS, FORCED):  # checks under test must not skip or force anything
    os.environ.pop(each, None)

FIGURES = os.environ.pop(VARIABLE, None)
"""The file to which this run writes statistics, such as its number of games; `None` for no file.

The environment variable `VARIABLE` is removed, so that checks started by tests do not write to the
same file.
"""

LEAST_GAMES = 2_000
"""The minimum number of different random games in a nightly run."""


@pytest.fixture
def figures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the path of the file in which a check under test publishes its statistics."""
    monkeypatch.setenv(VARIABLE, str(tmp_path / "figures.json"))
    return tmp_path / "figures.json"


@pytest.fixture(scope="session", autouse=True)
def _matrix() -> None:
    """Build the table that maps clauses to code and tests from the current sources."""
    refresh_matrix(ROOT)


def pytest_collectstart(collector: pytest.Collector) -> None:
    """Use a Hypothesis profile with more examples for the tests in `properties` and `checks`."""
    if PROFILE == "ci" and isinstance(collector, pytest.Module):
        is_property = collector.path.parent.name in ("properties", "checks")
        settings.load_profile("properties" if is_property else PROFILE)


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Choose a random seed for Hypothesis in a nightly run unless the command line gives a seed."""
    if PROFILE == "night" and config.getoption("hypothesis_seed", "") is None:
        config.option.hypothesis_seed = str(random.SystemRandom().randrange(2**32))


def is_short() -> bool:
    """Return whether this is a nightly run with fewer than `LEAST_GAMES` games."""
    games = random_games.EXPLORED.figures()["games"]
    return PROFILE == "night" and FIGURES is not None and games < LEAST_GAMES


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail a nightly run that has played too few games."""
    if is_short():
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(
    terminalreporter: "pytest.TerminalReporter", config: pytest.Config
) -> None:
    """Print the seed and the number of games of a run, and how to reproduce failed tests.

    If modules could not be imported, print missing entries of tables, a frequent cause.
    """
    if terminalreporter.stats.get("error"):
        terminalreporter.write("".join(f"{each}\n" for each in lacks(ROOT)))
    if (seed := config.getoption("hypothesis_seed", None)) is None:
        return
    figures = {"seed": int(seed), **random_games.EXPLORED.figures()}
    terminalreporter.write_line(", ".join(f"{key}: {value:,}" for key, value in figures.items()))
    for each in terminalreporter.stats.get("failed", ()):
        name = each.nodeid.rpartition("::")[2].partition("[")[0]
        # The command loads the same modules, because the examples depend on their constants.
        options = [*config.invocation_params.args, "-k", name, f"--hypothesis-seed={seed}"]
        command = f"HYPOTHESIS_PROFILE=night python -m pytest {shlex.join(map(str, options))}"
        terminalreporter.write_line(f"to reproduce it: {command}")
    if is_short():
        terminalreporter.write_line(f"fewer than {LEAST_GAMES:,} games")
    if FIGURES:
        os.environ[VARIABLE] = FIGURES
        publish(**figures)
