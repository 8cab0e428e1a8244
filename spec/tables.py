"""Find missing entries in tables that must list every character, prompt, action or event.

`spec/tables.toml` lists the tables.  Their modules are parsed, not imported.  All missing entries
are thus reported together, even if one of them prevents the package from being imported.
"""

import ast
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import reduce
from pathlib import Path
from typing import Any, Final

from valletta_rules.specification.files import Place

FILE: Final = "spec/tables.toml"
"""The file that lists the tables."""

GUIDE: Final = "docs/project/extending.md, Adding a card"
"""The guide that messages about missing entries cite."""

WORD: Final = re.compile(r"[A-Za-z]\w*")


@dataclass(frozen=True, slots=True)
class WordTable:
    """The words of a table.  Each normalised word is mapped to its spelling in the table."""

    place: Place
    words: Mapping[str, str]


def gaps(root: Path) -> Iterator[tuple[Place, str]]:
    """Yield a message for each missing entry of a table, with the file and line of the table.

    Raises `LookupError` if a listed table does not exist.
    """
    if not (root / FILE).is_file():
        return
    listed: dict[str, Any] = tomllib.loads((root / FILE).read_text(encoding="utf-8"))
    keys = {kind: table_at(root, path).words for kind, path in listed["keys"].items()}
    for row in listed["table"]:
        kind, excused = row["of"], {*map(plain, row.get("but", ()))}
        for step, path in [(step, path) for step, paths in row["step"].items() for path in paths]:
            table, name = table_at(root, path), path.partition("::")[2]
            for key in keys[kind].keys() - table.words.keys() - excused:
                lack = f"{name} lacks the {kind} {keys[kind][key]}".lstrip()
                yield table.place, f"{lack} ({GUIDE}, step {step})"


def plain(word: str) -> str:
    """Normalise the spelling of a word, so that CHANDLER_PROMPT and ChandlerPrompt are equal."""
    return word.replace("_", "").casefold()


def table_at(root: Path, path: str) -> WordTable:
    """Return the words of the table at a path; tables of several files are combined."""
    file, _, name = path.partition("::")
    parts = [
        (Place(each.relative_to(root).as_posix(), line), words)
        for each in sorted(root.glob(file))
        for line, words in read(each, name)
    ]
    if not parts:
        raise LookupError(f"{FILE} names {path}, which does not exist")
    return WordTable(parts[0][0], {plain(word): word for _, words in parts for word in words})


def read(path: Path, name: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the line number and the words of each definition of `name`, or of the whole file."""
    if path.is_dir():
        yield 1, [each.stem for each in path.iterdir()]
    elif path.suffix == ".py":
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.stmt) and name in names_of(node):
                yield node.lineno, [*words_of(node)]
    elif name:
        text = path.read_text(encoding="utf-8")
        table = reduce(lambda table, key: table.get(key, {}), name.split("."), tomllib.loads(text))
        yield text[: text.find(f"[{name}]")].count("\n") + 1, [*table]
    else:
        yield 1, WORD.findall(path.read_text(encoding="utf-8"))


def names_of(node: ast.AST) -> list[str]:
    """Return the names that a Python statement defines."""
    match node:
        case ast.ClassDef(name=name) | ast.FunctionDef(name=name):
            return [name]
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
            return [name]
    return []


def words_of(node: ast.AST) -> Iterator[str]:
    """Yield the words of a definition.

    They are the members of an enumeration, the verbs at the beginning of the strings that a
    function returns, or the names and strings in a value.
    """
    if isinstance(node, ast.ClassDef):
        yield from (name for each in node.body for name in names_of(each) if name.isupper())
        return
    for each in ast.walk(getattr(node, "value", node)):
        match each:
            case ast.Return(
                value=ast.Constant(value=str(verb))
                | ast.JoinedStr(values=[ast.Constant(value=str(verb)), *_])
            ):
                yield verb.strip()
            case ast.Name(id=word) | ast.Attribute(attr=word) | ast.Constant(value=str(word)):
                if not isinstance(node, ast.FunctionDef):
                    yield word
