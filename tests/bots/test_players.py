"""Tests of properties that every bot of the package must have."""

import random
from collections.abc import Sequence

import pytest
from hypothesis import given, settings

import valletta_rules as vr
from spec.checks.random_games import card_sets
from tests.bots.test_registry import SPECS
from tests.bots.test_value import with_twin
from tests.positions import EDITIONS
from valletta_rules import native
from valletta_rules.bots import Explains, make_bot, registry
from valletta_rules.studies import Job, play_game

TINY = SPECS["tiny"]
"""Specifications with budgets that are small enough for tests, keyed by the name of the bot."""

TABLES = [
    (
        players,
        rules.with_variants(start_player_variant=varied, fewer_barrels=varied and players < 3),
    )
    for rules in EDITIONS
    for players, varied in ((2, True), (3, False), (4, True))
]
"""Pairs of a number of players and a rule set.

They include all editions, with and without variants.
"""


def names(players: int, first: int) -> tuple[str, ...]:
    """Return a bot specification for each seat: those of `TINY` from index `first` on."""
    tiny = [*TINY.values()] * 4
    return tuple(tiny[first : first + players])


def test_every_built_in_bot_has_a_specification_for_these_tests() -> None:
    """If this test fails, add the new bot to `specs.toml`."""
    assert set(TINY) == {name for name in registry.BUILT_IN if name not in registry.LEVELS}


@pytest.mark.parametrize("table", range(len(TABLES)))
def test_bots_finish_games_with_every_edition_and_number_of_players(table: int) -> None:
    """No bot chooses an illegal action, which would raise an error. Some games have variants."""
    players, rules = TABLES[table]
    game = play_game(Job(names(players, table), table, rules))
    assert game.result.stop == "over"
    assert vr.outcome(vr.position_after(game.record)) is not None


@settings(max_examples=2)
@given(card_sets())
def test_bots_finish_games_with_random_valid_card_sets(cards: vr.CardSet) -> None:
    """Bots must not rely on the values in the built-in card set."""
    assert play_game(Job(names(3, 2), 3, cards=cards)).result.stop == "over"


def questions(players: int, seed: int, every: int) -> list[vr.GameState]:
    """Return every `every`-th position of a random game, if it has two or more legal actions."""
    rng = random.Random(seed)
    state, met = (
        vr.resolve_chance(vr.new_game(players, cards=vr.RECONSTRUCTION), rng),
        list[vr.GameState](),
    )
    for number in range(110):
        if len(actions := vr.legal_actions(state)) > 1 and number % every == 0:
            met.append(state)
        state = vr.resolve_chance(vr.apply(state, rng.choice(actions)), rng)
    return met


def answers(spec: str, states: Sequence[vr.GameState]) -> list[vr.Action]:
    """Return the answer of a new bot in each position."""
    return [
        make_bot(spec, random.Random(7)).decide(vr.view(state, state.prompt.seat))  # type: ignore[union-attr]
        for state in states
    ]


@pytest.mark.parametrize("spec", TINY.values())
def test_the_answer_of_a_bot_depends_only_on_its_view_and_its_random_generator(spec: str) -> None:
    """The test varies the hidden cards of each position in ways that do not change the view."""
    states = questions(3, seed=2, every=7)
    others = [
        vr.determinize(vr.view(state, state.prompt.seat), random.Random(number))  # type: ignore[union-attr]
        for number, state in enumerate(states)
    ]
    assert others != states
    assert answers(spec, states) == answers(spec, others)


@with_twin
@pytest.mark.parametrize("spec", TINY.values())
def test_bots_give_the_same_answers_without_the_native_backend(
    spec: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The native backend makes a bot faster but must not change its decisions."""
    states = questions(2, seed=3, every=9)
    quick = answers(spec, states)
    monkeypatch.setattr(native, "available", False)
    assert answers(spec, states) == quick


@pytest.mark.parametrize(
    "spec", [spec for name, spec in TINY.items() if name not in ("random", "automatic")]
)
def test_a_bot_that_searches_lists_its_plans_in_descending_order_of_value(spec: str) -> None:
    """The first plan begins with the bot's answer. Before its first answer, a bot has no plans."""
    bot = make_bot(spec, random.Random(1))
    assert isinstance(bot, Explains)
    assert bot.explain() == ()
    for state in questions(2, seed=5, every=20):
        assert state.prompt is not None
        answer = bot.decide(vr.view(state, state.prompt.seat))
        plans = bot.explain()
        assert plans[0].actions[0] == answer
        values = [plan.value for plan in plans]
        assert values == sorted(values, reverse=True)
