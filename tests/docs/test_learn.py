"""Tests of the book for players in `docs/learn`: it cites clauses, and covers all rules."""

import re
from collections.abc import Iterator
from functools import cache, partial
from pathlib import Path

import pytest

from tests.docs import DOCS, extension
from valletta_rules import HANS_IM_GLUECK, QUOTAS, RuleSet, clause_ids, explain
from valletta_rules.specification.clauses import EDITIONS, clauses_in_force
from valletta_rules.words import LANGUAGES as WORDS

LANGUAGES = {"en": DOCS / "learn", "de": DOCS / "de" / "learn"}
"""The folders of the book, keyed by language code."""

PAGES = ("index", "short", "first_turn")

SENTENCE = re.compile(r"(?P<text>.*[.:]) :by:`(?P<clauses>[A-Z]{3}-\d+(?: [A-Z]{3}-\d+)*)`$")
"""Matches a sentence of the book, which ends with the ids of the clauses that it cites."""

SEVERAL = re.compile(r"(?<! II| .V)[.!?] +[A-ZÄÖÜ]")
"""Matches the start of a second sentence."""

NO_SENTENCE = re.compile(r"=+|-+|~+|\.\. .*|:[\w-]+:.*|")
"""Matches a line without a sentence: an underline, a directive, an option or an empty line."""


def sentences_of(path: Path) -> Iterator[tuple[str, str, frozenset[str]]]:
    """Yield the enclosing directive, the text and the clauses of each sentence on a page."""
    lines = path.read_text("utf-8").splitlines()
    box = ""
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        if directive := re.match(r"\.\. ([\w-]+)::", line):
            box = directive[1]
        elif line[:1].strip():
            box = ""
        text = re.sub(r"^ *(\* |#\. )?", "", line)
        is_title = re.fullmatch(r"=+|-+|~+", following) is not None
        if NO_SENTENCE.fullmatch(text) or is_title or box == "container":
            continue
        match = SENTENCE.fullmatch(text)
        assert match, f"{path}: names no clause: {line}"
        assert not SEVERAL.search(match["text"]), f"{path}: more than one sentence: {line}"
        yield box, match["text"], frozenset(match["clauses"].split())


@cache
def in_force(rules: RuleSet) -> frozenset[str]:
    """Return the clauses that are in force with a rule set, for at least one number of players."""
    return frozenset(
        clause.id
        for players in QUOTAS
        if not (rules.fewer_barrels and players != 2)
        for clause in clauses_in_force(rules, players)
    )


EVERY_RULE_SET = [
    edition.with_variants(start_player_variant=start, fewer_barrels=fewer)
    for edition in EDITIONS.values()
    for start in (False, True)
    for fewer in (False, True)
]


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sentence_of_the_book_cites_only_clauses_of_the_default_edition(
    language: str, page: str
) -> None:
    """Sentences in a box about variants may also cite clauses of other editions and variants."""
    somewhere = frozenset[str]().union(*map(in_force, EVERY_RULE_SET))
    for box, sentence, clauses in sentences_of(LANGUAGES[language] / f"{page}.rst"):
        allowed = somewhere if box == "topic" else in_force(HANS_IM_GLUECK)
        assert clauses <= allowed, f"{sentence}: {sorted(clauses - allowed)} not in force"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_rule_and_exception_of_the_default_edition_is_cited_in_the_book(
    language: str,
) -> None:
    """Other kinds of clauses, such as definitions, need not be cited."""
    due = {
        clause
        for clause in in_force(HANS_IM_GLUECK)
        if explain(clause).kind in ("rule", "exception")
    }
    page = LANGUAGES[language] / "index.rst"
    named = frozenset[str]().union(*(clauses for _, _, clauses in sentences_of(page)))
    others = partial(extension("learn").other_characters, page.read_text("utf-8"))
    for colour in re.findall(r"^\.\. other-characters:: (\w+)$", page.read_text("utf-8"), re.M):
        for _, _, clauses in others(colour, WORDS[language]):
            assert clauses
            named |= {*clauses}
    assert sorted(due - named, key=clause_ids().index) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_short_version_of_the_rules_contains_the_name_of_every_character(language: str) -> None:
    """Players look up cards by these short names during a game."""
    text = (LANGUAGES[language] / "short.rst").read_text("utf-8")
    names = WORDS[language].short_names.values()
    assert [name for name in names if name not in text] == []


@pytest.mark.parametrize("page", PAGES)
def test_each_sentence_of_the_english_book_and_its_translation_cite_the_same_clauses(
    page: str,
) -> None:
    """The sentences must also be in boxes of the same kind."""
    english, german = (
        [(box, clauses) for box, _, clauses in sentences_of(folder / f"{page}.rst")]
        for folder in LANGUAGES.values()
    )
    assert english == german


def test_a_character_without_its_own_box_in_the_book_is_listed_with_the_text_of_its_card() -> None:
    """A new character therefore appears in the list for its colour."""
    others = extension("learn").other_characters
    listed = [*others(".. characters:: architect philip", "yellow", WORDS["en"])]
    assert [str(each) for each, _, _ in listed] == [
        *("grand_bailiff", "grand_master", "charles", "pius", "knight")
    ]
    assert listed[-1][1:] == ("Score 2 points.", ["YEL-15"])
