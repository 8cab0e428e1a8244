"""An engine with a fault for tests of the conformance runner; an argument selects the fault.

The engine is this package's conformance server with changed replies.
"""

import sys
from typing import Any

import attrs

from valletta_rules.specification.conformance.server import ConformanceServer, serve


@attrs.define(kw_only=True)
class LeakyServer(ConformanceServer):
    """A conformance server that reveals hidden information or breaks a rule."""

    leak: str

    def _reply(self, request: dict[str, Any]) -> dict[str, Any]:
        reply = super()._reply(request)
        if self.leak == "permissive" and "refused" in reply:
            return {"result": request["position"]}
        if self.leak == "strict" and request.get("action", {}).get("type") == "Upgrade":
            return {"refused": {}}
        if self.leak == "confused" and "refused" in reply:
            return {"refused": {"clause": "REA-1"}}
        return reply

    def _result(self, request: dict[str, Any]) -> Any:
        result: Any = super()._result(request)
        match self.leak, request["op"]:
            case "hand", "view":
                for seat, player in enumerate(result["table"]["players"]):
                    seat_view: Any = super()._result({**request, "seat": seat})
                    player["hand"] = seat_view["table"]["players"][seat]["hand"]
            case "answers", "view":
                agenda = result["agenda"] or [{}]
                mover_view: Any = super()._result({**request, "seat": agenda[0].get("seat")})
                result["legal_actions"] = mover_view["legal_actions"]
            case "draw", "events":
                return super()._result({key: request[key] for key in request if key != "seat"})
            case "free", "next" if request["action"]["type"] == "Build":
                result["agenda"][0]["price"] = dict.fromkeys(("gold", "wood", "stone", "brick"), 0)
            case "rich", "next" if request["action"] == {"type": "TakeGood", "good": "gold"}:
                result["players"][request["position"]["agenda"][0]["seat"]]["goods"]["gold"] += 1
            case "silent", "events":
                return [each for each in result if each["type"] != "GoodsTaken"]
            case "loaded", "chance":
                result[0]["numerator"] += 1
            case "timid", "legal":
                return [each for each in result if each["type"] != "Build"]
        return result


if __name__ == "__main__":
    serve(sys.stdin, sys.stdout, LeakyServer(leak=sys.argv[1]))
