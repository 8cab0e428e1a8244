"""This package as an engine that tells secrets, in a way that its command line names."""

from __future__ import annotations

import sys
from typing import Any

import attrs

from valletta_rules.specification.conformance.server import ConformanceServer, serve


@attrs.define(kw_only=True)
class LeakyServer(ConformanceServer):
    """An engine under test that shows what it should hide."""

    leak: str

    def _result(self, request: dict[str, Any]) -> Any:
        result: Any = super()._result(request)
        match self.leak, request["op"]:
            case "hand", "view":
                for seat, player in enumerate(result["table"]["players"]):
                    seen: Any = super()._result({**request, "seat": seat})
                    player["hand"] = seen["table"]["players"][seat]["hand"]
            case "answers", "view":
                agenda = result["agenda"] or [{}]
                asked: Any = super()._result({**request, "seat": agenda[0].get("seat")})
                result["legal_actions"] = asked["legal_actions"]
            case "draw", "events":
                return super()._result({key: request[key] for key in request if key != "seat"})
        return result


if __name__ == "__main__":
    serve(sys.stdin, sys.stdout, LeakyServer(leak=sys.argv[1]))
