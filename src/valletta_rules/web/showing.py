"""Functions that send a game to a page: its log, and its state at a revision."""

from __future__ import annotations

from functools import partial

import attrs

from valletta_rules.card_sets.files import RECONSTRUCTION
from valletta_rules.codec import to_document
from valletta_rules.errors import IllegalActionError, MalformedActionError, VallettaError
from valletta_rules.play.game import Game
from valletta_rules.rulings import variants_of
from valletta_rules.version import __version__
from valletta_rules.views import check_by
from valletta_rules.web import pictures, protocol
from valletta_rules.web.analyses import stored_analysis
from valletta_rules.web.coaching import guide
from valletta_rules.web.connections import Connection
from valletta_rules.web.game import RefusedError, action_of
from valletta_rules.web.permissions import prompted_seat, question_at, undo_offer
from valletta_rules.web.presence import seats_for
from valletta_rules.web.presenter import Perspective, heading, rule
from valletta_rules.web.table import Table
from valletta_rules.words import LANGUAGES, refusal_of


async def welcome(table: Table, connection: Connection, received: int | None) -> None:
    """Send a `Welcome` to a page; `received` is the last revision that it has received, if any."""
    now, language = table.game.now, LANGUAGES[connection.language]
    rules, cards = now.start.rules, now.start.cards
    known = received if received is not None and 0 <= received <= now.revision else None
    missed = table.game.steps[0 if known is None else known + 1 :]
    written = partial(table.presenter.written_entry, perspective=connection.log_perspective)
    log = await table.shared.slices.each(written, missed, connection.account)
    is_analysed = table.is_open and await stored_analysis(table) is not None
    named = language.phrase("page.phrases.cards_usual") if cards == RECONSTRUCTION else cards.name
    connection.parts = {}
    message = protocol.Welcome(
        version=__version__,
        heading=heading(rules, variants_of(rules), named, language),
        seats=seats_for(table, connection.language),
        own=connection.own,
        is_opener=connection.is_opener,
        is_replay=table.is_replay,
        is_trial=table.is_trial,
        is_analysed=is_analysed,
        pause=table.pause,
        since=known,
        log=(),
        moment=moment(table, connection),
        patch=connection.show(table.presenter.view_model(now, connection.perspective)),
    )
    connection.queue.put(protocol.write_welcome(message, log))


def show_step(table: Table, step: Game, connection: Connection) -> None:
    """Send a step of the game to a page."""
    connection.turn_to(step.asked)
    entry = table.presenter.entry(step, connection.log_perspective)
    patch = connection.show(table.presenter.view_model(step, connection.perspective))
    connection.send(protocol.Stepped(entry, moment(table, connection), patch))


def moment(table: Table, connection: Connection) -> protocol.Moment:
    """Return the current `Moment` for a page, with the choices of its viewer."""
    now = table.game.now
    current = table.presenter.view_model(now, connection.perspective).moment
    is_stopped = table.is_full and not table.is_open
    sentence = LANGUAGES[connection.language].phrase("talk.refusals.too-long")
    return attrs.evolve(
        current,
        bar=sentence if is_stopped else current.bar,
        undo=undo_offer(table, connection),
        waits_for=now.asked if connection.hides(now.asked) else None,
        guide=guide(table, connection),
    )


def present(table: Table, connection: Connection, message: protocol.Present) -> None:
    """Send the current `Moment` with the hand of the player in front of the shared screen."""
    if message.seat is not None and message.seat not in connection.own:
        raise RefusedError("not-seated")
    if connection.is_shared:
        connection.viewer = message.seat
    model = table.presenter.view_model(table.game.now, connection.perspective)
    connection.send(protocol.Sight(message.id, moment(table, connection), connection.show(model)))


def show_revision(table: Table, connection: Connection, message: protocol.Look) -> None:
    """Send the `Moment` at another revision, with all hands if the page requests them.

    Raises `RefusedError` if the page requests all hands before the end of the game, or a revision
    that does not exist.
    """
    if message.at > table.game.now.revision:
        raise RefusedError("no-moment")
    if message.open and not table.is_open:
        raise RefusedError("not-over")
    perspective = attrs.evolve(connection.perspective, is_open=message.open)
    model = table.presenter.view_model(table.game.steps[message.at], perspective)
    patch = pictures.patch(connection.parts, model.parts)
    connection.send(protocol.Sight(message.id, model.moment, patch))


def reopen(table: Table, connection: Connection, message: protocol.Reopen) -> None:
    """Send a past prompt of a finished game, with the choices of the seat that answered it."""
    step, seat = question_at(table, message.at)
    perspective = Perspective(seat, connection.language)
    model = table.presenter.view_model(step, perspective, asks=True)
    patch = pictures.patch(connection.parts, model.parts)
    connection.send(protocol.Sight(message.id, model.moment, patch))


def why_not(table: Table, connection: Connection, message: protocol.WhyNot) -> None:
    """Send the reason why an action is illegal; only the player who must answer may request it."""
    seat = prompted_seat(table, connection, message.revision)
    code = connection.language
    try:
        why = check_by(table.game.now.position, seat, action_of(message.action))
        if why is None:
            connection.send(protocol.Reason(message.id, None, None))
            return
        error: VallettaError = IllegalActionError(why)
    except MalformedActionError as malformed:
        error = malformed
    refusal = refusal_of(error, LANGUAGES[code], table.presenter.names(code))
    clause = None if refusal.clause is None else rule(refusal.clause, code)
    connection.send(protocol.Reason(message.id, to_document(refusal), clause))
