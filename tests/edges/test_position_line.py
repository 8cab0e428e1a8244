"""Positions in one line."""

from __future__ import annotations

import random
from contextlib import suppress
from typing import Any

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.positions import a_building, position, seat
from tests.properties.playthroughs import positions, scaled
from valletta_rules import (
    HANS_IM_GLUECK,
    RECONSTRUCTION,
    Z_MAN,
    Character,
    GameState,
    Goods,
    PositionLineError,
    RuleSet,
    legal_actions,
    new_game,
    parse_position_line,
    position_line,
    resolve_chance,
)
from valletta_rules.card_sets.built_in import name_built_in_cards
from valletta_rules.components.names import is_name
from valletta_rules.records.position_line import LINE_LIMIT

C = Character


def a_game() -> GameState:
    """Return a position at the beginning of a game."""
    return resolve_chance(new_game(2), random.Random(1))


@scaled(1.2)
@given(positions())
def test_every_position_is_read_back(state: GameState) -> None:
    """A position of any game, rules and cards included, is read back from its line."""
    line = position_line(state)
    assert parse_position_line(line) == state
    assert "\n" not in line
    assert line.isascii()
    assert line.isprintable()
    assert len(line) < LINE_LIMIT


def test_a_line_can_be_pasted_with_spaces_and_backticks_around_it() -> None:
    """What a bug report puts around a line does not matter."""
    line = position_line(a_game())
    assert parse_position_line(f"  `{line}`\n") == a_game()
    assert legal_actions(parse_position_line(line)) == legal_actions(a_game())


def test_a_line_names_the_edition_the_variants_and_the_built_in_cards() -> None:
    """What comes with the package is named, not spelled out."""
    rules = Z_MAN.with_variants(start_player_variant=True, fewer_barrels=True)
    line = position_line(new_game(2, rules=rules))
    name = name_built_in_cards(RECONSTRUCTION)
    assert line.startswith(
        f"valletta/2 rules=z-man+start-player+fewer-barrels cards={name} phase=setup"
    )
    assert "display=- played=- agenda=deal,draw/0,draw/1,turn/0/1,turn/1/2 | hand=- " in line


@given(st.text(min_size=1, max_size=20), st.text(max_size=20))
def test_any_name_of_rules_and_cards_survives(rules: str, cards: str) -> None:
    """Rules and cards of one's own are spelled out, whatever they are called."""
    named = attrs.evolve(RECONSTRUCTION, name=cards)
    house = RuleSet(rules if is_name(rules) else "House")
    state = position(seat(), seat(), rules=house, cards=named)
    assert parse_position_line(position_line(state)) == state


def test_an_impossible_position_is_written_and_read_too() -> None:
    """A bug report may be about a position that should not exist."""
    owner = seat(goods=Goods(-1, 0, 0, 12), upgraded=[3, 7], score=-2, hand=[C.MAID] * 7)
    owner = owner.replace(built=seat(built=[7]).built)
    foreign = a_building(letter="Z", character=C.NUN, cost=Goods(gold=3))
    state = position(owner, owner, owner, display={4: foreign}, cards=RECONSTRUCTION)
    assert parse_position_line(position_line(state)) == state


@pytest.mark.parametrize(
    ("changed", "field"),
    [
        ({"score": 10**15}, "seat 0, score"),
        ({"score": -(10**15)}, "seat 0, score"),
        ({"goods": Goods(wood=10**15)}, "seat 0, goods"),
    ],
)
def test_what_could_not_be_read_is_not_written(changed: dict[str, Any], field: str) -> None:
    """There is one limit to numbers: what is beyond it is refused when it is written."""
    state = position(seat().replace(**changed), seat())
    with pytest.raises(PositionLineError) as refused:
        position_line(state)
    assert refused.value.field == field


@pytest.mark.parametrize(("score", "wood"), [(10_000, 10**9), (-(10**15) + 1, 10**15 - 1)])
def test_large_numbers_are_read_back(score: int, wood: int) -> None:
    """A score of five digits, or a billion of goods, is nothing special."""
    state = position(seat(score=score, goods=Goods(wood=wood)), seat())
    assert parse_position_line(position_line(state)) == state


@pytest.mark.parametrize("mark", ["\x1b[31m", "\u202e", "\x07", "\x9b"])
def test_no_message_carries_what_would_harm_a_terminal(mark: str) -> None:
    """Whatever stands in a line, its error can be printed."""
    line = position_line(a_game())
    for damaged in (
        line.replace(" phase=", f" ph{mark}ase="),
        line.replace("phase=", f"phase={mark}"),
        line.replace("@", f"@{mark}"),
        line.replace(" rules=", f" {mark} rules="),
        line.replace("display=", f"display={mark},"),
        line.replace("agenda=", f"agenda={mark},"),
        line.replace("| hand=", f"| ha{mark}nd="),
    ):
        with pytest.raises(PositionLineError) as refused:
            parse_position_line(damaged)
        assert str(refused.value).isprintable()


def replaced(old: str, new: str) -> str:
    """Return a line with a part exchanged."""
    line = position_line(a_game())
    assert old in line
    return line.replace(old, new, 1)


@pytest.mark.parametrize(
    ("line", "field", "reason"),
    [
        ("", "", "it must begin with valletta/2"),
        ("hello", "", "it must begin with valletta/2"),
        ("valletta/3 x=1", "", "it has format 3, and this version reads format 2 only"),
        ("x" * (LINE_LIMIT + 1), "", "more than 20,000 characters"),
        ("valletta/2 rules=z-man", "", "2, 3 or 4 seats, not 0"),
        ("valletta/2 rules", "rules", "must be written key=value"),
        ("valletta/2 a=1 a=2", "a", "is there twice"),
        ("valletta/2 | hand=- | hand=-", "cards", "is missing"),
        (replaced("phase=", "more=1 phase="), "more", "is not known"),
        (replaced("| hand=", "| more=1 hand="), "seat 0, more", "is not known"),
        (replaced("phase=setup", "phase=noon"), "phase", "there is no phase 'noon'"),
        (replaced("active=0", "active=2"), "active", "a number from 0 to 1"),
        (replaced("valette=0", "valette=26"), "valette", "a number from 0 to 25"),
        (replaced("valette=0", "valette=" + "9" * 50), "valette", "..."),
        (
            replaced("rules=hans", "rules=franz"),
            "rules",
            "; did you mean hans-im-glueck?",
        ),
        (replaced("im-glueck", "im-glueck+x"), "rules", "there is no variant 'x'"),
        (replaced("hans-im-glueck", "a:effects=b"), "rules", "there is no answer to effects 'b'"),
        (
            replaced("hans-im-glueck", "a:apprentice_colour=blue"),
            *("rules", "there is no answer to apprentice_colour 'blue'; there are red, purple"),
        ),
        (replaced("hans-im-glueck", "a:b=c"), "rules", "there is no question 'b'"),
        (
            replaced("hans-im-glueck", "%1b:effects=optional"),
            *("rules", "a name must be one line of 1 to 80 printable characters"),
        ),
        (
            replaced("hans-im-glueck", "%ff:effects=optional"),
            *("rules", "is no name in UTF-8"),
        ),
        (replaced("cards=recon", "cards=con"), "cards", "there is no card set 'construction@"),
        (replaced("@", "@0"), "cards", "there is no card set 'reconstruction@0"),
        (
            replaced("cards=reconstruction", "cards=a:b"),
            "cards",
            "must be written name:barrels:",
        ),
        (
            replaced("cards=reconstruction", "cards=a:0:A"),
            "cards",
            "must be written code/char",
        ),
        (replaced("cards=recon", "cards=a:0:1/b/0/gold/1/1:"), "cards", "must be written name:"),
        (replaced("barrels=7g", "barrels=7x"), "barrels", "must be goods such as 2g 1w"),
        (replaced("supply=4builder", "supply=4bilder"), "supply", "no character 'bilder'"),
        (replaced("4builder", "builder,builder"), "supply", "builder is there twice"),
        (replaced("4builder", "200builder,200maid"), "supply", "at most 254 cards"),
        (replaced("4builder", "0builder"), "supply", "a number from 1 to 254"),
        (replaced("display=", "display=Zz,"), "display", "no building 'Zz'"),
        (replaced("display=", "display=A1/monk/1g/gold/1/1,"), "display", "no code"),
        (replaced("agenda=", "agenda=dance,"), "agenda", "there is no step 'dance'"),
        (replaced("agenda=", "agenda=play/0,"), "agenda", "must be written play/seat/plays"),
        (replaced("agenda=", "agenda=turn/0/3,"), "agenda", "the first step must be a prompt"),
        (replaced("built=-", "built=30"), "seat 0, built", "a number from 0 to 29"),
    ],
)
def test_a_damaged_line_says_which_field_is_wrong(line: str, field: str, reason: str) -> None:
    """Whatever is wrong with a line, one clear error names the field."""
    with pytest.raises(PositionLineError) as refused:
        parse_position_line(line)
    assert refused.value.field == field
    assert reason in refused.value.reason
    assert str(refused.value).startswith("position line: ")


def test_two_designs_of_one_code_are_refused() -> None:
    """A card set that cannot exist is no card set."""
    twice = ",".join(["A/banker/1g/gold/1/1"] * 2)
    with pytest.raises(PositionLineError, match="two designs have the same code: A"):
        parse_position_line(replaced("cards=reconstruction@", f"cards=a:0:{twice} x=@"))


LINE = position_line(position(seat(), seat(), rules=HANS_IM_GLUECK))


@scaled(6)
@given(st.data())
def test_a_line_damaged_anywhere_is_refused_or_read(data: st.DataObject) -> None:
    """A line with a part cut out, or put in, gives a position or the one error."""
    start = data.draw(st.integers(min_value=0, max_value=len(LINE)))
    end = data.draw(st.integers(min_value=start, max_value=min(len(LINE), start + 8)))
    put_in = data.draw(st.text(max_size=3) | st.text("0123456789gwsb/,:|=-+% ", max_size=6))
    with suppress(PositionLineError):
        assert isinstance(parse_position_line(LINE[:start] + put_in + LINE[end:]), GameState)
