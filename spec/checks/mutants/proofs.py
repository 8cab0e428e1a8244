"""Mutation testing of the native backend by proof.

A mutant is tested if all functions that it changes have contracts.  The prover tries to prove these
contracts again.  The mutant is killed if the prover cannot prove a goal that it proves for the
unmutated functions within the same number of steps.

Postconditions that are labelled with clauses are also negated.  The proof of a negated
postcondition must fail, because otherwise the contract would hold for any function.
"""

import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from spec.checks.mutants.runs import KILLED, SURVIVED, Run, SendResult, results_of
from spec.checks.mutants.table import NATIVE, FailedError, Mutant, MutantResult, mutated_sources
from spec.checks.proofs import Contract, Proof, contracts, prove
from spec.mentions import ENSURES

MUTANT_STEPS: Final = 200_000
"""The maximum number of prover steps for each goal."""

MORE_STEPS: Final = 1_000_000
"""The maximum number of prover steps in a second attempt.  The attempt is made if all goals that
fail for the mutant also fail for the unmutated functions."""

DENIAL: Final = r"ensures \g<labels>!(\g<condition>);\n    "
"""The replacement for matches of `ENSURES`; it negates the postcondition."""

Sources = Mapping[Path, str]
"""The files that a mutant changes, mapped to their new texts."""


def verdicts(
    mutants: Sequence[Mutant], print_line: Callable[[str], None]
) -> dict[str, MutantResult]:
    """Return the result of each mutant that proof can detect, and of each negated contract.

    Raises `FailedError` if the current text of a contract has not been proved.
    """
    if missing := [each.name for each in contracts() if not each.is_proved]:
        raise FailedError(
            f"{missing[0]} is not proved in its current form: run bash spec/prove.sh --write"
        )
    return results_of(
        "contracts", mutants, lambda send: send({"verdict": SURVIVED}), runs(mutants), print_line
    )


def runs(mutants: Sequence[Mutant]) -> dict[str, Run]:
    """Return a run for each mutant and each negated contract, keyed by name."""
    every = {each.name: each for each in contracts()}
    clauses = {each.clause for each in mutants}
    runs_by_name: dict[str, Run] = {}
    for mutant in mutants:
        touched = [every[it.function] for it in mutant.native if it.function in every]
        if touched and len(touched) == len(mutant.native):
            runs_by_name[mutant.name] = partial(prove_mutant, mutant, touched)
    for name, each in every.items():
        if clauses.intersection(each.clauses):
            runs_by_name[f"{name} denied"] = partial(prove_denial, each)
    return runs_by_name


def prove_mutant(mutant: Mutant, touched: Sequence[Contract], send: SendResult) -> None:
    """Try to prove the functions that a mutant changes, and report the result."""
    missed = missed_by(mutated_sources(mutant.native), touched)
    send({"verdict": KILLED, "how": ", ".join(missed)} if missed else {"verdict": SURVIVED})


def prove_denial(contract: Contract, send: SendResult) -> None:
    """Negate the labelled postconditions of a contract, try to prove them, report the result."""
    labels = [each.label for each in contract.ensures]
    missed = proved_in(denials(contract), [contract], f"-wp-prop={','.join(labels)}").missed
    proved = [label for label in labels if not any(label in goal for goal in missed)]
    send({"verdict": SURVIVED, "why": f"{proved[0]} is denied"} if proved else {"verdict": KILLED})


def missed_by(changed: Sources, targets: Sequence[Contract]) -> list[str]:
    """Return the goals that are proved in the current files, but not in the changed files."""
    for steps in (MUTANT_STEPS, MORE_STEPS):
        missed = proved_in(changed, targets, steps=steps).missed
        slow = proved_in({}, targets, steps=steps).missed if missed else ()
        if not slow or {*missed} - {*slow}:
            break
    return [goal for goal in missed if goal not in slow]


def denials(contract: Contract) -> Sources:
    """Return the source file of a contract with its labelled postconditions negated."""
    path = NATIVE / contract.file
    text = path.read_text(encoding="utf-8")
    lines = text.splitlines(keepends=True)
    start = sum(map(len, lines[: contract.line - 1]))
    end = text.index("*/", start) + 2
    return {path: f"{text[:start]}{ENSURES.sub(DENIAL, text[start:end])}{text[end:]}"}


def proved_in(
    changed: Sources, targets: Iterable[Contract], *options: str, steps: int = MUTANT_STEPS
) -> Proof:
    """Prove contracts in a copy of the native backend in which some files are changed."""
    with TemporaryDirectory() as name:
        folder = shutil.copytree(NATIVE, Path(name) / "native")
        for path, text in changed.items():
            (folder / path.name).write_text(text, encoding="utf-8")
        return prove(folder, targets, *options, steps=steps)
