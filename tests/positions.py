"""Positions set up by hand, as one would lay them out on a table to settle an argument.

>>> state = position(seat(hand=[Character.WOODWORKER], built=[0, 1]), seat(),
...                  display={0: a_building(icon=Good.WOOD), 1: a_building(icon=Good.WOOD)})
>>> play(state, PlayCard(Character.WOODWORKER)).players[0].goods
Goods(gold=0, wood=2, stone=0, brick=0)
"""

from collections.abc import Iterable, Mapping

import pytest

from valletta_rules import (
    HANS_IM_GLUECK,
    Action,
    Building,
    CardBag,
    CardSet,
    Character,
    GameState,
    Good,
    Goods,
    IllegalActionError,
    Phase,
    Player,
    RuleSet,
    SiteSet,
    Violation,
    apply,
    check,
    legal_actions,
    rulings,
    transition,
)
from valletta_rules.agenda import EndTurn, PlayPrompt, Step
from valletta_rules.components import SITES

EDITIONS = tuple(rulings.EDITIONS.values())
"""The rule sets of the three editions."""

editions = pytest.mark.parametrize("rules", EDITIONS, ids=str)
"""Runs a test by the rules of each edition."""

NO_GOODS = Goods()

PLAIN = Building("Z", Character.KNIGHT, Goods(gold=9, wood=9, stone=9, brick=9), Good.GOLD, 1)
"""A building nobody can afford by accident."""

PLAIN_CARDS = CardSet("plain", (PLAIN,), Goods(7, 6, 6, 6))
"""A card set for positions whose display is given site by site."""


def a_building(
    *,
    character: Character = Character.KNIGHT,
    cost: Goods = PLAIN.cost,
    icon: Good = Good.GOLD,
    points: int = 1,
    letter: str = "Y",
) -> Building:
    """Return a building with the properties that matter; its colour is its character's."""
    return Building(letter, character, cost, icon, points)


def seat(
    *,
    hand: Iterable[Character] = (),
    draw_pile: Iterable[Character] = (),
    discard_pile: Iterable[Character] = (),
    goods: Goods = NO_GOODS,
    built: Iterable[int] = (),
    upgraded: Iterable[int] = (),
    score: int = 0,
) -> Player:
    """Return a player with what is named and nothing else (`upgraded` sites are built too)."""
    upgraded = tuple(upgraded)
    return Player(
        hand=CardBag.of(*hand),
        draw_pile=CardBag.of(*draw_pile),
        discard_pile=CardBag.of(*discard_pile),
        goods=goods,
        built=SiteSet.of(*built, *upgraded),
        upgraded=SiteSet.of(*upgraded),
        score=score,
    )


def position(
    *players: Player,
    rules: RuleSet = HANS_IM_GLUECK,
    cards: CardSet = PLAIN_CARDS,
    display: Mapping[int, Building] | None = None,
    supply: Iterable[Character] = (),
    barrels: Goods | None = None,
    valette: int = 0,
    active: int = 0,
    played: Iterable[Character] = (),
    plays: int = 3,
    phase: Phase = Phase.MAIN,
    agenda: tuple[Step, ...] | None = None,
) -> GameState:
    """Return a position in the middle of a turn of seat `active`, with `plays` cards to play.

    Sites not named in `display` hold `PLAIN`.  Give `agenda` to be asked something else first.
    """
    sites = dict.fromkeys(range(SITES[len(players)]), PLAIN) | dict(display or {})
    return GameState(
        rules=rules,
        cards=cards,
        display=tuple(sites.values()),
        players=players,
        supply=CardBag.of(*supply),
        barrels=cards.barrels if barrels is None else barrels,
        valette=valette,
        active=active,
        played=tuple(played),
        phase=phase,
        agenda=(PlayPrompt(active, plays), EndTurn(active)) if agenda is None else agenda,
    )


def viewers(state: GameState) -> tuple[int | None, ...]:
    """Return everybody who may look at a position, a spectator last."""
    return *state.seats, None


def refusal(state: GameState, action: Action) -> Violation:
    """Return why an action is refused, having made sure that it is refused everywhere."""
    before = repr(state)
    assert action not in legal_actions(state)
    violation = check(state, action)
    assert violation is not None
    for function in (apply, transition):
        with pytest.raises(IllegalActionError) as refused:
            function(state, action)
        assert refused.value.violation == violation
    assert repr(state) == before
    return violation
