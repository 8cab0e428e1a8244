"""The PyInstaller hook for programs that use this package."""

from __future__ import annotations


def hook_folders() -> list[str]:
    """Return the folders of PyInstaller hooks, for the entry point of the package."""
    return [*__path__]
