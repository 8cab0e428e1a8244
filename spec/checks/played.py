"""Games in the page of the documentation, by somebody who clicks, without a network.

    python -m spec.checks.played --games 100

plays so many games in Chromium, a quarter of them in each language at desk and at phone, with
reloads in the middle and changes of the tab; and measures what a start takes beside that of
Pyodide alone.  With ``--log`` it reads what such a run has printed, which may have been cut off.
It fails if an error was met, or if Python's memory is twice as large at the end as after one game.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import median
from typing import Any, Final

from spec.checks.established import ROOT
from spec.checks.figures import publish

GAME: Final = re.compile(r"# (\w+ \w+), game (\d+): (\d+) bytes, (\d+) of them Python's")

START: Final = re.compile(r"# a start takes ([\d.]+) CPU s, that of Pyodide alone ([\d.]+)")


def figures_of(lines: Iterable[str]) -> dict[str, Any]:
    """Return what a run has printed of its games and starts; raise `ValueError` for an error."""
    pages: dict[str, list[tuple[int, int]]] = {}
    starts: list[float] = []
    for line in lines:
        if line.startswith("not ok"):
            raise ValueError(line.strip())
        if game := GAME.match(line):
            pages.setdefault(game[1], []).append((int(game[3]), int(game[4])))
        if start := START.match(line):
            starts.append(float(start[1]) / float(start[2]))
    return {
        "games": sum(map(len, pages.values())),
        "pages": {page: len(games) for page, games in pages.items()},
        "bytes_after_one": max(games[0][0] for games in pages.values()),
        "bytes_at_the_end": max(games[-1][0] for games in pages.values()),
        "python_after_one": max(games[0][1] for games in pages.values()),
        "python_at_the_end": max(games[-1][1] for games in pages.values()),
        "starts": len(starts),
        "start_ratio": round(median(starts), 2) if starts else None,
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Play, or read the output of a run; print and publish its figures."""
    parser = argparse.ArgumentParser(prog="python -m spec.checks.played", description=__doc__)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--log", type=Path, help="what a run has printed")
    options = parser.parse_args(arguments)
    command = ["node", "tests/web/browser/play.mjs", "docs/_build/html", "--games"]
    if options.log is None:
        run = [*command, str(options.games)]
        text = subprocess.run(run, cwd=ROOT, capture_output=True, text=True, check=False).stdout
    else:
        text = options.log.read_text("utf-8")
    found = figures_of(text.splitlines())
    print(found)
    publish(**found)
    return int(found["python_at_the_end"] > 2 * found["python_after_one"])


if __name__ == "__main__":
    sys.exit(main())
