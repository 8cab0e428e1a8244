"""Worked examples: how what is given becomes a position, and what cannot be read."""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from typing import Any

import attrs
import pytest

from spec.checks.rules import Engine
from tests.specification import CASES
from valletta_rules import (
    HANS_IM_GLUECK,
    RECONSTRUCTION,
    Z_MAN,
    Character,
    Good,
    Goods,
    Phase,
    PlayCard,
    SiteSet,
    explain,
    new_game,
    problems_of,
)
from valletta_rules.agenda import DealPrompt, DraftPrompt, MaidPrompt, PaymentPrompt, PlayPrompt
from valletta_rules.components.display import SITES
from valletta_rules.rulebook.setup import GENERAL_SUPPLY
from valletta_rules.specification.clauses import Example, lines_of
from valletta_rules.specification.worked_examples import (
    ExampleError,
    contradictions,
    examples,
    position_of,
    variants,
    work,
)
from valletta_rules.state import GameState

SOME = explain("RED-1").examples[0]


def example(*play: str, refused: str = "", **given: Any) -> Example:
    """Return an example of a clause, with what is given by key."""
    return attrs.evolve(SOME, given=tuple(lines_of(given)), play=play, refused=refused)


def before(**given: Any) -> GameState:
    """Return the position given."""
    return position_of(given)


def test_what_is_not_given_is_as_simple_as_can_be() -> None:
    """Two players without anything, in the main phase, by the rules and cards of the package."""
    state = before(red={"hand": "maid"})
    assert (state.rules, state.cards, state.phase) == (HANS_IM_GLUECK, RECONSTRUCTION, Phase.MAIN)
    assert state.prompt == PlayPrompt(0, 3)
    assert state.supply == GENERAL_SUPPLY
    assert state.players[1].hand.counts == state.players[1].draw_pile.counts
    assert state.players[1].goods == Goods()
    assert state.barrels == RECONSTRUCTION.barrels


def test_what_is_given_is_there() -> None:
    """Every key is read; sites upgraded are built as well."""
    state = before(
        rules="z-man",
        players="3",
        active="green",
        phase="final",
        green={"hand": "2maid, builder", "goods": "2 gold, 1 wood", "upgraded": "3, 7"},
        blue={"built": "4", "score": "12", "discard": "knight"},
        sites={"7": "knight"},
        valette="6",
        played="maid",
        supply="-",
    )
    player = state.players[2]
    assert state.prompt == PlayPrompt(2, 2)
    assert player.hand.count(Character.MAID) == 2
    assert player.goods == Goods(gold=2, wood=1)
    assert player.built == player.upgraded == SiteSet.of(3, 7)
    assert state.players[1].score == 12
    assert state.display[7].character is Character.KNIGHT
    assert state.barrels.total == RECONSTRUCTION.barrels.total - 6
    assert state.phase is Phase.FINAL
    assert not state.supply


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_display_is_one_that_can_be_dealt(players: int) -> None:
    """It has the quotas of the colours, and no building more often than there are cards."""
    state = before(players=str(players), phase="setup", sites={"3": "monk", "4": "knight"})
    assert len(state.display) == SITES[players]
    assert isinstance(state.prompt, DraftPrompt)
    assert problems_of(state) == ()


def test_a_building_can_be_made_for_the_purpose() -> None:
    """It is written in full, and belongs to the card set; others are named by their codes."""
    state = before(sites={"3": "Y/knight/2g1w/gold/1/1", "4": "E"})
    assert state.cards.building("Y") == state.display[3]
    assert state.display[4] == RECONSTRUCTION.building("E")
    assert len(state.cards.buildings) == len(RECONSTRUCTION.buildings) + 1


def test_the_setup_can_be_joined_at_any_point() -> None:
    """While buildings are dealt nobody has drawn; a draft can be under way."""
    assert isinstance(before(phase="setup", dealt="3").prompt, DealPrompt)
    assert before(phase="setup", dealt="0") == new_game(2)
    draft = before(phase="setup", asked="draft/0/1g1w1s")
    assert draft.prompt == DraftPrompt(0, Goods(1, 1, 1))


def test_a_question_can_be_asked_first_and_a_turn_be_over() -> None:
    """The plays left can be given, and none can be left."""
    state = before(asked="payment/0/7/2g", plays="1", red={"hand": "maid"})
    assert state.agenda[:2] == (PaymentPrompt(0, 7, Goods(gold=2)), PlayPrompt(0, 1))
    ended = before(plays="0", played="maid", red={"hand": "builder"}, blue={"hand": "maid"})
    assert not ended.played


def test_what_is_played_is_played_and_the_last_action_can_be_refused() -> None:
    """The actions are read in their positions; a refusal says why."""
    played = work(example("maid", "take gold", red={"hand": "maid"}))
    assert played.actions[0] == PlayCard(Character.MAID)
    assert played.after.players[0].goods[Good.GOLD] == 1
    assert [state.prompt for state, _ in played.steps()] == [PlayPrompt(0, 3), MaidPrompt(0)]
    refused = work(example("maid", refused="card-not-in-hand", red={"hand": "builder"}))
    assert refused.violation is not None
    assert refused.after == refused.before


@pytest.mark.parametrize("case", CASES["unreadable"], ids=lambda case: str(case["message"]))
def test_what_cannot_be_read_or_played_is_refused(case: dict[str, Any]) -> None:
    """The error names the example, the key and the trouble."""
    with pytest.raises(ExampleError, match=case["message"]) as error:
        work(example(*case.get("play", ()), **case["given"]))
    assert str(error.value).startswith("RED-1/")


def contradicted(worked: Example, *said: tuple[str, str]) -> list[str]:
    """Return what is not so of what is said of an example's end."""
    return list(contradictions(work(attrs.evolve(worked, then=said)), Engine()))


MONK: Mapping[str, Any] = {
    "red": {"hand": "monk, maid"},
    "blue": {"goods": "4 gold"},
    "sites": {"4": "banker", "5": "Y/knight/2g1w/gold/1/1"},
}


@pytest.mark.parametrize(
    "case", CASES["said"], ids=lambda case: f"{case['key']} {case['otherwise']}"
)
def test_what_an_example_says_is_compared(case: dict[str, str]) -> None:
    """What is so is no contradiction, and anything else is one."""
    worked, key = example("monk", "give gold", **MONK), case["key"]
    assert contradicted(worked, (key, case["so"])) == []
    [wrong] = contradicted(worked, (key, case["otherwise"]))
    assert wrong.startswith(f"{key} is ")


def test_what_the_rules_cannot_say_is_passed_over() -> None:
    """Rules that tell no events are not asked for any."""
    silent = Engine()
    silent.told = lambda position, action: None  # type: ignore[method-assign, assignment, return-value]
    told = attrs.evolve(example("monk", **MONK), then=(("told", "nothing"), ("untold", "nobody")))
    assert list(contradictions(work(told), silent)) == []


def test_a_price_and_the_end_are_compared() -> None:
    """The price is that of the payment asked after a choice; the end has points by their kind."""
    given = {**MONK, "red": {"hand": "builder", "goods": "5 gold, 5 wood"}}
    assert contradicted(example("builder", **given), ("price.build 5", "2 gold, 1 wood")) == []
    last = example("maid", "take gold", phase="final", red={"hand": "maid", "goods": "2 gold"})
    said = (("final.red.goods", "1"), ("final.blue", "0"), ("winners", "red"), ("by", "SCO-9"))
    assert contradicted(last, *said) == []


@pytest.mark.parametrize(("by", "said"), [("", ["maid is refused as"]), ("TRN-3", [])])
def test_a_refusal_is_by_a_clause(by: str, said: list[str]) -> None:
    """It is by the clause of the example, if it names no other."""
    refused = example("maid", refused="card-not-in-hand", red={"hand": "knight"})
    found = contradicted(attrs.evolve(refused, by=by))
    assert [each[: len("maid is refused as")] for each in found] == said


def test_an_example_has_variants() -> None:
    """It is played with each edition and number of players that it names, or with any in force."""
    several = example(rules="hans-im-glueck, z-man", players="2, 4", red={"hand": "maid"})
    positions = [position_of(dict(each.given)) for each in variants(several)]
    assert [(str(each.rules), len(each.players)) for each in positions] == [
        (str(rules), players) for rules in (HANS_IM_GLUECK, Z_MAN) for players in (2, 4)
    ]
    assert len(variants(example(rules="any", players="any"))) == 9
    between_two = attrs.evolve(example(rules="any", players="any"), clause="BLU-35")
    assert [dict(each.given) for each in variants(between_two)] == [
        {"rules": "z-man", "players": "2"}
    ]


def test_examples_are_values_and_all_of_them_can_be_worked() -> None:
    """They can be hashed and pickled; each leads somewhere, or says what is unchanged."""
    assert pickle.loads(pickle.dumps(explain("RED-1"))) == explain("RED-1")
    for worked in examples():
        assert hash(worked.example)
        if worked.actions and worked.after == worked.before:
            assert worked.violation or "unchanged" in dict(worked.example.then)
