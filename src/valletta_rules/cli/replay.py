"""`valletta replay FILE`: tell a recorded game move by move."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from valletta_rules.agenda import DealPrompt
from valletta_rules.components.display import SITES
from valletta_rules.engine import Transition
from valletta_rules.events import CardDrawn, Event, GameEnded, TurnBegan
from valletta_rules.layout import filled
from valletta_rules.records.files import moving_seat, read_record
from valletta_rules.records.position_line import position_line
from valletta_rules.records.record import Record, RecordError, position_after, replay
from valletta_rules.rulebook.scoring import outcome
from valletta_rules.state import GameState
from valletta_rules.text.files import shown_path
from valletta_rules.words.english import (
    NAMES,
    describe_action,
    describe_prompt,
    describe_standings,
    joined,
    tell,
)
from valletta_rules.words.tables import draw_score_sheet, sketch_display

if TYPE_CHECKING:
    SubParsers = argparse._SubParsersAction[argparse.ArgumentParser]

DONE: Final = 0
"""Exit status: the game was told."""

FAULTY: Final = 2
"""Exit status: the file cannot be read, is damaged, or holds an illegal move."""


def add_parser(subparsers: SubParsers) -> None:
    """Add the command `replay` to a command line."""
    parser = subparsers.add_parser(
        "replay",
        help="tell a recorded game",
        description="Tell a recorded game move by move, drawn cards included.  Of a file that is "
        "damaged, or that holds an illegal move, it says where and why.",
    )
    parser.add_argument("file", metavar="FILE", help="the record of the game")
    parser.add_argument(
        "--until", type=int, metavar="N", help="tell the first N moves only, chance's included"
    )
    parser.add_argument(
        "--line",
        action="store_true",
        help="print nothing but the last position in one line, for a bug report",
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Carry out the command and return its exit status."""
    file = shown_path(arguments.file)
    try:
        record = read_record(arguments.file)
    except RecordError as error:
        return _complain(f"{file}: {error}")
    except OSError as error:
        return _complain(f"{file} cannot be read: {error.strerror}")
    moves = len(record.actions) if arguments.until is None else arguments.until
    if not 0 <= moves <= len(record.actions):
        return _complain(f"--until must be a number from 0 to {len(record.actions)}")
    if arguments.line:
        print(position_line(position_after(record, moves)))
    else:
        tell_game(record, moves)
    return DONE


def _complain(message: str) -> int:
    """Say on standard error what went wrong, and return the exit status."""
    print(f"valletta replay: {message}", file=sys.stderr)
    return FAULTY


def _called(record: Record) -> tuple[str, ...]:
    """Return what to call the players."""
    return record.names or NAMES[: record.players]


def tell_game(record: Record, moves: int) -> None:
    """Tell the first moves of a game, and how it stands after them."""
    print(f"{joined(_called(record))} play by the rules {record.rules}.")
    print(f"The cards are those of {record.cards}.")
    state, turns, notes = record.start, 0, record.notes_by_move()
    _tell_notes(notes.get(0, ()))
    for number, step in zip(range(1, moves + 1), replay(record), strict=False):
        if not isinstance(state.prompt, DealPrompt):
            _tell_move(record, number, state, step)
        elif len(step.state.display) == SITES[record.players]:
            print(f"\n{sketch_display(step.state)}\n")
        _tell_notes(notes.get(number, ()))
        for event in step.events:
            if isinstance(event, TurnBegan):
                turns += 1
                print(f"\nTurn {turns}, {_called(record)[event.seat]}")
        state = step.state
    _tell_standing(record, state)


def _tell_move(record: Record, number: int, before: GameState, step: Transition) -> None:
    """Tell a move: its number, and what it brought about."""
    names = _called(record)
    tale = _tale(step.events, before, names)
    if not tale:
        seat = moving_seat(before)
        assert seat is not None, "what is dealt is told by the display"
        tale = f"{names[seat]} chooses to {describe_action(before, record.actions[number - 1])}."
    print(filled(tale, f"{number:4}  ", " " * 6))


def _tale(events: Sequence[Event], before: GameState, names: Sequence[str]) -> str:
    """Say what happened; whoever does several things in a row is named once.

    A record hides nothing, so that drawn cards are named.
    """
    tale, hero = "", ""
    for event in events:
        if isinstance(event, TurnBegan | GameEnded):
            continue
        reader = event.seat if isinstance(event, CardDrawn) else None
        sentence = tell(event, before, names, reader=reader)
        if sentence.subject == hero:
            tale = f"{tale[:-1]}, {sentence.predicate}."
        else:
            tale, hero = f"{tale} {sentence}".lstrip(), sentence.subject
    return tale


def _tell_notes(texts: Sequence[str]) -> None:
    """Tell the notes that come after a move."""
    for text in texts:
        print(filled(text, f"{' ' * 6}# "))


def _tell_standing(record: Record, state: GameState) -> None:
    """Tell how the game ended, or how it stands and what is asked."""
    result = outcome(state)
    if result is not None:
        print(f"\n{draw_score_sheet(result, _called(record))}")
        return
    print(f"\nHere the record ends.  {describe_prompt(state, _called(record))}")
    if len(state.display) == SITES[record.players]:
        print(f"If the game ended now: {describe_standings(state, _called(record))}")
