"""The engine: what nobody can answer, positions in another form, and the values it counts with."""

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


def asked(*steps: agenda.Step, phase: vr.Phase = vr.Phase.MAIN) -> vr.GameState:
    """Return a position with some steps to come; Blue owns site 5, and Red owns site 4."""
    return position(
        seat(hand=[vr.Character.MAID], goods=vr.Goods(gold=4, wood=4), built=[4]),
        seat(built=[5]),
        agenda=steps,
        phase=phase,
    )


def test_a_building_that_is_not_in_the_game() -> None:
    """The dealing of a building that the card set does not have names that building."""
    with pytest.raises(vr.MalformedActionError, match=r"^the card set has no building 'nought'$"):
        vr.check(asked(agenda.DealPrompt()), vr.DealBuilding("nought"))


def test_a_prompt_without_an_answer() -> None:
    """A question that nobody can answer, which no game asks, is named."""
    with pytest.raises(vr.BrokenInvariantError, match=r"^PaymentPrompt\(.*\) has no legal answer$"):
        vr.legal_actions(asked(agenda.PaymentPrompt(0, 0, vr.Goods(gold=99))))


# Other forms of positions


@attrs.frozen
class Wrapped:
    """A position in another form, that knows which actions are legal."""

    inside: vr.GameState

    @property
    def prompt(self) -> agenda.Prompt | None:
        """Return the question to be answered next."""
        return self.inside.prompt

    def list_actions(self) -> tuple[vr.Action, ...]:
        """Return those of the position inside."""
        return vr.legal_actions(self.inside)

    def allows(self, action: vr.Action) -> bool:
        """Tell whether an action is one of them."""
        return action in self.list_actions()

    def position_after(self, action: vr.Action) -> Wrapped | None:
        """Return the position after an action, wrapped."""
        return Wrapped(vr.apply(self.inside, action)) if self.allows(action) else None

    def unpack(self) -> vr.GameState:
        """Return the position inside."""
        return self.inside


class Sulking(Wrapped):
    """A position in a form that finds nothing legal."""

    def list_actions(self) -> tuple[vr.Action, ...]:
        """Return nothing."""
        return ()


WRAP: Any = Wrapped
"""Makes a position in another form: the tests call no more than it defines."""


def test_a_position_in_another_form_answers_for_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its legal actions are its own, and what they lead to; it is not unpacked for them."""
    state = asked(agenda.PlayPrompt(0, 3))
    wrapped = WRAP(state)
    monkeypatch.delattr(Wrapped, "unpack")
    assert vr.legal_actions(wrapped) == vr.legal_actions(state)
    assert vr.legal_actions(WRAP(asked(phase=vr.Phase.OVER))) == ()
    for action in vr.legal_actions(state):
        assert vr.check(wrapped, action) is None
        assert vr.apply(wrapped, action) == WRAP(vr.apply(state, action))


def test_a_position_in_another_form_is_unpacked_for_a_refusal() -> None:
    """What it does not allow is refused in the engine's own sentence."""
    state = asked(agenda.PlayPrompt(0, 3))
    wrapped = WRAP(state)
    assert vr.check(wrapped, vr.Decline()) == vr.check(state, vr.Decline())
    with pytest.raises(vr.IllegalActionError, match=r"^the answer must be to play a card, not to"):
        vr.apply(wrapped, vr.Decline())


def test_a_form_that_disagrees_with_the_engine_is_a_bug() -> None:
    """What the engine finds legal another form must allow, and somebody must be able to answer."""
    sulking: Any = Sulking(state := asked(agenda.PlayPrompt(0, 3)))
    with pytest.raises(vr.BrokenInvariantError, match=r"^PlayPrompt\(.*\) has no legal answer$"):
        vr.legal_actions(sulking)
    with pytest.raises(vr.BrokenInvariantError, match=r"^PlayCard\(.*does not allow it$"):
        vr.apply(sulking, vr.legal_actions(state)[0])


@pytest.mark.parametrize("method", ["list_actions", "position_after", "resolved"])
def test_an_error_of_another_form_is_raised_as_it_is(
    method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An `AttributeError` in a method of its own does not make it something else."""

    def broken(self: Wrapped, *given: object) -> object:
        return self.nowhere  # type: ignore[attr-defined]

    monkeypatch.setattr(Wrapped, method, broken, raising=False)
    wrapped = WRAP(asked(agenda.PlayPrompt(0, 3)))
    ask: Callable[[], object] = {
        "list_actions": lambda: vr.legal_actions(wrapped),
        "position_after": lambda: vr.apply(wrapped, vr.Decline()),
        "resolved": lambda: vr.resolve_chance(wrapped, random.Random(1)),
    }[method]
    with pytest.raises(AttributeError, match="nowhere"):
        ask()


# The values


BAG = vr.CardBag.of(
    vr.Character.MAID, vr.Character.BUILDER, vr.Character.BUILDER, vr.Character.KNIGHT
)


@pytest.mark.parametrize("count", [1, 2, 3, 64, 128, 192, 255])
@pytest.mark.parametrize(
    "character", [vr.Character.SHOPKEEPER, vr.Character.MAID, vr.Character.KNIGHT]
)
def test_a_bag_counts_up_to_255_of_a_kind(character: vr.Character, count: int) -> None:
    """Of each kind a bag holds up to 255 cards, and counts them right."""
    bag = vr.CardBag.of(*[character] * count)
    assert tuple(bag.items()) == ((character, count),)
    assert bag.count(character) == count


def test_a_card_that_is_not_there_cannot_be_taken() -> None:
    """A card that a bag does not hold cannot be taken out of it, and is named."""
    with pytest.raises(AssertionError, match=r"^there is no trader in CardBag\.of\(.*\)"):
        BAG.minus(vr.Character.TRADER)


def test_only_a_character_is_in_a_bag_and_only_a_number_in_a_set_of_sites() -> None:
    """Anything else is in neither: no card's name in words, no site below 0."""
    assert vr.Character.MAID in BAG
    assert vr.Character.TRADER not in BAG
    assert 3 not in BAG
    sites = vr.SiteSet.of(0, 3, 29)
    assert [site for site in range(-3, 40) if site in sites] == [0, 3, 29]
    assert "3" not in sites


def test_sites_and_cards_are_shown_in_order() -> None:
    """Sites in ascending order, each once, and cards in that of the rulebook."""
    assert repr(vr.SiteSet.of(29, 3, 0, 3)) == "SiteSet.of(0, 3, 29)"
    assert repr(vr.CardBag.of(vr.Character.KNIGHT, vr.Character.MAID)) == (
        "CardBag.of(Character.MAID, Character.KNIGHT)"
    )
    assert vr.SiteSet.of(3, 3) == vr.SiteSet.of(3)
    with pytest.raises(TypeError, match=r"^a site must be a whole number, not str: '3'$"):
        vr.SiteSet.of(cast("int", "3"))


def test_only_the_sites_of_a_display_have_neighbours() -> None:
    """The error says which site is wrong, and how many sites there are."""
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
def test_cards_and_goods_are_read_aloud(value: vr.CardBag | vr.Goods, words: str) -> None:
    """Kind by kind in the order of the rulebook, and what there is twice is counted."""
    assert str(value) == words


@scaled(4)
@given(goods(2), goods(2))
def test_goods_are_compared_kind_by_kind(one: vr.Goods, other: vr.Goods) -> None:
    """No kind stands in for another, less than nothing is nothing, and a debt is no kind held."""
    assert one.covers(other) is all(one[good] >= other[good] for good in vr.Good)
    assert one.less(other) == vr.Goods(*(max(0, one[good] - other[good]) for good in vr.Good))
    assert (one - other).kinds() == tuple(good for good in vr.Good if one[good] > other[good])
