"""The modules of the formal model, taken apart at their definitions."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
"""The repository."""

QUINT: Final = "spec/quint"

SECTION: Final = re.compile(r"  // -{5,} (.+)")
DEFINED: Final = re.compile(r"(?:pure )?(def|val|type|var|action|const|run|temporal) (\w+)")
CONSTRUCTOR: Final = re.compile(r"(?:=|\|)\s*([A-Z]\w*)")
IMPORTED: Final = re.compile(r"  import (\w+)\.\* from")
BOUND: Final = re.compile(
    r"(\w+)\s*:(?!:)|(?:val|nondet) (\w+)|(\w+)\s*=>|\(([\w\s,]+)\)\s*=>", re.ASCII
)


@dataclass(frozen=True)
class Definition:
    """A definition of a module."""

    name: str
    kind: str
    """The word that introduces it: def, val, type, var or action."""
    line: int
    constructors: tuple[str, ...] = ()
    """If it is a sum type."""


@dataclass
class QuintBlock:
    """Definitions that belong together, with the comment above them, or a comment alone."""

    line: int
    comment: str
    source: str = ""
    definitions: list[Definition] = field(default_factory=list)

    @property
    def bound(self) -> frozenset[str]:
        """The names that mean something of their own here: parameters, fields, local values."""
        found = (name for match in BOUND.finditer(self.source) for name in match.groups() if name)
        return frozenset(part.strip() for name in found for part in name.split(","))


@dataclass
class Section:
    """A part of a module."""

    title: str
    blocks: list[QuintBlock] = field(default_factory=list)


@dataclass
class Module:
    """A module of the formal model."""

    name: str
    path: str
    comment: str
    imports: tuple[str, ...]
    sections: list[Section]

    def definitions(self) -> Iterator[tuple[Definition, QuintBlock]]:
        """Run through all definitions, each with its block."""
        for section in self.sections:
            for block in section.blocks:
                for definition in block.definitions:
                    yield definition, block

    def names(self) -> Iterator[tuple[str, Definition]]:
        """Run through what others can name: definitions, and constructors of sum types."""
        for definition, _ in self.definitions():
            yield definition.name, definition
            for name in definition.constructors:
                yield name, definition


@cache
def modules() -> Mapping[str, Module]:
    """Read all modules of the model."""
    paths = sorted((ROOT / QUINT).glob("*.qnt"))
    return {path.stem: parse(path.stem, path.read_text(encoding="utf-8")) for path in paths}


def parse(name: str, text: str) -> Module:
    """Take a module apart."""
    lines = text.splitlines()
    start = next(n for n, line in enumerate(lines) if line.startswith("module "))
    imports = tuple(match[1] for line in lines if (match := IMPORTED.match(line)))
    comment = prose(line for line in lines[:start])
    return Module(name, f"{QUINT}/{name}.qnt", comment, imports, sections(lines, start + 1))


def prose(lines: Iterator[str]) -> str:
    """Return what comment lines say; an empty one parts two paragraphs."""
    return "\n".join(line.strip().lstrip("/").strip() for line in lines)


def sections(lines: Sequence[str], start: int) -> list[Section]:
    """Take the body of a module apart at its rulers and its definitions."""
    found = [Section("")]
    number, parted = start, True
    while number < len(lines) and lines[number] != "}":
        line = lines[number]
        if heading := SECTION.match(line):
            found.append(Section(heading[1]))
        elif line.strip() and not IMPORTED.match(line):
            block, number = read_block(lines, number)
            blocks = found[-1].blocks
            if parted or block.comment or not blocks or not blocks[-1].source:
                blocks.append(block)
            else:
                blocks[-1].source += f"\n{block.source}"
                blocks[-1].definitions += block.definitions
            parted = False
            continue
        parted, number = True, number + 1
    return [section for section in found if section.blocks]


def read_block(lines: Sequence[str], start: int) -> tuple[QuintBlock, int]:
    """Read a comment and the definition below it; return the number of the line after them."""
    number = start
    while lines[number].startswith("  //"):
        number += 1
    block = QuintBlock(start + 1, prose(iter(lines[start:number])))
    defined = DEFINED.match(lines[number].strip())
    if not defined:
        if number == start:
            raise ValueError(f"line {start + 1} begins no definition: {lines[start]}")
        return block, number
    end = number + 1
    while belongs(lines, end):
        end += 1
    block.source = textwrap.dedent("\n".join(lines[number:end]))
    kind, name = defined.groups()
    variants = tuple(CONSTRUCTOR.findall(without_comments(block.source))) if kind == "type" else ()
    block.definitions.append(Definition(name, kind, number + 1, variants if is_sum(block) else ()))
    return block, end


def without_comments(source: str) -> str:
    """Leave out the comments at the ends of lines."""
    return re.sub(r"\s*//.*", "", source)


def is_sum(block: QuintBlock) -> bool:
    """Tell whether a type lists its constructors."""
    source = without_comments(block.source)
    return "|" in source and not re.search(r"=\s*\{", source)


def belongs(lines: Sequence[str], number: int) -> bool:
    """Tell whether a line still belongs to the definition above it."""
    line = lines[number]
    if not line.strip():
        below = next((text for text in lines[number:] if text.strip()), "")
        return below.startswith("   ")
    return line.startswith(("   ", "  }", "  )", "  ]"))
