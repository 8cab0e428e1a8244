"""Tests of the built-in card sets and of their names with fingerprints."""

import json
from hashlib import sha256

import attrs
import pytest

from valletta_rules import RECONSTRUCTION, CardSet, Goods
from valletta_rules.card_sets import built_in


def test_a_built_in_card_set_can_be_looked_up_by_its_name_with_fingerprint() -> None:
    """A record, for example, contains this name instead of all cards."""
    for cards in built_in.BUILT_IN.values():
        assert built_in.BUILT_IN[built_in.fingerprint(cards)] == cards
        name = built_in.name_built_in_cards(cards)
        assert name == f"reconstruction@{built_in.fingerprint(cards)}"
        assert built_in.find_built_in_cards(name) is cards


def test_the_name_reconstruction_without_a_fingerprint_means_the_current_built_in_cards() -> None:
    """Upper and lower case are equivalent."""
    assert built_in.find_built_in_cards("Reconstruction") is RECONSTRUCTION


def test_a_card_set_that_is_not_built_in_has_no_name_with_fingerprint() -> None:
    """In the test, a card set has the buildings of a built-in set but another name."""
    assert built_in.name_built_in_cards(attrs.evolve(RECONSTRUCTION, name="Mine")) is None


@pytest.mark.parametrize(
    "name", ["", "mine", "mine@7f5331a7", "reconstruction@7f5331a", "re@" * 99]
)
def test_the_error_for_an_unknown_card_set_lists_the_built_in_ones(name: str) -> None:
    """The message also recommends writing the cards in full instead of a name."""
    with pytest.raises(built_in.UnknownCardSetError, match="there is no card set") as refused:
        built_in.find_built_in_cards(name)
    assert refused.value.name == name
    message = str(refused.value)
    assert f"only reconstruction@{built_in.fingerprint(RECONSTRUCTION)};" in message
    assert "use that version to write the cards in full" in message
    assert len(message) < 300


def test_the_fingerprint_of_a_card_set_is_a_hash_of_its_values_as_json() -> None:
    """A program in any language can therefore compute it."""
    cards = CardSet("Männer", RECONSTRUCTION.buildings[:1], Goods(7, 6, 6, 6))
    text = '["M\\u00e4nner",[7,6,6,6],[["A",1,"banker",[1,1,1,1],"gold",1,3]]]'
    assert built_in.fingerprint(cards) == sha256(text.encode("ascii")).hexdigest()[:8]
    assert json.loads(text)[0] == cards.name


def test_card_sets_that_differ_in_one_value_have_different_fingerprints() -> None:
    """The test changes the name, the barrels, and each value of a building."""
    banker, *others = RECONSTRUCTION.buildings
    changes = (
        attrs.evolve(banker, letter="Z"),
        attrs.evolve(banker, design=2),
        attrs.evolve(banker, character=others[0].character),
        attrs.evolve(banker, cost=Goods(2, 1, 1, 1)),
        attrs.evolve(banker, icon=others[0].icon),
        attrs.evolve(banker, points=9),
        attrs.evolve(banker, copies=2),
    )
    changed = [attrs.evolve(RECONSTRUCTION, buildings=[each, *others]) for each in changes]
    changed += [
        attrs.evolve(RECONSTRUCTION, name="Mine"),
        attrs.evolve(RECONSTRUCTION, barrels=Goods(6, 7, 6, 6)),
        RECONSTRUCTION,
    ]
    assert len({built_in.fingerprint(each) for each in changed}) == len(changed)
