"""News for a client: the moves since its last revision, and its current view."""

from __future__ import annotations

import attrs

from valletta_rules.components import Count, Value
from valletta_rules.views.seen_events import RedactedEvent
from valletta_rules.views.view import PlayerView


@attrs.frozen
class News(Value):
    """The changes in a game since an earlier revision, as the client of one seat may see them.

    A client that has a list of moves updates it with ``moves[news.kept :] = news.steps``.
    """

    revision: Count
    """The current revision. The client sends this number with its next action and its next request
    for news.
    """
    kept: Count
    """The number of moves at the start of the client's list that are still part of the game. The
    client deletes any later moves, because they were undone.
    """
    steps: tuple[tuple[RedactedEvent, ...], ...]
    """The events of each move after the first `kept` moves, redacted for the seat."""
    view: PlayerView
    """The current view of the seat."""
