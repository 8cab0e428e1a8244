"""Words of one's own for prompts, actions and events: those of actions and events are closed."""

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
    BarrelPrompt,
    DealPrompt,
    DraftPrompt,
    DrawPrompt,
    PaymentPrompt,
    PlayPrompt,
    SitePrompt,
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
        case PlayCard(character, use_effect):
            return character.english if use_effect else f"({character.english})"
        case DrawCard(character) | Dismiss(character) | Hire(character):
            return character.english
        case TakeGood(good) | ReturnGood(good) | GiveGood(good) | RevealBarrel(good):
            return good.value
        case TakeGoods(goods) | Pay(goods):
            return str(goods.total)
        case Build(site) | Upgrade(site):
            return f"site {site}"
        case DealBuilding() | DraftGood() | Decline():
            return str(action)
        case _:
            assert_never(action)


def word_prompt(prompt: Prompt) -> str:
    """Return who is asked, and for what."""
    match prompt:
        case DealPrompt() | DrawPrompt() | BarrelPrompt():
            return "chance"
        case PaymentPrompt(seat, site, price):
            return f"{seat} pays {price} for {site}"
        case DraftPrompt(seat) | PlayPrompt(seat) | SitePrompt(seat) | ValettePrompt(seat):
            return f"{seat} chooses"
        case _:  # what is left has a seat, whichever cards there are
            return f"{prompt.seat} takes, gives or returns goods"


def word_event(event: RedactedEvent) -> str:
    """Return a few words for an event."""
    match event:
        case PointsScored(seat, points, clause):
            return f"{seat}: {points} [{clause}]"
        case GoodsTaken(seat, goods) | GoodsReturned(seat, goods) | GoodsGiven(seat, _, goods):
            return f"{seat}: {goods}"
        case GoodDrafted(seat) | HiddenCardDrawn(seat) | EffectDeclined(seat) | Upgraded(seat):
            return f"{seat} does something"
        case CardDrawn(seat, card) | CardPlayed(seat, card) | Dismissed(seat, card):
            return f"{seat}: {card.english}"
        case CardCopied(seat, card) | EffectFizzled(seat, card) | Hired(seat, card):
            return f"{seat}: {card.english}"
        case Built() | BuildingDealt() | ValetteMoved() | BarrelRevealed() | Reshuffled():
            return "the table changes"
        case TurnBegan() | PlayedCardsDiscarded() | PlayerDroppedOut() | FinalPhaseBegan():
            return "the game goes on"
        case FinalPhaseTriggered() | GameEnded():
            return "the end is near"
        case _:
            assert_never(event)
