"""What a position is worth: the points that each player may expect to have in the end.

A dozen lines of arithmetic, made by hand, look ahead at the rest of the game.  So many turns are
left, and so often will each card of a deck be played; that gives goods, points, and chances to
build.  Of a good that is there in excess a part is lost.  Goods and chances to build make
buildings, each worth some points; what is left of the goods is sold, or counts as little as the
rules say.  Nothing depends on the values of a particular card set, but through what the buildings
on the table show.

Of the hands only that of one seat is looked at, so that a value tells nothing of the others.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple, SupportsIndex, TypeVar

from valletta_rules.bots.features import Features, Owned, read
from valletta_rules.components.buildings import HOUSES_PER_PLAYER, Building
from valletta_rules.components.characters import CHARACTERS, Character, Colour
from valletta_rules.components.goods import GOODS
from valletta_rules.components.street import LAST_SPACE
from valletta_rules.rulebook import blue, red, yellow
from valletta_rules.rulebook.characters import REDUCTIONS
from valletta_rules.rulebook.final_phase import TRIGGERING_SCORE
from valletta_rules.rulebook.scoring import GOODS_PER_POINT
from valletta_rules.rulebook.turn import PLAYS_PER_TURN
from valletta_rules.state import Form, GameState
from valletta_rules.views.view import PlayerView, Table, find_viewer

C = Character
K = TypeVar("K")
V = TypeVar("V")

TURNS_A_HOUSE: Final = 1.5
"""How many turns of the main phase the player with the most houses takes for each that lacks."""

TURNS_A_POINT: Final = 0.8
"""The same for points on the track."""

TURNS_A_SPACE: Final = 1.2
"""The same for spaces that Valette has to walk."""

GOODS_A_BUILDING: Final = 7.0
"""How many goods building or upgrading costs."""

POINTS_A_BUILDING: Final = 3.7
"""How many points a building is worth that is yet to be built or upgraded."""

POINTS_A_TURN: Final = 0.3
"""How many more for each turn of the main phase that is left, for what it brings later."""

GOODS_A_SALE: Final = yellow.ARCHITECT_PRICE
"""How many goods a yellow seller takes."""

POINTS_A_SALE: Final = 3.5
"""How many points he gives for them."""

POINTS_A_GOOD: Final = 1 / GOODS_PER_POINT
"""What a good is worth that is left over."""

GOLD_SHARE: Final = 0.26
"""Which share of the goods wanted is gold."""

MATERIAL_SHARE: Final = 0.22
"""Which share is wood, and which stone, and which brick."""

SPARE: Final = 0.6
"""How much more of each material is not too much."""

ROOM_LOST: Final = 0.3
"""How much of the room for building a house takes away; it can be upgraded still."""

CROWDING: Final = 0.7
"""How much of a building is lost for which there is no room."""

WASTE: Final = 0.38
"""How much of the goods beyond their share is lost, as others replace them at a bad rate."""

HAND: Final = 0.25
"""How much of a play a card in the hand brings, compared with one that is yet to be drawn."""

USED: Final = 0.9
"""Which part of its plays in the main phase a card makes something of."""

COPY: Final = 0.9
"""How much of what he may copy an Apprentice brings."""

GOOD_NOW: Final = 0.45
"""About how many points a good is worth, to compare cards."""

BUILD_NOW: Final = 1.5
"""About how many points a chance to build is worth, to compare cards."""


MOST_REMEMBERED: Final = 1 << 12
"""How much of a kind, as of players' expectations, is remembered before all of it is forgotten.

More would save nothing that can be measured, and make the collection of garbage stop a bot for
half a second.
"""


class Holdings(NamedTuple):
    """What a player's buildings show."""

    points: int
    icons: tuple[int, ...]
    """How many icons of each good."""
    green: int
    blue: int
    houses: int
    upgrades: int


class Income(NamedTuple):
    """What cards bring if each of them is played once."""

    gold: float
    wood: float
    stone: float
    brick: float
    any: float
    """Goods of the player's choice, or unknown."""
    builds: float
    """Chances to build; one that a card gives counts more, since goods run short sooner."""
    points: float
    sales: float
    """Chances to turn goods into points."""
    cards: float

    @property
    def merit(self) -> float:
        """About how many points these cards are worth, played now."""
        goods = self.gold + self.wood + self.stone + self.brick + self.any
        return goods * GOOD_NOW + self.builds * BUILD_NOW + self.points + self.sales


def expected_points(
    position: GameState | Form | PlayerView | Table, seat: SupportsIndex | None = None
) -> tuple[float, ...]:
    """Return about how many points each player will have in the end, seat by seat.

    Takes a position in any form, a view or a table, and the seat whose hand is looked at; for a
    view that is its viewer, if nothing is said.  Raises `SeatError` if the game has no such seat,
    and `TypeError` for what is no position.
    """
    if isinstance(position, PlayerView) and seat is None:
        seat = position.seat
    features = read(position)
    viewer = find_viewer(seat, len(features.players))
    board = position.table if isinstance(position, PlayerView) else position
    display = (board if isinstance(board, GameState | Table) else board.unpack()).display
    return tuple(forecast_of(display, len(features.players)).points(features, viewer))


@lru_cache(maxsize=2)
def forecast_of(display: tuple[Building, ...], players: int) -> Forecast:
    """Return the forecast of a game, which has worked out some of it already."""
    return Forecast(display, players)


class Forecast:
    """Foretells the results of positions of one game, and remembers what it has worked out."""

    def __init__(self, display: tuple[Building, ...], players: int) -> None:
        """Take the buildings dealt, and how many play."""
        self.display: Final = display
        self._opponents = players - 1
        self._holdings = dict[tuple[int, int], Holdings]()
        self._yields = dict[Holdings, tuple[Income, ...]]()
        self._incomes = dict[tuple[int, Holdings], Income]()
        self._points = dict[tuple[Owned, int, float, bool, bool], float]()

    def points(self, features: Features, seat: int | None) -> list[float]:
        """Return the points expected for each player; only the hand of a seat is looked at."""
        holdings = [self.holdings(owned.built, owned.upgraded) for owned in features.players]
        left = turns_left(features, holdings)
        points = []
        for number, owned in enumerate(features.players):
            played = features.played if number == features.active else 0
            key = owned, played, left, number == seat, features.is_final
            if (expected := self._points.get(key)) is None:
                expected = _remember(self._points, key, self._expect(*key))
            points.append(expected)
        return points

    def _expect(
        self, owned: Owned, played: int, left: float, is_seen: bool, is_final: bool
    ) -> float:
        """Return the points expected for a player; the hand counts if it is seen."""
        holdings = self.holdings(owned.built, owned.upgraded)
        if is_final:
            return _forecast(owned, holdings, self.income(owned.left, holdings), 1.0, 0.0)
        income = self.income(owned.deck + played, holdings)
        times = USED * (1.0 + PLAYS_PER_TURN * left / max(1.0, income.cards))
        expected = _forecast(owned, holdings, income, times, left)
        if is_seen and owned.hand:
            expected += HAND * self.income(owned.hand, holdings).merit
        return expected

    def lead(self, features: Features, seat: int) -> float:
        """Return how many points ahead of the best opponent a seat is expected to end."""
        points = self.points(features, seat)
        mine = points.pop(seat)
        return mine - max(points)

    def holdings(self, built: int, upgraded: int) -> Holdings:
        """Return what buildings show, given as bits."""
        key = built, upgraded
        if (known := self._holdings.get(key)) is None:
            known = _remember(self._holdings, key, _holdings(self.display, built, upgraded))
        return known

    def yields(self, holdings: Holdings) -> tuple[Income, ...]:
        """Return what each kind of card brings to a player with such buildings."""
        if (known := self._yields.get(holdings)) is None:
            known = _remember(self._yields, holdings, _yields(holdings, self._opponents))
        return known

    def income(self, cards: int, holdings: Holdings) -> Income:
        """Return what cards bring if each of them is played once."""
        key = cards, holdings
        if (known := self._incomes.get(key)) is None:
            counts = cards.to_bytes(len(CHARACTERS), "little")
            known = _remember(self._incomes, key, _income(counts, self.yields(holdings)))
        return known


def _remember(known: dict[K, V], key: K, value: V) -> V:
    """Remember a value, alone if there are too many already, and return it."""
    if len(known) >= MOST_REMEMBERED:
        known.clear()
    known[key] = value
    return value


def turns_left(features: Features, holdings: list[Holdings]) -> float:
    """Return about how many turns of the main phase are left to each player."""
    lead = max([each.houses for each in holdings])
    score = max([owned.score for owned in features.players])
    if features.is_final:
        return 0.0
    return max(
        0.0,
        min(
            TURNS_A_HOUSE * (HOUSES_PER_PLAYER - lead),
            TURNS_A_POINT * (TRIGGERING_SCORE - score),
            TURNS_A_SPACE * (LAST_SPACE - features.valette),
        ),
    )


def _forecast(owned: Owned, holdings: Holdings, income: Income, times: float, left: float) -> float:
    """Return the points expected for a player who plays every card so many times.

    Takes what the cards bring, and how many turns of the main phase are left.
    """
    gold, wood = owned.gold + times * income.gold, owned.wood + times * income.wood
    stone, brick = owned.stone + times * income.stone, owned.brick + times * income.brick
    wealth = gold + wood + stone + brick + times * income.any
    gold_wanted, wanted = GOLD_SHARE * wealth, MATERIAL_SHARE * wealth + SPARE
    surplus = max(0.0, gold - gold_wanted) + max(0.0, wood - wanted)
    surplus += max(0.0, stone - wanted) + max(0.0, brick - wanted)
    wealth -= WASTE * surplus
    built = _lesser(times * income.builds, wealth / GOODS_A_BUILDING)
    wealth -= GOODS_A_BUILDING * built
    room = HOUSES_PER_PLAYER - ROOM_LOST * holdings.houses
    built -= CROWDING * max(0.0, built - room)
    sold = min(times * income.sales, wealth / GOODS_A_SALE)
    wealth -= GOODS_A_SALE * sold
    points = owned.score + holdings.points + times * income.points
    points += (POINTS_A_BUILDING + POINTS_A_TURN * left) * built
    return points + POINTS_A_SALE * sold + POINTS_A_GOOD * wealth


def _lesser(one: float, other: float) -> float:
    """Return somewhat less than the lesser of two amounts, the more so the more alike they are."""
    if one <= 0 or other <= 0:
        return 0.0
    return float(one * other / (one**3 + other**3) ** (1 / 3))


# What buildings show and cards bring


def _income(counts: bytes, yields: tuple[Income, ...]) -> Income:
    """Return what so many cards of each kind bring; an Apprentice, about what he may copy."""
    held = [(count, each) for count, each in zip(counts, yields, strict=True) if count]
    income = Income(*[sum([count * each[place] for count, each in held]) for place in range(9)])
    if apprentices := counts[C.APPRENTICE.rank]:
        models = [(counts[rank], yields[rank]) for rank in _MODELS if counts[rank]]
        goods = sum([count * sum(each[:5]) for count, each in models])
        usual = goods / max(1, sum([count for count, _ in models]))
        return income._replace(any=income.any + COPY * apprentices * max(1.0, usual))
    return income


def _holdings(display: tuple[Building, ...], built: int, upgraded: int) -> Holdings:
    own = [card for site, card in enumerate(display) if built >> site & 1]
    better = [card for site, card in enumerate(display) if upgraded >> site & 1]
    return Holdings(
        points=sum(card.points for card in (*own, *better)),
        icons=tuple(sum(card.icon is good for card in (*own, *better)) for good in GOODS),
        green=sum(card.colour is Colour.GREEN for card in own),
        blue=sum(card.colour is Colour.BLUE for card in own),
        houses=len(own),
        upgrades=len(better),
    )


def _yields(holdings: Holdings, opponents: int) -> tuple[Income, ...]:
    """Return about what each kind of card brings; what opponents have is not asked for."""
    gold, wood, stone, brick = holdings.icons
    more = opponents == 1  # with two players some cards bring an extra good
    some = 0.4 * opponents
    wares = blue.MERCHANT_WARES
    brings = {
        **{card: _ONE._replace(builds=1.5, any=less.total) for card, less in REDUCTIONS.items()},
        C.SHOPKEEPER: _ONE._replace(gold=1),
        C.LUMBERJACK: _ONE._replace(wood=1),
        C.STONE_SCULPTOR: _ONE._replace(stone=1),
        C.BRICK_WORKER: _ONE._replace(brick=1),
        C.MAID: _ONE._replace(any=1.1),
        C.APPRENTICE: _ONE,  # who brings what others do
        C.VALETTE: _ONE._replace(any=0.9),
        C.BANKER: _ONE._replace(gold=gold),
        C.WOODWORKER: _ONE._replace(wood=wood),
        C.CARVER: _ONE._replace(stone=stone),
        C.MASON: _ONE._replace(brick=brick),
        C.MONK: _ONE._replace(any=0.9 * opponents + more),
        C.TRADER: _ONE._replace(gold=blue.TRADER_TAKES.gold, wood=-0.4, stone=-0.3, brick=-0.3),
        C.SEAMSTRESS: _ONE._replace(any=1.15 * blue.SEAMSTRESS_TAKES),
        C.MERCHANT: _ONE._replace(gold=-1, wood=wares.wood, stone=wares.stone, brick=wares.brick),
        C.ARTISAN: _ONE._replace(any=0.85 * max(holdings.icons)),
        C.CHAMBERLAIN: _ONE._replace(gold=holdings.green),
        C.INNKEEPER: _ONE._replace(gold=0.5 * opponents + more),
        C.NUN: _ONE._replace(any=2.4),
        C.TAX_COLLECTOR: _ONE._replace(wood=some, stone=some, brick=some, any=more),
        C.ARCHITECT: _ONE._replace(sales=1),
        C.GRAND_BAILIFF: _ONE._replace(sales=1),
        C.GRAND_MASTER: _ONE._replace(sales=1.2),
        C.PHILIP: _ONE._replace(points=holdings.green),
        C.CHARLES: _ONE._replace(points=holdings.blue),
        C.PIUS: _ONE._replace(points=holdings.upgrades),
        C.KNIGHT: _ONE._replace(points=0.9 * yellow.KNIGHT_POINTS),
    }
    return tuple([brings[card] for card in CHARACTERS])


_ONE: Final = Income(0, 0, 0, 0, 0, 0, 0, 0, 1)
"""A card that brings nothing."""

_MODELS: Final = tuple(
    card.rank
    for card in CHARACTERS
    if card.colour in red.COPIED_COLOURS and card not in (*REDUCTIONS, C.APPRENTICE)
)
"""The cards whose goods an Apprentice may bring."""
