"""The automatic player."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings

from spec.checks.random_games import card_sets
from tests.positions import a_building, editions, position, seat
from valletta_rules import (
    Build,
    CardSet,
    Character,
    Decline,
    Dismiss,
    GameState,
    GiveGood,
    Good,
    Goods,
    Hire,
    Pay,
    Phase,
    PlayCard,
    ReturnGood,
    RuleSet,
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
    MonkPrompt,
    PaymentPrompt,
    PlayPrompt,
    SeamstressPrompt,
    SitePrompt,
    Step,
    TraderPrompt,
    ValettePrompt,
)
from valletta_rules.bots.automatic import choose, progress, worths
from valletta_rules.components.goods import NOTHING

C = Character
MOST_DECISIONS = 2000


def choice(*steps: Step, **table: Any) -> object:
    """Return what is chosen at a prompt put before the rest of a turn."""
    state = asked(*steps, **table)
    return choose(state, random.Random(0))


def asked(*steps: Step, **table: Any) -> GameState:
    """Return a position with prompts of seat 0 before the rest of the turn."""
    players = table.pop("players", None) or (seat(**table.pop("me", {})), seat())
    agenda = (*steps, PlayPrompt(0, 1), EndTurn(0))
    return position(*players, agenda=agenda, **table)


def whole_game(state: GameState, seed: int) -> GameState:
    """Play a game between automatic players to its end, checking that all they do is legal."""
    rng = random.Random(seed)
    state = resolve_chance(state, rng)
    for _ in range(MOST_DECISIONS):
        if state.prompt is None:
            break
        action = choose(state, rng)
        assert check(state, action) is None
        state = resolve_chance(apply(state, action), rng)
    return state


@pytest.mark.parametrize("players", [2, 3, 4])
@editions
def test_every_action_chosen_is_legal_and_games_end(rules: RuleSet, players: int) -> None:
    """Automatic players play every edition and variant to its end, and only legal actions."""
    rules = rules.with_variants(start_player_variant=players > 2, fewer_barrels=players == 2)
    state = whole_game(new_game(players, rules=rules), seed=players)
    assert state.phase is Phase.OVER
    assert state == whole_game(new_game(players, rules=rules), seed=players)


@settings(max_examples=3)
@given(card_sets())
def test_every_card_set_is_played_to_the_end(cards: CardSet) -> None:
    """Nothing depends on the values of the cards, as long as the rulebook permits them."""
    assert whole_game(new_game(2, cards=cards), seed=2).phase is Phase.OVER


def test_games_are_plausible() -> None:
    """With the built-in cards most winners have 40 to 85 points, and many of them by building."""
    results = [outcome(whole_game(new_game(2), seed)) for seed in range(8)]
    best = [max(each.scores, key=lambda score: score.total) for each in results if each]
    assert len(best) == 8
    assert sum(40 <= score.total <= 85 for score in best) >= 6
    assert sum(score.buildings for score in best) >= 0.4 * sum(score.total for score in best)


def test_the_choice_does_not_depend_on_hidden_cards() -> None:
    """How an opponent's cards split between hand and draw pile makes no difference."""
    rng = random.Random(8)
    state = resolve_chance(new_game(2), rng)
    for _ in range(60):
        prompt = state.prompt
        assert prompt is not None
        assert prompt.seat is not None
        other = 1 - prompt.seat
        player = state.players[other]
        cards = player.hand + player.draw_pile
        swapped = state.with_player(
            other, player.replace(hand=cards, draw_pile=player.discard_pile)
        )
        chosen = choose(state, random.Random(1))
        assert choose(swapped, random.Random(1)) == chosen
        state = resolve_chance(apply(state, chosen), rng)


def test_nobody_chooses_for_chance_or_after_the_end() -> None:
    """It is an error to ask the automatic player where no player is asked."""
    with pytest.raises(ValueError, match="no player is asked"):
        choose(new_game(2), random.Random(0))
    with pytest.raises(ValueError, match="no player is asked"):
        choose(position(seat(), seat(), agenda=(), phase=Phase.OVER), random.Random(0))


def test_progress_counts_the_nearest_condition() -> None:
    """The game is as far as the nearest condition for the final phase, at most 1."""
    assert progress(position(seat(), seat())) == 0
    assert progress(position(seat(), seat(), valette=5)) == 0.2
    assert progress(position(seat(score=30), seat())) == 1
    assert progress(position(seat(), seat(built=[0, 1]))) == 0.25
    assert progress(position(seat(), seat(), phase=Phase.FINAL)) == 1


def test_what_is_lacking_is_worth_more() -> None:
    """A good that the most promising building lacks is worth more than others."""
    cheap = a_building(cost=Goods(gold=1, stone=1), points=3)
    state = position(seat(goods=Goods(1, 1, 0, 1)), seat(), display={0: cheap})
    worth = worths(state, 0)
    assert max(worth, key=worth.__getitem__) is Good.STONE


def test_it_builds_where_valette_sees_it() -> None:
    """Of equal buildings the one in Valette's area is built."""
    cheap = a_building(cost=Goods(gold=1), points=1)
    state = asked(
        SitePrompt(0, NOTHING),
        me={"goods": Goods(gold=2)},
        display={0: cheap, 3: cheap},
        valette=17,
    )
    assert choose(state, random.Random(0)) == Build(3)


def test_it_upgrades_when_that_is_best() -> None:
    """Near the end a good upgrade is made."""
    cheap = a_building(cost=Goods(gold=1, wood=1), points=5)
    table = {"display": {0: cheap}, "phase": Phase.FINAL}
    me = {"goods": Goods(wood=1), "built": [0]}
    assert choice(SitePrompt(0, NOTHING), me=me, **table) == Upgrade(0)


def test_it_does_not_build_at_a_loss() -> None:
    """A building that costs more than it is worth is left."""
    dear = a_building(cost=Goods(gold=9), points=0)
    me = {"goods": Goods(gold=9)}
    table = {"display": dict.fromkeys(range(20), dear), "phase": Phase.FINAL}
    assert choice(SitePrompt(0, NOTHING), me=me, **table) == Decline()


def test_it_pays_as_cheaply_as_possible() -> None:
    """A payment prompt is answered by the cheapest payment."""
    prompt = PaymentPrompt(0, 3, Goods(gold=1, wood=1))
    assert choice(prompt, me={"goods": Goods(1, 0, 4, 2)}) == Pay(Goods(1, 0, 3, 0))


@pytest.mark.parametrize(
    ("deck", "table", "chosen"),
    [
        ([C.BUILDER], {"supply": [C.BUILDER]}, Hire(C.BUILDER)),
        ([C.BUILDER], {}, Decline()),
        ([C.BUILDER], {"supply": [C.LUMBERJACK]}, Decline()),
        ([*[C.BUILDER] * 8, C.LUMBERJACK], {"phase": Phase.FINAL}, Decline()),
        ([C.BUILDER] * 9, {"supply": [C.BUILDER]}, Decline()),
        ([C.BUILDER] * 9, {"phase": Phase.FINAL, "supply": [C.KNIGHT]}, Hire(C.KNIGHT)),
        ([*[C.BUILDER] * 8, C.LUMBERJACK], {"valette": 15}, Dismiss(C.LUMBERJACK)),
        ([*[C.BUILDER] * 8, C.LUMBERJACK], {"valette": 3}, Decline()),
        ([*[C.BUILDER] * 7, C.LUMBERJACK], {"valette": 15}, Decline()),
    ],
)
def test_it_hires_in_need_and_dismisses_late(
    deck: list[Character], table: dict[str, object], chosen: object
) -> None:
    """It hires for want of Builders or at the end, and dismisses gatherers late."""
    assert choice(ValettePrompt(0), me={"hand": deck}, **table) == chosen


def test_it_gives_the_monk_what_it_needs_least() -> None:
    """The Monk gets of what is most plentiful."""
    players = (seat(goods=Goods(1, 1, 9, 1)), seat())
    assert choice(MonkPrompt(0, 1), players=players) == GiveGood(Good.STONE)


def test_it_takes_what_it_needs_most() -> None:
    """Seamstress, Artisan and bonus bring what is needed; Trader and Architect cost the least."""
    goods = Goods(5, 5, 0, 4)
    me = {"goods": goods, "built": [0]}
    table = {"display": {0: a_building(icon=Good.WOOD)}}
    pair = choice(SeamstressPrompt(0), me=me)
    assert isinstance(pair, TakeGoods)
    assert pair.goods.stone
    assert choice(ArtisanPrompt(0), me=me, **table) == TakeGood(Good.WOOD)
    assert choice(BonusPrompt(0, C.TAX_COLLECTOR), me=me) == TakeGood(Good.STONE)
    assert choice(TraderPrompt(0), me=me) == ReturnGood(Good.WOOD)
    assert choice(ArchitectPrompt(0), me=me) == ReturnGood(Good.WOOD)


def plays(state: GameState) -> list[Character]:
    """Return the cards that seat 0 plays until it is no longer its turn."""
    cards = []
    rng = random.Random(0)
    while (
        isinstance(state.prompt, PlayPrompt | SitePrompt | PaymentPrompt) and state.prompt.seat == 0
    ):
        action = choose(state, rng)
        if isinstance(action, PlayCard):
            cards.append(action.character)
        state = apply(state, action)
    return cards


def test_goods_are_taken_before_building() -> None:
    """What brings goods is played first, then what builds."""
    cheap = a_building(cost=Goods(gold=1, wood=1), points=3)
    me = seat(hand=[C.BUILDER, C.LUMBERJACK], goods=Goods(gold=1))
    state = position(me, seat(hand=[C.MAID]), display={0: cheap}, plays=2)
    assert plays(state) == [C.LUMBERJACK, C.BUILDER]


def test_the_apprentice_follows_the_best_card() -> None:
    """The best red or green card is played just before the Apprentice."""
    me = seat(hand=[C.APPRENTICE, C.WOODWORKER, C.KNIGHT], built=[0, 1, 2])
    wood = dict.fromkeys(range(3), a_building(icon=Good.WOOD))
    state = position(me, seat(hand=[C.MAID]), display=wood)
    assert plays(state) == [C.KNIGHT, C.WOODWORKER, C.APPRENTICE]


def test_a_strong_card_of_no_use_is_kept() -> None:
    """What cannot be used now stays in the hand if it is strong."""
    me = seat(hand=[C.BUILDER, C.APPRENTICE], draw_pile=[C.MAID] * 5)
    assert plays(position(me, seat(hand=[C.MAID]), plays=1)) == [C.APPRENTICE]


@pytest.mark.parametrize(("phase", "use_effect"), [(Phase.MAIN, False), (Phase.FINAL, True)])
def test_points_are_bought_when_goods_are_of_little_use(phase: Phase, use_effect: bool) -> None:
    """The Grand Bailiff is played in vain while gold is needed, and used in the final phase."""
    dear = a_building(cost=Goods(gold=9), points=20)
    me = seat(hand=[C.GRAND_BAILIFF], goods=Goods(gold=4), draw_pile=[C.MAID] * 5)
    state = position(me, seat(), display={0: dear}, plays=1, phase=phase)
    chosen = PlayCard(C.GRAND_BAILIFF, use_effect=use_effect)
    assert choose(state, random.Random(0)) == chosen
