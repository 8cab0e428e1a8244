"""Presence: messages about the players and spectators at a table, and the pace of its bots."""

from __future__ import annotations

from functools import cache

from valletta_rules.web.connections import Connection
from valletta_rules.web.game import RefusedError
from valletta_rules.web.protocol import Ack, Pace, Presence, SeatSeen, write
from valletta_rules.web.table import Table
from valletta_rules.words import LANGUAGES


def seats_for(table: Table, code: str) -> tuple[SeatSeen, ...]:
    """Return the seats of a table and their players.

    A player without a name is identified by colour, in the language `code`.
    """
    connected = {seat for each in table.connections for seat in each.own}
    names = table.presenter.names(code)
    return tuple(
        SeatSeen(
            seat=number,
            name=names[number],
            colour=seat.colour,
            level=seat.level if seat.kind == "bot" and not table.is_replay else None,
            sitting_in=seat.level if seat.kind == "person" else None,
            is_here=number in connected,
            is_named=bool(seat.name),
        )
        for number, seat in enumerate(table.seats)
    )


def send_presence(table: Table, notice: str | None = None, *seats: int) -> None:
    """Send a `Presence` to all pages, optionally with a notice.

    `notice` is the key of a phrase.  The notice repeats the phrase for each of `seats`, with the
    name of the player.
    """
    spectators = sum(not connection.own for connection in table.connections)

    @cache
    def presence(code: str) -> str:
        phrase, names = LANGUAGES[code].phrase, table.presenter.names(code)
        sentences = [phrase(notice, name=names[seat]) for seat in seats] if notice else []
        text = " ".join(sentences) or None
        has_rematch = table.rematch is not None
        all_seats = seats_for(table, code)
        return write(Presence(all_seats, spectators, table.pause, has_rematch, text))

    for connection in table.connections:
        connection.queue.put(presence(connection.language))


def set_pace(table: Table, connection: Connection, message: Pace) -> None:
    """Set the time that bots wait before they answer; raise `RefusedError` for a spectator."""
    if not (connection.own or connection.is_opener):
        raise RefusedError("not-seated")
    table.pause = message.pause
    connection.send(Ack(message.id, table.game.now.revision))
    send_presence(table)
