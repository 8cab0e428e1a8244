"""User code that handles every type of action, prompt and event, as an example."""

from typing import assert_never

import valletta_rules as vr


def word_action(action: vr.Action) -> str:
    """Describe an action in one or two words."""
    match action:
        case vr.PlayCard(character, use_effect):
            return character.english if use_effect else f"({character.english})"
        case vr.DrawCard(character) | vr.Dismiss(character) | vr.Hire(character):
            return character.english
        case vr.TakeGood(good) | vr.ReturnGood(good) | vr.GiveGood(good) | vr.RevealBarrel(good):
            return good.value
        case vr.TakeGoods(goods) | vr.Pay(goods):
            return str(goods.total)
        case vr.Build(site) | vr.Upgrade(site):
            return f"site {site}"
        case vr.DealBuilding() | vr.DraftGood() | vr.Decline():
            return str(action)
        case _:
            assert_never(action)


def word_prompt(prompt: vr.Prompt) -> str:
    """Describe a prompt: the seat that must decide, and the decision."""
    match prompt:
        case vr.DealPrompt() | vr.DrawPrompt() | vr.BarrelPrompt():
            return "chance"
        case vr.PaymentPrompt(seat, site, price):
            return f"{seat} pays {price} for {site}"
        case (
            vr.DraftPrompt(seat)
            | vr.PlayPrompt(seat)
            | vr.SitePrompt(seat)
            | vr.ValettePrompt(seat)
        ):
            return f"{seat} chooses"
        case _:  # all other prompts have a seat
            return f"{prompt.seat} takes, gives or returns goods"


def word_event(event: vr.RedactedEvent) -> str:
    """Describe an event in a few words."""
    match event:
        case vr.PointsScored(seat, points, clause):
            return f"{seat}: {points} [{clause}]"
        case (
            vr.GoodsTaken(seat, goods)
            | vr.GoodsReturned(seat, goods)
            | vr.GoodsGiven(seat, _, goods)
        ):
            return f"{seat}: {goods}"
        case (
            vr.GoodDrafted(seat)
            | vr.HiddenCardDrawn(seat)
            | vr.EffectDeclined(seat)
            | vr.Upgraded(seat)
        ):
            return f"{seat} does something"
        case vr.CardDrawn(seat, card) | vr.CardPlayed(seat, card) | vr.Dismissed(seat, card):
            return f"{seat}: {card.english}"
        case vr.CardCopied(seat, card) | vr.EffectFizzled(seat, card) | vr.Hired(seat, card):
            return f"{seat}: {card.english}"
        case (
            vr.Built()
            | vr.BuildingDealt()
            | vr.ValetteMoved()
            | vr.BarrelRevealed()
            | vr.Reshuffled()
        ):
            return "the table changes"
        case (
            vr.TurnBegan()
            | vr.PlayedCardsDiscarded()
            | vr.PlayerDroppedOut()
            | vr.FinalPhaseBegan()
        ):
            return "the game goes on"
        case vr.FinalPhaseTriggered() | vr.GameEnded():
            return "the end is near"
        case _:
            assert_never(event)
