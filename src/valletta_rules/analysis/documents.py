"""Conversion of analyses to and from JSON documents.

The documents have the form that `valletta_rules.codec` defines, the kind ``Analysis``, and a schema
of their own.  They contain the record of the game.  Unlike other documents, they also contain
decimal fractions, for points and chances.
"""

from __future__ import annotations

import json
from importlib import resources
from typing import Final, cast

from valletta_rules.analysis.game import Analysis
from valletta_rules.codec import DOCUMENT_VERSION, parse, text_of, unstructured
from valletta_rules.codec.reading import read_document
from valletta_rules.codec.schema import Definitions, Schema
from valletta_rules.codec.vocabulary import DOCUMENTS
from valletta_rules.components import need

KIND: Final = "Analysis"
"""The value of the field ``kind`` in a document that contains an analysis."""

ANALYSIS_SCHEMA: Final = resources.files("valletta_rules") / "schema" / "analysis.schema.json"
"""The file with the JSON Schema of analyses."""


def analysis_to_json(analysis: Analysis, *, indent: int | None = None) -> str:
    """Return an analysis as a JSON document, which `analysis_from_json` reads.

    `indent` is the number of spaces by which each level is indented; by default the document is one
    line.  Equal analyses result in equal texts.  Raises `CodecError` as
    `valletta_rules.codec.to_json` does.
    """
    need(analysis, Analysis, "an analysis")
    value = unstructured(DOCUMENTS, analysis)
    return text_of(
        {"valletta_rules": DOCUMENT_VERSION, "kind": KIND, "value": value}, indent=indent
    )


def analysis_from_json(text: str) -> Analysis:
    """Return the analysis in a JSON document.

    Raises `CodecError` for any other text, as `valletta_rules.codec.from_json` does.  The function
    checks neither the figures of the analysis nor the legality of the moves in the record.
    `replay` checks the moves.
    """
    return cast(Analysis, read_document(parse(text), {KIND: Analysis}))


def schema_text() -> str:
    """Generate the JSON Schema (draft 2020-12) of an analysis, and return its text."""
    definitions = Definitions(DOCUMENTS)
    schema: Schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:valletta-rules:schema:{DOCUMENT_VERSION}:analysis",
        "description": "The analysis of a game of Valletta, as valletta-rules writes it.",
        **definitions.document(KIND, Analysis),
        "$defs": dict(sorted(definitions.schemas.items())),
    }
    return json.dumps(schema, ensure_ascii=False, indent=2) + "\n"
