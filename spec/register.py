"""The register: a paraphrase of each sentence of the texts, and the clauses that it supports.

`spec/texts` paraphrases the five texts sentence by sentence.  A row of the register names the
clauses of its sentence, each with a *relation*, or a reason why it has none.  A row that `repeats`
another has the same meaning; it inherits all fields that it does not have itself.  `python
spec/traceability.py` checks that register, clauses and rulings are consistent.

Usage: python -m spec.register FILE...

With a copy of the texts, which are not part of the repository, this program checks that the
register belongs to FILE, that each row belongs to a sentence of FILE and each sentence has a row,
and that no row copies the words of a sentence.
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
"""The number of consecutive words that counts as a copy from a text."""

HEADING: Final = 3
"""The maximum number of words of a heading that ends with a full stop, such as a numbered name."""

ENDS: Final = re.compile(
    r"""(?<=[.!?])(?<!\.\.)(?<!\b\d\.)(?<!\b\d\d\.)(?<!\bSt\.)(?<!\bDr\.)\s+(?=["“(„A-ZÄÖÜ0-9])"""
    r"""|(?<=[.!?][)"”])\s+(?=["“(„A-ZÄÖÜ])"""
)
"""The boundary between two sentences of a line; there is none after an ordinal number."""


def words(text: str) -> list[str]:
    """Return the words of a text in lower case, without punctuation."""
    return re.findall(r"\w+", unicodedata.normalize("NFKC", text).casefold())


def print_of(sentence: str) -> str:
    """Return the first 12 hex digits of the hash of a sentence's words."""
    return hashlib.sha256(" ".join(words(sentence)).encode()).hexdigest()[:12]


def sentences_of(source: str) -> Iterator[str]:
    """Split a text into sentences, headings and list items; a number joins the next line."""
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
    """Yield the differences between the register and a text."""
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
    """Yield the runs of `BORROWED` consecutive words in a text."""
    said = words(text)
    return zip(*(said[start:] for start in range(BORROWED)), strict=False)


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare the register with the texts; return 0 if they agree, 1 if not."""
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
