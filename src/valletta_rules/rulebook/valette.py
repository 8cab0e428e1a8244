"""Jean Parisot de Valette: moving along the street, and dismissing or hiring characters."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final, assert_never

from valletta_rules.actions import (
    DECLINE,
    DISMISS,
    HIRE,
    REVEAL,
    Decline,
    Dismiss,
    Hire,
    RevealBarrel,
)
from valletta_rules.agenda import BarrelPrompt, Step, ValettePrompt
from valletta_rules.components import LAST_SPACE, ODD_SPACES, ONE, SPACES, Character
from valletta_rules.errors import Code, Violation, violation
from valletta_rules.events import (
    BarrelRevealed,
    Dismissed,
    Hired,
    Log,
    ValetteMoved,
)
from valletta_rules.rulebook.effects import Declining, Effect, Rule, by_chance, decline
from valletta_rules.rulebook.final_phase import telling_if_triggered
from valletta_rules.rulebook.ledger import take
from valletta_rules.rulings import BarrelLayout, RuleSet
from valletta_rules.state import Board, GameState


def barrel_spaces(rules: RuleSet, players: int) -> tuple[int, ...]:
    """Return the spaces of the street that have a barrel at the start of a game.

    Rules: SET-3, SET-4, SET-6
    """
    if rules.fewer_barrels or (rules.barrel_layout is BarrelLayout.BY_PLAYERS and players == 2):
        return ODD_SPACES
    if rules.barrel_layout is BarrelLayout.BY_PLAYERS and players == 3:
        return tuple(space for space in SPACES if space % 3)
    return tuple(SPACES)


def next_space(board: Board) -> int:
    """Return the space to which Valette moves next, or the last space if he is already there.

    Rules: VAL-1, VAL-3, VAL-7
    """
    if board.valette == LAST_SPACE:
        return LAST_SPACE
    if board.rules.fewer_barrels:
        spaces = barrel_spaces(board.rules, len(board.players))
        return min(space for space in spaces if space > board.valette)
    return board.valette + 1


def advance(state: GameState, seat: int, log: Log) -> GameState:
    """Move Valette. Prompt for the barrel on his space, if any, and for dismissing or hiring.

    Rules: VAL-1, VAL-2, VAL-3, VAL-4, VAL-6, VAL-8, VAL-15, VAL-16, VAL-17
    """
    space = next_space(state)
    steps: list[Step] = []
    if space != state.valette:
        if log is not None:
            log.append(ValetteMoved(space, "VAL-3" if state.rules.fewer_barrels else "VAL-1"))
        if space in barrel_spaces(state.rules, len(state.players)):
            steps.append(BarrelPrompt(seat))
    steps.append(ValettePrompt(seat))
    advanced = state.replace(valette=space, agenda=(*steps, *state.agenda))
    return telling_if_triggered(state, advanced, log)


def has_a_choice(state: GameState, prompt: ValettePrompt) -> bool:
    """Return whether a card can be dismissed or hired; otherwise, the prompt is skipped.

    Rules: VAL-14
    """
    return can_dismiss_or_hire(state, prompt.seat)


def can_dismiss_or_hire(state: GameState, seat: int) -> bool:
    """Return whether a card can be dismissed or hired.

    Rules: VAL-14
    """
    return bool(state.players[seat].hand or state.supply)


def can_do_something(state: GameState, seat: int) -> bool:
    """Return whether Valette can move, or a card can be dismissed or hired.

    Rules: VAL-7, VAL-14, VAL-17
    """
    return advances(state, seat) or can_dismiss_or_hire(state, seat)


def advances(state: GameState, seat: int) -> bool:
    """Return whether Valette has not reached the last space, so that he can move.

    Rules: VAL-2, VAL-7
    """
    return state.valette != LAST_SPACE


# The barrel


def barrel_weights(state: GameState, prompt: BarrelPrompt) -> tuple[tuple[RevealBarrel, int], ...]:
    """Return an action for each good that the barrel may show, weighted by its unrevealed barrels.

    All unrevealed barrels are equally likely, including those that were left in the box.

    Rules: SET-5, SET-6, SET-31, VAL-4
    """
    return tuple((REVEAL[good], state.barrels[good]) for good in state.barrels.kinds())


def check_barrel(state: GameState, prompt: BarrelPrompt, action: RevealBarrel) -> Violation | None:
    """Return the violation if no unrevealed barrel shows the good, else `None`.

    Rules: VAL-4, VAL-5, VAL-15
    """
    if state.barrels[action.good]:
        return None
    message = f"no barrel with {action.good} is left"
    return violation("VAL-5", Code.NO_SUCH_BARREL, message, good=action.good)


def reveal_barrel(
    state: GameState, prompt: BarrelPrompt, action: RevealBarrel, log: Log
) -> GameState:
    """Remove the barrel from the game. The player takes the good on the barrel.

    Rules: VAL-4, VAL-5
    """
    if log is not None:
        log.append(BarrelRevealed(action.good))
    good = ONE[action.good]
    state = state.replace(barrels=state.barrels - good, agenda=state.agenda[1:])
    return take(state, prompt.player, good, "VAL-4", log)


# Dismissing and hiring


def legal_staff(state: GameState, prompt: ValettePrompt) -> tuple[Dismiss | Hire | Decline, ...]:
    """Return an action for each card that can be dismissed or hired, and the one that declines.

    Rules: VAL-8, VAL-9, VAL-10, VAL-12, VAL-13
    """
    dismissals = (DISMISS[character] for character in state.players[prompt.seat].hand.kinds())
    hirings = (HIRE[character] for character in state.supply.kinds())
    return (*dismissals, *hirings, DECLINE)


def check_staff(
    state: GameState, prompt: ValettePrompt, action: Dismiss | Hire | Decline
) -> Violation | None:
    """Return the violation if a card cannot be dismissed or hired, else `None`.

    Rules: VAL-8, VAL-9, VAL-10, VAL-12, VAL-13
    """
    match action:
        case Dismiss(character) if character not in state.players[prompt.seat].hand:
            message = f"{character.english} is not in the player's hand"
            return violation("VAL-10", Code.CARD_NOT_IN_HAND, message, character=character)
        case Hire(character) if character not in state.supply:
            message = f"{character.english} is not in the character supply"
            return violation("VAL-12", Code.CARD_NOT_IN_SUPPLY, message, character=character)
        case _:
            return None


def dismiss_or_hire(
    state: GameState, prompt: ValettePrompt, action: Dismiss | Hire | Decline, log: Log
) -> GameState:
    """Dismiss a card from the hand to the character supply, hire one from it, or decline.

    Rules: VAL-8, VAL-9, VAL-10, VAL-11, VAL-12, VAL-13, VAL-18
    """
    state, player = state.done(), state.players[prompt.seat]
    match action:
        case Dismiss(character):
            if log is not None:
                log.append(Dismissed(prompt.seat, character))
            player, supply = player.losing(character), state.supply.plus(character)
        case Hire(character):
            if log is not None:
                log.append(Hired(prompt.seat, character))
            player, supply = player.gaining(character), state.supply.minus(character)
        case Decline():
            return decline(state, prompt.seat, "VAL-9", log)
        case _:
            assert_never(action)
    return state.replace(players=state.players_with(prompt.seat, player), supply=supply)


EFFECTS: Final[Mapping[Character, Effect]] = MappingProxyType(
    {
        Character.VALETTE: Effect(advance, can_do_something, Declining.NEVER, at_once=advances),
    }
)
"""The effect of Valette's character card.

Rules: VAL-1, VAL-2
"""

RULES: Final[Mapping[type[Step], Rule[Any, Any]]] = MappingProxyType(
    {
        BarrelPrompt: by_chance(barrel_weights, check_barrel, reveal_barrel),
        ValettePrompt: Rule(legal_staff, check_staff, dismiss_or_hire, has_a_choice),
    }
)
"""The rules for the prompts of Valette's effect, keyed by the type of prompt."""
