"""One formal statement for each clause, over whole steps of the game.

A step is a position, an action, the position after it and the events; the events are its journal.
A statement is a function of a few lines under the id of its clause.  It derives the values that the
clause requires: entries of the journal (`posts`), the next prompt (`asks`), the legal actions
(`allows`), the probabilities of chance (`odds`), the visible parts of a player (`shows`), the
positions that a seat can distinguish (`hides`), the tables that may be laid (`lays`), or another
condition (`always`).  `judge` compares the required values with the steps of an engine.

Statements import values of the game (components, actions, agenda, events, positions), but not the
rules or the engine that they judge.  ``README.md`` explains how to write one.
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
    """Return the table after an entry of the journal; the agenda is unchanged."""
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
    """Return the table after an entry about goods, points, buildings or cards of a player."""
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
    """Remove a card from a hand in full view; a copy that has been shown is removed first."""
    lost = EMPTY - CardBag.of(card)
    is_shown = card in table.players[seat].shown
    return _adding(table, seat, hand=lost, shown=lost if is_shown else EMPTY)


def _joined(table: GameState, *seats: int) -> GameState:
    """Add the discard pile to the draw pile; if that was empty, all players know the hand."""
    for seat in seats:
        player = table.players[seat]
        shown = player.shown if player.draw_pile else player.hand
        pile = player.draw_pile + player.discard_pile
        table = _with(table, seat, draw_pile=pile, discard_pile=EMPTY, shown=shown)
    return table


# Steps


@attrs.frozen(eq=False, slots=False)
class Step:
    """An action and its consequences, up to the next prompt."""

    before: GameState
    """The position in which the action was chosen."""
    action: Any
    """The action of a player, or of chance."""
    after: GameState
    """The position at the next prompt, or at the end of the game."""
    events: tuple[Event, ...]
    """The entries of the journal, in order."""
    heard: Any = None
    """A function from a seat, or `None`, to the events as it may know them; `None` without views.
    """
    prompt: Any = attrs.field(init=False)
    """The prompt that the action answers."""
    seat: int = attrs.field(init=False)
    """The seat that must decide; at a prompt of chance, the seat that draws or takes."""
    mine: Player = attrs.field(init=False)
    """The player of that seat before the action."""
    now: Player = attrs.field(init=False)
    """The player of that seat at the next prompt."""
    players: tuple[tuple[Player, Player], ...] = attrs.field(init=False)
    """The players of all seats, before and after the step."""
    asked: Prompt | None = attrs.field(init=False)
    """The next prompt; `None` when the game is over."""
    entries: tuple[tuple[GameState, Event], ...] = attrs.field(init=False)
    """Each entry of the journal with the table just before it."""
    table: GameState = attrs.field(init=False)
    """The table after all entries, with the agenda before the step."""

    def __attrs_post_init__(self) -> None:
        """Compute the derived fields."""
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
        self.__dict__.update(asked=self.after.prompt, entries=tuple(entries), table=table)


@attrs.frozen(eq=False)
class Glance:
    """A view of a player's part of the table."""

    state: GameState
    """The viewed position."""
    viewer: int | None
    """The seat of the viewer; `None` for a spectator."""
    owner: int
    """The seat of the viewed player."""
    look: Callable[[GameState], object] = attrs.field(default=lambda state: None)
    """A function from a position to the view that the viewer has of it."""

    @property
    def player(self) -> Player:
        """The viewed player."""
        return self.state.players[self.owner]


# Statements


class Applies(Enum):
    """The result of a statement that applies, but requires nothing."""

    APPLIES = "applies"


APPLIES: Final = Applies.APPLIES
"""The result of an exception that applies, and so suspends the clauses that it overrides."""

Verdicts = Iterator[tuple[Action, bool]]
"""Actions of a position, and whether they are legal."""

At = type | UnionType
Where = Callable[[Any], object] | None


@attrs.frozen(eq=False)
class Statement:
    """A statement of a clause, or of several clauses that cannot be stated separately."""

    kind: str
    """The name of the decorator of the function."""
    clauses: tuple[str, ...]
    """The ids of the clauses."""
    says: Callable[..., Any]
    """The decorated function."""
    at: At = object
    """The types of prompt at which the statement may apply."""
    where: Where = None
    """A condition of the step or position to which the statement applies; `None` for all."""
    last: bool = False
    """Whether the statement is judged only if no other statement returns a prompt."""

    @property
    def is_of_positions(self) -> bool:
        """Whether the function has a parameter for a position instead of a step."""
        return GameState in get_type_hints(getattr(self.says, "func", self.says)).values()


STATEMENTS: Final[list[Statement]] = []
"""All statements, in the order in which the chapters are imported."""

P = ParamSpec("P")
T = TypeVar("T")


@attrs.frozen
class Kind(Generic[T]):
    """A kind of statement: a decorator that registers functions as statements."""

    name: str

    def __call__(
        self, *clauses: str, at: At = object, where: Where = None, last: bool = False
    ) -> Callable[[Callable[P, T]], Callable[P, T]]:
        """Register a function for each clause; ``A+B`` names two that cannot be stated separately.

        A parameter `clause` of the function receives the id of the clause.
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
"""The decorator of a function that returns the required entries of the journal, in order."""

asks = Kind[Prompt | Applies | None]("asks")
"""The decorator of a function that returns the required next prompt, or `None`.

With `last` the prompt is required only if no other statement returns a prompt: the turn goes on
when the effect of a card is completed.
"""

allows = Kind[Iterable[tuple[Action, bool]]]("allows")
"""The decorator of a function that yields actions and whether they are legal."""

odds = Kind[Mapping[Action, Fraction] | None]("odds")
"""The decorator of a function that returns the answers of chance with their probabilities, or
`None`."""

shows = Kind[Mapping[str, object] | None]("shows")
"""The decorator of a function that returns the visible parts of a player by name, or `None`."""

hides = Kind[Iterable[tuple[GameState, bool]]]("hides")
"""The decorator of a function that yields other positions, and whether the viewer cannot
distinguish them from the judged one."""

lays = Kind[bool | None]("lays")
"""The decorator of a function that returns whether a table may be laid, or `None`."""

always = Kind[bool | None]("always")
"""The decorator of a condition of a step or a position; `None` where the clause does not apply."""

defines = Kind[Any]("defines")
"""The decorator of a function that computes a term that a clause defines, if the clause has no
other statement."""
