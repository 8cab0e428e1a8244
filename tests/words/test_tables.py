"""Tables as text: what lies where, and how wide it is."""

from __future__ import annotations

import pytest

from tests.positions import a_building, position, seat
from tests.words.situations import RED
from valletta_rules import Character, Goods, apply, legal_actions, new_game
from valletta_rules.results import Outcome
from valletta_rules.words import GERMAN, draw_score_sheet, sketch_display


@pytest.mark.parametrize(
    ("width", "cost"),
    [(40, "2g1w1s…"), (48, "2g1w1s1b"), (60, "2g 1w 1s 1b"), (80, "2g 1w 1s 1b"), (150, "2g 1w")],
)
def test_the_display_is_as_wide_as_there_is_room(width: int, cost: str) -> None:
    """What is cut off is marked, and longer names begin farther to the left."""
    nun = a_building(character=Character.NUN, cost=Goods(2, 1, 1, 1))
    state = position(seat(), seat(), display=dict.fromkeys(range(20), nun))
    drawn = sketch_display(state, language=GERMAN, width=width)
    assert max(map(len, drawn.splitlines())) <= min(width, 120)
    assert ("Ordensschwester" in drawn) == (width >= 80)
    assert ("Orden" in drawn and "…" in drawn) == (width < 80)
    assert cost in drawn


def test_a_display_is_drawn_while_it_is_laid() -> None:
    """Sites to which nothing has been dealt are not drawn."""
    state = new_game(2)
    assert sketch_display(state).startswith("==1-5==")
    for _ in range(7):
        state = apply(state, legal_actions(state)[0])
    lines = sketch_display(state).splitlines()
    assert [line[:2] for line in lines[:6:5]] == [" 0", " 5"]
    assert [len(line) > 38 for line in lines] == [True, True, True, False, True, *[False] * 3]


def test_a_score_sheet_has_room_for_long_names() -> None:
    """All its lines are equally long."""
    sheet = draw_score_sheet(Outcome((RED, RED), (0, 1), "SCO-11"), ("Maximilian", "Ben"))
    assert len({len(line) for line in sheet.splitlines()[:3]}) == 1
