"""News: what a seat has missed, and how the table stands now."""

from __future__ import annotations

import attrs

from valletta_rules.components.limits import Count
from valletta_rules.components.values import Value
from valletta_rules.views.redaction import RedactedEvent
from valletta_rules.views.view import PlayerView


@attrs.frozen
class News(Value):
    """What somebody missed who was told of a game up to a revision.

    A log with an entry for each move is brought up to date by ``log[news.kept :] = news.steps``.
    """

    revision: Count
    """The revision of the session now: what is answered, and what to ask the next news with."""
    kept: Count
    """How many moves, from the first, stood all the time; what was known of others is taken back.
    """
    steps: tuple[tuple[RedactedEvent, ...], ...]
    """What happened in each of the moves that follow those, as the seat may know it."""
    view: PlayerView
    """What the seat may know of the position now."""
