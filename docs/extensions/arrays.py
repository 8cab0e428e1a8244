"""The columns of the arrays that views are written as, out of the table that names them.

``.. array-columns::`` shows block by block where each field stands, what it is called and means;
``.. array-steps::`` the numbers of the steps, and what else each of them tells.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar, Final

import attrs
from docutils import nodes
from markup import Written, broad_table
from sphinx.application import Sphinx
from sphinx.util.typing import ExtensionMetadata

from valletta_rules.components.display import SITES
from valletta_rules.numeric.encoding import BLOCKS, STEPS, Block, columns


class ArrayColumns(Written):
    """A table for each block."""

    required_arguments: ClassVar[int] = 0

    def run(self) -> list[nodes.Node]:
        """Show the blocks, and how long an array is."""
        first, lines = 0, list[str]()
        for block in BLOCKS:
            lines += [*described(block, first)]
            first += len(block.columns) * block.times[max(SITES)]
        lengths = by_players({players: len(columns(players)) for players in SITES})
        lines.append(f"In all there are {lengths} columns.  The places are those for four players.")
        return self.written(lines)


def by_players(counts: Mapping[int, int]) -> str:
    """Say how many there are for 2, 3 and 4 players."""
    if len({*counts.values()}) == 1:
        return str(counts[max(counts)])
    return ", ".join(f"{count} ({players} players)" for players, count in counts.items())


def described(block: Block, first: int) -> Iterator[str]:
    """Describe a block of an array for four players, which begins at a column."""
    place = f"{block.name}.0." if block.name else ""
    rows = list[tuple[str, str, str]]()
    for field in block.fields:
        names = [f"``{place}{name}``" for name in field.columns]
        last = first + len(names) - 1
        rows.append(
            (
                f"{first} to {last}" if len(names) > 1 else str(first),
                f"{names[0]} to {names[-1]}" if len(names) > 1 else names[0],
                field.meaning,
            )
        )
        first = last + 1
    if block.name:
        often = by_players(block.times)
        yield f"``{block.name}``, {often} times, {len(block.columns)} columns each; the first:"
    else:
        yield "What comes once:"
    yield ""
    yield from broad_table("Columns 15 | Names 45 | What they hold 40", rows, "contract")


class ArraySteps(Written):
    """A table of the steps."""

    required_arguments: ClassVar[int] = 0

    def run(self) -> list[nodes.Node]:
        """Show the steps by their numbers."""
        rows = [
            (
                number,
                f":py:class:`~{step.__module__}.{step.__name__}`",
                ", ".join(
                    f"{FIELDS[field.name]}: ``{field.name}``" for field in attrs.fields(step)
                ),
            )
            for number, step in enumerate(STEPS, 1)
        ]
        return self.written(broad_table("Kind 10 | Step 40 | What it tells 50", rows, "contract"))


FIELDS: Final = {
    **dict.fromkeys(("seat", "player"), "place"),
    **dict.fromkeys(("taker", "plays", "site", "character"), "value"),
    **dict.fromkeys(("goods", "reduction", "price"), "goods"),
}
"""The fields in which an array tells what the fields of steps hold."""


def setup(app: Sphinx) -> ExtensionMetadata:
    """Add the directives."""
    app.add_directive("array-columns", ArrayColumns)
    app.add_directive("array-steps", ArraySteps)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
