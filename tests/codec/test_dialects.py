"""Tests of dialects, JSON formats that use the codec's readers, writers and schemas."""

from collections.abc import Mapping
from typing import Annotated, Any

import attrs
import pytest

from valletta_rules import RECONSTRUCTION, CardSet, CodecError, new_game
from valletta_rules.codec import Dialect, Embedded, OneOf, structured, to_document, unstructured
from valletta_rules.codec.schema import Definitions
from valletta_rules.codec.typescript import declarations


@attrs.frozen
class Line:
    """A class for tests, whose objects are read and written in the dialect `DIALECT`."""

    share: float
    word: Annotated[str, OneOf(("yes", "no"))]
    position: Annotated[Any, Embedded("GameState")]
    cards: CardSet | None = None


DIALECT = Dialect({}, {}, is_whole=False)
"""A dialect that writes all card sets in full and does not audit values."""

LINE = Line(0.5, "no", to_document(new_game(2)), RECONSTRUCTION)
"""A sample `Line`, in which every field has a value."""

WRONG: Mapping[tuple[str, str], tuple[object, ...]] = {
    ("share", "a number"): ("0.5", True, None, float("inf"), 10**400),
    ("word", "one of yes, no"): ("maybe", 1, None),
    ("position", "an object"): ("x", 1, None, []),
}
"""Invalid values, keyed by field and by the expected value that the error must name."""


def test_a_line_of_a_dialect_survives_a_round_trip() -> None:
    """This dialect writes even built-in cards in full."""
    written = unstructured(DIALECT, LINE)
    assert written["position"]["kind"] == "GameState"
    assert written["cards"]["name"] == RECONSTRUCTION.name
    assert structured(DIALECT, written, Line) == LINE


@pytest.mark.parametrize(
    ("part", "error", "wrong"), [(*key, each) for key, some in WRONG.items() for each in some]
)
def test_the_error_for_an_invalid_line_of_a_dialect_contains_the_path_of_the_invalid_field(
    part: str, error: str, wrong: object
) -> None:
    """The message states the expected type."""
    written = unstructured(DIALECT, LINE) | {part: wrong}
    with pytest.raises(CodecError, match=rf"^\$\.{part}: .*{error}"):
        structured(DIALECT, written, Line)


def test_the_json_schema_and_typescript_types_of_a_line_contain_its_fields() -> None:
    """Definitions in an existing schema are imported instead of repeated."""
    definitions = Definitions(DIALECT, known=("Cards",))
    definitions.schema(Line)
    types = "\n".join(declarations(definitions.schemas.values()))
    assert definitions.schemas["Line"]["properties"]["share"]["type"] == "number"
    assert "readonly share: number;" in types
    assert 'readonly word: "yes" | "no";' in types
    assert "readonly position: GameState;" in types
    assert "readonly cards: Cards | null;" in types
    assert definitions.imported == {"Cards"}
