"""What rule sets, card sets and players may be called, and how errors show what was given."""

from __future__ import annotations

from typing import Final

NAME_LIMIT: Final = 80
"""How many characters a name may have, so that it fits on a line."""

UNFIT_NAME: Final = f"must be one line of 1 to {NAME_LIMIT} printable characters"
"""Why a name is refused."""


def is_line(text: object, limit: int) -> bool:
    """Tell whether something is a text that can end a line of a file and be read back as it is."""
    if not isinstance(text, str) or len(text) > limit:
        return False
    return text.isprintable() and text == text.strip() != ""


def is_name(name: object) -> bool:
    """Tell whether something can be a name."""
    return is_line(name, NAME_LIMIT)


def shown(value: object) -> str:
    """Return a value as an error shows it: its `repr`, cut off after 200 characters."""
    try:
        text = repr(value)
    except ValueError:  # Python writes no integers of more than 4,300 digits
        text = f"a huge {type(value).__name__}"
    return text if len(text) <= 200 else f"{text[:200]}..."
