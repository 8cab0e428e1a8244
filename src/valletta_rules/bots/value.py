"""Value function: each player's expected points at the end of the game.

A dozen lines of hand-made arithmetic estimate the rest of the game.  The number of turns left
determines how often each card of a deck will be played; that yields goods, points, and build
actions.  Part of any surplus good is lost.  Goods and build actions become buildings, each worth
some points; remaining goods are sold, or count as little as the rules say.  The function does not
depend on the values of a particular card set, except through the buildings on the table.

Only one seat's hand is used, so a value reveals no other hand.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from typing import Final, NamedTuple, SupportsIndex

from valletta_rules.bots.features import Features, Owned, read
from valletta_rules.components.buildings import HOUSES_PER_PLAYER, Building
from valletta_rules.components.characters import CHARACTERS, Character, Colour
from valletta_rules.components.goods import GOODS
from valletta_rules.components.street import LAST_SPACE
from valletta_rules.rulebook import blue, card_effects, final_phase, red, scoring, turn, yellow
from valletta_rules.state import Form, GameState
from valletta_rules.views.view import PlayerView, Table, find_viewer

C = Character

TUNED_FOR: Final = "reconstruction@3a55b6fa"
"""The card set for which the numbers below were tuned, as `records` write it."""

TURNS_A_HOUSE: Final = 1.65
"""The turns of the main phase that the player with the most houses needs for each missing house."""

TURNS_A_POINT: Final = 0.73
"""The turns for each missing point on the track."""

TURNS_A_SPACE: Final = 1.12
"""The turns for each space that Valette still has to move."""

GOODS_A_BUILDING: Final = 8.16
"""The number of goods that building or upgrading costs."""

POINTS_A_BUILDING: Final = 5.03
"""The points that a building yet to be built or upgraded is worth."""

POINTS_A_TURN: Final = 0.28
"""The additional points for each turn left in the main phase, for its later yield."""

GOODS_A_SALE: Final = yellow.ARCHITECT_PRICE
"""The number of goods that a yellow card that sells goods takes."""

POINTS_A_SALE: Final = 3.28
"""The points that such a card gives for them."""

POINTS_A_GOOD: Final = 1 / scoring.GOODS_PER_POINT
"""The value of a remaining good."""

GOLD_SHARE: Final = 0.2
"""The share of gold in the goods needed."""

MATERIAL_SHARE: Final = 0.09
"""The share of each of wood, stone and brick."""

SPARE: Final = 0.59
"""How far a material may exceed its share before the excess counts as surplus."""

ROOM_LOST: Final = 0.32
"""The share of the room for further buildings that a house takes; it can still be upgraded."""

CROWDING: Final = 0.67
"""The share of a building that is lost if there is no room for it."""

WASTE: Final = 0.37
"""The share of a surplus that is lost, since substitution has a bad rate."""

HAND: Final = 0.09
"""The additional fraction of a play that a card in hand is worth, compared with a later one."""

USED: Final = 0.65
"""The share of a card's plays in the main phase that have an effect."""

COPY: Final = 1.01
"""The share of the yield of the cards it may copy that an Apprentice has."""

GOOD_NOW: Final = 0.52
"""The approximate worth of a good in points, to compare cards."""

BUILD_NOW: Final = 0.88
"""The approximate worth of a build action in points, to compare cards."""


MOST_REMEMBERED: Final = 1 << 12
"""The size of a cache, such as that of players' expected points.

More entries would save no measurable time, and make garbage collection pause a bot for half a
second.
"""


class Holdings(NamedTuple):
    """The points, icons and colours of a player's buildings."""

    points: int
    icons: tuple[int, ...]
    """The number of icons of each good."""
    best: int
    """The number of icons of the most frequent good."""
    green: int
    blue: int
    houses: int
    upgrades: int


class Income(NamedTuple):
    """The yield of cards if each of them is played once."""

    gold: float
    wood: float
    stone: float
    brick: float
    any: float
    """Goods of the player's choice, or of unknown kind."""
    builds: float
    """Build actions; a reduction by the card counts extra, since goods run short sooner."""
    points: float
    sales: float
    """Opportunities to turn goods into points."""
    cards: float

    @property
    def goods(self) -> float:
        """The number of goods of all kinds."""
        return self.gold + self.wood + self.stone + self.brick + self.any

    @property
    def merit(self) -> float:
        """The approximate worth of these cards in points if they are played now."""
        return self.goods * GOOD_NOW + self.builds * BUILD_NOW + self.points + self.sales


class Outlook(NamedTuple):
    """The quantities from which the expected points of a player follow."""

    points: int
    """Points scored, and those of the buildings."""
    goods: tuple[float, ...]
    """The number of each of these."""
    income: Income
    """The yield of the cards that will be played."""
    hand: float
    """The additional points of the cards in hand, compared with others; 0 if they are hidden."""
    houses: int
    left: float
    """The approximate number of turns of the main phase that are left."""
    is_final: bool
    """Whether the final phase has begun."""


def expected_points(
    position: GameState | Form | PlayerView | Table, seat: SupportsIndex | None = None
) -> tuple[float, ...]:
    """Return the approximate points of each player at the end, seat by seat.

    `position` is a position in any form, a view or a table, and `seat` is the seat whose hand is
    used; for a view the default is its viewer.  Raises `SeatError` if the game has no such seat,
    and `TypeError` for any other value.
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
    """Return the forecast of a game, a cached one if it has been used before."""
    return Forecast(display, players)


class Forecast:
    """Predicts the results of positions of one game, and caches intermediate results."""

    def __init__(self, display: tuple[Building, ...], players: int) -> None:
        """Create a forecast for the dealt buildings and a number of players."""
        remember = lru_cache(MOST_REMEMBERED)
        self.display: Final = display
        self.players: Final = players
        self.holdings: Final = remember(partial(_holdings, display))
        """Returns the holdings for the sites built on and upgraded, both given as bits."""
        self.yields: Final = remember(partial(_yields, players - 1))
        """Returns the yield of each kind of card for a player with such buildings."""
        self._income: Final = remember(partial(_income, self.yields))
        self._outlook: Final = partial(_outlook, self.holdings, self._income)
        self._expect: Final = remember(lambda *facts: expected(self._outlook(*facts)))

    def points(self, features: Features, seat: int | None) -> list[float]:
        """Return the expected points of each player; only one seat's hand is used."""
        return [self._expect(*facts) for facts in self._facts(features, seat)]

    def outlooks(self, features: Features, seat: int | None) -> list[Outlook]:
        """Return the outlooks of the players; one hand is used."""
        return [self._outlook(*facts) for facts in self._facts(features, seat)]

    def _facts(
        self, features: Features, seat: int | None
    ) -> list[tuple[Owned, int, float, bool, bool]]:
        """Return the facts from which the outlook of each player is computed."""
        holdings = [self.holdings(owned.built, owned.upgraded) for owned in features.players]
        left = turns_left(features, holdings)
        return [
            (
                owned,
                features.played * (number == features.active),
                left,
                number == seat,
                features.is_final,
            )
            for number, owned in enumerate(features.players)
        ]

    def lead(self, features: Features, seat: int) -> float:
        """Return a seat's expected lead in points over its best opponent."""
        points = self.points(features, seat)
        mine = points.pop(seat)
        return mine - max(points)


def turns_left(features: Features, holdings: list[Holdings]) -> float:
    """Return the approximate number of turns of the main phase that each player has left."""
    lead = max([each.houses for each in holdings])
    score = max([owned.score for owned in features.players])
    if features.is_final:
        return 0.0
    return max(
        0.0,
        min(
            TURNS_A_HOUSE * (HOUSES_PER_PLAYER - lead),
            TURNS_A_POINT * (final_phase.TRIGGERING_SCORE - score),
            TURNS_A_SPACE * (LAST_SPACE - features.valette),
        ),
    )


def _outlook(
    holdings_of: Callable[[int, int], Holdings],
    income_of: Callable[[int, Holdings], Income],
    owned: Owned,
    played: int,
    left: float,
    is_seen: bool,
    is_final: bool,
) -> Outlook:
    """Return the outlook of a player; the hand is used if it is visible."""
    holdings = holdings_of(owned.built, owned.upgraded)
    income = income_of(owned.left if is_final else owned.deck + played, holdings)
    hand = 0.0
    if is_seen and owned.hand and not is_final:
        hand = HAND * income_of(owned.hand, holdings).merit
    points = owned.score + holdings.points
    return Outlook(points, owned[3:7], income, hand, holdings.houses, left, is_final)


def expected(outlook: Outlook) -> float:
    """Return the expected points of a player, from the expected plays of every card."""
    income, left = outlook.income, outlook.left
    times = 1.0
    if not outlook.is_final:
        times = USED * (1.0 + turn.PLAYS_PER_TURN * left / max(1.0, income.cards))
    gold, wood, stone, brick = outlook.goods
    gold, wood = gold + times * income.gold, wood + times * income.wood
    stone, brick = stone + times * income.stone, brick + times * income.brick
    wealth = gold + wood + stone + brick + times * income.any
    gold_wanted, wanted = GOLD_SHARE * wealth, MATERIAL_SHARE * wealth + SPARE
    surplus = max(0.0, gold - gold_wanted) + max(0.0, wood - wanted)
    surplus += max(0.0, stone - wanted) + max(0.0, brick - wanted)
    wealth -= WASTE * surplus
    built = _lesser(times * income.builds, wealth / GOODS_A_BUILDING)
    wealth -= GOODS_A_BUILDING * built
    room = HOUSES_PER_PLAYER - ROOM_LOST * outlook.houses
    built -= CROWDING * max(0.0, built - room)
    sold = min(times * income.sales, wealth / GOODS_A_SALE)
    wealth -= GOODS_A_SALE * sold
    points = outlook.points + times * income.points
    points += (POINTS_A_BUILDING + POINTS_A_TURN * left) * built
    return points + POINTS_A_SALE * sold + POINTS_A_GOOD * wealth + outlook.hand


def _lesser(one: float, other: float) -> float:
    """Return a smooth minimum: somewhat less than the smaller amount, most so if they are equal."""
    if one <= 0 or other <= 0:
        return 0.0
    return float(one * other / (one * one * one + other * other * other) ** (1 / 3))


# Yields of buildings and cards


def _income(
    yields_of: Callable[[Holdings], tuple[Income, ...]], cards: int, holdings: Holdings
) -> Income:
    """Return the yield of cards if each of them is played once; an Apprentice's is approximate.

    Amounts are added one by one, since the result of `sum` depends on Python's version.
    """
    counts, yields = cards.to_bytes(len(CHARACTERS), "little"), yields_of(holdings)
    gained = [0.0] * len(Income._fields)
    for count, each in zip(counts, yields, strict=True):
        if count:
            gained = [so_far + count * gain for so_far, gain in zip(gained, each, strict=True)]
    income = Income(*gained)
    if apprentices := counts[C.APPRENTICE.rank]:
        goods = 0.0
        for rank in MODELS:
            goods += counts[rank] * yields[rank].goods
        usual = goods / max(1, sum([counts[rank] for rank in MODELS]))
        return income._replace(any=income.any + COPY * apprentices * max(1.0, usual))
    return income


def _holdings(display: tuple[Building, ...], built: int, upgraded: int) -> Holdings:
    own = [card for site, card in enumerate(display) if built >> site & 1]
    better = [card for site, card in enumerate(display) if upgraded >> site & 1]
    icons = tuple(sum(card.icon is good for card in (*own, *better)) for good in GOODS)
    return Holdings(
        points=sum(card.points for card in (*own, *better)),
        icons=icons,
        best=max(icons),
        green=sum(card.colour is Colour.GREEN for card in own),
        blue=sum(card.colour is Colour.BLUE for card in own),
        houses=len(own),
        upgrades=len(better),
    )


def _yields(opponents: int, holdings: Holdings) -> tuple[Income, ...]:
    """Return the approximate yield of each kind of card, whatever the opponents own."""
    gold, wood, stone, brick = holdings.icons
    more = opponents == 1  # with two players some cards bring an extra good
    some = 0.41 * opponents
    wares = blue.MERCHANT_WARES
    brings = {
        **{
            card: _ONE._replace(builds=1.7, any=less.total)
            for card, less in card_effects.REDUCTIONS.items()
        },
        C.SHOPKEEPER: _ONE._replace(gold=1),
        C.LUMBERJACK: _ONE._replace(wood=1),
        C.STONE_SCULPTOR: _ONE._replace(stone=1),
        C.BRICK_WORKER: _ONE._replace(brick=1),
        C.MAID: _ONE._replace(any=1.4),
        C.APPRENTICE: _ONE,  # its yield is that of other cards
        C.VALETTE: _ONE._replace(any=0.95),
        C.BANKER: _ONE._replace(gold=gold),
        C.WOODWORKER: _ONE._replace(wood=wood),
        C.CARVER: _ONE._replace(stone=stone),
        C.MASON: _ONE._replace(brick=brick),
        C.MONK: _ONE._replace(any=1.26 * opponents + more),
        C.TRADER: _ONE._replace(gold=blue.TRADER_TAKES.gold, wood=-0.46, stone=-0.31, brick=-0.34),
        C.SEAMSTRESS: _ONE._replace(any=1.12 * blue.SEAMSTRESS_TAKES),
        C.MERCHANT: _ONE._replace(gold=-1, wood=wares.wood, stone=wares.stone, brick=wares.brick),
        C.ARTISAN: _ONE._replace(any=0.71 * holdings.best),
        C.CHAMBERLAIN: _ONE._replace(gold=holdings.green),
        C.INNKEEPER: _ONE._replace(gold=0.49 * opponents + more),
        C.NUN: _ONE._replace(any=1.89),
        C.TAX_COLLECTOR: _ONE._replace(wood=some, stone=some, brick=some, any=more),
        C.ARCHITECT: _ONE._replace(sales=1),
        C.GRAND_BAILIFF: _ONE._replace(sales=1),
        C.GRAND_MASTER: _ONE._replace(sales=1.02),
        C.PHILIP: _ONE._replace(points=holdings.green),
        C.CHARLES: _ONE._replace(points=holdings.blue),
        C.PIUS: _ONE._replace(points=holdings.upgrades),
        C.KNIGHT: _ONE._replace(points=0.73 * yellow.KNIGHT_POINTS),
    }
    return tuple([brings.get(card, _GOOD) for card in CHARACTERS])


_ONE: Final = Income(0, 0, 0, 0, 0, 0, 0, 0, 1)
"""A card without any yield."""

_GOOD: Final = _ONE._replace(any=1)
"""The yield of a card that is not listed: one good."""

MODELS: Final = tuple(
    card.rank
    for card in CHARACTERS
    if card.colour in red.COPIED_COLOURS and card not in (*card_effects.REDUCTIONS, C.APPRENTICE)
)
"""The cards whose goods an Apprentice may yield."""
