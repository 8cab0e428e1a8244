"""Tests of clauses, sources, worked examples and search.

``cases.toml`` contains the test cases.
"""

import tomllib
from pathlib import Path
from typing import Any, Final

CASES: Final[dict[str, list[dict[str, Any]]]] = tomllib.loads(
    Path(__file__).with_name("cases.toml").read_text("utf-8")
)
"""The test cases, keyed by topic."""

PLAYER_QUESTIONS: Final[list[dict[str, Any]]] = [
    {"language": language, "words": words, "right": right}
    for language, questions in tomllib.loads(
        Path(__file__).with_name("questions.toml").read_text("utf-8")
    ).items()
    for words, right in questions.items()
]
"""Questions that players ask, with their language and the ids of the right answers."""
