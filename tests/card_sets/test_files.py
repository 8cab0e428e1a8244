"""Tests of card-set files. An error lists all problems of a file, with their positions."""

import copy
import pickle
import tomllib
from itertools import permutations
from pathlib import Path

import attrs
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from spec.checks.random_games import card_sets
from tests.card_sets import texts
from valletta_rules.card_sets import files
from valletta_rules.card_sets.misprint import Misprint
from valletta_rules.card_sets.validation import as_written, doubts, validate
from valletta_rules.components import BUILDING_CHARACTERS, GOODS, CardSet, Good, Goods
from valletta_rules.errors import MOST_PROBLEMS, Problem, limit_problems


def test_the_message_for_a_file_with_thousands_of_problems_lists_fifty_of_them() -> None:
    """The last line counts the others.

    The attribute `problems` of the error contains all of them.
    """
    with pytest.raises(files.CardSetError) as caught:
        files.parse_card_set("format = 1\n" + '[[building]]\ncharacter = "x"\n' * 2_500)
    error = caught.value
    assert len(error.problems) > 15_000
    text = str(error).splitlines()
    assert text[0] == f"<string>: {len(error.problems):,} problems"
    assert len(text) == 1 + MOST_PROBLEMS + 1
    assert text[-1] == f"- and {len(error.problems) - MOST_PROBLEMS:,} more"
    assert limit_problems(error.problems[:MOST_PROBLEMS]) == error.problems[:MOST_PROBLEMS]


def only_problem(text: str) -> Problem:
    """Return the single problem in the text of a card-set file."""
    (problem,) = texts.problems_of(text)
    return problem


ROWS = tomllib.loads(Path(__file__).with_name("facts.toml").read_text("utf-8"))
FACTS = ROWS["facts"]

BUILDING = "\n[[building]]\n"
"""The header of a building's table in a file."""


# Valid files


def test_a_card_set_file_is_loaded_from_its_path(tmp_path: Path) -> None:
    """The file may start with a byte order mark and use Windows line endings."""
    path = tmp_path / "mine.toml"
    path.write_text(texts.SOUND, encoding="utf-8")
    assert files.load_card_set(path) == files.load_card_set(str(path)) == files.RECONSTRUCTION
    path.write_bytes(b"\xef\xbb\xbf" + texts.SOUND.replace("\n", "\r\n").encode())
    assert files.load_card_sheet(path) == files.RECONSTRUCTION_SHEET


def test_the_order_of_buildings_in_a_card_set_file_does_not_matter() -> None:
    """Reversing the tables of the buildings gives an equal card set."""
    head, *tables = texts.SOUND.split(BUILDING)
    assert files.parse_card_set(BUILDING.join([head, *reversed(tables)])) == files.RECONSTRUCTION


@pytest.mark.rule("CMP-10")
def test_designs_with_the_same_letter_are_numbered_by_cost_icon_and_points() -> None:
    """The numbers do not depend on the order of the designs in the file."""
    head, *tables = texts.damaged("copies = 3", "copies = 1", letter="A").split(BUILDING)
    banker = tables[0]
    tables += [
        banker.replace("cost = { gold = 1", "cost = { gold = 2"),
        banker.replace('icon = "gold"', 'icon = "wood"'),
    ]
    for order in permutations((tables[0], *tables[-2:])):
        cards = files.parse_card_set(BUILDING.join([head, *tables[1:-2], *order]))
        assert [each.code for each in cards.buildings][:4] == ["A", "A2", "A3", "B"]
        assert cards.building("A2").icon is Good.WOOD
        assert cards.building("A3").cost == Goods(2, 1, 1, 1)


def test_values_that_are_filled_into_the_template_are_marked_as_printed() -> None:
    """The other values are the characters and one letter, which are known from the rulebook."""
    sheet = files.parse_card_sheet(texts.filled(files.RECONSTRUCTION))
    assert sheet.cards == files.RECONSTRUCTION
    assert sheet.tally() == {files.Provenance.PRINTED: 115, files.Provenance.RULEBOOK: 24}


# Provenance of values


def test_a_card_set_file_can_set_the_provenance_of_one_kind_of_value() -> None:
    """In the test, the provenance of barrels is set. Most other values have the default."""
    text = texts.damaged('default = "reconstructed"', 'default = "printed"\nbarrels = "derived"')
    sheet = files.parse_card_sheet(text)
    assert sheet.barrels is files.Provenance.DERIVED
    assert sheet.sources[1].points is files.Provenance.PRINTED
    assert sheet.sources[1].character is files.Provenance.RULEBOOK


def test_a_building_can_override_the_provenance_of_all_or_some_of_its_values() -> None:
    """In the test, one building sets a provenance for all its values, and one only for its cost."""
    text = texts.damaged("points = 1", 'points = 1\nprovenance = "printed"', letter="B")
    text = texts.damaged(
        "points = 1", 'points = 1\nprovenance = { cost = "derived" }', letter="C", text=text
    )
    _, b, c, *_ = files.parse_card_sheet(text).sources
    assert set(attrs.astuple(b)) == {files.Provenance.PRINTED}
    assert c.cost is files.Provenance.DERIVED
    assert c.icon is files.Provenance.RECONSTRUCTED


# Damaged files: errors have the place and the allowed values


@pytest.mark.parametrize(("key", "value", "example"), ROWS["tables"]["cases"])
def test_a_simple_value_is_refused_where_a_card_set_file_must_have_a_table(
    key: str, value: str, example: str
) -> None:
    """The message shows an example of the table."""
    text = f'format = 1\nname = "x"\n{key} = {value}\n'
    assert [each.message for each in texts.problems_of(text) if texts.place_of(each) == key] == [
        example
    ]


def test_the_error_for_an_empty_card_set_file_lists_the_five_missing_keys() -> None:
    """The error lists no other problems."""
    places = [texts.place_of(each) for each in texts.problems_of("")]
    assert places == ["format", "name", "provenance", "barrels", "building"]


# Values that are not filled in


def test_the_error_for_the_unchanged_template_lists_all_values_to_be_filled_in() -> None:
    """Only the characters and the Banker's letter are filled in already."""
    problems = texts.problems_of(files.TEMPLATE)
    assert len(problems) == 24
    assert problems[0].facts["unfilled"] == ("name", *(f"barrels.{good}" for good in GOODS))
    assert problems[1].message == "still to be filled in: copies, cost, icon, points"
    assert problems[2].message == "still to be filled in: letter, copies, cost, icon, points"
    assert [each.path for each in problems[1:]] == [f"buildings[{at}]" for at in range(23)]


def test_the_error_for_a_cost_that_is_partly_filled_in_names_the_missing_goods() -> None:
    """The message identifies the building by its number and letter."""
    problem = only_problem(texts.damaged("gold = 1", 'gold = "?"', letter="B"))
    assert problem.facts["unfilled"] == ("cost.gold",)
    assert files.by_table(problem) == ('building 2 ("B"): still to be filled in: cost.gold')


@pytest.mark.parametrize("key", ["provenance", "cost", "letter"])
def test_a_question_mark_in_place_of_a_value_or_table_is_reported_as_not_filled_in(
    key: str,
) -> None:
    """The template has question marks in place of values."""
    text = texts.damaged(f"{key} = ", f'{key} = "?" # ', letter="A")
    assert key in str(only_problem(text).facts["unfilled"])


def test_the_template_has_a_table_for_each_of_the_23_characters() -> None:
    """The characters are in the order of the rulebook."""
    lines = [line for line in files.TEMPLATE.split("\n") if line.startswith("character = ")]
    assert lines[1:] == [f'character = "{each}"' for each in BUILDING_CHARACTERS]


# Files that cannot be parsed


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("format = \n", "file: not TOML: Invalid value (at line 1"),
        ("a = 1\na = 2\n", "file: not TOML: Cannot overwrite a value (at line 2"),
        ("a = " + "[\n" * 40_000, "file: not TOML: nested too deeply"),
        ("a = 1\nb = " + "9" * 297, "file (line 2): too long: a line has at most 300 ch"),
        ("#" * (files.SIZE_LIMIT + 1), "file: too large: a file has at most 100,000 bytes"),
    ],
    ids=["no-value", "twice", "nesting", "line", "large"],
)
def test_a_card_set_file_that_is_not_toml_or_too_long_is_refused_with_one_problem(
    text: str, message: str
) -> None:
    """The problem contains the number of the line, or the limit that the file exceeds."""
    assert files.by_table(only_problem(text)).startswith(message)


@pytest.mark.parametrize("key", ["a." * 20_000 + "a = 1", "[" + "a." * 20_000 + "a]"])
def test_a_key_with_thousands_of_dots_is_refused_before_the_toml_parser_runs(
    monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    """The parser would take very long to read such a key."""
    monkeypatch.setattr(tomllib, "loads", lambda _: pytest.fail("it is taken apart"))
    assert only_problem(key).message == "too long: a line has at most 300 characters"


@given(st.text() | st.text(alphabet="[]{}=\"?'\n#. abuilding1"))
@example('[[building]]\ncost = { gold = "?" }')
@example("[building]\n[provenance.default]\n[barrels.gold]")
@example('"\\u001b[31m" = 1')
def test_any_text_that_is_not_a_card_set_raises_a_card_set_error_with_printable_lines(
    text: str,
) -> None:
    """Hypothesis generates the texts."""
    with pytest.raises(files.CardSetError) as caught:
        files.parse_card_set(text)
    assert caught.value.problems
    assert all(line.isprintable() for line in str(caught.value).split("\n"))


# The text of an error


def test_a_card_set_error_shows_one_problem_on_one_line_and_several_as_a_list() -> None:
    """Each problem states its position in the file, and the clause that it contradicts, if any."""
    one = Misprint.UNFIT.at("name", reason="is wrong", line=3)
    two = Misprint.BUILDINGS.at("", right=37, found=36)
    assert str(files.CardSetError("f", (one,))) == "f: name (line 3): is wrong"
    assert str(files.CardSetError("f", (one, two))) == (
        "f: 2 problems\n- name (line 3): is wrong\n"
        "- the card set: the game has 37 building cards; these are 36 [CMP-8]"
    )


def test_the_message_of_a_card_set_error_begins_with_the_name_of_the_source() -> None:
    """Control characters in the name are escaped. A text without a name is called "<string>"."""
    for source, prefix in (
        ((), "<string>: "),
        (("upload",), "upload: "),
        (("\x1b[31m\u202e.toml",), "\\x1b[31m\\u202e.toml: "),
    ):
        with pytest.raises(files.CardSetError) as caught:
            files.parse_card_set("x", *source)
        assert str(caught.value).startswith(prefix)


@pytest.mark.parametrize(
    ("value", "words"),
    [("a\x1bü\n", '"a\\x1bü\\n"'), ("x" * 99, '"' + "x" * 40 + '..."'), (1.5, "1.5")],
)
def test_values_in_the_message_of_a_card_set_error_are_shortened_and_escaped(
    value: object, words: str
) -> None:
    """A value therefore never occupies more than one line."""
    assert as_written(value) == words


def problem_messages(card_set: CardSet) -> list[str]:
    """Return a message for each problem of a card set."""
    return [files.by_table(problem) for problem in validate(card_set)]


# Card sets that contradict the rulebook


@pytest.mark.rule("CMP-6", "CMP-8", "CMP-9", "CMP-18", "CMP-23", "SET-8")
@pytest.mark.parametrize(
    ("case", "changes", "messages"),
    [case for about in ("cards", "several", "colours", "barrels") for case in FACTS[about]],
)
def test_a_card_set_that_contradicts_the_rulebook_is_refused(
    case: str, changes: texts.Changes, messages: list[str]
) -> None:
    """Examples are 36 building cards, too few green cards, or two characters with one letter."""
    assert [
        files.by_table(each) for each in texts.problems_of(texts.exchanged(changes))
    ] == messages


@pytest.mark.rule("CMP-24", "CMP-25", "CMP-26", "CMP-27")
@pytest.mark.parametrize(("case", "changes", "messages"), FACTS["doubts"])
def test_doubtful_values_in_a_card_set_are_reported_but_the_card_set_is_valid(
    case: str, changes: texts.Changes, messages: list[str]
) -> None:
    """A value is doubtful if it differs from published descriptions of the printed cards."""
    assert [
        files.by_table(each) for each in doubts(files.parse_card_set(texts.exchanged(changes)))
    ] == messages


@given(card_sets(points=9))
def test_a_random_card_set_for_tests_does_not_contradict_the_rulebook(cards: CardSet) -> None:
    """Hypothesis generates the card sets. Other tests use them as valid input."""
    assert validate(cards) == ()


@pytest.mark.rule("CMP-10")
def test_two_designs_with_equal_values_are_refused() -> None:
    """Cards with equal values must be declared as several copies of one design."""
    mason = files.RECONSTRUCTION.building("D")
    twins = tuple(attrs.evolve(mason, copies=n, design=n) for n in (1, 2))
    cards = (*files.RECONSTRUCTION.buildings[:3], *twins, *files.RECONSTRUCTION.buildings[4:])
    assert problem_messages(attrs.evolve(files.RECONSTRUCTION, buildings=cards)) == [
        'building 5 ("D"): has the same values as building 4; write it once, with more copies'
    ]


def test_card_sets_are_equal_if_only_the_order_of_designs_differs() -> None:
    """A card set sorts its designs by letter."""
    backwards = tuple(reversed(files.RECONSTRUCTION.buildings))
    assert attrs.evolve(files.RECONSTRUCTION, buildings=backwards) == files.RECONSTRUCTION


def test_designs_with_the_same_letter_must_be_numbered_from_1() -> None:
    """The message names the building and the expected number."""
    first, *others = files.RECONSTRUCTION.buildings
    second_only = (attrs.evolve(first, design=2), *others)
    assert problem_messages(attrs.evolve(files.RECONSTRUCTION, buildings=second_only)) == [
        'building 1 ("A"), design: must be 1, not 2: the designs of a letter count from 1'
    ]


def test_two_designs_with_the_same_code_are_refused() -> None:
    """The code of a design consists of its letter and number."""
    first = files.RECONSTRUCTION.buildings[0]
    with pytest.raises(ValueError, match="two designs have the same code: A"):
        attrs.evolve(files.RECONSTRUCTION, buildings=(*files.RECONSTRUCTION.buildings, first))


@pytest.mark.parametrize("name", ["", " ", "x" * 81, "a\nb", "\x1b[2J", "\u202etes", "\ud83d"])
def test_a_card_set_name_that_is_empty_long_or_unprintable_is_refused(name: str) -> None:
    """A name must be safe to print on a terminal and to write to a file."""
    assert problem_messages(attrs.evolve(files.RECONSTRUCTION, name=name)) == [
        "name: must be one line of 1 to 80 printable characters"
    ]


def test_all_contradictions_of_a_card_set_are_reported_together() -> None:
    """The card set in the test has no name, no buildings and no barrels."""
    assert len(problem_messages(CardSet("", (), Goods()))) >= 7


def test_copying_a_card_sheet_returns_the_same_object() -> None:
    """A sheet is immutable, so no copy is needed. Unpickling returns an equal object."""
    for value in (files.RECONSTRUCTION_SHEET, files.RECONSTRUCTION_SHEET.sources[0]):
        assert copy.copy(value) is value
        assert copy.deepcopy([value])[0] is value
        assert pickle.loads(pickle.dumps(value)) == value
