"""Tests of the errors for illegal actions, malformed actions and impossible games."""

import copy
import pickle
from collections.abc import Callable, Hashable
from pathlib import Path
from typing import Any, cast

import pytest

import valletta_rules as vr
from tests.positions import a_building, position, seat
from valletta_rules.specification.worked_examples import Worked, examples

SPARE = vr.Character.SHOPKEEPER

REFUSALS = Path(__file__).with_name("refusals.txt")


def building(*, price: vr.Goods, goods: vr.Goods, **kwargs: Any) -> vr.GameState:
    """Return a position in which Red owns `goods` and must pay `price` for site 2."""
    return position(
        seat(hand=[SPARE], goods=goods, **kwargs),
        seat(),
        display={2: a_building(cost=price)},
        agenda=(vr.PaymentPrompt(0, 2, price), vr.PlayPrompt(0, 1), vr.EndTurn(0)),
    )


def over() -> vr.GameState:
    """Return the final position of a game."""
    return position(seat(), seat(), phase=vr.Phase.OVER, agenda=())


# Codes of refusals


def as_line(worked: Worked) -> str:
    """Return a line with the message, code and facts of the refusal in a worked example."""
    assert worked.violation is not None
    facts = " ".join(f"{name}={fact}" for name, fact in worked.violation.facts.items())
    refusal = worked.violation
    return f"{worked.example}: {refusal.message} [{refusal.clause}] {refusal.code} {facts}".rstrip()


def refusals() -> list[str]:
    """Return a line for each worked example in which an action is refused, without duplicates."""
    return list(dict.fromkeys(as_line(worked) for worked in examples() if worked.violation))


def test_refusals_in_the_worked_examples_have_the_recorded_messages_codes_and_facts() -> None:
    """``python -m tests.test_errors`` records them in ``refusals.txt``."""
    assert refusals() == REFUSALS.read_text("utf-8").splitlines()


def test_every_code_of_a_refusal_occurs_in_a_worked_example() -> None:
    """The examples contain no other codes."""
    codes = {worked.violation.code for worked in examples() if worked.violation is not None}
    assert codes == set(vr.Code)


# Violations


@pytest.mark.parametrize("rules", [vr.HANS_IM_GLUECK, vr.Z_MAN])
@pytest.mark.parametrize("prompt", [vr.MaidPrompt, vr.SeamstressPrompt, vr.ArchitectPrompt])
def test_the_message_of_a_refusal_suggests_declining_only_if_declining_is_legal(
    rules: vr.RuleSet, prompt: Callable[[int], vr.Prompt]
) -> None:
    """The clauses TRN-7 and YEL-3 forbid declining some effects."""
    mine = seat(hand=[SPARE], goods=vr.Goods(5, 5, 5, 5))
    state = position(mine, seat(), rules=rules, agenda=(prompt(0), vr.EndTurn(0)))
    violation = vr.check(state, vr.PlayCard(SPARE))
    assert violation is not None
    assert ("or to decline" in violation.message) == (vr.Decline() in vr.legal_actions(state))


def test_an_illegal_action_error_contains_the_violated_clause_and_read_only_facts() -> None:
    """For example, the facts for a payment that is too small contain the missing goods."""
    state = building(price=vr.Goods(stone=2), goods=vr.Goods(5, 5, 5, 5))
    with pytest.raises(vr.IllegalActionError) as refused:
        vr.apply(state, vr.Pay(vr.Goods(stone=1)))
    violation = refused.value.violation
    assert violation == vr.check(state, vr.Pay(vr.Goods(stone=1)))
    assert str(refused.value) == f"{violation.message} [BLD-19]"
    assert (refused.value.code, refused.value.facts) == ("payment-short", violation.facts)
    assert violation.facts["missing"] == vr.Goods(stone=1)
    assert hash(violation) == hash(vr.check(state, vr.Pay(vr.Goods(stone=1))))
    with pytest.raises(TypeError):
        cast(dict[str, Hashable], violation.facts)["missing"] = None
    with pytest.raises(AttributeError):
        violation.clause = "BLD-20"  # type: ignore[misc]


def test_an_illegal_action_error_survives_copying_and_pickling() -> None:
    """A process can therefore send it to another process."""
    with pytest.raises(vr.IllegalActionError) as refused:
        vr.apply(over(), vr.Decline())
    for twin in (copy.copy(refused.value), pickle.loads(pickle.dumps(refused.value))):
        assert isinstance(twin, vr.IllegalActionError)
        assert twin.violation == refused.value.violation
        assert str(twin) == str(refused.value)


def test_the_message_about_a_huge_integer_does_not_contain_its_digits() -> None:
    """Python refuses to format so many digits. The message contains "a huge int" instead."""
    with pytest.raises(vr.SeatError, match="a game of 2 players has no seat a huge int"):
        vr.view(vr.new_game(2), 10**5_000)


def test_errors_about_new_games_chance_and_malformed_actions_have_a_built_in_base_class() -> None:
    """For example, `PlayerCountError` is both a `VallettaError` and a `ValueError`.

    None of them is an `IllegalActionError`.
    """
    kinds = {
        vr.PlayerCountError: ValueError,
        vr.VariantError: ValueError,
        vr.NoChanceError: ValueError,
        vr.MalformedActionError: TypeError,
    }
    assert vr.PlayerCountError("five").code == "player-count"
    assert vr.PlayerCountError("five").facts == {}
    for kind, builtin in kinds.items():
        assert issubclass(kind, vr.VallettaError)
        assert issubclass(kind, builtin)
        assert not issubclass(kind, vr.IllegalActionError)
    assert issubclass(vr.IllegalActionError, vr.VallettaError)


# Malformed actions


@pytest.mark.parametrize("call", [vr.check, vr.apply, vr.transition])
@pytest.mark.parametrize(("count", "sites"), [(2, 20), (3, 25), (4, 30)])
def test_building_on_a_site_outside_the_display_raises_a_malformed_action_error(
    call: Callable[[vr.GameState, vr.Action], object], count: int, sites: int
) -> None:
    """The message contains the range of sites. The last site of the display is accepted."""
    state = position(
        seat(goods=vr.Goods(9, 9, 9, 9)),
        *(seat() for _ in range(count - 1)),
        agenda=(vr.SitePrompt(0, vr.Goods()), vr.EndTurn(0)),
    )
    for action in (vr.Build(sites), vr.Upgrade(sites), vr.Build(10**9)):
        with pytest.raises(vr.MalformedActionError, match=f"0 to {sites - 1}"):
            call(state, action)
    assert vr.check(state, vr.Build(sites - 1)) is None


@pytest.mark.parametrize("code", ["", "a", "A99", "AA", "knight"])
def test_dealing_a_building_with_an_unknown_code_raises_a_malformed_action_error(code: str) -> None:
    """A design in the card set of the game must have the code."""
    with pytest.raises(vr.MalformedActionError):
        vr.check(vr.new_game(), vr.DealBuilding(code))


if __name__ == "__main__":
    REFUSALS.write_text("\n".join([*refusals(), ""]), encoding="utf-8")
