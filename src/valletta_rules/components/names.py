"""Functions that validate names, and abbreviate values in error messages."""

from __future__ import annotations

from typing import Final

NAME_LIMIT: Final = 80
"""The maximum number of characters in a name."""

UNFIT_NAME: Final = f"must be one line of 1 to {NAME_LIMIT} printable characters"
"""The description of valid names at the end of the error message for an invalid name."""


def is_line(text: object, limit: int) -> bool:
    """Return whether a value is a stripped line of 1 to `limit` printable characters."""
    if not isinstance(text, str) or len(text) > limit:
        return False
    return text.isprintable() and text == text.strip() != ""


def is_name(name: object) -> bool:
    """Return whether a value is a valid name."""
    return is_line(name, NAME_LIMIT)


def abbreviated(value: object) -> str:
    """Return the `repr` of a value for error messages, cut off after 200 characters."""
    try:
        text = repr(value)
    except ValueError:  # Python formats no integer of more than 4,300 digits
        text = f"a huge {type(value).__name__}"
    return text if len(text) <= 200 else f"{text[:200]}..."
