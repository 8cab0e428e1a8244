"""Functions that several chapters use: seats, played cards and their entries."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from valletta_rules.actions import Decline, PlayCard, TakeGood
from valletta_rules.agenda import PlayPrompt, Prompt
from valletta_rules.components import GOODS, CardBag, Character, Colour, Goods
from valletta_rules.events import EffectDeclined, EffectFizzled, Event, GoodsTaken
from valletta_rules.rulings import RuleSet
from valletta_rules.state import GameState, Player

from . import At, Step, Verdicts, allows, always, asks, posts

E = TypeVar("E", bound=Event)

Able = Callable[[GameState, Character], object]
"""A predicate: whether the deciding player can use a card."""

# Players


def prompt_of(state: GameState) -> Any:
    """Return the prompt of a position, typed as `Any`."""
    return state.prompt


def seat_of(state: GameState) -> int:
    """Return the seat that must decide."""
    return int(prompt_of(state).seat)


def me(state: GameState) -> Player:
    """Return the player who must decide."""
    return state.players[seat_of(state)]


def holds(state: GameState, card: Character) -> bool:
    """Return whether the player who must decide has a card in hand."""
    return card in me(state).hand


def opponents(state: GameState, seat: int) -> list[int]:
    """Return the other seats, clockwise from the next (CMP-32)."""
    players = len(state.players)
    return [(seat + steps) % players for steps in range(1, players)]


def deck(state: GameState, seat: int) -> CardBag:
    """Return all cards of a player: hand, both piles, and those played (CMP-33)."""
    me, played = state.players[seat], state.played if state.active == seat else ()
    return me.hand + me.draw_pile + me.discard_pile + CardBag.of(*played)


def in_the_game(state: GameState) -> CardBag:
    """Return the cards of all players and of the supply."""
    return sum((deck(state, seat) for seat in state.seats), state.supply)


# Entries


def entered(step: Step, *kinds: type[E]) -> list[E]:
    """Return the entries of a step that are of the given kinds."""
    return [each for each in step.events if isinstance(each, kinds)]


# Cards


def plays(step: Step, *cards: Character) -> bool:
    """Return whether one of the given cards is played with its effect."""
    return step.action in [PlayCard(card) for card in cards]


def declines(step: Step, *cards: Character) -> bool:
    """Return whether one of the given cards is played and its effect is declined."""
    return step.action in [PlayCard(card, use_effect=False) for card in cards]


def lying(step: Step) -> tuple[Character, ...]:
    """Return the cards of the turn, including the one now played."""
    now = [step.action.character] if isinstance(step.action, PlayCard) else []
    return (*step.before.played, *now)


def copied(rules: RuleSet, played: Sequence[Character]) -> Character | None:
    """Return the card that an Apprentice copies after the cards played, if any (RED-10)."""
    for card in reversed(played):
        if card is not Character.APPRENTICE:
            return card if card.colour in (Colour.RED, Colour.GREEN) else None
        if rules.apprentice_colour is Colour.PURPLE:
            return None
    return None


def performs(step: Step) -> Character | None:
    """Return the card whose effect the play has; for an Apprentice, the copied card."""
    match step.action:
        case PlayCard(Character.APPRENTICE, True):
            return copied(step.before.rules, step.before.played)
        case PlayCard(card, True):
            return card
    return None


def played(*cards: Character) -> Callable[[Step], bool]:
    """Return the condition that one of the given cards is played with its effect."""
    return lambda step: plays(step, *cards)


def performed(*cards: Character) -> Callable[[Step], bool]:
    """Return the condition that the effect of one of the given cards is used."""
    return lambda step: performs(step) in cards


def chose(kind: type[Any]) -> Callable[[Step], bool]:
    """Return the condition that the action is of the given type."""
    return lambda step: isinstance(step.action, kind)


def fizzles(step: Step) -> Iterator[Event]:
    """Yield the entry that the played card has no effect; a copy is entered as an Apprentice."""
    if isinstance(step.action, PlayCard):
        yield EffectFizzled(step.seat, step.action.character)


# Choosing and declining


def anyone(state: GameState, card: Character) -> bool:
    """Return `True`: every player is able to use the card."""
    return True


def unless(able: Able) -> Able:
    """Return the negation of a condition."""
    return lambda state, card: not able(state, card)


def choosing(clause: str, card: Character, prompt: type[Any], able: Able = anyone) -> None:
    """State that a card leads to a prompt for its player, if they are able."""

    @asks(clause, at=PlayPrompt, where=performed(card))
    def is_asked(step: Step) -> Prompt | None:
        return prompt(step.seat) if able(step.before, card) else None


def declining(*clauses: str, at: At, is_legal: bool) -> None:
    """State that a prompt may be declined, or that it cannot be."""

    @allows(*clauses, at=at)
    def may_be_declined(state: GameState) -> Verdicts:
        yield Decline(), is_legal


def declinable(clause: str, at: type[Prompt]) -> None:
    """State that a prompt may be declined, and that only the declining is entered."""
    declining(clause, at=at, is_legal=True)

    @posts(clause, at=at, where=chose(Decline))
    def is_declined(step: Step) -> Iterator[Event]:
        yield EffectDeclined(step.seat, clause)


def leaving(clause: str, *cards: Character, is_legal: bool, able: Able = anyone) -> None:
    """State whether a player who is able may decline cards as they are played.

    The statement does not apply to cards that are not in the hand.
    """

    @allows(clause, at=PlayPrompt)
    def without_effect(state: GameState) -> Verdicts:
        held = [card for card in cards if holds(state, card) and able(state, card)]
        yield from ((PlayCard(card, use_effect=False), is_legal) for card in held)


def declinable_at_the_play(clause: str, *cards: Character, able: Able = anyone) -> None:
    """State that only a player who is able to use a card may decline it as it is played.

    Only the declining is then entered.
    """
    leaving(clause, *cards, is_legal=True, able=able)
    leaving(clause, *cards, is_legal=False, able=unless(able))

    @posts(clause, at=PlayPrompt, where=lambda step: declines(step, *cards))
    def is_declined(step: Step) -> Iterator[Event]:
        yield EffectDeclined(step.seat, clause)


def fizzling(clause: str, *cards: Character, able: Able) -> None:
    """State that the effect of a card fizzles if and only if the player is not able to use it.

    Such a card cannot be declined.
    """
    leaving(clause, *cards, is_legal=False, able=unless(able))

    @posts(clause, at=PlayPrompt, where=performed(*cards))
    def has_no_effect(step: Step) -> Iterator[Event]:
        card = performs(step)
        return fizzles(step) if card and not able(step.before, card) else iter(())

    @always(clause, at=PlayPrompt, where=performed(*cards))
    def only_then(step: Step) -> bool:
        return [*has_no_effect(step)] == entered(step, EffectFizzled)


# Taking goods


def taking(clause: str, at: type[Prompt], count: int) -> None:
    """State that any good may be chosen, and that `count` of it are taken from the supply."""

    @allows(clause, at=at)
    def any_good(state: GameState) -> Verdicts:
        yield from ((TakeGood(good), True) for good in GOODS)

    @posts(clause, at=at, where=chose(TakeGood))
    def goods_taken(step: Step) -> Iterator[Event]:
        yield GoodsTaken(step.seat, Goods.of(step.action.good, count), clause)
