"""The JSON parser for documents.

Invalid numbers, and objects with repeated keys, become markers that the reader rejects.
"""

from __future__ import annotations

import json
import re
from collections.abc import Hashable, Mapping, Sequence
from functools import cache
from itertools import accumulate
from typing import Final

import attrs

from valletta_rules.card_sets.validation import as_written
from valletta_rules.errors import Flaw, Problem, VallettaError

LONGEST: Final = 2_000_000
"""The maximum length of a document in characters. A position has about 6,000, a game 50,000."""

DEEPEST: Final = 24
"""The maximum nesting depth of objects and arrays. Documents from `to_json` have fewer than 10
levels.
"""

LARGEST: Final = 2**53 - 1
"""The largest number in a document: up to this number, integers are exact in every language."""

LONGEST_NUMBER: Final = 20
"""The maximum number of digits of a number in an error message."""

HUGE: Final = "a huge number"
"""The text that replaces a number with more than `LONGEST_NUMBER` digits in error messages."""

_LONGEST_KEY: Final = 40


_UNLIKE: Final = "must be {wanted}, not {found}"


class Misfit(Flaw):
    """The kinds of problem in the form of a document. The contents are checked after the form."""

    NO_TEXT = "no-text", "a document is a text (str), not {found}"
    TOO_LONG = "too-long", "a document has {most:,} characters at most, not {found:,}"
    TOO_DEEP = "too-deep", "a document is nested {most} levels deep at most"
    NO_JSON = "no-json", "this is not JSON: {reason} (line {line}, column {column})"
    NO_VERSION = "no-version", '"valletta_rules" must be the version of the format, not {found}'
    OTHER_VERSION = (
        "other-version",
        "this is version {found} of the format, but this program reads version {right}:"
        " write the document as version {right}, or read it with another release of valletta-rules",
    )
    WRONG_TYPE = "wrong-type", _UNLIKE
    OUT_OF_RANGE = "out-of-range", _UNLIKE
    WRONG_FORM = "wrong-form", _UNLIKE
    UNKNOWN_WORD = "unknown-word", _UNLIKE
    TOO_LARGE = "too-large", "a number in a document is {most} at most, not {found}"
    INDENT = "indent", "the indentation per level is {most} spaces at most, not {found}"
    TOO_MANY_CARDS = "too-many-cards", "a bag holds {most} cards at most, not {found}"
    HALF_A_CHARACTER = "half-a-character", "contains half of a character (a lone surrogate)"
    KEY_MISSING = "key-missing", '"{key}" is missing'
    KEY_UNKNOWN = "key-unknown", "unknown key; allowed are: {allowed}"
    KEY_REPEATED = "key-repeated", "this key occurs twice"
    UNKNOWN_FACT = "unknown-fact", "a document cannot contain these message parameters: {found}"
    UNKNOWN_CARDS = (
        "unknown-cards",
        "there is no card set '{name}' in this package, only {known}; if another version has"
        " this card set, use that version to write the cards in full, under another name",
    )
    NOT_ASCENDING = "not-ascending", "must be greater than the item before it"
    NOT_MADE = "not-made", "{reason}"


class CodecError(VallettaError, ValueError):
    """A text is not a valid document, or its contents are impossible."""

    problems: tuple[Problem, ...]
    """The problem that prevents reading the document, or all problems of its contents.

    The path of each problem begins with ``$``, which represents the whole document.
    """

    def __init__(self, *problems: Problem) -> None:
        """Create an error with one or more problems."""
        super().__init__(*problems)
        self.problems = problems

    @property
    def path(self) -> str:
        """The path of the first problem, such as ``$.value.players[1].goods.wood``."""
        return self.problems[0].path

    @property
    def code(self) -> str:
        """The code of the first problem: a `Misfit`, or a code for impossible contents."""
        return self.problems[0].code

    @property
    def message(self) -> str:
        """A description of the first problem."""
        return self.problems[0].message

    @property
    def facts(self) -> Mapping[str, Hashable]:
        """The parameters of the first problem's message, keyed by name."""
        return self.problems[0].facts

    def __str__(self) -> str:
        """Return the path and message of the first problem, and the number of further problems."""
        first, *others = self.problems
        return f"{first} (and {len(others)} more)" if others else str(first)

    def within(self, step: str | int) -> CodecError:
        """Return the error with a longer path, which starts with an enclosing key or index."""
        if isinstance(step, int):
            place = f"[{step}]"
        elif step.isidentifier() and step.isascii() and len(step) <= _LONGEST_KEY:
            place = f".{step}"
        else:
            cut = step if len(step) <= _LONGEST_KEY else step[:_LONGEST_KEY] + "..."
            place = f"[{json.dumps(cut)}]"
        return CodecError(
            *(attrs.evolve(each, path=f"${place}{each.path[1:]}") for each in self.problems)
        )


def misfit(kind: Misfit, **facts: Hashable) -> CodecError:
    """Return an error for a problem with the whole value; `facts` are parameters of the message."""
    return CodecError(kind.at("$", **facts))


def unlike(wanted: str, value: object, kind: Misfit = Misfit.WRONG_TYPE) -> CodecError:
    """Return an error for a value that does not match the description `wanted`."""
    return misfit(kind, wanted=wanted, found=worded(value))


@attrs.frozen
class Unfit:
    """A marker for a number that documents cannot contain: NaN, a fraction, or a huge number."""

    words: str
    """The description of the number in error messages."""


class Repeating(dict[str, object]):
    """A marker for a JSON object in which a key occurs twice."""

    key: str = ""
    """The repeated key."""


def parse(text: object) -> object:
    """Parse a text as JSON, with a marker for each invalid number or object with a repeated key.

    Time and memory are proportional to the length of the text, which `LONGEST` limits. Raises
    `CodecError` for any value that is not a string, and for a text that is not JSON, too long or
    nested too deeply.
    """
    if not isinstance(text, str):
        raise misfit(Misfit.NO_TEXT, found=type(text).__name__)
    if len(text) > LONGEST:
        raise misfit(Misfit.TOO_LONG, most=LONGEST, found=len(text))
    _require_shallow(text)
    try:
        return _decoder(has_digits(text, LONGEST_NUMBER)).decode(text)
    except json.JSONDecodeError as error:
        line, column = error.lineno, error.colno
        raise misfit(Misfit.NO_JSON, reason=error.msg, line=line, column=column) from None


_NO_BRACKETS: Final = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|[^"\[\]{}]++', re.DOTALL)
"""A pattern for a string, terminated or not, or a run of characters other than brackets.

A text matches in only one way, so the time is proportional to its length.
"""

_STEPS: Final = {"(": 1, ")": -1}

_BRACKETS: Final = bytes.maketrans(b"[]{}", b"()()")
_OTHERS: Final = bytes({*range(256)} - {*b"[]{}"})


HALF_A_CHARACTER: Final = re.compile("[\\ud800-\\udfff]")
"""A pattern for a lone surrogate. Valid texts contain none."""


def _require_shallow(text: str) -> None:
    """Raise `CodecError` for a text that is nested too deeply.

    If no quotation mark is escaped, strings are removed by splitting the text at quotation marks.
    Most texts pass a fast test: if the innermost pairs of brackets are removed `DEEPEST` times, no
    brackets are left.
    """
    if text.count("[") + text.count("{") <= DEEPEST:
        return
    is_escaped = "\\" in text
    outside = _NO_BRACKETS.sub("", text) if is_escaped else "".join(text.split('"')[::2])
    brackets = outside.encode("ascii", "ignore").translate(_BRACKETS, _OTHERS)
    left = brackets
    for _ in range(DEEPEST):
        if not left:
            return
        left = left.replace(b"()", b"")
    steps = map(_STEPS.__getitem__, brackets.decode("ascii"))
    if max(accumulate(steps)) > DEEPEST:
        raise misfit(Misfit.TOO_DEEP, most=DEEPEST)


_DIGITS: Final = bytes.maketrans(b"123456789", b"0" * 9)


def has_digits(text: str, many: int) -> bool:
    """Return whether a text has `many` digits in a row."""
    return b"0" * many in text.encode("utf-8", "surrogatepass").translate(_DIGITS)


def _object(pairs: Sequence[tuple[str, object]]) -> dict[str, object]:
    """Return a JSON object, or `Repeating` if one of its keys occurs twice."""
    content = dict(pairs)
    if len(content) == len(pairs):
        return content
    keys: set[str] = set()
    marked = Repeating(content)
    marked.key = next(key for key, _ in pairs if key in keys or keys.add(key))  # type: ignore[func-returns-value]
    return marked


@cache
def _decoder(has_long_numbers: bool) -> json.JSONDecoder:
    return json.JSONDecoder(
        object_pairs_hook=_object,
        parse_int=_number if has_long_numbers else None,
        parse_float=_fraction,
        parse_constant=Unfit,
    )


def _number(digits: str) -> int | Unfit:
    return int(digits) if len(digits) <= LONGEST_NUMBER else Unfit(HUGE)


def _fraction(digits: str) -> int | Unfit:
    """Parse a number with a decimal point or an exponent. The result for ``2.0`` is an integer."""
    if (number := whole_number(float(digits))) is not None:
        return number
    return Unfit(digits if len(digits) <= LONGEST_NUMBER else "a long fraction")


def whole_number(value: object) -> int | None:
    """Return a parsed number as an integer, such as 2 for ``2.0``, or `None` for any other value.

    In JSON and JavaScript, ``2``, ``2.0`` and ``2e0`` are the same number.
    """
    if type(value) is float and value.is_integer() and abs(value) <= LARGEST:
        return int(value)
    return value if type(value) is int else None


def an_object(value: object) -> dict[str, object]:
    """Return the value if it is an object without repeated keys, otherwise raise `CodecError`."""
    if not isinstance(value, dict):
        raise unlike("an object", value)
    if isinstance(value, Repeating):
        raise misfit(Misfit.KEY_REPEATED).within(value.key)
    return value


def worded(value: object) -> str:
    """Describe a parsed value briefly, in JSON terms."""
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
            return as_written(value)
