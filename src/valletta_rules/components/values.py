"""Immutable values and their base classes. Copying a value returns the value itself."""

from __future__ import annotations

from importlib import import_module
from typing import Any, Self

import attrs

from valletta_rules.components.names import abbreviated


def need(value: object, kind: type, called: str) -> None:
    """Raise `TypeError` unless a value has the type `kind`; `called` is the type in words."""
    if not isinstance(value, kind):
        actual = f"{type(value).__name__}: {abbreviated(value)}"
        raise TypeError(f"expected {called} ({kind.__name__}), not {actual}")


class Value:
    """The base class of all values: immutable attrs classes with positional fields."""

    __slots__ = ()

    def __copy__(self) -> Self:
        """Return the value itself."""
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        """Return the value itself, since its fields are values too."""
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the fields as constructor arguments, so that unpickling validates them again."""
        kind: Any = type(self)
        return kind, tuple(getattr(self, field.name) for field in attrs.fields(kind))


class Pictured(Value):
    """The base class of values that notebooks display as a picture."""

    __slots__ = ()

    def _repr_svg_(self) -> str:
        """Return an SVG picture for a notebook. The drawing code is imported on first use."""
        svg: str = import_module("valletta_rules.svg").draw(self).svg
        return svg


def constructor_call(value: Value) -> str:
    """Return the Python code of the constructor call that creates a value, with all fields."""
    kind: Any = type(value)
    fields = (f"{field.name}={getattr(value, field.name)!r}" for field in attrs.fields(kind))
    return f"{kind.__name__}({', '.join(fields)})"


class Lasting:
    """The base class of enumerations with additional attributes, which it makes immutable."""

    def __setattr__(self, name: str, value: object) -> None:
        """Set an attribute during construction. Raise `AttributeError` for later changes."""
        if name in vars(self):
            raise AttributeError(f"the attribute {name} of {self!r} cannot be changed")
        if not (name.startswith("_") or name in type(self).__annotations__):
            raise AttributeError(f"{type(self).__name__} has no attribute {name!r}")
        super().__setattr__(name, value)

    def __delattr__(self, name: str) -> None:
        """Raise `AttributeError`, because attributes cannot be deleted."""
        raise AttributeError(f"the attribute {name} of {self!r} cannot be deleted")
