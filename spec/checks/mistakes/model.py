"""The formal model with one mistake after the other, each met by the model's own checks."""

import json
import subprocess
from collections.abc import Callable, Sequence
from typing import Final

from spec.checks.mistakes.table import FailedError, Mistake, MistakeResult
from spec.checks.node import NODE, SPEC

MAKER: Final = (NODE or "node", "tools/mistakes.js")
"""What makes the mistakes, given as a list in JSON, and tells of each what became of it."""


def verdicts(mistakes: Sequence[Mistake], say: Callable[[str], None]) -> dict[str, MistakeResult]:
    """Return the result for each mistake, by name.

    Raises `FailedError` if the tool does.
    """
    wanted = json.dumps([{"name": each.name, **(each.model or {})} for each in mistakes])
    found = {}
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
            say(f"{each['verdict']:10} {name} in the model: {each['how']}")
            found[name] = each
    if process.returncode or len(found) < len(mistakes):
        raise FailedError(f"{' '.join(MAKER)} failed")
    return found
