"""The final phase: what triggers it, how it is played, and how the game ends."""

from __future__ import annotations

import random

import pytest

from tests.positions import a_building, draw_all, editions, play, position, refusal, seat
from valletta_rules import (
    HANS_IM_GLUECK,
    REFERENCE_MANUAL,
    Z_MAN,
    Build,
    CardBag,
    Character,
    Code,
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
    Player,
    RevealBarrel,
    RuleSet,
    TakeGood,
    Upgrade,
    apply,
    legal_actions,
    new_game,
    outcome,
    resolve_chance,
    transition,
)
from valletta_rules.agenda import (
    BarrelPrompt,
    DrawPrompt,
    EndTurn,
    MaidPrompt,
    MonkPrompt,
    PlayPrompt,
    ValettePrompt,
)
from valletta_rules.events import (
    EndCondition,
    FinalPhaseBegan,
    FinalPhaseTriggered,
    GameEnded,
    PlayerDroppedOut,
    Reshuffled,
)

FEWER = HANS_IM_GLUECK.with_variants(fewer_barrels=True)
SHOP, WOOD, STONE, BRICK = (
    Character.SHOPKEEPER,
    Character.LUMBERJACK,
    Character.STONE_SCULPTOR,
    Character.BRICK_WORKER,
)
FIVE = (SHOP, WOOD, STONE, BRICK, Character.MAID)
"""A draw pile that fills a hand."""
CHEAP = a_building(cost=Goods(gold=1), character=Character.NUN)


def waiting() -> Player:
    """Return a player who has cards and waits for his turn."""
    return seat(hand=FIVE)


def triggers(before: GameState, *actions: PlayCard | RevealBarrel) -> list[FinalPhaseTriggered]:
    """Return what is told of triggers while some actions are applied."""
    told = []
    for action in actions:
        result = transition(before, action)
        told += [event for event in result.events if isinstance(event, FinalPhaseTriggered)]
        before = result.state
    return told


# The triggers


@pytest.mark.rule("FIN-1")
@pytest.mark.parametrize(
    ("rules", "count", "start"),
    [
        (HANS_IM_GLUECK, 2, 24),
        (HANS_IM_GLUECK, 4, 24),
        (Z_MAN, 3, 24),
        (REFERENCE_MANUAL, 2, 24),
        (REFERENCE_MANUAL, 3, 24),
        (REFERENCE_MANUAL, 4, 24),
        (FEWER, 2, 23),
    ],
    ids=str,
)
def test_last_barrel(rules: RuleSet, count: int, start: int) -> None:
    """Red moves Valette to space 25 and reveals the last barrel: his turn is the trigger."""
    state = position(
        seat(hand=[Character.VALETTE], draw_pile=FIVE),
        *(waiting() for _ in range(count - 1)),
        rules=rules,
        valette=start,
        plays=1,
        barrels=Goods(gold=1),
    )
    told = triggers(state, PlayCard(Character.VALETTE), RevealBarrel(Good.GOLD))
    assert told == [FinalPhaseTriggered(0, EndCondition.LAST_BARREL, "FIN-1")]
    moved = play(state, Character.VALETTE)
    assert (moved.valette, moved.prompt) == (25, BarrelPrompt(0))
    after = draw_all(play(moved, RevealBarrel(Good.GOLD)))
    assert after.phase is Phase.FINAL
    assert after.prompt == PlayPrompt(1, 3)


@pytest.mark.rule("FIN-1")
@editions
@pytest.mark.parametrize("start", [22, 23])
def test_last_barrel_but_one(start: int, rules: RuleSet) -> None:
    """A step short of space 25 triggers nothing, even where no further barrel can follow soon."""
    state = position(
        seat(hand=[Character.VALETTE], draw_pile=FIVE),
        waiting(),
        rules=rules,
        valette=start,
        plays=1,
    )
    after = play(state, Character.VALETTE)
    assert after.valette == start + 1
    if after.prompt == BarrelPrompt(0):
        after = play(after, RevealBarrel(Good.GOLD))
    after = draw_all(after)
    assert (after.phase, after.prompt) == (Phase.MAIN, PlayPrompt(1, 3))


@pytest.mark.rule("FIN-1")
def test_valette_arrives_before_the_barrel_is_revealed() -> None:
    """Arriving is the trigger; barrel, hiring and the rest of the turn still take place."""
    state = position(
        seat(hand=[Character.VALETTE, SHOP], draw_pile=FIVE),
        waiting(),
        valette=24,
        plays=2,
        supply=[Character.BUILDER],
    )
    asked = play(state, Character.VALETTE, RevealBarrel(Good.STONE))
    assert (asked.prompt, asked.phase) == (ValettePrompt(0), Phase.MAIN)
    hired = play(asked, Hire(Character.BUILDER))
    assert (hired.prompt, hired.phase) == (PlayPrompt(0, 1), Phase.MAIN)
    assert draw_all(play(hired, SHOP)).phase is Phase.FINAL


@pytest.mark.rule("FIN-2")
@editions
@pytest.mark.parametrize("count", [2, 3, 4])
@pytest.mark.parametrize(
    ("score", "phase"),
    [(22, Phase.MAIN), (23, Phase.FINAL), (24, Phase.FINAL)],
)
def test_score_of_25(score: int, phase: Phase, count: int, rules: RuleSet) -> None:
    """The Knight's 2 points lead to 24, to 25, or past it to 26: the last two are triggers."""
    state = position(
        seat(hand=[Character.KNIGHT], draw_pile=FIVE, score=score),
        *(waiting() for _ in range(count - 1)),
        rules=rules,
        plays=1,
    )
    told = triggers(state, PlayCard(Character.KNIGHT))
    expected = [FinalPhaseTriggered(0, EndCondition.SCORE, "FIN-2")]
    assert told == (expected if phase is Phase.FINAL else [])
    after = draw_all(play(state, Character.KNIGHT))
    assert after.phase is phase
    assert after.prompt == PlayPrompt(1, 3)


@pytest.mark.rule("FIN-2")
@pytest.mark.parametrize("active", [0, 1, 2, 3])
def test_whoever_scores(active: int) -> None:
    """Whichever of four players reaches 25, the final phase begins."""
    players = [waiting() for _ in range(4)]
    players[active] = seat(hand=[Character.KNIGHT], draw_pile=FIVE, score=23)
    state = position(*players, active=active, plays=1)
    told = triggers(state, PlayCard(Character.KNIGHT))
    assert told == [FinalPhaseTriggered(active, EndCondition.SCORE, "FIN-2")]
    assert draw_all(play(state, Character.KNIGHT)).phase is Phase.FINAL


@pytest.mark.rule("FIN-2")
def test_construction_bonus_is_a_trigger() -> None:
    """The 2 points for a building under Valette's eyes lead from 23 to 25."""
    state = position(
        seat(hand=[Character.BUILDER], goods=Goods(gold=1), draw_pile=FIVE, score=23),
        waiting(),
        display={0: CHEAP},
        valette=3,
        plays=1,
    )
    built = play(state, Character.BUILDER, Build(0), Pay(Goods(gold=1)))
    assert draw_all(built).phase is Phase.FINAL


@pytest.mark.rule("FIN-3")
@editions
@pytest.mark.parametrize(("houses", "phase"), [(6, Phase.MAIN), (7, Phase.FINAL)])
def test_eighth_house(houses: int, phase: Phase, rules: RuleSet) -> None:
    """The seventh house triggers nothing, the eighth the final phase."""
    state = position(
        seat(
            hand=[Character.BUILDER],
            goods=Goods(gold=1),
            draw_pile=FIVE,
            built=range(5, 5 + houses),
        ),
        waiting(),
        rules=rules,
        display={4: CHEAP},
        plays=1,
    )
    paying = play(state, Character.BUILDER, Build(4))
    result = transition(paying, Pay(Goods(gold=1)))
    told = [event for event in result.events if isinstance(event, FinalPhaseTriggered)]
    expected = [FinalPhaseTriggered(0, EndCondition.HOUSES, "FIN-3")]
    assert told == (expected if phase is Phase.FINAL else [])
    assert draw_all(result.state).phase is phase


@pytest.mark.rule("FIN-3")
def test_upgrade_is_no_eighth_house() -> None:
    """Red owns seven houses and upgrades one of them: no trigger."""
    state = position(
        seat(hand=[Character.BUILDER], goods=Goods(wood=1), draw_pile=FIVE, built=range(7)),
        waiting(),
        display={0: a_building(cost=Goods(wood=1))},
        plays=1,
    )
    after = draw_all(play(state, Character.BUILDER, Upgrade(0), Pay(Goods(wood=1))))
    assert after.phase is Phase.MAIN


@pytest.mark.rule("FIN-3")
def test_eight_houses_of_two_players() -> None:
    """Seven houses of one and seven of the other are no eighth house."""
    state = position(
        seat(hand=[SHOP], draw_pile=FIVE, built=range(7)),
        seat(hand=FIVE, built=range(10, 17)),
        plays=1,
    )
    assert draw_all(play(state, SHOP)).phase is Phase.MAIN


# The beginning


@pytest.mark.rule("FIN-4")
@editions
def test_the_turn_is_finished_first(rules: RuleSet) -> None:
    """Red reaches 25 with his first card; he plays two more, and draws, in the main phase."""
    state = position(
        seat(hand=[Character.KNIGHT, SHOP, WOOD, STONE], draw_pile=FIVE, score=24),
        waiting(),
        rules=rules,
    )
    after = play(state, Character.KNIGHT)
    assert (after.phase, after.prompt) == (Phase.MAIN, PlayPrompt(0, 2))
    after = play(after, SHOP, WOOD)
    assert (after.phase, after.prompt) == (Phase.MAIN, DrawPrompt(0))
    after = draw_all(after)
    assert (after.phase, after.prompt) == (Phase.FINAL, PlayPrompt(1, 3))
    assert len(after.players[0].hand) == 5


@pytest.mark.rule("FIN-4")
def test_triggering_turn_may_reshuffle() -> None:
    """In the refill of the triggering turn the discard pile still becomes the draw pile."""
    state = position(
        seat(hand=[Character.KNIGHT], discard_pile=[SHOP, WOOD, STONE, BRICK], score=24),
        waiting(),
        plays=1,
    )
    after = draw_all(play(state, Character.KNIGHT))
    assert after.phase is Phase.FINAL
    assert after.players[0].hand == CardBag.of(SHOP, WOOD, STONE, BRICK, Character.KNIGHT)


@pytest.mark.rule("FIN-5", "FIN-6")
@pytest.mark.parametrize("count", [2, 3, 4])
def test_final_draw_piles(count: int) -> None:
    """Everybody's discard pile joins his draw pile, the trigger's too; the hands stay."""
    others = [
        seat(hand=FIVE, draw_pile=[Character.NUN], discard_pile=[Character.VALETTE, SHOP])
        for _ in range(count - 1)
    ]
    state = position(
        seat(
            hand=[Character.KNIGHT],
            draw_pile=[*FIVE],
            discard_pile=[Character.PIUS],
            score=24,
        ),
        *others,
        plays=1,
    )
    after = draw_all(play(state, Character.KNIGHT))
    red, *rest = after.players
    assert red.hand == CardBag.of(*FIVE)
    assert red.draw_pile == CardBag.of(Character.KNIGHT, Character.PIUS)
    assert red.discard_pile == CardBag()
    for player in rest:
        assert player.hand == CardBag.of(*FIVE)
        assert player.draw_pile == CardBag.of(Character.NUN, Character.VALETTE, SHOP)
        assert player.discard_pile == CardBag()
    assert after.played == ()


@pytest.mark.rule("FIN-5")
def test_beginning_is_told() -> None:
    """The beginning of the final phase is told, once, when the last card is drawn."""
    state = position(
        seat(
            hand=[Character.KNIGHT, SHOP, WOOD, STONE, BRICK], draw_pile=[Character.NUN], score=24
        ),
        waiting(),
        plays=1,
    )
    drawing = play(state, Character.KNIGHT)
    events = transition(drawing, legal_actions(drawing)[0]).events
    assert sum(isinstance(event, FinalPhaseBegan) for event in events) == 1


@pytest.mark.rule("FIN-7")
@pytest.mark.parametrize(
    ("count", "active", "following"), [(2, 0, 1), (2, 1, 0), (3, 1, 2), (4, 3, 0), (4, 2, 3)]
)
def test_turn_order_goes_on(count: int, active: int, following: int) -> None:
    """The player after the triggering one takes the first turn of the final phase."""
    players = [waiting() for _ in range(count)]
    players[active] = seat(hand=[Character.KNIGHT], draw_pile=FIVE, score=24)
    state = position(*players, active=active, plays=1)
    after = draw_all(play(state, Character.KNIGHT))
    assert (after.phase, after.active) == (Phase.FINAL, following)
    assert after.agenda == (PlayPrompt(following, 3), EndTurn(following))


# Turns of the final phase


@pytest.mark.rule("FIN-8")
@editions
def test_final_turn(rules: RuleSet) -> None:
    """A turn has three plays, which are discarded before five cards are filled up."""
    state = position(seat(hand=FIVE, draw_pile=[*FIVE]), waiting(), rules=rules, phase=Phase.FINAL)
    after = draw_all(play(state, SHOP, WOOD, STONE))
    red = after.players[0]
    assert red.goods == Goods(1, 1, 1, 0)
    assert len(red.hand) == 5
    assert len(red.draw_pile) == 2
    assert red.discard_pile == CardBag.of(SHOP, WOOD, STONE)
    assert after.prompt == PlayPrompt(1, 3)


@pytest.mark.rule("FIN-8")
@editions
def test_no_card_is_held_back(rules: RuleSet) -> None:
    """A player with two cards plays both: there is no passing."""
    state = position(seat(hand=[SHOP, WOOD]), waiting(), rules=rules, phase=Phase.FINAL)
    assert {type(action) for action in legal_actions(state)} == {PlayCard}
    once = play(state, SHOP)
    assert once.prompt == PlayPrompt(0, 2)
    assert {type(action) for action in legal_actions(once)} == {PlayCard}
    refusal(once, Decline())
    assert play(once, WOOD).prompt == PlayPrompt(1, 3)


@pytest.mark.rule("FIN-9")
def test_no_reshuffle() -> None:
    """Red's draw pile is empty: nothing is drawn, and his discard pile stays."""
    state = position(
        seat(hand=FIVE, discard_pile=[Character.NUN, Character.PIUS]),
        waiting(),
        phase=Phase.FINAL,
    )
    last = play(state, SHOP, WOOD)
    result = transition(last, PlayCard(STONE))
    assert not any(isinstance(event, Reshuffled) for event in result.events)
    red = result.state.players[0]
    assert red.hand == CardBag.of(BRICK, Character.MAID)
    assert red.discard_pile == CardBag.of(Character.NUN, Character.PIUS, SHOP, WOOD, STONE)
    assert result.state.prompt == PlayPrompt(1, 3)


@pytest.mark.rule("FIN-9")
def test_second_trigger_changes_nothing() -> None:
    """A score of 25 reached in the final phase itself reshuffles nothing."""
    state = position(
        seat(hand=[Character.KNIGHT, SHOP], discard_pile=[Character.NUN], score=24),
        seat(hand=FIVE, discard_pile=[Character.PIUS]),
        phase=Phase.FINAL,
        plays=1,
    )
    result = transition(state, PlayCard(Character.KNIGHT))
    assert not any(isinstance(event, FinalPhaseBegan) for event in result.events)
    red, blue = result.state.players
    assert red.discard_pile == CardBag.of(Character.NUN, Character.KNIGHT)
    assert blue.discard_pile == CardBag.of(Character.PIUS)


@pytest.mark.rule("FIN-10")
@pytest.mark.parametrize(
    ("pile", "hand", "left"), [(0, 2, 0), (1, 3, 0), (2, 4, 0), (3, 5, 0), (4, 5, 1)]
)
def test_drawing_the_rest(pile: int, hand: int, left: int) -> None:
    """With two cards in hand Red draws up to three, or as many as his draw pile holds."""
    state = position(
        seat(hand=FIVE, draw_pile=[SHOP] * pile, discard_pile=[Character.NUN]),
        waiting(),
        phase=Phase.FINAL,
    )
    after = draw_all(play(state, SHOP, WOOD, STONE))
    assert len(after.players[0].hand) == hand
    assert len(after.players[0].draw_pile) == left
    assert after.prompt == PlayPrompt(1, 3)


@pytest.mark.rule("FIN-10", "FIN-11")
def test_empty_hand_before_a_full_pile() -> None:
    """Red plays his only two cards, but draws anew: he is not out."""
    state = position(seat(hand=[SHOP, WOOD], draw_pile=[STONE]), waiting(), phase=Phase.FINAL)
    result = transition(play(state, SHOP), PlayCard(WOOD))
    assert not any(isinstance(event, PlayerDroppedOut) for event in result.events)
    assert draw_all(result.state).players[0].hand == CardBag.of(STONE)


# Dropping out


@pytest.mark.rule("FIN-11")
@pytest.mark.parametrize("active", [0, 1, 2])
def test_dropped_out_players_are_skipped(active: int) -> None:
    """Of three players the next one has no cards left: the turn passes to the one after."""
    players = [waiting() for _ in range(3)]
    players[(active + 1) % 3] = seat(discard_pile=FIVE, goods=Goods(9, 9, 9, 9))
    state = position(*players, active=active, plays=1, phase=Phase.FINAL)
    assert play(state, SHOP).prompt == PlayPrompt((active + 2) % 3, 3)


@pytest.mark.rule("FIN-11")
def test_dropping_out_is_told() -> None:
    """The last card played, no draw pile left: the player drops out."""
    state = position(seat(hand=[SHOP]), waiting(), phase=Phase.FINAL)
    result = transition(state, PlayCard(SHOP))
    assert PlayerDroppedOut(0) in result.events
    assert not result.state.players[0].hand
    assert (result.state.phase, result.state.prompt) == (Phase.FINAL, PlayPrompt(1, 3))


@pytest.mark.rule("FIN-12")
@pytest.mark.parametrize("count", [2, 3, 4])
def test_playing_alone(count: int) -> None:
    """Red alone has cards: he takes turn after turn, then the game is over."""
    state = position(
        seat(hand=FIVE, draw_pile=[SHOP, WOOD]),
        *(seat(discard_pile=FIVE) for _ in range(count - 1)),
        phase=Phase.FINAL,
    )
    first = draw_all(play(state, SHOP, WOOD, STONE))
    assert (first.active, first.prompt) == (0, PlayPrompt(0, 3))
    second = play(first, SHOP, WOOD, BRICK)
    assert second.prompt == PlayPrompt(0, 3)
    assert second.players[0].hand == CardBag.of(Character.MAID)
    over = play(second, Character.MAID, TakeGood(Good.GOLD))
    assert over.phase is Phase.OVER


@pytest.mark.rule("FIN-13")
@pytest.mark.parametrize("plays", [1, 2, 3])
def test_last_card_builds(plays: int) -> None:
    """Red's last card is a Builder; the character of the new building keeps him in the game."""
    state = position(
        seat(hand=[Character.BUILDER], goods=Goods(gold=1)),
        waiting(),
        display={0: CHEAP},
        phase=Phase.FINAL,
        plays=plays,
    )
    result = transition(play(state, Character.BUILDER, Build(0)), Pay(Goods(gold=1)))
    assert PlayerDroppedOut(0) not in result.events
    assert result.state.players[0].hand == CardBag.of(Character.NUN)
    assert result.state.prompt == (PlayPrompt(0, plays - 1) if plays > 1 else PlayPrompt(1, 3))


@pytest.mark.rule("FIN-13", "FIN-12")
@pytest.mark.parametrize("plays", [1, 3])
def test_last_card_hires(plays: int) -> None:
    """Red, alone in the game, hires with his last card and plays on."""
    state = position(
        seat(hand=[Character.VALETTE]),
        seat(),
        valette=25,
        supply=[Character.BUILDER],
        phase=Phase.FINAL,
        plays=plays,
    )
    hired = play(state, Character.VALETTE, Hire(Character.BUILDER))
    assert hired.phase is Phase.FINAL
    assert hired.prompt == PlayPrompt(0, plays - 1 if plays > 1 else 3)
    assert play(state, Character.VALETTE, Decline()).phase is Phase.OVER


@pytest.mark.rule("FIN-11", "FIN-16")
def test_dismissing_the_last_card() -> None:
    """Red dismisses his last card with Valette: he is out, and the game with him."""
    state = position(seat(hand=[Character.VALETTE, SHOP]), seat(), valette=25, phase=Phase.FINAL)
    over = play(state, Character.VALETTE, Dismiss(SHOP))
    assert over.phase is Phase.OVER
    assert over.supply == CardBag.of(SHOP)


@pytest.mark.rule("FIN-14")
@editions
def test_dropped_out_gives_to_the_monk(rules: RuleSet) -> None:
    """A player without cards is asked by the Monk, and gives."""
    state = position(
        seat(hand=[Character.MONK, SHOP]),
        seat(discard_pile=FIVE, goods=Goods(1, 1, 1, 1)),
        waiting(),
        rules=rules,
        phase=Phase.FINAL,
    )
    asked = play(state, Character.MONK)
    assert asked.prompt == MonkPrompt(1, 0)
    after = play(asked, GiveGood(Good.WOOD))
    assert after.players[0].goods == Goods(wood=1)
    assert after.players[1].goods == Goods(1, 0, 1, 1)


@pytest.mark.rule("FIN-14")
@editions
@pytest.mark.parametrize(
    ("card", "gift"),
    [(Character.INNKEEPER, Goods(gold=1)), (Character.TAX_COLLECTOR, Goods(0, 1, 1, 1))],
)
def test_dropped_out_still_gives(card: Character, gift: Goods, rules: RuleSet) -> None:
    """A player without cards gives to Innkeeper and Tax Collector."""
    state = position(
        seat(hand=[card, SHOP]),
        waiting(),
        seat(discard_pile=FIVE, goods=Goods(3, 3, 3, 3)),
        rules=rules,
        phase=Phase.FINAL,
    )
    after = play(state, card)
    assert after.players[0].goods == gift
    assert after.players[2].goods == Goods(3, 3, 3, 3) - gift


@pytest.mark.rule("FIN-15")
@editions
def test_dropped_out_still_receives(rules: RuleSet) -> None:
    """A player without cards receives a good from the Nun."""
    state = position(
        seat(hand=[Character.NUN, SHOP]),
        seat(discard_pile=FIVE),
        rules=rules,
        phase=Phase.FINAL,
    )
    after = play(state, Character.NUN, TakeGood(Good.BRICK))
    assert [player.goods for player in after.players] == [Goods(brick=3), Goods(brick=1)]


# The end


@pytest.mark.rule("FIN-16")
@editions
@pytest.mark.parametrize("count", [2, 3, 4])
def test_end_of_the_game(count: int, rules: RuleSet) -> None:
    """The last player plays his last card: the game is over, and nothing can be played."""
    active = count - 1
    others = [seat(discard_pile=FIVE) for _ in range(active)]
    state = position(
        *others,
        seat(hand=[SHOP], discard_pile=FIVE),
        rules=rules,
        active=active,
        phase=Phase.FINAL,
    )
    assert outcome(state) is None
    result = transition(state, PlayCard(SHOP))
    over = result.state
    assert over.phase is Phase.OVER
    assert over.prompt is None
    assert over.agenda == ()
    assert legal_actions(over) == ()
    assert over.players[active].goods == Goods(gold=1)
    final = outcome(over)
    assert final is not None
    assert GameEnded(final) in result.events
    violation = refusal(over, PlayCard(SHOP))
    assert (violation.clause, violation.code) == ("FIN-16", Code.GAME_OVER)


@pytest.mark.rule("FIN-16")
def test_effect_of_the_last_card() -> None:
    """The effect of the last card is completed before the game ends."""
    state = position(seat(hand=[Character.MAID]), seat(), phase=Phase.FINAL)
    asked = play(state, Character.MAID)
    assert asked.prompt == MaidPrompt(0)
    assert outcome(asked) is None
    over = play(asked, TakeGood(Good.STONE))
    assert over.phase is Phase.OVER
    assert over.players[0].goods == Goods(stone=1)


@pytest.mark.rule("FIN-17")
@pytest.mark.parametrize("active", [0, 1, 2])
def test_no_equal_turns(active: int) -> None:
    """Wherever the last player sits, the round is not played to its end."""
    players = [seat() for _ in range(3)]
    players[active] = seat(hand=[SHOP])
    state = position(*players, active=active, phase=Phase.FINAL)
    assert play(state, SHOP).phase is Phase.OVER


@pytest.mark.rule("FIN-17", "FIN-4")
@pytest.mark.parametrize("active", [0, 1, 2])
def test_the_round_is_not_finished_first(active: int) -> None:
    """Wherever the player sits whose turn triggers it, the final phase begins after that turn."""
    players = [seat(hand=[SHOP], draw_pile=[SHOP] * 5, score=25) for _ in range(3)]
    state = draw_all(play(position(*players, active=active, plays=1), SHOP))
    assert (state.phase, state.active) == (Phase.FINAL, (active + 1) % 3)


def cards_to_come(state: GameState) -> int:
    """Return how many plays are possible at most: every card not yet put away for good."""
    houses = sum(len(player.built) for player in state.players)
    cards = sum(len(player.hand) + len(player.draw_pile) for player in state.players)
    return cards + len(state.supply) + len(state.display) - houses


@pytest.mark.rule("FIN-18")
@editions
@pytest.mark.parametrize("count", [2, 3, 4])
def test_final_phase_ends(count: int, rules: RuleSet) -> None:
    """Each play puts one of finitely many cards away for good, and nothing brings one back."""
    rng = random.Random(count)
    state = resolve_chance(new_game(count, rules=rules), rng).replace(phase=Phase.FINAL)
    while state.prompt is not None:
        if isinstance(state.prompt, PlayPrompt):
            state = state.replace(phase=Phase.FINAL)
        action = rng.choice(legal_actions(state))
        after = resolve_chance(apply(state, action), rng)
        assert cards_to_come(after) == cards_to_come(state) - isinstance(action, PlayCard)
        state = after
    assert state.phase is Phase.OVER


@pytest.mark.rule("FIN-19")
@editions
def test_main_phase_is_unlimited(rules: RuleSet) -> None:
    """Players who neither build nor move Valette play 200 turns and could play on."""
    rng = random.Random(1)
    state = resolve_chance(new_game(2, rules=rules), rng)
    turns = 0
    while turns < 200:
        assert state.prompt is not None
        legal = legal_actions(state)
        turns += isinstance(state.prompt, PlayPrompt) and not state.played
        quiet = [action for action in legal if action != PlayCard(Character.VALETTE)]
        action = Decline() if Decline() in legal else quiet[0]
        state = resolve_chance(apply(state, action), rng)
    assert state.phase is Phase.MAIN
    assert [player.score for player in state.players] == [0, 0]


@pytest.mark.rule("FIN-2")
@pytest.mark.parametrize("score", [25, 26])
def test_a_score_triggers_only_once(score: int) -> None:
    """Red, who has 25 points or more before the turn is over, scores two more: nothing is new."""
    state = position(seat(hand=[Character.KNIGHT, *FIVE], score=score), waiting())
    assert triggers(state, PlayCard(Character.KNIGHT)) == []


@pytest.mark.rule("FIN-2", "FIN-3", "FIN-4")
def test_two_triggers_at_once() -> None:
    """Red's eighth house under Valette's eyes is his 25th point: two triggers, one final phase."""
    state = position(
        seat(
            hand=[Character.BUILDER],
            goods=Goods(gold=1),
            draw_pile=FIVE,
            discard_pile=[SHOP],
            built=range(5, 12),
            score=23,
        ),
        waiting(),
        display={4: CHEAP},
        valette=25,
        plays=1,
    )
    result = transition(play(state, Character.BUILDER, Build(4)), Pay(Goods(gold=1)))
    told = [event for event in result.events if isinstance(event, FinalPhaseTriggered)]
    assert {(event.seat, event.condition, event.clause) for event in told} == {
        (0, EndCondition.SCORE, "FIN-2"),
        (0, EndCondition.HOUSES, "FIN-3"),
    }
    assert len(told) == 2
    begun = 0
    state = result.state
    while isinstance(state.prompt, DrawPrompt):
        drawn = transition(state, legal_actions(state)[0])
        begun += drawn.events.count(FinalPhaseBegan())
        state = drawn.state
    assert (begun, state.phase, state.active) == (1, Phase.FINAL, 1)
    assert state.players[0].discard_pile == CardBag()


@pytest.mark.rule("FIN-5", "FIN-6")
def test_what_was_gained_in_the_triggering_turn_is_played_once_more() -> None:
    """Red builds, plays the Nun he got, and finds her in his final draw pile."""
    state = position(
        seat(
            hand=[Character.BUILDER, SHOP, WOOD],
            goods=Goods(gold=1),
            draw_pile=FIVE,
            built=range(5, 12),
        ),
        waiting(),
        display={4: CHEAP},
        plays=2,
    )
    state = play(state, Character.BUILDER, Build(4), Pay(Goods(gold=1)))
    state = draw_all(play(state, Character.NUN, TakeGood(Good.GOLD)))
    assert state.phase is Phase.FINAL
    assert Character.NUN in state.players[0].draw_pile
    assert len(state.players[0].hand) == 5
