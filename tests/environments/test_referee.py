"""Tests of the referee, which skips prompts that have only one legal action number."""

import random
from random import Random

import pytest

from tests.bots.listener import Listener
from valletta_rules import GameState, TurnBegan, outcome, replay, view
from valletta_rules.environments import referee as referee_module
from valletta_rules.environments.referee import Referee, margins, shares
from valletta_rules.native import available
from valletta_rules.numeric.encoding import encode
from valletta_rules.numeric.numbering import legal_mask


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_referee_stops_only_at_prompts_with_two_or_more_legal_numbers(players: int) -> None:
    """Until the game is over, masks and observations agree with the position."""
    referee, rng, parts = Referee(players, seed=5), random.Random(5), 0
    while (seat := referee.seat) is not None:
        prompt = referee.state.prompt
        assert prompt is not None
        assert seat == prompt.seat
        assert len(referee.numbers) > 1
        assert referee.mask(seat) == legal_mask(referee.state, referee.prefix)
        assert referee.observe(seat) == encode(referee.view(seat), referee.prefix)
        other = (seat + 1) % players
        assert not any(referee.mask(other))
        assert referee.observe(other) == encode(view(referee.state, other))
        parts += bool(referee.prefix)
        referee.answer(rng.choice(referee.numbers))
    assert parts
    assert referee.outcome == outcome(referee.state)
    assert not referee.is_broken_off
    assert not any(referee.mask(0))
    *_, last = replay(referee.record)
    assert last.state == referee.state


@pytest.mark.parametrize("players", [2, 3, 4])
def test_packed_and_unpacked_positions_give_the_same_game_step_by_step(
    players: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The test also plays the game with a bot that receives all events, and unpacked positions."""
    bots, rng = {1: Listener(Random(1))}, Random(6)
    games = [Referee(players, seed=6, bots=bots), Referee(players, seed=6)]
    monkeypatch.setattr(referee_module, "available", False)
    games.append(Referee(players, seed=6))
    assert [isinstance(game.position, GameState) for game in games] == [True, not available, True]
    while games[0].seat is not None:
        observed = [
            (game.seat, game.turns, game.points, game.numbers, [*map(game.observe, range(players))])
            for game in games
        ]
        assert observed == observed[:1] * 3
        number = rng.choice(games[0].numbers)
        for game in games:
            game.answer(number)
    assert [game.record for game in games] == [games[0].record] * 3
    assert [game.outcome for game in games] == [outcome(games[0].state)] * 3


def test_a_game_ends_without_a_result_after_max_turns() -> None:
    """After that, no action number is legal. Without `max_turns`, the game continues."""
    for most, turns in ((4, 5), (None, 41)):
        referee, rng = Referee(seed=1, max_turns=most), random.Random(1)
        while referee.seat is not None and referee.turns < turns:
            referee.answer(rng.choice(referee.numbers))
        began = [event for step in replay(referee.record) for event in step.events]
        assert sum(isinstance(event, TurnBegan) for event in began) == referee.turns == turns
        assert referee.is_broken_off is (most is not None)
        assert bool(referee.numbers) is (most is None)
        assert referee.outcome is None


def test_a_margin_is_the_lead_over_the_best_opponent_and_winners_share_the_victory() -> None:
    """In the first example, three players have 7, 12 and 9 points."""
    assert margins((7, 12, 9)) == (-5, 3, -3)
    assert shares((0, 2), 3) == (0.5, 0, 0.5)
