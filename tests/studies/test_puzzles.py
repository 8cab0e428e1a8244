"""Tests of the puzzles in the documentation, and of the command that collects them."""

import json
import random
from collections import Counter
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


def test_the_documentation_has_at_least_200_puzzles_with_different_positions() -> None:
    """The solution is a card to play, a site or another answer. Each kind occurs."""
    assert len({each["position"] for each in LINES}) == len(LINES) >= 200
    assert {each.kind for each in puzzles.read_puzzles("en")} == {"play", "site", "other"}


@pytest.mark.parametrize("folder", ["learn", "de/learn"])
def test_the_pages_of_puzzles_show_each_puzzle_exactly_once(folder: str) -> None:
    """Each page contains all puzzles of a kind, or one part of them."""
    pages = puzzles.PUZZLES.parents[1].joinpath(folder, "puzzles").glob("*.rst")
    counts = Counter(line for page in pages for line in page.read_text("utf-8").splitlines())
    for kind, count in Counter(each.kind for each in puzzles.read_puzzles("en")).items():
        parts = range(1, -(-count // puzzles.PUZZLES_A_PAGE) + 1)
        lines = [f"{kind} {part}" for part in parts] if len(parts) > 1 else [kind]
        assert all(counts[f".. templated:: puzzles {each}"] == 1 for each in lines)


def test_the_answers_of_a_puzzle_are_legal_and_its_clauses_match_its_solution() -> None:
    """In addition, the wrong answer must lose at least as many points as the measurement error."""
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
def test_new_rollouts_also_prefer_the_solution_of_a_puzzle_to_the_wrong_answer() -> None:
    """They use another seed.

    At least 95 % of the puzzles must pass.
    Nightly runs test all of them.
    """
    chosen = LINES if IS_NIGHT else random.Random(7).sample(LINES, 2)
    confirmed = sum(map(is_confirmed, chosen))
    assert confirmed >= 0.95 * len(chosen), (confirmed, len(chosen))


def is_confirmed(line: dict[str, Any]) -> bool:
    """Return whether new rollouts prefer a puzzle's first right answer to its wrong answer."""
    state = parse_position_line(line["position"])
    assert state.prompt is not None
    player_view = view(state, state.prompt.seat)
    right, given = (parse_action(state, text) for text in (line["right"][0], line["given"]))
    own, answers = puzzles.settle(player_view, given, 3, FOR_ONE, right)
    best = next(each for each in answers if each.action == right)
    return best.lead > own.lead


@rollouts
def test_collecting_the_same_number_of_puzzles_again_does_not_change_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first run collects one puzzle, from the first seed that it tries."""
    monkeypatch.setattr(puzzles, "BATCH", 1)
    monkeypatch.setattr(puzzles, "FOR_ONE", (8, 40))
    file = tmp_path / "puzzles.jsonl"
    puzzles.main([str(file), "--puzzles", "1", "--first", "700000"])
    first = file.read_text("utf-8")
    assert json.loads(first)["seed"] == 700000
    puzzles.main([str(file), "--puzzles", "1"])
    assert file.read_text("utf-8") == first
