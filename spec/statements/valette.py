"""Jean Parisot de Valette: formal statements of the clauses about his card."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from valletta_rules import actions, agenda, events
from valletta_rules.components.characters import CHARACTERS, Character
from valletta_rules.components.goods import GOODS, ONE
from valletta_rules.events import Event
from valletta_rules.state import GameState

from . import APPLIES, Applies, Step, Verdicts, allows, always, asks, defines, odds, posts
from .setup import barrel, has_barrel, next_barrels
from .vocabulary import chose, declinable, entered, fizzles, holds, played, plays

VALETTE: Final = Character.VALETTE


@defines("VAL-1", "VAL-3", "VAL-7")
def reached(state: GameState) -> int | None:
    """Return the space that Valette reaches when he is played, or `None` if he stays."""
    if state.valette == 25:
        return None
    return next_odd(state.valette) if state.rules.fewer_barrels else state.valette + 1


def next_odd(space: int) -> int:
    """Return the next space with an odd number."""
    return space + 1 + space % 2


def reaches_barrel(state: GameState) -> bool:
    """Tell whether a barrel lies on the space that Valette reaches when he is played."""
    space = reached(state)
    return space is not None and has_barrel(state, space)


def stays(step: Step) -> bool:
    """Tell whether Valette is played while the figure is on the last space."""
    return plays(step, VALETTE) and step.before.valette == 25


# The move


@posts("VAL-1", "VAL-3", at=agenda.PlayPrompt, where=played(VALETTE))
def move(step: Step, clause: str) -> Iterator[Event]:
    """He moves one space (VAL-1), or to the next odd one, where the barrels lie (VAL-3)."""
    space = step.before.valette
    yield events.ValetteMoved(space + 1 if clause == "VAL-1" else next_odd(space), clause)


@allows("VAL-2", at=agenda.PlayPrompt)
def advance_compulsory(state: GameState) -> Verdicts:
    """The card cannot be played without the advance."""
    if holds(state, VALETTE):
        yield actions.PlayCard(VALETTE, False), False


@posts("VAL-7", at=agenda.PlayPrompt, where=stays)
def no_move(step: Step) -> Iterator[Event | Applies]:
    """On space 25 no move is entered."""
    yield APPLIES


@always("VAL-7", at=agenda.PlayPrompt, where=stays)
def last_space(step: Step) -> bool:
    """He is still on space 25 when his card has been played there."""
    return step.after.valette == 25


# The barrel


asks("VAL-4", at=agenda.PlayPrompt)(barrel)
odds("VAL-4", at=agenda.BarrelPrompt)(next_barrels)


@posts("VAL-4", at=agenda.BarrelPrompt)
def good_of_the_barrel(step: Step) -> Iterator[Event]:
    """The player takes the good that the barrel shows."""
    yield events.BarrelRevealed(step.action.good)
    yield events.GoodsTaken(step.seat, ONE[step.action.good], "VAL-4")


@allows("VAL-15", at=agenda.PlayPrompt | agenda.BarrelPrompt)
def barrel_compulsory(state: GameState) -> Verdicts:
    """Neither the card that leads to a barrel nor the barrel can be declined."""
    if isinstance(state.prompt, agenda.BarrelPrompt):
        yield actions.Decline(), False
    elif holds(state, VALETTE) and reaches_barrel(state):
        yield actions.PlayCard(VALETTE, False), False


@always("VAL-15", at=agenda.BarrelPrompt)
def good_taken(step: Step) -> bool:
    """The player owns one good more."""
    return step.now.goods.total == step.mine.goods.total + 1


@allows("VAL-4", "VAL-5", at=agenda.BarrelPrompt)
def barrels_in_the_game(state: GameState) -> Verdicts:
    """Only a barrel that has not been revealed can be revealed."""
    yield from ((actions.RevealBarrel(good), state.barrels[good] > 0) for good in GOODS)


@always("VAL-5", at=agenda.BarrelPrompt)
def one_barrel_fewer(step: Step) -> bool:
    """The barrels lose the one revealed."""
    (shown,) = (good for good in GOODS if step.action == actions.RevealBarrel(good))
    return step.after.barrels == step.before.barrels - ONE[shown]


def moves_to_a_bare_space(step: Step) -> bool:
    """Tell whether Valette moves to a space without a barrel."""
    return plays(step, VALETTE) and not stays(step) and not reaches_barrel(step.before)


@always("VAL-6", at=agenda.PlayPrompt, where=moves_to_a_bare_space)
@always("VAL-16", at=agenda.PlayPrompt, where=stays)
def no_barrel(step: Step) -> bool:
    """On a bare space (VAL-6), and on the last (VAL-16), none is revealed, and no good comes."""
    kept = (step.now.goods, step.after.barrels) == (step.mine.goods, step.before.barrels)
    return kept and not isinstance(step.asked, agenda.BarrelPrompt)


# Dismissing and hiring


def question(step: Step) -> agenda.Prompt | None:
    """Return the question whom to dismiss or hire, if there is a character for it."""
    is_play = isinstance(step.action, actions.PlayCard)
    hand = step.mine.hand.minus(VALETTE) if is_play else step.mine.hand
    return agenda.ValettePrompt(step.seat) if hand or step.before.supply else None


def follows_valette(step: Step) -> bool:
    """Tell whether Valette has been played, or his barrel revealed."""
    return plays(step, VALETTE) or isinstance(step.prompt, agenda.BarrelPrompt)


@asks("VAL-8", at=agenda.PlayPrompt | agenda.BarrelPrompt, where=follows_valette)
def dismiss_or_hire(step: Step) -> agenda.Prompt | Applies | None:
    """The player chooses, after the barrel if one is reached."""
    return barrel(step) or question(step)


@allows("VAL-8", "VAL-10", at=agenda.ValettePrompt)
def any_card_of_the_hand(state: GameState) -> Verdicts:
    """Any card of the hand may be dismissed, and none of a pile, or played in this turn."""
    yield from ((actions.Dismiss(card), holds(state, card)) for card in CHARACTERS)


@allows("VAL-8", "VAL-12", "VAL-13", at=agenda.ValettePrompt)
def anybody_for_hire(state: GameState) -> Verdicts:
    """Any character in the supply may be hired, and no other."""
    yield from ((actions.Hire(card), card in state.supply) for card in CHARACTERS)


@always("VAL-8", at=agenda.ValettePrompt)
def not_both(step: Step) -> bool:
    """One card moves at most, and the question is not asked again."""
    moved = entered(step, events.Dismissed, events.Hired)
    return len(moved) <= 1 and not isinstance(step.asked, agenda.ValettePrompt)


asks("VAL-17", at=agenda.PlayPrompt, where=stays)(question)
declinable("VAL-9", agenda.ValettePrompt)


@posts("VAL-10", at=agenda.ValettePrompt, where=chose(actions.Dismiss))
def dismissed(step: Step) -> Iterator[Event]:
    """A card of the hand is dismissed."""
    yield events.Dismissed(step.seat, step.action.character)


@always("VAL-10", "VAL-12", at=agenda.ValettePrompt)
def between_hand_and_supply(step: Step, clause: str) -> bool | None:
    """The character leaves the hand for the supply (VAL-10), or the supply for the hand."""
    hand, supply = (step.mine.hand, step.now.hand), (step.before.supply, step.after.supply)
    match step.action:
        case actions.Dismiss(card) if clause == "VAL-10":
            return (hand[1].plus(card), supply[0].plus(card)) == (hand[0], supply[1])
        case actions.Hire(card) if clause == "VAL-12":
            return (hand[0].plus(card), supply[1].plus(card)) == (hand[1], supply[0])
    return None


@always("VAL-11", at=agenda.ValettePrompt, where=chose(actions.Dismiss))
def no_effect(step: Step) -> bool:
    """Goods, points and buildings stay as they are, and nothing is asked about the card."""
    old, new = (
        [(each.goods, each.score, each.built, each.upgraded) for each in state.players]
        for state in (step.before, step.after)
    )
    return old == new and isinstance(step.asked, agenda.PlayPrompt | agenda.DrawPrompt | None)


@asks("VAL-18", at=agenda.ValettePrompt)
def plays_left(step: Step) -> agenda.Prompt | None:
    """As many plays are left as before, if a card is left in the hand."""
    left = [each for each in step.before.agenda if isinstance(each, agenda.PlayPrompt)]
    is_free = isinstance(step.action, actions.Dismiss) and len(step.mine.hand) > 1
    return left[0] if left and is_free else None


@posts("VAL-12", at=agenda.ValettePrompt, where=chose(actions.Hire))
def hired(step: Step) -> Iterator[Event]:
    """A character of the supply is hired."""
    yield events.Hired(step.seat, step.action.character)


def no_character(step: Step) -> bool:
    """Tell whether no character can be dismissed or hired when Valette has moved."""
    return follows_valette(step) and question(step) is None


@always("VAL-14", at=agenda.PlayPrompt | agenda.BarrelPrompt, where=no_character)
def no_question(step: Step) -> bool:
    """Without a character to dismiss or hire the question is not asked."""
    return not isinstance(step.asked, agenda.ValettePrompt)


@posts("VAL-14", at=agenda.PlayPrompt, where=stays)
def nothing_at_all(step: Step) -> Iterator[Event]:
    """On space 25 the card then has no effect."""
    return fizzles(step) if no_character(step) else iter(())
