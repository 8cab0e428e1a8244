"""Permissions: functions that check whether a page may send a request now."""

from __future__ import annotations

from valletta_rules.errors import NotAskedError
from valletta_rules.play.game import Game
from valletta_rules.play.undo import may_undo_own
from valletta_rules.web.connections import Connection
from valletta_rules.web.game import RefusedError
from valletta_rules.web.protocol import Undo, UndoOffer
from valletta_rules.web.table import Table


def check_now(table: Table, connection: Connection, revision: int) -> None:
    """Raise `RefusedError` if a page may not play now, or if `revision` is not the current one."""
    for is_so, code in (
        (table.is_replay, "is-replay"),
        (not connection.own, "not-seated"),
        (not table.is_readable, "unreadable"),
        (revision != table.game.now.revision, "stale"),
        (table.is_full, "too-long"),
    ):
        if is_so:
            raise RefusedError(code)


def prompted_seat(table: Table, connection: Connection, revision: int) -> int:
    """Return the seat that must answer.

    Raises `NotAskedError` or `RefusedError` if the page may not answer for that seat now.
    """
    check_now(table, connection, revision)
    seat = table.game.now.asked
    if seat is None or seat not in connection.own:
        raise NotAskedError(connection.own[0], seat)
    if connection.viewer != seat:
        raise RefusedError("not-present")
    return seat


def question_at(table: Table, revision: int) -> tuple[Game, int]:
    """Return the game at a revision, and the seat that had to answer its prompt.

    Raises `RefusedError` if the game is not over, or if no seat had to answer at this revision.
    """
    table.check_over()
    step = table.game.steps[min(revision, table.game.now.revision)]
    if step.revision < revision or step.asked is None:
        raise RefusedError("no-moment")
    return step, step.asked


def undo_offer(table: Table, connection: Connection) -> UndoOffer | None:
    """Return the takeback that a page may request now, or `None`.

    A page may take back the last answer of its own seats.  If another seat has answered since then,
    or hidden information has been revealed, only a page that all persons share may do so.
    """
    if table.is_open or table.is_full or not (connection.own and table.is_readable):
        return None
    now, own = table.game.now, connection.own
    is_free = any(may_undo_own(now.last_choice, seat) for seat in own)
    people = {number for number, seat in enumerate(table.seats) if seat.kind == "person"}
    choice = next((each for each in now.choices() if each.seat in own), None)
    if choice is None or not (is_free or people <= {*own}):
        return None
    label = table.presenter.undone(choice.revision - 1, now.revision, connection.language)
    return UndoOffer(choice.revision - 1, not (is_free or table.is_trial), label)


def game_after_undo(table: Table, connection: Connection, message: Undo, name: str) -> Game:
    """Return the game after the takeback that a page requests.

    `name` is the id of the new log entry.  Raises `RefusedError` if the page may not request this
    takeback.
    """
    check_now(table, connection, message.revision)
    offer = undo_offer(table, connection)
    if offer is None or message.to != offer.to:
        raise RefusedError("no-undo")
    if offer.needs_agreement and not message.agreed:
        raise RefusedError("not-agreed")
    seat = table.game.steps[message.to].asked
    assert seat is not None, "a seat answered there"
    return table.game.now.undo(seat=seat, revision=message.revision, to=message.to, id=name)[0]


def persons_seat(table: Table, connection: Connection, seat: int) -> int:
    """Return `seat`; raise `RefusedError` for a bot's seat, or if the page is not the opener's."""
    if not connection.is_opener:
        raise RefusedError("not-opener")
    if seat >= len(table.seats) or table.seats[seat].kind != "person":
        raise RefusedError("no-person")
    return seat
