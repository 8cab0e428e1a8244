"""Measure the line and branch coverage of the native backend with gcov.

    python -m spec.checks.reached FOLDER

reads the data that a library compiled with ``--coverage`` has written to FOLDER.  A line that was
not reached must be listed in ``spec/checks/unreached.toml``, with its function, its text and a
reason.
"""

import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from spec.checks.established import ROOT

NATIVE: Final = ROOT / "src" / "native"

EXCUSED: Final = ROOT / "spec" / "checks" / "unreached.toml"

SourceLine = tuple[str, str]
"""A line of C: its file and function, and its text or the beginning of its text."""


def unreached(report: dict[str, Any]) -> Iterator[SourceLine]:
    """Yield the lines of C that did not run, or that have a branch that was never taken."""
    defined = re.findall(r"#define (\w+)\(.* (\w+)\(", (NATIVE / "row.h").read_text("utf-8"))
    written = {compiled: name for name, compiled in defined}
    for file in report["files"]:
        path = Path(file["file"])
        if path.parent != NATIVE:
            continue
        text = path.read_text(encoding="utf-8").split("\n")
        for line in file["lines"]:
            if not line["count"] or not all(branch["count"] for branch in line["branches"]):
                compiled = line.get("function_name", "")
                name = f"{path.name}::{written.get(compiled, compiled)}"
                yield name, text[line["line_number"] - 1].strip()


def excused() -> list[SourceLine]:
    """Return the lines that ``unreached.toml`` lists, which need not be reached."""
    return [
        (function, code)
        for each in tomllib.loads(EXCUSED.read_text(encoding="utf-8")).get("unreached", ())
        for function in each["functions"]
        for code in each["code"]
    ]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return 1 if a line is neither reached nor listed, otherwise 0."""
    (folder,) = sys.argv[1:] if arguments is None else arguments
    notes = sorted(str(path.resolve()) for path in Path(folder).glob("*.gcda"))
    output = subprocess.run(
        ("gcov", "--branch-probabilities", "--json-format", "--stdout", *notes),
        cwd=folder,
        check=True,
        capture_output=True,
        encoding="utf-8",
    ).stdout
    lines = [
        place for report in map(json.loads, output.splitlines()) for place in unreached(report)
    ]
    known = excused()
    bad = [
        f"not reached: {function}: {text}"
        for function, text in lines
        if not any(function == name and text.startswith(code) for name, code in known)
    ]
    print("\n".join((*bad, f"{len(lines)} lines not reached in full, {len(bad)} without a reason")))
    return int(bool(bad))


if __name__ == "__main__":
    sys.exit(main())
