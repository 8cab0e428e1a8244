"""Tests of the formal model: its invariants, its facts about card sets, and its encoding."""

import re
from itertools import islice

import attrs
import pytest

import valletta_rules as vr
from spec.checks import encoding
from spec.checks.model import Oracle
from spec.checks.mutants.table import read_mutants
from spec.checks.node import SPEC, why_unavailable
from spec.checks.random_games import Temper, every_table, seeded_moves, some_card_sets
from valletta_rules.rulebook.setup import lay_table

GENERATED = some_card_sets(0, 12)


def test_every_invariant_of_the_formal_model_is_violated_by_a_mutant() -> None:
    """Otherwise, the invariant could also be true in impossible positions."""
    text = (SPEC / "quint" / "invariants.qnt").read_text(encoding="utf-8")
    named = {each.model.get("by") for each in read_mutants() if each.model}
    assert set(re.findall(r"val ((?:inv|trans)_\w+)", text)) <= named


@pytest.mark.skipif(why_unavailable() is not None, reason=f"no model: {why_unavailable()}")
@pytest.mark.rule("CMP-7", "CMP-8", "CMP-18")
def test_the_facts_in_the_formal_model_are_true_of_valid_card_sets_only() -> None:
    """A card set with wrong numbers of buildings, cards or barrels violates the model's facts."""
    with Oracle() as oracle:
        for cards in (vr.RECONSTRUCTION, *GENERATED):
            assert set(oracle.facts(lay_table(2, vr.HANS_IM_GLUECK, cards)).values()) == {True}
        barrels, (first, *others) = vr.RECONSTRUCTION.barrels, vr.RECONSTRUCTION.buildings
        again = attrs.evolve(first, copies=first.copies + 1)
        red = attrs.evolve(first, character=vr.Character.MAID)
        for wrong, clauses in (
            (attrs.evolve(vr.RECONSTRUCTION, buildings=(again, *others)), {"CMP-7", "CMP-8"}),
            (attrs.evolve(vr.RECONSTRUCTION, buildings=tuple(others)), {"CMP-7", "CMP-8"}),
            (attrs.evolve(vr.RECONSTRUCTION, buildings=(red, *others)), {"CMP-8"}),
            (attrs.evolve(vr.RECONSTRUCTION, barrels=barrels + vr.Goods(gold=1)), {"CMP-18"}),
        ):
            facts = oracle.facts(lay_table(2, vr.HANS_IM_GLUECK, wrong))
            assert {clause for clause, holds in facts.items() if not holds} == clauses


def test_decoding_positions_and_actions_encoded_for_the_formal_model_restores_them() -> None:
    """The positions are from random games with several rule sets."""
    for number, (rules, players) in enumerate([*every_table()][::4]):
        start = vr.new_game(players, rules=rules, cards=GENERATED[number])
        for move in islice(seeded_moves(start, number, Temper.RANDOM), 0, None, 7):
            state = move.before
            assert encoding.decode_state(
                encoding.encode_state(state), rules, state.cards
            ) == encoding.as_modelled(state)
            for action in vr.legal_actions(state):
                assert encoding.decode_action(encoding.encode_action(action)) == action
