"""What the automatic player and the rollout policy answer, question by question."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tests.positions import a_building, position, seat
from valletta_rules import (
    Action,
    Build,
    Character,
    Decline,
    Dismiss,
    DraftGood,
    GameState,
    GiveGood,
    Good,
    Goods,
    Hire,
    Pay,
    Phase,
    PlayCard,
    ReturnGood,
    TakeGood,
    TakeGoods,
    Upgrade,
    apply,
    check,
    new_game,
    outcome,
    resolve_chance,
)
from valletta_rules.agenda import (
    ArchitectPrompt,
    ArtisanPrompt,
    BonusPrompt,
    EndTurn,
    MaidPrompt,
    MonkPrompt,
    PaymentPrompt,
    PlayPrompt,
    SeamstressPrompt,
    SitePrompt,
    Step,
    TraderPrompt,
    ValettePrompt,
)
from valletta_rules.bots.automatic import choose
from valletta_rules.bots.rollout_policy import quick_answer
from valletta_rules.bots.value import Forecast
from valletta_rules.components.goods import NOTHING

C = Character
SITE = SitePrompt(0, NOTHING)
CHEAP = a_building(cost=Goods(gold=1), points=1)
GOOD, DEAR = a_building(cost=Goods(gold=2), points=3), a_building(cost=Goods(gold=9), points=1)
RUINOUS = dict.fromkeys(range(20), a_building(cost=Goods(gold=14), points=0))
DECK = [C.BUILDER] * 8
TAKEN = {"goods": Goods(5, 5, 0, 4), "built": [0]}
WOOD = {0: a_building(icon=Good.WOOD)}
UPGRADED = {0: a_building(cost=Goods(gold=1, wood=1), points=5)}
FINAL = {"phase": Phase.FINAL}


def asked(*steps: Step, **table: Any) -> GameState:
    """Return a position with prompts of seat 0 before the rest of the turn."""
    players = (seat(**table.pop("me", {})), seat(hand=[C.MAID], draw_pile=[C.MAID] * 6))
    return position(*players, agenda=(*steps, PlayPrompt(0, 1), EndTurn(0)), **table)


def quick(state: GameState) -> Action:
    """Return the answer of the rollout policy."""
    return quick_answer(state, Forecast(state.display, 2), random.Random(1))


@pytest.mark.parametrize(
    ("step", "table", "answer"),
    [
        # Of equal buildings the one that Valette sees; a good upgrade; nothing at a loss.
        (SITE, {"me": {"goods": Goods(2)}, "display": {0: CHEAP, 3: CHEAP}, "valette": 17}, 3),
        (SITE, {"me": {"goods": Goods(0, 1), "built": [0]}, "display": UPGRADED} | FINAL, "up"),
        (SITE, {"me": {"goods": Goods(14)}, "display": RUINOUS} | FINAL, Decline()),
        (
            PaymentPrompt(0, 3, Goods(1, 1)),
            {"me": {"goods": Goods(1, 0, 4, 2)}},
            Pay(Goods(1, 0, 3)),
        ),
        # What is needed most is taken, what is needed least is given.
        (MonkPrompt(0, 1), {"me": {"goods": Goods(1, 1, 9, 1)}}, GiveGood(Good.STONE)),
        (ArtisanPrompt(0), {"me": TAKEN, "display": WOOD}, TakeGood(Good.WOOD)),
        (BonusPrompt(0, C.TAX_COLLECTOR), {"me": TAKEN}, TakeGood(Good.STONE)),
        (TraderPrompt(0), {"me": TAKEN}, ReturnGood(Good.WOOD)),
        (ArchitectPrompt(0), {"me": TAKEN}, ReturnGood(Good.WOOD)),
        # Builders are hired while there are few, and anybody at the end; the weak go late.
        (ValettePrompt(0), {"me": {"hand": DECK[:1]}, "supply": [C.BUILDER]}, Hire(C.BUILDER)),
        (ValettePrompt(0), {"me": {"hand": DECK[:1]}}, Decline()),
        (ValettePrompt(0), {"me": {"hand": DECK[:1]}, "supply": [C.LUMBERJACK]}, Decline()),
        (ValettePrompt(0), {"me": {"hand": [*DECK, C.LUMBERJACK]}} | FINAL, Decline()),
        (ValettePrompt(0), {"me": {"hand": DECK}, "supply": [C.BUILDER]}, Decline()),
        (ValettePrompt(0), {"me": {"hand": DECK}, "supply": [C.KNIGHT]} | FINAL, Hire(C.KNIGHT)),
        (
            ValettePrompt(0),
            {"me": {"hand": [*DECK, C.LUMBERJACK]}, "valette": 15},
            Dismiss(C.LUMBERJACK),
        ),
        (ValettePrompt(0), {"me": {"hand": [*DECK, C.LUMBERJACK]}, "valette": 3}, Decline()),
        (ValettePrompt(0), {"me": {"hand": [*DECK[1:], C.LUMBERJACK]}, "valette": 15}, Decline()),
    ],
)
def test_the_automatic_player_answers(step: Step, table: dict[str, Any], answer: Any) -> None:
    """By what goods, buildings and cards are worth to it."""
    expected = {3: Build(3), "up": Upgrade(0)}.get(answer, answer)
    assert choose(asked(step, **table), random.Random(0)) == expected


@pytest.mark.parametrize(
    ("step", "table", "answer"),
    [
        # What prepares others is played first, and nobody thinks of building without goods.
        (
            PlayPrompt(0, 2),
            {"me": {"hand": [C.BUILDER, C.SEAMSTRESS, C.APPRENTICE], "goods": Goods(2, 2, 2, 2)}},
            PlayCard(C.SEAMSTRESS),
        ),
        (
            PlayPrompt(0, 1),
            {"me": {"hand": [C.BUILDER, C.MAID], "goods": Goods(1)}},
            PlayCard(C.MAID),
        ),
        # Points and costs decide; an upgrade may be better, and at a loss nothing is built.
        (SITE, {"me": {"goods": Goods(9, 2, 2, 2)}, "display": {0: DEAR, 1: GOOD}}, Build(1)),
        (
            SITE,
            {"me": {"goods": Goods(9, 2, 2, 2), "built": [1]}, "display": {0: DEAR, 1: GOOD}},
            Upgrade(1),
        ),
        (SITE, {"me": {"goods": Goods(14)}, "display": RUINOUS}, Decline()),
        (PaymentPrompt(0, 1, Goods(1)), {"me": {"goods": Goods(1, 1, 1, 1)}}, Pay(Goods(1))),
        # A good character is hired and a weak one is not.
        (
            ValettePrompt(0),
            {"me": {"hand": [C.MAID]}, "supply": [C.BUILDER, C.MAID]},
            Hire(C.BUILDER),
        ),
        (ValettePrompt(0), {"me": {"hand": [C.MAID]}, "supply": [C.MAID]}, Decline()),
        # What there is least of is taken, and what there is most of is given.
        (MaidPrompt(0), {"me": {"goods": Goods(1, 0, 5, 4)}}, TakeGood(Good.WOOD)),
        (MonkPrompt(0, 1), {"me": {"goods": Goods(1, 0, 5, 4)}}, GiveGood(Good.STONE)),
        (ArchitectPrompt(0), {"me": {"goods": Goods(1, 0, 5, 4)}}, ReturnGood(Good.STONE)),
    ],
)
def test_the_rollout_policy_answers(step: Step, table: dict[str, Any], answer: Action) -> None:
    """By each card and each site alone."""
    assert quick(asked(step, **table)) == answer


def test_of_pairs_and_drafts_any_is_taken_that_is_needed() -> None:
    """The Seamstress brings what is lacking; the policy takes something legal."""
    pair = asked(SeamstressPrompt(0), me=TAKEN)
    chosen = choose(pair, random.Random(0))
    assert isinstance(chosen, TakeGoods)
    assert chosen.goods.stone
    assert check(pair, quick(pair)) is None
    assert isinstance(quick(resolve_chance(new_game(2), random.Random(3))), DraftGood)


# The automatic player's turns


def plays(state: GameState) -> list[Character]:
    """Return the cards that seat 0 plays until it is no longer its turn."""
    cards, rng = list[Character](), random.Random(0)
    while state.prompt is not None and state.prompt.seat == state.active == 0:
        action = choose(state, rng)
        if isinstance(action, PlayCard):
            cards.append(action.character)
        state = apply(state, action)
    return cards


@pytest.mark.parametrize(
    ("me", "display", "count", "played"),
    [
        # What brings goods is played first, then what builds.
        (
            {"hand": [C.BUILDER, C.LUMBERJACK], "goods": Goods(gold=1)},
            {0: a_building(cost=Goods(gold=1, wood=1), points=3)},
            2,
            [C.LUMBERJACK, C.BUILDER],
        ),
        # The best red or green card comes right before the Apprentice.
        (
            {"hand": [C.APPRENTICE, C.WOODWORKER, C.KNIGHT], "built": [0, 1, 2]},
            dict.fromkeys(range(3), WOOD[0]),
            3,
            [C.KNIGHT, C.WOODWORKER, C.APPRENTICE],
        ),
        # A strong card that is of no use is kept.
        ({"hand": [C.BUILDER, C.APPRENTICE], "draw_pile": [C.MAID] * 5}, {}, 1, [C.APPRENTICE]),
    ],
)
def test_cards_are_played_in_a_good_order(
    me: Any, display: Any, count: int, played: list[Character]
) -> None:
    """What prepares others goes first."""
    state = position(seat(**me), seat(hand=[C.MAID]), display=display, plays=count)
    assert plays(state) == played


@pytest.mark.parametrize(("phase", "use_effect"), [(Phase.MAIN, False), (Phase.FINAL, True)])
def test_points_are_bought_when_goods_are_of_little_use(phase: Phase, use_effect: bool) -> None:
    """The Grand Bailiff is played in vain while gold is needed, and used in the final phase."""
    dear = a_building(cost=Goods(gold=9), points=20)
    me = seat(hand=[C.GRAND_BAILIFF], goods=Goods(gold=4), draw_pile=[C.MAID] * 5)
    state = position(me, seat(), display={0: dear}, plays=1, phase=phase)
    chosen = PlayCard(C.GRAND_BAILIFF, use_effect=use_effect)
    assert choose(state, random.Random(0)) == chosen


def test_games_are_plausible() -> None:
    """With the built-in cards most winners have 40 to 85 points, and many of them by building."""
    best = []
    for seed in range(8):
        rng = random.Random(seed)
        state = resolve_chance(new_game(2), rng)
        while state.prompt is not None:
            state = resolve_chance(apply(state, choose(state, rng)), rng)
        end = outcome(state)
        assert end is not None
        best.append(max(end.scores, key=lambda score: score.total))
    assert sum(40 <= score.total <= 85 for score in best) >= 6
    assert sum(score.buildings for score in best) >= 0.4 * sum(score.total for score in best)


def test_nobody_chooses_for_chance_or_after_the_end() -> None:
    """It is an error to ask the automatic player where no player is asked."""
    for state in (new_game(2), position(seat(), seat(), agenda=(), phase=Phase.OVER)):
        with pytest.raises(ValueError, match="no player is asked"):
            choose(state, random.Random(0))
