"""Positions: everything on the table, and the remaining steps of the game.

Positions are immutable and hashable values. Two positions are equal if everything on the table and
the remaining steps are equal, whichever moves led to them.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Any, Protocol, Self, TypeGuard, TypeVar

import attrs

from valletta_rules.actions import Action
from valletta_rules.agenda import Prompt, Step
from valletta_rules.components.bags import EMPTY, CardBag
from valletta_rules.components.buildings import Building
from valletta_rules.components.card_set import CardSet
from valletta_rules.components.characters import Character
from valletta_rules.components.display import NO_SITES, Seat, SiteSet
from valletta_rules.components.goods import NOTHING, Goods
from valletta_rules.components.limits import Amount
from valletta_rules.components.numbers import Generator
from valletta_rules.components.street import TOWER, Space
from valletta_rules.components.values import Pictured, Value
from valletta_rules.results import Outcome
from valletta_rules.rulings import RuleSet


class Phase(StrEnum):
    """The phases of a game, in order."""

    SETUP = "setup"
    """The table is being set up."""
    MAIN = "main"
    """Players take turns until the final phase begins."""
    FINAL = "final"
    """Every player plays their remaining cards."""
    OVER = "over"
    """No player has a card left."""


class Owner(Protocol):
    """The public part of one player: goods, houses and points.

    Rules for buildings, prices and points read only these properties.
    """

    @property
    def goods(self) -> Goods:
        """The player's goods."""
        ...

    @property
    def built(self) -> SiteSet:
        """The sites with the player's houses."""
        ...

    @property
    def upgraded(self) -> SiteSet:
        """The sites in `built` with an upgraded building."""
        ...

    @property
    def score(self) -> int:
        """The points scored so far."""
        ...


class Board(Protocol):
    """The public part of the table, in a position or in a view.

    A rule that needs no hidden information accepts a `Board`, so clients can apply it to a view
    too.
    """

    @property
    def rules(self) -> RuleSet:
        """The rule set of the game."""
        ...

    @property
    def display(self) -> tuple[Building, ...]:
        """The buildings of the display, in the order of their sites."""
        ...

    @property
    def players(self) -> Sequence[Owner]:
        """The players by seat, clockwise from the start player."""
        ...

    @property
    def valette(self) -> int:
        """The space of Valette, from 1 to 25, or 0 for the tower."""
        ...

    @property
    def phase(self) -> Phase:
        """The current phase of the game."""
        ...


@attrs.frozen
class Player(Value):
    """The cards, goods, houses and points of one player."""

    hand: CardBag = EMPTY
    """The cards in the hand."""
    draw_pile: CardBag = EMPTY
    """The cards to be drawn, in no particular order."""
    discard_pile: CardBag = EMPTY
    """The cards played in earlier turns."""
    goods: Goods = NOTHING
    """The player's goods."""
    built: SiteSet = NO_SITES
    """The sites of the player's houses."""
    upgraded: SiteSet = NO_SITES
    """The sites in `built` with an upgraded building."""
    score: Amount = 0
    """The points scored so far."""
    shown: CardBag = EMPTY
    """The cards in the hand that all players know.

    The player gained these cards by building or hiring, or all players could deduce the hand when
    the draw pile was empty.
    """

    def gaining(self, character: Character) -> Player:
        """Return the player with a card added to the hand. All players know this card."""
        return self.replace(hand=self.hand.plus(character), shown=self.shown.plus(character))

    def losing(self, character: Character) -> Player:
        """Return the player with a card removed from the hand. All players know this card."""
        shown = self.shown.minus(character) if self.shown.count(character) else self.shown
        return self.replace(hand=self.hand.minus(character), shown=shown)

    def with_discard_pile_joined(self) -> Player:
        """Return the player with the discard pile added to the draw pile.

        If the draw pile was empty, all players can deduce which cards are in the hand.
        """
        return self.replace(
            draw_pile=self.draw_pile + self.discard_pile,
            discard_pile=EMPTY,
            shown=self.shown if self.draw_pile else self.hand,
        )

    def replace(
        self,
        hand: CardBag | None = None,
        draw_pile: CardBag | None = None,
        discard_pile: CardBag | None = None,
        goods: Goods | None = None,
        built: SiteSet | None = None,
        upgraded: SiteSet | None = None,
        score: int | None = None,
        shown: CardBag | None = None,
    ) -> Player:
        """Return the player with the given parts replaced."""
        return Player(
            self.hand if hand is None else hand,
            self.draw_pile if draw_pile is None else draw_pile,
            self.discard_pile if discard_pile is None else discard_pile,
            self.goods if goods is None else goods,
            self.built if built is None else built,
            self.upgraded if upgraded is None else upgraded,
            self.score if score is None else score,
            self.shown if shown is None else shown,
        )


def by_their_codes(display: tuple[Building, ...]) -> str:
    """Shorten the `repr` of a position by listing the codes of its buildings."""
    return f"<{' '.join(building.code for building in display)}>"


@attrs.frozen(cache_hash=True)
class GameState(Pictured):
    """A position of a game: the table, the cards and goods of all players, and the agenda."""

    rules: RuleSet
    """The rule set of the game."""
    cards: CardSet
    """The card set of the game."""
    display: tuple[Building, ...] = attrs.field(default=(), repr=by_their_codes)
    """The buildings of the display, in the order of their sites."""
    players: tuple[Player, ...] = ()
    """The players by seat, clockwise from the start player."""
    supply: CardBag = EMPTY
    """The characters in the character supply, which players can hire."""
    barrels: Goods = NOTHING
    """The barrel tokens not yet revealed."""
    valette: Space = TOWER
    """The space of Valette, from 1 to 25, or 0 for the tower."""
    active: Seat = 0
    """The seat whose turn it is."""
    played: tuple[Character, ...] = ()
    """The cards played this turn, in order."""
    phase: Phase = Phase.SETUP
    """The current phase of the game."""
    agenda: tuple[Step, ...] = ()
    """The remaining steps of the game, the next step first."""

    @property
    def prompt(self) -> Prompt | None:
        """The prompt to be answered next, or `None` when the game is over."""
        return self.agenda[0] if self.agenda else None  # type: ignore[return-value]  # never a step

    @property
    def seats(self) -> range:
        """The seats, clockwise from the start player."""
        return range(len(self.players))

    def opponents_of(self, seat: int) -> tuple[int, ...]:
        """Return all seats except `seat`, clockwise, beginning with the seat after it.

        Rules: CMP-32
        """
        return (*range(seat + 1, len(self.players)), *range(seat))

    def replace(
        self,
        display: tuple[Building, ...] | None = None,
        players: tuple[Player, ...] | None = None,
        supply: CardBag | None = None,
        barrels: Goods | None = None,
        valette: int | None = None,
        active: int | None = None,
        played: tuple[Character, ...] | None = None,
        phase: Phase | None = None,
        agenda: tuple[Step, ...] | None = None,
    ) -> GameState:
        """Return the position with the given parts replaced."""
        return GameState(
            self.rules,
            self.cards,
            self.display if display is None else display,
            self.players if players is None else players,
            self.supply if supply is None else supply,
            self.barrels if barrels is None else barrels,
            self.valette if valette is None else valette,
            self.active if active is None else active,
            self.played if played is None else played,
            self.phase if phase is None else phase,
            self.agenda if agenda is None else agenda,
        )

    def players_with(self, seat: int, player: Player) -> tuple[Player, ...]:
        """Return the players with one of them replaced."""
        players = list(self.players)
        players[seat] = player
        return tuple(players)

    def with_player(self, seat: int, player: Player) -> GameState:
        """Return the position with one player replaced."""
        return self.replace(players=self.players_with(seat, player))

    def doing_first(self, *steps: Step) -> GameState:
        """Return the position with steps inserted at the front of the agenda."""
        return self.replace(agenda=steps + self.agenda)

    def done(self) -> GameState:
        """Return the position with the first step removed from the agenda."""
        return self.replace(agenda=self.agenda[1:])

    def __reduce__(self) -> tuple[Any, ...]:
        """Support pickling.

        Buildings of the display that are in the card set are pickled as their codes.
        """
        kind, (rules, cards, display, *others) = super().__reduce__()
        if not set(display) <= set(cards.buildings):
            return kind, (rules, cards, display, *others)
        return _restored, (rules, cards, [building.code for building in display], *others)


def _restored(rules: RuleSet, cards: CardSet, codes: Sequence[str], *others: Any) -> GameState:
    return GameState(rules, cards, tuple(map(cards.building, codes)), *others)


class Form(Protocol):
    """A position that is represented differently from `GameState` and implements the rules itself.

    Any class with these methods is a form. For a form, functions that accept positions call these
    methods instead of the rules in `rulebook`.
    """

    @property
    def prompt(self) -> Prompt | None:
        """The prompt to be answered next, or `None` when the game is over."""
        ...

    def list_actions(self) -> tuple[Action, ...]:
        """Return every legal answer, sorted."""
        ...

    def allows(self, action: Action, /) -> bool:
        """Return whether an action is legal."""
        ...

    def position_after(self, action: Action, /) -> Self | None:
        """Return the position after an action, or `None` if the action is illegal."""
        ...

    def weights(self) -> tuple[tuple[Action, int], ...]:
        """Return the possible outcomes at a chance prompt, each with its weight."""
        ...

    def resolved(self, generator: Generator, /) -> Self:
        """Return the position after chance prompts have been answered at random."""
        ...

    def redacted(self, viewer: int | None, /) -> Redacted | None:
        """Return the view of a seat, or of a spectator if `viewer` is `None`.

        Return `None` for an invalid seat.
        """
        ...

    def legal_mask(self, prefix: tuple[int, ...], /) -> bytes | None:
        """Return a mask of the numbers that can follow `prefix`, one byte for each number.

        Each legal action is encoded as one or more numbers. The byte for a number is 1 if the code
        of a legal action begins with `prefix` followed by this number, otherwise 0. Returns `None`
        if no code of a legal action begins with `prefix`.
        """
        ...

    def outcome(self) -> Outcome | None:
        """Return the final scores and the winners, or `None` if the game is not over."""
        ...

    def unpack(self) -> GameState:
        """Return the position as a `GameState`."""
        ...


class Redacted(Protocol):
    """A view, for one seat or for spectators, of a position that is not a `GameState`."""

    @property
    def prompt(self) -> Prompt | None:
        """The prompt to be answered next, or `None` when the game is over."""
        ...

    def unpack(self, seat: int | None, /) -> tuple[Any, tuple[Step, ...]]:
        """Return a seat's view of the table and the agenda, or a spectator's for `None`."""
        ...

    def list_actions(self) -> tuple[Action, ...]:
        """Return all legal answers, sorted, or an empty tuple if the viewer need not answer."""
        ...


S = TypeVar("S", bound=GameState | Form)
"""The type of a position: `GameState` or any `Form`."""


def has_another_form(value: object) -> TypeGuard[Form]:
    """Return whether a value is a `Form`, a position that is not a `GameState`."""
    return hasattr(type(value), "position_after")


def kind_of(value: object) -> str:
    """Return the name of a value's type for error messages; for some types, add a hint."""
    kind = type(value)
    if has_another_form(value):
        return f"{kind.__name__} (.unpack() gives a GameState)"
    return f"{kind.__name__}{getattr(kind, 'instead', '')}"


def need_position(value: object) -> GameState:
    """Return the value if it is a `GameState`, and raise `TypeError` for any other value."""
    if not isinstance(value, GameState):
        raise TypeError(f"expected a position (GameState), not {kind_of(value)}")
    return value
