"""A context manager for optional imports, with an error that names the extra to install."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def extra(name: str) -> Iterator[None]:
    """Return a context manager in which to import the third-party libraries of the extra `name`.

    If a library is missing, the block raises `ModuleNotFoundError` with the command that installs
    the extra.
    """
    try:
        yield
    except ModuleNotFoundError as missing:
        advice = f"{missing.name} is not installed: pip install 'valletta-rules[{name}]'"
        raise ModuleNotFoundError(advice, name=missing.name, path=missing.path) from missing
