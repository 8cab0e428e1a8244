"""The mutants of the core and the packages around it, and their places.

A mutant differs from a source in one place: a comparison, an operator, a condition, a number, a
statement or the order of two arguments.  Docstrings, annotations, decorators, texts, log messages,
arguments of errors, sizes of caches, and guards of impossible cases have no mutants; nor has the
bound of ``if x < 0: total -= x``, where a shift to 1 changes nothing.
"""

import ast
import re
from bisect import bisect
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, pairwise
from pathlib import Path
from typing import Any, Final

import attrs

from spec.checks.established import ROOT
from spec.checks.mistakes.table import PACKAGE

CORE: Final = ("rulebook", "components", "engine")
"""The packages and the module of the rules."""

PACKAGES: Final = (
    *CORE,
    *("codec", "records", "text", "views", "memory", "environments", "analysis", "words", "web"),
)
"""The packages that are sampled, in Python."""

JAVASCRIPT: Final = ROOT / "src" / "javascript"
"""The package for JavaScript, which is also sampled."""

UNFIT: Final = ("environments/openspiel.py",)
"""The files whose import needs an extra."""

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
"""The operators of Python by node type, and their replacements."""

IN_JAVASCRIPT: Final = re.compile(
    r"(?P<skipped>//[^\n]*|/\*.*?\*/|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`"
    r"|(?<=[(,=:n] )/(?:\\.|[^/\n])+/\w*|(?<=[(!])/(?:\\.|[^/\n])+/\w*)"
    r"|(?<= )(?P<operator>===|!==|<=|>=|<|>|&&|\|\||\?\?|\+|-|\*|%)(?= )"
    r"|(?P<call>^ +[\w.]+\([^\n]*\);$)"
    r"|(?P<negation>!)(?=[\w(])|\b(?P<number>\d[\d_]*)\b|\b(?P<truth>true|false)\b",
    re.MULTILINE | re.DOTALL,
)
"""An approximation of the places in JavaScript that have a mutant."""

INSTEAD: Final = {
    **{"===": "!==", "!==": "===", "<": "<=", "<=": "<", ">": ">=", ">=": ">", "*": "+"},
    **{"&&": "||", "||": "&&", "??": "&&", "+": "-", "-": "+", "%": "*"},
    **{"true": "false", "false": "true"},
}
"""The replacements of operators and booleans in JavaScript."""


@attrs.frozen
class Mutant:
    """A place in a source, and its replacement."""

    path: Path
    start: int
    """The start of the place, in bytes."""
    end: int
    replacement: str

    @property
    def package(self) -> str:
        """The package of the source."""
        if self.path.is_relative_to(JAVASCRIPT):
            return JAVASCRIPT.name
        return self.path.relative_to(PACKAGE).parts[0].removesuffix(".py")

    @property
    def name(self) -> str:
        """The place and the change."""
        source = self.path.read_bytes()
        was = " ".join(source[self.start : self.end].decode().split())
        line = source.count(b"\n", 0, self.start) + 1
        column = self.start - source.rfind(b"\n", 0, self.start)
        return f"{self.path.relative_to(ROOT)}:{line}:{column}: `{was}` -> `{self.replacement}`"

    def lines(self) -> set[int]:
        """Return the lines that run if the place runs: its own, and the first of its statement.

        The statement is the innermost that contains the place.
        """
        source = Source(self.path.read_text("utf-8"))
        first, last = (source.line(place) for place in (self.start, self.end - 1))
        begins = (
            node.lineno
            for node in ast.walk(ast.parse(source.text))
            if isinstance(node, ast.stmt) and source.contains(node, self.start)
        )
        return {max(begins), *range(first, last + 1)}

    def source(self) -> str:
        """Return the source with the change."""
        before = self.path.read_bytes()
        return (before[: self.start] + self.replacement.encode() + before[self.end :]).decode()

    def sources(self) -> dict[Path, str]:
        """Return the source with the change, by its path."""
        return {self.path: self.source()}


# The places


def mutants_in(path: Path) -> Iterator[Mutant]:
    """Yield the mutants of a source, in order."""
    text = path.read_text(encoding="utf-8")
    places = in_python(text) if path.suffix == ".py" else in_javascript(text)
    for start, end, replacement in sorted(set(places)):
        yield Mutant(path, start, end, replacement)


def in_javascript(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield the places of a source in JavaScript that have a mutant, and their replacements."""
    for found in IN_JAVASCRIPT.finditer(text):
        kind, written = str(found.lastgroup), found[0]
        instead = {"call": "", "negation": "", "number": f"{written}+1"}.get(kind)
        if kind != "skipped":
            start, end = (len(text[:place].encode()) for place in found.span())
            yield start, end, INSTEAD[written] if instead is None else instead


def in_python(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield the places of a source in Python that have a mutant, and their replacements."""
    source = Source(text)
    for node in code_of(ast.parse(text)):
        yield from source.in_expression(node)
        yield from source.in_statement(node)


class Source:
    """A source in Python, with the places of its nodes in bytes."""

    def __init__(self, text: str) -> None:
        """Compute the start of each line."""
        self.text = text.encode()
        self.starts = [0, *(found.end() for found in re.finditer(rb"\n", self.text))]

    def span(self, node: Any) -> tuple[int, int]:
        """Return the start and the end of a node."""
        return (
            int(self.starts[node.lineno - 1] + node.col_offset),
            int(self.starts[node.end_lineno - 1] + node.end_col_offset),
        )

    def contains(self, node: ast.AST, place: int) -> bool:
        """Tell whether a place is within a node."""
        start, end = self.span(node)
        return start <= place < end

    def line(self, place: int) -> int:
        """Return the number of the line with a place."""
        return bisect(self.starts, place)

    def written(self, node: ast.AST) -> str:
        """Return the text of a node."""
        start, end = self.span(node)
        return self.text[start:end].decode()

    def in_expression(self, node: ast.AST) -> Iterator[tuple[int, int, str]]:
        """Yield the places of an expression, without those of its parts, and their replacements."""
        match node:
            case ast.Compare(left=left, ops=operators, comparators=values):
                for operator, pair in zip(operators, pairwise([left, *values]), strict=True):
                    yield from self.between(*pair, operator)
            case ast.BoolOp(op=operator, values=values):
                for pair in pairwise(values):
                    yield from self.between(*pair, operator)
            case ast.BinOp(left=one, op=operator, right=other):
                yield from self.between(one, other, operator)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                yield *self.span(node), self.written(operand)
            case ast.Constant(value=bool(value)):
                yield *self.span(node), str(not value)
            case ast.Constant(value=int(value)):
                yield *self.span(node), str(value + 1)
            case ast.Call(func=ast.Name(id="max" | "min" | "suppress")):
                return  # the order of the arguments does not matter
            case ast.Call(args=[one, other, *_]):
                if not isinstance(one, ast.Starred) and not isinstance(other, ast.Starred):
                    swapped = f"{self.written(other)}, {self.written(one)}"
                    yield self.span(one)[0], self.span(other)[1], swapped

    def in_statement(self, node: ast.AST) -> Iterator[tuple[int, int, str]]:
        """Yield the places of a statement or condition as a whole, and their replacements."""
        match node:
            case ast.Expr(value=ast.Call()) | ast.AugAssign() | ast.Raise() | ast.Continue():
                yield *self.span(node), "pass"
            case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test):
                yield *self.span(test), f"(not ({self.written(test)}))"
            case ast.comprehension(ifs=tests):
                for test in tests:
                    yield *self.span(test), f"(not ({self.written(test)}))"

    def between(
        self, one: ast.AST, other: ast.AST, operator: ast.AST
    ) -> Iterator[tuple[int, int, str]]:
        """Yield the place of an operator between two nodes, and its replacement."""
        written, instead = OPERATORS.get(type(operator), ("", ""))
        place = self.text.find(written.encode(), self.span(one)[1], self.span(other)[0])
        if written and place >= 0:
            yield place, place + len(written), instead


def code_of(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes that can have a mutant, without the arguments of errors."""
    if is_left_out(node):
        return
    yield node
    left_out: tuple[str, ...] = {
        ast.FunctionDef: ("decorator_list", "returns"),
        ast.AsyncFunctionDef: ("decorator_list", "returns"),
        ast.ClassDef: ("decorator_list",),
        ast.arg: ("annotation",),
        ast.AnnAssign: ("annotation",),
        ast.Raise: ("exc", "cause"),
        ast.Assert: ("msg",),
    }.get(type(node), ())
    match node:
        case ast.If(
            test=ast.Compare(left=ast.Name(id=compared), comparators=[ast.Constant(value=0)]),
            body=[ast.AugAssign(value=ast.Name(id=added))],
        ) if compared == added:
            left_out = ("test",)  # it makes no difference whether zero is added
    for name, value in ast.iter_fields(node):
        if name not in left_out:
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    yield from code_of(child)


def is_left_out(node: ast.AST) -> bool:
    """Tell whether a node only logs, guards an impossible case, or makes no difference."""
    match node:
        case ast.If(test=ast.Name(id="TYPE_CHECKING") | ast.Compare(left=ast.Name(id="__name__"))):
            return True
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id="logger")))):
            return True
        case (
            ast.Expr(value=ast.Call(func=ast.Name(id="assert_never")))
            | ast.keyword(arg="strict" | "maxsize")
        ):
            return True
        case _:
            return False


def every_mutant(packages: Iterable[str]) -> list[Mutant]:
    """Return all mutants of some packages, in order."""
    paths = chain.from_iterable(
        JAVASCRIPT.glob("*.js")
        if each == JAVASCRIPT.name
        else [*PACKAGE.glob(f"{each}.py"), *(PACKAGE / each).rglob("*.py")]
        for each in packages
    )
    fit = sorted(path for path in paths if not str(path).endswith(UNFIT))
    return [mutant for path in fit for mutant in mutants_in(path)]
