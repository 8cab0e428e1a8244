"""Tests of position lines. Each represents a position as one line of text."""

import random
from typing import Any

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

import valletta_rules as vr
from spec.checks.random_games import positions, scaled
from tests.positions import a_building, position, seat
from valletta_rules.card_sets.built_in import name_built_in_cards
from valletta_rules.components import LAST_SPACE, MAX_SITES, MOST_CARDS, CardBag, SiteSet, is_name
from valletta_rules.records.position_line import LINE_LIMIT

C = vr.Character


def a_game() -> vr.GameState:
    """Return a new game after the buildings and hands have been dealt."""
    return vr.resolve_chance(vr.new_game(2), random.Random(1))


@scaled(1.2)
@given(positions())
def test_every_position_survives_a_round_trip_through_its_line(state: vr.GameState) -> None:
    """The line contains the rules and the cards. All its characters are printable ASCII."""
    line = vr.position_line(state)
    assert vr.parse_position_line(line) == state
    assert "\n" not in line
    assert line.isascii()
    assert line.isprintable()
    assert len(line) < LINE_LIMIT


def test_spaces_and_backticks_around_a_position_line_are_ignored() -> None:
    """Users may copy such characters from a bug report together with the line."""
    line = vr.position_line(a_game())
    assert vr.parse_position_line(f"  `{line}`\n") == a_game()
    assert vr.parse_position_line(f"\ufeff{line}") == a_game()  # with a byte order mark
    assert vr.legal_actions(vr.parse_position_line(line)) == vr.legal_actions(a_game())


def test_a_position_line_refers_to_built_in_rules_and_cards_by_name() -> None:
    """Other rules and cards are written in full."""
    rules = vr.Z_MAN.with_variants(start_player_variant=True, fewer_barrels=True)
    line = vr.position_line(vr.new_game(2, rules=rules))
    name = name_built_in_cards(vr.RECONSTRUCTION)
    assert line.startswith(
        f"valletta/2 rules=z-man+start-player+fewer-barrels cards={name} phase=setup"
    )
    assert "display=- played=- agenda=deal,draw/0,draw/1,turn/0/1,turn/1/2 | hand=- " in line


@given(st.text(min_size=1, max_size=20), st.text(max_size=20))
def test_rules_and_cards_with_any_name_survive_a_round_trip_through_a_position_line(
    rules: str, cards: str
) -> None:
    """The line contains them in full, because they are not built in."""
    named = attrs.evolve(vr.RECONSTRUCTION, name=cards)
    house = vr.RuleSet(rules if is_name(rules) else "House")
    state = position(seat(), seat(), rules=house, cards=named)
    assert vr.parse_position_line(vr.position_line(state)) == state


def test_an_impossible_position_survives_a_round_trip_through_its_line() -> None:
    """A bug report may concern a position that should be impossible."""
    owner = seat(goods=vr.Goods(-1, 0, 0, 12), upgraded=[3, 7], score=-2, hand=[C.MAID] * 7)
    owner = owner.replace(built=seat(built=[7]).built)
    foreign = a_building(letter="Z", character=C.NUN, cost=vr.Goods(gold=3))
    state = position(owner, owner, owner, display={4: foreign}, cards=vr.RECONSTRUCTION)
    assert vr.parse_position_line(vr.position_line(state)) == state


@pytest.mark.parametrize(
    ("changed", "field"),
    [
        ({"active": 2}, "active"),
        ({"active": True}, "active"),
        ({"valette": LAST_SPACE + 1}, "valette"),
        ({"valette": 1.0}, "valette"),
        ({"barrels": vr.Goods(brick=10**15)}, "barrels"),
        ({"agenda": (vr.EndTurn(0),)}, "agenda"),
        ({"players": (seat(),)}, ""),
        ({"players": (seat(), seat(score=10**15))}, "seat 1, score"),
        ({"players": (seat().replace(built=SiteSet(1 << MAX_SITES)), seat())}, "seat 0, built"),
        ({"supply": CardBag.of(*[C.MAID] * (MOST_CARDS + 1))}, "supply"),
        ({"supply": CardBag.of(*[*C] * (MOST_CARDS // len(C) + 1))}, "supply"),
        ({"supply": CardBag(packed=-1)}, "supply"),
        ({"players": (seat(), seat().replace(shown=CardBag(packed=1 << 500)))}, "seat 1, shown"),
        ({"cards": attrs.evolve(vr.RECONSTRUCTION, name="x" * LINE_LIMIT)}, ""),
    ],
)
def test_a_position_whose_line_could_not_be_read_is_refused_on_writing(
    changed: dict[str, Any], field: str
) -> None:
    """The error contains the name of the field."""
    with pytest.raises(vr.PositionLineError) as refused:
        vr.position_line(attrs.evolve(position(seat(), seat()), **changed))
    assert refused.value.field == field


@pytest.mark.parametrize(("score", "wood"), [(10_000, 10**9), (-(10**15) + 1, 10**15 - 1)])
def test_a_position_line_can_contain_numbers_below_ten_to_the_fifteenth(
    score: int, wood: int
) -> None:
    """The test uses scores, goods, and numbers of cards left to play."""
    state = position(seat(score=score, goods=vr.Goods(wood=wood)), seat())
    state = state.replace(agenda=(vr.PlayPrompt(1, 10**15 - 1), vr.EndTurn(1)))
    assert vr.parse_position_line(vr.position_line(state)) == state


def test_a_position_line_with_more_than_20000_characters_is_refused() -> None:
    """The limit includes spaces around the line."""
    assert vr.parse_position_line(vr.position_line(a_game()).ljust(LINE_LIMIT)) == a_game()
    with pytest.raises(vr.PositionLineError, match=r"more than 20,000 characters"):
        vr.parse_position_line("x" * (LINE_LIMIT + 1))


def test_a_position_line_in_which_two_designs_have_the_same_code_is_refused() -> None:
    """In a card set, each code identifies one design."""
    twice = ",".join(["A/banker/1g/gold/1/1"] * 2)
    with pytest.raises(vr.PositionLineError, match="two designs have the same code: A"):
        vr.parse_position_line(
            vr.position_line(a_game()).replace("cards=", f"cards=a:0:{twice} x=")
        )
