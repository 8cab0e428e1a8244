"""Tests of the proofs that C functions fulfil their contracts: inputs, and reports of failures."""

import argparse
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import pytest

from spec.checks import proofs
from spec.checks.mutants import proofs as mutant_proofs
from spec.checks.mutants.proofs import denials
from spec.mentions import ensured
from tests.sources import ROOT

TEXTS: Final[Mapping[str, str]] = {
    path.name: path.read_text("utf-8") for path in proofs.FOLDER.glob("*.h")
}


SPARES: Final = r"(?:ensures|==>) (?:row->fault == .old.row->fault.|stays_sound\{Pre, Post\}.row.);"
"""Matches a postcondition that says when a function leaves the field `fault` unchanged."""


def test_every_postcondition_labelled_with_a_clause_is_in_the_list_of_contracts() -> None:
    """Each entry of the list has the file and the line of the postcondition."""
    labelled = [it for each in proofs.contracts() for it in each.ensures]
    assert labelled == sorted(ensured(ROOT), key=lambda each: (each.place.path, each.place.line))
    for each in labelled:
        line = (ROOT / each.place.path).read_text("utf-8").splitlines()[each.place.line - 1]
        assert f"{each.label}:" in line


def test_by_default_only_changed_contracts_are_proved() -> None:
    """Options select all contracts, or those of the named functions."""
    changed = [each for each in proofs.contracts() if not each.is_proved]
    named = proofs.contracts()[3]
    for functions, every, selected in (
        ([], False, changed),
        ([], True, [*proofs.contracts()]),
        ([named.function], False, [named]),
    ):
        assert [
            *proofs.select_contracts(argparse.Namespace(functions=functions, all=every))
        ] == selected


def test_the_fingerprint_of_a_proof_changes_only_with_the_definitions_that_it_uses() -> None:
    """Otherwise, every change in a header would require new proofs of all functions.

    Changed comments and unused predicates, such as `may_draft`, need no new proof.
    """
    text = '#include "row.h"\nensures is_player(row, total(goods));'
    before = proofs.fingerprint(text, TEXTS)

    def changed(file: str, old: str) -> bool:
        assert TEXTS[file].count(old) == 1
        new = TEXTS[file].replace(old, f"{old} 1 + ")
        return proofs.fingerprint(text, {**TEXTS, file: new}) != before

    assert proofs.fingerprint(f"{text} {text}", TEXTS) != before
    assert proofs.fingerprint(f"/* Why. */ {text}\n", TEXTS) == before
    assert changed("contracts.h", "predicate is_seat(Row *row, integer seat) =")
    assert changed("contracts.h", "predicate is_good(integer good) =")
    assert not changed("contracts.h", "predicate may_draft(Step prompt, integer number) =")
    assert changed("contracts.h", "#define EACH_GOOD")
    assert changed("row.h", "#ifndef")
    assert changed("row.h", "int total(const Goods")
    assert not changed("row.h", "int count_sites(uint32_t")
    assert not changed("row.h", '_Static_assert(sizeof(Step) == 8, "a step is a word')
    assert not changed("tables.h", "enum { TABLES_VERSION = ")
    assert changed("tables.h", "#ifndef")
    assert not changed("tables.h", "    BARREL_TOKENS =")
    assert proofs.fingerprint(f"{text} DEAREST", TEXTS) != proofs.fingerprint(
        f"{text} DEAREST",
        {**TEXTS, "tables.h": TEXTS["tables.h"].replace("DEAREST = ", "DEAREST = 1")},
    )
    assert not changed("binding.h", "#ifndef")


def test_a_proof_depends_on_the_ghost_variables_and_predicates_that_its_contract_uses() -> None:
    """These are defined in the same C file. Ghost code in function bodies is not included."""
    words = "/*@ ghost\n  int64_t current;\n*/\n"
    words += "/*@ predicate is_current(integer it) = it == current; */\n"
    text = f"{words}int x;\n    /*@ ghost current++; */\n"
    for contract in ("ensures current == 1;", "ensures is_current(1);"):
        assert f"{proofs.own_words(text, contract)}\n" == words
    assert not proofs.own_words(text, "ensures \\result == x;")
    texts = {
        each: (ROOT / "src" / "native" / each).read_text("utf-8")
        for each in ("chance.c", "building.c")
    }
    contracts = [each for each in proofs.contracts() if each.file in texts]
    naming = {each.function for each in contracts if proofs.own_words(texts[each.file], each.text)}
    assert {"ticket", "payments"} < naming < {each.function for each in contracts}


@pytest.mark.parametrize(
    ("goal", "message"),
    [
        ("merchant_ensures_BLU_12_states", "merchant does not do what its contract says of BLU-12"),
        ("merchant_ensures_2", "merchant does not do what its contract ensures"),
        ("merchant_assigns_normal_part2", "merchant changes memory that its contract does not"),
        ("merchant_call_take_requires_2", "merchant calls take without all that take requires"),
        ("take_pair_assert_rte_mem_access", "take_pair may read or write outside of a position"),
        ("take_wp_smoke_default_requires", "take requires a condition that no position fulfils"),
        ("take_bonus_ensures_BLU_5_part_BLU_25_part_BLU_32_part_part1", "says of BLU-5: "),
        ("take_bonus_ensures_BLU_5_part_BLU_25_part_BLU_32_part_part1", " and BLU-32: "),
        ("take_bonus_something", "take_bonus is not proved (take_bonus_something)"),
    ],
)
def test_a_failed_proof_goal_is_reported_as_a_sentence_with_function_line_and_clause(
    goal: str, message: str
) -> None:
    """Frama-C itself reports only the identifier of the goal, such as `merchant_ensures_2`."""
    sentence = proofs.broken(goal, proofs.owner_of(goal, proofs.contracts()))
    place, _, rest = sentence.partition(": ")
    path, _, line = place.partition(":")
    assert (ROOT / path).is_file()
    assert int(line)
    assert message in rest


def test_a_warning_of_frama_c_about_a_function_without_a_contract_is_an_error() -> None:
    """Frama-C would assume a default contract for the function. The proof would be worthless."""
    merchant = [each for each in proofs.contracts() if each.function == "merchant"]
    output = """[kernel:annot:missing-spec] rows.c:9: Warning:
  Neither code nor specification for function take, generating default assigns
[kernel:annot:missing-spec] rows.c:9: Warning:
  Neither code nor specification for function stake, generating default assigns
[wp] blue.c:5: Warning: Missing assigns clause (assigns 'everything' instead)
[wp] 12 goals scheduled
"""
    assert proofs.warnings_of(output, merchant) == (
        "Missing assigns clause (assigns 'everything' instead)",
        "take is called without a contract",
    )
    assert not proofs.warnings_of("[wp] 12 goals scheduled", merchant)


def test_only_the_postconditions_labelled_with_clauses_are_negated_in_a_denied_contract() -> None:
    """A denied contract must not be provable. Otherwise, the original one would be worthless.

    No other line of the C file changes.
    """
    (contract,) = (each for each in proofs.contracts() if each.function == "take_bonus")
    before = (proofs.FOLDER / contract.file).read_text("utf-8")
    (denial,) = denials(contract).values()
    changed = [line for line in denial.splitlines() if line not in before.splitlines()]
    assert len(changed) == 2
    labels = "    ensures BLU_5_part: BLU_25_part: BLU_32_part: "
    assert changed[0].startswith(f"{labels}!(row->fault || ")
    assert changed[1].endswith("? 1 : 0));")


def test_a_proof_goal_that_times_out_on_the_original_code_does_not_kill_a_mutant(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The mutant is not the reason for the failure.

    Before the verdict, the prover tries the goal again with more steps.
    """
    contracts = proofs.contracts()[:1]
    few, many = mutant_proofs.MUTANT_STEPS, mutant_proofs.MORE_STEPS
    missed = {("", few): ("slow",), ("", many): ("slow", "wrong"), ("as it is", few): ("slow",)}

    def proved(folder: Path, *_: object, steps: int) -> proofs.Proof:
        text = (folder / contracts[0].file).read_text("utf-8") and "as it is"
        return proofs.Proof({}, missed.get((text, steps), ()), (), 0)

    monkeypatch.setattr(mutant_proofs, "prove", proved)
    changed = {proofs.FOLDER / contracts[0].file: ""}
    assert mutant_proofs.missed_by(changed, contracts) == ["slow", "wrong"]
    missed["", few] = ("slow", "wrong")
    assert mutant_proofs.missed_by(changed, contracts) == ["wrong"]
    missed["", few] = missed["", many] = missed["as it is", many] = ("slow",)
    assert mutant_proofs.missed_by(changed, contracts) == []


def test_every_contract_that_states_a_clause_limits_when_the_function_may_set_a_fault() -> None:
    """Otherwise, a function that always sets a fault would fulfil ``ensures row->fault || ...``."""
    stating = {
        each.name: each.text.partition("*/")[0]
        for each in proofs.contracts()
        if any(it.grade == "states" and "row->fault" in it.condition for it in each.ensures)
    }
    assert len(stating) > 10
    assert {name for name, contract in stating.items() if not re.search(SPARES, contract)} == set()


def test_every_c_function_without_a_contract_is_listed_with_a_reason() -> None:
    """The page about the checks shows this list. It contains no other functions."""
    listed = tomllib.loads(proofs.REASONS.read_text("utf-8"))["unproved"]
    assert sorted(proofs.unproved()) == sorted(
        name for each in listed for name in each["functions"]
    )


def test_every_clause_that_the_c_code_implements_without_a_contract_is_listed_with_a_reason() -> (
    None
):
    """The page about the checks shows this list. It contains no other clauses."""
    listed = tomllib.loads(proofs.REASONS.read_text("utf-8"))["unnamed"]
    assert sorted(proofs.unnamed()) == sorted(
        clause for each in listed for clause in each["clauses"]
    )
