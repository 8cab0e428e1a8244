"""The engine with one mistake after the other, each met by its clause's own tests alone.

Tests are a clause's own if they are marked with it and with at most four others; its worked
examples are among them.  The games in writing and what compares the engine with the formal model
do not count: they notice everything, and say nothing about the clause.  Properties count, but are
asked only if no other test has noticed.  A fork imports the package anew, with the mistake in its
source, so that constants and tables made of it are mistaken, too.
"""

from __future__ import annotations

import ast
import gc
import importlib.machinery
import json
import os
import resource
import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import hypothesis
import pytest

from spec.checks.established import ROOT
from spec.checks.mistakes.table import (
    PACKAGE,
    FailedError,
    Mistake,
    MistakeError,
    MistakeResult,
    mistaken,
)
from spec.mentions import in_tests
from valletta_rules.specification import files as specification_files

AT_ONCE: Final = 2
"""How many forks run at a time."""

MOST_MARKS: Final = 5
"""A test with more marks than these is nobody's own."""

PATIENCE: Final = 30
"""How many seconds of its own a mistake may take."""

NAMED: Final = 3
"""How many of the tests that notice a mistake are written down."""

NOBODYS: Final = ("tests/goldens/", "tests/spec/")
"""The folders whose tests are no clause's own."""

PROPERTIES: Final = "tests/properties/"
"""The folder whose tests are asked last."""

EXAMPLES: Final = (
    "tests/spec/test_examples_of_clauses.py::test_the_engine_does_what_an_example_says"
)
"""The test of the worked examples, each marked with its clause."""

KILLED, SURVIVED, TIMED_OUT, INVALID, EQUIVALENT = (
    *("killed", "survived", "timed out", "invalid", "equivalent"),
)
"""What can become of a mistake; an invalid one breaks the engine instead of misreading it."""

PLUGINS: Final = ("no:cacheprovider", "no:unraisableexception", "_hypothesis_pytestplugin")
"""What pytest goes without, and with; others are not loaded."""

COLLECTED: Final = (
    pytest.ExitCode.OK,
    pytest.ExitCode.TESTS_FAILED,
    pytest.ExitCode.NO_TESTS_COLLECTED,
)
"""What pytest says of tests that can be collected."""

BROKEN: Final = (AttributeError, ImportError, NameError, TypeError)
"""What a test fails with where the engine is broken, not mistaken."""


def files_of(clauses: Iterable[str]) -> dict[str, list[str]]:
    """Return where the own tests of each clause may be."""
    found: dict[str, list[str]] = {clause: [EXAMPLES] for clause in clauses}
    for each in in_tests(ROOT):
        if each.clause in found:
            path = each.place.path
            if not path.startswith(NOBODYS) and path not in found[each.clause]:
                found[each.clause].append(path)
    return found


class Own:
    """A pytest plugin that runs the tests of some clauses, and notes which fail."""

    def __init__(self, clauses: Iterable[str], tell: Callable[[MistakeResult], None]) -> None:
        """Take the clauses, and whom to tell of a test that fails."""
        self.clauses, self.tell = frozenset(clauses), tell
        self.failed: dict[str, bool] = {}
        self.passed = 0

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self) -> None:
        """Let Hypothesis look for a counterexample, not for the smallest."""
        phases = (hypothesis.Phase.explicit, hypothesis.Phase.generate)
        default = hypothesis.settings.get_profile("ci")
        hypothesis.settings.register_profile("own", default, phases=phases, print_blob=False)
        hypothesis.settings.load_profile("own")

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Leave only the clauses' own tests."""
        items[:] = [item for item in items if self.is_own(item)]

    def is_own(self, item: pytest.Item) -> bool:
        """Tell whether a test is one of the clauses' own."""
        marked = {clause for mark in item.iter_markers("rule") for clause in mark.args}
        return len(marked) <= MOST_MARKS and not marked.isdisjoint(self.clauses)

    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[None]) -> None:
        """Note a test that fails, and whether that is because the engine is broken."""
        if call.excinfo is not None and not call.excinfo.errisinstance(pytest.skip.Exception):
            self.failed[item.nodeid] = call.excinfo.errisinstance(BROKEN)
            if len(self.failed) == 1:
                self.tell(self.found())
        elif call.when == "call":
            self.passed += 1

    def found(self) -> MistakeResult:
        """Return what became of the mistake, by the tests that have been run."""
        tests = list(self.failed)
        if not tests and not self.passed:
            return {"verdict": SURVIVED, "why": "no test is the clause's own"}
        if broken := [test for test in tests if self.failed[test]]:
            return {"verdict": INVALID, "why": f"{broken[0]} finds the engine broken"}
        return {
            "verdict": KILLED if tests else SURVIVED,
            "killers": len(tests),
            "tests": len(tests) + self.passed,
            "by": list(dict.fromkeys(map(named, tests)))[:NAMED],
        }


def named(test: str) -> str:
    """Name a test without its parameters, unless it is that of the examples."""
    return test if test.startswith(EXAMPLES) else test.partition("[")[0]


def run(
    clauses: Sequence[str],
    files: Sequence[str],
    mistake: Mistake | None,
    tell: Callable[[MistakeResult], None],
) -> None:
    """Run the own tests of some clauses with a mistake in the engine, or none; in a fork."""
    try:
        put_in(mistaken(mistake) if mistake else {})
    except MistakeError as error:
        return tell({"verdict": INVALID, "why": str(error)})
    own = Own(clauses, tell)
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    os.environ.pop("PYTEST_ADDOPTS", None)  # options of those plugins, for another run
    plugins = (f"-p{each}" for each in PLUGINS)
    options = ["-q", "--assert=plain", "--tb=no", *plugins]
    properties = [path for path in files if path.startswith(PROPERTIES)]
    for paths in ([path for path in files if path not in properties], properties):
        if paths and not own.failed:
            code = pytest.main([*options, *paths], plugins=[own])
            if code not in COLLECTED:
                return tell({"verdict": INVALID, "why": "the tests cannot be collected"})
    return tell(own.found())


def put_in(modules: Mapping[str, tuple[Path, ast.Module]]) -> None:
    """Have modules imported from other code than that of their files, all of the package anew."""
    for name in [*sys.modules]:
        if name.partition(".")[0] in (PACKAGE, "spec") and name != specification_files.__name__:
            del sys.modules[name]
    codes = {name: compile(tree, str(path), "exec") for name, (path, tree) in modules.items()}
    loader: Any = importlib.machinery.SourceFileLoader
    usual = loader.get_code

    def get_code(self: Any, name: str) -> Any:
        return codes.get(name) or usual(self, name)

    loader.get_code = get_code


# Forks


Run = Callable[[Callable[[MistakeResult], None]], None]
"""What is done in a fork; it tells what it has found, and tells it again when it knows better."""


def in_forks(runs: Iterable[tuple[str, Run]]) -> Iterator[tuple[str, MistakeResult, float]]:
    """Carry out runs, some at a time; yield the name, the result and the CPU time of each."""
    waiting, going = iter(runs), dict[int, tuple[str, Path]]()
    gc.freeze()
    with TemporaryDirectory() as folder, compiling_once():
        while True:
            for name, run in islice(waiting, AT_ONCE - len(going)):
                told = Path(folder, f"{name}.json")
                going[forked(run, told)] = name, told
            if not going:
                return
            process, status, used = os.wait4(-1, 0)
            name, told = going.pop(process)
            result = json.loads(told.read_text("utf-8")) if told.exists() else {"verdict": INVALID}
            if os.waitstatus_to_exitcode(status) and result["verdict"] != KILLED:
                result = {"verdict": TIMED_OUT}
            yield name, result, used.ru_utime + used.ru_stime


@contextmanager
def compiling_once() -> Iterator[None]:
    """Let the forks keep what they compile, outside of the repository."""
    before = sys.pycache_prefix, sys.dont_write_bytecode
    with TemporaryDirectory() as folder:
        sys.pycache_prefix, sys.dont_write_bytecode = folder, False
        try:
            yield
        finally:
            sys.pycache_prefix, sys.dont_write_bytecode = before


def forked(run: Run, told: Path) -> int:
    """Begin a run in a fork, which writes what it finds to a file; return the process."""
    if process := os.fork():
        return process

    def tell(found: MistakeResult) -> None:
        told.write_text(json.dumps(found), "utf-8")

    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
        run(tell)
    except Exception as error:
        tell({"verdict": INVALID, "why": repr(error)})
    finally:
        os._exit(0)


def verdicts(mistakes: Sequence[Mistake], say: Callable[[str], None]) -> dict[str, MistakeResult]:
    """Return the result for each mistake, by name.

    Raises `FailedError` if tests fail without one.
    """
    assert specification_files.specification().chapters  # read once, for all forks
    clauses = sorted({mistake.clause for mistake in mistakes})
    files = files_of(clauses)
    every = sorted({path for paths in files.values() for path in paths})
    runs = {each.name: partial(limited, each, files[each.clause]) for each in mistakes}
    return judged("engine", mistakes, partial(run, clauses, every, None), runs, say)


def judged(
    where: str,
    mistakes: Sequence[Mistake],
    plain: Run,
    runs: Mapping[str, Run],
    say: Callable[[str], None],
) -> dict[str, MistakeResult]:
    """Carry out a run without a mistake and one for each; return what becomes of each, by name.

    Raises `FailedError` if the first of them finds a fault.
    """
    equivalent = {each.name for each in mistakes if each.equivalent}
    found: dict[str, MistakeResult] = {}
    for name, each, seconds in in_forks([("", plain), *runs.items()]):
        if not name:
            if each["verdict"] != SURVIVED:
                raise FailedError(f"without a mistake: {each}")
            tests = f"{each['tests']} tests pass" if "tests" in each else "all agree"
            say(f"without a mistake in the {where} {tests}, {seconds:.1f} s of CPU time")
            continue
        if each["verdict"] == SURVIVED and name in equivalent:
            each["verdict"] = EQUIVALENT
        found[name] = each
        how = f": {told}" if (told := each.get("how") or each.get("why")) else ""
        say(f"{each['verdict']:10} {name} in the {where}{how}, {seconds:.1f} s of CPU time")
    return {name: found[name] for name in runs}


def limited(mistake: Mistake, files: Sequence[str], tell: Callable[[MistakeResult], None]) -> None:
    """Run a clause's own tests with a mistake, within a time limit in seconds."""
    limit()
    run([mistake.clause], files, mistake, tell)


def limit() -> None:
    """Let this process come to an end."""
    signal.alarm(20 * PATIENCE)  # on the clock, for a mistake that waits for ever
    resource.setrlimit(resource.RLIMIT_CPU, (PATIENCE, PATIENCE + 1))
