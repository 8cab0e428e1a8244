"""Find where the code, the tests, the formal model and the native backend mention clauses.

A clause of `spec/clauses` is *implemented* where a docstring of the package names it (`Rules:
BLD-3, BLD-4`).  It is *tested* by its worked examples and by the tests marked with it
(`@pytest.mark.rule("BLD-3")`), and *specified* where a comment of the formal model names it
(`[BLD-3]`).  The native functions that implement the clause name it in their comments (`Rules:
BLD-3`).  It is *proved* if the contract of such a function states it (`ensures BLD_3_states:
...;`).  A contract can also state only a part of a clause (`ensures BLD_12_part: ...;`), or a lemma
that other contracts use.

The result is the traceability matrix: `spec/matrix.json` in a checkout, or a file in a wheel.  The
package reads it to list the code and the tests for a clause.  The build of a wheel runs this module
without the package, so it imports only the standard library and the reader of the specification.
"""

import ast
import inspect
import json
import os
import re
import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, get_args

from valletta_rules.specification.files import Clause, Place, Specification

MentionKind = Literal["code", "tests", "quint", "native", "proofs", "parts"]
"""The kinds of places that can name a clause."""

KINDS: Final = get_args(MentionKind)

CODE: Final = "src/valletta_rules"
TESTS: Final = "tests"
QUINT: Final = "spec/quint"
NATIVE: Final = "src/native"
MATRIX: Final = "spec/matrix.json"
PROVED: Final = "spec/proved.json"
"""The file that lists the native functions whose contracts are proved."""

RULES: Final = re.compile(r"^( *)Rules:(.*(?:\n\1 +\S.*)*)", re.MULTILINE)
"""A pattern for the list of clauses in a docstring.  Continuation lines are indented more than the
first line."""

BRACKETED: Final = re.compile(r"\[\s*([A-Z]{3}-[0-9]+(?:\s*,\s*[A-Z]{3}-[0-9]+)*)\s*\]")
"""A pattern for one or more clauses in square brackets, as in comments of the formal model."""

DEFINITION: Final = re.compile(
    r"^( *)(?:pure +)?(?:def|val|type|action|temporal|run|const|assume) +(\w+)", re.MULTILINE
)
"""A pattern for the beginning of a definition in Quint."""

COMMENT: Final = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
"""A pattern for a comment in Quint."""

FUNCTION_IN_C: Final = re.compile(
    r"^/\* (?P<comment>(?:[^*]|\*(?!/))*)\*/\n"
    r"(?P<contract>/\*@(?:[^*]|\*(?!/))*\*/\n)?"
    r"(?:static )?(?:const )?\w+ \**(?P<name>\w+)\([^;{]*\)\n\{",
    re.MULTILINE,
)
"""A pattern for a function of the native backend, with the comment and the contract before it."""

ENSURES: Final = re.compile(
    r"\bensures (?P<labels>(?:[A-Z]{3}_\w+:\s*)+)(?P<condition>.*?);\s*"
    r"(?=(?:requires|assigns|ensures|behavior|assumes|complete|disjoint)\b|//|\*/)",
    re.DOTALL,
)
"""A pattern for a postcondition labelled with clauses: ``ensures BLD_6_states: BLD_7_part: ...;``.
"""

GRADES: Final = ("states", "part", "serves")
"""The grades in the labels of postconditions.  The contract states the whole clause, states a part
of it, or ensures a lemma that other contracts use."""

Matrix = dict[str, dict[str, list[list[str | int]]]]
"""The mentions of each clause, keyed by the clause and by the kind of place.  A mention is a list:
name, file and line."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A place that names a clause."""

    kind: MentionKind
    clause: str
    name: str
    """The name of the definition that contains the place; empty if the place is outside of all
    definitions."""
    place: Place


@dataclass(frozen=True, slots=True)
class Ensured:
    """A postcondition in the native backend that is labelled with a clause."""

    clause: str
    label: str
    """The label: the clause and a grade, as in ``BLD_6_states``."""
    function: str
    """The file and the function, as in ``building.c::reduced``; empty for a contract without a
    function."""
    condition: str
    """The postcondition on one line, without labels."""
    written: str
    """The postcondition with its original line breaks, without labels."""
    place: Place

    @property
    def grade(self) -> str:
        """The grade in the label, one of `GRADES`; empty if the label has none."""
        _, _, grade = self.label.removeprefix(self.clause.replace("-", "_")).partition("_")
        return grade if grade in GRADES else ""


def read_mentions(root: Path, clauses: Iterable[Clause]) -> Iterator[Mention]:
    """Yield all mentions of clauses in a repository; worked examples are treated as tests."""
    for clause in clauses:
        place = Place(clause.place.path, clause.place.line + 1)
        for example in clause.example:
            name = f"{place.path}::{clause.id}/{example['id']}"
            yield Mention("tests", clause.id, name, place)
    for read in (in_code, in_tests, in_quint, in_native, in_contracts):
        yield from read(root)


def sources(root: Path, folder: str, pattern: str) -> Iterator[tuple[str, str]]:
    """Yield the path, relative to the root, and the text of each file that matches a pattern."""
    for path in sorted((root / folder).rglob(pattern)):
        yield path.relative_to(root).as_posix(), path.read_text(encoding="utf-8")


def mentions_of(kind: MentionKind, listed: str, name: str, place: Place) -> Iterator[Mention]:
    """Yield a mention for each clause in a comma-separated list."""
    for clause in listed.split(","):
        yield Mention(kind, clause.strip(), name, place)


# Python


def in_code(root: Path) -> Iterator[Mention]:
    """Yield a mention for each clause that a docstring of the package names."""
    for path, source in sources(root, CODE, "*.py"):
        if "Rules:" not in source:
            continue
        stem = path.removeprefix(f"{CODE}/").removesuffix(".py").removesuffix("__init__")
        module = stem.strip("/").replace("/", ".")
        for name, docstring in docstrings(ast.parse(source, path), module):
            text = inspect.cleandoc(str(docstring.value))
            for match in RULES.finditer(text):
                line = docstring.lineno + text.count("\n", 0, match.start())
                yield from mentions_of("code", match[2], name, Place(path, line))


Defining = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
"""The types of syntax nodes that define a name and have a body."""


def docstrings(node: ast.Module | Defining, name: str) -> Iterator[tuple[str, ast.Constant]]:
    """Yield the docstrings of a node, its attributes and nested definitions, with their names."""
    owner: str | None = name
    for statement in node.body:
        match statement:
            case ast.Expr(value=ast.Constant(value=str()) as text) if owner is not None:
                yield owner, text
                owner = None
            case ast.ClassDef() | ast.FunctionDef() | ast.AsyncFunctionDef():
                yield from docstrings(statement, f"{name}.{statement.name}".lstrip("."))
                owner = None
            case (
                ast.Assign(targets=[ast.Name(id=target)])
                | ast.AnnAssign(target=ast.Name(id=target))
            ):
                owner = f"{name}.{target}".lstrip(".")
            case _:
                owner = None


def in_tests(root: Path) -> Iterator[Mention]:
    """Yield a mention for each clause with which a test is marked."""
    for path, source in sources(root, TESTS, "*.py"):
        if "mark.rule" in source:
            for name, mark in marks(ast.parse(source, path), path):
                for clause in mark.args or [mark]:
                    value = clause.value if isinstance(clause, ast.Constant) else clause
                    written = value if isinstance(value, str) else ast.unparse(clause)
                    yield Mention("tests", written, name, Place(path, mark.lineno))


def marks(node: ast.AST, name: str) -> Iterator[tuple[str, ast.Call]]:
    """Yield each `pytest.mark.rule` within a node, with the name of the marked test or class."""
    for child in ast.iter_child_nodes(node):
        match child:
            case ast.Call(func=ast.Attribute(value=ast.Attribute(attr="mark"), attr="rule")):
                yield name, child
            case ast.ClassDef() | ast.FunctionDef() | ast.AsyncFunctionDef():
                yield from marks(child, f"{name}::{child.name}")
            case _:
                yield from marks(child, name)


# Quint


def in_quint(root: Path) -> Iterator[Mention]:
    """Yield a mention for each clause that a comment of the formal model names.

    A comment belongs to the preceding definition if it shares a line with code, or is indented more
    than that definition.  Any other comment belongs to the next definition.
    """
    for path, source in sources(root, QUINT, "*.qnt"):
        code = COMMENT.sub(lambda comment: re.sub(r"\S", " ", comment[0]), source)
        definitions = list(DEFINITION.finditer(code))
        for comment in COMMENT.finditer(source):
            start = comment.start()
            margin = code[code.rfind("\n", 0, start) + 1 : start]
            number = sum(definition.start() < start for definition in definitions)
            before, following = definitions[:number][-1:], definitions[number : number + 1]
            is_within = before and (margin.strip() or len(margin) > len(before[0][1]))
            owner = "".join(each[2] for each in (before if is_within else following))
            name = owner and f"{path.rpartition('/')[2]}::{owner}"
            for listed in BRACKETED.finditer(comment[0]):
                line = source.count("\n", 0, start + listed.start()) + 1
                yield from mentions_of("quint", listed[1], name, Place(path, line))


# C


def in_native(root: Path) -> Iterator[Mention]:
    """Yield a mention for each clause that a comment of the native backend names.

    A list of clauses belongs to the function that follows the comment, or to the whole file.
    """
    for path, source in sources(root, NATIVE, "*.c"):
        file = path.rpartition("/")[2]
        names = {source.find("*/"): file} if source.startswith("/*") else {}
        for function in FUNCTION_IN_C.finditer(source):
            names[function.end("comment")] = f"{file}::{function['name']}"
        for rules in re.finditer(r"Rules:((?:[^*]|\*(?!/))*)", source):
            place = Place(path, source.count("\n", 0, rules.start()) + 1)
            listed = rules[1].replace("*", " ")
            yield from mentions_of("native", listed, names.get(rules.end(), ""), place)


def in_contracts(root: Path) -> Iterator[Mention]:
    """Yield a mention for each clause in a label of a contract of the native backend."""
    for each in ensured(root):
        kind: MentionKind = "proofs" if each.grade == "states" else "parts"
        yield Mention(kind, each.clause, each.function, each.place)


def ensured(root: Path) -> Iterator[Ensured]:
    """Yield the labelled postconditions of the native backend's contracts."""
    for path, source in sources(root, NATIVE, "*.[ch]"):
        file = path.rpartition("/")[2]
        spans = [
            (*each.span("contract"), f"{file}::{each['name']}")
            for each in FUNCTION_IN_C.finditer(source)
        ]
        for match in ENSURES.finditer(source):
            at = match.start()
            name = next((name for start, end, name in spans if start < at < end), "")
            place = Place(path, source.count("\n", 0, at) + 1)
            condition = " ".join(match["condition"].split())
            lines = source[source.rindex("\n", 0, at) + 1 : match.end()]
            written = textwrap.dedent(lines).strip().replace(match["labels"], "")
            for label in re.findall(r"\w+", match["labels"]):
                clause = "-".join(label.split("_")[:2])
                yield Ensured(clause, label, name, condition, written, place)


def read_proved(root: Path) -> dict[str, str]:
    """Return the proved functions, each with a fingerprint of all inputs of its proof."""
    return dict(json.loads((root / PROVED).read_text(encoding="utf-8")))


# The matrix


def matrix(root: Path) -> Matrix:
    """Return the mentions of each clause in a repository, with the main code of a clause first."""
    clauses = Specification(root / "spec").clauses
    mentions = [*read_mentions(root, clauses)]
    by_clause = places((clause.id for clause in clauses), mentions)
    listed: dict[str, list[str]] = {}
    for each in mentions:
        listed.setdefault(f"{each.kind} {each.name}", []).append(each.clause)
    for clause in clauses:
        home = Path(clause.place.path).stem
        by_clause[clause.id]["code"].sort(
            key=lambda each: distance(
                str(each[0]), str(each[1]), home, clause.id, listed[f"code {each[0]}"]
            )
        )
    return by_clause


def distance(name: str, path: str, home: str, clause: str, listed: list[str]) -> float:
    """Return the sort key of a piece of code that implements `clause`; the main code is lowest.

    Functions that carry out a rule are sorted before functions that check or list actions.
    Functions are sorted before tables, and code in the clause's own chapter before other code.
    Code that names few clauses, with `clause` early in the list, is sorted before code that names
    many.  `listed` contains the clauses that the code names, in order.
    """
    inner = name.rpartition(".")[2]
    return (
        8 * (not name.startswith("rulebook."))
        + 4 * inner.startswith("_")
        + 2 * (Path(path).stem != home)
        + 8 * inner.isupper()
        + 4 * inner.startswith(("check_", "legal_"))
        + listed.index(clause)
        + len(listed) / 2
    )


def places(clauses: Iterable[str], mentions: Iterable[Mention]) -> Matrix:
    """Return the mentions of the given clauses; of those with the same name, only the first."""
    by_clause: Matrix = {clause: {kind: [] for kind in KINDS} for clause in clauses}
    for mention in mentions:
        named = by_clause.get(mention.clause, {}).get(mention.kind, [])
        if not any(mention.name == name for name, *_ in named):
            named.append([mention.name, mention.place.path, mention.place.line])
    return by_clause


def write_matrix(root: Path) -> None:
    """Write the mentions of clauses to `spec/matrix.json`, which is not committed."""
    new = root / f"{MATRIX}.{os.getpid()}"  # another process may be reading
    new.write_text(json.dumps(matrix(root)), encoding="utf-8")
    new.replace(root / MATRIX)


def refresh_matrix(root: Path) -> None:
    """Write `spec/matrix.json` if it does not exist or is older than a source."""
    file = root / MATRIX
    then = file.stat().st_mtime if file.exists() else 0
    folders = {CODE: "py", TESTS: "py", QUINT: "qnt", NATIVE: "c", "spec/clauses": "toml"}
    written = (
        path for folder, ending in folders.items() for path in (root / folder).rglob(f"*.{ending}")
    )
    if any(path.stat().st_mtime > then for path in written):
        write_matrix(root)
