"""What is true of every position that can be reached."""

import pytest

from spec.checks.random_games import Playthrough, games, in_every
from valletta_rules import Phase, legal_actions, outcome, problems_of

EVERY = 12
"""Of how many positions of a game one is audited."""


@pytest.mark.rule("SET-14", "SET-16", "SET-17", "BLD-28", "VAL-10", "VAL-12", "VAL-13")
@pytest.mark.rule("BLD-3", "BLD-4", "BLD-15", "BLD-19", "BLD-29", "BLD-30", "CMP-19", "TRN-2")
@pytest.mark.rule("SET-3", "SET-4", "SET-6", "VAL-4", "VAL-5", "TRN-17", "TRN-21", "TRN-22")
@in_every(games)
def test_the_audit_finds_nothing(game: Playthrough) -> None:
    """In every position cards, goods, houses, barrels, hands and plays are as they can be.

    No card appears or disappears, and everybody keeps one Valette; nobody owes goods, holds more
    than five cards, plays more than three in a turn or builds more than eight houses; no two
    houses share a site; and the barrels gone are those behind Valette.  That the audit finds
    whatever is otherwise, `tests/audit` shows.
    """
    for state in (*game.positions[::EVERY], *game.positions[-3:]):
        assert problems_of(state) == ()


@pytest.mark.rule("FIN-16", "SCO-8")
@in_every(games)
def test_the_game_is_over_when_nothing_is_asked(game: Playthrough) -> None:
    """No question, no legal action, a result, and the phase OVER: all of them, or none."""
    for state in game.positions:
        over = state.phase is Phase.OVER
        assert (state.prompt is None) is over
        assert (state.agenda == ()) is over
        assert (legal_actions(state) == ()) is over
        assert (outcome(state) is not None) is over
        if over:
            assert not any(player.hand or player.draw_pile for player in state.players)
