"""Yellow characters: formal statements of the clauses about them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from valletta_rules.actions import Decline, PlayCard, ReturnGood
from valletta_rules.agenda import ArchitectPrompt, PlayPrompt, Prompt
from valletta_rules.components.characters import Character, Colour
from valletta_rules.components.goods import GOODS, MATERIALS, ONE_OF_EACH, Goods
from valletta_rules.events import EffectDeclined, Event, GoodsReturned, PointsScored
from valletta_rules.state import GameState

from . import Step, Verdicts, allows, always, asks, posts
from .vocabulary import declinable, declines, fizzles, holds, performs, seat_of

PAYING: Final = (Character.GRAND_BAILIFF, Character.GRAND_MASTER)
"""The cards that score for goods, without a choice."""

COUNTING: Final = (Character.PHILIP, Character.CHARLES, Character.PIUS)
"""The cards that score for buildings."""


def worth(state: GameState, seat: int, card: Character) -> int:
    """Return the points of a card that costs nothing."""
    me = state.players[seat]
    colours = [state.display[site].colour for site in me.built]
    match card:
        case Character.PHILIP:
            return colours.count(Colour.GREEN)
        case Character.CHARLES:
            return colours.count(Colour.BLUE)
        case Character.PIUS:
            return len(me.upgraded)
        case _:
            return 2


def works(state: GameState, seat: int, card: Character) -> bool:
    """Tell whether a yellow card can be paid, or has anything to count."""
    goods = state.players[seat].goods
    match card:
        case Character.ARCHITECT:
            return any(goods[good] >= 4 for good in MATERIALS)
        case Character.GRAND_BAILIFF:
            return goods.gold >= 4
        case Character.GRAND_MASTER:
            return goods.covers(ONE_OF_EACH)
        case _:
            return worth(state, seat, card) > 0


def _in_vain(step: Step, *cards: Character) -> Iterator[Event]:
    """Say that the effect fizzles if one of the cards is played that can do nothing."""
    if (card := performs(step)) in cards and not works(step.before, step.seat, card):
        yield from fizzles(step)


def _leaving(state: GameState, *cards: Character) -> Verdicts:
    """Say of the cards in the hand whether they can do anything that may be declined."""
    for card in cards:
        if holds(state, card):
            yield PlayCard(card, False), works(state, seat_of(state), card)


def _scored(step: Step, card: Character, clause: str) -> Iterator[Event]:
    """Say what a card scores that costs nothing."""
    if performs(step) is card and (points := worth(step.before, step.seat, card)):
        yield PointsScored(step.seat, points, clause)


# The Architect


@posts("YEL-1", at=ArchitectPrompt)
def architect(step: Step) -> Iterator[Event]:
    """Four of the material go back, and four points are scored."""
    if isinstance(step.action, ReturnGood):
        yield GoodsReturned(step.seat, Goods.of(step.action.good, 4), "YEL-1")
        yield PointsScored(step.seat, 4, "YEL-1")


@allows("YEL-1", at=ArchitectPrompt)
def fewer_than_four(state: GameState) -> Verdicts:
    """A good cannot be returned if the player has fewer than four of it."""
    owned = state.players[seat_of(state)].goods
    yield from ((ReturnGood(good), False) for good in GOODS if owned[good] < 4)


@asks("YEL-2", at=PlayPrompt)
@asks("YEL-5", at=PlayPrompt)
def choosing_a_material(step: Step) -> Prompt | None:
    """The player chooses, if he has four of a material."""
    can_pay = works(step.before, step.seat, Character.ARCHITECT)
    is_played = performs(step) is Character.ARCHITECT
    return ArchitectPrompt(step.seat) if is_played and can_pay else None


@allows("YEL-2", at=ArchitectPrompt)
def materials_of_the_architect(state: GameState) -> Verdicts:
    """Wood, stone or brick that the player has four of, but not gold."""
    owned = state.players[seat_of(state)].goods
    yield from ((ReturnGood(each), each in MATERIALS and owned[each] >= 4) for each in GOODS)


@allows("YEL-3", at=ArchitectPrompt)
def no_way_out(state: GameState) -> Verdicts:
    """The choice cannot be declined."""
    yield Decline(), False


declinable("YEL-4", ArchitectPrompt)


@posts("YEL-5", at=PlayPrompt)
def four_of_no_material(step: Step) -> Iterator[Event]:
    """Without four of a material the effect fizzles."""
    return _in_vain(step, Character.ARCHITECT)


# Grand Bailiff and Grand Master


@posts("YEL-6", at=PlayPrompt)
def grand_bailiff(step: Step) -> Iterator[Event]:
    """Four gold go back, and four points are scored."""
    if performs(step) is Character.GRAND_BAILIFF and step.mine.goods.gold >= 4:
        yield GoodsReturned(step.seat, Goods(gold=4), "YEL-6")
        yield PointsScored(step.seat, 4, "YEL-6")


@posts("YEL-7", at=PlayPrompt)
def grand_master(step: Step) -> Iterator[Event]:
    """One good of each kind goes back, and five points are scored."""
    if performs(step) is Character.GRAND_MASTER and step.mine.goods.covers(ONE_OF_EACH):
        yield GoodsReturned(step.seat, ONE_OF_EACH, "YEL-7")
        yield PointsScored(step.seat, 5, "YEL-7")


@allows("YEL-8", at=PlayPrompt)
@allows("YEL-9", at=PlayPrompt)
def leaving_the_payment(state: GameState) -> Verdicts:
    """A payment may be declined as the card is played just if it can be made."""
    return _leaving(state, *PAYING)


@posts("YEL-8", at=PlayPrompt)
def payment_left(step: Step) -> Iterator[Event]:
    """Then nothing is paid."""
    if declines(step, *PAYING):
        yield EffectDeclined(step.seat, "YEL-8")


@posts("YEL-9", at=PlayPrompt)
def unable_to_pay(step: Step) -> Iterator[Event]:
    """Without the goods the effect fizzles."""
    return _in_vain(step, *PAYING)


# Philip II, Charles V, Pius V and the Knight


@posts("YEL-10", at=PlayPrompt)
def philip(step: Step) -> Iterator[Event]:
    """Each green building scores one point."""
    return _scored(step, Character.PHILIP, "YEL-10")


@posts("YEL-11", at=PlayPrompt)
def charles(step: Step) -> Iterator[Event]:
    """Each blue building scores one point, and nothing is paid."""
    return _scored(step, Character.CHARLES, "YEL-11")


@always("YEL-11", at=PlayPrompt)
def charles_is_free(step: Step) -> bool | None:
    """The goods of the player stay as they are."""
    is_played = performs(step) is Character.CHARLES
    return step.after.players[step.seat].goods == step.mine.goods if is_played else None


@always("YEL-12", at=PlayPrompt)
def counted_once(step: Step) -> bool | None:
    """An upgraded building scores no second point."""
    if (card := performs(step)) not in COUNTING[:2] or not step.mine.upgraded:
        return None
    gained = step.after.players[step.seat].score - step.mine.score
    return gained == worth(step.before, step.seat, card)


@posts("YEL-13", at=PlayPrompt)
def pius(step: Step) -> Iterator[Event]:
    """Each upgraded building scores one point."""
    return _scored(step, Character.PIUS, "YEL-13")


@posts("YEL-14", at=PlayPrompt)
def nothing_to_count(step: Step) -> Iterator[Event]:
    """Without a building to count the effect fizzles."""
    return _in_vain(step, *COUNTING)


@allows("YEL-14", at=PlayPrompt)
def no_points_to_leave(state: GameState) -> Verdicts:
    """There is nothing to decline then."""
    yield from (each for each in _leaving(state, *COUNTING) if not each[1])


@posts("YEL-15", at=PlayPrompt)
def knight(step: Step) -> Iterator[Event]:
    """Two points are scored."""
    return _scored(step, Character.KNIGHT, "YEL-15")


@allows("YEL-16", at=PlayPrompt)
def leaving_the_points(state: GameState) -> Verdicts:
    """The points may be declined as the card is played."""
    yield from (each for each in _leaving(state, *COUNTING, Character.KNIGHT) if each[1])


@posts("YEL-16", at=PlayPrompt)
def points_left(step: Step) -> Iterator[Event]:
    """Then nothing is scored."""
    if declines(step, *COUNTING, Character.KNIGHT):
        yield EffectDeclined(step.seat, "YEL-16")


@always("YEL-17", at=PlayPrompt)
def second_copy(step: Step) -> bool | None:
    """A further copy of an owned card scores, or asks, if it has an effect."""
    if (card := performs(step)) is None or card.colour is not Colour.YELLOW:
        return None
    if card not in step.before.played and step.mine.hand.count(card) == 1:
        return None
    scores = step.after.players[step.seat].score > step.mine.score
    can = works(step.before, step.seat, card)
    return can is (scores or isinstance(step.asked, ArchitectPrompt))
