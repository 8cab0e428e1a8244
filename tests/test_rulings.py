"""Rule sets as values: editions, variants and other answers."""

import pytest

import valletta_rules as vr
from tests.positions import EDITIONS, editions
from valletta_rules.rulings import edition_of, variants_of


@editions
def test_a_variant_is_switched_on_and_off(rules: vr.RuleSet) -> None:
    """Other variants stay as they are, and a variant can be switched off again."""
    both = rules.with_variants(start_player_variant=True, fewer_barrels=True)
    assert variants_of(both) == ("start-player", "fewer-barrels")
    assert both.with_variants() == both
    one = both.with_variants(fewer_barrels=False)
    assert one == rules.with_variants(start_player_variant=True)
    assert one.with_variants(start_player_variant=False) == rules
    assert variants_of(rules) == ()


def test_an_edition_keeps_its_name_with_any_variants() -> None:
    """An edition has one name in text; other rule sets have none."""
    names = [edition_of(rules.with_variants(fewer_barrels=True)) for rules in EDITIONS]
    assert names == ["hans-im-glueck", "z-man", "reference-manual"]
    assert edition_of(vr.RuleSet("Hans im Glück", effects="optional")) is None


def test_other_answers_make_another_rule_set() -> None:
    """Any answer can be changed; the new rule set has a new name, and variants stay on."""
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
def test_a_name_is_printable(name: str) -> None:
    """Names that would harm a terminal, or cannot be written to a file, are refused."""
    with pytest.raises(ValueError, match="a name must be one line of 1 to 80 printable"):
        vr.RuleSet(name)
    with pytest.raises(ValueError, match="a name must be one line of 1 to 80 printable"):
        vr.HANS_IM_GLUECK.with_answers(name)
