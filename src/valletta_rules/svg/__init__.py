"""Pictures: cards, boards and positions as SVG.

Everything here is a pure function from values to a `Drawing`; nothing but the standard library is
needed, and nothing else in the package knows of it.  The pictures are our own and contain no
artwork of the publishers.
"""

from valletta_rules.svg.board import draw_display, draw_score_track, draw_street
from valletta_rules.svg.cards import draw_building, draw_character, draw_provenance
from valletta_rules.svg.drawing import Drawing
from valletta_rules.svg.position import draw, draw_table

__all__ = [
    "Drawing",
    "draw",
    "draw_building",
    "draw_character",
    "draw_display",
    "draw_provenance",
    "draw_score_track",
    "draw_street",
    "draw_table",
]
