"""The facts of the rulebook that every card set must satisfy.

The values on the cards may vary, but not everything about them: the rulebook says how many
buildings and barrels there are, which characters come with them, and how many of each colour a game
needs.  A card set that contradicts one of these facts cannot be that of the game, and `validate`
reports every such contradiction at once.  What only reviews say of the printed cards is no reason
to refuse a card set: `doubts` reports it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from functools import lru_cache
from typing import Final

import attrs

from valletta_rules.card_sets.misprint import Misprint
from valletta_rules.components.buildings import Building
from valletta_rules.components.card_set import CardSet
from valletta_rules.components.characters import BUILDING_CHARACTERS, Character, Colour
from valletta_rules.components.display import QUOTAS
from valletta_rules.components.goods import GOODS, Goods
from valletta_rules.components.names import is_name
from valletta_rules.errors import Problem
from valletta_rules.text.values import plain

BUILDING_CARDS: Final = 37
"""How many building cards the game has; as many characters come with them."""

BARREL_TOKENS: Final = 25
"""How many barrel tokens the game has."""

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


@lru_cache(maxsize=16)
def validate(card_set: CardSet) -> tuple[Problem, ...]:
    """Return everything about a card set that contradicts the rulebook; nothing if it is sound.

    It is found once for all games and positions with these cards.

    Rules: CMP-6, CMP-7, CMP-8, CMP-9, CMP-10, CMP-11, CMP-18, CMP-23, SET-8
    """
    return (
        *_fit_name(card_set.name),
        *_numbered_designs(card_set.buildings),
        *contradictions(card_set.buildings),
        *barrel_contradictions(card_set.barrels),
    )


def doubts(card_set: CardSet) -> tuple[Problem, ...]:
    """Return where a sound card set differs from what is said of the printed cards.

    No rulebook says it, so that nothing is refused for it.

    Rules: CMP-24, CMP-25, CMP-26, CMP-27
    """
    return (*_doubtful_buildings(card_set.buildings), *_missing_goods(card_set))


def contradictions(buildings: Sequence[Building]) -> Iterator[Problem]:
    """Yield what contradicts the facts about buildings."""
    for check in (
        _values_out_of_range,
        _one_character_a_letter,
        _every_character,
        _thirty_seven_buildings,
        _enough_of_each_colour,
        _yellow_at_most_twice,
        _designs_differ,
    ):
        yield from check(buildings)


def barrel_contradictions(barrels: Goods) -> Iterator[Problem]:
    """Yield what contradicts the facts about barrels: there are 25 tokens.

    Rules: CMP-18
    """
    wrong = [good for good in GOODS if barrels[good] not in BARRELS]
    for good in wrong:
        yield Misprint.BARREL.at(f"barrels.{good}", **limits(barrels[good], BARRELS))
    if not wrong and barrels.total != BARREL_TOKENS:
        yield Misprint.BARRELS.at("barrels", right=BARREL_TOKENS, found=barrels.total)


def limits(value: object, allowed: range) -> dict[str, Hashable]:
    """Return the facts of a value that is not the whole number it should be."""
    return {"least": allowed[0], "most": allowed[-1], "found": as_written(value)}


def of_building(at: int, letter: str | None, problem: Problem) -> Problem:
    """Return a problem of a building as that of the one at a place, with its letter if known."""
    path = f"buildings[{at}]{problem.path and '.'}{problem.path}"
    known = () if letter is None else (("letter", letter),)
    return attrs.evolve(problem, path=path, details=problem.details + known)


def as_written(value: object) -> str:
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


def _title(at: int) -> str:
    """Return how other problems refer to a building."""
    return f"building {at + 1}"


def _numbered_designs(buildings: Sequence[Building]) -> Iterator[Problem]:
    """Yield designs that are not numbered from 1 within their letter."""
    designs = Counter[str]()
    for at, each in enumerate(buildings):
        designs[each.letter] += 1
        if each.design != (right := designs[each.letter]):
            problem = Misprint.DESIGN.at("design", right=right, found=each.design)
            yield of_building(at, each.letter, problem)


def _values_out_of_range(buildings: Sequence[Building]) -> Iterator[Problem]:
    """Yield numbers of copies, points and goods that are too large, and costs of too many goods.

    Rules: CMP-10, CMP-11
    """
    for at, each in enumerate(buildings):
        values = [
            (Misprint.COPIES, "copies", each.copies, COPIES),
            (Misprint.POINTS, "points", each.points, POINTS),
            *((Misprint.COST, f"cost.{good}", each.cost[good], COST) for good in GOODS),
        ]
        for flaw, cell, value, allowed in values:
            if value not in allowed:
                yield of_building(at, each.letter, flaw.at(cell, **limits(value, allowed)))
        if each.cost.total > DEAREST and max(each.cost) in COST:
            problem = Misprint.TOO_DEAR.at("cost", most=DEAREST, found=each.cost.total)
            yield of_building(at, each.letter, problem)


def _one_character_a_letter(buildings: Sequence[Building]) -> Iterator[Problem]:
    """Yield letters of two characters, and characters of two letters.

    Rules: CMP-9
    """
    letters = [each.letter for each in buildings]
    characters = [each.character for each in buildings]
    for at, each in enumerate(buildings):
        first = letters.index(each.letter)
        if characters[first] is not each.character:
            facts = {"character": characters[first], "building": _title(first)}
            problem = Misprint.LETTER_OF_ANOTHER.at("letter", **facts)
            yield of_building(at, each.letter, problem)
        first = characters.index(each.character)
        if letters[first] != each.letter:
            problem = Misprint.OTHER_LETTER.at("character", building=_title(first))
            yield of_building(at, each.letter, problem)


def _every_character(buildings: Sequence[Building]) -> Iterator[Problem]:
    """Yield buildings whose character comes with none, and characters without a building.

    Rules: CMP-6
    """
    for at, each in enumerate(buildings):
        if each.character not in BUILDING_CHARACTERS:
            problem = Misprint.STARTING_CARD.at("character", character=each.character)
            yield of_building(at, each.letter, problem)
    present = {each.character for each in buildings}
    missing = [each.value for each in BUILDING_CHARACTERS if each not in present]
    if missing:
        yield Misprint.NO_BUILDING.at("buildings", characters=", ".join(missing))


def _thirty_seven_buildings(buildings: Sequence[Building]) -> Iterator[Problem]:
    """Yield a number of building cards, and so of their characters, other than 37.

    Rules: CMP-7, CMP-8
    """
    found = sum(each.copies for each in buildings)
    if found != BUILDING_CARDS:
        yield Misprint.BUILDINGS.at("buildings", right=BUILDING_CARDS, found=found)


def _enough_of_each_colour(buildings: Sequence[Building]) -> Iterator[Problem]:
    """Yield colours of which there are fewer cards than the display needs for four players.

    Rules: SET-8
    """
    for colour in BUILDING_COLOURS:
        found = sum(each.copies for each in buildings if each.colour is colour)
        needed, players = max((quota[colour], players) for players, quota in QUOTAS.items())
        if found < needed:
            facts = {"colour": colour, "least": needed, "found": found}
            yield Misprint.COLOUR.at("buildings", players=players, **facts)


def _yellow_at_most_twice(buildings: Sequence[Building]) -> Iterator[Problem]:
    """Yield yellow characters that occur more than twice, and that all of them occur twice.

    Some yellow characters occur twice, not all of them.  That some do follows from the eight
    yellow cards that four players need.

    Rules: CMP-23
    """
    copies, last = Counter[Character](), dict[Character, int]()
    for at, each in enumerate(buildings):
        if each.colour is Colour.YELLOW:
            copies[each.character] += each.copies
            last[each.character] = at
    for character, at in last.items():
        if copies[character] > YELLOW_COPIES:
            problem = Misprint.YELLOW_COPIES.at("copies", found=copies[character])
            yield of_building(at, buildings[at].letter, problem)
    if all(copies[each] >= YELLOW_COPIES for each in YELLOW_CHARACTERS):
        yield Misprint.YELLOW_TWICE.at("buildings")


def _designs_differ(buildings: Sequence[Building]) -> Iterator[Problem]:
    """Yield designs that repeat another: cards that look alike are copies of one design.

    Rules: CMP-10
    """
    faces = [(each.letter, each.character, each.cost, each.icon, each.points) for each in buildings]
    for at, face in enumerate(faces):
        if (first := faces.index(face)) < at:
            problem = Misprint.REPEATED.at("", building=_title(first))
            yield of_building(at, buildings[at].letter, problem)


def _doubtful_buildings(buildings: Sequence[Building]) -> Iterator[Problem]:
    """Yield costs without gold, and Bankers with a letter other than A.

    Rules: CMP-24, CMP-26
    """
    for at, each in enumerate(buildings):
        if not each.cost.gold:
            yield of_building(at, each.letter, Misprint.NO_GOLD.at("cost"))
        if each.character is Character.BANKER and each.letter != "A":
            yield of_building(at, each.letter, Misprint.BANKER.at("letter"))


def _missing_goods(card_set: CardSet) -> Iterator[Problem]:
    """Yield goods that no building shows as its icon, and goods that no barrel shows.

    Rules: CMP-25, CMP-27
    """
    icons = {each.icon for each in card_set.buildings}
    if missing := [good.value for good in GOODS if good not in icons]:
        yield Misprint.NO_ICON.at("buildings", goods=" or ".join(missing))
    if missing := [good.value for good in GOODS if not card_set.barrels[good]]:
        yield Misprint.NO_BARREL.at("barrels", goods=" or ".join(missing))
