"""Properties of every bot."""

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
"""Every bot of the package with a budget for tests."""

TABLES = [
    (
        players,
        rules.with_variants(start_player_variant=varied, fewer_barrels=varied and players < 3),
    )
    for rules in EDITIONS
    for players, varied in ((2, True), (3, False), (4, True))
]
"""Every edition, number of players and variant."""


def names(players: int, first: int) -> tuple[str, ...]:
    """Return bots for a table, one of them first."""
    tiny = [*TINY.values()] * 4
    return tuple(tiny[first : first + players])


def test_every_bot_of_the_package_is_tried() -> None:
    """A new bot must be added here."""
    assert set(TINY) == {name for name in registry.BUILT_IN if name not in registry.LEVELS}


@pytest.mark.parametrize("table", range(len(TABLES)))
def test_every_bot_finishes_games(table: int) -> None:
    """They use legal actions only, under every edition, variant and number of players."""
    players, rules = TABLES[table]
    game = play_game(Job(names(players, table), table, rules))
    assert game.result.stop == "over"
    assert vr.outcome(vr.position_after(game.record)) is not None


@settings(max_examples=2)
@given(card_sets())
def test_every_bot_plays_with_any_cards(cards: vr.CardSet) -> None:
    """They do not depend on the values of the cards, as long as the rulebook permits them."""
    assert play_game(Job(names(3, 2), 3, cards=cards)).result.stop == "over"


def questions(players: int, seed: int, every: int) -> list[vr.GameState]:
    """Return some positions of a random game in which there is a choice."""
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
    """Return the answers of a new bot at all positions."""
    return [
        make_bot(spec, random.Random(7)).decide(vr.view(state, state.prompt.seat))  # type: ignore[union-attr]
        for state in states
    ]


@pytest.mark.parametrize("spec", TINY.values())
def test_equal_views_and_generators_give_equal_answers(spec: str) -> None:
    """An answer depends on nothing else: here the hidden cards are exchanged."""
    states = questions(3, seed=2, every=7)
    others = [
        vr.determinize(vr.view(state, state.prompt.seat), random.Random(number))  # type: ignore[union-attr]
        for number, state in enumerate(states)
    ]
    assert others != states
    assert answers(spec, states) == answers(spec, others)


@with_twin
@pytest.mark.parametrize("spec", TINY.values())
def test_answers_are_the_same_without_the_native_backend(
    spec: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The backend only makes bots quicker."""
    states = questions(2, seed=3, every=9)
    quick = answers(spec, states)
    monkeypatch.setattr(native, "available", False)
    assert answers(spec, states) == quick


@pytest.mark.parametrize(
    "spec", [spec for name, spec in TINY.items() if name not in ("random", "automatic")]
)
def test_a_bot_that_searches_explains_its_plans(spec: str) -> None:
    """The best plan comes first and begins with the answer."""
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
