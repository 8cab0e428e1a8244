"""A tiny faulty engine for tests of the conformance runner; an argument selects the fault.

``engines.toml`` defines the engine's replies.  Faults that TOML cannot express are in this module.
"""

import json
import os
import sys
import time
import tomllib
from pathlib import Path
from typing import Any

DATA = tomllib.loads(Path(__file__).with_name("engines.toml").read_text("utf-8"))
"""The content of ``engines.toml``: a miniature conformance suite, and the faulty engines."""

DECLARED = DATA["declared"]
"""The reply in which an engine declares support for the complete miniature suite."""

FOREVER = 100_000
"""The time that a hanging engine sleeps, in seconds."""

HANGS = "MINIATURE_HANGS"
"""The name of an environment variable. It contains the path of a file that a hanging engine
creates."""

ILLEGAL = {"type": "C"}
"""An action in the miniature suite that an engine must refuse."""


def print_reply(reply: object) -> None:
    """Print a reply as one line of JSON, or print a text unchanged."""
    sys.stdout.write(reply if isinstance(reply, str) else json.dumps(reply) + "\n")
    sys.stdout.flush()


def right(request: dict[str, Any]) -> dict[str, Any]:
    """Return the correct reply to a request, without the number of the request."""
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
    """Return the reply of the chosen faulty engine to a request."""
    reply = way.get("ask") or way.get(request["op"])
    if request.get("action") == ILLEGAL:
        reply = way.get("refusal", reply)
    whole = {"seq": request["seq"]} | (reply or right(request)) | way.get("also", {})
    return way.get("line", whole)


def hang() -> None:
    """Create the file that signals a hanging engine, then sleep until the process is killed."""
    Path(os.environ[HANGS]).touch()
    time.sleep(FOREVER)


def misbehave(manner: str, command: str) -> None:
    """Simulate a fault that is not a wrong reply, such as a hang."""
    match manner, command:
        case "mute", "start":
            hang()
        case "deaf", "start":
            os.close(0)
            print_reply(DECLARED)
            time.sleep(FOREVER)
        case "chatters", "start":
            sys.stderr.write("debug: " + "x" * 5_000 + " the end\n")
        case "hangs", "ask":
            os.fork()
            hang()
        case "stays", "stop":
            time.sleep(FOREVER)


def main(manner: str) -> None:
    """Answer requests until the end of standard input."""
    way = DATA["engines"].get(manner, {})
    for line in sys.stdin:
        request = json.loads(line)
        command = request["command"]
        misbehave(manner, command)
        if way.get("stops") in (command, request.get("seq", 0)):
            print_reply(way.get("line", ""))
            os._exit(1)
        match command:
            case "start":
                print_reply(DECLARED | way.get("start", {}))
            case "setup":
                print_reply(way.get("setup", {"ok": True}))
            case "ask":
                print_reply(answer(way, request))
            case _:
                return


if __name__ == "__main__":
    main(sys.argv[1])
