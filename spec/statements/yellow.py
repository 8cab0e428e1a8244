"""Formal statements of the clauses about yellow characters."""

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from valletta_rules.actions import ReturnGood
from valletta_rules.agenda import ArchitectPrompt, PlayPrompt
from valletta_rules.components import GOODS, MATERIALS, ONE_OF_EACH, Character, Colour, Goods
from valletta_rules.events import Event, GoodsReturned, PointsScored
from valletta_rules.state import GameState

from . import Step, Verdicts, allows, always, posts
from .vocabulary import (
    choosing,
    chose,
    declinable,
    declinable_at_the_play,
    declining,
    fizzling,
    me,
    performed,
    performs,
)

PAYING: Final = (Character.GRAND_BAILIFF, Character.GRAND_MASTER)
"""The cards that score points in exchange for goods, without a choice."""

COUNTING: Final = (Character.PHILIP, Character.CHARLES, Character.PIUS)
"""The cards that score one point for each building of a colour, or for each upgraded building."""


def worth(state: GameState, card: Character) -> int:
    """Return the points that a card of `SCORING` scores for the deciding player."""
    colours = [state.display[site].colour for site in me(state).built]
    counts = {
        Character.PHILIP: colours.count(Colour.GREEN),
        Character.CHARLES: colours.count(Colour.BLUE),
        Character.PIUS: len(me(state).upgraded),
    }
    return counts.get(card, 2)


PRICES: Final[Mapping[Character, Callable[[Goods], bool]]] = {
    Character.ARCHITECT: lambda goods: any(goods[good] >= 4 for good in MATERIALS),
    Character.GRAND_BAILIFF: lambda goods: goods.gold >= 4,
    Character.GRAND_MASTER: lambda goods: goods.covers(ONE_OF_EACH),
}
"""The cards that cost goods, each with a predicate that is true if a player's goods suffice."""


def works(state: GameState, card: Character) -> bool:
    """Return whether a yellow card would score any points for the deciding player."""
    return PRICES[card](me(state).goods) if card in PRICES else worth(state, card) > 0


# The Architect


@posts("YEL-1", at=ArchitectPrompt, where=chose(ReturnGood))
def architect(step: Step) -> Iterator[Event]:
    """The player returns four goods of one material and scores four points."""
    yield GoodsReturned(step.seat, Goods.of(step.action.good, 4), "YEL-1")
    yield PointsScored(step.seat, 4, "YEL-1")


@allows("YEL-1", at=ArchitectPrompt)
def fewer_than_four(state: GameState) -> Verdicts:
    """The player of the Architect cannot return a good if they own fewer than four of it."""
    yield from ((ReturnGood(good), False) for good in GOODS if me(state).goods[good] < 4)


choosing("YEL-2", Character.ARCHITECT, ArchitectPrompt, works)
choosing("YEL-5", Character.ARCHITECT, ArchitectPrompt, works)


@allows("YEL-2", at=ArchitectPrompt)
def materials_of_the_architect(state: GameState) -> Verdicts:
    """The player may return wood, stone or brick if they own four of it, but never gold."""
    yield from ((ReturnGood(g), g in MATERIALS and me(state).goods[g] >= 4) for g in GOODS)


declining("YEL-3", at=ArchitectPrompt, is_legal=False)
declinable("YEL-4", ArchitectPrompt)
fizzling("YEL-5", Character.ARCHITECT, able=works)


# Grand Bailiff and Grand Master


@posts("YEL-6", at=PlayPrompt, where=performed(Character.GRAND_BAILIFF))
def grand_bailiff(step: Step) -> Iterator[Event]:
    """The player returns four gold and scores four points."""
    if step.mine.goods.gold >= 4:
        yield GoodsReturned(step.seat, Goods(gold=4), "YEL-6")
        yield PointsScored(step.seat, 4, "YEL-6")


@posts("YEL-7", at=PlayPrompt, where=performed(Character.GRAND_MASTER))
def grand_master(step: Step) -> Iterator[Event]:
    """The player returns one good of each kind and scores five points."""
    if step.mine.goods.covers(ONE_OF_EACH):
        yield GoodsReturned(step.seat, ONE_OF_EACH, "YEL-7")
        yield PointsScored(step.seat, 5, "YEL-7")


declinable_at_the_play("YEL-8", *PAYING, able=works)
fizzling("YEL-9", *PAYING, able=works)


# Philip II, Charles V, Pius V and the Knight

SCORING: Final = {
    "YEL-10": Character.PHILIP,
    "YEL-11": Character.CHARLES,
    "YEL-13": Character.PIUS,
    "YEL-15": Character.KNIGHT,
}
"""The cards that score points without costing goods, keyed by clause."""


@posts(*SCORING, at=PlayPrompt)
def scored(step: Step, clause: str) -> Iterator[Event]:
    """The card scores one point for each building that it counts; the Knight scores two points."""
    card = SCORING[clause]
    if performs(step) is card and (points := worth(step.before, card)):
        yield PointsScored(step.seat, points, clause)


@always("YEL-12", at=PlayPrompt, where=performed(*COUNTING[:2]))
def counted_once(step: Step) -> bool | None:
    """Philip II and Charles V score only one point for an upgraded building."""
    due = {worth(step.before, card) for card in COUNTING if card is performs(step)}
    return due == {step.now.score - step.mine.score} if step.mine.upgraded else None


fizzling("YEL-14", *COUNTING, able=works)
declinable_at_the_play("YEL-16", *COUNTING, Character.KNIGHT, able=works)


@always("YEL-17", at=PlayPrompt)
def second_copy(step: Step) -> bool | None:
    """A yellow card also has its effect if its player holds or has played another copy."""
    card = performs(step)
    is_second = card in step.before.played or (card and step.mine.hand.count(card) > 1)
    if not is_second or card is None or card.colour is not Colour.YELLOW:
        return None
    works_again = step.now.score > step.mine.score or isinstance(step.next_prompt, ArchitectPrompt)
    return works(step.before, card) is works_again
