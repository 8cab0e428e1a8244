"""Features of positions: the numbers from which the bots' value function computes its result."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from valletta_rules import native
from valletta_rules.components import CardBag, Goods
from valletta_rules.state import Form, GameState, Phase, Player, has_another_form, kind_of
from valletta_rules.views.view import PlayerView, SeenPlayer, Table


class Owned(NamedTuple):
    """The possessions of a player.

    Counts of cards are packed into an integer, one byte for each kind.
    """

    hand: int | None
    """The counts of the cards in the hand; `None` for a hidden hand."""
    left: int
    """The counts of the cards in the hand and the draw pile together."""
    deck: int
    """The counts of the cards in the hand, the draw pile and the discard pile together."""
    gold: int
    wood: int
    stone: int
    brick: int
    built: int
    """The sites with the player's houses, as the bits of an integer."""
    upgraded: int
    score: int


class Features(NamedTuple):
    """The features of a position, which the value function of the bots needs."""

    players: tuple[Owned, ...]
    active: int
    played: int
    """The counts of the cards that the active player has played in this turn."""
    valette: int
    is_final: bool
    """Whether the final phase has begun.  Cards played in the final phase do not return to a
    draw pile.
    """


def read(position: GameState | Form | PlayerView | Table) -> Features:
    """Return the features of a position, of a view, or of the table of a view.

    Raises `TypeError` for any other value.
    """
    if has_another_form(position):
        parts = native.peek(position)  # type: ignore[arg-type]
        players = tuple([_of_row(player) for player in parts.players])
        played = sum([1 << 8 * rank for rank in parts.played])
        return Features(players, parts.active, played, parts.valette, parts.phase in _LATE)
    board = position.table if isinstance(position, PlayerView) else position
    if not isinstance(board, GameState | Table):
        raise TypeError(f"expected a position, a view or a table, not {kind_of(position)}")
    players = tuple([_of_player(player) for player in board.players])
    played = CardBag.of(*board.played).packed
    return Features(players, board.active, played, board.valette, board.phase in _LATE)


_LATE = (Phase.FINAL, Phase.OVER)


def goods_of(state: GameState | Form, seat: int) -> Goods:
    """Return the goods of a seat in a position."""
    if isinstance(state, GameState):
        return state.players[seat].goods
    return _goods_of_row(native.peek(state).players[seat])  # type: ignore[arg-type]


def _of_player(player: Player | SeenPlayer) -> Owned:
    if isinstance(player, Player):
        hand: int | None = player.hand.packed
        left = player.hand.packed + player.draw_pile.packed
    else:
        hand = None if player.hand is None else player.hand.packed
        left = player.hidden.packed
    deck, goods = left + player.discard_pile.packed, player.goods
    stock = goods.gold, goods.wood, goods.stone, goods.brick
    return Owned(hand, left, deck, *stock, player.built.mask, player.upgraded.mask, player.score)


@lru_cache(maxsize=1 << 12)
def _of_row(player: bytes) -> Owned:
    hand, pile, discarded, built, upgraded, *others = native.numbers_of_player(player)
    gold, wood, stone, brick, score = others
    left = hand + pile
    return Owned(hand, left, left + discarded, gold, wood, stone, brick, built, upgraded, score)


@lru_cache(maxsize=1 << 12)
def _goods_of_row(player: bytes) -> Goods:
    return Goods(*_of_row(player)[3:7])
