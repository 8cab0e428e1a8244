"""Languages: none lacks anything, and a third one is a module of its own."""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping
from string import Formatter
from types import ModuleType
from typing import cast

import attrs
import pytest

from tests.positions import position, seat
from valletta_rules import (
    AmbiguousMoveError,
    CardSetError,
    Character,
    Code,
    CodecError,
    Good,
    Goods,
    IllegalActionError,
    MaidPrompt,
    NotAMoveError,
    NothingToRedoError,
    NothingToUndoError,
    OutOfTurnError,
    PassedQuestionError,
    PlayerCountError,
    RecordError,
    SeatError,
    TakeGood,
    UnknownLanguageError,
    VallettaError,
    VariantError,
    from_json,
    legal_actions,
    new_game,
    parse_action,
    parse_card_set,
    parse_record,
    problems_of,
    table_information,
    to_json,
    transition,
    view,
)
from valletta_rules.audit.codes import Impossible
from valletta_rules.card_sets.codes import Misprint
from valletta_rules.codec import Misfit
from valletta_rules.components.characters import Colour
from valletta_rules.errors import Problem, violation
from valletta_rules.state import Phase
from valletta_rules.words import (
    LANGUAGES,
    Language,
    describe_information,
    english,
    german,
    refusal_of,
    sketch_display,
)
from valletta_rules.words.console import Console
from valletta_rules.words.german_problems import TEMPLATES

C = Character


def parts(text: str) -> set[str | None]:
    """Return the names in braces of a text."""
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("name", [field.name for field in attrs.fields(Console)])
def test_phrases_have_the_same_parts_in_every_language(name: str) -> None:
    """What is filled in is filled in everywhere, and nothing else."""
    ours, theirs = getattr(english.CONSOLE, name), getattr(german.CONSOLE, name)
    if isinstance(ours, str):
        assert parts(ours) == parts(theirs)
        assert ours != theirs or name in {"hand"}
    elif name != "commands":  # of which the next test is
        keys = ours.keys() if isinstance(ours, Mapping) else range(len(ours))
        assert keys == (theirs.keys() if isinstance(theirs, Mapping) else range(len(theirs)))
        assert all(parts(str(ours[key])) == parts(str(theirs[key])) for key in keys)


def test_every_command_has_a_word_in_every_language() -> None:
    """And no word begins a move."""
    assert {*english.CONSOLE.commands.values()} == {*german.CONSOLE.commands.values()}
    for language in LANGUAGES.values():
        for word in language.CONSOLE.commands:
            assert word not in language.VOCABULARY.verbs


def test_tenths_stand_behind_a_comma_in_german() -> None:
    """And nothing is said of points that nobody has thought about."""
    assert english.CONSOLE.advise("pass", -2.5).endswith(
        "(-2.5 points ahead at the end, it thinks)"
    )
    assert german.CONSOLE.advise("bauen", 14.25).endswith(
        "(am Ende +14,2 Punkte Vorsprung, meint er)"
    )
    assert german.CONSOLE.advise("bauen", None) == "Der Computer würde bauen."


# Problems and errors

FLAWS = [*Impossible, *Misprint, *Misfit]


@pytest.mark.parametrize("flaw", FLAWS)
def test_every_kind_of_problem_is_told_in_german(flaw: Impossible | Misprint | Misfit) -> None:
    """By its code and facts, all of which it is given."""
    assert {*TEMPLATES} == {*FLAWS}
    names = {re.split(r"[.:\[]", str(name))[0] for name in parts(flaw.template)}
    assert parts(TEMPLATES[flaw]) <= names | {"goods", "character", "colour"}
    facts: dict[str, Hashable] = dict.fromkeys(names, 7)
    facts |= {"character": C.NUN, "colour": Colour.BLUE, "goods": "x", "phase": Phase.MAIN}
    problem = flaw.at("here", **facts)
    said = german.describe_problem(problem)
    assert "{" not in said
    assert said != problem.message
    assert english.describe_problem(problem) == problem.message


def test_facts_are_told_in_german() -> None:
    """Goods, characters, colours and phases have German names; what is unknown stays English."""
    told = german.describe_problem(Impossible.DRAFTED.at("x", found=Goods(2, 1)))
    assert told.startswith("2 Gold und 1 Holz kann an dieser Stelle")
    assert "Magd" in german.describe_problem(Impossible.NOT_SHOWN.at("x", character=C.MAID))
    assert "Endphase" in german.describe_problem(
        Impossible.NOT_TRIGGERED.at("x", phase=Phase.FINAL)
    )
    assert "Holz" in german.describe_problem(Misprint.NO_BARREL.at("x", goods=Good.WOOD))
    assert german.describe_problem(Problem("x", "new", "something else")) == "something else"


WRONG = attrs.evolve(new_game(), barrels=Goods(gold=99))

ERRORS: list[tuple[VallettaError, str, str]] = [
    (
        OutOfTurnError(1, 0),
        "Ben cannot move now: Anna is asked",
        "Ben ist nicht gefragt, sondern Anna",
    ),
    (
        OutOfTurnError(None, None),
        "a spectator cannot move now: no player is asked",
        "wer zuschaut, ist nicht gefragt, und auch sonst kein Spieler",
    ),
    (PassedQuestionError(1, 2), "this answers revision 1", "das antwortet auf Stand 1"),
    (
        SeatError(5, 2),
        "a game of 2 players has no seat 5",
        "einen Platz 5 gibt es bei 2 Spielern nicht",
    ),
    (NothingToUndoError("no player has"), "no player has", "es gibt nichts zurückzunehmen"),
    (NothingToRedoError("nothing has"), "nothing has", "es gibt nichts zu wiederholen"),
    (NotAMoveError("x", "why"), "'x' is not a move: why", "„x“ ist kein Zug"),
    (AmbiguousMoveError("x", (TakeGood(Good.WOOD),)), "'x' is ambiguous", "mehrdeutig: take wood"),
    (RecordError("why", 1, 2), "line 1, move 2: why", "Zeile 1, Zug 2: why"),
    (RecordError("why"), "why", "why"),
    (PlayerCountError("2, 3 or 4"), "2, 3 or 4", "für 2, 3 oder 4 Spieler"),
    (VariantError("for 2"), "for 2", "nur für 2 Spieler"),
    (UnknownLanguageError("xx"), "not in 'xx'", "not in 'xx'"),
    (
        IllegalActionError(
            violation("BLD-3", Code.SITE_TAKEN, "it carries a house of seat 1", site=3, owner=1)
        ),
        "it carries a house of Ben [BLD-3]",
        "auf Bauplatz 3 steht ein Haus von Ben [BLD-3]",
    ),
    (CodecError(*problems_of(WRONG)), "of 7 barrels there cannot", "von 7 Fässern können"),
    (CardSetError("my.toml", [Misprint.BANKER.at("a")]), "my.toml: ", "my.toml: a: ist nicht A"),
]


@pytest.mark.parametrize(("error", "said", "gesagt"), ERRORS)
def test_an_error_is_told_and_sent_in_both_languages(
    error: VallettaError, said: str, gesagt: str
) -> None:
    """Players have their names in it; what is sent has code, clause, facts and problems."""
    names = ("Anna", "Ben")
    for language, words in ((english, said), (german, gesagt)):
        told = language.describe_error(error, names)
        assert words in told
        sent = refusal_of(error, language, names)
        assert (sent.code, sent.message) == (error.code, told)
        assert from_json(to_json(sent)) == sent
    assert refusal_of(error).code == error.code


def test_an_illegal_move_of_a_record_is_told_in_german() -> None:
    """With its line, its move, and the violation."""
    text = "valletta: 2\nplayers: 2\n\nchance: deal A, build 3"
    with pytest.raises(RecordError) as wrong:
        parse_record(text)
    assert german.describe_error(wrong.value).startswith(
        "Zeile 4, Zug 2: gefragt ist nach dem nächsten Gebäude, und zu bauen ist darauf keine"
    )


def test_a_refusal_has_the_facts_that_can_be_sent() -> None:
    """Seats, revisions, texts and what they can mean; of a document all its problems."""
    assert refusal_of(OutOfTurnError(1, 0)).facts == {"seat": 1, "asked": 0}
    error = AmbiguousMoveError("x", (TakeGood(Good.WOOD),))
    assert refusal_of(error).facts == {"text": "x", "candidates": (TakeGood(Good.WOOD),)}
    with pytest.raises(CardSetError) as wrong:
        parse_card_set("format = 1")
    sent = refusal_of(wrong.value, german)
    assert ": 4 Probleme\n- name: fehlt" in sent.message
    assert len(sent.problems) == len(wrong.value.problems)
    assert "fehlt; zu schreiben ist" in sent.problems[0].message
    assert sent.clause is None


# A third language


def a_third_language() -> Language:
    """Return a language of one module: Latin, as far as it is English."""
    latin = ModuleType("latin")
    vars(latin).update(vars(english))
    vars(latin).update(
        NAMES=("Ruber", "Caeruleus", "Viridis", "Flavus"),
        GOOD_NAMES=dict(zip(Good, ("aurum", "lignum", "lapis", "later"), strict=True)),
        SHORT_NAMES={**english.SHORT_NAMES, C.MAID: "Ancilla"},
        VOCABULARY=attrs.evolve(english.VOCABULARY, verbs={"cape": "take", "lude": "play"}),
        describe_winner=lambda outcome, names=None: "Vicit",
    )
    return cast(Language, latin)


def test_a_third_language_is_one_module() -> None:
    """Tables and typed words take it as it is."""
    latin = a_third_language()
    state = position(seat(hand=[C.MAID], built=[7]), seat())
    assert "Ruber" in sketch_display(state, language=latin)
    assert "aurum 0 (" in describe_information(table_information(view(state, 0)), latin)
    assert parse_action(state, "lude ancillam"[:-1], latin) == legal_actions(state)[0]
    asked = position(seat(), seat(), agenda=(MaidPrompt(0),))
    assert parse_action(view(asked, 0), "cape lapis", latin) == TakeGood(Good.STONE)
    assert refusal_of(NothingToUndoError("nihil"), latin).message == "nihil"
    start = new_game()
    (event,) = transition(start, legal_actions(start)[0]).events
    assert latin.tell(event, start).subject == "site 0"
