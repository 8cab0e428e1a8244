"""The clauses, their sources and examples to read, and what finds them; cases are in a file."""

import tomllib
from pathlib import Path
from typing import Any, Final

CASES: Final[dict[str, list[dict[str, Any]]]] = tomllib.loads(
    Path(__file__).with_name("cases.toml").read_text("utf-8")
)
"""The cases of the tests, by what they are about."""

ASKED: Final[list[dict[str, Any]]] = [
    {"language": language, "words": words, "right": right}
    for language, questions in tomllib.loads(
        Path(__file__).with_name("questions.toml").read_text("utf-8")
    ).items()
    for words, right in questions.items()
]
"""What players ask, in a language, and the ids of clauses and rulings; one of them is enough."""
