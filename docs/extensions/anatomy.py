"""Pictures with numbers in them, which the list below tells the meaning of.

.. anatomy:: building      or ``character``, or ``street``

   #. What the first number marks.
   #. And so on, one item for each number.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from docutils import nodes
from figures import CARDS
from languages import language_of
from markup import Shown
from pictures import captioned, image, note_code
from sphinx.application import Sphinx
from sphinx.util.typing import ExtensionMetadata

from valletta_rules import Character
from valletta_rules.svg import Drawing, draw_building, draw_card, draw_street
from valletta_rules.words import LANGUAGES
from valletta_rules.words.language import Language

SHOWN: Final = Character.BANKER
"""The character that is shown, with its building."""

Spots = Mapping[int, tuple[float, float]]
"""Where each number stands in a picture, in units of it."""


def building(language: Language) -> list[tuple[Drawing, Spots]]:
    """Draw both sides of a building; what they have in common has one number."""
    shown = next(each for each in CARDS.buildings if each.character is SHOWN)
    front, back = (draw_building(shown, upgraded=up, language=language) for up in (False, True))
    return [
        (front, {1: (19, 40), 2: (216, 46), 3: (52, 143), 4: (216, 112), 5: (146, 96)}),
        (back, {3: (52, 143), 4: (216, 112), 6: (56, 56)}),
    ]


def character(language: Language) -> list[tuple[Drawing, Spots]]:
    """Draw a character card as it is held in a hand."""
    card = draw_card(SHOWN, language=language)
    return [(card, {1: (110, 22), 2: (14, 88), 3: (112, 140), 4: (24, 150)})]


def street(language: Language) -> list[tuple[Drawing, Spots]]:
    """Draw the street as it lies at the start."""
    return [
        (
            draw_street(language=language),
            {1: (14, 50), 2: (99, 44), 3: (175, 104), 4: (220, 144), 5: (84, 122)},
        )
    ]


ANATOMIES: Final[Mapping[str, Callable[[Language], Sequence[tuple[Drawing, Spots]]]]] = {
    "building": building,
    "character": character,
    "street": street,
}
"""What is drawn, and where its numbers stand."""


class Anatomy(Shown):
    """A picture with numbers in it, and below it the list of what they mark."""

    def shown(self) -> list[nodes.Node]:
        """Return the figure, which scrolls if it is broad."""
        note_code(self.env)
        self.env.note_dependency(__file__)
        pictures = ANATOMIES[self.arguments[0]](LANGUAGES[language_of(self.env.docname)])
        told = self.parse_content_to_nodes()
        marks = {number for _, spots in pictures for number in spots}
        items = [item for each in told for item in each.findall(nodes.list_item)]
        if marks != {*range(1, len(items) + 1)}:
            raise ValueError(f"there are {len(items)} items for the marks {sorted(marks)}")
        drawn = "".join(self.marked(*each) for each in pictures)
        kind = f"anatomy {self.arguments[0]}"
        return captioned(
            f'<figure class="{kind}"><div class="pictures" tabindex="0">{drawn}</div>', told
        )

    def marked(self, picture: Drawing, spots: Spots) -> str:
        """Return a picture with its numbers."""
        numbers = "".join(
            f'<b aria-hidden="true" style="left:{x / picture.width:.2%};'
            f'top:{y / picture.height:.2%}">{number}</b>'
            for number, (x, y) in spots.items()
        )
        return f'<span style="width:{picture.width}px">{image(self.env, picture)}{numbers}</span>'


def setup(app: Sphinx) -> ExtensionMetadata:
    """Add the directive."""
    app.add_directive("anatomy", Anatomy)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
