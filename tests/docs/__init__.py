"""Tests of the documentation: code blocks, pages, and the Sphinx extensions that generate pages."""

import importlib
import subprocess
import sys
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
EXTENSIONS = f"import sys; sys.path[:0] = [{str(DOCS / 'extensions')!r}, {str(ROOT)!r}]\n"
"""The beginning of a Sphinx configuration, which makes the project's own extensions importable."""


def extension(name: str) -> ModuleType:
    """Import and return one of the Sphinx extensions in `docs/extensions`."""
    folder = str(DOCS / "extensions")
    if folder not in sys.path:
        sys.path.append(folder)
    return importlib.import_module(name)


def sphinx(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """Run sphinx-build in `folder` with warnings as errors, and return the finished process."""
    command = [sys.executable, "-m", "sphinx", "-W", "--no-color", *options]
    return subprocess.run(command, cwd=folder, capture_output=True, encoding="utf-8")
