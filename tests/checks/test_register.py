"""Tests of the register, which describes every sentence of the rulebooks without copying it."""

import hashlib
from pathlib import Path

import pytest

from spec import register
from valletta_rules.specification.files import Place, SourceSentence, Text

TEXT = """\
Components
3
Barrels of tar
2. Take the oldest barrel. (Leave the others.)

No. Each takes 2 barrels on the 1. Sunday of the year.
* **Done!** That was all there is.
"""

SENTENCES = [
    "Components",
    "3 Barrels of tar",
    "Take the oldest barrel.",
    "(Leave the others.)",
    "No. Each takes 2 barrels on the 1. Sunday of the year.",
    "Done! That was all there is.",
]

SOUND = {
    SENTENCES[2]: "The oldest is taken.",
    SENTENCES[4]: "None but one.",
    SENTENCES[5]: "No more.",
}


def differences(rows: dict[str, str], text: str = TEXT) -> list[str]:
    """Return the differences between a text and a register with the given rows."""
    sentences = tuple(
        SourceSentence(
            Place("", number), f"000-{number}", "Barrels", register.print_of(sentence), says
        )
        for number, (sentence, says) in enumerate(rows.items(), 1)
    )
    digest = hashlib.sha256(TEXT.encode()).hexdigest()
    registered = Text("000", "a text", "ein Text", "en", "Z_MAN", digest, sentences)
    return [*register.differences([registered], text.encode())]


def test_a_text_is_divided_into_sentences_without_splitting_numbers_from_their_nouns() -> None:
    """The number and the noun are on separate lines of the text.

    A short answer such as ``No.`` stays with its reason.  Bullets and bold type are removed.
    """
    assert [*register.sentences_of(TEXT)] == SENTENCES


def test_the_hash_of_a_sentence_ignores_case_and_punctuation_but_not_words() -> None:
    """The register contains hashes of the sentences instead of the text of a rulebook."""
    assert register.print_of("Take the OLDEST barrel") == register.print_of(SENTENCES[2])
    assert register.print_of("Take an old barrel.") != register.print_of(SENTENCES[2])


@pytest.mark.parametrize(
    ("rows", "text", "expected"),
    [
        (SOUND, TEXT, []),
        (SOUND, "Another.", ["the register contains no text with this hash"]),
        (SOUND | {"Another sentence.": "Else."}, TEXT, ["000-4 is not a sentence of the text"]),
        ({}, TEXT, [f"the register lacks the sentence: {sentence}" for sentence in SOUND]),
        (
            SOUND | {SENTENCES[3]: "A third takes 2 barrels on the 1. Monday."},
            TEXT,
            ["000-4 copies words of the text: takes 2 barrels on the 1"],
        ),
    ],
)
def test_missing_extra_and_copied_rows_of_the_register_are_reported(
    rows: dict[str, str], text: str, expected: list[str]
) -> None:
    """A row must describe its sentence in other words.

    Six consecutive words of the text count as a copy.
    """
    assert differences(rows, text) == expected


def test_a_file_that_is_not_a_registered_rulebook_is_reported_with_exit_status_1(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A rulebook is registered if the register contains the hash of its text."""
    file = tmp_path / "rules.txt"
    file.write_text("Another.", encoding="utf-8")
    assert register.main([str(file)]) == 1
    assert capsys.readouterr().out == "rules.txt: the register contains no text with this hash\n"
