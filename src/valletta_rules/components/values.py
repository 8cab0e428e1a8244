"""Values: immutable objects, so that a copy of one is the object itself."""

from __future__ import annotations

from importlib import import_module
from typing import Any, Self

import attrs

from valletta_rules.components.names import abbreviated


def need(thing: object, kind: type, called: str) -> None:
    """Raise `TypeError` unless a value is of a type; `called` names the value in the message."""
    if not isinstance(thing, kind):
        found = f"{type(thing).__name__}: {abbreviated(thing)}"
        raise TypeError(f"{called} ({kind.__name__}) is needed, not {found}")


class Value:
    """The base of all values: attrs classes that take their fields in order."""

    __slots__ = ()

    def __copy__(self) -> Self:
        """Return the value itself."""
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        """Return the value itself, for its parts are values, too."""
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the fields, so that unpickling validates them again."""
        kind: Any = type(self)
        return kind, tuple(getattr(self, field.name) for field in attrs.fields(kind))


class Pictured(Value):
    """The base of values that notebooks show as a picture."""

    __slots__ = ()

    def _repr_svg_(self) -> str:
        """Return a picture for a notebook; the drawing code is loaded on first use."""
        svg: str = import_module("valletta_rules.svg").draw(self).svg
        return svg


def as_made(value: Value) -> str:
    """Return the call that would construct a value, field by field."""
    kind: Any = type(value)
    fields = (f"{field.name}={getattr(value, field.name)!r}" for field in attrs.fields(kind))
    return f"{kind.__name__}({', '.join(fields)})"


class Lasting:
    """The base of members of an enumeration that have immutable facts of their own."""

    def __setattr__(self, name: str, value: object) -> None:
        """Set a fact while the member is constructed, and refuse changes afterwards."""
        if name in vars(self):
            raise AttributeError(f"{self!r} cannot be changed: {name} is {vars(self)[name]!r}")
        if not (name.startswith("_") or name in type(self).__annotations__):
            raise AttributeError(f"{self!r} cannot be changed: it has no {name}")
        super().__setattr__(name, value)

    def __delattr__(self, name: str) -> None:
        """Refuse to delete a fact."""
        raise AttributeError(f"{self!r} cannot be changed: it has {name}")
