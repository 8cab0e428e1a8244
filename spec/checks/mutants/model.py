"""Mutation testing of the formal model: run its checks on each mutant."""

import json
import subprocess
from collections.abc import Callable, Sequence
from typing import Final

from spec.checks.mutants.table import FailedError, Mutant, MutantResult
from spec.checks.node import NODE, SPEC

MAKER: Final = (NODE or "node", "tools/mutants.js")
"""The command that tests mutants of the model: it reads them as JSON, and prints the verdicts."""


def verdicts(
    mutants: Sequence[Mutant], print_line: Callable[[str], None]
) -> dict[str, MutantResult]:
    """Return the result of each mutant, keyed by name.

    Raises `FailedError` if the program fails.
    """
    wanted = json.dumps([{"name": each.name, **(each.model or {})} for each in mutants])
    results = {}
    with subprocess.Popen(
        MAKER, cwd=SPEC, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(wanted)
        process.stdin.close()
        for line in process.stdout:
            each = json.loads(line)
            name = each.pop("name")
            print_line(f"{each['verdict']:10} {name} (model): {each['how']}")
            results[name] = each
    if process.returncode or len(results) < len(mutants):
        raise FailedError(f"{' '.join(MAKER)} failed")
    return results
