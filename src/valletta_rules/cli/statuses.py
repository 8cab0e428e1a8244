"""The exit statuses of the commands that play."""

from typing import Final

DONE: Final = 0
"""The game was played, or left at the person's wish."""

UNFINISHED: Final = 1
"""The game was broken off, or nobody reads the output."""

MISUSED: Final = 2
"""The options do not fit, or a file is faulty."""

INTERRUPTED: Final = 130
"""Interrupted from the keyboard, as shells count it."""
