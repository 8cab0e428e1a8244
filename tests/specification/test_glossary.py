"""The glossary defines each word once, and clauses use the defined words."""

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


def test_each_word_has_one_meaning() -> None:
    """No form belongs to two terms, in English or in German."""
    forms = Counter(form for term in TERMS for form in set(term.spellings))
    german = Counter(word for term in TERMS for word in (term.term_de, *term.also_de))
    assert [word for word, count in (forms + german).items() if count > 1] == []


@pytest.mark.parametrize("term", TERMS, ids=lambda term: term.term)
def test_a_term_occurs_in_its_clause(term: Term) -> None:
    """The clause of a term uses it."""
    assert term.term in used(explain(term.clause).text, TERMS)


def test_clauses_use_no_synonym_of_a_term() -> None:
    """Words that only the texts use are in no clause."""
    others = "|".join(each["word"] for term in TERMS for each in term.also)
    for clause in map(explain, clause_ids()):
        assert not re.search(rf"\b({others})s?\b", clause.text, re.IGNORECASE), clause.id


def test_clauses_use_only_may_must_and_cannot() -> None:
    """No clause has another word for permission, duty or prohibition."""
    assert {"may", "must", "cannot"} <= {each["word"] for each in specification().conventions}
    for clause in map(explain, clause_ids()):
        assert not VAGUE.search(clause.text), clause.id


def test_names_in_code_exist() -> None:
    """The code name of a term is a name of the package, or a field of one."""
    names = {name: getattr(valletta_rules, name) for name in valletta_rules.__all__}
    for name, module in [*sys.modules.items()]:
        if name.startswith("valletta_rules."):
            names |= vars(module)
    for term in TERMS:
        for code in term.code:
            first, _, field = code.partition(".")
            assert first in names, code
            assert not field or hasattr(names[first], field), code


def test_a_text_is_split_at_its_terms() -> None:
    """The longest form counts, in any capitals, and only its first occurrence."""
    text = "Draw piles of a player and his draw pile."
    split = [(part, term and term.term) for part, term in parts(text, TERMS)]
    assert split == [
        ("", None),
        ("Draw piles", "draw pile"),
        (" of a player and his ", None),
        ("draw pile", None),
        (".", None),
    ]
