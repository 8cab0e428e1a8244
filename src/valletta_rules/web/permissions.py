"""Permissions: what a page may do at a table now, and why not; what it may take back."""

from __future__ import annotations

from valletta_rules.errors import NotAskedError
from valletta_rules.web.connections import Connection
from valletta_rules.web.game import GameRevision, RefusedError
from valletta_rules.web.protocol import Undo, UndoOffer
from valletta_rules.web.table import Table


def check_now(table: Table, connection: Connection, revision: int) -> None:
    """Raise `RefusedError` if a page may not act, or speaks of another revision."""
    for is_so, code in (
        (table.is_replay, "is-replay"),
        (not connection.own, "not-seated"),
        (not table.is_readable, "unreadable"),
        (revision != table.game.now.revision, "stale"),
        (table.is_full, "too-long"),
    ):
        if is_so:
            raise RefusedError(code)


def asked_of(table: Table, connection: Connection, revision: int) -> int:
    """Return the seat that is asked.

    Raises `NotAskedError` or `RefusedError` if this page may not answer for it.
    """
    check_now(table, connection, revision)
    asked = table.game.now.asked
    if asked is None or asked not in connection.own:
        raise NotAskedError(connection.own[0], asked)
    if connection.viewer != asked:
        raise RefusedError("not-present")
    return asked


def undo_offer(table: Table, connection: Connection) -> UndoOffer | None:
    """Return the step a page can take back: its own, or any if all share this screen."""
    if table.is_open or table.is_full or not (connection.own and table.is_readable):
        return None
    people = {number for number, seat in enumerate(table.seats) if seat.kind == "person"}
    found = free = table.game.free_undo(connection.own)
    if free is None and people <= {*connection.own}:
        found = table.game.last_choice(connection.own)
    if found is None:
        return None
    _, to = found
    label = table.presenter.undone(to, table.game.now.revision, connection.language)
    return UndoOffer(to, free is None and not table.is_trial, label)


def taken_back(table: Table, connection: Connection, said: Undo) -> GameRevision:
    """Return the takeback that a page asks for; raise `RefusedError` if it may not."""
    check_now(table, connection, said.revision)
    offer = undo_offer(table, connection)
    if offer is None or said.to != offer.to:
        raise RefusedError("no-undo")
    if offer.needs_agreement and not said.agreed:
        raise RefusedError("not-agreed")
    seat = table.game.steps[table.game.now.last].seat
    assert seat is not None, "an answer has a seat"
    return table.game.back(seat if seat in connection.own else connection.own[0], said.to)


def persons_seat(table: Table, connection: Connection, seat: int) -> int:
    """Return a seat that is a person's, for the opener alone; raise `RefusedError`."""
    if not connection.is_opener:
        raise RefusedError("not-opener")
    if seat >= len(table.seats) or table.seats[seat].kind != "person":
        raise RefusedError("no-person")
    return seat
