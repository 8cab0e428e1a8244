"""What documents are made of, for the reader, the writer and the schema alike.

Most of it is read off the types themselves.  Here is what the types do not say: which values can
be documents, how far numbers go, what texts look like, and which facts violations carry.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from importlib import resources
from types import NoneType, UnionType
from typing import Any, Final, Union, get_args, get_origin

from valletta_rules.actions import Action
from valletta_rules.agenda import Prompt, Step
from valletta_rules.components.card_set import CardSet
from valletta_rules.components.characters import Character, Colour
from valletta_rules.components.display import MAX_SITES, QUOTAS
from valletta_rules.components.goods import Good, Goods
from valletta_rules.components.street import LAST_SPACE, TOWER
from valletta_rules.engine import Transition
from valletta_rules.errors import Violation
from valletta_rules.events import Event
from valletta_rules.outcome import Outcome
from valletta_rules.records.record import Record
from valletta_rules.rulebook.turn import PLAYS_PER_TURN
from valletta_rules.rulings import RuleSet
from valletta_rules.state import GameState
from valletta_rules.views.redaction import RedactedEvent
from valletta_rules.views.view import PlayerView

VERSION: Final = 1
"""The version of the format that is written, and the only one that is read."""

Value = (
    GameState
    | PlayerView
    | Transition
    | Action
    | RedactedEvent
    | Prompt
    | Outcome
    | Violation
    | RuleSet
    | CardSet
    | Record
)
"""Everything that can be a document."""

KINDS: Final[Mapping[str, Any]] = {
    "GameState": GameState,
    "PlayerView": PlayerView,
    "Transition": Transition,
    "Action": Action,
    "Event": RedactedEvent,
    "Prompt": Prompt,
    "Outcome": Outcome,
    "Violation": Violation,
    "RuleSet": RuleSet,
    "CardSet": CardSet,
    "Record": Record,
}
"""The kinds of document, and the type of the value of each."""

UNIONS: Final[Mapping[str, Any]] = {
    "Action": Action,
    "Event": Event,
    "RedactedEvent": RedactedEvent,
    "Prompt": Prompt,
    "Step": Step,
}
"""The unions, by the names under which the schema knows them."""

TAGGED: Final[frozenset[type]] = frozenset(
    member for union in UNIONS.values() for member in get_args(union)
)
"""The types whose values name their type, since another could stand in their place."""

EVENTS: Final[frozenset[type]] = frozenset(get_args(RedactedEvent))
"""The types of events; each tells its clause, also where it is always the same."""

KIND_OF: Final[Mapping[type, str]] = {
    member: kind for kind, values in KINDS.items() for member in get_args(values) or (values,)
}
"""The kind of document that a value of a type becomes."""

LARGEST: Final = 2**53 - 1
"""The largest number in a document: up to here numbers of every language are exact."""

SEATS: Final = range(max(QUOTAS))
"""The seats of the largest game."""

NUMBERS: Final[Mapping[str, range]] = {
    "active": SEATS,
    "giver": SEATS,
    "owner": SEATS,
    "player": SEATS,
    "seat": SEATS,
    "taker": SEATS,
    "winners": SEATS,
    "players": range(min(QUOTAS), max(QUOTAS) + 1),
    "plays": range(1, PLAYS_PER_TURN + 1),
    "site": range(MAX_SITES),
    "space": range(TOWER, LAST_SPACE + 1),
    "valette": range(TOWER, LAST_SPACE + 1),
}
"""How far a number goes that stands in a field of some name."""

ANY_NUMBER: Final = range(LARGEST + 1)
"""How far every other number goes: none is negative."""

CARDS_IN_A_BAG: Final = range(1, 255)
"""How many cards of a kind, and of all kinds together, a bag can hold."""

CODE: Final = "[A-Z]([2-9]|[1-3][0-9])?"
"""What the code of a building looks like."""

TEXTS: Final[Mapping[str, str]] = {
    "building": CODE,
    "code": CODE,
    "display": CODE,
    "clause": "[A-Z]{3}-[1-9][0-9]{0,3}",
    "action": "[A-Za-z]{1,40}",
    "prompt": "[A-Za-z]{1,40}",
}
"""What a text looks like that stands in a field of some name; every other text is free."""

WORDS: Final[Mapping[str, tuple[Enum, ...]]] = {
    "apprentice_colour": (Colour.RED, Colour.PURPLE),
}
"""Which members of an enumeration stand in a field of some name, if not all."""

FACTS: Final[Mapping[str, Any]] = {
    "action": str,
    "building": str,
    "character": Character,
    "good": Good,
    "goods": Goods,
    "missing": Goods,
    "owned": int,
    "owner": int | None,
    "payment": Goods,
    "price": Goods,
    "prompt": str,
    "site": int,
}
"""The facts that violations carry, and their types."""

SCHEMA: Final = resources.files("valletta_rules") / "schema" / "valletta.schema.json"
"""Where the package keeps the JSON Schema of all documents: ``SCHEMA.read_text("utf-8")``."""


def number_range(name: str) -> range:
    """Return how far a number goes that stands in a field of a name."""
    return NUMBERS.get(name, ANY_NUMBER)


def without_none(kind: Any) -> Any | None:
    """Return the other type of a field that may be `None`; `None` if it may not."""
    if not is_union(kind) or NoneType not in get_args(kind):
        return None
    (other,) = (member for member in get_args(kind) if member is not NoneType)
    return other


def is_union(kind: Any) -> bool:
    """Tell whether a type is a union of several."""
    return get_origin(kind) in (Union, UnionType)


def item_type(kind: Any) -> Any | None:
    """Return the type of the items if a type is one of tuples of any length, `None` if not."""
    if get_origin(kind) is not tuple:
        return None
    item, _ = get_args(kind)
    return item
