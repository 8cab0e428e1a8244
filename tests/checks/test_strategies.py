"""The strategies draw every kind of position and of table."""

from collections import Counter
from typing import get_args

import pytest
from hypothesis import settings
from hypothesis import strategies as st

from spec.checks import random_games
from tests.positions import EDITIONS
from valletta_rules import Action, BarrelPrompt, GameState, Phase, Prompt, check

COUNT = min(100, settings().max_examples)
"""The number of shared games that are examined."""

DRAWS = 12 * len(random_games.KINDS)
"""The number of positions drawn to examine the strategy."""


def test_positions_of_every_kind_are_drawn() -> None:
    """Every phase occurs with every prompt that belongs to it."""
    counts = Counter(map(random_games.kind_of, random_games.drawn(random_games.positions(), DRAWS)))
    assert counts.keys() == set(random_games.KINDS)
    assert min(counts.values()) >= DRAWS / len(random_games.KINDS) / 10


def test_there_is_no_other_kind_of_position() -> None:
    """Games reach exactly the kinds of position in the list."""
    met = {
        random_games.kind_of(state)
        for game in random_games.sample(random_games.games, COUNT)
        for state in game.positions
    }
    met |= {
        random_games.kind_of(state)
        for game in random_games.sample(random_games.whole_games, COUNT)
        for state in game.positions
    }
    assert met == set(random_games.KINDS)
    assert {asked for _, asked in random_games.KINDS} == {*get_args(Prompt), None}


def test_a_filtered_strategy_draws_only_possible_kinds() -> None:
    """Kinds without any position that has the property are not drawn."""
    kinds = ((Phase.MAIN, BarrelPrompt), (Phase.FINAL, BarrelPrompt))
    assert random_games.kinds_where(random_games.asks(BarrelPrompt)) == kinds
    assert {
        random_games.kind_of(state)
        for state in random_games.drawn(random_games.positions(random_games.asks(BarrelPrompt)), 40)
    } == set(kinds)


def test_tables_of_every_sort_are_drawn() -> None:
    """All editions, other answers, variants, numbers of players and card sets occur."""
    tables = [(state.rules, len(state.players)) for state in random_games.starts()]
    names = {rules.name for rules, _ in tables}
    assert names >= {edition.name for edition in EDITIONS}
    assert "Of the house" in " ".join(names)
    assert {players for _, players in tables} == {2, 3, 4}
    for variant in ("start_player_variant", "fewer_barrels"):
        assert {getattr(rules, variant) for rules, _ in tables} == {False, True}
    assert len({state.cards for state in random_games.starts()}) > len(random_games.starts()) / 3


def test_illegal_actions_are_drawn_everywhere() -> None:
    """In every phase, for nearly every prompt, some drawn actions are illegal."""
    pairs: st.SearchStrategy[tuple[GameState, Action]] = random_games.positions().flatmap(
        lambda state: st.tuples(st.just(state), random_games.well_formed_actions(state))
    )
    refused = {
        random_games.kind_of(pair[0])
        for pair in random_games.drawn(pairs, 3 * DRAWS)
        if check(*pair) is not None
    }
    assert {phase for phase, _ in refused} == set(Phase)
    assert len(refused) >= 0.9 * len(random_games.KINDS)


def test_a_failure_in_the_sample_is_shrunk() -> None:
    """Where a test fails on a game of the sample, Hypothesis looks for the smallest such game."""
    lengths: list[int] = []

    @random_games.in_every(random_games.games)
    def never_long(game: random_games.Playthrough) -> None:
        if len(game.moves) >= 3:
            lengths.append(len(game.moves))
            raise AssertionError("too long")

    with pytest.raises(AssertionError, match="too long") as caught:
        never_long()
    assert min(lengths) < 10 < lengths[0]
    assert "played(new_game(" in "\n".join(caught.value.__notes__)
