"""Green characters: formal statements of the clauses about them."""

from __future__ import annotations

from collections.abc import Iterator

from valletta_rules.actions import PlayCard
from valletta_rules.agenda import PlayPrompt
from valletta_rules.components.characters import Character
from valletta_rules.components.goods import NOTHING, ONE, Good, Goods
from valletta_rules.events import EffectDeclined, Event, GoodsTaken
from valletta_rules.state import GameState

from . import Step, Verdicts, allows, always, declines, defines, holds, posts, seat_of
from .red import YIELDED, fizzles, performs


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


def _counted(step: Step) -> tuple[int, list[int], Good] | None:
    """Return what a green card brings, the player's sites with an icon of it, and its good."""
    if (card := performs(step)) not in YIELDED:
        return None
    good, display = YIELDED[card], step.before.display
    taken = step.after.players[step.seat].goods[good] - step.mine.goods[good]
    return taken, [site for site in step.mine.built if display[site].icon is good], good


@always("GRN-5", at=PlayPrompt)
def icons_of_all_colours(step: Step) -> bool | None:
    """Each building with the icon counts, whatever its colour, and none without it."""
    if not (counted := _counted(step)):
        return None
    taken, shown, _ = counted
    return len(shown) <= taken <= 2 * len(shown)


@always("GRN-6", at=PlayPrompt)
def upgraded_icons(step: Step) -> bool | None:
    """An upgraded building brings a second good."""
    if not (counted := _counted(step)) or not step.mine.upgraded:
        return None
    taken, shown, _ = counted
    return taken - len(shown) == sum(site in step.mine.upgraded for site in shown)


@always("GRN-7", at=PlayPrompt)
def costs_not_counted(step: Step) -> bool | None:
    """A building that costs the good and does not show it brings none."""
    if not (counted := _counted(step)):
        return None
    taken, shown, good = counted
    costly = [each for each in step.mine.built if step.before.display[each].cost[good]]
    return taken <= 2 * len(shown) if set(costly) - set(shown) else None


@posts("GRN-8", at=PlayPrompt)
def without_icons(step: Step) -> Iterator[Event]:
    """Without an icon of its good the effect fizzles."""
    if (card := performs(step)) in YIELDED and not icons(step.before, step.seat)[YIELDED[card]]:
        yield from fizzles(step)


@allows("GRN-8", at=PlayPrompt)
def nothing_to_leave(state: GameState) -> Verdicts:
    """There is nothing to decline without an icon."""
    shown = icons(state, seat_of(state))
    for card, good in YIELDED.items():
        if holds(state, card) and not shown[good]:
            yield PlayCard(card, False), False


@allows("GRN-9", at=PlayPrompt)
def leaving_the_goods(state: GameState) -> Verdicts:
    """The goods may be declined as the card is played."""
    shown = icons(state, seat_of(state))
    for card, good in YIELDED.items():
        if holds(state, card) and shown[good]:
            yield PlayCard(card, False), True


@posts("GRN-9", at=PlayPrompt)
def goods_left(step: Step) -> Iterator[Event]:
    """Then no goods are taken."""
    if declines(step, *YIELDED):
        yield EffectDeclined(step.seat, "GRN-9")
