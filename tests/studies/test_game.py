"""Tests of `play_game`, which plays one game between bots."""

import pickle
import random
import time
from collections import Counter
from typing import Any

import attrs
import pytest

import valletta_rules as vr
from tests.bots.listener import Listener
from valletta_rules import native as twin
from valletta_rules.actions import DECLINE
from valletta_rules.bots.random_bot import RandomBot
from valletta_rules.studies import Job, PlayedGame, play_game
from valletta_rules.studies.game import digest_of
from valletta_rules.studies.timeline import texts_of

JOB = Job(("random", "random"), 7)
GAME = play_game(JOB)
RESULT = GAME.result


def test_playing_a_job_twice_gives_equal_games_apart_from_measured_times() -> None:
    """A job determines a game. It is also pickled, because another process may play it."""
    again = play_game(pickle.loads(pickle.dumps(JOB)))
    assert again == pickle.loads(pickle.dumps(GAME)) == GAME
    assert again.result == attrs.evolve(RESULT, cpu_ms=(0.0, 0.0), longest_ms=(1.0, 1.0))


@pytest.mark.parametrize("rules", [vr.HANS_IM_GLUECK, vr.REFERENCE_MANUAL])
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("first", ["random", "automatic"])
@pytest.mark.parametrize("most_turns", [7, 1000])
def test_a_job_leads_to_the_same_game_with_and_without_the_native_backend(
    first: str, players: int, most_turns: int, rules: vr.RuleSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The backend replaces random bots with its own, but this changes only the speed."""
    job = Job((first, *("random",) * (players - 1)), 7, rules, most_turns=most_turns)
    game = play_game(job)
    record = game.record
    monkeypatch.setattr(twin, "available", False)
    assert play_game(job) == game
    assert game.record == record


class PythonBot(RandomBot):
    """A random bot that the native backend does not replace, because it is a subclass."""


@pytest.mark.parametrize("kind", [random.Random, random.SystemRandom])
def test_a_random_bot_uses_its_own_generator_even_if_the_backend_replaces_the_bot(
    kind: type[random.Random], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The test uses a seeded generator and the generator of the operating system."""
    monkeypatch.setattr(random.SystemRandom, "getrandbits", lambda self, bits: 0)
    by_backend = play_game(JOB, lambda spec, rng: RandomBot(kind(5)))
    by_python = play_game(JOB, lambda spec, rng: PythonBot(kind(5)))
    assert by_backend == by_python != GAME


def test_a_game_that_the_native_backend_cannot_represent_is_played_in_python(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The test makes `pack` raise an error. The moves are the same as those of the backend."""

    def refuse(state: vr.GameState) -> None:
        raise twin.RowError("too many goods to pack")

    monkeypatch.setattr(twin, "pack", refuse)
    assert play_game(JOB) == GAME


def events_of(game: PlayedGame) -> list[vr.Event]:
    """Replay the record of a game, and return all events."""
    return [event for step in vr.replay(game.record) for event in step.events]


@pytest.mark.parametrize("most_turns", [5, 1000])
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("rules", [vr.HANS_IM_GLUECK, vr.REFERENCE_MANUAL])
def test_the_result_and_timeline_of_a_game_agree_with_the_events_of_its_record(
    rules: vr.RuleSet, seed: int, most_turns: int
) -> None:
    """The test counts turns, buildings, upgrades, drafted goods and used cards in the events."""
    players = 2 + seed % 3
    game = play_game(Job(("random",) * players, seed, rules, most_turns=most_turns))
    result, course, steps = game.result, game.course, list(vr.replay(game.record))
    last, uses = steps[-1].state, dict[type, Counter[vr.Character]]()
    turns, main, drafted = Counter[int](), Counter[int](), dict[int, vr.Good]()
    built, upgraded = dict[int, tuple[int, int]](), dict[int, int]()
    triggers = set[vr.EndCondition]()
    for step, event in ((each, event) for each in steps for event in each.events):
        match event:
            case vr.TurnBegan(seat):
                turns[seat] += 1
                main[seat] += step.state.phase is vr.Phase.MAIN
            case vr.CardPlayed() | vr.Dismissed() | vr.Hired():
                uses.setdefault(type(event), Counter())[event.character] += 1
            case vr.GoodDrafted(seat, good):
                drafted[seat] = good
            case vr.Built(seat, site):
                built[site] = seat, turns[seat]
            case vr.Upgraded(seat, site):
                upgraded[site] = turns[seat]
            case vr.FinalPhaseTriggered(_, condition):
                triggers.add(condition)
    seats, sites = range(players), range(len(last.display))
    assert result.turns == tuple(turns[seat] for seat in seats)
    assert result.main_turns == tuple(main[seat] for seat in seats)
    assert ({*course.triggers}, course.valette) == (triggers, last.valette)
    assert course.buildings == tuple(building.code for building in last.display)
    assert course.owners == tuple(built[site][0] if site in built else None for site in sites)
    assert course.built == tuple(built[site][1] if site in built else None for site in sites)
    assert course.upgraded == tuple(map(upgraded.get, sites))
    assert course.drafted == tuple(map(drafted.get, seats))
    assert course.sites == tuple(tuple(s for s in built if built[s][0] == own) for own in seats)
    assert course.uses == tuple(
        tuple(uses.get(kind, Counter())[character] for character in vr.CHARACTERS)
        for kind in (vr.CardPlayed, vr.Dismissed, vr.Hired)
    )


def test_the_replayed_record_of_a_game_ends_with_the_points_and_winners_of_its_result() -> None:
    """The record also survives a round trip through its text."""
    record = GAME.record
    assert vr.parse_record(vr.format_record(record)) == record
    end = vr.outcome(vr.position_after(record))
    assert end is not None
    assert tuple(score.total for score in end.scores) == RESULT.points
    assert tuple(score.houses for score in end.scores) == RESULT.houses
    assert end.winners == RESULT.winners
    assert RESULT.stop == "over"
    assert all(RESULT.decisions)


def test_the_digest_of_a_game_depends_on_all_answers_and_their_order() -> None:
    """The test exchanges the first two answers of a game."""
    first, second, *rest = texts = texts_of(GAME.answers)
    assert texts == [*map(vr.format_action, GAME.answers)]
    assert digest_of(texts) == RESULT.digest
    assert digest_of((second, first, *rest)) != RESULT.digest
    assert len(RESULT.digest) == 20


def test_a_game_is_truncated_after_the_maximum_number_of_turns() -> None:
    """The turns of all players count. A truncated game has no winner, and all shares are equal."""
    broken = play_game(attrs.evolve(JOB, most_turns=5))
    assert sum(isinstance(event, vr.TurnBegan) for event in events_of(broken)) == 6
    result = broken.result
    assert (result.stop, result.winners, result.shares) == ("turns", (), (0.5, 0.5))
    turns = sum(RESULT.turns)
    assert play_game(attrs.evolve(JOB, most_turns=turns)).result.stop == "over"
    assert play_game(attrs.evolve(JOB, most_turns=turns - 1)).result.stop == "turns"


def test_two_winners_share_the_victory_and_the_first_place() -> None:
    """If there is a single winner, another player with the same points is second."""
    shared = attrs.evolve(RESULT, points=(50, 50), houses=(8, 8), winners=(0, 1))
    assert (shared.shares, shared.places) == ((0.5, 0.5), (1, 1))
    won = attrs.evolve(RESULT, points=(50, 50), houses=(7, 8), winners=(1,))
    assert (won.shares, won.places) == ((0.0, 1.0), (2, 1))


def drawn(game: PlayedGame, seat: int) -> list[str]:
    """Return the cards that the player in `seat` drew during a game."""
    events = events_of(game)
    return [
        each.character for each in events if isinstance(each, vr.CardDrawn) and each.seat == seat
    ]


def test_the_buildings_and_first_hands_of_a_game_depend_on_the_seed_but_not_on_the_bots() -> None:
    """Different bots can therefore be compared with the same luck."""
    other = play_game(attrs.evolve(JOB, bots=("automatic", "random")))
    assert other.answers != GAME.answers
    assert other.course.buildings == GAME.course.buildings
    assert drawn(other, 1)[:5] == drawn(GAME, 1)[:5]
    assert play_game(attrs.evolve(JOB, seed=8)).course.buildings != GAME.course.buildings


def test_a_bot_with_a_memory_receives_all_events_redacted_for_its_seat() -> None:
    """Receiving events must not change the moves of a bot."""
    seated: list[Listener] = []

    def seat(spec: str, rng: random.Random) -> Listener:
        seated.append(Listener(rng))
        return seated[-1]

    assert play_game(JOB, seat) == GAME
    events = seated[0].received
    assert seated[0].began is not None
    assert seated[0].began.seat == 0
    assert isinstance(events[0], vr.BuildingDealt)
    assert any(isinstance(event, vr.HiddenCardDrawn) and event.seat == 1 for event in events)
    assert not any(isinstance(event, vr.HiddenCardDrawn) and event.seat == 0 for event in events)


@pytest.mark.parametrize("is_packed", [True, False])
def test_the_measured_time_of_a_bot_includes_only_its_own_decisions(
    is_packed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A slow bot plays against a random bot. The test simulates the clock."""
    clock = [0.0]

    class Slow(RandomBot):
        def decide(self, view: vr.PlayerView) -> vr.Action:
            clock[0] += 1 + clock[0] % 2
            return super().decide(view)

    monkeypatch.setattr(time, "process_time", lambda: clock[0])
    if not is_packed:
        monkeypatch.setattr(twin, "available", False)
    seat = lambda spec, rng: (Slow if spec == "slow" else RandomBot)(rng)  # noqa: E731
    result = play_game(attrs.evolve(JOB, bots=("random", "slow")), seat).result
    assert result.cpu_ms == (0, 1000 * clock[0])
    assert result.longest_ms == (0, 2000)


def test_the_error_for_an_illegal_action_of_a_bot_names_bot_seat_and_job() -> None:
    """A developer can reproduce the game with this information."""

    class Cheat(RandomBot):
        def decide(self, view: vr.PlayerView) -> vr.Action:
            return DECLINE

    with pytest.raises(vr.IllegalActionError) as caught:
        play_game(JOB, lambda spec, rng: Cheat(rng))
    assert caught.value.__notes__ == ["when random had to answer, in seat 1", f"in {JOB}"]


@pytest.mark.parametrize("wrong", [{"points": (1,)}, {"winners": (2,)}, {"winners": (0, 0)}])
def test_a_game_result_with_too_few_points_or_invalid_winners_raises_a_value_error(
    wrong: dict[str, Any],
) -> None:
    """It must have points for each seat, and the winners must be different seats."""
    with pytest.raises(ValueError, match=r"have [12] values|from 0 to 1"):
        attrs.evolve(RESULT, **wrong)


@pytest.mark.parametrize("wrong", [{"bots": ("random",)}, {"seed": "7"}, {"most_turns": 0}])
def test_a_job_with_a_single_bot_an_invalid_seed_or_no_turns_raises_an_error(
    wrong: dict[str, Any],
) -> None:
    """The error is a `TypeError` or a `ValueError`."""
    with pytest.raises((TypeError, ValueError)):
        attrs.evolve(JOB, **wrong)
