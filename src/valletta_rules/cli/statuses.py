"""The exit statuses of the commands that play, and how any command says what went wrong."""

import sys
from typing import Final

DONE: Final = 0
"""Exit status: the game was played, or left at the person's wish."""

UNFINISHED: Final = 1
"""Exit status: the game was broken off, or nobody reads the output."""

MISUSED: Final = 2
"""Exit status: the options do not fit, or a file is faulty."""

INTERRUPTED: Final = 130
"""Exit status: interrupted from the keyboard, as shells count it."""


def complain(message: str, status: int = MISUSED, command: str = "valletta") -> int:
    """Say on standard error what went wrong, and return the exit status."""
    print(f"{command}: {message}", file=sys.stderr)
    return status
