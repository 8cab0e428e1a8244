"""The hook by which PyInstaller freezes programs that use this package."""

from __future__ import annotations


def hook_folders() -> list[str]:
    """Return the folders of hooks, which PyInstaller asks for by an entry point."""
    return [*__path__]
