"""The notation of actions."""

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
    """Return a position in which seat 0 has plenty, before a prompt."""
    me = seat(hand=CHARACTERS, draw_pile=CHARACTERS, goods=vr.Goods(5, 5, 5, 5), built=[0])
    steps = (prompt, agenda.PlayPrompt(0, 1), agenda.EndTurn(0))
    return position(me, seat(), agenda=steps, **table)  # type: ignore[arg-type]


def holding(*hand: vr.Character) -> vr.GameState:
    """Return a position in which seat 0 must play one of some cards."""
    return position(seat(hand=hand, goods=vr.Goods(1, 0, 0, 0)), seat())


# Writing


@pytest.mark.parametrize(("action", "text"), CASES["actions"])
def test_every_kind_of_action_has_its_text(action: str, text: str) -> None:
    """An action is written as a verb and its object; playing a card needs no verb."""
    (read,) = (
        each for each in notation.readings(vr.new_game(), text) if vr.format_action(each) == text
    )
    assert repr(read) == action


@given(positions())
def test_every_legal_action_is_read_back(state: vr.GameState) -> None:
    """This holds in every position that can be reached."""
    for action in vr.legal_actions(state)[:60]:
        assert notation.read_action(state, vr.format_action(action)) == action


@given(positions(), st.data())
def test_an_illegal_action_is_read_and_refused(state: vr.GameState, data: st.DataObject) -> None:
    """Its text is understood, and the error is a violation."""
    action = data.draw(well_formed_actions(state))
    if action in vr.legal_actions(state):
        assert notation.read_action(state, vr.format_action(action)) == action
    else:
        with pytest.raises(vr.IllegalActionError):
            notation.read_action(state, vr.format_action(action))


def test_no_two_characters_have_a_name_in_common() -> None:
    """Every name, short or long, English or German, belongs to one character only."""
    for character in CHARACTERS:
        for name in (character.english, character.german, character.value):
            assert notation.characters_called(name) == (character,)


# Names of characters


@pytest.mark.parametrize(("text", "character"), CASES["characters"])
def test_a_character_is_called_by_any_of_its_names(text: str, character: str) -> None:
    """Case, accents and spaces do not matter."""
    assert vr.format_action(notation.read_action(holding(*CHARACTERS), text)) == character


def test_the_beginning_of_a_name_is_enough_if_one_card_in_hand_begins_so() -> None:
    """``br`` is the Brick Worker in a hand without Bricklayer."""
    assert notation.read_action(holding(C.BRICK_WORKER, C.MAID), "br") == vr.PlayCard(
        C.BRICK_WORKER
    )


def test_build_alone_names_the_builder_if_a_card_must_be_played() -> None:
    """A verb that is the beginning of a name is the name then."""
    assert notation.read_action(holding(C.BUILDER), "build") == vr.PlayCard(C.BUILDER)
    with pytest.raises(vr.NotAMoveError, match="a site must follow"):
        notation.read_action(asking(agenda.SitePrompt(0, NOTHING)), "build")


def test_a_whole_name_is_never_short_for_another() -> None:
    """Without a Mason in hand ``Mason`` is refused, although only another card could be meant."""
    with pytest.raises(vr.IllegalActionError):
        notation.read_action(holding(C.STONEMASON), "Mason")


def test_an_ambiguous_beginning_names_the_cards_in_hand_that_it_can_mean() -> None:
    """With Maid and Mason in hand, ``ma`` is refused and both are named."""
    with pytest.raises(vr.AmbiguousMoveError) as refused:
        notation.read_action(holding(C.MAID, C.MASON, C.MONK), "Ma")
    assert refused.value.candidates == (vr.PlayCard(C.MAID), vr.PlayCard(C.MASON))
    assert refused.value.text == "Ma"
    assert str(refused.value) == "'Ma' is ambiguous: it can mean maid, mason"


def test_an_ambiguous_beginning_of_cards_in_no_hand_names_them_all() -> None:
    """If no meaning of a text is legal, it is still ambiguous."""
    with pytest.raises(vr.AmbiguousMoveError) as refused:
        notation.read_action(holding(C.MONK), "car")
    assert refused.value.candidates == (vr.PlayCard(C.CARVER), vr.PlayCard(C.CARPENTER))


@pytest.mark.parametrize("text", ["Shop in vain", "play shopkeeper  WITHOUT effect"])
def test_a_card_is_played_in_vain(text: str) -> None:
    """If effects may be declined, a card can be played without its effect."""
    state = position(seat(hand=[C.SHOPKEEPER]), seat(), rules=vr.Z_MAN)
    assert notation.read_action(state, text) == vr.PlayCard(C.SHOPKEEPER, use_effect=False)


# Goods


@pytest.mark.parametrize(("text", "goods"), CASES["goods"])
def test_goods_are_read_as_people_type_them(text: str, goods: str) -> None:
    """Goods are counted by initials or by names in both languages."""
    read = notation.parse_goods(text)
    assert (write_goods(read) if read is not None else "none") == goods


@pytest.mark.parametrize(("step", "text", "action"), CASES["answers"])
def test_an_answer_is_a_verb_and_what_it_is_about(step: str, text: str, action: str) -> None:
    """Every prompt is answered with its own verb."""
    line = vr.position_line(asking(agenda.PlayPrompt(0, 1), supply=[C.BUILDER]))
    state = vr.parse_position_line(line.replace("agenda=play/0/1", f"agenda={step}"))
    assert vr.format_action(notation.read_action(state, text)) == action


def test_a_single_good_is_no_pair() -> None:
    """A Seamstress takes two goods: a single one is illegal, not a text that cannot be read."""
    with pytest.raises(vr.IllegalActionError) as refused:
        notation.read_action(asking(agenda.SeamstressPrompt(0)), "take gold")
    assert refused.value.violation.code is vr.Code.WRONG_NUMBER_OF_GOODS


# Sites


def a_street() -> vr.GameState:
    """Return a position in which seat 0 may build on sites 1, 2 and 3."""
    display = {
        1: a_building(letter="B", character=C.MASON, cost=vr.Goods(gold=1)),
        2: a_building(letter="B", character=C.MASON, cost=vr.Goods(gold=1)),
        3: a_building(letter="D", character=C.MONK, cost=vr.Goods(gold=1)),
    }
    return asking(agenda.SitePrompt(0, NOTHING), display=display)


@pytest.mark.parametrize("text", ["build 3", "build d", "BUILD D", "build Monk", "build bettel"])
def test_a_site_is_named_by_its_number_or_by_its_building(text: str) -> None:
    """A site can be called by its building."""
    assert notation.read_action(a_street(), text) == vr.Build(3)


def test_a_building_that_lies_there_twice_is_ambiguous() -> None:
    """The choice between two equal buildings matters, since they have different neighbours."""
    with pytest.raises(vr.AmbiguousMoveError) as refused:
        notation.read_action(a_street(), "build B")
    assert refused.value.candidates == (vr.Build(1), vr.Build(2))


# Refusals


def test_a_move_has_a_limit() -> None:
    """The length of a text is checked before it is parsed."""
    with pytest.raises(vr.NotAMoveError, match="at most 200 characters"):
        notation.read_action(holding(C.MAID), "x" * (notation.TEXT_LIMIT + 1))


def test_an_illegal_move_says_which_clause_forbids_it() -> None:
    """A move that is understood but forbidden carries its violation."""
    with pytest.raises(vr.IllegalActionError) as refused:
        notation.read_action(holding(C.MAID), "Knight")
    assert refused.value.violation.code is vr.Code.CARD_NOT_IN_HAND


def test_after_the_end_every_move_is_illegal() -> None:
    """When the game is over, a move is understood and refused."""
    state = position(seat(), seat(), agenda=())
    with pytest.raises(vr.IllegalActionError) as refused:
        notation.read_action(state, "Maid")
    assert refused.value.violation.code is vr.Code.GAME_OVER


def test_chance_is_written_and_read_like_a_player() -> None:
    """A building is dealt by its code, and a card drawn by its name, in any case."""
    assert notation.read_action(vr.new_game(2), "deal a") == vr.DealBuilding("A")
    state = asking(agenda.DrawPrompt(0), cards=PLAIN_CARDS, rules=vr.HANS_IM_GLUECK)
    state = state.with_player(0, seat(draw_pile=[C.MAID]))
    assert notation.read_action(state, "draw ma") == vr.DrawCard(C.MAID)


@given(positions(), st.text(max_size=30) | st.from_regex(r"[a-z]{3,8} [0-9a-z ]{1,12}"))
def test_any_text_gives_a_legal_action_or_one_of_three_errors(
    state: vr.GameState, text: str
) -> None:
    """No text causes any other result."""
    with suppress(vr.NotAMoveError, vr.AmbiguousMoveError, vr.IllegalActionError):
        assert notation.read_action(state, text) in vr.legal_actions(state)
