"""The types of the table's messages in TypeScript, made of the classes that are the messages.

Values of the game in them have the types of ``valletta.d.ts``, which are imported.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from types import NoneType
from typing import Any, Final, get_args, get_origin, get_type_hints

import attrs

from valletta_rules.codec.schema import _documented, description, field_descriptions
from valletta_rules.codec.vocabulary import is_union, without_none
from valletta_rules.web import protocol

TYPES: Final = Path(protocol.__file__).parent / "pages" / "table.d.ts"
"""Where the package keeps the types of the messages."""

HEAD: Final = f"""\
/**
 * What a table and its pages say to one another, version {protocol.PROTOCOL} of the messages.
 *
 * Made by `python -m spec.checks accept schema` out of `web/protocol.py`; not to be edited.
 */
"""

_UNIONS: Final = ("Said", "Told")
_PLAIN: Final = {str: "string", bool: "boolean", int: "number", float: "number", NoneType: "null"}


def text() -> str:
    """Return the text of the file of types."""
    described = _documented(Path(protocol.__file__).read_text(encoding="utf-8"))
    imported = sorted(
        name for name in described if name == _meant(getattr(protocol, name)) != "tuple"
    )
    words = [name for name in described if isinstance(_note(getattr(protocol, name)), tuple)]
    kinds = [
        kind
        for kind in vars(protocol).values()
        if isinstance(kind, type) and attrs.has(kind) and kind.__module__ == protocol.__name__
    ]
    return "\n".join(
        [
            HEAD,
            f"import type {{ {', '.join(imported)} }} from '../../schema/valletta.js';\n",
            *(_alias(name, _words(name), described[name]) for name in words),
            *map(_interface, kinds),
            *(_alias(name, _members(name), described[name]) for name in _UNIONS),
        ]
    )


def _note(kind: Any) -> object:
    """Return what a type is annotated with: the name of an imported type, or the words it has."""
    return getattr(kind, "__metadata__", (None,))[0]


def _meant(kind: Any) -> str | None:
    note = _note(kind)
    return note if isinstance(note, str) else None


def _words(name: str) -> str:
    words: Any = _note(getattr(protocol, name))
    return " | ".join(map(json.dumps, words))


def _members(name: str) -> str:
    return " | ".join(kind.__name__ for kind in get_args(getattr(protocol, name)))


def _alias(name: str, meaning: str, said: str) -> str:
    return f"/** {said} */\nexport type {name} = {meaning};\n"


def _interface(kind: type) -> str:
    """Return the declaration of a message or of a part of one."""
    return "\n".join(
        [
            *_comment(description(kind)),
            f"export interface {kind.__name__} {{",
            *_fields(kind),
            "}\n",
        ]
    )


def _fields(kind: type) -> Iterator[str]:
    if kind in get_args(protocol.Said | protocol.Told):
        yield f"  readonly type: {json.dumps(protocol.tag_of(kind))};"
    hints, said = get_type_hints(kind, include_extras=True), field_descriptions(kind)
    for field in attrs.fields(kind):
        if field.name in said:
            yield from _comment(said[field.name], "  ")
        yield f"  readonly {field.name}: {_type(hints[field.name])};"


def _type(kind: Any) -> str:
    """Return what a value is, as an expression."""
    if (note := _note(kind)) is not None:
        return note if isinstance(note, str) else _name_of_words(note)
    if is_union(kind) and (other := without_none(kind)) is not None:
        return f"{_type(other)} | null"
    if get_origin(kind) is tuple:
        return f"readonly {_bracketed(_type(get_args(kind)[0]))}[]"
    return _PLAIN.get(kind) or str(kind.__name__)


def _bracketed(item: str) -> str:
    return f"({item})" if " " in item else item


def _name_of_words(note: object) -> str:
    return next(name for name, kind in vars(protocol).items() if _note(kind) == note)


def _comment(said: str, indent: str = "") -> Iterator[str]:
    lines = said.split("\n")
    if len(lines) == 1:
        yield f"{indent}/** {lines[0]} */"
        return
    yield f"{indent}/**"
    yield from (f"{indent} * {line}" for line in lines)
    yield f"{indent} */"
