"""The exit statuses of the commands that play, and the error output of all commands."""

from typing import Final

DONE: Final = 0
"""Exit status: the game was played, or left by the person."""

UNFINISHED: Final = 1
"""Exit status: the game was truncated, or the output was closed."""

MISUSED: Final = 2
"""Exit status: the options do not fit, or a file is faulty."""

INTERRUPTED: Final = 130
"""Exit status: interrupted from the keyboard, as shells count it."""


class ComplaintError(Exception):
    """Raised to end a command with an error message and an exit status."""

    def __init__(self, message: str, status: int = MISUSED) -> None:
        """Carry the message and the exit status."""
        super().__init__(message)
        self.status = status
