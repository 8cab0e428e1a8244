"""Positions, actions and outcomes as the conformance suite writes them.

It is the published JSON without what is told elsewhere or follows from the rest: rules and cards,
of which each is given once; the buildings of a display in full, which are named by their codes; the
clauses of prompts and outcomes, which belong to no position; and which cards have been shown, which
no rule asks about.  A position need not be possible, and a card set may have any size.
"""

from __future__ import annotations

from typing import Any, Final, cast, get_args, get_type_hints

from valletta_rules.actions import Action
from valletta_rules.agenda import Step
from valletta_rules.chance import chance_outcomes
from valletta_rules.codec import Dialect, structured, unstructured
from valletta_rules.codec.vocabulary import ALIASES
from valletta_rules.components.card_set import CardSet
from valletta_rules.results import Outcome
from valletta_rules.rulings import RuleSet
from valletta_rules.state import GameState, Player

Json = dict[str, Any]
"""An object as `json` reads it."""

LINES: Final = Dialect(
    {kind: kind.__name__ for kind in get_args(Action | Step)},
    ALIASES,
    is_whole=False,
    left_out={
        Player: ("shown",),
        GameState: ("rules", "cards", "display"),
        Outcome: ("clause",),
    },
)
"""How the lines of the kit are written."""


def write(value: Action | Outcome | RuleSet | CardSet) -> Json:
    """Write an action, an outcome, a rule set or a card set."""
    return cast(Json, unstructured(LINES, value))


def write_position(state: GameState) -> Json:
    """Write a position."""
    return {"display": [building.code for building in state.display], **unstructured(LINES, state)}


def write_chances(state: GameState) -> list[Json]:
    """Write the answers of chance, each with its probability as a fraction."""
    return [
        {"action": write(action), "numerator": odds.numerator, "denominator": odds.denominator}
        for action, odds in chance_outcomes(state)
    ]


def read_action(fields: Json) -> Action:
    """Read an action; raise `CodecError` if it is none."""
    return cast(Action, structured(LINES, fields, Action))


def read_position(fields: Json, rules: RuleSet, cards: CardSet) -> GameState:
    """Read a position of a game by these rules and with these cards.

    Raises an error of whatever kind if it is none.
    """
    read: Json = {
        name: structured(LINES, value, _TYPES[name])
        for name, value in fields.items()
        if name != "display"
    }
    display = tuple(map(cards.building, fields["display"]))
    return GameState(rules=rules, cards=cards, display=display, **read)


def read_rules(fields: Json) -> RuleSet:
    """Read a rule set; raise `CodecError` if it is none."""
    return cast(RuleSet, structured(LINES, fields, RuleSet))


def read_cards(fields: Json) -> CardSet:
    """Read a card set; raise `CodecError` if it is none."""
    return cast(CardSet, structured(LINES, fields, CardSet))


_TYPES: Final = get_type_hints(GameState, include_extras=True)
"""The types of what a position consists of."""
