"""Mutate the rules and see which mutants no test notices: `python -m spec.checks.mutants`.

See README.md beside this file.
"""

from __future__ import annotations

import argparse
import ast
import configparser
import difflib
import fnmatch
import gc
import importlib
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from spec.checks.established import stamp

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]

EXAMPLES = "tests/spec/test_examples_of_clauses.py"
"""What plays the worked examples."""

QUICK = (
    *("tests/test_engine.py", "tests/rulebook", "tests/test_errors.py", "tests/test_contract.py"),
    f"{EXAMPLES}::test_the_engine_does_what_an_example_says",
)
"""The tests that every mutant meets, its own chapter first."""

BUT = ("-k", "not importing_the_package and not tables_cannot_be_changed")
"""Those that find mutmut's own tables in the source and are left out."""

THOROUGH = ("tests/properties", "tests/spec/test_lemmas.py")
"""What only a survivor of the quick tests meets that nobody has explained."""

PATIENCE = 60
"""How many seconds a mutant may take over the quick tests; one that takes longer is caught."""

PATIENCE_EACH = 8
"""How many seconds it may take over one of them."""

RECENT = 30
"""How many of the tests that caught the latest mutants are tried first."""

TESTS = (
    *("tests/*.py", "tests/rulebook/*.py", "tests/properties/*.py", "tests/spec/test_lemmas.py"),
    *(EXAMPLES, "spec/clauses/*.toml"),
    *("spec/checks/mutants/*.py", "spec/checks/mutants/mutmut.cfg"),
)
"""The files of those tests and of what they use, and what runs them."""

MEMORY = 2 << 30
"""How many bytes a mutant may use."""

FATES = ILL_TYPED, CAUGHT, TIMED_OUT, SURVIVED = "ill-typed", "caught", "timed out", "survived"
"""What can become of a mutant."""


def say(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


# Making the mutants


def mutated() -> list[str]:
    """Return the patterns of the files whose functions are mutated."""
    settings = configparser.ConfigParser()
    settings.read(HERE / "mutmut.cfg", encoding="utf-8")
    return settings["mutmut"]["only_mutate"].split()


def sources() -> dict[str, Any]:
    """Return the stamps of what the figures depend on."""
    return {"engine": stamp(mutated()), "tests": stamp(TESTS)}


def lay_out(work: Path) -> None:
    """Copy what the tests need, and let mutmut write all mutants into the copy of the source.

    mutmut leaves decorated functions alone, so that the caches are taken off first; that also
    keeps a mutant from living on what was cached before it.
    """
    work.mkdir(parents=True)
    (work / "sources.json").write_text(json.dumps(sources()), encoding="utf-8")
    ignored = shutil.ignore_patterns("__pycache__", "node_modules", ".*")
    for folder in ("src", "tests", "spec"):
        shutil.copytree(ROOT / folder, work / folder, ignore=ignored)
    shutil.copy(ROOT / "pyproject.toml", work)
    shutil.copy(HERE / "mutmut.cfg", work / "setup.cfg")
    for path in (work / "src").rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        path.write_text(re.sub(r"^@lru_cache\(.*\)\n", "", text, flags=re.M), encoding="utf-8")
    os.chdir(work)
    os.environ["MUTANT_UNDER_TEST"] = "mutant_generation"
    mutmut = importlib.import_module("mutmut.__main__")
    mutmut.copy_src_dir()
    mutmut.copy_also_copy_files()
    mutmut.create_mutants(1)


def mutants_of(work: Path) -> dict[str, list[str]]:
    """Return the names of all mutants, by module."""
    found = {}
    for path in sorted((work / "mutants" / "src").rglob("*.py.meta")):
        names = list(json.loads(path.read_text(encoding="utf-8"))["exit_code_by_key"])
        module = path.relative_to(work / "mutants" / "src").with_suffix("").with_suffix("")
        found[".".join(module.parts)] = names
    return found


def difference(work: Path, module: str, names: Iterable[str]) -> dict[str, tuple[str, str]]:
    """Return for each mutant of a module the lines it loses and the lines it gains."""
    path = (work / "mutants" / "src").joinpath(*module.split(".")).with_suffix(".py")
    text = path.read_text(encoding="utf-8")
    code = {}
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef):
            node.decorator_list = []
            head, *body = ast.unparse(node).split("\n")
            code[node.name] = [head.split("(", 1)[1], *body]
    found = {}
    for name in names:
        mutant = name.rpartition(".")[2]
        original = mutant.rpartition("__mutmut_")[0] + "__mutmut_orig"
        lines = list(difflib.ndiff(code[original], code[mutant]))
        lost = [line[2:].strip() for line in lines if line.startswith("- ")]
        gained = [line[2:].strip() for line in lines if line.startswith("+ ")]
        found[name] = ("\n".join(lost), "\n".join(gained))
    return found


def function_of(mutant: str) -> str:
    """Return the function a mutant is of, as it is called in the source."""
    module, _, name = mutant.removeprefix("valletta_rules.").rpartition(".")
    name = name.rpartition("__mutmut_")[0]
    if name.startswith("xǁ"):
        return f"{module}.{name.removeprefix('xǁ').replace('ǁ', '.')}"
    return f"{module}.{name.removeprefix('x_')}"


# The type checker: once over all mutants


def ill_typed(work: Path) -> set[str]:
    """Return the mutants that `mypy --strict` rejects: none of those could ever be committed."""
    done = subprocess.run(
        [
            *(sys.executable, "-m", "mypy", "-p", "valletta_rules", "--no-error-summary"),
            *("--config-file", str(work / "pyproject.toml")),
            *("--cache-dir", str(work / "mypy_cache")),
        ],
        cwd=work / "mutants",
        capture_output=True,
        check=False,
        text=True,
    )
    lines: dict[str, set[int]] = {}
    for path, line, code in re.findall(r"^(\S+\.py):(\d+): error: .*\[(\S+)\]$", done.stdout, re.M):
        if code != "unused-ignore":
            lines.setdefault(path, set()).add(int(line))
    found = set()
    for path, wrong in lines.items():
        module = ".".join(Path(path).relative_to("src").with_suffix("").parts)
        for node in ast.walk(ast.parse((work / "mutants" / path).read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and "__mutmut_" in node.name:
                here = range(node.lineno, (node.end_lineno or 0) + 1)
                if not wrong.isdisjoint(here):
                    found.add(f"{module}.{node.name}")
    return found


# The quick tests: collected once, run in a fork for each mutant


class Quick:
    """A pytest plugin that runs the collected tests again and again, each time on a mutant."""

    def __init__(self, mutants: Sequence[str], record: Callable[[str, str], None]) -> None:
        """Take the mutants to be run and what is done with the result of each."""
        self.mutants, self.record = mutants, record
        self.covering: dict[str, list[int]] = {}
        self.catchers: dict[str, list[int]] = {}

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Learn which tests call which function, then run the mutants of each on those."""
        if session.testsfailed:
            raise pytest.UsageError("the tests cannot be collected")
        self.covering = self.learn(session)
        gc.freeze()
        for mutant in self.mutants:
            self.record(mutant, self.fate(session, mutant))
        return True

    def learn(self, session: pytest.Session) -> dict[str, list[int]]:
        """Run the tests on the original, in a fork, and note the functions that each calls."""
        reading, writing = os.pipe()
        if not os.fork():
            os.close(reading)
            state = importlib.import_module("mutmut.state").state()
            calls: dict[str, list[int]] = {}
            os.environ["MUTANT_UNDER_TEST"] = "stats"
            for number, item in enumerate(session.items):
                state._stats.clear()
                run_items(session, [item])
                for function in state._stats:
                    calls.setdefault(function, []).append(number)
            with os.fdopen(writing, "w") as pipe:
                json.dump({"calls": calls, "failed": session.testsfailed}, pipe)
            os._exit(0)
        os.close(writing)
        with os.fdopen(reading) as pipe:
            found = json.load(pipe)
        os.wait()
        if found["failed"]:
            raise pytest.UsageError("the tests fail on the original")
        return dict(found["calls"])

    def fate(self, session: pytest.Session, mutant: str) -> str:
        """Run the tests that call a mutant's function, the likeliest to notice it first.

        Those are the tests that caught the mutants before it, of the same function, of the same
        module, of any; then those of the module's own chapter.
        """
        function = mutant.rpartition("__mutmut_")[0]
        module = function.rpartition(".")[0]
        chapter = f"test_{module.rpartition('.')[2]}.py"
        recent = [*self.catchers.get(function, []), *self.catchers.get(module, [])]
        ranks = {number: rank for rank, number in reversed(list(enumerate(recent)))}

        def rank(number: int) -> tuple[int, bool]:
            return ranks.get(number, len(recent)), session.items[number].path.name != chapter

        numbers = sorted(self.covering.get(function, []), key=rank)
        reading, writing = os.pipe()
        pid = os.fork()
        if not pid:
            silence()
            limit(PATIENCE)
            os.environ["MUTANT_UNDER_TEST"] = mutant
            status = 3
            try:
                ran = run_items(session, [session.items[number] for number in numbers])
                status = int(ran is not None)
                if ran is not None:
                    os.write(writing, str(numbers[ran]).encode())
            finally:
                os._exit(status)
        os.close(writing)
        with os.fdopen(reading) as pipe:
            catcher = pipe.read()
        _, status = os.waitpid(pid, 0)
        if catcher:
            for place in (function, module):
                before = self.catchers.setdefault(place, [])
                self.catchers[place] = [int(catcher), *before][:RECENT]
        return fate_of(os.waitstatus_to_exitcode(status))


def run_items(session: pytest.Session, items: Sequence[pytest.Item]) -> int | None:
    """Run tests until one fails, and return which."""
    for number, item in enumerate(items):
        signal.setitimer(signal.ITIMER_VIRTUAL, PATIENCE_EACH)
        following = items[number + 1] if number + 1 < len(items) else None
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        if session.testsfailed:
            return number
    return None


def silence() -> None:
    """Throw away what this process prints."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)


def limit(seconds: int) -> None:
    """End this process by a signal if it takes more time of its own, or very long on the clock.

    A mutant that only waits for its turn on a busy machine is not to be taken for an endless one.
    """
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(60 * seconds)
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def fate_of(code: int) -> str:
    """Return what the exit code of a run on a mutant says."""
    if code < 0:
        return TIMED_OUT
    return SURVIVED if code == 0 else CAUGHT


# The thorough tests: a fresh process for each mutant


def fate_when_fresh(work: Path, mutant: str, tests: Sequence[str]) -> str:
    """Import and test a mutant in a process of its own, so that it also makes the tables."""
    chapter = f"tests/rulebook/test_{mutant.split('.')[-2]}.py"
    first = [chapter] if (work / "mutants" / chapter).exists() else []
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *BUT]
    environment = os.environ | {
        "MUTANT_UNDER_TEST": mutant,
        "PYTHONPATH": str(work / "mutants" / "src"),
        "PYTHONDONTWRITEBYTECODE": "1",
        "HYPOTHESIS_PROFILE": "ci",
    }
    for selection in filter(None, (first, list(tests))):
        done = subprocess.run(
            [*command, *selection],
            cwd=work / "mutants",
            env=environment,
            capture_output=True,
            check=False,
            preexec_fn=lambda: limit(10 * PATIENCE),
        )
        if done.returncode:
            return fate_of(done.returncode)
    return SURVIVED


# The whole run


def table(fates: Mapping[str, str]) -> dict[str, dict[str, int]]:
    """Count the mutants of each module, in all and by their fate."""
    counts: dict[str, Counter[str]] = {}
    for mutant, fate in fates.items():
        module = mutant.removeprefix("valletta_rules.").rpartition(".")[0]
        counts.setdefault(module, Counter())[fate] += 1
    return {
        module: {"mutants": found.total(), **{fate: found[fate] for fate in FATES}}
        for module, found in sorted(counts.items())
    }


def unexplained_of(work: Path, survivors: Iterable[str]) -> dict[str, tuple[str, str]]:
    """Return which survivors survivors.toml does not explain, with what they change."""
    with (HERE / "survivors.toml").open("rb") as file:
        explained = {
            (entry["function"], was, becomes)
            for entry in tomllib.load(file)["survivor"]
            for was, becomes in entry["mutants"]
        }
    modules: dict[str, list[str]] = {}
    for name in survivors:
        modules.setdefault(name.rpartition(".")[0], []).append(name)
    return {
        name: change
        for module, names in modules.items()
        for name, change in difference(work, module, names).items()
        if (function_of(name), *change) not in explained
    }


def explain(work: Path, fates: dict[str, str]) -> int:
    """Print the score and every survivor, and return how many of them nobody has explained."""
    survivors = [name for name, fate in fates.items() if fate == SURVIVED]
    unexplained = unexplained_of(work, survivors)
    for name, (was, becomes) in unexplained.items():
        say(f"\n{name}\n- {was!r}\n+ {becomes!r}")
    counts = Counter(fates.values())
    score = 1 - counts[SURVIVED] / max(1, len(fates))
    tested = len(fates) - counts[ILL_TYPED]
    say(
        f"\n{len(fates)} mutants: {counts[ILL_TYPED]} rejected by the type checker, "
        f"{counts[CAUGHT]} caught by tests, {counts[TIMED_OUT]} timed out, "
        f"{counts[SURVIVED]} survived, {len(unexplained)} of them unexplained"
    )
    say(
        f"score {score:.1%}; of the {tested} that the tests have met "
        f"{1 - counts[SURVIVED] / max(1, tested):.1%}"
    )
    return len(unexplained)


class Run:
    """A run over some mutants, in a folder where it can be taken up again."""

    def __init__(self, work: Path, patterns: Sequence[str] = ("*",)) -> None:
        """Make the mutants, unless the folder has them; take those whose names match."""
        self.work = work
        if not (work / "mutants").exists():
            lay_out(work)
        os.chdir(work)
        importlib.import_module("mutmut.configuration").config()
        self.results = work / "results.json"
        self.fates: dict[str, str] = {}
        if self.results.exists():
            self.fates = json.loads(self.results.read_text(encoding="utf-8"))
        self.names = [
            name
            for group in mutants_of(work).values()
            for name in group
            if any(fnmatch.fnmatch(name, f"*{pattern}*") for pattern in patterns)
        ]
        self.started = time.monotonic()

    def note(self, stage: str, mutant: str, fate: str) -> None:
        """Write down what became of a mutant."""
        self.fates[mutant] = fate
        self.results.write_text(json.dumps(self.fates, indent=1), encoding="utf-8")
        say(f"{time.monotonic() - self.started:7.1f} {stage} {fate}: {mutant}")

    def types(self) -> None:
        """Let the type checker look at all mutants."""
        for name in sorted(ill_typed(self.work) & set(self.names)):
            self.fates[name] = ILL_TYPED
        self.results.write_text(json.dumps(self.fates, indent=1), encoding="utf-8")

    def quick(self, *, again: bool) -> int:
        """Run the quick tests on the mutants without a fate; return pytest's exit code.

        With `again` those that survived are run once more, too.
        """
        unknown = SURVIVED if again else None
        todo = [name for name in self.names if self.fates.get(name, unknown) == unknown]
        if not todo:
            return 0
        folder = self.work / "mutants"
        os.chdir(folder)
        sys.path[:0] = [str(folder), str(folder / "src")]
        os.environ["MUTANT_UNDER_TEST"] = ""
        for module in [name for name in sys.modules if name.split(".")[0] in ("spec", "tests")]:
            del sys.modules[module]
        tests = [test for test in QUICK if Path(test).exists()]
        plugin = Quick(todo, lambda mutant, fate: self.note("quick", mutant, fate))
        code = pytest.main(["-q", "-p", "no:cacheprovider", "-s", *BUT, *tests], plugins=[plugin])
        os.chdir(self.work)
        return 0 if code == pytest.ExitCode.NO_TESTS_COLLECTED else int(code)

    def thorough(self, *, again: bool) -> None:
        """Run all tests on the survivors that nobody has explained; with `again`, on all."""
        folder = self.work / "mutants"
        tests = [test for test in (*QUICK, *THOROUGH) if (folder / test).exists()]
        survivors = [name for name in self.names if self.fates.get(name) == SURVIVED]
        for name in survivors if again else unexplained_of(self.work, survivors):
            self.note("thorough", name, fate_when_fresh(self.work, name, tests))

    def stages(self, stage: str | None = None, *, again: bool = False) -> int:
        """Run one stage or all of them; return pytest's exit code if the tests could not run."""
        if stage == "types" or (stage is None and not self.fates):
            self.types()
        if stage in (None, "quick") and (code := self.quick(again=again)):
            return code
        if stage in (None, "thorough"):
            self.thorough(again=again)
        return 0

    def figures(self) -> dict[str, Any]:
        """Print what became of the mutants, and return it as it is written down."""
        fates = {name: self.fates[name] for name in self.names if name in self.fates}
        return {"unexplained": explain(self.work, fates), "modules": table(fates)}


def run(work: Path | None = None) -> tuple[dict[str, Any], dict[str, Any]] | None:
    """Run all mutants; return the stamps of what they were made of, and the figures.

    Returns nothing if the tests cannot be run.  In a folder given again a run goes on.
    """
    if work is None:
        with tempfile.TemporaryDirectory() as folder:
            return run(Path(folder, "work"))
    whole = Run(work.resolve())
    if whole.stages():
        return None
    made_of = json.loads((whole.work / "sources.json").read_text(encoding="utf-8"))
    return made_of, whole.figures()


def main() -> int:
    """Make the mutants, run them, and tell which survive without a reason."""
    parser = argparse.ArgumentParser(prog="python -m spec.checks.mutants", description=__doc__)
    parser.add_argument("work", type=Path, help="a folder for the copy and the results")
    parser.add_argument("only", nargs="*", default=["*"], help="patterns of mutants' names")
    parser.add_argument(
        "--again",
        action="store_true",
        help="run the survivors once more, those that are explained, too",
    )
    parser.add_argument("--stage", choices=["types", "quick", "thorough", "report"], default=None)
    arguments = parser.parse_args()
    some = Run(arguments.work.resolve(), arguments.only)
    if code := some.stages(arguments.stage, again=arguments.again):
        return code
    return min(1, int(some.figures()["unexplained"]))


if __name__ == "__main__":
    sys.exit(main())
