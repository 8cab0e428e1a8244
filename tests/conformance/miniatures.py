"""A tiny engine with a fault, which its command line names, for tests of the runner.

``engines.toml`` defines its answers, except for faults that TOML cannot express, which are here.
"""

import json
import os
import sys
import time
import tomllib
from pathlib import Path
from typing import Any

DATA = tomllib.loads(Path(__file__).with_name("engines.toml").read_text("utf-8"))
"""The miniature kit, and the engines under test."""

DECLARED = DATA["declared"]
"""The declaration of an engine that supports the whole kit."""

FOREVER = 100_000
"""The seconds that a hanging engine sleeps."""

HANGS = "MINIATURE_HANGS"
"""The variable with the path of a file that marks a hanging engine."""

ILLEGAL = {"type": "C"}
"""The action that must be refused."""


def say(reply: object) -> None:
    """Write a line."""
    sys.stdout.write(reply if isinstance(reply, str) else json.dumps(reply) + "\n")
    sys.stdout.flush()


def right(request: dict[str, Any]) -> dict[str, Any]:
    """Return the correct reply for the miniature kit, without the id of the request."""
    position = request.get("position")
    if request.get("action") == ILLEGAL:
        return {"refused": {"code": "no", "clause": "TRN-2"}}
    results: dict[str, Any] = {
        "first": {"players": [{}, {}]},
        "legal": [{"type": "B"}, {"type": "A"}] if position != {"players": [{}, {}]} else [],
        "next": position,
        "chance": [
            {"action": {"type": "B"}, "numerator": 2, "denominator": 6},
            {"action": {"type": "A"}, "numerator": 2, "denominator": 3},
        ],
        "final": {"winners": [0]},
        "events": [{"type": "E"}],
    }
    return {"result": results[request["op"]]}


def answer(way: dict[str, Any], request: dict[str, Any]) -> object:
    """Return the reply of an engine to a request."""
    reply = way.get("ask") or way.get(request["op"])
    if request.get("action") == ILLEGAL:
        reply = way.get("refusal", reply)
    whole = {"seq": request["seq"]} | (reply or right(request)) | way.get("also", {})
    return way.get("line", whole)


def hang() -> None:
    """Create the file that marks a hang, and wait to be killed."""
    Path(os.environ[HANGS]).touch()
    time.sleep(FOREVER)


def misbehave(manner: str, command: str) -> None:
    """Send something other than a reply."""
    match manner, command:
        case "mute", "start":
            hang()
        case "deaf", "start":
            os.close(0)
            say(DECLARED)
            time.sleep(FOREVER)
        case "chatters", "start":
            sys.stderr.write("debug: " + "x" * 5_000 + " the end\n")
        case "hangs", "ask":
            os.fork()
            hang()
        case "stays", "stop":
            time.sleep(FOREVER)


def main(manner: str) -> None:
    """Answer until the end of input."""
    way = DATA["engines"].get(manner, {})
    for line in sys.stdin:
        request = json.loads(line)
        command = request["command"]
        misbehave(manner, command)
        if way.get("stops") in (command, request.get("seq", 0)):
            say(way.get("line", ""))
            os._exit(1)
        match command:
            case "start":
                say(DECLARED | way.get("start", {}))
            case "setup":
                say(way.get("setup", {"ok": True}))
            case "ask":
                say(answer(way, request))
            case _:
                return


if __name__ == "__main__":
    main(sys.argv[1])
