"""One game between bots."""

from __future__ import annotations

import pickle
import random
from typing import Any

import attrs
import pytest

from tests.bots.listener import Listener
from valletta_rules import (
    Action,
    IllegalActionError,
    PlayerView,
    outcome,
    parse_record,
    position_after,
)
from valletta_rules import native as twin
from valletta_rules.actions import DECLINE
from valletta_rules.bots.random_bot import RandomBot
from valletta_rules.events import BuildingDealt, CardDrawn, TurnBegan
from valletta_rules.records.record import replay
from valletta_rules.studies import GameResult, Job, play_game
from valletta_rules.studies.course import course_of
from valletta_rules.views.redaction import HiddenCardDrawn

JOB = Job(("random", "random"), 7)
RESULT = play_game(JOB)


def test_equal_jobs_give_equal_results() -> None:
    """A job determines its game, wherever it is played; times are not compared."""
    again = play_game(pickle.loads(pickle.dumps(JOB)))
    assert again == RESULT
    assert again == attrs.evolve(RESULT, cpu_ms=(0.0, 0.0), longest_ms=(1.0, 1.0))


def test_with_the_native_twin_and_without_it_is_the_same_game(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The native backend changes the time, and nothing else."""
    monkeypatch.setattr(twin, "available", False)
    assert play_game(JOB) == RESULT


def test_the_record_is_the_whole_game() -> None:
    """The record determines points, houses, winners and course."""
    record = parse_record(RESULT.record)
    end = outcome(position_after(record))
    assert end is not None
    assert tuple(score.total for score in end.scores) == RESULT.points
    assert tuple(score.houses for score in end.scores) == RESULT.houses
    assert end.winners == RESULT.winners
    assert course_of(2, list(replay(record))) == RESULT.course
    assert RESULT.stop == "over"
    assert all(RESULT.decisions)


def test_a_game_is_broken_off_after_so_many_turns() -> None:
    """The turns of all players count, and the points are those of the position then."""
    broken = play_game(attrs.evolve(JOB, most_turns=5))
    events = [event for step in replay(parse_record(broken.record)) for event in step.events]
    assert sum(isinstance(event, TurnBegan) for event in events) == 6
    assert (broken.stop, broken.winners, broken.shares) == ("turns", (), (0.5, 0.5))
    assert play_game(attrs.evolve(JOB, most_turns=sum(RESULT.course.turns))).stop == "over"
    assert play_game(attrs.evolve(JOB, most_turns=sum(RESULT.course.turns) - 1)).stop == "turns"


def test_a_shared_victory_is_shared_out() -> None:
    """Two winners have half of it each."""
    shared = attrs.evolve(RESULT, points=(50, 50), houses=(8, 8), winners=(0, 1))
    assert (shared.shares, shared.places) == ((0.5, 0.5), (1, 1))
    won = attrs.evolve(RESULT, points=(50, 50), houses=(7, 8), winners=(1,))
    assert (won.shares, won.places) == ((0.0, 1.0), (2, 1))


def drawn(result: GameResult, seat: int) -> list[str]:
    """Return the first cards that a seat drew."""
    steps = replay(parse_record(result.record))
    events = (event for step in steps for event in step.events)
    return [each.character for each in events if isinstance(each, CardDrawn) and each.seat == seat]


def test_another_bot_changes_nobody_elses_luck() -> None:
    """The seed determines buildings and opening hands, whichever bots play."""
    other = play_game(attrs.evolve(JOB, bots=("automatic", "random")))
    assert other.record != RESULT.record
    assert [site.code for site in other.course.sites] == [site.code for site in RESULT.course.sites]
    assert drawn(other, 1)[:5] == drawn(RESULT, 1)[:5]
    assert play_game(attrs.evolve(JOB, seed=8)).course.sites != RESULT.course.sites


def test_who_remembers_hears_everything() -> None:
    """A bot with a memory hears all events, redacted for its seat, and plays the same game."""
    seated: list[Listener] = []

    def seat(spec: str, rng: random.Random) -> Listener:
        seated.append(Listener(rng))
        return seated[-1]

    assert play_game(JOB, seat) == RESULT
    events = seated[0].heard
    assert seated[0].began is not None
    assert seated[0].began.seat == 0
    assert isinstance(events[0], BuildingDealt)
    assert any(isinstance(event, HiddenCardDrawn) and event.seat == 1 for event in events)
    assert not any(isinstance(event, HiddenCardDrawn) and event.seat == 0 for event in events)


def test_an_illegal_answer_names_the_game() -> None:
    """Notes on the error have bot, seat and job, so that it can be reproduced."""

    class Cheat(RandomBot):
        def decide(self, view: PlayerView) -> Action:
            return DECLINE

    with pytest.raises(IllegalActionError) as caught:
        play_game(JOB, lambda spec, rng: Cheat(rng))
    assert caught.value.__notes__ == ["when random was asked, in seat 1", f"in {JOB}"]


@pytest.mark.parametrize("wrong", [{"bots": ("random",)}, {"seed": "7"}, {"most_turns": 0}])
def test_what_is_no_job_is_refused(wrong: dict[str, Any]) -> None:
    """A game has two bots or more, an integer seed, and one turn or more."""
    with pytest.raises((TypeError, ValueError)):
        attrs.evolve(JOB, **wrong)
