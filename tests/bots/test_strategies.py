"""One-sided strategies: what they like, and how their games are played."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from docs.studies import strategies
from docs.studies.strategies import STRATEGIES, is_decided
from tests.bots.test_planner import at_a_turn
from valletta_rules.bots.features import read
from valletta_rules.bots.turns import Lead, lines
from valletta_rules.bots.value import forecast_of


def ends() -> Iterable[strategies.End]:
    """Yield the ends of all plans at a turn in the middle of a game."""
    state = at_a_turn()
    forecast = forecast_of(state.display, len(state.players))
    for line in lines(state, state.active, Lead(forecast, state.active), beam=30):
        yield strategies.end_of(read(line.state), forecast, state.active)


@pytest.mark.parametrize("strategy", [name for name in STRATEGIES if name != "upgrades"])
def test_every_strategy_tells_plans_apart(strategy: str) -> None:
    """Otherwise it would be the planner; nothing can be upgraded at this turn."""
    assert len({STRATEGIES[strategy](end) for end in ends()}) > 1


def test_games_are_played_until_a_strategy_has_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Games that are there are not played again."""
    monkeypatch.setattr(strategies, "STRATEGIES", {"gold": STRATEGIES["gold"]})
    arguments = [str(tmp_path), "--against", "random", "--games", "3", "--seed", "5"]
    strategies.main(arguments)
    (file,) = tmp_path.iterdir()
    first, told = file.read_text("utf-8"), capsys.readouterr().out
    assert first.count("\n") == 4, "whole blocks"
    assert "``gold``\n     - ``random``\n     - 4\n     - 100.0 %" in told
    strategies.main(arguments)
    assert (file.read_text("utf-8"), capsys.readouterr().out) == (first, told)


def test_a_verdict_needs_games_and_a_bound_below_one_half() -> None:
    """Neither few lost games nor an even score is enough."""
    lost, won = {"seat": 0, "winners": [1]}, {"seat": 0, "winners": [0]}
    assert not is_decided([lost] * 39, least=40)
    assert is_decided([lost] * 40, least=40)
    assert not is_decided([lost, won] * 40, least=40)
