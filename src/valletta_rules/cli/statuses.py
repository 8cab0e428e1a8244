"""The exit statuses of the commands that play."""

from typing import Final

DONE: Final = 0
"""Exit status: the game was played, or left at the person's wish."""

UNFINISHED: Final = 1
"""Exit status: the game was broken off, or nobody reads the output."""

MISUSED: Final = 2
"""Exit status: the options do not fit, or a file is faulty."""

INTERRUPTED: Final = 130
"""Exit status: interrupted from the keyboard, as shells count it."""
