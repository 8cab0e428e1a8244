"""Redacted events: events without the information that is hidden from a player or a spectator.

Only the cards that other players draw are hidden. The redacted events therefore determine all
changes to the viewer's table. `fold` applies events to this table and returns the new table.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import (
    Any,
    ClassVar,
    Protocol,
    SupportsIndex,
    assert_never,
    get_args,
    get_type_hints,
    runtime_checkable,
)

import attrs

from valletta_rules.components.bags import EMPTY, CardBag
from valletta_rules.components.buildings import HOUSES_PER_PLAYER
from valletta_rules.components.characters import Character
from valletta_rules.components.display import SITES, Seat
from valletta_rules.components.goods import NOTHING, ONE
from valletta_rules.components.names import abbreviated
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
from valletta_rules.rulebook.final_phase import end_conditions
from valletta_rules.rulebook.setup import left_of_quotas
from valletta_rules.state import Phase, kind_of
from valletta_rules.views.view import PlayerView, SeenPlayer, Table, find_viewer


@attrs.frozen
class HiddenCardDrawn(Value):
    """A player drew a card, and the viewer may not know which card."""

    seat: Seat
    """The seat that drew the card."""

    clause: ClassVar[str] = "TRN-17"


RedactedEvent = Event | HiddenCardDrawn
"""Any event as a viewer may see it. The union is complete: no other type is a redacted event."""


def redact(event: Event, seat: SupportsIndex | None) -> RedactedEvent:
    """Return an event as visible to a seat, or to a spectator if `seat` is `None`.

    A `CardDrawn` by another seat becomes a `HiddenCardDrawn`. All other events are public. Raises
    `SeatError` for an invalid seat, and `TypeError` for anything but an event.

    Rules: INF-1
    """
    if not isinstance(event, RedactedEvent):
        raise TypeError(f"expected an event, not {abbreviated(event)}")
    seat = find_viewer(seat, max(SITES))
    if isinstance(event, CardDrawn) and event.seat != seat:
        return HiddenCardDrawn(event.seat)
    return event


def fold(table: Table, events: Iterable[RedactedEvent]) -> Table:
    """Return a viewer's table after the given events.

    `table` is the viewer's table before the events, which must be redacted for this viewer. After
    all events of a transition, the result is the `table` in the viewer's view of the new position.
    To get the tables after each event, call the function for one event at a time.

    Raises `RedactedForAnotherError` if a card that the viewer draws is hidden, or if `fits` is
    false for an event. Raises `TypeError` if `table` is not a `Table`.
    """
    if not isinstance(table, Table):
        raise TypeError(f"expected a table (Table), not {kind_of(table)}")
    for event in events:
        if not fits(table, event):
            raise RedactedForAnotherError(f"impossible event at this table: {abbreviated(event)}")
        table = _after(table, event)
    return table


def fits(table: Table, event: RedactedEvent) -> bool:
    """Return whether an event is well-formed and possible at a table.

    The table must contain the seat, site, building, card and goods in the event, and the event must
    be possible in the current phase. No event is possible after the end of the game.
    """
    if not isinstance(event, RedactedEvent) or table.phase is Phase.OVER:
        return False
    types = _fields()[type(event)]
    if not all(type(getattr(event, name)) is kind for name, kind in types.items()):
        return False
    seats = [getattr(event, name, 0) for name in ("seat", "giver", "taker")]
    if not all(0 <= seat < len(table.players) for seat in seats):
        return False
    player = table.players[seats[0]]
    match event:
        case BuildingDealt() | Built() | Upgraded() | ValetteMoved() | BarrelRevealed():
            return _fits_board(table, player, event)
        case CardDrawn() | HiddenCardDrawn() | Reshuffled() | CardPlayed() | Dismissed() | Hired():
            return _fits_cards(table, player, event)
        case CardCopied(_, character) | EffectFizzled(_, character):
            return character in table.played
        case GoodsTaken() | GoodsReturned() | GoodsGiven():
            return _fits_goods(table, event)
        case TurnBegan(_, number) | PointsScored(_, number):
            return number > 0
        case FinalPhaseTriggered(_, condition):
            return table.phase is Phase.MAIN and condition in end_conditions(table)
        case FinalPhaseBegan():
            return table.phase is not Phase.FINAL
        case PlayerDroppedOut():
            return not player.hand_size
        case GoodDrafted() | EffectDeclined() | PlayedCardsDiscarded() | GameEnded():
            return True
        case _:
            assert_never(event)


@cache
def _fields() -> dict[type, dict[str, type]]:
    """Return, for each type of event, the names and types of its fields."""
    hints = {kind: get_type_hints(kind) for kind in get_args(RedactedEvent)}
    return {
        kind: {name: types[name] for name in attrs.fields_dict(kind)}
        for kind, types in hints.items()
    }


def _fits_board(
    table: Table,
    player: SeenPlayer,
    event: BuildingDealt | Built | Upgraded | ValetteMoved | BarrelRevealed,
) -> bool:
    """Return whether an event is consistent with the street, the display and the player."""
    match event:
        case BuildingDealt(site, code):
            quotas = left_of_quotas(table)
            designs = [each for each in table.cards.buildings if each.code == code]
            return site == len(table.display) and any(
                table.display.count(each) < each.copies and quotas[each.colour] for each in designs
            )
        case Built(_, site, character):
            is_free = not any(site in each.built for each in table.players)
            buildings = table.display[site : site + 1] if site >= 0 else ()
            has_card = any(each.character is character for each in buildings)
            return is_free and has_card and len(player.built) < HOUSES_PER_PLAYER
        case Upgraded(_, site):
            return site in player.built and site not in player.upgraded
        case ValetteMoved(space):
            return table.valette < space <= LAST_SPACE
        case BarrelRevealed(good):
            return table.barrels[good] > 0
        case _:
            assert_never(event)


def _fits_cards(
    table: Table,
    player: SeenPlayer,
    event: CardDrawn | HiddenCardDrawn | Reshuffled | CardPlayed | Dismissed | Hired,
) -> bool:
    """Return whether the card that an event moves is in the place from which it is moved."""
    match event:
        case CardDrawn(_, character):
            pile = player.hidden if player.draw_pile is None else player.draw_pile
            return player.draw_pile_size > 0 and character in pile
        case HiddenCardDrawn():
            return player.draw_pile_size > 0
        case Reshuffled():
            return not player.draw_pile_size and table.phase is not Phase.FINAL
        case CardPlayed(_, character) | Dismissed(_, character):
            cards = player.hidden if player.hand is None else player.hand
            return player.hand_size > 0 and character in cards
        case Hired(_, character):
            return character in table.supply
        case _:
            assert_never(event)


def _fits_goods(table: Table, event: GoodsTaken | GoodsReturned | GoodsGiven) -> bool:
    """Return whether the goods that an event moves are available, and no count is negative."""
    if event.goods == NOTHING or not event.goods.covers(NOTHING):
        return False
    match event:
        case GoodsTaken():
            return True
        case GoodsReturned(seat, goods):
            return table.players[seat].goods.covers(goods)
        case GoodsGiven(giver, taker, goods):
            return giver != taker and table.players[giver].goods.covers(goods)
        case _:
            assert_never(event)


def _after(table: Table, event: RedactedEvent) -> Table:
    match event:
        case CardDrawn() | HiddenCardDrawn() | Reshuffled() | PlayedCardsDiscarded():
            return _after_cards(table, event)
        case CardPlayed() | Built() | Dismissed() | Hired():
            return _after_public_card(table, event)
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
    """Return the table after a card was drawn, or after one pile was moved to another."""
    player = table.players[event.seat]
    match event:
        case CardDrawn(seat, character):
            hand = None if player.hand is None else player.hand.plus(character)
            return _change(table, seat, hand_size=player.hand_size + 1, hand=hand)
        case HiddenCardDrawn(seat):
            if player.hand is not None:
                raise RedactedForAnotherError(
                    f"a card drawn by seat {seat} must not be hidden from this seat"
                )
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

    If the draw pile was empty, all players can deduce the cards in the hand.
    """
    return attrs.evolve(
        player,
        hidden=player.hidden + player.discard_pile,
        discard_pile=EMPTY,
        shown=player.shown if player.draw_pile_size else player.hidden,
    )


def _after_public_card(table: Table, event: CardPlayed | Built | Dismissed | Hired) -> Table:
    """Return the table after a visible card moved into or out of a hand."""
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
    """Return the table after an event that moves goods, or after a barrel was removed."""
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
    return _replace(table, seat, attrs.evolve(table.players[seat], **changes))


def _replace(table: Table, seat: int, player: SeenPlayer) -> Table:
    players = table.players
    return attrs.evolve(table, players=(*players[:seat], player, *players[seat + 1 :]))


@runtime_checkable
class Remembers(Protocol):
    """The interface of bots and other objects that receive the events of a game."""

    def begin(self, view: PlayerView) -> None:
        """Start a game with the seat's view of the first position.

        This method is called once for each game, before `see`.
        """

    def see(self, event: RedactedEvent) -> None:
        """Receive an event that is redacted for the seat. All events are passed in order."""
        ...
