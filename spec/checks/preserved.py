"""That every step leads from a valid position to a valid one, by bounded model checking with CBMC.

What contracts do not say of functions that change a position by many others is checked here of all
of them together: the setup, an answer to each question, and the steps that run by themselves, each
from any valid position with any legal action.  `spec/preserved.c` says what is asked; a question is
asked for each number of players and each seat, and that of a card for each card.  Loops are
unrolled as far as they can go, which is checked, too.

    python -m spec.checks.preserved                  all questions, which takes hours
    python -m spec.checks.preserved PLACE...         some of them, like ``2.1.monk`` or ``2``
    python -m spec.checks.preserved --mistakes       whether deliberate mistakes are noticed
    python -m spec.checks.preserved --invariants     whether what games keep is kept

What games keep is more than what makes a position valid: the order of the agenda, one owner for
each site, the limits of hands and houses, and the cards of each kind.  That is asked by itself, and
with it whether anything comes of what a question assumes: what no position fulfils would hold.

It needs CBMC 6, which Debian has from its release 13 on.

Exit code 0: all that was asked holds; 1: something does not; 2: wrong usage, or CBMC is missing.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import attrs

from spec.checks.established import ROOT
from spec.checks.figures import publish
from valletta_rules.components.characters import Character

NATIVE: Final = ROOT / "src" / "native"
"""The native backend."""

MISTAKES: Final = ROOT / "spec" / "checks" / "preserved_mistakes.toml"
"""The deliberate mistakes."""

FILES: Final = (
    *("ledger.c", "effects.c", "characters.c", "setup.c", "turn.c", "valette.c", "green.c"),
    *("blue.c", "yellow.c", "final_phase.c", "scoring.c", "events.c"),
)
"""The chapters of the rules but for those that `spec/preserved.c` includes."""

TOP: Final = " = row->agenda[row->steps - 1];"
"""How the engine reads the step that is asked."""

LOOPS: Final = {
    "any_cards.0": 256,
    "count_sites.0": 33,
    "next_space.0": 27,
    "end_turn.0": 9,
    "means.0": 9,
}
"""The loops that are not unrolled `UNROLLED` times."""

UNROLLED: Final = 41
"""How often loops are unrolled: one more than there are kinds of card in a bag."""

FOUND: Final = re.compile(r"^\*\* (\d+) of (\d+) failed", re.MULTILINE)
"""How many checks failed, and how many there were."""

FAILED: Final = re.compile(r"^\[(\w+)\.[\w.-]+\] line \d+ (.*): FAILURE$", re.MULTILINE)
"""A check that failed: the function, and what was checked."""

NEVER: Final = "it is never reached"
"""What has to be wrong of every question."""

PROMPTS: Final = tuple(
    f"{name}_prompt"
    for name in (
        *("deal", "draw", "barrel", "draft", "maid", "site", "payment", "valette", "monk"),
        *("trader", "seamstress", "artisan", "nun", "bonus", "architect"),
    )
)
"""The questions but for that of a card."""

RUNNING: Final = ("turn", "end_turn", "pass_turn")
"""The steps that run by themselves."""


@attrs.frozen
class Question:
    """What is asked of CBMC: by the number of players, the seat, and what is asked there."""

    players: int
    seat: int
    asked: str

    def __str__(self) -> str:
        """Return the name of the question."""
        return f"{self.players}.{self.seat}.{self.asked}"

    @property
    def arguments(self) -> Iterator[str]:
        """The arguments of CBMC that say what is asked."""
        yield from (f"-DPLAYERS={self.players}", f"-DSEAT={self.seat}", "--function")
        name = self.asked.upper()
        match self.asked:
            case "validity":
                yield "agrees"
            case "setup":
                yield "laid"
            case "bits":
                yield "given"
            case "any_prompt":
                yield "ran"
            case asked if asked in RUNNING:
                yield from ("ran", f"-DASKED={name}")
            case asked if asked in PROMPTS:
                yield from ("answered", f"-DASKED={name}")
            case _:
                copied = "-1" if self.asked == "nothing" else name
                yield from ("answered", "-DASKED=PLAY_PROMPT", f"-DCOPIED={copied}")


def questions() -> Iterator[Question]:
    """Yield all questions, those of two players first."""
    cards = [each.name.lower() for each in Character if each is not Character.APPRENTICE]
    for players in (2, 3, 4):
        yield from (Question(players, 0, asked) for asked in ("validity", "setup", "bits"))
        for seat in range(players):
            for asked in ("any_prompt", *RUNNING, *PROMPTS, "nothing", *cards):
                yield Question(players, seat, asked)


@attrs.frozen
class Finding:
    """What CBMC found: how many checks there were, those that failed, and its time."""

    checks: int
    failed: tuple[str, ...]
    seconds: float


def check(question: Question, native: Path = NATIVE, more: Sequence[str] = ()) -> Finding:
    """Ask CBMC a question.

    Takes the folder of the native backend, and what CBMC is told besides.
    Raises `RuntimeError` if CBMC cannot read the sources.
    """
    engine = (native / "engine.c").read_text(encoding="utf-8")
    started = time.monotonic()
    with TemporaryDirectory() as folder:
        asking = engine.replace(TOP, " = asked(row);")
        (Path(folder) / "asking.c").write_text(asking, encoding="utf-8")
        unrolled = ",".join(f"{loop}:{times}" for loop, times in LOOPS.items())
        command = (
            *("cbmc", str(ROOT / "spec" / "preserved.c"), *FILES, "-I", folder, "-I", "."),
            *("--unwind", str(UNROLLED), "--unwindset", unrolled, "--unwinding-assertions"),
            *("--slice-formula", "--drop-unused-functions", *question.arguments, *more),
        )
        ran = subprocess.run(command, cwd=native, capture_output=True, text=True, check=False)
    counted = FOUND.search(ran.stdout)
    if not counted:
        raise RuntimeError(
            f"CBMC cannot judge {question}:\n{ran.stdout[-2000:]}{ran.stderr[-2000:]}"
        )
    failed = tuple(f"{function}: {what}" for function, what in FAILED.findall(ran.stdout))
    if len(failed) != int(counted[1]):
        raise RuntimeError(f"CBMC's findings cannot be read:\n{ran.stdout[-2000:]}")
    return Finding(int(counted[2]), failed, time.monotonic() - started)


def check_invariants(question: Question, native: Path = NATIVE) -> Finding:
    """Ask CBMC whether what games keep is kept, and that nothing comes of it, which has to fail.

    Takes the folder of the native backend.
    Raises `RuntimeError` if CBMC cannot read the sources.
    """
    found = check(question, native, ("-DINVARIANTS", "--no-standard-checks"))
    failed = tuple(each for each in found.failed if NEVER not in each)
    is_reached = len(failed) < len(found.failed)
    return attrs.evolve(found, failed=failed if is_reached else (*failed, NEVER))


def is_meant(question: Question, place: str) -> bool:
    """Tell whether a question is one of a place, like ``2``, ``2.1`` or ``nun``."""
    return f"{question}.".startswith(f"{place}.") or question.asked == place


def is_noticed(mistake: Mapping[str, str]) -> bool:
    """Make a deliberate mistake in a copy of the native backend; tell whether its check fails."""
    question = next(each for each in questions() if str(each) == mistake["question"])
    with TemporaryDirectory() as folder:
        native = Path(shutil.copytree(NATIVE, Path(folder) / "native"))
        right = (native / mistake["file"]).read_text(encoding="utf-8")
        if right.count(f"{mistake['line']}\n") != 1:
            raise RuntimeError(f"{mistake['file']} does not have this line once: {mistake['line']}")
        wrong = right.replace(mistake["line"], mistake["instead"])
        (native / mistake["file"]).write_text(wrong, encoding="utf-8")
        ask = check_invariants if "invariant" in mistake else check
        return any(mistake.get("invariant", "") in each for each in ask(question, native).failed)


def try_mistakes(pool: ThreadPoolExecutor) -> list[bool]:
    """Make all deliberate mistakes, each in a copy of its own; return whether each is noticed."""
    mistakes = tomllib.loads(MISTAKES.read_text(encoding="utf-8"))["mistake"]
    noticed = []
    for mistake, is_seen in zip(mistakes, pool.map(is_noticed, mistakes), strict=True):
        noticed.append(is_seen)
        print(f"{mistake['what']}: {'noticed' if is_seen else 'not noticed'}", flush=True)
    return noticed


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(
        prog="python -m spec.checks.preserved",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("places", nargs="*", metavar="PLACE", help="only these questions")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1, help="at a time")
    modes = parser.add_mutually_exclusive_group()
    modes.add_argument("--mistakes", action="store_true", help="make deliberate mistakes instead")
    modes.add_argument("--invariants", action="store_true", help="ask what games keep instead")
    options = parser.parse_args(arguments)
    every = [*questions()]
    for place in options.places:
        if not any(is_meant(each, place) for each in every):
            parser.error(f"there is no question {place}")
    if not shutil.which("cbmc"):
        sys.stderr.write("CBMC is not installed: Debian has it from its release 13 on\n")
        return 2
    with ThreadPoolExecutor(options.processes) as pool:
        if options.mistakes:
            noticed = try_mistakes(pool)
            publish(mistakes=len(noticed), noticed=sum(noticed))
            return int(not all(noticed))
        ask = check_invariants if options.invariants else check
        asked = [
            each
            for each in every
            if not options.places or any(is_meant(each, place) for place in options.places)
        ]
        print(f"{len(asked)} of {len(every)} questions are to be asked", flush=True)
        holding = checks = 0
        for question, finding in zip(asked, pool.map(ask, asked), strict=True):
            said = "; ".join(finding.failed) or f"{finding.checks} checks hold"
            print(f"{question}: {said}, in {finding.seconds:.0f} s", flush=True)
            holding += not finding.failed
            checks += finding.checks
    publish(asked=len(asked), hold=holding, checks=checks)
    return int(holding < len(asked))


if __name__ == "__main__":
    sys.exit(main())
