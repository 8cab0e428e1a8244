"""A game for two to four people who share one terminal and pass the keyboard on.

It shows a `Session` with names, moves typed as text, the three ways in which a text can be
refused, how only the person at the keyboard sees a hand, and undo.  ``valletta play`` is a complete
program of this kind, against bots.

Run ``python examples/hot_seat.py [NAME ...]``.  Without a terminal it plays by itself.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator

import valletta_rules as valletta
from valletta_rules import IllegalActionError, NothingToUndoError, Session, VallettaError
from valletta_rules.bots.automatic import choose
from valletta_rules.events import BuildingDealt
from valletta_rules.words import describe_action, describe_prompt, narrate, refusal_of

Typist = Callable[[str], str]
"""Shows a prompt and returns the line that is typed; raises `EOFError` when nobody types."""


def demonstration(session: Session) -> Iterator[str]:
    """Yield what somebody might type: a few mistakes, then the moves of automatic players."""
    yield from ("abracadabra", "take", "hire the Builder")
    rng = random.Random(4)
    for number in range(100_000):
        yield valletta.format_action(choose(session.state, rng))
        if number == 0:
            yield "undo"


class Desk:
    """The terminal that the players share."""

    def __init__(self, session: Session, typist: Typist) -> None:
        """Sit down at a session."""
        self.session, self.typist = session, typist
        self.told = dict.fromkeys(range(len(session.names)), 1)
        """How many moves each seat has been told of."""

    def tell(self, seat: int) -> None:
        """Print what has happened since a person last looked, naming only their own cards."""
        steps, names = self.session.transitions, self.session.names
        for number in range(min(self.told[seat], len(steps)), len(steps)):
            before = valletta.view(steps[number - 1].state, seat)
            for event in steps[number].events:
                if not isinstance(event, BuildingDealt):
                    print(f"  {narrate(valletta.redact(event, seat), before, names, reader=seat)}")
        self.told[seat] = len(steps)

    def ask(self, seat: int) -> None:
        """Show a person what they may know, and carry out what they type."""
        self.tell(seat)
        mine = valletta.view(self.session.state, seat)
        print(f"\n{mine.table.players[seat].goods}; hand: {mine.hand}")
        for action in mine.legal_actions[:12]:
            print(f"    {valletta.format_action(action):24} {describe_action(mine, action)}")
        typed = self.typist(f"{describe_prompt(mine, self.session.names)} > ").strip()
        try:
            if typed == "undo":
                self.session.undo()
            else:
                self.session.play(typed, seat=seat)
        except NothingToUndoError as error:
            print(f"  {error}")
        except IllegalActionError as error:
            print(f"  Not allowed: {refusal_of(error, names=self.session.names).message}")
            print(f"  {valletta.explain(error.violation.clause).text}")
        except VallettaError as error:  # no move, or one of several
            print(f"  {error}")

    def play(self) -> None:
        """Play until the game is over; clear the screen before the keyboard is passed on."""
        reader = None
        while (prompt := self.session.prompt) is not None:
            assert prompt.seat is not None, "a session never stops where chance is asked"
            if reader != prompt.seat and self.typist is input:
                print("\033[2J\033[3J\033[H", end="")
                input(f"{self.session.names[prompt.seat]}, take the keyboard and press Enter. ")
            reader = prompt.seat
            self.ask(reader)
        self.tell(0)
        print(f"\n{valletta.outcome(self.session.state)}")


def main() -> None:
    """Play one game at the terminal."""
    is_typed = sys.stdin.isatty()
    names = sys.argv[1:] or ["Anna", "Ben"]
    session = Session(names, seed=None if is_typed else 4, skip_forced=True)
    lines = demonstration(session)

    def typed_by_itself(prompt: str) -> str:
        line = next(lines)
        print(f"{prompt}{line}")
        return line

    try:
        Desk(session, input if is_typed else typed_by_itself).play()
    except (EOFError, KeyboardInterrupt):
        print("\nThe game is left unfinished.")


if __name__ == "__main__":
    main()
