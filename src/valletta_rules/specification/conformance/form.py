"""Positions, actions and outcomes as the conformance kit writes them.

It is the published JSON without what is told elsewhere or follows from the rest: rules and cards,
of which each is given once; the buildings of a display in full, which are named by their codes; the
clauses of prompts and outcomes, which belong to no position; and which cards have been shown, which
no rule asks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final, cast, get_args, get_type_hints

from cattrs import Converter
from cattrs.gen import make_dict_unstructure_fn, override

from valletta_rules.actions import Action
from valletta_rules.agenda import Step
from valletta_rules.codec.vocabulary import BuildingForm
from valletta_rules.components.bags import CardBag
from valletta_rules.components.buildings import Building
from valletta_rules.components.card_set import CardSet
from valletta_rules.components.characters import CHARACTERS
from valletta_rules.components.display import SiteSet
from valletta_rules.outcome import Outcome
from valletta_rules.rulings import RuleSet
from valletta_rules.state import GameState, Player

Json = dict[str, Any]
"""An object as `json` reads it."""


def write_action(action: Action) -> Json:
    """Write an action."""
    return cast(Json, _CONVERTER.unstructure(action, Action))


def read_action(fields: Json) -> Action:
    """Read an action; raise an error of whatever kind if it is none."""
    return cast(Action, _CONVERTER.structure(fields, Action))  # type: ignore[arg-type]


def write_position(state: GameState) -> Json:
    """Write a position."""
    return {
        "display": [building.code for building in state.display],
        **_CONVERTER.unstructure(state),
    }


def read_position(fields: Json, rules: RuleSet, cards: CardSet) -> GameState:
    """Read a position of a game by these rules and with these cards.

    Raises an error of whatever kind if it is none; whether it is possible is not asked.
    """
    read: Json = {
        name: _CONVERTER.structure(value, _TYPES[name])
        for name, value in fields.items()
        if name != "display"
    }
    display = tuple(map(cards.building, fields["display"]))
    return GameState(rules=rules, cards=cards, display=display, **read)


def write_outcome(outcome: Outcome) -> Json:
    """Write who has how many points, and who has won."""
    return cast(Json, _CONVERTER.unstructure(outcome))


def write_rules(rules: RuleSet) -> Json:
    """Write a rule set."""
    return cast(Json, _CONVERTER.unstructure(rules))


def read_rules(fields: Json) -> RuleSet:
    """Read a rule set; raise an error of whatever kind if it is none."""
    return _CONVERTER.structure(fields, RuleSet)


def write_cards(cards: CardSet) -> Json:
    """Write a card set."""
    return cast(Json, _CONVERTER.unstructure(cards))


def read_cards(fields: Json) -> CardSet:
    """Read a card set, which may be of any size; raise an error of whatever kind if it is none."""
    return _CONVERTER.structure(fields, CardSet)


LEFT_OUT: Final = {
    Player: ("shown",),
    GameState: ("rules", "cards", "display"),
    Outcome: ("clause",),
}
"""The fields that are told elsewhere, or that no rule asks."""


def _converter() -> Converter:
    """Return what knows how every type is written and read."""
    converter = Converter(forbid_extra_keys=True, detailed_validation=False)
    write, read = converter.unstructure, converter.structure
    writes, reads = converter.register_unstructure_hook, converter.register_structure_hook
    writes(CardBag, lambda bag: {character.value: count for character, count in bag.items()})
    reads(CardBag, lambda counts, _: _bag(counts))
    writes(SiteSet, list)
    reads(SiteSet, lambda sites, _: SiteSet.of(*sites))
    writes(Building, lambda building: write(BuildingForm.of(building)))
    reads(Building, lambda fields, _: read(fields, BuildingForm).value())
    for union in (Action, Step):
        members = {member.__name__: member for member in get_args(union)}
        for name, member in members.items():
            writes(member, partial(_tagged, name, make_dict_unstructure_fn(member, converter)))
        reads(union, partial(_untagged, members, read))
    for kind, names in LEFT_OUT.items():
        omitted: Any = {name: override(omit=True) for name in names}  # cannot be typed
        writes(kind, make_dict_unstructure_fn(kind, converter, **omitted))
    return converter


def _bag(counts: Mapping[str, int]) -> CardBag:
    return CardBag.of(*(_NAMED[name] for name, count in counts.items() for _ in range(count)))


def _tagged(name: str, write: Callable[[Any], Json], value: Any) -> Json:
    return {"type": name, **write(value)}


def _untagged(
    members: Mapping[str, type], read: Callable[[Any, Any], Any], fields: Json, union: Any
) -> Any:
    content = dict(fields)
    return read(content, members[content.pop("type")])


_CONVERTER: Final = _converter()

_TYPES: Final = get_type_hints(GameState)
"""The types of what a position consists of."""

_NAMED: Final = {character.value: character for character in CHARACTERS}
"""The characters by name."""
