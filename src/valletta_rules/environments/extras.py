"""The error of an environment whose third-party libraries are not installed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def extra(name: str) -> Iterator[None]:
    """Import the libraries of an extra of the package, or name the extra that is missing.

    Raises `ModuleNotFoundError` with the command that installs it.
    """
    try:
        yield
    except ModuleNotFoundError as missing:
        advice = f"{missing.name} is not installed: pip install 'valletta-rules[{name}]'"
        raise ModuleNotFoundError(advice, name=missing.name, path=missing.path) from missing
