"""Tests of the texts that represent goods, cards, sites, rule sets and card sets."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

import valletta_rules as vr
from spec.checks.random_games import card_sets, rule_sets, scaled
from tests.positions import EDITIONS
from valletta_rules.text import values

C = vr.Character
COUNTS = st.integers(min_value=-values.LARGEST, max_value=values.LARGEST)


# Written values are read back


@given(st.builds(vr.Goods, COUNTS, COUNTS, COUNTS, COUNTS), st.sampled_from(["", " "]))
def test_goods_survive_a_round_trip_through_text(goods: vr.Goods, between: str) -> None:
    """The text may contain spaces. Counts that are impossible in a game are allowed."""
    assert values.read_goods(values.write_goods(goods, between)) == goods


@given(st.lists(st.sampled_from(C), max_size=254))
def test_bags_of_cards_survive_a_round_trip_through_text(cards: list[vr.Character]) -> None:
    """Hypothesis generates bags of up to 254 cards."""
    assert values.read_bag(values.write_bag(vr.CardBag.of(*cards))) == vr.CardBag.of(*cards)


@given(st.sets(st.integers(min_value=0, max_value=29)))
def test_sets_of_sites_survive_a_round_trip_through_text(sites: set[int]) -> None:
    """Hypothesis generates the sets."""
    assert values.read_sites(values.write_sites(vr.SiteSet.of(*sites))) == vr.SiteSet.of(*sites)


@given(st.integers(min_value=2, max_value=4).flatmap(rule_sets))
def test_a_rule_set_survives_a_round_trip_through_text(rules: vr.RuleSet) -> None:
    """The text of an edition is its name. That of any other rule set contains all its rulings."""
    assert values.read_rules(values.write_rules(rules)) == rules


@scaled(0.2)
@given(card_sets(), st.text(max_size=12))
def test_a_card_set_survives_a_round_trip_through_text(cards: vr.CardSet, name: str) -> None:
    """The text contains the name, the buildings and the barrels."""
    named = vr.CardSet(name, cards.buildings, cards.barrels)
    assert values.read_cards(values.write_cards(named)) == named
    for each in cards.buildings:
        assert values.read_building(values.write_building(each)) == each


# The grammar


def test_goods_cards_sites_and_rule_sets_have_a_canonical_text() -> None:
    """Goods are written as initials. Cards and rulings are written with their names in the code."""
    assert values.write_goods(vr.Goods(2, 1, 0, 12), " ") == "2g 1w 12b"
    assert values.write_goods(vr.Goods()) == "0"
    assert values.write_bag(vr.CardBag.of(C.MAID, C.BUILDER, C.BUILDER)) == "maid,2builder"
    assert values.write_bag(vr.CardBag.of()) == values.write_sites(vr.SiteSet.of()) == "-"
    assert values.write_sites(vr.SiteSet.of(7, 3)) == "3,7"
    assert values.write_building(vr.RECONSTRUCTION.building("P")).startswith(
        "P/tax_collector/2g1w1s2b/stone"
    )
    both = EDITIONS[1].with_variants(start_player_variant=True, fewer_barrels=True)
    assert values.write_rules(both) == "z-man+start-player+fewer-barrels"
    assert values.write_rules(vr.RuleSet("Our house", effects="optional", fewer_barrels=True)) == (
        "Our%20house:effects=optional:opening=draft:barrel_layout=every_space:"
        "apprentice_colour=red+fewer-barrels"
    )


def test_a_ruling_omitted_from_the_text_of_a_rule_set_is_taken_from_the_default_edition() -> None:
    """A user thus needs to write only the rulings that differ. Case is ignored."""
    ours = vr.RuleSet("Ours", opening="draft_and_staggered", apprentice_colour="purple")
    assert values.read_rules("Ours:opening=draft_and_staggered:apprentice_colour=purple") == ours
    assert values.read_rules("Z-MAN+Fewer-Barrels") == EDITIONS[1].with_variants(fewer_barrels=True)


@pytest.mark.parametrize(
    ("text", "suggestion"),
    [
        ("stone_sculptr", "stone_sculptor"),
        ("Tax Collector", "tax_collector"),
        ("Krämerin", "shopkeeper"),
        ("qqq", None),
    ],
)
def test_the_error_for_an_unknown_character_suggests_a_similar_name(
    text: str, suggestion: str | None
) -> None:
    """For a name that is printed on a card, it suggests the corresponding name in the code."""
    with pytest.raises(values.UnfitError, match="there is no character") as refused:
        values.read_character(text)
    assert refused.value.suggestion == suggestion
    assert str(refused.value).endswith(f"did you mean {suggestion}?") == (suggestion is not None)


def test_the_function_nearest_returns_the_most_similar_word_regardless_of_case() -> None:
    """If no word is similar enough, it returns `None`."""
    assert values.nearest("GLOD", ("gold", "wood")) == "gold"
    assert values.nearest("x", ("gold", "wood")) is None


@pytest.mark.parametrize("text", ["", "g2", "1 2g", "2 g w 1", "2x", "--", "00", "9" * 16 + "g"])
def test_a_malformed_amount_of_goods_is_refused(text: str) -> None:
    """A count must precede the kind of good, and has at most 15 digits."""
    with pytest.raises(values.UnfitError, match="must be goods such as 2g 1w, or 0"):
        values.read_goods(text)


def test_a_number_above_the_limit_for_written_numbers_is_refused() -> None:
    """The limit also applies to the sum of several amounts of goods."""
    assert values.read_number(str(-values.LARGEST)) == -values.LARGEST
    with pytest.raises(values.UnfitError, match="from -999999999999999 to 999999999999999, not"):
        values.read_number(str(values.LARGEST + 1))
    with pytest.raises(values.UnfitError, match="must be a number"):
        values.read_goods(f"{values.LARGEST}g 1g")


def test_numbers_of_goods_cards_and_sites_are_accepted_up_to_their_limits() -> None:
    """Larger numbers are refused."""
    assert (
        values.read_goods("0g")
        == values.read_goods("0")
        == values.read_goods("-")
        == values.read_goods("0g0b")
        == vr.Goods()
    )
    assert values.read_goods("-1g") == vr.Goods(-1)
    assert values.read_goods("g wb") == values.read_goods("1g1w1b") == vr.Goods(1, 1, 0, 1)
    assert values.read_number("0") == values.read_number("-0") == values.read_number("000") == 0
    assert values.read_number("0", range(1)) == 0
    assert len(values.read_bag("254maid")) == len(values.read_bag("127maid,127nun")) == 254
    with pytest.raises(values.UnfitError, match="at most 254 cards"):
        values.read_bag("127maid,128nun")
    for text in ("0maid", "255maid", "00maid"):
        with pytest.raises(values.UnfitError, match="must be a number from 1 to 254, not"):
            values.read_bag(text)
    with pytest.raises(values.UnfitError, match="maid occurs twice"):
        values.read_bag("maid,maid")
    assert values.read_building(f"A/banker/0/gold/0/{values.LARGEST}").copies == values.LARGEST
    assert values.read_building(f"Z39/banker/0/gold/{values.LARGEST}/1").design == 39
    for wrong in (
        "A/banker/0/gold/0/0",
        f"A/banker/0/gold/0/{values.LARGEST + 1}",
        "A/banker/0/gold/-1/1",
    ):
        with pytest.raises(
            values.UnfitError, match=r"must be a number from [01] upwards|from 1 to"
        ):
            values.read_building(wrong)
    for text in ("30", "-1"):
        with pytest.raises(values.UnfitError, match=r"must be a number from 0 to 29, not"):
            values.read_sites(text)


@given(st.text(max_size=12) | st.from_regex(r"[0-9gwsb +-]{1,12}"))
def test_any_text_is_parsed_as_goods_or_raises_an_unfit_error(text: str) -> None:
    """The test fails if parsing raises any other type of error."""
    with suppress(values.UnfitError):
        assert values.read_goods(values.write_goods(values.read_goods(text))) == values.read_goods(
            text
        )


@pytest.mark.parametrize("code", ["", "a", "AB", "A0", "A1", "A02", "A40", "A2 "])
def test_a_malformed_code_of_a_building_is_refused(code: str) -> None:
    """A code consists of a letter and the number of the design, which is omitted if it is 1."""
    with pytest.raises(values.UnfitError, match="not the code of a building, such as A or A2"):
        values.read_building(f"{code}/banker/1g/gold/1/3")


# Display of foreign texts


@given(st.text())
def test_messages_show_text_from_untrusted_sources_shortened_and_printable(text: str) -> None:
    """Such a text must do no harm on a terminal."""
    printed = values.plain(text)
    assert printed.isprintable()
    assert len(printed) <= 10 * 40 + 3
    assert values.quoted(text) == f"'{printed}'"


def test_messages_show_unprintable_characters_as_escape_sequences() -> None:
    """A text with more than 40 characters is shortened."""
    assert values.plain("a\x1b[1mb\u202ec\n") == "a\\x1b[1mb\\u202ec\\n"
    assert values.plain("x" * 41) == "x" * 40 + "..."
    assert values.plain("schön") == "schön"
