"""Helper functions that create positions for tests.

>>> state = position(seat(hand=[Character.WOODWORKER], built=[0, 1]), seat(),
...                  display={0: a_building(icon=Good.WOOD), 1: a_building(icon=Good.WOOD)})
>>> play(state, PlayCard(Character.WOODWORKER)).players[0].goods
Goods(gold=0, wood=2, stone=0, brick=0)
"""

from collections.abc import Iterable, Mapping

import pytest

import valletta_rules as vr
from valletta_rules import rulings
from valletta_rules.agenda import EndTurn, PlayPrompt, Step
from valletta_rules.components import SITES

EDITIONS = tuple(rulings.EDITIONS.values())

editions = pytest.mark.parametrize("rules", EDITIONS, ids=str)
"""A decorator that runs a test with each edition."""

NO_GOODS = vr.Goods()

PLAIN = vr.Building(
    "Z", vr.Character.KNIGHT, vr.Goods(gold=9, wood=9, stone=9, brick=9), vr.Good.GOLD, 1
)
"""An expensive building, so that no test buys it by accident."""

PLAIN_CARDS = vr.CardSet("plain", (PLAIN,), vr.Goods(7, 6, 6, 6))
"""A card set for tests that create their own buildings."""


def a_building(
    *,
    character: vr.Character = vr.Character.KNIGHT,
    cost: vr.Goods = PLAIN.cost,
    icon: vr.Good = vr.Good.GOLD,
    points: int = 1,
    letter: str = "Y",
) -> vr.Building:
    """Return a building with the given properties. The character determines its colour."""
    return vr.Building(letter, character, cost, icon, points)


def seat(
    *,
    hand: Iterable[vr.Character] = (),
    draw_pile: Iterable[vr.Character] = (),
    discard_pile: Iterable[vr.Character] = (),
    goods: vr.Goods = NO_GOODS,
    built: Iterable[int] = (),
    upgraded: Iterable[int] = (),
    score: int = 0,
) -> vr.Player:
    """Return a player who has only the given cards, goods, sites and score.

    Sites in `upgraded` also count as built.
    """
    upgraded = tuple(upgraded)
    return vr.Player(
        hand=vr.CardBag.of(*hand),
        draw_pile=vr.CardBag.of(*draw_pile),
        discard_pile=vr.CardBag.of(*discard_pile),
        goods=goods,
        built=vr.SiteSet.of(*built, *upgraded),
        upgraded=vr.SiteSet.of(*upgraded),
        score=score,
    )


def position(
    *players: vr.Player,
    rules: vr.RuleSet = vr.HANS_IM_GLUECK,
    cards: vr.CardSet = PLAIN_CARDS,
    display: Mapping[int, vr.Building] | None = None,
    supply: Iterable[vr.Character] = (),
    barrels: vr.Goods | None = None,
    valette: int = 0,
    active: int = 0,
    played: Iterable[vr.Character] = (),
    plays: int = 3,
    phase: vr.Phase = vr.Phase.MAIN,
    agenda: tuple[Step, ...] | None = None,
) -> vr.GameState:
    """Return a position in the turn of seat `active`, who has `plays` cards left to play.

    Sites that are not in `display` contain the building `PLAIN`.
    `agenda` replaces the default steps of the turn.
    """
    sites = dict.fromkeys(range(SITES[len(players)]), PLAIN) | dict(display or {})
    return vr.GameState(
        rules=rules,
        cards=cards,
        display=tuple(sites.values()),
        players=players,
        supply=vr.CardBag.of(*supply),
        barrels=cards.barrels if barrels is None else barrels,
        valette=valette,
        active=active,
        played=tuple(played),
        phase=phase,
        agenda=(PlayPrompt(active, plays), EndTurn(active)) if agenda is None else agenda,
    )


def viewers(state: vr.GameState) -> tuple[int | None, ...]:
    """Return all viewers of a position: the seats, and `None` for a spectator."""
    return *state.seats, None


def refusal(state: vr.GameState, action: vr.Action) -> vr.Violation:
    """Check that `check`, `apply` and `transition` refuse an action, and return the violation."""
    before = repr(state)
    assert action not in vr.legal_actions(state)
    violation = vr.check(state, action)
    assert violation is not None
    for function in (vr.apply, vr.transition):
        with pytest.raises(vr.IllegalActionError) as refused:
            function(state, action)
        assert refused.value.violation == violation
    assert repr(state) == before
    return violation
