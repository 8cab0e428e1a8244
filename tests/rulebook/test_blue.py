"""The blue characters: what holds whatever anybody owns; the rest are examples."""

from __future__ import annotations

import pytest

from valletta_rules import apply
from valletta_rules.agenda import PlayPrompt
from valletta_rules.specification.worked_examples import action_of, position_of


@pytest.mark.rule("BLU-5", "BLU-25", "BLU-32")
@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("play", [("monk", "give gold"), ("innkeeper",), ("tax_collector",)])
def test_no_extra_good_with_more_players(play: tuple[str, ...], players: int) -> None:
    """With three or four players there is no extra good after the gifts."""
    red, blue = {"hand": f"{play[0]}, maid"}, {"goods": "3 gold, 3 wood"}
    state = position_of({"players": players, "red": red, "blue": blue})
    for text in play:
        state = apply(state, action_of(state, text))
    assert state.prompt == PlayPrompt(0, 2)
    assert state.players[0].goods.total == 1
