"""The contents of documents, for the reader, the writer and the schema.

Most of it is read off the types themselves, which also say how far numbers go and what texts look
like (`valletta_rules.components.limits`).  Here is what they do not say: which values can be
documents, which types have names of their own, which facts violations carry, and which types have a
form of their own in a document.
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
"""The version of the format."""

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
"""The values that can be documents."""

_UNIONS: Final[Mapping[str, Any]] = MappingProxyType(
    {"Action": Action, "Event": RedactedEvent, "Prompt": Prompt, "LogEntry": LogEntry}
)

_UNION_OF: Final[Mapping[type, str]] = MappingProxyType(
    {member: kind for kind in _UNIONS for member in get_args(_UNIONS[kind])}
)

KIND_OF: Final[Mapping[type, str]] = MappingProxyType(
    {member: str(_UNION_OF.get(member, member.__name__)) for member in get_args(Value)}
)
"""The kind of document of each type of value."""

KINDS: Final[Mapping[str, Any]] = MappingProxyType(
    {kind: _UNIONS.get(kind, member) for member, kind in KIND_OF.items()}
)
"""The kinds of document, with the type of the value of each."""

MOST_LISTED: Final = 1_000
"""The most answers of a view in a document; views rarely have more in a game.

With plenty of goods there are more payments than are worth sending: then a view lists those
payments that take the fewest goods.
"""

CardCount = Annotated[int, Interval(1, MOST_CARDS)]
"""The number of cards of a kind, or of all kinds together, in a bag."""

WholeNumber = Annotated[int, Interval(-LARGEST, LARGEST)]
"""Any whole number."""

BuiltInCards = Annotated[str, Pattern("[a-z]+@[0-9a-f]{8}")]
"""A built-in card set, by its name and fingerprint."""

_SeatOrNone = Seat | None
_NumberOrNone = WholeNumber | None

Facts = tuple[tuple[str, Hashable], ...]
"""The facts of a violation or an error: an object with some of the entries of `FACTS`."""

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
"""The facts that violations and errors carry, and their types."""


@attrs.frozen
class BuildingForm:
    """A building in a document."""

    code: BuildingCode
    """A short name, unique in its card set."""
    character: Character
    cost: Goods
    icon: Good
    points: Count
    copies: Positive

    @staticmethod
    def of(building: Building) -> BuildingForm:
        """Return the form of a building."""
        return BuildingForm(*(getattr(building, key) for key in attrs.fields_dict(BuildingForm)))

    def value(self) -> Building:
        """Return the building of this form."""
        letter, design = letter_and_design(self.code)
        return Building(
            letter, self.character, self.cost, self.icon, self.points, self.copies, design
        )


def letter_and_design(code: str) -> tuple[str, int]:
    """Return the parts of a building's code."""
    return code[0], int(code[1:] or 1)


FORMS: Final[Mapping[type, type[BuildingForm]]] = MappingProxyType({Building: BuildingForm})
"""The types with a form of their own in a document, and that form."""

KEYS: Final[Mapping[str, str]] = MappingProxyType({"details": "facts"})
"""The keys of the fields whose key is not their name."""

DERIVED: Final[Mapping[type, tuple[str, ...]]] = MappingProxyType({Score: ("total",)})
"""Properties of a type that documents contain in addition to its fields."""

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
"""Names of types that are not classes, with the modules that define and document them."""

SCHEMA: Final = resources.files("valletta_rules") / "schema" / "valletta.schema.json"
"""The file with the JSON Schema of all documents: ``SCHEMA.read_text("utf-8")``."""

TYPESCRIPT: Final = resources.files("valletta_rules") / "schema" / "valletta.d.ts"
"""The file with the types of all documents in TypeScript."""


@attrs.frozen
class OneOf:
    """Texts of a list, and no others."""

    words: tuple[str, ...]
    """The allowed texts."""


@attrs.frozen
class Embedded:
    """A document inside another text; it is read by `from_document`."""

    kind: str
    """The kind of document."""


@attrs.frozen(eq=False)
class Dialect:
    """The way of writing values as JSON in documents, messages, or lines of the kit."""

    tags: Mapping[type, str]
    """The types whose values name their type, as members of a union, with the names."""
    aliases: Mapping[str, ModuleType]
    """Names of types that are not classes, with the modules that define and document them."""
    is_whole: bool = True
    """Whether values are complete: with clause and total, built-in cards by name, and audited."""
    left_out: Mapping[type, Collection[str]] = attrs.field(factory=dict)
    """The fields that are not written, since they follow from others."""

    def derived(self, kind: type) -> tuple[str, ...]:
        """Return the names of the entries of a type that follow from its fields."""
        if not self.is_whole:
            return ()
        has_clause = hasattr(kind, "clause") and "clause" not in attrs.fields_dict(kind)
        clause = ("clause",) if kind in self.tags and has_clause else ()
        return (*clause, *DERIVED.get(kind, ()))

    def fields_of(self, kind: type) -> tuple[str, ...]:
        """Return the names of the fields of a type that are written."""
        left_out = self.left_out.get(kind, ())
        return tuple(name for name in attrs.fields_dict(kind) if name not in left_out)

    def overrides(self, kind: type) -> dict[str, Any]:
        """Return the overrides for cattrs: fields that are left out or have another key."""
        left_out = {name: override(omit=True) for name in self.left_out.get(kind, ())}
        return {name: override(rename=key) for name, key in KEYS.items()} | left_out

    def keys_of(self, kind: type) -> tuple[str, ...]:
        """Return the keys of the object for a value of a type."""
        return (
            *(("type",) if kind in self.tags else ()),
            *(KEYS.get(name, name) for name in self.fields_of(kind)),
            *self.derived(kind),
        )


DOCUMENTS: Final = Dialect(
    {kind: kind.__name__ for kind in get_args(Action | RedactedEvent | Step | LogEntry)},
    ALIASES,
    left_out={Problem: ("details",)},  # they are in the message
)
"""The dialect of documents."""


def largest(interval: Interval) -> int:
    """Return the largest number of an interval that a document can hold."""
    return LARGEST if interval.most is None else interval.most


def without_none(kind: Any) -> Any | None:
    """Return the other type of a field that may be `None`; `None` if it may not."""
    if not is_union(kind) or NoneType not in get_args(kind):
        return None
    (other,) = (member for member in get_args(kind) if member is not NoneType)
    return other


def is_embedded(kind: Any) -> bool:
    """Return whether values of a type are embedded documents."""
    return isinstance(getattr(kind, "__metadata__", (None,))[0], Embedded)


def is_union(kind: Any) -> bool:
    """Return whether a type is a union of several."""
    return get_origin(kind) in (Union, UnionType)


def name_of(kind: Any, aliases: Mapping[str, ModuleType] = ALIASES) -> str | None:
    """Return the name of a class, a union, or a type with limits; `None` if it has none."""
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
"""The names in JSON Schema of types without limits."""
