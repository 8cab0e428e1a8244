"""Mutation testing: does each clause have tests that detect its mutants?

Usage: python -m spec.checks.mutants [--engine] [--model] [--native] [--seam] [--clause ID ...]
       python -m spec.checks.mutants --proofs [--clause ID ...]
       python -m spec.checks.mutants --statements [--engine] [--native] [--model] [--clause ID ...]
       python -m spec.checks.mutants --random N [--statements] [--seed S] [--package NAME ...]

A mutant of a clause implements a misreading of it.  `spec/mutants` lists one or more for each
clause, as changes to the engine, to the formal model and to the native backend.  This program makes
each mutant.  Against a mutant of the engine, it runs only the tests of the clause.  The verdict is
*killed* if one of them fails, *survived* if none fails, and *timed out* if they do not end.  It is
*invalid* if the change cannot be applied, or if the mutant breaks the engine instead of misreading
a rule.  It is *equivalent* if the mutant survives and the table gives the reason why no test could
detect it.
Against a mutant of the model, the program runs the check that the table names; this requires Node.
It compares a mutant of the native backend with the engine, step by step; this requires a C
compiler.  `seam.toml` in this folder lists mutants of the code that converts between Python objects
and the native backend.  The tests for values from Python must detect them.

With `--proofs`, the program only tries proofs: for mutants of native functions that have contracts,
and for negated contracts.  This requires Frama-C (`bash spec/prove.sh` installs it) and takes an
hour.

With `--statements`, the program only runs the formal statements, against mutants of the engine and
of its native backend.  It prints how many mutants are killed by the statement of their own
clause, how many by any statement, and how many only by the journal, a symmetry or an error.  This
takes half an hour.  With `--model`, the statements are run on traces of the formal model, for each
mutant that changes only the model.  The events in these traces come from the engine.  The journal
therefore detects most of these mutants, and no minimum share is required.

With `--random`, the program makes N random mutants of the core, the packages around it and the
JavaScript package, and runs against each mutant the tests of the package that it changes.  300
mutants take about an hour on two cores; the JavaScript package must have been built.  With
`--statements`, only the rulebook is mutated, and only the formal statements are run.

Exit code 0: every mutant is killed or equivalent (with `--statements`: 98 % are killed, and 90 %
by their own statement; with `--random`: 95 % are killed); 1: otherwise; 2: wrong usage.
"""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial

from spec.checks.figures import publish
from spec.checks.mutants import cache, engine, model, native, places, proofs, sample, statements
from spec.checks.mutants.table import (
    MUTATED,
    SETTLED,
    FailedError,
    Mutant,
    MutantResult,
    read_mutants,
    read_seam,
)

HALVES = {
    "engine": engine.verdicts,
    "model": model.verdicts,
    "native": native.verdicts,
    "seam": native.seam_verdicts,
    "proofs": proofs.verdicts,
}
"""The functions that return the verdicts on mutants, keyed by the kind of mutant: the source that
is mutated, or `proofs`."""

BY_PROOF = "proofs"
"""The kind of mutant that proofs must detect.  Proofs take an hour, and run only on request."""

Results = dict[str, dict[str, MutantResult]]
"""The results of mutants, keyed by the kind of the mutants and then by their names."""


def print_progress(line: str) -> None:
    """Print a line about the progress to standard error."""
    print(line, file=sys.stderr, flush=True)


def report(results: Results) -> bool:
    """Print the number of mutants with each verdict; return whether every verdict is a success."""
    is_settled = True
    for half, verdicts in results.items():
        counts = Counter(each["verdict"] for each in verdicts.values())
        listed = ", ".join(f"{count} {verdict}" for verdict, count in counts.most_common())
        title = f"mutants of the {MUTATED[half]}" if half in MUTATED else "proofs"
        print(f"{title}: {listed}")
        for name, each in verdicts.items():
            if each["verdict"] not in SETTLED:
                print(f"  {each['verdict']}: {name}")
                is_settled = False
    return is_settled


def command_line() -> argparse.ArgumentParser:
    """Return the parser for the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m spec.checks.mutants",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    for half in HALVES:
        text = "only proofs" if half == BY_PROOF else f"only mutants of the {MUTATED[half]}"
        parser.add_argument(
            f"--{half}", dest="halves", action="append_const", const=half, help=text
        )
    parser.add_argument("--clause", nargs="+", metavar="ID", help="only mutants of these clauses")
    parser.add_argument("--statements", action="store_true", help="run only the formal statements")
    sampled = (*places.PACKAGES, places.JAVASCRIPT.name)
    parser.add_argument("--random", type=int, metavar="N", help="random mutants instead")
    parser.add_argument("--seed", type=int, help="the seed of the sample; default: the date")
    parser.add_argument("--package", nargs="+", metavar="NAME", choices=sampled)
    return parser


def run_random(options: argparse.Namespace) -> bool:
    """Test random mutants and print the results; return whether enough mutants are killed.

    Raises `FailedError` if tests or statements fail on the unmutated sources.
    """
    seed = int(time.time()) // 86_400 if options.seed is None else options.seed
    usual = ["rulebook"] if options.statements else [*places.PACKAGES, places.JAVASCRIPT.name]
    mutants = sample.chosen(options.random, seed, options.package or usual)
    print_progress(f"{len(mutants)} mutants, seed {seed}")
    if not options.statements:
        verdicts = sample.verdicts(mutants, print_progress)
        publish(seed=seed, verdicts=verdicts)
        return sample.report(verdicts)
    stated = statements.verdicts_on_random(mutants, print_progress)
    publish(seed=seed, verdicts=stated)
    clauses = dict.fromkeys(stated, "")
    return statements.report("rules", clauses, stated, statements.LEAST_OF_RANDOM)


def chosen(options: argparse.Namespace) -> dict[str, list[Mutant]]:
    """Return the mutants that the options select, keyed by the kind of source that they change."""
    if options.statements:
        named = options.halves or ("engine", "native")
        halves = [half for half in named if half in statements.ENGINES]
    else:
        halves = options.halves or [half for half in HALVES if half != BY_PROOF]
    mutants = [each for each in read_mutants() if each.clause in (options.clause or each.clause)]
    selected = {half: [each for each in mutants if half in each.halves] for half in halves}
    if options.statements and "model" in halves:
        selected["model"] = [each for each in selected["model"] if each.halves == ("model",)]
    if "seam" in halves and not options.clause:
        selected["seam"] = [*read_seam()]
    if BY_PROOF in halves:
        selected[BY_PROOF] = mutants if options.clause else [*mutants, *read_seam()]
    return {half: some for half, some in selected.items() if some}


def run_listed(chosen: Mapping[str, Sequence[Mutant]]) -> bool:
    """Test mutants and print the results; return whether every verdict is a success.

    Raises `FailedError` if a test fails on the unmutated sources.
    """
    results = {
        half: cache.results(half, some, partial(HALVES[half], print_line=print_progress))
        for half, some in chosen.items()
    }
    publish(verdicts=results)
    return report(results)


def run_statements(chosen: Mapping[str, Sequence[Mutant]]) -> bool:
    """Run only the formal statements against mutants; return whether enough mutants are killed.

    Raises `FailedError` if a statement fails on the unmutated sources.
    """
    results = {
        half: statements.verdicts(half, some, print_progress) for half, some in chosen.items()
    }
    publish(verdicts=results)
    passed = [
        statements.report(
            half,
            {each.name: each.clause for each in some if not each.equivalent},
            results[half],
            {} if half == "model" else statements.LEAST_SHARES,
        )
        for half, some in chosen.items()
    ]
    return all(passed)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return 0 if enough mutants are detected, otherwise 1."""
    parser = command_line()
    options = parser.parse_args(arguments)
    began, mutants = time.monotonic(), chosen(options)
    if not mutants:
        parser.error("no mutant matches the options")
    run = run_statements if options.statements else run_listed
    try:
        passed = run(mutants) if options.random is None else run_random(options)
    except FailedError as error:
        print_progress(str(error))
        return 1
    print(f"{time.monotonic() - began:.0f} s")
    return int(not passed)


if __name__ == "__main__":
    sys.exit(main())
