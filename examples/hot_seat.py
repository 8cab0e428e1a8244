"""A game for two to four people who share one terminal and pass the keyboard on.

It shows a `Session` with names, moves typed as text, the three ways in which a text can be
refused, what is shown to whoever sits at the keyboard and to nobody else, undo, and saving.

Run ``python examples/hot_seat.py [NAME ...]``; type ``?`` for help.  With ``--demo``, or where
nobody can type, it plays by itself and shows what it types.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable, Iterator

import valletta_rules as valletta
from valletta_rules import (
    AmbiguousMoveError,
    IllegalActionError,
    NotAMoveError,
    NothingToUndoError,
    Session,
)
from valletta_rules.bots.automatic import choose
from valletta_rules.events import BuildingDealt
from valletta_rules.rulings import EDITIONS
from valletta_rules.words import (
    describe_action,
    describe_information,
    describe_prompt,
    narrate,
    sketch_display,
)

Typist = Callable[[str], str]
"""Shows a prompt and returns the line that is typed; raises `EOFError` when nobody types."""

HELP = """\
Type a move, such as Woodworker, build 7, pay 2g 1w, hire Builder, decline: as much of it as makes
it clear.  Or type
  ?        for this help and all legal moves     info     for what is known of the players
  board    for the buildings and the street      undo     to take the last move back
  save F   to write the game to the file F       quit     to leave"""


def demonstration(session: Session, seed: int) -> Iterator[str]:
    """Yield what somebody might type: a few slips first, then the moves of automatic players."""
    yield from ("?", "abracadabra", "draft", "hire Builder", "info", "board")
    rng = random.Random(seed)
    for number in range(100_000):
        yield valletta.format_action(choose(session.state, rng))
        if number == 0:
            yield "undo"


class Desk:
    """The terminal at which everybody sits down in turn."""

    def __init__(self, session: Session, typist: Typist, *, hides: bool) -> None:
        """Sit down at a session; if it `hides`, hands vanish before the keyboard is passed on."""
        self.session, self.typist, self.hides = session, typist, hides
        self.reader: int | None = None
        """The seat that sits at the keyboard."""
        self.told = dict.fromkeys(range(len(session.names)), 0)
        """How many moves each seat has been told of."""

    def tell(self, seat: int) -> None:
        """Print what happened since a person last looked, naming the cards that he drew himself."""
        steps = self.session.transitions
        for number in range(max(1, self.told[seat]), len(steps)):
            for event in steps[number].events:
                before, names = steps[number - 1].state, self.session.names
                if not isinstance(event, BuildingDealt):
                    print(f"  {narrate(event, before, names, reader=seat)}")
        self.told[seat] = len(steps)

    def hand_over(self, seat: int) -> None:
        """Let another person sit down, when the hand of the last one is out of sight."""
        if seat == self.reader:
            return
        self.reader = seat
        if self.hides:
            print("\033[2J\033[3J\033[H", end="")
            self.typist(f"{self.session.names[seat]}, take the keyboard and press Enter. ")

    def ask(self, seat: int) -> None:
        """Show a person what he may know, and carry out what he types."""
        state, names = self.session.state, self.session.names
        self.tell(seat)
        mine = valletta.view(state, seat)
        print(f"\n{mine.table.players[seat].goods}; hand: {mine.hand}")
        self.obey(self.typist(f"{describe_prompt(state, names)} > ").strip(), seat)

    def obey(self, typed: str, seat: int) -> None:
        """Carry out a line: a command, or else a move."""
        state = self.session.state
        match typed.split(maxsplit=1):
            case ["?" | "help"]:
                print(HELP)
                for action in valletta.legal_actions(state)[:12]:
                    move = valletta.format_action(action)
                    print(f"    {move:24} {describe_action(state, action)}")
            case ["info"]:
                seen = valletta.view(state, seat)
                print(describe_information(valletta.table_information(seen)))
            case ["board"]:
                print(sketch_display(state, self.session.names))
            case ["undo"]:
                self.undo()
            case ["save", path]:
                self.save(path)
            case ["quit" | "q"]:
                raise EOFError
            case _:
                self.move(typed, seat)

    def move(self, typed: str, seat: int) -> None:
        """Make a move, or say why not."""
        try:
            self.session.play(typed, seat=seat)
        except NotAMoveError as error:
            print(f"  I do not understand: {error}")
        except AmbiguousMoveError as error:
            print(f"  Which one? {error}")
        except IllegalActionError as error:
            print(f"  Not allowed: {error}")
            print(f"  {valletta.explain(error.violation.clause).text}")

    def undo(self) -> None:
        """Take the last move back; people at one table may agree on that."""
        try:
            self.session.undo()
        except NothingToUndoError as error:
            print(f"  {error}")
        else:
            print("  The last move is taken back.")
            stands = self.session.moves
            self.told = {seat: min(told, stands) for seat, told in self.told.items()}

    def save(self, path: str) -> None:
        """Write the game so far to a file, with which `valletta replay` can do something."""
        try:
            valletta.write_record(self.session.record, path)
        except OSError as error:
            print(f"  {error}")

    def play(self) -> None:
        """Go on until the game is over; raise `EOFError` if everybody has left."""
        while (prompt := self.session.prompt) is not None:
            assert prompt.seat is not None, "a session never stops where chance is asked"
            self.hand_over(prompt.seat)
            self.ask(prompt.seat)
        if self.reader is not None:
            self.tell(self.reader)


def main() -> None:
    """Play one game at the terminal."""
    parser = argparse.ArgumentParser(description="Play a hot-seat game at one terminal.")
    parser.add_argument("names", nargs="*", default=["Anna", "Ben"], metavar="NAME")
    parser.add_argument("--rules", choices=EDITIONS, default="hans-im-glueck")
    parser.add_argument("--seed", type=int, help="repeat the luck of this seed")
    parser.add_argument("--demo", action="store_true", help="play by itself")
    arguments = parser.parse_args()
    is_demo = arguments.demo or not sys.stdin.isatty()
    seed = 4 if is_demo and arguments.seed is None else arguments.seed
    session = Session(arguments.names, rules=EDITIONS[arguments.rules], seed=seed, skip_forced=True)
    lines = demonstration(session, seed or 0)

    def typed_by_itself(prompt: str) -> str:
        line = next(lines)
        print(f"{prompt}{line}")
        return line

    desk = Desk(session, typed_by_itself if is_demo else input, hides=not is_demo)
    try:
        desk.play()
    except (EOFError, KeyboardInterrupt):
        print("\nThe game is left unfinished.")
    else:
        print(f"\n{valletta.outcome(session.state)}")


if __name__ == "__main__":
    main()
