"""Errors: illegal actions, malformed ones, games that cannot be, and what they leave alone."""

import copy
import pickle
from collections.abc import Callable, Hashable
from pathlib import Path
from typing import Any, cast

import pytest

from tests.positions import a_building, position, seat
from valletta_rules import (
    Action,
    Build,
    Character,
    Code,
    DealBuilding,
    Decline,
    GameState,
    Goods,
    IllegalActionError,
    MalformedActionError,
    NoChanceError,
    Pay,
    Phase,
    PlayerCountError,
    SeatError,
    Upgrade,
    VallettaError,
    VariantError,
    apply,
    check,
    new_game,
    transition,
    view,
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


def test_a_huge_number_is_not_spelled_out() -> None:
    """Python does not write integers of so many digits; the error says so in words."""
    with pytest.raises(SeatError, match="a game of 2 players has no seat a huge int"):
        view(new_game(2), 10**5_000)


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


if __name__ == "__main__":
    REFUSALS.write_text("\n".join([*refusals(), ""]), encoding="utf-8")
