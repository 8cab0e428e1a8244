"""Errors: illegal actions, malformed ones, games that cannot be, and what they leave alone."""

from __future__ import annotations

import copy
import pickle
import random
from collections.abc import Callable, Hashable
from typing import Any, cast

import pytest

from tests.positions import a_building, play, position, refusal, seat
from valletta_rules import (
    HANS_IM_GLUECK,
    RECONSTRUCTION,
    REFERENCE_MANUAL,
    Z_MAN,
    Action,
    Build,
    CardBag,
    Character,
    Code,
    Colour,
    DealBuilding,
    Decline,
    Dismiss,
    DraftGood,
    DrawCard,
    GameState,
    GiveGood,
    Good,
    Goods,
    Hire,
    IllegalActionError,
    MalformedActionError,
    NoChanceError,
    Pay,
    Phase,
    PlayCard,
    PlayerCountError,
    ReturnGood,
    RevealBarrel,
    RuleSet,
    TakeGood,
    TakeGoods,
    Upgrade,
    VallettaError,
    VariantError,
    Violation,
    apply,
    chance_outcomes,
    check,
    legal_actions,
    new_game,
    outcome,
    resolve_chance,
    sample_chance,
    transition,
)
from valletta_rules.agenda import (
    BarrelPrompt,
    DraftPrompt,
    DrawPrompt,
    EndTurn,
    PaymentPrompt,
    PlayPrompt,
    SitePrompt,
    Turn,
    ValettePrompt,
)

SPARE = Character.SHOPKEEPER


def assert_violation(
    found: Violation, clause: str, code: Code, words: tuple[str, ...], **facts: Hashable
) -> None:
    """Assert what a violation names: clause, code, words of the sentence, and the facts."""
    assert (found.clause, found.code) == (clause, code)
    for word in words:
        assert word in found.message
    assert dict(found.facts) == facts


def building(*, price: Goods, goods: Goods, **kwargs: Any) -> GameState:
    """Return a position in which Red is asked to pay for site 2."""
    return position(
        seat(hand=[SPARE], goods=goods, **kwargs),
        seat(),
        display={2: a_building(cost=price)},
        agenda=(PaymentPrompt(0, 2, price), PlayPrompt(0, 1), EndTurn(0)),
    )


def choosing_a_site(**kwargs: Any) -> GameState:
    """Return a position in which Red chooses a site: 0 to 5 cost 1 wood, Blue owns site 5."""
    return position(
        seat(hand=[SPARE], goods=Goods(wood=1), **kwargs),
        seat(built=[5]),
        display={site: a_building(cost=Goods(wood=1)) for site in range(6)},
        agenda=(SitePrompt(0, Goods()), PlayPrompt(0, 1), EndTurn(0)),
    )


def over() -> GameState:
    """Return a position in which the game is over."""
    return position(seat(), seat(), phase=Phase.OVER, agenda=())


# Every code arises


def test_game_over() -> None:
    """Nothing can be done when the game is over."""
    assert_violation(refusal(over(), Decline()), "FIN-16", Code.GAME_OVER, ("over",))


@pytest.mark.parametrize(
    ("step", "clause", "action"),
    [
        (PlayPrompt(0, 3), "TRN-2", TakeGood(Good.GOLD)),
        (PlayPrompt(0, 3), "TRN-2", Decline()),
        (SitePrompt(0, Goods()), "BLD-1", Pay(Goods())),
        (PaymentPrompt(0, 0, Goods()), "BLD-19", Decline()),
        (DrawPrompt(0), "TRN-18", PlayCard(SPARE)),
        (BarrelPrompt(0), "VAL-4", TakeGood(Good.GOLD)),
    ],
)
def test_wrong_kind(
    step: PlayPrompt | SitePrompt | PaymentPrompt | DrawPrompt | BarrelPrompt,
    clause: str,
    action: Action,
) -> None:
    """An answer to another question names the question asked and the action given."""
    state = position(
        seat(hand=[SPARE], draw_pile=[SPARE], goods=Goods(9, 9, 9, 9)),
        seat(),
        agenda=(step, EndTurn(0)),
    )
    prompt, kind = type(step).__name__, type(action).__name__
    assert_violation(
        refusal(state, action), clause, Code.WRONG_KIND, (prompt, kind), prompt=prompt, action=kind
    )


def test_card_not_in_hand() -> None:
    """A card in the draw pile is not in the hand."""
    knight = Character.KNIGHT
    state = position(seat(hand=[SPARE], draw_pile=[knight]), seat(hand=[knight]))
    found = refusal(state, PlayCard(knight))
    assert_violation(found, "TRN-3", Code.CARD_NOT_IN_HAND, ("Knight", "hand"), character=knight)


def test_card_not_in_hand_to_dismiss() -> None:
    """Only a card in the hand can be dismissed, not one that can be hired."""
    maid = Character.MAID
    state = position(seat(hand=[SPARE]), seat(), supply=[maid], agenda=(ValettePrompt(0),))
    found = refusal(state, Dismiss(maid))
    assert_violation(found, "VAL-10", Code.CARD_NOT_IN_HAND, ("Maid", "hand"), character=maid)


def test_card_not_in_supply() -> None:
    """Only a card in the character supply can be hired, not one of the hand."""
    state = position(
        seat(hand=[SPARE]), seat(), supply=[Character.BUILDER], agenda=(ValettePrompt(0),)
    )
    found = refusal(state, Hire(SPARE))
    words = ("Shopkeeper", "supply")
    assert_violation(found, "VAL-12", Code.CARD_NOT_IN_SUPPLY, words, character=SPARE)


def test_card_not_in_pile() -> None:
    """Chance cannot draw a card that lies in the discard pile while the draw pile has cards."""
    maid = Character.MAID
    state = position(
        seat(draw_pile=[SPARE], discard_pile=[maid]), seat(), agenda=(DrawPrompt(0), EndTurn(0))
    )
    found = refusal(state, DrawCard(maid))
    assert_violation(found, "TRN-17", Code.CARD_NOT_IN_PILE, ("Maid", "draw pile"), character=maid)


@pytest.mark.parametrize("rules", [HANS_IM_GLUECK, REFERENCE_MANUAL], ids=str)
def test_effect_compulsory(rules: RuleSet) -> None:
    """The Knight's points must be scored, and the Maid's good taken, where editions say so."""
    knight, maid = Character.KNIGHT, Character.MAID
    state = position(seat(hand=[knight, maid]), seat(), rules=rules)
    found = refusal(state, PlayCard(knight, use_effect=False))
    assert_violation(found, "TRN-7", Code.EFFECT_COMPULSORY, ("Knight",), character=knight)
    found = refusal(play(state, maid), Decline())
    assert_violation(found, "TRN-7", Code.EFFECT_COMPULSORY, ("Maid",), character=maid)


@pytest.mark.parametrize("rules", [HANS_IM_GLUECK, Z_MAN, REFERENCE_MANUAL], ids=str)
def test_effect_compulsory_valette(rules: RuleSet) -> None:
    """Valette must advance in every edition."""
    valette = Character.VALETTE
    state = position(seat(hand=[valette]), seat(), rules=rules)
    found = refusal(state, PlayCard(valette, use_effect=False))
    assert_violation(found, "VAL-2", Code.EFFECT_COMPULSORY, ("Valette",), character=valette)


@pytest.mark.parametrize("rules", [HANS_IM_GLUECK, Z_MAN, REFERENCE_MANUAL], ids=str)
def test_no_effect_to_decline(rules: RuleSet) -> None:
    """Nothing is declined as a card is played that can do nothing, or asks for a choice later."""
    philip, trader = Character.PHILIP, Character.TRADER
    state = position(seat(hand=[philip, trader], goods=Goods(wood=1)), seat(), rules=rules)
    found = refusal(state, PlayCard(philip, use_effect=False))
    code = Code.NO_EFFECT_TO_DECLINE
    assert_violation(found, "TRN-14", code, ("Philip", "nothing"), character=philip)
    found = refusal(state, PlayCard(trader, use_effect=False))
    assert_violation(found, "TRN-10", code, ("Trader", "choice"), character=trader)


def test_site_taken() -> None:
    """On site 5 stands a house of Blue."""
    found = refusal(choosing_a_site(), Build(5))
    assert_violation(found, "BLD-3", Code.SITE_TAKEN, ("site 5", "seat 1"), site=5, owner=1)


@pytest.mark.parametrize(("site", "owner"), [(5, 1), (0, None)])
def test_site_not_own(site: int, owner: int | None) -> None:
    """Neither Blue's building nor an unbuilt one can be upgraded."""
    found = refusal(choosing_a_site(), Upgrade(site))
    words = (f"site {site}",)
    assert_violation(found, "BLD-15", Code.SITE_NOT_OWN, words, site=site, owner=owner)


@pytest.mark.parametrize("upgraded", [(), (3,)])
def test_already_built(upgraded: tuple[int, ...]) -> None:
    """On site 3 stands a house of Red himself."""
    found = refusal(choosing_a_site(built=[3], upgraded=upgraded), Build(3))
    assert_violation(found, "BLD-3", Code.ALREADY_BUILT, ("site 3",), site=3, owner=0)


def test_already_upgraded() -> None:
    """Red's building on site 3 is upgraded."""
    found = refusal(choosing_a_site(upgraded=[3]), Upgrade(3))
    assert_violation(found, "BLD-16", Code.ALREADY_UPGRADED, ("site 3", "upgraded"), site=3)


def test_no_house_left() -> None:
    """Red has built all his eight houses; he may upgrade, but not build."""
    state = choosing_a_site(built=[1, *range(10, 17)])
    assert check(state, Upgrade(1)) is None
    found = refusal(state, Build(0))
    assert_violation(found, "BLD-4", Code.NO_HOUSE_LEFT, ("8", "houses"), site=0)


def test_not_affordable() -> None:
    """Red has 1 wood and cannot pay 9 of each; the price and his goods are named."""
    found = refusal(choosing_a_site(), Build(7))
    words = ("site 7", "9 gold, 9 wood, 9 stone and 9 brick", "1 wood")
    price, goods = Goods(9, 9, 9, 9), Goods(wood=1)
    assert_violation(found, "BLD-26", Code.NOT_AFFORDABLE, words, site=7, price=price, goods=goods)


def test_not_owned() -> None:
    """Red has 2 stones and cannot pay 3 wood in place of the third."""
    goods, payment = Goods(gold=3, stone=2), Goods(wood=3, stone=2)
    found = refusal(building(price=Goods(stone=3), goods=goods), Pay(payment))
    words = ("3 gold and 2 stone", "3 wood and 2 stone")
    assert_violation(found, "BLD-19", Code.NOT_OWNED, words, payment=payment, goods=goods)


def test_not_owned_to_give() -> None:
    """Blue owns no gold to give to the Monk."""
    state = position(seat(hand=[Character.MONK]), seat(goods=Goods(wood=4)))
    found = refusal(play(state, Character.MONK), GiveGood(Good.GOLD))
    assert_violation(found, "BLU-2", Code.NOT_OWNED, ("gold",), good=Good.GOLD)


def test_payment_short() -> None:
    """A payment short by 1 stone names the price and the stone."""
    price, payment = Goods(gold=1, stone=2), Goods(gold=1, stone=1)
    found = refusal(building(price=price, goods=Goods(5, 5, 5, 5)), Pay(payment))
    words = ("site 2", "1 gold and 2 stone", "1 stone")
    assert_violation(
        found,
        "BLD-19",
        Code.PAYMENT_SHORT,
        words,
        site=2,
        price=price,
        payment=payment,
        missing=Goods(stone=1),
    )


def test_payment_short_in_spite_of_substitutes() -> None:
    """Two bricks cannot stand in for a stone: it takes three."""
    price, payment = Goods(gold=1, stone=2), Goods(gold=1, stone=1, brick=2)
    state = building(price=price, goods=Goods(5, 5, 5, 5))
    found = refusal(state, Pay(payment))
    words = ("1 stone", "2 brick")
    assert_violation(
        found,
        "BLD-20",
        Code.PAYMENT_SHORT,
        words,
        site=2,
        price=price,
        payment=payment,
        missing=Goods(stone=1),
    )
    assert check(state, Pay(payment + Goods(brick=1))) is None


@pytest.mark.parametrize(
    "payment", [Goods(gold=1, stone=3), Goods(gold=2, stone=2), Goods(gold=1, stone=1, brick=4)]
)
def test_payment_excessive(payment: Goods) -> None:
    """A good too many, in kind or in substitution, is refused; nothing is refunded."""
    price = Goods(gold=1, stone=2)
    found = refusal(building(price=price, goods=Goods(5, 5, 5, 5)), Pay(payment))
    assert_violation(
        found,
        "BLD-19",
        Code.PAYMENT_EXCESSIVE,
        ("site 2", str(price), str(payment)),
        site=2,
        price=price,
        payment=payment,
        missing=price.less(payment),
    )


def test_good_not_offered() -> None:
    """The set that goes round at the start holds no wood any more."""
    state = position(seat(), seat(), agenda=(DraftPrompt(0, Goods(1, 0, 1, 1)), Turn(0, 3)))
    found = refusal(state, DraftGood(Good.WOOD))
    assert_violation(found, "SET-22", Code.GOOD_NOT_OFFERED, ("wood",), good=Good.WOOD)


def test_good_not_offered_by_a_card() -> None:
    """The Trader takes no gold in return for gold."""
    state = position(seat(hand=[Character.TRADER], goods=Goods(gold=1, wood=1)), seat())
    found = refusal(play(state, Character.TRADER), ReturnGood(Good.GOLD))
    assert_violation(found, "BLU-7", Code.GOOD_NOT_OFFERED, ("gold",), good=Good.GOLD)


def test_wrong_number_of_goods() -> None:
    """The Seamstress takes two goods, not three."""
    state = position(seat(hand=[Character.SEAMSTRESS]), seat())
    goods = Goods(1, 1, 1, 0)
    found = refusal(play(state, Character.SEAMSTRESS), TakeGoods(goods))
    assert_violation(
        found, "BLU-10", Code.WRONG_NUMBER_OF_GOODS, ("takes 2", str(goods)), goods=goods
    )


def test_building_not_available() -> None:
    """A building whose every card has been dealt, or whose colour is complete, is not dealt."""
    state = new_game(4)
    banker = RECONSTRUCTION.building("A")
    for _ in range(banker.copies):
        state = apply(state, DealBuilding("A"))
    found = refusal(state, DealBuilding("A"))
    code = Code.BUILDING_NOT_AVAILABLE
    assert_violation(found, "SET-9", code, ("A",), building="A")
    state = new_game(2)
    green = [card for card in RECONSTRUCTION.buildings if card.colour is Colour.GREEN]
    deals = [DealBuilding(card.code) for card in green for _ in range(card.copies)]
    state = play(state, *deals[:6])
    found = refusal(state, deals[6])
    assert_violation(found, "SET-8", code, ("green",), building=deals[6].building)


def test_no_such_barrel() -> None:
    """The last barrels show wood: none of them can be revealed as gold."""
    state = position(
        seat(hand=[SPARE]), seat(), barrels=Goods(wood=2), agenda=(BarrelPrompt(0), EndTurn(0))
    )
    found = refusal(state, RevealBarrel(Good.GOLD))
    assert_violation(found, "VAL-5", Code.NO_SUCH_BARREL, ("gold",), good=Good.GOLD)


def test_every_code_is_tested() -> None:
    """Each code has a test above of its own name."""
    tests = {name for name in globals() if name.startswith("test_")}
    assert {f"test_{code.name.lower()}" for code in Code} <= tests


# Violations


def test_violation_reads_well() -> None:
    """An illegal action says what is wrong and which clause says so, and carries the facts."""
    state = building(price=Goods(stone=2), goods=Goods(5, 5, 5, 5))
    with pytest.raises(IllegalActionError) as refused:
        apply(state, Pay(Goods(stone=1)))
    violation = refused.value.violation
    assert violation == check(state, Pay(Goods(stone=1)))
    assert str(refused.value) == f"{violation.message} [BLD-19]"
    assert (refused.value.code, refused.value.facts) == ("payment-short", violation.facts)
    assert violation.facts["missing"] == Goods(stone=1)
    assert hash(violation) == hash(check(state, Pay(Goods(stone=1))))
    with pytest.raises(TypeError):
        cast(dict[str, Hashable], violation.facts)["missing"] = None
    with pytest.raises(AttributeError):
        violation.clause = "BLD-20"  # type: ignore[misc]


def test_error_survives_copying_and_pickling() -> None:
    """An illegal action's error can be sent to another process."""
    with pytest.raises(IllegalActionError) as refused:
        apply(over(), Decline())
    for twin in (copy.copy(refused.value), pickle.loads(pickle.dumps(refused.value))):
        assert isinstance(twin, IllegalActionError)
        assert twin.violation == refused.value.violation
        assert str(twin) == str(refused.value)


def test_errors_have_classes_of_their_own() -> None:
    """An illegal action, a malformed one and a bad game share a base, and nothing else."""
    kinds = {
        PlayerCountError: ValueError,
        VariantError: ValueError,
        NoChanceError: ValueError,
        MalformedActionError: TypeError,
    }
    assert PlayerCountError("five").code == "player-count"
    assert PlayerCountError("five").facts == {}
    for kind, builtin in kinds.items():
        assert issubclass(kind, VallettaError)
        assert issubclass(kind, builtin)
        assert not issubclass(kind, IllegalActionError)
    assert issubclass(IllegalActionError, VallettaError)


# Malformed actions


@pytest.mark.parametrize(
    ("kind", "arguments"),
    [
        (Build, (True,)),
        (Build, ("3",)),
        (Build, (3.0,)),
        (Build, (None,)),
        (Build, (-1,)),
        (Upgrade, (False,)),
        (Upgrade, (-1,)),
        (PlayCard, ("knight",)),
        (PlayCard, (Good.GOLD,)),
        (PlayCard, (Character.KNIGHT, 0)),
        (PlayCard, (Character.KNIGHT, None)),
        (TakeGood, ("gold",)),
        (TakeGood, (Character.BANKER,)),
        (TakeGood, (Goods(gold=1),)),
        (GiveGood, (0,)),
        (ReturnGood, (None,)),
        (DraftGood, ("wood",)),
        (RevealBarrel, ("wood",)),
        (DrawCard, ("maid",)),
        (Dismiss, (7,)),
        (Hire, (CardBag.of(SPARE),)),
        (DealBuilding, (1,)),
        (TakeGoods, ((1, 1, 0, 0),)),
        (TakeGoods, (Good.GOLD,)),
        (TakeGoods, (Goods(gold=3, wood=-1),)),
        (Pay, (Goods(stone=-1),)),
        (Pay, (Goods(gold=True),)),
        (Pay, (Goods(gold=cast(int, 1.0)),)),
        (Pay, (Goods(gold=cast(int, None)),)),
        (Pay, ({"gold": 1},)),
    ],
)
def test_malformed_action(kind: Callable[..., Action], arguments: tuple[object, ...]) -> None:
    """An action of a wrong shape cannot even be made; the error names the action's type."""
    name = getattr(kind, "__name__", "")
    with pytest.raises(MalformedActionError, match=rf"^{name}\."):
        kind(*arguments)


@pytest.mark.parametrize("thing", [None, "pass", 3, Build, PlayPrompt(0, 3), Good.GOLD, ()])
@pytest.mark.parametrize("call", [check, apply, transition])
def test_no_action_at_all(call: Callable[[GameState, Any], object], thing: object) -> None:
    """What is no action is refused as such, during the game and after it."""
    for state in (position(seat(hand=[SPARE]), seat()), over(), new_game()):
        before = repr(state)
        with pytest.raises(MalformedActionError, match="not an action"):
            call(state, thing)
        assert repr(state) == before


@pytest.mark.parametrize("call", [check, apply, transition])
@pytest.mark.parametrize(("count", "sites"), [(2, 20), (3, 25), (4, 30)])
def test_unknown_site(call: Callable[[GameState, Action], object], count: int, sites: int) -> None:
    """A site that this display does not have is malformed; the last that it has is not."""
    state = position(
        seat(goods=Goods(9, 9, 9, 9)),
        *(seat() for _ in range(count - 1)),
        agenda=(SitePrompt(0, Goods()), EndTurn(0)),
    )
    for action in (Build(sites), Upgrade(sites), Build(10**9)):
        with pytest.raises(MalformedActionError, match=f"0 to {sites - 1}"):
            call(state, action)
    assert check(state, Build(sites - 1)) is None


@pytest.mark.parametrize("code", ["", "a", "A99", "AA", "knight"])
def test_unknown_building(code: str) -> None:
    """A building that the card set does not have is malformed."""
    with pytest.raises(MalformedActionError):
        check(new_game(), DealBuilding(code))


# Games that cannot be


@pytest.mark.parametrize("players", [-1, 0, 1, 5, 100])
def test_number_of_players(players: int) -> None:
    """Two, three or four players take part."""
    with pytest.raises(PlayerCountError, match=str(players)):
        new_game(players)


@pytest.mark.parametrize("players", [True, "2", 2.0, None, [2]])
def test_number_of_players_of_a_wrong_type(players: Any) -> None:
    """The number of players is a whole number."""
    with pytest.raises((PlayerCountError, TypeError)):
        new_game(players)


@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("rules", [HANS_IM_GLUECK, Z_MAN, REFERENCE_MANUAL], ids=str)
def test_variant_does_not_fit(players: int, rules: RuleSet) -> None:
    """The variant with fewer barrels is for two players; the other is for any number."""
    fewer = rules.with_variants(fewer_barrels=True)
    with pytest.raises(VariantError, match=str(players)):
        new_game(players, rules=fewer)
    assert new_game(2, rules=fewer).rules == fewer
    assert new_game(players, rules=rules.with_variants(start_player_variant=True)).prompt


def test_number_of_players_comes_before_the_variant() -> None:
    """With five players it is their number that is wrong."""
    with pytest.raises(PlayerCountError):
        new_game(5, rules=HANS_IM_GLUECK.with_variants(fewer_barrels=True))


@pytest.mark.parametrize("rules", [None, "Z-Man", RuleSet, RECONSTRUCTION, 1])
def test_rules_of_a_wrong_type(rules: Any) -> None:
    """Rules are a rule set, not its name."""
    with pytest.raises(TypeError, match="RuleSet"):
        new_game(2, rules=rules)


@pytest.mark.parametrize("cards", [None, "Reconstruction", HANS_IM_GLUECK, ()])
def test_cards_of_a_wrong_type(cards: Any) -> None:
    """Cards are a card set, not its name."""
    with pytest.raises(TypeError, match="CardSet"):
        new_game(2, cards=cards)


@pytest.mark.parametrize("colour", [Colour.GREEN, Colour.BLUE, Colour.YELLOW])
def test_apprentice_of_a_third_colour(colour: Colour) -> None:
    """The Apprentice is red or purple."""
    with pytest.raises(ValueError, match="apprentice_colour"):
        RuleSet("odd", apprentice_colour=colour)


# Chance


@pytest.mark.parametrize(
    "state", [position(seat(hand=[SPARE]), seat()), over()], ids=["a player", "nobody"]
)
def test_not_for_chance_to_answer(state: GameState) -> None:
    """Where a player must answer, or nobody, chance has no outcomes and changes nothing."""
    rng = random.Random(1)
    before = repr(state), rng.getstate()
    with pytest.raises(NoChanceError):
        chance_outcomes(state)
    with pytest.raises(NoChanceError):
        sample_chance(state, rng)
    assert resolve_chance(state, rng) is state
    assert (repr(state), rng.getstate()) == before


# A failed call changes nothing


def fresh(seed: int) -> GameState:
    """Return a position some way into a game, played anew each time."""
    rng = random.Random(seed)
    state = resolve_chance(new_game(3), rng)
    for _ in range(60):
        state = resolve_chance(apply(state, rng.choice(legal_actions(state))), rng)
    return state


EVERY_ACTION: tuple[Action, ...] = (
    Decline(),
    PlayCard(Character.PIUS, use_effect=False),
    Build(0),
    Upgrade(24),
    Pay(Goods(9, 9, 9, 9)),
    TakeGoods(Goods(9, 0, 0, 0)),
    TakeGood(Good.GOLD),
    ReturnGood(Good.WOOD),
    GiveGood(Good.STONE),
    Dismiss(Character.PIUS),
    Hire(Character.PIUS),
    DraftGood(Good.GOLD),
    DealBuilding("A"),
    DrawCard(Character.PIUS),
    RevealBarrel(Good.GOLD),
)


@pytest.mark.parametrize("call", [apply, transition])
@pytest.mark.parametrize("seed", range(4))
def test_a_failed_call_changes_nothing(
    call: Callable[[GameState, Action], object], seed: int
) -> None:
    """After every refusal the position has the value, the hash and the looks that it had."""
    state, twin = fresh(seed), fresh(seed)
    before = hash(state), repr(state), legal_actions(state), outcome(state)
    illegal = [action for action in EVERY_ACTION if action not in legal_actions(state)]
    assert len(illegal) >= 12
    for action in illegal:
        with pytest.raises(IllegalActionError):
            call(state, action)
        assert state == twin
        assert (hash(state), repr(state), legal_actions(state), outcome(state)) == before
    with pytest.raises(MalformedActionError):
        call(state, cast(Action, "pass"))
    assert state == twin
    assert hash(state) == hash(twin)


def test_a_legal_call_changes_nothing_either() -> None:
    """The position passed in stays as it is; the new one is another."""
    state, twin = fresh(7), fresh(7)
    for action in legal_actions(state):
        assert apply(state, action) != state
        assert (state, hash(state), repr(state)) == (twin, hash(twin), repr(twin))
