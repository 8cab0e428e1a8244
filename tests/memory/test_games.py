"""Tests of memories in whole games with every edition and number of players."""

import inspect
import pickle
import random
from collections.abc import Iterator
from itertools import pairwise

import attrs
import pytest

import valletta_rules as vr
from spec.checks import random_games
from valletta_rules.memory import InformationState, Memory, remember, resample

COUNT = min(random_games.PROFILE.max_examples, 300)
"""The number of random games that the tests share."""

games = pytest.mark.parametrize("number", range(0, COUNT, 6))
"""A decorator that runs a test with every sixth of the shared games."""


def game(number: int) -> random_games.Playthrough:
    """Return a shared game by its number."""
    return random_games.sample(random_games.whole_games, COUNT)[number]


def record(game: random_games.Playthrough) -> vr.Record:
    """Convert a random game to a record."""
    start, actions = game.start, [move.action for move in game.moves]
    return vr.Record(len(start.players), start.rules, start.cards, actions)


def observe_moves(
    game: random_games.Playthrough, seat: int | None
) -> Iterator[tuple[Memory, vr.GameState]]:
    """Yield, after each move of a game, the memory of a seat and the position."""
    memory = Memory(seat)
    memory.begin(vr.view(game.start, seat))
    for move in game.moves:
        for event in move.events:
            memory.see(vr.redact(event, seat))
        yield memory, move.after


def test_all_other_viewers_have_the_same_belief_about_the_hand_of_a_player() -> None:
    """The hands of these viewers do not affect the belief. Players know their own hands."""
    one, other, spectator = (observe_moves(game(4), seat) for seat in (0, 1, None))
    for (mine, state), (yours, _), (theirs, _) in zip(one, other, spectator, strict=True):
        assert mine.belief(2) == yours.belief(2) == theirs.belief(2)
        assert yours.belief(0) == theirs.belief(0)
        assert mine.belief(0).chance_of(state.players[0].hand) == 1


@games
def test_a_memory_restored_from_a_record_equals_one_that_recorded_the_game_live(
    number: int,
) -> None:
    """A pickled copy of the memory is also equal."""
    *_, (live, state) = observe_moves(game(number), 1)
    saved = remember(record(game(number)), 1)
    assert saved == live
    now = vr.view(state, 1)
    assert saved.information_state(now) == live.information_state(now)
    assert pickle.loads(pickle.dumps(live)) == live


def test_the_constructor_of_a_memory_accepts_only_a_seat() -> None:
    """A memory learns everything else from the events of a game."""
    assert [*inspect.signature(Memory).parameters] == ["seat"]
    assert repr(Memory(0)) == "Memory(seat=0, _start=None)"


# Sampling


@games
def test_a_position_sampled_with_a_memory_has_the_same_view_as_the_true_position(
    number: int,
) -> None:
    """The position is possible. According to the memory, its hands have a probability above 0."""
    rng = random.Random(number)
    for turn, (memory, state) in enumerate(observe_moves(game(number), 1)):
        if turn % 40 == 0:
            guess = vr.determinize(vr.view(state, 1), rng, memory)
            assert vr.view(guess, 1) == vr.view(state, 1)
            assert vr.problems_of(guess) == ()
            for owner, player in enumerate(guess.players):
                assert memory.belief(owner).chance_of(player.hand) > 0


@pytest.mark.parametrize(("number", "seat"), [(0, 0), (4, None), (8, 2), (9, 0)])
def test_a_record_with_resampled_hidden_cards_gives_the_seat_the_same_memory_and_view(
    number: int, seat: int | None
) -> None:
    """The new record can be replayed. It has no notes, because they could reveal hidden cards."""
    true, rng = record(game(number)), random.Random(number)
    other = resample(attrs.evolve(true, notes=(vr.Note(3, "They hold Charles."),)), seat, rng)
    assert other.notes == ()
    assert other != true
    assert remember(other, seat) == remember(true, seat)
    assert vr.view(vr.position_after(other), seat) == vr.view(vr.position_after(true), seat)


# Information states


@games
def test_the_information_states_of_a_seat_in_a_game_are_all_different(number: int) -> None:
    """Each state contains the events of the previous state and any later ones."""
    states: list[InformationState] = []
    for turn, (memory, state) in enumerate(observe_moves(game(number), 0)):
        if turn % 3 == 0 and not random_games.is_chance(state):
            states.append(memory.information_state(vr.view(state, 0)))
            assert states[-1] == memory.information_state(vr.view(state, 0))
    assert len(set(states)) == len({each.digest for each in states}) == len(states)
    for earlier, later in pairwise(states):
        assert earlier != later
        assert earlier.start == later.start
        assert later.events[: len(earlier.events)] == earlier.events


def test_information_states_that_differ_only_in_the_chosen_site_have_different_digests() -> None:
    """Until the player pays, no event shows the chosen site. Only the agenda contains it."""
    memory, start = next(
        (memory, state)
        for memory, state in observe_moves(game(0), 0)
        if isinstance(state.prompt, vr.SitePrompt) and len(vr.legal_actions(state)) > 2
    )
    chosen = [
        action for action in vr.legal_actions(start) if isinstance(action, vr.Build | vr.Upgrade)
    ]
    states = [memory.information_state(vr.view(vr.apply(start, action), 0)) for action in chosen]
    assert len({each.events for each in states}) == 1
    assert len({each.digest for each in states}) == len(chosen) > 1
