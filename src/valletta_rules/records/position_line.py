"""A whole position in one line of text, to be pasted into a bug report.

The line is self-contained: it spells out the rule set and the card set, unless they are those of
the package, which it names.  It has the format version, fields ``key=value``, and after each
``|`` the fields of one seat::

    valletta/1 rules=z-man cards=reconstruction@... phase=main ... | hand=maid,2builder ... | ...

Any position can be written and read, an impossible one too: that may be just what a bug report is
about.  Hidden cards are in it, so it is not for the players of a game that is going on.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Final, TypeVar, get_args
from urllib.parse import quote, unquote

import attrs

from valletta_rules.agenda import Prompt, Step
from valletta_rules.card_sets.built_in import find_built_in_cards, name_built_in_cards
from valletta_rules.components.bags import MOST_CARDS, CardBag
from valletta_rules.components.buildings import Building
from valletta_rules.components.card_set import CardSet
from valletta_rules.components.characters import Character, Colour
from valletta_rules.components.display import MAX_SITES, SITES, SiteSet
from valletta_rules.components.goods import GOODS, NOTHING, Good, Goods
from valletta_rules.components.street import LAST_SPACE
from valletta_rules.errors import VallettaError
from valletta_rules.rulings import (
    EDITIONS,
    VARIANTS,
    BarrelLayout,
    Effects,
    Opening,
    RuleSet,
    edition_of,
    variants_of,
)
from valletta_rules.state import GameState, Phase, Player

FORMAT: Final = 1
"""The version of the format that this package writes and reads."""

LINE_LIMIT: Final = 20_000
"""How many characters a line may have; one with a card set of its own has about 2,000."""

EMPTY: Final = "-"
"""What is written for a list of nothing."""

T = TypeVar("T")


class PositionLineError(VallettaError, ValueError):
    """A text that is no position line, or a damaged one."""

    field: str
    """The field in which it is wrong, as in ``seat 1, goods``; empty for the line as a whole."""
    reason: str
    """What is wrong with it."""

    def __init__(self, field: str, reason: str) -> None:
        """Carry the field and what is wrong with it."""
        super().__init__(field, reason)
        self.field, self.reason = field, reason

    def __str__(self) -> str:
        """Say where the line is wrong, and why."""
        return f"position line: {self.field}{': ' if self.field else ''}{self.reason}"


# Writing


def position_line(state: GameState) -> str:
    """Return a position in one line of printable text, from which it can be read back.

    Takes any position, and writes everything that is in it, hidden cards included.
    """
    fields = {
        "rules": _write_rules(state.rules),
        "cards": name_built_in_cards(state.cards) or _write_cards_in_full(state.cards),
        "phase": state.phase.value,
        "active": str(state.active),
        "valette": str(state.valette),
        "barrels": _write_goods(state.barrels),
        "supply": _write_bag(state.supply),
        "display": _listed(_write_site(each, state.cards) for each in state.display),
        "played": _listed(character.value for character in state.played),
        "agenda": _listed(map(_write_step, state.agenda)),
    }
    parts = [f"valletta/{FORMAT} {_joined(fields)}"]
    parts += (_joined(_write_player(player)) for player in state.players)
    return " | ".join(parts)


def _joined(fields: Mapping[str, str]) -> str:
    return " ".join(f"{key}={value}" for key, value in fields.items())


def _listed(words: Iterable[str]) -> str:
    return ",".join(words) or EMPTY


def _write_player(player: Player) -> dict[str, str]:
    return {
        "hand": _write_bag(player.hand),
        "draw": _write_bag(player.draw_pile),
        "discard": _write_bag(player.discard_pile),
        "goods": _write_goods(player.goods),
        "built": _listed(map(str, player.built)),
        "upgraded": _listed(map(str, player.upgraded)),
        "score": str(player.score),
        "shown": _write_bag(player.shown),
    }


def _write_goods(goods: Goods) -> str:
    counts = zip(GOODS, goods, strict=True)
    return "".join(f"{count}{good[0]}" for good, count in counts if count) or "0"


def _write_bag(bag: CardBag) -> str:
    return _listed(f"{count if count > 1 else ''}{kind.value}" for kind, count in bag.items())


def _write_rules(rules: RuleSet) -> str:
    answers = (rules.effects, rules.opening, rules.barrel_layout, rules.apprentice_colour)
    in_full = ":".join([_escaped(rules.name), *(answer.value for answer in answers)])
    return "+".join([edition_of(rules) or in_full, *variants_of(rules)])


def _write_cards_in_full(cards: CardSet) -> str:
    buildings = _listed(map(_write_building, cards.buildings))
    return f"{_escaped(cards.name)}:{_write_goods(cards.barrels)}:{buildings}"


def _write_building(building: Building) -> str:
    cost, icon = _write_goods(building.cost), building.icon.value
    parts = (building.code, building.character.value, cost, icon, building.points, building.copies)
    return "/".join(map(str, parts))


def _write_site(building: Building, cards: CardSet) -> str:
    """Write a building by its code, or in full if it is none of the card set."""
    return building.code if building in cards.buildings else _write_building(building)


def _write_step(step: Step) -> str:
    values = (getattr(step, field.name) for field in attrs.fields(type(step)))
    words = (_write_goods(each) if isinstance(each, Goods) else str(each) for each in values)
    return "/".join([_step_name(type(step)), *words])


def _step_name(kind: type[Step]) -> str:
    return kind.__name__.removesuffix("Prompt").lower()


def _escaped(name: str) -> str:
    return quote(name, safe="", errors="surrogatepass")


# Reading


class _UnfitError(Exception):
    """A value is not what its field wants; the message says what is wrong."""


def parse_position_line(line: str) -> GameState:
    """Return the position that a line describes.

    Raises `PositionLineError`, which names the field, for a text that is no such line.  The
    position may be one that no game can reach; whether it is, is not examined.
    """
    if len(line) > LINE_LIMIT:
        raise PositionLineError("", f"it has more than {LINE_LIMIT:,} characters")
    head, *seats = line.strip().strip("`").split("|")
    version, *words = head.split() or [""]
    _check_version(version)
    top = _Fields("", words)
    if len(seats) not in SITES:
        raise PositionLineError("", f"it must have 2, 3 or 4 seats, not {len(seats)}")
    seat = _number(range(len(seats)))
    cards = top.read("cards", _cards)
    display = top.read("display", _list_of(lambda word: _site(word, cards)))
    state = GameState(
        rules=top.read("rules", _rules),
        cards=cards,
        display=tuple(display),
        players=tuple(_read_player(number, each.split()) for number, each in enumerate(seats)),
        supply=top.read("supply", _bag),
        barrels=top.read("barrels", _goods),
        valette=top.read("valette", _number(range(LAST_SPACE + 1))),
        active=top.read("active", seat),
        played=tuple(top.read("played", _list_of(_member(Character)))),
        phase=top.read("phase", _member(Phase)),
        agenda=top.read("agenda", _agenda(seat, _number(range(len(display))))),
    )
    top.done()
    return state


def _check_version(word: str) -> None:
    found = re.fullmatch(r"valletta/([0-9]{1,9})", word)
    if found is None:
        raise PositionLineError("", f"it must begin with valletta/{FORMAT}")
    if int(found[1]) != FORMAT:
        reason = f"it has format {found[1]}, and this version reads format {FORMAT} only"
        raise PositionLineError("", reason)


class _Fields:
    """The fields of a line or of a seat, read one by one."""

    def __init__(self, place: str, words: Iterable[str]) -> None:
        """Take the words ``key=value``; `place` says whose they are."""
        self.place, self.values = place, dict[str, str]()
        for word in words:
            key, equals, value = word.partition("=")
            if not equals or key in self.values:
                reason = "is there twice" if equals else "must be written key=value"
                raise PositionLineError(f"{place}{key[:40]}", reason)
            self.values[key] = value

    def read(self, key: str, convert: Callable[[str], T]) -> T:
        """Take out a field, which must be there, and convert it."""
        if key not in self.values:
            raise PositionLineError(f"{self.place}{key}", "is missing")
        try:
            return convert(self.values.pop(key))
        except _UnfitError as unfit:
            raise PositionLineError(f"{self.place}{key}", str(unfit)) from None

    def done(self) -> None:
        """Make sure that no unknown field is left."""
        for key in self.values:
            raise PositionLineError(f"{self.place}{key[:40]}", "is not known")


def _read_player(number: int, words: Iterable[str]) -> Player:
    fields = _Fields(f"seat {number}, ", words)
    player = Player(
        hand=fields.read("hand", _bag),
        draw_pile=fields.read("draw", _bag),
        discard_pile=fields.read("discard", _bag),
        goods=fields.read("goods", _goods),
        built=fields.read("built", _sites),
        upgraded=fields.read("upgraded", _sites),
        score=fields.read("score", _number(range(-9999, 10_000))),
        shown=fields.read("shown", _bag),
    )
    fields.done()
    return player


def _shown(word: str) -> str:
    return repr(word if len(word) <= 40 else f"{word[:40]}...")


def _number(allowed: range) -> Callable[[str], int]:
    def convert(word: str) -> int:
        if not re.fullmatch(r"-?[0-9]{1,9}", word) or int(word) not in allowed:
            wanted = f"a number from {allowed.start} to {allowed.stop - 1}"
            raise _UnfitError(f"must be {wanted}, not {_shown(word)}")
        return int(word)

    return convert


E = TypeVar("E", bound=StrEnum)


def _member(kind: type[E]) -> Callable[[str], E]:
    def convert(word: str) -> E:
        try:
            return kind(word)
        except ValueError:
            raise _UnfitError(f"there is no {kind.__name__.lower()} {_shown(word)}") from None

    return convert


def _list_of(convert: Callable[[str], T]) -> Callable[[str], list[T]]:
    def convert_all(text: str) -> list[T]:
        return [] if text == EMPTY else [convert(word) for word in text.split(",")]

    return convert_all


def _goods(text: str) -> Goods:
    if text == "0":
        return NOTHING
    if not re.fullmatch(r"(-?[0-9]{1,9}g)?(-?[0-9]{1,9}w)?(-?[0-9]{1,9}s)?(-?[0-9]{1,9}b)?", text):
        raise _UnfitError(f"must be goods such as 2g1w, or 0, not {_shown(text)}")
    counts = {letter: int(count) for count, letter in re.findall(r"(-?[0-9]+)([gwsb])", text)}
    return Goods(*(counts.get(good[0], 0) for good in GOODS))


def _bag(text: str) -> CardBag:
    cards: list[Character] = []
    kinds: set[Character] = set()
    for word in _list_of(str)(text):
        count, name = re.fullmatch(r"([0-9]*)(.*)", word, re.DOTALL).groups()  # type: ignore[union-attr]
        kind = _member(Character)(name)
        if kind in kinds:
            raise _UnfitError(f"{kind} is there twice; write 2{kind}")
        kinds.add(kind)
        cards += [kind] * _number(range(1, MOST_CARDS + 2))(count or "1")
    if len(cards) > MOST_CARDS:
        raise _UnfitError(f"must be fewer than {MOST_CARDS + 1} cards")
    return CardBag.of(*cards)


def _sites(text: str) -> SiteSet:
    return SiteSet.of(*_list_of(_number(range(MAX_SITES)))(text))


def _rules(text: str) -> RuleSet:
    answers, *variants = text.split("+")
    rules = EDITIONS.get(answers) or _rules_in_full(answers)
    for variant in variants:
        if variant not in VARIANTS:
            raise _UnfitError(f"there is no variant {_shown(variant)}")
        rules = rules.with_variants(**{VARIANTS[variant]: True})
    return rules


def _rules_in_full(text: str) -> RuleSet:
    name, effects, opening, layout, colour = _parts(text, ":", 5, "a rule set")
    try:
        return RuleSet(
            _unescaped(name),
            _member(Effects)(effects),
            _member(Opening)(opening),
            _member(BarrelLayout)(layout),
            _member(Colour)(colour),
        )
    except ValueError:
        raise _UnfitError("an Apprentice is red or purple") from None


def _parts(text: str, separator: str, count: int, what: str) -> list[str]:
    parts = text.split(separator)
    if len(parts) != count:
        wanted = f"{count} parts with {separator} between them"
        raise _UnfitError(f"{what} has {wanted}: {_shown(text)}")
    return parts


def _unescaped(name: str) -> str:
    try:
        return unquote(name, errors="surrogatepass")
    except UnicodeDecodeError:
        raise _UnfitError(f"{_shown(name)} is no name in UTF-8") from None


def _cards(text: str) -> CardSet:
    try:
        if ":" not in text:
            return find_built_in_cards(text)
        name, barrels, buildings = _parts(text, ":", 3, "a card set")
        designs = _list_of(_building)(buildings)
        return CardSet(_unescaped(name), tuple(designs), _goods(barrels))
    except ValueError as error:
        raise _UnfitError(str(error)) from None


def _building(text: str) -> Building:
    code, character, cost, icon, points, copies = _parts(text, "/", 6, "a building")
    if not re.fullmatch(r"[A-Z][0-9]{0,3}", code) or code[1:] in {"0", "1"}:
        raise _UnfitError(f"{_shown(code)} is no code of a building")
    return Building(
        letter=code[0],
        character=_member(Character)(character),
        cost=_goods(cost),
        icon=_member(Good)(icon),
        points=_number(range(1000))(points),
        copies=_number(range(1, 1000))(copies),
        design=int(code[1:] or "1"),
    )


def _site(word: str, cards: CardSet) -> Building:
    if "/" in word:
        return _building(word)
    try:
        return cards.building(word)
    except KeyError:
        raise _UnfitError(f"the card set has no building {_shown(word)}") from None


_STEPS: Final[Mapping[str, type[Step]]] = MappingProxyType(
    {_step_name(kind): kind for kind in get_args(Step)}
)
"""The kinds of step by the names they have in a line."""


def _agenda(
    seat: Callable[[str], int], site: Callable[[str], int]
) -> Callable[[str], tuple[Step, ...]]:
    """Return a conversion to an agenda of a game with such seats and sites."""
    conversions: Mapping[str, Callable[[str], Any]] = {
        **dict.fromkeys(("seat", "player", "taker"), seat),
        "site": site,
        "plays": _number(range(1, 10)),
        **dict.fromkeys(("goods", "reduction", "price"), _goods),
        "character": _member(Character),
    }

    def step(word: str) -> Step:
        name, *parts = word.split("/")
        if name not in _STEPS:
            raise _UnfitError(f"there is no step {_shown(name)}")
        kind = _STEPS[name]
        fields = [field.name for field in attrs.fields(kind)]
        if len(parts) != len(fields):
            raise _UnfitError(f"must be written {'/'.join([name, *fields])}, not {_shown(word)}")
        values = zip(fields, parts, strict=True)
        return kind(**{field: conversions[field](part) for field, part in values})

    def agenda(text: str) -> tuple[Step, ...]:
        steps = tuple(_list_of(step)(text))
        if steps and not isinstance(steps[0], Prompt):
            raise _UnfitError("the first step must be a prompt")
        return steps

    return agenda
