"""The exit statuses of the commands that play, and the error output of all commands."""

import sys
from typing import Final

DONE: Final = 0
"""Exit status: the game was played, or left by the person."""

UNFINISHED: Final = 1
"""Exit status: the game was truncated, or the output was closed."""

MISUSED: Final = 2
"""Exit status: the options do not fit, or a file is faulty."""

INTERRUPTED: Final = 130
"""Exit status: interrupted from the keyboard, as shells count it."""


def complain(message: str, status: int = MISUSED, command: str = "valletta") -> int:
    """Print an error on standard error, and return the exit status."""
    print(f"{command}: {message}", file=sys.stderr)
    return status
