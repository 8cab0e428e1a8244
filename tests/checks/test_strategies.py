"""Tests that the Hypothesis strategies draw every kind of position and every kind of game."""

from collections import Counter
from typing import get_args

import pytest
from hypothesis import seed, settings
from hypothesis import strategies as st

from spec.checks import random_games
from tests.positions import EDITIONS
from valletta_rules import Action, BarrelPrompt, GameState, Phase, Prompt, check

COUNT = min(100, settings().max_examples)
"""The number of random games that tests examine."""

DRAWS = 12 * len(random_games.KINDS)
"""The number of positions that tests draw from a strategy."""


def test_the_strategy_for_positions_draws_every_kind_of_position_often_enough() -> None:
    """A kind is a combination of phase and type of prompt.

    Even the rarest kind must be drawn at least a tenth as often as the average kind.
    """
    counts = Counter(map(random_games.kind_of, random_games.drawn(random_games.positions(), DRAWS)))
    assert counts.keys() == set(random_games.KINDS)
    assert min(counts.values()) >= DRAWS / len(random_games.KINDS) / 10


def test_games_reach_exactly_the_listed_kinds_of_positions() -> None:
    """A kind is a combination of phase and type of prompt.

    The strategies draw from the listed kinds, so a missing kind would never be tested.
    """
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
    assert {prompt for _, prompt in random_games.KINDS} == {*get_args(Prompt), None}


def test_a_strategy_for_positions_with_a_property_draws_only_kinds_that_can_have_it() -> None:
    """For example, barrels are revealed only in the main and final phases."""
    kinds = ((Phase.MAIN, BarrelPrompt), (Phase.FINAL, BarrelPrompt))
    assert random_games.kinds_where(random_games.asks(BarrelPrompt)) == kinds
    assert {
        random_games.kind_of(state)
        for state in random_games.drawn(random_games.positions(random_games.asks(BarrelPrompt)), 40)
    } == set(kinds)


def test_random_games_have_every_edition_variant_and_number_of_players() -> None:
    """Some of the games have custom rule sets, and there are many different card sets."""
    tables = [(state.rules, len(state.players)) for state in random_games.starts()]
    names = {rules.name for rules, _ in tables}
    assert names >= {edition.name for edition in EDITIONS}
    assert "Of the house" in " ".join(names)
    assert {players for _, players in tables} == {2, 3, 4}
    for variant in ("start_player_variant", "fewer_barrels"):
        assert {getattr(rules, variant) for rules, _ in tables} == {False, True}
    assert len({state.cards for state in random_games.starts()}) > len(random_games.starts()) / 3


def test_illegal_actions_are_drawn_in_every_phase_and_at_nearly_every_prompt() -> None:
    """Tests of refusals need illegal actions.

    The strategy draws well-formed actions, legal or not.
    """
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


def test_hypothesis_shrinks_a_failure_that_occurs_in_the_sample_of_games() -> None:
    """The failing game is shrunk to a shorter one.

    A note on the error contains code that creates it.
    """
    lengths: list[int] = []

    @random_games.in_every(random_games.games)
    @seed(4)  # by default, the seed depends on the source of the function
    def fails_after_three_moves(game: random_games.Playthrough) -> None:
        if len(game.moves) >= 3:
            lengths.append(len(game.moves))
            raise AssertionError("failure on purpose: 3 moves or more")

    with pytest.raises(AssertionError, match="3 moves or more") as caught:
        fails_after_three_moves()
    assert min(lengths) < 10 < lengths[0]
    assert "played(new_game(" in "\n".join(caught.value.__notes__)
