"""Updates of beliefs about hands after events that a seat or a spectator observes."""

from __future__ import annotations

from typing import Final, assert_never

from valletta_rules.components import EMPTY, CardBag
from valletta_rules.errors import RedactedForAnotherError, VallettaError
from valletta_rules.events import (
    Built,
    CardDrawn,
    CardPlayed,
    Dismissed,
    FinalPhaseBegan,
    Hired,
    Reshuffled,
)
from valletta_rules.memory.belief import Belief, Component, belief_in
from valletta_rules.views.seen_events import HiddenCardDrawn, RedactedEvent, fits
from valletta_rules.views.view import SeenPlayer, Table, find_seat

Beliefs = tuple[Belief | None, ...]
"""Beliefs about the hands of all seats, in the order of seats. The entry for a hand that the
observer can see is `None`.
"""

CardMove = HiddenCardDrawn | CardDrawn | Built | Hired | CardPlayed | Dismissed | Reshuffled
"""An event that moves a card into or out of a hand, or a discard pile to the draw pile."""

CARD_MOVES: Final = (HiddenCardDrawn, CardDrawn, Built, Hired, CardPlayed, Dismissed, Reshuffled)
"""The types of event in `CardMove`."""


class MemoryMismatchError(VallettaError, ValueError):
    """A memory and an argument belong to different seats, games or revisions of a game."""


def first_beliefs(table: Table) -> Beliefs:
    """Return the beliefs that follow from a table alone, without earlier events."""
    beliefs: list[Belief | None] = []
    for owner, player in enumerate(table.players):
        played = table.played if owner == table.active else ()
        deck = player.hidden + player.discard_pile + CardBag.of(*played)
        unseen = belief_in(deck, player.hidden, player.shown, player.hand_size)
        beliefs.append(unseen if player.hand is None else None)
    return tuple(beliefs)


def certainty(hidden: CardBag, hand: CardBag) -> Belief:
    """Return the belief of an observer who knows which cards are in the hand."""
    return Belief(hidden, len(hand), EMPTY, EMPTY, (Component(hand, 0, 1),))


def update(beliefs: Beliefs, table: Table, event: RedactedEvent) -> Beliefs:
    """Return the beliefs after an event. `table` is the table before the event.

    Raises `RedactedForAnotherError` for a visible card drawn by another seat, `SeatError` for a
    seat that the game does not have, and `MemoryMismatchError` for an impossible event.
    """
    if isinstance(event, FinalPhaseBegan):
        if not fits(table, event):
            raise _mismatch(event)
        players = zip(beliefs, table.players, strict=True)
        return tuple(each and each.after_joining(player.discard_pile) for each, player in players)
    if not isinstance(event, CARD_MOVES):
        return beliefs
    owner = find_seat(event.seat, len(table.players))
    player, belief = table.players[owner], beliefs[owner]
    if isinstance(event, CardDrawn) and belief is not None:
        raise RedactedForAnotherError(
            f"a card drawn by seat {owner} must be hidden from other viewers"
        )
    if fits(table, event):
        belief = belief and _after(belief, player, event)
        if belief is None or belief.components:
            return (*beliefs[:owner], belief, *beliefs[owner + 1 :])
    raise _mismatch(event)


def _mismatch(event: RedactedEvent) -> MemoryMismatchError:
    return MemoryMismatchError(f"impossible after the observed events: {event!r}")


def _after(belief: Belief, player: SeenPlayer, event: CardMove) -> Belief:
    """Return the belief about another seat's hand after an event that moves cards."""
    match event:
        case HiddenCardDrawn() | CardDrawn():
            return belief.after_a_drawing()
        case Built(character=kind) | Hired(character=kind):
            return belief.after_gaining(kind)
        case CardPlayed(character=kind) | Dismissed(character=kind):
            return belief.after_losing(kind)
        case Reshuffled():
            return belief.after_joining(player.discard_pile)
        case _:
            assert_never(event)
