"""The specification's files, read: chapters, clauses, rulings, sentences, words, mistakes.

This is the only reader of the TOML in `spec`.  What tells of clauses, what checks them and what
makes pages of them is built on it.  It says what stands in the files, in the names of their keys,
and where; that they have the form of the schemas in `spec/schema` is checked by
`python spec/traceability.py`.  It imports the standard library alone, because the build of a wheel
loads it by its path, without the package.
"""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Final

CHAPTERS: Final = (
    "reading",
    "components",
    "setup",
    "turn",
    "red",
    "building",
    "valette",
    "green",
    "blue",
    "yellow",
    "final_phase",
    "scoring",
    "player_information",
)
"""The chapters in the order of the rulebook, by the names of their files."""

CLAUSE_ID: Final = re.compile(r"[A-Z]{3}-[1-9][0-9]*")
"""A clause id: the prefix of its chapter and a number."""

TomlTable = Mapping[str, Any]
"""A table of a file, by its keys; one that stands under a heading of its own has a `place`."""


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """A line of a file of the repository."""

    path: str
    line: int

    def __str__(self) -> str:
        """Write the place as compilers do."""
        return f"{self.path}:{self.line}"


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause of a chapter: its table, whose keys `spec/schema/clauses.schema.json` explains."""

    place: Place
    id: str
    title: str
    title_de: str
    kind: str
    text: str
    sentence_de: str
    revision: int
    rulings: tuple[str, ...]
    when: TomlTable = field(default_factory=dict)
    follows_from: tuple[str, ...] = ()
    overrides: tuple[str, ...] = ()
    implemented: bool = True
    tested: bool = True
    specified: bool = True
    unstated: str = ""
    why: str = ""
    why_de: str = ""
    example: tuple[TomlTable, ...] = ()

    @property
    def fingerprints(self) -> tuple[str, str]:
        """The fingerprints of what it says and when it is in force, and of its German."""
        demands = (demand(key, allowed) for key, allowed in sorted(self.when.items()))
        return fingerprint("\n".join((self.text, *demands))), fingerprint(self.sentence_de)


@dataclass(frozen=True, slots=True)
class ChapterFile:
    """A chapter of the rulebook: a file of `spec/clauses`."""

    chapter: str
    prefix: str
    title: str
    title_de: str
    clause: tuple[Clause, ...]


@dataclass(frozen=True, slots=True)
class SourceSentence:
    """A sentence of a text, completed by the one that it repeats."""

    place: Place
    id: str
    section: str
    print: str
    """The beginning of the hash of its words."""
    says: str = ""
    level: str = ""
    clauses: tuple[TomlTable, ...] = ()
    """The clauses that it is about, each with what it is to it, its relation."""
    none: str = ""
    why: str = ""
    ruling: str = ""
    repeats: str = ""

    @property
    def relations(self) -> dict[str, str]:
        """What the sentence is to the clauses that it is about, by clause."""
        return {each["id"]: each["relation"] for each in self.clauses}


@dataclass(frozen=True, slots=True)
class Text:
    """A text from which the rulebook was drawn up: a file of `spec/texts`."""

    id: str
    title: str
    title_de: str
    language: str
    edition: str
    sha256: str
    sentences: tuple[SourceSentence, ...]


@dataclass(frozen=True, slots=True)
class Term:
    """A word of the glossary: one with a meaning of its own, or a name that goes by others too."""

    place: Place
    term: str
    clause: str
    """The clause that defines it or first needs it."""
    term_de: str
    section: str = ""
    """What it is about; empty for a name."""
    meaning: str = ""
    meaning_de: str = ""
    forms: tuple[str, ...] = ()
    code: tuple[str, ...] = ()
    """What it is in the package."""
    also: tuple[TomlTable, ...] = ()
    """Other words that texts have for it, each `word` with its `texts`."""
    also_de: tuple[str, ...] = ()
    everyday: tuple[str, ...] = ()
    everyday_de: tuple[str, ...] = ()

    @property
    def spellings(self) -> tuple[str, ...]:
        """How it occurs in clauses: itself, its plural, and its other forms."""
        return self.term, f"{self.term}s", *self.forms


class Specification:
    """All that stands in a folder of specification; each kind of file is read when asked for.

    Raises `OSError` or `ValueError` if a file cannot be read, and `TypeError` or `LookupError` if
    it has not the form of its schema.
    """

    def __init__(self, folder: Traversable) -> None:
        """Take the folder, which is `spec` in a repository."""
        self.folder = folder

    @cached_property
    def version(self) -> TomlTable:
        """The version of the specification, and its day."""
        return self.parse("version.toml")

    @cached_property
    def chapters(self) -> tuple[ChapterFile, ...]:
        """The chapters, in the order of the rulebook; any other chapter comes after those."""
        found = {name.removesuffix(".toml"): name for name in self.files("clauses")}
        stems = [*(stem for stem in CHAPTERS if stem in found), *(found.keys() - {*CHAPTERS})]
        return tuple(chapter_of(self.parse(f"clauses/{found[stem]}")) for stem in stems)

    @cached_property
    def clauses(self) -> tuple[Clause, ...]:
        """The clauses of all chapters."""
        return tuple(clause for chapter in self.chapters for clause in chapter.clause)

    @cached_property
    def rulings(self) -> tuple[TomlTable, ...]:
        """The rulings, as they are written."""
        return tuple(self.parse("rulings.toml")["ruling"])

    @cached_property
    def texts(self) -> tuple[Text, ...]:
        """The texts; what a sentence repeats has to be one that repeats nothing."""
        files = [self.parse(f"texts/{name}") for name in self.files("texts")]
        rows = {row["id"]: row for file in files for row in file["sentence"]}

        def sentence(row: TomlTable) -> SourceSentence:
            return SourceSentence(**frozen(completed(row, rows.get(row.get("repeats"), {}))))

        return tuple(
            Text(**file["text"], sentences=tuple(map(sentence, file["sentence"]))) for file in files
        )

    @cached_property
    def terms(self) -> tuple[Term, ...]:
        """The words that have a meaning of their own, and then the names."""
        glossary = self.parse("glossary.toml")
        return tuple(Term(**frozen(table)) for table in (*glossary["term"], *glossary["name"]))

    @cached_property
    def conventions(self) -> tuple[TomlTable, ...]:
        """How words are to be read that every clause uses."""
        return tuple(self.parse("glossary.toml")["convention"])

    @cached_property
    def everyday(self) -> dict[str, Any]:
        """What people say at the table; `spec/schema/everyday.schema.json` explains its keys."""
        return self.parse("everyday.toml")

    @cached_property
    def lock(self) -> dict[str, Any]:
        """What was accepted of each clause, and what became of ids; no part of a wheel."""
        return self.parse("clauses.lock")

    @cached_property
    def mistakes(self) -> tuple[TomlTable, ...]:
        """The deliberate mistakes, as they are written; no part of a wheel."""
        files = (self.parse(f"mistakes/{name}") for name in self.files("mistakes"))
        return tuple(mistake for file in files for mistake in file["mistake"])

    def files(self, folder: str) -> list[str]:
        """List the files of a folder, by name; none, if there is no such folder."""
        home = self.folder / folder
        found = (file.name for file in home.iterdir()) if home.is_dir() else ()
        return sorted(name for name in found if name.endswith(".toml"))

    def parse(self, name: str) -> dict[str, Any]:
        """Read a file, and add to each table under a heading `[[key]]` the place of the heading."""
        text = (self.folder / name).read_text(encoding="utf-8")
        content = tomllib.loads(text)
        rows = {f"[[{key}]]": iter(rows) for key, rows in content.items() if isinstance(rows, list)}
        for number, line in enumerate(text.split("\n"), 1):
            if line in rows:
                next(rows[line])["place"] = Place(f"spec/{name}", number)
        return content


@cache
def specification() -> Specification:
    """Return the specification of this package, which lies in it or in its repository."""
    installed = resources.files("valletta_rules") / "_spec"
    beside = Path(__file__).resolve().parents[3] / "spec"
    return Specification(installed if installed.is_dir() else beside)


def chapter_of(file: TomlTable) -> ChapterFile:
    """Make a chapter of what its file says."""
    return ChapterFile(**{**file, "clause": tuple(Clause(**frozen(row)) for row in file["clause"])})


def completed(row: TomlTable, first: TomlTable) -> dict[str, Any]:
    """Complete a sentence by the one that it repeats, whose clauses or reason it may replace."""
    replaced = ("clauses", "none", "why", "ruling") if "clauses" in row or "none" in row else ()
    return {key: value for key, value in first.items() if key not in replaced} | dict(row)


def frozen(table: TomlTable) -> dict[str, Any]:
    """Return a table with tuples for its lists."""
    return {key: tuple(v) if isinstance(v, list) else v for key, v in table.items()}


def demand(key: str, allowed: object) -> str:
    """Write what a condition demands, one value or any of several: ``players = 2 or 3``."""
    values = allowed if isinstance(allowed, list | tuple) else [allowed]
    return f"{key} = {' or '.join(str(value).lower() for value in values)}"


def fingerprint(text: str) -> str:
    """Return the beginning of the hash of a text."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]
