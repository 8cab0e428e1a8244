"""The engine agrees with every transition of the instances that were explored exhaustively.

The formal specification walked through all positions of these instances; what it found is
committed as fixtures, so that this needs no Node.  In ``spec/``, they are written by
``node tools/explore.js all --fixtures fixtures``, and ``bash check.sh`` compares them with what
the specification says now.

The instances are small because their numbers are: `spec.checks.scaled` lets the engine's own code
run with the numbers of each.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import attrs
import pytest

from spec.checks.encoding import (
    as_modelled,
    decode_action,
    decode_config,
    decode_state,
    encode_outcome,
)
from spec.checks.mistakes.table import read_mistakes
from spec.checks.node import SPEC
from spec.checks.scaled import first_position, scaled_to
from valletta_rules import (
    Action,
    Build,
    CardSet,
    DealBuilding,
    GameState,
    Phase,
    RuleSet,
    Upgrade,
    apply,
    chance_outcomes,
    check,
    legal_actions,
    outcome,
)
from valletta_rules.agenda import ChancePrompt, DealPrompt, SitePrompt
from valletta_rules.components import display
from valletta_rules.specification.conformance.form import Json

FIXTURES: Final = sorted((SPEC / "fixtures").glob("*.json.gz"))
EXPLORED: Final[Json] = json.loads((SPEC / "explored.json").read_text("utf-8"))["instances"]
"""What was found in each instance, in figures."""

LARGEST: Final = 1 << 20
"""How many bytes a fixture may have."""

NAMES: Final = tuple(field.name for field in attrs.fields(GameState)[2:])
"""The fields of a position in the order in which they are packed."""


@attrs.frozen
class Case:
    """A game of an instance: where it begins, and what is legal in its positions."""

    config: Json
    """The rules, the cards and the numbers."""
    first: GameState
    """The first position."""
    states: tuple[int, ...]
    """The numbers of its positions among all of the instance."""


class Fixture:
    """All positions and transitions of an instance, as ``spec/tools/explore.js`` packs them."""

    def __init__(self, path: Path) -> None:
        """Read a fixture."""
        self.name = path.name.split(".")[0]
        with gzip.open(path, "rt", encoding="utf-8") as file:
            self._packed: Json = json.load(file)

    @cached_property
    def _games(self) -> list[tuple[RuleSet, CardSet]]:
        """The rules and the cards of each case."""
        return [decode_config(case["cfg"]) for case in self._packed["cases"]]

    @cached_property
    def cases(self) -> list[Case]:
        """The games of the instance."""
        owners = [packed[0] for packed in self._packed["states"]]
        return [
            Case(
                case["cfg"],
                decode_state(case["first"], *game),
                tuple(index for index, owner in enumerate(owners) if owner == number),
            )
            for number, (case, game) in enumerate(
                zip(self._packed["cases"], self._games, strict=True)
            )
        ]

    @cached_property
    def states(self) -> list[GameState]:
        """All positions, in the order in which they were reached."""
        return [
            decode_state(self._written(*fields), *self._games[case])
            for case, *fields in self._packed["states"]
        ]

    @cached_property
    def weights(self) -> dict[int, list[int]]:
        """The weights of the legal actions in each position where chance answers."""
        return {int(number): shares for number, shares in self._packed["weights"].items()}

    @cached_property
    def actions(self) -> list[Action]:
        """Every action that is legal somewhere, once."""
        return [decode_action(action) for action in self._packed["actions"]]

    @cached_property
    def edges(self) -> list[list[tuple[int, int]] | None]:
        """For each position its legal actions and what they lead to, if they were followed."""
        return [
            None if packed is None else list(zip(packed[::2], packed[1::2], strict=True))
            for packed in self._packed["edges"]
        ]

    @cached_property
    def depths(self) -> list[int]:
        """How many actions each position is away from a first position."""
        depths = [0] * len(self.edges)
        reached = {case.states[0] for case in self.cases}
        for state, edges in enumerate(self.edges):
            for _, after in edges or ():
                if after not in reached:
                    reached.add(after)
                    depths[after] = depths[state] + 1
        return depths

    def digests(self, outcomes: Mapping[int, Json]) -> str:
        """Return the digests of each level, if the games that are over have these outcomes.

        ``spec/tools/explore.js`` hashes the text of positions, outcomes, legal actions and weights.
        """
        levels = [hashlib.sha256() for _ in range(max(self.depths) + 1)]
        actions = [_text(action) for action in self._packed["actions"]]
        for number, edges in enumerate(self.edges):
            level = levels[self.depths[number]]
            level.update(_text(self._written(*self._packed["states"][number][1:])))
            if number in outcomes:
                level.update(_text(outcomes[number]))
            shares = self.weights.get(number)
            for index, (action, _) in enumerate(edges or ()):
                level.update(actions[action])
                if shares is not None:
                    level.update(_text(shares[index]))
        return " ".join(level.hexdigest()[:8] for level in levels)

    def _written(self, *fields: Any) -> Json:
        """Return a position as the specification writes it; the values it shares are numbered."""
        values = self._packed["values"]
        return {
            name: each
            if name in ("valette", "active", "phase")
            else [values[place] for place in each]
            if isinstance(each, list)
            else values[each]
            for name, each in zip(NAMES, fields, strict=True)
        }


def _text(value: object) -> bytes:
    """Return the text that JavaScript gives a value."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()


def test_every_invariant_has_a_mistake_that_violates_it() -> None:
    """Each invariant of the model is named by a deliberate mistake, which must violate it."""
    text = (SPEC / "quint" / "invariants.qnt").read_text(encoding="utf-8")
    named = {each.model.get("by") for each in read_mistakes() if each.model}
    assert set(re.findall(r"val ((?:inv|trans)_\w+)", text)) <= named


@pytest.fixture(scope="module", params=FIXTURES, ids=lambda path: path.name.split(".")[0])
def fixture(request: pytest.FixtureRequest) -> Fixture:
    """Return each fixture in turn."""
    return Fixture(request.param)


def in_scale(fixture: Fixture) -> Iterator[Case]:
    """Run through the games of an instance, the engine playing with the numbers of each."""
    for case in fixture.cases:
        with scaled_to(case.config):
            yield case


def followed(fixture: Fixture) -> Iterator[tuple[int, GameState, list[tuple[int, int]]]]:
    """Run through the positions from which the model went on, each with its number and edges."""
    for case in in_scale(fixture):
        for number in case.states:
            if (edges := fixture.edges[number]) is not None:
                yield number, fixture.states[number], edges


def test_every_instance_has_its_fixture() -> None:
    """For every instance that was explored there is a fixture, and for no other."""
    assert [path.name.split(".")[0] for path in FIXTURES] == sorted(EXPLORED)
    assert all(path.stat().st_size <= LARGEST for path in FIXTURES)


def test_an_instance_begins_in_a_position_that_is_possible(fixture: Fixture) -> None:
    """Apart from its numbers, an instance begins where a game begins or could have come to."""
    for case in in_scale(fixture):
        state = case.first
        assert fixture.states[case.states[0]] == state
        if state.phase is Phase.SETUP:
            assert state == first_position(case.config)
        sites = display.SITES[len(state.players)]
        is_dealing = any(isinstance(step, DealPrompt) for step in state.agenda)
        assert len(state.display) <= sites if is_dealing else len(state.display) == sites
        dealt = [building.code for building in state.display]
        assert all(dealt.count(card.code) <= card.copies for card in state.cards.buildings)


def test_every_transition_is_the_engines(fixture: Fixture) -> None:
    """In every position the same actions are legal, and they lead to the same positions."""
    count = 0
    for _, state, edges in followed(fixture):
        legal = legal_actions(state)
        assert len(legal) == len(edges), state
        assert set(legal) == {fixture.actions[action] for action, _ in edges}, state
        assert (state.phase is Phase.OVER) == (not legal), state
        for action, after in edges:
            reached = as_modelled(apply(state, fixture.actions[action]))
            assert reached == fixture.states[after], (state, fixture.actions[action])
        count += len(edges)
    assert count == EXPLORED[fixture.name]["transitions"]


@pytest.mark.rule("SET-5", "SET-9", "SET-10", "SET-15", "TRN-18")
def test_chance_is_the_engines(fixture: Fixture) -> None:
    """Where chance answers, each answer has the probability that its weight in the model says."""
    for number, state, edges in followed(fixture):
        assert isinstance(state.prompt, ChancePrompt) is (number in fixture.weights), state
        if (weights := fixture.weights.get(number)) is not None:
            assert dict(chance_outcomes(state)) == {
                fixture.actions[action]: Fraction(weight, sum(weights))
                for (action, _), weight in zip(edges, weights, strict=True)
            }, state


@pytest.mark.rule("BLD-3", "BLD-4", "BLD-26")
def test_an_action_is_accepted_if_it_is_listed(fixture: Fixture) -> None:
    """Of all answers that are legal somewhere, those are accepted that are legal here.

    What is listed and what is accepted is stated twice in the engine, in every phase.
    """
    for _, state, edges in followed(fixture):
        listed, kinds = (
            {action for action, _ in edges},
            state.prompt.answers if state.prompt else (),
        )
        for action, answer in enumerate(fixture.actions):
            if isinstance(answer, kinds) and is_within(answer, state):
                assert (check(state, answer) is None) is (action in listed), (state, answer)


@pytest.mark.rule("BLD-4")
def test_the_final_phase_meets_the_last_house() -> None:
    """In the final phase, somebody without a house left is asked for a site in an instance.

    There the deliberate mistake *ninth* is noticed in the model.
    """
    assert any(
        isinstance(state.prompt, SitePrompt)
        and state.phase is Phase.FINAL
        and len(state.players[state.prompt.seat].built) >= case.config["houses"]
        for fixture in map(Fixture, FIXTURES)
        for case in fixture.cases
        for state in map(fixture.states.__getitem__, case.states)
    )


def is_within(action: Action, state: GameState) -> bool:
    """Tell whether an action names only what the game of a position has."""
    match action:
        case Build(site) | Upgrade(site):
            return site < len(state.display)
        case DealBuilding(code):
            return any(building.code == code for building in state.cards.buildings)
        case _:
            return True


def test_every_position_is_reached(fixture: Fixture) -> None:
    """The first positions and what legal actions lead to are all the positions there are."""
    reached = {after for edges in fixture.edges for _, after in edges or ()}
    first = {case.states[0] for case in fixture.cases}
    assert reached | first == set(range(len(fixture.states)))
    assert len(set(fixture.states)) == len(fixture.states)


def test_outcomes_are_the_engines(fixture: Fixture) -> None:
    """Games end with the scores and winners of the specification.

    Its digests of the positions, their outcomes and their legal actions are committed; here the
    outcomes that the engine finds are hashed with what the fixture holds.
    """
    found = EXPLORED[fixture.name]
    outcomes = {}
    for case in in_scale(fixture):
        for number in case.states:
            result = outcome(fixture.states[number])
            if result is not None:
                outcomes[number] = encode_outcome(result)
    assert len(fixture.states) == found["states"]
    assert fixture.edges.count(None) == found["cut"]
    assert len(outcomes) == found["finished"]
    assert max(fixture.depths) == found["depth"]
    assert fixture.digests(outcomes) == found["levels"]
