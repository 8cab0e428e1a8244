"""Tests of the nodes of a game tree, in which action numbers label the edges."""

import copy
import pickle
import random
from collections.abc import Iterator

import pytest

from valletta_rules import chance_outcomes, new_game, outcome, view
from valletta_rules.environments.node import Node, first_node
from valletta_rules.numeric.encoding import encode
from valletta_rules.numeric.numbering import COUNT, numbers_of


def walk(players: int, seed: int, most: int = 250) -> Iterator[Node]:
    """Yield the nodes of a random game that ends after at most `most` answers of players."""
    rng, node = random.Random(seed), first_node(new_game(players))
    yield node
    while node.position.prompt is not None and node.answers < most:
        if node.is_chance:
            numbers, weights = zip(*node.chances(), strict=True)
            node = node.after(rng.choices(numbers, weights)[0])
        else:
            node = node.after(rng.choice(node.numbers))
        yield node


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_chance_outcomes_and_observations_of_a_node_equal_those_of_its_position(
    players: int,
) -> None:
    """Observations are the encoded views for every seat and for a spectator."""
    parts = 0
    for count, node in enumerate(walk(players, seed=players)):
        state = node.state
        if node.is_chance:
            every = chance_outcomes(state)
            assert node.seat is None
            assert node.chances() == [
                (numbers_of(each, state.cards)[0], float(chance)) for each, chance in every
            ]
        elif count % 5 == 0:
            parts += len(node.prefix)
            for seat in (None, *range(players)):
                prefix = node.prefix if seat == node.seat else ()
                assert node.observe(seat) == encode(view(state, seat), prefix)
    assert parts


def test_copying_a_node_returns_the_node_and_pickling_keeps_its_history_and_position() -> None:
    """Nodes are immutable, so a copy can be the node itself.

    An illegal number raises an error.
    """
    *_, last = walk(2, seed=1, most=5000)
    assert outcome(last.state) is not None
    *_, node = walk(2, seed=4, most=40)
    assert copy.deepcopy(node) is node
    again = pickle.loads(pickle.dumps(node))
    assert (again.history, again.position, again.prefix) == (
        node.history,
        node.position,
        node.prefix,
    )
    with pytest.raises(ValueError, match=f"{COUNT} is not the number of a legal action"):
        node.after(COUNT)


@pytest.mark.parametrize("players", [2, 3])
def test_a_sampled_history_agrees_with_all_observations_of_a_seat_and_reveals_no_hidden_cards(
    players: int,
) -> None:
    """The test compares `Node.recall`, a text that identifies all observations of a seat.

    Different nodes of a game have different texts.
    """
    nodes, varied = list(walk(players, seed=8, most=70)), 0
    for seat in (None, *range(players)):
        assert len({node.recall(seat) for node in nodes}) == len(nodes)
    for node in [each for each in nodes if each.seat is not None][8::17]:
        for seat in range(players):
            other, history = nodes[0], node.imagined(seat, random.Random(seat))
            for number in history:
                other = other.after(number)
            assert other.recall(seat) == node.recall(seat)
            assert other.seat == node.seat
            assert node.seat != seat or other.numbers == node.numbers
            assert other.imagined(seat, random.Random(3)) == node.imagined(seat, random.Random(3))
            varied += other.history != node.history
    assert varied
