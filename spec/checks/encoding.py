"""Convert the engine's values to and from the JSON encoding of the formal specification.

The top of ``spec/tools/qspec.js`` describes the encoding.  Actions and the steps of the agenda have
the same names and fields in the encoding as in the engine.  A single converter therefore handles
all of them.

>>> decode_action({"tag": "Pay", "goods": {"gold": 2}})
Pay(goods=Goods(gold=2, wood=0, stone=0, brick=0))
"""

from collections.abc import Mapping
from typing import Any, Final, get_type_hints

import attrs
from cattrs import Converter
from cattrs.gen import make_dict_unstructure_fn, override
from cattrs.strategies import configure_tagged_union

import valletta_rules as vr
from valletta_rules.agenda import Step
from valletta_rules.components import CHARACTERS, EMPTY
from valletta_rules.specification.conformance.form import Json

KINDS: Final[Mapping[str, vr.Character]] = {each.value: each for each in CHARACTERS}
"""The characters, keyed by their names in the formal specification."""


class EncodingError(ValueError):
    """The error raised for JSON that does not encode a value of the game."""


def _converter() -> Converter:
    """Return the converter between values and JSON.

    It has special forms for goods, bags of cards and sets of sites, and converts all other types
    field by field.
    """
    converter = Converter(forbid_extra_keys=True)

    def exactly(value: Any, kind: type) -> Any:
        if type(value) is not kind:
            raise EncodingError(f"{value!r} is not of type {kind.__name__}")
        return value

    for kind in (int, bool):
        converter.register_structure_hook(kind, exactly)
    converter.register_unstructure_hook(vr.Goods, encode_goods)
    converter.register_structure_hook(vr.Goods, lambda counts, _: decode_goods(counts))
    converter.register_unstructure_hook(
        vr.CardBag, lambda bag: {k.value: n for k, n in bag.items()}
    )
    converter.register_structure_hook(vr.CardBag, lambda counts, _: decode_bag(counts))
    converter.register_unstructure_hook(vr.SiteSet, list)
    converter.register_structure_hook(vr.SiteSet, lambda sites, _: vr.SiteSet.of(*sites))
    rules = make_dict_unstructure_fn(vr.RuleSet, converter, name=override(omit=True))
    converter.register_unstructure_hook(vr.RuleSet, rules)
    player = make_dict_unstructure_fn(vr.Player, converter, shown=override(omit=True))
    converter.register_unstructure_hook(vr.Player, player)
    for union in (vr.Action, Step):
        configure_tagged_union(union, converter, tag_name="tag")
    return converter


# Bags


def encode_goods(goods: vr.Goods) -> Json:
    """Encode goods as a mapping from names to counts, without zeros."""
    return {good.value: goods[good] for good in vr.Good if goods[good]}


def decode_goods(counts: Mapping[str, int]) -> vr.Goods:
    """Decode goods from a mapping of names to counts."""
    return vr.Goods(**{vr.Good(name).value: count for name, count in counts.items()})


def decode_bag(counts: Mapping[str, int]) -> vr.CardBag:
    """Decode a bag of cards from a mapping of names to counts."""
    return vr.CardBag.of(*(KINDS[name] for name, count in counts.items() for _ in range(count)))


# Steps and actions

CONVERTER: Final = _converter()


def _read(kind: Any, plain: Any) -> Any:
    try:
        return CONVERTER.structure(plain, kind)
    except Exception as error:
        raise EncodingError(f"{plain!r} does not encode a value of the game") from error


def encode_action(action: vr.Action) -> Json:
    """Encode an action as JSON."""
    written: Json = CONVERTER.unstructure(action, vr.Action)
    return written


def decode_action(tagged: Mapping[str, Any]) -> vr.Action:
    """Decode an action; raise `EncodingError` if the JSON does not encode one."""
    action: vr.Action = _read(vr.Action, tagged)
    return action


# Configurations


def encode_config(state: vr.GameState) -> Json:
    """Encode the constants of a game: its rule set, its number of players and its cards."""
    buildings = dict.fromkeys((*state.cards.buildings, *state.display))
    return {
        "rules": CONVERTER.unstructure(state.rules),
        "players": len(state.players),
        "buildings": {each.code: _encode_building(each) for each in buildings},
        "barrels": encode_goods(state.cards.barrels),
    }


def _encode_building(building: vr.Building) -> Json:
    fields: Json = CONVERTER.unstructure(building)
    return {name: each for name, each in fields.items() if name not in ("letter", "design")}


# Positions

FIELDS: Final = {
    field.name: get_type_hints(vr.GameState, include_extras=True)[field.name]
    for field in attrs.fields(vr.GameState)
    if field.name not in ("rules", "cards", "display")
}
"""The fields of a position that `CONVERTER` converts directly, mapped to their types."""


def encode_state(state: vr.GameState) -> Json:
    """Encode a position; `encode_config` encodes its rule set and its cards separately."""
    return {
        "display": [building.code for building in state.display],
        **{
            name: CONVERTER.unstructure(getattr(state, name), kind) for name, kind in FIELDS.items()
        },
    }


def decode_state(fields: Mapping[str, Any], rules: vr.RuleSet, cards: vr.CardSet) -> vr.GameState:
    """Decode a position of a game that has the given rule set and cards."""
    read = {name: _read(kind, fields[name]) for name, kind in FIELDS.items()}
    display = tuple(map(cards.building, fields["display"]))
    return vr.GameState(rules=rules, cards=cards, display=display, **read)


def as_modelled(state: vr.GameState) -> vr.GameState:
    """Return a position without its record of revealed cards, which the formal model lacks.

    No rule depends on this record.  It only serves to compute what players know.
    """
    if not any(player.shown for player in state.players):
        return state
    return state.replace(players=tuple(player.replace(shown=EMPTY) for player in state.players))


def decode_outcome(fields: Mapping[str, Any]) -> vr.Outcome:
    """Decode the outcome of a game.

    The engine computes each total from its parts.  Raises `EncodingError` if an encoded total
    differs.
    """
    scores = tuple(
        vr.Score(line["seat"], line["score"], line["buildings"], line["goods"], line["houses"])
        for line in fields["results"]
    )
    if [score.total for score in scores] != [line["total"] for line in fields["results"]]:
        raise EncodingError(f"a total is not the sum of its parts: {fields!r}")
    return vr.Outcome(scores, tuple(fields["winners"]), fields["clause"])
