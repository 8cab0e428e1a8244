"""News for a client: the moves since a revision that it already has, and its current view."""

from __future__ import annotations

import attrs

from valletta_rules.components import Count, Value
from valletta_rules.views.seen_events import RedactedEvent
from valletta_rules.views.view import PlayerView


@attrs.frozen
class News(Value):
    """The changes in a game since a revision, as a client of a seat may see them.

    A client that keeps a list of moves updates it with ``moves[news.kept :] = news.steps``.
    """

    revision: Count
    """The current revision. The client sends it with its next action and its next request for
    news.
    """
    kept: Count
    """The number of moves, counted from the first, that are still part of the game. If the client
    has more moves, it deletes the later ones, which were undone.
    """
    steps: tuple[tuple[RedactedEvent, ...], ...]
    """The events of each move after the first `kept` moves, redacted for the seat."""
    view: PlayerView
    """The current view of the seat."""
