"""Tests that the pages about clauses show formal statements, and postconditions of contracts."""

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
    """Return the source code of formal statements, as shown on the page about a clause."""
    return "\n\n".join(piece.source for piece in stated.pieces(clause))


@pytest.mark.parametrize("clause", STATED)
def test_the_page_about_a_clause_shows_the_code_of_all_its_formal_statements(
    clause: str,
) -> None:
    """Formal statements are Python functions.

    The code contains the id of the clause, but no docstrings.
    """
    source = source_of(clause)
    names = {each.name for each in ast.walk(ast.parse(source)) if isinstance(each, ast.FunctionDef)}
    functions = [getattr(s.says, "func", s.says) for s in stated.statements_of(clause)]
    assert {each.__name__ for each in functions} <= names
    assert f'"{clause}"' in source or f'"{clause}+' in source or f'+{clause}"' in source
    assert '"""' not in source


def test_the_page_about_a_clause_omits_the_parts_of_a_statement_that_state_other_clauses() -> None:
    """Several clauses can share a statement. Each has its own entry or function call."""
    assert source_of("BLU-8").startswith('declinable("BLU-8", agenda.TraderPrompt)\n\ndef ')
    assert source_of("BLD-20").startswith('PAID = {\n    "BLD-20": ')
    assert "BLD-21" not in source_of("BLD-20")


@pytest.mark.parametrize("clause", sorted(UNSTATED))
def test_the_reason_for_a_missing_formal_statement_exists_in_english_and_german(
    clause: str,
) -> None:
    """The page about the clause shows the reason instead of a statement."""
    phrases = extension("languages").PHRASES["statement"]
    assert all(phrases[language][stated.stated(clause)["reason"]] for language in ("en", "de"))


def test_every_kind_of_formal_statement_has_a_description_in_english_and_german() -> None:
    """The description says what functions of this kind return."""
    phrases = extension("languages").PHRASES["statement"]
    assert {each.kind for each in load()} <= phrases["en"].keys() == phrases["de"].keys()


def test_the_postcondition_of_a_contract_is_shown_as_in_the_c_source_without_labels() -> None:
    """The labels are ids of clauses. The page names these clauses in a sentence instead."""
    (first, *_) = stated.ensured_of("BLD-12")
    assert first.written.startswith("ensures \\forall integer good; ")
    assert first.written.endswith(";")
    source = " ".join((ROOT / first.place.path).read_text("utf-8").split())
    condition = " ".join(first.written.removeprefix("ensures ").split())
    assert f": {condition}" in source


def test_a_clause_counts_as_proved_if_and_only_if_a_contract_states_the_whole_clause() -> None:
    """For example, contracts state only parts of SET-8, so it does not count as proved."""
    strength = extension("strength")
    for clause in clause_ids():
        grades = {each.grade for each in stated.ensured_of(clause)}
        proved = strength.grades()[clause] is strength.Grade.CONTRACT
        assert proved is ("states" in grades), clause
        assert bool(explain(clause).proved) is proved, clause
    assert {each.grade for each in stated.ensured_of("SET-8")} == {"part", "serves"}


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_grade_of_a_postcondition_has_a_description_in_english_and_german(
    language: str,
) -> None:
    """The page shows the grades in the order of these descriptions."""
    assert (*extension("languages").PHRASES["contract"][language],) == mentions.GRADES
