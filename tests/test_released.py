"""Tests that public names, formats and schemas are compatible with the last release.

`released.txt` contains one line for each promise of the last release: a public name, a parameter, a
member, the version of a format, or a part of a schema.  ``python -m tests.test_released`` writes
the file.
"""

import inspect
import json
from collections.abc import Collection, Iterator
from enum import EnumType
from pathlib import Path
from typing import Any, Final

import attrs
import pytest

import valletta_rules as vr
from tests.sources import ROOT

FILE: Final = Path(__file__).with_name("released.txt")
"""The file that lists the compatibility promises of the last release."""

MODULES: Final = (vr, vr.codec, vr.records, vr.svg)
"""The modules whose exported names must stay compatible."""

SCHEMAS: Final = sorted((ROOT / "src/valletta_rules/schema").glob("*.schema.json"))
"""The schema files. A definition that occurs in several of them is a single promise."""

PARTS: Final = ("description", "title", "$id")
"""Keys in a schema whose values may change."""


def promises() -> Iterator[str]:
    """Yield each promise of the current version as a line of text."""
    for module in MODULES:
        for name in module.__all__:
            yield from promises_of(f"{module.__name__}.{name}", getattr(module, name))
    for file in SCHEMAS:
        for title, schema in json.loads(file.read_text("utf-8"))["$defs"].items():
            yield from promises_of_schema(f"schema {title}", schema)


def promises_of(path: str, value: Any) -> Iterator[str]:
    """Yield the stable parts of a public value: its name, its parameters, and its members."""
    yield f"{path} = {value}" if isinstance(value, int) else path
    if isinstance(value, EnumType):
        yield from (f"{path}.{each}" for each in value.__members__)
    elif inspect.isfunction(value) or (inspect.isclass(value) and attrs.has(value)):
        yield from promises_of_parameters(path, inspect.signature(value).parameters.values())
    if inspect.isclass(value) and value.__module__.startswith("valletta_rules"):
        for name, member in vars(value).items():
            if not name.startswith("_"):
                yield from promises_of(f"{path}.{name}", getattr(member, "__func__", member))


def promises_of_parameters(path: str, parameters: Collection[inspect.Parameter]) -> Iterator[str]:
    """Yield a promise for each parameter, and one for the list of required parameters."""
    parameters = [each for each in parameters if each.name not in ("self", "cls")]
    for place, each in enumerate(parameters):
        has_place = each.kind <= each.POSITIONAL_OR_KEYWORD
        yield f"{path}({each.name}{f', {place}' if has_place else ''})"
    needed = [each.name for each in parameters if each.default is each.empty]
    yield f"{path} needs {', '.join(needed) or 'nothing'}"


def promises_of_schema(path: str, schema: dict[str, Any]) -> Iterator[str]:
    """Yield the compatibility promises of a definition in a schema.

    Each alternative is a separate promise, so that a later version can add alternatives.
    """
    plain = without_words(schema)
    for key in ("oneOf", "enum"):
        for each in plain.pop(key, ()):
            yield f"{path} or {json.dumps(each, sort_keys=True)}"
    yield f"{path} {json.dumps(plain, sort_keys=True)}"


def without_words(schema: Any) -> Any:
    """Return a copy of a part of a schema without titles and descriptions."""
    if isinstance(schema, list):
        return [without_words(each) for each in schema]
    if isinstance(schema, dict):
        return {key: without_words(each) for key, each in schema.items() if key not in PARTS}
    return schema


def broken() -> list[str]:
    """Return the promises of the last release that the current version breaks."""
    return sorted({*FILE.read_text("utf-8").splitlines()} - {*promises()})


def test_no_public_name_or_schema_of_the_last_release_is_removed_or_changed() -> None:
    """New names, parameters and alternatives in schemas are allowed."""
    assert not broken(), (
        "these promises of the last release are broken (docs/reference/stability.rst): "
        "deprecate a name first, raise the version of a format; "
        "then `python -m tests.test_released` writes the promises of the next release"
    )


def test_a_removed_public_name_and_a_removed_schema_are_reported_as_incompatible(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The test removes a function and all schemas."""
    monkeypatch.setattr(vr, "__all__", [each for each in vr.__all__ if each != "legal_actions"])
    assert "valletta_rules.legal_actions" in broken()
    monkeypatch.setattr(f"{__name__}.SCHEMAS", [])
    assert any(each.startswith("schema Action ") for each in broken())


if __name__ == "__main__":
    FILE.write_text("\n".join(sorted({*promises()})) + "\n", "utf-8")
