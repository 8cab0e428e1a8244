"""What a value reads off a position, in numbers: the same whichever form the position has."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from valletta_rules import native
from valletta_rules.components.bags import CardBag
from valletta_rules.components.goods import Goods
from valletta_rules.state import Form, GameState, Phase, Player, has_another_form, kind_of
from valletta_rules.views.view import PlayerView, SeenPlayer, Table


class Owned(NamedTuple):
    """What belongs to a player; cards are counted in one number, a byte for each kind."""

    hand: int | None
    """The cards in the hand, if they are known."""
    left: int
    """The cards in the hand and in the draw pile."""
    deck: int
    """These and the discard pile."""
    gold: int
    wood: int
    stone: int
    brick: int
    built: int
    """The sites built on, as bits."""
    upgraded: int
    score: int


class Reading(NamedTuple):
    """What a position tells of how the game will end."""

    players: tuple[Owned, ...]
    active: int
    played: int
    """The cards played this turn, which belong to the active player, counted like a hand."""
    valette: int
    is_final: bool
    """Whether the final phase has begun, so that no card comes back."""


def read(position: GameState | Form | PlayerView | Table) -> Reading:
    """Read a position in any form, a view or a table; raise `TypeError` for anything else."""
    if has_another_form(position):
        return _read_row(bytes(position))  # type: ignore[call-overload]
    board = position.table if isinstance(position, PlayerView) else position
    if isinstance(board, GameState):
        players = tuple([_read_player(player) for player in board.players])
    elif isinstance(board, Table):
        players = tuple([_read_seen(seen) for seen in board.players])
    else:
        raise TypeError(f"a position, a view or a table is needed, not {kind_of(position)}")
    played = CardBag.of(*board.played)._packed
    return Reading(players, board.active, played, board.valette, board.phase in _LATE)


def read_goods(state: GameState | Form, seat: int) -> Goods:
    """Return the goods of a seat in a position."""
    if isinstance(state, GameState):
        return state.players[seat].goods
    row = bytes(state)  # type: ignore[call-overload]
    return _read_stock(row[_places(len(row))[seat]])


_LATE = (Phase.FINAL, Phase.OVER)
_LATE_NUMBERS = tuple(map(tuple(Phase).index, _LATE))


def _read_player(player: Player) -> Owned:
    hand = player.hand._packed
    left = hand + player.draw_pile._packed
    return Owned(
        hand,
        left,
        left + player.discard_pile._packed,
        player.goods.gold,
        player.goods.wood,
        player.goods.stone,
        player.goods.brick,
        player.built.mask,
        player.upgraded.mask,
        player.score,
    )


def _read_seen(seen: SeenPlayer) -> Owned:
    left = seen.hidden._packed
    return Owned(
        None if seen.hand is None else seen.hand._packed,
        left,
        left + seen.discard_pile._packed,
        seen.goods.gold,
        seen.goods.wood,
        seen.goods.stone,
        seen.goods.brick,
        seen.built.mask,
        seen.upgraded.mask,
        seen.score,
    )


# Rows of the native twin


def _read_row(row: bytes) -> Reading:
    _, active, phase, valette, _, plays, *_ = row[:8]
    players = tuple([_read_slice(row[place]) for place in _places(len(row))])
    played = 0
    if plays:
        *_, ranks, _, _, _ = native.HEAD.unpack_from(row)
        played = sum([1 << 8 * rank for rank in ranks[:plays]])
    return Reading(players, active, played, valette, phase in _LATE_NUMBERS)


@lru_cache(maxsize=8)
def _places(length: int) -> tuple[slice, ...]:
    """Return where the players stand in a row of such a length."""
    starts = range(native.HEAD.size, length, native.PLAYER.size)
    return tuple([slice(start, start + native.PLAYER.size) for start in starts])


@lru_cache(maxsize=1 << 12)
def _read_slice(row: bytes) -> Owned:
    hand, _, pile, _, discarded, _, _, _, *open_ones = native.PLAYER.unpack(row)
    built, upgraded, gold, wood, stone, brick, score = open_ones
    cards = int.from_bytes(hand, "little")
    left = cards + int.from_bytes(pile, "little")
    deck = left + int.from_bytes(discarded, "little")
    return Owned(cards, left, deck, gold, wood, stone, brick, built, upgraded, score)


@lru_cache(maxsize=1 << 12)
def _read_stock(row: bytes) -> Goods:
    owned = _read_slice(row)
    return Goods(owned.gold, owned.wood, owned.stone, owned.brick)
