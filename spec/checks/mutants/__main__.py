"""Mutation testing with deliberate mistakes: does each clause have tests that detect them?

Usage: python -m spec.checks.mutants [--engine] [--model] [--native] [--seam] [--clause ID ...]
       python -m spec.checks.mutants --proofs [--clause ID ...]
       python -m spec.checks.mutants --statements [--engine] [--native] [--model] [--clause ID ...]
       python -m spec.checks.mutants --random N [--statements] [--seed S] [--package NAME ...]

A mistake is a misreading of a clause.  `spec/mutants` lists one or more for each clause, as
changes to the engine, to the formal model and to the native backend.  This program applies each
change.  A mistake in the engine is judged only by the tests of its clause.  Its verdict is *killed*
if one of them fails, *survived* if none fails, and *timed out* if they do not end.  It is *invalid*
if the mistake cannot be applied, or breaks the engine instead of misreading a rule.  It is
*equivalent* if the mistake survives and the table gives the reason why no test could detect it.  A
mistake in the model is judged by the check that the table names; this requires Node.  A mistake in
the native backend is judged by comparison with the engine, step by step; this requires a C
compiler.  `seam.toml` in this folder lists mistakes in the code that converts between Python
objects and the native backend.  They are judged by the tests for values from Python.

With `--proofs`, mistakes in native functions that have contracts, and negated contracts, are judged
only by proof.  This requires Frama-C (`bash spec/prove.sh` installs it) and takes an hour.

With `--statements`, mistakes in the engine and in its native backend are judged only by the formal
statements.  The program prints how many mistakes are killed by the statement of their own clause,
how many by any statement, and how many only by the journal, a symmetry or an error.  This takes
half an hour.  With `--model`, it judges traces of the formal model with each mistake that changes
only the model.  The events in these traces come from the engine.  The journal therefore detects
most of these mistakes, and no minimum share is required.

With `--random`, the program makes N random mutants of the core, the packages around it and the
JavaScript package, each judged by the tests of its package. 300 of them take about an hour on two
cores; the JavaScript package must have been built.  With `--statements`, only the rulebook is
mutated, and only the formal statements judge the mutants.

Exit code 0: every mistake is killed or equivalent (with `--statements`: 98 % are killed, and 90 %
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
"""The functions that judge mistakes, keyed by the kind of mistake: the source that it changes, or
`proofs`."""

BY_PROOF = "proofs"
"""The kind of mistake that is judged by proof.  Proofs take an hour, and run only on request."""

Results = dict[str, dict[str, MutantResult]]
"""The results of mistakes, keyed by the kind of the mistakes and then by their names."""


def print_progress(line: str) -> None:
    """Print a line about the progress to standard error."""
    print(line, file=sys.stderr, flush=True)


def report(results: Results) -> bool:
    """Print the number of mistakes with each verdict; return whether every verdict is accepted."""
    is_settled = True
    for half, verdicts in results.items():
        counts = Counter(each["verdict"] for each in verdicts.values())
        listed = ", ".join(f"{count} {verdict}" for verdict, count in counts.most_common())
        print(f"mistakes in the {half}: {listed}")
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
        text = "only by proof" if half == BY_PROOF else f"only in the {half}"
        parser.add_argument(
            f"--{half}", dest="halves", action="append_const", const=half, help=text
        )
    parser.add_argument("--clause", nargs="+", metavar="ID", help="only their mistakes")
    parser.add_argument("--statements", action="store_true", help="judge only by formal statements")
    sampled = (*places.PACKAGES, places.JAVASCRIPT.name)
    parser.add_argument("--random", type=int, metavar="N", help="random mutants instead")
    parser.add_argument("--seed", type=int, help="the seed of the sample; default: the date")
    parser.add_argument("--package", nargs="+", metavar="NAME", choices=sampled)
    return parser


def judge_random(options: argparse.Namespace) -> bool:
    """Judge random mutants and print the results; return whether enough mutants are killed.

    Raises `FailedError` if tests or statements fail without a mutant.
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
    """Return the mistakes that the options select, keyed by the kind of source that they change."""
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


def judge_mutants(chosen: Mapping[str, Sequence[Mutant]]) -> bool:
    """Judge mistakes and print the results; return whether every verdict is accepted.

    Raises `FailedError` if a test fails without any mistake.
    """
    results = {
        half: cache.judged(half, some, partial(HALVES[half], print_line=print_progress))
        for half, some in chosen.items()
    }
    publish(verdicts=results)
    return report(results)


def judge_by_statements(chosen: Mapping[str, Sequence[Mutant]]) -> bool:
    """Judge mistakes by formal statements only; return whether enough mistakes are killed.

    Raises `FailedError` if a statement fails without any mistake.
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
    """Run the command; return 0 if enough mistakes are detected, otherwise 1."""
    parser = command_line()
    options = parser.parse_args(arguments)
    began, mutants = time.monotonic(), chosen(options)
    if not mutants:
        parser.error("no mistake matches the options")
    judge = judge_by_statements if options.statements else judge_mutants
    try:
        passed = judge(mutants) if options.random is None else judge_random(options)
    except FailedError as error:
        print_progress(str(error))
        return 1
    print(f"{time.monotonic() - began:.0f} s")
    return int(not passed)


if __name__ == "__main__":
    sys.exit(main())
