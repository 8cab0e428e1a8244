"""The deliberate mistakes of the clauses: each can be made, and what makes them can be trusted."""

from __future__ import annotations

import ast
import dataclasses
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from spec.checks.established import ROOT
from spec.checks.mistakes import __main__ as runner
from spec.checks.mistakes import model, native
from spec.checks.mistakes.__main__ import sample
from spec.checks.mistakes.engine import (
    INVALID,
    KILLED,
    SURVIVED,
    TIMED_OUT,
    Run,
    in_forks,
)
from spec.checks.mistakes.table import (
    Change,
    FailedError,
    Mistake,
    MistakeError,
    MistakeResult,
    find,
    mistaken,
    placed,
    read_mistakes,
    replace,
)
from valletta_rules.native import available
from valletta_rules.specification.files import Place, specification

SCHEMA = ROOT / "spec" / "schema" / "mistakes.schema.json"

CODE = """\
LIMIT = 8

class Price:
    def of(self, site):
        # What it costs.
        return max(0, self.cost(site) - self.discount(site))
"""


# The tables


def test_mistakes_stand_in_the_order_of_their_clauses() -> None:
    """A table has the mistakes of its chapter."""
    for chapter in specification().chapters:
        path = f"spec/mistakes/{chapter.chapter}.toml"
        mistakes = [each for each in specification().mistakes if each["place"].path == path]
        named = list(dict.fromkeys(mistake["clause"] for mistake in mistakes))
        assert named == [clause.id for clause in chapter.clause if clause.id in named]


@pytest.mark.parametrize("mistake", read_mistakes(), ids=lambda mistake: mistake.name)
def test_a_mistake_can_be_made(mistake: Mistake) -> None:
    """What a mistake replaces is found in the engine and in the backend as they are now, once."""
    assert bool(mistaken(mistake)) is bool(mistake.engine)
    assert bool(native.mistaken(mistake)) is bool(mistake.native)


# Making one


def changed(function: str, expression: str, replacement: str) -> str:
    """Return the code above with an expression replaced."""
    tree = ast.parse(CODE)
    replace(find(tree, function.split(".")), Change(function, expression, replacement))
    return ast.unparse(tree)


def test_an_expression_is_found_whatever_its_layout() -> None:
    """Blanks, brackets and comments do not count."""
    assert "self.cost(site) + 1" in changed(
        "Price.of", "(self.cost( site )-self.discount(site))", "self.cost(site) + 1"
    )


def test_a_constant_and_a_statement_can_be_replaced() -> None:
    """A constant is named like a function, and a whole statement is found like an expression."""
    assert "LIMIT = 9" in changed("LIMIT", "8", "9")
    assert changed("Price.of", "return max(0, self.cost(site) - self.discount(site))", "return 0")


@pytest.mark.parametrize(
    ("function", "expression", "why"),
    [
        ("Price.of", "cost", "'cost' 0 times"),
        ("Price.of", "self", "'self' 2 times"),
        ("Price.off", "site", "not there"),
        ("Cost.of", "site", "not there"),
    ],
)
def test_a_mistake_that_cannot_be_made_is_refused(function: str, expression: str, why: str) -> None:
    """The function must be there, and the expression in it, once."""
    with pytest.raises(MistakeError, match=why):
        changed(function, expression, "0")


def test_a_function_must_be_in_a_module() -> None:
    """A name that leads to no file is refused."""
    with pytest.raises(MistakeError, match=r"rulebook\.streets is in no module"):
        placed("rulebook.streets", ROOT)


CODE_IN_C = """\
/* Return a price. */
static int price(int cost, int discount)
{
    return cost > discount /* or nothing */
        ? cost - discount : 0;
}
"""


def changed_in_c(function: str, expression: str) -> str:
    """Return the code above with an expression replaced by 7."""
    return native.changed(CODE_IN_C, function, Change(f"a.c::{function}", expression, "7"))


def test_an_expression_in_c_is_found_whatever_its_layout() -> None:
    """Blanks and line breaks do not count, and no part of a word is taken for it."""
    assert "? 7 : 0" in changed_in_c("price", "cost-discount")
    for function, expression, why in (
        ("prices", "cost", "not there"),
        ("price", "cost", "'cost' 2 times"),
        ("price", "disc", "'disc' 0 times"),
    ):
        with pytest.raises(MistakeError, match=why):
            changed_in_c(function, expression)


# Running them


def telling(*verdicts: str, then: Callable[[], object] = lambda: None) -> Run:
    """Return a run that tells some verdicts, one after the other, and then does something."""

    def run(tell: Callable[[MistakeResult], None]) -> None:
        for verdict in verdicts:
            tell({"verdict": verdict})
        then()

    return run


def dying() -> None:
    """Be ended from outside."""
    os.kill(os.getpid(), signal.SIGKILL)


RUNS = {
    "told twice": (telling(SURVIVED, KILLED), KILLED),
    "silent": (telling(), INVALID),
    "crashing": (telling(SURVIVED, then=lambda: [][0]), INVALID),
    "slow": (telling(SURVIVED, then=lambda: time.sleep(0.2)), SURVIVED),
    "ended": (telling(then=dying), TIMED_OUT),
    "ended when noticed": (telling(KILLED, then=dying), KILLED),
}


def test_a_run_is_judged_by_what_it_told_last() -> None:
    """A run that is ended has been noticed if it told so, and has timed out if it did not."""
    found = {
        name: told["verdict"] for name, told, _ in in_forks((n, r) for n, (r, _) in RUNS.items())
    }
    assert found == {name: verdict for name, (_, verdict) in RUNS.items()}


ANSWERING = """\
import json, sys
for each in json.load(sys.stdin):
    print(json.dumps({"name": each["name"], "verdict": "killed", "how": each["definition"]}))
sys.exit(each.get("code", 0))
"""


def a_mistake(**model: object) -> Mistake:
    """Return a mistake of the model only."""
    return Mistake("dear", "BLD-6", "It is dear.", (), "", model, Place("building.toml", 1))


def test_the_model_is_asked_in_one_go(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tool for the model is given all mistakes and tells a verdict for each, or has failed."""
    monkeypatch.setattr(model, "MAKER", (sys.executable, "-c", ANSWERING))
    said: list[str] = []
    found = model.verdicts([a_mistake(definition="building.qnt::price")], said.append)
    assert found == {"BLD-6 dear": {"verdict": KILLED, "how": "building.qnt::price"}}
    assert said == ["killed     BLD-6 dear in the model: building.qnt::price"]
    with pytest.raises(FailedError):
        model.verdicts([a_mistake(definition="", code=1)], said.append)


@pytest.mark.parametrize("size", [1, 7, 100, 1000])
def test_samples_of_successive_days_have_every_mistake(size: int) -> None:
    """Day after day the sample goes on where it ended."""
    mistakes = read_mistakes()
    days = -(-len(mistakes) // size)
    seen = {each.name for day in range(days) for each in sample(mistakes, size, 7 + day)}
    assert seen == {each.name for each in mistakes}
    assert len(sample(mistakes, size, 7)) == min(size, len(mistakes))


def test_the_mistakes_of_a_clause_are_killed() -> None:
    """The runner makes them, and lets the clause's own tests notice."""
    command = [sys.executable, "-m", "spec.checks.mistakes", "--engine", "--clause", "YEL-15"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("mistakes in the engine: 1 killed\n")


def test_verdicts_are_written_down(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A whole run is written with the day; of some, the others keep theirs, but for those gone."""
    monkeypatch.setattr(runner, "VERDICTS", tmp_path / "mistakes.json")
    (knight,) = [each for each in read_mistakes() if each.clause == "YEL-15"]
    killed = {"engine": {knight.name: {"verdict": KILLED}}}
    found = runner.figures([knight], killed)
    runner.write_down(found | {"mark": 1}, is_whole=True)
    written = json.loads((tmp_path / "mistakes.json").read_text("utf-8"))
    assert {"date", "sources", "mark"} < written.keys()
    written["clauses"]["YEL-15"] |= {"gone": {}, knight.id: {"model": "kept"}}
    (tmp_path / "mistakes.json").write_text(json.dumps(written), "utf-8")
    runner.write_down(found, is_whole=False)
    again = json.loads((tmp_path / "mistakes.json").read_text("utf-8"))
    engine = found["clauses"]["YEL-15"][knight.id]["engine"]
    assert again["clauses"]["YEL-15"] == {knight.id: {"model": "kept", "engine": engine}}
    assert (again["date"], again["mark"]) == (written["date"], 1)


@pytest.mark.skipif(shutil.which("gcc") is None, reason="nothing is compiled: there is no gcc")
@pytest.mark.skipif(not available, reason="there is no native backend to put a mistake into")
def test_mistakes_in_the_backend_are_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each is compiled, and disagrees with the engine; what changes nothing survives."""
    monkeypatch.setattr("spec.checks.mistakes.questions.TABLES", 0)
    monkeypatch.setattr("spec.checks.mistakes.questions.EXAMPLES", "YEL-1")
    knight = next(each for each in read_mistakes() if each.name == "YEL-15 three-points")
    (points,) = knight.native
    made = {
        "killed": points,
        "survived": dataclasses.replace(points, replacement="(KNIGHT_POINTS)"),
        "invalid": dataclasses.replace(points, replacement="PAGE_POINTS"),
        "elsewhere": dataclasses.replace(points, function="yellow.c::page"),
    }
    mistakes = [dataclasses.replace(knight, id=id, native=(each,)) for id, each in made.items()]
    found = native.verdicts(mistakes, print)
    assert {name.removeprefix("YEL-15 "): each["verdict"] for name, each in found.items()} == {
        **dict.fromkeys(made, INVALID),
        "killed": KILLED,
        "survived": SURVIVED,
    }
    assert (
        "killed     YEL-15 killed in the backend: successor under PlayPrompt"
        in capsys.readouterr().out
    )


def test_there_must_be_such_a_mistake() -> None:
    """A clause without mistakes is refused."""
    command = [sys.executable, "-m", "spec.checks.mistakes", "--clause", "YEL-99"]
    assert subprocess.run(command, cwd=ROOT, capture_output=True, check=False).returncode == 2
