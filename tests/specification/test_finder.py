"""Finding rules by words: what is found, what comes first, and `valletta rule WORDS`."""

from __future__ import annotations

from typing import Any

import pytest

from tests.specification import CASES
from valletta_rules.cli.main import main
from valletta_rules.specification.clauses import clause_ids, ruling_ids
from valletta_rules.specification.finder import find, index, words_of
from valletta_rules.specification.phrases import UnknownLanguageError


@pytest.mark.parametrize("case", CASES["words"], ids=lambda case: str(case["found"]))
def test_what_comes_first(case: dict[str, Any]) -> None:
    """Players' words, in either language, lead to the rule that they are about."""
    assert [find(words)[0].id for words in case["words"]] == [case["found"]] * len(case["words"])


def test_words_are_met_by_their_beginning() -> None:
    """What stands in the middle of a word is not found; the last part of a German one is."""
    assert find("opponent")
    assert not find("pponent")
    assert {each.id for each in find("Stapel")} >= {each.id for each in find("Nachziehstapel")}
    assert find("iehstape") == ()


def test_short_words() -> None:
    """A short word is met whole; the last, if there is none such, also as a beginning.

    But a question about something else does not lead to words that only begin like its last.
    """
    assert find("How do I write a bot?") == ()
    assert "BLU-1" in {each.id for each in find("mon")}
    assert find("buildings mon") != find("mon buildings") == find("buildings")
    red = [index().entries[number] for number, _ in index().german["rot"]]
    assert {*find("rot")} == {*red} < {*red, *find("rote")}


def test_titles_come_before_sentences_before_the_rest() -> None:
    """A rule comes the earlier the more prominently it has the word."""
    found = [each for each in find("barrel") if each.kind == "clause"]
    places = [(each.title, each.text) for each in found]
    ranks = [
        next((n for n, text in enumerate(texts) if "barrel" in words_of(text)), 2)
        for texts in places
    ]
    assert {*ranks} == {0, 1, 2}
    assert ranks.index(0) < ranks.index(1)
    assert (ranks[0], ranks[-1]) == (0, 2)


def test_all_words_count() -> None:
    """What is found has all of few words, and most of many; one that is nowhere is passed over.

    But where there is such a word, one that is all but everywhere does not lead to all of that.
    """
    assert {each.id for each in find("monk gold")} <= {each.id for each in find("monk")}
    assert find("monk qqxx") == find("monk")
    assert find("qqxx") == find("") == find("What is proved about the rules?") == ()
    assert "TRN-19" in [each.id for each in find("what happens if the draw pile is empty")]


def test_what_is_looked_through() -> None:
    """All clauses and rulings can be found, and are told in either language."""
    assert [each.id for each in index().entries] == [*clause_ids(), *ruling_ids()]
    assert find("monk", "de")[0].title == "Der Bettelmönch"
    with pytest.raises(UnknownLanguageError):
        find("monk", "fr")


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    """`valletta rule WORDS` lists ten rules at most, and says how many more there are."""
    assert main(["rule", "draw", "pile"]) == 0
    more = len(find("draw pile")) - 10
    assert capsys.readouterr().out.endswith(f"\n\nAnd {more} more; another word leaves fewer.\n")
