"""Tests of the search for rules: its hits, their ranking, and `valletta rule WORDS`."""

import re
from collections.abc import Mapping
from typing import Any

import pytest

from tests.specification import CASES, PLAYER_QUESTIONS
from valletta_rules.cli.main import main
from valletta_rules.rulings import EDITIONS
from valletta_rules.specification.clauses import clause_ids, explain, ruling_ids
from valletta_rules.specification.files import specification
from valletta_rules.specification.finder import find, index, words_of
from valletta_rules.specification.phrases import LANGUAGES, UnknownLanguageError


@pytest.mark.parametrize("case", CASES["words"], ids=lambda case: str(case["found"]))
def test_the_first_hit_for_words_that_players_use_is_the_right_rule(case: dict[str, Any]) -> None:
    """The words are English and German."""
    assert [find(words)[0].id for words in case["words"]] == [case["found"]] * len(case["words"])


def test_a_search_word_matches_the_beginning_but_not_the_middle_of_a_word() -> None:
    """The end of a German compound matches, too: ``Stapel`` finds ``Nachziehstapel``."""
    assert find("opponent")
    assert not find("pponent")
    assert {each.id for each in find("Stapel")} >= {each.id for each in find("Nachziehstapel")}
    assert find("iehstape") == ()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_first_hit_answers_80_of_100_questions_and_one_of_the_first_three_answers_95(
    language: str,
) -> None:
    """Both numbers are minimums. ``questions.toml`` contains 100 questions in each language."""
    questions = [each for each in PLAYER_QUESTIONS if each["language"] == language]
    assert len(questions) == 100
    hits = [[rule.id for rule in find(each["words"], language)] for each in questions]
    for first, least in ((3, 95), (1, 80)):
        missed = [
            each["words"]
            for each, ids in zip(questions, hits, strict=True)
            if not {*each["right"]} & {*ids[:first]}
        ]
        assert len(missed) <= len(questions) - least, missed


def test_the_search_index_contains_none_of_the_test_questions() -> None:
    """Otherwise, the questions would not measure the search.

    Their expected answers must be ids of existing clauses and rulings.
    """
    groups = specification().everyday["asked"].values()
    read = {" ".join(words_of(line)) for each in groups for line in lines(each)}
    assert not read & {" ".join(words_of(each["words"])) for each in PLAYER_QUESTIONS}
    assert {name for each in PLAYER_QUESTIONS for name in each["right"]} <= {
        *clause_ids(),
        *ruling_ids(),
    }


def test_the_data_of_the_search_index_have_at_most_196500_bytes() -> None:
    """The data are in `everyday.toml`. With the words of the glossary, the limit is 200 kB."""
    assert len(specification().folder.joinpath("everyday.toml").read_bytes()) <= 196_500


def lines(question: Mapping[str, str]) -> list[str]:
    """Return all phrasings of a question about a rule in both languages."""
    return [line for language in LANGUAGES for line in question[language].splitlines()]


def test_forms_translations_and_misspellings_of_a_word_find_mostly_the_same_rules() -> None:
    """At least four fifths of all rules found must be found by every form of the word."""
    for words in (
        ["upgrading", "upgrades", "aufwerten", "Aufwertung"],
        ["coin", "coins", "Münze", "money"],
        ["apprentice", "Lehrling", "Azubi", "aprentice"],
    ):
        hits = [{rule.id for rule in find(each)} for each in words]
        assert len(set.intersection(*hits)) >= 0.8 * len(set.union(*hits)), words
    assert "BLD-6" in {each.id for each in find("Nachbarmünze")}
    assert find("appremtice")[0] == find("apprentice")[0]


def test_the_first_hit_for_the_name_of_a_character_is_the_clause_about_its_effect() -> None:
    """The question *what does CHARACTER do* has the same first hit."""
    for group in specification().everyday["asked_of_characters"]:
        for name, character in group["of"].items() if group.get("own") else ():
            for query in (character, f"what does the {character} do"):
                assert find(query)[0].id == name


def test_the_search_ignores_an_unknown_word_among_known_words() -> None:
    """A search for the unknown word alone has no hits."""
    assert find("monk qqxx")[0] == find("monk")[0]
    assert find("qqxx") == find("") == find("What is proved about the rules?") == ()
    assert "TRN-19" in [each.id for each in find("what happens if the draw pile is empty")]


def test_the_rule_command_refuses_the_option_json_without_the_id_of_a_clause(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Chapters and searches have no JSON form."""
    for words in (["building"], ["draw", "pile"]):
        assert main(["rule", *words, "--json"]) == 1
        assert "--json needs the id of a clause" in capsys.readouterr().err


def test_a_misspelt_search_word_without_hits_gets_a_suggestion(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Slightly misspelt words have hits, so they need no suggestion."""
    assert main(["rule", "shuflling"]) == 0
    assert main(["rule", "neihgborhud"]) == 1
    assert "did you mean neighbor" in capsys.readouterr().err


def test_a_hit_for_a_yes_or_no_question_shows_the_question_with_its_answer() -> None:
    """Every yes-or-no question in the search data must have an answer."""
    yes_or_no = re.compile("(Are|Can|Do|Does|Has|Have|Is|May|Must) ")
    assert "Can I pass or keep a card back? No. " in str(find("pass")[0]).replace("\n    ", " ")
    assert find("passen", "de")[0].text.startswith("Darf ich passen oder")
    for name, questions in specification().everyday["asked"].items():
        assert name in {*clause_ids(), *ruling_ids()}
        assert all(questions[language].splitlines()[0][-1] == "?" for language in LANGUAGES), name
        assert "answer" in questions or not yes_or_no.match(questions["en"]), name
        if questions.get("answer") == "depends":
            assert len(explain(name).editions) < len(EDITIONS), name
    for ruling in filter(lambda each: yes_or_no.match(each.title), index().entries):
        assert ruling.kind == "clause" or re.match("(Yes|No)\\b", ruling.text), ruling.id


def test_the_search_index_contains_every_clause_and_ruling() -> None:
    """The hits have titles in the language of the search. Unknown languages are refused."""
    assert [each.id for each in index().entries] == [*clause_ids(), *ruling_ids()]
    assert find("monk", "de")[0].title == "Der Bettelmönch"
    with pytest.raises(UnknownLanguageError):
        find("monk", "fr")


def test_the_rule_command_lists_at_most_ten_hits(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The last line states the number of other hits."""
    assert main(["rule", "draw", "pile"]) == 0
    more = len(find("draw pile")) - 10
    assert capsys.readouterr().out.endswith(
        f"\n\nAnd {more} more; add a word to narrow the search.\n"
    )
