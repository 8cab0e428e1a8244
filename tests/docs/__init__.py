"""The documentation: its code blocks, its pages, and the extensions that make them."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"


def extension(name: str) -> ModuleType:
    """Import an extension of the documentation."""
    folder = str(DOCS / "extensions")
    if folder not in sys.path:
        sys.path.append(folder)
    return importlib.import_module(name)
