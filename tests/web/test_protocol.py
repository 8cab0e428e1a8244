"""The messages: strict reading, stable writing, and generated types."""

import json
import re
from collections.abc import Mapping
from typing import Any, Final, get_args

import pytest

from spec.checks import messages
from tests.web.client import CASES
from valletta_rules.web import protocol

SAID: Final[Mapping[str, Mapping[str, Any]]] = {
    message["type"]: message for message in map(json.loads, CASES["said"])
}
"""A message of each type."""


@pytest.mark.parametrize("tag", SAID)
def test_every_message_is_read_back(tag: str) -> None:
    """A message of a page that is read from its JSON is written the same again."""
    message = protocol.read_message(json.dumps(SAID[tag]))
    assert protocol.tag_of(type(message)) == tag
    assert json.loads(protocol.write(message)) == SAID[tag]
    assert protocol.read_message(protocol.write(message)) == message


def test_every_message_of_a_page_has_a_sample() -> None:
    """A new type needs a sample here."""
    assert [protocol.tag_of(kind) for kind in get_args(protocol.Said)] == [*SAID]


@pytest.mark.parametrize(("tag", "change", "said"), CASES["messages"])
def test_an_invalid_message_is_refused(tag: str, change: dict[str, Any], said: str) -> None:
    """Keys, types and ranges are those of the class; the error names the invalid ones."""
    with pytest.raises(protocol.MessageError, match=re.escape(said)):
        protocol.read_message(json.dumps({**SAID[tag], **change}))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"type": "hint", "id": "1"}', ': "revision" is missing'),
        *((text, "") for text in ("", "[]", "{", "[" * 100_000, '{"type": ["ping"]}')),
    ],
)
def test_a_value_that_is_no_message_is_refused(text: str, said: str) -> None:
    """All keys are required, and a message is an object that names its type."""
    with pytest.raises(protocol.MessageError, match=rf"^not a message: \${said}"):
        protocol.read_message(text)


def test_the_types_for_pages_are_those_of_the_classes() -> None:
    """The file of types is generated, and each message has a type of its own."""
    text = messages.TYPES.read_text("utf-8")
    assert text == messages.text()
    assert [*re.findall(r'readonly type: "(.*)"', text)] == [
        protocol.tag_of(kind) for kind in get_args(protocol.Said | protocol.Told)
    ]
