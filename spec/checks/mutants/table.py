"""The mutants of the clauses: their tables, and the mutated sources.

A mutant refers to code by a function (or a class, or a constant) and an expression in it, never by
a line.  Expressions are compared token by token, regardless of layout.  Each rule and each
exception needs a mutant that the clause's own tests detect, or a reason why no test can detect one.
"""

import ast
import re
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

import attrs

from spec.checks.established import ROOT
from spec.mentions import FUNCTION_IN_C
from valletta_rules.specification.files import Place, Specification

MUTATED: Final = {
    "engine": "engine",
    "model": "model",
    "native": "native backend",
    "seam": "conversion from Python",
}
"""The name of the mutated source in messages, keyed by the kind of mutant."""

TABLES: Final = "spec/mutants/*.toml"
"""The pattern for the files with tables of mutants; each chapter has one file."""

OWING: Final = ("rule", "exception")
"""The kinds of clause that must have a mutant."""

SETTLED: Final = ("killed", "equivalent")
"""The verdicts that count as a success."""

PACKAGE: Final = ROOT / "src" / "valletta_rules"
"""The folder of the package that contains the engine."""

NATIVE: Final = ROOT / "src" / "native"
"""The folder of the native backend."""

TOKEN: Final = re.compile(r'"(?:\\.|[^"\\])*"|\w+|->|\+\+|--|<<|>>|&&|\|\||[-+*/%&|^!=<>]=|\S')
"""An approximate pattern for tokens of Python and C."""


MutantResult = dict[str, Any]
"""The verdict on a mutant, with its evidence."""


class FailedError(Exception):
    """The error raised if tests or statements fail on the unmutated sources."""


class MutationError(Exception):
    """The error raised if the code that a mutation replaces is missing, or occurs twice."""


@attrs.frozen
class Change:
    """A replacement of an expression in the engine or in its native backend."""

    function: str
    """The function, class or constant that is changed, as ``module.function`` or
    ``file.c::function``."""
    expression: str
    """An expression or statement that occurs exactly once in the function."""
    replacement: str


def changes_of(written: dict[str, str] | Iterable[dict[str, str] | Change]) -> tuple[Change, ...]:
    """Parse the changes of a mutant, which are a single table or a list of tables."""
    several = [written] if isinstance(written, dict) else written
    return tuple(each if isinstance(each, Change) else Change(**each) for each in several)


@attrs.frozen(kw_only=True)
class Mutant:
    """A mutant of a clause: a plausible misreading, and the corresponding changes to sources."""

    id: str
    clause: str
    misreading: str
    """A sentence that describes the misreading."""
    engine: tuple[Change, ...] = attrs.field(default=(), converter=changes_of)
    """The changes to the engine; empty if the engine does not implement the clause."""
    native: tuple[Change, ...] = attrs.field(default=(), converter=changes_of)
    """The changes to the native backend."""
    model: Mapping[str, Any] | None = None
    """The changes to the formal model."""
    equivalent: str = ""
    """The reason why no test could detect the mutant; empty if a test must detect it."""
    place: Place
    """The file and line that list the mutant."""

    @property
    def name(self) -> str:
        """The name of the mutant: the id of its clause, then the id of the mutant."""
        return f"{self.clause} {self.id}"

    @property
    def halves(self) -> tuple[str, ...]:
        """The kinds of source that the mutant changes: `engine`, `model` or `native`."""
        return tuple(half for half in ("engine", "model", "native") if getattr(self, half))


def read_mutants(root: Path = ROOT) -> tuple[Mutant, ...]:
    """Return the mutants of all clauses, in the order of their tables."""
    return tuple(Mutant(**table) for table in Specification(root / "spec").mutants)


def read_seam() -> tuple[Mutant, ...]:
    """Return the mutants of the conversion between Python objects and the native backend."""
    path = Path(__file__).with_name("seam.toml")
    return tuple(
        Mutant(id=id, clause="seam", misreading="", native=[change], place=Place(str(path), 1))
        for table in tomllib.loads(path.read_text("utf-8"))["mutant"]
        for id, *parts in [table.values()]
        for change in [Change(*parts)]
    )


# Making one


def mutated_sources(changes: Iterable[Change]) -> dict[Path, str]:
    """Return the sources that the given changes produce, keyed by path.

    Raises `MutationError` if a change cannot be applied.
    """
    sources: dict[Path, str] = {}
    for change in changes:
        path, names = placed(change.function)
        text = sources.get(path) or path.read_text(encoding="utf-8")
        try:
            start, end = (span_in_c if path.suffix == ".c" else span_in_python)(text, names)
            sources[path] = replaced(text, start, end, change)
        except MutationError as error:
            raise MutationError(f"{change.function} {error}") from None
    return sources


def placed(function: str) -> tuple[Path, list[str]]:
    """Split the full name of a function into its source file and its names within that file."""
    file, _, name = function.partition("::")
    if name:
        return NATIVE / file, [name]
    path, names = PACKAGE, function.split(".")
    for number, part in enumerate(names):
        path /= part
        if path.with_suffix(".py").is_file():
            return path.with_suffix(".py"), names[number + 1 :]
    raise MutationError(f"{function} is not in any module of the package")


def span_in_python(text: str, names: Iterable[str]) -> tuple[int, int]:
    """Return the start and the end offset of a definition in a Python source."""
    node: Any = ast.parse(text)
    for name in names:
        definitions = [child for child in node.body if name_of(child) == name]
        if len(definitions) != 1:
            raise MutationError("must be defined exactly once")
        node = definitions[0]
    lines = text.splitlines(keepends=True)
    return sum(map(len, lines[: node.lineno - 1])), sum(map(len, lines[: node.end_lineno]))


def name_of(node: ast.AST) -> str | None:
    """Return the name that a statement defines, or `None` if it defines none."""
    match node:
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            return name
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
            return name
        case _:
            return None


def span_in_c(text: str, names: Iterable[str]) -> tuple[int, int]:
    """Return the start and the end offset of a function's body in a C source."""
    starts = [match.end() for match in FUNCTION_IN_C.finditer(text) if match["name"] in names]
    if len(starts) != 1:
        raise MutationError("must be defined exactly once")
    return starts[0], text.index("\n}\n", starts[0])


def replaced(text: str, start: int, end: int, change: Change) -> str:
    """Replace an expression between two offsets of a text, and return the new text.

    Raises `MutationError` if the expression does not occur exactly once between them.
    """
    tokens = list(TOKEN.finditer(text, start, end))
    written, wanted = [each[0] for each in tokens], TOKEN.findall(change.expression)
    size = len(wanted)
    places = [n for n in range(len(written)) if written[n : n + size] == wanted]
    if len(places) != 1:
        raise MutationError(f"must contain {change.expression!r} once, not {len(places)} times")
    first, last = tokens[places[0]].start(), tokens[places[0] + size - 1].end()
    return text[:first] + change.replacement + text[last:]
