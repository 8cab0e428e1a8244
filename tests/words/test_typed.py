"""What people type: moves in English and German."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spec.checks.random_games import positions
from tests.positions import position, seat
from tests.text.test_notation import a_street, asking, holding
from valletta_rules import (
    Action,
    AmbiguousMoveError,
    Build,
    Character,
    Code,
    Decline,
    Dismiss,
    DraftGood,
    GameState,
    GiveGood,
    Good,
    Goods,
    Hire,
    IllegalActionError,
    NotAMoveError,
    OutOfTurnError,
    Pay,
    PlayCard,
    ReturnGood,
    TakeGood,
    TakeGoods,
    UnknownLanguageError,
    format_action,
    legal_actions,
    parse_action,
    view,
)
from valletta_rules.agenda import (
    ArchitectPrompt,
    DraftPrompt,
    MaidPrompt,
    PaymentPrompt,
    SeamstressPrompt,
    TraderPrompt,
    ValettePrompt,
)
from valletta_rules.components.characters import CHARACTERS
from valletta_rules.components.goods import NOTHING
from valletta_rules.rulings import Z_MAN
from valletta_rules.specification.worked_examples import agenda_of
from valletta_rules.words import ENGLISH, GERMAN, LANGUAGES, language_of, preferred_language
from valletta_rules.words.typed import suggestion

C = Character
DRAFT, MAID = asking(DraftPrompt(0, Goods(1, 1, 1, 1))), asking(MaidPrompt(0))
VALETTE = asking(ValettePrompt(0), supply=[C.BUILDER])
POOR = position(seat(hand=[C.MAID]), seat(), agenda=(ValettePrompt(0),))
PAYMENT = asking(PaymentPrompt(0, 1, Goods(1, 0, 0, 0)))
HAND = holding(*CHARACTERS)
IN_VAIN = position(seat(hand=[C.SHOPKEEPER]), seat(), rules=Z_MAN)

SAID: list[tuple[GameState, Action, tuple[str, ...]]] = [
    (HAND, PlayCard(C.MAID), ("play the Maid", "the maid's", "Magd", "spiele die Magd aus")),
    (HAND, PlayCard(C.CARVER), ("den Steinmetz ausspielen", "Steinmetzen", "Carver, please!")),
    (HAND, PlayCard(C.ARCHITECT), ("den Architekten", "use the Architect")),
    (HAND, PlayCard(C.CHARLES), ("Karl V.", "Kaiser Karl", "play Charles")),
    (IN_VAIN, PlayCard(C.SHOPKEEPER, use_effect=False), ("krämer ohne Aktion", "shop in vain")),
    (DRAFT, DraftGood(Good.WOOD), ("take wood", "Holz", "beginne mit Holz", "w", "1 wood")),
    (MAID, TakeGood(Good.STONE), ("nimm einen Stein", "Steine", "choose stone", "take the stone")),
    (MAID, TakeGood(Good.BRICK), ("b", "1 Ziegel")),
    (asking(SeamstressPrompt(0)), TakeGoods(Goods(1, 1, 0, 0)), ("Gold und Holz", "1g 1w")),
    (asking(*agenda_of(2, "monk/0/1")), GiveGood(Good.GOLD), ("give gold", "gib Gold ab")),
    (asking(TraderPrompt(0)), ReturnGood(Good.WOOD), ("tausche Holz", "give wood", "swap 1 wood")),
    (asking(ArchitectPrompt(0)), ReturnGood(Good.WOOD), ("Holz", "gib Holz")),
    (VALETTE, Hire(C.BUILDER), ("stelle den Baumeister ein", "hire the builder", "recruit bui")),
    (VALETTE, Dismiss(C.MAID), ("entlasse die Magd", "Magd", "fire the Maid")),
    (VALETTE, Decline(), ("nein", "verzichte darauf", "pass", "neither")),
    (PAYMENT, Pay(Goods(1, 0, 0, 0)), ("1g", "zahle 1 Gold", "ein Gold", "spend 1 gold")),
    (asking(PaymentPrompt(0, 1, NOTHING)), Pay(NOTHING), ("zahle nichts", "nothing", "0")),
    (a_street(), Build(3), ("3", "D", "baue auf Bauplatz 3", "the Monk's house", "Bettelmönchs")),
]


@pytest.mark.parametrize(("state", "action", "texts"), SAID)
def test_a_move_is_understood_as_people_say_it(
    state: GameState, action: Action, texts: tuple[str, ...]
) -> None:
    """With articles, endings and verbs or without, of a position and of a view of it."""
    for text in (*texts, format_action(action)):
        assert parse_action(state, text) == action, text
        assert parse_action(view(state, 0), text.upper()) == action, text


@pytest.mark.parametrize("character", C)
def test_a_german_name_is_understood_in_every_case(character: Character) -> None:
    """With its article and its ending; and it is no English."""
    for case in ("nominative", "dative", "accusative"):
        assert parse_action(HAND, GERMAN.form(character, case), GERMAN) == PlayCard(character)


def test_one_language_alone_can_be_understood() -> None:
    """Then words of another are none, and notation always is some."""
    with pytest.raises(NotAMoveError):
        parse_action(MAID, "nimm einen Ziegel", ENGLISH)
    assert parse_action(MAID, "take brick", GERMAN) == TakeGood(Good.BRICK)


@pytest.mark.parametrize(
    ("state", "text", "code"),
    [
        (holding(C.MAID), "spiele den Ritter", Code.CARD_NOT_IN_HAND),
        (PAYMENT, "2 Holz", Code.PAYMENT_SHORT),
        (MAID, "spiele Magd", Code.WRONG_KIND),
        (a_street(), "7", Code.NOT_AFFORDABLE),
        (a_street(), "upgrade 7", Code.SITE_NOT_OWN),
        (DRAFT, "ma", Code.WRONG_KIND),
        (asking(DraftPrompt(0, Goods(1))), "s", Code.GOOD_NOT_OFFERED),
    ],
)
def test_what_is_understood_and_illegal_is_refused(state: GameState, text: str, code: Code) -> None:
    """It carries the violation."""
    with pytest.raises(IllegalActionError) as refused:
        parse_action(state, text)
    assert refused.value.violation.code is code


@pytest.mark.parametrize(
    ("state", "text", "meant"),
    [
        (VALETTE, "Baumeister", (Hire(C.BUILDER), Dismiss(C.BUILDER))),
        (holding(C.MAID, C.MASON), "Ma", (PlayCard(C.MAID), PlayCard(C.MASON))),
        (holding(C.MONK), "car", (PlayCard(C.CARVER), PlayCard(C.CARPENTER))),
        (POOR, "Ritter", (Hire(C.KNIGHT), Dismiss(C.KNIGHT))),
    ],
)
def test_what_can_mean_several_moves_is_refused(
    state: GameState, text: str, meant: tuple[Action, ...]
) -> None:
    """It names what it can mean."""
    with pytest.raises(AmbiguousMoveError) as refused:
        parse_action(state, text)
    assert refused.value.candidates == meant


@pytest.mark.parametrize("text", ["", "!?", "spiele", "die", "x" * 201])
def test_what_means_nothing_is_refused(text: str) -> None:
    """It is no move of this game."""
    with pytest.raises(NotAMoveError):
        parse_action(HAND, text)


@pytest.mark.parametrize("text", ["baue", "build", "werte auf", "build 29", "build the"])
def test_a_verb_alone_is_no_move_and_no_name(text: str) -> None:
    """Unless a card is asked for whose name it begins; and no card is suggested for it."""
    with pytest.raises(NotAMoveError):
        parse_action(a_street(), text)
    assert all(suggestion(text, language) is None for language in LANGUAGES.values())
    assert parse_action(HAND, "baue") == parse_action(HAND, "build") == PlayCard(C.BUILDER)


def test_a_view_reads_only_what_its_viewer_is_asked() -> None:
    """Others and spectators learn nothing."""
    for other in (1, None):
        with pytest.raises(OutOfTurnError):
            parse_action(view(HAND, other), "maid")
        with pytest.raises(OutOfTurnError):
            view(HAND, other).check(PlayCard(C.MAID))
    assert view(HAND, 0).check(PlayCard(C.MAID)) is None
    over = view(position(seat(), seat(), agenda=()), None)
    with pytest.raises(IllegalActionError):
        parse_action(over, "Magd")


WORDS = [*ENGLISH.vocabulary.verbs, *GERMAN.vocabulary.verbs, "die", "Magd", "wood", "3"]


@settings(max_examples=30)
@given(positions(), st.lists(st.sampled_from(WORDS) | st.text(max_size=5), max_size=4))
def test_any_text_gives_a_legal_action_or_one_of_three_errors(
    state: GameState, words: list[str]
) -> None:
    """Whatever is typed, nothing else can happen."""
    with suppress(NotAMoveError, AmbiguousMoveError, IllegalActionError):
        assert parse_action(state, " ".join(words)) in legal_actions(state)


# Which language


@pytest.mark.parametrize(
    ("environment", "code"),
    [
        ({}, "en"),
        ({"LANG": "de_DE.UTF-8"}, "de"),
        ({"LANG": "de"}, "de"),
        ({"LANG": "fr_FR.UTF-8"}, "en"),
        ({"LANG": "fr_FR.UTF-8", "LANGUAGE": "es:de-AT:en"}, "de"),
        ({"LANG": "de_DE.UTF-8", "LC_MESSAGES": "en_GB"}, "en"),
        ({"LANG": "de_DE", "LC_ALL": "C.UTF-8", "LANGUAGE": "de"}, "en"),
        ({"LC_ALL": "", "LANG": "de@euro"}, "de"),
    ],
)
def test_the_environment_says_which_language_is_preferred(
    environment: dict[str, str], code: str
) -> None:
    """As other programs have it: LANGUAGE before LC_ALL, LC_MESSAGES and LANG; English else."""
    assert preferred_language(environment) == code


def test_a_language_is_found_by_its_code() -> None:
    """With a country or without; one that nobody speaks here is refused."""
    assert language_of("de-CH") is GERMAN
    with pytest.raises(UnknownLanguageError):
        language_of("tlh")
