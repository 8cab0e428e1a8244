"""Typed moves in English and German."""

import tomllib
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import valletta_rules as vr
from spec.checks.random_games import positions, scaled
from tests.positions import position, seat
from valletta_rules.specification.worked_examples import action_of, position_of
from valletta_rules.words import ENGLISH, GERMAN, LANGUAGES, language_of, preferred_language
from valletta_rules.words.typed import suggestion

C = vr.Character

TYPED = tomllib.loads(Path(__file__).with_name("typed.toml").read_text("utf-8"))
ROWS = TYPED["rows"]
PLENTY = {"hand": ", ".join(C), "goods": "5 gold, 5 wood, 5 stone, 5 brick"}


def at(name: str) -> vr.GameState:
    """Return one of the positions."""
    given = TYPED["positions"][name]
    return position_of({**given, "red": PLENTY | given.get("red", {})})


HAND, MAID = at("hand"), at("maid")


@pytest.mark.parametrize(("name", "notation", "texts"), ROWS["said"])
def test_a_move_is_understood_in_any_wording(name: str, notation: str, texts: list[str]) -> None:
    """With articles, endings and verbs or without, for a position and for a view of it."""
    state = at(name)
    action = action_of(state, notation)
    for text in (*texts, notation):
        assert vr.parse_action(state, text) == action, text
        assert vr.parse_action(vr.view(state, 0), text.upper()) == action, text


@pytest.mark.parametrize("character", C)
def test_a_german_name_is_understood_in_every_case(character: vr.Character) -> None:
    """The name is read with its article and its ending; it is not English."""
    for case in ("nominative", "dative", "accusative"):
        assert vr.parse_action(HAND, GERMAN.form(character, case), GERMAN) == vr.PlayCard(character)


@scaled(0.2)
@given(positions(), st.data())
def test_the_description_of_an_action_is_read_as_that_action(
    state: vr.GameState, data: st.DataObject
) -> None:
    """For every legal action of every prompt, in every language, for a position and for a view."""
    actions = vr.legal_actions(state)
    for action in actions if len(actions) < 40 else data.draw(st.sets(st.sampled_from(actions))):
        for language in LANGUAGES.values():
            said = language.describe_action(state, action)
            assert vr.parse_action(state, said) == action
            assert vr.parse_action(state, f" {said.upper()}. ", language) == action
            if state.prompt is not None and state.prompt.seat is not None:
                seen = vr.view(state, state.prompt.seat)
                assert vr.parse_action(seen, language.describe_action(seen, action)) == action


@pytest.mark.parametrize(
    ("text", "english", "german"),
    [
        (
            "play the Shopkeepr",
            "a character must follow, as in maid (did you mean Shopkeeper?);"
            " now choose a good for the Maid",
            "eine Person muss folgen, wie in Magd; gemeint ist vielleicht Krämerin;"
            " gefragt ist nach dem Gut der Magd",
        ),
        (
            "Bumeister",
            "it cannot be understood (did you mean Builder?); now choose a good for the Maid",
            "das ist nicht zu verstehen;"
            " gemeint ist vielleicht Baumeister; gefragt ist nach dem Gut der Magd",
        ),
        (
            "spile die Magd",
            "it cannot be understood (did you mean play?); now choose a good for the Maid",
            "das ist nicht zu verstehen; gemeint ist vielleicht spiele;"
            " gefragt ist nach dem Gut der Magd",
        ),
        (
            "nimm Hloz",
            "goods must follow, as in gold, or in 1g 1w (did you mean wood?);"
            " now choose a good for the Maid",
            "Güter müssen folgen, wie in Gold oder in 1g 1w; gemeint ist vielleicht Holz;"
            " gefragt ist nach dem Gut der Magd",
        ),
    ],
)
def test_a_refusal_has_the_question_and_a_suggestion_in_the_language(
    text: str, english: str, german: str
) -> None:
    """A suggestion is the name of a character or a good, or a verb, in the reader's language."""
    with pytest.raises(vr.NotAMoveError) as refused:
        vr.parse_action(MAID, text)
    assert ENGLISH.describe_error(refused.value) == f"'{text}' is not a move: {english}"
    assert GERMAN.describe_error(refused.value) == f"„{text}“ ist kein Zug: {german}"
    assert refused.value.facts["prompt"] == "MaidPrompt"


@scaled(0.2)
@given(positions(), st.data())
def test_a_negated_move_is_not_read(state: vr.GameState, data: st.DataObject) -> None:
    """Neither that move nor another one is made, whatever the words."""
    actions = [each for each in vr.legal_actions(state) if each != vr.Decline()]
    action = data.draw(st.sampled_from(actions))
    for said in (vr.format_action(action), ENGLISH.describe_action(state, action)):
        for text in (f"not {said}", f"don't {said}", f"nicht {said}", f"kein {said}"):
            with suppress(vr.NotAMoveError, vr.IllegalActionError, vr.AmbiguousMoveError):
                assert vr.parse_action(state, text) == vr.Decline(), text


@scaled(0.2)
@given(positions(), st.data())
def test_a_question_is_no_move(state: vr.GameState, data: st.DataObject) -> None:
    """Asking about a legal move, or naming it with a question mark, does not make it."""
    action = data.draw(st.sampled_from(vr.legal_actions(state)))
    for said in (vr.format_action(action), GERMAN.describe_action(state, action)):
        for text in (f"{said}?", f"can I {said} ?", f"kann ich {said}?"):
            with pytest.raises(vr.NotAMoveError, match="it is a question") as refused:
                vr.parse_action(state, text)
            assert "das ist eine Frage" in GERMAN.describe_error(refused.value)


def test_only_the_given_language_is_understood() -> None:
    """Words of other languages are unknown then, and notation is always read."""
    with pytest.raises(vr.NotAMoveError):
        vr.parse_action(MAID, "nimm einen Ziegel", ENGLISH)
    assert vr.parse_action(MAID, "take brick", GERMAN) == vr.TakeGood(vr.Good.BRICK)


@pytest.mark.parametrize(("name", "text", "code"), ROWS["illegal"])
def test_an_illegal_move_is_refused(name: str, text: str, code: str) -> None:
    """The error carries the violation."""
    with pytest.raises(vr.IllegalActionError) as refused:
        vr.parse_action(at(name), text)
    assert refused.value.violation.code == code


@pytest.mark.parametrize(("name", "text", "meant"), ROWS["ambiguous"])
def test_an_ambiguous_text_is_refused(name: str, text: str, meant: list[str]) -> None:
    """The error lists the possible moves."""
    with pytest.raises(vr.AmbiguousMoveError) as refused:
        vr.parse_action(at(name), text)
    assert [vr.format_action(each) for each in refused.value.candidates] == meant
    described = GERMAN.describe_error(refused.value).partition(": ")[2].split(", ")
    for said, written in zip(described, meant, strict=True):
        with suppress(vr.IllegalActionError):
            assert vr.parse_action(at(name), said, GERMAN) == action_of(at(name), written)


@pytest.mark.parametrize(("name", "text"), [*ROWS["meaningless"], ("hand", "x" * 201)])
def test_a_meaningless_text_is_refused(name: str, text: str) -> None:
    """It is no move of this game, and no card is suggested for it."""
    with pytest.raises(vr.NotAMoveError):
        vr.parse_action(at(name), text)
    assert all(suggestion(text, language) is None for language in LANGUAGES.values())


def test_a_verb_can_begin_the_name_of_a_card() -> None:
    """This is so if a card must be chosen."""
    assert vr.parse_action(HAND, "baue") == vr.parse_action(HAND, "build") == vr.PlayCard(C.BUILDER)


def test_a_view_reads_only_answers_of_its_viewer() -> None:
    """Others and spectators learn nothing."""
    for other in (1, None):
        with pytest.raises(vr.NotAskedError):
            vr.parse_action(vr.view(HAND, other), "maid")
        with pytest.raises(vr.NotAskedError):
            vr.view(HAND, other).check(vr.PlayCard(C.MAID))
    assert vr.view(HAND, 0).check(vr.PlayCard(C.MAID)) is None
    over = vr.view(position(seat(), seat(), agenda=()), None)
    with pytest.raises(vr.IllegalActionError):
        vr.parse_action(over, "Magd")


WORDS = [*ENGLISH.vocabulary.verbs, *GERMAN.vocabulary.verbs, "die", "Magd", "wood", "3"]


@settings(max_examples=30)
@given(positions(), st.lists(st.sampled_from(WORDS) | st.text(max_size=5), max_size=4))
def test_any_text_gives_a_legal_action_or_one_of_three_errors(
    state: vr.GameState, words: list[str]
) -> None:
    """No text causes any other result."""
    with suppress(vr.NotAMoveError, vr.AmbiguousMoveError, vr.IllegalActionError):
        assert vr.parse_action(state, " ".join(words)) in vr.legal_actions(state)


# Which language


@pytest.mark.parametrize(("environment", "code"), ROWS["environment"])
def test_the_environment_says_which_language_is_preferred(
    environment: dict[str, str], code: str
) -> None:
    """The order is that of other programs: LANGUAGE, LC_ALL, LC_MESSAGES, LANG; else English."""
    assert preferred_language(environment) == code


def test_a_language_is_found_by_its_code() -> None:
    """The code may have a country; an unknown language is refused."""
    assert language_of("de-CH") is GERMAN
    with pytest.raises(vr.UnknownLanguageError):
        language_of("tlh")
