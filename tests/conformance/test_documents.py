"""Tests that this package's reader passes the conformance suite's test cases for documents.

``src/javascript/test/package.test.js`` applies the cases to the JavaScript package.
"""

import json
from collections.abc import Callable
from typing import Any

import pytest

import valletta_rules as vr
from spec.checks.kit.documents import READ, REFUSED, Case, cases, sound_texts, text_of
from spec.checks.schema import validator
from valletta_rules.codec import KINDS, from_document
from valletta_rules.codec.schema import json_schema

SCHEMA = validator(json_schema())

CASES = {case.name: case for case in cases()}


def test_every_document_case_has_a_unique_name() -> None:
    """Reports of failures identify cases by their names."""
    assert len(CASES) == len(cases()) >= 250


@pytest.mark.parametrize("kind", [*KINDS, "line"])
def test_every_kind_of_document_has_valid_and_invalid_cases(kind: str) -> None:
    """The kinds are JSON documents, such as positions, and position lines."""
    assert {case.verdict for case in CASES.values() if case.of == kind} == {READ, REFUSED}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_the_reader_accepts_or_refuses_each_document_case_as_expected(case: Case) -> None:
    """Each case is a variation of a valid text. A reader that accepts it must read the same value.

    A refusal is a `CodecError`, or a `PositionLineError` for position lines.
    """
    text = text_of(case)
    read = vr.parse_position_line if case.of == "line" else vr.from_json
    write: Callable[[Any], str] = vr.position_line if case.of == "line" else vr.to_json
    if case.verdict == READ:
        assert write(read(text)) == sound_texts()[case.of]
    else:
        with pytest.raises(vr.PositionLineError if case.of == "line" else vr.CodecError):
            read(text)


@pytest.mark.parametrize("case", [case for case in CASES.values() if case.schema])
def test_the_schema_accepts_or_refuses_each_document_case_as_expected(case: Case) -> None:
    """The reader must refuse every document that violates the JSON Schema."""
    document = json.loads(text_of(case))
    assert SCHEMA.is_valid(document) == (case.schema == READ)
    if case.verdict == case.schema == READ:
        assert vr.to_json(from_document(document)) == sound_texts()[case.of]
    else:
        with pytest.raises(vr.CodecError):
            from_document(document)
