"""The native backend: positions in a single block of memory, with much faster rules in C.

`pack` converts a position to a `PackedState`, and its method `unpack` converts it back. The
functions that play a game (`legal_actions`, `check`, `apply`, `chance_outcomes`, `sample_chance`,
`resolve_chance`, `outcome` and `view`) accept packed positions, too. They return the same actions
in the same order as for unpacked positions, and draw the same numbers from a generator. Most other
functions need an unpacked position. Differential tests compare the backend with the engine step by
step.

The backend is compiled when the package is installed, if there is a C compiler. `available` is true
if the backend can be used. Otherwise `why_not` gives the reason. Without the backend, or with the
environment variable ``VALLETTA_NATIVE=0``, positions cannot be packed, and the rest of the package
works unchanged.

A *row* is the block of memory for a position. It supports every edition and every valid card set.
`pack` raises `ValueError` for a position that does not fit, for example one with more than 12 steps
on the agenda.
"""

from __future__ import annotations

import os
import random
import warnings
from array import array
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from importlib import import_module
from math import prod
from struct import error
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, SupportsIndex, get_args
from zlib import crc32

import attrs

from valletta_rules import chance, engine
from valletta_rules.actions import Action, Pay, TakeGoods
from valletta_rules.agenda import PaymentPrompt, Step
from valletta_rules.components.bags import CardBag
from valletta_rules.components.buildings import Building
from valletta_rules.components.card_set import CardSet
from valletta_rules.components.characters import CHARACTERS, Character
from valletta_rules.components.display import MAX_SITES, SiteSet
from valletta_rules.components.goods import GOODS, NOTHING, Goods
from valletta_rules.components.limits import LARGEST_AMOUNT
from valletta_rules.components.names import abbreviated
from valletta_rules.components.numbers import Generator, numbers_from, whole
from valletta_rules.components.values import Value
from valletta_rules.errors import BrokenInvariantError, ClauseId, Code, MalformedActionError
from valletta_rules.events import EndCondition, Event
from valletta_rules.numeric import encoding, layout, numbering
from valletta_rules.results import Outcome, Score
from valletta_rules.rulings import RuleSet
from valletta_rules.state import (
    GameState,
    Phase,
    Player,
    has_another_form,
    kind_of,
    need_position,
)
from valletta_rules.views.view import (
    PlayerView,
    Recollection,
    SeenPlayer,
    Table,
    find_viewer,
    need_view,
    some_position,
)
from valletta_rules.views.view import determinize as _determinize

if TYPE_CHECKING:
    from valletta_rules._native import PackedState as PackedState
    from valletta_rules.chance import resolve_chance as resolve_chance
    from valletta_rules.engine import apply as apply
    from valletta_rules.engine import legal_actions as legal_actions

LIMITS: Final[Mapping[str, int]] = MappingProxyType(
    {
        "LAYOUT_VERSION": layout.LAYOUT_VERSION,
        "MAX_PLAYERS": layout.MAX_PLAYERS,
        "MAX_KINDS": layout.MAX_KINDS,
        "MAX_SITES": MAX_SITES,
        "MAX_DESIGNS": layout.MAX_DESIGNS,
        "MAX_PLAYED": encoding.MOST_PLAYED,
        "MAX_STEPS": encoding.MOST_STEPS,
        "MOST_GOODS": LARGEST_AMOUNT,
        "MOST_SCORE": LARGEST_AMOUNT,
        "MOST_CARDS": 128,
        "MOST_EVENTS": layout.MOST_EVENTS,
    }
)
"""The version of the layout of rows, and the maximum sizes of their parts."""

FACTS: Final = (
    *("prompt", "action", "character", "building", "good", "owned"),
    *("site", "owner", "price", "payment", "goods", "missing"),
)
"""The names of a refusal's possible parameters, in the order in which violations list them."""

_CODES: Final = tuple(Code)

EVENTS: Final[tuple[type[Any], ...]] = get_args(Event)
"""The types of event, in the order of the numbers that compiled code uses for them."""

FUNCTIONS_VERSION: Final = 9
"""The version of the signatures of the compiled functions: arguments and results."""

_COMPILED: Final = (
    *(each.name for each in (*CHARACTERS, *_CODES)),
    *(each.__name__ for each in (*encoding.STEP_TYPES, *EVENTS)),
    *map(str, (*FACTS, *LIMITS.values(), numbering.COUNT, FUNCTIONS_VERSION)),
)

TABLES_VERSION: Final = crc32(" ".join(_COMPILED).encode()) // 2
"""A checksum over `FUNCTIONS_VERSION` and the contents of the compiled tables. A library with a
different checksum is not used.
"""

_PARTS: Final = MappingProxyType(
    {
        **dict.fromkeys(("seat", "giver"), "seat"),
        **dict.fromkeys(("site", "taker"), "other"),
        **dict.fromkeys(("plays", "points", "space"), "value"),
    }
)

EVENT_FIELDS: Final[Mapping[type[Any], Mapping[str, str]]] = MappingProxyType(
    {
        kind: MappingProxyType(
            {field.name: _PARTS.get(field.name, field.name) for field in attrs.fields(kind)}
        )
        for kind in EVENTS
    }
)
"""A mapping from types of event to the sources of their fields.

A source is either the name of a member of the C struct, or a kind of value, such as ``good``, that
the struct contains as a number.
"""

_NUMBERED: Final[Mapping[str, Sequence[object]]] = MappingProxyType(
    {"character": CHARACTERS, "good": GOODS, "condition": tuple(EndCondition)}
)
"""The values that the C struct of an event contains as numbers, keyed by the kind of value.

The number of a value is its index in the sequence.
"""

POSITION_HEADER: Final = layout.struct_of("position", without="player")
"""The struct for the beginning of a row, up to the players."""

PLAYER: Final = layout.struct_of("player")
"""The struct for each player within a row."""

_STEP: Final = layout.struct_of("step")
_TABLE: Final = layout.struct_of("table")
_REFUSAL: Final = layout.struct_of("refusal")
_EVENT: Final = layout.struct_of("event")
_FIELDS: Final = {
    kind: tuple(field.name for field in attrs.fields(kind)) for kind in encoding.STEP_TYPES
}


class RowError(ValueError):
    """A position does not fit in a row, the block of memory for a packed position."""


class PackedError(TypeError, AttributeError):
    """An attribute was read that exists only on a `GameState`, not on a packed position."""


class Refused(NamedTuple):
    """The reason why an action is illegal, without a message."""

    code: Code
    """The kind of violation."""
    clause: ClauseId
    """The id of the clause that the action would violate."""
    facts: Mapping[str, object]
    """The parameters of the violation, keyed by name, in the order of `FACTS`."""


def refusal(position: PackedState, action: Action) -> Refused | None:
    """Return the reason why an action is illegal in a packed position, or `None` if it is legal.

    The backend computes the same reason as `valletta_rules.check`. Raises
    `MalformedActionError` as `valletta_rules.check` does.
    """
    kind, goods = type(action), getattr(action, "goods", NOTHING)
    number = _find_number(action, position.cards)
    if kind is Pay:
        number = numbering.NUMBERS[Pay].start
    elif number < 0 and kind is TakeGoods:
        number = numbering.COUNT
    elif number < 0:
        if kind not in numbering.NUMBERS or (
            (prompt := position.prompt) and kind in prompt.answers
        ):
            raise MalformedActionError(f"not an action of this game: {abbreviated(action)}")
        number = numbering.NUMBERS[kind].start  # illegal here: any number of this kind will do
    paid = [min(amount, LIMITS["MOST_GOODS"]) for amount in goods]
    encoded = position.refusal(number, tuple(paid))
    return None if encoded is None else _refused(position, action, encoded)


def _refused(position: PackedState, action: Action, encoded: bytes) -> Refused:
    """Convert the bytes that the backend returns to a refusal."""
    code, clause, facts, character, site, owner, owned, *goods = _REFUSAL.unpack(encoded)
    if code == len(_CODES):
        raise MalformedActionError(f"not an action of this game: {abbreviated(action)}")
    known = {
        "prompt": type(position.prompt).__name__,
        "action": type(action).__name__,
        "character": CHARACTERS[character],
        "building": getattr(action, "building", None),
        "good": getattr(action, "good", None),
        "payment": getattr(action, "goods", None),
        "site": getattr(action, "site", site),
        "owner": None if owner < 0 else owner,
        "owned": owned,
        "price": Goods(*goods[:4]),
        "goods": Goods(*goods[4:8]),
        "missing": Goods(*goods[8:]),
    }
    named_facts = {name: known[name] for place, name in enumerate(FACTS) if facts >> place & 1}
    return Refused(_CODES[code], _clause(clause), named_facts)


def transition(position: PackedState, action: Action) -> tuple[PackedState, tuple[Event, ...]]:
    """Return the position after an action, and the events that led to it.

    Raises the same errors as `valletta_rules.apply`, and `OverflowError` for a new position
    that cannot be packed.
    """
    result = position.transition(action)
    if result is None:
        engine.apply(position, action)  # raises the error of an illegal action
        raise BrokenInvariantError(f"{abbreviated(action)} is legal, but the backend rejects it")
    after, events = result
    return after, tuple([_event(after, *each) for each in _EVENT.iter_unpack(events)])


def _event(
    after: PackedState, kind: int, seat: int, value: int, other: int, clause: int, *goods: int
) -> Event:
    """Return an event, given its numbers from the backend.

    `after` is the position after the action.
    """
    event_type = EVENTS[kind]
    known = {"seat": seat, "other": other, "value": value, "goods": Goods(*goods)}
    fields: dict[str, Any] = {}
    for name, part in EVENT_FIELDS[event_type].items():
        if part in known:
            fields[name] = known[part]
        elif part in _NUMBERED:
            fields[name] = _NUMBERED[part][value]
        elif part == "building":
            fields[name] = after.cards.buildings[value].code
        elif part == "clause":
            fields[name] = _clause(clause)
        else:
            fields[name] = after.outcome()
    event: Event = event_type(**fields)
    return event


def clause_number(clause: ClauseId) -> int:
    """Return the backend's number for a clause.

    It encodes both parts of the clause's id: the chapter's letters and the number.
    """
    chapter, number = clause.split("-")
    return int.from_bytes(chapter.encode()) << 8 | int(number)


def _clause(number: int) -> ClauseId:
    """Return the id of the clause with the given number. This is the inverse of `clause_number`."""
    return f"{number.to_bytes(4)[:3].decode()}-{number & 0xFF}"


# Packing


def pack(state: GameState) -> PackedState:
    """Convert a position to a `PackedState`, which is one block of memory.

    The position must be valid, which means that `valletta_rules.problems_of` returns no problems.
    Raises `RowError`, a `ValueError`, for a position that cannot be packed, `RuntimeError` if
    the native backend is not available, and `TypeError` for any other value.
    """
    need_position(state)
    if why_not is not None:
        raise RuntimeError(why_not)
    table = _table(state.rules, state.cards, len(state.players))
    try:
        row = b"".join((_head(state), *map(_player, state.players)))
    except (error, LookupError, ValueError, OverflowError) as reason:
        raise RowError(f"the position cannot be packed: {reason}") from None
    try:
        packed: PackedState = table.position(row)
    except ValueError as reason:
        raise RowError(f"the position cannot be packed: {reason}") from None
    return packed


def _head(state: GameState) -> bytes:
    if len(state.agenda) > LIMITS["MAX_STEPS"] or len(state.played) > LIMITS["MAX_PLAYED"]:
        raise ValueError("too many steps on the agenda, or too many played cards")
    return POSITION_HEADER.pack(
        b"".join(map(_step, reversed(state.agenda))),
        _display(state.display, state.cards),
        len(state.display),
        len(state.players),
        state.active,
        encoding.PHASES.index(state.phase),
        state.valette,
        len(state.played),
        len(state.agenda),
        0,
        bytes(state.barrels),
        bytes([character.rank for character in state.played]),
        *_bag(state.supply),
        0,
    )


def _player(player: Player) -> bytes:
    return PLAYER.pack(
        *_bag(player.hand),
        *_bag(player.draw_pile),
        *_bag(player.discard_pile),
        *_bag(player.shown),
        player.built.mask,
        player.upgraded.mask,
        *player.goods,
        player.score,
    )


def _bag(bag: CardBag) -> tuple[bytes, int]:
    return bag.packed.to_bytes(layout.MAX_KINDS, "little"), len(bag)


@lru_cache(maxsize=1 << 12)
def _step(step: Step) -> bytes:
    seat, value, goods = 0, 0, NOTHING
    for name in _FIELDS[type(step)]:
        given = getattr(step, name)
        if isinstance(given, Goods):
            goods = given
        elif name in ("seat", "player"):
            seat = given
        else:
            value = given.rank if isinstance(given, Character) else given
    return _STEP.pack(encoding.STEP_TYPES.index(type(step)) + 1, seat, value, bytes(goods))


def _display(display: tuple[Building, ...], cards: CardSet) -> bytes:
    """Return the index in the card set for each building of a display.

    The last result is cached.
    """
    last, its_cards, designs = _last[0]  # one read: another thread may replace it
    if last is not display or its_cards is not cards:
        designs = bytes([_designs(cards)[building] for building in display])
        _last[0] = display, cards, designs
    return designs


_last: Final[list[tuple[tuple[Building, ...] | None, CardSet | None, bytes]]] = [(None, None, b"")]


@lru_cache(maxsize=64)
def _designs(cards: CardSet) -> dict[Building, int]:
    return {building: design for design, building in enumerate(cards.buildings)}


def table_bytes(rules: RuleSet, cards: CardSet, players: int) -> bytes:
    """Return the constants of a game for compiled code.

    Four fields are zero; compiled code derives their values from the rule set.

    Raises ``struct.error`` or `ValueError` for a card set that does not fit in the table.
    """
    buildings = cards.buildings
    return _TABLE.pack(
        players,
        *(0, 0, 0, 0),  # compiled code computes these values
        len(buildings),
        bytes([building.character.rank for building in buildings]),
        bytes([building.icon.rank for building in buildings]),
        bytes([building.points for building in buildings]),
        bytes([building.copies for building in buildings]),
        bytes([count for building in buildings for count in building.cost]),
        bytes(cards.barrels),
        bytes(encoding.encode_rules(rules)),
    )


@lru_cache(maxsize=64)
def _table(rules: RuleSet, cards: CardSet, players: int) -> Any:
    """Return the compiled table of constants that all positions of a game share.

    Raises `RowError` for a card set that does not fit in the table.
    """
    try:
        known = table_bytes(rules, cards, players)
        return _library.Table(rules, cards, numbering.dealings(cards), known)
    except (error, ValueError) as reason:
        raise RowError(f"positions of this game cannot be packed: {reason}") from None


# Unpacking


class PackedParts(NamedTuple):
    """The parts of a packed position that can be read without unpacking all of it."""

    players: tuple[bytes, ...]
    """The bytes for each player, to be passed to `numbers_of_player`."""
    active: int
    played: bytes
    """The ranks of the cards played this turn."""
    valette: int
    phase: Phase


def peek(packed: PackedState) -> PackedParts:
    """Return the players, the played cards and other parts of a packed position."""
    row = bytes(packed)
    _, _, _, _, active, phase, valette, plays, _, _, _, played, *_ = POSITION_HEADER.unpack_from(
        row
    )
    players = tuple([row[place] for place in _places(len(row))])
    return PackedParts(players, active, played[:plays], valette, encoding.PHASES[phase])


def numbers_of_player(player: bytes) -> tuple[int, ...]:
    """Unpack the numbers of a player in `PackedParts`.

    They are: hand, draw pile and discard pile, each as an integer with one byte for each kind of
    card; the sites built on and the upgraded sites, as bit masks; the four counts of goods; and the
    score.
    """
    hand, _, draw_pile, _, discard_pile, _, _, _, *others = PLAYER.unpack(player)
    piles = [int.from_bytes(each, "little") for each in (hand, draw_pile, discard_pile)]
    return (*piles, *others)


def _players_of(row: bytes) -> int:
    """Return the number of players whose data a row contains; 0 if the bytes are not a row."""
    return len(row[POSITION_HEADER.size :]) // PLAYER.size


@lru_cache(maxsize=8)
def _places(length: int) -> tuple[slice, ...]:
    """Return a slice for each player in a row of `length` bytes."""
    starts = range(POSITION_HEADER.size, length, PLAYER.size)
    return tuple([slice(start, start + PLAYER.size) for start in starts])


def _unpack(packed: PackedState) -> GameState:
    row, cards = bytes(packed), packed.cards
    agenda, display, dealt, _, active, phase, valette, plays, steps, *others = (
        POSITION_HEADER.unpack_from(row)
    )
    _, barrels, played, supply, *_ = others
    return GameState(
        rules=packed.rules,
        cards=cards,
        display=_read_display(display[:dealt], cards),
        players=tuple([_read_player(row[place]) for place in _places(len(row))]),
        supply=_read_bag(supply),
        barrels=_goods(*barrels),
        valette=valette,
        active=active,
        played=tuple([CHARACTERS[rank] for rank in played[:plays]]),
        phase=encoding.PHASES[phase],
        agenda=tuple(
            [
                _read_step(agenda[place * _STEP.size : (place + 1) * _STEP.size])
                for place in reversed(range(steps))
            ]
        ),
    )


@lru_cache(maxsize=64)
def _read_display(designs: bytes, cards: CardSet) -> tuple[Building, ...]:
    return tuple([cards.buildings[design] for design in designs])


@lru_cache(maxsize=1 << 12)
def _read_player(written: bytes) -> Player:
    hand, _, draw_pile, *_ = PLAYER.unpack(written)
    return Player(hand=_read_bag(hand), draw_pile=_read_bag(draw_pile), **_read_open(written))


@lru_cache(maxsize=1 << 12)
def _read_visible_player(written: bytes, is_viewer: bool) -> SeenPlayer:
    """Read a player from a redacted row. Such a row contains only the viewer's hand."""
    hand, size, draw_pile, *_ = PLAYER.unpack(written)
    own, hidden = _read_bag(hand) if is_viewer else None, _read_bag(draw_pile)
    return SeenPlayer(
        hidden=hidden if own is None else hidden + own,
        hand_size=size,
        hand=own,
        **_read_open(written),
    )


def _read_open(written: bytes) -> dict[str, Any]:
    _, _, _, _, discard_pile, _, shown, _, built, upgraded, *goods, score = PLAYER.unpack(written)
    return {
        "discard_pile": _read_bag(discard_pile),
        "shown": _read_bag(shown),
        "built": _sites(built),
        "upgraded": _sites(upgraded),
        "goods": _goods(*goods),
        "score": score,
    }


@lru_cache(maxsize=1 << 12)
def _read_bag(counts: bytes) -> CardBag:
    return CardBag(packed=int.from_bytes(counts, "little"))


@lru_cache(maxsize=1 << 12)
def _read_step(written: bytes) -> Step:
    kind, seat, value, goods = _STEP.unpack(written)
    step_type: type[Step] = encoding.STEP_TYPES[kind - 1]
    return step_type(*[_READ[name](seat, value, goods) for name in _FIELDS[step_type]])


_goods: Final = lru_cache(maxsize=1 << 12)(Goods)
"""A function that creates goods. Results are cached, since few different amounts occur."""

_sites: Final = lru_cache(maxsize=1 << 12)(SiteSet)
"""A function that creates sets of sites.

Results are cached, since most sets do not change between two positions.
"""

_READ: Final[Mapping[str, Callable[[int, int, bytes], Any]]] = MappingProxyType(
    {
        **dict.fromkeys(("seat", "player"), lambda seat, value, goods: seat),
        **dict.fromkeys(("goods", "reduction", "price"), lambda seat, value, goods: _goods(*goods)),
        **dict.fromkeys(("site", "plays", "taker"), lambda seat, value, goods: value),
        "character": lambda seat, value, goods: CHARACTERS[value],
    }
)
"""A mapping from the name of a step's field to a function that returns the field.

The arguments of the function are the seat, the value and the goods of the packed step.
"""


# Callbacks of the library


def _find_number(action: Action, cards: CardSet) -> int:
    """Return the number of an action, or -1 if it has none."""
    if type(action) not in numbering.NUMBERS:
        return -1
    try:
        return numbering.numbers_of(action, cards)[0]
    except ValueError:
        return -1


_fresh: Any = Goods()

_GOODS_REST: Final[Mapping[str, Any]] = {
    slot: getattr(_fresh, slot) for slot in _fresh.__slots__ if slot not in (*GOODS, "__weakref__")
}
"""The attributes that a new `Goods` object has in addition to its counts."""


def _outcome(lines: Sequence[tuple[int, int, int, int]], winners: int, clause: int) -> Outcome:
    scores = tuple([Score(seat, *line) for seat, line in enumerate(lines)])
    seats = tuple([seat for seat in range(len(lines)) if winners >> seat & 1])
    return Outcome(scores, seats, f"SCO-{clause}")


def _restore(version: int, rules: RuleSet, cards: CardSet, row: bytes) -> PackedState:
    """Restore a packed position from its pickled parts.

    Raises `ValueError` for a row of another version or an invalid row, `TypeError` for parts of a
    wrong type, and `RuntimeError` if the native backend is not available.
    """
    if why_not is not None:
        raise RuntimeError(why_not)
    if version != LIMITS["LAYOUT_VERSION"]:
        raise ValueError(
            f"a packed position must have version {layout.LAYOUT_VERSION}, not version {version}"
        )
    if not (isinstance(rules, RuleSet) and isinstance(cards, CardSet) and isinstance(row, bytes)):
        raise TypeError("expected a rule set, a card set and the bytes of a packed position")
    packed: PackedState = _table(rules, cards, _players_of(row)).position(row)
    return packed


def determinize(
    view: PlayerView, rng: Generator, memory: Recollection | None = None
) -> PackedState:
    """Return a random packed position that the viewer cannot distinguish from the actual one.

    The result equals that of `valletta_rules.determinize`, and the same random numbers are used.
    Views of packed positions already have a row. Any other view is packed once, and its row is
    cached. Raises the errors of `valletta_rules.determinize`, and `RowError` for a position that
    cannot be packed.
    """
    if memory is not None:
        return pack(_determinize(view, rng, memory))
    need_view(view)
    row: Any = view._row
    if row is None:
        row = pack(some_position(view)).redacted(view.seat)
        object.__setattr__(view, "_row", row)
    packed: PackedState = row.determinized(rng)
    return packed


def encode(
    state: PackedState, seat: SupportsIndex | None, begun: Sequence[int] = (), into: Any = None
) -> Any:
    """Encode a seat's view of a packed position as an array. A seat of `None` means a spectator.

    The array equals that of `valletta_rules.numeric.encoding.encode`, which explains `begun`.
    `into` is a buffer of signed 16-bit integers for the result. Without it, the function returns a
    new array. Raises `SeatError` if the game has no such seat, `ValueError` for a buffer of another
    type or size and for a payment that the seat cannot have begun, and `TypeError` for anything but
    a packed position.
    """
    if not has_another_form(state):
        raise TypeError(f"expected a packed position (PackedState), not {kind_of(state)}")
    packed: Any = state
    players = _players_of(bytes(packed))
    viewer = find_viewer(seat, players)
    length = len(encoding.columns(players))
    result: Any = array("h", bytes(2 * length)) if into is None else into
    written = result if into is None else _buffer(into, "h", 2, (length,))
    paid = encoding.encode_partial_payment(begun, packed.prompt if begun else None, viewer)
    packed.encode(written, -1 if viewer is None else viewer, *paid)
    return result


# Batches of games

_MASK, _TO_PLAY, _DONE, _REWARDS, _SCORES, _VIEW, _VIEWS, _SAMPLE = range(8)


class Advanced(NamedTuple):
    """The results of `Batch.advance` for all games. The next call overwrites the arrays."""

    observations: Any
    """The result of `Batch.observe`."""
    masks: Any
    """The result of `Batch.legal_mask`."""
    rewards: Any
    """The result of `Batch.rewards`."""
    done: Any
    """The result of `Batch.done`."""


class Batch:
    """A batch of thousands of games. Pass action numbers to play them.

    The numbers are those of `valletta_rules.numeric.numbering`. One call makes one step in every
    game, in as many threads as requested, without holding the interpreter's lock. Arguments and
    results are buffers: arrays, memoryviews or numpy arrays. Methods with a result write it to the
    buffer `into`, or return a new buffer. While one thread runs a method of a batch, calls from
    other threads raise `RuntimeError`.
    """

    NONE: Final = -1
    """The action number to pass for a game that is over."""

    CHANCE: Final = -1
    """The value of `to_play` for a game that waits for a random outcome."""

    NOBODY: Final = -2
    """The value of `to_play` for a game that is over."""

    def __init__(
        self,
        start: PackedState,
        games: int,
        *,
        chance: Literal["inside", "outside"] = "inside",
        restart: bool = False,
        threads: int = 1,
    ) -> None:
        """Start `games` games in the position `start`, with the seeds 0, 1, 2 and so on.

        If `chance` is "inside", the batch draws random outcomes. If it is "outside", the caller
        answers chance prompts. `restart` says whether finished games start again in this position.
        The games are distributed over `threads` threads. Raises `ValueError` for too few or too
        many games or threads and for any other value of `chance`, and `RuntimeError` if the native
        backend is not available.
        """
        if why_not is not None:
            raise RuntimeError(why_not)
        if chance not in ("inside", "outside"):
            raise ValueError(f"chance must be 'inside' or 'outside', not {chance!r}")
        self._batch: Any = _library.Batch(start, games, chance == "outside", restart, threads)
        self._games, self._players = games, _players_of(bytes(start))
        self._advanced: tuple[bytearray, Advanced] | None = None
        self.reset(array("Q", range(games)))

    def reset(self, seeds: Any, wanted: Any = None) -> None:
        """Restart games, each with a new seed.

        `seeds` is a buffer of unsigned 64-bit integers. `wanted` contains one byte for each game: 1
        to restart it. By default, all games restart. The other games do not change, and their seeds
        are ignored.

        The seed of a game determines all its chance outcomes, independently of its index in the
        batch and of the number of threads. Raises `ValueError` for a buffer of another type or
        shape.
        """
        shape = (self._games,)
        chosen = bytes([1]) * self._games if wanted is None else _buffer(wanted, "B?", 1, shape)
        self._reset(_buffer(seeds, "QL", 8, shape), chosen)

    def _reset(self, seeds: memoryview, wanted: memoryview | bytes) -> None:
        self._batch.reset(seeds, wanted)

    def step(self, ids: Any) -> None:
        """Play an action number in each game.

        `ids` is a buffer of signed 64-bit integers. A payment takes four steps. For a game that is
        over, pass `NONE`. Raises `ValueError` for a buffer of another type or shape and for an
        illegal number. In this case no game changes. Raises `OverflowError` if the position
        of a game can no longer be packed. In this case the game has stopped, and all other games
        have advanced.
        """
        self._batch.step(_buffer(ids, "ql", 8, (self._games,)))

    def advance(self, ids: Any) -> Advanced:
        """Play an action number in each game, as `step` does, and return the results.

        The arrays are read-only, and every call returns the same arrays. Copy the data before the
        next call. Unless `step` or `reset` was called in between, only changes since the last call
        are written, so `advance` takes less time than `step`, `observe` and `legal_mask`. Raises
        the errors of `step`.
        """
        ids = _buffer(ids, "ql", 8, (self._games,))
        whole, advanced = self._advanced = self._advanced or self._arrays()
        self._batch.advance(ids, whole)
        return advanced

    def _arrays(self) -> tuple[bytearray, Advanced]:
        """Return new memory for the results of `advance`, and the arrays that use this memory."""
        games, players = self._games, self._players
        rewards, observations = 4 * games * players, 2 * games * len(encoding.columns(players))
        masks = games * numbering.COUNT
        whole = bytearray(rewards + observations + masks + games)
        view = memoryview(whole).toreadonly()
        advanced = Advanced(
            view[rewards : rewards + observations].cast(
                "h", (games, len(encoding.columns(players)))
            ),
            view[rewards + observations : -games].cast("B", (games, numbering.COUNT)),
            view[:rewards].cast("f", (games, players)),
            view[-games:],
        )
        return whole, advanced

    def legal_mask(self, into: Any = None) -> Any:
        """Return one byte for each action number in each game: 1 if the number is legal, else 0."""
        return self._fetch(_MASK, "B?", 1, into, numbering.COUNT)

    def to_play(self, into: Any = None) -> Any:
        """Return one signed byte for each game: the seat that must answer, `CHANCE` or `NOBODY`."""
        return self._fetch(_TO_PLAY, "b", 1, into)

    def done(self, into: Any = None) -> Any:
        """Return one byte for each game: 1 if the last step ended it, even if it has restarted."""
        return self._fetch(_DONE, "B?", 1, into)

    def rewards(self, into: Any = None) -> Any:
        """Return the reward of each seat in each game, as 32-bit floating-point numbers.

        The reward is 1 for the winner of a game that is `done`, or is divided equally among several
        winners. All other rewards are 0.
        """
        return self._fetch(_REWARDS, "f", 4, into, self._players)

    def scores(self, into: Any = None) -> Any:
        """Return the points of each seat in each game as 32-bit integers; 0 unless `done`."""
        return self._fetch(_SCORES, "i", 4, into, self._players)

    def observe(self, into: Any = None, *, seats: Literal["to play", "all"] = "to play") -> Any:
        """Return the observations of each game, as arrays of signed 16-bit integers.

        If `seats` is "to play", the result contains one observation for each game: that of the seat
        that must answer, or that of a spectator if no seat must answer. If it is "all", the result
        contains an observation for each seat. An observation is an array as returned by
        `valletta_rules.numeric.encoding.encode`, with a partial payment shown only to the payer.
        For a game that has stopped, it is all zeros. Raises `ValueError` for any other value of
        `seats`.
        """
        if seats not in ("to play", "all"):
            raise ValueError(f"seats must be 'to play' or 'all', not {seats!r}")
        length = len(encoding.columns(self._players))
        if seats == "all":
            return self._fetch(_VIEWS, "h", 2, into, self._players, length)
        return self._fetch(_VIEW, "h", 2, into, length)

    def sample(self, seed: SupportsIndex, into: Any = None) -> Any:
        """Return a random legal number for each game as a 64-bit integer.

        All legal numbers of a game are equally likely.

        For a game that is over, the number is `NONE`. The sample depends on the seed, from 0 to
        2**64 - 1, the legal numbers, the index of the game, and the number of its answers since
        `reset`. So one seed can be used for all steps. Raises `ValueError` for a seed out of range
        and a buffer of another type or shape.
        """
        return self._fetch(_SAMPLE, "ql", 8, into, seed=_seed(seed))

    def position(self, game: int) -> PackedState:
        """Return the position of a game. During a partial payment, this is the position before it.

        Raises `IndexError` for an index out of range, and `OverflowError` for a game that has
        stopped.
        """
        return self._position(game, is_last=False)

    def last_position(self, game: int) -> PackedState:
        """Return the final position of the last finished game with this index.

        Raises `ValueError` if no game with this index has ended since the last `reset`, and the
        errors of `position`.
        """
        return self._position(game, is_last=True)

    def _position(self, game: int, *, is_last: bool) -> PackedState:
        packed: PackedState = self._batch.position(game, is_last)
        return packed

    def _fetch(
        self, kind: int, formats: str, size: int, into: Any, *columns: int, seed: int = 0
    ) -> Any:
        shape = (self._games, *columns)
        if into is None:
            new: Any = memoryview(bytearray(prod(shape) * size))
            into = new.cast(formats[0], shape)
        self._batch.fill(kind, _buffer(into, formats, size, shape), seed)
        return into


@attrs.frozen
class Rollouts(Value):
    """The results of games played at random from a position to the end."""

    games: int
    """The number of games that were played."""
    unfinished: int
    """The number of games that were given up before their end.

    A game is given up if its position can no longer be packed, if no action is legal or no random
    outcome is possible, or after 2**20 decisions. `games` includes these games; the other fields do
    not.
    """
    decisions: int
    """The number of decisions by all players in all games."""
    shares: tuple[float, ...]
    """The number of victories of each seat. A shared victory adds an equal fraction for each
    winner.
    """
    points: tuple[int, ...]
    """The sum of the final points of each seat over all games."""
    squares: tuple[int, ...]
    """The sum of the squares of the final points of each seat over all games."""


def rollouts(
    position: PackedState, games: SupportsIndex, seed: SupportsIndex, *, threads: int = 1
) -> Rollouts:
    """Play random games from a position to the end, and return the sums of their results.

    Chance outcomes have the probabilities of `chance_outcomes`. Players choose each legal action
    with equal probability, including payments, as ``rng.choice(legal_actions(...))`` does. The
    result depends only on the position, the number of games and the seed, which is from 0 to 2**64
    - 1. It does not depend on the number of threads, which run without the interpreter's lock. The
    moves of each game depend only on the position, the seed and the index of the game. Raises
    `ValueError` for less than one game, a seed out of range, and a number of threads other than 1
    to 256; `TypeError` for anything but a packed position; and `RuntimeError` if the native backend
    is not available.
    """
    if why_not is not None:
        raise RuntimeError(why_not)
    played, unfinished, decisions, shares, points, squares = _library.rollouts(
        position, _count(games), _seed(seed), threads
    )
    won = tuple([share / 12 for share in shares])
    return Rollouts(played, unfinished, decisions, won, points, squares)


def _count(games: SupportsIndex) -> int:
    """Convert a number of games to an `int`. Raise `ValueError` unless it is 1 to 2**63 - 1."""
    count = whole(games, "games")
    if not 1 <= count < 2**63:
        raise ValueError(f"there must be at least one game and at most 2**63 - 1, not {count}")
    return count


def _seed(seed: SupportsIndex) -> int:
    """Convert a seed to an `int`. Raise `ValueError` unless it is 0 to 2**64 - 1."""
    number = whole(seed, "a seed")
    if not 0 <= number < 2**64:
        raise ValueError(f"a seed must be from 0 to 2**64 - 1, not {number}")
    return number


def _buffer(given: Any, formats: str, size: int, shape: tuple[int, ...]) -> memoryview:
    """Return a `memoryview` of a value. Raise `ValueError` if its format or shape is wrong.

    Raises `TypeError` for a value that is not a buffer, such as a list.
    """
    try:
        buffer = memoryview(given)
    except TypeError:
        wanted = f"array({formats[0]!r}, ...) or a numpy array"
        raise TypeError(f"expected a buffer such as {wanted}, not {abbreviated(given)}") from None
    if not (
        buffer.format in tuple(formats)
        and buffer.itemsize == size
        and buffer.shape == shape
        and buffer.c_contiguous
    ):
        raise ValueError(
            f"expected a contiguous buffer of shape {shape}, items of {size} bytes and format "
            f"{' or '.join(formats)}, not shape {buffer.shape} and format {buffer.format}"
        )
    return buffer


def _load() -> tuple[Any, str | None]:
    """Load the compiled library.

    Return the library and `None`, or `None` and the reason why the library cannot be used. Warn if
    the library is broken or of another version.
    """
    if os.environ.get("VALLETTA_NATIVE") == "0":
        return None, "the native backend is not used: the environment variable VALLETTA_NATIVE is 0"
    try:
        library = import_module("valletta_rules._native")
    except ModuleNotFoundError as missing:
        if missing.name == "valletta_rules._native":
            return None, "the native backend was not compiled when valletta-rules was installed"
        reason = f"the native backend cannot be loaded: {missing}"
    except ImportError as broken:
        reason = f"the native backend cannot be loaded: {broken}"
    else:
        if library.TABLES_VERSION == TABLES_VERSION:
            return library, None
        reason = "the native backend was compiled for another version of valletta-rules"
    warnings.warn(reason, RuntimeWarning, stacklevel=2)
    return None, reason


def _prepare(library: Any) -> None:
    """Call ``prepare`` of a compiled library, with the Python objects that the library needs."""
    library.prepare(
        numbering.ACTIONS,
        _find_number,
        _GOODS_REST,
        _read_step,
        _outcome,
        _unpack,
        (
            Table,
            tuple([field.name for field in attrs.fields(Table)]),
            _read_display,
            _read_visible_player,
            _read_bag,
            lambda counts: Goods(*counts),
            CHARACTERS,
            encoding.PHASES,
        ),
        _restore,
        numbers_from,
        PackedError,
        engine.legal_actions,
        engine.apply,
        chance.resolve_chance,
        Pay,
        PaymentPrompt,
        Goods,
        random.Random,
    )


why_not: str | None
_library, why_not = _load()

available: Final = why_not is None
"""Whether the native backend is available.

:meta hide-value:
"""

if _library is not None:
    _prepare(_library)
    if not TYPE_CHECKING:
        PackedState = _library.PackedState

if not TYPE_CHECKING:  # the functions of the library, without a wrapper in Python
    legal_actions = getattr(_library, "legal_actions", engine.legal_actions)
    apply = getattr(_library, "apply", engine.apply)
    resolve_chance = getattr(_library, "resolve_chance", chance.resolve_chance)
