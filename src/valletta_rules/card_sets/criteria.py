"""What a reconstruction must satisfy besides the facts of the rulebook.

Where no printed value is known, invented ones should at least be fair and plausible.  Each
criterion here says one thing that the built-in card set was made to satisfy, and finds out
whether a card set does.  A faithful transcription of the printed cards need not satisfy them all.

How a set *plays* (the length of a game, the scores, the chances of each seat) cannot be read off
the cards: that is measured over simulated games, and is no part of this.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from statistics import fmean
from typing import Final

import attrs

from valletta_rules.components.buildings import Building
from valletta_rules.components.card_set import CardSet
from valletta_rules.components.characters import BUILDING_CHARACTERS, Character, Colour
from valletta_rules.components.goods import GOODS, MATERIALS, NOTHING, ONE_OF_EACH, Good, Goods

Cards = Sequence[Building]
"""Building cards one by one: a design stands in it once for each of its copies."""

GREEN_TRIO: Final = (Character.WOODWORKER, Character.CARVER, Character.MASON)
"""The green characters that collect wood, stone and brick."""

DISCOUNT_TRIO: Final = (Character.CARPENTER, Character.STONEMASON, Character.BRICKLAYER)
"""The blue builders that save wood, stone and brick."""

COLLECTED: Final = dict(zip((Character.BANKER, *GREEN_TRIO), GOODS, strict=True))
"""The good that each green character collects."""

SCORING_EXAMPLE: Final = Counter({1: 1, 2: 1, 3: 2, 4: 3})
"""The fronts that the rulebook's example of final scoring needs: an upgraded 4 counts 8."""


@attrs.frozen
class Finding:
    """What a criterion found in a card set."""

    criterion: str
    """What the criterion demands."""
    found: str
    """What was found."""
    holds: bool
    """Whether the card set satisfies the criterion."""


def examine(card_set: CardSet) -> tuple[Finding, ...]:
    """Return what each criterion finds in a card set."""
    cards = cards_of(card_set)
    return (
        *(criterion(cards) for criterion in _ON_BUILDINGS),
        _mix_of_barrels(card_set.barrels),
    )


def cards_of(card_set: CardSet) -> tuple[Building, ...]:
    """Return the building cards one by one, each design as often as there are copies of it."""
    return tuple(design for design in card_set.buildings for _ in range(design.copies))


def _colours(cards: Cards) -> Finding:
    found = Counter(card.colour for card in cards)
    wanted = {Colour.GREEN: 12, Colour.BLUE: 15, Colour.YELLOW: 10}
    shown = " / ".join(f"{found[colour]} {colour}" for colour in wanted)
    return Finding("12 green, 15 blue and 10 yellow cards", shown, found == wanted)


def _copies_of_green(cards: Cards) -> Finding:
    copies = _copies(cards, Colour.GREEN)
    holds = set(copies.values()) == {3}
    return Finding("three cards of each green character", _several(copies), holds)


def _copies_of_blue(cards: Cards) -> Finding:
    copies = _copies(cards, Colour.BLUE)
    wanted = {each: 2 if each in DISCOUNT_TRIO else 1 for each in copies}
    statement = "Carpenter, Stonemason and Bricklayer twice, the other blue characters once"
    return Finding(statement, _several(copies), copies == wanted)


def _copies_of_yellow(cards: Cards) -> Finding:
    copies = _copies(cards, Colour.YELLOW)
    holds = sorted(copies.values()) == [1, 1, 1, 1, 2, 2, 2]
    return Finding("three yellow characters twice, the others once", _several(copies), holds)


def _materials_in_every_cost(cards: Cards) -> Finding:
    fewest = min(_materials(card) for card in cards)
    return Finding(
        "at least 1 material in every cost, so that no upgrade is free",
        f"at least {fewest}",
        fewest >= 1,
    )


def _three_of_a_material(cards: Cards) -> Finding:
    most = max(card.cost[good] for card in cards for good in MATERIALS)
    return Finding("some cost has 3 or more of one material", f"up to {most}", most >= 3)


def _gold(cards: Cards) -> Finding:
    gold = [card.cost.gold for card in cards]
    return Finding("1 to 4 gold", _span(gold), (min(gold), max(gold)) == (1, 4))


def _green_trio(cards: Cards) -> Finding:
    return _one_pattern(cards, GREEN_TRIO, "Woodworker, Carver, Mason")


def _discount_trio(cards: Cards) -> Finding:
    return _one_pattern(cards, DISCOUNT_TRIO, "Carpenter, Stonemason, Bricklayer")


def _one_pattern(cards: Cards, trio: Iterable[Character], names: str) -> Finding:
    """Find whether the costs of three characters are one pattern, its materials rearranged.

    Whoever collects or saves one material is thereby treated like whoever does so with another.
    """
    costs = (card.cost for card in cards if card.character in trio)
    patterns = {(cost.gold, *sorted(cost[good] for good in MATERIALS)) for cost in costs}
    found = " and ".join(
        f"{gold} gold with {' + '.join(map(str, materials))}"
        for gold, *materials in sorted(patterns)
    )
    return Finding(f"{names}: costs are one pattern rearranged", found, len(patterns) == 1)


def _equal_materials(cards: Cards) -> Finding:
    totals = sum((card.cost for card in cards), NOTHING)
    return Finding(
        "as much wood as stone as brick in all costs together",
        f"{totals.wood} / {totals.stone} / {totals.brick}",
        totals.wood == totals.stone == totals.brick,
    )


def _equal_icons(cards: Cards) -> Finding:
    icons = Counter(card.icon for card in cards)
    return Finding(
        "as many wood icons as stone icons as brick icons",
        " / ".join(str(icons[good]) for good in MATERIALS),
        len({icons[good] for good in MATERIALS}) == 1,
    )


def _green_icons(cards: Cards) -> Finding:
    own = {(card.character, card.icon) for card in cards if card.character in COLLECTED}
    shown = ", ".join(f"{character.english} {icon}" for character, icon in sorted(own))
    return Finding(
        "a green building shows the good that its character collects",
        shown,
        own == set(COLLECTED.items()),
    )


def _span_of_points(cards: Cards) -> Finding:
    points = [card.points for card in cards]
    return Finding(
        "1 to 4 points on the fronts", _span(points), (min(points), max(points)) == (1, 4)
    )


def _mean_points(cards: Cards) -> Finding:
    green, blue, yellow = (
        fmean(card.points for card in cards if card.colour is colour)
        for colour in (Colour.GREEN, Colour.BLUE, Colour.YELLOW)
    )
    return Finding(
        "mean points: green less than blue, blue not more than yellow",
        f"{green:.2f}, {blue:.2f}, {yellow:.2f}",
        green < blue <= yellow,
    )


def _cheapest(cards: Cards) -> Finding:
    cheapest = min(card.cost.total for card in cards)
    return Finding("the cheapest building costs 3 or 4 goods", str(cheapest), cheapest in {3, 4})


def _dearest(cards: Cards) -> Finding:
    dearest = max(card.cost.total for card in cards)
    return Finding("the dearest building costs 8 or 9 goods", str(dearest), dearest in {8, 9})


def _out_of_reach(cards: Cards) -> Finding:
    """Find whether the goods that everybody starts with pay for a strong character at once.

    The first player would build it on the first turn of every game.  Green characters may be had
    so cheaply, for they are weak and their buildings worth the fewest points.
    """
    reached = {
        card.character.english
        for card in cards
        if card.colour is not Colour.GREEN and ONE_OF_EACH.covers(card.cost)
    }
    return Finding(
        "one good of each, as everybody starts with, pays for no blue or yellow building",
        ", ".join(sorted(reached)) or "none that it pays for",
        not reached,
    )


def _scoring_example(cards: Cards) -> Finding:
    points = Counter(card.points for card in cards)
    found = ", ".join(f"{points[front]} cards of {front}" for front in SCORING_EXAMPLE)
    return Finding(
        "the example of final scoring: 2, 3, 4, 4, 3, 1 and an upgraded 4",
        found,
        points >= SCORING_EXAMPLE,
    )


def _mix_of_barrels(barrels: Goods) -> Finding:
    return Finding(
        "7 gold, 6 wood, 6 stone and 6 brick among the barrels",
        str(barrels),
        barrels == Goods(7, 6, 6, 6),
    )


_ON_BUILDINGS: Final[tuple[Callable[[Cards], Finding], ...]] = (
    _colours,
    _copies_of_green,
    _copies_of_blue,
    _copies_of_yellow,
    _materials_in_every_cost,
    _three_of_a_material,
    _gold,
    _green_trio,
    _discount_trio,
    _equal_materials,
    _equal_icons,
    _green_icons,
    _span_of_points,
    _mean_points,
    _cheapest,
    _dearest,
    _out_of_reach,
    _scoring_example,
)


def _copies(cards: Cards, colour: Colour) -> dict[Character, int]:
    """Return how many cards each character of a colour comes with."""
    found = Counter(card.character for card in cards)
    return {each: found[each] for each in BUILDING_CHARACTERS if each.colour is colour}


def _several(copies: dict[Character, int]) -> str:
    """Say which characters occur how often, those that occur once being only counted."""
    several = [f"{each.english} {count}" for each, count in copies.items() if count != 1]
    once = sum(count == 1 for count in copies.values())
    return ", ".join([*several, f"{once} once"] if once else several)


def _materials(card: Building) -> int:
    """Return how much wood, stone and brick a card costs together."""
    return card.cost.total - card.cost[Good.GOLD]


def _span(numbers: Iterable[int]) -> str:
    """Say from what to what some numbers range."""
    ordered = sorted(numbers)
    return f"{ordered[0]} to {ordered[-1]}"
