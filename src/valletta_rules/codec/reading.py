"""Reading documents: every value is checked, and the first that is wrong is told with its path."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from enum import Enum
from functools import lru_cache
from itertools import pairwise
from typing import Any, Final, cast, get_args, get_type_hints

import attrs
from cattrs import AttributeValidationNote, ClassValidationError, Converter
from cattrs.gen import make_dict_structure_fn, override

from valletta_rules.audit.positions import (
    Problem,
    faults_of,
    problems_of,
    problems_of_outcome,
    problems_of_view,
)
from valletta_rules.codec.text import CodecError, Repeating, cut_short, parse, refuse, worded
from valletta_rules.codec.vocabulary import (
    CARDS_IN_A_BAG,
    EVENTS,
    FACTS,
    KINDS,
    TAGGED,
    TEXTS,
    VERSION,
    WORDS,
    Value,
    is_union,
    item_type,
    number_range,
    without_none,
)
from valletta_rules.components.bags import CardBag
from valletta_rules.components.buildings import Building
from valletta_rules.components.card_set import CardSet
from valletta_rules.components.characters import Character
from valletta_rules.components.display import MAX_SITES, SiteSet
from valletta_rules.components.goods import Good, Goods
from valletta_rules.errors import Code, Violation
from valletta_rules.outcome import Outcome
from valletta_rules.state import GameState
from valletta_rules.views.view import PlayerView

Reader = Callable[[Any], Any]
"""Takes a parsed value and returns what it stands for; raises `CodecError`, seen from there."""


def from_json(text: str) -> Value:
    """Return the value of a document, fully checked.

    Takes a text as `to_json` writes it, with any white space between, and returns a value equal to
    the one that was written.

    Raises `CodecError`, whose `path` leads to the offending value, for anything else: a text that
    is no JSON, longer than `LONGEST` or nested deeper than `DEEPEST`; a newer version of the
    format; unknown kinds, types and keys, and missing or repeated ones; values of a wrong type
    or out of range; a card set that contradicts the rulebook, and a position, a view or an outcome
    that is impossible (see `valletta_rules.problems_of`).  That the actions of a record
    are legal is found when it is replayed.
    """
    document = parse(text)
    if not isinstance(document, dict):
        refuse("an object", document)
    version = document.get("valletta_rules")
    if type(version) is not int or version < 1:
        words = f"not {worded(version)}" if "valletta_rules" in document else "and is missing"
        raise CodecError(f'"valletta_rules" must be the version of the format, {words}')
    if version > VERSION:
        newer = f"this is version {worded(version)} of the format"
        error = CodecError(f"{newer}, and this program reads version {VERSION}")
        raise error.within("valletta_rules")
    _require_keys(document, ("valletta_rules", "kind", "value"))
    kind = _at("kind", _member(KINDS), document["kind"])
    return cast(Value, _at("value", _reader(KINDS[kind], "value"), document["value"]))


def _at(step: str | int, read: Reader, value: object) -> Any:
    """Read a part of a value; what is wrong with it is wrong at that part."""
    try:
        return read(value)
    except CodecError as error:
        raise error.within(step) from None


# Parts of which everything else is made


def _require_keys(value: object, keys: Collection[str]) -> dict[str, Any]:
    """Return a value that is an object with exactly these keys, each once."""
    content = _an_object(value)
    for key in content:
        if key not in keys:
            allowed = ", ".join(keys) or "none"
            raise CodecError(f"there is no such key here; allowed are: {allowed}").within(key)
    for key in keys:
        if key not in content:
            raise CodecError(f'"{key}" is missing')
    return content


def _an_object(value: object) -> dict[str, Any]:
    if not isinstance(value, dict):
        refuse("an object", value)
    if isinstance(value, Repeating):
        raise CodecError("this key is there twice").within(value.key)
    return value


def _whole(allowed: range) -> Reader:
    def read(value: object) -> int:
        if type(value) is not int or value not in allowed:
            refuse(f"a whole number from {allowed[0]} to {allowed[-1]}", value)
        return value

    return read


def _text(pattern: str | None) -> Reader:
    def read(value: object) -> str:
        if not isinstance(value, str):
            refuse("a text", value)
        if pattern is not None and not re.fullmatch(pattern, value):
            refuse(f"a text of the form {pattern}", value)
        if any("\ud800" <= char <= "\udfff" for char in value):
            raise CodecError("half of a character (a lone surrogate) is in this text")
        return value

    return read


def _boolean(value: object) -> bool:
    if not isinstance(value, bool):
        refuse("true or false", value)
    return value


def _member(words: Collection[str]) -> Reader:
    """Return a reader of one word out of a few."""

    def read(value: object) -> str:
        if not isinstance(value, str) or value not in words:
            refuse(f"one of {', '.join(words)}", value)
        return value

    return read


def _enum(allowed: Iterable[Enum]) -> Reader:
    """Return a reader of some members of an enumeration, by their values."""
    members = {member.value: member for member in allowed}
    read_word = _member(members)

    def read(value: object) -> Enum:
        return members[read_word(value)]

    return read


def _items(read_item: Reader) -> Reader:
    def read(value: object) -> tuple[Any, ...]:
        if not isinstance(value, list):
            refuse("an array", value)
        return tuple(_at(index, read_item, item) for index, item in enumerate(value))

    return read


def _optional(read_value: Reader) -> Reader:
    def read(value: object) -> Any:
        return None if value is None else read_value(value)

    return read


def _tagged(members: Mapping[str, type]) -> Reader:
    """Return a reader of a value that names its type."""
    read_tag = _member(members)

    def read(value: object) -> Any:
        content = _an_object(value)
        if "type" not in content:
            raise CodecError('"type" is missing')
        return _CONVERTER.structure(content, members[_at("type", read_tag, content["type"])])

    return read


@lru_cache(maxsize=1024)
def _reader(kind: Any, name: str) -> Reader:
    """Return the reader of a value of a type that stands in a field of a name."""
    if (other := without_none(kind)) is not None:
        return _optional(_reader(other, name))
    if is_union(kind):
        return _tagged({member.__name__: member for member in get_args(kind)})
    if (item := item_type(kind)) is not None:
        return _items(_reader(item, name))
    if kind is int:
        return _whole(number_range(name))
    if kind is str:
        return _text(TEXTS.get(name))
    if kind is bool:
        return _boolean
    if issubclass(kind, Enum):
        return _enum(WORDS.get(name, tuple(kind)))
    return lambda value: _CONVERTER.structure(value, kind)


# Types of the game


_CONVERTER: Final = Converter(detailed_validation=True)
"""Knows how every type is read."""

_AUDITS: Final[Mapping[type, Callable[[Any], tuple[Problem, ...]]]] = {
    GameState: problems_of,
    PlayerView: problems_of_view,
    Outcome: problems_of_outcome,
}
"""Which values must make sense as a whole."""


def _read_by_fields(kind: type) -> Callable[[object, Any], Any]:
    """Return a reader of objects with an entry for each field of a type, its tag and its clause."""
    hints = get_type_hints(kind)
    names = [field.name for field in attrs.fields(kind)]
    constants = {"type": kind.__name__} if kind in TAGGED else {}
    if kind in EVENTS and "clause" not in names:
        constants["clause"] = kind.clause  # type: ignore[attr-defined]
    keys = dict.fromkeys([*constants, *names])
    shows_cards = "display" in names
    make: Any = make_dict_structure_fn  # its keywords cannot be typed
    by_fields = make(
        kind,
        _CONVERTER,
        **{
            name: override(
                struct_hook=_hook(
                    _items(_text(TEXTS[name]))
                    if shows_cards and name == "display"
                    else _reader(hints[name], name)
                )
            )
            for name in names
        },
    )

    def read(value: object, _: Any) -> Any:
        content = _require_keys(value, keys)
        for key, constant in constants.items():
            _at(key, _member((constant,)), content[key])
        try:
            made = by_fields(content, kind)
        except ClassValidationError as group:
            raise _first_error(group) from None
        if shows_cards:
            made = _with_buildings(made)
        if kind in _AUDITS:
            _require_none(_AUDITS[kind](made))
        return made

    return read


def _hook(read: Reader) -> Callable[[object, Any], Any]:
    """Return a reader in the form in which cattrs wants it."""
    return lambda value, _: read(value)


def _first_error(group: ClassValidationError) -> CodecError:
    """Return the first error of those that were found in the fields of a value."""
    first = group.exceptions[0]
    if not isinstance(first, CodecError):  # found as the value was made out of its fields
        return CodecError(cut_short(str(first.args[0])))
    notes = [note for note in first.__notes__ if isinstance(note, AttributeValidationNote)]
    return first.within(notes[-1].name)


def _with_buildings(made: Any) -> Any:
    """Return a table on whose display the buildings lie whose codes were read."""
    buildings = {building.code: building for building in made.cards.buildings}
    for site, code in enumerate(made.display):
        if code not in buildings:
            error = CodecError(f"the card set has no building {worded(code)}")
            raise error.within(site).within("display")
    return attrs.evolve(made, display=tuple(buildings[code] for code in made.display))


def _require_none(problems: tuple[Problem, ...]) -> None:
    if problems:
        first, *others = problems
        clause = f" [{first.clause}]" if first.clause else ""
        more = f" (and {len(others)} more)" if others else ""
        raise CodecError(f"{first.message}{clause}{more}").at(first.path)


_COUNT: Final = _whole(CARDS_IN_A_BAG)


def _read_bag(value: object, _: Any) -> CardBag:
    cards: list[Character] = []
    for name, number in _an_object(value).items():
        character = _at(name, _reader(Character, ""), name)
        cards += [character] * _at(name, _COUNT, number)
    if len(cards) not in range(CARDS_IN_A_BAG.stop):
        raise CodecError(f"a bag holds {CARDS_IN_A_BAG[-1]} cards at most, not {len(cards)}")
    return CardBag.of(*cards)


def _read_sites(value: object, _: Any) -> SiteSet:
    sites = _items(_whole(range(MAX_SITES)))(value)
    _require_ascending(sites)
    return SiteSet.of(*sites)


def _require_ascending(values: tuple[Any, ...]) -> None:
    for index, (one, other) in enumerate(pairwise(values), 1):
        if not one < other:
            raise CodecError("must come after the one before it").within(index)


def _read_building(value: object, _: Any) -> Building:
    keys = ("code", "character", "cost", "icon", "points", "copies")
    content = _require_keys(value, keys)
    code = _at("code", _text(TEXTS["code"]), content["code"])
    return Building(
        letter=code[0],
        character=_at("character", _reader(Character, ""), content["character"]),
        cost=_at("cost", _reader(Goods, ""), content["cost"]),
        icon=_at("icon", _reader(Good, ""), content["icon"]),
        points=_at("points", _whole(number_range("points")), content["points"]),
        copies=_at("copies", _COUNT, content["copies"]),
        design=int(code[1:] or 1),
    )


def _read_cards(value: object, _: Any) -> CardSet:
    content = _require_keys(value, ("name", "buildings", "barrels"))
    name = _at("name", _text(None), content["name"])
    buildings = _at("buildings", _read_designs, content["buildings"])
    cards = CardSet(name, buildings, _at("barrels", _reader(Goods, ""), content["barrels"]))
    _require_none(
        tuple(
            Problem(_cell(fault.building, fault.cell), fault.message, fault.clause)
            for fault in faults_of(cards)
        )
    )
    return cards


def _read_designs(value: object) -> tuple[Building, ...]:
    """Read the designs of a card set, each once and in the order of their codes."""
    buildings: tuple[Building, ...] = _items(_reader(Building, ""))(value)
    _require_ascending(tuple((building.letter, building.design) for building in buildings))
    return buildings


def _cell(building: int | None, cell: str) -> str:
    """Return where in a document the value is with which something is wrong in a card set."""
    if building is None:
        return cell
    cell = "code" if cell in ("letter", "design") else cell
    return f"buildings[{building - 1}]" + (f".{cell}" if cell else "")


def _read_violation(value: object, _: Any) -> Violation:
    content = _require_keys(value, ("clause", "code", "message", "facts"))
    return Violation(
        clause=_at("clause", _text(TEXTS["clause"]), content["clause"]),
        code=_at("code", _reader(Code, ""), content["code"]),
        message=_at("message", _text(None), content["message"]),
        details=_at("facts", _read_facts, content["facts"]),
    )


def _read_facts(value: object) -> tuple[tuple[str, Any], ...]:
    content = _an_object(value)
    for name in content:
        _at(name, _fact_name, name)
    return tuple(
        (name, _at(name, _reader(FACTS[name], name), fact)) for name, fact in content.items()
    )


def _fact_name(name: object) -> None:
    if name not in FACTS:
        raise CodecError(f"there is no such fact; there are: {', '.join(FACTS)}")


_CONVERTER.register_structure_hook_factory(attrs.has, _read_by_fields)
for _kind, _read in (
    (CardBag, _read_bag),
    (SiteSet, _read_sites),
    (Building, _read_building),
    (CardSet, _read_cards),
    (Violation, _read_violation),
):
    _CONVERTER.register_structure_hook(_kind, _read)
