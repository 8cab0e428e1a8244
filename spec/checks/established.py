"""What the long checks established: the files they write, and whether those are still true.

A check that takes minutes or hours writes its figures to a JSON file, with the day and with stamps
of the sources it ran on.  The documentation shows the figures, and says so if they belong to an
earlier version because their sources have changed since.  Figures depend on what was checked and on
what checked it.  Comments and docstrings do not count.
"""

from __future__ import annotations

import ast
import datetime
import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parents[2]
"""The repository."""

MODEL: Final = ("spec/quint/*.qnt",)
"""The formal model."""

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
"""The rules as Python: floors 0 to 4."""


def fingerprint(patterns: Iterable[str], root: Path = ROOT) -> str:
    """Return a fingerprint of the files that match the patterns, each without its comments.

    It is a hash of lines like those of ``sha256sum``, the files named from the root and sorted.
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
    """Return a hash of the text of a file with some suffix, without its comments."""
    return hashlib.sha256(essence(text, suffix).encode()).hexdigest()


def essence(text: str, suffix: str) -> str:
    """Return the text of a file with some suffix without comments, docstrings and empty lines.

    A comment of Python is left in if it stands behind code.
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
    """Find the docstrings, attributes' too: their first and last lines."""
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Expr(value=ast.Constant(value=str())):
                yield node.lineno, node.end_lineno or node.lineno


def stamp(patterns: Iterable[str], root: Path = ROOT) -> dict[str, Any]:
    """Return which files a check ran on, and their fingerprint."""
    files = list(patterns)
    return {"files": files, "sha256": fingerprint(files, root)}


def is_present(stamped: Mapping[str, Any], root: Path = ROOT) -> bool:
    """Tell whether the files are still those that were stamped."""
    return fingerprint(stamped["files"], root) == str(stamped["sha256"])


def write(path: Path, sources: Mapping[str, Any], figures: Mapping[str, Any]) -> None:
    """Write the figures of a complete run, with the day and the stamps of its sources."""
    today = datetime.datetime.now(datetime.UTC).date().isoformat()
    text = json.dumps({"date": today, "sources": dict(sources), **figures}, indent=1)
    path.write_text(f"{text}\n", encoding="utf-8")
