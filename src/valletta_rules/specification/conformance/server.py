"""This package as an engine under test: `valletta conformance --serve`.

It answers the runner's questions, one JSON object per line.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import lru_cache
from typing import TextIO

import attrs

from valletta_rules.components import QUOTAS, CardSet
from valletta_rules.engine import apply, begin, legal_actions, transition
from valletta_rules.errors import IllegalActionError
from valletta_rules.rulebook.scoring import outcome
from valletta_rules.rulebook.setup import lay_table
from valletta_rules.rulings import RuleSet
from valletta_rules.specification.conformance import form
from valletta_rules.specification.conformance.kit import NEEDS, PROTOCOL
from valletta_rules.specification.conformance.peer import OPS
from valletta_rules.state import GameState
from valletta_rules.version import __version__


@attrs.define
class ConformanceServer:
    """A server that answers a runner's requests with this package as the engine under test."""

    rules: RuleSet | None = None
    cards: CardSet | None = None

    def answer(self, request: form.Json) -> form.Json:
        """Return the reply to a request."""
        match request["command"]:
            case "start":
                return {
                    "protocol": PROTOCOL,
                    "engine": {
                        "name": "valletta-rules",
                        "version": __version__,
                        "language": "Python",
                    },
                    "needs": list(NEEDS),
                    "ops": list(OPS),
                    "players": list(QUOTAS),
                }
            case "setup":
                self.rules = form.read_rules(request["rules"])
                self.cards = form.read_cards(request["cards"])
                return {"ok": True}
            case _:
                return {"seq": request["seq"], **self._reply(request)}

    def _reply(self, request: form.Json) -> form.Json:
        try:
            return {"result": self._result(request)}
        except IllegalActionError as error:
            return {"refused": {"code": error.code, "clause": error.violation.clause}}
        except Exception as error:  # every error is reported to the runner
            return {"error": f"{type(error).__name__}: {error}"}

    def _result(self, request: form.Json) -> object:
        assert self.rules is not None
        assert self.cards is not None
        if request["op"] == "first":
            return form.write_position(begin(lay_table(request["players"], self.rules, self.cards)))
        state = _position(json.dumps(request["position"]), self.rules, self.cards)
        match request["op"]:
            case "legal":
                return [form.write(action) for action in legal_actions(state)]
            case "next":
                after = apply(state, form.read_action(request["action"]))
                return form.write_position(after, form.dialect_of(request["position"]))
            case "events":
                events = transition(state, form.read_action(request["action"])).events
                return (
                    form.write_redacted_events(events, request["seat"])
                    if "seat" in request
                    else form.write_events(events)
                )
            case "view":
                return form.write_view(state, request["seat"])
            case "chance":
                return form.write_chances(state)
            case _:
                result = outcome(state)
                return None if result is None else form.write(result)


@lru_cache(maxsize=1)
def _position(text: str, rules: RuleSet, cards: CardSet) -> GameState:
    """Parse a position, or return it from a cache, since several questions share a position."""
    return form.read_position(json.loads(text), rules, cards)


def serve(
    requests: Iterable[str], replies: TextIO, server: ConformanceServer | None = None
) -> None:
    """Answer requests, one per line, until the end of the input or the request ``stop``."""
    server = server or ConformanceServer()
    for line in requests:
        request = json.loads(line)
        if request["command"] == "stop":
            return
        replies.write(json.dumps(server.answer(request)) + "\n")
        replies.flush()
