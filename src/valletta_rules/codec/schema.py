"""The JSON Schema of all documents, generated from the types and their docstrings.

The schema describes the form of a document: types, ranges, words and keys. `from_json` checks more,
for example that a position is possible.

No object allows additional keys. Every union is a `oneOf`, with a constant that distinguishes each
member. Every type has one definition with a title, so that types for a frontend can be generated
from the schema.
"""

from __future__ import annotations

import ast
import inspect
import json
import sys
from collections.abc import Callable, Collection, Iterator, Mapping
from enum import Enum
from functools import lru_cache
from itertools import pairwise
from types import MappingProxyType
from typing import Any, Final, assert_never, get_args, get_type_hints

from valletta_rules.codec import vocabulary
from valletta_rules.components import CardBag, CardSet, Character, Site, SiteSet
from valletta_rules.components.limits import Among, Interval, Limit, Pattern
from valletta_rules.errors import ClauseId

Schema = dict[str, Any]
"""A JSON Schema, or a part of one."""

TITLES: Final = MappingProxyType({"Event": "GameEvent", "Record": "GameRecord", "CardSet": "Cards"})
"""The titles of definitions that differ from the names of their types, keyed by these names.

The names `Event` and `Record` would clash with built-in types of browsers and TypeScript. The title
`CardSet` is used for card sets that are written in full.
"""


def schema_text() -> str:
    """Return the text of the schema file."""
    return json.dumps(json_schema(), ensure_ascii=False, indent=2) + "\n"


def json_schema() -> Schema:
    """Return the JSON Schema (draft 2020-12) of every document that `to_json` writes."""
    definitions = Definitions(vocabulary.DOCUMENTS)
    documents = [definitions.document(kind, values) for kind, values in vocabulary.KINDS.items()]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:valletta-rules:schema:{vocabulary.DOCUMENT_VERSION}",
        "title": "VallettaDocument",
        "description": "A value of the board game Valletta, as valletta-rules writes it.",
        "oneOf": documents,
        "$defs": dict(sorted(definitions.schemas.items())),
    }


def closed(properties: Schema, required: list[str] | None = None) -> Schema:
    """Return the schema for an object with exactly the given entries."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties) if required is None else required,
        "additionalProperties": False,
    }


def array(items: Schema) -> Schema:
    """Return the schema for an array of the given items."""
    return {"type": "array", "items": items}


class Definitions:
    """The schema definitions of types in one dialect, including the definitions for their parts."""

    def __init__(self, dialect: vocabulary.Dialect, known: Collection[str] = ()) -> None:
        """Create an empty collection. The types named in `known` are defined in another schema."""
        self.dialect = dialect
        self.known = known
        self.schemas: dict[str, Schema] = {}
        """The schemas of the definitions, keyed by title."""
        self.imported: set[str] = set()
        """The titles of the definitions that another schema must provide."""

    def document(self, kind: str, values: Any) -> Schema:
        """Define the documents of a kind. Return a reference to the definition."""
        properties = {
            "valletta_rules": {
                "const": vocabulary.DOCUMENT_VERSION,
                "description": "The version of the format.",
            },
            "kind": {"const": kind, "description": "The kind of the value."},
            "value": self.schema(values),
        }
        text = f"A document that holds a value of the kind {kind}."
        return self._refer(f"{kind}Document", lambda: {"description": text, **closed(properties)})

    def schema(self, kind: Any) -> Schema:
        """Return the schema of a type: a reference to its definition if the type has a name."""
        if vocabulary.is_embedded(kind):
            return self._refer(kind.__metadata__[0].kind, dict)
        if (name := vocabulary.name_of(kind, self.dialect.aliases)) is not None:
            return self._refer(name, lambda: self._defined(name, kind))
        if (other := vocabulary.without_none(kind)) is not None:
            return {"oneOf": [self.schema(other), {"type": "null"}]}
        if kind in vocabulary.PLAIN:
            return {"type": vocabulary.PLAIN[kind]}
        if hasattr(kind, "__metadata__"):
            return _limited(kind.__metadata__[0])
        return array(self.schema(get_args(kind)[0]))

    def _refer(self, name: str, define: Callable[[], Schema]) -> Schema:
        """Return a reference to a definition. The definition is created on first use."""
        title = TITLES.get(name, name)
        if title in self.known:
            self.imported.add(title)
        elif title not in self.schemas:
            self.schemas[title] = {}
            self.schemas[title] = {"title": title, **define()}
        return {"$ref": f"#/$defs/{title}"}

    def _defined(self, name: str, kind: Any) -> Schema:
        """Return the definition of a named type."""
        if kind in _FORMS and (kind is not CardSet or self.dialect.is_whole):
            return _FORMS[kind](self)
        if isinstance(kind, type):
            return _enum(kind) if issubclass(kind, Enum) else self.by_fields(kind)
        home = inspect.getsource(self.dialect.aliases[name])
        described = {"description": _documented(home)[name]}
        if vocabulary.is_union(kind):
            return described | {"oneOf": [self.schema(part) for part in self._parts(kind)]}
        return described | _limited(kind.__metadata__[0])

    def _parts(self, union: Any) -> Iterator[Any]:
        """Iterate over the parts of a union: its named subsets, and the other types."""
        left = dict.fromkeys(get_args(union))
        smaller = (getattr(home, name) for name, home in self.dialect.aliases.items())
        for part in sorted(smaller, key=lambda part: len(get_args(part)), reverse=True):
            if vocabulary.is_union(part) and part != union and set(get_args(part)) <= left.keys():
                yield part
                left = {member: None for member in left if member not in get_args(part)}
        yield from left

    def _derived(self, member: Any, name: str) -> Schema:
        """Return the schema for a derived entry, which is a clause or the value of a property."""
        if name == "clause":
            schema = {"const": member} if isinstance(member, str) else self.schema(ClauseId)
            return _described(schema, "Its clause of the rulebook.")
        returned = get_type_hints(member.fget, include_extras=True)["return"]
        return _described(self.schema(returned), _plain(member.__doc__))

    def by_fields(self, kind: type) -> Schema:
        """Return the schema of a class: an object with an entry for each field or derived value."""
        form: type = vocabulary.FORMS.get(kind, kind)
        hints = get_type_hints(form, include_extras=True)
        described = {**field_descriptions(kind), **field_descriptions(form)}
        tags = self.dialect.tags
        properties: Schema = {"type": {"const": tags[kind]}} if kind in tags else {}
        for name in self.dialect.fields_of(form):
            text = _FACTS if name in vocabulary.KEYS else described.get(name)
            properties[vocabulary.KEYS.get(name, name)] = _described(self.schema(hints[name]), text)
        for name in self.dialect.derived(kind):
            properties[name] = self._derived(getattr(kind, name), name)
        return {"description": description(kind), **closed(properties)}


def _limited(limit: Limit | vocabulary.OneOf) -> Schema:
    """Return the schema for a limit, such as a range of integers or a list of words."""
    match limit:
        case Interval(least):
            return {"type": "integer", "minimum": least, "maximum": vocabulary.largest(limit)}
        case Pattern(form):
            return {"type": "string", "pattern": f"^{form}$"}
        case Among(members):
            return {"enum": [member.value for member in members]}
        case vocabulary.OneOf(words):
            return {"enum": list(words)}
        case _:
            assert_never(limit)


def _described(schema: Schema, text: str | None) -> Schema:
    """Return a schema with a description.

    A reference is wrapped, because a description next to a reference makes type generators create
    another type.
    """
    if text is None:
        return schema
    return {"description": text} | ({"allOf": [schema]} if "$ref" in schema else schema)


def _enum(kind: type[Enum]) -> Schema:
    described = field_descriptions(kind)
    lines = [
        f"{member.value}: {described[member.name]}" for member in kind if member.name in described
    ]
    return {
        "description": "\n".join([description(kind), *lines]),
        "enum": [member.value for member in kind],
    }


# Types with a special JSON form


_FACTS: Final = "The facts by name."
"""The description of the schema entry for parameters of a message."""


def _site_set(definitions: Definitions) -> Schema:
    text = "Sites in ascending order, each once."
    return {"description": text, **array(definitions.schema(Site)), "uniqueItems": True}


def _card_bag(definitions: Definitions) -> Schema:
    text = f"{description(CardBag)} Each kind that occurs, with its count."
    counts = dict.fromkeys(
        (each.value for each in Character), definitions.schema(vocabulary.CardCount)
    )
    return {"description": text, **closed(counts, required=[])}


def _facts(definitions: Definitions) -> Schema:
    facts = {name: definitions.schema(fact) for name, fact in vocabulary.FACTS.items()}
    text = "The facts of a violation or an error."
    return {"description": text, **closed(facts, required=[])}


def _cards(definitions: Definitions) -> Schema:
    definitions.schemas["CardSet"] = {"title": "CardSet", **definitions.by_fields(CardSet)}
    return {
        "description": "A card set: by name if it comes with valletta-rules, or all its cards.",
        "oneOf": [definitions.schema(vocabulary.BuiltInCards), {"$ref": "#/$defs/CardSet"}],
    }


_FORMS: Final[Mapping[Any, Callable[[Definitions], Schema]]] = MappingProxyType(
    {
        CardBag: _card_bag,
        SiteSet: _site_set,
        vocabulary.Facts: _facts,
        CardSet: _cards,
    }
)


# Docstrings


def description(kind: type) -> str:
    """Return the docstring of a class, one line per paragraph, without the *Rules* paragraph."""
    paragraphs = inspect.cleandoc(kind.__doc__ or "").split("\n\n")
    return "\n".join(_plain(text) for text in paragraphs if not text.startswith("Rules:"))


@lru_cache(maxsize=256)
def field_descriptions(kind: type) -> Mapping[str, str]:
    """Return the docstrings of a class's fields, or of an enumeration's members, keyed by name."""
    return _documented(inspect.getsource(sys.modules[kind.__module__]), kind.__name__)


def _documented(source: str, name: str | None = None) -> Mapping[str, str]:
    """Return the docstrings below assignments in a module, or in one of its classes, by name."""
    body = _body(source)
    if name is not None:
        body = next(
            node.body for node in body if isinstance(node, ast.ClassDef) and node.name == name
        )
    return dict(_docstrings(body))


@lru_cache(maxsize=32)
def _body(source: str) -> list[ast.stmt]:
    return ast.parse(source).body


def _docstrings(body: list[ast.stmt]) -> Iterator[tuple[str, str]]:
    for statement, text in pairwise(body):
        match statement, text:
            case (
                ast.AnnAssign(target=ast.Name(name)) | ast.Assign(targets=[ast.Name(name)]),
                ast.Expr(ast.Constant(str(words))),
            ):
                yield name, _plain(inspect.cleandoc(words))
            case _:
                pass


def _plain(text: str) -> str:
    """Return a text as one line, without backquotes."""
    return " ".join(text.split()).replace("``", "").replace("`", "")
