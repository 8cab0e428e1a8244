"""News: the moves that a seat has missed, and its present view."""

from __future__ import annotations

import attrs

from valletta_rules.components import Count, Value
from valletta_rules.views.seen_events import RedactedEvent
from valletta_rules.views.view import PlayerView


@attrs.frozen
class News(Value):
    """The changes for a client since a revision.

    A log with an entry for each move is brought up to date by ``log[news.kept :] = news.steps``.
    """

    revision: Count
    """The current revision of the session: pass it with an action, or to ask for the next news."""
    kept: Count
    """The number of moves, from the first, that still hold; later ones that the client knew were
    undone.
    """
    steps: tuple[tuple[RedactedEvent, ...], ...]
    """The events of each move after those, redacted for the seat."""
    view: PlayerView
    """The present view of the seat."""
