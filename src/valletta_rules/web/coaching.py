"""Functions that give advice to players: hints on request, and the coach's recommendations."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final

from valletta_rules import analysis
from valletta_rules.actions import Action
from valletta_rules.analysis.settling import Trials
from valletta_rules.analysis.words import advised, describe_loss
from valletta_rules.codec import to_document
from valletta_rules.views import PlayerView, view
from valletta_rules.web.accounts import Account
from valletta_rules.web.bot_player import history_of
from valletta_rules.web.coach import is_doubtful, is_led
from valletta_rules.web.connections import Connection
from valletta_rules.web.game import RefusedError, action_of
from valletta_rules.web.permissions import prompted_seat, question_at
from valletta_rules.web.protocol import AdvisedAnswer, Guide, Guided, Hint, Hinted, Judged, Retry
from valletta_rules.web.table import Table
from valletta_rules.web.workers import BusyError, SeatHistory, WorkerError
from valletta_rules.words import LANGUAGES

logger: Final = logging.getLogger(__name__)


def hint(table: Table, connection: Connection, message: Hint) -> None:
    """Let a worker compute advice for the player who must answer, and send a `Hinted`."""
    seat = prompted_seat(table, connection, message.revision)
    _begin(table, seat, connection.account, partial(_advise, table, connection, message))


def let_coach(table: Table) -> None:
    """If the coach must recommend an answer now, let a worker compute the recommendation."""
    now = table.game.now
    if not (table.is_coached and table.is_readable) or now.asked is None:
        return
    is_person = table.seats[now.asked].level is None
    if is_person and table.advised[0] != now.revision and is_led(table.game, now.asked):
        table.advised = now.revision, None
        _begin(table, now.asked, table.payer, partial(_lead, table, now.revision))


def _begin(
    table: Table,
    seat: int,
    payer: Account,
    then: Callable[[analysis.Advice | None], Awaitable[None]],
) -> None:
    """Compute advice for a seat, and then let the table's actor call `then` with the advice.

    If the computation fails, the argument of `then` is `None`.
    """
    now = table.game.now
    player_view, history = view(now.position, seat), history_of(now, seat)

    async def think() -> None:
        advice = None
        try:
            advice = await table.shared.workers.hint(
                player_view, history, table=table.id, payer=payer
            )
        except Exception:
            logger.exception("the computation of advice failed")
        await table.put(then, advice)

    table.begin(think())


async def _advise(
    table: Table, connection: Connection, message: Hint, advice: analysis.Advice | None
) -> None:
    now = table.game.now
    if advice is None or message.revision != now.revision:
        connection.refuse_with_code(
            message.id, now.revision, "failed" if advice is None else "stale"
        )
        return
    texts = advised(LANGUAGES[connection.language], now.position, advice)
    answers = [
        AdvisedAnswer(to_document(each.action), each.lead, each.chance, sentence, figures)
        for each, (sentence, figures) in zip(advice.suggestions, texts, strict=True)
    ]
    connection.send(Hinted(message.id, tuple(answers)))


async def _lead(table: Table, revision: int, advice: analysis.Advice | None) -> None:
    """Send the coach's advice to the pages, unless the game has changed."""
    if advice is None or revision != table.game.now.revision:
        return
    table.advised = revision, advice
    for connection in table.connections:
        if (guidance := guide(table, connection)) is not None:
            connection.send(Guided(revision, guidance))


def guide(table: Table, connection: Connection) -> Guide | None:
    """Return the text of the table's worked example, or the coach's text for the next answer."""
    if not table.is_coached:
        return table.presenter.example(connection.language)
    now = table.game.now
    if now.asked is None or connection.viewer != now.asked:
        return None
    revision, advice = table.advised
    known = advice if revision == now.revision else None
    return table.presenter.coaching(now.asked, known, connection.language)


async def doubt(table: Table, connection: Connection, seat: int, action: Action) -> str | None:
    """Return the coach's objection to an answer, or `None` if the coach does not object.

    The coach questions an answer only once.  If the player repeats the answer, it is accepted.
    """
    now, language = table.game.now, LANGUAGES[connection.language]
    if not table.is_coached or table.doubted == (now.revision, action):
        return None
    work = partial(analysis.judge, view(now.position, seat), action)
    try:
        decision = await table.shared.workers.run(work, table.payer)
    except (BusyError, WorkerError):
        return None
    if decision is None or not is_doubtful(table.game, seat, decision):
        return None
    table.doubted = now.revision, action
    return language.phrase("talk.sure", best=language.describe_action(now.position, decision.best))


def retry(table: Table, connection: Connection, message: Retry) -> None:
    """Let a worker judge another answer to a prompt of a finished game, and send a `Judged`.

    Raises `RefusedError` if the answer is not one of the legal actions.
    """
    step, seat = question_at(table, message.at)
    action, player_view = action_of(message.action), view(step.position, seat)
    if action not in player_view.legal_actions:
        raise RefusedError("stale")
    work = partial(_judged, player_view, history_of(step, seat), action)
    language = LANGUAGES[connection.language]

    async def judge() -> None:
        try:
            decision = await table.shared.workers.run(work, connection.account)
        except Exception as error:
            if not isinstance(error, BusyError):
                logger.exception("an answer could not be judged")
            reason = "too-fast" if isinstance(error, BusyError) else "failed"
            connection.refuse_with_code(message.id, table.game.now.revision, reason)
            return
        is_right = decision is None or decision.grade is analysis.Grade.GOOD
        lost = describe_loss(language, decision.lost_points, decision.error) if decision else ""
        label = language.describe_action(player_view, action)
        sentence = language.phrase(
            f"talk.{'right' if is_right else 'wrong'}", action=label, lost=lost
        )
        connection.send(Judged(message.id, is_right, sentence))

    table.begin(judge())


def _judged(
    player_view: PlayerView, history: SeatHistory, action: Action
) -> analysis.Decision | None:
    """Compare an answer with the best answer, given only the information that the seat may know."""
    return analysis.judge(player_view, action, trials=Trials(player_view, history.memory()))
