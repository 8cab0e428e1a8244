"""Reading text files safely."""

from __future__ import annotations

import os
from pathlib import Path

import attrs

from valletta_rules.text.codes import Misspelling
from valletta_rules.text.values import UnfitError, plain


def shown_path(path: str) -> str:
    """Return the name of a file as a message can show it; see `plain`."""
    return plain(path, most=400)


def failure(error: OSError) -> str:
    """Describe an error of the system: its file, if known, and the reason."""
    if error.filename is None:
        return str(error)
    return f"{shown_path(str(error.filename))}: {error.strerror}"


def read_text(path: str | os.PathLike[str], limit: int) -> str:
    """Return the text of a file in UTF-8, with or without a byte order mark.

    Raises `UnfitError` if the file has more than `limit` bytes, is not UTF-8, or if there can be
    no file of that name; and `OSError` if it cannot be read.
    """
    try:
        with Path(path).open("rb") as file:
            content = file.read(limit + 1)
    except ValueError:
        raise UnfitError.of(Misspelling.NO_FILE_NAME) from None
    if len(content) > limit:
        raise UnfitError.of(Misspelling.FILE_TOO_LONG, most=limit)
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise attrs.evolve(UnfitError.of(Misspelling.NOT_UTF8), line=line) from None
