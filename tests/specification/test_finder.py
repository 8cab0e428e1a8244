"""Finding rules by words: what is found, what comes first, and `valletta rule WORDS`."""

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
def test_what_comes_first(case: dict[str, Any]) -> None:
    """Players' words, in either language, lead to the rule that they are about."""
    assert [find(words)[0].id for words in case["words"]] == [case["found"]] * len(case["words"])


def test_words_are_met_by_their_beginning() -> None:
    """What stands in the middle of a word is not found; the last part of a German one is."""
    assert find("opponent")
    assert not find("pponent")
    assert {each.id for each in find("Stapel")} >= {each.id for each in find("Nachziehstapel")}
    assert find("iehstape") == ()


@pytest.mark.parametrize("language", LANGUAGES)
def test_questions_are_answered(language: str) -> None:
    """Of a hundred questions one of the first three rules answers 92, and the first one 80."""
    asked = [each for each in ASKED if each["language"] == language]
    assert len(asked) == 100
    found = [[rule.id for rule in find(each["words"], language)] for each in asked]
    for first, least in ((3, 92), (1, 80)):
        missed = [
            each["words"]
            for each, ids in zip(asked, found, strict=True)
            if not {*each["right"]} & {*ids[:first]}
        ]
        assert len(missed) <= len(asked) - least, missed


def test_questions_are_no_part_of_the_index() -> None:
    """A question of the test names rules that exist and is none from which the index is made."""
    groups = specification().everyday["asked"].values()
    read = {" ".join(words_of(line)) for each in groups for line in lines(each)}
    assert not read & {" ".join(words_of(each["words"])) for each in ASKED}
    assert {name for each in ASKED for name in each["right"]} <= {*clause_ids(), *ruling_ids()}


def test_the_index_is_small() -> None:
    """What is read to find rules by is at most 200 kB with the glossary's words, 3 kB of them."""
    assert len(specification().folder.joinpath("everyday.toml").read_bytes()) <= 196_500


def lines(asked: Mapping[str, str]) -> list[str]:
    """Return how players ask for a rule, in both languages."""
    return [line for language in LANGUAGES for line in asked[language].splitlines()]


def test_words_mean_the_same() -> None:
    """Bent words, words of players, both languages and slips lead to the same, by and large."""
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
    """A name alone, and a question about what it does, lead to the clause that says so."""
    for group in specification().everyday["asked_of_characters"]:
        for name, character in group["of"].items() if group.get("own") else ():
            for asked in (character, f"what does the {character} do"):
                assert find(asked)[0].id == name


def test_a_word_that_is_nowhere() -> None:
    """It is passed over where others lead somewhere; alone it leads nowhere."""
    assert find("monk qqxx")[0] == find("monk")[0]
    assert find("qqxx") == find("") == find("What is proved about the rules?") == ()
    assert "TRN-19" in [each.id for each in find("what happens if the draw pile is empty")]


def test_only_a_clause_is_json(capsys: pytest.CaptureFixture[str]) -> None:
    """`--json` is refused with what is no clause: a chapter, or words."""
    for words in (["building"], ["draw", "pile"]):
        assert main(["rule", *words, "--json"]) == 1
        assert "--json takes the id of a clause" in capsys.readouterr().err


def test_near_words_are_offered(capsys: pytest.CaptureFixture[str]) -> None:
    """Where nothing is met, words that look alike are offered."""
    assert main(["rule", "shuflling"]) == 0
    assert main(["rule", "neihgborhud"]) == 1
    assert "did you mean neighbor" in capsys.readouterr().err


def test_an_answer_in_a_word() -> None:
    """A clause that settles a question says so, with the question; and so does a ruling."""
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
