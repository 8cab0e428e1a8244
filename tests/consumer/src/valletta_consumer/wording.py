"""Words of one's own for every prompt, action and event: the unions are closed, to the last one."""

from __future__ import annotations

from typing import assert_never

from valletta_rules import (
    Action,
    Build,
    DealBuilding,
    Decline,
    Dismiss,
    DraftGood,
    DrawCard,
    GiveGood,
    HiddenCardDrawn,
    Hire,
    Pay,
    PlayCard,
    Prompt,
    RedactedEvent,
    ReturnGood,
    RevealBarrel,
    TakeGood,
    TakeGoods,
    Upgrade,
)
from valletta_rules.agenda import (
    ArchitectPrompt,
    ArtisanPrompt,
    BarrelPrompt,
    BonusPrompt,
    DealPrompt,
    DraftPrompt,
    DrawPrompt,
    MaidPrompt,
    MonkPrompt,
    NunPrompt,
    PaymentPrompt,
    PlayPrompt,
    SeamstressPrompt,
    SitePrompt,
    TraderPrompt,
    ValettePrompt,
)
from valletta_rules.events import (
    BarrelRevealed,
    BuildingDealt,
    Built,
    CardCopied,
    CardDrawn,
    CardPlayed,
    Dismissed,
    EffectDeclined,
    EffectFizzled,
    FinalPhaseBegan,
    FinalPhaseTriggered,
    GameEnded,
    GoodDrafted,
    GoodsGiven,
    GoodsReturned,
    GoodsTaken,
    Hired,
    PlayedCardsDiscarded,
    PlayerDroppedOut,
    PointsScored,
    Reshuffled,
    TurnBegan,
    Upgraded,
    ValetteMoved,
)


def word_action(action: Action) -> str:
    """Return a word or two for an action."""
    match action:
        case DealBuilding(code):
            return code
        case DrawCard(character) | Dismiss(character) | Hire(character):
            return character.english
        case PlayCard(character, use_effect):
            return character.english if use_effect else f"({character.english})"
        case TakeGood(good) | ReturnGood(good) | GiveGood(good):
            return good.value
        case RevealBarrel(good) | DraftGood(good):
            return good.value
        case TakeGoods(goods) | Pay(goods):
            return str(goods.total)
        case Build(site) | Upgrade(site):
            return f"site {site}"
        case Decline():
            return "no"
        case _:
            assert_never(action)


def word_prompt(prompt: Prompt) -> str:
    """Return who is asked, and for what."""
    match prompt:
        case DealPrompt():
            return "dealing"
        case DrawPrompt(player) | BarrelPrompt(player):
            return f"luck for {player}"
        case DraftPrompt(seat, goods):
            return f"{seat} drafts, {goods.total} left"
        case PlayPrompt(seat, plays):
            return f"{seat} plays {plays}"
        case SitePrompt(seat, reduction):
            return f"{seat} builds, {reduction} off"
        case PaymentPrompt(seat, site, price):
            return f"{seat} pays {price} for {site}"
        case MonkPrompt(seat, taker):
            return f"{seat} gives to {taker}"
        case BonusPrompt(seat, character):
            return f"{seat} has a bonus of {character.english}"
        case MaidPrompt(seat) | NunPrompt(seat) | ArtisanPrompt(seat) | SeamstressPrompt(seat):
            return f"{seat} takes"
        case TraderPrompt(seat) | ArchitectPrompt(seat):
            return f"{seat} returns"
        case ValettePrompt(seat):
            return f"{seat} dismisses or hires"
        case _:
            assert_never(prompt)


def word_event(event: RedactedEvent) -> str:
    """Return a few words for an event."""
    match event:
        case BuildingDealt(site, building):
            return f"{building} on {site}"
        case CardDrawn(seat, character) | CardPlayed(seat, character):
            return f"{seat}: {character.english}"
        case CardCopied(seat, character) | EffectFizzled(seat, character):
            return f"{seat}: {character.english}"
        case Dismissed(seat, character) | Hired(seat, character):
            return f"{seat}: {character.english}"
        case HiddenCardDrawn(seat):
            return f"{seat}: ?"
        case Reshuffled(seat) | PlayedCardsDiscarded(seat) | PlayerDroppedOut(seat):
            return str(seat)
        case GoodDrafted(seat, good):
            return f"{seat}: {good.value}"
        case TurnBegan(seat, number) | Upgraded(seat, number):
            return f"{seat}: {number}"
        case EffectDeclined(seat, clause):
            return f"{seat} [{clause}]"
        case GoodsTaken(seat, goods, clause) | GoodsReturned(seat, goods, clause):
            return f"{seat}: {goods} [{clause}]"
        case GoodsGiven(giver, taker, goods, clause):
            return f"{giver} to {taker}: {goods} [{clause}]"
        case PointsScored(seat, points, clause):
            return f"{seat}: {points} [{clause}]"
        case Built(seat, site, character):
            return f"{seat}: {site}, {character.english}"
        case ValetteMoved(space):
            return str(space)
        case BarrelRevealed(good):
            return good.value
        case FinalPhaseTriggered(seat, condition):
            return f"{seat}: {condition.value}"
        case FinalPhaseBegan():
            return "the end begins"
        case GameEnded(outcome):
            return f"winners: {outcome.winners}"
        case _:
            assert_never(event)
