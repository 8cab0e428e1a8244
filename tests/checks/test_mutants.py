"""Tests of mutation testing: the mutants of the code, and the verdicts on them."""

import os
import shutil
import signal
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import count
from pathlib import Path
from threading import Event
from typing import Any

import attrs
import pytest

from spec.checks.established import ROOT, digest
from spec.checks.mutants import cache, model, native, places, runs, sample, statements, table
from spec.checks.mutants.engine import files_of
from spec.checks.mutants.runs import (
    EQUIVALENT,
    INVALID,
    KILLED,
    SURVIVED,
    TIMED_OUT,
    Run,
    SendResult,
    in_forks,
    results_of,
)
from spec.checks.node import why_unavailable
from spec.checks.runner import FORCED, KEYS
from valletta_rules.native import available
from valletta_rules.specification.files import specification

CASES: dict[str, Any] = tomllib.loads(Path(__file__).with_name("mutants.toml").read_text("utf-8"))
"""Code to mutate, with the expected mutants and verdicts."""

MUTANTS = table.read_mutants()
KNIGHT = next(each for each in MUTANTS if each.name == "YEL-15 three-points")


def test_the_mutants_in_the_file_of_a_chapter_are_in_the_order_of_its_clauses() -> None:
    """Each mutant belongs to a clause. The files are in `spec/mutants`."""
    for chapter in specification().chapters:
        path = f"spec/mutants/{chapter.chapter}.toml"
        named = [each.clause for each in MUTANTS if each.place.path == path]
        assert [*dict.fromkeys(named)] == [each.id for each in chapter.clause if each.id in named]


# Making one


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_the_expression_that_a_mutant_replaces_occurs_once_in_its_function(
    mutant: table.Mutant,
) -> None:
    """Otherwise, the mutant could not be made. Mutated Python code must also compile."""
    for path, text in table.mutated_sources((*mutant.engine, *mutant.native)).items():
        if path.suffix == ".py":
            compile(text, path, "exec")


def changed(function: str, expression: str) -> str:
    """Return sample code with an expression in `function` replaced by 7."""
    language, span = (
        ("c", table.span_in_c) if function.islower() else ("python", table.span_in_python)
    )
    code = CASES["replaced"][language]
    return table.replaced(
        code, *span(code, function.split(".")), table.Change(function, expression, "7")
    )


def test_the_expression_of_a_mutant_matches_code_with_other_blanks_and_line_breaks() -> None:
    """Formatting the code therefore does not affect mutants. Constants can also be mutated."""
    assert "max(0, 7)" in changed("Price.of", "self.cost( site )-self.discount(site)")
    assert "LIMIT = 7" in changed("LIMIT", "8")
    assert "? 7 : 0" in changed("price", "cost-discount")


@pytest.mark.parametrize(("function", "expression", "why"), CASES["replaced"]["refused"])
def test_a_mutant_whose_expression_is_missing_or_ambiguous_raises_an_error(
    function: str, expression: str, why: str
) -> None:
    """A mutation must change exactly one place.

    Unknown functions also raise the error, and so do expressions that match only a part of a word.
    """
    with pytest.raises(table.MutationError, match=why):
        changed(function, expression)


def test_a_mutant_that_names_an_unknown_module_raises_an_error() -> None:
    """The mutant names `rulebook.streets`, and no module of the package has this name."""
    with pytest.raises(table.MutationError, match=r"rulebook\.streets is not in any module"):
        table.placed("rulebook.streets")


# Random mutants


def test_random_mutants_do_not_change_texts_annotations_logs_caches_or_guards() -> None:
    """Decorators and the arguments of errors are not mutated, either.

    The bound of a comparison with 0 is not mutated if the body only adds or subtracts the compared
    number, because the mutant would be equivalent to the original code.
    """
    cases = CASES["sampled"]
    for language, places_in in (("python", places.in_python), ("javascript", places.in_javascript)):
        code = cases[language]
        mutants = {(code[start:end], new) for start, end, new in places_in(code)}
        assert mutants == {*map(tuple, cases[f"of_{language}"])}


def test_equal_seeds_give_equal_samples_of_random_mutants(monkeypatch: pytest.MonkeyPatch) -> None:
    """Verdicts on a sample can therefore be reproduced.

    The test also checks the verdicts: a mutant whose tests time out counts as killed.
    """
    started: list[str] = []

    def in_turn(runs: Iterable[tuple[str, Run]], patience: int) -> Iterator[Any]:
        for name, run in runs:
            started.append(name)
            fate = SURVIVED if name == "codec" else [KILLED, TIMED_OUT, SURVIVED][len(started) % 3]
            mutants = run.args[0] if isinstance(run, partial) and name == "codec" else ()
            reached: dict[str, list[str]] = {each.name: [] for each in mutants}
            yield name, {"verdict": fate, "seconds": 4.0, "reached": reached}, 0.0

    mutants = sample.chosen(9, 5, ["codec"])
    assert sample.chosen(9, 5, ["codec"]) == mutants
    monkeypatch.setattr(sample, "in_forks", in_turn)
    verdicts = sample.verdicts(mutants, lambda _: None)
    assert [*verdicts["codec"].values()] == [SURVIVED, KILLED, KILLED] * 3
    assert started == ["codec", *verdicts["codec"]]
    assert all(name.startswith("src/valletta_rules/codec/") for name in verdicts["codec"])
    assert not sample.report(verdicts)


def test_a_sample_does_not_contain_a_mutant_whose_import_fails(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Any test would kill such a mutant.

    The sample contains another mutant instead, if there is one.
    """
    path = table.PACKAGE / "rulebook" / "blue.py"
    start = path.read_bytes().index(b"= 4") + 2
    mutants = [places.RandomMutant(path, start, start + 1, each) for each in ("5", "1 // 0")]
    monkeypatch.setattr(sample, "every_mutant", lambda packages: [*mutants])
    assert sample.chosen(2, 0, ()) == mutants[:1]


def test_random_mutants_include_every_package_of_the_core() -> None:
    """The core is the code of the rules. The tests of the rules must kill its mutants."""
    assert {each.package for each in places.every_mutant(places.CORE)} == {*places.CORE}
    for package in places.CORE:
        assert {"tests/rulebook/test_components.py", "tests/test_engine.py"} < {
            *sample.tests_of(package)
        }


@pytest.mark.parametrize(("was", "instead", "reached", "by"), CASES["measured"]["mutants"])
def test_only_tests_that_execute_the_mutated_code_can_kill_a_mutant(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    was: str,
    instead: str,
    reached: list[str],
    by: str,
) -> None:
    """The fastest test runs first, and the first test that fails kills the mutant.

    A counter replaces the CPU clock; `test_slow` advances it once more than the other tests do.
    Code that runs at import is executed by all tests.
    """
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sample, "ROOT", tmp_path)
    monkeypatch.setattr(os, "times", partial(next, zip(count(1))))
    path, test = table.PACKAGE / "text" / "values.py", Path("test_values.py")
    text = path.read_bytes()
    test.write_text(CASES["measured"]["tests"])
    mutants = [
        each
        for each in places.mutants_in(path)
        if (text[each.start : each.end].decode(), each.replacement) == (was, instead)
    ]
    ((_, result, _),) = in_forks([("", partial(sample.measure, mutants, [str(test)]))])
    assert result["verdict"] == SURVIVED
    tests = result["reached"][mutants[0].name]
    assert sorted(each.partition("::")[2] for each in tests) == reached
    ((_, result, _),) = in_forks(
        [("", partial(sample.run_in_pytest, mutants[0], tests, [str(test)]))]
    )
    assert result["verdict"] == (KILLED if by else SURVIVED)
    assert result["by"].endswith(by)


# Runs


def reporting(*verdicts: str, then: Callable[[], object] = lambda: None) -> Run:
    """Return a simulated test run that reports the given verdicts in order, then calls `then`."""

    def run(send: SendResult) -> None:
        for verdict in verdicts:
            send({"verdict": verdict})
        then()

    return run


def dying() -> None:
    """Kill the current process with SIGKILL."""
    os.kill(os.getpid(), signal.SIGKILL)


RUNS = {
    "reported twice": (reporting(SURVIVED, KILLED), KILLED),
    "silent": (reporting(), INVALID),
    "crashing": (reporting(SURVIVED, then=lambda: [][0]), INVALID),
    "ended": (reporting(then=dying), TIMED_OUT),
    "ended when detected": (reporting(KILLED, then=dying), KILLED),
}


def test_the_verdict_on_a_mutant_is_the_last_one_that_its_test_run_reports() -> None:
    """A run without a verdict is a timeout if its process was killed, and invalid otherwise."""
    reported = {
        name: result["verdict"]
        for name, result, _ in in_forks((n, r) for n, (r, _) in RUNS.items())
    }
    assert reported == {name: verdict for name, (_, verdict) in RUNS.items()}


def test_a_run_that_uses_no_cpu_time_times_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """For example, a mutant in a deadlock never reaches the limit on CPU time."""
    monkeypatch.setattr(runs, "IDLE", 0.1)
    ((_, result, _),) = in_forks([("", reporting(then=Event().wait))])
    assert result == {"verdict": TIMED_OUT}


def test_the_cpu_time_of_a_run_includes_its_child_processes() -> None:
    """Otherwise, a run that waits for a busy child process would look idle and time out."""
    program = "import time\nwhile time.process_time() < 0.5: pass\nprint(flush=True)\ninput()"
    before = runs.spent_by(os.getpid())
    command = [sys.executable, "-c", program]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as started:
        assert started.stdout is not None
        started.stdout.readline()
        assert runs.spent_by(os.getpid()) >= before + 0.45
        started.communicate(b"\n")


def test_a_mutant_declared_equivalent_is_invalid_if_a_test_kills_it() -> None:
    """A declaration that a test can refute is wrong.

    If the mutant survives, it counts as equivalent.
    """
    mutants = [attrs.evolve(KNIGHT, id=verdict, equivalent="so") for verdict in (KILLED, SURVIVED)]
    by_name = {each.name: reporting(each.id) for each in mutants}
    verdicts = results_of("engine", mutants, reporting(SURVIVED), by_name, print)
    assert [verdicts[each.name]["verdict"] for each in mutants] == [INVALID, EQUIVALENT]


def run_command(*options: str) -> subprocess.CompletedProcess[str]:
    """Run the command for mutants of the engine, and return the finished process."""
    command = [sys.executable, "-m", "spec.checks.mutants", "--engine", *options]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def test_the_command_counts_the_mutants_that_the_tests_of_a_clause_kill() -> None:
    """If no mutant is listed for the clause, the command exits with status 2."""
    done = run_command("--clause", "YEL-15")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("mutants of the engine: 1 killed\n")
    assert run_command("--clause", "YEL-99").returncode == 2


without_backend = pytest.mark.skipif(
    shutil.which("gcc") is None or not available, reason="no mutant of the backend can be made"
)


@without_backend
@pytest.mark.parametrize("half", ["engine", "native"])
def test_the_report_separates_mutants_killed_by_the_statement_of_their_clause_from_others(
    half: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In this check, formal statements are run against the mutants instead of tests.

    A mutant should be killed by the statement of the clause that it breaks.  The report also
    lists survivors.
    """
    monkeypatch.setitem(statements.MOST, half, 120)
    (change,) = getattr(KNIGHT, half)
    same: dict[str, Any] = {half: [attrs.evolve(change, replacement=f"({change.expression})")]}
    mutants = [
        KNIGHT,
        attrs.evolve(KNIGHT, clause="FIN-2"),
        attrs.evolve(KNIGHT, id="same", **same),
    ]
    verdicts = statements.verdicts(half, mutants, print)
    clauses = {each.name: each.clause for each in mutants}
    assert not statements.report(half, clauses, verdicts, statements.LEAST_SHARES)
    *_, other, survived, total = capsys.readouterr().out.splitlines()
    assert other == "  not by its own: FIN-2 three-points: YEL-15"
    assert survived == "  not by its own: YEL-15 same: survived"
    assert f"mutants of the {table.MUTATED[half]}: 2 of 3 killed, 1 by the statement" in total
    assert ", 2 by any statement, 0 by the journal" in total
    assert statements.report(half, {KNIGHT.name: "YEL-15"}, verdicts, statements.LEAST_SHARES)


@pytest.mark.skipif(why_unavailable() is not None, reason=f"no model: {why_unavailable()}")
def test_formal_statements_detect_a_mutant_of_the_formal_model(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The events of the engine contradict the positions that the mutated model computes."""
    monkeypatch.setitem(statements.MOST, "model", 90)
    mutant = next(each for each in MUTANTS if each.halves == ("model",))
    verdicts = statements.verdicts("model", [mutant], print)
    assert "journal" in verdicts[mutant.name]["how"].split()


def test_formal_statements_alone_kill_a_random_mutant_of_the_rules(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """No test is run. A second mutant, which behaves like the original code, survives."""
    monkeypatch.setitem(statements.MOST, "engine", 120)
    path, text = table.PACKAGE / "rulebook" / "setup.py", "rules.fewer_barrels and players != 2"
    end = path.read_bytes().index(text.encode()) + len(text)
    mutants = [places.RandomMutant(path, end - 1, end, number) for number in ("3", "2")]
    verdicts = statements.verdicts_on_random(mutants, print)
    assert [each.get("how") for each in verdicts.values()] == ["SET-1 SET-7", None]
    assert not statements.report(
        "rules", dict.fromkeys(verdicts, ""), verdicts, statements.LEAST_OF_RANDOM
    )
    assert "1 of 2 killed, 1 by any statement" in capsys.readouterr().out.splitlines()[-1]


@without_backend
def test_the_comparison_with_the_engine_kills_a_mutant_of_the_native_backend(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The backend plays worked examples, and its positions differ from those of the engine.

    A mutant with equal behaviour survives, and one that does not compile is invalid.
    """
    monkeypatch.setattr(native, "AGREEMENT_STEPS", 600)  # all worked examples
    (points,) = KNIGHT.native
    changes = {
        "killed": points,
        "survived": attrs.evolve(points, replacement="(KNIGHT_POINTS)"),
        "invalid": attrs.evolve(points, replacement="PAGE_POINTS"),
        "elsewhere": attrs.evolve(points, function="yellow.c::page"),
    }
    mutants = [attrs.evolve(KNIGHT, id=id, native=[each]) for id, each in changes.items()]
    verdicts = native.verdicts(mutants, print)
    assert {name.removeprefix("YEL-15 "): each["verdict"] for name, each in verdicts.items()} == {
        **dict.fromkeys(changes, INVALID),
        "killed": KILLED,
        "survived": SURVIVED,
    }
    assert "killed     YEL-15 killed (backend): successor at PlayPrompt(" in capsys.readouterr().out


def test_the_verdict_on_a_killed_mutant_is_cached_until_an_input_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The inputs are the mutated file and the tests of the clause.

    Mutants that survive are tested again in every run.
    """
    monkeypatch.setenv(KEYS, str(tmp_path / "keys"))
    monkeypatch.delenv(FORCED, raising=False)
    killed, other = [each for each in MUTANTS if each.clause in ("GRN-1", "GRN-2")][:2]
    tested_names = list[str]()

    def run(some: Sequence[table.Mutant]) -> dict[str, table.MutantResult]:
        tested_names.extend(each.name for each in some)
        return {each.name: {"verdict": KILLED if each is killed else SURVIVED} for each in some}

    def changed_digest(text: str, read: str, suffix: str) -> str:
        return digest("1" if read == text else read, suffix)

    def tested_again() -> list[str]:
        tested_names.clear()
        verdicts = cache.results("engine", [killed, other], run)
        assert [each["verdict"] for each in verdicts.values()] == [KILLED, SURVIVED]
        return tested_names

    assert tested_again() == [killed.name, other.name]
    assert tested_again() == [other.name]
    monkeypatch.setenv(FORCED, "1")
    assert tested_again() == [killed.name, other.name]
    monkeypatch.delenv(FORCED)
    tests = {ROOT / each.partition("::")[0] for each in files_of([killed.clause])[killed.clause]}
    assert len(tests) > 1
    for path in {table.placed(killed.engine[0].function)[0], ROOT / "tests/conftest.py", *tests}:
        text = path.read_text("utf-8")
        with monkeypatch.context() as changed:
            changed.setattr(cache, "digest", partial(changed_digest, text))
            assert killed.name in tested_again()


@pytest.mark.skipif(why_unavailable() is not None, reason=f"no model: {why_unavailable()}")
def test_a_mutant_of_the_formal_model_is_killed_only_by_the_check_that_it_names() -> None:
    """A mutant with equal behaviour survives, and one that cannot be made or run is invalid."""
    changes: dict[str, dict[str, str]] = {
        "killed": {},
        "survived": {"replacement": "| Knight => 1 + 1"},
        "invalid": {"expression": "| Page => 2"},
        "unreadable": {"replacement": "| Knight =>"},
        "unknown": {"replacement": "| Knight => squire"},
        "without a value": {"replacement": "| Knight => 2 / 0"},
        "elsewhere": {"definition": "yellow.qnt::prices"},
        "by another check": {"by": "inv_hands"},
    }
    mutants = [
        attrs.evolve(KNIGHT, id=name, model={**(KNIGHT.model or {}), **change})
        for name, change in changes.items()
    ]
    verdicts = model.verdicts(mutants, lambda line: None)
    assert {name.removeprefix("YEL-15 "): each["verdict"] for name, each in verdicts.items()} == {
        **dict.fromkeys(changes, "invalid"),
        "killed": "killed",
        "survived": "survived",
        "by another check": "survived",
    }
