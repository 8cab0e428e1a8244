"""The JavaScript package as an implementation of the rules, in a Node process.

The package consists of the native backend compiled to WebAssembly, and of JavaScript that handles
packed positions, action numbers and documents.  Each request and each reply is a line of JSON.
Positions are packed, but one in twenty is sent as a document, and one result in a hundred is also
compared as a document.  All other values are sent as documents.
"""

import json
import subprocess
from base64 import b64decode, b64encode
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

import attrs

import valletta_rules as vr
from spec.checks.established import ROOT
from spec.checks.node import NODE
from spec.checks.rules import Rules
from valletta_rules import native
from valletta_rules.codec import from_document, structured, to_document
from valletta_rules.codec.vocabulary import DOCUMENT_VERSION, DOCUMENTS, Facts

WRITTEN_OF: Final = 100
"""One in every `WRITTEN_OF` resulting positions is also compared as a document."""

READ_OF: Final = 20
"""One in every `READ_OF` positions is sent as a document instead of in packed form."""


class JavaScript(Rules[bytes]):
    """A Node process that runs the JavaScript package; its positions are packed.

    The current position of the process is the last one that was sent.
    """

    def __init__(self) -> None:
        """Start the Node process."""
        self._read = self._written = 0
        self._table: object = None
        script = str(ROOT / "src" / "javascript" / "test" / "lockstep.js")
        self._process = subprocess.Popen(
            [NODE or "node", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

    def _request(self, name: str, *parts: object) -> Any:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps([name, *parts]).encode() + b"\n")
        self._process.stdin.flush()
        reply = json.loads(self._process.stdout.readline())
        if "error" in reply:
            is_malformed = name == "check" and "DocumentError" in reply["error"]
            kind = vr.MalformedActionError if is_malformed else RuntimeError
            raise kind(f"the request {name} {parts} failed: {reply['error']}")
        return reply["reply"]

    def new_game(self, players: int, rules: vr.RuleSet, cards: vr.CardSet) -> bytes:
        """Return the first position of a game, as the JavaScript package creates it."""
        self._laid = native._table(rules, cards, players)
        return b64decode(self._request("first", players, _plain(rules), _plain(cards)))

    def read(self, state: vr.GameState) -> bytes:
        """Send a position to the process, packed or as a document; return it packed."""
        self._state, row, self._read = state, bytes(native.pack(state)), self._read + 1
        self._laid = native._table(state.rules, state.cards, len(state.players))
        if self._read % READ_OF == 0:
            self._request("document", to_document(state))
            return row
        table = len(state.players), state.rules, state.cards
        if self._table is None or table != self._table:
            self._request("table", table[0], _plain(state.rules), _plain(state.cards))
            self._table = table
        self._request("row", b64encode(row).decode())
        return row

    def written(self, position: bytes) -> vr.GameState:
        """Unpack a position for the table that was sent last; the position may be unreachable."""
        state: vr.GameState = self._laid.position(position).unpack()
        assert bytes(native.pack(state)) == position, "the backend packs the position differently"
        self._written += 1
        if self._written % WRITTEN_OF == 0:
            assert self._request("json") == vr.to_json(state), (
                "the document of the position differs from the Python package"
            )
        return state

    def legal_actions(self, position: bytes) -> Sequence[vr.Action]:
        """Return the legal actions according to the JavaScript package."""
        return tuple(map(_action, self._request("legal")))

    def is_legal(self, position: bytes, action: vr.Action) -> bool:
        """Return whether the JavaScript package accepts an action."""
        return self._request("check", _plain(action)) is None

    def reason(self, position: bytes, action: vr.Action) -> vr.Violation | None:
        """Return the package's violation for an illegal action, with the engine's message text."""
        refused = self._request("check", _plain(action))
        if refused is None or (violation := vr.check(self._state, action)) is None:
            return None
        facts = structured(DOCUMENTS, refused["facts"], Facts)
        return attrs.evolve(
            violation, code=vr.Code(refused["code"]), clause=refused["clause"], details=facts
        )

    def apply(self, position: bytes, action: vr.Action) -> bytes:
        """Apply an action with the JavaScript package; return the next position, packed."""
        return b64decode(self._request("apply", _plain(action)))

    def events(self, position: bytes, action: vr.Action) -> Sequence[vr.Event]:
        """Return the events of an action, as the JavaScript package reports them."""
        events = self._request("events", _plain(action))
        return tuple(_value("Event", event) for event in events)

    def view(self, position: bytes, seat: int | None) -> vr.PlayerView | None:
        """Return the package's view for a seat or spectator; `None` for an impossible position."""
        if vr.problems_of(self._state):
            return None
        view: vr.PlayerView = structured(DOCUMENTS, self._request("view", seat), vr.PlayerView)
        return view

    def redact(self, events: Sequence[vr.Event], seat: int | None) -> Sequence[object]:
        """Return the events as the JavaScript package redacts them for a seat or a spectator."""
        redacted = self._request("redact", [_plain(event) for event in events], seat)
        return tuple(_value("Event", event) for event in redacted)

    def odds(self, position: bytes) -> Mapping[vr.Action, Fraction] | None:
        """Return the package's probabilities of random outcomes; `None` if a player must decide."""
        answers = self._request("chance")
        return {
            _action(each["action"]): Fraction(each["numerator"], each["denominator"])
            for each in answers
        } or None

    def outcome(self, position: bytes) -> vr.Outcome | None:
        """Return the JavaScript package's outcome, or `None` if the game is not over."""
        value = self._request("outcome")
        return None if value is None else _value("Outcome", value)


def _plain(value: Any) -> object:
    return to_document(value)["value"]


def _value(kind: str, value: object) -> Any:
    return from_document({"valletta_rules": DOCUMENT_VERSION, "kind": kind, "value": value})


def _action(value: object) -> vr.Action:
    action: vr.Action = _value("Action", value)
    return action
