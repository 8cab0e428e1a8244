"""Red characters: formal statements of the clauses about them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from valletta_rules import events
from valletta_rules.actions import Build, Decline, PlayCard, TakeGood
from valletta_rules.agenda import MaidPrompt, PlayPrompt, Prompt, SitePrompt
from valletta_rules.components.characters import Character, Colour
from valletta_rules.components.goods import GOODS, NOTHING, ONE, Good
from valletta_rules.events import Event
from valletta_rules.rulings import Effects
from valletta_rules.state import GameState

from . import Step, Verdicts, allows, always, asks, posts
from .building import site_to_choose, sites
from .green import YIELDED, has_icon
from .vocabulary import (
    choosing,
    chose,
    copied,
    declinable,
    declinable_at_the_play,
    declines,
    entered,
    fizzles,
    holds,
    lying,
    performed,
    performs,
    played,
    plays,
    prompt_of,
    seat_of,
)

GATHERED: Final = {
    Character.SHOPKEEPER: Good.GOLD,
    Character.LUMBERJACK: Good.WOOD,
    Character.STONE_SCULPTOR: Good.STONE,
    Character.BRICK_WORKER: Good.BRICK,
}
"""The good that a red card takes."""

GATHERING: Final = dict(zip(("RED-1", "RED-2", "RED-3", "RED-4"), GATHERED, strict=True))

COPIED: Final = (Colour.RED, Colour.GREEN)
"""The colours that an Apprentice copies."""


@posts(*GATHERING, at=PlayPrompt)
def good_of_a_kind(step: Step, clause: str) -> Iterator[Event]:
    """One good of its kind comes from the general supply."""
    if performs(step) is (card := GATHERING[clause]):
        yield events.GoodsTaken(step.seat, ONE[GATHERED[card]], clause)


declinable_at_the_play("RED-5", *GATHERED)


# The Maid


choosing("RED-6", Character.MAID, MaidPrompt)


@allows("RED-6", at=MaidPrompt)
def goods_of_the_maid(state: GameState) -> Verdicts:
    """Any good may be chosen."""
    yield from ((TakeGood(good), True) for good in GOODS)


@posts("RED-6", at=MaidPrompt, where=chose(TakeGood))
def good_of_the_maid(step: Step) -> Iterator[Event]:
    """One good of the kind comes from the general supply."""
    yield events.GoodsTaken(step.seat, ONE[step.action.good], "RED-6")


declinable("RED-7", MaidPrompt)


# The Builder


@asks("RED-8", at=PlayPrompt)
def builder(step: Step) -> Prompt | None:
    """One site may be chosen at the full price, if there is one to be paid for."""
    return site_to_choose(step, Character.BUILDER)


@posts("RED-8", at=PlayPrompt, where=performed(Character.BUILDER))
def builder_without_a_site(step: Step) -> Iterator[Event]:
    """Without a site to be paid for the effect fizzles."""
    if not sites(step.before, step.seat, NOTHING):
        yield from fizzles(step)


@allows("RED-9", at=SitePrompt)
def sites_of_every_colour(state: GameState) -> Verdicts:
    """The colour of a building does not matter."""
    found = sites(state, seat_of(state), prompt_of(state).reduction)
    yield from ((each, True) for each in found if isinstance(each, Build))


# The Apprentice


def follows(step: Step) -> Character | None:
    """Return the card before an Apprentice that is played with its effect."""
    cards = step.before.played
    return cards[-1] if cards and plays(step, Character.APPRENTICE) else None


@posts("RED-10", at=PlayPrompt)
def card_before(step: Step) -> Iterator[Event]:
    """The card before is copied."""
    card = follows(step)
    if card not in (None, Character.APPRENTICE) and card.colour in COPIED:
        yield events.CardCopied(step.seat, card)


@posts("RED-11", at=PlayPrompt, where=played(Character.APPRENTICE))
def apprentice_first(step: Step) -> Iterator[Event]:
    """The effect fizzles."""
    if not step.before.played:
        yield from fizzles(step)


@posts("RED-12", at=PlayPrompt)
def apprentice_after_others(step: Step) -> Iterator[Event]:
    """After a purple, blue or yellow card the effect fizzles."""
    if (card := follows(step)) and card.colour not in COPIED:
        yield from fizzles(step)


@posts("RED-13", at=PlayPrompt)
def chain(step: Step) -> Iterator[Event]:
    """An Apprentice after an Apprentice copies the card before the first, or fizzles as it did."""
    if follows(step) is Character.APPRENTICE:
        head = [card for card in step.before.played if card is not Character.APPRENTICE][-1:]
        if head and head[0].colour in COPIED:
            yield events.CardCopied(step.seat, head[0])
        else:
            yield from fizzles(step)


@posts("RED-14", at=PlayPrompt)
def purple_chain(step: Step) -> Iterator[Event]:
    """A purple Apprentice after an Apprentice fizzles."""
    if follows(step) is Character.APPRENTICE:
        yield from fizzles(step)


@always("RED-15", at=PlayPrompt)
def unused_card(step: Step) -> bool | None:
    """A card that is declined or fizzles lies before the next, as if its effect had been used."""
    unused = entered(step, events.EffectDeclined, events.EffectFizzled)
    if not unused or entered(step, events.PlayedCardsDiscarded):
        return None
    return step.after.played == lying(step)


@asks("RED-16", at=PlayPrompt, where=played(Character.APPRENTICE))
def choice_of_the_copy(step: Step) -> Prompt | None:
    """A copied Maid or Builder lets the player choose, by what he can pay for now."""
    is_maid = performs(step) is Character.MAID
    return MaidPrompt(step.seat) if is_maid else site_to_choose(step, Character.BUILDER)


@allows("RED-17", at=PlayPrompt)
def leaving_the_copy(state: GameState) -> Verdicts:
    """A copy that needs no choice and can do something may be declined where effects are."""
    if holds(state, Character.APPRENTICE):
        card = copied(state.rules, state.played)
        can_do = card in GATHERED or (card in YIELDED and has_icon(state, card))
        is_optional = state.rules.effects is Effects.OPTIONAL
        yield PlayCard(Character.APPRENTICE, False), can_do and is_optional


@posts("RED-17", at=PlayPrompt)
def copy_left(step: Step) -> Iterator[Event]:
    """Then nothing is copied."""
    if declines(step, Character.APPRENTICE):
        yield events.EffectDeclined(step.seat, "RED-17")


@allows("RED-17", at=MaidPrompt | SitePrompt)
def declining_at_the_choice(state: GameState) -> Verdicts:
    """A copied Maid may be declined where effects are, and a copied Builder always."""
    if state.played[-1:] == (Character.APPRENTICE,):
        is_site = isinstance(state.prompt, SitePrompt)
        yield Decline(), is_site or state.rules.effects is Effects.OPTIONAL
