"""Tests of rule sets, which combine an edition with variants and other rulings."""

import pytest

import valletta_rules as vr
from tests.positions import EDITIONS, editions
from valletta_rules.rulings import edition_of, variants_of


@editions
def test_enabling_or_disabling_one_variant_does_not_change_the_other_one(
    rules: vr.RuleSet,
) -> None:
    """The two variants are *start player* and *fewer barrels*."""
    both = rules.with_variants(start_player_variant=True, fewer_barrels=True)
    assert variants_of(both) == ("start-player", "fewer-barrels")
    assert both.with_variants() == both
    one = both.with_variants(fewer_barrels=False)
    assert one == rules.with_variants(start_player_variant=True)
    assert one.with_variants(start_player_variant=False) == rules
    assert variants_of(rules) == ()


def test_an_edition_is_recognised_whatever_variants_it_is_combined_with() -> None:
    """A rule set with the name of one edition and the rulings of another belongs to neither."""
    names = [edition_of(rules.with_variants(fewer_barrels=True)) for rules in EDITIONS]
    assert names == ["hans-im-glueck", "z-man", "reference-manual"]
    assert edition_of(vr.RuleSet("Hans im Glück", effects="optional")) is None


def test_changing_a_ruling_of_a_rule_set_does_not_change_its_variants() -> None:
    """Every ruling can be changed. The new rule set has a name of its own."""
    base = vr.REFERENCE_MANUAL.with_variants(fewer_barrels=True)
    ours = base.with_answers("Thursdays", effects="optional", apprentice_colour=vr.Colour.PURPLE)
    assert ours == vr.RuleSet(
        "Thursdays",
        vr.Effects.OPTIONAL,
        vr.Opening.DRAFT_AND_STAGGERED,
        vr.BarrelLayout.BY_PLAYERS,
        vr.Colour.PURPLE,
        fewer_barrels=True,
    )
    assert ours.with_answers("Fridays", opening="draft", barrel_layout="every_space") == vr.RuleSet(
        "Fridays", vr.Effects.OPTIONAL, apprentice_colour=vr.Colour.PURPLE, fewer_barrels=True
    )
    assert vr.HANS_IM_GLUECK.with_answers("Z-Man", effects=vr.Effects.OPTIONAL) == vr.Z_MAN


@pytest.mark.parametrize(
    "name", ["", " ", " ours", "two\nlines", "\x1b[31m", "\u202eours", "\ud83d", "x" * 81]
)
def test_a_rule_set_name_that_is_empty_long_or_unprintable_is_refused(name: str) -> None:
    """Such a name could do harm on a terminal, or could not be written to a file."""
    with pytest.raises(ValueError, match="a name must be one line of 1 to 80 printable"):
        vr.RuleSet(name)
    with pytest.raises(ValueError, match="a name must be one line of 1 to 80 printable"):
        vr.HANS_IM_GLUECK.with_answers(name)
