"""The formal statements and C postconditions for clauses, as source code that pages can show."""

import ast
import inspect
import re
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

from links import repository
from markup import ROOT
from templated import share

from spec import mentions
from spec.statements import Statement
from spec.statements.judge import load


class Piece(NamedTuple):
    """A part of a formal statement: the function, a table, or the call that registers it."""

    clause: str
    path: str
    node: ast.stmt

    @property
    def source(self) -> str:
        """The source without docstrings, table annotations, and rows for other clauses."""
        start = min(each.lineno for each in ast.walk(self.node) if hasattr(each, "lineno"))
        lines = parsed(self.path)[0][start - 1 : self.node.end_lineno]
        for first, last in reversed([*self.unshown()]):
            del lines[first.lineno - start : (last.end_lineno or last.lineno) - start + 1]
        return re.sub(r"^([A-Z]+): .+? = ", r"\1 = ", "\n".join(lines))

    def unshown(self) -> Iterator[tuple[ast.stmt | ast.expr, ast.stmt | ast.expr]]:
        """Yield the first and the last syntax node of each part that is omitted."""
        if isinstance(self.node, ast.FunctionDef) and ast.get_docstring(self.node):
            yield self.node.body[0], self.node.body[0]
        table = getattr(self.node, "value", None)
        if isinstance(table, ast.Dict) and table.end_lineno != table.lineno:
            for key, value in zip(table.keys, table.values, strict=True):
                if isinstance(key, ast.Constant) and self.clause not in str(key.value).split("+"):
                    yield key, value


def path_of(module: str) -> str:
    """Return the path of a module's file, relative to the root of the repository."""
    name = module.replace(".", "/")
    return f"{name}.py" if (ROOT / f"{name}.py").is_file() else f"{name}/__init__.py"


@cache
def parsed(path: str) -> tuple[list[str], list[ast.stmt]]:
    """Return the lines and the syntax tree of a file."""
    text = (ROOT / path).read_text("utf-8")
    return text.split("\n"), ast.parse(text).body


def statements_of(clause: str) -> list[Statement]:
    """Return a clause's formal statements, or its definitions if it has no other statements."""
    statements = [each for each in load() if clause in each.clauses]
    return [each for each in statements if each.kind != "defines"] or statements


@cache
def pieces(clause: str) -> list[Piece]:
    """Return the parts of a clause's formal statements; those in its chapter's file come first."""
    home = repository().by_id[clause].place.path.replace("clauses", "statements")
    home, by_position = home.replace(".toml", ".py"), dict[tuple[bool, str, int], Piece]()
    for statement in statements_of(clause):
        function = inspect.unwrap(getattr(statement.says, "func", statement.says))
        path, name = path_of(function.__module__), function.__qualname__.partition(".")[0]
        chosen = [*started(clause, path, f"def {name}(")]
        tables = re.findall(r"[(]\*(\w+)", chosen[0].source.partition("def ")[0])
        chosen += [each for table in tables for each in started(clause, path, f"{table}: ")]
        calls = [each for each in started(clause, home, "") if isinstance(each.node, ast.Expr)]
        calls = [each for each in calls if re.search(rf'["+]{clause}["+]', each.source)]
        chosen += [each for each in calls if name in each.source]
        by_position |= {(each.path != home, each.path, each.node.lineno): each for each in chosen}
    return [by_position[at] for at in sorted(by_position)]


def started(clause: str, path: str, start: str) -> Iterator[Piece]:
    """Yield those top-level syntax nodes of a file that start with the given text."""
    for node in parsed(path)[1]:
        if parsed(path)[0][node.lineno - 1].startswith(start):
            yield Piece(clause, path, node)


def statement_text(clause: str) -> str:
    """Return the source code of a clause's formal statements."""
    return "\n\n".join(each.source for each in pieces(clause))


def stated(clause: str) -> dict[str, Any]:
    """Return the kinds and location of a clause's formal statements, or why there are none."""
    if reason := repository().by_id[clause].unstated:
        return {"reason": reason}
    kinds = list(dict.fromkeys(each.kind for each in statements_of(clause)))
    named = next(each for each in pieces(clause) if isinstance(each.node, ast.FunctionDef))
    place = f"{named.path}#{getattr(named.node, 'name', '')}"
    return {"reason": "", "kinds": kinds, "place": place}


def ensured_of(clause: str) -> list[mentions.Ensured]:
    """Return the postconditions in C that are labelled with a clause."""
    return [each for each in all_ensured() if each.clause == clause]


@cache
def all_ensured() -> tuple[mentions.Ensured, ...]:
    """Return all postconditions in C files that are labelled with clauses."""
    return tuple(mentions.ensured(ROOT))


share(__name__)
