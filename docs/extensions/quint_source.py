"""The modules of the formal model, taken apart at their definitions."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).resolve().parents[2]
"""The repository."""

QUINT: Final = "spec/quint"

IMPORTED: Final = re.compile(r"^  import (\w+)\.\* from.*", re.MULTILINE)

PART: Final = re.compile(
    r"""
    ^[ ][ ]//[ ]-{5,}[ ](?P<title>.+)\n
    | ^(?P<comment>(?:[ ][ ]//.*\n)*)
      (?P<source>(?:[ ][ ](?:pure[ ])?(?:def|val|type|var|action|const|run|temporal)[ ].*\n
                    (?:(?:\s*\n)?(?:[ ]{3}|[ ][ ][)}\]]).*\n)*)*)
    """,
    re.MULTILINE | re.VERBOSE,
)
"""A ruler with its title; or a comment, or definitions one below the other, or both.

The further lines of a definition are indented deeper than the first, or close a bracket.
"""

DEFINED: Final = re.compile(
    r"^(?:pure )?(\w+) (\w+)(.*\n?(?:(?:[ })\]].*)?(?:\n|\Z))*)", re.MULTILINE
)
"""A definition: the word that introduces it, its name and the rest."""

CONSTRUCTOR: Final = re.compile(r"(?:=|\|)\s*([A-Z]\w*)")
BOUND: Final = re.compile(
    r"(\w+)\s*:(?!:)|(?:val|nondet) (\w+)|(\w+)\s*=>|\(([\w\s,]+)\)\s*=>", re.ASCII
)


class Definition(NamedTuple):
    """A definition of a module."""

    name: str
    kind: str
    """The word that introduces it: def, val, type, var or action."""
    line: int
    constructors: tuple[str, ...]
    """If it is a sum type."""

    @property
    def names(self) -> tuple[str, ...]:
        """What others can name: itself and its constructors."""
        return self.name, *self.constructors


class QuintBlock(NamedTuple):
    """Definitions that belong together, with the comment above them, or a comment alone."""

    section: str
    """The title of the part of the module."""
    line: int
    comment: str
    source: str

    @property
    def definitions(self) -> list[Definition]:
        """The definitions, in order."""
        below = self.line + (self.comment.count("\n") + 1 if self.comment else 0)
        return [
            Definition(
                found[2],
                found[1],
                below + self.source.count("\n", 0, found.start()),
                constructors(found[3]) if found[1] == "type" else (),
            )
            for found in DEFINED.finditer(self.source)
        ]

    @property
    def bound(self) -> frozenset[str]:
        """The names that mean something of their own here: parameters, fields, local values."""
        found = (name for match in BOUND.finditer(self.source) for name in match.groups() if name)
        return frozenset(part.strip() for name in found for part in name.split(","))


class Module(NamedTuple):
    """A module of the formal model."""

    name: str
    path: str
    comment: str
    imports: list[str]
    blocks: list[QuintBlock]

    def definitions(self) -> Iterator[tuple[Definition, QuintBlock]]:
        """Run through all definitions, each with its block."""
        return ((definition, block) for block in self.blocks for definition in block.definitions)

    def names(self) -> Iterator[tuple[str, Definition]]:
        """Run through what others can name, each with the definition to which it belongs."""
        return ((name, each) for each, _ in self.definitions() for name in each.names)


@cache
def modules() -> Mapping[str, Module]:
    """Read all modules of the model."""
    paths = sorted((ROOT / QUINT).glob("*.qnt"))
    return {path.stem: parse(path.stem, path.read_text(encoding="utf-8")) for path in paths}


def parse(name: str, text: str) -> Module:
    """Take a module apart; raise `ValueError` if something in it is no definition."""
    head, body = re.split(r"^module \w+ \{\n", text.rpartition("}")[0], flags=re.MULTILINE)
    imports, body = IMPORTED.findall(body), IMPORTED.sub("", body)
    first, section, blocks = head.count("\n") + 2, "", list[QuintBlock]()
    for found in PART.finditer(body):
        section = found["title"] or section
        if found["comment"] or found["source"]:
            line = first + body.count("\n", 0, found.start())
            source = textwrap.dedent(found["source"] or "").rstrip()
            blocks.append(QuintBlock(section, line, prose(found["comment"]), source))
    if left := PART.sub("", body).strip():
        raise ValueError(f"{name}: this is no definition: {left}")
    return Module(name, f"{QUINT}/{name}.qnt", prose(head), imports, blocks)


def prose(comment: str) -> str:
    """Return what comment lines say; an empty one parts two paragraphs."""
    return "\n".join(line.strip().lstrip("/").strip() for line in comment.splitlines())


def constructors(type_: str) -> tuple[str, ...]:
    """Return the constructors of a type, if it is a sum type."""
    plain = re.sub(r"\s*//.*", "", type_)
    is_sum = "|" in plain and not re.search(r"=\s*\{", plain)
    return tuple(CONSTRUCTOR.findall(plain)) if is_sum else ()
