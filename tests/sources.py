"""The clauses as the sources of the repository name them, read once for all tests."""

from functools import cache
from pathlib import Path
from typing import Final

from spec.traceability import Repository

ROOT: Final = Path(__file__).parents[1]
"""The repository."""


@cache
def repository() -> Repository:
    """Return the sources as they are while the tests run."""
    return Repository(ROOT)
