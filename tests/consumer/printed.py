"""The commands that README and pages print, run by the programs of an environment.

Usage: python -m tests.consumer.printed ENVIRONMENT

They are found and judged as `tests/docs/test_code_blocks.py` does, which runs them by the sources.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from docs.checks import code_blocks


def program(*start: str) -> Callable[[Sequence[str]], int]:
    """Return what runs a program of the environment with some words."""

    def run(words: Sequence[str]) -> int:
        clean = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
        done = subprocess.run(
            [*start, *words],
            env=clean | {"LANGUAGE": "", "LC_ALL": "C.UTF-8", "COLUMNS": "80"},
            input="",
            capture_output=True,
            encoding="utf-8",
        )
        sys.stdout.write(done.stdout)
        sys.stderr.write(done.stderr)
        return done.returncode

    return run


def main(environment: str) -> int:
    """Run them page by page, each page in a folder of its own; return 1 if one goes wrong."""
    folder = Path(environment).resolve() / "bin"
    python = str(folder / "python")
    started = {
        "valletta": (str(folder / "valletta"),),
        "python -m valletta_rules": (python, "-m", "valletta_rules"),
        "python -m valletta_rules.codec": (python, "-m", "valletta_rules.codec"),
        "python -c": (python, "-c"),
    }
    code_blocks.PROGRAMS.update({each: program(*start) for each, start in started.items()})
    wrong = ran = 0
    for page, text in code_blocks.pages().items():
        typed = [
            each for each in code_blocks.blocks(page, text) if any(code_blocks.commands_of(each))
        ]
        with tempfile.TemporaryDirectory() as work, contextlib.chdir(work):
            for name, content in code_blocks.PREPARED.items():
                Path(name).write_text(content, encoding="utf-8")
            for block in typed:
                found = [*code_blocks.faults(block)]
                sys.stdout.writelines(f"{page}:{block.line}: {fault}\n" for fault in found)
                wrong, ran = wrong + len(found), ran + 1
    sys.stdout.write(f"{ran} blocks of commands, {wrong} faults\n")
    return int(wrong > 0 or ran < 50)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
