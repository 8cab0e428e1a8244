"""Make the deliberate mistakes of the clauses, and see whether the clauses' own tests notice.

Usage: python -m spec.checks.mistakes [--engine] [--model] [--native] [--clause ID ...] [--sample N]

`spec/mistakes` has for each clause a misreading or several, and what they come to in the engine,
in the formal model and in the native backend.  Here each is made.
In the engine it meets the tests of its clause alone:
it is *killed* if one of them fails, *survived* if none does, *timed out* if they do not come to an
end, *invalid* if it cannot be made or breaks the engine instead of misreading a rule, and
*equivalent* if it survives and the table proves that nobody could notice.  In the model it meets
the check that the table names; that needs Node.  In the native backend it meets the engine, step by
step; that needs a C compiler.

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
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from spec.checks.established import ENGINE, MODEL, ROOT, stamp, write
from spec.checks.mistakes import engine, model, native
from spec.checks.mistakes.table import (
    SETTLED,
    TABLES,
    FailedError,
    Mistake,
    MistakeResult,
    read_mistakes,
)

READ = ("src/valletta_rules/views/*.py",)
"""What has mistakes besides the rules."""

ROOMS = (
    *("audit", "card_sets", "conformance", "properties", "rulebook", "specification", "svg"),
    "views",
)

TESTS = (
    *("tests/*.py", "tests/spec/test_examples_of_clauses.py", "spec/clauses/*.toml"),
    *(f"tests/{room}/*.py" for room in ROOMS),
)
"""The files of the clauses' own tests, the worked examples among them."""

RUNNER = ("spec/checks/mistakes/*.py", "spec/tools/*.js", TABLES)
"""The mistakes, and what makes them."""

NATIVE = ("src/native/*.c", "src/native/*.h")

VERDICTS = ROOT / "spec" / "mistakes.json"
"""Where it is written down what became of them."""

HALVES = {"engine": engine.verdicts, "model": model.verdicts, "native": native.verdicts}
"""What has mistakes, and what makes them there; the engine first, while nobody has imported it."""


def say(line: str) -> None:
    """Tell at once how far it has come."""
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()


def sources() -> dict[str, Any]:
    """Return the stamps of what the verdicts depend on."""
    return {
        "engine": stamp((*ENGINE, *READ)),
        "model": stamp(MODEL),
        "native": stamp(NATIVE),
        "tests": stamp(TESTS),
        "mistakes": stamp(RUNNER),
    }


def figures(
    mistakes: Sequence[Mistake], found: Mapping[str, dict[str, MistakeResult]]
) -> dict[str, Any]:
    """Return the verdicts as they are written down: by clause, mistake, and where it was made."""
    clauses: dict[str, dict[str, Any]] = {}
    for each in mistakes:
        clauses.setdefault(each.clause, {})[each.id] = {
            half: {"of": each.fingerprints[half], **verdicts[each.name]}
            for half, verdicts in found.items()
            if each.name in verdicts
        }
    return {"clauses": clauses}


def write_down(found: Mapping[str, Any], *, is_whole: bool) -> None:
    """Write the verdicts down; those of some mistakes beside the others, without a new day."""
    if is_whole:
        return write(VERDICTS, sources(), found)
    known = json.loads(VERDICTS.read_text(encoding="utf-8"))
    known["sources"] = sources() | known["sources"]
    for clause, each in found["clauses"].items():
        before = known["clauses"].get(clause, {})
        names = [mistake.id for mistake in read_mistakes() if mistake.clause == clause]
        known["clauses"][clause] = {
            name: before.get(name, {}) | each.get(name, {}) for name in names
        }
    VERDICTS.write_text(f"{json.dumps(known, indent=1)}\n", encoding="utf-8")
    return None


def sample(mistakes: Sequence[Mistake], size: int, seed: int) -> list[Mistake]:
    """Return some of the mistakes: with one seed after the other all of them in turn."""
    shuffled = random.Random(0).sample(mistakes, len(mistakes))
    first = seed * size % len(shuffled)
    return (shuffled + shuffled)[first : first + min(size, len(shuffled))]


def chosen(options: argparse.Namespace) -> list[Mistake]:
    """Return the mistakes that are to be made, somewhere."""
    mistakes = [
        each
        for each in read_mistakes()
        if (options.clause is None or each.clause in options.clause)
        and not options.halves.isdisjoint(each.fingerprints)
    ]
    return sample(mistakes, options.sample, options.seed) if options.sample else mistakes


def make(
    mistakes: Sequence[Mistake], halves: Collection[str]
) -> dict[str, dict[str, MistakeResult]]:
    """Make mistakes in the engine, the model or the backend, and return what becomes of them.

    Raises `FailedError` if the checks find fault without a mistake.
    """
    found = {}
    for half, verdicts in HALVES.items():
        here = [each for each in mistakes if half in each.fingerprints and half in halves]
        if here:
            found[half] = verdicts(here, say)
    return found


def report(found: Mapping[str, Mapping[str, MistakeResult]]) -> bool:
    """Print how many mistakes have which verdict, and tell whether none is open."""
    is_settled = True
    for half, verdicts in found.items():
        counts = Counter(each["verdict"] for each in verdicts.values())
        listed = ", ".join(f"{count} {verdict}" for verdict, count in counts.most_common())
        print(f"mistakes in the {half}: {listed}")
        for name, each in verdicts.items():
            if each["verdict"] not in SETTLED:
                print(f"  {each['verdict']}: {name}")
                is_settled = False
    return is_settled


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line."""
    today = datetime.datetime.now(datetime.UTC).date().toordinal()
    parser = argparse.ArgumentParser(
        prog="python -m spec.checks.mistakes",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    for half in HALVES:
        only = f"only in the {half}"
        parser.add_argument(
            f"--{half}", dest="halves", action="append_const", const=half, help=only
        )
    parser.add_argument("--clause", nargs="+", metavar="ID", help="only the mistakes of these")
    parser.add_argument("--sample", type=int, metavar="N", help="only so many, others every day")
    parser.add_argument("--seed", type=int, default=today, help="which, instead of the day's")
    parser.add_argument("--write", action="store_true", help=f"write them to {VERDICTS.name}")
    options = parser.parse_args(arguments)
    options.halves = frozenset(options.halves or HALVES)
    began = time.monotonic()
    if not (mistakes := chosen(options)):
        parser.error("there is no such mistake")
    try:
        found = make(mistakes, options.halves)
    except FailedError as error:
        say(str(error))
        return 1
    is_settled = report(found)
    print(f"{time.monotonic() - began:.0f} s")
    if options.write and is_settled:
        whole = options.clause is None and not options.sample and len(options.halves) == len(HALVES)
        write_down(figures(mistakes, found), is_whole=whole)
    return 0 if is_settled else 1


if __name__ == "__main__":
    sys.exit(main())
