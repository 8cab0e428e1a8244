"""The engine and the formal specification agree, step by step; and whoever does not is found out.

For more steps: ``python -m spec.checks.lockstep --steps 100000``.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import islice
from typing import Any, get_args

import attrs
import pytest

from spec.checks.encoding import (
    as_modelled,
    decode_action,
    decode_config,
    decode_state,
    encode_action,
    encode_config,
    encode_state,
)
from spec.checks.lockstep import (
    Divergence,
    Lockstep,
    Tally,
    sampled,
    tables_of,
)
from spec.checks.mistakes.model import verdicts
from spec.checks.mistakes.table import read_mistakes
from spec.checks.model import Oracle, OracleError, WrittenPosition
from spec.checks.node import why_unavailable
from spec.checks.random_games import (
    RandomPlayer,
    Temper,
    a_position,
    an_ending,
    any_rules,
    every_table,
    seeded_moves,
    some_card_sets,
)
from spec.checks.rules import Engine
from tests.positions import EDITIONS
from valletta_rules import (
    HANS_IM_GLUECK,
    RECONSTRUCTION,
    Action,
    Build,
    CardSet,
    Character,
    Colour,
    Decline,
    GameState,
    Goods,
    Phase,
    PlayCard,
    RuleSet,
    check,
    legal_actions,
    new_game,
    outcome,
    rulings,
)
from valletta_rules.actions import ACTION_TYPES
from valletta_rules.agenda import Prompt
from valletta_rules.rulebook.setup import lay_table
from valletta_rules.specification.conformance.form import Json

UNAVAILABLE = why_unavailable()


def compares(what: str) -> pytest.MarkDecorator:
    """Skip a test if the formal specification cannot be asked, and say what is not compared."""
    reason = f"{what} are not compared with the formal specification: {UNAVAILABLE}"
    return pytest.mark.skipif(UNAVAILABLE is not None, reason=reason)


TABLES = tuple(every_table())
LEAST_STEPS = 2_000
"""How many steps a whole run compares at the least."""


@pytest.fixture(scope="module")
def oracle() -> Iterator[Oracle]:
    """Let the formal specification answer questions."""
    with Oracle() as running:
        yield running


@pytest.fixture
def lockstep(oracle: Oracle, tally: Tally) -> Iterator[Lockstep[WrittenPosition]]:
    """Return the engine and the formal specification in lockstep; they must agree in a test."""
    before = len(tally.divergences)
    yield Lockstep(oracle, tally=tally)
    assert not (found := tally.divergences[before:]), "\n".join(map(str, found[:3]))


@pytest.fixture
def wanderer() -> RandomPlayer:
    """Return a player who likes what has been seen seldom."""
    return RandomPlayer(random.Random(0))


@pytest.fixture(scope="module")
def generated() -> tuple[CardSet, ...]:
    """Return some card sets within the facts of the rulebook."""
    return some_card_sets(0, 12)


def table_id(value: object) -> str:
    """Name a parameter of a test."""
    return str(value).replace(" ", "-").replace("ü", "ue")


# Games


@compares("whole games")
@pytest.mark.parametrize(("rules", "players"), TABLES, ids=table_id)
def test_games(
    lockstep: Lockstep[WrittenPosition],
    wanderer: RandomPlayer,
    generated: tuple[CardSet, ...],
    rules: RuleSet,
    players: int,
) -> None:
    """A whole game agrees, whatever the edition, the variants and the number of players."""
    number = TABLES.index((rules, players))
    wanderer.rng.seed(number)
    cards = generated[number % len(generated)] if number % 2 else RECONSTRUCTION
    start = lockstep.begin(players, rules, cards)
    some = sampled(wanderer.rng, draws=0.02, plays=0.08, others=0.25)
    for _ in lockstep.game(start, wanderer, compared=some):
        pass


@compares("openings")
@pytest.mark.parametrize("number", range(8))
def test_openings(lockstep: Lockstep[WrittenPosition], wanderer: RandomPlayer, number: int) -> None:
    """The opening agrees, whatever the answers to the questions on which editions differ."""
    wanderer.rng.seed(number)
    players = 2 + number % 3
    start = lockstep.begin(players, any_rules(wanderer.rng, players), RECONSTRUCTION)
    some = sampled(wanderer.rng, draws=0.2)
    for _ in islice(lockstep.game(start, wanderer, compared=some), 30):
        pass


# Positions


@compares("the effects of all characters")
@pytest.mark.parametrize("character", Character)
@pytest.mark.parametrize("edition", EDITIONS, ids=table_id)
def test_characters(
    lockstep: Lockstep[WrittenPosition],
    wanderer: RandomPlayer,
    generated: tuple[CardSet, ...],
    edition: RuleSet,
    character: Character,
) -> None:
    """A turn that begins with a certain card agrees, its effect used or declined."""
    number = EDITIONS.index(edition) + 3 * character.rank
    wanderer.rng.seed(number)
    players = 2 + (character.rank + EDITIONS.index(edition)) % 3
    rules = edition.with_variants(fewer_barrels=players == 2 and number % 4 == 0)
    cards = generated[number % len(generated)] if number % 4 == 1 else RECONSTRUCTION
    state = a_position(wanderer.rng, rules, players, cards, character)
    moves = lockstep.game(state, wanderer, breadth=3, first=PlayCard(character))
    for _ in islice(moves, 6):
        pass
    in_vain = PlayCard(character, use_effect=False)
    if in_vain in legal_actions(state):
        lockstep.compare(state, legal_actions(state), [in_vain])


@compares("chains of Apprentices")
@pytest.mark.parametrize("colour", [Colour.RED, Colour.PURPLE])
@pytest.mark.parametrize("edition", EDITIONS, ids=table_id)
def test_chains_of_apprentices(
    lockstep: Lockstep[WrittenPosition], wanderer: RandomPlayer, edition: RuleSet, colour: Colour
) -> None:
    """Any card followed by one or two Apprentices agrees, be they red or purple."""
    apprentice = PlayCard(Character.APPRENTICE)
    for head in Character:
        wanderer.rng.seed(head.rank)
        rules = RuleSet(edition.name, effects=edition.effects, apprentice_colour=colour)
        state = a_position(wanderer.rng, rules, 2, RECONSTRUCTION, Character.APPRENTICE)
        for played in ((head,), (head, Character.APPRENTICE)):
            state = state.replace(played=played)
            lockstep.compare(state, legal_actions(state), [apprentice])


@compares("final scores")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_endings(lockstep: Lockstep[WrittenPosition], wanderer: RandomPlayer, players: int) -> None:
    """The final scores and the winners agree, ties included."""
    clauses = set()
    for number in range(40, 60):
        wanderer.rng.seed(number)
        ending = an_ending(wanderer.rng, HANS_IM_GLUECK, players, RECONSTRUCTION)
        *_, end = lockstep.game(ending, wanderer)
        result = outcome(end)
        assert result is not None
        clauses.add(result.clause)
    assert clauses == {"SCO-9", "SCO-10", "SCO-11"}


@compares("prompts, actions and characters")
def test_what_was_covered(tally: Tally) -> None:
    """The comparisons reach every prompt, every type of action and every character."""
    if tally.steps < LEAST_STEPS:
        pytest.skip(f"only a part of the comparisons was run: {tally}")
    assert set(tally.by_prompt) == {each.__name__ for each in get_args(Prompt)} | {"the end"}
    assert {name.split()[0] for name in tally.by_action} == {each.__name__ for each in ACTION_TYPES}
    assert {f"PlayCard {each}" for each in Character} <= set(tally.by_action)
    assert tally.fully > 0.98 * tally.steps
    assert tally.outcomes >= len(TABLES)


# The cards


@compares("facts about the cards")
@pytest.mark.rule("CMP-7", "CMP-8", "CMP-18")
def test_card_sets_satisfy_the_facts(oracle: Oracle, generated: tuple[CardSet, ...]) -> None:
    """What the model says of the cards is true of every card set, and not of other numbers."""
    for cards in (RECONSTRUCTION, *generated):
        assert set(oracle.facts(lay_table(2, HANS_IM_GLUECK, cards)).values()) == {True}
    barrels, (first, *others) = RECONSTRUCTION.barrels, RECONSTRUCTION.buildings
    again = attrs.evolve(first, copies=first.copies + 1)
    red = attrs.evolve(first, character=Character.MAID)
    for wrong, clauses in (
        (attrs.evolve(RECONSTRUCTION, buildings=(again, *others)), {"CMP-7", "CMP-8"}),
        (attrs.evolve(RECONSTRUCTION, buildings=tuple(others)), {"CMP-7", "CMP-8"}),
        (attrs.evolve(RECONSTRUCTION, buildings=(red, *others)), {"CMP-8"}),
        (attrs.evolve(RECONSTRUCTION, barrels=barrels + Goods(gold=1)), {"CMP-18"}),
    ):
        facts = oracle.facts(lay_table(2, HANS_IM_GLUECK, wrong))
        assert {clause for clause, holds in facts.items() if not holds} == clauses


# Mistakes


@compares("deliberate mistakes")
def test_a_mistake_is_judged_by_what_its_check_finds() -> None:
    """What changes nothing survives, what cannot be made or evaluated is invalid."""
    knight = next(each for each in read_mistakes() if each.name == "YEL-15 three-points")
    changes: dict[str, Json] = {
        "killed": {},
        "survived": {"replacement": "| Knight => 1 + 1"},
        "invalid": {"expression": "| Page => 2"},
        "unreadable": {"replacement": "| Knight =>"},
        "unknown": {"replacement": "| Knight => squire"},
        "without a value": {"replacement": "| Knight => 2 / 0"},
        "elsewhere": {"definition": "yellow.qnt::prices"},
        "by another check": {"by": "inv_hands"},
    }
    made = [
        attrs.evolve(knight, id=name, model={**(knight.model or {}), **change})
        for name, change in changes.items()
    ]
    found = verdicts(made, lambda line: None)
    assert {name.removeprefix("YEL-15 "): each["verdict"] for name, each in found.items()} == {
        **dict.fromkeys(changes, "invalid"),
        "killed": "killed",
        "survived": "survived",
        "by another check": "survived",
    }


# Another side


def declining_nothing(engine: Engine, position: GameState) -> Sequence[Action]:
    """List what is legal but for declining."""
    return [action for action in Engine.legal_actions(engine, position) if action != Decline()]


WRONG: Mapping[str, tuple[str, Callable[..., Any]]] = {
    "first position": (
        "new_game",
        lambda self, *table: Engine.new_game(self, *table).replace(valette=1),
    ),
    "legal actions": ("legal_actions", declining_nothing),
    "order of legal actions": (
        "legal_actions",
        lambda self, position: Engine.legal_actions(self, position)[::-1],
    ),
    "an action": (
        "is_legal",
        lambda self, position, action: (
            (position.phase is Phase.FINAL and isinstance(action, Build))
            or Engine.is_legal(self, position, action)
        ),
    ),
    "reason of a refusal": (
        "reason",
        lambda self, position, action: check(
            new_game(2, rules=position.rules, cards=position.cards), Decline()
        ),
    ),
    "successor": (
        "apply",
        lambda self, position, action: (
            Engine.apply(self, position, action).replace(barrels=Goods())
            if action == PlayCard(Character.SHOPKEEPER)
            else Engine.apply(self, position, action)
        ),
    ),
    "odds": (
        "odds",
        lambda self, position: (
            dict.fromkeys(Engine.odds(self, position) or (), Fraction(1, 2)) or None
        ),
    ),
    "position after chance": (
        "resolved",
        lambda self, position, rng: (rng.random(), Engine.resolved(self, position, rng))[1],
    ),
    "outcome": ("outcome", lambda self, position: None),
}
"""What rules can be wrong about, as a divergence calls it: the method, and what it does then."""


def wrong_about(what: str) -> Engine:
    """Return an engine that is wrong about one thing, and lists actions in order."""
    method, wrongly = WRONG[what]
    made: Engine = type("Wrong", (Engine,), {"in_order": True, method: wrongly})()
    return made


def divergences_of(
    other: Engine, wanderer: RandomPlayer, about: str | None = None
) -> list[Divergence]:
    """Return where other rules disagree with the engine in a final turn, and then in a whole game.

    Takes what is looked for: there is no need to go on after that.
    """
    lockstep = Lockstep(other, sparing=3)
    start = lockstep.begin(2, HANS_IM_GLUECK, RECONSTRUCTION)
    ending = an_ending(random.Random(3), HANS_IM_GLUECK, 2, RECONSTRUCTION)
    for state in (ending, start):
        for _ in lockstep.game(state, wanderer):
            if any(each.what == about for each in lockstep.tally.divergences):
                return lockstep.tally.divergences
    return lockstep.tally.divergences


def test_the_engine_agrees_with_itself(wanderer: RandomPlayer) -> None:
    """Another engine is one more set of rules, and agrees in everything."""
    assert divergences_of(Engine(), wanderer) == []


@pytest.mark.parametrize("about", WRONG)
def test_wrong_rules_are_reported_with_the_place(wanderer: RandomPlayer, about: str) -> None:
    """What rules are wrong about is named, with position, action and what each side says."""
    found = divergences_of(wrong_about(about), wanderer, about)
    place = next(each for each in found if each.what == about)
    assert place.engine != place.other
    assert (place.action is not None) is (
        about in ("an action", "reason of a refusal", "successor")
    )
    told = str(place)
    assert told.startswith(f"{about} under ")
    position = json.loads(told.rpartition("position: ")[2])
    assert decode_state(position, HANS_IM_GLUECK, RECONSTRUCTION) == as_modelled(place.state)


ANSWERING = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    print(json.dumps({"error": "too hard"} if "cfg" in asked else {"legal": []}), flush=True)
"""
"""A program that knows as little as possible."""


def test_any_program_can_be_the_other_side() -> None:
    """A program is asked line by line, first of all for the game; its errors are passed on."""
    with Oracle([sys.executable, "-c", ANSWERING]) as program:
        position = program.read(new_game(2))
        with pytest.raises(OracleError, match="too hard"):
            program.legal_actions(position)
        assert program.legal_actions(position) == frozenset()
        assert not program.is_legal(position, Decline())
        assert program.outcome(position) is None
    with Oracle([sys.executable, "-c", ""]) as program, pytest.raises(OracleError, match="code 0"):
        program.legal_actions(program.read(new_game(2)))


# The encoding


def test_positions_and_actions_survive_the_encoding(generated: tuple[CardSet, ...]) -> None:
    """A position, its rules and its actions, written for the specification, are read back equal."""
    for number, (rules, players) in enumerate(TABLES[::4]):
        start = new_game(players, rules=rules, cards=generated[number])
        for move in islice(seeded_moves(start, number, Temper.RANDOM), 0, None, 7):
            state, named = move.before, attrs.evolve(rules, name=start.cards.name)
            assert decode_config(encode_config(state), named.name) == (named, state.cards)
            assert decode_state(encode_state(state), rules, state.cards) == as_modelled(state)
            for action in legal_actions(state):
                assert decode_action(encode_action(action)) == action


@pytest.mark.parametrize("name", rulings.EDITIONS)
def test_an_edition_is_compared_by_its_name(name: str) -> None:
    """Those asked for are compared with every variant, at every table, and no others."""
    found = tables_of(random.Random(1), [name], [2, 4])
    assert {rulings.edition_of(rules) for rules, _ in found} == {name}
    assert sorted(players for _, players in found) == [2] * 4 + [4] * 2
    assert len(tables_of(random.Random(1), [name, "any"])) == 4 + 2 + 2 + 24
