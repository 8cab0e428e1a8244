"""Views: what one player at the table, or a spectator, knows about a position.

Only one thing is hidden: how another player's cards are split between hand and draw pile. All
players know which cards are in the hand and the draw pile together, because every card was gained
in public. The table, the agenda and the prompt are therefore public. Everything that depends on the
split is secret: the cards in the hand, the legal actions of the owner, and the reasons why other
actions are illegal.

A view is a separate value without a reference to the position. The view of a `Form` contains a copy
of this form without the hidden hands, and reads its fields from the copy on first use.
`determinize` samples a position that agrees with a view.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import (
    TYPE_CHECKING,
    Any,
    ClassVar,
    Final,
    Protocol,
    SupportsIndex,
    cast,
    runtime_checkable,
)

import attrs

from valletta_rules.actions import Action
from valletta_rules.agenda import Prompt, Step
from valletta_rules.components.bags import CardBag
from valletta_rules.components.buildings import Building
from valletta_rules.components.card_set import CardSet
from valletta_rules.components.characters import Character
from valletta_rules.components.display import Seat, SiteSet
from valletta_rules.components.goods import Goods
from valletta_rules.components.limits import Amount, Count
from valletta_rules.components.numbers import Generator, numbers_from, whole
from valletta_rules.components.street import Space
from valletta_rules.components.values import Pictured, Value
from valletta_rules.engine import check, legal_answers
from valletta_rules.errors import NotAskedError, SeatError, Violation
from valletta_rules.rulings import RuleSet
from valletta_rules.state import (
    Form,
    GameState,
    Phase,
    Player,
    Redacted,
    by_their_codes,
    has_another_form,
    kind_of,
    need_position,
)


@attrs.frozen
class SeenPlayer(Value):
    """A player as a viewer sees them: the public parts, and the hand if the viewer may see it."""

    goods: Goods
    """The player's goods."""
    built: SiteSet
    """The sites with the player's houses."""
    upgraded: SiteSet
    """The sites in `built` with an upgraded building."""
    score: Amount
    """The points scored so far."""
    discard_pile: CardBag
    """The cards played in earlier turns."""
    hidden: CardBag
    """The cards in the hand and in the draw pile together."""
    hand_size: Count
    """The number of cards in the hand."""
    shown: CardBag
    """The cards in the hand that all players know.

    The player gained these cards by building or hiring, or all players could deduce the hand when
    the draw pile was empty.
    """
    hand: CardBag | None
    """The cards in the hand if the viewer may see them, otherwise `None`."""

    @property
    def draw_pile_size(self) -> int:
        """The number of cards in the draw pile.

        Rules: INF-7
        """
        return len(self.hidden) - self.hand_size

    @property
    def draw_pile(self) -> CardBag | None:
        """The cards in the draw pile, in no particular order, or `None` if the hand is hidden."""
        return None if self.hand is None else self.hidden - self.hand

    @property
    def sure(self) -> CardBag:
        """The cards that must be in the hand, as all players can infer from public information.

        These are the cards in `shown`, and cards with more hidden copies than fit in the draw pile.
        For example, if the draw pile has three cards and four Builders are hidden, at least one
        Builder is in the hand.

        Rules: INF-13
        """
        size = self.draw_pile_size
        rest = self.hidden - self.shown
        forced = (card for card, count in rest.items() for _ in range(count - size))
        return self.shown + CardBag.of(*forced)


@attrs.frozen
class Table(Value):
    """The table as a viewer sees it: all fields of a position except the agenda."""

    rules: RuleSet
    """The rule set of the game."""
    cards: CardSet
    """The card set of the game."""
    display: tuple[Building, ...] = attrs.field(repr=by_their_codes)
    """The buildings of the display, in the order of their sites."""
    players: tuple[SeenPlayer, ...]
    """The players by seat, clockwise from the start player."""
    supply: CardBag
    """The characters in the character supply, which players can hire."""
    barrels: Goods
    """The barrel tokens not yet revealed."""
    valette: Space
    """The space of Valette, from 1 to 25, or 0 for the tower."""
    active: Seat
    """The seat whose turn it is."""
    played: tuple[Character, ...]
    """The cards played this turn, in order."""
    phase: Phase
    """The current phase of the game."""

    opponents_of = cast("Callable[[int], tuple[int, ...]]", GameState.opponents_of)
    """Return all seats except one, as `GameState.opponents_of` does.  Rules call this method on
    tables, too.
    """


class _LazyView(Pictured):
    """The base class of `PlayerView`, with a slot for the `Redacted` view that it reads."""

    __slots__ = ("_row",)
    _row: Redacted | None


@attrs.frozen(cache_hash=True)
class PlayerView(_LazyView):
    """What a player at the table, or a spectator, knows about a position."""

    seat: Seat | None
    """The seat of the viewer, or `None` for a spectator."""
    table: Table
    """The table as the viewer sees it."""
    agenda: tuple[Step, ...]
    """The remaining steps of the game, the next step first. All steps are public."""
    legal_actions: tuple[Action, ...] = attrs.field(eq=False, repr=False)
    """The viewer's legal actions, or an empty tuple if the viewer need not answer."""

    instead: ClassVar[str] = (
        " (a view has .legal_actions; determinize draws a position that agrees with it,"
        " predicted_scores counts its points, and the GameEnded event has the outcome)"
    )
    """The hint that is added to the error message if a view is passed instead of a position."""

    if not TYPE_CHECKING:  # else type checkers would accept every name

        def __getattr__(self, name: str) -> Any:
            """Read the table and the agenda, and compute the legal actions, on first use."""
            if name == "legal_actions":
                actions = _list_actions(self)
                _set(self, name, actions)
                return actions
            if name in ("_row", "_attrs_cached_hash"):
                return None
            if name not in ("table", "agenda") or self._row is None:
                where = ", but its table has" if hasattr(Table, name) else ""
                raise AttributeError(f"a view has no {name!r}{where}", name=name, obj=self)
            table, agenda = self._row.unpack(self.seat)
            _set(self, "table", table)
            _set(self, "agenda", agenda)
            return table if name == "table" else agenda

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the view. Legal actions are included only if they have been computed."""
        try:
            object.__getattribute__(self, "legal_actions")
        except AttributeError:
            return see, (self.seat, self.table, self.agenda)
        return super().__reduce__()

    @property
    def is_asked(self) -> bool:
        """Whether the viewer must answer the prompt."""
        return self.seat is not None and self.prompt is not None and self.prompt.seat == self.seat

    @property
    def prompt(self) -> Prompt | None:
        """The current prompt, whether for a seat or for chance, or `None` when the game is over."""
        if self._row is not None:
            return self._row.prompt
        return cast(Prompt, self.agenda[0]) if self.agenda else None

    @property
    def hand(self) -> CardBag | None:
        """The viewer's hand, or `None` for a spectator."""
        return None if self.seat is None else self.table.players[self.seat].hand

    def check(self, action: Action) -> Violation | None:
        """Return the violation of an illegal action of the viewer, or `None` if it is legal.

        Raises `NotAskedError` if another seat or chance must answer, and `MalformedActionError` for
        a value that is not an action.
        """
        return check_by(some_position(self), self.seat, action)


# Functions of a position


def view(state: GameState | Form, seat: SupportsIndex | None) -> PlayerView:
    """Return the view of a position for a seat, or for a spectator if the seat is `None`.

    The view describes only the current position. A player who remembers earlier moves can infer
    more about the hands. In the final phase, for example, this player knows which cards were in a
    discard pile when the phase began, and so were in no hand. See
    `valletta_rules.memory.memory.Memory`.

    The legal actions follow from the rest of the view, and are computed on first use. Raises
    `SeatError` if the game has no such seat.

    Rules: INF-1, INF-2, INF-6, INF-7, INF-8, INF-10, INF-14, INF-15
    """
    if has_another_form(state):
        return _view_of_form(state, seat)
    state = need_position(state)
    seat = find_viewer(seat, len(state.players))
    table = Table(
        rules=state.rules,
        cards=state.cards,
        display=state.display,
        players=tuple(
            _visible_player(player, owner=owner == seat)
            for owner, player in enumerate(state.players)
        ),
        supply=state.supply,
        barrels=state.barrels,
        valette=state.valette,
        active=state.active,
        played=state.played,
        phase=state.phase,
    )
    return see(seat, table, state.agenda)


def _view_of_form(form: Form, seat: SupportsIndex | None) -> PlayerView:
    """Return the view of a `Form`. Its fields are read on first use."""
    seat = seat if seat is None or type(seat) is int else whole(seat, "a seat")
    if (row := form.redacted(seat)) is None:
        find_viewer(seat, len(form.unpack().players))
    new_view = object.__new__(PlayerView)
    _set(new_view, "seat", seat)
    _set(new_view, "_row", row)
    return new_view


_set: Final = object.__setattr__


def _list_actions(view: PlayerView) -> tuple[Action, ...]:
    row, prompt, seat = view._row, view.prompt, view.seat
    if prompt is None or seat is None or prompt.seat != seat:
        return ()
    return legal_answers(view.table, prompt) if row is None else row.list_actions()


def see(seat: int | None, table: Table, agenda: tuple[Step, ...]) -> PlayerView:
    """Return a view from its parts. Legal actions are computed on first use."""
    new_view = PlayerView(seat, table, agenda, ())
    _set(new_view, "_row", None)
    if new_view.is_asked:
        object.__delattr__(new_view, "legal_actions")
    return new_view


def find_seat(seat: SupportsIndex, players: int) -> int:
    """Return a seat as an `int`, checked against the number of players.

    Raises `SeatError` if the game has no such seat, and `TypeError` for a value that is not an
    integer.
    """
    number = whole(seat, "a seat")
    if not 0 <= number < players:
        raise SeatError(number, players)
    return number


def find_viewer(seat: SupportsIndex | None, players: int) -> int | None:
    """Return the seat of a viewer, checked as by `find_seat`, or `None` for a spectator."""
    return None if seat is None else find_seat(seat, players)


def _visible_player(player: Player, *, owner: bool) -> SeenPlayer:
    """Return the public parts of a player, and the player's hand if `owner` is true.

    Rules: INF-1, INF-6, INF-13
    """
    return SeenPlayer(
        goods=player.goods,
        built=player.built,
        upgraded=player.upgraded,
        score=player.score,
        discard_pile=player.discard_pile,
        hidden=player.hand + player.draw_pile,
        hand_size=len(player.hand),
        shown=player.shown,
        hand=player.hand if owner else None,
    )


def check_by(state: GameState, seat: SupportsIndex | None, action: Action) -> Violation | None:
    """Return the violation of a seat's illegal action in a position, or `None` if it is legal.

    This function is like `check`, but works only for the seat that must answer. For any other seat,
    the reason why a card cannot be played would reveal information about the hand. Raises
    `NotAskedError` if another seat or chance must answer, `SeatError` if the game has no such seat,
    and `MalformedActionError` for a value that is not an action.

    Rules: INF-1
    """
    need_position(state)
    seat = find_viewer(seat, len(state.players))
    prompt = state.prompt
    if prompt is not None and (seat is None or prompt.seat != seat):
        raise NotAskedError(seat, prompt.seat)
    return check(state, action)


# Sampling a position


def need_view(value: object) -> None:
    """Raise `TypeError` for any value that is not a view, such as a position."""
    if not isinstance(value, PlayerView):
        raise TypeError(f"expected a view (PlayerView), not {kind_of(value)}")


def asked_seat(view: PlayerView) -> int:
    """Return the seat of a viewer who must answer the prompt.

    Raises `TypeError` for any value that is not a view, and `ValueError` if the viewer need not
    answer.
    """
    need_view(view)
    if view.seat is None or not view.is_asked:
        whose = "a spectator" if view.seat is None else f"seat {view.seat}"
        raise ValueError(f"expected the view of the seat that must answer, not of {whose}")
    return view.seat


@runtime_checkable
class Recollection(Protocol):
    """The interface that `determinize` needs from a player's memory."""

    def hands(self, view: PlayerView, rng: Generator, /) -> tuple[CardBag, ...]:
        """Return a hand for each seat.

        Raise an error if the memory has not observed the events that led to the view.
        """
        ...


def determinize(view: PlayerView, rng: Generator, memory: Recollection | None = None) -> GameState:
    """Return a random position that looks the same to the viewer (a determinization).

    The hand of every other player contains the cards in `shown`. The rest of the hand is drawn from
    the other hidden cards, which are all equally likely. So the probability of a split is
    proportional to the number of ways to draw it: if two Builders and a Maid are hidden and one of
    these cards is in the hand, it is a Builder with probability 2/3. The sample does not use any
    conclusions from the players' choices or from earlier positions.

    With `memory`, a `valletta_rules.memory.memory.Memory` of the game, the hands are sampled from
    the exact posterior given all events that the viewer has observed.

    Without a memory, each drawn card takes one number from the generator. Raises `TypeError` for
    arguments of a wrong type, and `valletta_rules.memory.belief_updates.MemoryMismatchError` if the
    memory has not observed exactly the events that led to the view.
    """
    need_view(view)
    table = view.table
    if memory is None:
        number = numbers_from(rng)
        hands = tuple(_pick_hand(player, number) for player in table.players)
    elif isinstance(memory, Recollection):
        hands = memory.hands(view, rng)
    else:
        raise TypeError(f"expected a memory (Memory), not {kind_of(memory)}")
    return GameState(
        rules=table.rules,
        cards=table.cards,
        display=table.display,
        players=tuple(map(_make_up, table.players, hands)),
        supply=table.supply,
        barrels=table.barrels,
        valette=table.valette,
        active=table.active,
        played=table.played,
        phase=table.phase,
        agenda=view.agenda,
    )


class _First:
    """A random generator that always returns 0."""

    def randrange(self, stop: int, /) -> int:
        """Return 0."""
        return 0


def some_position(view: PlayerView) -> GameState:
    """Return a position that is consistent with a view. The result is equal for equal views."""
    return determinize(view, _First())


def _make_up(player: SeenPlayer, hand: CardBag) -> Player:
    return Player(
        hand=hand,
        draw_pile=player.hidden - hand,
        discard_pile=player.discard_pile,
        goods=player.goods,
        built=player.built,
        upgraded=player.upgraded,
        score=player.score,
        shown=player.shown,
    )


def _pick_hand(player: SeenPlayer, number: Callable[[int], int]) -> CardBag:
    """Return a possible hand of a player, sampled from the distribution of `determinize`."""
    if player.hand is not None:
        return player.hand
    rest = list(player.hidden - player.shown)
    picked = len(rest) - player.draw_pile_size
    return player.shown + CardBag.of(*[rest.pop(number(len(rest))) for _ in range(picked)])
