"""Records and position lines of the first version, as they were written then."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import attrs
import pytest

from valletta_rules import (
    HANS_IM_GLUECK,
    BarrelLayout,
    Colour,
    Effects,
    Note,
    Opening,
    Record,
    RecordError,
    RuleSet,
    outcome,
    parse_position_line,
    parse_record,
    position_after,
    read_record,
)
from valletta_rules.card_sets.built_in import RECONSTRUCTION_1
from valletta_rules.rulings import EDITIONS
from valletta_rules.text.values import write_cards

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


def lines_of(name: str) -> Iterator[tuple[int, str]]:
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
    for moves, line in lines_of(name):
        assert parse_position_line(line) == position_after(record, moves)
    assert (outcome(position_after(record)) is not None) == ("whole" in name)


def test_a_name_alone_meant_the_cards_of_that_time() -> None:
    """What names no fingerprint means the only card set that there was."""
    record = parse_record("valletta: 1\nplayers: 3\nvariants: start-player")
    assert record == Record(
        3, HANS_IM_GLUECK.with_variants(start_player_variant=True), RECONSTRUCTION_1
    )
    assert parse_record("valletta: 1\nplayers: 3\ncards: Reconstruction").cards == record.cards


def test_cards_of_ones_own_are_refused_with_a_way_out() -> None:
    """Cards that the first version spelled out must be said otherwise, and the error says how."""
    text = (KEPT / "own-cards-2p.txt").read_text(encoding="utf-8")
    with pytest.raises(RecordError, match=r"^line 4: .* all cards in one value, as in") as refused:
        parse_record(text)
    example = re.search(r"`cards: (.*)/\.\.\.`", str(refused.value))
    assert example is not None
    mine = attrs.evolve(RECONSTRUCTION_1, name="Mine")
    assert write_cards(mine).startswith(example[1])
    lines = [line for line in text.splitlines() if not re.match("cards|barrels|building", line)]
    converted = "\n".join(["valletta: 2", lines[1], f"cards: {write_cards(mine)}", *lines[2:]])
    (line,) = (line for moves, line in lines_of("own-cards-2p") if moves == 80)
    assert position_after(parse_record(converted)) == parse_position_line(line)


@pytest.mark.parametrize(
    ("rules", "line", "reason"),
    [
        ("rules: custom", 4, 'the header "rules name" is missing'),
        ('rules: custom\nrules name: "\\', 4, "in quotation marks"),
        ("rules: custom\nrules name: Ours", 5, 'the header "effects" is missing'),
        ("rules: z-man\neffects: optional", 4, "has no meaning here"),
        ("rules: z-man\nvariants: blue", 3, "there is no variant 'blue'"),
    ],
)
def test_damaged_rules_are_told_with_their_line(rules: str, line: int, reason: str) -> None:
    """What is wrong with a header of the first version has its line, too."""
    with pytest.raises(RecordError) as refused:
        parse_record(f"valletta: 1\nplayers: 3\n{rules}\n")
    assert (refused.value.line, reason in refused.value.reason) == (line, True)


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
