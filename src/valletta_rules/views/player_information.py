"""Public information about the players: points, decks, goods, and affordable buildings.

Online tables show this information next to each player. It is computed from a view, so it reveals
no hidden information. A position is converted to the view of a spectator first.

`valletta_rules.words.describe_information` formats the information for a terminal.
"""

from __future__ import annotations

from enum import StrEnum
from typing import SupportsIndex

import attrs

from valletta_rules.actions import Build, Upgrade
from valletta_rules.components.bags import CardBag
from valletta_rules.components.buildings import HOUSES_PER_PLAYER, Building
from valletta_rules.components.characters import Character
from valletta_rules.components.display import NEIGHBOURS, column_of
from valletta_rules.components.goods import GOODS, ONE, Goods
from valletta_rules.components.street import LAST_SPACE, area_of
from valletta_rules.components.values import Value, need
from valletta_rules.events import EndCondition
from valletta_rules.results import Score
from valletta_rules.rulebook.building import (
    CONSTRUCTION_BONUS,
    SUBSTITUTES,
    building_price,
    can_pay,
    sites_in_reach,
    upgrade_price,
)
from valletta_rules.rulebook.card_effects import REDUCTIONS
from valletta_rules.rulebook.final_phase import TRIGGERING_SCORE, end_conditions
from valletta_rules.rulebook.houses_and_icons import icons
from valletta_rules.rulebook.scoring import score_sheet
from valletta_rules.rulebook.valette import next_space
from valletta_rules.state import GameState, Phase, kind_of
from valletta_rules.views.view import PlayerView, Table, find_seat, view

Position = GameState | PlayerView | Table
"""A position, a view of it, or the table in a view."""

# Information about a player


@attrs.frozen
class OwnBuilding(Value):
    """A building that a player owns."""

    site: int
    """The site of the building."""
    building: Building
    """The design of the building card."""
    is_upgraded: bool
    """Whether the building is upgraded."""

    @property
    def points(self) -> int:
        """The points that the building scores at the end of the game.

        Rules: INF-4, SCO-5, SCO-6
        """
        return self.building.points * (2 if self.is_upgraded else 1)

    @property
    def icons(self) -> Goods:
        """The number of icons of each good on the building.

        Rules: INF-9, GRN-6
        """
        return Goods.of(self.building.icon, 2 if self.is_upgraded else 1)


@attrs.frozen
class DeckCensus(Value):
    """A player's cards, grouped by place. The hand and the draw pile are one group."""

    hidden: CardBag
    """The cards in the hand and in the draw pile together."""
    hand_size: int
    """The number of cards in the hand."""
    on_board: CardBag
    """The cards played this turn, on the player's board."""
    discard_pile: CardBag
    """The cards played in earlier turns."""

    @property
    def characters(self) -> CardBag:
        """All cards of the player together.

        Rules: INF-6, CMP-33
        """
        return self.hidden + self.on_board + self.discard_pile

    @property
    def draw_pile(self) -> int:
        """The number of cards in the draw pile.

        Rules: INF-7
        """
        return len(self.hidden) - self.hand_size

    @property
    def on_board_or_in_hand(self) -> int:
        """The number of cards on the player's board and in the hand.

        Rules: INF-7
        """
        return len(self.on_board) + self.hand_size

    @property
    def discarded(self) -> int:
        """The number of cards in the discard pile.

        Rules: INF-7
        """
        return len(self.discard_pile)


@attrs.frozen
class EndProgress(Value):
    """A player's progress towards one of the conditions that trigger the final phase."""

    condition: EndCondition
    """The condition that triggers the final phase."""
    reached: int
    """The current value: Valette's space, the player's points on the track, or the number of the
    player's houses.
    """
    goal: int
    """The value that triggers the final phase: space 25, 25 points, or 8 houses."""
    left: int
    """The number of missing points, houses or moves of Valette. It is 0 if the condition is
    fulfilled.
    """

    @property
    def is_fulfilled(self) -> bool:
        """Whether the condition is fulfilled.

        Rules: INF-11
        """
        return self.left == 0


@attrs.frozen
class Offer(Value):
    """A site that a player can afford to build on or upgrade, with the price."""

    action: Build | Upgrade
    """The action that chooses the site."""
    building: Building
    """The building card on the site."""
    discount: int
    """The number of the player's buildings next to the site. Each reduces the price by one gold.
    The discount for an upgrade is 0.
    """
    reduction: Goods
    """The reduction of the price by the card that allows building."""
    price: Goods
    """The price after the discount and the reduction."""
    payment: Goods
    """The cheapest payment: the one with the fewest goods, including substitutes."""
    bonus: int
    """The points that the player scores at once because Valette is in the area of the site, or 0.
    """

    @property
    def points(self) -> int:
        """The points that the action adds to the final score, not counting changes in goods."""
        return self.building.points + self.bonus


@attrs.frozen
class PlayerInformation(Value):
    """The public information about a player, which online tables show next to the name."""

    score: Score
    """The player's score, as if the game ended now."""
    buildings: tuple[OwnBuilding, ...]
    """The player's buildings, in the order of their sites."""
    goods: Goods
    """The player's goods."""
    icons: Goods
    """The number of icons of each good on the buildings. A green card for a good yields one unit
    for each icon of this good.
    """
    deck: DeckCensus
    """The player's cards, grouped by place."""
    hand: CardBag | None
    """The cards in the hand if they are the viewer's own, otherwise `None`."""
    conditions: tuple[EndProgress, ...]
    """The player's progress towards the three conditions of the final phase."""
    offers: tuple[Offer, ...]
    """The sites that the player could afford to build on or upgrade now with a Builder."""

    @property
    def seat(self) -> int:
        """The player's seat."""
        return self.score.seat

    @property
    def current_points(self) -> int:
        """The points that the player has scored so far.

        Rules: INF-2
        """
        return self.score.track

    @property
    def predicted_points(self) -> int:
        """The player's total if the game ended now.

        Rules: INF-3
        """
        return self.score.total

    @property
    def houses(self) -> int:
        """The number of houses built.

        Rules: INF-5
        """
        return self.score.houses


class Ending(StrEnum):
    """The progress of a game towards its end."""

    NOT_YET = "not_yet"
    """No condition of the final phase is fulfilled."""
    COMING = "coming"
    """A condition is fulfilled, so the final phase begins after this turn."""
    UNDER_WAY = "under_way"
    """The final phase has begun."""
    OVER = "over"
    """The game is over."""


@attrs.frozen
class TableInformation(Value):
    """The public information about all players and the common supply."""

    players: tuple[PlayerInformation, ...]
    """The players by seat."""
    supply: CardBag
    """The characters in the character supply.

    Rules: INF-10
    """
    ending: Ending
    """The progress of the game towards its end."""


# Functions of a position


def player_information(position: Position, seat: SupportsIndex) -> PlayerInformation:
    """Return the public information about a player.

    `position` is a position, a view, or the table in a view. The result contains the hand only if
    this is the player's own view or its table. For other players, the result does not reveal which
    cards are in the hand and which are in the draw pile. Raises `SeatError` if the game has no such
    seat.

    Rules: INF-1, INF-2, INF-3, INF-4, INF-5, INF-6, INF-7, INF-8, INF-9, INF-11
    """
    table, seat = _table_of(position, seat)
    player = table.players[seat]
    return PlayerInformation(
        score=score_sheet(table)[seat],
        buildings=tuple(
            OwnBuilding(site, table.display[site], site in player.upgraded) for site in player.built
        ),
        goods=player.goods,
        icons=Goods(*(icons(table, seat, good) for good in GOODS)),
        deck=deck_census(table, seat),
        hand=player.hand,
        conditions=end_progress(table, seat),
        offers=affordable_sites(table, seat),
    )


def table_information(position: Position) -> TableInformation:
    """Return the public information about all players, the character supply and the final phase.

    `position` is a position, a view, or the table in a view. Rules: INF-10, INF-12
    """
    table = _visible_table(position)
    players = tuple(player_information(table, seat) for seat in range(len(table.players)))
    return TableInformation(players, table.supply, ending(table))


def predicted_scores(position: Position) -> tuple[Score, ...]:
    """Return the score of each player, as if the game ended now.

    Rules: INF-2, INF-3, INF-4
    """
    return score_sheet(_visible_table(position))


def deck_census(position: Position, seat: SupportsIndex) -> DeckCensus:
    """Return the cards of a player, grouped by place. The hand and the draw pile are one group.

    Raises `SeatError` if the game has no such seat.

    Rules: INF-6, INF-7
    """
    table, seat = _table_of(position, seat)
    player = table.players[seat]
    on_board = CardBag.of(*table.played) if seat == table.active else CardBag()
    return DeckCensus(player.hidden, player.hand_size, on_board, player.discard_pile)


def end_progress(position: Position, seat: SupportsIndex) -> tuple[EndProgress, ...]:
    """Return the progress of a player towards each of the three conditions for the final phase.

    Raises `SeatError` if the game has no such seat.

    Rules: INF-11, FIN-1, FIN-2, FIN-3
    """
    table, seat = _table_of(position, seat)
    player, moves = table.players[seat], _moves_to_the_end(table)
    score, houses = player.score, len(player.built)
    points_left = max(0, TRIGGERING_SCORE - score)
    return (
        EndProgress(EndCondition.LAST_BARREL, table.valette, LAST_SPACE, moves),
        EndProgress(EndCondition.SCORE, score, TRIGGERING_SCORE, points_left),
        EndProgress(EndCondition.HOUSES, houses, HOUSES_PER_PLAYER, HOUSES_PER_PLAYER - houses),
    )


def ending(position: Position) -> Ending:
    """Return the progress of a game towards its end.

    Rules: INF-12
    """
    table = _visible_table(position)
    match table.phase:
        case Phase.OVER:
            return Ending.OVER
        case Phase.FINAL:
            return Ending.UNDER_WAY
        case _:
            return Ending.COMING if end_conditions(table) else Ending.NOT_YET


def affordable_sites(
    position: Position, seat: SupportsIndex, card: Character = Character.BUILDER
) -> tuple[Offer, ...]:
    """Return the sites that a player can afford to build on or upgrade, with cheapest payments.

    `card` is the card that allows building: the Builder, the Bricklayer, the Stonemason or the
    Carpenter. The player need not have this card. New buildings are listed before upgrades, and
    both in the order of sites. Raises `ValueError` for any other card, `SeatError` if the game has
    no such seat, and `TypeError` for arguments other than a position, a seat and a card.

    Rules: BLD-3, BLD-4, BLD-5, BLD-15, BLD-16, BLD-17, BLD-26
    """
    need(card, Character, "a card")
    if card not in REDUCTIONS:
        raise ValueError(f"{card.english} is not a card that allows building")
    table, seat = _table_of(position, seat)
    reduction = REDUCTIONS[card]
    sites = sites_in_reach(table, seat, reduction)
    return tuple(_offer(table, seat, action, reduction) for action in sites)


def cheapest_payment(price: Goods, goods: Goods) -> Goods:
    """Return a payment for a price with the fewest possible goods.

    The player first pays every good of the price that they have. Each missing good is then replaced
    by three of the remaining goods. They are taken from the most plentiful kinds, so that the
    largest counts are lowered to a common level. If the level cannot be reached exactly, kinds at
    this level give one more good, in the order of `GOODS`. Raises `ValueError` if the goods cannot
    pay the price, and `TypeError` for anything but `Goods`.

    Rules: BLD-19, BLD-20, BLD-21
    """
    need(price, Goods, "a price")
    need(goods, Goods, "a supply")
    if not can_pay(goods, price):
        raise ValueError(f"{goods} cannot pay {price}")
    missing = price.less(goods)
    left, owed = goods - price + missing, SUBSTITUTES * missing.total
    most = sorted(left, reverse=True)
    level = max(-((owed - sum(most[:kinds])) // kinds) for kinds in range(1, len(most) + 1))
    over = Goods(*(max(0, count - level) for count in left))
    at_level = [good for good in GOODS if left[good] >= level]
    return sum((ONE[good] for good in at_level[: owed - over.total]), price - missing + over)


# Tables


def _visible_table(position: Position) -> Table:
    """Return the table in a view, or the table that a spectator sees in a position.

    Raises `TypeError` for any other value.

    Rules: INF-1
    """
    if isinstance(position, GameState):
        position = view(position, None)
    table: object = position.table if isinstance(position, PlayerView) else position
    if not isinstance(table, Table):
        raise TypeError(f"expected a position, a view or a table, not {kind_of(table)}")
    return table


def _table_of(position: Position, seat: SupportsIndex) -> tuple[Table, int]:
    """Return the table in a position or view, and the seat as an `int`."""
    table = _visible_table(position)
    return table, find_seat(seat, len(table.players))


def _moves_to_the_end(table: Table) -> int:
    """Return the number of moves that Valette needs to reach the space of the last barrel."""
    moves = 0
    while table.valette != LAST_SPACE:
        table = attrs.evolve(table, valette=next_space(table))
        moves += 1
    return moves


def _offer(table: Table, seat: int, action: Build | Upgrade, reduction: Goods) -> Offer:
    player, site = table.players[seat], action.site
    if isinstance(action, Build):
        discount = (NEIGHBOURS[site] & player.built.mask).bit_count()
        price = building_price(table, seat, site, reduction)
    else:
        discount, price = 0, upgrade_price(table, site, reduction)
    return Offer(
        action=action,
        building=table.display[site],
        discount=discount,
        reduction=reduction,
        price=price,
        payment=cheapest_payment(price, player.goods),
        bonus=CONSTRUCTION_BONUS if area_of(table.valette) == column_of(site) else 0,
    )
