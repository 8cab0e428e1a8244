"""The package as a house: its floors and rooms, and what each room stands on.

.. house::    the figure, made of `spec/floors.py`, of the imports and of the rooms' docstrings

A room without a floor or without a sentence, and a floor with a room that is gone, is an error of
the page.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from docutils import nodes
from markup import Written
from sphinx.application import Sphinx
from sphinx.util.typing import ExtensionMetadata

from spec import floors

TITLES = {"__init__": "``valletta_rules``", "__main__": "``python -m valletta_rules``"}
"""What two rooms are called that are doors."""


class House(Written):
    """The floors from the top down, with the rooms of each."""

    required_arguments = 0

    def run(self) -> list[nodes.Node]:
        """Draw the house, and see to it that the page is written anew when a room changes."""
        for path in (floors.__file__, *map(str, floors.modules().values())):
            self.env.note_dependency(path)
        try:
            return self.written([".. container:: house", "", *(f"   {line}" for line in drawn())])
        except LookupError as error:
            raise self.error(str(error)) from None


def drawn() -> Iterator[str]:
    """Draw the floors, and the line between the edges and the core."""
    for number, rooms in reversed([*enumerate(floors.FLOORS)]):
        kind = "edge" if number >= floors.EDGES else "core"
        yield from (f".. rst-class:: floor {kind}", "")
        for name in rooms:
            bullet, *lines = (line for each in room(name) for line in (each, ""))
            yield from (f"* {bullet}", *(f"  {line}" for line in lines))
        if number == floors.EDGES:
            yield from (
                ".. rst-class:: below-the-edges",
                "",
                "The edges above; the core below, which neither reads nor writes, and draws no "
                "random number",
                "",
            )


def room(name: str) -> Iterator[str]:
    """Draw a room: its name, what it is, what is in it, and what it stands on."""
    is_folder = name not in TITLES and floors.modules()[name].stem == "__init__"
    known = f"``{name}/``" if is_folder else f"`{name} <valletta_rules.{name}>`"
    yield from (".. rst-class:: room", TITLES.get(name, known), floors.sentence(name))
    if inside := [each for each in floors.modules() if re.match(rf"{name}\.(?!_)", each)]:
        yield ".. rst-class:: modules"
        yield " ".join(f"`~valletta_rules.{module}`" for module in inside)
    others = ", ".join(floors.stands_on(name))
    yield from (".. rst-class:: stands-on", f"stands on {others}" if others else "stands by itself")


def setup(app: Sphinx) -> ExtensionMetadata:
    """Add the directive."""
    app.add_directive("house", House)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
