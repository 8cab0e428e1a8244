"""The deliberate mistakes: what the tables say, what they owe, the engine with one of them in it.

A mistake names a function (or a class, or a constant) and an expression within it, never a line.
Both are compared as code, so that layout and comments do not count.  Each clause that is a rule or
an exception owes a mistake that tests of its own notice, or a proof that nobody could.
"""

from __future__ import annotations

import ast
import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any, Final

from spec.checks.established import ROOT
from valletta_rules.specification.files import Place, Specification, TomlTable

TABLES: Final = "spec/mistakes/*.toml"
"""Where the mistakes are, chapter by chapter."""

VERDICTS: Final = "spec/mistakes.json"
"""What became of them when they were last accepted."""

OWING: Final = ("rule", "exception")
"""The kinds of clause that own a mistake."""

SETTLED: Final = ("killed", "equivalent")
"""The verdicts that are accepted."""

SOURCE: Final = "src"
"""Where the package is."""

PACKAGE: Final = "valletta_rules"
"""The engine."""

NamedNode = ast.FunctionDef | ast.ClassDef | ast.Assign | ast.AnnAssign
"""What has a name of its own."""


MistakeResult = dict[str, Any]
"""What became of a mistake: its verdict, and what shows it."""

Verdicts = Mapping[str, MistakeResult]
"""What became of a mistake in engine, model and native backend, as far as it is known."""

Fault = tuple[Place, str]
"""Something wrong with the mistakes: where, and what it is."""


class FailedError(Exception):
    """Without any mistake the checks find fault."""


class MistakeError(Exception):
    """A mistake cannot be made: the code it speaks of is not there, or is there twice."""


@dataclass(frozen=True, slots=True)
class Change:
    """One expression of the engine or of its native backend, and what stands there instead."""

    function: str
    """The function, class or constant, with its module, seen from the package; or with its file."""
    expression: str
    """An expression or statement that occurs once in it."""
    replacement: str
    """What takes its place."""


@dataclass(frozen=True, slots=True)
class Mistake:
    """A plausible misreading of a clause."""

    id: str
    clause: str
    misreading: str
    """What somebody might take the clause to say."""
    engine: tuple[Change, ...]
    """How the engine carries out the misreading; empty if it does not carry out the clause."""
    equivalent: str
    """Why nobody could notice the mistake, or nothing."""
    model: Mapping[str, Any] | None
    """How the formal model carries it out."""
    place: Place
    """Where it begins."""
    native: tuple[Change, ...] = ()
    """How the native backend carries it out."""

    @property
    def name(self) -> str:
        """The clause and the mistake."""
        return f"{self.clause} {self.id}"

    @property
    def fingerprints(self) -> dict[str, str]:
        """The beginnings of the hashes of what is changed in engine, model and native backend."""
        halves = {
            "engine": [astuple(change) for change in self.engine],
            "model": self.model,
            "native": [astuple(change) for change in self.native],
        }
        return {
            half: hashlib.sha256(json.dumps(changed, sort_keys=True).encode()).hexdigest()[:8]
            for half, changed in halves.items()
            if changed
        }


def read_mistakes(root: Path = ROOT) -> tuple[Mistake, ...]:
    """Read all mistakes, in the order of the tables."""
    return tuple(map(mistake_of, Specification(root / "spec").mistakes))


def mistake_of(table: TomlTable) -> Mistake:
    """Make a mistake of its table."""
    return Mistake(
        id=table["id"],
        clause=table["clause"],
        misreading=table["misreading"],
        engine=tuple(changes_of(table, "engine")),
        native=tuple(changes_of(table, "native")),
        equivalent=table.get("equivalent", ""),
        model=table.get("model"),
        place=table["place"],
    )


def changes_of(table: Mapping[str, Any], half: str) -> Iterator[Change]:
    """Read what a mistake changes in engine or backend: one expression, or a list of them."""
    written = table.get(half, ())
    for each in [written] if isinstance(written, Mapping) else written:
        yield Change(**each)


# What is owed


def faults_of_all(
    owing: Mapping[str, Place],
    mistakes: Iterable[Mistake],
    verdicts: Mapping[str, Verdicts],
) -> Iterator[Fault]:
    """Report what has no mistake, and mistakes without a verdict or with a bad one.

    Takes the clauses and the functions of the native backend that owe a mistake, each with its
    place, the mistakes, and what became of them, by their names.
    """
    owned = {each.clause for each in mistakes if each.engine}
    owned |= {change.function for each in mistakes for change in each.native}
    for name, place in owing.items():
        if name not in owned:
            yield place, f"{name} has no deliberate mistake ({TABLES})"
    names = set[str]()
    for each in mistakes:
        for wrong in faults_of(each, verdicts.get(each.name, {})):
            yield each.place, f"{each.name} {wrong}"
        if each.name in names:
            yield each.place, f"{each.name} is there twice"
        names.add(each.name)


def faults_of(mistake: Mistake, verdicts: Verdicts) -> Iterator[str]:
    """Say what is wrong with a mistake, given what became of it here and there."""
    for half, fingerprint in mistake.fingerprints.items():
        found = verdicts.get(half, {"of": None})
        if found["of"] != fingerprint:
            remedy = "python -m spec.checks accept figures --of mistakes"
            yield f"has no verdict for the {half} ({remedy})"
        elif found["verdict"] not in SETTLED:
            yield f"has the verdict {found['verdict']} for the {half}"
        elif half == "engine" and bool(mistake.equivalent) != (found["verdict"] == "equivalent"):
            yield "is said to be equivalent, and is not"


def read_verdicts(root: Path = ROOT) -> dict[str, Verdicts]:
    """Return what became of each mistake, by its name, if that is known."""
    path = root / VERDICTS
    written = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {"clauses": {}}
    return {
        f"{clause} {name}": verdicts
        for clause, mistakes in written["clauses"].items()
        for name, verdicts in mistakes.items()
    }


# The engine with a mistake


def mistaken(mistake: Mistake, root: Path = ROOT) -> dict[str, tuple[Path, ast.Module]]:
    """Return the modules with the mistake in them, by name, each with its file.

    Raises `MistakeError` if it cannot be made.
    """
    modules: dict[str, tuple[Path, ast.Module]] = {}
    for change in mistake.engine:
        path, within = placed(change.function, root)
        name = ".".join(path.relative_to(root / SOURCE).with_suffix("").parts)
        if name not in modules:
            modules[name] = path, ast.parse(path.read_text(encoding="utf-8"))
        try:
            replace(find(modules[name][1], within), change)
        except MistakeError as error:
            raise MistakeError(f"{mistake.name}: {change.function} {error}") from None
    return modules


def placed(function: str, root: Path) -> tuple[Path, list[str]]:
    """Split a dotted name into the file of its module and the names within that."""
    path, names = root / SOURCE / PACKAGE, function.split(".")
    for number, name in enumerate(names):
        path /= name
        if path.with_suffix(".py").is_file():
            return path.with_suffix(".py"), names[number + 1 :]
    raise MistakeError(f"{function} is in no module")


def find(tree: ast.Module, names: list[str]) -> ast.AST:
    """Find what bears a name within what bears the names before."""
    node: ast.AST = tree
    for name in names:
        found = [child for child in ast.iter_child_nodes(node) if name_of(child) == name]
        if len(found) != 1:
            raise MistakeError("is not there")
        node = found[0]
    return node


def name_of(node: ast.AST) -> str | None:
    """Return the name that a statement gives to something."""
    match node:
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            return name
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
            return name
        case _:
            return None


def replace(node: ast.AST, change: Change) -> None:
    """Put the replacement where the expression stands within a node.

    Raises `MistakeError` if it stands there never, or more than once.
    """
    wanted, instead = parsed(change.expression), parsed(change.replacement)
    found = 0

    class Replacing(ast.NodeTransformer):
        """Replaces what is written like what is wanted."""

        def visit(self, node: ast.AST) -> ast.AST:
            """Replace a node, or go on within it."""
            nonlocal found
            if type(node) is type(wanted) and ast.dump(node) == wanted_dump:
                found += 1
                return ast.copy_location(instead, node)
            return self.generic_visit(node)

    wanted_dump = ast.dump(wanted)
    Replacing().visit(node)
    if found != 1:
        raise MistakeError(f"has {change.expression!r} {found} times")
    ast.fix_missing_locations(node)


def parsed(code: str) -> ast.expr | ast.stmt:
    """Read code that is an expression, or else a statement."""
    (statement,) = ast.parse(code).body
    return statement.value if isinstance(statement, ast.Expr) else statement
