"""The text of a document: parsed within limits, and nothing lost that the reader must know."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from itertools import accumulate
from typing import Final, NoReturn

import attrs

from valletta_rules.card_sets.facts import shown
from valletta_rules.errors import VallettaError

LONGEST: Final = 2_000_000
"""How many characters a document may have; a position has about 6,000, a game about 50,000."""

DEEPEST: Final = 24
"""How deep the objects and arrays of a document may be nested; those written never get to 10."""

_LONGEST_NUMBER: Final = 20
_LONGEST_KEY: Final = 40
_LONGEST_REASON: Final = 400


class CodecError(VallettaError, ValueError):
    """A text that is no document, or a document that makes no sense; or a value that makes none."""

    reason: str
    """What is wrong."""
    path: str
    """Where it is, as in ``$.value.players[1].goods.wood``; ``$`` is the document as a whole."""

    def __init__(self, reason: str, path: str = "$") -> None:
        """Carry what is wrong, and where."""
        super().__init__(reason, path)
        self.reason, self.path = reason, path

    def __str__(self) -> str:
        """Say where the document is wrong, and why."""
        return f"{self.path}: {self.reason}"

    def within(self, step: str | int) -> CodecError:
        """Return the error as seen from one level farther out: an object's key, or an index."""
        if isinstance(step, int):
            place = f"[{step}]"
        elif step.isidentifier() and step.isascii() and len(step) <= _LONGEST_KEY:
            place = f".{step}"
        else:
            cut = step if len(step) <= _LONGEST_KEY else step[:_LONGEST_KEY] + "..."
            place = f"[{json.dumps(cut)}]"
        return CodecError(self.reason, f"${place}{self.path[1:]}")

    def at(self, place: str) -> CodecError:
        """Return the error at a place given as a path without the ``$``."""
        return CodecError(self.reason, f"${'.' if place else ''}{place}")


def cut_short(reason: str) -> str:
    """Return a reason that fits on a few lines, whatever it quotes."""
    plain = "".join(char if char.isprintable() else repr(char)[1:-1] for char in reason)
    return plain if len(plain) <= _LONGEST_REASON else plain[:_LONGEST_REASON] + "..."


@attrs.frozen
class Unfit:
    """A number that no document can hold: NaN, a fraction, or one with too many digits."""

    words: str
    """How it is called."""


class Repeating(dict[str, object]):
    """An object in which a key occurs twice."""

    key: str = ""
    """The key."""


def parse(text: object) -> object:
    """Return what a text says as JSON, with `Unfit` and `Repeating` where it oversteps itself.

    Takes time and memory in proportion to the text, and at most so much as `LONGEST` allows.
    Raises `CodecError` for what is no text, no JSON, too long or too deep.
    """
    if not isinstance(text, str):
        raise CodecError(f"a document is a text (str), not {type(text).__name__}")
    if len(text) > LONGEST:
        raise CodecError(f"a document has {LONGEST:,} characters at most, not {len(text):,}")
    _require_shallow(text)
    try:
        return json.loads(
            text,
            object_pairs_hook=_object,
            parse_int=_number,
            parse_float=_fraction,
            parse_constant=Unfit,
        )
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise CodecError(f"this is no JSON: {error.msg} ({place})") from None


_NO_BRACKETS: Final = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|[^"\[\]{}]++', re.DOTALL)
"""A string, closed or not, or anything else without brackets.

There are no two ways to match, so that it takes time in proportion to the text.
"""

_STEPS: Final = {"[": 1, "{": 1, "]": -1, "}": -1}


def _require_shallow(text: str) -> None:
    brackets = _NO_BRACKETS.sub("", text)
    if max(accumulate(map(_STEPS.__getitem__, brackets)), default=0) > DEEPEST:
        raise CodecError(f"a document is nested {DEEPEST} levels deep at most")


def _object(pairs: Sequence[tuple[str, object]]) -> dict[str, object]:
    """Return an object, marked if one of its keys is there twice."""
    content = dict(pairs)
    if len(content) == len(pairs):
        return content
    keys: set[str] = set()
    marked = Repeating(content)
    marked.key = next(key for key, _ in pairs if key in keys or keys.add(key))  # type: ignore[func-returns-value]
    return marked


def _number(digits: str) -> int | Unfit:
    return int(digits) if len(digits) <= _LONGEST_NUMBER else Unfit("a huge number")


def _fraction(digits: str) -> Unfit:
    return Unfit(digits if len(digits) <= _LONGEST_NUMBER else "a long fraction")


def refuse(wanted: str, value: object) -> NoReturn:
    """Raise the error that something else is wanted than a value."""
    raise CodecError(f"must be {wanted}, not {worded(value)}")


def worded(value: object) -> str:
    """Say what a parsed value is, in JSON's words and cut short."""
    match value:
        case None:
            return "null"
        case dict():
            return "an object"
        case list():
            return "an array"
        case Unfit(words):
            return words
        case _:
            return shown(value)
