"""Tests that malformed texts are refused with an error that locates and explains the problem.

The test cases are in ``malformed.toml``.
"""

import json
import random
import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

import valletta_rules as vr
from spec.checks.random_games import Temper, scaled, seeded_moves
from tests.card_sets.texts import SOUND, damaged
from tests.records.test_records import a_game
from valletta_rules.card_sets import files as card_sets
from valletta_rules.card_sets.files import CardSetError, by_table, load_card_set
from valletta_rules.codec import Misfit, from_document, reading
from valletta_rules.errors import violation
from valletta_rules.records import files as records
from valletta_rules.text.notation import read_action

CASES = tomllib.loads(Path(__file__).with_name("malformed.toml").read_text("utf-8"))

STATE = vr.resolve_chance(vr.new_game(), random.Random(1))
"""A position in a new two-player game in which a player must draft a good."""

MINE = attrs.evolve(vr.RECONSTRUCTION, name="Mine")
"""A card set that is not built in."""


def seeded_outcome() -> vr.Outcome:
    """Play a game with a fixed seed, and return the outcome."""
    *_, last = seeded_moves(vr.new_game(), 1, Temper.EAGER)
    result = vr.outcome(last.after)
    assert result is not None
    return result


TEXTS: dict[str, tuple[str, Callable[[str], object], type[vr.VallettaError]]] = {
    "position_lines": (vr.position_line(STATE), vr.parse_position_line, vr.PositionLineError),
    "records": (vr.format_record(a_game()), vr.parse_record, vr.RecordError),
    "records_with_own_cards": (
        vr.format_record(vr.Record(2, vr.RuleSet("House"), MINE)),
        vr.parse_record,
        vr.RecordError,
    ),
    "card_sets": (SOUND, vr.parse_card_set, CardSetError),
}
"""Valid texts, each with its parser and the error that the parser raises for damaged texts."""

DOCUMENTS = {
    "GameState": STATE,
    "Own": vr.new_game(cards=MINE),
    "CardSet": vr.RECONSTRUCTION,
    "Action": vr.PlayCard(vr.Character.NUN),
    "Record": vr.Record(2),
    "Violation": violation("TRN-1", vr.Code.WRONG_KIND, "no"),
    "Event": vr.CardDrawn(1, vr.Character.MAID),
    "Own view": vr.view(STATE, 0),
    "View of a spectator": vr.view(STATE, None),
    "Transition": vr.Transition(STATE, ()),
    "Outcome": seeded_outcome(),
}
"""Values whose JSON documents the tests damage."""


def has_message(error: object, expected: str) -> bool:
    """Return whether the message of an error equals `expected`.

    If `expected` ends with "...", only the beginning of the message is compared.
    """
    whole, is_long = expected.removesuffix("..."), expected.endswith("...")
    return str(error).startswith(whole) if is_long else str(error) == whole


@pytest.mark.parametrize(
    ("kind", "old", "new", "expected"),
    [
        (kind, *case)
        for kind in ("position_lines", "records", "records_with_own_cards")
        for case in CASES[kind]
    ],
)
def test_the_error_for_a_damaged_record_or_position_line_locates_the_damage(
    kind: str, old: str, new: str, expected: str
) -> None:
    """The message contains the line of the record, or the field of the position line."""
    sound, read, error = TEXTS[kind]
    assert old in sound
    with pytest.raises(error) as refused:
        read(sound.replace(old, new, 1) if old else new)
    assert has_message(refused.value, expected), refused.value


@pytest.mark.parametrize(("letter", "old", "new", "expected"), CASES["card_sets"])
def test_the_error_for_a_damaged_card_set_file_locates_the_damage(
    letter: str, old: str, new: str, expected: str
) -> None:
    """It contains the wrong value and the allowed values."""
    with pytest.raises(CardSetError) as refused:
        vr.parse_card_set(damaged(old, new, letter=letter or None))
    message = "; ".join(map(by_table, refused.value.problems))
    assert has_message(message, expected), message


FILES: dict[Callable[[str], object], tuple[type[vr.VallettaError], int, type[Exception]]] = {
    load_card_set: (CardSetError, card_sets.SIZE_LIMIT, CardSetError),
    vr.read_record: (vr.RecordError, records.SIZE_LIMIT, OSError),
}
"""Functions that read files, each with two errors and a size limit.

The first error is raised for invalid contents, and the second one for a missing file.
"""


@pytest.mark.parametrize("read", FILES)
def test_reading_a_binary_too_large_or_missing_file_raises_an_error(
    read: Callable[[str], object], tmp_path: Path
) -> None:
    """Reading stops at the size limit, even for an endless file such as ``/dev/zero``."""
    error, limit, none = FILES[read]
    path = tmp_path / "file"
    for content, pattern in (
        (b"a = 1\n# \xfc", r"line 2\)?: not UTF-8 text; save it as UTF-8"),
        (SOUND.encode("utf-16"), r"line 1\)?: not UTF-8 text"),
        (b"#" * (limit + 1), f"too large: a file has at most {limit:,} bytes"),
    ):
        path.write_bytes(content)
        with pytest.raises(error, match=pattern):
            read(str(path))
    if Path("/dev/zero").exists():
        with pytest.raises(error, match="too large"):
            read("/dev/zero")
    with pytest.raises(error, match="this is not a valid file name"):
        read("a\0b")
    for nothing in (tmp_path, tmp_path / "none"):
        with pytest.raises(none, match=r"No such file|s a directory"):
            read(str(nothing))


def changed(value: Any, way: str, to: Any) -> str:
    """Return the JSON document of `value` with the part at the path `way` replaced by `to`."""
    document = json.loads(vr.to_json(value))
    place, steps = document["value"], re.split("\t" if "\t" in way else " ", way)
    for step in steps[:-1]:
        place = place[int(step) if isinstance(place, list) else step]
    place[int(steps[-1]) if isinstance(place, list) else steps[-1]] = to
    return json.dumps(document)


DAMAGED_DOCUMENTS: list[tuple[str, str]] = [
    *(
        (changed(DOCUMENTS[kind], way, json.loads(to)), message)
        for kind, way, to, message in CASES["documents"]
    ),
    (changed(STATE, "rules name", "\udc00"), "$.value.rules.name: contains half of a character..."),
    *CASES["texts"],
    ("\ud800", "$: this is not JSON..."),
]


@pytest.mark.parametrize(("text", "expected"), DAMAGED_DOCUMENTS)
def test_the_error_for_a_damaged_json_document_contains_the_path_of_the_wrong_value(
    text: str, expected: str
) -> None:
    """The error has the path, code, message and facts of the first problem in the document."""
    with pytest.raises(vr.CodecError) as refused:
        vr.from_json(text)
    assert has_message(refused.value, expected), refused.value
    assert refused.value.__cause__ is None
    first = refused.value.problems[0]
    assert (refused.value.path, refused.value.code) == (first.path, first.code)
    assert (refused.value.message, refused.value.facts) == (first.message, first.facts)


@pytest.mark.parametrize(
    ("valette", "code"), [("-1", Misfit.OUT_OF_RANGE), ('"1"', Misfit.WRONG_TYPE)]
)
def test_a_number_out_of_range_and_a_value_of_a_wrong_type_cause_different_error_codes(
    valette: str, code: Misfit
) -> None:
    """The test changes the number of the space that the figure of Valette has reached."""
    with pytest.raises(vr.CodecError) as refused:
        vr.from_json(
            vr.to_json(STATE).replace(f'"valette":{STATE.valette}', f'"valette":{valette}', 1)
        )
    assert refused.value.code is code


def test_a_repeated_key_in_a_json_document_is_refused_even_if_an_equal_object_is_cached() -> None:
    """Reading a document caches its objects."""
    text = vr.to_json(STATE)
    assert vr.from_json(text) == STATE
    once = f'"score":{STATE.players[0].score}'
    with pytest.raises(vr.CodecError) as refused:
        vr.from_json(text.replace(once, f"{once},{once}", 1))
    assert refused.value.code is Misfit.KEY_REPEATED


def test_a_memory_error_while_reading_a_json_document_propagates(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It is not reported as a defect of the document."""
    document = json.loads(vr.to_json(STATE))
    document["value"]["players"][0]["score"] = "many"

    def starve(*_: object) -> vr.CodecError:
        raise MemoryError

    monkeypatch.setattr(reading, "unlike", starve)
    with pytest.raises(MemoryError):
        from_document(document)


@pytest.mark.parametrize(("text", "expected"), CASES["moves"])
def test_a_text_that_is_not_a_move_raises_a_not_a_move_error(text: str, expected: str) -> None:
    """The error contains the text and the reason. An illegal move raises a different error."""
    with pytest.raises(vr.NotAMoveError) as refused:
        read_action(STATE, text)
    assert has_message(refused.value, expected)
    assert (refused.value.text, str(refused.value)[-len(refused.value.reason) :]) == (
        text,
        refused.value.reason,
    )


MARKS = st.sampled_from(["\x1b[31m", "\u202e", "\x07", "\x9b"])
"""Control characters that could do harm on a terminal."""


@scaled(6)
@pytest.mark.parametrize("kind", TEXTS)
@given(data=st.data())
def test_a_randomly_damaged_text_is_parsed_or_refused_with_a_printable_error(
    kind: str, data: st.DataObject
) -> None:
    """The test fails if parsing raises any other type of error."""
    sound, read, error = TEXTS[kind]
    start = data.draw(st.integers(0, len(sound)))
    end = data.draw(st.integers(start, min(len(sound), start + 60)))
    put_in = data.draw(
        MARKS | st.text(max_size=3) | st.text('0123456789gwsb/,:#|=-+%[]{}?\n" ', max_size=6)
    )
    message = ""
    try:
        read(sound[:start] + put_in + sound[end:])
    except error as refused:
        message = str(refused)
    assert all(line.isprintable() for line in message.split("\n"))
