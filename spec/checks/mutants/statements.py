"""Mutation testing of the engine, its backend or the model by the formal statements.

A forked process judges the worked examples and then games.  It stops when the statement of the
mutant's own clause fails, or at a limit, and reports the clauses of all failed statements.  A
random mutant of the rules belongs to no clause, so its process ends as soon as any statement fails.
"""

import importlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

from spec.checks.mutants import native
from spec.checks.mutants.engine import replace_sources
from spec.checks.mutants.places import RandomMutant
from spec.checks.mutants.runs import SendResult, result, results_of
from spec.checks.mutants.table import MUTATED, Mutant, MutantResult, mutated_sources
from valletta_rules import clause_ids

MOST: Final[dict[str, int]] = {"engine": 6_000, "native": 6_000, "model": 600}
"""The maximum number of examples and positions to judge, keyed by the source that is mutated."""

ENGINES: Final = {"engine": "python", "native": "packed", "model": "model"}
"""The name of the implementation to judge, keyed by the source that is mutated."""

LEAST_SHARES: Final = {"own": 0.90, "any": 0.98}
"""The minimum shares of mutants that must be killed by the statement of their own clause, and by
any statement."""

LEAST_OF_RANDOM: Final = {"any": 0.95}
"""The minimum share of random mutants that statements must kill."""


Sources = Callable[[], Mapping[Path, str]]
"""A function that returns the changed sources of the engine, keyed by path."""


def failing(half: str, clause: str, *changes: object) -> str:
    """Return the clauses whose statements fail, and other kinds of failure, separated by spaces.

    The function runs in a forked process.  `changes` contains the changes that a mutant makes to
    the model.
    """
    fresh: Any = importlib.import_module("spec.checks.statements")
    engine = fresh.ENGINES[ENGINES[half]](*changes)
    return " ".join(sorted(fresh.violated_clauses(engine, clause, MOST[half])))


def check_engine(sources: Sources, clause: str, send: SendResult) -> None:
    """Import the engine from mutated sources, and run the statements on it.

    The function runs in a forked process.
    """
    replace_sources(sources())
    send(result(failing("engine", clause)))


def check_model(mutant: Mutant | None, send: SendResult) -> None:
    """Run the statements on a mutant, or on the unmutated model.

    The function runs in a forked process.
    """
    change = dict(mutant.model or {}) if mutant else {}
    changes = [change, *change.pop("also", [])] if change else []
    send(result(failing("model", mutant.clause if mutant else "", changes)))


def verdicts(
    half: str, mutants: Sequence[Mutant], print_line: Callable[[str], None]
) -> dict[str, MutantResult]:
    """Return the result, keyed by name, of each mutant of the engine, backend or model.

    Raises `FailedError` if a statement fails on the unmutated sources.
    """
    if half == "native":
        return native.verdicts(mutants, print_line, partial(failing, half))
    if half == "model":
        traces = {each.name: partial(check_model, each) for each in mutants}
        return results_of(half, mutants, partial(check_model, None), traces, print_line)
    runs = {
        each.name: partial(check_engine, partial(mutated_sources, each.engine), each.clause)
        for each in mutants
    }
    return results_of(half, mutants, partial(check_engine, dict, ""), runs, print_line)


def verdicts_on_random(
    mutants: Sequence[RandomMutant], print_line: Callable[[str], None]
) -> dict[str, MutantResult]:
    """Return the result of each random mutant, keyed by name.

    Raises `FailedError` if a statement fails on the unmutated rules.
    """
    runs = {each.name: partial(check_engine, each.sources, "") for each in mutants}
    return results_of("rules", (), partial(check_engine, dict, ""), runs, print_line)


def report(
    where: str,
    clauses: Mapping[str, str],
    results: Mapping[str, MutantResult],
    least: Mapping[str, float],
) -> bool:
    """Print which statements kill the mutants; return whether they kill enough of them.

    `clauses` maps the name of each mutant to its clause, which is empty for a random mutant.
    `least` contains the minimum shares of killed mutants.
    """
    tally = Counter[str]()
    for name, clause in clauses.items():
        how = {*results[name].get("how", "").split()}
        counted = {"own": clause in how, "any": not how.isdisjoint(clause_ids())}
        tally.update(kind for kind, is_killed in counted.items() if is_killed)
        tally["other"] += bool(how) > counted["any"]
        tally["all"] += bool(how)
        if not counted["own" if clause else "any"]:
            print(f"  not by its own: {name}: {' '.join(sorted(how)) or results[name]['verdict']}")
    own = f"{tally['own']} by the statement of their clause, " if any(clauses.values()) else ""
    print(
        f"mutants of the {MUTATED.get(where, where)}: {tally['all']} of {len(clauses)} killed,"
        f" {own}{tally['any']} by any statement, {tally['other']} by the journal, a symmetry or an"
        " error alone"
    )
    return all(tally[kind] >= share * len(clauses) for kind, share in least.items())
