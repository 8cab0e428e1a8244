"""Tests of the engine, position classes other than `GameState`, card bags and sets of sites."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, cast

import attrs
import pytest
from hypothesis import given

import valletta_rules as vr
from spec.checks.random_games import goods, scaled
from tests.positions import position, seat
from valletta_rules import agenda


def with_agenda(*steps: agenda.Step, phase: vr.Phase = vr.Phase.MAIN) -> vr.GameState:
    """Return a position with the agenda `steps`. Red owns site 4, and Blue owns site 5."""
    return position(
        seat(hand=[vr.Character.MAID], goods=vr.Goods(gold=4, wood=4), built=[4]),
        seat(built=[5]),
        agenda=steps,
        phase=phase,
    )


def test_dealing_an_unknown_building_raises_a_malformed_action_error() -> None:
    """The message contains the unknown code."""
    with pytest.raises(vr.MalformedActionError, match=r"^the card set has no building 'nought'$"):
        vr.check(with_agenda(agenda.DealPrompt()), vr.DealBuilding("nought"))


def test_a_prompt_without_a_legal_answer_raises_a_broken_invariant_error() -> None:
    """Such a prompt cannot occur in a game. The message contains the prompt."""
    with pytest.raises(vr.BrokenInvariantError, match=r"^PaymentPrompt\(.*\) has no legal answer$"):
        vr.legal_actions(with_agenda(agenda.PaymentPrompt(0, 0, vr.Goods(gold=99))))


# Positions of other classes


@attrs.frozen
class Wrapped:
    """A position class that wraps a `GameState` and computes its own legal actions."""

    inside: vr.GameState

    @property
    def prompt(self) -> agenda.Prompt | None:
        """Return the current prompt."""
        return self.inside.prompt

    def list_actions(self) -> tuple[vr.Action, ...]:
        """Return the legal actions of the wrapped position."""
        return vr.legal_actions(self.inside)

    def allows(self, action: vr.Action) -> bool:
        """Return whether an action is legal in the wrapped position."""
        return action in self.list_actions()

    def position_after(self, action: vr.Action) -> Wrapped | None:
        """Return the wrapped position after an action, or `None` if the action is illegal."""
        return Wrapped(vr.apply(self.inside, action)) if self.allows(action) else None

    def unpack(self) -> vr.GameState:
        """Return the wrapped position as a `GameState`."""
        return self.inside


class Sulking(Wrapped):
    """A faulty position class that never lists or accepts an action."""

    def list_actions(self) -> tuple[vr.Action, ...]:
        """Return no legal actions."""
        return ()


WRAP: Any = Wrapped
"""The class `Wrapped` with the type `Any`, because type checkers do not accept it as a position."""


def test_a_position_that_is_not_a_game_state_computes_its_own_legal_actions(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The engine calls its methods instead of converting it to a `GameState`."""
    state = with_agenda(agenda.PlayPrompt(0, 3))
    wrapped = WRAP(state)
    monkeypatch.delattr(Wrapped, "unpack")
    assert vr.legal_actions(wrapped) == vr.legal_actions(state)
    assert vr.legal_actions(WRAP(with_agenda(phase=vr.Phase.OVER))) == ()
    for action in vr.legal_actions(state):
        assert vr.check(wrapped, action) is None
        assert vr.apply(wrapped, action) == WRAP(vr.apply(state, action))


def test_a_position_that_is_not_a_game_state_is_converted_to_one_if_an_action_is_refused() -> None:
    """The error is then the same as for a `GameState`."""
    state = with_agenda(agenda.PlayPrompt(0, 3))
    wrapped = WRAP(state)
    assert vr.check(wrapped, vr.Decline()) == vr.check(state, vr.Decline())
    with pytest.raises(vr.IllegalActionError, match=r"^the answer must be to play a card, not to"):
        vr.apply(wrapped, vr.Decline())


def test_a_position_class_that_lists_no_legal_actions_raises_a_broken_invariant_error() -> None:
    """The class must list an action for each prompt, and accept every action that the engine
    accepts.
    """
    sulking: Any = Sulking(state := with_agenda(agenda.PlayPrompt(0, 3)))
    with pytest.raises(vr.BrokenInvariantError, match=r"^PlayPrompt\(.*\) has no legal answer$"):
        vr.legal_actions(sulking)
    with pytest.raises(vr.BrokenInvariantError, match=r"^PlayCard\(.*rejects it$"):
        vr.apply(sulking, vr.legal_actions(state)[0])


@pytest.mark.parametrize("method", ["list_actions", "position_after", "resolved"])
def test_an_attribute_error_inside_a_method_of_a_position_class_propagates(
    method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The engine must not conclude that the class lacks the method."""

    def broken(self: Wrapped, *given: object) -> object:
        return self.nowhere  # type: ignore[attr-defined]

    monkeypatch.setattr(Wrapped, method, broken, raising=False)
    wrapped = WRAP(with_agenda(agenda.PlayPrompt(0, 3)))
    call: Callable[[], object] = {
        "list_actions": lambda: vr.legal_actions(wrapped),
        "position_after": lambda: vr.apply(wrapped, vr.Decline()),
        "resolved": lambda: vr.resolve_chance(wrapped, random.Random(1)),
    }[method]
    with pytest.raises(AttributeError, match="nowhere"):
        call()


# Bags, sets of sites and goods


BAG = vr.CardBag.of(
    vr.Character.MAID, vr.Character.BUILDER, vr.Character.BUILDER, vr.Character.KNIGHT
)


@pytest.mark.parametrize("count", [1, 2, 3, 64, 128, 192, 255])
@pytest.mark.parametrize(
    "character", [vr.Character.SHOPKEEPER, vr.Character.MAID, vr.Character.KNIGHT]
)
def test_a_bag_of_cards_counts_up_to_255_cards_of_a_kind(
    character: vr.Character, count: int
) -> None:
    """The test uses the first character in the order of the rulebook, the last, and the Maid."""
    bag = vr.CardBag.of(*[character] * count)
    assert tuple(bag.items()) == ((character, count),)
    assert bag.count(character) == count


def test_removing_a_card_that_a_bag_does_not_contain_raises_an_assertion_error() -> None:
    """The message contains the name of the card."""
    with pytest.raises(AssertionError, match=r"^there is no trader in CardBag\.of\(.*\)"):
        BAG.minus(vr.Character.TRADER)


def test_the_operator_in_accepts_any_value_for_bags_of_cards_and_sets_of_sites() -> None:
    """A value of a wrong type, or a negative site, is not contained and raises no error."""
    assert vr.Character.MAID in BAG
    assert vr.Character.TRADER not in BAG
    assert 3 not in BAG
    sites = vr.SiteSet.of(0, 3, 29)
    assert [site for site in range(-3, 40) if site in sites] == [0, 3, 29]
    assert "3" not in sites


def test_the_repr_of_sets_of_sites_and_bags_of_cards_is_in_canonical_order() -> None:
    """Sites are in ascending order without duplicates. Cards are in the order of the rulebook."""
    assert repr(vr.SiteSet.of(29, 3, 0, 3)) == "SiteSet.of(0, 3, 29)"
    assert repr(vr.CardBag.of(vr.Character.KNIGHT, vr.Character.MAID)) == (
        "CardBag.of(Character.MAID, Character.KNIGHT)"
    )
    assert vr.SiteSet.of(3, 3) == vr.SiteSet.of(3)
    with pytest.raises(TypeError, match=r"^a site must be a whole number, not str: '3'$"):
        vr.SiteSet.of(cast("int", "3"))


def test_requesting_the_neighbours_of_a_site_outside_the_display_raises_an_error() -> None:
    """The message contains the site and the number of sites."""
    assert list(vr.neighbours_of(0)) == [1, 10]
    assert list(vr.neighbours_of(0, 10)) == [1]
    for site, sites in [(20, 20), (-1, 25), (30, 40)]:
        with pytest.raises(ValueError, match=f"^a display of {sites} sites has no site {site}$"):
            vr.neighbours_of(site, sites)


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (BAG, "Maid, Builder (x2), Knight Hieronymus von Rekuk"),
        (vr.CardBag(), "none"),
        (vr.Goods(), "nothing"),
        (vr.Goods(stone=2), "2 stones"),
        (vr.Goods(gold=2, stone=1), "2 gold and 1 stone"),
        (vr.Goods(1, 2, 0, 3), "1 gold, 2 wood and 3 bricks"),
        (vr.Goods(1, 2, 3, 4), "1 gold, 2 wood, 3 stones and 4 bricks"),
    ],
)
def test_the_str_of_cards_and_goods_lists_their_counts_in_words(
    value: vr.CardBag | vr.Goods, words: str
) -> None:
    """Cards are in the order of the rulebook. For a single card, the count is omitted."""
    assert str(value) == words


@scaled(4)
@given(goods(2), goods(2))
def test_goods_are_compared_and_subtracted_separately_for_each_kind(
    one: vr.Goods, other: vr.Goods
) -> None:
    """A surplus of one kind cannot compensate for a lack of another."""
    assert one.covers(other) is all(one[good] >= other[good] for good in vr.Good)
    assert one.less(other) == vr.Goods(*(max(0, one[good] - other[good]) for good in vr.Good))
    assert (one - other).kinds() == tuple(good for good in vr.Good if one[good] > other[good])
