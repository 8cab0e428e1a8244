"""Writing documents: equal values give equal texts."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final

import attrs
from cattrs import Converter
from cattrs.gen import make_dict_unstructure_fn, override

from valletta_rules.codec.text import CodecError
from valletta_rules.codec.vocabulary import EVENTS, FACTS, KIND_OF, TAGGED, VERSION, Value
from valletta_rules.components.bags import CardBag
from valletta_rules.components.buildings import Building
from valletta_rules.components.card_set import CardSet
from valletta_rules.components.display import SiteSet
from valletta_rules.errors import Violation


def to_json(value: Value, *, indent: int | None = None) -> str:
    """Return a value as a document, which `from_json` reads.

    Takes a position, view, transition, action, event (redacted or not), prompt, outcome,
    violation, rule set, card set or record.  Equal values give equal texts: on one line without
    spaces, or with `indent` spaces a level on several.

    What is written is not audited: an impossible position can be written, to show it to somebody,
    but not read.  Raises `TypeError` for a value of any other type, and `CodecError` for one that
    has no text, such as a name with half of a character in it.
    """
    kind = KIND_OF.get(type(value))
    if kind is None:
        raise TypeError(f"a {type(value).__name__} cannot be a document: {value!r}")
    document = {"valletta_rules": VERSION, "kind": kind, "value": _CONVERTER.unstructure(value)}
    separators = (",", ":") if indent is None else (",", ": ")
    text = json.dumps(document, ensure_ascii=False, indent=indent, separators=separators)
    if not text.isascii() and any("\ud800" <= char <= "\udfff" for char in text):
        raise CodecError("half of a character (a lone surrogate) is in a text of this value")
    return text


_CONVERTER: Final = Converter()
"""Knows how every type is written."""


def _write_by_fields(kind: type) -> Callable[[Any], dict[str, Any]]:
    """Return a writer of a type: its tag, an entry for each field, and the clause of an event."""
    names = [field.name for field in attrs.fields(kind)]
    overrides = {"display": override(unstruct_hook=_write_display)} if "display" in names else {}
    make: Any = make_dict_unstructure_fn  # its keywords cannot be typed
    by_fields = make(kind, _CONVERTER, **overrides)
    tag = {"type": kind.__name__} if kind in TAGGED else {}
    clause: dict[str, str] = {}
    if kind in EVENTS and "clause" not in names:
        clause = {"clause": kind.clause}  # type: ignore[attr-defined]
    return lambda value: {**tag, **by_fields(value), **clause}


@lru_cache(maxsize=16)
def _write_cards(cards: CardSet) -> dict[str, Any]:
    """Write a card set once for all documents with it; nobody changes what is returned."""
    return {
        "name": cards.name,
        "buildings": [_CONVERTER.unstructure(building) for building in cards.buildings],
        "barrels": _CONVERTER.unstructure(cards.barrels),
    }


def _write_display(display: tuple[Building, ...]) -> list[str]:
    return [building.code for building in display]


def _write_bag(bag: CardBag) -> dict[str, int]:
    return {character.value: count for character, count in bag.items()}


def _write_sites(sites: SiteSet) -> list[int]:
    return list(sites)


def _write_building(building: Building) -> dict[str, Any]:
    return {
        "code": building.code,
        "character": building.character.value,
        "cost": _CONVERTER.unstructure(building.cost),
        "icon": building.icon.value,
        "points": building.points,
        "copies": building.copies,
    }


def _write_violation(violation: Violation) -> dict[str, Any]:
    facts = {name: _CONVERTER.unstructure(fact) for name, fact in violation.details}
    if len(facts) < len(violation.details) or not FACTS.keys() >= facts.keys():
        raise CodecError(f"these facts cannot be written: {violation.details!r}")
    return {
        "clause": violation.clause,
        "code": violation.code.value,
        "message": violation.message,
        "facts": facts,
    }


_CONVERTER.register_unstructure_hook_factory(attrs.has, _write_by_fields)
_CONVERTER.register_unstructure_hook(CardBag, _write_bag)
_CONVERTER.register_unstructure_hook(SiteSet, _write_sites)
_CONVERTER.register_unstructure_hook(Building, _write_building)
_CONVERTER.register_unstructure_hook(CardSet, _write_cards)
_CONVERTER.register_unstructure_hook(Violation, _write_violation)
