"""A tiny engine that goes wrong in a way that its command line names, to test the runner with.

It knows no rule: it echoes the position that it is asked about, which is right of a miniature kit.
"""

from __future__ import annotations

import json
import os
import sys
import time
from typing import Any

DECLARED = {
    "protocol": 1,
    "engine": {"name": "miniature", "version": "1", "language": "Python"},
    "needs": ["plays", "scoring", "setup"],
    "ops": ["first", "legal", "next", "chance", "final"],
    "players": [2],
}


def say(reply: object) -> None:
    """Write a line."""
    sys.stdout.write(json.dumps(reply) + "\n")
    sys.stdout.flush()


def start(manner: str) -> None:
    """Answer the first message."""
    match manner:
        case "no-start":
            say({"hello": True})
        case "deaf":
            os.close(0)
            say(DECLARED)
            time.sleep(60)
        case "no-engine":
            say(DECLARED | {"engine": "me"})
        case "newer":
            say(DECLARED | {"protocol": 2})
        case "partial":
            say(DECLARED | {"needs": ["plays"], "ops": ["legal", "next"]})
        case "alone":
            say(DECLARED | {"players": [3]})
        case _:
            say(DECLARED)


def right(request: dict[str, Any]) -> dict[str, Any]:
    """Return the right reply of the miniature kit."""
    seq, position, action = request["seq"], request.get("position"), request.get("action")
    odds = [
        {"action": {"type": "B"}, "numerator": 2, "denominator": 6},
        {"action": {"type": "A"}, "numerator": 2, "denominator": 3},
    ]
    if action == {"type": "C"}:
        return {"seq": seq, "refused": {"code": "no", "clause": "TRN-2"}}
    results: dict[str, Any] = {
        "first": {"players": [{}, {}]},
        "legal": [{"type": "B"}, {"type": "A"}] if position != {"players": [{}, {}]} else [],
        "next": position,
        "chance": odds,
        "final": {"winners": [0]},
    }
    return {"seq": seq, "result": results[request["op"]]}


def fail(manner: str) -> None:
    """Give no answer that can be read."""
    match manner:
        case "hangs":
            if os.fork() == 0:
                time.sleep(60)
            time.sleep(60)
        case "dies":
            sys.stdout.write('{"seq"')
            sys.stdout.flush()
            os._exit(1)
        case "ends":
            os._exit(0)
        case "babbles":
            sys.stdout.write("what?\n")
            sys.stdout.flush()


def ask(manner: str, request: dict[str, Any]) -> None:
    """Answer a question."""
    seq = request["seq"]
    match manner:
        case "refuses":
            say({"seq": seq, "refused": {}})
        case "accepts":
            say(right(request | {"action": None}))
        case "hangs" | "dies" | "ends" | "babbles":
            fail(manner)
        case "array":
            say([])
        case "wrong-seq":
            say(right(request) | {"seq": 7_000})
        case "two-answers":
            say(right(request) | {"refused": {}, "result": 1})
        case "odd-refusal":
            say({"seq": seq, "refused": "no"})
        case "unknown-field":
            say(right(request) | {"colour": "red"})
        case "errs":
            say({"seq": seq, "error": "out of cheese"})
        case "unsupported":
            say({"seq": seq, "unsupported": f"op {request['op']}"})
        case "shapeless":
            say({"seq": seq, "result": 3})
        case "wrong-clause" if request.get("action") == {"type": "C"}:
            say({"seq": seq, "refused": {"code": "no", "clause": "TRN-3"}})
        case "wrong-odds" if request["op"] == "chance":
            odds = [{"action": {"type": n}, "numerator": 1, "denominator": 2} for n in "AB"]
            say({"seq": seq, "result": odds})
        case "once" if seq == 1:
            os._exit(0)
        case _:
            say(right(request))


def main(manner: str) -> None:
    """Answer until there is nothing more to answer."""
    if manner == "mute":
        time.sleep(60)
    if manner == "gone":
        os._exit(3)
    if manner == "chatters":
        sys.stderr.write("debug: " + "x" * 5_000 + " the end\n")
    for line in sys.stdin:
        request = json.loads(line)
        match request["command"]:
            case "start":
                start(manner)
            case "setup" if manner == "no-rules":
                say({"unsupported": "these rules"})
            case "setup" if manner == "odd-setup":
                say({"ok": "yes"})
            case "setup":
                say({"ok": True})
            case "ask":
                ask(manner, request)
            case "stop" if manner == "stays":
                time.sleep(60)
            case _:
                return


if __name__ == "__main__":
    main(sys.argv[1])
