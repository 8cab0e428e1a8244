"""A cache for the parts of the drawings that pages show: street, score track and sites.

A part is drawn only if its content is not in the cache.  The page's script draws hands, panels and
the prompt.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Mapping
from functools import lru_cache
from typing import Any, Final

import attrs

from valletta_rules.actions import Action, Build, Upgrade
from valletta_rules.agenda import BarrelPrompt, PaymentPrompt, SitePrompt
from valletta_rules.components import Character, Colour, Good
from valletta_rules.rulebook.building import building_price, upgrade_price
from valletta_rules.rulebook.houses_and_icons import owner_of
from valletta_rules.rulings import HANS_IM_GLUECK
from valletta_rules.svg import PAINTS, SEAT_PAINTS, Paint, Part, draw_card, draw_good, draw_parts
from valletta_rules.views import PlayerView
from valletta_rules.web.protocol import Patch
from valletta_rules.words import LANGUAGES

MOST: Final = 5_000
"""The maximum number of cached parts; a game needs a few hundred."""


@attrs.frozen(cache_hash=True)
class Appearance:
    """The names and colours of the players, and the language of the drawing."""

    names: tuple[str, ...]
    colours: tuple[str, ...]
    language: str


_drawn: Final[dict[Hashable, Part]] = {}


def board(
    view: PlayerView, appearance: Appearance, highlight: Collection[Action] = ()
) -> dict[str, Part]:
    """Draw a view, and return the parts of the drawing by key.

    `highlight` contains the actions whose sites are marked with a ring.
    """
    contents = {key: (key, appearance, fact) for key, fact in _facts(view, appearance, highlight)}
    missing = [key for key, fact in contents.items() if fact not in _drawn]
    if missing:
        if len(_drawn) > MOST:
            _drawn.clear()
            missing = list(contents)
        parts = draw_parts(
            view,
            names=appearance.names,
            colours=appearance.colours,
            language=LANGUAGES[appearance.language],
            highlight=highlight,
            keys=missing,
        )
        _drawn.update((contents[key], part) for key, part in parts.items())
    return {key: _drawn[fact] for key, fact in contents.items()}


def _facts(
    view: PlayerView, appearance: Appearance, highlight: Collection[Action]
) -> Iterator[tuple[str, Hashable]]:
    """Yield the key of each part, and a value that determines the content of the part."""
    table, players = view.table, len(view.table.players)
    is_closed = any(isinstance(step, BarrelPrompt) for step in view.agenda)
    yield "street", (table.rules, table.valette, is_closed)
    yield "score-track", tuple(player.score for player in table.players)
    for site in range(len(table.display)):
        owner = owner_of(table, site)
        is_upgraded = owner is not None and site in table.players[owner].upgraded
        price = _price(view, site, highlight)
        yield f"site-{site}", (players, table.display[site], owner, is_upgraded, price)


def _price(view: PlayerView, site: int, highlight: Collection[Action]) -> Hashable:
    """Return the price to show on a site that can be chosen or must be paid for, or else `None`."""
    prompt = view.prompt
    if isinstance(prompt, PaymentPrompt):
        return ("chosen", prompt.price) if prompt.site == site else None
    if not isinstance(prompt, SitePrompt):
        return None
    if Build(site) in highlight:
        return building_price(view.table, prompt.seat, site, prompt.reduction)
    if Upgrade(site) in highlight:
        return upgrade_price(view.table, site, prompt.reduction)
    return None


def patch(before: Mapping[str, Part], after: Mapping[str, Part]) -> Patch:
    """Return the changes from `before`, the drawing that the page shows, to `after`."""
    changed = [part for key, part in after.items() if before.get(key) is not part]
    return Patch(tuple(changed), tuple(key for key in before if key not in after))


# Pictures for every page


@lru_cache(maxsize=len(LANGUAGES))
def stock(code: str) -> Mapping[str, Any]:
    """Return the pictures of all cards and goods, and the colours that pages use, as JSON values.

    The texts in the pictures are in the language `code`.

    The Apprentice is included twice, because its colour depends on the rule set.
    """
    language = LANGUAGES[code]
    cards = {card.value: draw_card(card, language=language).svg for card in Character}
    purple = HANS_IM_GLUECK.with_answers("purple", apprentice_colour=Colour.PURPLE)
    name = f"{Character.APPRENTICE.value}-purple"
    cards[name] = draw_card(Character.APPRENTICE, purple, language=language).svg
    return {
        "cards": cards,
        "goods": {good.value: draw_good(good, language=language).svg for good in Good},
        "paints": {"seats": _paints(SEAT_PAINTS), "cards": _paints(PAINTS)},
    }


def _paints(paints: Mapping[Any, Paint]) -> Mapping[str, Any]:
    return {str(name): attrs.asdict(paint) for name, paint in paints.items()}
