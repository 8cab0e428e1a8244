"""Positions: everything on the table, and what remains to be done.

Positions are values: frozen, hashable, equal when everything on the table is equal, and the
same however they came about.
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
    """The parts of a game."""

    SETUP = "setup"
    """The table is being set up."""
    MAIN = "main"
    """Turns follow each other until the final phase is triggered."""
    FINAL = "final"
    """Every player plays their remaining cards."""
    OVER = "over"
    """No player has a card left."""


class Owner(Protocol):
    """The public part of a player, for rules about buildings, prices and points."""

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
        """The sites in `built` whose building is upgraded."""
        ...

    @property
    def score(self) -> int:
        """Points scored so far."""
        ...


class Board(Protocol):
    """The public part of the table, in a position or in a view.

    Rules that depend on nothing hidden take a board, so that a client with only a view can ask
    them too.
    """

    @property
    def rules(self) -> RuleSet:
        """The rule set of the game."""
        ...

    @property
    def display(self) -> tuple[Building, ...]:
        """The buildings dealt, site by site."""
        ...

    @property
    def players(self) -> Sequence[Owner]:
        """The players by seat, clockwise from the start player."""
        ...

    @property
    def valette(self) -> int:
        """The space on which Valette stands, 1 to 25; 0 is the tower."""
        ...

    @property
    def phase(self) -> Phase:
        """The part of the game."""
        ...


@attrs.frozen
class Player(Value):
    """What belongs to one player."""

    hand: CardBag = EMPTY
    """The cards in the hand."""
    draw_pile: CardBag = EMPTY
    """The cards to be drawn, whose order is undetermined."""
    discard_pile: CardBag = EMPTY
    """The cards played in earlier turns."""
    goods: Goods = NOTHING
    """The player's goods."""
    built: SiteSet = NO_SITES
    """The sites with the player's houses."""
    upgraded: SiteSet = NO_SITES
    """The sites in `built` whose building is upgraded."""
    score: Amount = 0
    """Points scored so far."""
    shown: CardBag = EMPTY
    """The cards in the hand that all players know: gained by building or hiring, or left there when
    the draw pile ran out, and neither played nor dismissed since.
    """

    def gaining(self, character: Character) -> Player:
        """Return the player after a card has come into the hand, known to all."""
        return self.replace(hand=self.hand.plus(character), shown=self.shown.plus(character))

    def losing(self, character: Character) -> Player:
        """Return the player after a card that all know has left the hand."""
        shown = self.shown.minus(character) if self.shown.count(character) else self.shown
        return self.replace(hand=self.hand.minus(character), shown=shown)

    def with_discard_pile_joined(self) -> Player:
        """Return the player with the discard pile added to the draw pile.

        If the draw pile was empty, all players know at this moment which cards are in the hand.
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
    """Show buildings by their codes; in full they would fill a page."""
    return f"<{' '.join(building.code for building in display)}>"


@attrs.frozen(cache_hash=True)
class GameState(Pictured):
    """A position."""

    rules: RuleSet
    """The rule set of the game."""
    cards: CardSet
    """The card set of the game."""
    display: tuple[Building, ...] = attrs.field(default=(), repr=by_their_codes)
    """The buildings dealt, site by site."""
    players: tuple[Player, ...] = ()
    """The players by seat, clockwise from the start player."""
    supply: CardBag = EMPTY
    """The character supply."""
    barrels: Goods = NOTHING
    """The barrel tokens not yet revealed."""
    valette: Space = TOWER
    """The space on which Valette stands, 1 to 25; 0 is the tower."""
    active: Seat = 0
    """The seat whose turn it is."""
    played: tuple[Character, ...] = ()
    """The cards played this turn, in order."""
    phase: Phase = Phase.SETUP
    """The part of the game."""
    agenda: tuple[Step, ...] = ()
    """What remains to be done, the next step first."""

    @property
    def prompt(self) -> Prompt | None:
        """The prompt to be answered next, or `None` when the game is over."""
        return self.agenda[0] if self.agenda else None  # type: ignore[return-value]  # never a step

    @property
    def seats(self) -> range:
        """The seats, clockwise from the start player."""
        return range(len(self.players))

    def opponents_of(self, seat: int) -> tuple[int, ...]:
        """Return the other seats, clockwise from the next.

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
        """Return the position with steps added at the front of the agenda."""
        return self.replace(agenda=steps + self.agenda)

    def done(self) -> GameState:
        """Return the position with the first step removed from the agenda."""
        return self.replace(agenda=self.agenda[1:])

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the buildings dealt as their codes, if they are in the card set."""
        kind, (rules, cards, display, *others) = super().__reduce__()
        if not set(display) <= set(cards.buildings):
            return kind, (rules, cards, display, *others)
        return _restored, (rules, cards, [building.code for building in display], *others)


def _restored(rules: RuleSet, cards: CardSet, codes: Sequence[str], *others: Any) -> GameState:
    return GameState(rules, cards, tuple(map(cards.building, codes)), *others)


class Form(Protocol):
    """A position in a form other than `GameState`, with rules of its own.

    A class with these methods is one: functions that take positions call them, and do not apply the
    rules of `rulebook`.
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
        """Return the position after an action, or `None` if it is not legal."""
        ...

    def weights(self) -> tuple[tuple[Action, int], ...]:
        """Return the answers of chance with their weights, at a prompt of chance."""
        ...

    def resolved(self, generator: Generator, /) -> Self:
        """Return the position after a generator has answered all prompts of chance."""
        ...

    def redacted(self, viewer: int | None, /) -> Redacted | None:
        """Return the view of a seat, or of a spectator for `None`, if there is such a seat."""
        ...

    def legal_mask(self, begun: tuple[int, ...], /) -> bytes | None:
        """Return a byte for each action number, 1 if it is legal after the numbers `begun`.

        Returns `None` if nothing legal begins with them.
        """
        ...

    def outcome(self) -> Outcome | None:
        """Return the final scores and the winners, or `None` while the game is going on."""
        ...

    def unpack(self) -> GameState:
        """Return the position as a `GameState`."""
        ...


class Redacted(Protocol):
    """The view of a position in another form."""

    @property
    def prompt(self) -> Prompt | None:
        """The prompt to be answered next, or `None` when the game is over."""
        ...

    def unpack(self, seat: int | None, /) -> tuple[Any, tuple[Step, ...]]:
        """Return the table as the viewer sees it, and the agenda."""
        ...

    def list_actions(self) -> tuple[Action, ...]:
        """Return every legal answer, sorted, if the viewer must answer."""
        ...


S = TypeVar("S", bound=GameState | Form)
"""The type of a position in any form."""


def has_another_form(thing: object) -> TypeGuard[Form]:
    """Return whether a value is a position in another form."""
    return hasattr(type(thing), "position_after")


def kind_of(thing: object) -> str:
    """Return the type of a value for an error message, with a hint if its class has one."""
    kind = type(thing)
    if has_another_form(thing):
        return f"{kind.__name__} (.unpack() gives a GameState)"
    return f"{kind.__name__}{getattr(kind, 'instead', '')}"


def need_position(thing: object) -> GameState:
    """Return a position; raise `TypeError` for anything else, such as a view."""
    if not isinstance(thing, GameState):
        raise TypeError(f"a position (GameState) is needed, not {kind_of(thing)}")
    return thing
