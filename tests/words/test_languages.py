"""Tests of the languages: phrases are complete and grammatical, and a file can add a language."""

import json
import random
import re
from collections.abc import Hashable, Mapping
from functools import cache
from itertools import combinations
from pathlib import Path
from string import Formatter
from typing import Any, get_args

import pytest

import valletta_rules
import valletta_rules as vr
from tests.play.test_game import FAULTY, Log, log_with_an_undo
from tests.positions import position, seat
from tests.words.situations import SITUATIONS
from valletta_rules import words
from valletta_rules.audit.impossible import Impossible
from valletta_rules.bots import LEVELS
from valletta_rules.card_sets.misprint import Misprint
from valletta_rules.codec import Misfit
from valletta_rules.errors import MoreProblems, violation
from valletta_rules.records.damage import Damage
from valletta_rules.rulings import EDITIONS, VARIANTS
from valletta_rules.svg.palette import SEAT_PAINTS
from valletta_rules.text.misspelling import Misspelling
from valletta_rules.words.grammar import English, German
from valletta_rules.words.language import read_phrases

C = vr.Character

every_language = pytest.mark.parametrize("language", words.LANGUAGES.values(), ids=words.LANGUAGES)
"""A decorator that runs a test once for each language."""

AS_MESSAGES = ("errors", "problems", "violations")
"""Sections of phrases that English may lack, since the English messages are in the code."""

# Phrases


def phrases_of(phrases: Mapping[str, Any], path: str = "") -> dict[str, str]:
    """Flatten nested phrases to a dictionary with dotted keys. Lists become strings."""
    flat: dict[str, str] = {}
    for key, phrase in phrases.items():
        if isinstance(phrase, Mapping):
            flat |= phrases_of(phrase, f"{path}{key}.")
        else:
            flat[path + key] = str(phrase)
    return flat


@cache
def phrases(code: str) -> dict[str, str]:
    """Return the phrases of a language, except for the sections that English may lack."""
    every = phrases_of(read_phrases(code))
    return {key: phrase for key, phrase in every.items() if not key.startswith(AS_MESSAGES)}


def parts(text: str) -> list[str]:
    """Return the names of the placeholders in a phrase, without repetitions."""
    return sorted({name for _, name, _, _ in Formatter().parse(text) if name is not None})


def shape(key: str) -> str:
    """Return a key without the commands in it, since their spelling depends on the language."""
    return re.sub(r"(console\.help_\w+)\..*", r"\1", key)


@pytest.mark.parametrize("code", words.LANGUAGES)
def test_every_language_has_phrases_for_the_same_keys(code: str) -> None:
    """Missing, additional and misplaced keys are found by a comparison with English."""
    assert [*map(shape, phrases(code))] == [*map(shape, phrases("en"))]


@pytest.mark.parametrize("code", words.LANGUAGES)
def test_a_phrase_has_the_same_placeholders_in_every_language(code: str) -> None:
    """Phrases for the web page use only empty braces, since JavaScript fills them in order."""
    for key in filter(lambda key: key == shape(key), phrases("en")):
        ours, theirs = phrases("en")[key], phrases(code)[key]
        assert all((ours, theirs)), key
        assert (key, parts(ours), ours.count("{}")) == (key, parts(theirs), theirs.count("{}"))
        assert not (key.startswith("page.") and re.search("{[^}]|[^{]}", theirs)), key


@cache
def source() -> str:
    """Return the source code of all Python modules of the package."""
    package = Path(valletta_rules.__file__).parent
    return "".join(file.read_text(encoding="utf-8") for file in package.rglob("*.py"))


@pytest.mark.parametrize("code", words.LANGUAGES)
def test_every_phrase_is_used_in_the_code(code: str) -> None:
    """A phrase is used if Python code contains its key or the name of its section."""
    named = {text.rstrip(".") for text in re.findall(r"""["']([\w.-]+)["'{]""", source())}
    as_a_whole = ("vocabulary.", "violations.questions.", "violations.answers.", "page.")
    for key in (key for key in phrases_of(read_phrases(code)) if not key.startswith(as_a_whole)):
        assert {key, key.rpartition(".")[0] or "-", key.partition("-")[0]} & named, key


def test_every_key_of_a_phrase_in_the_code_exists_in_the_files() -> None:
    """Where code computes the end of a key, the files must have a key with the same beginning."""
    known = phrases_of(read_phrases("de"))
    keys = re.findall(r"""\b(?:phrase|has|table)\(\s*f?["']([\w.-]+)(?=["'{])""", source())
    assert len(keys) > 100
    assert [key for key in keys if not any(each.startswith(key) for each in known)] == []
    sections = "actions|buildings|captions|console|headings|offers|players|prompts|talk"
    named = re.findall(rf"""["']((?:{sections})\.[\w-]+)["']""", source())
    assert [key for key in named if not any(each.startswith(key) for each in known)] == []


@every_language
def test_every_type_of_prompt_action_and_event_has_a_phrase(language: words.Language) -> None:
    """The type's name is the key. Every character has phrases for its effect and its short name."""
    for section, kinds in (
        ("prompts", get_args(vr.Prompt)),
        ("actions", get_args(vr.Action)),
        ("events", get_args(vr.RedactedEvent)),
    ):
        assert not [kind for kind in kinds if not language.has(f"{section}.{kind.__name__}")]
    assert [*language.table("effects")] == [*language.table("short_names")] == [*C]


@every_language
def test_the_phrases_name_exactly_the_levels_editions_variants_and_seat_colours(
    language: words.Language,
) -> None:
    """The keys of each section equal the names in the code. No command is also a verb of a move."""
    assert language.table("page.levels").keys() == LEVELS.keys()
    assert language.table("page.editions").keys() == EDITIONS.keys()
    assert language.table("page.variants").keys() == language.table("variants").keys()
    assert language.table("variants").keys() == VARIANTS.keys()
    assert language.table("seat_colours").keys() == SEAT_PAINTS.keys()
    assert [*language.table("seat_colours").values()][:4] == [*language.names]
    assert not {*language.commands} & {*language.vocabulary.verbs}


@every_language
def test_the_phrases_for_the_page_can_be_serialised_as_json(language: words.Language) -> None:
    """They include the names of the goods and of all characters."""
    page = json.loads(json.dumps(words.page_words(language)))
    assert page["phrases"] == language.table("page.phrases")
    assert [*page["characters"]] == [character.value for character in vr.Character]
    assert page["characters"]["nun"]["name"] == language.short_names[C.NUN]
    assert page["goods"]["stone"] == language.good_names[vr.Good.STONE]


FLAWS = [*Impossible, *Misprint, *Misfit, *MoreProblems, *Misspelling, *Damage]


@pytest.mark.parametrize("flaw", FLAWS)
def test_every_kind_of_validation_error_has_a_german_message(
    flaw: Impossible | Misprint | Misfit | MoreProblems | Misspelling | Damage,
) -> None:
    """The placeholders are details of the error. In English, the error's own message is used."""
    template = words.GERMAN.table("problems")[flaw]
    names = {re.split(r"[.:\[]", name)[0] for name in parts(flaw.template)}
    assert {*parts(template)} <= names | {"goods", "character", "colour"}
    facts: dict[str, Hashable] = dict.fromkeys(names, 7)
    facts |= {"character": C.NUN, "colour": vr.Colour.BLUE, "goods": "x", "phase": vr.Phase.MAIN}
    problem = flaw.at("here", **facts)
    assert "{" not in words.GERMAN.describe_problem(problem) != problem.message
    assert words.ENGLISH.describe_problem(problem) == problem.message


def test_german_has_no_message_for_a_validation_error_that_does_not_exist() -> None:
    """When a kind of error is deleted from the code, its message must be deleted too."""
    assert {*words.GERMAN.table("problems")} == {*FLAWS}


def test_german_refusals_can_name_every_prompt_and_every_action() -> None:
    """A refusal needs the prompt in the dative and the action in the infinitive."""
    for prompt in get_args(vr.Prompt):
        assert re.match("de[mnr] ", words.GERMAN.phrase(f"violations.questions.{prompt.__name__}"))
    for action in get_args(vr.Action):
        assert "zu" in words.GERMAN.phrase(f"violations.answers.{action.__name__}")


# Grammar


CASES = ("nominative", "dative", "accusative", "from")


@pytest.mark.parametrize(
    ("character", "declined"),
    [
        (C.BUILDER, "der Baumeister, dem Baumeister, den Baumeister, vom Baumeister"),
        (C.MAID, "die Magd, der Magd, die Magd, von der Magd"),
        (C.TRADER, "die Händlerin, der Händlerin, die Händlerin, von der Händlerin"),
        (C.CARVER, "der Steinmetz, dem Steinmetzen, den Steinmetzen, vom Steinmetzen"),
        (C.ARCHITECT, "der Architekt, dem Architekten, den Architekten, vom Architekten"),
        (C.GRAND_BAILIFF, "der Großbailli, dem Großbailli, den Großbailli, vom Großbailli"),
        (C.VALETTE, "Valette, Valette, Valette, von Valette"),
        (C.PHILIP, "König Philipp, König Philipp, König Philipp, von König Philipp"),
    ],
)
def test_the_german_names_of_characters_are_declined_with_their_articles(
    character: vr.Character, declined: str
) -> None:
    """Articles follow gender and case, weak nouns end in -en, and proper names have no article."""
    assert ", ".join(words.GERMAN.form(character, case) for case in CASES) == declined
    assert declined.startswith(words.GERMAN.title(character))


@pytest.mark.parametrize(
    ("language", "goods", "words"),
    [
        (words.ENGLISH, vr.Goods(2, 0, 1), "2 gold and 1 stone"),
        (words.ENGLISH, vr.Goods(), "nothing"),
        (words.GERMAN, vr.Goods(3, 0, 2), "3 Gold und 2 Steine"),
        (words.GERMAN, vr.Goods(1, 2, 1, 4), "1 Gold, 2 Holz, 1 Stein und 4 Ziegel"),
        (words.GERMAN, vr.Goods(brick=1), "1 Ziegel"),
        (words.GERMAN, vr.Goods(), "nichts"),
    ],
)
def test_goods_are_listed_with_their_numbers_in_english_and_german(
    language: words.Language, goods: vr.Goods, words: str
) -> None:
    """The German word for stone has a plural, and an "and" precedes the last good."""
    assert language.describe_goods(goods) == words


def test_exactly_the_characters_with_feminine_names_are_feminine_in_german() -> None:
    """The feminine names end in -in or -schwester, except for the Maid (Magd)."""
    feminine = {C.MAID} | {each for each in C if each.german.endswith(("in", "schwester"))}
    assert set(German.WOMEN) == feminine


def test_english_numbers_lists_verbs_and_articles_are_grammatical() -> None:
    """The noun after 1 is singular, and an "and" precedes the last item of a list."""
    assert (words.counted(1, "point"), words.counted(2, "point")) == ("1 point", "2 points")
    assert "|".join(words.ENGLISH.joined("RBG"[:n]) for n in range(4)) == "|R|R and B|R, B and G"
    assert (words.brief(vr.Goods(2, 0, 1, 3)), words.brief(vr.Goods())) == ("2g 1s 3b", "0")
    assert words.ENGLISH.form(vr.Goods(2), "is|are") == "are"
    assert (words.ENGLISH.title(C.BUILDER), words.ENGLISH.title(C.VALETTE)) == (
        "the Builder",
        "Valette",
    )


# The course of a game

Play = tuple[vr.GameState, vr.Action]


@pytest.fixture(scope="module")
def plays() -> list[Play]:
    """Return the positions and actions of four random games of three editions."""
    played: list[Play] = []
    games = (
        (2, 2, vr.Z_MAN),
        (11, 2, vr.Z_MAN),
        (3, 3, vr.REFERENCE_MANUAL),
        (2, 2, vr.HANS_IM_GLUECK),
    )
    for seed, players, rules in games:
        rng, state = random.Random(seed), vr.new_game(players, rules=rules)
        while state.prompt is not None:
            action = rng.choice(vr.legal_actions(state))
            played.append((state, action))
            state = vr.apply(state, action)
    return played


def is_plain(text: str) -> bool:
    """Return whether a text is non-empty and free of Python code."""
    return bool(text) and not any(sign in text for sign in ("Good.", "Goods(", "None", "_", "<"))


@cache
def words_of(text: str) -> frozenset[str]:
    """Return the set of lower-case words in a text that have two or more letters."""
    return frozenset(re.findall("[a-zäöüß]{2,}", text.lower()))


IN_BOTH = {"an", "gold", "hand", "in", "pius", "valette", "von"}
"""Words with the same spelling in English and German."""


@every_language
def test_prompts_actions_and_events_are_described_in_sentences(
    plays: list[Play], language: words.Language
) -> None:
    """A prompt begins with the player's name.

    The sample contains all prompts, actions and events.
    """
    kinds = set[type]()
    chance = language.table("prompts")["DrawPrompt"].partition(" ")[0]
    for state, action in plays:
        events = vr.transition(state, action).events
        kinds |= {type(state.prompt), type(action), *map(type, events)}
        question = language.describe_prompt(state)
        assert question.startswith((chance, *(f"{name}, " for name in language.names)))
        assert question.endswith(("?", ")"))
        sentences = [language.narrate(event, state, reader=state.active) for event in events]
        assert all(each[0].isupper() and each.endswith(".") for each in sentences)
        assert all(map(is_plain, (question, language.describe_action(state, action), *sentences)))
    assert kinds == {*get_args(vr.Prompt), *get_args(vr.Action), *get_args(vr.Event)}


@every_language
def test_no_two_legal_actions_of_a_position_have_the_same_description(
    plays: list[Play], language: words.Language
) -> None:
    """A player could otherwise not distinguish the options of a list."""
    for state, _ in plays[::7]:
        described = [language.describe_action(state, action) for action in vr.legal_actions(state)]
        assert len(set(described)) == len(described)


@every_language
def test_the_descriptions_of_a_view_equal_those_of_its_position(
    plays: list[Play], language: words.Language
) -> None:
    """A viewer's redacted events are narrated to the viewer in the same words as the originals."""
    for state, action in plays[::20]:
        for watcher in (None, *state.seats):
            view = vr.view(state, watcher)
            for describe in (language.describe_prompt, language.describe_standings):
                assert describe(view) == describe(state)
            assert language.describe_action(view, action) == language.describe_action(state, action)
            assert language.describe_holdings(view.table, 0) == language.describe_holdings(state, 0)
            assert (
                words.sketch_display(view)
                == words.sketch_display(view.table)
                == words.sketch_display(state)
            )
            for event in vr.transition(state, action).events:
                sentence = language.event_sentence(vr.redact(event, watcher), view, reader=watcher)
                assert sentence == language.event_sentence(event, state, reader=watcher)


def test_german_and_english_descriptions_share_no_word_except_for_a_fixed_list(
    plays: list[Play],
) -> None:
    """An English word in a German text would be an untranslated phrase."""
    words_by_language: dict[words.Language, set[str]] = {
        language: set() for language in words.LANGUAGES.values()
    }
    kinds = ("refusal: ", "effect of ", "information")
    describers = [describe for name, describe in SITUATIONS.items() if name.startswith(kinds)]
    for language, spoken in words_by_language.items():
        spoken.update(*(words_of(describe(language)) for describe in describers))
        for state, action in plays:
            spoken |= words_of(language.describe_prompt(state))
            spoken |= words_of(language.describe_action(state, action))
            for event in vr.transition(state, action).events:
                spoken |= words_of(language.narrate(event, state, reader=state.active))
    for one, other in combinations(words_by_language.values(), 2):
        assert one & other <= IN_BOTH


def test_descriptions_call_players_by_the_names_that_the_caller_passes() -> None:
    """Without names, players are identified by colour.

    Only the player who drew a card reads its name.
    """
    given, state = vr.GoodsGiven(0, 1, vr.Goods(wood=1), "BLU-1"), position(seat(), seat())
    assert words.ENGLISH.event_sentence(given, state, ("Ann", "Jo")) == words.Sentence(
        "Ann", "gives 1 wood to Jo"
    )
    assert words.draw_players(state, ("Anna", "Ben")).count("Anna") == 1
    drawn = [
        words.ENGLISH.narrate(vr.CardDrawn(1, C.KNIGHT), state, reader=each) for each in (None, 1)
    ]
    assert drawn == ["Blue draws a card.", "Blue draws the Knight."]


# Texts for clients


def test_refusal_of_returns_the_facts_of_an_error_and_a_message_in_the_given_language() -> None:
    """The refusal of an invalid document contains all of the document's validation errors."""
    assert words.refusal_of(vr.NotAskedError(1, 0)).facts == {"seat": 1, "asked": 0}
    error = vr.AmbiguousMoveError("x", (vr.TakeGood(vr.Good.WOOD),))
    sent = words.refusal_of(error, words.GERMAN, ("Anna", "Ben"))
    assert sent.facts == {"text": "x", "candidates": (vr.TakeGood(vr.Good.WOOD),)}
    assert (sent.code, sent.message) == (error.code, words.GERMAN.describe_error(error))
    assert vr.from_json(vr.to_json(sent)) == sent
    with pytest.raises(vr.CardSetError) as wrong:
        vr.parse_card_set("format = 1")
    sent = words.refusal_of(wrong.value, words.GERMAN)
    assert ": 4 Probleme\n- name: fehlt" in sent.message
    assert len(sent.problems) == len(wrong.value.problems)
    assert "fehlt; zu schreiben ist" in sent.problems[0].message
    assert sent.clause is None
    rule = violation("SET-22", vr.Code.GOOD_NOT_OFFERED, "no gold", good=vr.Good.GOLD)
    illegal = words.refusal_of(vr.IllegalActionError(rule), words.GERMAN)
    assert (illegal.clause, illegal.message) == ("SET-22", "Gold steht hier nicht zur Wahl")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[]", "$: ein Array passt hier nicht (verlangt: ein Objekt)"),
        (
            '{"valletta_rules":2,"kind":"Action","value":{"type":"Build","site":99}}',
            "$.value.site: 99 passt hier nicht (verlangt: eine ganze Zahl von 0 bis 29)",
        ),
        (
            '{"valletta_rules":2,"kind":"Action","value":{"type":"GiveGood","good":"an object"}}',
            '$.value.good: "an object" passt hier nicht'
            " (verlangt: eines von gold, wood, stone, brick)",
        ),
        ("x", "$: das ist kein JSON (Zeile 1, Spalte 1)"),
    ],
)
def test_validation_errors_of_a_json_document_are_described_in_german(
    text: str, message: str
) -> None:
    """The message has the path in the document, the wrong value, and the expected type or range."""
    with pytest.raises(vr.CodecError) as error:
        vr.from_json(text)
    assert words.GERMAN.describe_error(error.value) == message


@pytest.mark.parametrize("log", [log for log, *_ in FAULTY])
def test_validation_errors_of_a_log_are_described_in_german(log: Log) -> None:
    """The German and English messages share no words except keys, notation and clause numbers."""
    with pytest.raises(vr.LogError) as error:
        vr.Game.replay(log(log_with_an_undo()))
    english, german = (
        words_of(each.describe_error(error.value)) for each in (words.ENGLISH, words.GERMAN)
    )
    written = {"decline", "draftgood", "good", "json", "rules", "set", "valletta", "version"}
    assert english & german <= written | IN_BOTH


# A third language


def test_the_reference_page_lists_all_names_that_valletta_rules_words_exports() -> None:
    """The page is `docs/reference/words.rst`."""
    listed = Path("docs/reference/words.rst").read_text("utf-8")
    source = Path(vr.words.__file__).read_text("utf-8")
    names = re.findall(r"(?m)^(?:from .* import .* as |def )?([A-Za-z]\w+)(?::|\(|$)", source)
    assert len(names) > 30
    assert [name for name in names if f"``{name}``" not in listed] == []


def test_a_language_made_of_phrases_alone_can_describe_and_parse_moves() -> None:
    """The test defines Latin, with English phrases wherever there is no translation."""
    latin = words.Language(
        "la",
        English(),
        {
            **words.ENGLISH.phrases,
            "names": ["Ruber", "Caeruleus", "Viridis", "Flavus"],
            "goods": dict(zip(vr.Good, ("aurum", "lignum", "lapis", "later"), strict=True)),
            "short_names": {**words.ENGLISH.phrases["short_names"], "maid": "Ancilla"},
            "vocabulary": {
                **words.ENGLISH.phrases["vocabulary"],
                "verbs": {"take": "cape", "play": "lude"},
            },
        },
    )
    state = position(seat(hand=[C.MAID], built=[7]), seat())
    assert "Ruber" in words.sketch_display(state, language=latin)
    assert "aurum 0 (" in words.describe_information(vr.table_information(vr.view(state, 0)), latin)
    assert vr.parse_action(state, "lude ancilla", latin) == vr.legal_actions(state)[0]
    maid_position = position(seat(), seat(), agenda=(vr.MaidPrompt(0),))
    assert vr.parse_action(vr.view(maid_position, 0), "cape lapis", latin) == vr.TakeGood(
        vr.Good.STONE
    )
    assert words.refusal_of(vr.NothingToUndoError("nihil"), latin).message == "nihil"
    start = vr.new_game()
    (event,) = vr.transition(start, vr.legal_actions(start)[0]).events
    assert latin.event_sentence(event, start).subject == "site 0"
