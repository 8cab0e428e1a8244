"""The package as a house: its floors and rooms, and what each room stands on.

.. house::    the figure, made of `spec/floors.py`, of the imports and of the rooms' docstrings

A room without a floor or without a sentence, and a floor with a room that is gone, is an error of
the page.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective
from sphinx.util.typing import ExtensionMetadata

from spec import floors

TITLES = {"__init__": "valletta_rules", "__main__": "python -m valletta_rules"}
"""What two rooms are called that are doors."""


class House(SphinxDirective):
    """The floors from the top down, with the rooms of each."""

    def run(self) -> list[nodes.Node]:
        """Draw the house, and see to it that the page is written anew when a room changes."""
        for path in (floors.__file__, *map(str, floors.modules().values())):
            self.env.note_dependency(path)
        house = nodes.container("", classes=["house"])
        try:
            for floor, rooms in reversed([*enumerate(floors.FLOORS)]):
                house += self.floor(floor, rooms)
                if floor == floors.EDGES:
                    house += self.line(
                        "The edges above; the core below, which neither reads nor "
                        "writes, and draws no random number"
                    )
        except LookupError as error:
            raise self.error(str(error)) from None
        return [house]

    def line(self, text: str) -> nodes.paragraph:
        """Draw the line between the edges and the core."""
        return nodes.paragraph("", text, classes=["below-the-edges"])

    def floor(self, number: int, rooms: tuple[str, ...]) -> nodes.bullet_list:
        """Draw a floor."""
        kind = "edge" if number >= floors.EDGES else "core"
        return nodes.bullet_list("", *map(self.room, rooms), classes=["floor", kind])

    def room(self, room: str) -> nodes.list_item:
        """Draw a room: its name, what it is, what is in it, and what it stands on."""
        others = ", ".join(floors.stands_on(room))
        parts = [
            nodes.paragraph("", "", *self.title(room), classes=["room"]),
            nodes.paragraph("", "", *self.inline(floors.sentence(room))),
            nodes.paragraph(
                "", f"stands on {others}" if others else "stands by itself", classes=["stands-on"]
            ),
        ]
        if inside := [*self.modules_in(room)]:
            parts.insert(2, nodes.paragraph("", "", *inside, classes=["modules"]))
        return nodes.list_item("", *parts)

    def title(self, room: str) -> list[nodes.Node]:
        """Return the name of a room, with a link if it is a module that is documented."""
        if room in TITLES:
            return [nodes.literal("", TITLES[room])]
        if floors.modules()[room].stem == "__init__":
            return [nodes.literal("", f"{room}/")]
        return self.inline(f"`{room} <valletta_rules.{room}>`")

    def modules_in(self, room: str) -> Iterator[nodes.Node]:
        """Yield the names of the modules in a folder, with links to those that are documented."""
        inside = [each for each in floors.modules() if re.match(rf"{room}\.(?!_)", each)]
        for number, module in enumerate(inside):
            if number:
                yield nodes.Text(" ")
            yield from self.inline(f"`~valletta_rules.{module}`")

    def inline(self, text: str) -> list[nodes.Node]:
        """Return a text in reStructuredText as nodes."""
        found, problems = self.parse_inline(text)
        return [*found, *problems]


def setup(app: Sphinx) -> ExtensionMetadata:
    """Add the directive."""
    app.add_directive("house", House)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
