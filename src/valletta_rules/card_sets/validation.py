"""The requirements of the rulebook for card sets.

The values on the cards may vary, but the rulebook states the number of buildings and barrels, the
characters of the buildings, and the number of cards of each colour that a game needs. `validate`
reports all contradictions between a card set and the rulebook.

Reviews of the game report further properties of the printed cards. A card set without these
properties is still valid, but `doubts` reports which of them are missing.
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
"""The number of building cards in the game. Each of them comes with one character card."""

BARREL_TOKENS: Final = 25
"""The number of barrel tokens of the game."""

BUILDING_COLOURS: Final = (Colour.GREEN, Colour.BLUE, Colour.YELLOW)
"""The colours of building cards."""

YELLOW_CHARACTERS: Final = tuple(
    each for each in BUILDING_CHARACTERS if each.colour is Colour.YELLOW
)
"""The seven yellow characters."""

YELLOW_COPIES: Final = 2
"""The maximum number of cards of a yellow character."""

COPIES: Final = range(1, BUILDING_CARDS + 1)
"""The limits for the number of cards of one design."""

MOST_COST: Final = 9
"""The maximum number of goods of a kind in a cost. This limit only serves to catch typing
errors.
"""

COST: Final = range(MOST_COST + 1)
"""The limits for the number of goods of a kind in a cost."""

DEAREST: Final = 16
"""The maximum number of goods in the cost of a building, which bounds the number of possible
payments. The rulebook has no maximum. This value is twice the highest cost in the reconstruction.
Since three goods can replace any good, a player with enough goods has 128,439 ways to pay four
goods of each kind, and millions of ways to pay nine of each.
"""

MOST_POINTS: Final = 9
"""The maximum number of points on the front of a card. This limit only serves to catch typing
errors.
"""

POINTS: Final = range(MOST_POINTS + 1)
"""The limits for the number of points on the front of a card."""

BARRELS: Final = range(BARREL_TOKENS + 1)
"""The limits for the number of barrels that show a kind of good."""

_HUGE: Final = 10**9
"""The smallest number that messages describe in words.  By default, Python refuses to convert
integers of more than 4,300 digits to text.
"""


@lru_cache(maxsize=16)
def validate(card_set: CardSet) -> tuple[Problem, ...]:
    """Return all contradictions between a card set and the rulebook; none if it is valid.

    The result is cached for all games and positions with equal card sets.

    Rules: CMP-6, CMP-7, CMP-8, CMP-9, CMP-10, CMP-11, CMP-18, CMP-23, SET-8
    """
    return (
        *_fit_name(card_set.name),
        *_numbered_designs(card_set.buildings),
        *contradictions(card_set.buildings),
        *barrel_contradictions(card_set.barrels),
    )


def doubts(card_set: CardSet) -> tuple[Problem, ...]:
    """Return all contradictions between a valid card set and reviews of the printed game.

    They concern properties that the rulebooks do not state, so the card set remains valid.

    Rules: CMP-24, CMP-25, CMP-26, CMP-27
    """
    return (*_doubtful_buildings(card_set.buildings), *_missing_goods(card_set))


def contradictions(buildings: Sequence[Building]) -> Iterator[Problem]:
    """Yield all contradictions between buildings and the rulebook."""
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
    """Yield all contradictions between barrels and the rulebook, which specifies 25 tokens.

    Rules: CMP-18
    """
    wrong = [good for good in GOODS if barrels[good] not in BARRELS]
    for good in wrong:
        yield Misprint.BARREL.at(f"barrels.{good}", **limits(barrels[good], BARRELS))
    if not wrong and barrels.total != BARREL_TOKENS:
        yield Misprint.BARRELS.at("barrels", right=BARREL_TOKENS, found=barrels.total)


def limits(value: object, allowed: range) -> dict[str, Hashable]:
    """Return the parameters of the message for a value that is not an integer in a range."""
    return {"least": allowed[0], "most": allowed[-1], "found": as_written(value)}


def of_building(at: int, letter: str | None, problem: Problem) -> Problem:
    """Return a problem of a building with the full path and, if known, the building's letter."""
    path = f"buildings[{at}]{problem.path and '.'}{problem.path}"
    known = () if letter is None else (("letter", letter),)
    return attrs.evolve(problem, path=path, details=problem.details + known)


def as_written(value: object) -> str:
    """Return a value as text for a message, shortened and without control characters."""
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
    """Yield a problem if the name of the card set is invalid."""
    if not is_name(name):
        yield Misprint.NAME.at("name")


def _title(at: int) -> str:
    """Return the name of a building for messages about other buildings."""
    return f"building {at + 1}"


def _numbered_designs(buildings: Sequence[Building]) -> Iterator[Problem]:
    """Yield a problem for each design with a wrong number; a letter has designs 1, 2 and so on."""
    designs = Counter[str]()
    for at, each in enumerate(buildings):
        designs[each.letter] += 1
        if each.design != (right := designs[each.letter]):
            problem = Misprint.DESIGN.at("design", right=right, found=each.design)
            yield of_building(at, each.letter, problem)


def _values_out_of_range(buildings: Sequence[Building]) -> Iterator[Problem]:
    """Yield a problem for each cost, and each number of copies, points or goods, beyond its limit.

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
    """Yield a problem for each letter with two characters and each character with two letters.

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
    """Yield a problem for each building with a starting character, and for missing characters.

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
    """Yield a problem if the number of building cards is not 37.

    Rules: CMP-7, CMP-8
    """
    count = sum(each.copies for each in buildings)
    if count != BUILDING_CARDS:
        yield Misprint.BUILDINGS.at("buildings", right=BUILDING_CARDS, found=count)


def _enough_of_each_colour(buildings: Sequence[Building]) -> Iterator[Problem]:
    """Yield a problem for each colour with fewer cards than a display for four players needs.

    Rules: SET-8
    """
    for colour in BUILDING_COLOURS:
        count = sum(each.copies for each in buildings if each.colour is colour)
        needed, players = max((quota[colour], players) for players, quota in QUOTAS.items())
        if count < needed:
            facts = {"colour": colour, "least": needed, "found": count}
            yield Misprint.COLOUR.at("buildings", players=players, **facts)


def _yellow_at_most_twice(buildings: Sequence[Building]) -> Iterator[Problem]:
    """Yield a problem for each yellow character on more than two cards.

    Also yield a problem if every yellow character is on at least two cards.

    The rulebook says that some yellow characters, but not all, occur twice. That some occur twice
    is already implied by `SET-8`, because four players need eight yellow cards.

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
    """Yield a problem for each repeated design, because equal cards must be copies of one design.

    Rules: CMP-10
    """
    faces = [(each.letter, each.character, each.cost, each.icon, each.points) for each in buildings]
    for at, face in enumerate(faces):
        if (first := faces.index(face)) < at:
            problem = Misprint.REPEATED.at("", building=_title(first))
            yield of_building(at, buildings[at].letter, problem)


def _doubtful_buildings(buildings: Sequence[Building]) -> Iterator[Problem]:
    """Yield a problem for each cost without gold, and for each Banker with a letter other than A.

    Rules: CMP-24, CMP-26
    """
    for at, each in enumerate(buildings):
        if not each.cost.gold:
            yield of_building(at, each.letter, Misprint.NO_GOLD.at("cost"))
        if each.character is Character.BANKER and each.letter != "A":
            yield of_building(at, each.letter, Misprint.BANKER.at("letter"))


def _missing_goods(card_set: CardSet) -> Iterator[Problem]:
    """Yield a problem for goods that no building has as its icon, and for goods on no barrel.

    Rules: CMP-25, CMP-27
    """
    icons = {each.icon for each in card_set.buildings}
    if missing := [good.value for good in GOODS if good not in icons]:
        yield Misprint.NO_ICON.at("buildings", goods=" or ".join(missing))
    if missing := [good.value for good in GOODS if not card_set.barrels[good]]:
        yield Misprint.NO_BARREL.at("barrels", goods=" or ".join(missing))
