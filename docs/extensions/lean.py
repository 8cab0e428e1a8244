"""Drawings as small files: without what an image in a page never says, and nothing drawn twice.

A page says by itself what its image shows; so the file goes without title, description, language
and names of parts.  An element that occurs again refers to its first occurrence.
"""

from __future__ import annotations

import re
from collections import defaultdict
from typing import Final

UNSAID: Final = re.compile(
    r"<title>.*?</title>|<desc>.*?</desc>"
    r'|(?<=[^<]) (?:lang|role|class|data-[a-z]+)="[^"]*"(?=[^<>]*>)'
    r'|(?<=[^<]) c?[xy]="0"(?=[^<>]*>)|(?<=")translate\(0 0\) '
)
"""What an image never says, and what goes without saying."""

SHORT: Final = re.compile(r'(?<=="#)([0-9a-f])\1([0-9a-f])\2([0-9a-f])\3(?=")')
"""A colour that three letters name as well."""

TAG: Final = re.compile(r"<(/?)([a-z]+)[^>]*?(/?)>")
"""A tag."""

WORTH: Final = 60
"""How many bytes an element has at least that is worth a reference."""


def lean(svg: str) -> str:
    """Return a drawing that looks the same, in fewer bytes."""
    svg = SHORT.sub(r"\1\2\3", UNSAID.sub("", svg))
    places = elements(svg)
    pieces: dict[int, tuple[int, str]] = {}
    taken: list[tuple[int, int]] = []
    for text in sorted(places, key=len, reverse=True):
        free = [at for at in places[text] if all(at >= b or at + len(text) <= a for a, b in taken)]
        if len(free) < 2:
            continue
        name = f"e{len(taken)}"
        taken += [(at, at + len(text)) for at in free]
        pieces |= {at: (at + len(text), f'<use href="#{name}"/>') for at in free}
        pieces[free[0]] = free[0] + len(text), re.sub("^<[a-z]+", rf'\g<0> id="{name}"', text)
    return replaced(svg, pieces)


def elements(svg: str) -> dict[str, list[int]]:
    """Return the elements that are worth a reference, with the places of each."""
    places = defaultdict[str, list[int]](list)
    opened: list[int] = []
    for tag in TAG.finditer(svg):
        if not (tag[1] or tag[3]):
            opened.append(tag.start())
            continue
        start = opened.pop() if tag[1] else tag.start()
        if tag[2] == "g" and tag.end() - start >= WORTH and "<text" not in svg[start : tag.end()]:
            places[svg[start : tag.end()]].append(start)
    return {text: starts for text, starts in places.items() if len(starts) > 1}


def replaced(svg: str, pieces: dict[int, tuple[int, str]]) -> str:
    """Return a text with pieces of it replaced: where each begins and ends, and by what."""
    parts, at = [], 0
    for start in sorted(pieces):
        end, text = pieces[start]
        parts += [svg[at:start], text]
        at = end
    return "".join([*parts, svg[at:]])
