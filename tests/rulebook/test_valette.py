"""The chapter *Jean Parisot de Valette*: his walk, his barrels, dismissing and hiring."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tests.positions import (
    EDITIONS,
    NO_GOODS,
    PLAIN_CARDS,
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
    REFERENCE_MANUAL,
    Z_MAN,
    CardBag,
    Character,
    Code,
    Decline,
    Dismiss,
    GameState,
    Good,
    Goods,
    Hire,
    Phase,
    PlayCard,
    RevealBarrel,
    RuleSet,
    chance_outcomes,
    legal_actions,
    transition,
)
from valletta_rules.agenda import BarrelPrompt, DrawPrompt, PlayPrompt, ValettePrompt
from valletta_rules.components.bags import EMPTY
from valletta_rules.components.characters import CHARACTERS
from valletta_rules.events import (
    BarrelRevealed,
    CardPlayed,
    Dismissed,
    EffectDeclined,
    EffectFizzled,
    GoodsTaken,
    Hired,
    ValetteMoved,
)

C = Character

FEWER_BARRELS = tuple(rules.with_variants(fewer_barrels=True) for rules in EDITIONS)


def before_valette(
    *,
    hand: tuple[Character, ...] = (C.MAID,),
    supply: tuple[Character, ...] = (C.BUILDER,),
    space: int = 0,
    rules: RuleSet = HANS_IM_GLUECK,
    players: int = 2,
    barrels: Goods | None = None,
    phase: Phase = Phase.MAIN,
) -> GameState:
    """Return a position in which Red holds Valette and some other cards, and is at play."""
    return position(
        seat(hand=[C.VALETTE, *hand], draw_pile=[C.KNIGHT] * 3),
        *[seat(hand=[C.MAID])] * (players - 1),
        rules=rules,
        supply=supply,
        valette=space,
        barrels=barrels,
        phase=phase,
    )


def before_choice(
    *,
    hand: tuple[Character, ...] = (C.MAID,),
    supply: tuple[Character, ...] = (C.BUILDER,),
    rules: RuleSet = HANS_IM_GLUECK,
) -> GameState:
    """Return a position in which Red has played Valette and taken a stone from the barrel."""
    state = before_valette(hand=hand, supply=supply, rules=rules, space=4)
    return play(state, C.VALETTE, RevealBarrel(Good.STONE))


# The walk


@pytest.mark.rule("VAL-1")
@pytest.mark.parametrize("players", [2, 3, 4])
@editions
def test_valette_moves_one_space(players: int, rules: RuleSet) -> None:
    """From the tower to space 1, and from each space to the next, with or without a barrel."""
    for space in range(25):
        state = before_valette(space=space, rules=rules, players=players)
        step = transition(state, PlayCard(C.VALETTE))
        assert step.state.valette == space + 1
        assert step.events[:2] == (CardPlayed(0, C.VALETTE), ValetteMoved(space + 1, "VAL-1"))


@pytest.mark.rule("VAL-1")
def test_each_valette_moves_the_figure_on() -> None:
    """Two players' cards move the same figure: it stands on space 2 after both."""
    state = position(
        seat(hand=[C.VALETTE], draw_pile=[C.MAID] * 5),
        seat(hand=[C.VALETTE, C.MAID]),
        plays=1,
    )
    state = play(state, C.VALETTE, RevealBarrel(Good.GOLD))
    state = play(draw_all(state), C.VALETTE, RevealBarrel(Good.WOOD))
    assert state.valette == 2
    assert [player.goods for player in state.players] == [Goods(gold=1), Goods(wood=1)]


@pytest.mark.rule("VAL-1")
@pytest.mark.parametrize(
    "character", [character for character in CHARACTERS if character is not C.VALETTE]
)
def test_no_other_card_moves_valette(character: Character) -> None:
    """The figure stays where it is when any other card is played."""
    state = position(seat(hand=[character, C.MAID]), seat(hand=[C.MAID]), valette=9)
    assert play(state, character).valette == 9


@pytest.mark.rule("VAL-2")
@editions
def test_the_advance_cannot_be_declined(rules: RuleSet) -> None:
    """In every edition Valette's card is played in one way, and he moves."""
    state = before_valette(rules=rules)
    assert legal_actions(state) == (PlayCard(C.MAID), PlayCard(C.VALETTE))
    violation = refusal(state, PlayCard(C.VALETTE, use_effect=False))
    assert violation.code is Code.EFFECT_COMPULSORY
    assert violation.clause == "VAL-2"


@pytest.mark.rule("VAL-15")
@editions
def test_the_barrel_cannot_be_declined(rules: RuleSet) -> None:
    """In every edition the barrel is revealed, and nobody can leave its good."""
    state = play(before_valette(rules=rules), C.VALETTE)
    assert prompt_of(state) == BarrelPrompt(0)
    assert prompt_of(state).seat is None
    for action in (Decline(), Hire(C.BUILDER), Dismiss(C.MAID), PlayCard(C.MAID)):
        assert refusal(state, action).code is Code.WRONG_KIND
    assert play(state, RevealBarrel(Good.BRICK)).players[0].goods == Goods(brick=1)


@pytest.mark.rule("VAL-3")
@pytest.mark.parametrize("rules", FEWER_BARRELS, ids=str)
def test_with_fewer_barrels_valette_moves_to_the_next(rules: RuleSet) -> None:
    """From the tower he moves to space 1, from there to 3, and so on to 25."""
    space, visited = 0, list[int]()
    while space < 25:
        step = transition(before_valette(space=space, rules=rules), PlayCard(C.VALETTE))
        space = step.state.valette
        assert prompt_of(step.state) == BarrelPrompt(0)
        assert ValetteMoved(space, "VAL-3") in step.events
        visited.append(space)
    assert visited == [1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25]


# The barrel


@pytest.mark.rule("VAL-4", "VAL-5")
@pytest.mark.parametrize("good", Good)
@editions
def test_the_player_takes_the_good_of_the_barrel(rules: RuleSet, good: Good) -> None:
    """The barrel shows a good; Red takes one of it, and the token is gone."""
    state = play(before_valette(rules=rules, space=6), C.VALETTE)
    step = transition(state, RevealBarrel(good))
    assert [player.goods for player in step.state.players] == [Goods.of(good), NO_GOODS]
    assert step.state.barrels == PLAIN_CARDS.barrels - Goods.of(good)
    assert step.events == (BarrelRevealed(good), GoodsTaken(0, Goods.of(good), "VAL-4"))
    assert prompt_of(step.state) == ValettePrompt(0)


@pytest.mark.rule("VAL-4")
def test_any_remaining_token_may_lie_there() -> None:
    """Two golden barrels and one of brick are left: two to one for gold."""
    state = play(before_valette(space=21, barrels=Goods(gold=2, brick=1)), C.VALETTE)
    assert chance_outcomes(state) == (
        (RevealBarrel(Good.GOLD), Fraction(2, 3)),
        (RevealBarrel(Good.BRICK), Fraction(1, 3)),
    )
    for good in (Good.WOOD, Good.STONE):
        violation = refusal(state, RevealBarrel(good))
        assert violation.code is Code.NO_SUCH_BARREL
        assert violation.clause.startswith("VAL-")


@pytest.mark.rule("VAL-5")
def test_a_revealed_barrel_does_not_come_back() -> None:
    """The only golden barrel was revealed, so the next one cannot show gold."""
    state = before_valette(hand=(C.VALETTE, C.MAID), space=2, barrels=Goods(gold=1, wood=22))
    state = play(state, C.VALETTE, RevealBarrel(Good.GOLD), Decline(), C.VALETTE)
    assert chance_outcomes(state) == ((RevealBarrel(Good.WOOD), Fraction(1)),)


@pytest.mark.rule("VAL-5", "VAL-7")
def test_the_last_barrel_of_all_is_revealed_on_the_last_space() -> None:
    """One token is left for space 25, and none after it."""
    state = play(before_valette(space=24, barrels=Goods(stone=1)), C.VALETTE)
    assert (state.valette, prompt_of(state)) == (25, BarrelPrompt(0))
    state = play(state, RevealBarrel(Good.STONE))
    assert state.barrels == NO_GOODS
    assert state.players[0].goods == Goods(stone=1)
    assert prompt_of(state) == ValettePrompt(0)


@pytest.mark.rule("VAL-6")
@pytest.mark.parametrize(
    ("players", "empty"), [(2, range(2, 25, 2)), (3, range(3, 25, 3)), (4, range(0))]
)
def test_a_space_without_a_barrel_yields_nothing(players: int, empty: range) -> None:
    """By the manual Valette stops on such a space, and Red dismisses or hires at once."""
    for space in range(1, 26):
        state = before_valette(space=space - 1, rules=REFERENCE_MANUAL, players=players)
        state = play(state, C.VALETTE)
        assert state.valette == space
        if space in empty:
            assert prompt_of(state) == ValettePrompt(0)
            assert state.players[0].goods == NO_GOODS
            assert state.barrels == PLAIN_CARDS.barrels
        else:
            assert prompt_of(state) == BarrelPrompt(0)


@pytest.mark.rule("VAL-7", "VAL-16", "VAL-17")
@pytest.mark.parametrize("rules", [*EDITIONS, *FEWER_BARRELS], ids=str)
def test_on_the_last_space_valette_stays(rules: RuleSet) -> None:
    """He is on space 25 and moves no more; nothing is revealed, but Red may dismiss or hire."""
    state = before_valette(space=25, rules=rules, barrels=Goods(gold=12), phase=Phase.FINAL)
    step = transition(state, PlayCard(C.VALETTE))
    after = step.state
    assert (after.valette, after.barrels) == (25, Goods(gold=12))
    assert after.players[0].goods == NO_GOODS
    assert not any(isinstance(event, ValetteMoved) for event in step.events)
    assert prompt_of(after) == ValettePrompt(0)
    assert legal_actions(after) == (Dismiss(C.MAID), Hire(C.BUILDER), Decline())
    hired = play(after, Hire(C.BUILDER))
    assert hired.players[0].hand == CardBag.of(C.MAID, C.BUILDER)
    dismissed = play(after, Dismiss(C.MAID))
    assert dismissed.supply == CardBag.of(C.MAID, C.BUILDER)


@pytest.mark.rule("VAL-7", "VAL-2")
@editions
def test_on_the_last_space_the_card_is_still_played_in_one_way(rules: RuleSet) -> None:
    """Dismissing and hiring are declined at the choice, not as the card is played."""
    state = before_valette(space=25, rules=rules, phase=Phase.FINAL)
    assert legal_actions(state) == (PlayCard(C.MAID), PlayCard(C.VALETTE))
    refusal(state, PlayCard(C.VALETTE, use_effect=False))


# Dismissing or hiring


@pytest.mark.rule("VAL-8")
def test_the_choice_comes_after_the_barrel() -> None:
    """Red knows the good of the barrel before he dismisses or hires."""
    state = before_choice(hand=(C.MAID, C.LUMBERJACK), supply=(C.BUILDER, C.MONK))
    assert state.players[0].goods == Goods(stone=1)
    assert prompt_of(state) == ValettePrompt(0)
    assert legal_actions(state) == (
        Dismiss(C.LUMBERJACK),
        Dismiss(C.MAID),
        Hire(C.BUILDER),
        Hire(C.MONK),
        Decline(),
    )


@pytest.mark.rule("VAL-8")
def test_each_kind_is_offered_once() -> None:
    """Red holds two Maids, and four Builders are for hire: one way to dismiss, one to hire."""
    state = before_choice(hand=(C.MAID, C.MAID), supply=(C.BUILDER,) * 4)
    assert legal_actions(state) == (Dismiss(C.MAID), Hire(C.BUILDER), Decline())


@pytest.mark.rule("VAL-8")
@pytest.mark.parametrize(
    ("first", "second"),
    [
        (Dismiss(C.MAID), Hire(C.BUILDER)),
        (Hire(C.BUILDER), Dismiss(C.MAID)),
        (Dismiss(C.MAID), Dismiss(C.LUMBERJACK)),
        (Hire(C.BUILDER), Hire(C.MONK)),
        (Decline(), Hire(C.BUILDER)),
    ],
)
def test_only_one_is_done_and_once(first: Dismiss | Hire | Decline, second: Dismiss | Hire) -> None:
    """After one dismissal, one hire or neither, Red plays on."""
    state = before_choice(hand=(C.MAID, C.LUMBERJACK), supply=(C.BUILDER, C.MONK))
    state = play(state, first)
    assert prompt_of(state) == PlayPrompt(0, 2)
    assert refusal(state, second).code is Code.WRONG_KIND


@pytest.mark.rule("VAL-9")
@editions
def test_the_player_may_do_neither(rules: RuleSet) -> None:
    """In every edition Red may keep hand and supply as they are."""
    state = before_choice(rules=rules)
    assert Decline() in legal_actions(state)
    step = transition(state, Decline())
    assert (step.state.players, step.state.supply) == (state.players, state.supply)
    assert prompt_of(step.state) == PlayPrompt(0, 2)
    assert [type(event) for event in step.events] == [EffectDeclined]


@pytest.mark.rule("VAL-10")
@editions
def test_a_dismissed_character_goes_to_the_supply(rules: RuleSet) -> None:
    """Red's Lumberjack leaves the hand and is for hire; his discards are as before."""
    state = before_choice(hand=(C.MAID, C.LUMBERJACK), supply=(C.BUILDER,), rules=rules)
    step = transition(state, Dismiss(C.LUMBERJACK))
    red = step.state.players[0]
    assert red.hand == CardBag.of(C.MAID)
    assert (red.draw_pile, red.discard_pile) == (CardBag.of(*[C.KNIGHT] * 3), EMPTY)
    assert step.state.supply == CardBag.of(C.LUMBERJACK, C.BUILDER)
    assert step.state.players[1] == state.players[1]
    assert Dismissed(0, C.LUMBERJACK) in step.events


@pytest.mark.rule("VAL-10")
@pytest.mark.parametrize("elsewhere", [C.KNIGHT, C.VALETTE, C.BUILDER, C.NUN])
def test_only_a_card_of_the_hand_is_dismissed(elsewhere: Character) -> None:
    """Neither the draw pile, nor the Valette just played, nor the supply can be reduced so."""
    violation = refusal(before_choice(), Dismiss(elsewhere))
    assert violation.code is Code.CARD_NOT_IN_HAND
    assert violation.clause.startswith("VAL-")


@pytest.mark.rule("VAL-10")
def test_another_valette_may_be_dismissed() -> None:
    """Red holds a second Valette, which he has not played, and dismisses it."""
    state = before_choice(hand=(C.VALETTE, C.MAID), supply=())
    state = play(state, Dismiss(C.VALETTE))
    assert (state.supply, state.valette) == (CardBag.of(C.VALETTE), 5)


@pytest.mark.rule("VAL-10")
def test_a_character_of_a_building_may_be_dismissed() -> None:
    """Red parts with a Nun that came from a building, and Blue may hire her."""
    state = position(
        seat(hand=[C.VALETTE, C.NUN], draw_pile=[C.MAID] * 5),
        seat(hand=[C.VALETTE, C.MAID]),
    )
    state = draw_all(play(state, C.VALETTE, RevealBarrel(Good.GOLD), Dismiss(C.NUN)))
    state = play(state, C.VALETTE, RevealBarrel(Good.GOLD))
    assert Hire(C.NUN) in legal_actions(state)
    state = play(state, Hire(C.NUN))
    assert state.players[1].hand == CardBag.of(C.MAID, C.NUN)
    assert state.supply == EMPTY


@pytest.mark.rule("VAL-11", "VAL-18")
@pytest.mark.parametrize("character", [C.SHOPKEEPER, C.MAID, C.NUN, C.KNIGHT, C.MONK])
def test_a_dismissed_character_does_nothing(character: Character) -> None:
    """No good is taken and no point scored; Red still has his two further plays."""
    state = before_choice(hand=(character, C.LUMBERJACK, C.LUMBERJACK), supply=())
    after = play(state, Dismiss(character))
    assert [player.goods for player in after.players] == [Goods(stone=1), NO_GOODS]
    assert [player.score for player in after.players] == [0, 0]
    assert after.played == (C.VALETTE,)
    assert prompt_of(after) == PlayPrompt(0, 2)


@pytest.mark.rule("VAL-12")
@editions
def test_a_hired_character_comes_to_the_hand(rules: RuleSet) -> None:
    """One of the Builders for hire is Red's now; three are left."""
    state = before_choice(supply=(C.BUILDER,) * 4, rules=rules)
    step = transition(state, Hire(C.BUILDER))
    red = step.state.players[0]
    assert red.hand == CardBag.of(C.MAID, C.BUILDER)
    assert (red.draw_pile, red.discard_pile) == (CardBag.of(*[C.KNIGHT] * 3), EMPTY)
    assert step.state.supply == CardBag.of(*[C.BUILDER] * 3)
    assert Hired(0, C.BUILDER) in step.events
    assert PlayCard(C.BUILDER) in legal_actions(step.state)


@pytest.mark.rule("VAL-12")
def test_a_hired_character_stays_in_the_deck() -> None:
    """Red plays what he hired and later draws it again, like any card of his."""
    state = play(before_choice(hand=(C.MAID,), supply=(C.LUMBERJACK,)), Hire(C.LUMBERJACK))
    state = draw_all(play(state, C.LUMBERJACK).replace(supply=EMPTY))
    state = state.with_player(0, state.players[0].replace(hand=CardBag.of(C.BRICK_WORKER)))
    state = play(state, C.BRICK_WORKER)
    assert prompt_of(state) == DrawPrompt(0)
    assert state.players[0].discard_pile == CardBag.of(C.VALETTE, C.LUMBERJACK, C.BRICK_WORKER)


@pytest.mark.rule("VAL-12", "VAL-13")
@pytest.mark.parametrize("elsewhere", [C.MAID, C.KNIGHT, C.NUN, C.VALETTE])
def test_only_a_character_of_the_supply_is_hired(elsewhere: Character) -> None:
    """Whoever is not in the character supply is not for hire."""
    violation = refusal(before_choice(), Hire(elsewhere))
    assert violation.code is Code.CARD_NOT_IN_SUPPLY
    assert violation.clause.startswith("VAL-")


@pytest.mark.rule("VAL-13")
@pytest.mark.parametrize("character", CHARACTERS)
def test_whoever_is_in_the_supply_is_for_hire(character: Character) -> None:
    """Starting cards of others, second Valettes and characters of buildings can all be hired."""
    state = before_choice(supply=(character, C.BUILDER))
    assert Hire(character) in legal_actions(state)
    state = play(state, Hire(character))
    assert state.players[0].hand == CardBag.of(C.MAID, character)
    assert state.supply == CardBag.of(C.BUILDER)


@pytest.mark.rule("VAL-13")
def test_one_may_hire_whom_one_dismissed() -> None:
    """Red dismisses his Maid with one Valette and takes her back with another."""
    state = before_choice(hand=(C.VALETTE, C.MAID), supply=())
    state = play(state, Dismiss(C.MAID), C.VALETTE, RevealBarrel(Good.GOLD))
    assert Hire(C.MAID) in legal_actions(state)
    state = play(state, Hire(C.MAID))
    assert state.players[0].hand == CardBag.of(C.MAID)
    assert state.supply == EMPTY


@pytest.mark.rule("VAL-14")
@editions
def test_with_nobody_to_dismiss_or_hire_nothing_is_asked(rules: RuleSet) -> None:
    """Red's hand and the supply are empty; after the barrel the turn is over."""
    state = before_valette(hand=(), supply=(), space=4, rules=rules)
    state = play(state, C.VALETTE, RevealBarrel(Good.BRICK))
    assert prompt_of(state) == DrawPrompt(0)
    assert state.players[0].goods == Goods(brick=1)
    assert state.players[0].discard_pile == CardBag.of(C.VALETTE)


@pytest.mark.rule("VAL-14", "VAL-7")
def test_on_the_last_space_valette_may_do_nothing_at_all() -> None:
    """He does not move, and there is nobody to dismiss or hire: the card fizzles."""
    state = before_valette(hand=(), supply=(), space=25, phase=Phase.FINAL)
    step = transition(state, PlayCard(C.VALETTE))
    assert EffectFizzled(0, C.VALETTE) in step.events
    assert prompt_of(step.state) == DrawPrompt(0)


@pytest.mark.rule("VAL-14")
def test_with_an_empty_supply_red_can_only_dismiss() -> None:
    """Nobody is for hire, so Red is asked for a card to dismiss, or none."""
    state = before_choice(hand=(C.MAID,), supply=())
    assert legal_actions(state) == (Dismiss(C.MAID), Decline())
    assert refusal(state, Hire(C.BUILDER)).code is Code.CARD_NOT_IN_SUPPLY


@pytest.mark.rule("VAL-14")
def test_with_an_empty_hand_red_can_only_hire() -> None:
    """Valette was Red's last card; hiring gives him another one to play."""
    state = before_choice(hand=(), supply=(C.BUILDER,))
    assert legal_actions(state) == (Hire(C.BUILDER), Decline())
    assert prompt_of(play(state, Hire(C.BUILDER))) == PlayPrompt(0, 2)
    assert prompt_of(play(state, Decline())) == DrawPrompt(0)


@pytest.mark.rule("VAL-1", "VAL-3", "VAL-6")
@pytest.mark.parametrize(
    ("rules", "space", "barrel"),
    [
        (HANS_IM_GLUECK, 2, True),
        (Z_MAN, 2, True),
        (REFERENCE_MANUAL, 2, False),
        *((rules, 3, True) for rules in FEWER_BARRELS),
    ],
    ids=str,
)
def test_the_second_step_tells_the_editions_apart(rules: RuleSet, space: int, barrel: bool) -> None:
    """From space 1 Valette moves to a barrel on 2, to an empty space 2, or to a barrel on 3."""
    state = play(before_valette(space=1, rules=rules), C.VALETTE)
    assert state.valette == space
    assert prompt_of(state) == (BarrelPrompt(0) if barrel else ValettePrompt(0))


@pytest.mark.rule("VAL-1", "FIN-1")
@pytest.mark.parametrize(("space", "phase"), [(3, Phase.MAIN), (24, Phase.FINAL)])
def test_a_step_that_triggers_nothing_is_told_as_a_step(space: int, phase: Phase) -> None:
    """A step short of the last space, or in the final phase, is told and triggers nothing."""
    state = position(seat(hand=[C.VALETTE, C.KNIGHT]), seat(), valette=space, phase=phase)
    assert transition(state, PlayCard(C.VALETTE)).events == (
        CardPlayed(0, C.VALETTE),
        ValetteMoved(space + 1, "VAL-1"),
    )


@pytest.mark.rule("VAL-9")
def test_neither_dismissing_nor_hiring_is_told() -> None:
    """That a player neither dismisses nor hires is told with the clause that lets him."""
    state = position(seat(hand=[C.KNIGHT]), seat(), agenda=(ValettePrompt(0), PlayPrompt(0, 1)))
    assert transition(state, Decline()).events == (EffectDeclined(0, "VAL-9"),)
