"""The PyInstaller hook for programs that use this package."""

from __future__ import annotations


def hook_folders() -> list[str]:
    """Return the folders that contain the package's PyInstaller hooks.

    PyInstaller finds this function through an entry point.
    """
    return [*__path__]
