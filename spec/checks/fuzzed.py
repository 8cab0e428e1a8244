"""Fuzzing the codec: documents damaged in every way, none of which may do any harm.

`python -m spec.checks.fuzzed` runs it under atheris, which steers by the code that is reached; it
needs the `fuzz` extra and takes the options of libFuzzer, as in ``-max_total_time=300``.  With
``--write --seconds 120`` it writes down how far it got.  The same damages and the same judgement
are part of the tests, with Hypothesis.
"""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
from importlib import import_module
from typing import Any

from spec.checks.established import ROOT, stamp, write

CODEC = ("src/valletta_rules/codec/*.py", "src/valletta_rules/audit/*.py")
"""What is fuzzed: reading and writing, and the judgement of positions that are read."""

FUZZER = ("spec/checks/fuzzed.py", "spec/checks/corruption.py")
"""What fuzzes it."""

DONE = re.compile(r"Done (\d+) runs in (\d+) second")
"""What the fuzzer says at the end."""


def main() -> None:
    """Run the fuzzer until it is stopped, or finds something; with ``--write`` for a time."""
    if "--write" in sys.argv:
        sys.exit(accept(int(sys.argv[-1])))
    atheris: Any = import_module("atheris")  # it is not installed everywhere
    with atheris.instrument_imports(include=["valletta_rules"]):
        corruption = import_module("spec.checks.corruption")
    documents = [json.loads(text) for text in corruption.corpus()]
    tried = read = 0

    def try_one(data: bytes) -> None:
        nonlocal tried, read
        provider = atheris.FuzzedDataProvider(data)
        if provider.ConsumeIntInRange(0, 7) == 0:
            text = provider.ConsumeUnicode(4_096)
        else:
            rng = random.Random(provider.ConsumeIntInRange(0, 2**32 - 1))

            def pick(count: int) -> int:
                if provider.remaining_bytes():
                    return int(provider.ConsumeIntInRange(0, count - 1))
                return rng.randrange(count)

            text = corruption.damaged(documents[pick(len(documents))], pick)
        tried += 1
        read += corruption.judge(text)
        if tried % 5_000 == 0:
            print(f"{tried} tried, {read} of them documents", flush=True)

    atheris.Setup(sys.argv, try_one)
    atheris.Fuzz()


def sources() -> dict[str, object]:
    """Return the stamps of what the figures depend on."""
    return {"codec": stamp(CODEC), "fuzzer": stamp(FUZZER)}


def accept(seconds: int) -> int:
    """Run the fuzzer in a process of its own, which it ends, and write down how far it got.

    Returns 1 if it found something, or did not run.
    """
    stamped, came = sources(), None
    command = [sys.executable, "-m", "spec.checks.fuzzed", f"-max_total_time={seconds}"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as fuzzing:
        assert fuzzing.stderr is not None
        for line in fuzzing.stderr:
            sys.stderr.write(line)
            came = DONE.match(line) or came
    if fuzzing.returncode or came is None:
        return 1
    found = {"documents": int(came[1]), "seconds": int(came[2])}
    write(ROOT / "spec" / "fuzzed.json", stamped, found)
    return 0


if __name__ == "__main__":
    main()
