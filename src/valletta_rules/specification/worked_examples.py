"""Worked examples: parts of a position, the actions that are played in it, and the results.

Every rule of the specification has examples, which are data in
`valletta_rules.specification.clauses.ClauseText.examples`.  This module parses their positions and
actions.  A part of the position that an example omits has a default: two players, the default
edition and card set, the first player's turn in the main phase, players without goods or cards,
and arbitrary other buildings in the display.  An example that holds in several editions, or for
several numbers of players, lists them or has the value ``any``.  It is played once for each of them
(see `variants`).

`contradictions` compares an implementation of the rules with an example.  Each expected result is a
key and a text:

=============================== ================================================================
Key                             Meaning
=============================== ================================================================
``red.goods``, ``valette``, ... a part of the position, as in the given position
``unchanged``                   seats or parts of the position that have not changed
``asked``                       the next prompt; trailing values may be omitted
``by``                          the clause of the prompt, or the one that decided the game
``legal``                       all legal actions
``may``, ``cannot``             actions that are legal; actions that are illegal
``odds.barrel gold``            the probability of this random outcome
``price.build 4``               the price after this choice
``sites.4``                     the character whose building is on the site
``told``                        all events of the last action
``tells``, ``untold``           events that occurred; events that did not occur
``final.red``, ``winners``      the final score of a seat; the seats that have won
``final.red.track``             a part of the final score, or the number of houses
=============================== ================================================================

Events have the form that `write_event` returns; an example may omit their last parts.

``ask`` is a query for facts that the library derives from a position, although no rule needs them.
The query ``track of red`` has the facts ``space`` and ``tokens``.  The query ``blue looks at red``
has ``hand`` and its ``known`` part, ``cards``, ``on_board``, ``discard``, the card counts
``draw_pile``, ``on_board_or_in_hand`` and ``discarded``, ``points``, ``predicted`` and its parts
``buildings_score`` and ``goods_score``, ``houses``, ``goods``, ``icons``, the conditions
``fulfilled``, ``supply``, ``barrels`` and ``ending``.

>>> from valletta_rules.specification.clauses import explain
>>> from valletta_rules.specification.worked_examples import work
>>> worked = work(explain("BLD-6").examples[0])
>>> worked.after.prompt
PaymentPrompt(seat=0, site=1, price=Goods(gold=1, wood=1, stone=1, brick=1))
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from fractions import Fraction
from functools import cached_property, partial
from itertools import product
from types import MappingProxyType
from typing import Any, Final, Generic, Protocol, TypeVar

import attrs

from valletta_rules.actions import Action
from valletta_rules.agenda import Agenda, EndTurn, PaymentPrompt, PlayPrompt
from valletta_rules.card_sets.files import RECONSTRUCTION
from valletta_rules.components.bags import CardBag
from valletta_rules.components.buildings import Building
from valletta_rules.components.card_set import CardSet
from valletta_rules.components.display import QUOTAS, SITES, SiteSet
from valletta_rules.components.goods import GOODS, ONE, Goods
from valletta_rules.components.street import LAST_SPACE
from valletta_rules.components.values import Value
from valletta_rules.engine import apply, begin, check
from valletta_rules.errors import VallettaError, Violation
from valletta_rules.events import Event
from valletta_rules.records.damage import Damage
from valletta_rules.records.position_line import SEAT_FIELDS, read_agenda, write_step
from valletta_rules.results import Outcome
from valletta_rules.rulebook.scoring import track_position
from valletta_rules.rulebook.setup import STARTING_DECK, check_table, first_turns, lay_table
from valletta_rules.rulebook.turn import HAND_SIZE, PLAYS_PER_TURN
from valletta_rules.rulebook.valette import barrel_spaces
from valletta_rules.rulings import EDITIONS, HANS_IM_GLUECK
from valletta_rules.specification import clauses
from valletta_rules.state import GameState, Phase, Player
from valletta_rules.text import values
from valletta_rules.text.notation import format_action, parse_goods, readings
from valletta_rules.views.player_information import table_information
from valletta_rules.views.view import PlayerView, view

T = TypeVar("T")
D = TypeVar("D")
P = TypeVar("P")


class ExampleError(VallettaError, ValueError):
    """The error for an example that cannot be parsed or played; its message names the example."""


@attrs.frozen
class Worked(Value):
    """A worked example that has been played, with its actions, first position and last position."""

    example: clauses.Example
    """The example."""
    before: GameState
    """The position before the actions."""
    actions: tuple[Action, ...]
    """The actions, including random outcomes; the last one may be refused."""
    after: GameState
    """The resulting position or, for a refusal, the position in which the last action is refused.
    """
    violation: Violation | None
    """The violation of the last action, if it is refused."""

    def steps(self) -> Iterator[tuple[GameState, Action]]:
        """Iterate over the actions, each with the position in which it is played."""
        state = self.before
        for number, action in enumerate(self.actions):
            state = apply(state, self.actions[number - 1]) if number else state
            yield state, action


def examples() -> Iterator[Worked]:
    """Iterate over all variants of all examples, in the order of the rulebook."""
    for chapter in clauses.chapters():
        for clause in chapter.clauses:
            for example in clause.examples:
                yield from map(work, variants(example))


def example_named(name: str, language: str = "en") -> clauses.Example:
    """Return the example with a name such as ``BLD-6/two-neighbours``: a clause and an id.

    Raises `UnknownClauseError` if no example has this name.
    """
    known = {str(each): each for each in clauses.explain(name.partition("/")[0], language).examples}
    if name not in known:
        raise clauses.UnknownClauseError("example", name, tuple(get_close_matches(name, known)))
    return known[name]


ANY: Final = "any"
"""The value of ``rules`` or ``players`` in an example for all editions, or all numbers of players,
in which its clause is in force.
"""


def variants(example: clauses.Example) -> tuple[clauses.Example, ...]:
    """Return copies of an example, one for each combination of its editions and player counts."""
    given, when = dict(example.given), clauses.explain(example.clause).when
    known = {
        "rules": [name for name, edition in EDITIONS.items() if when.allows(edition)],
        "players": list(map(str, when.players)),
    }
    named = {key: given[key] for key in known if key in given}
    choices = [known[key] if text == ANY else text.split(", ") for key, text in named.items()]
    return tuple(
        attrs.evolve(example, given=tuple((given | dict(zip(named, chosen, strict=True))).items()))
        for chosen in product(*choices)
    )


def work(example: clauses.Example) -> Worked:
    """Play an example; if it has several variants, play the first one.

    Raises `ExampleError` if the example cannot be parsed, or if an action is illegal although the
    example expects it to be legal.
    """
    try:
        example = variants(example)[0]
        state = before = position_of(dict(example.given))
        actions = list[Action]()
        for number, text in enumerate(example.play, 1):
            action = action_of(state, text)
            actions.append(action)
            violation = check(state, action)
            if example.refused and number == len(example.play):
                return Worked(example, before, tuple(actions), state, violation)
            if violation is not None:
                raise values.UnfitError(
                    f"{text} is refused: {violation.message} [{violation.clause}]"
                )
            state = apply(state, action)
    except VallettaError as unfit:
        raise ExampleError(f"{example}: {unfit}") from None
    return Worked(example, before, tuple(actions), state, None)


def action_of(state: GameState, text: str) -> Action:
    """Parse the notation of an action, legal or not; raise `UnfitError` for any other text."""
    for action in readings(state, text):
        if format_action(action) == text:
            return action
    raise values.UnfitError(f"{text!r} is not the notation of an action")


def position_of(position: Mapping[str, Any]) -> GameState:
    """Return the position that the entries of an example describe.

    The keys may be nested: ``{"red": {"hand": "monk, maid"}, "players": 3}`` is a position with
    three players.  Parts without an entry have their defaults.  Raises `UnfitError` for an entry
    that cannot be parsed.
    """
    given = values.Entries(
        {key: text.replace(", ", ",") for key, text in clauses.lines_of(position)}
    )
    rules = given.take_or("rules", values.read_rules, HANS_IM_GLUECK)
    count = given.take_or("players", _number, 2)
    phase = given.take_or("phase", BOARD["phase"], Phase.MAIN)
    check_table(count, rules)
    named_sites = {
        site: given.take_or(f"sites.{site}", partial(_building, RECONSTRUCTION), None)
        for site in range(SITES[count])
    }
    display = _display(RECONSTRUCTION, count, named_sites)
    table = lay_table(count, rules, _with(RECONSTRUCTION, display))
    first = Player()
    if phase is Phase.SETUP:
        display = display[: given.take_or("dealt", _number, len(display))]
        first = _OPENING if len(display) == SITES[count] else table.players[0]
    players = [_player(first, seat, given) for seat in values.SEATS[:count]]
    active = given.take_or("active", BOARD["active"], 0)
    valette = given.take_or("valette", BOARD["valette"], table.valette)
    played = given.take_or("played", BOARD["played"], ())
    plays = given.take_or("plays", _number, PLAYS_PER_TURN - len(played))
    steps = given.take_or("asked", partial(agenda_of, count), ())
    turn: Agenda = (PlayPrompt(active, plays), EndTurn(active)) if plays else (EndTurn(active),)
    state = table.replace(
        display=display,
        players=tuple(players),
        supply=given.take_or("supply", values.read_bag, table.supply),
        barrels=given.take_or("barrels", _goods, _barrels(table, valette)),
        valette=valette,
        active=active,
        played=played,
        phase=phase,
        agenda=(*steps, *turn) if phase is not Phase.SETUP else _setup(table, steps),
    )
    given.done()
    return begin(state)


def _setup(table: GameState, steps: Agenda) -> Agenda:
    """Return the agenda of an example in the setup phase.

    It consists of `steps` and the first turns.  Without `steps`, it is the agenda of a new game.
    """
    return (*steps, *first_turns(table.rules)) if steps else table.agenda


_OPENING: Final = Player(
    hand=CardBag.of(*tuple(STARTING_DECK)[:HAND_SIZE]),
    draw_pile=CardBag.of(*tuple(STARTING_DECK)[HAND_SIZE:]),
    goods=Goods(1, 1, 1, 1),
)
"""A player before the first turn, who has drawn five of the starting cards."""


def _number(text: str) -> int:
    return values.read_number(text, range(LAST_SPACE + 1))


def _goods(text: str) -> Goods:
    goods = parse_goods(text)
    if goods is None:
        raise values.UnfitError(f"{text!r} is not a list of goods such as '1g2w'")
    return goods


SEAT: Final[Mapping[str, tuple[str, Callable[[str], Any]]]] = MappingProxyType(
    {
        key: (name, _goods if read is values.read_goods else read)
        for key, (name, _, read) in SEAT_FIELDS.items()
    }
)
"""For each key of a seat's entries, the corresponding field of `Player` and the value's parser."""

_SEATS: Final = MappingProxyType({seat: number for number, seat in enumerate(values.SEATS)})

BOARD: Final[Mapping[str, Callable[[str], Any]]] = MappingProxyType(
    {
        "valette": _number,
        "barrels": _goods,
        "supply": values.read_bag,
        "phase": lambda text: values.named(text, values.by_value(Phase), Damage.NO_PHASE),
        "active": lambda text: values.named(text, _SEATS, Damage.NO_SEAT),
        "played": lambda text: values.read_list(text, values.read_character),
    }
)
"""For each key of the table's entries, the value's parser; the keys are fields of `GameState`."""


def agenda_of(players: int, text: str) -> Agenda:
    """Parse the steps of an agenda in the form of position lines, such as ``payment/0/7/2g1w``."""
    return read_agenda(players, SITES[players], text)


def _player(first: Player, seat: str, given: values.Entries) -> Player:
    """Return a player with the given entries; every upgraded site is added to the built sites."""
    fields = {
        name: given.take_or(f"{seat}.{key}", read, None) for key, (name, read) in SEAT.items()
    }
    player = first.replace(**fields)
    return player.replace(built=SiteSet(player.built.mask | player.upgraded.mask))


def _building(cards: CardSet, text: str) -> Building:
    """Return a building by its code, by a full description, or by its character.

    If a character has several buildings, the first one is returned.
    """
    if "/" in text:
        return values.read_building(text)
    for building in cards.buildings:
        if building.code == text:
            return building
    character = values.read_character(text)
    for building in cards.buildings:
        if building.character is character:
            return building
    raise values.UnfitError(f"no building in the card set has the character {character}")


def _display(
    cards: CardSet, players: int, sites: Mapping[int, Building | None]
) -> tuple[Building, ...]:
    """Return a display with the given buildings on their sites, and other buildings elsewhere."""
    quotas = dict(QUOTAS[players])
    copies = {building: building.copies for building in cards.buildings}
    for building in filter(None, sites.values()):
        quotas[building.colour] -= 1
        copies[building] = copies.get(building, building.copies) - 1
    if min(*quotas.values(), *copies.values()) < 0:
        raise values.UnfitError(
            "sites: the card set has too few of these buildings, or a colour exceeds its quota"
        )
    others = list[Building]()
    for building in cards.buildings:
        left = min(copies[building], quotas[building.colour])
        others += [building] * left
        quotas[building.colour] -= left
    rest = iter(others)
    return tuple(building or next(rest) for building in sites.values())


def _with(cards: CardSet, display: Iterable[Building]) -> CardSet:
    """Return the card set with all buildings of the display; missing buildings are added."""
    extra = {*display} - {*cards.buildings}
    if not extra:
        return cards
    return CardSet("of an example", (*cards.buildings, *extra), cards.barrels)


def _barrels(table: GameState, valette: int) -> Goods:
    """Return the barrels that remain when Valette is on a space, as evenly mixed as possible."""
    left = table.barrels
    for space in barrel_spaces(table.rules, len(table.players)):
        if space <= valette:
            left -= ONE[max(GOODS, key=lambda good: left[good])]
    return left


# Judging


class Playable(Protocol[P]):
    """The interface through which an implementation of the rules is compared with the examples.

    The implementation may represent positions in any form.  `read` and `written` convert them;
    actions, events and outcomes are those of this package.
    """

    def read(self, state: GameState) -> P:
        """Convert a `GameState` to a position of this implementation."""
        ...

    def written(self, position: P) -> GameState:
        """Convert a position of this implementation to a `GameState`."""
        ...

    def legal_actions(self, position: P) -> Collection[Action]:
        """Return the legal actions or, before a random outcome, all possible outcomes."""
        ...

    def is_legal(self, position: P, action: Action) -> bool:
        """Return whether an action is legal, without listing all legal actions."""
        ...

    def reason(self, position: P, action: Action) -> Violation | None:
        """Return the violation of an illegal action; `None` if none is reported."""
        return None

    def apply(self, position: P, action: Action) -> P:
        """Return the position after a legal action."""
        ...

    def events(self, position: P, action: Action) -> Sequence[Event] | None:
        """Return the events of a legal action; `None` if the implementation reports no events."""
        return None

    def odds(self, position: P) -> Mapping[Action, Fraction] | None:
        """Return the probability of each random outcome.

        `None` if no outcome is due, or if the implementation reports no probabilities.
        """
        ...

    def outcome(self, position: P) -> Outcome | None:
        """Return the outcome, or `None` if the game is not over."""
        ...


@attrs.frozen(slots=False)
class ExampleResult(Generic[P]):
    """The position that results from an example in an implementation of the rules.

    The properties of the position are computed lazily.
    """

    rules: Playable[P]
    """The implementation of the rules."""
    position: P
    """The resulting position, in the form of the implementation."""
    before: GameState
    """The position before the actions."""
    events: Sequence[Sequence[str]] | None
    """The events of each action, written by `write_event`; `None` if they are not available."""

    @cached_property
    def state(self) -> GameState:
        """The resulting position as a `GameState`."""
        return self.rules.written(self.position)

    @cached_property
    def legal(self) -> frozenset[Action]:
        """The legal actions in the resulting position."""
        return frozenset(self.rules.legal_actions(self.position))

    @cached_property
    def outcome(self) -> Outcome | None:
        """The outcome, or `None` if the game is not over."""
        return self.rules.outcome(self.position)

    def price(self, action: Action) -> Goods | None:
        """Return the price of an action, or `None` if it is illegal or leads to no payment."""
        if action not in self.legal:
            return None
        prompt = self.rules.written(self.rules.apply(self.position, action)).prompt
        return prompt.price if isinstance(prompt, PaymentPrompt) else None


def contradictions(worked: Worked, rules: Playable[P]) -> Iterator[str]:
    """Yield the differences between an example's results and those of an implementation."""
    example, position = worked.example, rules.read(worked.before)
    written_events: list[tuple[str, ...]] | None = []
    for number, action in enumerate(worked.actions, 1):
        meant = not example.refused or number < len(worked.actions)
        if rules.is_legal(position, action) is not meant:
            yield f"{format_action(action)} is {'refused' if meant else 'legal'}"
            return
        if meant:
            events = rules.events(position, action)
            written_events = (
                None
                if written_events is None or events is None
                else [*written_events, tuple(map(write_event, events))]
            )
            position = rules.apply(position, action)
        elif (why := rules.reason(position, action)) is not None and (
            (why.code, why.clause) != (example.refused, example.by or example.clause)
        ):
            yield f"{format_action(action)} is refused as {why.code} by {why.clause}"
    result = ExampleResult(
        rules, position, rules.written(rules.read(worked.before)), written_events
    )
    answered = answers(result.state, example.ask)
    for key, text in example.then:
        if answered:
            actual, expected = answered[key], _parse_like(answered[key], text)
        else:
            actual, expected = actual_and_expected(result, key, text)
        if actual != expected:
            yield f"{key} is {actual}, not {expected}"


def write_event(event: Event) -> str:
    """Return an event as text, such as ``goods-given blue red 1w BLU-1``: kind, values, clause."""
    words = [re.sub("(?<!^)([A-Z])", r"-\1", type(event).__name__).lower()]
    for field in attrs.fields(type(event)):
        match field.name, getattr(event, field.name):
            case "seat" | "giver" | "taker", seat:
                words.append(values.SEATS[seat])
            case _, Goods() as goods:
                words.append(values.write_goods(goods))
            case "outcome" | "clause", _:
                pass
            case _, value:
                words.append(str(value))
    return " ".join([*words, event.clause])


def actual_and_expected(result: ExampleResult[P], key: str, text: str) -> tuple[object, object]:
    """Return the actual value of a key in an implementation, and the example's expected value.

    Raises `LookupError` for an unknown key, and `UnfitError` for a text that cannot be parsed.
    """
    state, (first, _, rest) = result.state, key.partition(".")
    match first:
        case "asked":
            step = write_step(state.agenda[0]) if state.agenda else "nothing"
            return step[: len(text)] if f"{step}/".startswith(f"{text}/") else step, text
        case "by":
            item = result.outcome or state.prompt
            return item.clause if item else None, text
        case "legal":
            return result.legal, _actions(state, text)
        case "may":
            return result.legal & _actions(state, text), _actions(state, text)
        case "cannot":
            return result.legal & _actions(state, text), frozenset()
        case "sites":
            site = int(rest)
            return state.display[site].character if site < len(state.display) else None, text
        case "price":
            return result.price(action_of(state, rest)), _goods(text)
        case "odds":
            action, odds = action_of(state, rest), result.rules.odds(result.position)
            if odds is None:
                return action in result.legal, Fraction(text) > 0
            return odds.get(action, Fraction()), Fraction(text)
        case "told" | "tells" | "untold":
            return _actual_and_expected_events(
                result, first, [] if text == "nothing" else text.split(", ")
            )
        case "unchanged":
            keys = text.split(", ")
            return [_part(state, each) for each in keys], [_part(result.before, k) for k in keys]
        case "final":
            seat, _, part = rest.partition(".")
            score = result.outcome and result.outcome.scores[values.SEATS.index(seat)]
            return score and getattr(score, part or "total"), int(text)
        case "winners":
            return list(result.outcome.winners) if result.outcome else None, _seats(text)
    read = SEAT[rest][1] if first in values.SEATS else BOARD[key]
    return _part(state, key), read(text.replace(", ", ","))


def _actual_and_expected_events(
    result: ExampleResult[P], key: str, events: Sequence[str]
) -> tuple[object, object]:
    """Return the actual and expected events, or `None` twice if no events have been reported."""
    if result.events is None:
        return None, None
    if key == "told":
        last = result.events[-1] if result.events else ()
        cut = [_cut(*pair) for pair in zip(last, events, strict=False)]
        return [*cut, *last[len(events) :]], list(events)
    among = [event for each in result.events for event in each]
    named = [event for event in events if any(_cut(each, event) == event for each in among)]
    return named, list(events) if key == "tells" else []


def _cut(event: str, text: str) -> str:
    """Return `text` if the event begins with it; otherwise return the event."""
    return text if f"{event} ".startswith(f"{text} ") else event


def _part(state: GameState, key: str) -> object:
    """Return the part of a position that a key names: a seat, or a value of a seat or the table."""
    first, _, rest = key.partition(".")
    if first not in values.SEATS:
        return getattr(state, key)
    player = state.players[values.SEATS.index(first)]
    return getattr(player, SEAT[rest][0]) if rest else player


def answers(state: GameState, query: str) -> Mapping[str, object]:
    """Return a mapping from the facts of a query to their values; empty for an empty query.

    Raises `LookupError` for an unknown query.
    """
    match query.split():
        case []:
            return {}
        case ["track", "of", who]:
            score = state.players[values.SEATS.index(who)].score
            return dict(zip(("space", "tokens"), track_position(score), strict=True))
        case [viewer, "looks", "at", who]:
            seat = None if viewer == "spectator" else values.SEATS.index(viewer)
            return visible_parts(view(state, seat), values.SEATS.index(who))
    raise LookupError(f"unknown query: {query!r}")


def visible_parts(player_view: PlayerView, seat: int) -> Mapping[str, object]:
    """Return the information about a seat in a view, keyed as in worked examples."""
    table = table_information(player_view)
    information = table.players[seat]
    return {
        "hand": information.hand,
        "points": information.current_points,
        "predicted": information.predicted_points,
        "buildings_score": information.score.buildings,
        "goods_score": information.score.goods,
        "houses": information.houses,
        "cards": information.deck.characters,
        "known": player_view.table.players[seat].sure,
        "draw_pile": information.deck.draw_pile,
        "on_board_or_in_hand": information.deck.on_board_or_in_hand,
        "discarded": information.deck.discarded,
        "on_board": information.deck.on_board,
        "discard": information.deck.discard_pile,
        "goods": information.goods,
        "icons": information.icons,
        "fulfilled": ", ".join(e.condition for e in information.conditions if e.is_fulfilled),
        "supply": table.supply,
        "ending": table.ending.value,
        "barrels": player_view.table.barrels,
    }


def _parse_like(actual: object, text: str) -> object:
    """Parse a value in an example; the type of the actual value determines the parser."""
    match actual:
        case None:
            return None if text == "hidden" else text
        case str():
            return text
        case Goods():
            return parse_goods(text)
        case CardBag():
            return values.read_bag(text.replace(", ", ","))
        case _:
            return int(text)


def _actions(state: GameState, text: str) -> frozenset[Action]:
    return frozenset(action_of(state, each) for each in text.split(", "))


def _seats(text: str) -> list[int]:
    return [values.SEATS.index(seat) for seat in text.split(", ")]
