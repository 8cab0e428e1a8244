"""A memory: all that a seat has seen of a game, and what follows from it about the other hands."""

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
from valletta_rules.components.numbers import Generator, numbers_from
from valletta_rules.components.values import Value, as_made
from valletta_rules.events import Built, CardDrawn, CardPlayed, Dismissed, Event, Hired
from valletta_rules.memory.belief import Belief
from valletta_rules.memory.hearing import (
    Beliefs,
    MemoryMismatchError,
    certainty,
    first_beliefs,
    hear,
)
from valletta_rules.views.redaction import HiddenCardDrawn, RedactedEvent, fold
from valletta_rules.views.view import PlayerView, Table, find_seat, find_viewer, need_view


@attrs.frozen
class InformationState(Value):
    """All that a seat has seen of a game, up to what is asked now.

    Two are equal exactly when the seat has seen the same from the same beginning on.  Nothing is
    ever forgotten: of one game, a later one determines all earlier ones.
    """

    digest: str
    """64 letters made of all the rest, the same in every process, for use as a key."""
    start: PlayerView
    """The view with which the memory began."""
    events: tuple[RedactedEvent, ...]
    """What has happened since, as the seat has learnt of it."""
    agenda: tuple[Step, ...]
    """What remains to be done: it also tells of a site chosen and not yet paid for."""

    def __hash__(self) -> int:
        """Return a hash, which takes no longer for a longer game."""
        return hash(self.digest)


def _viewer(seat: SupportsIndex | None) -> int | None:
    return find_viewer(seat, max(SITES))


@attrs.define
class Memory:
    """What a seat has seen of a game, or a spectator for `None`.

    Let it `begin` with a view of the first position, or of any later one in which no card has
    left a hand yet, and `see` every event from then on, redacted for the seat.  It holds the
    table as the seat sees it and a `Belief` in each hand.

    A memory changes with what it is told, but nothing that it holds does: `copy.copy` makes
    another one that goes its own way.  Two are equal if they have heard the same.
    Raises `SeatError` for a seat that no game has.
    """

    seat: int | None = attrs.field(converter=_viewer)
    """The seat whose memory it is."""
    _start: PlayerView | None = attrs.field(default=None, init=False)
    """The view with which it began."""
    _table: Table | None = attrs.field(default=None, init=False, repr=False)
    """The table after all that was heard."""
    _beliefs: Beliefs = attrs.field(default=(), init=False, repr=False)
    """What is believed of the hands after all that was heard."""
    _heard: tuple[tuple[RedactedEvent, Beliefs], ...] = attrs.field(
        default=(), init=False, repr=False
    )
    """Every event, with what was believed before it."""
    _digested: tuple[int, str] = attrs.field(default=(0, ""), init=False, eq=False, repr=False)
    """Of how many events there is a digest, and the digest."""

    # What it is told

    def begin(self, view: PlayerView) -> None:
        """Begin with a view, and forget all that was before.

        Of a view in the middle of a game it believes what `determinize` makes of it without a
        memory: every card that is not shown is as likely to be in the hand as any other.

        Raises `MemoryMismatchError` for a view of another seat, `TypeError` for what is no view.
        """
        need_view(view)
        self._need_own(view)
        self._start, self._table, self._heard = view, view.table, ()
        self._beliefs = first_beliefs(view.table)
        self._digested = (0, _digest_of(view, as_made(view.table.cards)))

    def see(self, event: RedactedEvent) -> None:
        """Hear what has happened, as `valletta_rules.redact` tells it to the seat.

        If it raises an error, the memory stays as it was: `RedactedForAnotherError` for an event
        redacted for another seat or not at all, `SeatError` for a seat that the game does not
        have, and `MemoryMismatchError` if no card can have moved so after all that was heard, or
        if the memory has not begun.
        """
        table, before = self.table, self._beliefs
        beliefs = hear(before, table, event)
        self._table = fold(table, (event,))
        self._beliefs, self._heard = beliefs, (*self._heard, (event, before))

    # What it knows

    @property
    def table(self) -> Table:
        """The table as the seat sees it after all that was heard.

        Raises `MemoryMismatchError` if the memory has not begun.
        """
        if self._table is None:
            raise MemoryMismatchError("this memory has not begun: let it begin with a view")
        return self._table

    @property
    def events(self) -> tuple[RedactedEvent, ...]:
        """All that was heard since the beginning, in order."""
        return tuple(event for event, _ in self._heard)

    def belief(self, seat: SupportsIndex) -> Belief:
        """Return how likely each hand of a seat is; the own hand is certain.

        Raises `SeatError` if the game has no such seat.
        """
        players = self.table.players
        seen = players[find_seat(seat, len(players))]
        if seen.hand is not None:
            return certainty(seen.hidden, seen.hand)
        belief = self._beliefs[seat]
        assert belief is not None, "only the own hand is seen"
        return belief

    def chances(self, seat: SupportsIndex) -> dict[Character, Fraction]:
        """Return for each kind of a seat's hidden cards the probability that one is in the hand.

        Raises `SeatError` if the game has no such seat.
        """
        return self.belief(seat).chances()

    def information_state(self, view: PlayerView) -> InformationState:
        """Return all that the seat has seen, up to what it is asked in a view.

        Raises `MemoryMismatchError` if the memory has not heard exactly what has led to the view.
        """
        self._need_present(view)
        count, digest = self._digested
        for event, _ in self._heard[count:]:
            digest = _digest_of(digest, event)
        self._digested = (len(self._heard), digest)
        assert self._start is not None, "it has a table"
        return InformationState(
            _digest_of(digest, view.agenda), self._start, self.events, view.agenda
        )

    # What it makes up

    def hands(self, view: PlayerView, rng: Generator) -> tuple[CardBag, ...]:
        """Return a hand for each seat, with the chances that they have after all that was heard.

        The own hand is as it is.  `valletta_rules.determinize` asks for this.  Raises
        `MemoryMismatchError` if the memory has not heard exactly what has led to the view.
        """
        self._need_present(view)
        return self._sample(numbers_from(rng))

    def imagine(self, rng: Generator) -> tuple[Event, ...]:
        """Return all that has happened since the beginning, as it may have been.

        The seat would have learnt of it what it has learnt.  Every card that it has not seen drawn
        is made up, each course of events with its exact probability.
        """
        number, told = numbers_from(rng), list[Event]()
        hands = list(self._sample(number))
        for event, beliefs in reversed(self._heard):
            match event:
                case HiddenCardDrawn(seat):
                    belief = beliefs[seat]
                    assert belief is not None, "nobody's own cards are hidden"
                    kind = belief.sample_last_drawn(hands[seat], number)
                    hands[seat] = hands[seat].minus(kind)
                    event = CardDrawn(seat, kind)
                case CardPlayed(seat, kind) | Dismissed(seat, kind):
                    hands[seat] = hands[seat].plus(kind)
                case Built(seat, character=kind) | Hired(seat, kind) | CardDrawn(seat, kind):
                    hands[seat] = hands[seat].minus(kind)
            told.append(event)
        return tuple(reversed(told))

    def _sample(self, number: Callable[[int], int]) -> tuple[CardBag, ...]:
        seats = range(len(self.table.players))
        return tuple(self.belief(seat).sample(number) for seat in seats)

    # What belongs to it

    def _need_own(self, view: PlayerView) -> None:
        """Raise an error if a view is not for the one whose memory it is."""
        if view.seat != self.seat:
            raise MemoryMismatchError(
                f"the memory is {_whose(self.seat)}, the view is {_whose(view.seat)}"
            )

    def _need_present(self, view: PlayerView) -> None:
        """Raise an error if a view is not of what the memory has come to."""
        need_view(view)
        self._need_own(view)
        if view.table != self.table:
            place, told, heard = _difference(view.table, self.table)
            raise MemoryMismatchError(
                "the memory has not heard what led to this view, or more than that: "
                f"{place} is {told!r} in the view, {heard!r} in the memory"
            )


def _whose(seat: int | None) -> str:
    return "a spectator's" if seat is None else f"that of seat {seat}"


def _digest_of(*things: object) -> str:
    return sha256(repr(things).encode()).hexdigest()


def _difference(
    one: attrs.AttrsInstance, other: attrs.AttrsInstance, place: str = "table"
) -> tuple[str, object, object]:
    """Return where two tables differ first, and what is there in each."""
    names = (field.name for field in attrs.fields(type(one)))
    pairs = ((name, getattr(one, name), getattr(other, name)) for name in names)
    name, here, there = next(pair for pair in pairs if pair[1] != pair[2])
    if name == "players" and len(here) == len(there):
        seat = next(seat for seat, each in enumerate(here) if each != there[seat])
        return _difference(here[seat], there[seat], f"{place}.players[{seat}]")
    return f"{place}.{name}", here, there
