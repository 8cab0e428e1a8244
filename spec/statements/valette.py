"""Formal statements of the clauses about the card of Jean Parisot de Valette."""

from collections.abc import Iterator
from operator import attrgetter
from typing import Final

from valletta_rules import Event, GameState, actions, agenda, events
from valletta_rules.components import CHARACTERS, ONE, Character

from . import APPLIES, Applies, Step, Verdicts, allows, always, asks, odds, posts
from .setup import barrel, barrels_in_the_game, has_barrel, next_barrels
from .vocabulary import (
    chose,
    declinable,
    declining,
    entered,
    fizzles,
    holds,
    leaving,
    played,
    plays,
)

VALETTE: Final = Character.VALETTE


def next_odd(space: int) -> int:
    """Return the lowest odd number that is greater than the number of a space."""
    return space + 1 + space % 2


def reaches_barrel(state: GameState, card: Character = VALETTE) -> bool:
    """Return whether the card Valette would move the figure to a space with a barrel."""
    space = next_odd(state.valette) if state.rules.fewer_barrels else state.valette + 1
    return state.valette < 25 and has_barrel(state, space)


def stays(step: Step) -> bool:
    """Return whether the card Valette is played while the figure is on the last space."""
    return plays(step, VALETTE) and step.before.valette == 25


# The move


@posts("VAL-1", "VAL-3", at=agenda.PlayPrompt, where=played(VALETTE))
def move(step: Step, clause: str) -> Iterator[Event]:
    """Valette moves one space (VAL-1), or to the next space with an odd number (VAL-3)."""
    space = step.before.valette
    yield events.ValetteMoved(space + 1 if clause == "VAL-1" else next_odd(space), clause)


leaving("VAL-2", VALETTE, is_legal=False)


@posts("VAL-7", at=agenda.PlayPrompt, where=stays)
def no_move(step: Step) -> Iterator[Event | Applies]:
    """On space 25, the journal records no move of Valette."""
    yield APPLIES


@always("VAL-7", at=agenda.PlayPrompt, where=stays)
def last_space(step: Step) -> bool:
    """The card Valette does not move the figure from space 25."""
    return step.after.valette == 25


# The barrel


asks("VAL-4", at=agenda.PlayPrompt)(barrel)
odds("VAL-4", at=agenda.BarrelPrompt)(next_barrels)


@posts("VAL-4", at=agenda.BarrelPrompt)
def good_of_the_barrel(step: Step) -> Iterator[Event]:
    """The player takes the good of the revealed barrel."""
    yield events.BarrelRevealed(step.action.good)
    yield events.GoodsTaken(step.seat, ONE[step.action.good], "VAL-4")


leaving("VAL-15", VALETTE, is_legal=False, able=reaches_barrel)
declining("VAL-15", at=agenda.BarrelPrompt, is_legal=False)


@always("VAL-15", at=agenda.BarrelPrompt)
def good_taken(step: Step) -> bool:
    """The player who reveals a barrel then owns exactly one more good."""
    return step.now.goods.total == step.mine.goods.total + 1


allows("VAL-4", "VAL-5", at=agenda.BarrelPrompt)(barrels_in_the_game)


@always("VAL-5", at=agenda.BarrelPrompt)
def one_barrel_fewer(step: Step) -> bool:
    """The revealed barrel no longer counts as a hidden barrel."""
    return step.after.barrels == step.before.barrels - ONE[step.action.good]


def moves_to_a_bare_space(step: Step) -> bool:
    """Return whether the step moves Valette to a space without a barrel."""
    return plays(step, VALETTE) and not stays(step) and not reaches_barrel(step.before)


@always("VAL-6", at=agenda.PlayPrompt, where=moves_to_a_bare_space)
@always("VAL-16", at=agenda.PlayPrompt, where=stays)
def no_barrel(step: Step) -> bool:
    """No barrel is revealed on a space without one (VAL-6) or on space 25 (VAL-16)."""
    is_unchanged = (step.now.goods, step.after.barrels) == (step.mine.goods, step.before.barrels)
    return is_unchanged and not isinstance(step.next_prompt, agenda.BarrelPrompt)


# Dismissing and hiring


def question(step: Step) -> agenda.Prompt | None:
    """Return the prompt to dismiss or hire, if either is possible, otherwise `None`."""
    is_play = isinstance(step.action, actions.PlayCard)
    hand = step.mine.hand.minus(VALETTE) if is_play else step.mine.hand
    return agenda.ValettePrompt(step.seat) if hand or step.before.supply else None


def follows_valette(step: Step) -> bool:
    """Return whether the step plays the card Valette or reveals the barrel that Valette reached."""
    return plays(step, VALETTE) or isinstance(step.prompt, agenda.BarrelPrompt)


@asks("VAL-8", at=agenda.PlayPrompt | agenda.BarrelPrompt, where=follows_valette)
def dismiss_or_hire(step: Step) -> agenda.Prompt | Applies | None:
    """The player may dismiss or hire a character, after any barrel has been revealed."""
    return barrel(step) or question(step)


@allows("VAL-8", "VAL-10", at=agenda.ValettePrompt)
def any_card_of_the_hand(state: GameState) -> Verdicts:
    """A card may be dismissed if and only if it is in the player's hand."""
    yield from ((actions.Dismiss(card), holds(state, card)) for card in CHARACTERS)


@allows("VAL-8", "VAL-12", "VAL-13", at=agenda.ValettePrompt)
def characters_for_hire(state: GameState) -> Verdicts:
    """Only a character in the supply may be hired."""
    yield from ((actions.Hire(card), card in state.supply) for card in CHARACTERS)


@always("VAL-8", at=agenda.ValettePrompt)
def not_both(step: Step) -> bool:
    """At most one character is dismissed or hired, and the prompt is not repeated."""
    moved = entered(step, events.Dismissed, events.Hired)
    return len(moved) <= 1 and not isinstance(step.next_prompt, agenda.ValettePrompt)


asks("VAL-17", at=agenda.PlayPrompt, where=stays)(question)
declinable("VAL-9", agenda.ValettePrompt)


@posts("VAL-10", at=agenda.ValettePrompt, where=chose(actions.Dismiss))
def dismissed(step: Step) -> Iterator[Event]:
    """The journal records the dismissal of a card."""
    yield events.Dismissed(step.seat, step.action.character)


@always("VAL-10", at=agenda.ValettePrompt, where=chose(actions.Dismiss))
def to_the_supply(step: Step) -> bool:
    """The dismissed character moves from the hand to the supply."""
    card, supply = step.action.character, step.before.supply
    return (step.now.hand.plus(card), supply.plus(card)) == (step.mine.hand, step.after.supply)


@always("VAL-12", at=agenda.ValettePrompt, where=chose(actions.Hire))
def from_the_supply(step: Step) -> bool:
    """The hired character moves from the supply to the hand."""
    card, supply = step.action.character, step.after.supply
    return (step.mine.hand.plus(card), supply.plus(card)) == (step.now.hand, step.before.supply)


@always("VAL-11", at=agenda.ValettePrompt, where=chose(actions.Dismiss))
def no_effect(step: Step) -> bool:
    """Dismissing a card changes no goods, points or buildings, and leads to no prompt."""
    parts = attrgetter("goods", "score", "built", "upgraded")
    stay = all(parts(old) == parts(new) for old, new in step.players)
    return stay and isinstance(step.next_prompt, agenda.PlayPrompt | agenda.DrawPrompt | None)


@asks("VAL-18", at=agenda.ValettePrompt)
def plays_left(step: Step) -> agenda.Prompt | None:
    """A dismissal leaves the number of plays in the turn unchanged, if the hand is not empty."""
    left = [each for each in step.before.agenda if isinstance(each, agenda.PlayPrompt)]
    is_free = isinstance(step.action, actions.Dismiss) and len(step.mine.hand) > 1
    return left[0] if left and is_free else None


@posts("VAL-12", at=agenda.ValettePrompt, where=chose(actions.Hire))
def hired(step: Step) -> Iterator[Event]:
    """The journal records the hiring of a character."""
    yield events.Hired(step.seat, step.action.character)


def no_character(step: Step) -> bool:
    """Return whether `follows_valette` is true and no character can be dismissed or hired."""
    return follows_valette(step) and question(step) is None


@always("VAL-14", at=agenda.PlayPrompt | agenda.BarrelPrompt, where=no_character)
def no_question(step: Step) -> bool:
    """If no character can be dismissed or hired, the player is not prompted to do so."""
    return not isinstance(step.next_prompt, agenda.ValettePrompt)


@posts("VAL-14", at=agenda.PlayPrompt, where=stays)
def nothing_at_all(step: Step) -> Iterator[Event]:
    """On space 25, the card fizzles if no character can be dismissed or hired."""
    return fizzles(step) if no_character(step) else iter(())
