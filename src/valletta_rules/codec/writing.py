"""Writing documents: equal values give equal texts."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final, cast

import attrs
from cattrs import Converter
from cattrs.gen import make_dict_unstructure_fn

from valletta_rules.actions import Pay, sort_key
from valletta_rules.card_sets.built_in import name_built_in_cards
from valletta_rules.codec.text import HALF_A_CHARACTER, Misfit, misfit
from valletta_rules.codec.vocabulary import (
    FACTS,
    FORMS,
    KIND_OF,
    LARGEST,
    MOST_LISTED,
    TAGGED,
    VERSION,
    Facts,
    Value,
    tells_its_clause,
)
from valletta_rules.components.bags import CardBag
from valletta_rules.components.card_set import CardSet
from valletta_rules.components.display import SiteSet
from valletta_rules.state import kind_of
from valletta_rules.views.view import PlayerView


def to_json(value: Value, *, indent: int | None = None) -> str:
    """Return a value as a document, which `from_json` reads.

    Takes a position, view, transition, action, event (redacted or not), prompt, outcome,
    violation, refusal, news, rule set, card set or record.  Equal values give equal texts: on one
    line without spaces, or with `indent` spaces a level on several.

    What is written is not audited: an impossible position can be written, to show it to somebody,
    but not read.  Raises `TypeError` for a value of any other type, and `CodecError` for one that
    has no text: with half of a character in a name, or a number beyond `LARGEST`.  So a position
    just below that can be read, and what comes after it not be written; no game gets so far.
    """
    kind = KIND_OF.get(type(value))
    if kind is None:
        raise TypeError(f"a {kind_of(value)} cannot be a document: {value!r}")
    written = _in_full(value) if isinstance(value, CardSet) else _CONVERTER.unstructure(value)
    document = {"valletta_rules": VERSION, "kind": kind, "value": written}
    separators = (",", ":") if indent is None else (",", ": ")
    text = json.dumps(document, ensure_ascii=False, indent=indent, separators=separators)
    if HALF_A_CHARACTER.search(text):
        raise misfit(Misfit.HALF_A_CHARACTER)
    if _MANY_DIGITS.search(text):
        json.loads(text, parse_int=_require_exact)
    return text


_MANY_DIGITS: Final = re.compile(f"[0-9]{{{len(str(LARGEST))}}}")
"""What a number that is too large must have."""


def _require_exact(digits: str) -> int:
    if (number := int(digits)) > LARGEST:
        raise misfit(Misfit.TOO_LARGE, most=LARGEST, found=number)
    return number


def _by_fields(kind: type, converter: Converter) -> Callable[[Any], Any]:
    """Return a writer of a type: its tag, an entry for each field, and maybe its clause."""
    if form := FORMS.get(kind):
        return lambda value: converter.unstructure(form.of(value))
    by_fields: Callable[[Any], dict[str, Any]] = make_dict_unstructure_fn(kind, converter)
    tag = {"type": kind.__name__} if kind in TAGGED else {}
    if tells_its_clause(kind):
        return lambda value: {**tag, **by_fields(value), "clause": value.clause}
    return lambda value: {**tag, **by_fields(value)}


@lru_cache(maxsize=16)
def _in_full(cards: CardSet) -> Any:
    """Write all of a card set, once for all documents with it; nobody changes what is returned."""
    return _by_fields(CardSet, _CONVERTER)(cards)


def _cards(cards: CardSet) -> Any:
    """Write a card set that everybody has by its name, any other with all its cards."""
    return name_built_in_cards(cards) or _in_full(cards)


def _facts(facts: Facts) -> dict[str, Any]:
    written = {name: _CONVERTER.unstructure(fact) for name, fact in facts}
    if len(written) < len(facts) or not FACTS.keys() >= written.keys():
        raise misfit(Misfit.UNKNOWN_FACT, found=repr(facts))
    return written


def _view(kind: type, converter: Converter) -> Callable[[PlayerView], Any]:
    """Return a writer of views, which lists no more legal actions than are worth sending."""
    in_full = _by_fields(kind, converter)

    def write(seen: PlayerView) -> Any:
        actions = seen.legal_actions
        if len(actions) > MOST_LISTED:  # only payments are so many
            payments = sorted(actions, key=lambda pay: cast(Pay, pay).goods.total)[:MOST_LISTED]
            seen = attrs.evolve(seen, legal_actions=tuple(sorted(payments, key=sort_key)))
        return in_full(seen)

    return write


_CONVERTER: Final = Converter()
"""Knows how every type is written."""

_CONVERTER.register_unstructure_hook_factory(attrs.has, _by_fields)
_CONVERTER.register_unstructure_hook_factory(lambda kind: kind is PlayerView, _view)
_CONVERTER.register_unstructure_hook(CardSet, _cards)
_CONVERTER.register_unstructure_hook(
    CardBag, lambda bag: {character.value: count for character, count in bag.items()}
)
_CONVERTER.register_unstructure_hook(SiteSet, list)
_CONVERTER.register_unstructure_hook_func(lambda kind: kind == Facts, _facts)
