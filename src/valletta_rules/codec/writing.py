"""The writer of documents. Equal values are written as equal texts."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache, lru_cache, partial
from typing import Any, Final, cast

import attrs
from cattrs import Converter
from cattrs.gen import make_dict_unstructure_fn

from valletta_rules.actions import Pay, sort_key
from valletta_rules.card_sets.built_in import name_built_in_cards
from valletta_rules.codec.text import HUGE, LARGEST, LONGEST_NUMBER, Misfit, has_digits, misfit
from valletta_rules.codec.vocabulary import (
    DOCUMENT_VERSION,
    DOCUMENTS,
    FACTS,
    FORMS,
    KIND_OF,
    MOST_LISTED,
    Dialect,
    Facts,
    Value,
    is_embedded,
)
from valletta_rules.components import Building, CardBag, CardSet, SiteSet, abbreviated
from valletta_rules.state import kind_of
from valletta_rules.views.view import PlayerView

MOST_SPACES: Final = 80
"""The maximum number of spaces of indentation per level."""


def to_json(value: Value, *, indent: int | None = None) -> str:
    """Return a value as a document, which `from_json` can read.

    `value` is a position, view, transition, action, event (redacted or not), prompt, outcome,
    violation, refusal, news, rule set, card set, record or log entry. The text is one line without
    spaces or, with `indent`, several lines with `indent` spaces per level. Equal values are written
    as equal texts.

    The function does not check whether a position is possible. An impossible position can
    therefore be written, for example for an error report, but not read. This includes positions
    with more than 65,000 points or goods of a kind, which no game reaches.

    Raises `TypeError` for a value of any other type, and `CodecError` for a name with a lone
    surrogate, a number above `LARGEST`, or an `indent` above 80.
    """
    return text_of(to_document(value), indent=indent)


def to_document(value: Value) -> dict[str, Any]:
    """Return a document as JSON objects instead of text, as `json.loads` would return it.

    `value` can be of the same types as for `to_json`. Raises `TypeError` for a value of any other
    type, and `CodecError` for a violation or refusal with parameters that documents cannot contain.
    Do not change the result, because documents can share parts of it.
    """
    kind = KIND_OF.get(type(value))
    if kind is None:
        actual = f"{kind_of(value)}: {abbreviated(value)}"
        raise TypeError(f"expected a value that can be converted to a document, not {actual}")
    written = _in_full(value) if isinstance(value, CardSet) else unstructured(DOCUMENTS, value)
    return {"valletta_rules": DOCUMENT_VERSION, "kind": kind, "value": written}


_encoder: Final = partial(json.JSONEncoder, ensure_ascii=False)
_ON_ONE_LINE: Final = _encoder(separators=(",", ":"))


def text_of(content: object, *, indent: int | None = None) -> str:
    """Return the JSON text for an object, on one line or indented. Equal objects have equal texts.

    Raises `CodecError` for a lone surrogate, a number above `LARGEST`, or an `indent` above 80.
    """
    if indent is not None and indent > MOST_SPACES:
        raise misfit(Misfit.INDENT, most=MOST_SPACES, found=indent)
    try:
        text = (_ON_ONE_LINE if indent is None else _encoder(indent=indent)).encode(content)
        text.encode()
    except UnicodeEncodeError:
        raise misfit(Misfit.HALF_A_CHARACTER) from None
    except ValueError:  # Python formats no integer of more than 4,300 digits
        raise misfit(Misfit.TOO_LARGE, most=LARGEST, found=HUGE) from None
    if has_digits(text, len(str(LARGEST))):  # compare each number with `LARGEST`
        json.loads(text, parse_int=_require_exact)
    return text


def _require_exact(digits: str) -> int:
    if (number := int(digits)) > LARGEST:
        value = number if len(digits) <= LONGEST_NUMBER else HUGE
        raise misfit(Misfit.TOO_LARGE, most=LARGEST, found=value)
    return number


def unstructured(dialect: Dialect, value: object) -> Any:
    """Convert a value to JSON objects as the given dialect requires, without serialising them."""
    return _writer(dialect).unstructure(value)


@cache
def _writer(dialect: Dialect) -> Converter:
    """Return a converter that writes values of all types in the given dialect."""
    converter = Converter()
    for is_meant, hook_for in (
        (attrs.has, partial(_by_fields, dialect)),
        (lambda kind: kind is PlayerView, partial(_view, dialect)),
        (lambda kind: kind is CardSet, partial(_cards, dialect)),
        (lambda kind: kind == Facts, _facts),
    ):
        converter.register_unstructure_hook_factory(is_meant, hook_for)
    converter.register_unstructure_hook(
        CardBag,
        lru_cache(maxsize=1024)(lambda bag: {each.value: count for each, count in bag.items()}),
    )
    converter.register_unstructure_hook(SiteSet, list)
    converter.register_unstructure_hook_func(
        lambda kind: kind == tuple[Building, ...],
        lru_cache(maxsize=64)(lambda display: [converter.unstructure(each) for each in display]),
    )
    converter.register_unstructure_hook_func(is_embedded, lambda document: document)
    return converter


def _by_fields(dialect: Dialect, kind: type, converter: Converter) -> Callable[[Any], Any]:
    """Return a writer for a type. It writes ``type`` and entries for fields and derived values."""
    if form := FORMS.get(kind):
        return lru_cache(maxsize=256)(lambda value: converter.unstructure(form.of(value)))
    make: Any = make_dict_unstructure_fn  # its keywords cannot be typed
    by_fields = make(kind, converter, **dialect.overrides(kind))
    tag = {"type": dialect.tags[kind]} if kind in dialect.tags else {}
    if derived := dialect.derived(kind):
        return lambda value: {
            **tag,
            **by_fields(value),
            **{name: getattr(value, name) for name in derived},
        }
    return lambda value: {**tag, **by_fields(value)}


def _cards(dialect: Dialect, kind: type, converter: Converter) -> Callable[[CardSet], Any]:
    """Return a writer for card sets. It writes built-in card sets by name and others in full."""
    in_full = lru_cache(maxsize=16)(_by_fields(dialect, kind, converter))
    if not dialect.is_whole:
        return in_full
    return lambda cards: name_built_in_cards(cards) or in_full(cards)


def _facts(kind: Any, converter: Converter) -> Callable[[Facts], dict[str, Any]]:
    def write(facts: Facts) -> dict[str, Any]:
        written = {name: converter.unstructure(fact) for name, fact in facts}
        if len(written) < len(facts) or written.keys() - FACTS.keys():
            raise misfit(Misfit.UNKNOWN_FACT, found=abbreviated(facts))
        return written

    return write


def _view(dialect: Dialect, kind: type, converter: Converter) -> Callable[[PlayerView], Any]:
    """Return a writer for views. It lists at most `MOST_LISTED` legal actions."""
    in_full = _by_fields(dialect, kind, converter)

    def write(view: PlayerView) -> Any:
        actions = view.legal_actions
        if len(actions) > MOST_LISTED:  # only payments can be so many
            payments = sorted(actions, key=lambda pay: cast(Pay, pay).goods.total)[:MOST_LISTED]
            view = attrs.evolve(view, legal_actions=tuple(sorted(payments, key=sort_key)))
        return in_full(view)

    return write


_in_full: Final = lru_cache(maxsize=16)(_by_fields(DOCUMENTS, CardSet, _writer(DOCUMENTS)))
"""A function that writes a card set in full. Results are cached."""
