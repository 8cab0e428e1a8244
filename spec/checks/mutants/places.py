"""Find the places in the sources that a random mutant can change.

The sources are the rules (`CORE`) and the packages around them.  A mutant changes one place: a
comparison, an operator, a condition, a number, a statement or the order of two arguments.
Docstrings, annotations, decorators, texts, log messages, arguments of errors, cache sizes and
guards against impossible cases are not mutated.  The bound in ``if x < 0: total -= x`` is not
mutated either, because changing it to 1 has no effect.
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
from spec.checks.mutants.table import PACKAGE

CORE: Final = ("rulebook", "components", "engine")
"""The packages and modules that implement the rules."""

PACKAGES: Final = (
    *CORE,
    *("codec", "records", "text", "views", "memory", "environments", "analysis", "words", "web"),
)
"""The Python packages from which mutants are sampled."""

JAVASCRIPT: Final = ROOT / "src" / "javascript"
"""The folder of the JavaScript package, from which mutants are sampled as well."""

UNFIT: Final = ("environments/openspiel.py",)
"""The files that are skipped, because they import an optional dependency."""

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
"""The operators of Python, keyed by node type, each with the operator that replaces it."""

IN_JAVASCRIPT: Final = re.compile(
    r"(?P<skipped>//[^\n]*|/\*.*?\*/|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`"
    r"|(?<=[(,=:n] )/(?:\\.|[^/\n])+/\w*|(?<=[(!])/(?:\\.|[^/\n])+/\w*)"
    r"|(?<= )(?P<operator>===|!==|<=|>=|<|>|&&|\|\||\?\?|\+|-|\*|%)(?= )"
    r"|(?P<call>^ +[\w.]+\([^\n]*\);$)"
    r"|(?P<negation>!)(?=[\w(])|\b(?P<number>\d[\d_]*)\b|\b(?P<truth>true|false)\b",
    re.MULTILINE | re.DOTALL,
)
"""An approximate pattern for the parts of JavaScript code that mutants change."""

INSTEAD: Final = {
    **{"===": "!==", "!==": "===", "<": "<=", "<=": "<", ">": ">=", ">=": ">", "*": "+"},
    **{"&&": "||", "||": "&&", "??": "&&", "+": "-", "-": "+", "%": "*"},
    **{"true": "false", "false": "true"},
}
"""The operators and booleans of JavaScript, each with its replacement."""


@attrs.frozen
class RandomMutant:
    """A mutant: a place in a source file, and the text that replaces it."""

    path: Path
    start: int
    """The byte offset at which the place starts."""
    end: int
    replacement: str

    @property
    def package(self) -> str:
        """The name of the package to which the source belongs."""
        if self.path.is_relative_to(JAVASCRIPT):
            return JAVASCRIPT.name
        return self.path.relative_to(PACKAGE).parts[0].removesuffix(".py")

    @property
    def name(self) -> str:
        """The file, line and column of the place, followed by the old and the new text."""
        source = self.path.read_bytes()
        was = " ".join(source[self.start : self.end].decode().split())
        line = source.count(b"\n", 0, self.start) + 1
        column = self.start - source.rfind(b"\n", 0, self.start)
        return f"{self.path.relative_to(ROOT)}:{line}:{column}: `{was}` -> `{self.replacement}`"

    def lines(self) -> set[int]:
        """Return the lines that run together with the mutated code.

        They are the lines of the code itself, and the first line of the innermost statement that
        contains it.
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
        """Return the text of the source file after the change."""
        before = self.path.read_bytes()
        return (before[: self.start] + self.replacement.encode() + before[self.end :]).decode()

    def sources(self) -> dict[Path, str]:
        """Return the text of the source file after the change, keyed by the path of the file."""
        return {self.path: self.source()}


# The places


def mutants_in(path: Path) -> Iterator[RandomMutant]:
    """Yield all mutants of a source file, in the order of their places."""
    text = path.read_text(encoding="utf-8")
    places = in_python(text) if path.suffix == ".py" else in_javascript(text)
    for start, end, replacement in sorted(set(places)):
        yield RandomMutant(path, start, end, replacement)


def in_javascript(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield (start, end, replacement) for each mutation of a JavaScript source."""
    for match in IN_JAVASCRIPT.finditer(text):
        kind, written = str(match.lastgroup), match[0]
        instead = {"call": "", "negation": "", "number": f"{written}+1"}.get(kind)
        if kind != "skipped":
            start, end = (len(text[:place].encode()) for place in match.span())
            yield start, end, INSTEAD[written] if instead is None else instead


def in_python(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield (start, end, replacement) for each mutation of a Python source."""
    source = Source(text)
    for node in code_of(ast.parse(text)):
        yield from source.in_expression(node)
        yield from source.in_statement(node)


class Source:
    """A Python source, with a mapping from syntax nodes to byte offsets."""

    def __init__(self, text: str) -> None:
        """Compute the byte offset of each line."""
        self.text = text.encode()
        self.starts = [0, *(newline.end() for newline in re.finditer(rb"\n", self.text))]

    def span(self, node: Any) -> tuple[int, int]:
        """Return the byte offsets of the start and the end of a node."""
        return (
            int(self.starts[node.lineno - 1] + node.col_offset),
            int(self.starts[node.end_lineno - 1] + node.end_col_offset),
        )

    def contains(self, node: ast.AST, place: int) -> bool:
        """Return whether a byte offset is within a node."""
        start, end = self.span(node)
        return start <= place < end

    def line(self, place: int) -> int:
        """Return the number of the line at a byte offset."""
        return bisect(self.starts, place)

    def written(self, node: ast.AST) -> str:
        """Return the source text of a node."""
        start, end = self.span(node)
        return self.text[start:end].decode()

    def in_expression(self, node: ast.AST) -> Iterator[tuple[int, int, str]]:
        """Yield (start, end, replacement) for each mutation of an expression, not of its parts."""
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
        """Yield (start, end, replacement) for each mutation of a whole statement or condition."""
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
        """Yield (start, end, replacement) for the mutation of the operator between two nodes."""
        written, instead = OPERATORS.get(type(operator), ("", ""))
        place = self.text.find(written.encode(), self.span(one)[1], self.span(other)[0])
        if written and place >= 0:
            yield place, place + len(written), instead


def code_of(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the syntax nodes that may be mutated, among a node and its descendants."""
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
    """Return whether a node is excluded from mutation, as log messages and impossible cases are."""
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


def every_mutant(packages: Iterable[str]) -> list[RandomMutant]:
    """Return all mutants of the given packages, ordered by file and place."""
    paths = chain.from_iterable(
        JAVASCRIPT.glob("*.js")
        if each == JAVASCRIPT.name
        else [*PACKAGE.glob(f"{each}.py"), *(PACKAGE / each).rglob("*.py")]
        for each in packages
    )
    fit = sorted(path for path in paths if not str(path).endswith(UNFIT))
    return [mutant for path in fit for mutant in mutants_in(path)]
