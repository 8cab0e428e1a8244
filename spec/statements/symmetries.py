"""Symmetries of positions, and changes to a position that only make more actions legal.

A symmetry maps each position, action and event to its *image*.  An engine must respect it: the
image of a position must have the images of the legal actions, and each of these actions must have
the images of the resulting position and events.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any, Final

import attrs

from valletta_rules.actions import Action, Decline, PlayCard
from valletta_rules.agenda import SitePrompt
from valletta_rules.components import GOODS, ONE, CardBag, Character, Good, Goods, SiteSet
from valletta_rules.events import Event, GameEnded
from valletta_rules.rulings import Effects
from valletta_rules.state import GameState, Phase

Leaf = Callable[[str, Any], Any]
"""A symmetry as a function of a field's name and its value.  It returns the image of the value, or
the value itself if the symmetry does not change it."""

TRIADS: Final = (
    (Good.WOOD, Good.STONE, Good.BRICK),
    (Character.LUMBERJACK, Character.STONE_SCULPTOR, Character.BRICK_WORKER),
    (Character.WOODWORKER, Character.CARVER, Character.MASON),
    (Character.CARPENTER, Character.STONEMASON, Character.BRICKLAYER),
    ("RED-2", "RED-3", "RED-4"),
    ("GRN-2", "GRN-3", "GRN-4"),
)
"""Triples of materials, of characters and of clauses.  The members of a triple differ only in the
material that they concern."""

NEXT: Final[dict[object, object]] = {
    each: three[number - 2] for three in TRIADS for number, each in enumerate(three)
}


def image(leaf: Leaf, value: Any, name: str = "") -> Any:
    """Return the image of a position, an action or an event, computed field by field."""
    if (changed := leaf(name, value)) is not value:
        return changed
    if isinstance(value, tuple):
        return tuple(image(leaf, each) for each in value)
    if isinstance(value, CardBag):
        return CardBag.of(*(image(leaf, each) for each, n in value.items() for _ in range(n)))
    if not attrs.has(type(value)) or isinstance(value, Goods | SiteSet):
        return value
    names = [field.name for field in attrs.fields(type(value)) if field.init]
    return type(value)(**{each: image(leaf, getattr(value, each), each) for each in names})


def renamed(name: str, value: Any) -> Any:
    """A symmetry: rename wood to stone, stone to brick, and brick to wood."""
    if isinstance(value, Goods):
        return Goods(value.gold, value.brick, value.wood, value.stone)
    is_named = name == "clause" or isinstance(value, Good | Character)
    return NEXT.get(value, value) if is_named else value


def turned(players: int, name: str, value: Any) -> Any:
    """A symmetry: move each player to the next seat clockwise."""
    if name in ("seat", "giver", "taker", "player", "active"):
        return (value + 1) % players
    return (value[-1], *value[:-1]) if name == "players" else value


def opposite(site: int) -> int:
    """Return the corresponding site on the other side of the street."""
    return (site // 5 ^ 1) * 5 + site % 5


def mirrored(name: str, value: Any) -> Any:
    """A symmetry: swap the sides of the street, which must have the same number of rows."""
    if isinstance(value, SiteSet):
        return SiteSet.of(*map(opposite, value))
    if name == "display":
        return tuple(value[opposite(site)] for site in range(len(value)))
    return opposite(value) if name == "site" else value


def symmetries(state: GameState) -> Mapping[str, Leaf]:
    """Return the symmetries that apply to a position, keyed by name; none during the setup."""
    if state.phase is Phase.SETUP:
        return {}
    leaves: dict[str, Leaf] = {"renamed": renamed, "turned": partial(turned, len(state.players))}
    return leaves if len(state.display) % 10 else {**leaves, "mirrored": mirrored}


def happened(events: Iterable[Event]) -> Counter[Event]:
    """Count the events, except the end of the game, because its details depend on the seats."""
    return Counter(each for each in events if not isinstance(each, GameEnded))


def wider(state: GameState) -> Iterator[tuple[str, GameState, Callable[[Action], bool]]]:
    """Yield positions with more goods or optional effects, in which legal actions stay legal.

    Each is a tuple: the name of the change, the changed position, and a predicate of actions.  An
    action that is legal only in the changed position must satisfy the predicate.
    """
    if isinstance(state.prompt, SitePrompt):
        seat = state.prompt.seat
        for good in GOODS:
            richer = state.players[seat].replace(goods=state.players[seat].goods + ONE[good])
            yield f"one {good} more", state.with_player(seat, richer), lambda action: True
    if state.phase is not Phase.SETUP and state.rules.effects is Effects.COMPULSORY:
        rules = attrs.evolve(state.rules, effects=Effects.OPTIONAL)
        yield "optional effects", attrs.evolve(state, rules=rules), _declines


def _declines(action: Action) -> bool:
    return isinstance(action, Decline) or (isinstance(action, PlayCard) and not action.use_effect)
