"""Run tests against random mutants of the rules and of the packages around them.

A Python mutant is imported in a forked process, as for listed mutants of the engine.  Tests that
start another process therefore cannot detect it.  For a mutant in JavaScript, the package is copied
with the mutated source, and the test file of the package is run.

A mutant is *killed* if a test fails, or if the tests take twice their usual time plus 20 seconds.
Tests that execute the mutated code run first, starting with the fastest file.  The run stops at the
first failure.
"""

import importlib
import os
import random
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import attrs
import pytest
from coverage import Coverage

import valletta_rules
from spec.checks.established import ROOT
from spec.checks.mutants.engine import PLUGINS, Unshrunk, module_of, replace_sources
from spec.checks.mutants.places import CORE, JAVASCRIPT, RandomMutant, every_mutant
from spec.checks.mutants.runs import KILLED, SURVIVED, TIMED_OUT, Run, SendResult, in_forks
from spec.checks.mutants.table import PACKAGE, FailedError

SHARED: Final = ("malformed", "public_functions", "contract", "arguments")
"""The names of the test files that are run against mutants of every package."""

OF_THE_RULES: Final = (
    *("rulebook/test_*.py", "properties/test_*.py", "statements/test_*.py"),
    *("test_engine.py", "test_errors.py"),
)
"""The patterns for the test files that are run against mutants of the rules."""

LEAST_SHARE: Final = 0.95
"""The minimum share of mutants that the tests must kill."""

FIRST: Final = 600
"""The timeout for the tests of an unmutated package, in seconds of CPU time."""

LOADING: Final = 20
"""The timeout for importing a mutant, in seconds of CPU time."""

REPORTER: Final = """\
export default async function* (events) {
  for await (const { type, data } of events) {
    if (type === 'test:fail') { console.log(data.name); process.exit(1); }
  }
}
"""
"""The source of a reporter for Node's test runner, which exits at the first failure."""

CACHING_PYTHON: Final = f"""\
#!{sys.executable}
import hashlib, os, subprocess, sys
from pathlib import Path
python, argv = sys.executable, sys.argv[1:]
if argv[0] != "-c" and not argv[0].endswith(".py"):
    os.execv(python, [python, *argv])
stdin = sys.stdin.buffer.read()
key = repr([Path(argv[0]).name, *argv[1:], stdin])
known = Path(__file__).with_name(hashlib.sha256(key.encode()).hexdigest())
if not known.exists():
    known.write_bytes(subprocess.run([python, *argv], input=stdin, stdout=-1, check=True).stdout)
sys.stdout.buffer.write(known.read_bytes())
"""
"""A script that the JavaScript tests call instead of Python.  It caches the output of Python
scripts, which does not depend on the JavaScript under test."""


class Timed(Unshrunk):
    """A pytest plugin that measures the CPU time of each test, and records which test failed.

    It also records which tests execute the code that the given mutants change.
    """

    def __init__(self, mutants: Sequence[RandomMutant] = ()) -> None:
        """Store the mutants whose code is traced; by default, no code is traced."""
        self.seconds: dict[str, float] = {}
        self.failed = ""
        self.mutants = mutants
        self.coverage = Coverage(
            data_file=None, config_file=False, include=[installed(each.path) for each in mutants]
        )

    def pytest_sessionstart(self) -> None:
        """Start tracing before the package is imported."""
        if self.mutants:
            self.coverage.start()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Record the name of the test, if it failed."""
        self.failed = report.nodeid if report.failed else self.failed

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Measure the CPU time of a test and its fixtures, and trace the code that it executes."""
        if self.mutants:
            self.coverage.switch_context(item.nodeid)
        began = spent()
        try:
            return (yield)
        finally:
            self.seconds[item.nodeid] = spent() - began

    def reached(self) -> dict[str, list[str]]:
        """Return the tests that execute each mutant's code, in the order to run them.

        For code that runs when its module is imported, these are all tests.
        """
        self.coverage.stop()
        data = self.coverage.get_data()
        tests_by_mutant = dict[str, list[str]]()
        for mutant in self.mutants:
            contexts = data.contexts_by_lineno(installed(mutant.path))
            by = {name for line in mutant.lines() for name in contexts.get(line, ())}
            tests = self.seconds.keys() if "" in by else by
            took = Counter[str]()
            for test in tests:
                took[file_of(test)] += self.seconds[test]  # type: ignore[assignment]
            tests_by_mutant[mutant.name] = sorted(
                tests, key=lambda test: (took[file_of(test)], file_of(test), self.seconds[test])
            )
        return tests_by_mutant


@attrs.frozen
class Chosen:
    """A pytest plugin that selects the tests in `order`, or all others if `others` is true."""

    order: Sequence[str]
    others: bool = False

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Select the tests, and sort them by their place in `order`."""
        places = {test: place for place, test in enumerate(self.order)}
        chosen = [item for item in items if (item.nodeid in places) != self.others]
        items[:] = sorted(chosen, key=lambda item: places.get(item.nodeid, 0))


def installed(path: Path) -> str:
    """Return a module's path in the installed package, by which Coverage identifies the module."""
    return str(Path(valletta_rules.__file__).parent / path.relative_to(PACKAGE))


def file_of(test: str) -> str:
    """Return the file part of a test's name."""
    return test.partition("::")[0]


def spent() -> float:
    """Return the CPU time of this process and its finished children, in seconds."""
    return sum(os.times()[:4])


def tests_of(package: str) -> list[str]:
    """Return the test files that are run against the mutants of a package."""
    tests = ROOT / "tests"
    around = (f"{package}/test_*.py", f"native/test_{package}.py")
    patterns: Sequence[str] = OF_THE_RULES if package in CORE else around
    own = [path for pattern in patterns for path in tests.glob(pattern)]
    paths = [*own, *(tests / f"test_{each}.py" for each in SHARED)]
    return sorted(str(path.relative_to(ROOT)) for path in paths)


def measure(mutants: Sequence[RandomMutant], paths: Sequence[str], send: SendResult) -> None:
    """Run the tests on the unmutated code; report which of them execute each mutant's code.

    The function runs in a forked process.
    """
    os.environ["COVERAGE_CORE"] = "ctrace"  # the implementation that can attribute lines to tests
    timed = Timed(mutants)
    replace_sources({each.path: each.path.read_text("utf-8") for each in mutants})
    failed = in_pytest(paths, timed)
    send(
        {
            "verdict": KILLED if failed else SURVIVED,
            "by": timed.failed,
            "seconds": sum(timed.seconds.values()),
            "reached": timed.reached(),
        }
    )


def run_in_pytest(
    mutant: RandomMutant, reached: Sequence[str], paths: Sequence[str], send: SendResult
) -> None:
    """Run the tests that execute a mutant's code, then all other tests.

    The function runs in a forked process.
    """
    replace_sources(mutant.sources())
    parts = [([path], Chosen(reached)) for path in dict.fromkeys(map(file_of, reached))]
    timed = Timed()
    is_killed = any(
        in_pytest(some, timed, chosen)
        for some, chosen in [*parts, (paths, Chosen(reached, others=True))]
    )
    send({"verdict": KILLED if is_killed else SURVIVED, "by": timed.failed})


def in_pytest(paths: Iterable[str], *plugins: object) -> bool:
    """Run test files until the first failure; return whether a test failed."""
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    os.environ.pop("PYTEST_ADDOPTS", None)
    plain = ("-q", "-x", "--assert=plain", "--tb=no", "-panyio")  # the plugin that runs coroutines
    options = [f"--rootdir={ROOT}", *plain, *PLUGINS]
    passed = (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED)
    return pytest.main([*options, *paths], plugins=[*plugins]) not in passed


def run_in_node(mutant: RandomMutant | None, python: Path, send: SendResult) -> None:
    """Run the test file of the JavaScript package, mutated or not.

    The function runs in a forked process.  `python` is the path of the script
    `CACHING_PYTHON`, which the tests call instead of Python.
    """
    with TemporaryDirectory() as name:
        copy = copied(Path(name))
        (copy / "reporter.mjs").write_text(REPORTER, encoding="utf-8")
        if mutant:
            (copy / mutant.path.name).write_text(mutant.source(), encoding="utf-8")
        began = spent()
        command = ["node", "--test-reporter=./reporter.mjs", "test/package.test.js"]
        env = {**os.environ, "PYTHON": str(python)}
        done = subprocess.run(command, cwd=copy, env=env, stdout=-1, text=True, check=False)
    verdict = KILLED if done.returncode else SURVIVED
    send({"verdict": verdict, "by": done.stdout.strip(), "seconds": spent() - began})


def copied(root: Path) -> Path:
    """Copy the JavaScript package to a folder that links to the rest of the repository."""
    copy = root / "src" / "javascript"
    for folder, inner in ((ROOT, "src"), (ROOT / "src", "javascript")):
        target = root / folder.relative_to(ROOT)
        target.mkdir(exist_ok=True)
        for each in folder.iterdir():
            if each.name != inner:
                (target / each.name).symlink_to(each)
    shutil.copytree(JAVASCRIPT, copy, ignore=shutil.ignore_patterns("node_modules"))
    if (JAVASCRIPT / "node_modules").exists():
        (copy / "node_modules").symlink_to(JAVASCRIPT / "node_modules")
    return copy


def verdicts_in(
    package: str, mutants: Sequence[RandomMutant], print_line: Callable[[str], None]
) -> Iterator[tuple[str, str]]:
    """Yield the name of each mutant of a package, and the verdict on it.

    Raises `FailedError` if the tests of the unmutated package fail.
    """
    with TemporaryDirectory() as folder:
        in_node, paths, python = package == JAVASCRIPT.name, tests_of(package), Path(folder, "it")
        python.write_text(CACHING_PYTHON, "utf-8")
        python.chmod(0o700)
        plain: Run = partial(measure, mutants, paths)
        if in_node:
            plain = partial(run_in_node, None, python)
        ((_, baseline, _),) = in_forks([(package, plain)], FIRST)
        if baseline["verdict"] != SURVIVED:
            by = baseline.get("by") or baseline
            raise FailedError(f"the tests of the unmutated package {package} fail: {by}")
        print_line(f"{package}: {len(mutants)} mutants, tests of {baseline['seconds']:.0f} s")
        runs: dict[str, Run] = {
            each.name: partial(run_in_node, each, python)
            if in_node
            else partial(run_in_pytest, each, baseline["reached"][each.name], paths)
            for each in mutants
        }
        for name, each, used in in_forks(runs.items(), 20 + 2 * int(baseline["seconds"])):
            verdict = KILLED if each["verdict"] == TIMED_OUT else each["verdict"]
            by = f" by {each['by']}" if each.get("by") else ""
            print_line(f"{verdict:10} {name}{by}, {used:.1f} s of CPU time")
            yield name, verdict


def chosen(number: int, seed: int, packages: Sequence[str]) -> list[RandomMutant]:
    """Return a random sample of mutants of the packages; each of them can be imported."""
    every, sampled = every_mutant(packages), list[RandomMutant]()
    random.Random(seed).shuffle(every)
    waiting = iter(every)
    while some := [*islice(waiting, number - len(sampled))]:
        runs = ((str(place), partial(load, each)) for place, each in enumerate(some))
        loaded = {
            name for name, result, _ in in_forks(runs, LOADING) if result["verdict"] == SURVIVED
        }
        sampled += [each for place, each in enumerate(some) if str(place) in loaded]
    return sampled


def load(mutant: RandomMutant, send: SendResult) -> None:
    """Import the rules, and the module that a mutant changes, in order to skip broken mutants.

    The function runs in a forked process.
    """
    if mutant.path.suffix == ".py":
        replace_sources(mutant.sources())
        importlib.import_module("spec.checks.statements")
        importlib.import_module(module_of(mutant.path))
    send({"verdict": SURVIVED})


def verdicts(
    mutants: Sequence[RandomMutant], print_line: Callable[[str], None]
) -> dict[str, dict[str, str]]:
    """Return the verdict on each mutant, keyed by package and by the name of the mutant.

    Raises `FailedError` if the tests of an unmutated package fail.
    """
    packages = sorted({each.package for each in mutants})
    own = {name: [each for each in mutants if each.package == name] for name in packages}
    return {name: dict(verdicts_in(name, some, print_line)) for name, some in own.items()}


def report(by_package: Mapping[str, Mapping[str, str]]) -> bool:
    """Print the share of killed mutants, and the survivors; return whether enough are killed."""
    for package, each in by_package.items():
        print(f"{package}: {[*each.values()].count(KILLED)} of {len(each)} killed")
        for name, verdict in each.items():
            if verdict != KILLED:
                print(f"  {verdict}: {name}")
    verdicts = [verdict for each in by_package.values() for verdict in each.values()]
    share = verdicts.count(KILLED) / max(1, len(verdicts))
    print(f"{share:.1%} of {len(verdicts)} killed, at least {LEAST_SHARE:.0%} wanted")
    return share >= LEAST_SHARE
