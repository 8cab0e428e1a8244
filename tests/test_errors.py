"""Errors: illegal actions, malformed ones, games that cannot be, and what they leave alone."""

from __future__ import annotations

import copy
import pickle
import random
from collections.abc import Callable, Hashable
from pathlib import Path
from typing import Any, cast

import pytest

from tests.positions import a_building, position, seat
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
    EndTurn,
    PaymentPrompt,
    PlayPrompt,
    SitePrompt,
)
from valletta_rules.specification.worked_examples import Worked, examples

SPARE = Character.SHOPKEEPER

REFUSALS = Path(__file__).with_name("refusals.txt")


def building(*, price: Goods, goods: Goods, **kwargs: Any) -> GameState:
    """Return a position in which Red is asked to pay for site 2."""
    return position(
        seat(hand=[SPARE], goods=goods, **kwargs),
        seat(),
        display={2: a_building(cost=price)},
        agenda=(PaymentPrompt(0, 2, price), PlayPrompt(0, 1), EndTurn(0)),
    )


def over() -> GameState:
    """Return a position in which the game is over."""
    return position(seat(), seat(), phase=Phase.OVER, agenda=())


# Every code arises


def told(worked: Worked) -> str:
    """Say in a line how the last action of an example is refused, with the facts."""
    assert worked.violation is not None
    facts = " ".join(f"{name}={fact}" for name, fact in worked.violation.facts.items())
    found = worked.violation
    return f"{worked.example}: {found.message} [{found.clause}] {found.code} {facts}".rstrip()


def refusals() -> list[str]:
    """Say of each refusal in a worked example, once for all its editions, how it is told."""
    return list(dict.fromkeys(told(worked) for worked in examples() if worked.violation))


def test_refusals_are_told_with_their_facts() -> None:
    """What is said stands in ``refusals.txt``; ``python -m tests.test_errors`` writes it anew."""
    assert refusals() == REFUSALS.read_text("utf-8").splitlines()


def test_every_code_is_met() -> None:
    """Some worked example is refused with each of the codes."""
    found = {worked.violation.code for worked in examples() if worked.violation is not None}
    assert found == set(Code)


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


if __name__ == "__main__":
    REFUSALS.write_text("\n".join([*refusals(), ""]), encoding="utf-8")
