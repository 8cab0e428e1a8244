"""Mutation testing of the engine: run the tests of a clause against each of its mutants.

The *own* tests of a clause are marked with it, and with at most four other clauses.  They include
its worked examples.  Golden games and comparisons with the formal model are excluded, because they
detect every change and test no particular clause.  Property tests are included, but run only if no
other test has detected the mutant.

A forked process imports the package again from the mutated sources.  Constants and tables
that are computed at import are therefore wrong as well.
"""

import os
import sys
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from importlib.machinery import SourceFileLoader
from itertools import groupby
from pathlib import Path
from typing import Any, Final

import hypothesis
import pytest

from spec.checks.established import ROOT
from spec.checks.mutants.runs import INVALID, KILLED, SURVIVED, SendResult, results_of
from spec.checks.mutants.table import PACKAGE, Change, Mutant, MutantResult, mutated_sources
from spec.mentions import in_tests
from valletta_rules.specification import files

MOST_MARKS: Final = 5
"""The maximum number of clauses with which a clause's own test may be marked."""

NAMED: Final = 3
"""The maximum number of failed tests that the result of a mutant lists."""

SHARED: Final = ("tests/goldens/", "tests/formal/")
"""The folders of tests that do not count as any clause's own tests."""

PROPERTIES: Final = "tests/properties/"
"""The folder of the property tests, which run last."""

EXAMPLES: Final = (
    "tests/rulebook/test_examples_of_clauses.py::test_the_engine_satisfies_the_worked_example"
)
"""The parametrized test that runs the worked examples.  Each case is marked with its clause."""

PLUGINS: Final = ("-pno:cacheprovider", "-pno:unraisableexception", "-p_hypothesis_pytestplugin")
"""The options that disable pytest plugins, and load only the plugin for Hypothesis."""

COLLECTED: Final = (
    pytest.ExitCode.OK,
    pytest.ExitCode.TESTS_FAILED,
    pytest.ExitCode.NO_TESTS_COLLECTED,
)
"""The exit codes of pytest if collection succeeded, even if no tests were collected."""

BROKEN: Final = (AttributeError, ImportError, NameError, TypeError)
"""The exceptions that indicate a broken engine instead of a misread rule."""


def files_of(clauses: Iterable[str]) -> dict[str, list[str]]:
    """Map each clause to the test files that may contain its own tests."""
    paths: dict[str, list[str]] = {clause: [EXAMPLES] for clause in clauses}
    for each in in_tests(ROOT):
        if each.clause in paths:
            path = each.place.path
            if not path.startswith(SHARED) and path not in paths[each.clause]:
                paths[each.clause].append(path)
    return paths


class Unshrunk:
    """A pytest plugin that prevents Hypothesis from shrinking counterexamples."""

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self) -> None:
        """Disable shrinking in the profiles, after conftest.py has registered them."""
        phases = (hypothesis.Phase.explicit, hypothesis.Phase.generate)
        for name in ("properties", "ci"):
            default = hypothesis.settings.get_profile(name)
            hypothesis.settings.register_profile(name, default, phases=phases, print_blob=False)
        hypothesis.settings.load_profile("ci")


class ClauseTests(Unshrunk):
    """A pytest plugin that runs only the given clauses' own tests, and records failures."""

    def __init__(self, clauses: Iterable[str], send: SendResult) -> None:
        """Store the clauses, and the function that is called when a test fails."""
        self.clauses, self.send = frozenset(clauses), send
        self.failed: dict[str, bool] = {}
        self.passed = 0

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Deselect all tests other than the clauses' own tests."""
        items[:] = [item for item in items if self.is_own(item)]

    def is_own(self, item: pytest.Item) -> bool:
        """Return whether a test is one of the clauses' own tests."""
        marked = {clause for mark in item.iter_markers("rule") for clause in mark.args}
        return len(marked) <= MOST_MARKS and not marked.isdisjoint(self.clauses)

    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[None]) -> None:
        """Record a test that failed, and whether its exception indicates a broken engine."""
        if call.excinfo is not None and not call.excinfo.errisinstance(pytest.skip.Exception):
            self.failed[item.nodeid] = call.excinfo.errisinstance(BROKEN)
            if len(self.failed) == 1:
                self.send(self.result())
        elif call.when == "call":
            self.passed += 1

    def result(self) -> MutantResult:
        """Return the verdict on the mutant from the tests that have run so far."""
        tests = list(self.failed)
        if not tests and not self.passed:
            return {"verdict": SURVIVED, "why": "the clause has no test of its own"}
        if broken := [test for test in tests if self.failed[test]]:
            return {"verdict": INVALID, "why": f"{broken[0]} fails because the engine is broken"}
        return {
            "verdict": KILLED if tests else SURVIVED,
            "killers": len(tests),
            "tests": len(tests) + self.passed,
            "by": list(dict.fromkeys(map(named, tests)))[:NAMED],
        }


def named(test: str) -> str:
    """Return a test's name, without parameters unless it tests a worked example."""
    return test if test.startswith(EXAMPLES) else test.partition("[")[0]


def run(
    clauses: Collection[str], paths: Iterable[str], changes: Iterable[Change], send: SendResult
) -> None:
    """Change the engine and run the given clauses' own tests.

    The function runs in a forked process.
    """
    replace_sources(mutated_sources(changes))
    own = ClauseTests(clauses, send)
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    os.environ.pop("PYTEST_ADDOPTS", None)  # options of those plugins, for another run
    options = ["-q", "--assert=plain", "--tb=no", *PLUGINS]
    for _, part in groupby(sorted(paths, key=is_property), is_property):
        if not own.failed and pytest.main([*options, *part], plugins=[own]) not in COLLECTED:
            return send({"verdict": INVALID, "why": "the tests cannot be collected"})
    return send(own.result())


def is_property(path: str) -> bool:
    """Return whether a test file contains property tests."""
    return path.startswith(PROPERTIES)


def module_of(path: Path) -> str:
    """Return the name of the module that a file of the package contains."""
    return ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts)


def replace_sources(sources: Mapping[Path, str]) -> None:
    """Unload the package, so that the next import uses the given sources.

    Modules are identified by name, because the imported package may be an installed copy.
    """
    for name in [*sys.modules]:
        if name.startswith(("valletta_rules", "spec")) and name != files.__name__:
            del sys.modules[name]
    codes = {module_of(path): compile(text, path, "exec") for path, text in sources.items()}
    loader: Any = SourceFileLoader
    usual = loader.get_code

    def get_code(self: Any, name: str) -> Any:
        return codes.get(name) or usual(self, name)

    loader.get_code = get_code


def verdicts(
    mutants: Sequence[Mutant], print_line: Callable[[str], None]
) -> dict[str, MutantResult]:
    """Return the result of each mutant, keyed by name.

    Raises `FailedError` if a test fails on the unmutated engine.
    """
    assert files.specification().chapters  # read once, for all forks
    paths = files_of({mutant.clause for mutant in mutants})
    every = sorted({path for own in paths.values() for path in own})
    runs = {
        each.name: partial(run, [each.clause], paths[each.clause], each.engine) for each in mutants
    }
    return results_of("engine", mutants, partial(run, paths, every, ()), runs, print_line)
