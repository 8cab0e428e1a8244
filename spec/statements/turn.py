"""Formal statements of the clauses about a player's turn."""

from collections.abc import Iterator, Mapping
from typing import Final

from valletta_rules import agenda, events
from valletta_rules.actions import Decline, PlayCard
from valletta_rules.agenda import (
    ArchitectPrompt,
    ArtisanPrompt,
    BonusPrompt,
    DrawPrompt,
    MaidPrompt,
    NunPrompt,
    PlayPrompt,
    SeamstressPrompt,
    SitePrompt,
    TraderPrompt,
    ValettePrompt,
)
from valletta_rules.components import CHARACTERS, CardBag, Character
from valletta_rules.events import Event
from valletta_rules.state import GameState, Phase

from . import APPLIES, Applies, Step, Verdicts, allows, always, asks, odds, posts
from .blue import TAKING, any_opponent_must_give, can_count, can_trade, not_one_of_two
from .building import sites
from .green import YIELDED, has_icon
from .red import GATHERED
from .setup import card_drawn, cards_at_random, cards_of_the_pile, in_setup
from .vocabulary import (
    Able,
    always_able,
    chose,
    copied,
    declines,
    declining,
    entered,
    fizzles,
    holds,
    leaving,
    lying,
    opponents,
    unless,
)
from .yellow import COUNTING, PAYING, works

CHOICES: Final = MaidPrompt | SeamstressPrompt | ArtisanPrompt | NunPrompt | ArchitectPrompt
"""The prompts for effects that the text of a card phrases as an instruction."""

PERMISSIONS: Final = SitePrompt | TraderPrompt | ValettePrompt | BonusPrompt
"""The prompts for effects that the text of a card phrases as a permission."""


AT_ONCE: Final[Mapping[Character, Able]] = {
    Character.VALETTE: always_able,
    Character.MERCHANT: can_trade,
    Character.CHAMBERLAIN: can_count,
    **dict.fromkeys(GATHERED, always_able),
    **dict.fromkeys(YIELDED, has_icon),
    **dict.fromkeys(TAKING, any_opponent_must_give),
    **dict.fromkeys((*PAYING, *COUNTING, Character.KNIGHT), works),
}
"""The cards that can have an effect before the player makes a choice, each with the condition for
the effect to occur."""


def begins_at_once(state: GameState, card: Character) -> bool:
    """Return whether a card, or the card that an Apprentice copies, acts without a choice."""
    head = copied(state.rules, state.played) if card is Character.APPRENTICE else card
    return head is not None and head in AT_ONCE and bool(AT_ONCE[head](state, head))


# The course of the turn


def plays_left(state: GameState) -> int:
    """Return the number of plays left in the turn, including the one that the player must make."""
    return sum(each.plays for each in state.agenda if isinstance(each, PlayPrompt))


def to_come(step: Step) -> int:
    """Return the number of plays left after the step, even if the hand is empty."""
    return plays_left(step.before) - isinstance(step.action, PlayCard)


def is_complete(step: Step) -> bool:
    """Return whether the effect of a card is complete, so that no further answer is needed."""
    return isinstance(step.next_prompt, PlayPrompt | DrawPrompt | None)


def effects(step: Step) -> list[Event]:
    """Return the events of a card's effect, without those about the course of the turn and game."""
    return [each for each in step.events if not each.clause.startswith(("TRN", "FIN", "RED-10"))]


def is_draw(step: Step) -> bool:
    """Return whether the step answers a prompt to draw a card."""
    return isinstance(step.prompt, DrawPrompt)


def in_turn(step: Step) -> bool:
    """Return whether the step belongs to a turn's plays and leaves no effect incomplete."""
    return not in_setup(step) and not is_draw(step) and is_complete(step)


def hand(step: Step) -> int:
    """Return the number of cards that the active player has in hand after the step."""
    return len(step.after.players[step.before.active].hand)


def plays_end(step: Step) -> bool:
    """Return whether the plays of the turn end with the step: no play or no card is left."""
    return in_turn(step) and (to_come(step) == 0 or hand(step) == 0)


def refills(step: Step) -> bool:
    """Return whether the step ends the plays of a turn, or draws a card at the turn's end."""
    return plays_end(step) or (is_draw(step) and not in_setup(step))


def stock(step: Step) -> int:
    """Return the number of cards that the active player can still draw after the step."""
    me, is_main = step.before.players[step.before.active], step.before.phase is Phase.MAIN
    return len(me.draw_pile) - is_draw(step) + is_main * (len(me.discard_pile) + len(lying(step)))


def is_over(step: Step) -> bool:
    """Return whether the turn ends with the step."""
    return refills(step) and (hand(step) >= 5 or stock(step) == 0)


def begins(step: Step) -> int | None:
    """Return the seat whose turn begins with the step, or `None` if no turn begins."""
    following = (step.before.active + 1) % len(step.before.players)
    order = {Phase.SETUP: 0, Phase.MAIN: follower(step)}  # each player has a card (TRN-24)
    is_due = isinstance(step.next_prompt, PlayPrompt) if in_setup(step) else is_over(step)
    return order.get(step.before.phase, following) if is_due else None


def follower(step: Step) -> int | None:
    """Return the next seat clockwise that has a card in hand; the active seat is checked last."""
    order = [*opponents(step.before, step.before.active), step.before.active]
    return next((seat for seat in order if step.after.players[seat].hand), None)


@asks("TRN-1", last=True)
def first_part(step: Step) -> agenda.Prompt | None:
    """A turn begins with its first play."""
    began = entered(step, events.TurnBegan)
    return PlayPrompt(began[0].seat, began[0].plays) if began else None


@posts("TRN-2+TRN-23")
def turn_of_three(step: Step) -> Iterator[Event]:
    """The next turn has three plays."""
    if (seat := begins(step)) is not None:
        yield events.TurnBegan(seat, 3)


@posts("TRN-2", at=PlayPrompt, where=chose(PlayCard))
def card_played(step: Step) -> Iterator[Event]:
    """The journal records the played card."""
    yield events.CardPlayed(step.seat, step.action.character)


@asks("TRN-2", last=True, where=in_turn)
def one_after_the_other(step: Step) -> agenda.Prompt | None:
    """While plays are left, the next prompt is for another play of the active player."""
    return PlayPrompt(step.before.active, to_come(step)) if to_come(step) else None


@asks("TRN-4", "TRN-6", last=True, where=in_turn)
def while_cards_are_left(step: Step) -> agenda.Prompt | Applies | None:
    """A player must play while they have a card, even if they have fewer cards than plays."""
    return one_after_the_other(step) if hand(step) else APPLIES


@allows("TRN-3", at=PlayPrompt)
def any_card_of_the_hand(state: GameState) -> Verdicts:
    """Only a card in the hand may be played."""
    yield from ((PlayCard(card), holds(state, card)) for card in CHARACTERS)
    yield from ((PlayCard(card, False), False) for card in CHARACTERS if not holds(state, card))


declining("TRN-4", at=PlayPrompt, is_legal=False)


@always("TRN-5")
def effect_first(state: GameState) -> bool | None:
    """On the agenda, the prompts of an effect precede the next play and the end of the turn."""
    kinds = CHOICES | PERMISSIONS | agenda.MonkPrompt | agenda.PaymentPrompt | agenda.BarrelPrompt
    where = [number for number, each in enumerate(state.agenda) if isinstance(each, kinds)]
    return where == [*range(len(where))] if where else None


@always("TRN-25", at=PlayPrompt)
def next_free_space(step: Step) -> bool | None:
    """A played card is placed after the cards that were played earlier in the turn."""
    return None if plays_end(step) else step.after.played == lying(step)


# Effects


# depending on the edition: no effect may be declined, or any choice, or those worded as permissions
leaving("TRN-7", *CHARACTERS, is_legal=False)
declining("TRN-7", at=CHOICES | PERMISSIONS, is_legal=False)
declining("TRN-8", at=CHOICES | PERMISSIONS, is_legal=True)
declining("TRN-9", at=PERMISSIONS, is_legal=True)


# a card with an immediate effect is declined as it is played; trades and payments in every edition
leaving("TRN-8+TRN-11", *CHARACTERS, is_legal=True, able=begins_at_once)
leaving("TRN-9", Character.MERCHANT, *PAYING, is_legal=True, able=begins_at_once)

# a card that prompts its player, or can do nothing, cannot be declined as it is played
leaving("TRN-10", *CHARACTERS, is_legal=False, able=unless(begins_at_once))
leaving("TRN-14", *CHARACTERS, is_legal=False, able=unless(begins_at_once))

declining("TRN-12", at=ValettePrompt | BonusPrompt, is_legal=False)  # an effect that has begun
allows("TRN-12", at=SeamstressPrompt)(not_one_of_two)


def declined(step: Step) -> bool:
    """Return whether the action declines an effect, either as the card is played or later."""
    return declines(step, *CHARACTERS) or isinstance(step.action, Decline)


@always("TRN-12", at=PlayPrompt | CHOICES, where=declined)
def declined_as_a_whole(step: Step) -> bool:
    """Declining an effect only adds an `EffectDeclined` event; no prompt for the effect follows."""
    return effects(step) == entered(step, events.EffectDeclined) and is_complete(step)


@always("TRN-13", where=lambda step: not in_setup(step) and not is_draw(step))
def once(step: Step) -> bool:
    """No entry of an effect occurs twice in the journal, and no answered prompt is repeated."""
    return len(effects(step)) == len({*effects(step)}) and step.next_prompt != step.prompt


@posts("TRN-14", at=PlayPrompt)
def nothing_changes(step: Step) -> Iterator[Event]:
    """An effect fizzles if it adds no entry to the journal and leads to no prompt."""
    return iter(()) if effects(step) or not is_complete(step) else fizzles(step)


@always("TRN-14", at=ArtisanPrompt | SitePrompt | TraderPrompt)
def no_prompt_without_an_effect(state: GameState) -> bool:
    """A player is prompted only if the effect is possible, for example if a site is affordable."""
    if isinstance(state.prompt, SitePrompt):
        return bool(sites(state, state.prompt.seat, state.prompt.reduction))
    is_trader = isinstance(state.prompt, TraderPrompt)
    return can_trade(state, Character.TRADER) if is_trader else can_count(state, Character.ARTISAN)


@always("TRN-15")
def played_nevertheless(step: Step) -> bool | None:
    """A card whose effect is declined or fizzles still uses up one of the turn's plays."""
    is_played = (step.after.played, plays_left(step.after)) == (lying(step), to_come(step))
    unused = entered(step, events.EffectFizzled, events.EffectDeclined)
    return is_played if unused and not plays_end(step) else None


# The end of the turn


@posts("TRN-16", where=plays_end)
def cards_discarded(step: Step) -> Iterator[Event]:
    """The cards of the turn are discarded after the last play, before the hand is refilled."""
    yield events.PlayedCardsDiscarded(step.before.active)
    yield from entered(step, events.Reshuffled)


@always("TRN-16", where=plays_end)
def on_the_discard_pile(step: Step) -> bool | None:
    """The cards of the turn are added to the player's own discard pile."""
    old, new = step.players[step.before.active]
    is_added = new.discard_pile == old.discard_pile + CardBag.of(*lying(step))
    return None if entered(step, events.Reshuffled, events.FinalPhaseBegan) else is_added


@asks("TRN-17", last=True, where=refills)
def up_to_five(step: Step) -> agenda.Prompt | None:
    """Cards are drawn until the hand has five cards."""
    return DrawPrompt(step.before.active) if hand(step) < 5 else None


@always("TRN-17", at=DrawPrompt)
def no_sixth_card(step: Step) -> bool:
    """No card is drawn when the hand has five cards."""
    return len(step.now.hand) <= 5


posts("TRN-17", at=DrawPrompt)(card_drawn)
allows("TRN-17", at=DrawPrompt)(cards_of_the_pile)
odds("TRN-18", at=DrawPrompt)(cards_at_random)


@posts("TRN-19", where=refills)
def pile_turned_over(step: Step) -> Iterator[Event]:
    """The discard pile is shuffled if a card must be drawn from an empty draw pile."""
    is_empty = len(step.before.players[step.before.active].draw_pile) == is_draw(step)
    if step.before.phase is Phase.MAIN and not is_over(step) and is_empty:
        yield events.Reshuffled(step.before.active)


@always("TRN-20", at=DrawPrompt)
def not_at_once(step: Step) -> bool | None:
    """If the last card that is needed empties the draw pile, the discard pile is not shuffled."""
    is_due = step.before.phase is Phase.MAIN and hand(step) >= 5 and len(step.mine.draw_pile) <= 1
    return not entered(step, events.Reshuffled) if is_due else None


@asks("TRN-21", last=True, where=refills)
def all_cards_drawn(step: Step) -> agenda.Prompt | Applies | None:
    """All cards of both piles are drawn if there are too few of them to fill the hand."""
    is_due = step.before.phase is Phase.MAIN and hand(step) + stock(step) < 5
    due = DrawPrompt(step.before.active) if stock(step) else APPLIES
    return due if is_due else None


@always("TRN-22")
def five_at_most(step: Step) -> bool:
    """No hand grows beyond five cards, except by a card that is built or hired."""
    gains = isinstance(step.prompt, agenda.PaymentPrompt | ValettePrompt)
    return all(len(new.hand) <= max(5, len(old.hand) + gains) for old, new in step.players)


@always("TRN-24")
def cards_to_begin_with(step: Step) -> bool | None:
    """A player begins each turn of the main phase with at least one card in hand."""
    began = [each for each in entered(step, events.TurnBegan) if step.after.phase is Phase.MAIN]
    return len(step.after.players[began[0].seat].hand) > 0 if began else None
