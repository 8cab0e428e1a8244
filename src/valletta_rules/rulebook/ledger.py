"""The ledger: transfers of goods and scoring of points, with their events."""

from __future__ import annotations

from valletta_rules.components import Goods
from valletta_rules.events import GoodsGiven, GoodsReturned, GoodsTaken, Log, PointsScored
from valletta_rules.rulebook.final_phase import telling_if_triggered
from valletta_rules.state import GameState


def take(state: GameState, seat: int, goods: Goods, clause: str, log: Log) -> GameState:
    """Move goods from the general supply, which never runs out, to a player.

    Rules: CMP-2
    """
    if log is not None and goods:
        log.append(GoodsTaken(seat, goods, clause))
    player = state.players[seat]
    return state.with_player(seat, player.replace(goods=player.goods + goods))


def give_back(state: GameState, seat: int, goods: Goods, clause: str, log: Log) -> GameState:
    """Move goods from a player to the general supply."""
    if log is not None and goods:
        log.append(GoodsReturned(seat, goods, clause))
    player = state.players[seat]
    return state.with_player(seat, player.replace(goods=player.goods - goods))


def give(
    state: GameState, giver: int, taker: int, goods: Goods, clause: str, log: Log
) -> GameState:
    """Move goods from one player to another."""
    if log is not None:
        log.append(GoodsGiven(giver, taker, goods, clause))
    source, target = state.players[giver], state.players[taker]
    state = state.with_player(giver, source.replace(goods=source.goods - goods))
    return state.with_player(taker, target.replace(goods=target.goods + goods))


def score(state: GameState, seat: int, points: int, clause: str, log: Log) -> GameState:
    """Add points to a player's score.

    Rules: SCO-1
    """
    if log is not None:
        log.append(PointsScored(seat, points, clause))
    player = state.players[seat]
    scored = state.with_player(seat, player.replace(score=player.score + points))
    return telling_if_triggered(state, scored, log)
