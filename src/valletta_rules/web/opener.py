"""Functions for requests about seats: new links, substitute bots, names and rematches."""

from __future__ import annotations

import secrets
from typing import Final

import attrs

from valletta_rules.games import new_game
from valletta_rules.web import protocol
from valletta_rules.web.connections import Connection
from valletta_rules.web.game import RefusedError
from valletta_rules.web.lobby import check_seats, lay_game
from valletta_rules.web.permissions import persons_seat
from valletta_rules.web.presence import send_presence
from valletta_rules.web.showing import welcome
from valletta_rules.web.store import Keys, Occupant, TableStore
from valletta_rules.web.table import Table

STAND_IN: Final = "regular"
"""The level of substitute bots in a rematch if the previous game had no bots."""


async def renew(table: Table, connection: Connection, message: protocol.Renew) -> None:
    """Replace the link to a seat, and disconnect the pages that use the old link."""
    seat = persons_seat(table, connection, message.seat)
    token = await table.shared.database.call(TableStore.renew, table.id, seat)
    for other in [each for each in table.connections if seat in each.own]:
        if other is not connection:
            other.end("wrong-link")
            table.connections.remove(other)
    connection.send(protocol.NewLink(message.id, seat, token))
    if seat in connection.own:
        connection.sit(tuple(each for each in connection.own if each != seat))
        await welcome(table, connection, table.game.now.revision)
    send_presence(table, "talk.new_link", seat)


async def sit_in(table: Table, connection: Connection, message: protocol.SitIn) -> None:
    """Let a bot substitute for an absent person, or end the substitution."""
    seat = persons_seat(table, connection, message.seat)
    if message.level is not None and any(seat in each.own for each in table.connections):
        raise RefusedError("is-here")
    await seat_bot(table, seat, message.level)
    connection.send(protocol.Ack(message.id, table.game.now.revision))
    send_presence(table, "talk.back" if message.level is None else "talk.sits_in", seat)


async def seat_bot(table: Table, seat: int, level: str | None) -> None:
    """Let a bot of `level` substitute for a person; the level `None` ends the substitution."""
    await table.shared.database.call(TableStore.sit_in, table.id, seat, level)
    table.seats[seat] = attrs.evolve(table.seats[seat], level=level)


async def rename(table: Table, connection: Connection, message: protocol.Rename) -> None:
    """Change the name of a player who uses this page.

    Raises `TableError` if a record cannot contain the name, and `RefusedError` if the seat is not
    one of the page's own seats.
    """
    if message.seat not in connection.own:
        raise RefusedError("not-seated")
    seats = [*table.seats]
    seats[message.seat] = attrs.evolve(seats[message.seat], name=message.name.strip())
    check_seats(seats, table.game.now.start.rules)
    name = seats[message.seat].name
    await table.shared.database.call(TableStore.rename, table.id, message.seat, name)
    table.seats[:] = seats
    table.presenter.introduce(seats)
    connection.send(protocol.Ack(message.id, table.game.now.revision))
    for each in table.connections:
        await welcome(table, each, None)


async def rematch(table: Table, connection: Connection, message: protocol.Rematch) -> None:
    """Send a page the links to the rematch; open the table of the rematch if necessary.

    A bot substitutes for a person who is not connected to the old table.  The person may still join
    the rematch, which ends the substitution.
    """
    is_first = table.rematch is None
    keys = table.rematch or await _open_rematch(table, connection)
    own = tuple(sorted((seat - 1) % len(table.seats) for seat in connection.own))
    tokens = [*keys.seats]
    for seat in own:
        tokens[seat] = tokens[seat] or await table.shared.database.call(
            TableStore.renew, keys.table, seat
        )
    table.rematch = attrs.evolve(keys, seats=tuple(tokens))
    invitations = tuple(
        protocol.Invitation(seat, token)
        for seat, token in enumerate(tokens)
        if token and (is_first or seat in own)
    )
    opener = keys.opener if is_first else ""
    connection.send(protocol.Rematched(message.id, keys.table, own, opener, invitations))
    if is_first:
        send_presence(table, "talk.rematch", connection.own[0])


async def _open_rematch(table: Table, connection: Connection) -> Keys:
    """Open a table for the same players; the second player becomes the start player."""
    if not connection.own:
        raise RefusedError("not-seated")
    table.check_over()
    connected = {seat for each in table.connections for seat in each.own}
    level = next((seat.level for seat in table.seats if seat.level), STAND_IN)

    def with_substitute(number: int, seat: Occupant) -> Occupant:
        is_away = seat.kind == "person" and number not in connected
        return attrs.evolve(seat, level=seat.level or level) if is_away else seat

    first, *others = (with_substitute(*each) for each in enumerate(table.seats))
    start = table.game.now.start
    start = new_game(len(table.seats), rules=start.rules, cards=start.cards)
    laid = lay_game(secrets.token_bytes(32), start, [*others, first], table.is_coached)
    documents, seats, log = attrs.astuple(laid, recurse=False)
    return await table.shared.database.call(TableStore.create, documents, seats, log, table.id)
