"""The engine's values in the encoding of the formal specification, as JSON.

The encoding is described at the top of ``spec/tools/qspec.js``.  Steps and actions have the same
names and fields in both, so that their translation is the same for all of them.

>>> decode_action({"tag": "Pay", "goods": {"gold": 2}})
Pay(goods=Goods(gold=2, wood=0, stone=0, brick=0))
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any, Final, TypeVar, get_args, get_type_hints

import attrs

from valletta_rules import (
    Action,
    BarrelLayout,
    Building,
    CardBag,
    CardSet,
    Character,
    Colour,
    Effects,
    GameState,
    Good,
    Goods,
    Opening,
    Outcome,
    Phase,
    Player,
    RuleSet,
    Score,
    SiteSet,
)
from valletta_rules.agenda import Step
from valletta_rules.components.bags import EMPTY
from valletta_rules.components.characters import CHARACTERS
from valletta_rules.components.goods import GOODS

Json = dict[str, Any]
"""An object as `json` reads it."""

KINDS: Final[Mapping[str, Character]] = {each.value: each for each in CHARACTERS}
"""The characters by name."""


class EncodingError(ValueError):
    """What was read is no value of the game."""


# Bags


def encode_goods(goods: Goods) -> Json:
    """Write goods as counts by name, those of zero left out."""
    return {good.value: count for good, count in zip(GOODS, goods, strict=True) if count}


def decode_goods(counts: Mapping[str, int]) -> Goods:
    """Read goods."""
    return Goods(**{Good(name).value: count for name, count in counts.items()})


def encode_bag(bag: CardBag) -> Json:
    """Write cards as counts by name, those of zero left out."""
    return {character.value: count for character, count in bag.items()}


def decode_bag(counts: Mapping[str, int]) -> CardBag:
    """Read cards."""
    return CardBag.of(*(KINDS[name] for name, count in counts.items() for _ in range(count)))


def decode_characters(names: Iterable[str]) -> tuple[Character, ...]:
    """Read cards in order."""
    return tuple(KINDS[name] for name in names)


# Steps and actions

TYPES: Final[Mapping[str, type]] = {
    each.__name__: each for each in (*get_args(Action), *get_args(Step))
}
"""Every type of step and action by the name that it has in both languages."""

FIELDS: Final[Mapping[str, Mapping[str, Any]]] = {
    name: {field.name: get_type_hints(each)[field.name] for field in attrs.fields(each)}
    for name, each in TYPES.items()
}
"""The fields of each of them, and their types."""


def _encode_tagged(value: attrs.AttrsInstance) -> Json:
    fields = attrs.asdict(value, recurse=False)
    return {"tag": type(value).__name__} | {name: _plain(field) for name, field in fields.items()}


def _plain(value: object) -> object:
    match value:
        case Goods():
            return encode_goods(value)
        case StrEnum():
            return value.value
        case _:
            return value


def _decode_tagged(tagged: Mapping[str, Any]) -> Any:
    tag = tagged["tag"]
    if tag not in TYPES or FIELDS[tag].keys() | {"tag"} != tagged.keys():
        raise EncodingError(f"neither a step nor an action: {tagged!r}")
    return TYPES[tag](**{name: _value(kind, tagged[name]) for name, kind in FIELDS[tag].items()})


def _value(kind: Any, plain: Any) -> Any:
    if kind is Goods:
        return decode_goods(plain)
    if kind is Good:
        return Good(plain)
    if kind is Character:
        return KINDS[plain]
    if type(plain) is not kind:
        raise EncodingError(f"{plain!r} is not of type {kind.__name__}")
    return plain


def encode_action(action: Action) -> Json:
    """Write an action."""
    return _encode_tagged(action)


T = TypeVar("T")


def _one_of(union: Any, value: T) -> T:
    if not isinstance(value, union):
        raise EncodingError(f"not expected here: {value!r}")
    return value


def decode_action(tagged: Mapping[str, Any]) -> Action:
    """Read an action."""
    action: Action = _one_of(Action, _decode_tagged(tagged))
    return action


def encode_step(step: Step) -> Json:
    """Write a step of the agenda."""
    return _encode_tagged(step)


def decode_step(tagged: Mapping[str, Any]) -> Step:
    """Read a step of the agenda."""
    step: Step = _one_of(Step, _decode_tagged(tagged))
    return step


# Configurations


def encode_config(state: GameState) -> Json:
    """Write what never changes in a game: its rules, players and cards."""
    return {
        "rules": _encode_rules(state.rules),
        "players": len(state.players),
        "buildings": {
            building.code: _encode_building(building)
            for building in dict.fromkeys((*state.cards.buildings, *state.display))
        },
        "barrels": encode_goods(state.cards.barrels),
    }


def _encode_rules(rules: RuleSet) -> Json:
    fields = attrs.asdict(rules, filter=attrs.filters.exclude("name"), recurse=False)
    return {name: _plain(field) for name, field in fields.items()}


def _encode_building(building: Building) -> Json:
    return {
        "character": building.character.value,
        "cost": encode_goods(building.cost),
        "icon": building.icon.value,
        "points": building.points,
        "copies": building.copies,
    }


def decode_config(config: Mapping[str, Any], name: str = "Of the model") -> tuple[RuleSet, CardSet]:
    """Read the rules and the cards of a game; to its numbers the engine can be scaled."""
    rules = config["rules"]
    buildings = tuple(_decode_building(*item) for item in config["buildings"].items())
    return (
        RuleSet(
            name,
            effects=Effects(rules["effects"]),
            opening=Opening(rules["opening"]),
            barrel_layout=BarrelLayout(rules["barrel_layout"]),
            apprentice_colour=Colour(rules["apprentice_colour"]),
            start_player_variant=rules["start_player_variant"],
            fewer_barrels=rules["fewer_barrels"],
        ),
        CardSet(name, buildings, decode_goods(config["barrels"])),
    )


def _decode_building(code: str, fields: Mapping[str, Any]) -> Building:
    return Building(
        letter=code[:1],
        character=KINDS[fields["character"]],
        cost=decode_goods(fields["cost"]),
        icon=Good(fields["icon"]),
        points=fields["points"],
        copies=fields["copies"],
        design=int(code[1:] or 1),
    )


# Positions


def encode_state(state: GameState) -> Json:
    """Write a position without its rules and cards, which `encode_config` writes."""
    return {
        "display": [building.code for building in state.display],
        "players": [_encode_player(player) for player in state.players],
        "supply": encode_bag(state.supply),
        "barrels": encode_goods(state.barrels),
        "valette": state.valette,
        "active": state.active,
        "played": [character.value for character in state.played],
        "phase": state.phase.value,
        "agenda": [encode_step(step) for step in state.agenda],
    }


def _encode_player(player: Player) -> Json:
    return {
        "hand": encode_bag(player.hand),
        "draw_pile": encode_bag(player.draw_pile),
        "discard_pile": encode_bag(player.discard_pile),
        "goods": encode_goods(player.goods),
        "built": list(player.built),
        "upgraded": list(player.upgraded),
        "score": player.score,
    }


def decode_state(fields: Mapping[str, Any], rules: RuleSet, cards: CardSet) -> GameState:
    """Read a position of a game by these rules and with these cards."""
    by_code = {building.code: building for building in cards.buildings}
    return GameState(
        rules=rules,
        cards=cards,
        display=tuple(by_code[code] for code in fields["display"]),
        players=tuple(decode_player(player) for player in fields["players"]),
        supply=decode_bag(fields["supply"]),
        barrels=decode_goods(fields["barrels"]),
        valette=fields["valette"],
        active=fields["active"],
        played=decode_characters(fields["played"]),
        phase=Phase(fields["phase"]),
        agenda=tuple(decode_step(step) for step in fields["agenda"]),
    )


def decode_player(fields: Mapping[str, Any]) -> Player:
    """Read what belongs to a player."""
    return Player(
        hand=decode_bag(fields["hand"]),
        draw_pile=decode_bag(fields["draw_pile"]),
        discard_pile=decode_bag(fields["discard_pile"]),
        goods=decode_goods(fields["goods"]),
        built=SiteSet.of(*fields["built"]),
        upgraded=SiteSet.of(*fields["upgraded"]),
        score=fields["score"],
    )


def as_modelled(state: GameState) -> GameState:
    """Return a position without what the specification leaves out: which cards have been shown.

    The rules never look at it; it only serves to tell what the players know.
    """
    if not any(player.shown for player in state.players):
        return state
    return state.replace(players=tuple(player.replace(shown=EMPTY) for player in state.players))


def encode_outcome(outcome: Outcome) -> Json:
    """Write the outcome of a game."""
    return {
        "results": [
            {
                "seat": score.seat,
                "score": score.track,
                "buildings": score.buildings,
                "goods": score.goods,
                "total": score.total,
                "houses": score.houses,
            }
            for score in outcome.scores
        ],
        "winners": list(outcome.winners),
        "clause": outcome.clause,
    }


def decode_outcome(fields: Mapping[str, Any]) -> Outcome:
    """Read the outcome of a game.

    Raises `EncodingError` if a total is not the sum of its parts, since scores do not hold it.
    """
    scores = tuple(
        Score(line["seat"], line["score"], line["buildings"], line["goods"], line["houses"])
        for line in fields["results"]
    )
    if [score.total for score in scores] != [line["total"] for line in fields["results"]]:
        raise EncodingError(f"a total is not the sum of its parts: {fields!r}")
    return Outcome(scores, tuple(fields["winners"]), fields["clause"])
