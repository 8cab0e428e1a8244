"""Jean Parisot de Valette: formal statements of the clauses about his card."""

from __future__ import annotations

from collections.abc import Iterator

from valletta_rules import actions, agenda, events
from valletta_rules.components.bags import CardBag
from valletta_rules.components.characters import CHARACTERS, Character
from valletta_rules.components.goods import GOODS, ONE
from valletta_rules.events import Event
from valletta_rules.state import GameState

from . import APPLIES, Applies, Step, Verdicts, allows, always, asks, defines, odds, posts
from .setup import has_barrel, next_barrels
from .vocabulary import declinable, holds, plays, seat_of

VALETTE = Character.VALETTE


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
    """Tell whether Valette is played while he stands on the last space."""
    return plays(step, VALETTE) and step.before.valette == 25


# The move


@posts("VAL-1", at=agenda.PlayPrompt)
def one_space(step: Step) -> Iterator[Event]:
    """He moves one space."""
    if plays(step, VALETTE):
        yield events.ValetteMoved(step.before.valette + 1, "VAL-1")


@posts("VAL-3", at=agenda.PlayPrompt)
def to_the_next_barrel(step: Step) -> Iterator[Event]:
    """He moves to the next odd space, where the barrels lie."""
    if plays(step, VALETTE):
        yield events.ValetteMoved(next_odd(step.before.valette), "VAL-3")


@allows("VAL-2", at=agenda.PlayPrompt)
def advance_compulsory(state: GameState) -> Verdicts:
    """The card cannot be played without the advance."""
    if holds(state, VALETTE):
        yield actions.PlayCard(VALETTE, False), False


@posts("VAL-7", at=agenda.PlayPrompt)
def no_move(step: Step) -> Iterator[Event | Applies]:
    """On space 25 no move is entered."""
    if stays(step):
        yield APPLIES


@always("VAL-7", at=agenda.PlayPrompt)
def last_space(step: Step) -> bool | None:
    """He is still on space 25 when his card has been played there."""
    return step.after.valette == 25 if stays(step) else None


# The barrel


@asks("VAL-4", at=agenda.PlayPrompt)
def barrel(step: Step) -> agenda.Prompt | None:
    """Chance says which good the barrel shows."""
    is_there = plays(step, VALETTE) and reaches_barrel(step.before)
    return agenda.BarrelPrompt(step.seat) if is_there else None


odds("VAL-4", at=agenda.BarrelPrompt)(next_barrels)


@posts("VAL-4", at=agenda.BarrelPrompt)
def good_of_the_barrel(step: Step) -> Iterator[Event]:
    """The player takes the good that the barrel shows."""
    if isinstance(step.action, actions.RevealBarrel):
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
    return step.after.players[step.seat].goods.total == step.mine.goods.total + 1


@allows("VAL-5", at=agenda.BarrelPrompt)
def barrels_in_the_game(state: GameState) -> Verdicts:
    """Only a barrel that has not been revealed can be revealed."""
    yield from ((actions.RevealBarrel(good), state.barrels[good] > 0) for good in GOODS)


@always("VAL-5", at=agenda.BarrelPrompt)
def one_barrel_fewer(step: Step) -> bool:
    """The barrels lose the one revealed."""
    shown = [good for good in GOODS if step.action == actions.RevealBarrel(good)]
    return step.after.barrels == step.before.barrels - ONE[shown[0]]


def _no_barrel(step: Step) -> bool:
    is_asked = isinstance(step.asked, agenda.BarrelPrompt)
    goods = step.after.players[step.seat].goods
    return not is_asked and (goods, step.after.barrels) == (step.mine.goods, step.before.barrels)


@always("VAL-6", at=agenda.PlayPrompt)
def bare_space(step: Step) -> bool | None:
    """On a space without a barrel none is revealed, and no good comes."""
    space = reached(step.before) if plays(step, VALETTE) else None
    return _no_barrel(step) if space and not has_barrel(step.before, space) else None


@always("VAL-16", at=agenda.PlayPrompt)
def no_barrel_any_more(step: Step) -> bool | None:
    """On space 25 none is revealed, and no good comes."""
    return _no_barrel(step) if stays(step) else None


# Dismissing and hiring


def _question(step: Step, hand: CardBag) -> agenda.Prompt | None:
    is_possible = hand or step.before.supply
    return agenda.ValettePrompt(step.seat) if is_possible else None


@asks("VAL-8", at=agenda.PlayPrompt | agenda.BarrelPrompt)
def dismiss_or_hire(step: Step) -> agenda.Prompt | None:
    """The player chooses, after the barrel if one is reached."""
    if isinstance(step.prompt, agenda.BarrelPrompt):
        return _question(step, step.mine.hand)
    if plays(step, VALETTE):
        if reaches_barrel(step.before):
            return agenda.BarrelPrompt(step.seat)
        return _question(step, step.mine.hand.minus(VALETTE))
    return None


@allows("VAL-8", at=agenda.ValettePrompt)
def any_card_or_person(state: GameState) -> Verdicts:
    """Any card of the hand may be dismissed, any character in the supply hired."""
    hand = state.players[seat_of(state)].hand
    yield from ((actions.Dismiss(card), card in hand) for card in CHARACTERS)
    yield from ((actions.Hire(card), card in state.supply) for card in CHARACTERS)


@always("VAL-8", at=agenda.ValettePrompt)
def not_both(step: Step) -> bool | None:
    """One card moves at most, and the question is not asked again."""
    moved = [each for each in step.events if isinstance(each, events.Dismissed | events.Hired)]
    return len(moved) <= 1 and not isinstance(step.asked, agenda.ValettePrompt)


@asks("VAL-17", at=agenda.PlayPrompt)
def on_the_last_space(step: Step) -> agenda.Prompt | None:
    """On space 25 the player chooses at once."""
    return _question(step, step.mine.hand.minus(VALETTE)) if stays(step) else None


declinable("VAL-9", agenda.ValettePrompt)


@posts("VAL-10", at=agenda.ValettePrompt)
def dismissed(step: Step) -> Iterator[Event]:
    """A card of the hand is dismissed."""
    if isinstance(step.action, actions.Dismiss):
        yield events.Dismissed(step.seat, step.action.character)


@allows("VAL-10", at=agenda.ValettePrompt)
def only_of_the_hand(state: GameState) -> Verdicts:
    """No card of a pile, and none played in this turn, can be dismissed."""
    yield from ((actions.Dismiss(c), False) for c in CHARACTERS if not holds(state, c))


@always("VAL-10", at=agenda.ValettePrompt)
def to_the_supply(step: Step) -> bool | None:
    """The card leaves the hand and lies in the supply."""
    if not isinstance(step.action, actions.Dismiss):
        return None
    card, hand = step.action.character, step.after.players[step.seat].hand
    return step.after.supply == step.before.supply.plus(card) and hand.plus(card) == step.mine.hand


@always("VAL-11", at=agenda.ValettePrompt)
def no_effect(step: Step) -> bool | None:
    """Goods, points and buildings stay as they are, and nothing is asked about the card."""
    if not isinstance(step.action, actions.Dismiss):
        return None
    old, new = (
        [(each.goods, each.score, each.built, each.upgraded) for each in state.players]
        for state in (step.before, step.after)
    )
    follows = agenda.PlayPrompt | agenda.DrawPrompt | None
    return old == new and isinstance(step.asked, follows)


@asks("VAL-18", at=agenda.ValettePrompt)
def plays_left(step: Step) -> agenda.Prompt | None:
    """As many plays are left as before, if a card is left in the hand."""
    left = [each for each in step.before.agenda if isinstance(each, agenda.PlayPrompt)]
    is_free = isinstance(step.action, actions.Dismiss) and len(step.mine.hand) > 1
    return left[0] if left and is_free else None


@posts("VAL-12", at=agenda.ValettePrompt)
def hired(step: Step) -> Iterator[Event]:
    """A character of the supply is hired."""
    if isinstance(step.action, actions.Hire):
        yield events.Hired(step.seat, step.action.character)


@always("VAL-12", at=agenda.ValettePrompt)
def to_the_hand(step: Step) -> bool | None:
    """The character leaves the supply and comes to the hand."""
    if not isinstance(step.action, actions.Hire):
        return None
    card, hand = step.action.character, step.after.players[step.seat].hand
    return step.after.supply.plus(card) == step.before.supply and hand == step.mine.hand.plus(card)


@allows("VAL-12", at=agenda.ValettePrompt)
def only_of_the_supply(state: GameState) -> Verdicts:
    """No other character can be hired."""
    yield from ((actions.Hire(c), False) for c in CHARACTERS if c not in state.supply)


@allows("VAL-13", at=agenda.ValettePrompt)
def everybody_for_hire(state: GameState) -> Verdicts:
    """Whatever lies in the supply may be hired."""
    yield from ((actions.Hire(card), True) for card in state.supply.kinds())


def _no_character(step: Step) -> bool:
    """Tell whether no character can be dismissed or hired when Valette has moved."""
    if isinstance(step.prompt, agenda.BarrelPrompt):
        return not step.mine.hand and not step.before.supply
    return plays(step, VALETTE) and len(step.mine.hand) == 1 and not step.before.supply


@always("VAL-14", at=agenda.PlayPrompt | agenda.BarrelPrompt)
def no_question(step: Step) -> bool | None:
    """Without a character to dismiss or hire the question is not asked."""
    return not isinstance(step.asked, agenda.ValettePrompt) if _no_character(step) else None


@posts("VAL-14", at=agenda.PlayPrompt)
def nothing_at_all(step: Step) -> Iterator[Event]:
    """On space 25 the card then has no effect."""
    if stays(step) and _no_character(step):
        yield events.EffectFizzled(step.seat, VALETTE)
