"""Positions, actions and outcomes in the format of the conformance suite.

The format is the published JSON without redundant parts: rules and cards are not repeated in every
position, buildings are represented by their codes, and prompts and outcomes have no clauses.  An
event has a clause only if its type allows several clauses.  The cards that a player has shown are
written only where views are tested, since no rule depends on them.  A position need not be
reachable in a game, and a card set may have any size.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, cast, get_args, get_type_hints

import attrs

from valletta_rules.actions import Action
from valletta_rules.agenda import Step
from valletta_rules.chance import chance_outcomes
from valletta_rules.codec import Dialect, structured, unstructured
from valletta_rules.codec.vocabulary import ALIASES
from valletta_rules.components import CardSet
from valletta_rules.events import Event
from valletta_rules.results import Outcome
from valletta_rules.rulings import RuleSet
from valletta_rules.state import Form, GameState, Player
from valletta_rules.views.seen_events import RedactedEvent, redact
from valletta_rules.views.view import Table, view

Json = dict[str, Any]
"""A JSON object as the `json` module parses it."""

LINES: Final = Dialect(
    {kind: kind.__name__ for kind in get_args(Action | RedactedEvent | Step)},
    ALIASES,
    is_whole=False,
    left_out={
        Player: ("shown",),
        GameState: ("rules", "cards", "display"),
        Table: ("rules", "cards", "display"),
        Outcome: ("clause",),
    },
)
"""The dialect of JSON in the files of the conformance kit."""

VIEW_LINES: Final = attrs.evolve(
    LINES, left_out={kind: left for kind, left in LINES.left_out.items() if kind is not Player}
)
"""The dialect of JSON for positions in tests of views, with the cards that players have shown."""


def write(value: Action | RedactedEvent | Outcome | RuleSet | CardSet) -> Json:
    """Serialise an action, an event, an outcome, a rule set or a card set."""
    return cast(Json, unstructured(LINES, value))


def write_position(state: GameState, dialect: Dialect = LINES) -> Json:
    """Serialise a position."""
    return {"display": _codes(state), **unstructured(dialect, state)}


def write_view(state: GameState | Form, seat: int | None) -> Json:
    """Serialise the view of a seat; `None` means a spectator."""
    player_view = view(state, seat)
    written: Json = unstructured(LINES, player_view)
    return {**written, "table": {"display": _codes(player_view.table), **written["table"]}}


def write_events(events: Iterable[RedactedEvent]) -> list[Json]:
    """Serialise events."""
    return [write(event) for event in events]


def write_redacted_events(events: Iterable[Event], seat: int | None) -> list[Json]:
    """Serialise events without the information hidden from a seat; `None` means a spectator."""
    return write_events(redact(event, seat) for event in events)


def _codes(table: GameState | Table) -> list[str]:
    return [building.code for building in table.display]


def write_chances(state: GameState) -> list[Json]:
    """Serialise random outcomes, each with its probability as a fraction."""
    return [
        {"action": write(action), "numerator": odds.numerator, "denominator": odds.denominator}
        for action, odds in chance_outcomes(state)
    ]


def read_action(fields: Json) -> Action:
    """Parse an action; raise `CodecError` for an object that is not an action."""
    return cast(Action, structured(LINES, fields, Action))


def read_event(fields: Json) -> Event:
    """Parse an event; raise `CodecError` for an object that is not an event."""
    return cast(Event, structured(LINES, fields, Event))


def read_position(fields: Json, rules: RuleSet, cards: CardSet) -> GameState:
    """Parse a position of a game with the given rules and cards.

    The position may list the cards that players have shown.  Malformed fields may raise any type of
    exception.
    """
    read: Json = {
        name: structured(dialect_of(fields), value, _TYPES[name])
        for name, value in fields.items()
        if name != "display"
    }
    display = tuple(map(cards.building, fields["display"]))
    return GameState(rules=rules, cards=cards, display=display, **read)


def dialect_of(position: Json) -> Dialect:
    """Return the dialect of a position: `VIEW_LINES` if it lists shown cards, otherwise `LINES`."""
    return VIEW_LINES if any("shown" in player for player in position["players"]) else LINES


def read_rules(fields: Json) -> RuleSet:
    """Parse a rule set; raise `CodecError` for an object that is not a rule set."""
    return cast(RuleSet, structured(LINES, fields, RuleSet))


def read_cards(fields: Json) -> CardSet:
    """Parse a card set; raise `CodecError` for an object that is not a card set."""
    return cast(CardSet, structured(LINES, fields, CardSet))


_TYPES: Final = get_type_hints(GameState, include_extras=True)
"""The types of the fields of a position."""
