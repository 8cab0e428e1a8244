"""Count the CPU instructions per decision, with valgrind: ``python -m tests.native.instructions``.

Unlike running times, these counts hardly vary.  The counts were recorded with one compiler and one
version of Python; with other versions, the command only prints the new counts.  ``--write`` records
the counts.
"""

import os
import platform
import random
import re
import subprocess
import sys
import tempfile
import tomllib
from array import array
from pathlib import Path

import valletta_rules as valletta
from tests.benchmarks.games import decisions
from valletta_rules import native

WRITTEN = Path(__file__).with_name("instructions.toml")
"""The file with the recorded counts."""

TOLERANCE = {True: 1.03, False: 1.15}
"""The maximum ratio of a new count to the recorded one: in the library (`True`), and in total.

Counts for the library are equal in every run.  Counts for Python vary with the environment by up to
5 %.
"""

BY = {"packed": valletta, "packed, by native": native}
"""The module whose functions play the random games, keyed by the name of the measurement."""

WARM, FEW, MANY = 40, 4, 104
"""Numbers of games: for warming up the caches, for the short run, and for the long run.

Subtracting the short run from the long one removes the cost of starting Python, except for a
variation of up to two million instructions.  Fixed hash seeds reduce the variation, and the
decisions of a hundred games make it negligible.
"""


def play(form: str, games: int) -> int:
    """Play games between four random players; return the number of decisions that they made."""
    start = native.pack(valletta.new_game(4))
    if form in BY:
        return sum(
            decisions(start, random.Random(seed), BY[form]) * (seed >= 0)
            for seed in range(-WARM, games)
        )
    if form == "rollouts":
        return native.rollouts(start, games, 1).decisions
    batch = native.Batch(start, games, restart=True)
    numbers = array("q", bytes(8 * games))
    for step in range(400):
        batch.legal_mask()
        batch.step(batch.sample(step, numbers))
    return 400 * games


def run_command(*command: str) -> str:
    """Run a command with a fixed hash seed, and return its standard output."""
    fixed = os.environ | {"PYTHONHASHSEED": "0"}
    return subprocess.run(command, capture_output=True, text=True, check=True, env=fixed).stdout


def counted(form: str, games: int) -> tuple[int, int, int]:
    """Play games under valgrind.

    Return three numbers: all instructions, the instructions in the native library, and the
    decisions.
    """
    with tempfile.TemporaryDirectory() as folder:
        out = f"{folder}/out"
        run = ("valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", sys.executable, "-m")
        decisions = run_command(*run, "tests.native.instructions", form, str(games))
        listing = run_command("callgrind_annotate", "--threshold=100", out)
    number = r"^\s*([\d,]+) .*"
    whole = re.search(number + "PROGRAM TOTALS", listing, re.MULTILINE)
    assert whole is not None
    inside = re.findall(number + r"_native\.abi3\.so\]", listing, re.MULTILINE)
    total, library = (
        sum(int(each.replace(",", "")) for each in some) for some in ([whole[1]], inside)
    )
    return total, library, int(decisions)


def counts() -> dict[str, float]:
    """Return the numbers of instructions per decision, keyed by measurement."""
    measured: dict[str, float] = {}
    for form in (*BY, "batch", "rollouts"):
        few, many = (counted(form, games) for games in (FEW, MANY))
        total, library, decisions = (more - less for more, less in zip(many, few, strict=True))
        measured |= {f"{form}": total // decisions, f"{form}, in the library": library // decisions}
    return measured


def print_line(line: str) -> None:
    """Print a line to standard output."""
    sys.stdout.write(f"{line}\n")


def main(arguments: list[str]) -> int:
    """Compare the counts with the recorded ones, or record them.

    Return 1 if a count exceeds its limit.
    """
    if len(arguments) == 2:
        print_line(str(play(arguments[0], int(arguments[1]))))
        return 0
    toolchain = (
        f"gcc {run_command('gcc', '-dumpfullversion').strip()}, CPython {platform.python_version()}"
    )
    measured = counts()
    print_line(f"instructions of a decision ({toolchain}): {measured}")
    if arguments == ["--write"]:
        lines = [
            f'made_by = "{toolchain}"',
            *(f'"{name}" = {count}' for name, count in measured.items()),
        ]
        WRITTEN.write_text("\n".join(lines) + "\n", "utf-8")
        return 0
    accepted = tomllib.loads(WRITTEN.read_text("utf-8"))
    if accepted["made_by"] != toolchain:
        print_line(f"not compared: the recorded counts are those of {accepted['made_by']}")
        return 0
    worse = [
        name
        for name, count in measured.items()
        if count > TOLERANCE[name.endswith("in the library")] * accepted[name]
    ]
    print_line("more than before: " + ", ".join(worse) if worse else "no more than before")
    return bool(worse)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
