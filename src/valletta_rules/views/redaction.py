"""Redaction: events without what a player, or a spectator, may not know.

Only which card another player draws is hidden.  The redacted events still determine how
everything on the table changes: `fold` applies them to the table before to get the table after.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar, SupportsIndex, assert_never

import attrs

from valletta_rules.components.bags import EMPTY, CardBag
from valletta_rules.components.characters import Character
from valletta_rules.components.display import SITES, Seat
from valletta_rules.components.goods import ONE
from valletta_rules.components.names import shown
from valletta_rules.components.street import LAST_SPACE
from valletta_rules.components.values import Value
from valletta_rules.errors import RedactedForAnotherError
from valletta_rules.events import (
    BarrelRevealed,
    BuildingDealt,
    Built,
    CardCopied,
    CardDrawn,
    CardPlayed,
    Dismissed,
    EffectDeclined,
    EffectFizzled,
    Event,
    FinalPhaseBegan,
    FinalPhaseTriggered,
    GameEnded,
    GoodDrafted,
    GoodsGiven,
    GoodsReturned,
    GoodsTaken,
    Hired,
    PlayedCardsDiscarded,
    PlayerDroppedOut,
    PointsScored,
    Reshuffled,
    TurnBegan,
    Upgraded,
    ValetteMoved,
)
from valletta_rules.state import Phase
from valletta_rules.views.view import SeenPlayer, Table, find_viewer


@attrs.frozen
class HiddenCardDrawn(Value):
    """A player drew a card; only that player knows which."""

    seat: Seat
    """The seat that drew."""

    clause: ClassVar[str] = "TRN-17"


RedactedEvent = Event | HiddenCardDrawn
"""Every event as a viewer may see it: a closed union."""


def redact(event: Event, seat: SupportsIndex | None) -> RedactedEvent:
    """Return an event as a seat may see it, or a spectator for `None`.

    A card drawn by another becomes a `HiddenCardDrawn`; everything else is public.
    Raises `SeatError` for a seat that no game has.

    Rules: INF-1
    """
    seat = find_viewer(seat, max(SITES))
    if isinstance(event, CardDrawn) and event.seat != seat:
        return HiddenCardDrawn(event.seat)
    return event


def fold(table: Table, events: Iterable[RedactedEvent]) -> Table:
    """Return the table after some events, given the table before them as a viewer saw it.

    Takes the events of a transition, redacted for the same viewer, and returns the `table` of that
    viewer's view of the new position.  Applied event by event, it gives each intermediate table.
    Raises `RedactedForAnotherError` if a card that the viewer draws is hidden, or if an event does
    not fit the table: if that has no such seat, free site, building, card or goods.
    """
    for event in events:
        if not fits(table, event):
            raise RedactedForAnotherError(f"at this table there cannot be {shown(event)}")
        table = _after(table, event)
    return table


def fits(table: Table, event: RedactedEvent) -> bool:
    """Tell whether a table has what an event is about: seats, site, building, card and goods."""
    seats = [getattr(event, name, 0) for name in ("seat", "giver", "taker")]
    if not all(0 <= seat < len(table.players) for seat in seats):
        return False
    player = table.players[seats[0]]
    match event:
        case BuildingDealt(site, code):
            designs = [each for each in table.cards.buildings if each.code == code]
            is_left = any(table.display.count(each) < each.copies for each in designs)
            return is_left and site == len(table.display) < SITES[len(table.players)]
        case Built(site=site, character=character):
            is_free = not any(site in each.built for each in table.players)
            in_display = 0 <= site < len(table.display)
            return is_free and in_display and table.display[site].character is character
        case Upgraded(site=site):
            return site in player.built and site not in player.upgraded
        case CardDrawn(_, character) if player.draw_pile is not None:
            return character in player.draw_pile
        case CardDrawn() | HiddenCardDrawn():
            return player.draw_pile_size > 0
        case CardPlayed(_, character) | Dismissed(_, character):
            held = player.hidden if player.hand is None else player.hand
            return player.hand_size > 0 and character in held
        case Hired(_, character):
            return character in table.supply
        case Reshuffled():
            return not player.draw_pile_size
        case GoodsReturned(_, goods):
            return player.goods.covers(goods)
        case GoodsGiven(giver, _, goods):
            return table.players[giver].goods.covers(goods)
        case BarrelRevealed(good):
            return table.barrels[good] > 0
        case ValetteMoved(space):
            return table.valette <= space <= LAST_SPACE
        case _:
            return isinstance(event, RedactedEvent)


def _after(table: Table, event: RedactedEvent) -> Table:
    match event:
        case CardDrawn() | HiddenCardDrawn() | Reshuffled() | PlayedCardsDiscarded():
            return _after_cards(table, event)
        case CardPlayed() | Built() | Dismissed() | Hired():
            return _after_a_card_seen(table, event)
        case GoodDrafted() | GoodsTaken() | GoodsReturned() | GoodsGiven() | BarrelRevealed():
            return _after_goods(table, event)
        case PointsScored(seat, points):
            return _change(table, seat, score=table.players[seat].score + points)
        case Upgraded(seat, site):
            return _change(table, seat, upgraded=table.players[seat].upgraded.plus(site))
        case BuildingDealt(_, code):
            return attrs.evolve(table, display=(*table.display, table.cards.building(code)))
        case ValetteMoved(space):
            return attrs.evolve(table, valette=space)
        case TurnBegan(seat):
            phase = Phase.MAIN if table.phase is Phase.SETUP else table.phase
            return attrs.evolve(table, active=seat, phase=phase)
        case FinalPhaseBegan():
            players = tuple(_with_discard_pile_joined(player) for player in table.players)
            return attrs.evolve(table, players=players, phase=Phase.FINAL)
        case GameEnded():
            return attrs.evolve(table, phase=Phase.OVER)
        case (
            CardCopied()
            | EffectDeclined()
            | EffectFizzled()
            | FinalPhaseTriggered()
            | PlayerDroppedOut()
        ):
            return table
        case _:
            assert_never(event)


def _after_cards(
    table: Table, event: CardDrawn | HiddenCardDrawn | Reshuffled | PlayedCardsDiscarded
) -> Table:
    """Apply the drawing of a card, or the move of one pile to another."""
    player = table.players[event.seat]
    match event:
        case CardDrawn(seat, character):
            hand = None if player.hand is None else player.hand.plus(character)
            return _change(table, seat, hand_size=player.hand_size + 1, hand=hand)
        case HiddenCardDrawn(seat):
            if player.hand is not None:
                raise RedactedForAnotherError(f"a card drawn by seat {seat} is hidden from itself")
            return _change(table, seat, hand_size=player.hand_size + 1)
        case Reshuffled(seat):
            return _replace(table, seat, _with_discard_pile_joined(player))
        case PlayedCardsDiscarded(seat):
            pile = player.discard_pile + CardBag.of(*table.played)
            return attrs.evolve(_change(table, seat, discard_pile=pile), played=())
        case _:
            assert_never(event)


def _with_discard_pile_joined(player: SeenPlayer) -> SeenPlayer:
    """Return the player with the discard pile added to the draw pile.

    If the draw pile was empty, everybody knows at this moment which cards are in the hand.
    """
    return attrs.evolve(
        player,
        hidden=player.hidden + player.discard_pile,
        discard_pile=EMPTY,
        shown=player.shown if player.draw_pile_size else player.hidden,
    )


def _after_a_card_seen(table: Table, event: CardPlayed | Built | Dismissed | Hired) -> Table:
    """Apply a card's coming into a hand or leaving it in full view."""
    seat, character = event.seat, event.character
    player = table.players[seat]
    match event:
        case CardPlayed():
            played = (*table.played, character)
            return attrs.evolve(_replace(table, seat, _losing(player, character)), played=played)
        case Dismissed():
            supply = table.supply.plus(character)
            return attrs.evolve(_replace(table, seat, _losing(player, character)), supply=supply)
        case Hired():
            supply = table.supply.minus(character)
            return attrs.evolve(_replace(table, seat, _gaining(player, character)), supply=supply)
        case Built(site=site):
            player = attrs.evolve(player, built=player.built.plus(site))
            return _replace(table, seat, _gaining(player, character))
        case _:
            assert_never(event)


def _gaining(player: SeenPlayer, character: Character) -> SeenPlayer:
    return attrs.evolve(
        player,
        hidden=player.hidden.plus(character),
        hand_size=player.hand_size + 1,
        shown=player.shown.plus(character),
        hand=None if player.hand is None else player.hand.plus(character),
    )


def _losing(player: SeenPlayer, character: Character) -> SeenPlayer:
    shown = player.shown
    return attrs.evolve(
        player,
        hidden=player.hidden.minus(character),
        hand_size=player.hand_size - 1,
        shown=shown.minus(character) if character in shown else shown,
        hand=None if player.hand is None else player.hand.minus(character),
    )


def _after_goods(
    table: Table, event: GoodDrafted | GoodsTaken | GoodsReturned | GoodsGiven | BarrelRevealed
) -> Table:
    """Apply a change of goods, or the removal of a barrel; its good comes in a separate event."""
    players = table.players
    match event:
        case GoodDrafted(seat, good):
            return _change(table, seat, goods=players[seat].goods + ONE[good])
        case GoodsTaken(seat, goods):
            return _change(table, seat, goods=players[seat].goods + goods)
        case GoodsReturned(seat, goods):
            return _change(table, seat, goods=players[seat].goods - goods)
        case GoodsGiven(giver, taker, goods):
            table = _change(table, giver, goods=players[giver].goods - goods)
            return _change(table, taker, goods=players[taker].goods + goods)
        case BarrelRevealed(good):
            return attrs.evolve(table, barrels=table.barrels - ONE[good])
        case _:
            assert_never(event)


def _change(table: Table, seat: int, **changes: Any) -> Table:
    """Return the table with some fields of one player changed."""
    return _replace(table, seat, attrs.evolve(table.players[seat], **changes))


def _replace(table: Table, seat: int, player: SeenPlayer) -> Table:
    """Return the table with one player replaced."""
    players = table.players
    return attrs.evolve(table, players=(*players[:seat], player, *players[seat + 1 :]))
