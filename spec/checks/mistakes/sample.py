"""Random mutants of what lies around the core, each met by the tests of its package.

A mutant differs from a source in one place: a comparison, an operator, a condition, a number, a
statement or the order of two arguments.  Docstrings, annotations, decorators, texts and what an
error is raised with have none.  In Python a mutant is put in like a mistake in the engine; so
tests that start another process do not meet it.  The package for JavaScript is copied, with the
mutant in its source, and its own test file is run.

A mutant is *killed* if a test fails, or if the tests take twice their time.  They are run file by
file, the fastest first, up to the first failure.
"""

from __future__ import annotations

import ast
import os
import random
import re
import shutil
import subprocess
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, islice, pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import attrs
import pytest

from spec.checks.established import ROOT
from spec.checks.mistakes.engine import PLUGINS, Unshrunk, put_in
from spec.checks.mistakes.runs import KILLED, SURVIVED, TIMED_OUT, Run, Tell, in_forks
from spec.checks.mistakes.table import PACKAGE, FailedError

PACKAGES: Final = (
    *("codec", "records", "text", "views", "memory", "environments", "analysis", "words", "web"),
)
"""The packages that are sampled, in Python."""

JAVASCRIPT: Final = ROOT / "src" / "javascript"
"""The package for JavaScript, which is sampled as well."""

SHARED: Final = ("malformed", "public_functions", "contract", "arguments")
"""The files of tests that all packages share."""

UNFIT: Final = ("environments/openspiel.py",)
"""The files that need an extra of their own."""

LEAST_SHARE: Final = 0.95
"""The share of mutants that tests must kill."""

FIRST: Final = 600
"""The seconds of CPU time that the tests of a package may take without a mutant."""

OPERATORS: Final[Mapping[type[ast.AST], tuple[str, str]]] = {
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.In: ("in", "not in"),
    ast.NotIn: ("not in", "in"),
    ast.Is: ("is", "is not"),
    ast.IsNot: ("is not", "is"),
    ast.And: ("and", "or"),
    ast.Or: ("or", "and"),
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
}
"""How operators of Python are written, and what takes their place."""

IN_JAVASCRIPT: Final = re.compile(
    r"(?P<skipped>//[^\n]*|/\*.*?\*/|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`"
    r"|(?<=[(,=:n] )/(?:\\.|[^/\n])+/\w*|(?<=[(!])/(?:\\.|[^/\n])+/\w*)"
    r"|(?<= )(?P<operator>===|!==|<=|>=|<|>|&&|\|\||\?\?|\+|-|\*|%)(?= )"
    r"|(?P<call>^ +[\w.]+\([^\n]*\);$)"
    r"|(?P<negation>!)(?=[\w(])|\b(?P<number>\d[\d_]*)\b|\b(?P<truth>true|false)\b",
    re.MULTILINE | re.DOTALL,
)
"""What has a mutant in JavaScript, near enough."""

INSTEAD: Final = {
    **{"===": "!==", "!==": "===", "<": "<=", "<=": "<", ">": ">=", ">=": ">", "*": "+"},
    **{"&&": "||", "||": "&&", "??": "&&", "+": "-", "-": "+", "%": "*"},
    **{"true": "false", "false": "true"},
}
"""What takes the place of operators and truths in JavaScript."""

REPORTER: Final = """\
export default async function* (events) {
  for await (const { type, data } of events) {
    if (type === 'test:fail') { console.log(data.name); process.exit(1); }
  }
}
"""
"""What ends the tests in JavaScript at the first that fails."""


@attrs.frozen
class Mutant:
    """One place of a source, and what takes it."""

    path: Path
    start: int
    """Where the place begins, in bytes."""
    end: int
    replacement: str

    @property
    def package(self) -> str:
        """The package that it is of."""
        if self.path.is_relative_to(JAVASCRIPT):
            return JAVASCRIPT.name
        return self.path.relative_to(PACKAGE).parts[0]

    @property
    def name(self) -> str:
        """The place, and what is changed there."""
        source = self.path.read_bytes()
        was = " ".join(source[self.start : self.end].decode().split())
        line = source.count(b"\n", 0, self.start) + 1
        return f"{self.path.relative_to(ROOT)}:{line}: `{was}` -> `{self.replacement}`"

    def source(self) -> str:
        """Return the source with the change."""
        before = self.path.read_bytes()
        return (before[: self.start] + self.replacement.encode() + before[self.end :]).decode()


# Where mutants can be


def mutants_in(path: Path) -> Iterator[Mutant]:
    """Yield the mutants of a source, in order."""
    text = path.read_text(encoding="utf-8")
    places = in_python(text) if path.suffix == ".py" else in_javascript(text)
    for start, end, replacement in sorted(set(places)):
        yield Mutant(path, start, end, replacement)


def in_javascript(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield the places of a source in JavaScript that have a mutant, and what takes them."""
    for found in IN_JAVASCRIPT.finditer(text):
        kind, written = str(found.lastgroup), found[0]
        instead = {"call": "", "negation": "", "number": f"{written}+1"}.get(kind)
        if kind != "skipped":
            start, end = (len(text[:place].encode()) for place in found.span())
            yield start, end, INSTEAD[written] if instead is None else instead


def in_python(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield the places of a source in Python that have a mutant, and what takes them."""
    source = text.encode()
    starts = [0, *(found.end() for found in re.finditer(rb"\n", source))]

    def begin(node: Any) -> int:
        return int(starts[node.lineno - 1] + node.col_offset)

    def end(node: Any) -> int:
        return int(starts[node.end_lineno - 1] + node.end_col_offset)

    def between(one: ast.AST, other: ast.AST, operator: ast.AST) -> Iterator[tuple[int, int, str]]:
        written, instead = OPERATORS.get(type(operator), ("", ""))
        place = source.find(written.encode(), end(one), begin(other))
        if written and place >= 0:
            yield place, place + len(written), instead

    def negated(test: ast.AST) -> tuple[int, int, str]:
        return begin(test), end(test), f"(not ({source[begin(test) : end(test)].decode()}))"

    for node in code_of(ast.parse(text)):
        match node:
            case ast.Compare(left=left, ops=operators, comparators=values):
                for operator, (one, other) in zip(
                    operators, pairwise([left, *values]), strict=True
                ):
                    yield from between(one, other, operator)
            case ast.BoolOp(op=operator, values=values):
                for one, other in pairwise(values):
                    yield from between(one, other, operator)
            case ast.BinOp(left=one, op=operator, right=other):
                yield from between(one, other, operator)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                yield begin(node), end(node), source[begin(operand) : end(operand)].decode()
            case ast.Constant(value=bool(value)):
                yield begin(node), end(node), str(not value)
            case ast.Constant(value=int(value)):
                yield begin(node), end(node), str(value + 1)
            case ast.Call(args=[one, other, *_]) if not isinstance(other, ast.Starred):
                swapped = [source[begin(each) : end(each)].decode() for each in (other, one)]
                if not isinstance(one, ast.Starred):
                    yield begin(one), end(other), ", ".join(swapped)
            case ast.Expr(value=ast.Call()) | ast.AugAssign() | ast.Raise() | ast.Continue():
                yield begin(node), end(node), "pass"
            case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test):
                yield negated(test)
            case ast.comprehension(ifs=tests):
                yield from map(negated, tests)


def code_of(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes that do something, without what errors are raised with."""
    yield node
    left_out = {
        ast.FunctionDef: ("decorator_list", "returns"),
        ast.ClassDef: ("decorator_list",),
        ast.arg: ("annotation",),
        ast.AnnAssign: ("annotation",),
        ast.Raise: ("exc", "cause"),
        ast.Assert: ("msg",),
    }.get(type(node), ())
    if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
        return
    for name, value in ast.iter_fields(node):
        if name not in left_out:
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    yield from code_of(child)


def is_code(mutant: Mutant) -> bool:
    """Tell whether a mutant can be compiled, as far as that is known at once."""
    try:
        return mutant.path.suffix != ".py" or bool(ast.parse(mutant.source()))
    except SyntaxError:
        return False


def every_mutant(packages: Iterable[str]) -> list[Mutant]:
    """Return all mutants of some packages, in order."""
    paths = chain.from_iterable(
        JAVASCRIPT.glob("*.js") if each == JAVASCRIPT.name else (PACKAGE / each).rglob("*.py")
        for each in packages
    )
    fit = sorted(path for path in paths if not str(path).endswith(UNFIT))
    return [mutant for path in fit for mutant in mutants_in(path)]


# Meeting the tests


class Timed(Unshrunk):
    """A pytest plugin that adds up how long each file of tests takes, in CPU time.

    It notes which test fails.
    """

    def __init__(self) -> None:
        """Begin with no file."""
        self.seconds: dict[str, float] = {}
        self.failed = ""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note a test that fails."""
        self.failed = report.nodeid if report.failed else self.failed

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Run a test, with what it needs."""
        began = spent()
        try:
            return (yield)
        finally:
            path = item.nodeid.partition("::")[0]
            self.seconds[path] = self.seconds.get(path, 0.0) + spent() - began


def spent() -> float:
    """Return the CPU time of this process and of those that it has waited for."""
    return sum(os.times()[:4])


def tests_of(package: str) -> list[str]:
    """Return the files of tests of a package, and those that all packages share."""
    own = (ROOT / "tests" / package).glob("test_*.py")
    paths = [*own, *(ROOT / "tests" / f"test_{each}.py" for each in SHARED)]
    return sorted(str(path.relative_to(ROOT)) for path in paths)


def meet(mutant: Mutant | None, paths: Sequence[str], tell: Tell) -> None:
    """Run files of tests of a package, with a mutant in it or none; in a fork."""
    put_in({mutant.path: mutant.source()} if mutant else {})
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    os.environ.pop("PYTEST_ADDOPTS", None)
    timed = Timed()
    options = ["-q", "-x", "--assert=plain", "--tb=no", *PLUGINS]
    failed = pytest.main([*options, *paths], plugins=[timed])
    verdict = KILLED if failed else SURVIVED
    return tell({"verdict": verdict, "by": timed.failed, "seconds": timed.seconds})


def meet_in_node(mutant: Mutant | None, tell: Tell) -> None:
    """Run the test file of the package for JavaScript, with a mutant in it or none; in a fork."""
    with TemporaryDirectory() as name:
        root, copy = Path(name), Path(name, "src", "javascript")
        for folder, inner in ((ROOT, "src"), (ROOT / "src", "javascript")):
            made = root / folder.relative_to(ROOT)
            made.mkdir(exist_ok=True)
            for each in folder.iterdir():
                if each.name != inner:
                    (made / each.name).symlink_to(each)
        leave = shutil.ignore_patterns("node_modules")
        shutil.copytree(JAVASCRIPT, copy, ignore=leave)
        if (JAVASCRIPT / "node_modules").exists():
            (copy / "node_modules").symlink_to(JAVASCRIPT / "node_modules")
        (copy / "reporter.mjs").write_text(REPORTER, encoding="utf-8")
        if mutant:
            (copy / mutant.path.name).write_text(mutant.source(), encoding="utf-8")
        began = spent()
        command = ["node", "--test-reporter=./reporter.mjs", "test/package.test.js"]
        done = subprocess.run(command, cwd=copy, stdout=subprocess.PIPE, text=True, check=False)
    seconds = {"test/package.test.js": spent() - began}
    verdict = KILLED if done.returncode else SURVIVED
    return tell({"verdict": verdict, "by": done.stdout.strip(), "seconds": seconds})


def runs_of(package: str, mutants: Iterable[Mutant], paths: Sequence[str]) -> dict[str, Run]:
    """Return what is run for each mutant of a package, by name."""
    if package == JAVASCRIPT.name:
        return {each.name: partial(meet_in_node, each) for each in mutants}
    return {each.name: partial(meet, each, paths) for each in mutants}


def sample(
    number: int, seed: int, say: Callable[[str], None], packages: Sequence[str]
) -> dict[str, dict[str, str]]:
    """Return what becomes of random mutants: by package, and by the place and the change.

    Raises `FailedError` if the tests of a package fail without a mutant.
    """
    every = every_mutant(packages)
    random.Random(seed).shuffle(every)
    chosen = [*islice(filter(is_code, every), number)]
    say(f"{len(chosen)} of about {len(every)} mutants, seed {seed}")
    found: dict[str, dict[str, str]] = {}
    for package in packages:
        own = [mutant for mutant in chosen if mutant.package == package]
        plain: Run = (
            partial(meet_in_node, None)
            if package == JAVASCRIPT.name
            else partial(meet, None, tests_of(package))
        )
        for _, told, _ in in_forks([(package, plain)] if own else [], FIRST):
            if told["verdict"] != SURVIVED:
                by = told.get("by") or told
                raise FailedError(f"without a mutant the tests of {package} fail: {by}")
            seconds = told["seconds"]
            limit = 20 + 2 * int(sum(seconds.values()))
            say(f"{package}: {len(own)} mutants, tests of {sum(seconds.values()):.0f} s")
            runs = runs_of(package, own, sorted(seconds, key=seconds.__getitem__))
            found[package] = {}
            for name, each, used in in_forks(runs.items(), limit):
                verdict = KILLED if each["verdict"] == TIMED_OUT else each["verdict"]
                found[package][name] = verdict
                say(f"{verdict:10} {name}, {used:.1f} s of CPU time")
    return found
