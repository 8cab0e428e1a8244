"""News: the moves since a revision that a client knows, and the current view of its seat."""

from __future__ import annotations

import attrs

from valletta_rules.components import Count, Value
from valletta_rules.views.seen_events import RedactedEvent
from valletta_rules.views.view import PlayerView


@attrs.frozen
class News(Value):
    """The changes of a game since a revision, for a client of a seat.

    A client with a list of moves updates it by ``moves[news.kept :] = news.steps``.
    """

    revision: Count
    """The current revision, for the client's next action and its next request for news."""
    kept: Count
    """The number of moves, from the first, that are still part of the game.

    The client deletes later moves that it has: they were undone.
    """
    steps: tuple[tuple[RedactedEvent, ...], ...]
    """The events of each move after the first `kept` moves, redacted for the seat."""
    view: PlayerView
    """The current view of the seat."""
