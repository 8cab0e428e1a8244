"""Records and position lines of the first version, as they were written then."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from valletta_rules import (
    BarrelLayout,
    Colour,
    Effects,
    Note,
    Opening,
    RuleSet,
    outcome,
    parse_position_line,
    position_after,
    read_record,
)
from valletta_rules.rulings import EDITIONS

KEPT = Path(__file__).parent / "version_1"
"""Where they lie: a file for each record, and lines of positions in them."""

HOUSE = RuleSet(
    'Zur Krone: 2. Regel; "ohne" #Zwang',
    Effects.OPTIONAL,
    Opening.DRAFT_AND_STAGGERED,
    BarrelLayout.BY_PLAYERS,
    Colour.PURPLE,
)
"""The rule set that two of the records spell out."""

RULES = {**EDITIONS, "house-rules": HOUSE}
"""What rule sets the names of the files begin with."""

RECORDS = sorted(path.stem for path in KEPT.glob("*p.txt") if path.stem != "own-cards-2p")
"""The records with built-in cards."""


def lines(name: str) -> Iterator[tuple[int, str]]:
    """Return the lines of positions in a record, each after the number of moves that lead there."""
    for each in (KEPT / "lines.txt").read_text(encoding="utf-8").splitlines():
        record, moves, line = each.split(" ", 2)
        if record == name:
            yield int(moves), line


def rules_of(name: str) -> RuleSet:
    """Return the rule set that the name of a file tells."""
    edition = next(edition for edition in RULES if name.startswith(edition))
    return RULES[edition].with_variants(
        start_player_variant="start-player" in name or "both" in name,
        fewer_barrels="fewer-barrels" in name or "both" in name,
    )


@pytest.mark.parametrize("name", RECORDS)
def test_a_record_leads_to_the_positions_that_it_led_to(name: str) -> None:
    """Every edition and variant: the same moves lead to the same positions as ever."""
    record = read_record(KEPT / f"{name}.txt")
    assert record.rules == rules_of(name)
    for moves, line in lines(name):
        assert parse_position_line(line) == position_after(record, moves)
    assert (outcome(position_after(record)) is not None) == ("whole" in name)


def test_names_and_notes_are_kept() -> None:
    """Whatever was written beside the moves stays where it was."""
    record = read_record(KEPT / "z-man-whole-3p.txt")
    assert record.names == ("Zoë", "Player #1", "C#")
    assert record.notes == (
        Note(0, "league, round 3"),
        Note(37, "why? # or ; why not"),
        Note(37, "schön"),
        Note(90, "tax_collector"),
    )
