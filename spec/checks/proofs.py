"""The contracts of the native backend, proved by Frama-C for every row that they are about.

A contract stands before its function in `src/native`; its words are in `contracts.h`.  What a
function ensures under the name of a clause of the rulebook is what that clause says.

    python -m spec.checks.proofs                 prove all contracts
    python -m spec.checks.proofs --mistakes      see that deliberate mistakes leave a goal unproved
    python -m spec.checks.proofs FUNCTION...     prove some of them

It needs Frama-C 25 with WP, Z3 and CVC4; `bash spec/prove.sh` installs them where it can.

Exit code 0: all is proved, and no mistake is; 1: something is not as it should be; 2: wrong usage,
or the tools are not installed.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import attrs

from spec.checks.mistakes.table import NATIVE, mistaken, read_mistakes
from spec.mentions import FUNCTION_IN_C

SECONDS: Final = 60
"""How long a prover may take for a goal; most take a tenth of one."""

COMMAND: Final = (
    *("frama-c", "-c11", "-machdep", "gcc_x86_64", "-wp-par", "2", "-wp-cache", "none"),
    *("-wp", "-wp-rte", "-wp-prover", "cvc4,z3", "-wp-no-warn-memory-model"),
)
"""Frama-C with what is asked of it: contracts, and no undefined behaviour."""

SMOKE: Final = (
    "-wp-smoke-tests",
    *(f"-wp-no-smoke-dead-{what}" for what in ("code", "loop", "call")),
)
"""Frama-C also looks for requirements that contradict each other; unrolled loops have dead code."""

MISSED: Final = re.compile(r"\[Failed\] (?:Goal|Smoke-test) typed_(\w+)")
"""A line about a goal that is not proved, or about requirements that no row fulfils."""

CLAUSE: Final = re.compile(r"\b([A-Z]{3}_\d+):")
"""What names a clause in a contract."""


@attrs.frozen
class Contract:
    """A function with a contract."""

    file: str
    function: str
    clauses: tuple[str, ...]
    """The clauses that it ensures."""


@attrs.frozen
class Proof:
    """What the provers said."""

    goals: int
    missed: tuple[str, ...]
    """The goals that were not proved."""


def contracts(folder: Path = NATIVE) -> tuple[Contract, ...]:
    """Return the contracts of the functions in a folder."""
    return tuple(
        Contract(
            path.name,
            found["name"],
            tuple(
                dict.fromkeys(each.replace("_", "-") for each in CLAUSE.findall(found["contract"]))
            ),
        )
        for path in sorted(folder.glob("*.c"))
        for found in FUNCTION_IN_C.finditer(path.read_text(encoding="utf-8"))
        if found["contract"]
    )


def prove(folder: Path, asked: Iterable[Contract], *options: str, seconds: int = SECONDS) -> Proof:
    """Prove contracts of the sources in a folder.

    Raises `RuntimeError` if Frama-C cannot read them.
    """
    files = [str(folder / file) for file in sorted({each.file for each in contracts(folder)})]
    functions = ",".join(sorted({each.function for each in asked}))
    command = (*COMMAND, "-wp-timeout", str(seconds), *options, "-wp-fct", functions, *files)
    run = subprocess.run(command, capture_output=True, text=True)
    proved = re.search(r"Proved goals: +(\d+) / (\d+)", run.stdout)
    missed = tuple(dict.fromkeys(MISSED.findall(run.stdout)))
    if run.returncode or not proved or int(proved[2]) - int(proved[1]) != len(missed):
        raise RuntimeError(run.stdout[-2000:] + run.stderr[-1000:])
    return Proof(int(proved[2]), missed)


def survivors(asked: Sequence[Contract]) -> Iterator[str]:
    """Make the deliberate mistakes of functions with contracts; say which are proved like the rest.

    A mistake counts where all that it changes has a contract.
    """
    known = {f"{each.file}::{each.function}": each for each in asked}
    for mistake in read_mistakes():
        touched = [known[each.function] for each in mistake.native if each.function in known]
        if not touched or len(touched) < len(mistake.native):
            continue
        with TemporaryDirectory() as name:
            folder = shutil.copytree(NATIVE, Path(name) / "native")
            for path, text in mistaken(mistake.native).items():
                (folder / path.name).write_text(text, encoding="utf-8")
            missed = prove(folder, touched, seconds=5).missed
        print(f"{mistake.name}: {missed[0] if missed else 'proved'}", flush=True)
        if not missed:
            yield f"the mistake {mistake.name} is proved: its contract says too little"


def faults(asked: Sequence[Contract], mistakes: bool) -> Iterator[str]:
    """Say which goals are not proved, and which mistakes are."""
    proof = prove(NATIVE, asked, *SMOKE)
    print(
        f"{proof.goals - len(proof.missed)} of {proof.goals} goals of {len(asked)} functions proved"
    )
    yield from (f"{goal} is not proved" for goal in proof.missed)
    if mistakes:
        yield from survivors(asked)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(
        prog="python -m spec.checks.proofs",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("functions", nargs="*", metavar="FUNCTION", help="only these")
    parser.add_argument("--mistakes", action="store_true", help="and make the mistakes")
    options = parser.parse_args(arguments)
    every = contracts()
    if unknown := set(options.functions) - {each.function for each in every}:
        parser.error(f"no contract has {', '.join(sorted(unknown))}")
    if not shutil.which("frama-c"):
        sys.stderr.write("Frama-C is not installed: bash spec/prove.sh installs it\n")
        return 2
    asked = [each for each in every if not options.functions or each.function in options.functions]
    found = list(faults(asked, options.mistakes))
    print(*found, sep="\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
