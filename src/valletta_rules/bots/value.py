"""The value function of the bots: each player's expected points at the end of the game.

A simple formula estimates the rest of the game.  The number of remaining turns determines how often
each card of a deck will be played, and so the yield of goods, points and build actions.  Part of
any surplus of goods is lost.  Goods and build actions become buildings with a fixed number of
points.  Remaining goods are sold, or score as in the rules.  The formula depends on the card set
only through the buildings on the table.

Only the hand of one seat is used, so a value reveals no other hand.
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
"""The card set for which the constants were tuned, in the notation of records."""

TURNS_A_HOUSE: Final = 1.65
"""The expected turns left in the main phase, per house that the player with the most houses still
needs to trigger the final phase.
"""

TURNS_A_POINT: Final = 0.73
"""The expected turns left in the main phase, per point that the player with the most points still
needs to trigger the final phase.
"""

TURNS_A_SPACE: Final = 1.12
"""The expected turns left in the main phase per space that Valette has yet to move."""

GOODS_A_BUILDING: Final = 8.16
"""The assumed cost of building or upgrading, in goods."""

POINTS_A_BUILDING: Final = 5.03
"""The assumed points of a building that will be built or upgraded."""

POINTS_A_TURN: Final = 0.28
"""The additional points of a future building per remaining turn of the main phase."""

GOODS_A_SALE: Final = yellow.ARCHITECT_PRICE
"""The number of goods that a card such as the Architect exchanges for points."""

POINTS_A_SALE: Final = 3.28
"""The points that a player gets for `GOODS_A_SALE` goods."""

POINTS_A_GOOD: Final = 1 / scoring.GOODS_PER_POINT
"""The points that a good is worth at the end of the game."""

GOLD_SHARE: Final = 0.2
"""The share of gold in the cost of a building."""

MATERIAL_SHARE: Final = 0.09
"""The share of each of wood, stone and brick in the cost of a building."""

SPARE: Final = 0.59
"""The amount by which a material may exceed its share of the goods before it is surplus."""

ROOM_LOST: Final = 0.32
"""The number of build actions that each house makes impossible.

It is less than 1, because a house can still be upgraded.
"""

CROWDING: Final = 0.67
"""The share by which build actions in excess of those still possible are reduced."""

WASTE: Final = 0.37
"""The share of surplus goods that is lost, because three goods are needed to replace one."""

HAND: Final = 0.09
"""The additional worth of a card in the hand, as a fraction of its yield when played once."""

USED: Final = 0.65
"""The fraction of the cards played in the main phase that are played with their effect."""

COPY: Final = 1.01
"""The yield of an Apprentice, as a fraction of the average yield of the cards it may copy."""

GOOD_NOW: Final = 0.52
"""The approximate worth of a good in points, for `Income.merit`."""

BUILD_NOW: Final = 0.88
"""The approximate worth of a build action in points, for `Income.merit`."""


MOST_REMEMBERED: Final = 1 << 12
"""The maximum size of each cache of a forecast.

A larger cache saves no measurable time, and its garbage collection would pause a bot for half a
second.
"""


class Holdings(NamedTuple):
    """The points, icons and colours of a player's buildings."""

    points: int
    icons: tuple[int, ...]
    """The number of icons of each good."""
    best: int
    """The largest number of icons of a single good."""
    green: int
    blue: int
    houses: int
    upgrades: int


class Income(NamedTuple):
    """The yield of a set of cards if every card is played once."""

    gold: float
    wood: float
    stone: float
    brick: float
    any: float
    """The number of goods of a kind that is unknown or that the player may choose."""
    builds: float
    """The number of build actions; a card that reduces the price counts as more than 1."""
    points: float
    sales: float
    """The number of opportunities to exchange goods for points."""
    cards: float

    @property
    def goods(self) -> float:
        """The total number of goods of all kinds."""
        return self.gold + self.wood + self.stone + self.brick + self.any

    @property
    def merit(self) -> float:
        """The approximate worth of the cards in points if they are played now."""
        return self.goods * GOOD_NOW + self.builds * BUILD_NOW + self.points + self.sales


class Outlook(NamedTuple):
    """The outlook of a player: the quantities from which the expected points are computed."""

    points: int
    """The points on the score track and of the buildings."""
    goods: tuple[float, ...]
    """The number of goods of each kind."""
    income: Income
    """The yield of the cards that will be played."""
    hand: float
    """The additional points for the cards in the hand; 0 for a hidden hand."""
    houses: int
    left: float
    """The approximate number of remaining turns of the main phase."""
    is_final: bool
    """Whether the final phase has begun."""


def expected_points(
    position: GameState | Form | PlayerView | Table, seat: SupportsIndex | None = None
) -> tuple[float, ...]:
    """Return the expected points of each player at the end of the game, seat by seat.

    `position` is a `GameState`, a `Form`, a view, or a table.  Only the hand of `seat` affects the
    result.  By default, `seat` is the viewer of a view, and no hand is used for any other
    `position`.  Raises `SeatError` if the game has no such seat, and `TypeError` for a `position`
    of another type.
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
    """Return the `Forecast` for a display and a number of players, from a cache if possible."""
    return Forecast(display, players)


class Forecast:
    """A value function for a display and a number of players.  It caches intermediate results."""

    def __init__(self, display: tuple[Building, ...], players: int) -> None:
        """Create a forecast for the buildings of a display and a number of players."""
        remember = lru_cache(MOST_REMEMBERED)
        self.display: Final = display
        self.players: Final = players
        self.holdings: Final = remember(partial(_holdings, display))
        """A function that returns the holdings of a player.

        Its arguments are the sites with houses and the upgraded sites, both as bits.
        """
        self.yields: Final = remember(partial(_yields, players - 1))
        """A function that returns the yield of each card for a player with the given holdings."""
        self._income: Final = remember(partial(_income, self.yields))
        self._outlook: Final = partial(_outlook, self.holdings, self._income)
        self._expect: Final = remember(lambda *facts: expected(self._outlook(*facts)))

    def points(self, features: Features, seat: int | None) -> list[float]:
        """Return each player's expected points.  Only the hand of `seat` is used."""
        return [self._expect(*facts) for facts in self._facts(features, seat)]

    def outlooks(self, features: Features, seat: int | None) -> list[Outlook]:
        """Return each player's outlook.  Only the hand of `seat` is used."""
        return [self._outlook(*facts) for facts in self._facts(features, seat)]

    def _facts(
        self, features: Features, seat: int | None
    ) -> list[tuple[Owned, int, float, bool, bool]]:
        """Return the arguments from which `_outlook` computes the outlook of each player."""
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
        """Return the expected lead in points of a seat over its best opponent."""
        points = self.points(features, seat)
        mine = points.pop(seat)
        return mine - max(points)


def turns_left(features: Features, holdings: list[Holdings]) -> float:
    """Return the approximate number of turns that each player has left in the main phase."""
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
    is_hand_visible: bool,
    is_final: bool,
) -> Outlook:
    """Return the outlook of a player; `is_hand_visible` says whether the hand may be used."""
    holdings = holdings_of(owned.built, owned.upgraded)
    income = income_of(owned.left if is_final else owned.deck + played, holdings)
    hand = 0.0
    if is_hand_visible and owned.hand and not is_final:
        hand = HAND * income_of(owned.hand, holdings).merit
    points = owned.score + holdings.points
    return Outlook(points, owned[3:7], income, hand, holdings.houses, left, is_final)


def expected(outlook: Outlook) -> float:
    """Return the expected points of a player with the given outlook."""
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
    """Return a smooth minimum of two amounts, or 0 if one of them is not positive.

    The result is below the smaller amount, and the difference is greatest for equal amounts.
    """
    if one <= 0 or other <= 0:
        return 0.0
    return float(one * other / (one * one * one + other * other * other) ** (1 / 3))


# Yields of buildings and cards


def _income(
    yields_of: Callable[[Holdings], tuple[Income, ...]], cards: int, holdings: Holdings
) -> Income:
    """Return the yield of a set of cards if every card is played once.

    The yield of the Apprentice is an estimate.  Amounts are added in a loop, because the result of
    `sum` depends on the version of Python.
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
    """Return the approximate yield of each card, regardless of the possessions of opponents."""
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
"""The yield of a card that brings no goods, build actions or points."""

_GOOD: Final = _ONE._replace(any=1)
"""The default yield of a card: one good."""

MODELS: Final = tuple(
    card.rank
    for card in CHARACTERS
    if card.colour in red.COPIED_COLOURS and card not in (*card_effects.REDUCTIONS, C.APPRENTICE)
)
"""The ranks of the cards from which the yield of an Apprentice is estimated."""
