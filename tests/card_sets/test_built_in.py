"""The built-in card sets, and the names and fingerprints that text knows them by."""

import json
from hashlib import sha256

import attrs
import pytest

from valletta_rules import RECONSTRUCTION, CardSet, Goods
from valletta_rules.card_sets import built_in


def test_a_built_in_set_is_found_by_the_name_it_has_in_text() -> None:
    """Each built-in card set has a name with its fingerprint, by which it is found."""
    for cards in built_in.BUILT_IN.values():
        assert built_in.BUILT_IN[built_in.fingerprint(cards)] == cards
        name = built_in.name_built_in_cards(cards)
        assert name == f"reconstruction@{built_in.fingerprint(cards)}"
        assert built_in.find_built_in_cards(name) is cards


def test_the_name_alone_means_the_set_that_games_are_played_with() -> None:
    """Who leaves the fingerprint out means the present reconstruction."""
    assert built_in.find_built_in_cards("Reconstruction") is RECONSTRUCTION


def test_cards_of_ones_own_have_no_name() -> None:
    """Only the values count, and the name among them."""
    assert built_in.name_built_in_cards(attrs.evolve(RECONSTRUCTION, name="Mine")) is None


@pytest.mark.parametrize(
    "name", ["", "mine", "mine@7f5331a7", "reconstruction@7f5331a", "re@" * 99]
)
def test_an_unknown_name_says_which_there_are_and_what_to_do(name: str) -> None:
    """Cards that this package does not have can be had in full from where they came from."""
    with pytest.raises(built_in.UnknownCardSetError, match="there is no card set") as refused:
        built_in.find_built_in_cards(name)
    assert refused.value.name == name
    told = str(refused.value)
    assert f"only reconstruction@{built_in.fingerprint(RECONSTRUCTION)};" in told
    assert "have it write the cards in full" in told
    assert len(told) < 300


def test_a_fingerprint_is_made_of_the_values_alone() -> None:
    """Any program can compute a fingerprint: it is a hash of the values as a list in JSON."""
    cards = CardSet("Männer", RECONSTRUCTION.buildings[:1], Goods(7, 6, 6, 6))
    text = '["M\\u00e4nner",[7,6,6,6],[["A",1,"banker",[1,1,1,1],"gold",1,3]]]'
    assert built_in.fingerprint(cards) == sha256(text.encode("ascii")).hexdigest()[:8]
    assert json.loads(text)[0] == cards.name


def test_cards_that_differ_in_one_value_have_another_fingerprint() -> None:
    """Each value counts: that of a set, of its barrels and of every building."""
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
