"""The contents of documents, defined once for the reader, the writer and the schema.

Most of the format follows from the types and from the limits in their annotations
(`valletta_rules.components.limits`). This module defines the rest: the types that can be documents,
the named types, the parameters of violations, and the types with JSON that differs from their
fields.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Hashable, Mapping
from importlib import resources
from types import MappingProxyType, ModuleType, NoneType, UnionType
from typing import Annotated, Any, Final, Union, get_args, get_origin

import attrs
from cattrs.gen import override

from valletta_rules import actions, agenda, errors, events, rulings
from valletta_rules.actions import Action
from valletta_rules.agenda import Prompt, Step
from valletta_rules.codec.text import LARGEST
from valletta_rules.components import buildings, display, limits, street
from valletta_rules.components.bags import MOST_CARDS
from valletta_rules.components.buildings import Building, BuildingCode
from valletta_rules.components.card_set import CardSet
from valletta_rules.components.characters import Character
from valletta_rules.components.display import Seat, Site
from valletta_rules.components.goods import Good, Goods
from valletta_rules.components.limits import Count, Interval, Pattern, Positive
from valletta_rules.engine import Transition
from valletta_rules.errors import Problem, Refusal, Violation
from valletta_rules.records import Record, log
from valletta_rules.records.log import LogEntry
from valletta_rules.results import Outcome, Score
from valletta_rules.rulings import RuleSet
from valletta_rules.state import GameState
from valletta_rules.views import PlayerView, seen_events
from valletta_rules.views.news import News
from valletta_rules.views.seen_events import RedactedEvent

DOCUMENT_VERSION: Final = 2
"""The version of the format of documents."""

Value = (
    GameState
    | PlayerView
    | Transition
    | Action
    | RedactedEvent
    | Prompt
    | Outcome
    | Violation
    | Refusal
    | News
    | RuleSet
    | CardSet
    | Record
    | LogEntry
)
"""Any value that can be a document. The union is complete: no other type can be a document."""

_UNIONS: Final[Mapping[str, Any]] = MappingProxyType(
    {"Action": Action, "Event": RedactedEvent, "Prompt": Prompt, "LogEntry": LogEntry}
)

_UNION_OF: Final[Mapping[type, str]] = MappingProxyType(
    {member: kind for kind in _UNIONS for member in get_args(_UNIONS[kind])}
)

KIND_OF: Final[Mapping[type, str]] = MappingProxyType(
    {member: str(_UNION_OF.get(member, member.__name__)) for member in get_args(Value)}
)
"""The kind of document for each type of value."""

KINDS: Final[Mapping[str, Any]] = MappingProxyType(
    {kind: _UNIONS.get(kind, member) for member, kind in KIND_OF.items()}
)
"""The type of value for each kind of document."""

MOST_LISTED: Final = 1_000
"""The maximum number of legal actions that a document lists for a view. Only a seat that must pay,
and has many goods, can have more. The document then lists the payments with the fewest goods.
"""

CardCount = Annotated[int, Interval(1, MOST_CARDS)]
"""A number of cards in a bag, of one kind or of all kinds."""

WholeNumber = Annotated[int, Interval(-LARGEST, LARGEST)]
"""Any integer that documents can represent."""

BuiltInCards = Annotated[str, Pattern("[a-z]+@[0-9a-f]{8}")]
"""The name and the fingerprint of a built-in card set."""

_SeatOrNone = Seat | None
_NumberOrNone = WholeNumber | None

Facts = tuple[tuple[str, Hashable], ...]
"""The parameters of the message of a violation or an error, as an object. `FACTS` lists all names
that can occur.
"""

FACTS: Final[Mapping[str, Any]] = MappingProxyType(
    {
        "action": str,
        "asked": _SeatOrNone,
        "building": BuildingCode,
        "candidates": tuple[Action, ...],
        "character": Character,
        "good": Good,
        "goods": Goods,
        "id": str,
        "language": str,
        "line": _NumberOrNone,
        "missing": Goods,
        "move": _NumberOrNone,
        "now": WholeNumber,
        "owned": Count,
        "owner": _SeatOrNone,
        "payment": Goods,
        "players": WholeNumber,
        "price": Goods,
        "prompt": str,
        "reason": str,
        "revision": WholeNumber,
        "seat": _NumberOrNone,
        "site": Site,
        "source": str,
        "suggestions": tuple[str, ...],
        "text": str,
    }
)
"""A mapping from the names of the parameters of violations and errors to their types."""


@attrs.frozen
class BuildingForm:
    """A building as a document represents it."""

    code: BuildingCode
    """A short name of the building, unique in its card set."""
    character: Character
    cost: Goods
    icon: Good
    points: Count
    copies: Positive

    @staticmethod
    def of(building: Building) -> BuildingForm:
        """Return the form in which documents contain a building."""
        return BuildingForm(*(getattr(building, key) for key in attrs.fields_dict(BuildingForm)))

    def value(self) -> Building:
        """Return the building that this form describes."""
        letter, design = letter_and_design(self.code)
        return Building(
            letter, self.character, self.cost, self.icon, self.points, self.copies, design
        )


def letter_and_design(code: str) -> tuple[str, int]:
    """Split the code of a building into its letter and the number of its design."""
    return code[0], int(code[1:] or 1)


FORMS: Final[Mapping[type, type[BuildingForm]]] = MappingProxyType({Building: BuildingForm})
"""The classes that define how some types are represented in documents, keyed by these types."""

KEYS: Final[Mapping[str, str]] = MappingProxyType({"details": "facts"})
"""The keys of fields in documents, for fields with a key that differs from the field's name."""

DERIVED: Final[Mapping[type, tuple[str, ...]]] = MappingProxyType({Score: ("total",)})
"""A mapping from types to the properties that documents contain in addition to fields."""

ALIASES: Final[Mapping[str, ModuleType]] = MappingProxyType(
    {
        **dict.fromkeys(("ChanceAction", "PlayerAction", "Action"), actions),
        **dict.fromkeys(
            ("BonusCharacter", "ChancePrompt", "PlayerPrompt", "Prompt", "Step"), agenda
        ),
        "Event": events,
        "RedactedEvent": seen_events,
        **dict.fromkeys(("PlayerCount", "Seat", "Site"), display),
        **dict.fromkeys(("Amount", "Count", "Positive"), limits),
        "Space": street,
        "BuildingCode": buildings,
        "ClauseId": errors,
        **dict.fromkeys(("CallId", "LogEntry"), log),
        "ApprenticeColour": rulings,
        **dict.fromkeys(
            ("BuiltInCards", "CardCount", "Facts", "WholeNumber"), sys.modules[__name__]
        ),
    }
)
"""The named types that are not classes, with the modules that define and document them."""

SCHEMA: Final = resources.files("valletta_rules") / "schema" / "valletta.schema.json"
"""The file with the JSON Schema of all documents: ``SCHEMA.read_text("utf-8")``."""

TYPESCRIPT: Final = resources.files("valletta_rules") / "schema" / "valletta.d.ts"
"""The file with the TypeScript types of all documents."""


@attrs.frozen
class OneOf:
    """An annotation for strings: only the strings in a list are allowed."""

    words: tuple[str, ...]
    """The allowed strings."""


@attrs.frozen
class Embedded:
    """An annotation for documents that are embedded in other JSON, such as a message."""

    kind: str
    """The kind of document."""


@attrs.frozen(eq=False)
class Dialect:
    """The conventions for writing values in documents, messages, or the conformance suite."""

    tags: Mapping[type, str]
    """The types that are written with an entry ``type``, each with the text of this entry."""
    aliases: Mapping[str, ModuleType]
    """The named types that are not classes, with the modules that define and document them."""
    is_whole: bool = True
    """Whether values are written and checked as in documents: with derived entries (``clause`` and
    ``total``), with built-in card sets as names, and with audits that find impossible values.
    """
    left_out: Mapping[type, Collection[str]] = attrs.field(factory=dict)
    """A mapping from types to the fields that are omitted because they follow from other fields."""

    def derived(self, kind: type) -> tuple[str, ...]:
        """Return the names of the derived entries of a type, which are not fields."""
        if not self.is_whole:
            return ()
        has_clause = hasattr(kind, "clause") and "clause" not in attrs.fields_dict(kind)
        clause = ("clause",) if kind in self.tags and has_clause else ()
        return (*clause, *DERIVED.get(kind, ()))

    def fields_of(self, kind: type) -> tuple[str, ...]:
        """Return the names of the fields of a type that are not omitted."""
        left_out = self.left_out.get(kind, ())
        return tuple(name for name in attrs.fields_dict(kind) if name not in left_out)

    def overrides(self, kind: type) -> dict[str, Any]:
        """Return the overrides for cattrs: omitted fields, and fields with another key."""
        left_out = {name: override(omit=True) for name in self.left_out.get(kind, ())}
        return {name: override(rename=key) for name, key in KEYS.items()} | left_out

    def keys_of(self, kind: type) -> tuple[str, ...]:
        """Return the keys of the JSON object for a value of a type."""
        return (
            *(("type",) if kind in self.tags else ()),
            *(KEYS.get(name, name) for name in self.fields_of(kind)),
            *self.derived(kind),
        )


DOCUMENTS: Final = Dialect(
    {kind: kind.__name__ for kind in get_args(Action | RedactedEvent | Step | LogEntry)},
    ALIASES,
    left_out={Problem: ("details",)},  # the message contains them
)
"""The dialect that `to_json` and `from_json` use."""


def largest(interval: Interval) -> int:
    """Return the upper bound of an interval, or `LARGEST` if the interval has none."""
    return LARGEST if interval.most is None else interval.most


def without_none(kind: Any) -> Any | None:
    """Return the type of an optional field with `None` removed, or `None` if it is not optional."""
    if not is_union(kind) or NoneType not in get_args(kind):
        return None
    (other,) = (member for member in get_args(kind) if member is not NoneType)
    return other


def is_embedded(kind: Any) -> bool:
    """Return whether the values of a type are documents that are embedded in other JSON."""
    return isinstance(getattr(kind, "__metadata__", (None,))[0], Embedded)


def is_union(kind: Any) -> bool:
    """Return whether a type is a union."""
    return get_origin(kind) in (Union, UnionType)


def name_of(kind: Any, aliases: Mapping[str, ModuleType] = ALIASES) -> str | None:
    """Return the name of a class, a union or a type with limits, or `None` if it has no name."""
    if isinstance(kind, type) and get_origin(kind) is None and kind not in PLAIN:
        return kind.__name__
    return next((name for name, home in aliases.items() if getattr(home, name) == kind), None)


PLAIN: Final[Mapping[type, str]] = MappingProxyType(
    {
        str: "string",
        bool: "boolean",
        int: "integer",
        float: "number",
    }
)
"""A mapping from basic Python types to the names of types in JSON Schema."""
