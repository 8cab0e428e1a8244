"""Green characters: formal statements of the clauses about them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from valletta_rules.actions import PlayCard
from valletta_rules.agenda import PlayPrompt
from valletta_rules.components.characters import Character
from valletta_rules.components.goods import NOTHING, ONE, Good, Goods
from valletta_rules.events import EffectDeclined, Event, GoodsTaken
from valletta_rules.state import GameState

from . import Step, Verdicts, allows, always, defines, posts
from .red import YIELDED
from .vocabulary import declines, fizzles, holds, performs, seat_of


@defines("GRN-5", "GRN-6", "GRN-7")
def icons(state: GameState, seat: int) -> Goods:
    """Return the income icons on the player's buildings, twice those of an upgraded one."""
    me = state.players[seat]
    shown = [*me.built, *me.upgraded]
    return sum((ONE[state.display[site].icon] for site in shown), NOTHING)


@posts("GRN-1", at=PlayPrompt)
def banker(step: Step) -> Iterator[Event]:
    """One gold comes for each gold icon."""
    return _income(step, Character.BANKER, Good.GOLD, "GRN-1")


@posts("GRN-2", at=PlayPrompt)
def woodworker(step: Step) -> Iterator[Event]:
    """One wood comes for each wood icon."""
    return _income(step, Character.WOODWORKER, Good.WOOD, "GRN-2")


@posts("GRN-3", at=PlayPrompt)
def carver(step: Step) -> Iterator[Event]:
    """One stone comes for each stone icon."""
    return _income(step, Character.CARVER, Good.STONE, "GRN-3")


@posts("GRN-4", at=PlayPrompt)
def mason(step: Step) -> Iterator[Event]:
    """One brick comes for each brick icon."""
    return _income(step, Character.MASON, Good.BRICK, "GRN-4")


def _income(step: Step, card: Character, good: Good, clause: str) -> Iterator[Event]:
    if performs(step) is card and (count := icons(step.before, step.seat)[good]):
        yield GoodsTaken(step.seat, Goods.of(good, count), clause)


def _counted(step: Step) -> tuple[int, list[int]] | None:
    """Return how many goods a green card brings, and the player's sites with an icon of it."""
    if (card := performs(step)) not in YIELDED:
        return None
    good, display = YIELDED[card], step.before.display
    taken = step.after.players[step.seat].goods[good] - step.mine.goods[good]
    return taken, [site for site in step.mine.built if display[site].icon is good]


@always("GRN-5", at=PlayPrompt)
@always("GRN-7", at=PlayPrompt)
def icons_of_all_colours(step: Step) -> bool | None:
    """Each building with the icon counts, whatever its colour, and none that but costs the good."""
    if not (counted := _counted(step)):
        return None
    taken, shown = counted
    return len(shown) <= taken <= 2 * len(shown)


@always("GRN-6", at=PlayPrompt)
def upgraded_icons(step: Step) -> bool | None:
    """An upgraded building brings a second good."""
    if not (counted := _counted(step)) or not step.mine.upgraded:
        return None
    taken, shown = counted
    return taken - len(shown) == sum(site in step.mine.upgraded for site in shown)


@posts("GRN-8", at=PlayPrompt)
def without_icons(step: Step) -> Iterator[Event]:
    """Without an icon of its good the effect fizzles."""
    if (card := performs(step)) in YIELDED and not icons(step.before, step.seat)[YIELDED[card]]:
        yield from fizzles(step)


@allows("GRN-8", at=PlayPrompt)
def nothing_to_leave(state: GameState) -> Verdicts:
    """There is nothing to decline without an icon."""
    yield from (each for each in _leaving(state) if not each[1])


@allows("GRN-9", at=PlayPrompt)
def leaving_the_goods(state: GameState) -> Verdicts:
    """The goods may be declined as the card is played."""
    yield from (each for each in _leaving(state) if each[1])


def _leaving(state: GameState) -> Verdicts:
    shown = icons(state, seat_of(state))
    for card in filter(partial(holds, state), YIELDED):
        yield PlayCard(card, False), shown[YIELDED[card]] > 0


@posts("GRN-9", at=PlayPrompt)
def goods_left(step: Step) -> Iterator[Event]:
    """Then no goods are taken."""
    if declines(step, *YIELDED):
        yield EffectDeclined(step.seat, "GRN-9")
