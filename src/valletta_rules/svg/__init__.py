"""SVG pictures of cards, boards and positions.

The functions are pure and return a `Drawing`, or a `Part` of a drawing.  Only PNG files need a
package in addition to the standard library.  The pictures contain no artwork of the publishers.
"""

from valletta_rules.svg.board import draw_display, draw_score_track, draw_street
from valletta_rules.svg.cards import draw_building, draw_character
from valletta_rules.svg.drawing import Drawing
from valletta_rules.svg.hands import draw_card, draw_good
from valletta_rules.svg.palette import PAINTS, SEAT_COLOURS, SEAT_PAINTS, Paint
from valletta_rules.svg.picture_parts import Part
from valletta_rules.svg.png import to_png
from valletta_rules.svg.position import draw, draw_parts, draw_table

__all__ = [
    "PAINTS",
    "SEAT_COLOURS",
    "SEAT_PAINTS",
    "Drawing",
    "Paint",
    "Part",
    "draw",
    "draw_building",
    "draw_card",
    "draw_character",
    "draw_display",
    "draw_good",
    "draw_parts",
    "draw_score_track",
    "draw_street",
    "draw_table",
    "to_png",
]
