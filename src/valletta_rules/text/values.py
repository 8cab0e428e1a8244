"""Values as short texts: one grammar for position lines, records, card sets and the command line.

============== ======================================================================
Value          Text
============== ======================================================================
goods          ``2g1w`` or ``2g 1w``; none: ``0``
cards          ``2builder,maid``; none: ``-``
sites          ``3,7``; none: ``-``
a building     code, character, cost, icon, points, copies: ``A2/banker/2g1w/gold/1/3``
a rule set     ``z-man+fewer-barrels``, ``Our%20house:effects=optional+start-player``
a card set     name, barrels, buildings: ``Mine:7g6w6s6b:A/banker/...,B/...``
============== ======================================================================

The grammar is language-neutral: characters, goods, editions and answers to rulings have the names
used in the code. Writing and reading a value is a lossless round trip. Any other text raises
`UnfitError`, whose message is safe to show for any text.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from difflib import get_close_matches
from enum import StrEnum
from functools import lru_cache
from types import MappingProxyType
from typing import Final, Self, TypeVar, get_args
from urllib.parse import quote, unquote

import attrs

from valletta_rules import rulings
from valletta_rules.components.bags import MOST_CARDS, CardBag
from valletta_rules.components.buildings import Building, BuildingCode
from valletta_rules.components.card_set import CardSet
from valletta_rules.components.characters import CHARACTERS, Character
from valletta_rules.components.display import MAX_SITES, SiteSet
from valletta_rules.components.goods import GOODS, Good, Goods
from valletta_rules.components.names import abbreviated, is_name
from valletta_rules.errors import Flaw, Problem, VallettaError
from valletta_rules.text.misspelling import Misspelling

SEATS: Final = ("red", "blue", "green", "yellow")
"""The names of the seats in texts, in order: the colours of their houses."""

LARGEST: Final = 10**15 - 1
"""The largest absolute value of a number in a text."""

ANY_NUMBER: Final = range(-LARGEST, LARGEST + 1)
"""The range of all numbers that can be written."""

NONE: Final = "-"
"""The text for an empty list."""

T = TypeVar("T")
D = TypeVar("D")


@attrs.define(slots=False)
class UnfitError(VallettaError, ValueError):
    """A text does not have the expected form."""

    reason: str
    """A description of the problem, to be shown after a path and a colon."""
    suggestion: str | None = None
    """The valid word that was probably meant, if there is one."""
    line: int | None = None
    """The number of the faulty line, from 1, if the text is from a file."""
    key: str = ""
    """The key of the faulty entry. Empty if the problem is not in an entry."""
    known: tuple[str, ...] = ()
    """All valid words, if there are only a few and there is no suggestion."""
    problem: Problem | None = None
    """The problem as a code with parameters, for translations; `None` if it has no code."""

    @classmethod
    def of(cls, flaw: Flaw, suggestion: str | None = None, /, **facts: Hashable) -> Self:
        """Return an error of the kind `flaw`. `suggestion` is the word that was probably meant."""
        problem = flaw.at("", **facts)
        return cls(problem.message, suggestion, problem=problem)

    @property
    def message(self) -> str:
        """The problem, followed by the suggestion or the possible words, but without the key."""
        meant = f"; did you mean {self.suggestion}?" if self.suggestion else ""
        known = f"; there are {', '.join(self.known)}" if self.known else ""
        return f"{self.reason}{known}{meant}"

    def __str__(self) -> str:
        """Return the key, the problem, and the suggestion or the possible words."""
        return f"{self.key}: {self.message}" if self.key else self.message


# Words


def plain(text: str, most: int = 40) -> str:
    """Make an untrusted text safe for use in messages.

    The text is cut off after `most` characters. Characters that are not printable are escaped, for
    example control characters, line breaks and marks that change the direction of writing.
    """
    cut = text if len(text) <= most else f"{text[:most]}..."
    return "".join(each if each.isprintable() else repr(each)[1:-1] for each in cut)


def quoted(text: str) -> str:
    """Put an untrusted text in quotation marks and make it safe for use in messages."""
    return f"'{plain(text)}'"


def nearest(word: str, known: Iterable[str], likeness: float = 0.6) -> str | None:
    """Return the known word that is most similar to `word`, or `None`.

    Its similarity (0 to 1) is at least `likeness`.
    """
    return next(iter(get_close_matches(word.lower(), known, 1, likeness)), None)


def unfit_word(word: str, known: Collection[str], flaw: Flaw, **facts: Hashable) -> UnfitError:
    """Return an error for an invalid name, with the nearest valid name or a list of all names."""
    meant = nearest(word, known)
    unfit = UnfitError.of(flaw, meant, word=plain(word), **facts)
    return unfit if meant or len(known) > LISTED else attrs.evolve(unfit, known=tuple(known))


def named(word: str, known: Mapping[str, T], flaw: Flaw, **facts: Hashable) -> T:
    """Return the value for the name `word` in the mapping `known`, ignoring case.

    For a name that is not in `known`, raises the error from `unfit_word`. `flaw` and `facts`
    describe the problem.
    """
    if word.lower() not in known:
        raise unfit_word(word, known, flaw, **facts)
    return known[word.lower()]


LISTED: Final = 10
"""The maximum number of valid names in the message for an invalid name."""


E = TypeVar("E", bound=StrEnum)


def by_value(members: Iterable[E]) -> Mapping[str, E]:
    """Return a mapping from the values of an enumeration's members to the members."""
    return MappingProxyType({member.value: member for member in members})


_CHARACTERS: Final = by_value(CHARACTERS)
_GOODS: Final = by_value(GOODS)


_MEANT: Final = MappingProxyType(
    {
        name.lower(): each.value
        for each in CHARACTERS
        for name in (each.value, each.english, each.german)
    }
)


def read_character(text: str) -> Character:
    """Return the character with a name in the form used in code, such as ``stone_sculptor``.

    Raises `UnfitError` for any other text. For an English or German name, the error suggests the
    right one.
    """
    if text.lower() in _CHARACTERS:
        return _CHARACTERS[text.lower()]
    meant = _MEANT.get(nearest(text, _MEANT) or "")
    raise UnfitError.of(Misspelling.NO_CHARACTER, meant, word=plain(text))


def read_good(text: str) -> Good:
    """Return the good with a name in the form used in code, such as ``wood``.

    Raises `UnfitError` for any other text.
    """
    return named(text, _GOODS, Misspelling.NO_GOOD)


# Numbers and lists


def read_number(text: str, allowed: range = ANY_NUMBER) -> int:
    """Parse an integer in a range. Raise `UnfitError` for any other text."""
    if not re.fullmatch(r"-?[0-9]{1,15}", text) or int(text) not in allowed:
        is_open = allowed.stop > LARGEST and not re.fullmatch(r"[0-9]{16,}", text)
        flaw = Misspelling.NOT_UPWARDS if is_open else Misspelling.NOT_A_NUMBER
        least, most = allowed.start, allowed.stop - 1
        raise UnfitError.of(flaw, least=least, most=most, word=plain(text))
    return int(text)


def write_list(words: Iterable[str]) -> str:
    """Return a list of words separated by commas, or `NONE` for an empty list."""
    return ",".join(words) or NONE


def read_list(text: str, read: Callable[[str], T]) -> tuple[T, ...]:
    """Parse a list of words separated by commas. `read` converts each item."""
    return () if text == NONE else tuple(read(word) for word in text.split(","))


def _parts(text: str, separator: str, *names: str) -> list[str]:
    """Split a text at separators. `names` are the names of the expected parts."""
    parts = text.split(separator)
    if len(parts) != len(names):
        form = separator.join(names)
        raise UnfitError.of(Misspelling.NOT_IN_PARTS, form=form, word=plain(text))
    return parts


@attrs.frozen
class Entries:
    """The entries of a text, as keys and values. Each entry is removed when it is parsed."""

    left: dict[str, str]
    """The entries that have not been removed yet."""

    def take(self, key: str, read: Callable[[str], T]) -> T:
        """Remove an entry and return its parsed value.

        Raise `UnfitError` if the entry is missing.
        """
        if key not in self.left:
            raise attrs.evolve(UnfitError.of(Misspelling.ENTRY_MISSING), key=key)
        try:
            return read(self.left.pop(key))
        except UnfitError as unfit:
            raise attrs.evolve(unfit, key=key) from unfit.__cause__

    def take_or(self, key: str, read: Callable[[str], T], default: D) -> T | D:
        """Remove an entry and return its parsed value, or the default if the entry is missing."""
        return self.take(key, read) if key in self.left else default

    def done(self) -> None:
        """Raise `UnfitError` if there are entries that have not been removed."""
        for key in self.left:
            raise attrs.evolve(UnfitError.of(Misspelling.ENTRY_UNKNOWN), key=key)


# Goods, cards, sites


def write_goods(goods: Goods, between: str = "") -> str:
    """Return the text of goods: each count followed by the initial of the good."""
    counts = zip(GOODS, goods, strict=True)
    return between.join(f"{count}{good[0]}" for good, count in counts if count) or "0"


_ITEM: Final = r"(?:(-?[0-9]{1,15})\s*)?([gwsb])[\s+]*"


def read_goods(text: str) -> Goods:
    """Parse goods: counts and initials in any order, with or without spaces.

    An initial without a count means one good; ``0`` and ``-`` mean no goods. Raises `UnfitError`
    for any other text.
    """
    if not re.fullmatch(f"0|{NONE}|(?:{_ITEM})+", text):
        raise UnfitError.of(Misspelling.NOT_GOODS, word=plain(text))
    counts = Counter[str]()
    for count, initial in re.findall(_ITEM, text):
        counts[initial] = read_number(str(counts[initial] + int(count or 1)))
    return Goods(*(counts[good[0]] for good in GOODS))


@lru_cache(maxsize=1024)
def write_bag(bag: CardBag) -> str:
    """Return the text of cards: each character, preceded by its count unless the count is 1."""
    return write_list([kind if count == 1 else f"{count}{kind}" for kind, count in bag.items()])


@lru_cache(maxsize=256)
def read_bag(text: str) -> CardBag:
    """Parse a list of cards. Raise `UnfitError` for an invalid text or too many cards."""
    cards = Counter[Character]()
    for word in read_list(text, str):
        name = word.lstrip("0123456789")
        kind = read_character(name)
        if kind in cards:
            raise UnfitError.of(Misspelling.KIND_TWICE, kind=kind.value)
        cards[kind] = read_number(word.removesuffix(name) or "1", range(1, MOST_CARDS + 1))
    if cards.total() > MOST_CARDS:
        raise UnfitError.of(Misspelling.TOO_MANY_IN_ALL, most=MOST_CARDS)
    return CardBag.of(*cards.elements())


@lru_cache(maxsize=1024)
def write_sites(sites: SiteSet) -> str:
    """Return the text of a set of sites: their numbers, separated by commas."""
    return write_list(map(str, sites))


def read_sites(text: str) -> SiteSet:
    """Parse a list of sites. Raise `UnfitError` for any other text."""
    return SiteSet.of(*read_list(text, lambda word: read_number(word, range(MAX_SITES))))


# Buildings and card sets

_CODE: Final[str] = get_args(BuildingCode)[1].form


def write_building(building: Building) -> str:
    """Return the text of a building design, with all its values."""
    cost, icon = write_goods(building.cost), building.icon.value
    parts = (building.code, building.character.value, cost, icon, building.points, building.copies)
    return "/".join(map(str, parts))


def read_building(text: str) -> Building:
    """Parse a building. Raise `UnfitError` for any other text."""
    names = ("code", "character", "cost", "icon", "points", "copies")
    code, character, cost, icon, points, copies = _parts(text, "/", *names)
    if not re.fullmatch(_CODE, code):
        raise UnfitError.of(Misspelling.NO_CODE, word=plain(code))
    return Building(
        letter=code[0],
        character=read_character(character),
        cost=read_goods(cost),
        icon=read_good(icon),
        points=read_number(points, range(LARGEST + 1)),
        copies=read_number(copies, range(1, LARGEST + 1)),
        design=int(code[1:] or 1),
    )


def write_cards(cards: CardSet) -> str:
    """Return the text of a card set, with all its values."""
    buildings = write_list(map(write_building, cards.buildings))
    return f"{escaped(cards.name)}:{write_goods(cards.barrels)}:{buildings}"


def read_cards(text: str) -> CardSet:
    """Parse the text of a card set with all its values. Raise `UnfitError` for any other text.

    The card set is not validated.
    """
    name, barrels, buildings = _parts(text, ":", "name", "barrels", "buildings")
    designs = read_list(buildings, read_building)
    codes = Counter(design.code for design in designs)
    if twice := ", ".join(sorted(code for code, count in codes.items() if count > 1)):
        raise UnfitError.of(Misspelling.SAME_CODES, codes=twice)
    return CardSet(_unescaped(name), designs, read_goods(barrels))


def escaped(name: str) -> str:
    """Return a name with all special characters percent-encoded."""
    return quote(name, safe="", errors="surrogatepass")


def _unescaped(name: str) -> str:
    try:
        return unquote(name, errors="surrogatepass")
    except UnicodeDecodeError:
        raise UnfitError.of(Misspelling.NAME_NOT_UTF8, word=plain(name)) from None


# Rule sets

QUESTIONS: Final[Mapping[str, Mapping[str, StrEnum]]] = MappingProxyType(
    {
        "effects": by_value(rulings.Effects),
        "opening": by_value(rulings.Opening),
        "barrel_layout": by_value(rulings.BarrelLayout),
        "apprentice_colour": by_value(rulings.APPRENTICE_COLOURS),
    }
)
"""The fields of `RuleSet` that answer a ruling, each with its possible values, keyed by name."""


def write_rules(rules: rulings.RuleSet) -> str:
    """Return the text of a rule set: edition (or name and answers to rulings), and variants."""
    answers = [f"{question}={getattr(rules, question).value}" for question in QUESTIONS]
    in_full = ":".join([escaped(rules.name), *answers])
    return "+".join([rulings.edition_of(rules) or in_full, *rulings.variants_of(rules)])


def read_rules(text: str) -> rulings.RuleSet:
    """Parse a rule set that `write_rules` has written.

    Raise `UnfitError` for any other text. If there is no answer to a ruling,
    that of the default edition is used.
    """
    answers, *variants = text.split("+")
    if ":" in answers:
        rules = _answered(answers)
    else:
        rules = named(answers, rulings.EDITIONS, Misspelling.NO_EDITION)
    on = {named(each, rulings.VARIANTS, Misspelling.NO_VARIANT): True for each in variants}
    return rules.with_variants(**on)


def _answered(text: str) -> rulings.RuleSet:
    name, *given = text.split(":")
    answers = dict[str, StrEnum]()
    for part in given:
        question, _, answer = part.partition("=")
        known = named(question, QUESTIONS, Misspelling.NO_QUESTION)
        answers[question.lower()] = named(answer, known, Misspelling.NO_ANSWER, question=question)
    own_name = _unescaped(name)
    if not is_name(own_name):
        raise UnfitError.of(Misspelling.UNFIT_NAME, found=abbreviated(own_name))
    return rulings.RuleSet(own_name, **answers)  # type: ignore[arg-type]
