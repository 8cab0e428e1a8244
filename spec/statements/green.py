"""Formal statements of the clauses about green characters."""

from collections.abc import Iterator
from typing import Final

from valletta_rules import Event, GameState, GoodsTaken, PlayPrompt
from valletta_rules.components import NOTHING, ONE, Character, Good, Goods

from . import Step, always, posts
from .vocabulary import declinable_at_the_play, fizzling, performed, performs, seat_of

YIELDED: Final = {
    Character.BANKER: Good.GOLD,
    Character.WOODWORKER: Good.WOOD,
    Character.CARVER: Good.STONE,
    Character.MASON: Good.BRICK,
}
"""The green cards, each with the kind of good that it yields."""


def icons(state: GameState, seat: int) -> Goods:
    """Return the icons on a player's buildings, counting upgraded ones twice (GRN-5 to 7)."""
    me = state.players[seat]
    return sum((ONE[state.display[site].icon] for site in (*me.built, *me.upgraded)), NOTHING)


def has_icon(state: GameState, card: Character) -> bool:
    """Return whether the deciding player has an icon of the good that the green card yields."""
    return icons(state, seat_of(state))[YIELDED[card]] > 0


INCOME: Final = dict(zip(("GRN-1", "GRN-2", "GRN-3", "GRN-4"), YIELDED, strict=True))


@posts(*INCOME, at=PlayPrompt)
def income(step: Step, clause: str) -> Iterator[Event]:
    """The player takes one good for each icon of that good on their buildings."""
    good = YIELDED[INCOME[clause]]
    if performs(step) is INCOME[clause] and (count := icons(step.before, step.seat)[good]):
        yield GoodsTaken(step.seat, Goods.of(good, count), clause)


def _counted(step: Step) -> tuple[int, list[int]]:
    """Return the number of goods that the card yielded, and the player's sites with the icon."""
    good = next(good for card, good in YIELDED.items() if card is performs(step))
    sites = [site for site in step.mine.built if step.before.display[site].icon is good]
    return step.now.goods[good] - step.mine.goods[good], sites


@always("GRN-5", "GRN-7", at=PlayPrompt, where=performed(*YIELDED))
def icons_of_all_colours(step: Step) -> bool:
    """Buildings with the icon count, whatever their colour; the goods in a cost do not count."""
    gained, sites = _counted(step)
    return len(sites) <= gained <= 2 * len(sites)


@always("GRN-6", at=PlayPrompt, where=performed(*YIELDED))
def upgraded_icons(step: Step) -> bool | None:
    """An upgraded building yields a second good for its icon."""
    gained, sites = _counted(step)
    second = sum(site in step.mine.upgraded for site in sites)
    return gained - len(sites) == second if step.mine.upgraded else None


fizzling("GRN-8", *YIELDED, able=has_icon)
declinable_at_the_play("GRN-9", *YIELDED, able=has_icon)
