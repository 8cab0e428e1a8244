"""Tests of the messages between browsers and the server: validation, serialisation, JSON types."""

import json
import re
from collections.abc import Mapping
from typing import Any, Final, get_args

import pytest

from spec.checks import messages
from tests.web.client import CASES
from valletta_rules.web import protocol

EXAMPLES: Final[Mapping[str, Mapping[str, Any]]] = {
    message["type"]: message for message in map(json.loads, CASES["examples"])
}
"""An example of each message that a page can send, keyed by the type of the message."""


@pytest.mark.parametrize("tag", EXAMPLES)
def test_parsing_and_writing_a_message_from_a_page_does_not_change_it(tag: str) -> None:
    """Neither the message nor its JSON changes."""
    message = protocol.read_message(json.dumps(EXAMPLES[tag]))
    assert protocol.tag_of(type(message)) == tag
    assert json.loads(protocol.write(message)) == EXAMPLES[tag]
    assert protocol.read_message(protocol.write(message)) == message


def test_every_type_of_message_that_a_page_can_send_has_an_example_in_the_tests() -> None:
    """The examples are in `cases.toml`."""
    assert [protocol.tag_of(kind) for kind in get_args(protocol.PageMessage)] == [*EXAMPLES]


@pytest.mark.parametrize(("tag", "change", "expected"), CASES["messages"])
def test_a_message_with_an_invalid_key_type_or_value_raises_an_error_that_names_it(
    tag: str, change: dict[str, Any], expected: str
) -> None:
    """The class of a message defines its keys, and their types and ranges."""
    with pytest.raises(protocol.MessageError, match=re.escape(expected)):
        protocol.read_message(json.dumps({**EXAMPLES[tag], **change}))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"type": "hint", "id": "1"}', ': "revision" is missing'),
        *((text, "") for text in ("", "[]", "{", "[" * 100_000, '{"type": ["ping"]}')),
    ],
)
def test_json_that_is_not_an_object_with_a_type_and_all_keys_raises_a_message_error(
    text: str, expected: str
) -> None:
    """Invalid JSON and deeply nested JSON raise this error as well."""
    with pytest.raises(protocol.MessageError, match=rf"^not a message: \${expected}"):
        protocol.read_message(text)


def test_the_typescript_file_with_the_types_of_messages_is_current() -> None:
    """It is generated from the Python classes, and contains the messages in both directions."""
    text = messages.TYPES.read_text("utf-8")
    assert text == messages.text()
    assert [*re.findall(r'readonly type: "(.*)"', text)] == [
        protocol.tag_of(kind) for kind in get_args(protocol.PageMessage | protocol.ServerMessage)
    ]
