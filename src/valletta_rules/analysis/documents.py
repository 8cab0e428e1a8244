"""Analyses as documents: JSON like that of `valletta_rules.codec`, with a schema of its own.

The kind of such a document is ``Analysis``, and it holds the record of the game.  Unlike other
documents it has fractions: points and chances.
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

KIND: Final = "Analysis"
"""The kind of the documents."""

ANALYSIS_SCHEMA: Final = resources.files("valletta_rules") / "schema" / "analysis.schema.json"
"""Where the package keeps the JSON Schema of an analysis."""


def analysis_to_json(analysis: Analysis, *, indent: int | None = None) -> str:
    """Return an analysis as a document, which `analysis_from_json` reads.

    Equal analyses give equal texts.  Raises `CodecError` as `valletta_rules.codec.to_json` does.
    """
    value = unstructured(DOCUMENTS, analysis)
    return text_of(
        {"valletta_rules": DOCUMENT_VERSION, "kind": KIND, "value": value}, indent=indent
    )


def analysis_from_json(text: str) -> Analysis:
    """Return the analysis of a document.

    Raises `CodecError` for anything else, as `valletta_rules.codec.from_json` does.  That the moves
    of the game are legal is found when its record is replayed; whether an analysis of it would
    come to the same figures is not examined.
    """
    return cast(Analysis, read_document(parse(text), {KIND: Analysis}))


def schema_text() -> str:
    """Return the JSON Schema (draft 2020-12) of the documents, as it stands in the package."""
    made = Definitions(DOCUMENTS)
    schema: Schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:valletta-rules:schema:{DOCUMENT_VERSION}:analysis",
        "description": "The analysis of a game of Valletta, as valletta-rules writes it.",
        **made.document(KIND, Analysis),
        "$defs": dict(sorted(made.schemas.items())),
    }
    return json.dumps(schema, ensure_ascii=False, indent=2) + "\n"
