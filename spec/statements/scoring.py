"""Formal statements of the clauses about scoring."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from valletta_rules import GameEnded, GameState, PointsScored

from . import Perspective, Step, always, shows

# During the game


@always("SCO-1")
def added_at_once(step: Step) -> bool | None:
    """The points that a step scores are added to the players' scores in the same step."""
    scored = [each for each in step.events if isinstance(each, PointsScored)]
    gains = [sum(each.points for each in scored if each.seat == n) for n in step.before.seats]
    return gains == [new.score - old.score for old, new in step.players] if scored else None


@shows("SCO-2")
def space(perspective: Perspective) -> Mapping[str, object] | None:
    """After space 25 of the street, the scoring figure continues on space 1."""
    score = perspective.player.score
    return {"space": [*range(1, 26)][score % 25 - 1]} if score else None


@shows("SCO-3")
def tokens(perspective: Perspective) -> Mapping[str, object]:
    """Each time the scoring figure passes space 25, the player receives tokens worth 25 points."""
    return {"tokens": sum(25 for end in range(25, perspective.player.score, 25))}


@shows("SCO-4")
def end_of_a_round(perspective: Perspective) -> Mapping[str, object] | None:
    """While the scoring figure is on space 25, the tokens do not yet include those 25 points."""
    score = perspective.player.score
    return {"space": 25, "tokens": score - 25} if score and score % 25 == 0 else None


# The final scoring


def building_points(state: GameState, seat: int) -> list[int]:
    """Return the points on each of a player's buildings; upgraded buildings count twice."""
    me = state.players[seat]
    return [state.display[site].points * (1 + (site in me.upgraded)) for site in me.built]


def of_buildings(state: GameState, seat: int) -> int:
    """Return the sum of the points on a player's buildings, doubled if upgraded (SCO-5, 6)."""
    return sum(building_points(state, seat))


def of_goods(state: GameState, seat: int) -> int:
    """Return the points for a player's goods: one for every three goods (SCO-7)."""
    return sum(state.players[seat].goods) // 3


def result(state: GameState, seat: int) -> int:
    """Return a player's result: the score plus the points for buildings and goods (SCO-8)."""
    return state.players[seat].score + of_buildings(state, seat) + of_goods(state, seat)


def outcome(step: Step) -> Any:
    """Return the outcome of the game if it ends with the step, otherwise `None`."""
    return next((each.outcome for each in step.events if isinstance(each, GameEnded)), None)


SHEET: Final[Mapping[str, tuple[str, Callable[[GameState, int], int]]]] = {
    "SCO-5": ("buildings", of_buildings),
    "SCO-6": ("buildings", of_buildings),
    "SCO-7": ("goods", of_goods),
    "SCO-8": ("total", result),
}
"""The columns of the score sheet, keyed by clause: the name, and a function for the value."""


@always(*SHEET, where=outcome)
def score_sheet(step: Step, clause: str) -> bool:
    """Each line of the score sheet has the points that the clause requires."""
    name, due = SHEET[clause]
    points = [getattr(line, name) for line in outcome(step).scores]
    return points == [due(step.after, seat) for seat in step.after.seats]


def _best(step: Step) -> list[tuple[int, int]]:
    """Return a pair (number of houses, seat) for each seat with the highest result."""
    results = {seat: result(step.after, seat) for seat in step.after.seats}
    best = [seat for seat in results if results[seat] == max(results.values())]
    return [(len(step.after.players[seat].built), seat) for seat in best]


@always("SCO-9", where=outcome)
def highest_result(step: Step) -> bool:
    """The winners have the highest result; if one player alone has it, SCO-9 decides the game."""
    end, best = outcome(step), [seat for _, seat in _best(step)]
    return {*end.winners} <= {*best} and (end.clause == "SCO-9") == (len(best) == 1)


@always("SCO-10", "SCO-11", where=outcome)
def most_houses(step: Step, clause: str) -> bool | None:
    """Among the players with the highest result, those with the most houses win."""
    end, best = outcome(step), _best(step)
    most = tuple(seat for houses, seat in best if houses == max(best)[0])
    is_due = len(best) > 1 and (len(most) > 1) is (clause == "SCO-11")
    return (end.winners, end.clause) == (most, clause) if is_due else None
