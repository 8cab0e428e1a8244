"""The native backend with one mistake after the other, each met by the engine in lockstep.

All objects are compiled once; for a mistake one of them is compiled anew.  A fork loads the
mistaken library, and goes through the worked examples, and then some games and positions, until
engine and backend disagree.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from subprocess import CalledProcessError
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

from spec.checks.compiled import library_of, loaded, object_of, played_by
from spec.checks.lockstep import Lockstep, rounds, tables_of
from spec.checks.mistakes.runs import INVALID, KILLED, SURVIVED, Tell, judged
from spec.checks.mistakes.table import NATIVE, Mistake, MistakeResult, mistaken
from spec.checks.native_comparison import Native
from valletta_rules.specification.worked_examples import examples

if TYPE_CHECKING:  # it is missing where the backend is
    from valletta_rules.native import PackedState

STEPS: Final = 5_000
"""The number of examples and positions after which nobody notices a mistake any more."""

BREADTH: Final = 12
"""The number of actions that are carried out in each position."""


def verdicts(mistakes: Sequence[Mistake], say: Callable[[str], None]) -> dict[str, MistakeResult]:
    """Return the result for each mistake, by name.

    Raises `FailedError` if engine and backend disagree without one.
    """
    with TemporaryDirectory() as folder:
        objects = {path: object_of(path, Path(folder), NATIVE) for path in NATIVE.glob("*.c")}
        runs = {each.name: partial(judge, each, objects) for each in mistakes}
        return judged("backend", mistakes, partial(judge, None, objects), runs, say)


def judge(mistake: Mistake | None, objects: Mapping[Path, Path], tell: Tell) -> None:
    """Compile the backend with a mistake, or none, and compare it with the engine; in a fork."""
    made = dict(objects)
    with TemporaryDirectory() as name:
        folder = Path(name)
        try:
            for path, text in mistaken(mistake.native if mistake else ()).items():
                (folder / path.name).write_text(text, encoding="utf-8")
                made[path] = object_of(folder / path.name, folder, NATIVE)
            library = library_of(made.values(), folder)
        except CalledProcessError as error:
            return tell({"verdict": INVALID, "why": str(error)})
        with played_by(loaded(library)):
            how = difference()
    return tell({"verdict": KILLED, "how": how} if how else {"verdict": SURVIVED})


def difference() -> str | None:
    """Return where the backend first disagrees with the engine, or nothing."""
    rng = random.Random(0)
    lockstep = Lockstep(Native(), most_payments=sys.maxsize, asked=24, rng=rng)
    failed = None
    try:
        for _ in islice(steps(lockstep, rng), STEPS):
            if lockstep.tally.divergences:
                break
    except Exception as error:  # a backend may be so wrong that it comes to this
        failed = type(error).__name__
    for first in lockstep.tally.divergences:
        return f"{first.what} under {type(first.state.prompt).__name__}"
    return failed


def steps(lockstep: Lockstep[PackedState], rng: random.Random) -> Iterator[object]:
    """Compare the worked examples, and then games and positions."""
    for worked in examples():
        lockstep.show(worked, BREADTH)
        yield worked
    yield from rounds(lockstep, rng, tables_of(rng), seed=0, breadth=BREADTH)
