"""A player's turn: formal statements of its clauses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any, Final

from valletta_rules import actions, agenda, events
from valletta_rules.actions import Action, Decline, PlayCard
from valletta_rules.components.bags import CardBag
from valletta_rules.components.characters import CHARACTERS, Character, Colour
from valletta_rules.components.goods import GOODS, ONE
from valletta_rules.events import Event
from valletta_rules.state import GameState, Phase

from . import APPLIES, Applies, Step, Verdicts, allows, always, asks, odds, posts
from .blue import greens, must_give
from .building import sites
from .green import icons
from .red import GATHERED, YIELDED
from .vocabulary import copied, declines, holds, me, opponents, seat_of
from .yellow import works

CHOICES: Final = (
    agenda.MaidPrompt
    | agenda.SeamstressPrompt
    | agenda.ArtisanPrompt
    | agenda.NunPrompt
    | agenda.ArchitectPrompt
)
"""The prompts of effects that no card words as a permission."""

PERMISSIONS: Final = (
    agenda.SitePrompt | agenda.TraderPrompt | agenda.ValettePrompt | agenda.BonusPrompt
)
"""The prompts of effects by permission."""

TAKING: Final = (Character.MONK, Character.INNKEEPER, Character.TAX_COLLECTOR)
"""The cards that take from others."""


def begins_at_once(state: GameState, seat: int, card: Character) -> bool:
    """Tell whether a card can do something before the player makes a choice."""
    match card:
        case Character.APPRENTICE:
            head = copied(state.rules, state.played)
            return head is not None and begins_at_once(state, seat, head)
        case Character.MERCHANT:
            return state.players[seat].goods.gold >= 1
        case Character.CHAMBERLAIN:
            return greens(state, seat) > 0
        case _ if card in TAKING:
            return any(must_give(state, other, card) for other in opponents(state, seat))
        case _ if card in YIELDED:
            return icons(state, seat)[YIELDED[card]] > 0
        case _ if card.colour is Colour.YELLOW:
            return card is not Character.ARCHITECT and works(state, seat, card)
        case _:
            return card in GATHERED or card is Character.VALETTE


def _at_once(state: GameState) -> list[Character]:
    seat = seat_of(state)
    return [card for card in me(state).hand.kinds() if begins_at_once(state, seat, card)]


# The course of the turn


def plays_left(state: GameState) -> int:
    """Return how many plays are left in the turn, one that is asked for included."""
    return sum(each.plays for each in state.agenda if isinstance(each, agenda.PlayPrompt))


def to_come(step: Step) -> int:
    """Return how many plays the turn has after the step, whatever the hand."""
    return plays_left(step.before) - isinstance(step.action, PlayCard)


def lying(step: Step) -> tuple[Character, ...]:
    """Return the cards of the turn, with the one that is played."""
    now = [step.action.character] if isinstance(step.action, PlayCard) else []
    return (*step.before.played, *now)


def is_complete(step: Step) -> bool:
    """Tell whether the effect of a card asks for nothing more."""
    return isinstance(step.asked, agenda.PlayPrompt | agenda.DrawPrompt | None)


def entered(step: Step, *kinds: type[Event]) -> list[Any]:
    """Return the entries of some kinds."""
    return [each for each in step.events if isinstance(each, kinds)]


def effects(step: Step) -> list[Event]:
    """Return the entries that are part of an effect, not of the course of the game."""
    return [each for each in step.events if not each.clause.startswith(("TRN", "FIN", "RED-10"))]


def in_turn(step: Step) -> bool:
    """Tell whether cards are played in the step, and nothing is asked about their effects."""
    is_draw = isinstance(step.prompt, agenda.DrawPrompt)
    return step.before.phase is not Phase.SETUP and not is_draw and is_complete(step)


def hand(step: Step) -> int:
    """Return how many cards the active player holds at the end of the step."""
    return len(step.after.players[step.before.active].hand)


def plays_end(step: Step) -> bool:
    """Tell whether the last card of the turn has been played."""
    return in_turn(step) and (to_come(step) == 0 or hand(step) == 0)


def refills(step: Step) -> bool:
    """Tell whether the hand is being refilled at the end of the step."""
    is_draw = isinstance(step.prompt, agenda.DrawPrompt)
    return plays_end(step) or (is_draw and step.before.phase is not Phase.SETUP)


def stock(step: Step) -> int:
    """Return how many cards the active player can still draw when the step ends."""
    me, is_main = step.before.players[step.before.active], step.before.phase is Phase.MAIN
    drawn = isinstance(step.action, actions.DrawCard)
    return len(me.draw_pile) - drawn + is_main * (len(me.discard_pile) + len(lying(step)))


def is_over(step: Step) -> bool:
    """Tell whether the turn ends with the step."""
    return refills(step) and (hand(step) >= 5 or stock(step) == 0)


def begins(step: Step) -> int | None:
    """Return the seat whose turn is next in the order, if the step leads to a turn."""
    if step.before.phase is Phase.SETUP:
        return 0 if isinstance(step.asked, agenda.PlayPrompt) else None
    if step.before.phase is Phase.MAIN:  # where everybody has a card (TRN-24)
        return follower(step) if is_over(step) else None
    return (step.before.active + 1) % len(step.before.players) if is_over(step) else None


def follower(step: Step) -> int | None:
    """Return the next seat clockwise that has a card left, the active one last."""
    order = [*opponents(step.before, step.before.active), step.before.active]
    return next((seat for seat in order if step.after.players[seat].hand), None)


@asks("TRN-1", last=True)
def first_part(step: Step) -> agenda.Prompt | None:
    """A turn begins with the first of its plays."""
    began = entered(step, events.TurnBegan)
    return agenda.PlayPrompt(began[0].seat, began[0].plays) if began else None


@posts("TRN-2+TRN-23")
def turn_of_three(step: Step) -> Iterator[Event]:
    """The next turn has three plays."""
    if (seat := begins(step)) is not None:
        yield events.TurnBegan(seat, 3)


@posts("TRN-2", at=agenda.PlayPrompt)
def card_played(step: Step) -> Iterator[Event]:
    """The card is played."""
    if isinstance(step.action, PlayCard):
        yield events.CardPlayed(step.seat, step.action.character)


@asks("TRN-2", last=True)
def one_after_the_other(step: Step) -> agenda.Prompt | None:
    """The next play follows until there are none left."""
    number = to_come(step) if in_turn(step) else 0
    return agenda.PlayPrompt(step.before.active, number) if number else None


@asks("TRN-4", last=True)
@asks("TRN-6", last=True)
def while_cards_are_left(step: Step) -> agenda.Prompt | Applies | None:
    """A play is due if there is a card, be there fewer cards than plays, and none without."""
    return one_after_the_other(step) if hand(step) or not in_turn(step) else APPLIES


@always("TRN-2")
def same_number(step: Step) -> bool | None:
    """A card played leaves one play fewer, and nothing else changes their number."""
    if step.before.phase is Phase.SETUP or refills(step):
        return None
    return plays_left(step.after) == to_come(step)


@allows("TRN-3", at=agenda.PlayPrompt)
def any_card_of_the_hand(state: GameState) -> Verdicts:
    """Each card of the hand may be played, and no other."""
    for card in CHARACTERS:
        yield PlayCard(card), holds(state, card)
        if not holds(state, card):
            yield PlayCard(card, False), False


@allows("TRN-4", at=agenda.PlayPrompt)
def no_passing(state: GameState) -> Verdicts:
    """No play can be declined."""
    yield Decline(), False


@always("TRN-5")
def effect_first(state: GameState) -> bool | None:
    """No prompt of an effect waits for a later play, or for the end of the turn."""
    kinds = CHOICES | PERMISSIONS | agenda.MonkPrompt | agenda.PaymentPrompt | agenda.BarrelPrompt
    where = [number for number, each in enumerate(state.agenda) if isinstance(each, kinds)]
    return where == [*range(len(where))] if where else None


@always("TRN-25", at=agenda.PlayPrompt)
def next_free_space(step: Step) -> bool | None:
    """The card lies behind those played before it."""
    return None if plays_end(step) else step.after.played == lying(step)


# Effects


@allows("TRN-7", at=agenda.PlayPrompt | CHOICES | PERMISSIONS)
def no_effect_declined(state: GameState) -> Verdicts:
    """No effect may be declined, neither as the card is played nor at a choice."""
    if isinstance(state.prompt, agenda.PlayPrompt):
        yield from ((PlayCard(card, False), False) for card in CHARACTERS if holds(state, card))
    else:
        yield Decline(), False


@allows("TRN-8", at=CHOICES | PERMISSIONS)
def any_effect_declined(state: GameState) -> Verdicts:
    """Any choice may be declined."""
    yield Decline(), True


@allows("TRN-8+TRN-11", at=agenda.PlayPrompt)
def at_the_play(state: GameState) -> Verdicts:
    """A card that does something at once is declined as it is played."""
    yield from ((PlayCard(card, False), True) for card in _at_once(state))


@allows("TRN-9", at=agenda.PlayPrompt)
def trades_and_payments(state: GameState) -> Verdicts:
    """A trade or a payment without a choice may be declined in every edition."""
    paid = (Character.MERCHANT, Character.GRAND_BAILIFF, Character.GRAND_MASTER)
    yield from ((PlayCard(card, False), True) for card in _at_once(state) if card in paid)


@allows("TRN-9", at=PERMISSIONS)
def permissions(state: GameState) -> Verdicts:
    """So may what cards word as a permission."""
    yield Decline(), True


@allows("TRN-10", at=agenda.PlayPrompt)
@allows("TRN-14", at=agenda.PlayPrompt)
def not_at_the_play(state: GameState) -> Verdicts:
    """A card that asks its player, or can do nothing, cannot be declined as it is played."""
    at_once = _at_once(state)
    yield from ((PlayCard(card, False), False) for card in CHARACTERS if card not in at_once)


@allows("TRN-12", at=agenda.ValettePrompt | agenda.BonusPrompt)
def no_rest_declined(state: GameState) -> Verdicts:
    """An effect that has begun is not declined."""
    yield Decline(), False


@allows("TRN-12", at=agenda.SeamstressPrompt)
def both_goods(state: GameState) -> Verdicts:
    """Two goods are taken, not one."""
    yield from ((actions.TakeGoods(ONE[good]), False) for good in GOODS)


@always("TRN-12", at=agenda.PlayPrompt | CHOICES)
def declined_as_a_whole(step: Step) -> bool | None:
    """Nothing of an effect that is declined is entered or asked."""
    if not declines(step, *CHARACTERS) and not isinstance(step.action, Decline):
        return None
    return effects(step) == entered(step, events.EffectDeclined) and is_complete(step)


@always("TRN-13")
def once(step: Step) -> bool | None:
    """No entry of an effect is made twice, and no answered prompt is asked again."""
    if step.before.phase is Phase.SETUP or isinstance(step.prompt, agenda.DrawPrompt):
        return None
    return len(effects(step)) == len({*effects(step)}) and step.asked != step.prompt


@posts("TRN-14", at=agenda.PlayPrompt)
def nothing_changes(step: Step) -> Iterator[Event]:
    """An effect fizzles if it enters nothing and asks nothing."""
    if isinstance(step.action, PlayCard) and is_complete(step) and not effects(step):
        yield events.EffectFizzled(step.seat, step.action.character)


@always("TRN-14", at=agenda.ArtisanPrompt | agenda.SitePrompt | agenda.TraderPrompt)
def asked_for_something(state: GameState) -> bool:
    """Where a player is asked, he could do something."""
    seat, goods = seat_of(state), state.players[seat_of(state)].goods
    match state.prompt:
        case agenda.SitePrompt(_, reduction):
            return bool(sites(state, seat, reduction))
        case agenda.TraderPrompt():
            return goods.total > goods.gold
        case _:
            return icons(state, seat).total > 0


@always("TRN-15")
def played_nevertheless(step: Step) -> bool | None:
    """A card without effect takes its place among the plays of the turn."""
    if plays_end(step) or not entered(step, events.EffectFizzled, events.EffectDeclined):
        return None
    return (step.after.played, plays_left(step.after)) == (lying(step), to_come(step))


# The end of the turn


@posts("TRN-16")
def cards_discarded(step: Step) -> Iterator[Event]:
    """The cards of the turn are discarded after the last play, and then drawn from at need."""
    if plays_end(step):
        yield events.PlayedCardsDiscarded(step.before.active)
        yield from entered(step, events.Reshuffled)


@always("TRN-16")
def on_the_discard_pile(step: Step) -> bool | None:
    """They lie on the player's own discard pile."""
    if not plays_end(step) or entered(step, events.Reshuffled, events.FinalPhaseBegan):
        return None
    old, new = (each.players[step.before.active] for each in (step.before, step.after))
    return new.discard_pile == old.discard_pile + CardBag.of(*lying(step))


@asks("TRN-17", last=True)
def up_to_five(step: Step) -> agenda.Prompt | None:
    """The next card is drawn until there are five."""
    return agenda.DrawPrompt(step.before.active) if refills(step) and hand(step) < 5 else None


@posts("TRN-17", at=agenda.DrawPrompt)
def card_drawn(step: Step) -> Iterator[Event]:
    """The card is drawn."""
    if isinstance(step.action, actions.DrawCard):
        yield events.CardDrawn(step.seat, step.action.character)


@odds("TRN-18", at=agenda.DrawPrompt)
def next_card(state: GameState) -> Mapping[Action, Fraction] | None:
    """Each card of the draw pile is equally likely."""
    prompt: Any = state.prompt
    pile = state.players[prompt.player].draw_pile
    return {actions.DrawCard(card): Fraction(n, len(pile)) for card, n in pile.items()}


@posts("TRN-19")
def pile_turned_over(step: Step) -> Iterator[Event]:
    """The discard pile is shuffled if a card is due and the draw pile empty."""
    seat, drawn = step.before.active, isinstance(step.action, actions.DrawCard)
    is_empty = len(step.before.players[seat].draw_pile) == drawn
    if step.before.phase is Phase.MAIN and refills(step) and not is_over(step) and is_empty:
        yield events.Reshuffled(seat)


@always("TRN-20", at=agenda.DrawPrompt)
def not_at_once(step: Step) -> bool | None:
    """The last card needed leaves the draw pile empty."""
    if step.before.phase is not Phase.MAIN or hand(step) < 5 or len(step.mine.draw_pile) > 1:
        return None
    return not entered(step, events.Reshuffled)


@asks("TRN-21", last=True)
def all_cards_drawn(step: Step) -> agenda.Prompt | Applies | None:
    """Both piles are drawn to the last card, though there are fewer than five in the hand."""
    is_main = step.before.phase is Phase.MAIN
    if not is_main or not refills(step) or hand(step) + stock(step) >= 5:
        return None
    return agenda.DrawPrompt(step.before.active) if stock(step) else APPLIES


@always("TRN-22", at=agenda.PlayPrompt | agenda.DrawPrompt)
def five_at_most(step: Step) -> bool:
    """No hand has more than five cards, or more than before."""
    players = zip(step.before.players, step.after.players, strict=True)
    return all(len(new.hand) <= max(5, len(old.hand)) for old, new in players)


@always("TRN-24")
def cards_to_begin_with(step: Step) -> bool | None:
    """The player who begins a turn of the main phase holds a card."""
    began = entered(step, events.TurnBegan)
    if not began or step.after.phase is not Phase.MAIN:
        return None
    return len(step.after.players[began[0].seat].hand) > 0
