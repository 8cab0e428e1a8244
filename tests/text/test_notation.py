"""Tests of the notation, in which actions are written as short texts."""

import tomllib
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import valletta_rules as vr
from spec.checks.random_games import positions, well_formed_actions
from tests.positions import PLAIN_CARDS, a_building, position, seat
from valletta_rules import agenda
from valletta_rules.components import CHARACTERS, NOTHING
from valletta_rules.text import notation
from valletta_rules.text.values import write_goods

C = vr.Character

CASES = tomllib.loads(Path(__file__).with_name("notation.toml").read_text("utf-8"))


def asking(prompt: agenda.Step, **table: object) -> vr.GameState:
    """Return a position in which seat 0 must answer `prompt` and has all cards and many goods."""
    me = seat(hand=CHARACTERS, draw_pile=CHARACTERS, goods=vr.Goods(5, 5, 5, 5), built=[0])
    steps = (prompt, agenda.PlayPrompt(0, 1), agenda.EndTurn(0))
    return position(me, seat(), agenda=steps, **table)  # type: ignore[arg-type]


def holding(*hand: vr.Character) -> vr.GameState:
    """Return a position in which seat 0 must play a card of the given hand."""
    return position(seat(hand=hand, goods=vr.Goods(1, 0, 0, 0)), seat())


# Writing


@pytest.mark.parametrize(("action", "text"), CASES["actions"])
def test_actions_are_written_as_a_verb_and_an_object(action: str, text: str) -> None:
    """Playing a card is an exception, for which the name of the card is enough."""
    (read,) = (
        each for each in notation.readings(vr.new_game(), text) if vr.format_action(each) == text
    )
    assert repr(read) == action


@given(positions())
def test_a_legal_action_survives_a_round_trip_through_its_text(state: vr.GameState) -> None:
    """The actions are legal in positions of random games."""
    for action in vr.legal_actions(state)[:60]:
        assert notation.read_action(state, vr.format_action(action)) == action


@given(positions(), st.data())
def test_the_text_of_an_action_is_parsed_as_a_legal_action_or_refused(
    state: vr.GameState, data: st.DataObject
) -> None:
    """The text of an illegal action may be parsed as another action that is legal.

    An example is 'take 1b' at the Maid's prompt.
    """
    action, legal = data.draw(well_formed_actions(state)), vr.legal_actions(state)
    try:
        read = notation.read_action(state, vr.format_action(action))
    except vr.IllegalActionError:
        assert action not in legal
    else:
        assert read in legal
        assert read == action or isinstance(action, vr.TakeGoods)


def test_no_two_characters_have_a_name_in_common() -> None:
    """The test compares the English names, the German names and the names in the code."""
    for character in CHARACTERS:
        for name in (character.english, character.german, character.value):
            assert notation.characters_called(name) == (character,)


# Names of characters


@pytest.mark.parametrize(("text", "character"), CASES["characters"])
def test_a_card_can_be_written_with_any_name_of_its_character(text: str, character: str) -> None:
    """Case, accents and spaces do not matter."""
    assert vr.format_action(notation.read_action(holding(*CHARACTERS), text)) == character


def test_the_beginning_of_a_name_is_accepted_if_only_one_card_in_hand_matches() -> None:
    """For example, ``br`` means the Brick Worker if the Bricklayer is not in hand."""
    assert notation.read_action(holding(C.BRICK_WORKER, C.MAID), "br") == vr.PlayCard(
        C.BRICK_WORKER
    )


def test_the_word_build_without_a_site_means_the_builder_if_a_card_must_be_played() -> None:
    """At other prompts, a site must follow the word."""
    assert notation.read_action(holding(C.BUILDER), "build") == vr.PlayCard(C.BUILDER)
    with pytest.raises(vr.NotAMoveError, match="a site must follow"):
        notation.read_action(asking(agenda.SitePrompt(0, NOTHING)), "build")


def test_the_full_name_of_a_character_is_never_parsed_as_an_abbreviation() -> None:
    """``Mason`` never means the Stonemason, even if the Mason is not in hand."""
    with pytest.raises(vr.IllegalActionError):
        notation.read_action(holding(C.STONEMASON), "Mason")


def test_the_error_for_an_ambiguous_text_lists_the_matching_cards_in_hand() -> None:
    """With a Maid and a Mason in hand, ``ma`` is ambiguous."""
    with pytest.raises(vr.AmbiguousMoveError) as refused:
        notation.read_action(holding(C.MAID, C.MASON, C.MONK), "Ma")
    assert refused.value.candidates == (vr.PlayCard(C.MAID), vr.PlayCard(C.MASON))
    assert refused.value.text == "Ma"
    assert str(refused.value) == "'Ma' is ambiguous: it can mean maid, mason"


def test_an_ambiguous_text_that_matches_no_card_in_hand_lists_all_matching_cards() -> None:
    """For example, ``car`` may mean the Carver or the Carpenter."""
    with pytest.raises(vr.AmbiguousMoveError) as refused:
        notation.read_action(holding(C.MONK), "car")
    assert refused.value.candidates == (vr.PlayCard(C.CARVER), vr.PlayCard(C.CARPENTER))


@pytest.mark.parametrize("text", ["Shop in vain", "play shopkeeper  WITHOUT effect"])
def test_a_card_followed_by_in_vain_or_without_effect_is_played_without_its_effect(
    text: str,
) -> None:
    """Only some editions allow this."""
    state = position(seat(hand=[C.SHOPKEEPER]), seat(), rules=vr.Z_MAN)
    assert notation.read_action(state, text) == vr.PlayCard(C.SHOPKEEPER, use_effect=False)


# Goods


@pytest.mark.parametrize(("text", "goods"), CASES["goods"])
def test_goods_can_be_written_as_initials_or_as_english_or_german_names(
    text: str, goods: str
) -> None:
    """The test also parses texts that do not represent goods."""
    read = notation.parse_goods(text)
    assert (write_goods(read) if read is not None else "none") == goods


@pytest.mark.parametrize(("step", "text", "action"), CASES["answers"])
def test_answers_are_parsed_as_a_verb_and_an_object(step: str, text: str, action: str) -> None:
    """For example, "take wood" answers the Maid's prompt, and "return brick" the Trader's."""
    line = vr.position_line(asking(agenda.PlayPrompt(0, 1), supply=[C.BUILDER]))
    state = vr.parse_position_line(line.replace("agenda=play/0/1", f"agenda={step}"))
    assert vr.format_action(notation.read_action(state, text)) == action


def test_a_single_good_where_two_are_required_is_parsed_but_illegal() -> None:
    """In the test, the prompt for the Seamstress requires two goods."""
    with pytest.raises(vr.IllegalActionError) as refused:
        notation.read_action(asking(agenda.SeamstressPrompt(0)), "take gold")
    assert refused.value.violation.code is vr.Code.WRONG_NUMBER_OF_GOODS


# Sites


def a_street() -> vr.GameState:
    """Return a position in which seat 0 may build on site 1, 2 or 3."""
    display = {
        1: a_building(letter="B", character=C.MASON, cost=vr.Goods(gold=1)),
        2: a_building(letter="B", character=C.MASON, cost=vr.Goods(gold=1)),
        3: a_building(letter="D", character=C.MONK, cost=vr.Goods(gold=1)),
    }
    return asking(agenda.SitePrompt(0, NOTHING), display=display)


@pytest.mark.parametrize("text", ["build 3", "build d", "BUILD D", "build Monk", "build bettel"])
def test_a_site_can_be_written_as_its_number_or_its_building(text: str) -> None:
    """A building can be written as its letter or its character."""
    assert notation.read_action(a_street(), text) == vr.Build(3)


def test_a_building_that_is_in_the_display_twice_is_ambiguous() -> None:
    """The player must choose the site, because the two sites have different neighbours."""
    with pytest.raises(vr.AmbiguousMoveError) as refused:
        notation.read_action(a_street(), "build B")
    assert refused.value.candidates == (vr.Build(1), vr.Build(2))


# Refusals


def test_a_text_of_more_than_200_characters_is_refused_before_it_is_parsed() -> None:
    """The message contains the limit."""
    with pytest.raises(vr.NotAMoveError, match="at most 200 characters"):
        notation.read_action(holding(C.MAID), "x" * (notation.TEXT_LIMIT + 1))


def test_the_error_for_the_text_of_an_illegal_move_contains_the_violation() -> None:
    """The tested move plays a card that is not in hand."""
    with pytest.raises(vr.IllegalActionError) as refused:
        notation.read_action(holding(C.MAID), "Knight")
    assert refused.value.violation.code is vr.Code.CARD_NOT_IN_HAND


def test_the_text_of_a_move_after_the_end_of_the_game_is_parsed_but_illegal() -> None:
    """The violation has the code `GAME_OVER`."""
    state = position(seat(), seat(), agenda=())
    with pytest.raises(vr.IllegalActionError) as refused:
        notation.read_action(state, "Maid")
    assert refused.value.violation.code is vr.Code.GAME_OVER


def test_random_events_are_written_as_a_verb_with_a_building_code_or_a_card_name() -> None:
    """Upper and lower case are equivalent."""
    assert notation.read_action(vr.new_game(2), "deal a") == vr.DealBuilding("A")
    state = asking(agenda.DrawPrompt(0), cards=PLAIN_CARDS, rules=vr.HANS_IM_GLUECK)
    state = state.with_player(0, seat(draw_pile=[C.MAID]))
    assert notation.read_action(state, "draw ma") == vr.DrawCard(C.MAID)


@given(positions(), st.text(max_size=30) | st.from_regex(r"[a-z]{3,8} [0-9a-z ]{1,12}"))
def test_any_text_is_parsed_as_a_legal_action_or_raises_one_of_three_errors(
    state: vr.GameState, text: str
) -> None:
    """The text is not a move, is ambiguous, or is an illegal move."""
    with suppress(vr.NotAMoveError, vr.AmbiguousMoveError, vr.IllegalActionError):
        assert notation.read_action(state, text) in vr.legal_actions(state)
