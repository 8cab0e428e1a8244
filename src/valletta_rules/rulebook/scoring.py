"""Scoring: the score track, the final scores, and the winners."""

from __future__ import annotations

from typing import Final

from valletta_rules.components import LAST_SPACE, Goods
from valletta_rules.results import Outcome, Score
from valletta_rules.rulebook.houses_and_icons import building_points
from valletta_rules.state import (
    Board,
    Form,
    GameState,
    Phase,
    has_another_form,
    need_position,
)


def track_position(score: int) -> tuple[int, int]:
    """Return the space of the score marker, and the points on tokens, for a player's score.

    With a score of 0 the marker is before space 1. With 25 it is on space 25 without a token, and
    with 26 on space 1 with a token worth 25.

    Rules: SCO-2, SCO-3, SCO-4, SET-19
    """
    if score < 0:
        raise ValueError(f"a score must be 0 or more, not {score}")
    if score == 0:
        return 0, 0
    rounds, space = divmod(score - 1, LAST_SPACE)
    return space + 1, rounds * LAST_SPACE


GOODS_PER_POINT: Final = 3
"""The number of goods that are worth one point at the end of the game.

Rules: SCO-7
"""


def goods_points(goods: Goods) -> int:
    """Return the points for leftover goods: one for every three, in any mix and rounded down.

    Rules: SCO-7
    """
    return goods.total // GOODS_PER_POINT


def score_sheet(board: Board) -> tuple[Score, ...]:
    """Return the score of each player, as if the game ended in this position.

    Rules: SCO-8
    """
    return tuple(
        Score(
            seat=seat,
            track=player.score,
            buildings=building_points(board, seat),
            goods=goods_points(player.goods),
            houses=len(player.built),
        )
        for seat, player in enumerate(board.players)
    )


def winners(scores: tuple[Score, ...]) -> Outcome:
    """Return the winners: the players with most points or, of those tied, with most houses.

    Rules: SCO-9, SCO-10, SCO-11
    """
    most_points = max(score.total for score in scores)
    leaders = [score for score in scores if score.total == most_points]
    if len(leaders) == 1:
        return Outcome(scores, (leaders[0].seat,), "SCO-9")
    most_houses = max(score.houses for score in leaders)
    tied = tuple(score.seat for score in leaders if score.houses == most_houses)
    return Outcome(scores, tied, "SCO-10" if len(tied) == 1 else "SCO-11")


def outcome(state: GameState | Form) -> Outcome | None:
    """Return the final scores and the winners, or `None` if the game is not over.

    Raises `TypeError` for any value that is not a position, such as a view.

    Rules: SCO-8, SCO-9, SCO-10, SCO-11
    """
    if has_another_form(state):
        return state.outcome()
    state = need_position(state)
    return winners(score_sheet(state)) if state.phase is Phase.OVER else None
