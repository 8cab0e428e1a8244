"""The clause files and the rulings keep to their schemas and to the form of a rulebook."""

from __future__ import annotations

import enum
import json
import re
import tomllib
from pathlib import Path
from typing import Any

import attrs
import jsonschema  # type: ignore[import-untyped, unused-ignore]  # stubs come with [lint]
import pytest
import referencing

import valletta_rules.rulings as rule_sets
from tests.sources import repository
from valletta_rules.components.display import QUOTAS
from valletta_rules.rulings import RuleSet
from valletta_rules.specification.clauses import EDITIONS, ClauseKind

SPEC = Path(__file__).resolve().parents[2] / "spec"
CHAPTERS = sorted((SPEC / "clauses").glob("*.toml"))
TEXTS = sorted((SPEC / "texts").glob("*.toml"))

each_chapter = pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)


def read_toml(path: Path) -> dict[str, Any]:
    """Read a TOML file."""
    return tomllib.loads(path.read_text(encoding="utf-8"))


def read_schema(name: str) -> dict[str, Any]:
    """Read a JSON Schema."""
    schema: dict[str, Any] = json.loads(
        (SPEC / "schema" / f"{name}.schema.json").read_text(encoding="utf-8")
    )
    return schema


def validator(name: str) -> jsonschema.Draft202012Validator:
    """Make a validator that knows both schemas."""
    resources = [
        referencing.Resource.from_contents(read_schema(known)) for known in ("clauses", "rulings")
    ]
    registry: referencing.Registry[Any] = resources @ referencing.Registry()
    return jsonschema.Draft202012Validator(read_schema(name), registry=registry)


def rulings() -> list[dict[str, Any]]:
    """Read the rulings."""
    found: list[dict[str, Any]] = read_toml(SPEC / "rulings.toml")["ruling"]
    return found


def test_kinds() -> None:
    """The kinds of the clauses are those of the library."""
    kinds = read_schema("clauses")["$defs"]["clause"]["properties"]["kind"]["enum"]
    assert kinds == list(ClauseKind)


def test_chapters() -> None:
    """The rulebook has thirteen chapters with prefixes of their own."""
    assert len(CHAPTERS) == 13
    assert len({read_toml(path)["prefix"] for path in CHAPTERS}) == 13


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.stem)
def test_texts_schema(path: Path) -> None:
    """The register of every text satisfies the schema of texts, and is of the text it says."""
    register = read_toml(path)
    validator("texts").validate(register)
    assert register["text"]["id"] == path.stem


def test_five_texts() -> None:
    """There are five texts."""
    assert [path.stem for path in TEXTS] == ["000", "001", "002", "003", "004"]


@pytest.mark.parametrize("name", ["clauses", "rulings", "texts"])
def test_schemas(name: str) -> None:
    """The schemas are themselves valid."""
    jsonschema.Draft202012Validator.check_schema(read_schema(name))


@each_chapter
def test_chapter_schema(path: Path) -> None:
    """Every chapter satisfies the schema of chapters."""
    validator("clauses").validate(read_toml(path))


def test_rulings_schema() -> None:
    """The rulings satisfy the schema of rulings."""
    validator("rulings").validate(read_toml(SPEC / "rulings.toml"))


def damaged(**changes: Any) -> dict[str, Any]:
    """Return a chapter with one clause, damaged as told."""
    clause = {
        "id": "BLD-1",
        "title": "Free site",
        "title_de": "Freier Platz",
        "kind": "rule",
        "text": "A site is free.",
        "sentence_de": "Ein Bauplatz ist frei.",
        "revision": 1,
        "rulings": [],
    }
    return {
        "chapter": "building",
        "prefix": "BLD",
        "title": "Building",
        "title_de": "Bauen",
        "clause": [{**clause, **changes}],
    }


def test_schema_is_satisfiable() -> None:
    """The chapter on which the damages are tried is sound."""
    assert validator("clauses").is_valid(damaged())


@pytest.mark.parametrize(
    "damage",
    [
        {"id": "bld-1"},
        {"id": "BLD-0"},
        {"text": "A site is free"},
        {"title": "A title of far too many words"},
        {"title_de": "Ein Titel aus viel zu vielen Worten"},
        {"sentence_de": "Ein Bauplatz ist frei"},
        {"sentence_de": None},
        {"revision": 0},
        {"sources": [{"seed": "000", "section": "Building"}]},
        {"rulings": ["houses", "houses"]},
        {"kind": "advice"},
        {"when": {}},
        {"when": {"effects": "none"}},
        {"when": {"players": [2]}},
        {"when": {"house_rules": True}},
        {"overrides": []},
        {"follows_from": ["BLD"]},
        {"tested": True, "why": "Because."},
        {"tested": False},
        {"why": "Because."},
        {"remark": "What is this?"},
    ],
    ids=str,
)
def test_schema_damage(damage: dict[str, Any]) -> None:
    """The schema refuses a malformed clause."""
    assert not validator("clauses").is_valid(damaged(**damage))


@pytest.mark.parametrize(
    "damage",
    [
        {"confidence": "sure"},
        {"confidence": "open"},
        {"because": "it does"},
        {"against": [{"sentence": "000-1", "says": "no", "says_de": "Nein."}]},
        {"against": [{"sentence": "009-1", "says": "It does not.", "says_de": "Nein."}]},
        {"against": [{"sentence": "000-1", "says": "It does not."}]},
        {"in_play": None},
        {"question_de": None},
        {"answer_de": "Nein"},
        {"answers_de": dict.fromkeys(EDITIONS, "Nein.")},
        {"remark": "What is this?"},
    ],
    ids=str,
)
def test_schema_damage_to_a_ruling(damage: dict[str, Any]) -> None:
    """The schema refuses a ruling without reasons, or a doubt for which nothing speaks."""
    sound = next(each for each in rulings() if not each["against"])
    assert validator("rulings").is_valid({"ruling": [sound]})
    assert not validator("rulings").is_valid({"ruling": [{**sound, **damage}]})


@each_chapter
def test_chapter_is_the_file(path: Path) -> None:
    """A chapter is named as its file."""
    assert read_toml(path)["chapter"] == path.stem


@each_chapter
def test_consecutive_ids(path: Path) -> None:
    """Ids are the prefix and consecutive numbers, retired ones included."""
    chapter = read_toml(path)
    prefix = chapter["prefix"]
    gone = {clause for clause in repository().retired if clause.startswith(f"{prefix}-")}
    ids = [clause["id"] for clause in chapter["clause"]]
    assert len(set(ids)) == len(ids)
    assert {*ids, *gone} == {f"{prefix}-{n}" for n in range(1, len(ids) + len(gone) + 1)}


@each_chapter
def test_one_sentence(path: Path) -> None:
    """A clause is one sentence that begins with a capital and ends with a full stop."""
    for clause in read_toml(path)["clause"]:
        text = clause["text"]
        assert re.fullmatch(r"[A-Z][^.!?;\n]*\.", text), f"{clause['id']}: {text}"


def test_conditions_are_answers() -> None:
    """What a condition can demand are the fields of a rule set, their values, and the players."""
    demands = read_schema("clauses")["$defs"]["when"]["properties"]
    assert demands.pop("players")["oneOf"][0]["enum"] == list(QUOTAS)
    assert [*demands] == [field.name for field in attrs.fields(RuleSet) if field.name != "name"]
    for field, allowed in demands.items():
        for value in allowed.get("enum", (False, True)):
            answered = attrs.evolve(rule_sets.HANS_IM_GLUECK, **{field: value})
            assert getattr(answered, field) == value


def test_unlike_clauses() -> None:
    """No two clauses say the same in the same words, nor bear the same title."""
    clauses = [clause for path in CHAPTERS for clause in read_toml(path)["clause"]]
    for key in ("text", "sentence_de", "title", "title_de"):
        assert len({clause[key] for clause in clauses}) == len(clauses)


def test_rulings_with_a_field() -> None:
    """Every field of a rule set but its name carries exactly one ruling."""
    fields = sorted(ruling["field"] for ruling in rulings() if "field" in ruling)
    assert fields == sorted(field.name for field in attrs.fields(RuleSet) if field.name != "name")


def test_default_of_a_field() -> None:
    """The default of a ruling with a field is the value of that field in the default edition."""
    for ruling in rulings():
        if "field" in ruling:
            value = getattr(rule_sets.HANS_IM_GLUECK, ruling["field"])
            plain = value.value if isinstance(value, enum.Enum) else value
            assert ruling["default"] == plain, ruling["id"]


@pytest.mark.parametrize("edition", EDITIONS)
def test_editions_are_presets(edition: str) -> None:
    """The editions of the clauses and rulings are the presets of the library."""
    assert isinstance(getattr(rule_sets, edition), RuleSet)
