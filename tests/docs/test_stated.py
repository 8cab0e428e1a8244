"""The pages show the formal statement of each clause, and say truly what judges by it."""

from __future__ import annotations

import ast

import pytest

from tests.docs import ROOT, extension

pytest.importorskip("sphinx")
stated = extension("stated")

from spec import mentions  # noqa: E402
from spec.checks.engines import ENGINES  # noqa: E402
from spec.checks.statements import Trial  # noqa: E402
from spec.statements.judge import load  # noqa: E402
from valletta_rules import clause_ids, explain, new_game  # noqa: E402
from valletta_rules.specification.files import specification  # noqa: E402

UNSTATED = {each.id for each in specification().clauses if each.unstated}
STATED = [clause for clause in clause_ids() if clause not in UNSTATED]


def source_of(clause: str) -> str:
    """Return what the section of a clause shows."""
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


def test_the_call_that_states_a_clause_is_shown_with_the_function_that_it_calls() -> None:
    """Of a table only the entry for the clause is shown."""
    assert source_of("BLU-8").startswith('declinable("BLU-8", agenda.TraderPrompt)\n\ndef ')
    assert source_of("BLD-20").startswith('PAID = {\n    "BLD-20": ')
    assert "BLD-21" not in source_of("BLD-20")


@pytest.mark.parametrize("clause", sorted(UNSTATED))
def test_a_clause_without_a_statement_has_a_reason_in_words(clause: str) -> None:
    """In both languages."""
    phrases = extension("languages").PHRASES["statement"]
    assert all(phrases[language][stated.stated(clause)["reason"]] for language in ("en", "de"))


def test_every_kind_and_engine_has_words_in_both_languages() -> None:
    """All rows of the table that judge an engine are found."""
    phrases = extension("languages").PHRASES["statement"]
    rows = {name for names in stated.judging().values() for name in names}
    table = (ROOT / "spec/checks/table.toml").read_text("utf-8")
    assert len(rows) == table.count('command = "python -m spec.checks.statements')
    words = {each.kind for each in load()} | {*ENGINES}
    assert words <= phrases["en"].keys() == phrases["de"].keys()


@pytest.mark.parametrize("name", ["python", "packed", "batch"])
def test_only_engines_that_can_be_judged_are_named(name: str) -> None:
    """One that refuses no table is not judged on tables, nor one without views on secrecy."""
    if name != "python":
        pytest.importorskip("valletta_rules._native")
    trial = Trial(ENGINES[name]())
    state = new_game(2)
    assert bool(trial.engine.refuses) is (name not in stated.LACKING["lays"])
    can_look = trial.engine.look(trial.engine.read(state), 0) is not None
    assert can_look is (name not in stated.LACKING["shows"])


def test_the_engines_and_checks_of_a_statement_are_those_that_judge_it() -> None:
    """Secrecy is not judged on the model, nor which tables may be laid on any but the engine."""
    assert stated.stated("GRN-1")["engines"] == [*ENGINES]
    assert stated.stated("GRN-1")["rows"] == ["statements*", "many-statements*"]
    assert stated.stated("INF-1")["engines"] == [each for each in ENGINES if each != "model"]
    assert stated.stated("SET-1")["engines"] == ["python"]
    assert stated.stated("SET-1")["rows"] == ["statements", "many-statements"]
    assert stated.stated("CMP-32")["engines"] == []


def test_what_a_contract_ensures_is_shown_as_it_is_written() -> None:
    """With its line breaks, and without the labels, which the page replaces by a sentence."""
    (first, *_) = stated.ensured_of("BLD-12")
    assert first.written.startswith("ensures \\forall integer good; ")
    assert first.written.endswith(";")
    source = " ".join((ROOT / first.place.path).read_text("utf-8").split())
    said = " ".join(first.written.removeprefix("ensures ").split())
    assert f": {said}" in source


def test_only_a_clause_that_a_contract_states_is_proved_for_every_position() -> None:
    """Of SET-9 a part is proved, which says nothing of its chances."""
    strength = extension("strength")
    for clause in clause_ids():
        grades = {each.grade for each in stated.ensured_of(clause)}
        proved = strength.grades()[clause] is strength.Grade.CONTRACT
        assert proved is ("states" in grades), clause
        assert bool(explain(clause).proved) is proved, clause
    assert {each.grade for each in stated.ensured_of("SET-9")} == {"part", "serves"}


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_grade_of_a_contract_has_words(language: str) -> None:
    """In the order in which a page shows them."""
    assert (*extension("languages").PHRASES["contract"][language],) == mentions.GRADES
