"""The opener of a table: new links for its seats, and bots that sit in for persons."""

from __future__ import annotations

import attrs

from valletta_rules.web.connections import Connection
from valletta_rules.web.game import RefusedError
from valletta_rules.web.permissions import persons_seat
from valletta_rules.web.presence import tell_presence
from valletta_rules.web.protocol import Ack, NewLink, Renew, SitIn
from valletta_rules.web.showing import welcome
from valletta_rules.web.store import TableStore
from valletta_rules.web.table import Table


async def renew(table: Table, connection: Connection, said: Renew) -> None:
    """Replace the link to a seat; the pages that have the old one are sent away."""
    seat = persons_seat(table, connection, said.seat)
    token = await table.shared.database.ask(TableStore.renew, table.id, seat)
    for other in [each for each in table.connections if seat in each.own]:
        if other is not connection:
            other.end("wrong-link")
            table.connections.remove(other)
    connection.tell(NewLink(said.id, seat, token))
    if seat in connection.own:
        connection.sit(tuple(each for each in connection.own if each != seat))
        await welcome(table, connection, table.game.now.revision)
    tell_presence(table, "talk.new_link", seat)


async def sit_in(table: Table, connection: Connection, said: SitIn) -> None:
    """Let a bot sit in for a person who is away, or give the seat back."""
    seat = persons_seat(table, connection, said.seat)
    if said.level is not None and any(seat in each.own for each in table.connections):
        raise RefusedError("is-here")
    await seat_bot(table, seat, said.level)
    connection.tell(Ack(said.id, table.game.now.revision))
    tell_presence(table, "talk.back" if said.level is None else "talk.sits_in", seat)


async def seat_bot(table: Table, seat: int, level: str | None) -> None:
    """Let a bot sit in for a person, or for `None` the person play again."""
    await table.shared.database.ask(TableStore.sit_in, table.id, seat, level)
    table.seats[seat] = attrs.evolve(table.seats[seat], level=level)
