"""Formal statements of the clauses: functions that judge whole steps of the game.

A step consists of a position, an action, its events and the position after it.  The events are the
*journal* of the step, and each event is an entry.  A statement is a short function, which a
decorator registers under the id of its clause.  It computes what the clause requires: entries of
the journal (`posts`), the next prompt (`asks`), the legal actions (`allows`), the probabilities of
random outcomes (`odds`), the visible information about a player (`shows`), the positions that a
viewer cannot distinguish (`hides`), whether a table may be set up (`lays`), or any other condition
(`always`).  `judge` compares the required values with the steps of an engine.

Statements import the types of the game (components, actions, agenda, events, positions).  They
import neither the rules nor the engine, because they judge these.  ``README.md`` explains how to
write a statement.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from enum import Enum
from fractions import Fraction
from functools import partial
from inspect import signature
from types import UnionType
from typing import Any, Final, Generic, ParamSpec, TypeVar, get_type_hints

import attrs

from valletta_rules import Action, Event, GameState, Phase, Player, Prompt, events
from valletta_rules.components import EMPTY, NOTHING, ONE, CardBag, Character

# The journal


def posted(table: GameState, event: Event) -> GameState:
    """Return the position after an entry of the journal is applied; its agenda is unchanged."""
    match event:
        case events.BuildingDealt(_, code):
            return table.replace(display=(*table.display, table.cards.building(code)))
        case events.Reshuffled(seat):
            return _joined(table, seat)
        case events.TurnBegan(seat):
            phase = Phase.MAIN if table.phase is Phase.SETUP else table.phase
            return table.replace(active=seat, phase=phase)
        case events.ValetteMoved(space):
            return table.replace(valette=space)
        case events.BarrelRevealed(good):
            return table.replace(barrels=table.barrels - ONE[good])
        case events.FinalPhaseBegan():
            return _joined(table, *table.seats).replace(phase=Phase.FINAL)
        case events.GameEnded():
            return table.replace(phase=Phase.OVER)
    return _of_players(table, event)


def _of_players(table: GameState, event: Event) -> GameState:
    """Return the position after an entry about a player's goods, points, buildings or cards."""
    match event:
        case events.GoodDrafted(seat, good):
            return _adding(table, seat, goods=ONE[good])
        case events.GoodsTaken(seat, goods):
            return _adding(table, seat, goods=goods)
        case events.GoodsReturned(seat, goods):
            return _adding(table, seat, goods=NOTHING - goods)
        case events.GoodsGiven(giver, taker, goods):
            return _adding(_adding(table, giver, goods=NOTHING - goods), taker, goods=goods)
        case events.PointsScored(seat, points):
            return _adding(table, seat, score=points)
        case events.Built(seat, site, card):
            table = _with(table, seat, built=table.players[seat].built.plus(site))
            return _adding(table, seat, hand=CardBag.of(card), shown=CardBag.of(card))
        case events.Upgraded(seat, site):
            return _with(table, seat, upgraded=table.players[seat].upgraded.plus(site))
        case events.CardDrawn(seat, card):
            bag = CardBag.of(card)
            return _adding(table, seat, hand=bag, draw_pile=EMPTY - bag)
        case events.CardPlayed(seat, card):
            return _losing(table, seat, card).replace(played=(*table.played, card))
        case events.Dismissed(seat, card):
            return _losing(table, seat, card).replace(supply=table.supply.plus(card))
        case events.Hired(seat, card):
            bag = CardBag.of(card)
            return _adding(table, seat, hand=bag, shown=bag).replace(supply=table.supply - bag)
        case events.PlayedCardsDiscarded(seat):
            bag = CardBag.of(*table.played)
            return _adding(table, seat, discard_pile=bag).replace(played=())
    return table


def _with(table: GameState, seat: int, **parts: Any) -> GameState:
    return table.with_player(seat, table.players[seat].replace(**parts))


def _adding(table: GameState, seat: int, **more: Any) -> GameState:
    player = table.players[seat]
    return _with(table, seat, **{name: getattr(player, name) + more[name] for name in more})


def _losing(table: GameState, seat: int, card: Character) -> GameState:
    """Remove a card from a player's hand; if the hand shows a revealed copy, remove that copy."""
    lost = EMPTY - CardBag.of(card)
    is_shown = card in table.players[seat].shown
    return _adding(table, seat, hand=lost, shown=lost if is_shown else EMPTY)


def _joined(table: GameState, *seats: int) -> GameState:
    """Add each seat's discard pile to its draw pile; reveal the hand if the draw pile was empty."""
    for seat in seats:
        player = table.players[seat]
        shown = player.shown if player.draw_pile else player.hand
        pile = player.draw_pile + player.discard_pile
        table = _with(table, seat, draw_pile=pile, discard_pile=EMPTY, shown=shown)
    return table


# Steps


@attrs.frozen(eq=False, slots=False)
class Step:
    """An action with its consequences, up to the next prompt."""

    before: GameState
    """The position in which the action is chosen."""
    action: Any
    """The action of a player, or the outcome of a random event."""
    after: GameState
    """The position at the next prompt, or at the end of the game."""
    events: tuple[Event, ...]
    """The journal: the events of the step, in order."""
    events_for: Any = None
    """A function that returns the events as a viewer may know them.  Its argument is a seat, or
    `None` for a spectator.  The field is `None` if the engine has no views."""
    prompt: Any = attrs.field(init=False)
    """The prompt that the action answers."""
    seat: int = attrs.field(init=False)
    """The seat that must decide.  For a random event, it is the seat that draws the card or takes
    the good."""
    mine: Player = attrs.field(init=False)
    """The player in `seat` before the action."""
    now: Player = attrs.field(init=False)
    """The player in `seat` at the next prompt."""
    players: tuple[tuple[Player, Player], ...] = attrs.field(init=False)
    """For each seat, the player before the step and the player after it."""
    next_prompt: Prompt | None = attrs.field(init=False)
    """The next prompt, or `None` if the game is over."""
    entries: tuple[tuple[GameState, Event], ...] = attrs.field(init=False)
    """Each entry of the journal, with the position just before the entry."""
    table: GameState = attrs.field(init=False)
    """The position before the step with all entries of the journal applied.  Its agenda is
    unchanged."""

    def __attrs_post_init__(self) -> None:
        """Compute the fields that are derived from the others."""
        prompt: Any = self.before.prompt
        seat = getattr(prompt, "player", self.before.active) if prompt.seat is None else prompt.seat
        entries, table = list[tuple[GameState, Event]](), self.before
        for event in self.events:
            entries.append((table, event))
            with suppress(Exception):  # an entry of another table changes nothing
                table = posted(table, event)
        players = tuple(zip(self.before.players, self.after.players, strict=True))
        mine, now = players[seat]
        self.__dict__.update(prompt=prompt, seat=seat, mine=mine, now=now, players=players)
        self.__dict__.update(next_prompt=self.after.prompt, entries=tuple(entries), table=table)


@attrs.frozen(eq=False)
class Perspective:
    """A viewer's perspective on the part of the table that belongs to a player."""

    state: GameState
    """The position that is viewed."""
    viewer: int | None
    """The seat of the viewer, or `None` for a spectator."""
    owner: int
    """The seat to which this part of the table belongs."""
    view: Callable[[GameState], object] = attrs.field(default=lambda state: None)
    """A function that maps a position to the viewer's view of it."""

    @property
    def player(self) -> Player:
        """The player to whom this part of the table belongs."""
        return self.state.players[self.owner]


# Statements


class Applies(Enum):
    """The type of `APPLIES`, the result of a statement that applies but requires nothing."""

    APPLIES = "applies"


APPLIES: Final = Applies.APPLIES
"""The result of a statement that applies but requires nothing.  Such a statement belongs to an
exception; the clauses that the exception overrides are then not judged."""

Verdicts = Iterator[tuple[Action, bool]]
"""Pairs of an action and whether it is legal in the position."""

At = type | UnionType
Where = Callable[[Any], object] | None


@attrs.frozen(eq=False)
class Statement:
    """A statement of a clause, or of several clauses that cannot be stated separately."""

    kind: str
    """The kind of statement: the name of the decorator that registered it."""
    clauses: tuple[str, ...]
    """The ids of the clauses."""
    says: Callable[..., Any]
    """The decorated function, which states the clauses."""
    at: At = object
    """The types of prompt at which the statement may apply."""
    where: Where = None
    """A predicate of the step or position that must hold for the statement to apply.  `None` means
    no such condition."""
    last: bool = False
    """Whether the returned prompt is required only if no other statement requires one."""

    @property
    def is_of_positions(self) -> bool:
        """Whether the function is called with a position instead of a step."""
        return GameState in get_type_hints(getattr(self.says, "func", self.says)).values()


STATEMENTS: Final[list[Statement]] = []
"""All statements, in the order in which the chapters are imported."""

P = ParamSpec("P")
T = TypeVar("T")


@attrs.frozen
class Kind(Generic[T]):
    """A kind of statement, called as a decorator that registers functions as statements."""

    name: str

    def __call__(
        self, *clauses: str, at: At = object, where: Where = None, last: bool = False
    ) -> Callable[[Callable[P, T]], Callable[P, T]]:
        """Return a decorator that registers a function as a statement of each given clause.

        ``A+B`` denotes two clauses that cannot be stated separately.  If the function has a
        parameter `clause`, it receives the id of the clause.
        """

        def register(function: Callable[P, T]) -> Callable[P, T]:
            stated: Any = function
            for clause in clauses:
                is_given = "clause" in signature(function).parameters
                says = partial(stated, clause=clause) if is_given else stated
                ids = tuple(clause.split("+"))
                STATEMENTS.append(Statement(self.name, ids, says, at, where, last))
            return function

        return register


posts = Kind[Iterable[Event | Applies]]("posts")
"""The decorator for a function that returns the required entries of the journal, in order."""

asks = Kind[Prompt | Applies | None]("asks")
"""The decorator for a function that returns the required next prompt, or `None` if its clause does
not apply.

With `last`, the returned prompt is required only if no other statement requires one.  Statements
about the course of the turn use `last`, because the turn continues only after the effect of a card
is complete.
"""

allows = Kind[Iterable[tuple[Action, bool]]]("allows")
"""The decorator for a function that yields pairs of an action and whether it is legal."""

odds = Kind[Mapping[Action, Fraction] | None]("odds")
"""The decorator for a function that returns the probability of each random outcome, or `None` if
its clause does not apply."""

shows = Kind[Mapping[str, object] | None]("shows")
"""The decorator for a function that returns the visible information about a player, keyed by name,
or `None` if its clause does not apply."""

hides = Kind[Iterable[tuple[GameState, bool]]]("hides")
"""The decorator for a function that yields pairs of another position and a flag.  The flag says
whether the viewer must be unable to distinguish that position from the judged one."""

lays = Kind[bool | None]("lays")
"""The decorator for a function that returns whether a table may be set up, or `None` if its clause
does not apply."""

always = Kind[bool | None]("always")
"""The decorator for a function that returns whether a condition of a step or a position holds, or
`None` if its clause does not apply."""

defines = Kind[Any]("defines")
"""The decorator for a function that computes a term that a clause defines.  It is used if the
clause has no other statement."""
