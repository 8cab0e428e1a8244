"""A cache of the results of mutants, valid until an input changes.

`python -m spec.checks run` passes the folder of the cache.  A result depends on these inputs: the
mutant, the file that it changes, the chapter of its clause, and the files that decide the verdict.
For the engine, these are the test files with the clause's own tests; for the native backend, the
comparison with the engine, or the tests for values from Python.  Nightly runs ignore the cache,
because other changes may affect a result.
"""

import hashlib
import json
import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

from spec.checks.established import ROOT, digest
from spec.checks.mutants import engine, native
from spec.checks.mutants.table import MUTATED, SETTLED, Mutant, MutantResult, placed
from spec.checks.runner import FORCED, KEYS
from valletta_rules.specification.files import specification

DECIDING: Final = {
    "engine": ("tests/conftest.py", "spec/checks/mutants/*.py"),
    "native": ("spec/checks/*.py", "spec/checks/mutants/*.py", "spec/clauses/*.toml"),
    "seam": ("tests/conftest.py", "spec/checks/mutants/*.py", *native.INCOMING),
}
"""Patterns for the files that decide the verdicts on mutants, keyed by the kind of mutant."""


def keys(half: str, mutants: Iterable[Mutant]) -> dict[str, str]:
    """Return the cache key of each mutant: a hash of all inputs of its result."""
    chosen = [*mutants]
    chapters = {each.id: ROOT / each.place.path for each in specification().clauses}
    common = {path for each in DECIDING[half] for path in ROOT.glob(each.partition("::")[0])}
    own = engine.files_of(each.clause for each in chosen) if half == "engine" else {}
    hashes = {}
    for each in chosen:
        changes = each.engine if half == "engine" else each.native
        files = {ROOT / path.partition("::")[0] for path in own.get(each.clause, ())}
        files |= {chapters[each.clause]} if each.clause in chapters else set()
        files |= common | {placed(change.function)[0] for change in changes}
        lines = [half, sys.version, repr(changes), each.equivalent]
        lines += [digest(path.read_text("utf-8"), path.suffix) for path in sorted(files)]
        hashes[each.name] = hashlib.sha256("\n".join(lines).encode()).hexdigest()
    return hashes


RunMutants = Callable[[Sequence[Mutant]], Mapping[str, MutantResult]]
"""A function that tests mutants and returns their results, keyed by name."""


def results(half: str, mutants: Sequence[Mutant], run: RunMutants) -> dict[str, MutantResult]:
    """Return the result of each mutant, keyed by name, from the cache or from `run`.

    Exceptions raised by `run` are not caught.
    """
    name = os.environ.get(KEYS)
    if not name or half not in DECIDING:
        return {**run(mutants)}
    files = {each: Path(name, key) for each, key in keys(half, mutants).items()}
    known = {each for each, file in files.items() if file.exists() and not os.environ.get(FORCED)}
    by_name = {each: json.loads(files[each].read_text("utf-8")) for each in known}
    sys.stderr.write(
        f"{len(known)} of {len(files)} mutants of the {MUTATED[half]} were killed before\n"
    )
    if others := [each for each in mutants if each.name not in known]:
        new = run(others)
        Path(name).mkdir(parents=True, exist_ok=True)
        for each, result in new.items():
            if result["verdict"] in SETTLED:
                files[each].write_text(json.dumps(result), "utf-8")
        by_name |= new
    return {each.name: by_name[each.name] for each in mutants}
