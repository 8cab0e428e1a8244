"""Whatever is earned can be worked out anew from what lies on the table.

That the events tell everything, `tests/views/test_redaction.py` shows: the tables of all seats are
worked out from them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spec.checks.random_games import (
    Playthrough,
    PlaythroughMove,
    asks,
    games,
    in_every,
    positions,
    scaled,
    whole_games,
)
from valletta_rules import (
    Build,
    Building,
    Character,
    Colour,
    Event,
    GameState,
    Good,
    Goods,
    Pay,
    PlayCard,
    fold,
    outcome,
    redact,
    transition,
    view,
)
from valletta_rules.agenda import PlayPrompt
from valletta_rules.events import (
    Built,
    CardPlayed,
    EffectFizzled,
    GameEnded,
    GoodsTaken,
    PointsScored,
    Upgraded,
)


def construction_points(move: PlaythroughMove, seat: int, site: int) -> list[Event]:
    """Return the points that a construction earned, as they are due where Valette stands."""
    space = move.before.valette
    if space and (space - 1) // 5 == site % 5:
        clause = "BLD-33" if site in move.before.players[seat].built else "BLD-32"
        return [PointsScored(seat, 2, clause)]
    return []


@pytest.mark.rule("BLD-25", "BLD-29", "BLD-30", "BLD-31", "BLD-32", "BLD-33", "BLD-34", "BLD-35")
@in_every(games)
def test_every_construction_has_its_due(game: Playthrough) -> None:
    """Paying erects or upgrades the one building chosen, and earns two points in Valette's area."""
    for move, following in zip(game.moves, game.moves[1:], strict=False):
        if not isinstance(following.action, Pay):
            continue
        seat, site = following.before.active, getattr(move.action, "site", None)
        assert isinstance(site, int)
        built: Event = Upgraded(seat, site)
        if isinstance(move.action, Build):
            built = Built(seat, site, following.before.display[site].character)
        due = [built, *construction_points(following, seat, site)]
        kinds = Built | Upgraded | PointsScored
        assert [event for event in following.events if isinstance(event, kinds)] == due


@pytest.mark.rule("SCO-5", "SCO-6", "SCO-7", "SCO-8", "SCO-9", "SCO-10", "SCO-11", "FIN-16")
@in_every(whole_games)
def test_the_result_is_the_sum_of_what_was_told(game: Playthrough) -> None:
    """The result is the points told, the buildings' points and a point for every three goods."""
    table = fold(view(game.start, None).table, [redact(event, None) for event in game.events])
    results = []
    for player in table.players:
        printed = sum(table.display[site].points for site in (*player.built, *player.upgraded))
        results.append((player.score + printed + player.goods.total // 3, len(player.built)))
    found = outcome(game.end)
    assert found is not None
    assert [(score.total, score.houses) for score in found.scores] == results
    assert found.winners == tuple(
        seat for seat, result in enumerate(results) if result == max(results)
    )
    assert game.events[-1] == GameEnded(found)
    totals = [total for total, _ in results]
    decided = "SCO-9" if totals.count(max(totals)) == 1 else None
    decided = decided or ("SCO-10" if results.count(max(results)) == 1 else "SCO-11")
    assert found.clause == decided


# What cards count

Houses = Sequence[tuple[Building, bool]]
"""The buildings of a player, and whether they are upgraded."""


def icons(good: Good) -> Callable[[Houses], int]:
    """Return what counts the icons of a good, those of upgraded buildings twice."""
    return lambda houses: sum(1 + upgraded for each, upgraded in houses if each.icon is good)


def of_colour(colour: Colour) -> Callable[[Houses], int]:
    """Return what counts the buildings of a colour, upgraded or not."""
    return lambda houses: sum(each.colour is colour for each, _ in houses)


GOODS = {
    Character.BANKER: ("GRN-1", Good.GOLD, icons(Good.GOLD)),
    Character.WOODWORKER: ("GRN-2", Good.WOOD, icons(Good.WOOD)),
    Character.CARVER: ("GRN-3", Good.STONE, icons(Good.STONE)),
    Character.MASON: ("GRN-4", Good.BRICK, icons(Good.BRICK)),
    Character.CHAMBERLAIN: ("BLU-19", Good.GOLD, of_colour(Colour.GREEN)),
}
"""By which clause a card takes which good, and what it counts."""

POINTS: dict[Character, tuple[str, Callable[[Houses], int]]] = {
    Character.PHILIP: ("YEL-10", of_colour(Colour.GREEN)),
    Character.CHARLES: ("YEL-11", of_colour(Colour.BLUE)),
    Character.PIUS: ("YEL-13", lambda houses: sum(upgraded for _, upgraded in houses)),
}
"""By which clause a card scores, and what it counts."""


def played(state: GameState, card: Character) -> tuple[Houses, Event]:
    """Return the buildings of the player on turn, and what a card of theirs does."""
    player = state.players[state.active]
    state = state.with_player(state.active, player.replace(hand=player.hand.plus(card)))
    houses = [(state.display[site], site in player.upgraded) for site in player.built]
    playing, happened, *_ = transition(state, PlayCard(card)).events
    assert playing == CardPlayed(state.active, card)
    return houses, happened


@pytest.mark.rule("GRN-1", "GRN-2", "GRN-3", "GRN-4", "BLU-19")
@scaled(3)
@given(positions(asks(PlayPrompt)), st.sampled_from(list(GOODS)))
def test_goods_are_counted_on_ones_buildings(state: GameState, card: Character) -> None:
    """Green cards count icons, upgraded ones twice, and the Chamberlain counts green buildings."""
    clause, good, count = GOODS[card]
    houses, happened = played(state, card)
    taken = GoodsTaken(state.active, Goods.of(good, count(houses)), clause)
    assert happened == (taken if count(houses) else EffectFizzled(state.active, card))


@pytest.mark.rule("YEL-10", "YEL-11", "YEL-12", "YEL-13")
@scaled(3)
@given(positions(asks(PlayPrompt)), st.sampled_from(list(POINTS)))
def test_points_are_counted_on_ones_buildings(state: GameState, card: Character) -> None:
    """Philip counts the green, Charles the blue, Pius the upgraded buildings, each once."""
    clause, count = POINTS[card]
    houses, happened = played(state, card)
    scored = PointsScored(state.active, count(houses), clause)
    assert happened == (scored if count(houses) else EffectFizzled(state.active, card))
