"""Formal statements of the clauses about red characters."""

from collections.abc import Iterator
from typing import Final

from valletta_rules import events
from valletta_rules.actions import Build, Decline
from valletta_rules.agenda import MaidPrompt, PlayPrompt, Prompt, SitePrompt
from valletta_rules.components import NOTHING, ONE, Character, Colour, Good
from valletta_rules.events import Event
from valletta_rules.rulings import Effects
from valletta_rules.state import GameState

from . import Step, Verdicts, allows, always, asks, posts
from .building import site_to_choose, sites
from .green import YIELDED, has_icon
from .vocabulary import (
    choosing,
    copied,
    declinable,
    declinable_at_the_play,
    entered,
    fizzles,
    fizzling,
    lying,
    performs,
    played,
    plays,
    prompt_of,
    seat_of,
    taking,
)

GATHERED: Final = {
    Character.SHOPKEEPER: Good.GOLD,
    Character.LUMBERJACK: Good.WOOD,
    Character.STONE_SCULPTOR: Good.STONE,
    Character.BRICK_WORKER: Good.BRICK,
}
"""The red cards that take a good, each with the kind of good."""

GATHERING: Final = dict(zip(("RED-1", "RED-2", "RED-3", "RED-4"), GATHERED, strict=True))

COPIED: Final = (Colour.RED, Colour.GREEN)
"""The colours of the cards that an Apprentice copies."""


@posts(*GATHERING, at=PlayPrompt)
def good_of_a_kind(step: Step, clause: str) -> Iterator[Event]:
    """The player takes one good of the card's kind from the general supply."""
    if performs(step) is (card := GATHERING[clause]):
        yield events.GoodsTaken(step.seat, ONE[GATHERED[card]], clause)


declinable_at_the_play("RED-5", *GATHERED)


# The Maid


choosing("RED-6", Character.MAID, MaidPrompt)


taking("RED-6", MaidPrompt, 1)
declinable("RED-7", MaidPrompt)


# The Builder


@asks("RED-8", at=PlayPrompt)
def builder(step: Step) -> Prompt | None:
    """The Builder lets its player choose a site at the full price, if any site is affordable."""
    return site_to_choose(step, Character.BUILDER)


fizzling("RED-8", Character.BUILDER, able=lambda state, card: sites(state, seat_of(state), NOTHING))


@allows("RED-9", at=SitePrompt)
def sites_of_every_colour(state: GameState) -> Verdicts:
    """A site may be chosen regardless of the colour of its building."""
    legal = sites(state, seat_of(state), prompt_of(state).reduction)
    yield from ((each, True) for each in legal if isinstance(each, Build))


# The Apprentice


def follows(step: Step) -> Character | None:
    """Return the card before an Apprentice that the step plays with its effect, or `None`."""
    cards = step.before.played
    return cards[-1] if cards and plays(step, Character.APPRENTICE) else None


@posts("RED-10", at=PlayPrompt)
def card_before(step: Step) -> Iterator[Event]:
    """An Apprentice copies the red or green card played before it."""
    if (card := follows(step)) not in (None, Character.APPRENTICE) and card.colour in COPIED:
        yield events.CardCopied(step.seat, card)


@posts("RED-11", at=PlayPrompt, where=played(Character.APPRENTICE))
def apprentice_first(step: Step) -> Iterator[Event]:
    """The effect of an Apprentice fizzles if it is the first card of the turn."""
    if not step.before.played:
        yield from fizzles(step)


@posts("RED-12", at=PlayPrompt)
def apprentice_after_others(step: Step) -> Iterator[Event]:
    """The effect of an Apprentice fizzles after a purple, blue or yellow card."""
    if (card := follows(step)) and card.colour not in COPIED:
        yield from fizzles(step)


@posts("RED-13", at=PlayPrompt)
def chain(step: Step) -> Iterator[Event]:
    """An Apprentice after another Apprentice copies the same card, or fizzles if the other did."""
    if follows(step) is Character.APPRENTICE:
        others = [card for card in step.before.played if card is not Character.APPRENTICE]
        copies = [events.CardCopied(step.seat, c) for c in others[-1:] if c.colour in COPIED]
        yield from copies or fizzles(step)


@posts("RED-14", at=PlayPrompt)
def purple_chain(step: Step) -> Iterator[Event]:
    """The effect of a purple Apprentice fizzles after an Apprentice."""
    if follows(step) is Character.APPRENTICE:
        yield from fizzles(step)


@always("RED-15", at=PlayPrompt)
def unused_card(step: Step) -> bool | None:
    """A card whose effect is declined or fizzles still takes its place in the row of cards."""
    unused = entered(step, events.EffectDeclined, events.EffectFizzled)
    is_due = unused and not entered(step, events.PlayedCardsDiscarded)
    return step.after.played == lying(step) if is_due else None


@asks("RED-16", at=PlayPrompt, where=played(Character.APPRENTICE))
def choice_of_the_copy(step: Step) -> Prompt | None:
    """A copied Maid or Builder prompts the player; for a Builder, a site must be affordable."""
    is_maid = performs(step) is Character.MAID
    return MaidPrompt(step.seat) if is_maid else site_to_choose(step, Character.BUILDER)


def can_leave(state: GameState, apprentice: Character) -> bool:
    """Return whether effects are optional and the copied card has an effect without any choice."""
    card = copied(state.rules, state.played)
    can_do = card in GATHERED or (card in YIELDED and has_icon(state, card))
    return can_do and state.rules.effects is Effects.OPTIONAL


declinable_at_the_play("RED-17", Character.APPRENTICE, able=can_leave)


@allows("RED-17", at=MaidPrompt | SitePrompt)
def declining_at_the_choice(state: GameState) -> Verdicts:
    """A copied Builder may always be declined, but a copied Maid only if effects are optional."""
    if state.played[-1:] == (Character.APPRENTICE,):
        is_site = isinstance(state.prompt, SitePrompt)
        yield Decline(), is_site or state.rules.effects is Effects.OPTIONAL
