"""The worked examples of the clauses, judged by whoever knows the rules.

What an example says of the position that follows are keys and texts:

=============================== ================================================================
Key                             What it says
=============================== ================================================================
``red.goods``, ``valette``, ... a part of the position is that, as in what is given
``asked``                       this is asked next; values may be left out at the end
``legal``                       these are the legal actions, and no others
``may``, ``cannot``             these actions are legal, or are not
``odds.barrel gold``            chance answers so with this probability
``final.red``, ``winners``      the game is over, with these points, and won by these seats
=============================== ================================================================
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

import attrs

from spec.checks.rules import P, Rules
from valletta_rules import Action, GameState, Outcome
from valletta_rules.records.position_line import write_step
from valletta_rules.text.notation import format_action
from valletta_rules.text.values import SEATS
from valletta_rules.worked_examples import BOARD, SEAT, Worked, action_of


@attrs.frozen
class Found:
    """What some rules say of the position that follows."""

    state: GameState
    """The position."""
    legal: frozenset[Action]
    """What is legal there."""
    odds: Mapping[Action, Fraction] | None
    """How probable each answer of chance is, if chance is asked and the rules can say."""
    outcome: Outcome | None
    """The outcome, if the game is over."""


def contradictions(worked: Worked, rules: Rules[P]) -> Iterator[str]:
    """Run through what is not as an example says, if it is played by some rules."""
    position = rules.read(worked.before)
    for number, action in enumerate(worked.actions, 1):
        meant = not worked.example.refused or number < len(worked.actions)
        if rules.is_legal(position, action) is not meant:
            yield f"{format_action(action)} is {'refused' if meant else 'legal'}"
            return
        if meant:
            position = rules.apply(position, action)
    legal = frozenset(rules.legal_actions(position))
    found = Found(rules.written(position), legal, rules.odds(position), rules.outcome(position))
    for key, text in worked.example.then:
        said, meant_so = compared(found, key, text)
        if said != meant_so:
            yield f"{key} is {said}, not {meant_so}"


def compared(found: Found, key: str, text: str) -> tuple[object, object]:
    """Return what some rules say under a key, and what an example says there.

    Raises `LookupError` for an unknown key, and `UnfitError` for a text that cannot be read.
    """
    state, (first, _, rest) = found.state, key.partition(".")
    match first:
        case "asked":
            asked = write_step(state.agenda[0]) if state.agenda else "nothing"
            return asked[: len(text)] if f"{asked}/".startswith(f"{text}/") else asked, text
        case "legal":
            return found.legal, _actions(state, text)
        case "may":
            return found.legal & _actions(state, text), _actions(state, text)
        case "cannot":
            return found.legal & _actions(state, text), frozenset()
        case "odds":
            action, odds = action_of(state, rest), Fraction(text)
            if found.odds is None:
                return action in found.legal, odds > 0
            return found.odds.get(action, Fraction()), odds
        case "final":
            scores = found.outcome.scores if found.outcome else ()
            return [scores[seat].total for seat in _seats(rest) if scores], [int(text)]
        case "winners":
            return list(found.outcome.winners) if found.outcome else None, _seats(text)
    read_text = text.replace(", ", ",")
    if first in SEATS:
        field, read = SEAT[rest]
        return getattr(state.players[SEATS.index(first)], field), read(read_text)
    return getattr(state, first), BOARD[key](read_text)


def _actions(state: GameState, text: str) -> frozenset[Action]:
    return frozenset(action_of(state, each) for each in text.split(", "))


def _seats(text: str) -> list[int]:
    return [SEATS.index(seat) for seat in text.split(", ")]
