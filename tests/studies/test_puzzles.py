"""The puzzles of the documentation, and the command that collects them."""

import json
import random
from pathlib import Path
from typing import Any

import pytest

from docs.studies import puzzles
from spec.checks import random_games
from valletta_rules import explain, legal_actions, native, parse_action, parse_position_line, view
from valletta_rules.analysis.settling import FOR_ONE

LINES = [json.loads(line) for line in puzzles.PUZZLES.read_text("utf-8").splitlines()]

IS_NIGHT = random_games.PROFILE.max_examples > 400

rollouts = pytest.mark.skipif(not native.available, reason="rollouts need the native backend")


def test_there_are_200_different_puzzles_and_each_chapter_has_some() -> None:
    """No two puzzles have the same position."""
    assert len({each["position"] for each in LINES}) == len(LINES) >= 200
    assert {each.kind for each in puzzles.read_puzzles("en")} == {"play", "site", "other"}


def test_a_puzzle_has_legal_answers_and_the_clauses_of_its_solution() -> None:
    """The mistake is not a right answer, and loses more than the error of the measurement."""
    for line in LINES:
        state = parse_position_line(line["position"])
        answers = [parse_action(state, text) for text in (*line["right"], line["given"])]
        plan = [action for action, _ in puzzles.steps_of(state, line["plan"])]
        assert {*answers} <= {*legal_actions(state)}
        assert len({*answers}) == len(answers)
        assert line["lost"] >= max(puzzles.LEAST, line["error"])
        assert plan[0] == answers[0]
        assert len(plan) == len(line["plan"])
        assert line["clauses"] == puzzles.clauses_of(state, line["plan"])
        assert all(explain(each) for each in line["clauses"])


@rollouts
def test_other_seeds_confirm_that_the_mistake_of_a_puzzle_is_worse_than_the_solution() -> None:
    """The solution is better in at least 19 of 20 puzzles: in both of two by day."""
    chosen = LINES if IS_NIGHT else random.Random(7).sample(LINES, 2)
    confirmed = sum(map(is_confirmed, chosen))
    assert confirmed >= 0.95 * len(chosen), (confirmed, len(chosen))


def is_confirmed(line: dict[str, Any]) -> bool:
    """Return whether the first right answer leads to more than the mistake, by other seeds."""
    state = parse_position_line(line["position"])
    assert state.prompt is not None
    seen = view(state, state.prompt.seat)
    right, given = (parse_action(state, text) for text in (line["right"][0], line["given"]))
    own, answers = puzzles.settle(seen, given, 3, FOR_ONE, right)
    best = next(each for each in answers if each.action == right)
    return best.lead > own.lead


@rollouts
def test_the_command_collects_puzzles_and_keeps_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A second run for the same number of puzzles adds none."""
    monkeypatch.setattr(puzzles, "BATCH", 1)
    monkeypatch.setattr(puzzles, "FOR_ONE", (8, 40))
    file = tmp_path / "puzzles.jsonl"
    puzzles.main([str(file), "--puzzles", "1", "--first", "700000"])
    first = file.read_text("utf-8")
    assert json.loads(first)["seed"] == 700000
    puzzles.main([str(file), "--puzzles", "1"])
    assert file.read_text("utf-8") == first
