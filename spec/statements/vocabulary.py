"""Functions that the statements of several chapters share."""

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
"""A predicate that is true if the deciding player is able to use a card."""

# Players


def prompt_of(state: GameState) -> Any:
    """Return the prompt of a position, with the static type `Any`."""
    return state.prompt


def seat_of(state: GameState) -> int:
    """Return the seat that must decide in a position."""
    return int(prompt_of(state).seat)


def me(state: GameState) -> Player:
    """Return the player who must decide in a position."""
    return state.players[seat_of(state)]


def holds(state: GameState, card: Character) -> bool:
    """Return whether the player who must decide has a card in hand."""
    return card in me(state).hand


def opponents(state: GameState, seat: int) -> list[int]:
    """Return all other seats, clockwise from the given one (CMP-32)."""
    players = len(state.players)
    return [(seat + steps) % players for steps in range(1, players)]


def deck(state: GameState, seat: int) -> CardBag:
    """Return all cards of a player: the hand, both piles, and the played cards (CMP-33)."""
    me, played = state.players[seat], state.played if state.active == seat else ()
    return me.hand + me.draw_pile + me.discard_pile + CardBag.of(*played)


def in_the_game(state: GameState) -> CardBag:
    """Return the cards of all players and of the supply."""
    return sum((deck(state, seat) for seat in state.seats), state.supply)


# Entries


def entered(step: Step, *kinds: type[E]) -> list[E]:
    """Return the journal entries of a step that are instances of the given types."""
    return [each for each in step.events if isinstance(each, kinds)]


# Cards


def plays(step: Step, *cards: Character) -> bool:
    """Return whether the action plays one of the given cards with its effect."""
    return step.action in [PlayCard(card) for card in cards]


def declines(step: Step, *cards: Character) -> bool:
    """Return whether the action plays one of the given cards and declines its effect."""
    return step.action in [PlayCard(card, use_effect=False) for card in cards]


def lying(step: Step) -> tuple[Character, ...]:
    """Return the cards played in this turn, including the card that the action plays."""
    now = [step.action.character] if isinstance(step.action, PlayCard) else []
    return (*step.before.played, *now)


def copied(rules: RuleSet, played: Sequence[Character]) -> Character | None:
    """Return the card that an Apprentice played after `played` would copy, or `None` (RED-10)."""
    for card in reversed(played):
        if card is not Character.APPRENTICE:
            return card if card.colour in (Colour.RED, Colour.GREEN) else None
        if rules.apprentice_colour is Colour.PURPLE:
            return None
    return None


def performs(step: Step) -> Character | None:
    """Return the card whose effect the action uses; for an Apprentice, this is the copied card."""
    match step.action:
        case PlayCard(Character.APPRENTICE, True):
            return copied(step.before.rules, step.before.played)
        case PlayCard(card, True):
            return card
    return None


def played(*cards: Character) -> Callable[[Step], bool]:
    """Return a predicate that is true for a step that plays one of `cards` with its effect."""
    return lambda step: plays(step, *cards)


def performed(*cards: Character) -> Callable[[Step], bool]:
    """Return a predicate that is true for a step that uses the effect of one of `cards`."""
    return lambda step: performs(step) in cards


def chose(kind: type[Any]) -> Callable[[Step], bool]:
    """Return a predicate that is true for a step with an action of the given type."""
    return lambda step: isinstance(step.action, kind)


def fizzles(step: Step) -> Iterator[Event]:
    """Yield the event `EffectFizzled` for the card that the action plays, if it plays one."""
    if isinstance(step.action, PlayCard):
        yield EffectFizzled(step.seat, step.action.character)


# Choosing and declining


def always_able(state: GameState, card: Character) -> bool:
    """Return `True`: the predicate for cards that every player is able to use."""
    return True


def unless(able: Able) -> Able:
    """Return the negation of a predicate."""
    return lambda state, card: not able(state, card)


def choosing(clause: str, card: Character, prompt: type[Any], able: Able = always_able) -> None:
    """State that a card leads to a prompt for its player, provided that they are able to use it."""

    @asks(clause, at=PlayPrompt, where=performed(card))
    def required_prompt(step: Step) -> Prompt | None:
        return prompt(step.seat) if able(step.before, card) else None


def declining(*clauses: str, at: At, is_legal: bool) -> None:
    """State whether a prompt may be declined."""

    @allows(*clauses, at=at)
    def may_be_declined(state: GameState) -> Verdicts:
        yield Decline(), is_legal


def declinable(clause: str, at: type[Prompt]) -> None:
    """State that a prompt may be declined, and that doing so only adds an entry to the journal."""
    declining(clause, at=at, is_legal=True)

    @posts(clause, at=at, where=chose(Decline))
    def is_declined(step: Step) -> Iterator[Event]:
        yield EffectDeclined(step.seat, clause)


def leaving(clause: str, *cards: Character, is_legal: bool, able: Able = always_able) -> None:
    """State whether players who are able to use a card may decline its effect as they play it.

    The statement applies only to cards in the player's hand.
    """

    @allows(clause, at=PlayPrompt)
    def without_effect(state: GameState) -> Verdicts:
        matching = [card for card in cards if holds(state, card) and able(state, card)]
        yield from ((PlayCard(card, use_effect=False), is_legal) for card in matching)


def declinable_at_the_play(clause: str, *cards: Character, able: Able = always_able) -> None:
    """State that only players who are able to use a card may decline its effect as they play it.

    The journal then records only that the effect is declined.
    """
    leaving(clause, *cards, is_legal=True, able=able)
    leaving(clause, *cards, is_legal=False, able=unless(able))

    @posts(clause, at=PlayPrompt, where=lambda step: declines(step, *cards))
    def is_declined(step: Step) -> Iterator[Event]:
        yield EffectDeclined(step.seat, clause)


def fizzling(clause: str, *cards: Character, able: Able) -> None:
    """State that the effect of a card fizzles if and only if the player is not able to use it.

    An effect that fizzles cannot be declined.
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
    """State that the player may choose any kind of good, and takes `count` goods of that kind."""

    @allows(clause, at=at)
    def any_good(state: GameState) -> Verdicts:
        yield from ((TakeGood(good), True) for good in GOODS)

    @posts(clause, at=at, where=chose(TakeGood))
    def goods_taken(step: Step) -> Iterator[Event]:
        yield GoodsTaken(step.seat, Goods.of(step.action.good, count), clause)
