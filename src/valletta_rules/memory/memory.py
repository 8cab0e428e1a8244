"""A memory: all events that a seat has observed in a game, and the posterior for every hand."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from hashlib import sha256
from typing import SupportsIndex

import attrs

from valletta_rules.agenda import Step
from valletta_rules.components.bags import CardBag
from valletta_rules.components.characters import Character
from valletta_rules.components.display import SITES
from valletta_rules.components.names import abbreviated
from valletta_rules.components.numbers import Generator, numbers_from
from valletta_rules.components.values import Value, constructor_call
from valletta_rules.events import Built, CardDrawn, CardPlayed, Dismissed, Event, Hired
from valletta_rules.memory import belief_updates
from valletta_rules.memory.belief import Belief
from valletta_rules.views.seen_events import HiddenCardDrawn, RedactedEvent, fold
from valletta_rules.views.view import PlayerView, Table, find_seat, find_viewer, need_view


@attrs.frozen
class InformationState(Value):
    """All information that a seat has observed in a game, up to the current prompt.

    Two information states are equal exactly if they began with equal views and include equal
    events. Recall is perfect: an information state determines all earlier information states of the
    game.
    """

    digest: str
    """A hexadecimal digest of the other fields, which can be used as a key, also in another
    process.
    """
    start: PlayerView
    """The view with which the memory began."""
    events: tuple[RedactedEvent, ...]
    """The events after the start, redacted for the seat."""
    agenda: tuple[Step, ...]
    """The agenda at the prompt. It contains any site that was chosen but has not been paid for."""

    def __hash__(self) -> int:
        """Return a hash in constant time, from the digest."""
        return hash(self.digest)


def _viewer(seat: SupportsIndex | None) -> int | None:
    return find_viewer(seat, max(SITES))


@attrs.define
class Memory:
    """The observations of a seat in a game, or of a spectator if `seat` is `None`.

    Call `begin` with a view of the first position, or of a later position if no card has left a
    hand yet. Then call `see` with every event, redacted for the seat. The memory contains the table
    as the seat sees it, and a `Belief` about each hand.

    A memory is mutable, but the values in it are immutable, so `copy.copy` creates an independent
    memory. Two memories are equal if they have observed the same events from equal views. Raises
    `SeatError` for a seat that no game has.
    """

    seat: int | None = attrs.field(converter=_viewer)
    """The seat that observes, or `None` for a spectator."""
    _start: PlayerView | None = attrs.field(default=None, init=False)
    """The view with which the memory began."""
    _table: Table | None = attrs.field(default=None, init=False, repr=False)
    """The table as the seat sees it after all observed events."""
    _beliefs: belief_updates.Beliefs = attrs.field(default=(), init=False, repr=False)
    """The beliefs about the hands after all observed events."""
    _observed: tuple[tuple[RedactedEvent, belief_updates.Beliefs], ...] = attrs.field(
        default=(), init=False, repr=False
    )
    """All observed events, each with the beliefs before it."""
    _digested: tuple[int, str] = attrs.field(default=(0, ""), init=False, eq=False, repr=False)
    """The number of events that the digest includes, and the digest."""

    # Input

    def begin(self, view: PlayerView) -> None:
        """Forget all events, and begin with a view.

        For a view from the middle of a game, the beliefs are those of `determinize` without a
        memory: all cards that are not shown are equally likely to be in the hand.

        Raises `MemoryMismatchError` for another seat's view, and `TypeError` for anything but a
        view.
        """
        need_view(view)
        self._need_own(view)
        self._start, self._table, self._observed = view, view.table, ()
        self._beliefs = belief_updates.first_beliefs(view.table)
        self._digested = (0, _digest_of(view, constructor_call(view.table.cards)))

    def see(self, event: RedactedEvent) -> None:
        """Update the memory with an event that `valletta_rules.redact` has redacted for the seat.

        Raises `RedactedForAnotherError` for an event that is not redacted, is redacted for another
        seat or belongs to another game. Raises `SeatError` for a seat that the game does not have,
        and `TypeError` for a seat that is not an integer. Raises `MemoryMismatchError` if the event
        is impossible after the observed events, or if `begin` was not called. After an error the
        memory is unchanged.
        """
        table, before = self.table, self._beliefs
        beliefs = belief_updates.update(before, table, event)
        self._table = fold(table, (event,))
        self._beliefs, self._observed = beliefs, (*self._observed, (event, before))

    # Queries

    @property
    def table(self) -> Table:
        """The table as the seat sees it after all observed events.

        Raises `MemoryMismatchError` if `begin` was not called.
        """
        if self._table is None:
            raise belief_updates.MemoryMismatchError(
                "call begin() with a view before using the memory"
            )
        return self._table

    @property
    def events(self) -> tuple[RedactedEvent, ...]:
        """All events that have been observed since `begin`, in order."""
        return tuple(event for event, _ in self._observed)

    def belief(self, seat: SupportsIndex) -> Belief:
        """Return the belief about a seat's hand. The seat of the memory knows its own hand.

        Raises `SeatError` if the game has no such seat.
        """
        players = self.table.players
        player = players[find_seat(seat, len(players))]
        if player.hand is not None:
            return belief_updates.certainty(player.hidden, player.hand)
        belief = self._beliefs[seat]
        assert belief is not None, "only the hand of the memory's own seat is visible"
        return belief

    def chances(self, seat: SupportsIndex) -> dict[Character, Fraction]:
        """Return, for each kind of hidden card of a seat, the probability that one is in the hand.

        Raises `SeatError` if the game has no such seat.
        """
        return self.belief(seat).chances()

    def information_state(self, view: PlayerView) -> InformationState:
        """Return the information that the seat has observed, up to the prompt of a view.

        Raises `MemoryMismatchError` if the memory has not observed exactly the events that led to
        the view.
        """
        self._need_present(view)
        count, digest = self._digested
        for event, _ in self._observed[count:]:
            digest = _digest_of(digest, event)
        self._digested = (len(self._observed), digest)
        assert self._start is not None, "a memory that has begun has a start"
        return InformationState(
            _digest_of(digest, view.agenda), self._start, self.events, view.agenda
        )

    # Sampling

    def hands(self, view: PlayerView, rng: Generator) -> tuple[CardBag, ...]:
        """Return a hand for each seat, sampled from the posterior after all observed events.

        The hand of the memory's own seat is the actual hand. `valletta_rules.determinize` calls
        this method. Raises `MemoryMismatchError` if the memory has not observed exactly the events
        that led to the view.
        """
        self._need_present(view)
        return self._sample(numbers_from(rng))

    def imagine(self, rng: Generator) -> tuple[Event, ...]:
        """Return a possible sequence of events since `begin`, sampled from the posterior.

        The seat cannot distinguish the sampled events from the actual events, because only hidden
        draws differ.
        """
        number, events = numbers_from(rng), list[Event]()
        hands = list(self._sample(number))
        for event, beliefs in reversed(self._observed):
            match event:
                case HiddenCardDrawn(seat):
                    belief = beliefs[seat]
                    assert belief is not None, "only other seats draw hidden cards"
                    kind = belief.sample_last_drawn(hands[seat], number)
                    hands[seat] = hands[seat].minus(kind)
                    event = CardDrawn(seat, kind)
                case CardPlayed(seat, kind) | Dismissed(seat, kind):
                    hands[seat] = hands[seat].plus(kind)
                case Built(seat, character=kind) | Hired(seat, kind) | CardDrawn(seat, kind):
                    hands[seat] = hands[seat].minus(kind)
            events.append(event)
        return tuple(reversed(events))

    def _sample(self, number: Callable[[int], int]) -> tuple[CardBag, ...]:
        seats = range(len(self.table.players))
        return tuple(self.belief(seat).sample(number) for seat in seats)

    # Checks

    def _need_own(self, view: PlayerView) -> None:
        """Raise `MemoryMismatchError` if a view does not belong to the memory's seat."""
        if view.seat != self.seat:
            raise belief_updates.MemoryMismatchError(
                f"the view must be {_whose(self.seat)}, like the memory, not {_whose(view.seat)}"
            )

    def _need_present(self, view: PlayerView) -> None:
        """Raise `MemoryMismatchError` if a view does not agree with the memory's events."""
        need_view(view)
        self._need_own(view)
        if view.table != self.table:
            place, expected, actual = _difference(view.table, self.table)
            raise belief_updates.MemoryMismatchError(
                "the memory has not observed exactly the events that led to this view: "
                f"{place} is {abbreviated(expected)} in the view, "
                f"{abbreviated(actual)} in the memory"
            )


def _whose(seat: int | None) -> str:
    return "a spectator's" if seat is None else f"that of seat {seat}"


def _digest_of(*values: object) -> str:
    return sha256(repr(values).encode()).hexdigest()


def _difference(
    one: attrs.AttrsInstance, other: attrs.AttrsInstance, place: str = "table"
) -> tuple[str, object, object]:
    """Return the path to the first difference between two tables, and the two values there."""
    names = (field.name for field in attrs.fields(type(one)))
    pairs = ((name, getattr(one, name), getattr(other, name)) for name in names)
    name, first, second = next(pair for pair in pairs if pair[1] != pair[2])
    if name == "players" and len(first) == len(second):
        seat = next(seat for seat, each in enumerate(first) if each != second[seat])
        return _difference(first[seat], second[seat], f"{place}.players[{seat}]")
    return f"{place}.{name}", first, second
