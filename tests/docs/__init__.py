"""The documentation: its code blocks, its pages, and the extensions that make them."""

import importlib
import subprocess
import sys
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
EXTENSIONS = f"import sys; sys.path[:0] = [{str(DOCS / 'extensions')!r}, {str(ROOT)!r}]\n"
"""The prefixes of settings that name extensions of the documentation."""


def extension(name: str) -> ModuleType:
    """Import an extension of the documentation."""
    folder = str(DOCS / "extensions")
    if folder not in sys.path:
        sys.path.append(folder)
    return importlib.import_module(name)


def sphinx(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """Build pages in a folder, with every warning as an error."""
    command = [sys.executable, "-m", "sphinx", "-W", "--no-color", *options]
    return subprocess.run(command, cwd=folder, capture_output=True, encoding="utf-8")
