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
from .building import sites
from .vocabulary import copied, declinable, declines, fizzles, holds, performs, plays, seat_of

GATHERED: Final = {
    Character.SHOPKEEPER: Good.GOLD,
    Character.LUMBERJACK: Good.WOOD,
    Character.STONE_SCULPTOR: Good.STONE,
    Character.BRICK_WORKER: Good.BRICK,
}
"""The good that a red card takes."""

YIELDED: Final = {
    Character.BANKER: Good.GOLD,
    Character.WOODWORKER: Good.WOOD,
    Character.CARVER: Good.STONE,
    Character.MASON: Good.BRICK,
}
"""The good whose icons a green card counts."""


# Shopkeeper, Lumberjack, Stone Sculptor and Brick Worker


@posts("RED-1", at=PlayPrompt)
def shopkeeper(step: Step) -> Iterator[Event]:
    """One gold comes from the general supply."""
    if performs(step) is Character.SHOPKEEPER:
        yield events.GoodsTaken(step.seat, ONE[Good.GOLD], "RED-1")


@posts("RED-2", at=PlayPrompt)
def lumberjack(step: Step) -> Iterator[Event]:
    """One wood comes from the general supply."""
    if performs(step) is Character.LUMBERJACK:
        yield events.GoodsTaken(step.seat, ONE[Good.WOOD], "RED-2")


@posts("RED-3", at=PlayPrompt)
def stone_sculptor(step: Step) -> Iterator[Event]:
    """One stone comes from the general supply."""
    if performs(step) is Character.STONE_SCULPTOR:
        yield events.GoodsTaken(step.seat, ONE[Good.STONE], "RED-3")


@posts("RED-4", at=PlayPrompt)
def brick_worker(step: Step) -> Iterator[Event]:
    """One brick comes from the general supply."""
    if performs(step) is Character.BRICK_WORKER:
        yield events.GoodsTaken(step.seat, ONE[Good.BRICK], "RED-4")


@allows("RED-5", at=PlayPrompt)
def leaving_the_good(state: GameState) -> Verdicts:
    """The good may be declined as the card is played."""
    yield from ((PlayCard(card, False), True) for card in GATHERED if holds(state, card))


@posts("RED-5", at=PlayPrompt)
def good_left(step: Step) -> Iterator[Event]:
    """Then no good is taken."""
    if declines(step, *GATHERED):
        yield events.EffectDeclined(step.seat, "RED-5")


# The Maid


@asks("RED-6", at=PlayPrompt)
def maid(step: Step) -> Prompt | None:
    """The player chooses."""
    return MaidPrompt(step.seat) if performs(step) is Character.MAID else None


@allows("RED-6", at=MaidPrompt)
def goods_of_the_maid(state: GameState) -> Verdicts:
    """Any good may be chosen."""
    yield from ((TakeGood(good), True) for good in GOODS)


@posts("RED-6", at=MaidPrompt)
def good_of_the_maid(step: Step) -> Iterator[Event]:
    """One good of the kind comes from the general supply."""
    if isinstance(step.action, TakeGood):
        yield events.GoodsTaken(step.seat, ONE[step.action.good], "RED-6")


declinable("RED-7", MaidPrompt)


# The Builder


@asks("RED-8", at=PlayPrompt)
def builder(step: Step) -> Prompt | None:
    """One site may be chosen at the full price, if there is one to be paid for."""
    can_build = performs(step) is Character.BUILDER and sites(step.before, step.seat, NOTHING)
    return SitePrompt(step.seat, NOTHING) if can_build else None


@posts("RED-8", at=PlayPrompt)
def builder_without_a_site(step: Step) -> Iterator[Event]:
    """Without a site to be paid for the effect fizzles."""
    if performs(step) is Character.BUILDER and not sites(step.before, step.seat, NOTHING):
        yield from fizzles(step)


@allows("RED-9", at=SitePrompt)
def sites_of_every_colour(state: GameState) -> Verdicts:
    """The colour of a building does not matter."""
    if isinstance(state.prompt, SitePrompt):
        found = sites(state, state.prompt.seat, state.prompt.reduction)
        yield from ((each, True) for each in found if isinstance(each, Build))


# The Apprentice


def follows(step: Step) -> Character | None:
    """Return the card before an Apprentice that is played with its effect."""
    played = step.before.played
    return played[-1] if plays(step, Character.APPRENTICE) and played else None


@posts("RED-10", at=PlayPrompt)
def card_before(step: Step) -> Iterator[Event]:
    """The card before is copied."""
    card = follows(step)
    if card not in (None, Character.APPRENTICE) and card.colour in (Colour.RED, Colour.GREEN):
        yield events.CardCopied(step.seat, card)


@posts("RED-11", at=PlayPrompt)
def apprentice_first(step: Step) -> Iterator[Event]:
    """The effect fizzles."""
    if plays(step, Character.APPRENTICE) and not step.before.played:
        yield from fizzles(step)


@posts("RED-12", at=PlayPrompt)
def apprentice_after_others(step: Step) -> Iterator[Event]:
    """After a purple, blue or yellow card the effect fizzles."""
    card = follows(step)
    if card and card.colour in (Colour.PURPLE, Colour.BLUE, Colour.YELLOW):
        yield from fizzles(step)


@posts("RED-13", at=PlayPrompt)
def chain(step: Step) -> Iterator[Event]:
    """An Apprentice after an Apprentice copies the card before the first, or fizzles as it did."""
    if follows(step) is Character.APPRENTICE:
        head = [card for card in step.before.played if card is not Character.APPRENTICE][-1:]
        if head and head[0].colour in (Colour.RED, Colour.GREEN):
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
    unused = [
        each
        for each in step.events
        if isinstance(each, events.EffectDeclined | events.EffectFizzled)
    ]
    ended = any(isinstance(each, events.PlayedCardsDiscarded) for each in step.events)
    if not unused or ended or not isinstance(step.action, PlayCard):
        return None
    return step.after.played == (*step.before.played, step.action.character)


@asks("RED-16", at=PlayPrompt)
def choice_of_the_copy(step: Step) -> Prompt | None:
    """A copied Maid or Builder lets the player choose, by what he can pay for now."""
    match performs(step) if plays(step, Character.APPRENTICE) else None:
        case Character.MAID:
            return MaidPrompt(step.seat)
        case Character.BUILDER if sites(step.before, step.seat, NOTHING):
            return SitePrompt(step.seat, NOTHING)
        case _:
            return None


@allows("RED-17", at=PlayPrompt)
def leaving_the_copy(state: GameState) -> Verdicts:
    """A copy that needs no choice and can do something may be declined where effects are."""
    if holds(state, Character.APPRENTICE):
        card, me = copied(state.rules, state.played), state.players[seat_of(state)]
        icons = [state.display[site].icon for site in me.built]
        can_do = card in GATHERED or (card in YIELDED and YIELDED[card] in icons)
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
