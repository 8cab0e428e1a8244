"""A whole position as one picture: the table, the players, and who must decide what.

Of a view it shows what the view tells and no more.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

import attrs

from valletta_rules.agenda import BarrelPrompt
from valletta_rules.components.bags import CardBag
from valletta_rules.components.buildings import HOUSES_PER_PLAYER
from valletta_rules.components.display import SITES
from valletta_rules.components.goods import GOODS
from valletta_rules.rulebook.holdings import icons, owner_of
from valletta_rules.rulebook.scoring import score_sheet, winners
from valletta_rules.rulebook.valette import barrel_spaces
from valletta_rules.state import GameState, Phase
from valletta_rules.svg.board import (
    MARGIN,
    WIDTH,
    building_tile,
    display_around,
    display_height,
    street,
)
from valletta_rules.svg.drawing import Drawing, box, drawing, lines, path, place, text_line, wrapped
from valletta_rules.svg.palette import (
    ACCENT,
    FADED,
    PAPER,
    SEAT_LETTERS,
    SEAT_PAINTS,
    SHADE,
    TABLE,
)
from valletta_rules.svg.symbols import HOUSE, barrel, good_symbol
from valletta_rules.views.view import PlayerView, Table, view
from valletta_rules.words.english import (
    NAMES,
    SHORT_NAMES,
    counted,
    describe_cards,
    describe_prompt,
    describe_winner,
    joined,
    label,
)

HEAD: Final = 62
"""How high the lines above the display are."""

TRAY: Final = 50
"""How high the tray below the display is."""

PANEL: Final = (WIDTH - 2 * MARGIN - 10) / 2
"""How broad the panel of a player is."""

PANEL_TOP: Final = 106
"""How high a panel is above its lists of cards."""

SIZE: Final = 11.5
"""The size of the smaller text."""

LEADING: Final = 15
"""How far its lines are apart."""


ASKED: Final = "is asked"
"""What is said of the player who must decide."""


@attrs.frozen
class _Scene:
    """What is to be drawn."""

    seen: PlayerView
    """What is seen of the position."""
    hands: tuple[CardBag | None, ...]
    """The cards in the hands that may be shown."""
    watcher: str
    """Who is looking, as the end of a line."""
    names: Sequence[str]
    """What the players are called."""

    @property
    def table(self) -> Table:
        """What lies on the table."""
        return self.seen.table


def draw(position: GameState | PlayerView, *, names: Sequence[str] = NAMES) -> Drawing:
    """Draw a position: the street, the display, what every player has, and who must decide what.

    Of a whole position all cards are shown, of a view only those that its viewer may see; how many
    cards are in the other hands and draw piles everybody may know.  Equal views give equal
    drawings.
    """
    scene = _scene_of(position, names)
    seats = range(len(scene.table.players))
    count = SITES[len(seats)]
    panels = [_panel(scene, seat) for seat in seats]
    heights = [max(high for high, _ in panels[at : at + 2]) + 10 for at in range(0, len(panels), 2)]
    top = HEAD + display_height(count) + TRAY
    height = round(top + sum(heights) + MARGIN - 10)
    told = _question(scene)
    return drawing(
        WIDTH,
        height,
        f"A game of Valletta: {_status(scene)}",
        " ".join([told, *(_describe_seat(scene, seat) for seat in seats)]),
        box(0.5, 0.5, WIDTH - 1, height - 1, rx=12, fill=TABLE, stroke=SHADE),
        _head(scene, told),
        place(_table(scene, count), 0, HEAD),
        place(_tray(scene), 0, HEAD + display_height(count)),
        *(
            place(panel, MARGIN + seat % 2 * (PANEL + 10), top + sum(heights[: seat // 2]))
            for seat, (_, panel) in enumerate(panels)
        ),
    )


def draw_table(
    position: GameState | PlayerView, *, sites: Collection[int] | None = None
) -> Drawing:
    """Draw what lies on the table: the street, and the display around it with all houses.

    Of `sites` that are named, the buildings alone are drawn; of the others only the numbers.
    """
    scene = _scene_of(position, NAMES)
    count = SITES[len(scene.table.players)]
    height = round(display_height(count) + 2 * MARGIN)
    seats = range(len(scene.table.players))
    told = [f"Valette stands on space {scene.table.valette}."]
    return drawing(
        WIDTH,
        height,
        f"The table of a game of Valletta: {_status(scene)}",
        " ".join([*told, *(_describe_seat(scene, seat) for seat in seats)]),
        box(0.5, 0.5, WIDTH - 1, height - 1, rx=12, fill=TABLE, stroke=SHADE),
        place(_table(scene, count, sites), 0, MARGIN),
    )


def _scene_of(position: GameState | PlayerView, names: Sequence[str]) -> _Scene:
    """Return what is to be drawn of a position or of a view."""
    if isinstance(position, GameState):
        hands = tuple(player.hand for player in position.players)
        return _Scene(view(position, None), hands, "", names)
    watcher = "a spectator" if position.seat is None else names[position.seat]
    seen = tuple(player.hand for player in position.table.players)
    return _Scene(position, seen, f", as {watcher} sees it", names)


# Words


def _status(scene: _Scene) -> str:
    """Say by which rules the game is played, and how far it has come."""
    table = scene.table
    phase = table.phase + " phase" * (table.phase in (Phase.MAIN, Phase.FINAL))
    return f"{table.rules}, {len(table.players)} players, {phase}{scene.watcher}"


def _question(scene: _Scene) -> str:
    """Say who must decide what, or who has won."""
    table = scene.table
    if table.phase is not Phase.OVER:
        return describe_prompt(scene.seen, scene.names)
    result = winners(score_sheet(table))
    return f"The game is over: {describe_winner(result, scene.names)}."


def _describe_seat(scene: _Scene, seat: int) -> str:
    """Say what a player has."""
    player, display = scene.table.players[seat], scene.table.display
    houses = joined(
        [
            f"{label(display[site])} on site {site}{', upgraded' * (site in player.upgraded)}"
            for site in player.built
        ]
    )
    return (
        f"{scene.names[seat]} has {player.goods}; houses: {houses or 'none'};"
        f" {_points(scene, seat)}; {_pile_sizes(scene, seat)}."
    )


def _points(scene: _Scene, seat: int) -> str:
    """Say the points of a player, those included that he would score if the game ended now."""
    score = score_sheet(scene.table)[seat]
    parts = f"track {score.track} + buildings {score.buildings} + goods {score.goods}"
    return f"{parts} = {counted(score.total, 'point')}"


def _pile_sizes(scene: _Scene, seat: int) -> str:
    """Say how many cards are in a player's hand and piles."""
    player = scene.table.players[seat]
    return (
        f"{player.hand_size} in hand, {player.draw_pile_size} in the draw pile,"
        f" {len(player.discard_pile)} discarded"
    )


# The table


def _head(scene: _Scene, told: str) -> str:
    """Return the lines above the display: the game, and the question."""
    prompt = scene.seen.prompt
    clause = "" if prompt is None else f"[{prompt.clause}]"
    bar = box(MARGIN, 30, WIDTH - 2 * MARGIN, 25, rx=5, fill=PAPER, stroke=ACCENT, stroke_width=1.5)
    return (
        text_line(_status(scene), MARGIN, 21, 12, fill=FADED, room=WIDTH - 2 * MARGIN)
        + bar
        + text_line(told, MARGIN + 10, 47, 13.5, bold=True, room=WIDTH - 2 * MARGIN - 90)
        + text_line(clause, WIDTH - MARGIN - 10, 47, 12, fill=FADED, anchor="end")
    )


def _table(scene: _Scene, count: int, sites: Collection[int] | None = None) -> str:
    """Return the display around the street, with the buildings of some sites or of all."""
    table = scene.table
    laid = barrel_spaces(table.rules, len(table.players))
    is_closed = any(isinstance(step, BarrelPrompt) for step in scene.seen.agenda)
    first = table.valette + (not is_closed)
    lane = street(
        [space for space in laid if space >= first],
        [space for space in laid if space < first],
        table.valette,
        [player.score for player in table.players],
    )
    shown = range(len(table.display)) if sites is None else sites
    return display_around(count, lane, lambda site: _site(table, site, shown))


def _site(table: Table, site: int, shown: Collection[int]) -> str:
    """Return a site with its building, or empty if none has been dealt to it or none is shown."""
    if site >= len(table.display) or site not in shown:
        empty = box(0, 0, 140, 104, rx=6, fill="none", stroke=SHADE, stroke_dasharray="4 3")
        return empty + text_line(site, 70, 58, 14, fill=FADED, anchor="middle")
    owner = owner_of(table, site)
    upgraded = owner is not None and site in table.players[owner].upgraded
    return building_tile(table.display[site], site, owner, upgraded=upgraded)


def _tray(scene: _Scene) -> str:
    """Return what belongs to nobody: the barrels not yet revealed, the supply, the cards played."""
    table = scene.table
    parts = [place(barrel(), MARGIN + 10, 14, 0.9), text_line("unrevealed:", MARGIN + 24, 18, SIZE)]
    for number, good in enumerate(GOODS):
        x = MARGIN + 112 + 46 * number
        parts.append(text_line(table.barrels[good], x, 18, 12.5, bold=True, anchor="end"))
        parts.append(place(good_symbol(good), x + 13, 14, 0.8))
    supply = f"Character supply: {describe_cards(table.supply)}"
    played = ", ".join(SHORT_NAMES[each] for each in table.played) or "nothing yet"
    turn = f"Played this turn: {played}"
    return "".join(
        [
            *parts,
            text_line(turn, MARGIN + PANEL + 10, 18, SIZE, room=PANEL),
            text_line(supply, MARGIN, 39, SIZE, room=WIDTH - 2 * MARGIN),
        ]
    )


# The players


def _panel(scene: _Scene, seat: int) -> tuple[float, str]:
    """Return the panel of a player and its height."""
    listed = _cards_listed(scene, seat)
    height = PANEL_TOP + LEADING * len(listed) + (4 if listed else 0)
    paint, role = SEAT_PAINTS[seat], _role(scene, seat)
    edge = ACCENT if ASKED in role else SHADE
    return height, "".join(
        (
            box(0, 0, PANEL, height, rx=7, fill=PAPER, stroke=edge, stroke_width=2),
            box(0, 0, PANEL, 26, rx=7, fill=paint.ground),
            text_line(
                f"{SEAT_LETTERS[seat]}  {scene.names[seat]}",
                12,
                18,
                14,
                fill=paint.ink,
                bold=True,
                room=PANEL - 150,
            ),
            text_line(role, PANEL - 12, 18, SIZE, fill=paint.ink, anchor="end"),
            _stock(scene.table, seat),
            _houses_left(scene.table, seat),
            text_line(_points(scene, seat), 12, 80, SIZE, room=PANEL - 24),
            text_line(_pile_sizes(scene, seat), 12, 97, SIZE, fill=FADED, room=PANEL - 24),
            lines(listed, 12, PANEL_TOP + 7, LEADING, size=SIZE),
        )
    )


def _cards_listed(scene: _Scene, seat: int) -> tuple[str, ...]:
    """Return the lines that name the cards of a player, as far as they may be shown."""
    hand = scene.hands[seat]
    if hand is None:
        return ()
    room, pile = PANEL - 24, scene.table.players[seat].hidden - hand
    return (
        *wrapped(f"Hand: {describe_cards(hand)}", room, SIZE),
        *wrapped(f"Draw pile: {describe_cards(pile)}", room, SIZE),
    )


def _role(scene: _Scene, seat: int) -> str:
    """Say what a player is about to do."""
    parts = []
    prompt, table = scene.seen.prompt, scene.table
    if prompt is not None and prompt.seat == seat:
        parts.append(ASKED)
    if table.phase in (Phase.MAIN, Phase.FINAL) and table.active == seat:
        parts.append("on turn")
    return ", ".join(parts)


def _stock(table: Table, seat: int) -> str:
    """Return the goods of a player, each with the number of icons of it."""
    parts = []
    for number, good in enumerate(GOODS):
        x = 12 + 62 * number
        parts.append(place(good_symbol(good), x + 9, 44))
        parts.append(text_line(table.players[seat].goods[good], x + 22, 49, 14, bold=True))
        shown = f"({icons(table, seat, good)})"
        parts.append(text_line(shown, x + 39, 49, SIZE, fill=FADED))
    return "".join(parts)


def _houses_left(table: Table, seat: int) -> str:
    """Return the houses that a player has not yet built."""
    left = HOUSES_PER_PLAYER - len(table.players[seat].built)
    drawn = (
        path(
            HOUSE,
            fill=SEAT_PAINTS[seat].ground if number < left else "none",
            stroke=SHADE,
            transform=f"translate({PANEL - 125 + 15.5 * number:g} 44) scale(0.5)",
        )
        for number in range(HOUSES_PER_PLAYER)
    )
    count = text_line(
        f"{counted(left, 'house')} left", PANEL - 12, 65, 10.5, fill=FADED, anchor="end"
    )
    return "".join(drawn) + count
