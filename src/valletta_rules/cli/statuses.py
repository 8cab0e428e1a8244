"""The exit statuses of commands that play a game, and the error that any command may raise."""

from typing import Final

DONE: Final = 0
"""Exit status: the game is over, or the player left it."""

UNFINISHED: Final = 1
"""Exit status: the game was truncated, or the output was closed."""

MISUSED: Final = 2
"""Exit status: the options are wrong or contradict each other, or a file is faulty."""

INTERRUPTED: Final = 130
"""Exit status: the user pressed Ctrl-C (128 plus the number of the signal SIGINT)."""


class ComplaintError(Exception):
    """Raised to end a command with an error message and an exit status."""

    def __init__(self, message: str, status: int = MISUSED) -> None:
        """Store `message`, which is printed, and `status`, the exit status of the command."""
        super().__init__(message)
        self.status = status
