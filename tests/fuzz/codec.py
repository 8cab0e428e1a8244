"""Fuzzing the codec: documents damaged in every way, none of which may do any harm.

`python -m tests.fuzz.codec` runs it under atheris, which steers by the code that is reached; it
needs the `fuzz` extra and takes the options of libFuzzer, as in ``-max_total_time=300``.  With
``--write`` the figures go to ``tests/fuzz/figures.json``, where the documentation finds them.  The
same damages and the same judgement are part of the tests, with Hypothesis.
"""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

from tests.established import stamp, write

CODEC = ("src/valletta_rules/codec/*.py",)
"""What is fuzzed."""

DONE = re.compile(r"Done (\d+) runs in (\d+) second")
"""What the fuzzer says at the end."""

FIGURES = Path(__file__).with_name("figures.json")
"""What the last run with `--write` established."""


def main() -> None:
    """Run the fuzzer until it is stopped, or finds something."""
    atheris: Any = import_module("atheris")  # it is not installed everywhere
    with atheris.instrument_imports(include=["valletta_rules"]):
        damage = import_module("tests.fuzz.damage")
    documents = [json.loads(text) for text in damage.corpus()]
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

            text = damage.damaged(documents[pick(len(documents))], pick)
        tried += 1
        read += damage.judge(text)
        if tried % 5_000 == 0:
            print(f"{tried} tried, {read} of them documents", flush=True)  # noqa: T201

    atheris.Setup(sys.argv, try_one)
    atheris.Fuzz()


def record(options: list[str]) -> int:
    """Run the fuzzer in a process of its own, which it ends itself; write down how far it came."""
    sources, came = {"codec": stamp(CODEC)}, None
    command = [sys.executable, "-m", "tests.fuzz.codec", *options]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as run:
        assert run.stderr is not None
        for line in run.stderr:
            sys.stderr.write(line)
            came = DONE.match(line) or came
    if run.returncode == 0 and came:
        write(FIGURES, sources, {"documents": int(came[1]), "seconds": int(came[2])})
    return run.returncode


if __name__ == "__main__":
    if "--write" in sys.argv:
        sys.exit(record([option for option in sys.argv[1:] if option != "--write"]))
    main()
