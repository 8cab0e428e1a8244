"""The native backend with one mistake after the other, each met by the engine in lockstep.

All objects are compiled once; for a mistake one of them is compiled anew.  What the engine says of
some hundred positions is found out once, too: the worked examples, and some games and positions.  A
fork loads the mistaken library, and goes through them until engine and backend disagree.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from subprocess import CalledProcessError
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

from spec.checks.established import ROOT
from spec.checks.mistakes.engine import INVALID, KILLED, SURVIVED, judged, limit
from spec.checks.mistakes.table import Change, Mistake, MistakeError, MistakeResult
from spec.mentions import FUNCTION_IN_C

if TYPE_CHECKING:
    from spec.checks.mistakes.questions import Asked

NATIVE: Final = ROOT / "src" / "native"

TOKEN: Final = re.compile(r'"(?:\\.|[^"\\])*"|\w+|->|\+\+|--|<<|>>|&&|\|\||[-+*/%&|^!=<>]=|\S')


def mistaken(mistake: Mistake, sources: Path = NATIVE) -> dict[Path, str]:
    """Return the sources with the mistake in them, by their files.

    Raises `MistakeError` if it cannot be made.
    """
    made: dict[Path, str] = {}
    for change in mistake.native:
        file, _, name = change.function.partition("::")
        path = sources / file
        text = made.get(path) or path.read_text(encoding="utf-8")
        try:
            made[path] = changed(text, name, change)
        except MistakeError as error:
            raise MistakeError(f"{mistake.name}: {change.function} {error}") from None
    return made


def changed(text: str, name: str, change: Change) -> str:
    """Return a source in C with an expression of a function replaced; layout does not count.

    Raises `MistakeError` if the function is not there, or the expression is not there just once.
    """
    starts = [found.end() for found in FUNCTION_IN_C.finditer(text) if found["name"] == name]
    if len(starts) != 1:
        raise MistakeError("is not there")
    tokens = list(TOKEN.finditer(text, starts[0], text.index("\n}\n", starts[0])))
    written, wanted = [each[0] for each in tokens], TOKEN.findall(change.expression)
    size = len(wanted)
    places = [n for n in range(len(written)) if written[n : n + size] == wanted]
    if len(places) != 1:
        raise MistakeError(f"has {change.expression!r} {len(places)} times")
    first, last = tokens[places[0]].start(), tokens[places[0] + size - 1].end()
    return text[:first] + change.replacement + text[last:]


def verdicts(mistakes: Sequence[Mistake], say: Callable[[str], None]) -> dict[str, MistakeResult]:
    """Return the result for each mistake, by name.

    Raises `FailedError` if engine and backend disagree without one.
    """
    from spec.checks.mistakes.questions import Asked  # not before the engine has been mistaken

    with TemporaryDirectory() as folder:
        asked = Asked(NATIVE, Path(folder))
        runs = {each.name: partial(judge, each, asked) for each in mistakes}
        return judged("backend", mistakes, partial(judge, None, asked), runs, say)


def judge(mistake: Mistake | None, asked: Asked, tell: Callable[[MistakeResult], None]) -> None:
    """Compile the backend with a mistake, compare it with the engine, and tell what comes of it."""
    limit()
    with TemporaryDirectory() as folder:
        try:
            library = asked.library(mistaken(mistake) if mistake else {}, Path(folder))
        except (MistakeError, CalledProcessError) as error:
            tell({"verdict": INVALID, "why": str(error)})
            return
        how = asked.difference(library)
    tell({"verdict": KILLED, "how": how} if how else {"verdict": SURVIVED})
