"""The reader of documents, which checks every value. Errors contain the path of the value.

Every type has a cattrs hook. Reading stops at the first invalid item in an array, so that a million
invalid items take no longer than one.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from enum import Enum, StrEnum
from functools import cache, lru_cache, partial
from itertools import pairwise
from marshal import dumps
from types import MappingProxyType
from typing import Any, Final, assert_never, cast, get_args

import attrs
from cattrs import ClassValidationError, Converter
from cattrs.gen import make_dict_structure_fn

from valletta_rules import components, errors, results, rulings, state
from valletta_rules.audit import (
    problems_of,
    problems_of_outcome,
    problems_of_view,
)
from valletta_rules.card_sets.built_in import UnknownCardSetError, find_built_in_cards
from valletta_rules.card_sets.files import RECONSTRUCTION
from valletta_rules.card_sets.validation import validate
from valletta_rules.codec import vocabulary
from valletta_rules.codec.text import (
    HALF_A_CHARACTER,
    LARGEST,
    CodecError,
    Misfit,
    Unfit,
    an_object,
    misfit,
    parse,
    unlike,
    whole_number,
    worded,
)
from valletta_rules.components import limits
from valletta_rules.text.values import by_value, plain
from valletta_rules.views.view import PlayerView, see

_LONGEST_REASON: Final = 400

Read = Callable[[Any, Any], Any]
"""A function that takes a parsed value and a type, and returns a value of this type."""


@attrs.frozen
class Envelope:
    """The entries that every document has."""

    valletta_rules: Any
    kind: Any
    value: Any


def from_json(text: str) -> vocabulary.Value:
    """Validate a document and return its value.

    `text` is the result of `to_json`, possibly with other white space. Numbers may be written
    differently: ``2.0`` and ``2e0`` mean 2. The value is equal to the value that was written.

    Raises `CodecError`, with a path and a stable code, for any other text: for a text that is not
    JSON, is longer than `LONGEST` or is nested deeper than `DEEPEST`; for another version of the
    format, unknown kinds, types or keys, and missing or repeated keys; for values of a wrong type
    or out of range; for an unknown built-in card set, or a card set that contradicts the rulebook;
    and for an impossible position, view or outcome (see `valletta_rules.problems_of`). The actions
    of a record are not checked until it is replayed.
    """
    return from_document(parse(text))


def from_document(document: object) -> vocabulary.Value:
    """Validate a parsed document and return its value.

    `document` is the result of `json.loads` or of `parse`. Only `parse` detects repeated keys.
    Raises `CodecError` as `from_json` does.
    """
    return cast(vocabulary.Value, read_document(document, vocabulary.KINDS))


def read_document(document: object, kinds: Mapping[str, Any]) -> Any:
    """Validate a parsed document of one of the given kinds and return its value.

    Raises `CodecError` as `from_json` does.
    """
    content = an_object(document)
    _require_version(content)
    envelope = structured(vocabulary.DOCUMENTS, content, Envelope)
    with _inside("kind"):
        kind = _one_of(kinds, envelope.kind)
    with _inside("value"):
        return structured(vocabulary.DOCUMENTS, envelope.value, kinds[kind])


def structured(dialect: vocabulary.Dialect, content: object, kind: Any) -> Any:
    """Convert parsed JSON to a value of a type. `dialect` describes how the value is written.

    Raises `CodecError`, with a path and a stable code, if the JSON is not a value of this type.
    """
    try:
        return _reader(dialect).structure(content, kind)
    except (CodecError, ClassValidationError) as error:
        raise _first(error) from None


def _require_version(document: Mapping[str, object]) -> None:
    if "valletta_rules" not in document:
        raise misfit(Misfit.KEY_MISSING, key="valletta_rules")
    version = whole_number(document["valletta_rules"])
    if version is None or version < 1:
        raise misfit(Misfit.NO_VERSION, found=worded(document["valletta_rules"]))
    if version != vocabulary.DOCUMENT_VERSION:
        error = misfit(
            Misfit.OTHER_VERSION, found=worded(version), right=vocabulary.DOCUMENT_VERSION
        )
        raise error.within("valletta_rules")


# Paths of errors


@contextmanager
def _inside(step: str | int) -> Iterator[None]:
    """Add a key or an index to the paths of errors that are raised in the block."""
    try:
        yield
    except (CodecError, ClassValidationError) as error:
        raise _first(error).within(step) from None


def _first(error: Exception) -> CodecError:
    """Return the first of several errors in the fields of a value."""
    match error:
        case CodecError():
            return error
        case ClassValidationError():
            noted, others = error.group_exceptions()
            if not noted:
                return _first(others[0])
            inner, note = noted[0]
            return _first(inner).within(vocabulary.KEYS.get(note.name, note.name))
        case MemoryError():
            raise error
        case _:  # raised by the constructor of the value
            return misfit(Misfit.NOT_MADE, reason=plain(str(error.args[0]), _LONGEST_REASON))


# Numbers, texts and words


def _limited(kind: Any, converter: Converter) -> Read:
    """Return a reader for a type with a limit, such as a range of integers or a list of words."""
    limit: limits.Limit | vocabulary.OneOf | vocabulary.Embedded = kind.__metadata__[0]
    match limit:
        case components.Interval():
            return lambda value, _: _whole(limit, value)
        case components.Pattern(form):
            return lambda value, _: _text_like(form, value)
        case components.Among(members):
            return lambda value, _: _word(value, members)
        case vocabulary.OneOf(words):
            return lambda value, _: _one_of(words, value)
        case vocabulary.Embedded():
            return lambda value, _: an_object(value)
        case _:
            assert_never(limit)


def _whole(interval: components.Interval, value: object) -> int:
    least, most = interval.least, vocabulary.largest(interval)
    number = whole_number(value)
    if number is None or not least <= number <= most:
        kind = Misfit.WRONG_TYPE if number is None else Misfit.OUT_OF_RANGE
        raise unlike(f"a whole number from {least} to {most}", value, kind)
    return number


def _number(value: object, _: Any) -> float:
    """Return a parsed number as a float.

    `parse` marks numbers with a fraction as `Unfit`, but this function accepts them.
    """
    with suppress(ValueError, OverflowError):
        if isinstance(value, Unfit) or type(value) in (int, float):
            number = float(value.words if isinstance(value, Unfit) else cast(float, value))
            if math.isfinite(number):
                return number
    raise unlike("a number", value)


def _text(value: object, _: Any) -> str:
    if not isinstance(value, str):
        raise unlike("a text", value)
    if HALF_A_CHARACTER.search(value):
        raise misfit(Misfit.HALF_A_CHARACTER)
    return value


def _text_like(form: str, value: object) -> str:
    text = _text(value, str)
    if not re.fullmatch(form, text):
        raise unlike(f"a text of the form {form}", text, Misfit.WRONG_FORM)
    return text


def _boolean(value: object, _: Any) -> bool:
    if not isinstance(value, bool):
        raise unlike("true or false", value)
    return value


def _one_of(words: Collection[str], value: object) -> str:
    if not isinstance(value, str) or value not in words:
        raise unlike(f"one of {', '.join(words)}", value, Misfit.UNKNOWN_WORD)
    return value


def _word(value: object, allowed: Any) -> Enum:
    """Return the member of an enumeration, or of a subset of one, that has the given value."""
    members: Mapping[str, Enum] = _by_value(allowed)
    return members[_one_of(members, value)]


_by_value: Final = lru_cache(maxsize=64)(by_value)


# Arrays and objects


def _items(kind: Any, converter: Converter) -> Read:
    """Return a reader for arrays with items of one type."""
    item_kind = get_args(kind)[0]
    read_item = converter.get_structure_hook(item_kind)

    def read(value: object, _: Any) -> tuple[Any, ...]:
        if not isinstance(value, list):
            raise unlike("an array", value)
        items: list[Any] = []
        try:
            for item in value:
                items.append(read_item(item, item_kind))
        except (CodecError, ClassValidationError) as error:
            raise _first(error).within(len(items)) from None
        return tuple(items)

    return _remembering(read) if item_kind in vocabulary.FORMS else read


def _tagged(dialect: vocabulary.Dialect, union: Any, converter: Converter) -> Read:
    """Return a reader for unions. The entry ``type`` of the JSON selects a member of the union."""
    members = {dialect.tags[member]: member for member in get_args(union)}

    def read(value: object, _: Any) -> Any:
        content = dict(an_object(value))
        _require(("type",), content)
        try:
            tag = _one_of(members, content.pop("type"))
        except CodecError as error:
            raise error.within("type") from None
        return converter.structure(content, members[tag])

    return read


def _by_fields(dialect: vocabulary.Dialect, kind: type, converter: Converter) -> Read:
    """Return a reader for objects with an entry for each field and each derived value of a type."""
    if form := vocabulary.FORMS.get(kind):
        return _remembering(lambda value, _: _known(converter.structure(value, form).value()))
    make: Any = make_dict_structure_fn  # its keywords cannot be typed
    by_fields = make(kind, converter, **dialect.overrides(kind))
    derived = dialect.derived(kind)
    keys = tuple(key for key in dialect.keys_of(kind) if key != "type")
    every, allowed = frozenset(keys), ", ".join(dialect.keys_of(kind)) or "none"
    audit = _AUDITS.get(kind, _unaudited) if dialect.is_whole else _unaudited

    def read(value: object, _: Any) -> Any:
        content = an_object(value)
        if content.keys() != every:
            _require(keys, content)
            unknown = next(key for key in content if key not in every)
            raise misfit(Misfit.KEY_UNKNOWN, allowed=allowed).within(str(unknown))
        instance = by_fields(content, kind)
        for name in derived:
            _require_right(getattr(instance, name), content, name)
        if problems := audit(instance):
            raise CodecError(
                *(attrs.evolve(each, path=f"${each.path and '.'}{each.path}") for each in problems)
            )
        if (
            isinstance(instance, PlayerView)
            and len(instance.legal_actions) == vocabulary.MOST_LISTED
        ):
            return see(instance.seat, instance.table, instance.agenda)  # the list may be incomplete
        return instance

    return _remembering(read) if kind in _COMMON else read


def _require_right(right: str | int, content: Mapping[str, object], name: str) -> None:
    """Raise `CodecError` if a derived entry differs from the value computed from other entries."""
    if isinstance(right, str):
        actual, kind = content[name], Misfit.UNKNOWN_WORD
    else:
        actual, kind = whole_number(content[name]), Misfit.OUT_OF_RANGE
    if actual != right:
        raise unlike(str(right), content[name], kind).within(name)


_COMMON: Final = (state.Player, rulings.RuleSet)
"""The types for which readers cache values, because equal values often recur in the documents of a
game.
"""

_REMEMBERED: Final = 1024
"""The maximum number of values in the cache of a reader."""

_PLAINLY: Final = 2
"""The version of the `marshal` format for the cache keys. It writes equal JSON values as equal
bytes.
"""


def _remembering(read: Read) -> Read:
    """Return a reader that caches its results. Equal JSON objects share one immutable value."""
    known = dict[bytes, Any]()

    def remember(value: Any, kind: Any) -> Any:
        try:
            content = dumps(value, _PLAINLY)
        except ValueError:  # not plain JSON: `read` raises the error
            return read(value, kind)
        if (result := known.get(content)) is None:
            result = read(value, kind)
            if len(known) == _REMEMBERED:
                known.clear()
            known[content] = result
        return result

    return remember


_BUILT_IN: Final = MappingProxyType({each: each for each in RECONSTRUCTION.buildings})


def _known(building: components.Building) -> components.Building:
    """Return an equal building from a built-in card set, or the building itself if not built in."""
    return _BUILT_IN.get(building, building)


def _require(keys: Iterable[str], content: Mapping[str, object]) -> None:
    for key in keys:
        if key not in content:
            raise misfit(Misfit.KEY_MISSING, key=key)


def _problems_of_cards(cards: components.CardSet) -> tuple[errors.Problem, ...]:
    """Return the problems of a card set. Paths contain ``code``, not ``letter`` or ``design``."""
    return tuple(
        attrs.evolve(each, path=re.sub(r"\.(letter|design)$", ".code", each.path))
        for each in validate(cards)
    )


def _unaudited(value: object) -> tuple[errors.Problem, ...]:
    return ()


_AUDITS: Final[Mapping[type, Callable[[Any], tuple[errors.Problem, ...]]]] = MappingProxyType(
    {
        components.CardSet: _problems_of_cards,
        state.GameState: problems_of,
        PlayerView: problems_of_view,
        results.Outcome: problems_of_outcome,
    }
)
"""A mapping from types to the functions that return the problems of a value of this type."""


# Types with a special JSON form


def _cards(dialect: vocabulary.Dialect, kind: type, converter: Converter) -> Read:
    """Return a reader for card sets. They are written as a built-in name or with all cards."""
    in_full = _by_fields(dialect, kind, converter)

    def read(value: Any, _: Any) -> components.CardSet:
        if isinstance(value, str):
            try:
                return find_built_in_cards(
                    converter.structure(value, cast(Any, vocabulary.BuiltInCards))
                )
            except UnknownCardSetError as error:
                raise misfit(Misfit.UNKNOWN_CARDS, name=error.name, known=error.known) from None
        cards: components.CardSet = in_full(value, kind)
        with _inside("buildings"):
            _require_ascending(
                [vocabulary.letter_and_design(each["code"]) for each in value["buildings"]]
            )
        return cards

    return read


def _bag(value: object, _: Any) -> components.CardBag:
    cards: list[components.Character] = []
    name, content = "", an_object(value)
    try:
        for name, number in content.items():
            character = _CHARACTERS[_one_of(_CHARACTERS, name)]
            cards += [character] * _whole(_CARD_COUNT, number)
    except CodecError as error:
        raise error.within(name) from None
    if len(cards) > components.MOST_CARDS:
        raise misfit(Misfit.TOO_MANY_CARDS, most=components.MOST_CARDS, found=len(cards))
    return components.CardBag.of(*cards)


_CHARACTERS: Final = by_value(components.Character)

_CARD_COUNT: Final = get_args(vocabulary.CardCount)[1]


def _sites(kind: type, converter: Converter) -> Read:
    """Return a reader for sets of sites."""

    def read(value: object, _: Any) -> components.SiteSet:
        sites = converter.structure(value, tuple[components.Site, ...])
        _require_ascending(sites)
        return components.SiteSet.of(*sites)

    return read


def _require_ascending(values: Iterable[Any]) -> None:
    for index, (one, other) in enumerate(pairwise(values), 1):
        if not one < other:
            raise misfit(Misfit.NOT_ASCENDING).within(index)


def _facts(kind: Any, converter: Converter) -> Read:
    """Return a reader for the parameters of violations and refusals."""

    def read(value: object, _: Any) -> vocabulary.Facts:
        facts = []
        for name, fact in an_object(value).items():
            with _inside(name):
                if name not in vocabulary.FACTS:
                    raise misfit(Misfit.KEY_UNKNOWN, allowed=", ".join(vocabulary.FACTS))
                facts.append((name, converter.structure(fact, vocabulary.FACTS[name])))
        return tuple(facts)

    return read


def _is_tuple(kind: Any) -> bool:
    return getattr(kind, "__origin__", None) is tuple


@cache
def _reader(dialect: vocabulary.Dialect) -> Converter:
    """Return a converter that reads values of all types in the given dialect."""
    converter = Converter()
    for kind, hook in (
        (str, _text),
        (bool, _boolean),
        (int, lambda value, _: _whole(components.Interval(-LARGEST), value)),
        (float, _number),
        (StrEnum, _word),
        (components.CardBag, _remembering(_bag)),
    ):
        converter.register_structure_hook(kind, hook)
    for is_meant, hook_for in (
        (attrs.has, partial(_by_fields, dialect)),
        (lambda kind: hasattr(kind, "__metadata__"), _limited),
        (_is_tuple, _items),
        (
            lambda kind: vocabulary.is_union(kind) and vocabulary.without_none(kind) is None,
            partial(_tagged, dialect),
        ),
        (lambda kind: kind is components.CardSet, partial(_cards, dialect)),
        (lambda kind: kind is components.SiteSet, _sites),
        (lambda kind: kind == vocabulary.Facts, _facts),
    ):
        converter.register_structure_hook_factory(is_meant, hook_for)
    return converter
