"""Tests of properties that all positions in a game have."""

import pytest

from spec.checks.random_games import Playthrough, games, in_every
from valletta_rules import Phase, legal_actions, outcome, problems_of

EVERY = 12
"""The number of positions from one audited position to the next. The last three are audited too."""


@pytest.mark.rule("SET-14", "SET-16", "SET-17", "BLD-28", "VAL-10", "VAL-12", "VAL-13")
@pytest.mark.rule("BLD-3", "BLD-4", "BLD-15", "BLD-19", "BLD-29", "BLD-30", "CMP-19", "TRN-2")
@pytest.mark.rule("SET-3", "SET-4", "SET-6", "VAL-4", "VAL-5", "TRN-17", "TRN-21", "TRN-22")
@in_every(games)
def test_the_audit_finds_no_problem_in_positions_of_random_games(game: Playthrough) -> None:
    """Cards, goods, houses, barrels and hands have possible values.

    For example, no card disappears, and no hand has more than five cards.  No player plays more
    than three cards in a turn or builds more than eight houses.  No two houses share a site, and
    the revealed barrels are those behind Valette.  The tests in `tests/audit` check that the audit
    detects violations.
    """
    for state in (*game.positions[::EVERY], *game.positions[-3:]):
        assert problems_of(state) == ()


@pytest.mark.rule("FIN-16", "SCO-8")
@in_every(games)
def test_a_game_is_over_if_and_only_if_there_is_no_prompt(game: Playthrough) -> None:
    """The game then has no legal actions. It has an outcome, and its phase is `OVER`."""
    for state in game.positions:
        over = state.phase is Phase.OVER
        assert (state.prompt is None) is over
        assert (state.agenda == ()) is over
        assert (legal_actions(state) == ()) is over
        assert (outcome(state) is not None) is over
        if over:
            assert not any(player.hand or player.draw_pile for player in state.players)
