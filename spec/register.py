"""The register: what each sentence of the texts says, and which clauses it supports.

`spec/texts` lists the five texts sentence by sentence, in words of our own.  A sentence names the
clauses it is about, each with a *relation*, or gives a reason why it has none.  A row that
`repeats` another says the same, in the same words or in those of another text or language; it has
what that row has, save what it says of itself.  `python spec/traceability.py` checks that
register, clauses and rulings belong together.

Usage: python -m spec.register FILE...

With the texts at hand, which are no part of the repository, this compares: the register is of the
very FILE, each row belongs to a sentence there, each sentence there has a row, and no row borrows
the words of one.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import sys
import tomllib
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

TEXTS: Final = "spec/texts"

BINDING: Final = ("rule", "permission", "prohibition")
"""The levels of sentences that some clause has to carry."""

CITED: Final = ("definition", "rule", "exception", "fact")
"""The kinds of clause that rest on a sentence or on a ruling."""

BORROWED: Final = 6
"""How many words in a row are taken for words of the text."""

HEADING: Final = 3
"""Up to how many words with a full stop are no sentence, such as a name with a number."""

Fault = tuple[str, int, str]
"""Something wrong with the register: the file, the line, and what it is."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a text, as the register has it."""

    id: str
    section: str
    print: str
    """The beginning of the hash of its words."""
    says: str
    level: str
    relations: Mapping[str, str]
    """By the clauses that it is about, what it is to them."""
    none: str
    why: str
    ruling: str
    repeats: str
    path: str
    line: int

    def fault(self, message: str) -> Fault:
        """Say what is wrong with it."""
        return self.path, self.line, f"the sentence {self.id} {message}"


@dataclass(frozen=True, slots=True)
class Text:
    """A text, and all that its register says."""

    id: str
    title: str
    title_de: str
    language: str
    edition: str
    sha256: str
    sentences: tuple[Sentence, ...]


# Reading


def read(root: Path) -> tuple[list[Text], list[Fault]]:
    """Read the register of every text, and list what cannot be read."""
    files: list[tuple[str, dict[str, Any], list[int]]] = []
    faults: list[Fault] = []
    for path in sorted((root / TEXTS).glob("*.toml")):
        name = path.relative_to(root).as_posix()
        try:
            source = path.read_text(encoding="utf-8")
            files.append((name, tomllib.loads(source), headings(source)))
        except ValueError as error:
            faults.append((name, 1, f"cannot be read: {error}"))
    rows = {row["id"]: row for _, table, _ in files for row in table["sentence"]}
    texts = []
    for name, table, lines in files:
        sentences = []
        for row, line in zip(table["sentence"], lines, strict=True):
            first = rows.get(row.get("repeats", ""), {})
            if ("repeats" in row and not first) or "repeats" in first:
                faults.append((name, line, f"{row['id']} repeats what is no sentence of its own"))
            sentences.append(sentence_of(resolved(row, first), name, line))
        texts.append(Text(**table["text"], sentences=tuple(sentences)))
    return texts, faults


def headings(source: str) -> list[int]:
    """Return the lines on which rows begin."""
    return [n for n, line in enumerate(source.splitlines(), 1) if line == "[[sentence]]"]


def resolved(row: Mapping[str, Any], first: Mapping[str, Any]) -> dict[str, Any]:
    """Complete a row by the one that it repeats; clauses of its own replace those, and a reason."""
    replaced = ("clauses", "none", "why", "ruling") if "clauses" in row or "none" in row else ()
    return {key: value for key, value in first.items() if key not in replaced} | dict(row)


def sentence_of(row: Mapping[str, Any], path: str, line: int) -> Sentence:
    """Make a sentence of its row; the JSON Schema says more about the row's form."""
    optional = ("says", "level", "none", "why", "ruling", "repeats")
    return Sentence(
        id=row["id"],
        section=row["section"],
        print=row["print"],
        relations={each["id"]: each["relation"] for each in row.get("clauses", ())},
        path=path,
        line=line,
        **{key: row.get(key, "") for key in optional},
    )


# Checking


def problems(
    texts: Sequence[Text],
    clauses: Mapping[str, tuple[str, Collection[str]]],
    rulings: Mapping[str, Collection[str]],
) -> Iterator[Fault]:
    """Report what is wrong with the register; take clauses by id, with kind and rulings."""
    ids: set[str] = set()
    supported: set[str] = set()
    for text in texts:
        prints: set[str] = set()
        for sentence in text.sentences:
            if sentence.id in ids or not sentence.id.startswith(f"{text.id}-"):
                yield sentence.fault(f"is there twice, or is none of the text {text.id}")
            if sentence.print in prints and not sentence.repeats:
                yield sentence.fault("has the words of another and does not say that it repeats it")
            ids.add(sentence.id)
            prints.add(sentence.print)
            supported.update(c for c, relation in sentence.relations.items() if firm(relation))
            yield from problems_of(sentence, clauses, rulings)
    for clause, (kind, decided) in clauses.items():
        if kind in CITED and clause not in supported and not decided:
            yield TEXTS, 1, f"no sentence states or implies {clause}, and no ruling carries it"


def firm(relation: str) -> bool:
    """Tell whether a clause can rest on a sentence that is this to it."""
    return relation in ("states", "implies")


def problems_of(
    sentence: Sentence, clauses: Collection[str], rulings: Mapping[str, Collection[str]]
) -> Iterator[Fault]:
    """Report what is wrong with a sentence."""
    for clause, relation in sentence.relations.items():
        if clause not in clauses:
            yield sentence.fault(f"names {clause}, which is no clause")
        elif relation == "contradicts" and clause not in rulings.get(sentence.ruling, ()):
            yield sentence.fault(f"contradicts {clause}, and names no ruling on it")
    if sentence.ruling and sentence.ruling not in rulings:
        yield sentence.fault(f"names {sentence.ruling}, which is no ruling")
    if bool(sentence.relations) + bool(sentence.none) + (sentence.level == "flavour") != 1:
        yield sentence.fault("has to name clauses, or to say why it has none")
    loose = sentence.relations and not any(map(firm, sentence.relations.values()))
    if sentence.level in BINDING and loose and not sentence.ruling:
        yield sentence.fault("is stated and implied by no clause, and no ruling carries it")


# Comparing with a text


ENDS: Final = re.compile(
    r"""(?<=[.!?])(?<!\.\.)(?<!\b\d\.)(?<!\b\d\d\.)(?<!\bSt\.)(?<!\bDr\.)\s+(?=["“(„A-ZÄÖÜ0-9])"""
    r"""|(?<=[.!?][)"”])\s+(?=["“(„A-ZÄÖÜ])"""
)
"""Where one sentence of a line ends and the next begins; not behind an ordinal number."""


def words(text: str) -> list[str]:
    """Return the words of a text, whatever their case, without punctuation."""
    return re.findall(r"\w+", unicodedata.normalize("NFKC", text).casefold())


def print_of(sentence: str) -> str:
    """Return the fingerprint of a sentence, from which nobody can read it."""
    return hashlib.sha256(" ".join(words(sentence)).encode()).hexdigest()[:12]


def sentences_of(source: str) -> Iterator[str]:
    """Divide a text into sentences, headings and items of lists; a number goes with its thing."""
    number = ""
    for line in source.splitlines():
        said = re.sub(r"^[\s*#•-]*(?:\d+\.\s+)?", "", line).replace("*", "").strip()
        if said.isdigit():
            yield from filter(None, (number,))
            number = said
        elif words(said):
            parts = ENDS.split(f"{number} {said}".strip())
            number = ""
            while len(parts) > 1 and len(words(parts[0])) == 1:  # such as: No. It does not.
                parts[:2] = [" ".join(parts[:2])]
            yield from parts


def differences(texts: Iterable[Text], source: bytes) -> Iterator[str]:
    """List where the register and a text differ."""
    found = hashlib.sha256(source).hexdigest()
    registered = next((text for text in texts if text.sha256 == found), None)
    if registered is None:
        yield "there is no register of this text"
        return
    sentences = list(sentences_of(source.decode("utf-8")))
    there = {print_of(sentence) for sentence in sentences}
    known = {each.print for each in registered.sentences}
    for each in registered.sentences:
        if each.print not in there:
            yield f"{each.id} is no sentence of the text"
    for sentence in sentences:
        is_whole = sentence.endswith((".", "!")) and len(words(sentence)) > HEADING
        if is_whole and print_of(sentence) not in known:
            yield f"no row for: {sentence}"
    runs = set(runs_of(source.decode("utf-8")))
    for text in texts:
        for each in text.sentences:
            if borrowed := runs.intersection(runs_of(each.says)):
                yield f"{each.id} has words of the text: {' '.join(min(borrowed))}"


def runs_of(text: str) -> Iterator[tuple[str, ...]]:
    """List the runs of words that are too long to be borrowed."""
    said = words(text)
    return zip(*(said[start:] for start in range(BORROWED)), strict=False)


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare the register with the texts; return 0 if they agree, 1 if not."""
    parser = argparse.ArgumentParser(description="Compare the register with the texts.")
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="a text")
    texts, _ = read(Path(__file__).resolve().parents[1])
    differ = False
    for file in parser.parse_args(arguments).files:
        for difference in differences(texts, file.read_bytes()):
            differ = True
            print(f"{file.name}: {difference}")
    return int(differ)


if __name__ == "__main__":
    sys.exit(main())
