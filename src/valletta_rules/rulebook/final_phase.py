"""The final phase: its end conditions, its beginning, and the end of the game.

In the final phase turns are played as before, with two differences: `turn.reshuffle_if_wanted` does
not reshuffle, and `turn.pass_turn` skips players without a card. The final phase always ends, since
played cards are never drawn again. The main phase can last for ever.

Rules: FIN-8, FIN-18, FIN-19
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from valletta_rules.components import HOUSES_PER_PLAYER, LAST_SPACE
from valletta_rules.events import (
    EndCondition,
    FinalPhaseBegan,
    FinalPhaseTriggered,
    GameEnded,
    Log,
    PlayerDroppedOut,
)
from valletta_rules.rulebook.scoring import outcome
from valletta_rules.state import Board, GameState, Phase

TRIGGERING_SCORE: Final = 25
"""The score that triggers the final phase.

Rules: FIN-2
"""


def end_conditions(board: Board) -> tuple[EndCondition, ...]:
    """Return the end conditions that are fulfilled.

    A fulfilled condition stays fulfilled, since Valette never moves back and players lose no points
    or houses. The last barrel lies on space 25 in every layout.

    Rules: FIN-1, FIN-2, FIN-3
    """
    fulfilled = []
    if board.valette == LAST_SPACE:
        fulfilled.append(EndCondition.LAST_BARREL)
    for player in board.players:
        if player.score >= TRIGGERING_SCORE and EndCondition.SCORE not in fulfilled:
            fulfilled.append(EndCondition.SCORE)
    for player in board.players:
        if len(player.built) >= HOUSES_PER_PLAYER and EndCondition.HOUSES not in fulfilled:
            fulfilled.append(EndCondition.HOUSES)
    return tuple(fulfilled)


CONDITION_CLAUSES: Final[Mapping[EndCondition, str]] = MappingProxyType(
    {
        EndCondition.LAST_BARREL: "FIN-1",
        EndCondition.SCORE: "FIN-2",
        EndCondition.HOUSES: "FIN-3",
    }
)
"""The clause that states each end condition."""


def telling_if_triggered(before: GameState, after: GameState, log: Log) -> GameState:
    """Record each end condition that is fulfilled in `after` but not in `before`. Return `after`.

    Every function that moves Valette, adds points or builds a house calls this function at once, so
    that the event directly follows the change that fulfilled the condition.

    Rules: FIN-1, FIN-2, FIN-3
    """
    if log is not None and before.phase is Phase.MAIN:
        for condition in end_conditions(after):
            if condition not in end_conditions(before):
                clause = CONDITION_CLAUSES[condition]
                log.append(FinalPhaseTriggered(after.active, condition, clause))
    return after


def begin(state: GameState, log: Log) -> GameState:
    """Begin the final phase: add every discard pile to its draw pile. Hands do not change.

    Rules: FIN-4, FIN-5, FIN-6
    """
    if log is not None:
        log.append(FinalPhaseBegan())
    players = tuple(player.with_discard_pile_joined() for player in state.players)
    return state.replace(players=players, phase=Phase.FINAL)


def begin_if_triggered(state: GameState, log: Log) -> GameState:
    """Begin the final phase if an end condition is fulfilled after the hand was refilled.

    Rules: FIN-4
    """
    if state.phase is Phase.MAIN and end_conditions(state):
        return begin(state, log)
    return state


def record_dropping_out(state: GameState, seat: int, log: Log) -> None:
    """Record that a player drops out if the hand is empty after the hand was refilled.

    Rules: FIN-11
    """
    if log is not None and not state.players[seat].hand:
        log.append(PlayerDroppedOut(seat))


def end(state: GameState, log: Log) -> GameState:
    """End the game when no player has a card left. Missed turns are not made up for.

    Rules: FIN-16, FIN-17
    """
    state = state.replace(phase=Phase.OVER, agenda=())
    result = outcome(state)
    if log is not None and result is not None:
        log.append(GameEnded(result))
    return state
