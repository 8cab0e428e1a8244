"""What several chapters speak of: seats, cards played and what of them is entered."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeVar

from valletta_rules.actions import Action, Decline, PlayCard
from valletta_rules.agenda import PlayPrompt, Prompt
from valletta_rules.components.bags import CardBag
from valletta_rules.components.characters import Character, Colour
from valletta_rules.events import EffectDeclined, EffectFizzled, Event
from valletta_rules.rulings import RuleSet
from valletta_rules.state import GameState, Player

from . import At, Step, allows, always, asks, defines, posts

E = TypeVar("E", bound=Event)

Able = Callable[[GameState, Character], object]
"""Whether the player who is asked can do something with a card."""

# Players


def prompt_of(state: GameState) -> Any:
    """Return the prompt of a position, whatever its type."""
    return state.prompt


def seat_of(state: GameState) -> int:
    """Return the seat that is asked."""
    return int(prompt_of(state).seat)


def me(state: GameState) -> Player:
    """Return the player who is asked."""
    return state.players[seat_of(state)]


def holds(state: GameState, card: Character) -> bool:
    """Tell whether the player who is asked has a card in the hand."""
    return card in me(state).hand


def opponents(state: GameState, seat: int) -> list[int]:
    """Return the other seats, clockwise from the next (CMP-32)."""
    players = len(state.players)
    return [(seat + steps) % players for steps in range(1, players)]


@defines("CMP-33")
def deck(state: GameState, seat: int) -> CardBag:
    """Return the cards of a player: hand, both piles, and what he has played in the turn."""
    me, played = state.players[seat], state.played if state.active == seat else ()
    return me.hand + me.draw_pile + me.discard_pile + CardBag.of(*played)


# Entries


def entered(step: Step, *kinds: type[E]) -> list[E]:
    """Return the entries of some kinds."""
    return [each for each in step.events if isinstance(each, kinds)]


# Cards


def plays(step: Step, *cards: Character) -> bool:
    """Tell whether one of these cards is played with its effect."""
    action = step.action
    return type(action) is PlayCard and action.use_effect and action.character in cards


def declines(step: Step, *cards: Character) -> bool:
    """Tell whether one of these cards is played and its effect declined."""
    action = step.action
    return type(action) is PlayCard and not action.use_effect and action.character in cards


def lying(step: Step) -> tuple[Character, ...]:
    """Return the cards of the turn, with the one that is played."""
    now = [step.action.character] if isinstance(step.action, PlayCard) else []
    return (*step.before.played, *now)


@defines("RED-10", "RED-11", "RED-12", "RED-13", "RED-14")
def copied(rules: RuleSet, played: Sequence[Character]) -> Character | None:
    """Return the card whose effect an Apprentice performs after the cards of this turn."""
    for card in reversed(played):
        if card is not Character.APPRENTICE:
            return card if card.colour in (Colour.RED, Colour.GREEN) else None
        if rules.apprentice_colour is Colour.PURPLE:
            return None
    return None


def performs(step: Step) -> Character | None:
    """Return the card whose effect the play carries out, an Apprentice's copy included."""
    match step.action:
        case PlayCard(Character.APPRENTICE, True):
            return copied(step.before.rules, step.before.played)
        case PlayCard(card, True):
            return card
    return None


def played(*cards: Character) -> Callable[[Step], bool]:
    """Return the condition that one of these cards is played with its effect."""
    return lambda step: plays(step, *cards)


def performed(*cards: Character) -> Callable[[Step], bool]:
    """Return the condition that the effect of one of these cards is carried out."""
    return lambda step: performs(step) in cards


def chose(kind: type[Any]) -> Callable[[Step], bool]:
    """Return the condition that an action of some kind is chosen."""
    return lambda step: isinstance(step.action, kind)


def fizzles(step: Step) -> Iterator[Event]:
    """Say that the card played has no effect: an Apprentice, if that is the card."""
    if isinstance(step.action, PlayCard):
        yield EffectFizzled(step.seat, step.action.character)


# Choosing and declining


def anyone(state: GameState, card: Character) -> bool:
    """Tell that any player is able to use a card."""
    return True


def choosing(clause: str, card: Character, prompt: type[Any], able: Able = anyone) -> None:
    """State that a card asks its player, if he is able to use it."""

    @asks(clause, at=PlayPrompt, where=performed(card))
    def is_asked(step: Step) -> Prompt | None:
        due: Prompt = prompt(step.seat)
        return due if able(step.before, card) else None


def compulsory(clause: str, at: At) -> None:
    """State that a prompt cannot be declined."""

    @allows(clause, at=at)
    def cannot_be_declined(state: GameState) -> Iterable[tuple[Action, bool]]:
        return [(Decline(), False)]


def declinable(clause: str, at: type[Prompt]) -> None:
    """State that a prompt may be declined, and that nothing but this is then entered."""

    @allows(clause, at=at)
    def may_be_declined(state: GameState) -> Iterable[tuple[Action, bool]]:
        return [(Decline(), True)]

    @posts(clause, at=at)
    def is_declined(step: Step) -> Iterable[Event]:
        return [EffectDeclined(step.seat, clause)] if isinstance(step.action, Decline) else []


def declinable_at_the_play(clause: str, *cards: Character, able: Able = anyone) -> None:
    """State that a card may be declined as it is played, just by a player who is able to use it.

    Nothing but this is then entered.
    """

    @allows(clause, at=PlayPrompt)
    def may_be_declined(state: GameState) -> Iterable[tuple[Action, bool]]:
        held = [card for card in cards if holds(state, card)]
        return [(PlayCard(card, use_effect=False), bool(able(state, card))) for card in held]

    @posts(clause, at=PlayPrompt, where=lambda step: declines(step, *cards))
    def is_declined(step: Step) -> Iterable[Event]:
        return [EffectDeclined(step.seat, clause)]


def fizzling(clause: str, *cards: Character, able: Able) -> None:
    """State that the effect of a card fizzles just where the player is not able to use it.

    There it cannot be declined either.
    """

    @allows(clause, at=PlayPrompt)
    def cannot_be_declined(state: GameState) -> Iterable[tuple[Action, bool]]:
        useless = [card for card in cards if holds(state, card) and not able(state, card)]
        return [(PlayCard(card, use_effect=False), False) for card in useless]

    @posts(clause, at=PlayPrompt, where=performed(*cards))
    def has_no_effect(step: Step) -> Iterable[Event]:
        card = performs(step)
        return fizzles(step) if card and not able(step.before, card) else ()

    @always(clause, at=PlayPrompt, where=performed(*cards))
    def only_then(step: Step) -> bool:
        return [*has_no_effect(step)] == entered(step, EffectFizzled)
