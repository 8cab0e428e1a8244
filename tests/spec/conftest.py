"""What the comparisons with the formal specification have covered, told at the end of a run."""

from __future__ import annotations

import pytest

from spec.checks.lockstep import Tally

TALLY = pytest.StashKey[Tally]()
"""Where the tests in lockstep keep count."""


def pytest_configure(config: pytest.Config) -> None:
    """Begin to count."""
    config.stash[TALLY] = Tally()


@pytest.fixture(scope="session")
def tally(pytestconfig: pytest.Config) -> Tally:
    """Return the count of all comparisons of this run."""
    return pytestconfig.stash[TALLY]


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Say what has been compared."""
    if (tally := config.stash[TALLY]).steps:
        terminalreporter.write_line(f"lockstep: {tally}")
