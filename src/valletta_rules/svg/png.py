"""Drawings as PNG, if the extra ``png`` is installed."""

from __future__ import annotations

from typing import Final

from valletta_rules.svg.drawing import Drawing

LARGEST: Final = 16_384
"""The maximum width and height of a picture, in pixels."""


def to_png(drawing: Drawing, *, scale: float = 2.0) -> bytes:
    """Return a drawing as a PNG file, `scale` times its natural size.

    Texts are written in the fonts of this machine; without fonts they are missing.  Raises
    `ModuleNotFoundError` if the extra ``png`` is not installed, `ValueError` for a scale with which
    the picture would be less than a pixel or more than `LARGEST` pixels broad or high.
    """
    try:
        from resvg_py import svg_to_bytes
    except ModuleNotFoundError as missing:
        advice = f"{missing.name} is not installed: pip install 'valletta-rules[png]'"
        raise ModuleNotFoundError(advice, name=missing.name, path=missing.path) from missing
    sizes = sorted((scale * drawing.width, scale * drawing.height))
    if not 1 <= sizes[0] <= sizes[1] <= LARGEST:
        raise ValueError(f"{scale!r} times its size the picture would have no size for a file")
    return svg_to_bytes(svg_string=drawing.svg, zoom=scale)
