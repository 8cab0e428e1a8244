"""What a table in a browser tells those who sit at it, in a language, beside the game itself."""

from __future__ import annotations

from collections.abc import Mapping

import attrs


@attrs.frozen(kw_only=True)
class TableTalk:
    """The sentences of the table: what stands in braces is filled in."""

    refusals: Mapping[str, str]
    """Why something is not done, by the code of the reason."""
    laid: str
    """That the table is laid."""
    takes_back: str
    """Who takes what back."""
    new_link: str
    """Whose link has been replaced."""
    sits_in: str
    """That a player of the machine sits in, and for whom."""
    back: str
    """Who plays for himself again."""
    chance: str
    """What the page says while chance is asked, where a record ends there."""
