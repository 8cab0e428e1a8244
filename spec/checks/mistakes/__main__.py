"""Make the deliberate mistakes of the clauses, and see whether the clauses' own tests notice.

Usage: python -m spec.checks.mistakes [--clause BLD-6 ...] [--sample N]

`spec/mistakes` has for each clause a misreading or several, and what they come to in the engine.
Here each is made and meets the tests of its clause alone.  It is *killed* if one of them fails,
*survived* if none does, *timed out* if they do not come to an end, *invalid* if it cannot be made
or breaks the engine instead of misreading a rule, and *equivalent* if it survives and the table
proves that nobody could notice.

Exit code 0: every mistake is killed, or equivalent; 1: some are not; 2: wrong usage.
"""

from __future__ import annotations

import argparse
import datetime
import json
import random
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from spec.checks.established import ENGINE, stamp
from spec.checks.mistakes.engine import Found, verdicts
from spec.checks.mistakes.table import SETTLED, TABLES, Mistake, read_mistakes

READ = ("src/valletta_rules/views/*.py",)
"""What has mistakes besides the rules."""

TESTS = (
    *("tests/*.py", "tests/card_sets/*.py", "tests/edges/*.py", "tests/properties/*.py"),
    *("tests/rulebook/*.py", "tests/spec/test_examples_of_clauses.py", "spec/clauses/*.toml"),
)
"""The files of the clauses' own tests, the worked examples among them."""

RUNNER = ("spec/checks/mistakes/*.py", TABLES)
"""The mistakes, and what makes them."""


def say(line: str) -> None:
    """Tell at once how far it has come."""
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()


def sources() -> dict[str, Any]:
    """Return the stamps of what the verdicts depend on."""
    return {
        "engine": stamp((*ENGINE, *READ)),
        "tests": stamp(TESTS),
        "mistakes": stamp(RUNNER),
    }


def figures(mistakes: Sequence[Mistake], found: dict[str, Found]) -> dict[str, Any]:
    """Return the verdicts as they are written down: by clause and mistake."""
    clauses: dict[str, dict[str, Any]] = {}
    for each in mistakes:
        verdict = {"of": each.fingerprint, **found[each.name]}
        clauses.setdefault(each.clause, {})[each.id] = {"engine": verdict}
    return {"clauses": clauses}


def sample(mistakes: Sequence[Mistake], size: int, seed: int) -> list[Mistake]:
    """Return some of the mistakes: with one seed after the other all of them in turn."""
    shuffled = random.Random(0).sample(mistakes, len(mistakes))
    first = seed * size % len(shuffled)
    return (shuffled + shuffled)[first : first + min(size, len(shuffled))]


def chosen(options: argparse.Namespace) -> list[Mistake]:
    """Return the mistakes that are to be made."""
    mistakes = [
        each
        for each in read_mistakes()
        if each.engine and (options.clause is None or each.clause in options.clause)
    ]
    return sample(mistakes, options.sample, options.seed) if options.sample else mistakes


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line."""
    today = datetime.datetime.now(datetime.UTC).date().toordinal()
    parser = argparse.ArgumentParser(
        prog="python -m spec.checks.mistakes",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--clause", nargs="+", metavar="ID", help="only the mistakes of these")
    parser.add_argument("--sample", type=int, metavar="N", help="only so many, others every day")
    parser.add_argument("--seed", type=int, default=today, help="which, instead of the day's")
    parser.add_argument("--summary", type=Path, metavar="FILE", help="write the verdicts to FILE")
    options = parser.parse_args(arguments)
    began = time.monotonic()
    if not (mistakes := chosen(options)):
        parser.error("there is no such mistake")
    if (found := verdicts(mistakes, say)) is None:
        return 1
    counts = Counter(each["verdict"] for each in found.values())
    listed = ", ".join(f"{count} {verdict}" for verdict, count in counts.most_common())
    print(f"{len(found)} mistakes: {listed}; {time.monotonic() - began:.0f} s")
    open_ones = [name for name, each in found.items() if each["verdict"] not in SETTLED]
    print(*(f"{found[name]['verdict']}: {name}" for name in open_ones), sep="\n", end="")
    if options.summary is not None:
        text = json.dumps({"sources": sources(), **figures(mistakes, found)})
        options.summary.write_text(text, encoding="utf-8")
    return 1 if open_ones else 0


if __name__ == "__main__":
    sys.exit(main())
