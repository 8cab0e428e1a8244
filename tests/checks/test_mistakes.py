"""Deliberate mistakes: each can be made in the present code, and verdicts on them are reliable."""

import os
import shutil
import signal
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from threading import Event
from typing import Any

import attrs
import pytest

from spec.checks.established import ROOT, digest
from spec.checks.mistakes import kept, model, native, places, runs, sample, statements, table
from spec.checks.mistakes.engine import files_of
from spec.checks.mistakes.runs import (
    EQUIVALENT,
    INVALID,
    KILLED,
    SURVIVED,
    TIMED_OUT,
    Run,
    Tell,
    in_forks,
    judged,
)
from spec.checks.node import why_unavailable
from spec.checks.runner import FORCED, KEYS
from valletta_rules.native import available
from valletta_rules.specification.files import specification

CASES: dict[str, Any] = tomllib.loads(Path(__file__).with_name("mutants.toml").read_text("utf-8"))
"""Sources for mutants, and the expected mutants."""

MISTAKES = table.read_mistakes()
KNIGHT = next(each for each in MISTAKES if each.name == "YEL-15 three-points")


def test_mistakes_are_in_the_order_of_their_clauses() -> None:
    """A file has the mistakes of its chapter."""
    for chapter in specification().chapters:
        path = f"spec/mistakes/{chapter.chapter}.toml"
        named = [each.clause for each in MISTAKES if each.place.path == path]
        assert [*dict.fromkeys(named)] == [each.id for each in chapter.clause if each.id in named]


# Making one


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake.name)
def test_a_mistake_applies_to_the_present_code(mistake: table.Mistake) -> None:
    """The expression that it replaces occurs once in the engine and in the backend."""
    for path, text in table.mistaken((*mistake.engine, *mistake.native)).items():
        if path.suffix == ".py":
            compile(text, path, "exec")


def changed(function: str, expression: str) -> str:
    """Return code with an expression replaced by 7."""
    language, span = (
        ("c", table.span_in_c) if function.islower() else ("python", table.span_in_python)
    )
    code = CASES["replaced"][language]
    return table.replaced(
        code, *span(code, function.split(".")), table.Change(function, expression, "7")
    )


def test_an_expression_is_found_in_any_layout() -> None:
    """Blanks and line breaks do not count; a constant is named like a function."""
    assert "max(0, 7)" in changed("Price.of", "self.cost( site )-self.discount(site)")
    assert "LIMIT = 7" in changed("LIMIT", "8")
    assert "? 7 : 0" in changed("price", "cost-discount")


@pytest.mark.parametrize(("function", "expression", "why"), CASES["replaced"]["refused"])
def test_a_mistake_that_does_not_apply_is_refused(function: str, expression: str, why: str) -> None:
    """The function must exist and contain the expression once; parts of words do not match."""
    with pytest.raises(table.MistakeError, match=why):
        changed(function, expression)


def test_a_function_without_a_module_is_refused() -> None:
    """A name that leads to no file is refused."""
    with pytest.raises(table.MistakeError, match=r"rulebook\.streets is not in any module"):
        table.placed("rulebook.streets")


# Random mutants


def test_only_code_is_mutated() -> None:
    """Texts, annotations, decorators, logs, caches, error arguments and guards are not mutated.

    Nor has the bound of a condition at which nothing is added.
    """
    cases = CASES["sampled"]
    for language, found in (("python", places.in_python), ("javascript", places.in_javascript)):
        code = cases[language]
        mutants = {(code[start:end], new) for start, end, new in found(code)}
        assert mutants == {*map(tuple, cases[f"of_{language}"])}


def test_a_sample_of_mutants_depends_only_on_its_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each mutant is tested by the tests of its package, and is killed by a timeout."""
    asked: list[str] = []

    def in_turn(runs: Iterable[tuple[str, Run]], patience: int) -> Iterator[Any]:
        for name, run in runs:
            asked.append(name)
            fate = SURVIVED if name == "codec" else [KILLED, TIMED_OUT, SURVIVED][len(asked) % 3]
            mutants = run.args[0] if isinstance(run, partial) and name == "codec" else ()
            reached: dict[str, list[str]] = {each.name: [] for each in mutants}
            yield name, {"verdict": fate, "seconds": 4.0, "reached": reached}, 0.0

    mutants = sample.chosen(9, 5, ["codec"])
    assert sample.chosen(9, 5, ["codec"]) == mutants
    monkeypatch.setattr(sample, "in_forks", in_turn)
    found = sample.verdicts(mutants, lambda _: None)
    assert [*found["codec"].values()] == [SURVIVED, KILLED, KILLED] * 3
    assert asked == ["codec", *found["codec"]]
    assert all(name.startswith("src/valletta_rules/codec/") for name in found["codec"])
    assert not sample.report(found)


def test_a_mutant_that_cannot_be_imported_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    """It would be killed by any test; another mutant takes its place, if there is one."""
    path = table.PACKAGE / "rulebook" / "blue.py"
    start = path.read_bytes().index(b"= 4") + 2
    mutants = [places.Mutant(path, start, start + 1, each) for each in ("5", "1 // 0")]
    monkeypatch.setattr(sample, "every_mutant", lambda packages: [*mutants])
    assert sample.chosen(2, 0, ()) == mutants[:1]


def test_mutants_of_the_rules_are_sampled_too() -> None:
    """Packages and modules of the core have mutants, which the tests of the rules judge."""
    assert {each.package for each in places.every_mutant(places.CORE)} == {*places.CORE}
    for package in places.CORE:
        assert {"tests/rulebook/test_components.py", "tests/test_engine.py"} < {
            *sample.tests_of(package)
        }


@pytest.mark.parametrize(("was", "instead", "reached", "by"), CASES["measured"]["mutants"])
def test_the_tests_that_reach_a_mutant_run_first(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    was: str,
    instead: str,
    reached: list[str],
    by: str,
) -> None:
    """The first failing test kills it; code that runs at import is reached by all tests."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sample, "ROOT", tmp_path)
    path, test = table.PACKAGE / "text" / "values.py", Path("test_values.py")
    text = path.read_bytes()
    test.write_text(CASES["measured"]["tests"])
    mutants = [
        each
        for each in places.mutants_in(path)
        if (text[each.start : each.end].decode(), each.replacement) == (was, instead)
    ]
    ((_, told, _),) = in_forks([("", partial(sample.measure, mutants, [str(test)]))])
    assert told["verdict"] == SURVIVED
    found = told["reached"][mutants[0].name]
    assert sorted(each.partition("::")[2] for each in found) == reached
    ((_, told, _),) = in_forks([("", partial(sample.meet, mutants[0], found, [str(test)]))])
    assert told["verdict"] == (KILLED if by else SURVIVED)
    assert told["by"].endswith(by)


# Runs


def telling(*verdicts: str, then: Callable[[], object] = lambda: None) -> Run:
    """Return a run that reports some verdicts, one after the other, and then does something."""

    def run(tell: Tell) -> None:
        for verdict in verdicts:
            tell({"verdict": verdict})
        then()

    return run


def dying() -> None:
    """Exit by a signal."""
    os.kill(os.getpid(), signal.SIGKILL)


RUNS = {
    "told twice": (telling(SURVIVED, KILLED), KILLED),
    "silent": (telling(), INVALID),
    "crashing": (telling(SURVIVED, then=lambda: [][0]), INVALID),
    "ended": (telling(then=dying), TIMED_OUT),
    "ended when detected": (telling(KILLED, then=dying), KILLED),
}


def test_the_last_verdict_of_a_run_counts() -> None:
    """A run that is ended has the verdict that it reported, and otherwise has timed out."""
    found = {
        name: told["verdict"] for name, told, _ in in_forks((n, r) for n, (r, _) in RUNS.items())
    }
    assert found == {name: verdict for name, (_, verdict) in RUNS.items()}


def test_a_deadlocked_run_times_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """A mutant that deadlocks uses no CPU time, so the limit of CPU time never ends it."""
    monkeypatch.setattr(runs, "IDLE", 0.1)
    ((_, told, _),) = in_forks([("", telling(then=Event().wait))])
    assert told == {"verdict": TIMED_OUT}


def test_the_cpu_time_of_child_processes_counts() -> None:
    """A run is busy while a process that it has started is."""
    program = "import time\nwhile time.process_time() < 0.5: pass\nprint(flush=True)\ninput()"
    before = runs.spent_by(os.getpid())
    command = [sys.executable, "-c", program]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as started:
        assert started.stdout is not None
        started.stdout.readline()
        assert runs.spent_by(os.getpid()) >= before + 0.45
        started.communicate(b"\n")


def test_a_killed_equivalent_mutant_is_refused() -> None:
    """A mutant that is declared equivalent, with a reason, must survive."""
    mistakes = [attrs.evolve(KNIGHT, id=verdict, equivalent="so") for verdict in (KILLED, SURVIVED)]
    told = {each.name: telling(each.id) for each in mistakes}
    found = judged("engine", mistakes, telling(SURVIVED), told, print)
    assert [found[each.name]["verdict"] for each in mistakes] == [INVALID, EQUIVALENT]


def made(*options: str) -> subprocess.CompletedProcess[str]:
    """Make mistakes in the engine."""
    command = [sys.executable, "-m", "spec.checks.mistakes", "--engine", *options]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def test_the_mistakes_of_a_clause_are_killed() -> None:
    """The runner makes them and runs the clause's own tests; there must be some."""
    done = made("--clause", "YEL-15")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("mistakes in the engine: 1 killed\n")
    assert made("--clause", "YEL-99").returncode == 2


without_backend = pytest.mark.skipif(
    shutil.which("gcc") is None or not available, reason="no mutant of the backend can be made"
)


@without_backend
@pytest.mark.parametrize("half", ["engine", "native"])
def test_statements_alone_kill_mistakes(
    half: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The report distinguishes the statement of the clause from others, and names survivors."""
    monkeypatch.setitem(statements.MOST, half, 120)
    (change,) = getattr(KNIGHT, half)
    same: dict[str, Any] = {half: [attrs.evolve(change, replacement=f"({change.expression})")]}
    mistakes = [
        KNIGHT,
        attrs.evolve(KNIGHT, clause="FIN-2"),
        attrs.evolve(KNIGHT, id="same", **same),
    ]
    found = statements.verdicts(half, mistakes, print)
    clauses = {each.name: each.clause for each in mistakes}
    assert not statements.report(half, clauses, found, statements.LEAST_SHARES)
    *_, other, survived, total = capsys.readouterr().out.splitlines()
    assert other == "  not by its own: FIN-2 three-points: YEL-15"
    assert survived == "  not by its own: YEL-15 same: survived"
    assert f"of 3 mutants in the {half} 1 killed by the statement" in total
    assert ", 2 by any statement, 0 by the journal" in total
    assert statements.report(half, {KNIGHT.name: "YEL-15"}, found, statements.LEAST_SHARES)


@pytest.mark.skipif(why_unavailable() is not None, reason=f"no model: {why_unavailable()}")
def test_statements_judge_traces_of_the_model(monkeypatch: pytest.MonkeyPatch) -> None:
    """The events are the engine's, and the positions of a mistaken model contradict them."""
    monkeypatch.setitem(statements.MOST, "model", 90)
    mistake = next(each for each in MISTAKES if each.halves == ("model",))
    found = statements.verdicts("model", [mistake], print)
    assert "journal" in found[mistake.name]["how"].split()


def test_statements_alone_kill_random_mutants(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A mutant of the rules is put into the engine; any statement may kill it."""
    monkeypatch.setitem(statements.MOST, "engine", 120)
    path, text = table.PACKAGE / "rulebook" / "setup.py", "rules.fewer_barrels and players != 2"
    end = path.read_bytes().index(text.encode()) + len(text)
    mutants = [places.Mutant(path, end - 1, end, number) for number in ("3", "2")]
    found = statements.verdicts_on_random(mutants, print)
    assert [each.get("how") for each in found.values()] == ["SET-1 SET-7", None]
    assert not statements.report("rules", dict.fromkeys(found, ""), found, {"any": 0.95})
    assert "1 by any statement" in capsys.readouterr().out.splitlines()[-1]


@without_backend
def test_mistakes_in_the_backend_are_killed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each is compiled and contradicts the engine; mutants without effect survive."""
    monkeypatch.setattr(native, "AGREEMENT_STEPS", 600)  # all worked examples
    (points,) = KNIGHT.native
    changes = {
        "killed": points,
        "survived": attrs.evolve(points, replacement="(KNIGHT_POINTS)"),
        "invalid": attrs.evolve(points, replacement="PAGE_POINTS"),
        "elsewhere": attrs.evolve(points, function="yellow.c::page"),
    }
    mistakes = [attrs.evolve(KNIGHT, id=id, native=[each]) for id, each in changes.items()]
    found = native.verdicts(mistakes, print)
    assert {name.removeprefix("YEL-15 "): each["verdict"] for name, each in found.items()} == {
        **dict.fromkeys(changes, INVALID),
        "killed": KILLED,
        "survived": SURVIVED,
    }
    assert (
        "killed     YEL-15 killed in the backend: successor at PlayPrompt("
        in capsys.readouterr().out
    )


def test_a_verdict_is_cached_until_one_of_its_inputs_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Survivors are judged again; so are mistakes whose file or tests have changed."""
    monkeypatch.setenv(KEYS, str(tmp_path / "keys"))
    monkeypatch.delenv(FORCED, raising=False)
    killed, other = [each for each in MISTAKES if each.clause in ("GRN-1", "GRN-2")][:2]
    asked = list[str]()

    def judge(some: Sequence[table.Mistake]) -> dict[str, table.MistakeResult]:
        asked.extend(each.name for each in some)
        return {each.name: {"verdict": KILLED if each is killed else SURVIVED} for each in some}

    def changed_digest(text: str, read: str, suffix: str) -> str:
        return digest("1" if read == text else read, suffix)

    def judged_again() -> list[str]:
        asked.clear()
        found = kept.judged("engine", [killed, other], judge)
        assert [each["verdict"] for each in found.values()] == [KILLED, SURVIVED]
        return asked

    assert judged_again() == [killed.name, other.name]
    assert judged_again() == [other.name]
    monkeypatch.setenv(FORCED, "1")
    assert judged_again() == [killed.name, other.name]
    monkeypatch.delenv(FORCED)
    tests = {ROOT / each.partition("::")[0] for each in files_of([killed.clause])[killed.clause]}
    assert len(tests) > 1
    for path in {table.placed(killed.engine[0].function)[0], ROOT / "tests/conftest.py", *tests}:
        text = path.read_text("utf-8")
        with monkeypatch.context() as changed:
            changed.setattr(kept, "digest", partial(changed_digest, text))
            assert killed.name in judged_again()


@pytest.mark.skipif(why_unavailable() is not None, reason=f"no model: {why_unavailable()}")
def test_a_mistake_is_judged_by_the_results_of_its_check() -> None:
    """Without effect it survives; if it cannot be made or evaluated, it is invalid."""
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
    made = [
        attrs.evolve(KNIGHT, id=name, model={**(KNIGHT.model or {}), **change})
        for name, change in changes.items()
    ]
    found = model.verdicts(made, lambda line: None)
    assert {name.removeprefix("YEL-15 "): each["verdict"] for name, each in found.items()} == {
        **dict.fromkeys(changes, "invalid"),
        "killed": "killed",
        "survived": "survived",
        "by another check": "survived",
    }
