"""The register, which links each sentence of the rulebooks to the clauses that it supports.

`spec/texts` paraphrases the five rulebook texts sentence by sentence.  Each row of the register
describes a sentence.  It lists the clauses that the sentence supports, each with a *relation*, or
says why there are none.  A row that `repeats` another row has the same meaning, and inherits all
fields that it does not set.  `python spec/traceability.py` checks that the register, the clauses
and the rulings are consistent.

Usage: python -m spec.register FILE...

The texts themselves are not part of the repository.  The program compares copies of them with the
register: it checks that rows and sentences match one to one, and that no row copies the words of a
sentence.
"""

import argparse
import hashlib
import re
import sys
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from valletta_rules.specification.files import Text, specification

TEXTS: Final = "spec/texts"

BORROWED: Final = 6
"""The number of consecutive words that a row of the register must not share with a text."""

HEADING: Final = 3
"""The maximum number of words in a heading.  Headings need no row, even if they end with a full
stop."""

ENDS: Final = re.compile(
    r"""(?<=[.!?])(?<!\.\.)(?<!\b\d\.)(?<!\b\d\d\.)(?<!\bSt\.)(?<!\bDr\.)\s+(?=["“(„A-ZÄÖÜ0-9])"""
    r"""|(?<=[.!?][)"”])\s+(?=["“(„A-ZÄÖÜ])"""
)
"""A pattern for the boundary between two sentences on a line.  A full stop after an ordinal number
is not a boundary."""


def words(text: str) -> list[str]:
    """Return the words of a text in lower case, without punctuation."""
    return re.findall(r"\w+", unicodedata.normalize("NFKC", text).casefold())


def print_of(sentence: str) -> str:
    """Return the first 12 hex digits of a hash of the words in a sentence."""
    return hashlib.sha256(" ".join(words(sentence)).encode()).hexdigest()[:12]


def sentences_of(source: str) -> Iterator[str]:
    """Split a text into sentences, headings and list items.

    A line that consists of a number is joined to the next line.
    """
    number = ""
    for line in source.splitlines():
        text = re.sub(r"^[\s*#•-]*(?:\d+\.\s+)?", "", line).replace("*", "").strip()
        if text.isdigit():
            yield from filter(None, (number,))
            number = text
        elif words(text):
            parts = ENDS.split(f"{number} {text}".strip())
            number = ""
            while len(parts) > 1 and len(words(parts[0])) == 1:  # such as: No. It does not.
                parts[:2] = [" ".join(parts[:2])]
            yield from parts


def differences(texts: Iterable[Text], source: bytes) -> Iterator[str]:
    """Yield a message for each difference between the register and a text."""
    digest = hashlib.sha256(source).hexdigest()
    registered = next((text for text in texts if text.sha256 == digest), None)
    if registered is None:
        yield "the register contains no text with this hash"
        return
    sentences = list(sentences_of(source.decode("utf-8")))
    prints = {print_of(sentence) for sentence in sentences}
    known = {each.print for each in registered.sentences}
    for each in registered.sentences:
        if each.print not in prints:
            yield f"{each.id} is not a sentence of the text"
    for sentence in sentences:
        is_whole = sentence.endswith((".", "!")) and len(words(sentence)) > HEADING
        if is_whole and print_of(sentence) not in known:
            yield f"the register lacks the sentence: {sentence}"
    runs = set(runs_of(source.decode("utf-8")))
    for text in texts:
        for each in text.sentences:
            if borrowed := runs.intersection(runs_of(each.says)):
                yield f"{each.id} copies words of the text: {' '.join(min(borrowed))}"


def runs_of(text: str) -> Iterator[tuple[str, ...]]:
    """Yield every sequence of `BORROWED` consecutive words in a text."""
    tokens = words(text)
    return zip(*(tokens[start:] for start in range(BORROWED)), strict=False)


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare the register with the texts; return 0 if they agree, otherwise 1."""
    parser = argparse.ArgumentParser(description="Compare the register with the texts.")
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="a text")
    texts = specification().texts
    differ = False
    for file in parser.parse_args(arguments).files:
        for difference in differences(texts, file.read_bytes()):
            differ = True
            print(f"{file.name}: {difference}")
    return int(differ)


if __name__ == "__main__":
    sys.exit(main())
