"""Conversion of drawings to PNG files, which requires the extra ``png``."""

from __future__ import annotations

from typing import Final

from valletta_rules.components import need
from valletta_rules.svg.drawing import Drawing

LARGEST: Final = 16_384
"""The maximum width and height of a picture, in pixels."""


def to_png(drawing: Drawing, *, scale: float = 2.0) -> bytes:
    """Return the bytes of a PNG file with a drawing, scaled to `scale` times its natural size.

    Texts use the fonts that are installed on this machine.  Without fonts, no texts are drawn.
    Raises `ModuleNotFoundError` if the extra ``png`` is not installed, and `ValueError` if the
    scaled width or height would be less than 1 pixel or more than `LARGEST` pixels.
    """
    need(drawing, Drawing, "a drawing")
    try:
        from resvg_py import svg_to_bytes
    except ModuleNotFoundError as missing:
        advice = f"{missing.name} is not installed: pip install 'valletta-rules[png]'"
        raise ModuleNotFoundError(advice, name=missing.name, path=missing.path) from missing
    sizes = sorted((scale * drawing.width, scale * drawing.height))
    if not 1 <= sizes[0] <= sizes[1] <= LARGEST:
        unfit = f"with the scale {scale!r}, width and height would not be 1 to {LARGEST} pixels"
        raise ValueError(unfit)
    return svg_to_bytes(svg_string=drawing.svg, zoom=scale)
