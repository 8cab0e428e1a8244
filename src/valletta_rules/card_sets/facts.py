"""The facts of the rulebook that every card set must satisfy.

The values on the cards may vary, but not everything about them: the rulebook says how many
buildings and barrels there are, which characters come with them, and how many of each colour a game
needs.  A card set that contradicts one of these facts cannot be that of the game, and `validate`
reports every such contradiction at once.  What only reviews say of the printed cards is no reason
to refuse a card set: `doubts` reports it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from functools import lru_cache
from string import ascii_uppercase
from typing import Final, TypeGuard

import attrs

from valletta_rules.card_sets.codes import Misprint
from valletta_rules.components.buildings import Building
from valletta_rules.components.card_set import CardSet
from valletta_rules.components.characters import BUILDING_CHARACTERS, Character, Colour
from valletta_rules.components.display import QUOTAS
from valletta_rules.components.goods import GOODS, Good
from valletta_rules.components.names import is_name
from valletta_rules.components.values import Value
from valletta_rules.errors import Problem
from valletta_rules.text.values import plain

BUILDING_CARDS: Final = 37
"""How many building cards the game has; as many characters come with them."""

BARREL_TOKENS: Final = 25
"""How many barrel tokens the game has."""

LETTERS: Final = ascii_uppercase
"""The letters that can join a building and its character."""

BUILDING_COLOURS: Final = (Colour.GREEN, Colour.BLUE, Colour.YELLOW)
"""The colours of building cards."""

YELLOW_CHARACTERS: Final = tuple(
    each for each in BUILDING_CHARACTERS if each.colour is Colour.YELLOW
)
"""The seven yellow characters."""

YELLOW_COPIES: Final = 2
"""How often a yellow character occurs at most."""

COPIES: Final = range(1, BUILDING_CARDS + 1)
"""How many cards may bear one design."""

MOST_COST: Final = 9
"""How many goods of a kind a cost may contain; the limit only catches typing errors."""

COST: Final = range(MOST_COST + 1)
"""The numbers of goods of a kind that a cost may contain."""

DEAREST: Final = 16
"""How many goods a building may cost in all.

No rule says so.  It is twice what the dearest building of the reconstruction costs; but since
three goods may stand for any one, there are 128,439 ways to pay four goods of each kind out of
goods in plenty, and for nine of each kind there would be millions.
"""

MOST_POINTS: Final = 9
"""How many points a front may show; the limit only catches typing errors."""

POINTS: Final = range(MOST_POINTS + 1)
"""The numbers of points that a front may show."""

BARRELS: Final = range(BARREL_TOKENS + 1)
"""How many barrels may show one kind of good."""

_HUGE: Final = 10**9
"""Beyond this a number is not worth showing (and beyond 4,300 digits Python refuses to)."""

Counts = tuple[int | None, ...]
"""How many goods of each kind, in the usual order; `None` where it is not known."""


@attrs.frozen
class DesignFacts(Value):
    """What is known of one design; `None` for a value that could not be read.

    The facts are checked on entries rather than on buildings, so that a file with an unreadable
    value is still examined for everything that does not depend on it.
    """

    number: int
    """Which table of the file, or which design of the set, this is, from 1."""
    letter: str | None
    character: Character | None
    copies: int | None
    cost: Counts
    icon: Good | None
    points: int | None

    @staticmethod
    def of(number: int, building: Building) -> DesignFacts:
        """Return what is known of a building: everything."""
        face = building.letter, building.character, building.copies
        return DesignFacts(number, *face, (*building.cost,), building.icon, building.points)

    @property
    def title(self) -> str:
        """How other problems refer to this design, as in ``building 3``."""
        return f"building {self.number}"

    def problem(self, flaw: Misprint, cell: str = "", **facts: Hashable) -> Problem:
        """Return a problem of this entry, or of one of its values."""
        return self.own(flaw.at(cell, **facts))

    def own(self, problem: Problem) -> Problem:
        """Return a problem of a design as that of this one, with its number and its letter."""
        path = f"buildings[{self.number - 1}]{problem.path and '.'}{problem.path}"
        letter = (("letter", self.letter),) if is_letter(self.letter) else ()
        return attrs.evolve(problem, path=path, details=problem.details + letter)


@lru_cache(maxsize=16)
def validate(card_set: CardSet) -> tuple[Problem, ...]:
    """Return everything about a card set that contradicts the rulebook; nothing if it is sound.

    It is found once for all games and positions with these cards.

    Rules: CMP-6, CMP-7, CMP-8, CMP-9, CMP-10, CMP-11, CMP-18, CMP-23, SET-8
    """
    entries = _entries(card_set)
    return (
        *_fit_name(card_set.name),
        *_numbered_designs(card_set.buildings),
        *contradictions(entries),
        *barrel_contradictions((*card_set.barrels,)),
    )


def doubts(card_set: CardSet) -> tuple[Problem, ...]:
    """Return where a sound card set differs from what is said of the printed cards.

    No rulebook says it, so that nothing is refused for it.

    Rules: CMP-24, CMP-25, CMP-26, CMP-27
    """
    entries = _entries(card_set)
    return (
        *_costs_without_gold(entries),
        *_bankers_without_their_letter(entries),
        *_goods_without_icon(entries),
        *_goods_without_barrel(card_set),
    )


def _entries(card_set: CardSet) -> list[DesignFacts]:
    return [DesignFacts.of(number, each) for number, each in enumerate(card_set.buildings, 1)]


def contradictions(entries: Sequence[DesignFacts]) -> Iterator[Problem]:
    """Yield what contradicts the facts about buildings."""
    for check in (
        _faces,
        _costs,
        _one_character_a_letter,
        _every_character,
        _thirty_seven_buildings,
        _enough_of_each_colour,
        _yellow_at_most_twice,
        _designs_differ,
    ):
        yield from check(entries)


def barrel_contradictions(barrels: Counts) -> Iterator[Problem]:
    """Yield what contradicts the facts about barrels: there are 25 tokens.

    Rules: CMP-18
    """
    for good, count in zip(GOODS, barrels, strict=True):
        if count is not None and not is_whole(count, BARRELS):
            yield Misprint.BARREL.at(f"barrels.{good}", **limits(count, BARRELS))
    known = [count for count in barrels if is_whole(count, BARRELS)]
    if len(known) == len(GOODS) and sum(known) != BARREL_TOKENS:
        yield Misprint.BARRELS.at("barrels", right=BARREL_TOKENS, found=sum(known))


def is_letter(letter: str | None) -> bool:
    """Tell whether this is one capital letter, A to Z."""
    return letter is not None and len(letter) == 1 and letter in LETTERS


def is_whole(value: object, allowed: range) -> TypeGuard[int]:
    """Tell whether a value is a whole number of the range (true and false are none)."""
    return type(value) is int and value in allowed


def limits(value: object, allowed: range) -> dict[str, Hashable]:
    """Return the facts of a value that is not the whole number it should be."""
    return {"least": allowed[0], "most": allowed[-1], "found": shown(value)}


def shown(value: object) -> str:
    """Write a value as it would stand in a file, on one line, cut short and fit for a terminal."""
    match value:
        case bool():
            return str(value).lower()
        case int():
            return str(value) if abs(value) < _HUGE else "a huge number"
        case str():
            return f'"{plain(value)}"'
        case dict():
            return "a table"
        case list():
            return "a list"
        case _:
            return str(value)


def _fit_name(name: str) -> Iterator[Problem]:
    """Yield a name that would not fit on a line."""
    if not is_name(name):
        yield Misprint.NAME.at("name")


def _numbered_designs(buildings: Iterable[Building]) -> Iterator[Problem]:
    """Yield designs that are not numbered from 1 within their letter."""
    designs = Counter[str]()
    for number, building in enumerate(buildings, 1):
        designs[building.letter] += 1
        right = designs[building.letter]
        if building.design != right:
            entry = DesignFacts.of(number, building)
            yield entry.problem(Misprint.DESIGN, "design", right=right, found=building.design)


def _faces(entries: Iterable[DesignFacts]) -> Iterator[Problem]:
    """Yield values out of their range: letter, copies and points.

    Rules: CMP-9, CMP-10, CMP-11
    """
    for entry in entries:
        if entry.letter is not None and not is_letter(entry.letter):
            yield entry.problem(Misprint.LETTER, "letter", found=shown(entry.letter))
        if entry.copies is not None and not is_whole(entry.copies, COPIES):
            yield entry.problem(Misprint.COPIES, "copies", **limits(entry.copies, COPIES))
        if entry.points is not None and not is_whole(entry.points, POINTS):
            yield entry.problem(Misprint.POINTS, "points", **limits(entry.points, POINTS))


def _costs(entries: Iterable[DesignFacts]) -> Iterator[Problem]:
    """Yield costs with too many goods of a kind, or with too many in all.

    Rules: CMP-11
    """
    for entry in entries:
        for good, count in zip(GOODS, entry.cost, strict=True):
            if count is not None and not is_whole(count, COST):
                yield entry.problem(Misprint.COST, f"cost.{good}", **limits(count, COST))
        total = sum(count for count in entry.cost if is_whole(count, COST))
        if total > DEAREST:
            yield entry.problem(Misprint.TOO_DEAR, "cost", most=DEAREST, found=total)


def _one_character_a_letter(entries: Iterable[DesignFacts]) -> Iterator[Problem]:
    """Yield letters of two characters, and characters of two letters.

    Rules: CMP-9
    """
    by_letter: dict[str, DesignFacts] = {}
    by_character: dict[Character, DesignFacts] = {}
    for entry in entries:
        if entry.letter is None or entry.character is None:
            continue
        first = by_letter.setdefault(entry.letter, entry)
        if first.character is not None and first.character is not entry.character:
            facts = {"character": first.character, "building": first.title}
            yield entry.problem(Misprint.LETTER_OF_ANOTHER, "letter", **facts)
        first = by_character.setdefault(entry.character, entry)
        if first.letter != entry.letter:
            yield entry.problem(Misprint.OTHER_LETTER, "character", building=first.title)


def _every_character(entries: Sequence[DesignFacts]) -> Iterator[Problem]:
    """Yield buildings whose character comes with none, and characters without a building.

    Rules: CMP-6
    """
    for entry in entries:
        if entry.character is not None and entry.character not in BUILDING_CHARACTERS:
            yield entry.problem(Misprint.STARTING_CARD, "character", character=entry.character)
    present = {entry.character for entry in entries}
    if None not in present:
        missing = [each.value for each in BUILDING_CHARACTERS if each not in present]
        if missing:
            yield Misprint.NO_BUILDING.at("buildings", characters=", ".join(missing))


def _thirty_seven_buildings(entries: Iterable[DesignFacts]) -> Iterator[Problem]:
    """Yield a number of building cards, and so of their characters, other than 37.

    Rules: CMP-7, CMP-8
    """
    copies = [entry.copies for entry in entries]
    known = [count for count in copies if is_whole(count, COPIES)]
    if len(known) == len(copies) and sum(known) != BUILDING_CARDS:
        yield Misprint.BUILDINGS.at("buildings", right=BUILDING_CARDS, found=sum(known))


def _enough_of_each_colour(entries: Sequence[DesignFacts]) -> Iterator[Problem]:
    """Yield colours of which there are fewer cards than the display needs for four players.

    Rules: SET-8
    """
    if any(entry.character is None for entry in entries):
        return
    for colour in BUILDING_COLOURS:
        copies = [entry.copies for entry in _of_colour(entries, colour)]
        known = [count for count in copies if is_whole(count, COPIES)]
        needed, players = max((quota[colour], players) for players, quota in QUOTAS.items())
        if len(known) == len(copies) and sum(known) < needed:
            facts = {"colour": colour, "least": needed, "found": sum(known)}
            yield Misprint.COLOUR.at("buildings", players=players, **facts)


def _yellow_at_most_twice(entries: Iterable[DesignFacts]) -> Iterator[Problem]:
    """Yield yellow characters that occur more than twice, and that all of them occur twice.

    Some yellow characters occur twice, not all of them.  That some do follows from the eight
    yellow cards that four players need.

    Rules: CMP-23
    """
    copies: dict[Character | None, int] = Counter()
    last: dict[Character | None, DesignFacts] = {}
    for entry in _of_colour(entries, Colour.YELLOW):
        copies[entry.character] += entry.copies if is_whole(entry.copies, COPIES) else 0
        last[entry.character] = entry
    for character, entry in last.items():
        if copies[character] > YELLOW_COPIES:
            yield entry.problem(Misprint.YELLOW_COPIES, "copies", found=copies[character])
    if all(copies[each] >= YELLOW_COPIES for each in YELLOW_CHARACTERS):
        yield Misprint.YELLOW_TWICE.at("buildings")


def _designs_differ(entries: Iterable[DesignFacts]) -> Iterator[Problem]:
    """Yield designs that repeat another: cards that look alike are copies of one design.

    Rules: CMP-10
    """
    alike: dict[tuple[object, ...], list[DesignFacts]] = defaultdict(list)
    for entry in entries:
        face = (entry.letter, entry.character, *entry.cost, entry.icon, entry.points)
        if None not in face:
            alike[face].append(entry)
    for first, *others in alike.values():
        for entry in others:
            yield entry.problem(Misprint.REPEATED, building=first.title)


def _costs_without_gold(entries: Iterable[DesignFacts]) -> Iterator[Problem]:
    """Yield costs without gold.

    Rules: CMP-24
    """
    for entry in entries:
        if not entry.cost[0]:
            yield entry.problem(Misprint.NO_GOLD, "cost")


def _bankers_without_their_letter(entries: Iterable[DesignFacts]) -> Iterator[Problem]:
    """Yield Bankers with a letter other than A.

    Rules: CMP-26
    """
    for entry in entries:
        if entry.character is Character.BANKER and entry.letter != "A":
            yield entry.problem(Misprint.BANKER, "letter")


def _goods_without_icon(entries: Iterable[DesignFacts]) -> Iterator[Problem]:
    """Yield goods that no building shows as its icon.

    Rules: CMP-25
    """
    shown = {entry.icon for entry in entries}
    if missing := [good.value for good in GOODS if good not in shown]:
        yield Misprint.NO_ICON.at("buildings", goods=" or ".join(missing))


def _goods_without_barrel(card_set: CardSet) -> Iterator[Problem]:
    """Yield goods that no barrel shows.

    Rules: CMP-27
    """
    if missing := [good.value for good in GOODS if not card_set.barrels[good]]:
        yield Misprint.NO_BARREL.at("barrels", goods=" or ".join(missing))


def _of_colour(entries: Iterable[DesignFacts], colour: Colour) -> Iterator[DesignFacts]:
    """Yield the entries of a colour, as far as their characters are known."""
    for entry in entries:
        if entry.character is not None and entry.character.colour is colour:
            yield entry
