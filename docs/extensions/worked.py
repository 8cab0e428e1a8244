"""Worked examples as parts of a page that unfold: what is given, what is played, what follows.

What an example changes is drawn before and after, out of the parts of a picture of the position.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final

from docutils import nodes
from languages import PHRASES
from markup import Shown, raw
from pictures import LARGEST, image, sites_of
from playable import try_it
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.rst import escape
from sphinx.util.typing import ExtensionMetadata
from templated import JINJA

from valletta_rules.actions import ChanceAction
from valletta_rules.specification.clauses import Example
from valletta_rules.specification.worked_examples import SEAT, Worked, example_named, work
from valletta_rules.svg import Drawing, Part, draw_parts
from valletta_rules.svg.board import ground
from valletta_rules.svg.drawing import drawing, place
from valletta_rules.text.values import read_bag, read_building, read_character
from valletta_rules.words import (
    LANGUAGES,
    SHORT_NAMES,
    describe_action,
    describe_cards,
    describe_prompt,
    describe_violation,
)

# What is told

CARDS: Final = frozenset({"hand", "draw", "discard", "played", "supply", "cards"})
"""The keys of which cards are said."""

NOTED: Final = frozenset({"legal", "may", "cannot", "asked", "told", "tells", "untold"})
"""The keys of which something is said in notation."""


def told(lines: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Write what is said by key, what is said of a seat together."""
    seats: dict[str, list[str]] = {}
    others = []
    for key, text in lines:
        first, _, rest = key.partition(".")
        if rest in SEAT:
            seats.setdefault(first, []).append(f"{label(rest)} {said(rest, text)}")
        elif first == "sites":
            others.append(f"Site {rest}: {building(text)}")
        elif first == "odds":
            others.append(f"``{rest}`` has a chance of {text}")
        elif first == "price":
            others.append(f"``{rest}`` costs {text}")
        elif first == "final":
            seat, _, part = rest.partition(".")
            what = {"": "points", "houses": "houses"}.get(part, f"points of the {part}")
            others.append(f"{seat.capitalize()} ends with {text} {what}")
        else:
            others.append(f"{label(key)}: {said(key, text)}")
    yield from (f"{seat.capitalize()}: {'; '.join(parts)}" for seat, parts in seats.items())
    yield from others


def building(text: str) -> str:
    """Write whose building it is, and what it costs if it is none of the card set."""
    if "/" not in text:
        return f"{SHORT_NAMES[read_character(text)]}'s building"
    described = read_building(text)
    return f"{SHORT_NAMES[described.character]}'s building at the cost of {described.cost}"


def label(key: str) -> str:
    """Return what is written for a key."""
    return PHRASES["key"]["en"].get(key, key.replace("_", " "))


def said(key: str, text: str) -> str:
    """Write what is said of a key."""
    if key in NOTED:
        return ", ".join(f"``{each}``" for each in text.split(", "))
    if key in CARDS and text not in ("-", "hidden"):
        return describe_cards(read_bag(text.replace(", ", ",")))
    return "none" if text == "-" else escape(text)


def played(worked: Worked) -> Iterator[str]:
    """Write what is played, in notation and in words."""
    for text, (state, action) in zip(worked.example.play, worked.steps(), strict=True):
        yield f"``{text}``: {escape(describe_action(state, action))}"


def follows(worked: Worked) -> Iterator[str]:
    """Write what follows."""
    if worked.violation is not None:
        said = escape(describe_violation(worked.violation, is_addressed=False))
        yield f"Refused: {said} (``{worked.violation.code}``)"
    then = [(key, text) for key, text in worked.example.then if key != "asked"]
    yield from told(then)
    if len(then) < len(worked.example.then):
        over = worked.after.prompt is None
        yield "The game is over" if over else escape(describe_prompt(worked.after))


def told_of(example: Example) -> str:
    """Write what is given in an example, what is played and what follows."""
    worked = work(example)
    parts = {
        "Given": told(worked.example.given),
        "Played": played(worked),
        "Asked": [worked.example.ask] if worked.example.ask else [],
        "Then": follows(worked),
    }
    said = {heading: " ".join(map(sentence, items)) for heading, items in parts.items()}
    return "\n\n".join(f"*{heading}:* {text}" for heading, text in said.items() if text)


def sentence(text: str) -> str:
    """End a text as a sentence ends."""
    return text if text.endswith((".", "?")) else f"{text}."


JINJA.globals |= {"told_of": told_of, "example_named": example_named}


# What is drawn

APART: Final = 8
"""How far apart the parts of a drawing lie."""

TOLD: Final = frozenset({"question", "played", "score-track"})
"""The parts that are told in words, or shown by others."""


def drawings(worked: Worked, language: str) -> Iterator[tuple[str, str, Drawing]]:
    """Draw what an example changes, before and after: each with its heading, and what is drawn.

    Before, what is played is ringed, and the sites stand by of which the example speaks.
    """
    said = PHRASES["example"][language]
    words = LANGUAGES[language]
    parts = draw_parts(worked.before, highlight=worked.actions[:1], language=words)
    then = draw_parts(worked.after, language=words)
    changed = [key for key in parts if parts[key] != then[key] and key not in TOLD]
    around = {f"site-{site}" for site in sites_of(worked)}
    shown = [key for key in parts if key in changed or key in around]
    if not shown:
        return
    yield composed(said["before"], [parts[key] for key in shown], changed)
    if changed and worked.violation is None:
        yield composed(said["after"], [then[key] for key in changed], changed)


def composed(when: str, parts: Sequence[Part], needed: Collection[str]) -> tuple[str, str, Drawing]:
    """Compose a drawing: the sites as they lie, everything else below one another.

    If it becomes too large, sites that only stand by are left out.
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
    said = "; ".join(part.title.partition(":")[0] for part in parts)
    drawn = drawing(
        width,
        height,
        when,
        said,
        ground(height, width),
        *(place(part.markup, APART + x, APART + y) for part, x, y in placed),
    )
    fewer = [part for part in parts if part.key in needed] or parts[:-1]
    if len(drawn.svg.encode()) > LARGEST and len(fewer) < len(parts):
        return composed(when, fewer, needed)
    return when, said, drawn


class ExampleDrawings(Shown):
    """`.. example-drawings:: BLD-6/two-neighbours`: what an example changes, before and after."""

    def shown(self) -> list[nodes.Node]:
        """Return the drawings, if there are any."""
        self.env.note_dependency(__file__)
        worked = work(example_named(self.arguments[0], self.code))
        figures = "".join(
            f"<figure><figcaption>{when}</figcaption>{image(self.env, picture, said)}</figure>"
            for when, said, picture in drawings(worked, self.code)
        )
        shown = [raw(f'<div class="example">{figures}</div>')] if figures else []
        return [*shown, *try_example(self.env, worked)]


def try_example(env: BuildEnvironment, worked: Worked) -> list[nodes.Node]:
    """Return a link that opens the game at an example, unless nobody can answer anything there."""
    is_chance = worked.violation is not None and isinstance(worked.actions[-1], ChanceAction)
    is_asked = worked.before.prompt is not None and not is_chance
    return try_it(env, "example", str(worked.example)) if is_asked else []


def setup(app: Sphinx) -> ExtensionMetadata:
    """Add the directive."""
    app.setup_extension("markup")
    app.add_directive("example-drawings", ExampleDrawings)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
