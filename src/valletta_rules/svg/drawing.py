"""The class `Drawing`, and functions that return SVG elements.

A drawing is self-contained: it has no external references and no ids, so a page can contain any
number of drawings.  Each drawing has its own background, and is readable on light and dark pages.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from types import MappingProxyType
from typing import Final, Literal

import attrs

from valletta_rules.components import Value
from valletta_rules.svg.palette import INK

FONT: Final = "'Trebuchet MS', 'Segoe UI', 'DejaVu Sans', Verdana, sans-serif"
"""The fonts of all texts, in order of preference."""

_SCRUBBED: Final = re.compile("[^\t\n -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""A pattern for the characters that XML forbids or changes."""

_IN_TEXT: Final = MappingProxyType(str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"}))
_IN_ATTRIBUTES: Final = MappingProxyType(
    {**_IN_TEXT, **str.maketrans({'"': "&quot;", "\t": "&#9;", "\n": "&#10;"})}
)
"""The escapes of special characters in attributes.

They are defined here because importing the standard library's escapes takes longer.
"""

TextAnchor = Literal["start", "middle", "end"]
"""The alignment of a line of text: its start, middle or end is at its coordinates."""


@attrs.frozen
class Drawing(Value):
    """A picture as an SVG document with its size.

    ``str(drawing)`` is the document, which can be written to a file or embedded in a page.  Jupyter
    notebooks display the picture.  Drawings with equal content are equal.
    """

    width: int
    """The width without scaling, in pixels."""
    height: int
    """The height without scaling, in pixels."""
    title: str
    """A title of a few words, which describes the picture."""
    description: str
    """A detailed description of the picture for screen readers."""
    svg: str = attrs.field(repr=False)
    """The SVG document."""

    def __str__(self) -> str:
        """Return the SVG document."""
        return self.svg

    def _repr_svg_(self) -> str:
        """Return the SVG document for a notebook."""
        return self.svg


def drawing(
    width: int, height: int, title: str, description: str, *parts: str, lang: str = "en"
) -> Drawing:
    """Compose a drawing from SVG elements.  `lang` is the code of the language of the texts."""
    title, description = scrubbed(title), scrubbed(description)
    svg = element(
        "svg",
        element("title", title.translate(_IN_TEXT)),
        element("desc", description.translate(_IN_TEXT)),
        *parts,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {width} {height}",
        width=width,
        height=height,
        role="img",
        lang=lang,
        font_family=FONT,
    )
    return Drawing(width, height, title, description, svg)


def scrubbed(text: str) -> str:
    """Return a text in which every character that XML cannot represent is replaced."""
    return text if text.isprintable() else _SCRUBBED.sub("\ufffd", text)


def element(name: str, /, *children: str, **attributes: object) -> str:
    """Return an SVG element with the given children and attributes.

    Children are SVG markup, and are not escaped.  The values of attributes are escaped.  In the
    names of attributes, an underscore becomes a hyphen.  An attribute that is `None` is omitted.
    """
    written = "".join(
        _attribute(key, value) for key, value in attributes.items() if value is not None
    )
    return f"<{name}{written}>{''.join(children)}</{name}>" if children else f"<{name}{written}/>"


@lru_cache(maxsize=4096, typed=True)
def _attribute(key: str, value: object) -> str:
    """Return an attribute as markup.  Results are cached, because drawings repeat attributes."""
    written = _value(value).translate(_IN_ATTRIBUTES)
    return f' {key.replace("_", "-")}="{written}"'


def _value(value: object) -> str:
    """Return the value of an attribute as text.  Fractions are rounded to two decimals."""
    if isinstance(value, float):
        return f"{value + 0.0:.2f}".rstrip("0").rstrip(".")
    return scrubbed(str(value))


def group(*markup: str, kind: str, title: str = "", **facts: object) -> str:
    """Return a group of SVG elements that the scripts of a page can select.

    `kind` contains the classes of the group, and `title` is its tooltip.  The keyword arguments
    `facts` become attributes such as ``data-site``.  A keyword argument that is `None` is omitted.
    """
    named = {f"data_{key}": fact for key, fact in facts.items()}
    tooltip = (element("title", scrubbed(title).translate(_IN_TEXT)),) if title else ()
    return element("g", *tooltip, *markup, **{"class": kind}, **named)


def place(markup: str, x: float, y: float, scale: float = 1.0) -> str:
    """Return SVG markup that is moved to the coordinates `x` and `y`, and scaled by `scale`."""
    scaling = "" if scale == 1 else f" scale({_value(float(scale))})"
    at = f"translate({_value(float(x))} {_value(float(y))}){scaling}"
    return element("g", markup, transform=at)


def box(x: float, y: float, width: float, height: float, **attributes: object) -> str:
    """Return a rectangle as an SVG element."""
    return element("rect", x=x, y=y, width=width, height=height, **attributes)


def path(way: str, **attributes: object) -> str:
    """Return a path as an SVG element; `way` contains its commands."""
    return element("path", d=way, **attributes)


def disc(x: float, y: float, radius: float, **attributes: object) -> str:
    """Return a circle as an SVG element."""
    return element("circle", cx=x, cy=y, r=radius, **attributes)


def line(x: float, y: float, to_x: float, to_y: float, **attributes: object) -> str:
    """Return a straight line as an SVG element."""
    return element("line", x1=x, y1=y, x2=to_x, y2=to_y, **attributes)


def text_line(
    text: object,
    x: float,
    y: float,
    size: float = 12,
    *,
    fill: str = INK,
    anchor: TextAnchor = "start",
    bold: bool = False,
    italic: bool = False,
    lang: str | None = None,
    room: float | None = None,
) -> str:
    """Return a line of text with its baseline at `y`, shortened to the width `room` if given."""
    clean = scrubbed(str(text))
    return element(
        "text",
        (clean if room is None else shortened(clean, room, size, bold=bold)).translate(_IN_TEXT),
        x=x,
        y=y,
        font_size=size,
        fill=fill,
        text_anchor=None if anchor == "start" else anchor,
        font_weight="bold" if bold else None,
        font_style="italic" if italic else None,
        lang=lang,
    )


def lines(texts: Iterable[str], x: float, y: float, leading: float, **style: object) -> str:
    """Return lines of text below one another.  The baseline of the first line is at `y`."""
    return "".join(
        text_line(text, x, y + number * leading, **style)  # type: ignore[arg-type]
        for number, text in enumerate(texts)
    )


_NARROW: Final = frozenset("fijlrtI.,:;'!|()[] -/")
_BROAD: Final = frozenset("mwMW@%&")


def width_of(text: str, size: float, *, bold: bool = False) -> float:
    """Return an estimate of a text's width, which is slightly too large for most fonts."""
    return sum(map(_ems, text)) * size * (1.12 if bold else 1)


@lru_cache(maxsize=1024)
def _ems(char: str) -> float:
    """Return an estimate of a character's width as a fraction of the font size."""
    if char in _NARROW:
        return 0.37
    if char in _BROAD or ord(char) > 0x2E80:
        return 0.95
    return 0.72 if char.isupper() else 0.62


def shortened(text: str, room: float, size: float, *, bold: bool = False) -> str:
    """Return a text shortened to the width `room`, with an ellipsis for the omitted part."""
    if width_of(text, size, bold=bold) <= room:
        return text
    while text and width_of(f"{text}…", size, bold=bold) > room:
        text = text[:-1]
    return f"{text.rstrip()}…"


def wrapped(text: str, room: float, size: float, *, bold: bool = False) -> tuple[str, ...]:
    """Break a text into lines of the width `room`.  A word that is too long is shortened."""
    rows: list[str] = []
    for word in text.split():
        if rows and width_of(f"{rows[-1]} {word}", size, bold=bold) <= room:
            rows[-1] += f" {word}"
        else:
            rows.append(shortened(word, room, size, bold=bold))
    return tuple(rows)
