"""Worked examples: a position with what matters in it, what is played there, and what follows.

Every rule of the specification has examples, as data:
`valletta_rules.specification.clauses.ClauseText.examples`. Here their positions and actions are
read.  What is not written down is as simple as can be: there are two players, the default edition
and card set, the first player's turn in the main phase; no player has anything, and the buildings
that are not named are any that the display may have.

>>> from valletta_rules.specification.clauses import explain
>>> from valletta_rules.specification.worked_examples import work
>>> worked = work(explain("BLD-6").examples[0])
>>> worked.after.prompt
PaymentPrompt(seat=0, site=1, price=Goods(gold=1, wood=1, stone=2, brick=2))
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from types import MappingProxyType
from typing import Any, Final, TypeVar

import attrs

from valletta_rules.actions import Action
from valletta_rules.agenda import Agenda, EndTurn, PlayPrompt
from valletta_rules.card_sets.files import RECONSTRUCTION
from valletta_rules.components.bags import CardBag
from valletta_rules.components.buildings import Building
from valletta_rules.components.card_set import CardSet
from valletta_rules.components.display import QUOTAS, SITES, SiteSet
from valletta_rules.components.goods import GOODS, ONE, Goods
from valletta_rules.components.street import LAST_SPACE, TOWER
from valletta_rules.components.values import Value
from valletta_rules.engine import apply, begin, check
from valletta_rules.errors import VallettaError, Violation
from valletta_rules.records.position_line import SEAT_FIELDS, read_agenda
from valletta_rules.rulebook.setup import GENERAL_SUPPLY, STARTING_DECK, first_turns, lay_table
from valletta_rules.rulebook.turn import HAND_SIZE, PLAYS_PER_TURN
from valletta_rules.rulebook.valette import barrel_spaces
from valletta_rules.rulings import HANS_IM_GLUECK
from valletta_rules.specification.clauses import Example, chapters
from valletta_rules.state import GameState, Phase, Player
from valletta_rules.text.notation import format_action, parse_goods, readings
from valletta_rules.text.values import (
    SEATS,
    UnfitError,
    by_value,
    named,
    read_bag,
    read_character,
    read_goods,
    read_list,
    read_number,
    read_rules,
)

T = TypeVar("T")
D = TypeVar("D")


class ExampleError(VallettaError, ValueError):
    """An example that cannot be read; the message names it, and what is wrong with it."""


@attrs.frozen
class Worked(Value):
    """An example with its positions."""

    example: Example
    """The example."""
    before: GameState
    """The position given."""
    actions: tuple[Action, ...]
    """What is played, the actions of chance among it; the last one is what may be refused."""
    after: GameState
    """The position that follows; of a refusal, the one in which the last action is refused."""
    violation: Violation | None
    """Why the last action is refused, if it is."""

    def steps(self) -> Iterator[tuple[GameState, Action]]:
        """Run through the positions in which something is played, and what is played there."""
        state = self.before
        for number, action in enumerate(self.actions):
            state = apply(state, self.actions[number - 1]) if number else state
            yield state, action


def examples() -> Iterator[Worked]:
    """Run through all examples, in the order of the rulebook."""
    for chapter in chapters():
        for clause in chapter.clauses:
            yield from map(work, clause.examples)


def work(example: Example) -> Worked:
    """Return an example with its positions, played out.

    Raises `ExampleError` for one that cannot be read, or in which an action is refused that is
    not meant to be.
    """
    try:
        state = before = position_of(example)
        actions = list[Action]()
        for number, text in enumerate(example.play, 1):
            action = action_of(state, text)
            actions.append(action)
            violation = check(state, action)
            if example.refused and number == len(example.play):
                return Worked(example, before, tuple(actions), state, violation)
            if violation is not None:
                raise UnfitError(f"{text} is refused: {violation.message} [{violation.clause}]")
            state = apply(state, action)
    except VallettaError as unfit:
        raise ExampleError(f"{example}: {unfit}") from None
    return Worked(example, before, tuple(actions), state, None)


def action_of(state: GameState, text: str) -> Action:
    """Return the action that a text in notation is, legal or not; raise `UnfitError` if none."""
    for action in readings(state, text):
        if format_action(action) == text:
            return action
    raise UnfitError(f"{text!r} is not the notation of an action")


def position_of(example: Example) -> GameState:
    """Return the position that an example begins with; raise `UnfitError` if it cannot be read."""
    given = _Given(example.given)
    rules = given.take("rules", read_rules, HANS_IM_GLUECK)
    count = given.take("players", _number, 2)
    phase = given.take("phase", BOARD["phase"], Phase.MAIN)
    table = lay_table(count, rules, RECONSTRUCTION)
    named_sites = {
        site: given.take(f"sites.{site}", partial(_building, table.cards), None)
        for site in range(SITES[count])
    }
    display = _display(table.cards, count, named_sites)
    first = Player()
    if phase is Phase.SETUP:
        display = display[: given.take("dealt", _number, len(display))]
        first = _OPENING if len(display) == SITES[count] else table.players[0]
    players = [_player(first, seat, given) for seat in SEATS[:count]]
    active = given.take("active", BOARD["active"], 0)
    valette = given.take("valette", BOARD["valette"], TOWER)
    played = given.take("played", BOARD["played"], ())
    plays = given.take("plays", _number, PLAYS_PER_TURN - len(played))
    asked = given.take("asked", partial(agenda_of, count), ())
    turn: Agenda = (PlayPrompt(active, plays), EndTurn(active)) if plays else (EndTurn(active),)
    state = table.replace(
        display=display,
        players=tuple(players),
        supply=given.take("supply", read_bag, GENERAL_SUPPLY),
        barrels=given.take("barrels", _goods, _barrels(table, valette)),
        valette=valette,
        active=active,
        played=played,
        phase=phase,
        agenda=(*asked, *turn) if phase is not Phase.SETUP else _setup(table, asked),
    )
    given.done()
    return begin(state)


def _setup(table: GameState, asked: Agenda) -> Agenda:
    """Return what remains of the setup: all of it, or what is asked and then the first turns."""
    return (*asked, *first_turns(table.rules)) if asked else table.agenda


_OPENING: Final = Player(
    hand=CardBag.of(*tuple(STARTING_DECK)[:HAND_SIZE]),
    draw_pile=CardBag.of(*tuple(STARTING_DECK)[HAND_SIZE:]),
    goods=Goods(1, 1, 1, 1),
)
"""A player who has drawn the first five of the starting cards."""


class _Given:
    """What is given, out of which one key after the other is taken."""

    def __init__(self, lines: Iterable[tuple[str, str]]) -> None:
        """Take the keys, and what is said of them."""
        self.left = dict(lines)

    def take(self, key: str, read: Callable[[str], T], default: D) -> T | D:
        """Take out what is said of a key, and read it."""
        text = self.left.pop(key, None)
        if text is None:
            return default
        try:
            return read(text.replace(", ", ","))
        except UnfitError as unfit:
            raise UnfitError(f"{key}: {unfit}") from None

    def done(self) -> None:
        """Make sure that nothing unknown is left."""
        for key in self.left:
            raise UnfitError(f"{key!r} is not known here")


def _number(text: str) -> int:
    return read_number(text, range(LAST_SPACE + 1))


def _goods(text: str) -> Goods:
    goods = parse_goods(text)
    if goods is None:
        raise UnfitError(f"{text!r} are no goods")
    return goods


SEAT: Final[Mapping[str, tuple[str, Callable[[str], Any]]]] = MappingProxyType(
    {
        key: (name, _goods if read is read_goods else read)
        for key, (name, _, read) in SEAT_FIELDS.items()
    }
)
"""What can be said of a seat: the field of a `Player`, and how it is read."""

BOARD: Final[Mapping[str, Callable[[str], Any]]] = MappingProxyType(
    {
        "valette": _number,
        "barrels": _goods,
        "supply": read_bag,
        "phase": lambda text: named(text, by_value(Phase), "phase"),
        "active": lambda text: SEATS.index(named(text, {seat: seat for seat in SEATS}, "seat")),
        "played": lambda text: read_list(text, read_character),
    }
)
"""What can be said of the table: a field of a `GameState`, and how it is read."""


def agenda_of(players: int, text: str) -> Agenda:
    """Return steps as a position line has them, such as ``payment/0/7/2g1w``."""
    return read_agenda(players, SITES[players], text)


def _player(first: Player, seat: str, given: _Given) -> Player:
    """Return a player with what is said of one; the sites upgraded are built, too."""
    fields = {name: given.take(f"{seat}.{key}", read, None) for key, (name, read) in SEAT.items()}
    player = first.replace(**fields)
    return player.replace(built=SiteSet(player.built.mask | player.upgraded.mask))


def _building(cards: CardSet, text: str) -> Building:
    """Return the first building of a card set that a character lies on."""
    character = read_character(text)
    for building in cards.buildings:
        if building.character is character:
            return building
    raise UnfitError(f"no building brings the {character}")


def _display(
    cards: CardSet, players: int, sites: Mapping[int, Building | None]
) -> tuple[Building, ...]:
    """Return a display in which some buildings lie on certain sites."""
    quotas = dict(QUOTAS[players])
    copies = {building: building.copies for building in cards.buildings}
    for building in filter(None, sites.values()):
        quotas[building.colour] -= 1
        copies[building] -= 1
    if min(*quotas.values(), *copies.values()) < 0:
        raise UnfitError("sites: the display cannot have these buildings")
    others = list[Building]()
    for building, left in copies.items():
        others += [building] * min(left, quotas[building.colour])
        quotas[building.colour] -= min(left, quotas[building.colour])
    rest = iter(others)
    return tuple(building or next(rest) for building in sites.values())


def _barrels(table: GameState, valette: int) -> Goods:
    """Return the barrels left when Valette has come to a space, as evenly as can be."""
    left = table.barrels
    for space in barrel_spaces(table.rules, len(table.players)):
        if space <= valette:
            left -= ONE[max(GOODS, key=lambda good: left[good])]
    return left
