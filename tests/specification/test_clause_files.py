"""Tests that the specification's JSON Schemas agree with the types in the library."""

import json
from typing import Any

import attrs

from spec.traceability import SCHEMAS, SHAPES
from tests.sources import repository
from valletta_rules import HANS_IM_GLUECK, QUOTAS, Relation, RuleSet
from valletta_rules.specification.clauses import EDITIONS, ClauseKind, Confidence

SCHEMA: dict[str, dict[str, Any]] = {
    name: json.loads((SCHEMAS / f"{name}.schema.json").read_text(encoding="utf-8"))
    for name in SHAPES.values()
}
DEFINED = {name: schema["$defs"] for name, schema in SCHEMA.items() if "$defs" in schema}
FIELDS = [field.name for field in attrs.fields(RuleSet) if field.name != "name"]


def test_the_enumerations_in_the_schemas_equal_those_of_the_library() -> None:
    """The enumerations are clause kinds, confidence levels, relations and editions."""
    clauses, rulings, texts = (DEFINED[name] for name in ("clauses", "rulings", "texts"))
    relation = texts["sentence"]["properties"]["clauses"]["items"]["properties"]["relation"]
    assert clauses["clause"]["properties"]["kind"]["enum"] == [*ClauseKind]
    assert rulings["ruling"]["properties"]["confidence"]["enum"] == [*Confidence]
    assert relation["enum"] == [*Relation]
    assert rulings["by_edition"]["required"] == [*EDITIONS]


def test_the_conditions_of_clauses_in_the_schema_are_the_fields_and_values_of_rule_sets() -> None:
    """A clause can be limited to certain rule sets.

    Its condition can also name numbers of players.
    """
    demands = dict(DEFINED["clauses"]["when"]["properties"])
    assert demands.pop("players")["oneOf"][0]["enum"] == list(QUOTAS)
    assert [*demands] == FIELDS
    for field, allowed in demands.items():
        for value in allowed.get("enum", (False, True)):
            answered = attrs.evolve(HANS_IM_GLUECK, **{field: value})
            assert getattr(answered, field) == value


def test_every_field_of_a_rule_set_has_a_ruling_with_the_default_of_the_field() -> None:
    """The default must be the value in the default edition."""
    chosen = [ruling for ruling in repository().rulings if "field" in ruling]
    assert sorted(ruling["field"] for ruling in chosen) == sorted(FIELDS)
    for ruling in chosen:
        assert ruling["default"] == getattr(HANS_IM_GLUECK, ruling["field"]), ruling["id"]
