"""Drawings of a player's possessions: goods, houses, points and cards."""

from __future__ import annotations

from typing import Final

from valletta_rules.components import GOODS, HOUSES_PER_PLAYER
from valletta_rules.rulebook.houses_and_icons import icons
from valletta_rules.svg.board import MARGIN, WIDTH
from valletta_rules.svg.drawing import box, group, lines, path, place, text_line, wrapped
from valletta_rules.svg.hands import SIZE
from valletta_rules.svg.palette import ACCENT, FADED, INK, PAPER, SEAT_LETTERS, SHADE
from valletta_rules.svg.scene import Scene
from valletta_rules.svg.symbols import PATHS, symbol

PANEL: Final = (WIDTH - 2 * MARGIN - 10) / 2
"""The width of a player's panel."""

LEADING: Final = 14.5
"""The distance between the baselines of the lines of text in a panel."""

LISTED: Final = 4
"""The maximum number of lines for the names of cards in a panel."""

PANEL_HEIGHT: Final = 110 + LEADING * LISTED
"""The height of a player's panel."""


def panel(scene: Scene, seat: int) -> str:
    """Return the panel of a player, with name, goods, houses, points and cards."""
    paint = scene.paints[seat]
    edge = ACCENT if scene.is_asked(seat) else SHADE
    room = PANEL - 24
    return "".join(
        (
            box(0, 0, PANEL, PANEL_HEIGHT, rx=7, fill=PAPER, stroke=edge, stroke_width=2),
            path(
                f"M0 26V7A7 7 0 0 1 7 0H{PANEL - 7:g}A7 7 0 0 1 {PANEL:g} 7V26Z",
                fill=paint.ground,
                stroke=edge,
            ),
            text_line(
                f"{SEAT_LETTERS[seat]}  {scene.names[seat]}",
                12,
                18,
                14,
                fill=paint.ink,
                bold=True,
                room=PANEL - 150,
            ),
            text_line(scene.role(seat), PANEL - 12, 18, SIZE, fill=paint.ink, anchor="end"),
            _stock(scene, seat),
            _houses_left(scene, seat),
            text_line(scene.points(seat), 12, 80, SIZE, room=room),
            text_line(scene.pile_sizes(seat), 12, 97, SIZE, fill=FADED, room=room),
            lines(_cards_listed(scene, seat, room), 12, 114, LEADING, size=10.5),
        )
    )


def _cards_listed(scene: Scene, seat: int, room: float) -> tuple[str, ...]:
    """Return the cards in a player's piles that the viewer may see, as lines of names."""
    player, hand, phrase = scene.players[seat], scene.hands[seat], scene.phrase
    known = ("hidden", player.hidden) if hand is None else ("draw_pile", player.hidden - hand)
    listed = [
        line
        for key, cards in (known, ("discard_pile", player.discard_pile))
        for line in wrapped(
            f"{phrase(f'captions.{key}')}: {scene.language.describe_cards(cards)}", room, 10.5
        )
        if cards
    ]
    return tuple(listed if len(listed) <= LISTED else [*listed[: LISTED - 1], "…"])


def _stock(scene: Scene, seat: int) -> str:
    """Return the goods of a player, each with the number of the player's icons of this good."""
    parts = []
    for number, good in enumerate(GOODS):
        count = text_line(scene.players[seat].goods[good], 22, 5, 14, bold=True)
        icon_count = text_line(f"({icons(scene.table, seat, good)})", 39, 5, SIZE, fill=FADED)
        stock = group(place(symbol(good), 9, 0), count, icon_count, kind="good", good=good)
        parts.append(place(stock, 12 + 62 * number, 44))
    return "".join(parts)


def _houses_left(scene: Scene, seat: int) -> str:
    """Return the houses that a player has not yet built."""
    left = HOUSES_PER_PLAYER - len(scene.players[seat].built)
    drawn = (
        path(
            PATHS["walls"],
            fill=scene.paints[seat].ground if number < left else "none",
            stroke=INK if number < left else SHADE,
            transform=f"translate({PANEL - 125 + 15.5 * number:g} 44) scale(0.5)",
        )
        for number in range(HOUSES_PER_PLAYER)
    )
    caption = text_line(
        scene.phrase("captions.houses_left", left), PANEL - 12, 65, 10.5, fill=FADED, anchor="end"
    )
    return group(*drawn, caption, kind="houses")
