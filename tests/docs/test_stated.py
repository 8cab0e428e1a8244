"""The pages show the formal statement of each clause, and the postconditions of contracts."""

import ast

import pytest

from tests.docs import ROOT, extension

pytest.importorskip("sphinx")
stated = extension("stated")

from spec import mentions  # noqa: E402
from spec.statements.judge import load  # noqa: E402
from valletta_rules import clause_ids, explain  # noqa: E402
from valletta_rules.specification.files import specification  # noqa: E402

UNSTATED = {each.id for each in specification().clauses if each.unstated}
STATED = [clause for clause in clause_ids() if clause not in UNSTATED]


def source_of(clause: str) -> str:
    """Return the source of the section of a clause."""
    return "\n\n".join(piece.source for piece in stated.pieces(clause))


@pytest.mark.parametrize("clause", STATED)
def test_the_statements_of_a_clause_are_shown_with_its_id(clause: str) -> None:
    """All its functions are there, whole but for docstrings, and its id or the table with it."""
    source = source_of(clause)
    shown = {each.name for each in ast.walk(ast.parse(source)) if isinstance(each, ast.FunctionDef)}
    functions = [getattr(s.says, "func", s.says) for s in stated.statements_of(clause)]
    assert {each.__name__ for each in functions} <= shown
    assert f'"{clause}"' in source or f'"{clause}+' in source or f'+{clause}"' in source
    assert '"""' not in source


def test_a_call_that_states_a_clause_is_shown_with_its_function() -> None:
    """Of a table only the entry for the clause is shown."""
    assert source_of("BLU-8").startswith('declinable("BLU-8", agenda.TraderPrompt)\n\ndef ')
    assert source_of("BLD-20").startswith('PAID = {\n    "BLD-20": ')
    assert "BLD-21" not in source_of("BLD-20")


@pytest.mark.parametrize("clause", sorted(UNSTATED))
def test_a_clause_without_a_statement_has_a_reason_in_words(clause: str) -> None:
    """This holds in both languages."""
    phrases = extension("languages").PHRASES["statement"]
    assert all(phrases[language][stated.stated(clause)["reason"]] for language in ("en", "de"))


def test_every_kind_has_words_in_both_languages() -> None:
    """The page describes the result of each statement."""
    phrases = extension("languages").PHRASES["statement"]
    assert {each.kind for each in load()} <= phrases["en"].keys() == phrases["de"].keys()


def test_the_postcondition_of_a_contract_is_shown_as_written() -> None:
    """It has its line breaks, but not the labels, which the page replaces by a sentence."""
    (first, *_) = stated.ensured_of("BLD-12")
    assert first.written.startswith("ensures \\forall integer good; ")
    assert first.written.endswith(";")
    source = " ".join((ROOT / first.place.path).read_text("utf-8").split())
    said = " ".join(first.written.removeprefix("ensures ").split())
    assert f": {said}" in source


def test_only_a_clause_that_a_contract_states_is_proved_for_every_position() -> None:
    """Of SET-8 parts are proved, each in another function."""
    strength = extension("strength")
    for clause in clause_ids():
        grades = {each.grade for each in stated.ensured_of(clause)}
        proved = strength.grades()[clause] is strength.Grade.CONTRACT
        assert proved is ("states" in grades), clause
        assert bool(explain(clause).proved) is proved, clause
    assert {each.grade for each in stated.ensured_of("SET-8")} == {"part", "serves"}


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_grade_of_a_contract_has_words(language: str) -> None:
    """The words are in the order of the page."""
    assert (*extension("languages").PHRASES["contract"][language],) == mentions.GRADES
