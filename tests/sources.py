"""The source files of the repository and the clauses that they cite, read once for all tests."""

from functools import cache
from pathlib import Path
from typing import Final

from spec.traceability import Repository

ROOT: Final = Path(__file__).parents[1]
"""The root directory of the repository."""


@cache
def repository() -> Repository:
    """Return the sources of the repository, as they were when the tests started."""
    return Repository(ROOT)
