"""Tests that the glossary defines each word once, and that clauses use the defined words."""

import re
import sys
from collections import Counter

import pytest

import valletta_rules
from spec.glossary import parts, used
from valletta_rules import clause_ids, explain
from valletta_rules.specification.files import Term, specification

TERMS = tuple(term for term in specification().terms if term.section)
VAGUE = re.compile(r"\b(shall|should|might|ought)\b")


def test_no_word_belongs_to_two_terms_of_the_glossary() -> None:
    """The test compares all forms of the English and German words."""
    forms = Counter(form for term in TERMS for form in set(term.spellings))
    german = Counter(word for term in TERMS for word in (term.term_de, *term.also_de))
    assert [word for word, count in (forms + german).items() if count > 1] == []


@pytest.mark.parametrize("term", TERMS, ids=lambda term: term.term)
def test_the_clause_that_the_glossary_names_for_a_term_uses_the_term(term: Term) -> None:
    """Readers of the glossary can look up the rule for each term in this clause."""
    assert term.term in used(explain(term.clause).text, TERMS)


def test_no_clause_uses_a_synonym_of_a_term_in_the_glossary() -> None:
    """The rulebooks use several words for one thing, but clauses use only the term."""
    others = "|".join(each["word"] for term in TERMS for each in term.also)
    for clause in map(explain, clause_ids()):
        assert not re.search(rf"\b({others})s?\b", clause.text, re.IGNORECASE), clause.id


def test_clauses_express_permission_duty_and_prohibition_only_by_may_must_and_cannot() -> None:
    """For example, no clause contains *shall* or *should*."""
    assert {"may", "must", "cannot"} <= {each["word"] for each in specification().conventions}
    for clause in map(explain, clause_ids()):
        assert not VAGUE.search(clause.text), clause.id


def test_the_code_name_that_the_glossary_gives_for_a_term_exists_in_the_package() -> None:
    """The code name is a class, a function, a value or a field."""
    names = {name: getattr(valletta_rules, name) for name in valletta_rules.__all__}
    for name, module in [*sys.modules.items()]:
        if name.startswith("valletta_rules."):
            names |= vars(module)
    for term in TERMS:
        for code in term.code:
            first, _, field = code.partition(".")
            assert first in names, code
            assert not field or hasattr(names[first], field), code


def test_a_text_is_split_at_the_first_occurrence_of_each_term() -> None:
    """The parts that are terms can then become links.

    The longest matching form of a term is used, regardless of case.
    """
    text = "Draw piles of a player and his draw pile."
    split = [(part, term and term.term) for part, term in parts(text, TERMS)]
    assert split == [
        ("", None),
        ("Draw piles", "draw pile"),
        (" of a player and his ", None),
        ("draw pile", None),
        (".", None),
    ]
