"""Compute fingerprints of source files, ignoring comments and docstrings.

Files that take long to generate, such as `spec/explored.json`, contain a stamp: the fingerprint of
their sources.  A test compares the stamp with the current sources.
"""

import ast
import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parents[2]
"""The root directory of the repository."""

MODEL: Final = ("spec/quint/*.qnt",)
"""The patterns of the files of the formal model."""

ENGINE: Final = (
    "src/valletta_rules/components/*.py",
    "src/valletta_rules/rulebook/*.py",
    "src/valletta_rules/rulings.py",
    "src/valletta_rules/errors.py",
    "src/valletta_rules/actions.py",
    "src/valletta_rules/agenda.py",
    "src/valletta_rules/results.py",
    "src/valletta_rules/events.py",
    "src/valletta_rules/state.py",
    "src/valletta_rules/engine.py",
)
"""The patterns of the Python files that implement the rules."""


def fingerprint(patterns: Iterable[str], root: Path = ROOT) -> str:
    """Return a hash of the files that match the patterns, ignoring comments and docstrings.

    The hashed text has a line for each file in the format of ``sha256sum``, sorted by relative
    path.
    """
    names = {
        path.relative_to(root).as_posix() for pattern in patterns for path in root.glob(pattern)
    }
    lines = (
        f"{digest((root / name).read_text(encoding='utf-8'), Path(name).suffix)}  {name}\n"
        for name in sorted(names)
    )
    return hashlib.sha256("".join(lines).encode()).hexdigest()


@cache
def digest(text: str, suffix: str) -> str:
    """Return a hash of a file's text without comments and docstrings; see `essence`.

    `suffix` is the suffix of the file name.
    """
    return hashlib.sha256(essence(text, suffix).encode()).hexdigest()


def essence(text: str, suffix: str) -> str:
    """Return the text of a file without comments, docstrings and empty lines.

    `suffix` is the suffix of the file name.  A Python comment that follows code on the same line is
    retained.
    """
    if suffix in (".c", ".h"):
        text = re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.DOTALL)
    lines = text.split("\n")
    if suffix == ".qnt":
        lines = [re.sub(r"\s*//.*", "", line) for line in lines]
    elif suffix == ".js":
        lines = [re.sub(r"^\s*(//|/?\*).*", "", line) for line in lines]
    elif suffix == ".py":
        for start, end in docstrings(text):
            lines[start - 1 : end] = [""] * (end - start + 1)
        lines = [re.sub(r"^\s*#.*", "", line) for line in lines]
    return "\n".join(line for line in lines if line.strip())


def docstrings(text: str) -> Iterator[tuple[int, int]]:
    """Yield the first and last line number of each docstring, including those of attributes."""
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Expr(value=ast.Constant(value=str())):
                yield node.lineno, node.end_lineno or node.lineno


def stamp(patterns: Iterable[str], root: Path = ROOT) -> dict[str, Any]:
    """Return a stamp: the patterns of the files, and the fingerprint of the matching files."""
    files = list(patterns)
    return {"files": files, "sha256": fingerprint(files, root)}


def is_present(stamped: Mapping[str, Any], root: Path = ROOT) -> bool:
    """Return whether the files that a stamp lists still have the fingerprint in the stamp."""
    return fingerprint(stamped["files"], root) == str(stamped["sha256"])
