"""Tests of tables in plain text: their columns and their widths."""

import pytest

import valletta_rules as vr
from tests.positions import a_building, position, seat
from tests.words.situations import RED
from valletta_rules.words import GERMAN, draw_score_sheet, sketch_display
from valletta_rules.words.tables import draw_offers


@pytest.mark.parametrize(
    ("width", "cost"),
    [(40, "2g1w1s…"), (48, "2g1w1s1b"), (60, "2g 1w 1s 1b"), (80, "2g 1w 1s 1b"), (150, "2g 1w")],
)
def test_the_display_never_exceeds_the_given_width_or_120_columns(width: int, cost: str) -> None:
    """Names that do not fit are cut off and marked with an ellipsis."""
    nun = a_building(character=vr.Character.NUN, cost=vr.Goods(2, 1, 1, 1))
    state = position(seat(), seat(), display=dict.fromkeys(range(20), nun))
    drawn = sketch_display(state, language=GERMAN, width=width)
    assert max(map(len, drawn.splitlines())) <= min(width, 120)
    assert ("Ordensschwester" in drawn) == (width >= 80)
    assert ("Orden" in drawn and "…" in drawn) == (width < 80)
    assert cost in drawn


def test_a_display_drawn_during_setup_has_no_text_for_empty_sites() -> None:
    """Seven buildings have been dealt to the display."""
    state = vr.new_game(2)
    assert sketch_display(state).startswith("==1-5==")
    for _ in range(7):
        state = vr.apply(state, vr.legal_actions(state)[0])
    lines = sketch_display(state).splitlines()
    assert [line[:2] for line in lines[:6:5]] == [" 0", " 5"]
    assert [len(line) > 38 for line in lines] == [True, True, True, False, True, *[False] * 3]


def test_the_columns_of_a_score_sheet_are_aligned_with_names_of_different_length() -> None:
    """One name has three letters and the other has ten."""
    sheet = draw_score_sheet(vr.Outcome((RED, RED), (0, 1), "SCO-11"), ("Maximilian", "Ben"))
    assert len({len(line) for line in sheet.splitlines()[:3]}) == 1


def test_offers_are_drawn_in_columns_if_the_width_allows_and_as_plain_lines_otherwise() -> None:
    """The payment is shown if it differs from the price, and any bonus is shown."""
    building = a_building()
    offers = [
        vr.Offer(vr.Build(3), building, 1, vr.Goods(), vr.Goods(2, 1), vr.Goods(2, 1), 3),
        vr.Offer(vr.Upgrade(12), building, 0, vr.Goods(), vr.Goods(3), vr.Goods(2, 1), 0),
    ]
    columns = [
        "   3  build    Y Knight  2g 1w       1p gold, Valette 3p",
        "  12  upgrade  Y Knight  3g > 2g 1w  1p gold",
    ]
    assert draw_offers(offers).splitlines() == columns
    assert draw_offers(offers, width=len(columns[0])).splitlines() == columns
    assert draw_offers(offers, width=len(columns[0]) - 1).splitlines() == [
        "   3  build Y Knight; 2g 1w; 1p gold, Valette 3p",
        "  12  upgrade Y Knight; 3g > 2g 1w; 1p gold",
    ]
