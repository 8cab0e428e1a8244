"""The messages: strict reading, stable writing, and types that say what they are."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, Final, get_args

import attrs
import pytest

from spec.checks import messages
from tests.web.visitor import CASES
from valletta_rules.web.protocol import (
    MessageError,
    Presence,
    Said,
    SeatSeen,
    Told,
    read_card_set_text,
    read_message,
    read_new_table,
    tag_of,
    write,
)

SAID: Final[Mapping[str, Mapping[str, Any]]] = {
    "hello": {"protocol": 1, "table": "x", "tokens": ["a"], "seen": None, "language": "de"},
    "present": {"id": "1", "seat": None},
    "answer": {"id": "1", "revision": 0, "action": {"kind": "Action"}},
    "undo": {"id": "1", "revision": 3, "to": 2, "agreed": False},
    "why-not": {"id": "1", "revision": 0, "action": {}},
    "hint": {"id": "1", "revision": 0},
    "look": {"id": "1", "at": 0, "open": False},
    "renew": {"id": "1", "seat": 3},
    "sit-in": {"id": "1", "seat": 1, "level": "club"},
    "pace": {"id": "1", "pause": 500},
    "ping": {},
}
"""A message of each type."""


@pytest.mark.parametrize("tag", SAID)
def test_what_is_read_is_what_was_written(tag: str) -> None:
    """Every message of a page is read from its JSON, and written the same again."""
    content = {"type": tag, **SAID[tag]}
    message = read_message(json.dumps(content))
    assert tag_of(type(message)) == tag
    assert json.loads(write(message)) == content
    assert read_message(write(message)) == message


def test_every_message_of_a_page_has_a_sample() -> None:
    """No type is forgotten here."""
    assert [tag_of(kind) for kind in get_args(Said)] == [*SAID]


@pytest.mark.parametrize(
    ("tag", "change", "said"),
    CASES["messages"],
)
def test_what_is_no_message_is_refused(tag: str, change: dict[str, Any], said: str) -> None:
    """Keys, types and ranges are those of the class, or the error says which are not."""
    with pytest.raises(MessageError, match=re.escape(said)):
        read_message(json.dumps({"type": tag, **SAID[tag], **change}))


def test_a_missing_key_is_named() -> None:
    """No key can be left out."""
    with pytest.raises(MessageError, match=r"^no message: \$: \"revision\" is missing$"):
        read_message('{"type": "hint", "id": "1"}')


@pytest.mark.parametrize(
    "text", ["", "[]", "{", "[" * 100_000, '{"type": ["ping"]}', '{"type": 1}']
)
def test_what_is_not_even_an_object_with_a_type(text: str) -> None:
    """Anything else is no message either."""
    with pytest.raises(MessageError, match=r"^no message: \$"):
        read_message(text)


def test_what_comes_by_http() -> None:
    """The wishes of the lobby are read as strictly."""
    seat = {"name": "Anna", "colour": "red", "level": None}
    table = {
        "edition": "z-man",
        "variants": [],
        "cards": None,
        "seats": [seat],
        "is_shuffled": True,
    }
    assert read_new_table(json.dumps(table)).seats[0].name == "Anna"
    with pytest.raises(MessageError, match=r"^no message: \$\.seats\[0\]\.colour: must be"):
        read_new_table(json.dumps({**table, "seats": [{**seat, "colour": None}]}))
    assert read_card_set_text('{"text": "", "language": "en"}').text == ""


def test_only_a_message_says_what_it_is() -> None:
    """What lies in it does not."""
    seats = (SeatSeen(0, "Anna", "red", None, None, True),)
    content = json.loads(write(Presence(seats, 0, 500, None)))
    assert content["type"] == "presence"
    assert "type" not in content["seats"][0]


def test_the_types_for_pages_are_what_the_classes_say() -> None:
    """The file of types is generated, and has every message with its type."""
    text = messages.TYPES.read_text("utf-8")
    assert text == messages.text()
    for kind in get_args(Said | Told):
        declared = text.partition(f"export interface {kind.__name__} {{")[2].partition("\n}")[0]
        assert f'  readonly type: "{tag_of(kind)}";' in declared
        for field in attrs.fields(kind):
            assert f"  readonly {field.name}: " in declared
    assert "readonly action: ActionDocument;" in text
    assert "readonly log: readonly Entry[];" in text
    assert "readonly course: readonly (readonly number[])[];" in text
