"""Fuzzing the codec: documents damaged in every way, none of which may do any harm.

`python -m spec.checks.fuzzed` runs it under atheris, which steers by the code that is reached; it
needs the `fuzz` extra and takes the options of libFuzzer; ``-max_total_time=300`` ends it after
five minutes.  The same damages and the same judgement are part of the tests, with Hypothesis.
"""

from __future__ import annotations

import json
import random
import sys
from importlib import import_module
from typing import Any

from spec.checks.figures import publish


def main() -> None:
    """Run the fuzzer until it finds something, or ends as its options say."""
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
            publish(documents=tried, read=read)  # libFuzzer ends the process

    atheris.Setup(sys.argv, try_one)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
