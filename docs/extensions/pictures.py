"""Drawings in separate files, which pages share and browsers load lazily.

Each file is named after a hash of its content, so a picture on several pages is stored only once.
The picture of a position is assembled in HTML from files that each contain one part.  A part that
occurs in several positions is thus loaded only once.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Final, NamedTuple

from docutils import nodes
from markup import raw
from sphinx.environment import BuildEnvironment

from valletta_rules import Build, Upgrade, svg
from valletta_rules.specification.worked_examples import Worked
from valletta_rules.svg import Drawing, Part
from valletta_rules.svg.palette import TABLE

LARGEST: Final = 30_000
"""The maximum size of a picture file in bytes."""

MARGIN: Final = 8
"""The margin around the visible parts of a drawing, in units of the drawing."""

ON_THE_TABLE: Final = ("site-", "street", "score-track")
"""The key prefixes of the shared parts of the table, which belong to no player."""

AIR: Final = 4
"""The margin around a part that has its own file, in units of the drawing."""


class Frame(NamedTuple):
    """The visible rectangle of a drawing."""

    x: float
    y: float
    width: float
    height: float


def note_code(env: BuildEnvironment) -> None:
    """Make the current page depend on the source code that draws pictures."""
    for path in Path(svg.__file__).parent.glob("*.py"):
        env.note_dependency(str(path))


def stored(env: BuildEnvironment, drawing: Drawing) -> str:
    """Write a drawing to a file; return the address of the file relative to the current page.

    Raises `ValueError` if the drawing exceeds the maximum size.
    """
    content = drawing.svg.encode()
    if len(content) > LARGEST:
        raise ValueError(
            f"{drawing.title!r}: a picture has at most {LARGEST:,} bytes, not {len(content):,}"
        )
    name = f"_images/drawn/{hashlib.sha256(content).hexdigest()[:16]}.svg"
    path = Path(env.app.outdir) / name
    if env.app.builder.format == "html" and not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return "../" * env.docname.count("/") + name


def image(env: BuildEnvironment, drawing: Drawing, alt: str | None = None, more: str = "") -> str:
    """Return a drawing as an HTML image that is loaded lazily; `alt` is the alternative text."""
    escaped = escape(drawing.description if alt is None else alt)
    return (
        f'<img src="{stored(env, drawing)}" alt="{escaped}" loading="lazy" width="{drawing.width}"'
        f' height="{drawing.height}"{more}>'
    )


def gallery(
    env: BuildEnvironment, kind: str, label: str, cards: Iterable[tuple[str, Iterable[Drawing]]]
) -> nodes.raw:
    """Return a row of cards, each given by an optional link and the drawings of its sides."""
    note_code(env)
    items = []
    for address, sides in cards:
        images = "".join(image(env, each, f"{each.title}: {each.description}") for each in sides)
        linked = f'<a href="{address}">{images}</a>' if address else images
        items.append(f"<li>{linked}</li>")
    return raw(
        f'<ul class="valletta-gallery {kind}" aria-label="{escape(label)}">{"".join(items)}</ul>'
    )


def framed(drawing: Drawing, *caption: nodes.Node) -> list[nodes.Node]:
    """Return a drawing as inline SVG in a figure that can be scrolled, with an optional caption."""
    opening = (
        '<figure class="valletta-figure"><div class="valletta-scroll" tabindex="0"'
        f' role="group" aria-label="{escape(drawing.title)}">{drawing}</div>'
    )
    return captioned(opening, caption)


def captioned(opening: str, caption: Sequence[nodes.Node]) -> list[nodes.Node]:
    """Return a figure that begins with the given HTML and ends with an optional caption."""
    if not caption:
        return [raw(f"{opening}</figure>")]
    return [raw(f"{opening}<figcaption>"), *caption, raw("</figcaption></figure>")]


def sites_of(worked: Worked) -> set[int]:
    """Return the sites that an example specifies, that its actions choose, or that have houses."""
    given = {int(key[6:]) for key, _ in worked.example.given if key.startswith("sites.")}
    chosen = {each.site for each in worked.actions if isinstance(each, Build | Upgrade)}
    return given | chosen | {site for player in worked.after.players for site in player.built}


def around(parts: Iterable[Part]) -> Frame:
    """Return the smallest frame that contains the given parts and a margin."""
    chosen = [*parts]
    x, y = (min(edges) - MARGIN for edges in ([p.x for p in chosen], [p.y for p in chosen]))
    right = max(part.x + part.width for part in chosen) + MARGIN
    bottom = max(part.y + part.height for part in chosen) + MARGIN
    return Frame(x, y, right - x, bottom - y)


def is_visible(part: Part, frame: Frame) -> bool:
    """Return whether a part overlaps a frame by more than the margin."""
    broad = min(part.x + part.width, frame.x + frame.width) - max(part.x, frame.x)
    high = min(part.y + part.height, frame.y + frame.height) - max(part.y, frame.y)
    return min(broad, high) > MARGIN


def composed(env: BuildEnvironment, parts: Iterable[Part], frame: Frame, label: str) -> str:
    """Return those parts that are visible in a frame, as HTML; `label` is the alternative text."""
    pieces = []
    for part in parts:
        alone = part.alone()
        left, top = (part.x - AIR - frame.x) / frame.width, (part.y - AIR - frame.y) / frame.height
        if is_visible(part, frame):
            where = f"left:{left:.3%};top:{top:.3%};width:{alone.width / frame.width:.3%}"
            pieces.append(image(env, alone, "", f' style="{where}"'))
    shape = f"aspect-ratio:{frame.width:.0f}/{frame.height:.0f};max-width:{frame.width:.0f}px"
    broad = " broad" if frame.width > 500 else ""
    return (
        f'<div class="composed-scroll{broad}"><div class="composed" role="img"'
        f' aria-label="{escape(label)}" style="{shape};background:{TABLE}">{"".join(pieces)}</div>'
        "</div>"
    )


def table_of(env: BuildEnvironment, parts: Mapping[str, Part], keys: Iterable[str] = ()) -> str:
    """Return a picture of the shared table, cropped to the parts with the given keys, if any."""
    table = {key: part for key, part in parts.items() if key.startswith(ON_THE_TABLE)}
    visible = [table[key] for key in keys or table]
    frame, street = around(visible), around([table["street"]])
    top = min(frame.y, street.y)
    bottom = max(frame.y + frame.height, street.y + street.height)
    frame = frame._replace(y=top, height=bottom - top)
    return composed(env, table.values(), frame, " ".join(part.title for part in visible))


def figure(html: str, *caption: nodes.Node, kind: str = "") -> list[nodes.Node]:
    """Return pictures, given as HTML, as a figure with an optional caption."""
    return captioned(f'<figure class="pictures {kind}">{html}', caption)
