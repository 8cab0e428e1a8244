"""Numbers of the rules in running text: ``|CONSTRUCTION_BONUS|`` is the one that the code has."""

from __future__ import annotations

from typing import Any, Final

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform
from sphinx.util.typing import ExtensionMetadata

from valletta_rules.components.goods import Goods
from valletta_rules.rulebook import blue, building, final_phase, scoring, turn, yellow

NUMBERS: Final = {
    name: f"{value.total if isinstance(value, Goods) else value}"
    for chapter in (blue, building, final_phase, scoring, turn, yellow)
    for name, value in vars(chapter).items()
    if name.isupper() and isinstance(value, int | Goods)
}
"""The numbers by the names of their constants."""


class Numbers(SphinxTransform):
    """Writes a number for its name, before docutils looks for a definition of the name."""

    default_priority = 210

    def apply(self, **kwargs: Any) -> None:
        """Replace the names."""
        for named in list(self.document.findall(nodes.substitution_reference)):
            if named["refname"] in NUMBERS:
                named.replace_self(nodes.Text(NUMBERS[named["refname"]]))


def setup(app: Sphinx) -> ExtensionMetadata:
    """Add the transform."""
    app.add_transform(Numbers)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
