"""The files of the specification: chapters, clauses, rulings, source texts, words and mutants.

All other code reads the TOML files in `spec` through this module: the package, the checks and the
documentation.  A parsed table has the keys of the file, and a key `place` with the file and line
where it begins.  `python spec/traceability.py` checks the files against the schemas in
`spec/schema`.  This module imports only the standard library, because the build of a wheel loads it
by its path, without the package.
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
"""The names of the chapters' files, in the order of the rulebook."""

CLAUSE_ID: Final = re.compile(r"[A-Z]{3}-[1-9][0-9]*")
"""The pattern of a clause id: the prefix of a chapter, and a number."""

TomlTable = Mapping[str, Any]
"""A parsed TOML table.  If it has a header ``[[key]]``, the parser adds its `Place` as `place`."""


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """A line of a file. The path is relative to the root of the repository."""

    path: str
    line: int

    def __str__(self) -> str:
        """Return the place in the format of compilers: ``file:line``."""
        return f"{self.path}:{self.line}"


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause in a chapter's file; `spec/schema/clauses.schema.json` explains the fields."""

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
        """Two hashes: of the English text together with the condition, and of the German text."""
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
    """A sentence in a source text; a repetition has the fields of the sentence that it repeats."""

    place: Place
    id: str
    section: str
    print: str
    """The first 16 hex digits of the sentence's SHA-256 hash."""
    says: str = ""
    level: str = ""
    clauses: tuple[TomlTable, ...] = ()
    """The clauses that the sentence is about, each with the sentence's relation to it."""
    none: str = ""
    why: str = ""
    ruling: str = ""
    repeats: str = ""

    @property
    def relations(self) -> dict[str, str]:
        """The sentence's relation to each clause that it is about, keyed by the clause's id."""
        return {each["id"]: each["relation"] for each in self.clauses}


@dataclass(frozen=True, slots=True)
class Text:
    """A source text of the rulebook: a file of `spec/texts`."""

    id: str
    title: str
    title_de: str
    language: str
    edition: str
    sha256: str
    sentences: tuple[SourceSentence, ...]


@dataclass(frozen=True, slots=True)
class Term:
    """An entry of the glossary: a defined term, or a name with synonyms."""

    place: Place
    term: str
    clause: str
    """The id of the clause that defines the word or first uses it."""
    term_de: str
    section: str = ""
    """The section of the glossary.  Empty if the entry is a name with synonyms."""
    meaning: str = ""
    meaning_de: str = ""
    forms: tuple[str, ...] = ()
    code: tuple[str, ...] = ()
    """The identifiers in the package's code that represent the term."""
    also: tuple[TomlTable, ...] = ()
    """The synonyms in the source texts: tables with the keys `word` and `texts`."""
    also_de: tuple[str, ...] = ()
    everyday: tuple[str, ...] = ()
    everyday_de: tuple[str, ...] = ()

    @property
    def spellings(self) -> tuple[str, ...]:
        """The spellings of the word in clauses: the word itself, its plural, and other forms."""
        return self.term, f"{self.term}s", *self.forms


class Specification:
    """The files in a folder such as `spec`.  Each kind of file is parsed on first use.

    Raises `OSError` or `ValueError` if a file cannot be read, and `TypeError` or `LookupError` if
    it violates its schema.
    """

    def __init__(self, folder: Traversable) -> None:
        """Create a specification from its folder, such as `spec` in the repository."""
        self.folder = folder

    @cached_property
    def version(self) -> TomlTable:
        """The version of the specification, and its date."""
        return self.parse("version.toml")

    @cached_property
    def chapters(self) -> tuple[ChapterFile, ...]:
        """The chapters in the order of the rulebook; unknown chapters come last."""
        by_stem = {name.removesuffix(".toml"): name for name in self.files("clauses")}
        stems = [*(stem for stem in CHAPTERS if stem in by_stem), *(by_stem.keys() - {*CHAPTERS})]
        return tuple(chapter_of(self.parse(f"clauses/{by_stem[stem]}")) for stem in stems)

    @cached_property
    def clauses(self) -> tuple[Clause, ...]:
        """The clauses of all chapters."""
        return tuple(clause for chapter in self.chapters for clause in chapter.clause)

    @cached_property
    def rulings(self) -> tuple[TomlTable, ...]:
        """The rulings, as parsed TOML tables."""
        return tuple(self.parse("rulings.toml")["ruling"])

    @cached_property
    def texts(self) -> tuple[Text, ...]:
        """The source texts.

        A sentence may repeat only a sentence that is not itself a repetition.
        """
        files = [self.parse(f"texts/{name}") for name in self.files("texts")]
        rows = {row["id"]: row for file in files for row in file["sentence"]}

        def sentence(row: TomlTable) -> SourceSentence:
            return SourceSentence(**frozen(completed(row, rows.get(row.get("repeats"), {}))))

        return tuple(
            Text(**file["text"], sentences=tuple(map(sentence, file["sentence"]))) for file in files
        )

    @cached_property
    def terms(self) -> tuple[Term, ...]:
        """The defined terms of the glossary, followed by the names that have synonyms."""
        glossary = self.parse("glossary.toml")
        return tuple(Term(**frozen(table)) for table in (*glossary["term"], *glossary["name"]))

    @cached_property
    def conventions(self) -> tuple[TomlTable, ...]:
        """The conventions in the glossary: the meanings of words that are used in all clauses."""
        return tuple(self.parse("glossary.toml")["convention"])

    @cached_property
    def everyday(self) -> dict[str, Any]:
        """The content of `spec/everyday.toml`; a schema in `spec/schema` explains the keys."""
        return self.parse("everyday.toml")

    @cached_property
    def lock(self) -> dict[str, Any]:
        """The accepted hash of each clause, and the retired ids.  Not available in a wheel."""
        return self.parse("clauses.lock")

    @cached_property
    def mutants(self) -> tuple[TomlTable, ...]:
        """The mutants of the rules, as parsed TOML tables.  Not available in a wheel."""
        files = (self.parse(f"mutants/{name}") for name in self.files("mutants"))
        return tuple(mutant for file in files for mutant in file["mutant"])

    def files(self, folder: str) -> list[str]:
        """Return the names of the TOML files in a folder; empty if the folder does not exist."""
        home = self.folder / folder
        names = (file.name for file in home.iterdir()) if home.is_dir() else ()
        return sorted(name for name in names if name.endswith(".toml"))

    def parse(self, name: str) -> dict[str, Any]:
        """Parse a file, and add the key `place` to each table under a header `[[key]]`."""
        text = (self.folder / name).read_text(encoding="utf-8")
        content = tomllib.loads(text)
        rows = {f"[[{key}]]": iter(rows) for key, rows in content.items() if isinstance(rows, list)}
        for number, line in enumerate(text.split("\n"), 1):
            if line in rows:
                next(rows[line])["place"] = Place(f"spec/{name}", number)
        return content


@cache
def specification() -> Specification:
    """Return the specification of this package, from the wheel or from the repository."""
    installed = resources.files("valletta_rules") / "_spec"
    checkout = Path(__file__).resolve().parents[3] / "spec"
    return Specification(installed if installed.is_dir() else checkout)


def chapter_of(file: TomlTable) -> ChapterFile:
    """Create a chapter from the parsed contents of its file."""
    return ChapterFile(**{**file, "clause": tuple(Clause(**frozen(row)) for row in file["clause"])})


def completed(row: TomlTable, first: TomlTable) -> dict[str, Any]:
    """Complete the repetition `row` with fields of the sentence `first` that `row` lacks."""
    replaced = ("clauses", "none", "why", "ruling") if "clauses" in row or "none" in row else ()
    return {key: value for key, value in first.items() if key not in replaced} | dict(row)


def frozen(table: TomlTable) -> dict[str, Any]:
    """Return a copy of a table in which lists are replaced by tuples."""
    return {key: tuple(v) if isinstance(v, list) else v for key, v in table.items()}


def demand(key: str, allowed: object) -> str:
    """Return a condition as text: its key and the allowed values, as in ``players = 2 or 3``."""
    values = allowed if isinstance(allowed, list | tuple) else [allowed]
    return f"{key} = {' or '.join(str(value).lower() for value in values)}"


def fingerprint(text: str) -> str:
    """Return the first 16 hex digits of the SHA-256 hash of a text."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]
