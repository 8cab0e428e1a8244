"""The chapter *A player's turn*: playing three cards, discarding them, drawing to five."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from tests.positions import (
    a_building,
    compulsory_editions,
    draw_all,
    editions,
    play,
    position,
    prompt_of,
    refusal,
    seat,
)
from valletta_rules import (
    HANS_IM_GLUECK,
    Z_MAN,
    Action,
    Build,
    CardBag,
    Character,
    Code,
    Decline,
    Dismiss,
    DrawCard,
    GameState,
    Good,
    Goods,
    Hire,
    Pay,
    Phase,
    PlayCard,
    RevealBarrel,
    RuleSet,
    TakeGood,
    TakeGoods,
    chance_outcomes,
    legal_actions,
    new_game,
    resolve_chance,
    transition,
)
from valletta_rules.agenda import (
    ArchitectPrompt,
    ArtisanPrompt,
    BarrelPrompt,
    BonusPrompt,
    DrawPrompt,
    MaidPrompt,
    NunPrompt,
    PlayPrompt,
    Prompt,
    SeamstressPrompt,
    SitePrompt,
    TraderPrompt,
    ValettePrompt,
)
from valletta_rules.components.bags import EMPTY
from valletta_rules.components.characters import CHARACTERS
from valletta_rules.events import (
    CardDrawn,
    CardPlayed,
    EffectDeclined,
    EffectFizzled,
    Event,
    GoodsTaken,
    PlayedCardsDiscarded,
    Reshuffled,
    TurnBegan,
)

C = Character


NO_GOODS = Goods()
NOTHING_OFF = Goods()

GATHERERS = (C.SHOPKEEPER, C.LUMBERJACK, C.STONE_SCULPTOR, C.BRICK_WORKER)

WITHOUT_CHOICE = (
    *GATHERERS,
    C.BANKER,
    C.WOODWORKER,
    C.CARVER,
    C.MASON,
    C.MONK,
    C.CHAMBERLAIN,
    C.INNKEEPER,
    C.TAX_COLLECTOR,
    C.PHILIP,
    C.CHARLES,
    C.PIUS,
    C.KNIGHT,
)
"""Cards that ask their player for no choice and whose wording leaves him none."""

TRADES_WITHOUT_CHOICE = (C.MERCHANT, C.GRAND_BAILIFF, C.GRAND_MASTER)
"""Cards that ask their player for no choice, but say that he may."""

WITH_CHOICE: dict[Character, Prompt] = {
    C.MAID: MaidPrompt(0),
    C.SEAMSTRESS: SeamstressPrompt(0),
    C.ARTISAN: ArtisanPrompt(0),
    C.NUN: NunPrompt(0),
    C.ARCHITECT: ArchitectPrompt(0),
}
"""Cards that ask their player for a choice, and say that he does something."""

MAY_WITH_CHOICE: dict[Character, Prompt] = {
    C.BUILDER: SitePrompt(0, NOTHING_OFF),
    C.BRICKLAYER: SitePrompt(0, Goods(brick=2)),
    C.STONEMASON: SitePrompt(0, Goods(stone=2)),
    C.CARPENTER: SitePrompt(0, Goods(wood=2)),
    C.TRADER: TraderPrompt(0),
}
"""Cards that ask their player for a choice, and say that he may do something."""


def able(character: Character, rules: RuleSet = HANS_IM_GLUECK) -> GameState:
    """Return a position of three players in which each card's effect can do something."""
    return position(
        seat(hand=[character, C.MAID], goods=Goods(4, 4, 4, 4), built=[0, 1, 3], upgraded=[2]),
        seat(hand=[C.MAID], goods=Goods(5, 5, 5, 5)),
        seat(hand=[C.MAID], goods=Goods(5, 5, 5, 5)),
        rules=rules,
        display={
            0: a_building(character=C.BANKER, icon=Good.GOLD),
            1: a_building(character=C.NUN, icon=Good.WOOD),
            2: a_building(character=C.KNIGHT, icon=Good.STONE),
            3: a_building(character=C.MASON, icon=Good.BRICK),
            14: a_building(cost=Goods(gold=1)),
        },
        supply=[C.BUILDER],
    )


def idle(character: Character, rules: RuleSet = HANS_IM_GLUECK) -> GameState:
    """Return a position of three players who own nothing."""
    return position(
        seat(hand=[character, C.MAID]), seat(hand=[C.MAID]), seat(hand=[C.MAID]), rules=rules
    )


def belongings(state: GameState) -> list[object]:
    """Return what effects change: goods, scores, houses, hands, the supply and Valette."""
    return [
        [
            (player.goods, player.score, player.built, player.upgraded, player.hand)
            for player in state.players
        ],
        state.supply,
        state.valette,
    ]


def events(state: GameState, *actions: Action | Character) -> list[Event]:
    """Return what happens in some actions, one after the other."""
    happened: list[Event] = []
    for action in actions:
        step = transition(state, PlayCard(action) if isinstance(action, Character) else action)
        state = step.state
        happened += step.events
    return happened


# Playing cards


@pytest.mark.rule("TRN-1", "TRN-16", "TRN-17")
def test_a_turn_is_playing_discarding_and_drawing() -> None:
    """Red plays three cards, discards them, and only then draws; then it is Blue's turn."""
    state = position(
        seat(hand=[*GATHERERS, C.MAID], draw_pile=[C.BUILDER, C.APPRENTICE, C.VALETTE]),
        seat(hand=[C.MAID]),
    )
    happened = events(
        state,
        C.SHOPKEEPER,
        C.LUMBERJACK,
        C.STONE_SCULPTOR,
        DrawCard(C.VALETTE),
        DrawCard(C.BUILDER),
        DrawCard(C.APPRENTICE),
    )
    wanted = CardPlayed | PlayedCardsDiscarded | CardDrawn | TurnBegan
    assert [event for event in happened if isinstance(event, wanted)] == [
        CardPlayed(0, C.SHOPKEEPER),
        CardPlayed(0, C.LUMBERJACK),
        CardPlayed(0, C.STONE_SCULPTOR),
        PlayedCardsDiscarded(0),
        CardDrawn(0, C.VALETTE),
        CardDrawn(0, C.BUILDER),
        CardDrawn(0, C.APPRENTICE),
        TurnBegan(1, 3),
    ]


@pytest.mark.rule("TRN-2", "TRN-25")
@editions
def test_three_cards_are_played_one_after_the_other(rules: RuleSet) -> None:
    """Red is asked three times for a card, and not a fourth time."""
    state = position(
        seat(hand=[*GATHERERS, C.MAID], draw_pile=GATHERERS), seat(hand=[C.MAID]), rules=rules
    )
    assert prompt_of(state) == PlayPrompt(0, 3)
    state = play(state, C.SHOPKEEPER)
    assert (prompt_of(state), state.played) == (PlayPrompt(0, 2), (C.SHOPKEEPER,))
    state = play(state, C.LUMBERJACK)
    assert (prompt_of(state), state.played) == (PlayPrompt(0, 1), (C.SHOPKEEPER, C.LUMBERJACK))
    state = play(state, C.STONE_SCULPTOR)
    assert prompt_of(state) == DrawPrompt(0)
    assert state.players[0].hand == CardBag.of(C.BRICK_WORKER, C.MAID)
    assert refusal(state, PlayCard(C.BRICK_WORKER)).code is Code.WRONG_KIND


@pytest.mark.rule("TRN-2")
@editions
def test_the_next_player_plays_three_cards_as_well(rules: RuleSet) -> None:
    """Red's turn is over, and Blue is asked three times."""
    red = seat(hand=[C.SHOPKEEPER], draw_pile=[C.MAID])
    state = position(red, seat(hand=GATHERERS, draw_pile=[C.MAID]), rules=rules, plays=1)
    state = draw_all(play(state, C.SHOPKEEPER))
    assert prompt_of(state) == PlayPrompt(1, 3)
    state = play(state, C.SHOPKEEPER, C.LUMBERJACK, C.STONE_SCULPTOR)
    assert state.players[1].discard_pile == CardBag.of(*GATHERERS[:3])


@pytest.mark.rule("TRN-3")
def test_any_card_in_the_hand_may_be_played() -> None:
    """Every kind held is offered once, in the order of the rulebook."""
    state = position(
        seat(
            hand=[C.MAID, C.SHOPKEEPER, C.MAID, C.VALETTE],
            draw_pile=[C.LUMBERJACK],
            discard_pile=[C.BUILDER],
        ),
        seat(hand=[C.NUN]),
        supply=[C.BUILDER],
    )
    assert legal_actions(state) == (PlayCard(C.SHOPKEEPER), PlayCard(C.MAID), PlayCard(C.VALETTE))


@pytest.mark.rule("TRN-3")
@pytest.mark.parametrize("elsewhere", [C.LUMBERJACK, C.BUILDER, C.NUN, C.APPRENTICE, C.MONK])
def test_a_card_that_is_not_in_the_hand_cannot_be_played(elsewhere: Character) -> None:
    """Cards in the piles, in another's hand, in the supply or on buildings are out of reach."""
    state = position(
        seat(hand=[C.MAID], draw_pile=[C.LUMBERJACK], discard_pile=[C.BUILDER]),
        seat(hand=[C.NUN]),
        supply=[C.APPRENTICE],
        display={0: a_building(character=C.MONK)},
    )
    violation = refusal(state, PlayCard(elsewhere))
    assert violation.code is Code.CARD_NOT_IN_HAND
    assert violation.clause.startswith("TRN-")


@pytest.mark.rule("TRN-3")
def test_a_card_played_before_is_not_in_the_hand() -> None:
    """Red has one Lumberjack and plays it once."""
    state = play(position(seat(hand=[C.LUMBERJACK, C.MAID]), seat()), C.LUMBERJACK)
    assert refusal(state, PlayCard(C.LUMBERJACK)).code is Code.CARD_NOT_IN_HAND


@pytest.mark.rule("TRN-3")
def test_a_second_copy_may_be_played() -> None:
    """Red has two Lumberjacks and plays both."""
    state = play(position(seat(hand=[C.LUMBERJACK, C.LUMBERJACK, C.MAID]), seat()), C.LUMBERJACK)
    assert PlayCard(C.LUMBERJACK) in legal_actions(state)
    assert play(state, C.LUMBERJACK).players[0].goods == Goods(wood=2)


@pytest.mark.rule("TRN-3")
def test_a_card_gained_by_building_may_be_played_in_the_same_turn() -> None:
    """Red builds, takes the Knight and plays him next."""
    state = position(
        seat(hand=[C.BUILDER, C.MAID], goods=Goods(gold=1)),
        seat(),
        display={4: a_building(character=C.KNIGHT, cost=Goods(gold=1))},
    )
    state = play(state, C.BUILDER, Build(4), Pay(Goods(gold=1)))
    assert legal_actions(state) == (PlayCard(C.MAID), PlayCard(C.KNIGHT))
    state = play(state, C.KNIGHT)
    assert (state.players[0].score, prompt_of(state)) == (2, PlayPrompt(0, 1))


@pytest.mark.rule("TRN-3")
def test_a_card_gained_by_hiring_may_be_played_in_the_same_turn() -> None:
    """Red hires a Lumberjack that somebody dismissed and plays it next."""
    state = position(seat(hand=[C.VALETTE, C.MAID]), seat(), supply=[C.LUMBERJACK])
    state = play(state, C.VALETTE, RevealBarrel(Good.GOLD), Hire(C.LUMBERJACK))
    assert legal_actions(state) == (PlayCard(C.LUMBERJACK), PlayCard(C.MAID))
    state = play(state, C.LUMBERJACK)
    assert state.players[0].goods == Goods(gold=1, wood=1)


@pytest.mark.rule("TRN-4")
@pytest.mark.parametrize("phase", [Phase.MAIN, Phase.FINAL])
@editions
def test_a_player_with_cards_must_play(rules: RuleSet, phase: Phase) -> None:
    """No edition lets a player pass while he has a card and a play left."""
    for plays in (3, 2, 1):
        state = position(seat(hand=[C.KNIGHT]), seat(), rules=rules, phase=phase, plays=plays)
        assert {type(action) for action in legal_actions(state)} == {PlayCard}
        violation = refusal(state, Decline())
        assert violation.code is Code.WRONG_KIND
        assert violation.clause.startswith("TRN-")


@pytest.mark.rule("TRN-4")
@pytest.mark.parametrize("cards", [2, 3])
@editions
def test_no_card_is_kept_while_a_play_is_left(rules: RuleSet, cards: int) -> None:
    """Red has played once; while he holds a card he is asked for it, the last one included."""
    state = position(seat(hand=[C.KNIGHT] * cards, draw_pile=[C.MAID]), seat(), rules=rules)
    for left in range(2, 3 - cards, -1):
        state = play(state, C.KNIGHT)
        assert prompt_of(state) == PlayPrompt(0, left)
    assert prompt_of(play(state, C.KNIGHT)) == DrawPrompt(0)


@pytest.mark.rule("TRN-5")
def test_an_effect_is_completed_before_the_next_card() -> None:
    """Red has played a Maid and must choose the good before playing on."""
    state = play(position(seat(hand=[C.MAID, C.SHOPKEEPER]), seat()), C.MAID)
    assert prompt_of(state) == MaidPrompt(0)
    assert refusal(state, PlayCard(C.SHOPKEEPER)).code is Code.WRONG_KIND
    assert prompt_of(play(state, TakeGood(Good.WOOD))) == PlayPrompt(0, 2)


@pytest.mark.rule("TRN-5")
def test_the_opponents_choice_belongs_to_the_effect() -> None:
    """Red's Monk is not done until every opponent has given."""
    state = play(able(C.MONK), C.MONK)
    assert prompt_of(state).seat == 1
    assert refusal(state, PlayCard(C.MAID)).code is Code.WRONG_KIND


# A short hand


@pytest.mark.rule("TRN-6")
@pytest.mark.parametrize("phase", [Phase.MAIN, Phase.FINAL])
@pytest.mark.parametrize("cards", [1, 2])
def test_the_turn_ends_when_the_hand_is_empty(phase: Phase, cards: int) -> None:
    """Red has fewer cards than plays, and stops when the last one is played."""
    hand = GATHERERS[:cards]
    state = position(
        seat(hand=hand, draw_pile=[C.MAID]), seat(hand=[C.KNIGHT]), phase=phase, plays=3
    )
    state = play(state, *hand)
    assert prompt_of(state) == DrawPrompt(0)
    assert len(state.players[0].discard_pile) == cards


@pytest.mark.rule("TRN-6")
@editions
def test_a_dismissal_can_end_the_turn(rules: RuleSet) -> None:
    """Red dismisses the only other card and has two plays left, but no card for them."""
    state = position(
        seat(hand=[C.VALETTE, C.SHOPKEEPER], draw_pile=[C.MAID]), seat(hand=[C.MAID]), rules=rules
    )
    state = play(state, C.VALETTE, RevealBarrel(Good.WOOD), Dismiss(C.SHOPKEEPER))
    assert prompt_of(state) == DrawPrompt(0)
    assert state.players[0].discard_pile == CardBag.of(C.VALETTE)


@pytest.mark.rule("TRN-6", "TRN-3")
def test_a_gained_card_prolongs_the_turn() -> None:
    """Red's last card is a Builder; the Knight that it brings is played as well."""
    state = position(
        seat(hand=[C.BUILDER]), seat(hand=[C.MAID]), display={0: a_building(cost=NO_GOODS)}
    )
    state = play(state, C.BUILDER, Build(0), Pay(NO_GOODS))
    assert prompt_of(state) == PlayPrompt(0, 2)
    assert prompt_of(play(state, C.KNIGHT)) == DrawPrompt(0)


# Compulsory and optional effects


@pytest.mark.rule("TRN-7")
@compulsory_editions
@pytest.mark.parametrize("character", WITHOUT_CHOICE)
def test_an_effect_without_choice_is_compulsory(character: Character, rules: RuleSet) -> None:
    """Where effects are compulsory such a card cannot be played without its effect."""
    state = able(character, rules)
    assert PlayCard(character) in legal_actions(state)
    violation = refusal(state, PlayCard(character, use_effect=False))
    assert violation.code is Code.EFFECT_COMPULSORY
    assert violation.clause == "TRN-7"


@pytest.mark.rule("TRN-7")
@compulsory_editions
@pytest.mark.parametrize("character", WITH_CHOICE)
def test_an_effect_with_a_choice_is_compulsory(character: Character, rules: RuleSet) -> None:
    """Where effects are compulsory the choice must be made."""
    state = play(able(character, rules), character)
    assert prompt_of(state) == WITH_CHOICE[character]
    assert Decline() not in legal_actions(state)
    violation = refusal(state, Decline())
    assert violation.code is Code.EFFECT_COMPULSORY
    assert violation.clause == ("YEL-3" if character is Character.ARCHITECT else "TRN-7")


@pytest.mark.rule("TRN-8", "TRN-11")
@pytest.mark.parametrize("character", WITHOUT_CHOICE)
def test_an_effect_without_choice_is_declined_as_the_card_is_played(character: Character) -> None:
    """In the Z-Man edition the card is played, nothing else changes, and nobody is asked."""
    state = able(character, Z_MAN)
    assert PlayCard(character, use_effect=False) in legal_actions(state)
    after = play(state, PlayCard(character, use_effect=False))
    assert prompt_of(after) == PlayPrompt(0, 2)
    played = state.players[0].replace(hand=CardBag.of(C.MAID))
    assert belongings(after) == belongings(state.with_player(0, played))
    assert after.played == (character,)


@pytest.mark.rule("TRN-8", "TRN-10")
@pytest.mark.parametrize("character", WITH_CHOICE)
def test_an_effect_with_a_choice_is_declined_at_the_choice(character: Character) -> None:
    """In the Z-Man edition the player declines instead of choosing, and nothing else changes."""
    state = play(able(character, Z_MAN), character)
    assert prompt_of(state) == WITH_CHOICE[character]
    assert legal_actions(state)[-1] == Decline()
    after = play(state, Decline())
    assert prompt_of(after) == PlayPrompt(0, 2)
    assert belongings(after) == belongings(state)


@pytest.mark.rule("TRN-8")
@editions
def test_valette_advances_in_every_edition(rules: RuleSet) -> None:
    """No edition lets a player play Valette and leave him where he is."""
    state = able(C.VALETTE, rules)
    violation = refusal(state, PlayCard(C.VALETTE, use_effect=False))
    assert violation.code is Code.EFFECT_COMPULSORY
    assert violation.clause.startswith(("VAL-", "TRN-"))
    state = play(state, C.VALETTE)
    assert (state.valette, prompt_of(state)) == (1, BarrelPrompt(0))
    assert refusal(state, Decline()).code is Code.WRONG_KIND


@pytest.mark.rule("TRN-9", "TRN-11")
@editions
@pytest.mark.parametrize("character", TRADES_WITHOUT_CHOICE)
def test_these_trades_may_be_declined_in_every_edition(
    character: Character, rules: RuleSet
) -> None:
    """Merchant, Grand Bailiff and Grand Master are declined as they are played."""
    state = able(character, rules)
    assert PlayCard(character) in legal_actions(state)
    after = play(state, PlayCard(character, use_effect=False))
    assert prompt_of(after) == PlayPrompt(0, 2)
    played = state.players[0].replace(hand=CardBag.of(C.MAID))
    assert belongings(after) == belongings(state.with_player(0, played))


@pytest.mark.rule("TRN-9", "TRN-10")
@editions
@pytest.mark.parametrize("character", MAY_WITH_CHOICE)
def test_building_and_trading_may_be_declined_in_every_edition(
    character: Character, rules: RuleSet
) -> None:
    """Builders of every kind and the Trader are declined at their choice."""
    state = play(able(character, rules), character)
    assert prompt_of(state) == MAY_WITH_CHOICE[character]
    after = play(state, Decline())
    assert prompt_of(after) == PlayPrompt(0, 2)
    assert belongings(after) == belongings(state)


@pytest.mark.rule("TRN-9")
@editions
def test_dismissing_and_hiring_may_be_declined_in_every_edition(rules: RuleSet) -> None:
    """Red neither dismisses nor hires."""
    state = play(able(C.VALETTE, rules), C.VALETTE, RevealBarrel(Good.GOLD))
    assert prompt_of(state) == ValettePrompt(0)
    after = play(state, Decline())
    assert prompt_of(after) == PlayPrompt(0, 2)
    assert belongings(after) == belongings(state)


@pytest.mark.rule("TRN-9")
@editions
@pytest.mark.parametrize("character", [C.MONK, C.INNKEEPER, C.TAX_COLLECTOR])
def test_the_extra_good_of_two_may_be_declined_in_every_edition(
    character: Character, rules: RuleSet
) -> None:
    """Blue owns nothing to give, and Red leaves the extra good of the two-player game too."""
    state = position(seat(hand=[character, C.MAID]), seat(hand=[C.MAID]), rules=rules)
    state = play(state, character)
    assert prompt_of(state) == BonusPrompt(0, character)
    after = play(state, Decline())
    assert prompt_of(after) == PlayPrompt(0, 2)
    assert belongings(after) == belongings(state)


@pytest.mark.rule("TRN-10")
@pytest.mark.parametrize("character", [*WITH_CHOICE, *MAY_WITH_CHOICE])
def test_an_effect_with_a_choice_is_not_declined_before_it(character: Character) -> None:
    """Whoever plays a card with a choice declines there, and so in one way only."""
    state = able(character, Z_MAN)
    assert PlayCard(character, use_effect=False) not in legal_actions(state)
    violation = refusal(state, PlayCard(character, use_effect=False))
    assert violation.code is Code.NO_EFFECT_TO_DECLINE
    assert violation.clause.startswith("TRN-")


@pytest.mark.rule("TRN-10")
@compulsory_editions
@pytest.mark.parametrize("character", MAY_WITH_CHOICE)
def test_a_may_effect_with_a_choice_is_not_declined_before_it(
    character: Character, rules: RuleSet
) -> None:
    """Building is declined at the choice of a site where effects are compulsory, too."""
    violation = refusal(able(character, rules), PlayCard(character, use_effect=False))
    assert violation.code is Code.NO_EFFECT_TO_DECLINE


@pytest.mark.rule("TRN-11")
def test_declining_is_told() -> None:
    """The log says that Red made no use of the Lumberjack, and of no good taken."""
    happened = events(able(C.LUMBERJACK, Z_MAN), PlayCard(C.LUMBERJACK, use_effect=False))
    assert [type(event) for event in happened] == [CardPlayed, EffectDeclined]


@pytest.mark.rule("TRN-11")
def test_both_ways_to_play_stand_side_by_side() -> None:
    """Each card is offered with its effect and then without it, where that makes a difference."""
    state = position(
        seat(hand=[C.SHOPKEEPER, C.MAID, C.APPRENTICE, C.BANKER, C.MERCHANT]), seat(), rules=Z_MAN
    )
    assert legal_actions(state) == (
        PlayCard(C.SHOPKEEPER),
        PlayCard(C.SHOPKEEPER, use_effect=False),
        PlayCard(C.MAID),
        PlayCard(C.APPRENTICE),
        PlayCard(C.BANKER),
        PlayCard(C.MERCHANT),
    )


@pytest.mark.rule("TRN-12")
@editions
@pytest.mark.parametrize("goods", [Goods(), Goods(wood=1), Goods(wood=2, brick=1)])
def test_a_seamstress_takes_two_goods_or_none(rules: RuleSet, goods: Goods) -> None:
    """Even where her effect is optional the Seamstress does not take just one good."""
    state = play(able(C.SEAMSTRESS, rules), C.SEAMSTRESS)
    assert refusal(state, TakeGoods(goods)).code is Code.WRONG_NUMBER_OF_GOODS


@pytest.mark.rule("TRN-12")
@editions
def test_a_nun_gives_to_everybody_or_is_not_used(rules: RuleSet) -> None:
    """Red takes three, and nobody is asked whether the others take theirs."""
    state = play(able(C.NUN, rules), C.NUN, TakeGood(Good.BRICK))
    assert [player.goods.brick for player in state.players] == [7, 6, 6]
    assert prompt_of(state) == PlayPrompt(0, 2)


@pytest.mark.rule("TRN-12")
@editions
def test_a_woodworker_takes_the_whole_income(rules: RuleSet) -> None:
    """Red owns three wood icons and takes three wood, not fewer."""
    state = position(
        seat(hand=[C.WOODWORKER, C.MAID], built=[0], upgraded=[1]),
        seat(),
        rules=rules,
        display=dict.fromkeys((0, 1), a_building(icon=Good.WOOD)),
    )
    assert play(state, C.WOODWORKER).players[0].goods == Goods(wood=3)


@pytest.mark.rule("TRN-13")
def test_a_card_works_once_when_it_is_played() -> None:
    """The Lumberjack yields one wood; to work again he must be drawn and played again."""
    state = position(seat(hand=[C.LUMBERJACK, C.MAID]), seat())
    happened = events(state, C.LUMBERJACK)
    assert [event for event in happened if isinstance(event, GoodsTaken)] == [
        GoodsTaken(0, Goods(wood=1), "RED-2")
    ]
    after = play(state, C.LUMBERJACK)
    assert after.players[0].goods == Goods(wood=1)
    assert prompt_of(after) == PlayPrompt(0, 2)


# Effects that can do nothing

FIZZLING = (
    C.BUILDER,
    C.APPRENTICE,
    C.BANKER,
    C.WOODWORKER,
    C.CARVER,
    C.MASON,
    C.MONK,
    C.BRICKLAYER,
    C.TRADER,
    C.MERCHANT,
    C.ARTISAN,
    C.CHAMBERLAIN,
    C.STONEMASON,
    C.INNKEEPER,
    C.CARPENTER,
    C.TAX_COLLECTOR,
    C.ARCHITECT,
    C.GRAND_BAILIFF,
    C.GRAND_MASTER,
    C.PHILIP,
    C.CHARLES,
    C.PIUS,
)
"""Cards that can do nothing when nobody owns anything."""


@pytest.mark.rule("TRN-14", "TRN-15")
@editions
@pytest.mark.parametrize("character", FIZZLING)
def test_an_effect_that_can_do_nothing_asks_nothing(character: Character, rules: RuleSet) -> None:
    """Nobody owns anything, so the card is simply played."""
    state = idle(character, rules)
    after = play(state, character)
    assert prompt_of(after) == PlayPrompt(0, 2)
    played = state.players[0].replace(hand=CardBag.of(C.MAID))
    assert belongings(after) == belongings(state.with_player(0, played))
    assert after.played == (character,)
    assert EffectFizzled(0, character) in events(state, character)


@pytest.mark.rule("TRN-14")
@editions
@pytest.mark.parametrize("character", FIZZLING)
def test_where_nothing_can_be_done_nothing_can_be_declined(
    character: Character, rules: RuleSet
) -> None:
    """There is one way to play a card without effect, in every edition."""
    state = idle(character, rules)
    assert [action for action in legal_actions(state) if action != PlayCard(C.MAID)] == [
        PlayCard(character)
    ]
    violation = refusal(state, PlayCard(character, use_effect=False))
    assert violation.code is Code.NO_EFFECT_TO_DECLINE


@pytest.mark.rule("TRN-14")
@pytest.mark.parametrize(
    "character", [character for character in CHARACTERS if character not in FIZZLING]
)
def test_the_other_effects_can_always_do_something(character: Character) -> None:
    """Gatherers, Maid, Valette, Seamstress, Nun and Knight need nothing to work with."""
    assert EffectFizzled(0, character) not in events(idle(character), character)


@pytest.mark.rule("TRN-15", "TRN-16")
def test_a_card_played_in_vain_is_discarded_with_the_others() -> None:
    """Red plays a Banker without icons, a declined Lumberjack and a Knight; all three count."""
    state = position(
        seat(hand=[C.BANKER, C.LUMBERJACK, C.KNIGHT, C.MAID], draw_pile=[C.VALETTE] * 4),
        seat(hand=[C.MAID]),
        rules=Z_MAN,
    )
    state = play(state, C.BANKER, PlayCard(C.LUMBERJACK, use_effect=False), C.KNIGHT)
    assert prompt_of(state) == DrawPrompt(0)
    assert state.players[0].discard_pile == CardBag.of(C.BANKER, C.LUMBERJACK, C.KNIGHT)
    assert state.players[0].hand == CardBag.of(C.MAID)


# Discarding and drawing


@pytest.mark.rule("TRN-16")
def test_the_played_cards_go_to_ones_own_discard_pile() -> None:
    """Red's cards join Red's discards, Blue's discards stay as they are."""
    state = position(
        seat(hand=[*GATHERERS, C.MAID], draw_pile=[C.BUILDER] * 3, discard_pile=[C.NUN]),
        seat(hand=[C.MAID], discard_pile=[C.MONK]),
    )
    state = play(state, C.SHOPKEEPER, C.LUMBERJACK)
    assert state.players[0].discard_pile == CardBag.of(C.NUN)
    state = play(state, C.BRICK_WORKER)
    assert state.played == ()
    assert state.players[0].discard_pile == CardBag.of(
        C.NUN, C.SHOPKEEPER, C.LUMBERJACK, C.BRICK_WORKER
    )
    assert state.players[1].discard_pile == CardBag.of(C.MONK)


@pytest.mark.rule("TRN-16", "TRN-19")
def test_the_cards_just_played_can_be_drawn_at_once() -> None:
    """Red has no pile at all, so the refill comes out of the three cards just played."""
    state = position(seat(hand=[*GATHERERS, C.MAID]), seat(hand=[C.MAID]))
    state = play(state, C.SHOPKEEPER, C.LUMBERJACK, C.STONE_SCULPTOR)
    assert chance_outcomes(state) == (
        (DrawCard(C.SHOPKEEPER), Fraction(1, 3)),
        (DrawCard(C.LUMBERJACK), Fraction(1, 3)),
        (DrawCard(C.STONE_SCULPTOR), Fraction(1, 3)),
    )
    state = draw_all(state)
    assert state.players[0].hand == CardBag.of(*GATHERERS, C.MAID)
    assert (state.players[0].draw_pile, state.players[0].discard_pile) == (EMPTY, EMPTY)


@pytest.mark.rule("TRN-17")
@pytest.mark.parametrize("kept", [0, 1, 2, 3, 4])
def test_the_hand_is_refilled_to_five(kept: int) -> None:
    """With four cards in hand Red draws one, with three two, and so on."""
    state = position(
        seat(hand=[C.KNIGHT, *[C.MAID] * kept], draw_pile=[C.LUMBERJACK] * 6),
        seat(hand=[C.MAID]),
        plays=1,
    )
    state = play(state, C.KNIGHT)
    draws = 0
    while prompt_of(state) == DrawPrompt(0):
        state, draws = play(state, DrawCard(C.LUMBERJACK)), draws + 1
    assert draws == 5 - kept
    assert len(state.players[0].hand) == 5
    assert len(state.players[0].draw_pile) == 6 - draws
    assert prompt_of(state) == PlayPrompt(1, 3)


@pytest.mark.rule("TRN-17")
def test_a_full_hand_draws_nothing() -> None:
    """Red's last play brought a card, so the hand is full and Blue is next."""
    state = position(
        seat(hand=[C.BUILDER, *[C.MAID] * 4], draw_pile=[C.LUMBERJACK] * 3),
        seat(hand=[C.MAID]),
        display={0: a_building(cost=NO_GOODS)},
        plays=1,
    )
    state = play(state, C.BUILDER, Build(0), Pay(NO_GOODS))
    assert prompt_of(state) == PlayPrompt(1, 3)
    assert len(state.players[0].hand) == 5
    assert len(state.players[0].draw_pile) == 3
    assert state.players[0].discard_pile == CardBag.of(C.BUILDER)


@pytest.mark.rule("TRN-18")
def test_every_card_of_the_pile_is_equally_likely() -> None:
    """Two Lumberjacks and a Monk lie in the pile: two to one for a Lumberjack."""
    state = position(
        seat(hand=[C.KNIGHT], draw_pile=[C.LUMBERJACK, C.LUMBERJACK, C.MONK]),
        seat(hand=[C.MAID]),
    )
    state = play(state, C.KNIGHT)
    assert chance_outcomes(state) == (
        (DrawCard(C.LUMBERJACK), Fraction(2, 3)),
        (DrawCard(C.MONK), Fraction(1, 3)),
    )
    assert chance_outcomes(play(state, DrawCard(C.LUMBERJACK))) == (
        (DrawCard(C.LUMBERJACK), Fraction(1, 2)),
        (DrawCard(C.MONK), Fraction(1, 2)),
    )


@pytest.mark.rule("TRN-18")
@pytest.mark.parametrize("elsewhere", [C.KNIGHT, C.MAID, C.NUN, C.BUILDER])
def test_only_cards_of_the_pile_are_drawn(elsewhere: Character) -> None:
    """Neither discards nor cards held, nor cards of others come out of the pile."""
    state = position(
        seat(hand=[C.KNIGHT, C.MAID], draw_pile=[C.LUMBERJACK]),
        seat(hand=[C.NUN]),
        supply=[C.BUILDER],
        plays=1,
    )
    violation = refusal(play(state, C.KNIGHT), DrawCard(elsewhere))
    assert violation.code is Code.CARD_NOT_IN_PILE
    assert violation.clause.startswith("TRN-")


@pytest.mark.rule("TRN-19", "TRN-20")
@editions
def test_the_first_two_refills_of_a_starting_deck(rules: RuleSet) -> None:
    """The first refill empties the pile and no more; the second shuffles six discards."""
    cards = (C.SHOPKEEPER, C.LUMBERJACK, C.STONE_SCULPTOR)
    knight = seat(hand=[C.KNIGHT] * 5, draw_pile=[C.KNIGHT] * 9)
    state = position(
        seat(hand=[*GATHERERS, C.KNIGHT], draw_pile=[C.MAID, C.APPRENTICE, C.BUILDER]),
        knight,
        rules=rules,
    )
    state = draw_all(play(state, *cards))
    red = state.players[0]
    assert red.hand == CardBag.of(C.BRICK_WORKER, C.KNIGHT, C.MAID, C.APPRENTICE, C.BUILDER)
    assert (red.draw_pile, red.discard_pile) == (EMPTY, CardBag.of(*cards))

    state = draw_all(play(state, C.KNIGHT, C.KNIGHT, C.KNIGHT))
    assert state.players[0] == red
    state = play(state, C.BRICK_WORKER, C.KNIGHT, C.APPRENTICE)
    red = state.players[0]
    assert red.discard_pile == EMPTY
    assert red.draw_pile == CardBag.of(*cards, C.BRICK_WORKER, C.KNIGHT, C.APPRENTICE)
    state = draw_all(state)
    assert (len(state.players[0].hand), len(state.players[0].draw_pile)) == (5, 3)


@pytest.mark.rule("TRN-19")
def test_the_pile_is_drawn_to_its_end_before_it_is_renewed() -> None:
    """One card is left in the pile and three are wanted: that one comes first."""
    state = position(
        seat(hand=[C.KNIGHT, C.MAID, C.MAID, C.MAID], draw_pile=[C.NUN], discard_pile=[C.MONK]),
        seat(hand=[C.MAID]),
        plays=1,
    )
    state = play(state, C.KNIGHT)
    assert legal_actions(state) == (DrawCard(C.NUN),)
    step = transition(state, DrawCard(C.NUN))
    assert step.events == (CardDrawn(0, C.NUN), Reshuffled(0))
    assert chance_outcomes(step.state) == (
        (DrawCard(C.MONK), Fraction(1, 2)),
        (DrawCard(C.KNIGHT), Fraction(1, 2)),
    )


@pytest.mark.rule("TRN-19")
def test_there_is_no_new_pile_in_the_final_phase() -> None:
    """In the final phase Red draws the last card of the pile and the discards stay put."""
    state = position(
        seat(hand=[C.KNIGHT, C.MAID], draw_pile=[C.NUN], discard_pile=[C.MONK]),
        seat(hand=[C.MAID]),
        phase=Phase.FINAL,
        plays=1,
    )
    state = play(state, C.KNIGHT, DrawCard(C.NUN))
    assert prompt_of(state) == PlayPrompt(1, 3)
    assert state.players[0].hand == CardBag.of(C.MAID, C.NUN)
    assert state.players[0].discard_pile == CardBag.of(C.MONK, C.KNIGHT)


@pytest.mark.rule("TRN-20")
def test_a_pile_emptied_by_the_last_draw_stays_empty() -> None:
    """Red draws exactly the last three cards; the discards wait for the next refill."""
    state = position(
        seat(hand=[*GATHERERS, C.MAID], draw_pile=[C.NUN, C.NUN, C.NUN], discard_pile=[C.MONK]),
        seat(hand=[C.MAID]),
    )
    state = play(state, C.SHOPKEEPER, C.LUMBERJACK, C.STONE_SCULPTOR)
    happened = events(state, *[DrawCard(C.NUN)] * 3)
    assert Reshuffled(0) not in happened
    state = draw_all(state)
    assert state.players[0].draw_pile == EMPTY
    assert len(state.players[0].discard_pile) == 4


@pytest.mark.rule("TRN-21")
@editions
def test_a_small_deck_is_drawn_whole(rules: RuleSet) -> None:
    """Red owns four cards, holds all of them and passes the turn on with four in hand."""
    state = position(
        seat(hand=[C.VALETTE, C.KNIGHT], draw_pile=[C.MAID], discard_pile=[C.NUN, C.MONK]),
        seat(hand=[C.MAID]),
        rules=rules,
        plays=2,
    )
    state = play(state, C.VALETTE, RevealBarrel(Good.GOLD), Dismiss(C.KNIGHT))
    state = draw_all(state)
    assert state.players[0].hand == CardBag.of(C.VALETTE, C.MAID, C.NUN, C.MONK)
    assert (state.players[0].draw_pile, state.players[0].discard_pile) == (EMPTY, EMPTY)
    assert prompt_of(state) == PlayPrompt(1, 3)


@pytest.mark.rule("TRN-22")
@pytest.mark.parametrize("players", [2, 3, 4])
@editions
def test_nobody_ever_holds_a_sixth_card(players: int, rules: RuleSet) -> None:
    """Through hundreds of random decisions no hand exceeds five cards."""
    rng = random.Random(players)
    state = resolve_chance(new_game(players, rules=rules), rng)
    for _ in range(300):
        if state.prompt is None:
            break
        assert all(len(player.hand) <= 5 for player in state.players)
        state = resolve_chance(play(state, rng.choice(legal_actions(state))), rng)


@pytest.mark.rule("TRN-22")
def test_gaining_a_card_with_each_play_keeps_the_hand_as_it_was() -> None:
    """Red builds three times in a turn and holds five cards at its end, as at its beginning."""
    state = position(
        seat(hand=[C.BUILDER, C.BUILDER, C.BUILDER, C.MAID, C.MAID]),
        seat(hand=[C.MAID]),
        display=dict.fromkeys(range(3), a_building(cost=NO_GOODS)),
    )
    for site in range(3):
        state = play(state, C.BUILDER, Build(site), Pay(NO_GOODS))
        assert len(state.players[0].hand) == 5
    assert state.players[0].hand == CardBag.of(C.MAID, C.MAID, C.KNIGHT, C.KNIGHT, C.KNIGHT)
    assert prompt_of(state) == PlayPrompt(1, 3)


# Passing the turn on


@pytest.mark.rule("TRN-23")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_turn_passes_clockwise(players: int) -> None:
    """After each seat comes the next, and after the last seat 0."""
    for number in range(players):
        state = position(
            *[seat(hand=[C.KNIGHT, *[C.MAID] * 4], draw_pile=[C.MONK])] * players,
            active=number,
            plays=1,
        )
        step = transition(play(state, C.KNIGHT), DrawCard(C.MONK))
        following = (number + 1) % players
        assert prompt_of(step.state) == PlayPrompt(following, 3)
        assert step.state.active == following
        assert step.events[-1] == TurnBegan(following, 3)


@pytest.mark.rule("TRN-24")
@editions
def test_dismissing_everything_else_leaves_valette(rules: RuleSet) -> None:
    """Red owns a Valette and one other card, dismisses that, and still has a turn to come."""
    state = position(
        seat(hand=[C.VALETTE, C.SHOPKEEPER]), seat(hand=[C.MAID]), rules=rules, valette=4
    )
    state = play(state, C.VALETTE, RevealBarrel(Good.WOOD), Dismiss(C.SHOPKEEPER))
    assert legal_actions(state) == (DrawCard(C.VALETTE),)
    state = draw_all(state)
    assert state.players[0].hand == CardBag.of(C.VALETTE)
    assert prompt_of(state) == PlayPrompt(1, 3)
    state = draw_all(play(state, C.MAID, TakeGood(Good.GOLD)))
    assert prompt_of(state) == PlayPrompt(0, 3)
    assert legal_actions(state) == (PlayCard(C.VALETTE),)


@pytest.mark.rule("TRN-24")
def test_the_last_valette_cannot_dismiss_itself() -> None:
    """Red's only card is the Valette just played, which is not in the hand any more."""
    state = position(seat(hand=[C.VALETTE]), seat(hand=[C.MAID]), supply=[C.BUILDER])
    state = play(state, C.VALETTE, RevealBarrel(Good.WOOD))
    assert legal_actions(state) == (Hire(C.BUILDER), Decline())
    assert refusal(state, Dismiss(C.VALETTE)).code is Code.CARD_NOT_IN_HAND
    state = draw_all(play(state, Decline()))
    assert state.players[0].hand == CardBag.of(C.VALETTE)


PERMISSIONS = {
    Character.SHOPKEEPER: "RED-5",
    Character.LUMBERJACK: "RED-5",
    Character.STONE_SCULPTOR: "RED-5",
    Character.BRICK_WORKER: "RED-5",
    Character.APPRENTICE: "RED-17",
    Character.BANKER: "GRN-9",
    Character.WOODWORKER: "GRN-9",
    Character.CARVER: "GRN-9",
    Character.MASON: "GRN-9",
    Character.MONK: "BLU-33",
    Character.INNKEEPER: "BLU-33",
    Character.TAX_COLLECTOR: "BLU-33",
    Character.MERCHANT: "BLU-13",
    Character.CHAMBERLAIN: "BLU-21",
    Character.GRAND_BAILIFF: "YEL-8",
    Character.GRAND_MASTER: "YEL-8",
    Character.PHILIP: "YEL-16",
    Character.CHARLES: "YEL-16",
    Character.PIUS: "YEL-16",
    Character.KNIGHT: "YEL-16",
}
"""The clause by which each effect may be declined as its card is played."""


@pytest.mark.rule("TRN-9", "TRN-11", "RED-5", "RED-17", "GRN-9", "BLU-13", "BLU-21", "BLU-33")
@pytest.mark.parametrize(("card", "clause"), PERMISSIONS.items(), ids=str)
def test_a_declined_effect_is_told_with_its_permission(card: Character, clause: str) -> None:
    """Whoever plays a card without its effect is told by which clause he may do so."""
    plenty = Goods(9, 9, 9, 9)
    green = {
        site: a_building(character=Character.MASON, icon=good) for site, good in enumerate(Good)
    }
    state = position(
        seat(hand=[card, Character.MAID], goods=plenty, built=[1, 2, 3, 4], upgraded=[0]),
        seat(goods=plenty),
        rules=Z_MAN,
        display=green | {4: a_building(character=Character.NUN)},
        played=[Character.LUMBERJACK],
        plays=2,
    )
    result = transition(state, PlayCard(card, use_effect=False))
    assert result.events == (CardPlayed(0, card), EffectDeclined(0, clause))


@pytest.mark.rule("TRN-17")
def test_a_draw_leaves_what_everybody_saw_of_the_hand() -> None:
    """Everybody saw a Knight come into Red's hand, and still knows it when he draws a card."""
    player = seat(hand=[Character.KNIGHT], draw_pile=[Character.MAID, Character.MAID])
    player = player.replace(shown=CardBag.of(Character.KNIGHT))
    state = position(player, seat(), agenda=(DrawPrompt(0), PlayPrompt(0, 1)))
    assert play(state, DrawCard(Character.MAID)).players[0].shown == player.shown
