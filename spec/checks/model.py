"""The formal specification as an implementation of the rules, in a Node process.

Requests and replies are JSON objects, one per line; ``spec/tools/oracle.js`` describes them, and
``spec/tools/qspec.js`` describes the encoding of positions, actions and outcomes.
"""

import json
import subprocess
from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from typing import Final, Self, get_args

import attrs

import valletta_rules as vr
from spec.checks import encoding
from spec.checks.node import NODE, SPEC
from spec.checks.rules import Rules
from valletta_rules.specification.conformance.form import Json

MODEL: Final = (NODE or "node", str(SPEC / "tools" / "oracle.js"))
"""The command that starts the Node process."""


CHANCE: Final = frozenset(each.__name__ for each in get_args(vr.ChancePrompt))
"""The names of the prompts for random events in the formal specification."""


class OracleError(Exception):
    """The error raised if the process replies to a request with an error."""


@attrs.frozen(eq=False)
class WrittenPosition:
    """A position in the encoding of the process, together with the constants of its game."""

    rules: vr.RuleSet
    cards: vr.CardSet
    config: Json
    """The encoded rule set, players and cards of the game."""
    state: Json
    """The encoded position."""


class Oracle(Rules[WrittenPosition]):
    """A Node process that evaluates the formal specification."""

    def __init__(self, changes: Sequence[Mapping[str, object]] = ()) -> None:
        """Start the process; `spec/tools/oracle.js` describes the format of `changes`."""
        self._process = subprocess.Popen(
            (*MODEL, json.dumps(changes)),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )
        self._config: Json | None = None
        self._listed: tuple[WrittenPosition | None, Mapping[vr.Action, int | None]] = None, {}

    def __enter__(self) -> Self:
        """Return the oracle.  Its process ends at the end of the block."""
        return self

    def __exit__(self, *_: object) -> None:
        """End the process."""
        self._process.communicate()

    # The rules

    def new_game(self, players: int, rules: vr.RuleSet, cards: vr.CardSet) -> WrittenPosition:
        """Return the first position of a game according to the specification."""
        table = self.read(vr.new_game(players, rules=rules, cards=cards))
        return attrs.evolve(table, state=self._request(table, first=True)["next"])

    def read(self, state: vr.GameState) -> WrittenPosition:
        """Encode a position of the Python engine for the process."""
        return WrittenPosition(
            state.rules, state.cards, encoding.encode_config(state), encoding.encode_state(state)
        )

    def written(self, position: WrittenPosition) -> vr.GameState:
        """Decode a position from the process to a position of the Python engine."""
        return encoding.decode_state(position.state, position.rules, position.cards)

    def legal_actions(self, position: WrittenPosition) -> Collection[vr.Action]:
        """Return the legal actions according to the process."""
        return self._weights(position).keys()

    def is_legal(self, position: WrittenPosition, action: vr.Action) -> bool:
        """Return whether an action is in the list of legal actions."""
        return action in self.legal_actions(position)

    def apply(self, position: WrittenPosition, action: vr.Action) -> WrittenPosition:
        """Return the position after an action, as the process computes it."""
        return attrs.evolve(position, state=self._request(position, action)["next"])

    def odds(self, position: WrittenPosition) -> Mapping[vr.Action, Fraction] | None:
        """Return the probability of each random outcome, or `None` if no random event is due."""
        agenda = position.state["agenda"]
        if not agenda or agenda[0]["tag"] not in CHANCE:
            return None
        weights = {action: w for action, w in self._weights(position).items() if w is not None}
        total = sum(weights.values())
        return {action: Fraction(weight, total) for action, weight in weights.items()} or None

    def facts(self, state: vr.GameState) -> Mapping[str, bool]:
        """Return whether each clause about cards holds for the cards of a game, keyed by clause."""
        facts: Mapping[str, bool] = self._request(self.read(state), first=True)["facts"]
        return facts

    def outcome(self, position: WrittenPosition) -> vr.Outcome | None:
        """Return the outcome as the process computes it, or `None` if the game is not over."""
        if position.state["phase"] != vr.Phase.OVER.value:
            return None
        return encoding.decode_outcome(self._request(position)["outcome"])

    # Requests

    def _weights(self, position: WrittenPosition) -> Mapping[vr.Action, int | None]:
        """Return the legal actions; each random outcome with its weight, others with `None`.

        The reply for the last position is cached.
        """
        if self._listed[0] is not position:
            reply = self._request(position, legal=True)
            listed = [encoding.decode_action(action) for action in reply["legal"]]
            weights = reply.get("weights") or [None] * len(listed)
            self._listed = position, dict(zip(listed, weights, strict=True))
        return self._listed[1]

    def _request(
        self,
        position: WrittenPosition,
        action: vr.Action | None = None,
        *,
        legal: bool = False,
        first: bool = False,
    ) -> Json:
        request: Json = {"state": None if first else position.state, "legal": legal}
        if position.config != self._config:
            request["cfg"] = self._config = position.config
        if action is not None:
            request["action"] = encoding.encode_action(action)
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        stdin.write(f"{json.dumps(request)}\n")
        stdin.flush()
        reply: Json = json.loads(stdout.readline() or '{"error": "the process has ended"}')
        if "error" in reply:
            raise OracleError(f"{reply['error']}\n{json.dumps(request)}")
        return reply
