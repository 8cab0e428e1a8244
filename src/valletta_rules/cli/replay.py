"""`valletta replay FILE`: narrate a recorded game move by move."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Final

import attrs

from valletta_rules.agenda import DealPrompt
from valletta_rules.cli.game import add_moves, read_moves, screen_for
from valletta_rules.cli.options import add_language, spoken
from valletta_rules.cli.screen import Screen
from valletta_rules.components import SITES
from valletta_rules.engine import Transition
from valletta_rules.events import CardDrawn, Event, GameEnded, TurnBegan
from valletta_rules.records.files import moving_seat
from valletta_rules.records.position_line import position_line
from valletta_rules.records.record import Record, position_after, replay
from valletta_rules.rulebook.scoring import outcome
from valletta_rules.state import GameState
from valletta_rules.words import draw_score_sheet, language_of, sketch_display

DONE: Final = 0
"""Exit status: the game was replayed."""

FAULTY: Final = 2
"""Exit status: the file cannot be read, is damaged, or contains an illegal move."""


ABOUT: Final = (
    "Narrate a recorded game move by move, including drawn cards.  If the file is "
    "damaged or contains an illegal move, print its line and the reason."
)
"""The description of the command in its help text."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments to its parser."""
    add_moves(parser, "narrate")
    parser.add_argument(
        "--line",
        action="store_true",
        help="print only the last position, in one line, for a bug report",
    )
    add_language(parser, default=argparse.SUPPRESS)


def run(arguments: argparse.Namespace) -> int:
    """Run the command and return its exit status."""
    language = language_of(spoken(arguments))
    record, moves = read_moves(arguments, language)
    if arguments.line:
        print(position_line(position_after(record, moves)))
    else:
        RecordNarrator(record, screen_for(record, language)).narrate(moves)
    return DONE


@attrs.frozen
class RecordNarrator:
    """A narrator that prints a recorded game move by move."""

    record: Record
    screen: Screen

    def narrate(self, moves: int) -> None:
        """Narrate the first `moves` moves of the game, and print the result or the standings."""
        record, screen, names = self.record, self.screen, self.screen.names
        language, phrase = screen.language, screen.language.phrase
        rules = language.describe_rules(record.rules)
        screen.fill(phrase("console.by_the_rules", names=language.joined(names), rules=rules))
        screen.fill(phrase("console.cards", name=record.cards))
        state, turns, notes = record.start, 0, record.notes_by_move()
        self._print_notes(notes.get(0, ()))
        for number, step in zip(range(1, moves + 1), replay(record), strict=False):
            if not isinstance(state.prompt, DealPrompt):
                self._print_move(number, state, step)
            elif len(step.state.display) == SITES[record.players]:
                screen.write(f"\n{sketch_display(step.state, names, language, screen.width)}\n")
            self._print_notes(notes.get(number, ()))
            for event in step.events:
                if isinstance(event, TurnBegan):
                    turns += 1
                    screen.write(
                        f"\n{phrase('console.turn_of', turn=turns, name=names[event.seat])}"
                    )
            state = step.state
        self._print_standing(state)

    def _print_move(self, number: int, before: GameState, step: Transition) -> None:
        """Print a move: its number and its events."""
        language, names = self.screen.language, self.screen.names
        tale = self._tale(step.events, before)
        if not tale:
            seat = moving_seat(before)
            assert seat is not None, "the display shows what is dealt"
            action = language.describe_action(before, self.record.actions[number - 1])
            tale = language.phrase("console.chooses", name=names[seat], action=action)
        self.screen.fill(tale, f"{number:4}  ", " " * 6)

    def _tale(self, events: Sequence[Event], before: GameState) -> str:
        """Return events in words; consecutive events with the same subject form one sentence.

        Drawn cards are named, because a record contains them.
        """
        tale, hero = "", ""
        for event in events:
            if isinstance(event, TurnBegan | GameEnded):
                continue
            reader = event.seat if isinstance(event, CardDrawn) else None
            sentence = self.screen.language.event_sentence(
                event, before, self.screen.names, reader=reader
            )
            if sentence.subject == hero:
                tale = f"{tale[:-1]}, {sentence.predicate}."
            else:
                tale, hero = f"{tale} {sentence}".lstrip(), sentence.subject
        return tale

    def _print_notes(self, texts: Sequence[str]) -> None:
        """Print the notes that follow a move in the record."""
        for text in texts:
            self.screen.fill(text, f"{' ' * 6}# ")

    def _print_standing(self, state: GameState) -> None:
        """Print the score sheet of a finished game, or the prompt and the standings."""
        screen, language, names = self.screen, self.screen.language, self.screen.names
        result = outcome(state)
        if result is not None:
            screen.write(f"\n{draw_score_sheet(result, names, language)}")
            return
        question = language.describe_prompt(state, names)
        screen.write()
        screen.fill(language.phrase("console.record_ends", question=question))
        if len(state.display) == SITES[self.record.players]:
            standings = language.describe_standings(state, names)
            screen.fill(language.phrase("console.now", standings=standings))
