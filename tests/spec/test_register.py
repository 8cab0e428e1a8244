"""The register can be compared with the texts, and borrows no words of theirs."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from spec import register
from spec.register import Sentence, Text

TEXT = """\
Components
3
Barrels of tar
2. Take the oldest barrel. (Leave the others.)

No. Nobody takes 2 barrels on the 1. Sunday of the year.
* **Done!** That was all there is.
"""

SENTENCES = [
    "Components",
    "3 Barrels of tar",
    "Take the oldest barrel.",
    "(Leave the others.)",
    "No. Nobody takes 2 barrels on the 1. Sunday of the year.",
    "Done! That was all there is.",
]


def row(number: int, sentence: str, says: str) -> Sentence:
    """Make a row for a sentence."""
    return Sentence(
        id=f"000-{number}",
        section="Barrels",
        print=register.print_of(sentence),
        says=says,
        level="rule",
        relations={},
        none="",
        why="",
        ruling="",
        repeats="",
        path="spec/texts/000.toml",
        line=number,
    )


def registered(*rows: Sentence) -> list[Text]:
    """Make a register of the text."""
    found = hashlib.sha256(TEXT.encode()).hexdigest()
    return [Text("000", "a text", "ein Text", "en", "Z_MAN", found, rows)]


SOUND = tuple(
    row(number, SENTENCES[number], says)
    for number, says in ((2, "The oldest is taken."), (4, "None but one."), (5, "No more."))
)


def differences(*rows: Sentence, source: str = TEXT) -> list[str]:
    """Compare a register of these rows."""
    return [*register.differences(registered(*rows), source.encode())]


def test_division_into_sentences() -> None:
    """A number goes with the thing it counts, a short answer with its reason, marks fall away."""
    assert [*register.sentences_of(TEXT)] == SENTENCES


def test_prints() -> None:
    """A print depends on the words alone."""
    assert register.print_of("Take the OLDEST barrel") == register.print_of(SENTENCES[2])
    assert register.print_of("Take an old barrel.") != register.print_of(SENTENCES[2])


def test_agreement() -> None:
    """A register of all the sentences, in words of its own, agrees; headings need no row."""
    assert differences(*SOUND) == []


@pytest.mark.parametrize(
    ("rows", "found"),
    [
        (SOUND[:-1], "no row for: Done! That was all there is."),
        ((*SOUND, row(9, "Another sentence.", "Else.")), "000-9 is no sentence of the text"),
        (
            (*SOUND, row(3, SENTENCES[3], "A third takes 2 barrels on the 1. Monday.")),
            "000-3 has words of the text: takes 2 barrels on the 1",
        ),
    ],
)
def test_difference(rows: tuple[Sentence, ...], found: str) -> None:
    """A missing row, one too many and borrowed words are found."""
    assert differences(*rows) == [found]


def test_another_text() -> None:
    """A text that was not read is not compared."""
    assert differences(*SOUND, source="Another.") == ["there is no register of this text"]


def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The command names the file that differs, and fails."""
    file = tmp_path / "rules.txt"
    file.write_text("Another.", encoding="utf-8")
    assert register.main([str(file)]) == 1
    assert capsys.readouterr().out == "rules.txt: there is no register of this text\n"
