"""Views: what one player at the table, or a spectator, may know of a position.

Hidden is only how the cards of another player split between the hand and the draw pile; what they
are together is known to everybody, since every card came to the player in the open.  So the
table, the agenda and the prompt are public as they are.  Secret are what depends on the split: the
cards of the hand, and with it which actions are legal for its owner, and why others are not.

A view is a value of its own and leads back to no position.  `determinize` makes up a position
that agrees with it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol, SupportsIndex, cast, runtime_checkable

import attrs

from valletta_rules.actions import Action
from valletta_rules.agenda import Prompt, Step
from valletta_rules.components.bags import CardBag
from valletta_rules.components.buildings import Building
from valletta_rules.components.card_set import CardSet
from valletta_rules.components.characters import Character
from valletta_rules.components.display import Seat, SiteSet
from valletta_rules.components.goods import Goods
from valletta_rules.components.limits import Count
from valletta_rules.components.numbers import Generator, numbers_from, whole
from valletta_rules.components.street import Space
from valletta_rules.components.values import Pictured, Value
from valletta_rules.engine import check, legal_actions
from valletta_rules.errors import OutOfTurnError, SeatError, Violation
from valletta_rules.rulings import RuleSet
from valletta_rules.state import (
    Form,
    GameState,
    Phase,
    Player,
    by_their_codes,
    has_another_form,
    kind_of,
    need_position,
)


@attrs.frozen
class SeenPlayer(Value):
    """What is seen of one player."""

    goods: Goods
    """The player's goods."""
    built: SiteSet
    """The sites on which the player's houses stand."""
    upgraded: SiteSet
    """Those of them whose building is upgraded."""
    score: Count
    """Points scored so far."""
    discard_pile: CardBag
    """The cards played in earlier turns."""
    hidden: CardBag
    """The cards in the hand and in the draw pile, together."""
    hand_size: Count
    """How many of them are in the hand."""
    shown: CardBag
    """Those of them that everybody has known in the hand, and not seen leave it since: gained by
    building or hiring, or left there when the draw pile had run out."""
    hand: CardBag | None
    """The cards in the hand, if the viewer may see them."""

    @property
    def draw_pile_size(self) -> int:
        """How many cards are in the draw pile.

        Rules: INF-7
        """
        return len(self.hidden) - self.hand_size

    @property
    def draw_pile(self) -> CardBag | None:
        """The cards in the draw pile, in an order that is undecided, if the hand is known."""
        return None if self.hand is None else self.hidden - self.hand

    @property
    def sure(self) -> CardBag:
        """The cards that everybody can tell are in the hand: in every hand that is possible.

        Besides the cards shown there are some if the draw pile is too small: if it has three cards,
        one of four Builders must be in the hand, and if it is empty, all are.

        Rules: INF-13
        """
        size = self.draw_pile_size
        rest = self.hidden - self.shown
        forced = (card for card, count in rest.items() for _ in range(count - size))
        return self.shown + CardBag.of(*forced)


@attrs.frozen
class Table(Value):
    """The table as somebody sees it: everything but what is to be done."""

    rules: RuleSet
    """The rule set the game is played by."""
    cards: CardSet
    """The card set the game is played with."""
    display: tuple[Building, ...] = attrs.field(repr=by_their_codes)
    """The buildings dealt, site by site."""
    players: tuple[SeenPlayer, ...]
    """The players by seat, clockwise from the start player."""
    supply: CardBag
    """The character supply."""
    barrels: Goods
    """The barrel tokens not yet revealed."""
    valette: Space
    """The space on which Valette stands, 1 to 25; 0 is the tower."""
    active: Seat
    """The seat whose turn it is."""
    played: tuple[Character, ...]
    """The cards played this turn, in order."""
    phase: Phase
    """The part of the game."""


@attrs.frozen(cache_hash=True)
class PlayerView(Pictured):
    """Everything that a player at the table, or a spectator, may know of a position."""

    seat: Seat | None
    """The seat of the viewer, or `None` for a spectator."""
    table: Table
    """The table as the viewer sees it."""
    agenda: tuple[Step, ...]
    """What remains to be done, the next step first; all of it is public."""
    legal_actions: tuple[Action, ...] = attrs.field(eq=False, repr=False)
    """The answers among which the viewer can choose: none unless he is the one asked."""

    if not TYPE_CHECKING:  # else every name would be known to type checkers

        def __getattr__(self, name: str) -> tuple[Action, ...]:
            """List the legal actions, if they are wanted and have not been listed."""
            if name != "legal_actions":
                where = ", but its table has" if hasattr(Table, name) else ""
                raise AttributeError(f"a view has no {name!r}{where}", name=name, obj=self)
            actions = legal_actions(some_position(self))
            object.__setattr__(self, name, actions)
            return actions

    def __reduce__(self) -> tuple[Any, ...]:
        """Let a pickle hold the legal actions only if they have been listed."""
        try:
            object.__getattribute__(self, "legal_actions")
        except AttributeError:
            return see, (self.seat, self.table, self.agenda)
        return super().__reduce__()

    @property
    def is_asked(self) -> bool:
        """Whether it is for the viewer to answer."""
        return self.seat is not None and self.prompt is not None and self.prompt.seat == self.seat

    @property
    def prompt(self) -> Prompt | None:
        """The question to be answered next, whoever is asked, or `None` when the game is over."""
        return cast(Prompt, self.agenda[0]) if self.agenda else None

    @property
    def hand(self) -> CardBag | None:
        """The viewer's hand; a spectator has none."""
        return None if self.seat is None else self.table.players[self.seat].hand

    def check(self, action: Action) -> Violation | None:
        """Return why an action of the viewer is illegal, or `None` if it is legal.

        Raises `OutOfTurnError` if another seat or chance is asked, and `MalformedActionError` if
        the action is none.
        """
        return check_by(some_position(self), self.seat, action)


# Looking at a position


def view(state: GameState | Form, seat: SupportsIndex | None) -> PlayerView:
    """Return what a seat may know of a position, or a spectator for `None`.

    Of the past it tells what the position tells.  Whoever remembers knows more: in the final phase
    which cards lay in a discard pile, and so in no hand, when it began; and at all times what the
    cards that were played tell about copies of them.  See `valletta_rules.memory.memory.Memory`.
    The legal actions follow from the rest of the view, and are listed when they are first wanted.
    Raises `SeatError` if the game has no such seat.

    Rules: INF-1, INF-2, INF-6, INF-7, INF-8, INF-10, INF-14, INF-15
    """
    form = state if has_another_form(state) else None
    state = need_position(state if form is None else form.unpack())
    seat = find_viewer(seat, len(state.players))
    table = Table(
        rules=state.rules,
        cards=state.cards,
        display=state.display,
        players=tuple(
            _look_at(player, owner=owner == seat) for owner, player in enumerate(state.players)
        ),
        supply=state.supply,
        barrels=state.barrels,
        valette=state.valette,
        active=state.active,
        played=state.played,
        phase=state.phase,
    )
    seen = see(seat, table, state.agenda)
    if form is not None and seen.is_asked:
        return PlayerView(seat, table, state.agenda, form.legal_actions())
    return seen


def see(seat: int | None, table: Table, agenda: tuple[Step, ...]) -> PlayerView:
    """Return a view whose legal actions have not been listed yet, if there are any."""
    seen = PlayerView(seat, table, agenda, ())
    if seen.is_asked:
        object.__delattr__(seen, "legal_actions")
    return seen


def find_seat(seat: SupportsIndex, players: int) -> int:
    """Return a seat of a game of so many players as a plain number.

    Raises `SeatError` if the game has no such seat, `TypeError` for what is no whole number.
    """
    number = whole(seat, "a seat")
    if not 0 <= number < players:
        raise SeatError(number, players)
    return number


def find_viewer(seat: SupportsIndex | None, players: int) -> int | None:
    """Return the seat of a viewer as `find_seat` does, and `None` for a spectator."""
    return None if seat is None else find_seat(seat, players)


def _look_at(player: Player, *, owner: bool) -> SeenPlayer:
    """Return what is seen of a player, by himself or by others.

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
    """Return why an action of a seat is illegal in a position, or `None` if it is legal.

    It answers like `check`, but only the seat that is asked: why a card cannot be played would
    tell others about the hand.  Raises `OutOfTurnError` if another seat or chance is asked,
    `SeatError` if the game has no such seat, and `MalformedActionError` if the action is none.

    Rules: INF-1
    """
    need_position(state)
    seat = find_viewer(seat, len(state.players))
    prompt = state.prompt
    if prompt is not None and (seat is None or prompt.seat != seat):
        raise OutOfTurnError(seat, prompt.seat)
    return check(state, action)


# Making up a position


def need_view(thing: object) -> None:
    """Raise `TypeError` if something is no view, such as a position."""
    if not isinstance(thing, PlayerView):
        raise TypeError(f"a view (PlayerView) is needed, not {kind_of(thing)}")


@runtime_checkable
class Recollection(Protocol):
    """Somebody's memory of a game, as far as it is asked when a position is made up."""

    def hands(self, view: PlayerView, rng: Generator, /) -> tuple[CardBag, ...]:
        """Return a hand for each seat; raise an error if the view does not belong to it."""
        ...


def determinize(view: PlayerView, rng: Generator, memory: Recollection | None = None) -> GameState:
    """Return a position that gives its viewer an equal view, the hidden cards split at random.

    The hand of every other player holds the cards shown, and the others are picked out of the rest
    of the hidden cards, each physical card as likely as any other.  So a split has a chance in
    proportion to the number of ways in which it can be picked: two Builders and a Maid hidden,
    one of them in the hand, it is a Builder two times in three.  That is exactly the chance
    with which a hand is drawn out of these cards; nothing is concluded from what a player chose
    to play, nor from what a view does not tell.

    With a memory of the game, a `valletta_rules.memory.memory.Memory`, the hands have exactly the
    chances that follow from all that the viewer has seen.

    Without one, takes one number from the generator for each card picked.  Raises `TypeError` for
    what is no view or no memory, and `valletta_rules.memory.hearing.MemoryMismatchError` if the
    memory has not heard exactly what has led to the view.
    """
    need_view(view)
    table = view.table
    if memory is None:
        number = numbers_from(rng)
        hands = tuple(_pick_hand(seen, number) for seen in table.players)
    elif isinstance(memory, Recollection):
        hands = memory.hands(view, rng)
    else:
        raise TypeError(f"a memory (Memory) is needed, not {kind_of(memory)}")
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
    """A generator that always answers 0."""

    def randrange(self, stop: int, /) -> int:
        """Return 0."""
        return 0


def some_position(view: PlayerView) -> GameState:
    """Return one of the positions that agree with a view; which one, its viewer cannot tell."""
    return determinize(view, _First())


def _make_up(seen: SeenPlayer, hand: CardBag) -> Player:
    return Player(
        hand=hand,
        draw_pile=seen.hidden - hand,
        discard_pile=seen.discard_pile,
        goods=seen.goods,
        built=seen.built,
        upgraded=seen.upgraded,
        score=seen.score,
        shown=seen.shown,
    )


def _pick_hand(seen: SeenPlayer, number: Callable[[int], int]) -> CardBag:
    """Return a hand that a player may have, with the right probability."""
    if seen.hand is not None:
        return seen.hand
    rest = list(seen.hidden - seen.shown)
    picked = len(rest) - seen.draw_pile_size
    return seen.shown + CardBag.of(*[rest.pop(number(len(rest))) for _ in range(picked)])
