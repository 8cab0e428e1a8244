"""News: what a seat has missed, and its view of the position now."""

from __future__ import annotations

import attrs

from valletta_rules.components import Count, Value
from valletta_rules.views.seen_events import RedactedEvent
from valletta_rules.views.view import PlayerView


@attrs.frozen
class News(Value):
    """What a client has missed since a revision.

    A log with an entry for each move is brought up to date by ``log[news.kept :] = news.steps``.
    """

    revision: Count
    """The current revision of the session: pass it with an action, or to ask for the next news."""
    kept: Count
    """How many moves, from the first, still stand; later ones that the client knew were taken back.
    """
    steps: tuple[tuple[RedactedEvent, ...], ...]
    """The events of each move after those, redacted for the seat."""
    view: PlayerView
    """What the seat may know of the position now."""
