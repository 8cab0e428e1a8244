"""Tests of the parser for moves that players type in English or German."""

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
    """Return the position with the given name in `typed.toml`."""
    given = TYPED["positions"][name]
    return position_of({**given, "red": PLENTY | given.get("red", {})})


HAND, MAID = at("hand"), at("maid")


@pytest.mark.parametrize(("name", "notation", "texts"), ROWS["said"])
def test_a_move_is_parsed_from_each_listed_wording_in_any_case(
    name: str, notation: str, texts: list[str]
) -> None:
    """The wordings have different articles, endings and verbs.

    The parser receives a position or a view.
    """
    state = at(name)
    action = action_of(state, notation)
    for text in (*texts, notation):
        assert vr.parse_action(state, text) == action, text
        assert vr.parse_action(vr.view(state, 0), text.upper()) == action, text


@pytest.mark.parametrize("character", C)
def test_the_german_name_of_a_character_is_parsed_in_every_grammatical_case(
    character: vr.Character,
) -> None:
    """The text contains the article and the ending of the case."""
    for case in ("nominative", "dative", "accusative"):
        assert vr.parse_action(HAND, GERMAN.form(character, case), GERMAN) == vr.PlayCard(character)


@scaled(0.2)
@given(positions(), st.data())
def test_parsing_the_description_of_a_legal_action_returns_that_action(
    state: vr.GameState, data: st.DataObject
) -> None:
    """The positions are random. Each language is tested with positions and with views of them."""
    actions = vr.legal_actions(state)
    for action in actions if len(actions) < 40 else data.draw(st.sets(st.sampled_from(actions))):
        for language in LANGUAGES.values():
            description = language.describe_action(state, action)
            assert vr.parse_action(state, description) == action
            assert vr.parse_action(state, f" {description.upper()}. ", language) == action
            if state.prompt is not None and state.prompt.seat is not None:
                view = vr.view(state, state.prompt.seat)
                assert vr.parse_action(view, language.describe_action(view, action)) == action


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
def test_the_error_for_a_misspelled_move_suggests_a_correction_in_the_language_of_the_reader(
    text: str, english: str, german: str
) -> None:
    """The message also repeats the current prompt."""
    with pytest.raises(vr.NotAMoveError) as refused:
        vr.parse_action(MAID, text)
    assert ENGLISH.describe_error(refused.value) == f"'{text}' is not a move: {english}"
    assert GERMAN.describe_error(refused.value) == f"„{text}“ ist kein Zug: {german}"
    assert refused.value.facts["prompt"] == "MaidPrompt"


@scaled(0.2)
@given(positions(), st.data())
def test_a_text_with_a_negated_move_is_never_parsed_as_a_move_except_to_decline(
    state: vr.GameState, data: st.DataObject
) -> None:
    """Each legal move is negated by "not", "don't", "nicht" or "kein" in front of it."""
    actions = [each for each in vr.legal_actions(state) if each != vr.Decline()]
    action = data.draw(st.sampled_from(actions))
    for move in (vr.format_action(action), ENGLISH.describe_action(state, action)):
        for text in (f"not {move}", f"don't {move}", f"nicht {move}", f"kein {move}"):
            with suppress(vr.NotAMoveError, vr.IllegalActionError, vr.AmbiguousMoveError):
                assert vr.parse_action(state, text) == vr.Decline(), text


@scaled(0.2)
@given(positions(), st.data())
def test_a_legal_move_phrased_as_a_question_is_rejected(
    state: vr.GameState, data: st.DataObject
) -> None:
    """The error explains, in the reader's language, that the text is a question."""
    action = data.draw(st.sampled_from(vr.legal_actions(state)))
    for move in (vr.format_action(action), GERMAN.describe_action(state, action)):
        for text in (f"{move}?", f"can I {move} ?", f"kann ich {move}?"):
            with pytest.raises(vr.NotAMoveError, match="it is a question") as refused:
                vr.parse_action(state, text)
            assert "das ist eine Frage" in GERMAN.describe_error(refused.value)


def test_moves_are_parsed_only_in_the_given_language_or_in_notation() -> None:
    """A German sentence is not a move if the language is English. "take brick" is notation."""
    with pytest.raises(vr.NotAMoveError):
        vr.parse_action(MAID, "nimm einen Ziegel", ENGLISH)
    assert vr.parse_action(MAID, "take brick", GERMAN) == vr.TakeGood(vr.Good.BRICK)


@pytest.mark.parametrize(("name", "text", "code"), ROWS["illegal"])
def test_parsing_an_illegal_move_raises_an_error_with_the_violation(
    name: str, text: str, code: str
) -> None:
    """The text is a move of the game, but the rules forbid it in this position."""
    with pytest.raises(vr.IllegalActionError) as refused:
        vr.parse_action(at(name), text)
    assert refused.value.violation.code == code


@pytest.mark.parametrize(("name", "text", "meant"), ROWS["ambiguous"])
def test_parsing_an_ambiguous_text_raises_an_error_with_the_possible_moves(
    name: str, text: str, meant: list[str]
) -> None:
    """The German message lists the moves in words that can be typed as an answer."""
    with pytest.raises(vr.AmbiguousMoveError) as refused:
        vr.parse_action(at(name), text)
    assert [vr.format_action(each) for each in refused.value.candidates] == meant
    described = GERMAN.describe_error(refused.value).partition(": ")[2].split(", ")
    for description, written in zip(described, meant, strict=True):
        with suppress(vr.IllegalActionError):
            assert vr.parse_action(at(name), description, GERMAN) == action_of(at(name), written)


@pytest.mark.parametrize(("name", "text"), [*ROWS["meaningless"], ("hand", "x" * 201)])
def test_a_text_that_is_not_a_move_of_the_game_is_rejected_without_a_suggestion(
    name: str, text: str
) -> None:
    """One of the texts is too long: it has 201 characters."""
    with pytest.raises(vr.NotAMoveError):
        vr.parse_action(at(name), text)
    assert all(suggestion(text, language) is None for language in LANGUAGES.values())


def test_a_verb_alone_is_parsed_as_the_card_whose_name_begins_with_it() -> None:
    """When a card must be played, "build" means the Builder."""
    assert vr.parse_action(HAND, "baue") == vr.parse_action(HAND, "build") == vr.PlayCard(C.BUILDER)


def test_a_view_rejects_moves_when_its_viewer_is_not_the_player_to_move() -> None:
    """The views are those of an opponent, of a spectator, and of a finished game."""
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
def test_any_text_is_parsed_as_a_legal_action_or_raises_one_of_three_documented_errors(
    state: vr.GameState, words: list[str]
) -> None:
    """The texts consist of random characters, or of random words from the vocabulary."""
    with suppress(vr.NotAMoveError, vr.AmbiguousMoveError, vr.IllegalActionError):
        assert vr.parse_action(state, " ".join(words)) in vr.legal_actions(state)


# Which language


@pytest.mark.parametrize(("environment", "code"), ROWS["environment"])
def test_the_preferred_language_is_read_from_the_environment_variables(
    environment: dict[str, str], code: str
) -> None:
    """The order of precedence is LANGUAGE, LC_ALL, LC_MESSAGES, LANG. The default is English."""
    assert preferred_language(environment) == code


def test_language_of_accepts_a_code_with_a_country_and_rejects_an_unknown_code() -> None:
    """The code "de-CH" selects German, and "tlh" is not supported."""
    assert language_of("de-CH") is GERMAN
    with pytest.raises(vr.UnknownLanguageError):
        language_of("tlh")
