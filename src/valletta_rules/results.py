"""The outcome of a game: the score sheet and the winners."""

from __future__ import annotations

import attrs

from valletta_rules.components import Count, Seat, Value
from valletta_rules.errors import ClauseId


@attrs.frozen
class Score(Value):
    """One player's line on the score sheet."""

    seat: Seat
    """The player's seat."""
    track: Count
    """The points that the player scored during the game, as shown on the score track."""
    buildings: Count
    """The points of the player's buildings. Upgraded buildings count double."""
    goods: Count
    """The points for the goods that the player has at the end: one point for every three goods."""
    houses: Count
    """The number of houses that the player built, which breaks ties."""

    @property
    def total(self) -> Count:
        """The sum of all points."""
        return self.track + self.buildings + self.goods

    def __str__(self) -> str:
        """Return the score as one line of text."""
        return (
            f"seat {self.seat}: {self.total} point{'s' * (self.total != 1)}"
            f" ({self.track} scored, {self.buildings} of buildings, {self.goods} of goods),"
            f" houses: {self.houses}"
        )


@attrs.frozen
class Outcome(Value):
    """The final scores, the winners, and the clause that decided who won."""

    scores: tuple[Score, ...]
    """The score of each seat, in seat order."""
    winners: tuple[Seat, ...]
    """The winning seats. If the victory is shared, there are several."""
    clause: ClauseId
    """The clause that decided who won: ``SCO-9`` for most points, ``SCO-10`` for most houses among
    tied players, ``SCO-11`` for a shared victory.
    """

    def __str__(self) -> str:
        """List the scores and name the winners."""
        seats = " and ".join(f"seat {seat}" for seat in self.winners)
        verb = "wins" if len(self.winners) == 1 else "share the victory"
        return "\n".join([*map(str, self.scores), f"{seats} {verb} [{self.clause}]"])
