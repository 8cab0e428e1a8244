"""What this repository says about its clauses, read once for all tests."""

from functools import cache
from pathlib import Path
from typing import Final

from spec.traceability import Repository

ROOT: Final = Path(__file__).parents[1]
"""The repository."""


@cache
def repository() -> Repository:
    """Return what the sources say, as they are while the tests run."""
    return Repository(ROOT)
