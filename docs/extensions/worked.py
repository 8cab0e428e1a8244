"""Drawings of worked examples, which show the changed parts of the table before and after."""

import re
from collections.abc import Collection, Iterator, Sequence
from functools import cache
from typing import Final

from docutils import nodes
from languages import PHRASES
from markup import NodeDirective, raw
from pictures import LARGEST, image, sites_of
from playable import try_it
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.typing import ExtensionMetadata
from templated import JINJA

from valletta_rules.actions import ChanceAction
from valletta_rules.specification.worked_examples import Worked, example_named, work
from valletta_rules.svg import Drawing, Part, draw_parts
from valletta_rules.svg.board import ground
from valletta_rules.svg.drawing import drawing, place
from valletta_rules.words import LANGUAGES

JINJA.globals["example_named"] = example_named

APART: Final = 8
"""The distance between two parts of a drawing, in its units."""

NEVER_DRAWN: Final = frozenset({"question", "played", "score-track"})
"""The keys of parts that are never drawn, because the text or other parts show the same facts."""


@cache
def changed_by(example: str) -> tuple[str, ...]:
    """Return the keys of the parts that an example changes. They do not depend on the language."""
    worked = work(example_named(example, "en"))
    before = draw_parts(worked.before, highlight=worked.actions[:1])
    after = draw_parts(worked.after)
    return tuple(key for key in before if before[key] != after[key] and key not in NEVER_DRAWN)


def drawings(worked: Worked, language: str) -> Iterator[tuple[str, str, Drawing]]:
    """Yield heading, description and drawing of the table before and after an example's moves.

    Both drawings contain the parts that the example changes, and the players that it names, or all
    players if it mentions opponents.  The drawing before the moves also highlights the first action
    and includes the sites.
    """
    phrases, words = PHRASES["example"][language], LANGUAGES[language]
    changed = changed_by(str(worked.example))
    says, anyone = worked.example.says, "[Oo]pponent|Mitspieler"
    seats = (at for at, name in enumerate(words.names) if re.search(f"{name}|{anyone}", says))
    keys = {*changed, *(f"player-{seat}" for seat in seats)}
    all_keys = keys.union(f"site-{site}" for site in sites_of(worked))
    before = draw_parts(worked.before, highlight=worked.actions[:1], language=words, keys=all_keys)
    if before:
        yield composed(phrases["before"], [*before.values()], changed)
    if changed and worked.violation is None:
        after = draw_parts(worked.after, language=words, keys=keys)
        yield composed(phrases["after"], [*after.values()], changed)


def named(part: Part) -> str:
    """Return the name of a part: for a site, its building and owner; otherwise the part's title."""
    return part.title.partition(": ")[2 if part.key.startswith("site-") else 0]


def composed(when: str, parts: Sequence[Part], needed: Collection[str]) -> tuple[str, str, Drawing]:
    """Compose a drawing of parts: the sites as on the table, and all other parts below them.

    If the drawing is too large, sites that are not `needed` are omitted.
    """
    sites = [part for part in parts if part.key.startswith("site-")]
    left, top = (min((getattr(site, at) for site in sites), default=0.0) for at in "xy")
    placed = [(part, part.x - left, part.y - top) for part in sites]
    below = max((y + part.height + APART for part, _, y in placed), default=0.0)
    for part in parts:
        if part not in sites:
            placed.append((part, 0.0, below))
            below += part.height + APART
    width = round(max(x + part.width for part, x, _ in placed)) + 2 * APART
    height = round(below) + APART
    description = "; ".join(map(named, parts))
    elements = (place(part.markup, APART + x, APART + y) for part, x, y in placed)
    drawn = drawing(width, height, when, description, ground(height, width), *elements)
    fewer = [part for part in parts if part.key in needed] or parts[:-1]
    if len(drawn.svg.encode()) > LARGEST and len(fewer) < len(parts):
        return composed(when, fewer, needed)
    return when, description, drawn


class ExampleDrawings(NodeDirective):
    """The directive `.. example-drawings:: BLD-6/two-neighbours`: drawings of a worked example."""

    def build_nodes(self) -> list[nodes.Node]:
        """Return the drawings of the example; empty if the example changes nothing."""
        self.env.note_dependency(__file__)
        return [raw(example_html(self.env, self.arguments[0], self.code))]


def example_html(env: BuildEnvironment, name: str, language: str) -> str:
    """Return the drawings of a worked example, and a link that opens the game at its position."""
    worked = work(example_named(name, language))
    figures = "".join(
        f"<figure><figcaption>{when}</figcaption>{image(env, picture, description)}</figure>"
        for when, description, picture in drawings(worked, language)
    )
    html = f'<div class="example">{figures}</div>' if figures else ""
    return html + "".join(each.astext() for each in try_example(env, worked))


def try_example(env: BuildEnvironment, worked: Worked) -> list[nodes.Node]:
    """Return a list with a link that opens the game at an example.

    The list is empty if the game is over, or if the example refuses a random outcome.
    """
    is_chance = worked.violation is not None and isinstance(worked.actions[-1], ChanceAction)
    is_playable = worked.before.prompt is not None and not is_chance
    return try_it(env, "example", str(worked.example)) if is_playable else []


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register the directive."""
    app.setup_extension("markup")
    app.add_directive("example-drawings", ExampleDrawings)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
