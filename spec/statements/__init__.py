"""One formal statement for each clause, over whole steps of the game.

A step is a position, an action, the position after it and the events; the events are its journal.
A statement is a function of a few lines under the id of its clause.  It derives from the clause
what is due: entries of the journal (`posts`), the next prompt (`asks`), the legal actions
(`allows`), the probabilities of chance (`odds`), what a seat can tell apart (`hides`), or what else
holds (`always`).  `judge` compares what is due with what an engine did.

Statements import values of the game (components, actions, agenda, events, positions), and neither
the rules nor the engine that they judge.  ``README.md`` explains how to write one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import Enum
from fractions import Fraction
from types import UnionType
from typing import Any, Final, Literal, TypeVar, assert_never, get_type_hints

import attrs

from valletta_rules.actions import Action, Decline, PlayCard
from valletta_rules.agenda import Prompt
from valletta_rules.components.bags import EMPTY, CardBag
from valletta_rules.components.characters import Character
from valletta_rules.components.goods import NOTHING, ONE, Goods
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
from valletta_rules.state import GameState, Phase, Player

# The journal


def posted(table: GameState, event: Event) -> GameState:
    """Return the table after an entry of the journal; the agenda stays as it is."""
    match event:
        case BuildingDealt(_, code):
            return table.replace(display=(*table.display, table.cards.building(code)))
        case CardDrawn(seat, card):
            pile = table.players[seat].draw_pile - CardBag.of(card)
            return _with(table, seat, hand=table.players[seat].hand.plus(card), draw_pile=pile)
        case Reshuffled(seat):
            return _joined(table, seat)
        case GoodDrafted(seat, good):
            return _receiving(table, seat, ONE[good])
        case GoodsTaken(seat, goods):
            return _receiving(table, seat, goods)
        case GoodsReturned(seat, goods):
            return _receiving(table, seat, NOTHING - goods)
        case GoodsGiven(giver, taker, goods):
            return _receiving(_receiving(table, giver, NOTHING - goods), taker, goods)
        case PointsScored(seat, points):
            return _with(table, seat, score=table.players[seat].score + points)
        case TurnBegan(seat):
            phase = Phase.MAIN if table.phase is Phase.SETUP else table.phase
            return table.replace(active=seat, phase=phase)
        case CardPlayed(seat, card):
            return _losing(table, seat, card).replace(played=(*table.played, card))
        case Built(seat, site, card):
            sites = table.players[seat].built.plus(site)
            return _gaining(_with(table, seat, built=sites), seat, card)
        case Upgraded(seat, site):
            return _with(table, seat, upgraded=table.players[seat].upgraded.plus(site))
        case ValetteMoved(space):
            return table.replace(valette=space)
        case BarrelRevealed(good):
            return table.replace(barrels=table.barrels - ONE[good])
        case Dismissed(seat, card):
            return _losing(table, seat, card).replace(supply=table.supply.plus(card))
        case Hired(seat, card):
            return _gaining(table, seat, card).replace(supply=table.supply - CardBag.of(card))
        case PlayedCardsDiscarded(seat):
            pile = table.players[seat].discard_pile + CardBag.of(*table.played)
            return _with(table, seat, discard_pile=pile).replace(played=())
        case FinalPhaseBegan():
            for seat in table.seats:
                table = _joined(table, seat)
            return table.replace(phase=Phase.FINAL)
        case GameEnded():
            return table.replace(phase=Phase.OVER)
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


def _with(table: GameState, seat: int, **parts: Any) -> GameState:
    return table.with_player(seat, table.players[seat].replace(**parts))


def _receiving(table: GameState, seat: int, goods: Goods) -> GameState:
    return _with(table, seat, goods=table.players[seat].goods + goods)


def _gaining(table: GameState, seat: int, card: Character) -> GameState:
    """A card comes into a hand in full view."""
    player = table.players[seat]
    return _with(table, seat, hand=player.hand.plus(card), shown=player.shown.plus(card))


def _losing(table: GameState, seat: int, card: Character) -> GameState:
    """A card leaves a hand in full view; a copy that was shown there leaves first."""
    player = table.players[seat]
    lost = CardBag.of(card)
    shown = player.shown - lost if card in player.shown else player.shown
    return _with(table, seat, hand=player.hand - lost, shown=shown)


def _joined(table: GameState, seat: int) -> GameState:
    """The discard pile joins the draw pile; if that was empty, everybody can infer the hand."""
    player = table.players[seat]
    shown = player.shown if player.draw_pile else player.hand
    pile = player.draw_pile + player.discard_pile
    return _with(table, seat, draw_pile=pile, discard_pile=EMPTY, shown=shown)


# Steps


@attrs.frozen(eq=False)
class Step:
    """What an action led to, up to the next prompt."""

    before: GameState
    """The position in which the action was chosen."""
    action: Action
    """The action of a player, or of chance."""
    after: GameState
    """The position at the next prompt, or at the end of the game."""
    events: tuple[Event, ...]
    """The entries of the journal, in order."""
    prompt: Prompt = attrs.field(init=False)
    """The prompt that the action answers."""
    seat: int = attrs.field(init=False)
    """The seat that is asked; where chance is, the seat that draws or takes."""
    mine: Player = attrs.field(init=False)
    """The player at this seat, before the action."""
    asked: Prompt | None = attrs.field(init=False)
    """The next prompt; `None` when the game is over."""
    entries: tuple[tuple[GameState, Event], ...] = attrs.field(init=False)
    """Each entry of the journal with the table just before it."""
    table: GameState = attrs.field(init=False)
    """The table after all entries, the agenda as it was before."""

    def __attrs_post_init__(self) -> None:
        """Derive the other fields."""
        prompt: Any = self.before.prompt
        seat = getattr(prompt, "player", self.before.active) if prompt.seat is None else prompt.seat
        entries, table = [], self.before
        for event in self.events:
            entries.append((table, event))
            table = posted(table, event)
        derived = (
            prompt,
            seat,
            self.before.players[seat],
            self.after.prompt,
            tuple(entries),
            table,
        )
        for name, value in zip(_DERIVED, derived, strict=True):
            object.__setattr__(self, name, value)


_DERIVED: Final = ("prompt", "seat", "mine", "asked", "entries", "table")


def plays(step: Step, *cards: Character) -> bool:
    """Tell whether one of these cards is played with its effect."""
    action = step.action
    return type(action) is PlayCard and action.use_effect and action.character in cards


def declines(step: Step, *cards: Character) -> bool:
    """Tell whether one of these cards is played and its effect declined."""
    action = step.action
    return type(action) is PlayCard and not action.use_effect and action.character in cards


def seat_of(state: GameState) -> int:
    """Return the seat that is asked."""
    prompt: Any = state.prompt
    return int(prompt.seat)


def holds(state: GameState, card: Character) -> bool:
    """Tell whether the player who is asked has a card in the hand."""
    return card in state.players[seat_of(state)].hand


def opponents(state: GameState, seat: int) -> list[int]:
    """Return the other seats, clockwise from the next (CMP-32)."""
    players = len(state.players)
    return [(seat + steps) % players for steps in range(1, players)]


# Statements


class Applies(Enum):
    """What a statement says that applies, though nothing of its own is due."""

    APPLIES = "applies"


APPLIES: Final = Applies.APPLIES
"""An exception says this to set aside the clauses that it overrides."""

Kind = Literal["posts", "asks", "allows", "odds", "hides", "always", "defines"]

Verdicts = Iterator[tuple[Action, bool]]
"""Actions of a position, and whether they are legal."""

Posts = Callable[[Step], Iterable[Event | Applies]]
Asks = Callable[[Step], Prompt | Applies | None]
Allows = Callable[[GameState], Iterable[tuple[Action, bool]]]
Odds = Callable[[GameState], Mapping[Action, Fraction] | None]
Hides = Callable[[GameState], Iterable[tuple[tuple[int | None, GameState], bool]]]
Always = Callable[[Step], bool | None] | Callable[[GameState], bool | None]

F = TypeVar("F", bound=Callable[..., Any])


@attrs.frozen(eq=False)
class Statement:
    """A statement of one clause, or of some that cannot be stated apart."""

    kind: Kind
    """What is derived."""
    clauses: tuple[str, ...]
    """The ids of the clauses."""
    says: Callable[[Any], Any]
    """The function."""
    at: type | UnionType = object
    """The types of prompt at which it may apply."""
    last: bool = False
    """Whether it is judged only if no other statement asks a prompt."""

    @property
    def is_of_positions(self) -> bool:
        """Whether the function takes a position, not a step."""
        return GameState in get_type_hints(self.says).values()


STATEMENTS: Final[list[Statement]] = []
"""Every statement, in the order in which the chapters are imported."""


def _statement(kind: Kind, clauses: tuple[str, ...], *more: Any) -> Callable[[F], F]:
    def register(function: F) -> F:
        STATEMENTS.append(Statement(kind, clauses, function, *more))
        return function

    return register


def posts(*clauses: str, at: type | UnionType = object) -> Callable[[Posts], Posts]:
    """State which entries of the journal are due, in their order."""
    return _statement("posts", clauses, at)


def asks(
    *clauses: str, at: type | UnionType = object, last: bool = False
) -> Callable[[Asks], Asks]:
    """State which prompt is due next, if the clause says so.

    With `last` it is due only if no statement without it asks anything: the course of the turn
    goes on when the effect of a card is completed.
    """
    return _statement("asks", clauses, at, last)


def allows(*clauses: str, at: type | UnionType = object) -> Callable[[Allows], Allows]:
    """State which actions a clause makes legal or illegal."""
    return _statement("allows", clauses, at)


def odds(*clauses: str, at: type | UnionType) -> Callable[[Odds], Odds]:
    """State the answers of chance with their probabilities, if the clause says so."""
    return _statement("odds", clauses, at)


def hides(*clauses: str) -> Callable[[Hides], Hides]:
    """State which other positions a seat, or a spectator, cannot tell from this one, or can."""
    return _statement("hides", clauses)


def always(*clauses: str, at: type | UnionType = object) -> Callable[[Always], Always]:
    """State what holds of a step or of a position; `None` where the clause does not apply."""
    return _statement("always", clauses, at)


def defines(*clauses: str) -> Callable[[F], F]:
    """Give a function to other statements that says what a clause defines."""
    return _statement("defines", clauses)


def declinable(clause: str, at: type[Prompt]) -> None:
    """State that a prompt may be declined, and that nothing but this is then entered."""

    @allows(clause, at=at)
    def may_be_declined(state: GameState) -> Iterable[tuple[Action, bool]]:
        return [(Decline(), True)]

    @posts(clause, at=at)
    def is_declined(step: Step) -> Iterable[Event]:
        return [EffectDeclined(step.seat, clause)] if isinstance(step.action, Decline) else []
