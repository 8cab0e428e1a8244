"""This package as an engine under test: `valletta conformance --serve`.

It answers the runner's questions, one JSON object a line.
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
from valletta_rules.specification.conformance.form import (
    Json,
    dialect_of,
    read_action,
    read_cards,
    read_position,
    read_rules,
    write,
    write_chances,
    write_events,
    write_position,
    write_seen,
    write_view,
)
from valletta_rules.specification.conformance.kit import NEEDS, PROTOCOL
from valletta_rules.specification.conformance.peer import OPS
from valletta_rules.state import GameState
from valletta_rules.version import __version__


@attrs.define
class ConformanceServer:
    """This package under test, which answers the runner's requests."""

    rules: RuleSet | None = None
    cards: CardSet | None = None

    def answer(self, request: Json) -> Json:
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
                self.rules = read_rules(request["rules"])
                self.cards = read_cards(request["cards"])
                return {"ok": True}
            case _:
                return {"seq": request["seq"], **self._reply(request)}

    def _reply(self, request: Json) -> Json:
        try:
            return {"result": self._result(request)}
        except IllegalActionError as error:
            return {"refused": {"code": error.code, "clause": error.violation.clause}}
        except Exception as error:  # the runner must learn of every error
            return {"error": f"{type(error).__name__}: {error}"}

    def _result(self, request: Json) -> object:
        assert self.rules is not None
        assert self.cards is not None
        if request["op"] == "first":
            return write_position(begin(lay_table(request["players"], self.rules, self.cards)))
        state = _position(json.dumps(request["position"]), self.rules, self.cards)
        match request["op"]:
            case "legal":
                return [write(action) for action in legal_actions(state)]
            case "next":
                after = apply(state, read_action(request["action"]))
                return write_position(after, dialect_of(request["position"]))
            case "events":
                events = transition(state, read_action(request["action"])).events
                return (
                    write_seen(events, request["seat"])
                    if "seat" in request
                    else write_events(events)
                )
            case "view":
                return write_view(state, request["seat"])
            case "chance":
                return write_chances(state)
            case _:
                result = outcome(state)
                return None if result is None else write(result)


@lru_cache(maxsize=1)
def _position(text: str, rules: RuleSet, cards: CardSet) -> GameState:
    """Read a position, about which there are usually several questions."""
    return read_position(json.loads(text), rules, cards)


def serve(
    requests: Iterable[str], replies: TextIO, server: ConformanceServer | None = None
) -> None:
    """Answer requests, one a line, until there are no more or one says ``stop``."""
    server = server or ConformanceServer()
    for line in requests:
        request = json.loads(line)
        if request["command"] == "stop":
            return
        replies.write(json.dumps(server.answer(request)) + "\n")
        replies.flush()
