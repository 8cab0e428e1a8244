"""The search for rules by words: hits, ranking, and `valletta rule WORDS`."""

import re
from collections.abc import Mapping
from typing import Any

import pytest

from tests.specification import ASKED, CASES
from valletta_rules.cli.main import main
from valletta_rules.rulings import EDITIONS
from valletta_rules.specification.clauses import clause_ids, explain, ruling_ids
from valletta_rules.specification.files import specification
from valletta_rules.specification.finder import find, index, words_of
from valletta_rules.specification.phrases import LANGUAGES, UnknownLanguageError


@pytest.mark.parametrize("case", CASES["words"], ids=lambda case: str(case["found"]))
def test_the_first_hit(case: dict[str, Any]) -> None:
    """Words of players, in either language, lead to the rule about them."""
    assert [find(words)[0].id for words in case["words"]] == [case["found"]] * len(case["words"])


def test_words_match_by_their_beginning() -> None:
    """The middle of a word does not match; the last part of a German compound does."""
    assert find("opponent")
    assert not find("pponent")
    assert {each.id for each in find("Stapel")} >= {each.id for each in find("Nachziehstapel")}
    assert find("iehstape") == ()


@pytest.mark.parametrize("language", LANGUAGES)
def test_questions_are_answered(language: str) -> None:
    """Of a hundred questions one of the first three rules answers 95, and the first one 80."""
    asked = [each for each in ASKED if each["language"] == language]
    assert len(asked) == 100
    found = [[rule.id for rule in find(each["words"], language)] for each in asked]
    for first, least in ((3, 95), (1, 80)):
        missed = [
            each["words"]
            for each, ids in zip(asked, found, strict=True)
            if not {*each["right"]} & {*ids[:first]}
        ]
        assert len(missed) <= len(asked) - least, missed


def test_test_questions_are_not_in_the_index() -> None:
    """A question of the test names existing rules and is not among the data of the index."""
    groups = specification().everyday["asked"].values()
    read = {" ".join(words_of(line)) for each in groups for line in lines(each)}
    assert not read & {" ".join(words_of(each["words"])) for each in ASKED}
    assert {name for each in ASKED for name in each["right"]} <= {*clause_ids(), *ruling_ids()}


def test_the_index_is_small() -> None:
    """The index has at most 200 kB with the words of the glossary, 3 kB of them."""
    assert len(specification().folder.joinpath("everyday.toml").read_bytes()) <= 196_500


def lines(asked: Mapping[str, str]) -> list[str]:
    """Return the questions about a rule, in both languages."""
    return [line for language in LANGUAGES for line in asked[language].splitlines()]


def test_forms_of_a_word_match_alike() -> None:
    """Inflected forms, synonyms, both languages and typos mostly lead to the same rules."""
    for words in (
        ["upgrading", "upgrades", "aufwerten", "Aufwertung"],
        ["coin", "coins", "Münze", "money"],
        ["apprentice", "Lehrling", "Azubi", "aprentice"],
    ):
        found = [{rule.id for rule in find(each)} for each in words]
        assert len(set.intersection(*found)) >= 0.8 * len(set.union(*found)), words
    assert "BLD-6" in {each.id for each in find("Nachbarmünze")}
    assert find("appremtice")[0] == find("apprentice")[0]


def test_names_lead_to_what_characters_do() -> None:
    """A name alone, and a question about the character, lead to the clause about the effect."""
    for group in specification().everyday["asked_of_characters"]:
        for name, character in group["of"].items() if group.get("own") else ():
            for asked in (character, f"what does the {character} do"):
                assert find(asked)[0].id == name


def test_an_unknown_word() -> None:
    """It is ignored next to known words; alone it has no hits."""
    assert find("monk qqxx")[0] == find("monk")[0]
    assert find("qqxx") == find("") == find("What is proved about the rules?") == ()
    assert "TRN-19" in [each.id for each in find("what happens if the draw pile is empty")]


def test_only_a_clause_is_json(capsys: pytest.CaptureFixture[str]) -> None:
    """`--json` is refused for anything but a clause."""
    for words in (["building"], ["draw", "pile"]):
        assert main(["rule", *words, "--json"]) == 1
        assert "--json takes the id of a clause" in capsys.readouterr().err


def test_similar_words_are_offered(capsys: pytest.CaptureFixture[str]) -> None:
    """Without hits, words that look alike are offered."""
    assert main(["rule", "shuflling"]) == 0
    assert main(["rule", "neihgborhud"]) == 1
    assert "did you mean neighbor" in capsys.readouterr().err


def test_an_answer_in_a_word() -> None:
    """A clause or a ruling that settles a yes-no question gives question and answer."""
    yes_or_no = re.compile("(Are|Can|Do|Does|Has|Have|Is|May|Must) ")
    assert "Can I pass or keep a card back? No. " in str(find("pass")[0]).replace("\n    ", " ")
    assert find("passen", "de")[0].text.startswith("Darf ich passen oder")
    for name, asked in specification().everyday["asked"].items():
        assert name in {*clause_ids(), *ruling_ids()}
        assert all(asked[language].splitlines()[0][-1] == "?" for language in LANGUAGES), name
        assert "answer" in asked or not yes_or_no.match(asked["en"]), name
        if asked.get("answer") == "depends":
            assert len(explain(name).editions) < len(EDITIONS), name
    for ruling in filter(lambda each: yes_or_no.match(each.title), index().entries):
        assert ruling.kind == "clause" or re.match("(Yes|No)\\b", ruling.text), ruling.id


def test_everything_can_be_found() -> None:
    """All clauses and rulings can be found, in either language."""
    assert [each.id for each in index().entries] == [*clause_ids(), *ruling_ids()]
    assert find("monk", "de")[0].title == "Der Bettelmönch"
    with pytest.raises(UnknownLanguageError):
        find("monk", "fr")


def test_the_cards_command_prints_the_expected_output_and_status(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """`valletta rule WORDS` lists at most ten rules, and the number of the others."""
    assert main(["rule", "draw", "pile"]) == 0
    more = len(find("draw pile")) - 10
    assert capsys.readouterr().out.endswith(f"\n\nAnd {more} more; another word leaves fewer.\n")
