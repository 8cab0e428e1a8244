"""The engine agrees with every transition of the instances that were explored exhaustively.

The formal specification walked through all positions of these instances; what it found is
committed as fixtures, so that this needs no Node.  In ``spec/``, they are written by
``node tools/explore.js all --fixtures fixtures``.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator
from functools import cached_property
from pathlib import Path
from typing import Any, Final, TypeVar

import pytest

from tests.spec.model import (
    SPEC,
    Json,
    as_modelled,
    decode_action,
    decode_bag,
    decode_characters,
    decode_config,
    decode_goods,
    decode_player,
    decode_state,
    decode_step,
)
from valletta_rules import (
    Action,
    CardSet,
    GameState,
    Phase,
    RuleSet,
    apply,
    legal_actions,
)
from valletta_rules.agenda import DealPrompt
from valletta_rules.components.display import QUOTAS, SITES

FIXTURES: Final = sorted((SPEC / "fixtures").glob("*.json.gz"))
SUMMARY: Final = SPEC / "explored.json"

T = TypeVar("T")


class Fixture:
    """All positions and transitions of an instance, as ``spec/tools/explore.js`` packs them."""

    def __init__(self, path: Path) -> None:
        """Read a fixture."""
        with gzip.open(path, "rt", encoding="utf-8") as file:
            self._packed: Json = json.load(file)
        self._read: dict[tuple[str, int], Any] = {}

    def _value(self, decode: Callable[[Any], T], index: int) -> T:
        """Return a shared value, read once."""
        key = (decode.__name__, index)
        if key not in self._read:
            self._read[key] = decode(self._packed["values"][index])
        value: T = self._read[key]
        return value

    @cached_property
    def games(self) -> list[tuple[RuleSet, CardSet]]:
        """The rules and the cards of each case."""
        return [decode_config(case["cfg"]) for case in self._packed["cases"]]

    @property
    def first(self) -> list[GameState]:
        """The first position of each case."""
        return [
            decode_state(case["first"], *game)
            for case, game in zip(self._packed["cases"], self.games, strict=True)
        ]

    @property
    def quotas(self) -> list[dict[str, int]]:
        """How many buildings of each colour are dealt in each case."""
        return [case["cfg"]["quotas"] for case in self._packed["cases"]]

    @cached_property
    def states(self) -> list[GameState]:
        """All positions, in the order in which they were reached."""
        return [self._state(*packed) for packed in self._packed["states"]]

    def _state(
        self,
        case: int,
        display: int,
        players: list[int],
        supply: int,
        barrels: int,
        valette: int,
        active: int,
        played: int,
        phase: str,
        agenda: list[int],
    ) -> GameState:
        rules, cards = self.games[case]
        return GameState(
            rules=rules,
            cards=cards,
            display=tuple(map(cards.building, self._packed["values"][display])),
            players=tuple(self._value(decode_player, player) for player in players),
            supply=self._value(decode_bag, supply),
            barrels=self._value(decode_goods, barrels),
            valette=valette,
            active=active,
            played=self._value(decode_characters, played),
            phase=Phase(phase),
            agenda=tuple(self._value(decode_step, step) for step in agenda),
        )

    @property
    def transitions(self) -> Iterator[tuple[GameState, list[tuple[Action, GameState]]]]:
        """Each position that was followed, with all legal actions and what they lead to."""
        actions = [decode_action(action) for action in self._packed["actions"]]
        for state, edges in zip(self.states, self._packed["edges"], strict=True):
            if edges is not None:
                pairs = zip(edges[::2], edges[1::2], strict=True)
                yield state, [(actions[action], self.states[after]) for action, after in pairs]


@pytest.fixture(scope="module", params=FIXTURES, ids=lambda path: path.name.split(".")[0])
def fixture(request: pytest.FixtureRequest) -> Fixture:
    """Return each fixture in turn."""
    return Fixture(request.param)


def test_every_instance_has_its_fixture() -> None:
    """For every instance that was explored there is a fixture, and for no other."""
    explored = json.loads(SUMMARY.read_text(encoding="utf-8"))
    assert [path.name.split(".")[0] for path in FIXTURES] == sorted(explored)


def test_instances_are_games_of_the_engine(fixture: Fixture) -> None:
    """An instance begins in a position that the printed game could have."""
    for state, quotas in zip(fixture.first, fixture.quotas, strict=True):
        sites = SITES[len(state.players)]
        is_dealing = any(isinstance(step, DealPrompt) for step in state.agenda)
        assert len(state.display) <= sites if is_dealing else len(state.display) == sites
        if is_dealing:
            assert quotas == QUOTAS[len(state.players)]
        dealt = [building.code for building in state.display]
        assert all(dealt.count(card.code) <= card.copies for card in state.cards.buildings)


def test_every_transition_is_the_engines(fixture: Fixture) -> None:
    """In every position the same actions are legal, and they lead to the same positions."""
    followed = 0
    for state, transitions in fixture.transitions:
        actions = legal_actions(state)
        assert len(actions) == len(transitions), state
        assert set(actions) == {action for action, _ in transitions}, state
        assert (state.phase is Phase.OVER) == (not actions), state
        for action, after in transitions:
            assert as_modelled(apply(state, action)) == after, (state, action)
        followed += len(transitions)
    assert followed > 0


def test_every_position_is_reached(fixture: Fixture) -> None:
    """The first positions and what legal actions lead to are all the positions there are."""
    reached = {after for _, transitions in fixture.transitions for _, after in transitions}
    assert reached | set(fixture.first) == set(fixture.states)
