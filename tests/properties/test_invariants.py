"""What is true of every position that can be reached."""

from __future__ import annotations

from itertools import pairwise

import pytest

from spec.checks.random_games import Playthrough, games, in_every, whole_games
from valletta_rules import (
    Build,
    Decline,
    GameState,
    GiveGood,
    Phase,
    Upgrade,
    legal_actions,
    outcome,
    problems_of,
)
from valletta_rules.agenda import (
    ArchitectPrompt,
    ArtisanPrompt,
    BonusPrompt,
    PlayerPrompt,
    PlayPrompt,
    SitePrompt,
    TraderPrompt,
    ValettePrompt,
)
from valletta_rules.components.goods import MATERIALS
from valletta_rules.rulebook.final_phase import end_conditions

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


@pytest.mark.rule("BLD-29", "BLD-30", "SCO-1", "VAL-5")
@in_every(games)
def test_there_is_no_way_back(game: Playthrough) -> None:
    """Buildings stay; houses, upgrades, points, Valette's steps, revealed barrels become more."""
    for one, other in pairwise(game.positions):
        assert other.display[: len(one.display)] == one.display
        assert other.valette >= one.valette
        assert one.barrels.covers(other.barrels)
        for before, after in zip(one.players, other.players, strict=True):
            assert set(before.built) <= set(after.built)
            assert set(before.upgraded) <= set(after.upgraded)
            assert before.score <= after.score


@pytest.mark.rule("FIN-4", "FIN-16")
@in_every(whole_games)
def test_phases_follow_each_other(game: Playthrough) -> None:
    """A game goes from the setup to the main phase, then to the final phase, then it is over."""
    order = list(Phase)
    for one, other in pairwise(game.positions):
        assert order.index(other.phase) - order.index(one.phase) in (0, 1)
    assert (game.start.phase, game.end.phase) == (Phase.SETUP, Phase.OVER)


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


def can_choose(state: GameState, prompt: PlayerPrompt) -> bool:
    """Tell whether a prompt leaves a player something to do, as the wording of its rule has it."""
    player = state.players[prompt.seat]
    match prompt:
        case PlayPrompt():
            return bool(player.hand)
        case SitePrompt():
            return any(isinstance(action, Build | Upgrade) for action in legal_actions(state))
        case ValettePrompt():
            return bool(player.hand or state.supply)
        case TraderPrompt():
            return any(player.goods[material] for material in MATERIALS)
        case ArchitectPrompt():
            return any(player.goods[material] >= 4 for material in MATERIALS)
        case ArtisanPrompt():
            return bool(player.built)
        case BonusPrompt():
            return len(state.players) == 2
        case _ if GiveGood in prompt.answers:
            return player.goods.total >= 4
        case _:
            return legal_actions(state) != (Decline(),)


@pytest.mark.rule("TRN-14", "TRN-6", "BLD-26", "BLU-4", "BLU-9", "BLU-17", "YEL-5", "VAL-14")
@in_every(games)
def test_nobody_is_asked_in_vain(game: Playthrough) -> None:
    """A player is asked something only when there is something to choose."""
    for state in game.positions:
        prompt = state.prompt
        if isinstance(prompt, PlayerPrompt):
            assert can_choose(state, prompt)


@pytest.mark.rule("TRN-5", "TRN-23")
@in_every(games)
def test_only_the_active_player_is_asked_but_for_the_monk(game: Playthrough) -> None:
    """During a turn only its player makes choices, except that opponents choose for the Monk."""
    for state in game.positions:
        prompt = state.prompt
        if isinstance(prompt, PlayerPrompt) and state.phase in (Phase.MAIN, Phase.FINAL):
            assert (prompt.seat == state.active) is (GiveGood not in prompt.answers)


@pytest.mark.rule("FIN-4", "FIN-7")
@in_every(whole_games)
def test_the_turn_that_triggers_is_played_out(game: Playthrough) -> None:
    """The final phase begins as soon as a turn has ended after which a condition holds."""
    for move in game.moves:
        if move.after.active != move.before.active and move.before.phase is Phase.MAIN:
            assert (move.after.phase is Phase.FINAL) is bool(end_conditions(move.after))
