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
``sites.4``                     the building of this character lies there
``final.red``, ``winners``      the game is over, with these points, and won by these seats
=============================== ================================================================

What the library tells of a position, and no rule asks about, is asked for by ``ask``: ``track of
red`` (``space`` and ``tokens``) or ``blue looks at red`` (``hand``, ``known`` of it, ``cards``,
``draw_pile``, ``on_board_or_in_hand`` and ``discarded`` in numbers, ``on_board``, ``discard``,
``points``, ``houses``, ``goods``, ``icons``; and ``supply`` and ``barrels``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

import attrs

from spec.checks.rules import P, Rules
from valletta_rules import (
    Action,
    CardBag,
    GameState,
    Goods,
    Outcome,
    Player,
    player_information,
    table_information,
    view,
)
from valletta_rules.records.position_line import write_step
from valletta_rules.rulebook.scoring import track_position
from valletta_rules.specification.worked_examples import BOARD, SEAT, Worked, action_of
from valletta_rules.text.notation import format_action, parse_goods
from valletta_rules.text.values import SEATS, read_bag


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
    told = answers(found.state, worked.example.ask)
    for key, text in worked.example.then:
        said, so = (told[key], _read(told[key], text)) if told else compared(found, key, text)
        if said != so:
            yield f"{key} is {said}, not {so}"


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
        case "sites":
            site = int(rest)
            return state.display[site].character if site < len(state.display) else None, text
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
        return getattr(_player(state, first), field), read(read_text)
    return getattr(state, first), BOARD[key](read_text)


def answers(state: GameState, ask: str) -> Mapping[str, object]:
    """Return what the library tells by key when it is asked; nothing if it is not.

    Raises `LookupError` for a question that it does not know.
    """
    match ask.split():
        case []:
            return {}
        case ["track", "of", who]:
            return dict(
                zip(("space", "tokens"), track_position(_player(state, who).score), strict=True)
            )
        case [viewer, "looks", "at", who]:
            seen = view(state, None if viewer == "spectator" else SEATS.index(viewer))
            told = player_information(seen, SEATS.index(who))
            return {
                "hand": told.hand,
                "points": told.current_points,
                "houses": told.houses,
                "cards": told.deck.characters,
                "known": seen.table.players[SEATS.index(who)].sure,
                "draw_pile": told.deck.draw_pile,
                "on_board_or_in_hand": told.deck.on_board_or_in_hand,
                "discarded": told.deck.discarded,
                "on_board": told.deck.on_board,
                "discard": told.deck.discard_pile,
                "goods": told.goods,
                "icons": told.icons,
                "supply": table_information(seen).supply,
                "barrels": seen.table.barrels,
            }
    raise LookupError(f"nobody knows how to ask {ask!r}")


def _read(told: object, text: str) -> object:
    """Return what an example says, as a value of the kind that was told."""
    match told:
        case None:
            return None if text == "hidden" else text
        case Goods():
            return parse_goods(text)
        case CardBag():
            return read_bag(text.replace(", ", ","))
        case _:
            return int(text)


def _player(state: GameState, seat: str) -> Player:
    return state.players[SEATS.index(seat)]


def _actions(state: GameState, text: str) -> frozenset[Action]:
    return frozenset(action_of(state, each) for each in text.split(", "))


def _seats(text: str) -> list[int]:
    return [SEATS.index(seat) for seat in text.split(", ")]
