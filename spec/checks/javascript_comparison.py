"""The engine and the package for JavaScript in lockstep, after `spec.checks.native_comparison`.

The package is the native backend compiled to WebAssembly, and what stands before it: rows, numbers
and documents in JavaScript.  So every successor is compared as a row, byte for byte; one in a
hundred also as a document, and one position in twenty is read from one.  Actions, events, refusals,
probabilities and outcomes go back and forth as documents.

    python -m spec.checks.javascript_comparison --successors 1000000

needs Node, and the package built: ``npm run build`` in `src/javascript`.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from base64 import b64decode, b64encode
from collections.abc import Mapping, Sequence
from fractions import Fraction
from types import TracebackType
from typing import Any, Final, Self

import attrs

from spec.checks.established import ROOT
from spec.checks.lockstep import conclude, parser_of
from spec.checks.native_comparison import Rows, carried_out, run
from spec.checks.node import NODE
from spec.checks.rules import Rules
from valletta_rules import (
    Action,
    CardSet,
    Event,
    GameState,
    Outcome,
    PlayerView,
    RuleSet,
    Violation,
    check,
    native,
    problems_of,
    to_json,
)
from valletta_rules.codec import from_document, to_document
from valletta_rules.codec.reading import structured
from valletta_rules.codec.vocabulary import DOCUMENTS, VERSION, Facts
from valletta_rules.errors import Code

WRITTEN_OF: Final = 100
"""One successor in this many is also compared as a document."""

READ_OF: Final = 20
"""One position in this many is read from a document."""


class JavaScript(Rules[bytes]):
    """The package for JavaScript, in a process of Node: a position is its row.

    The process has one current position, the one that was read last.
    """

    in_order = True

    def __init__(self) -> None:
        """Start the process."""
        self.written_as_documents = 0
        """Successors that were compared as documents, too."""
        self._asked = self._compared = 0
        self._row = Rows()
        self._table: object = None
        script = str(ROOT / "src" / "javascript" / "test" / "lockstep.js")
        self._process = subprocess.Popen(
            [NODE or "node", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        """End the process."""
        self._process.communicate()

    def _ask(self, what: str, *parts: object) -> Any:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps([what, *parts]).encode() + b"\n")
        self._process.stdin.flush()
        reply = json.loads(self._process.stdout.readline())
        if "error" in reply:
            raise RuntimeError(f"{what} {parts}: {reply['error']}")
        return reply["reply"]

    def new_game(self, players: int, rules: RuleSet, cards: CardSet) -> bytes:
        """Let the package lay the table."""
        self._laid = native._table(rules, cards, players)
        return b64decode(self._ask("first", players, _plain(rules), _plain(cards)))

    def read(self, state: GameState) -> bytes:
        """Give it a position, by its row or as a document."""
        self._state, row, self._asked = state, self._row(state), self._asked + 1
        self._laid = native._table(state.rules, state.cards, len(state.players))
        if self._asked % READ_OF == 0:
            self._ask("document", to_document(state))
            return row
        table = len(state.players), state.rules, state.cards
        if self._table is None or table != self._table:
            self._ask("table", table[0], _plain(state.rules), _plain(state.cards))
            self._table = table
        self._ask("row", b64encode(row).decode())
        return row

    def written(self, position: bytes) -> GameState:
        """Return what a row is at the last table, whether or not it could be of a game."""
        state: GameState = self._laid.position(position).unpack()
        return state

    def canonical(self, state: GameState) -> GameState:
        """Return the state itself: nothing is left out."""
        return state

    def agrees(self, position: bytes, state: GameState) -> bool:
        """Compare the rows, and now and then the documents."""
        self._compared += 1
        if self._compared % WRITTEN_OF == 0:
            self.written_as_documents += 1
            if self._ask("json") != to_json(state):
                return False
        return position == self._row(state)

    def legal_actions(self, position: bytes) -> Sequence[Action]:
        """List what is legal."""
        return tuple(map(_action, self._ask("legal")))

    def is_legal(self, position: bytes, action: Action) -> bool:
        """Check one action."""
        return self._ask("check", _plain(action)) is None

    def reason(self, position: bytes, action: Action) -> Violation | None:
        """Say by which clause an action is refused; the sentence is the engine's."""
        refused = self._ask("check", _plain(action))
        if refused is None or (found := check(self._state, action)) is None:
            return None
        facts = structured(DOCUMENTS, refused["facts"], Facts)
        return attrs.evolve(
            found, code=Code(refused["code"]), clause=refused["clause"], details=facts
        )

    def apply(self, position: bytes, action: Action) -> bytes:
        """Carry an action out."""
        return b64decode(self._ask("apply", _plain(action)))

    def told(self, position: bytes, action: Action) -> Sequence[Event]:
        """Let the package say what happens."""
        events = self._ask("events", _plain(action))
        return tuple(_value("Event", event) for event in events)

    def look(self, position: bytes, seat: int | None) -> PlayerView | None:
        """Return the view of a seat, or of a spectator, if a game can have the position."""
        if problems_of(self._state):
            return None
        seen: PlayerView = structured(DOCUMENTS, self._ask("view", seat), PlayerView)
        return seen

    def heard(self, events: Sequence[Event], seat: int | None) -> Sequence[object]:
        """Let the package say what a seat hears."""
        heard = self._ask("heard", [_plain(event) for event in events], seat)
        return tuple(_value("Event", event) for event in heard)

    def odds(self, position: bytes) -> Mapping[Action, Fraction] | None:
        """Return the probabilities, if chance is asked."""
        answers = self._ask("chance")
        return {
            _action(each["action"]): Fraction(each["numerator"], each["denominator"])
            for each in answers
        } or None

    def outcome(self, position: bytes) -> Outcome | None:
        """Return the outcome."""
        found = self._ask("outcome")
        return None if found is None else _value("Outcome", found)


def _plain(value: Any) -> object:
    return to_document(value)["value"]


def _value(kind: str, value: object) -> Any:
    return from_document({"valletta_rules": VERSION, "kind": kind, "value": value})


def _action(value: object) -> Action:
    action: Action = _value("Action", value)
    return action


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command.

    The exit code is 1 if they disagreed or missed a clause, 2 if the package is not built.
    """
    parser = parser_of(
        "javascript_comparison",
        "Compare the engine with the package for JavaScript, successor by successor.",
    )
    add = parser.add_argument
    add("--successors", type=int, default=1_000_000, help="those to compare (default: 1,000,000)")
    options = parser.parse_args(arguments)
    if NODE is None or not (ROOT / "src" / "javascript" / "dist" / "wasm.js").exists():
        sys.stderr.write(
            "it needs Node, and the package built: cd src/javascript && npm run build\n"
        )
        return 2
    began = time.monotonic()
    with JavaScript() as package:
        tally = run(package, options.successors, options.seed, seconds=options.seconds)
    return conclude(
        tally,
        options.seed,
        time.monotonic() - began,
        carried_out() - tally.clauses,
        documents=package.written_as_documents,
    )


if __name__ == "__main__":
    sys.exit(main())
