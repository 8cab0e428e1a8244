"""The check that every step keeps a position valid: what it asks, and how CBMC is understood."""

from __future__ import annotations

import json
import re
import shutil
import tomllib
from pathlib import Path
from typing import Final, get_args

import pytest

from spec.checks import preserved
from spec.checks.preserved import MISTAKES, NATIVE, NEVER, TOP, Question, main, questions
from tests.sources import ROOT
from valletta_rules.agenda import Prompt, Step
from valletta_rules.components.characters import Character

GOOD: Final = "** 0 of 220 failed (1 iterations)\\nVERIFICATION SUCCESSFUL\\n"
"""What CBMC says if all holds, as `printf` is told it."""

BAD: Final = (
    "[put_down.array_bounds.4] line 90 array 'ROW'.played upper bound: FAILURE\\n"
    "** 1 of 220 failed (2 iterations)\\nVERIFICATION FAILED\\n"
)
"""What it says if something does not."""


@pytest.fixture(autouse=True)
def cbmc(figures: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A CBMC that finds nothing, in the folder of the figures."""
    monkeypatch.setenv("PATH", f"{figures.parent}:/bin:/usr/bin")
    says(figures.parent, GOOD)


def says(folder: Path, text: str) -> None:
    """Put a program in place of CBMC that gives one answer to everything."""
    program = folder / "cbmc"
    told = f'printf \'%s\\n\' "$@" >{folder}/told\nprintf "{text}"\n'
    read = f'for each; do [ ! -f "$each/asking.c" ] || cp "$each/asking.c" {folder}; done\n'
    program.write_text(f"#!/bin/sh\n{read}{told}", encoding="utf-8")
    program.chmod(0o755)


def snake(name: str) -> str:
    """Return the name of a type as C has it."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


def test_each_prompt_step_and_card_is_asked_of_each_seat() -> None:
    """For two to four players, who begin, answer, play any card, and let steps run."""
    asked = {(each.players, each.seat, each.asked) for each in questions()}
    steps = {snake(each.__name__) for each in get_args(Step)} - {"play_prompt"}
    steps |= {snake(each.__name__) for each in get_args(Prompt)} - {"play_prompt"}
    cards = {each.name.lower() for each in Character if each is not Character.APPRENTICE}
    seats = [(players, seat) for players in range(2, 5) for seat in range(players)]
    every = {(*at, what) for at in seats for what in steps | cards | {"nothing", "any_prompt"}}
    begins = {
        (players, 0, what) for players in range(2, 5) for what in ("setup", "validity", "bits")
    }
    assert asked == every | begins
    assert len([*questions()]) == len(asked)


def test_a_question_says_who_is_asked_for_what() -> None:
    """The numbers of a question are those of the game, and its function stands in the source."""
    source = (ROOT / "spec" / "preserved.c").read_text(encoding="utf-8")
    for question in questions():
        arguments = [*question.arguments]
        function = arguments[arguments.index("--function") + 1]
        assert f"\nvoid {function}(void)\n" in source
    monk = [*Question(3, 2, "monk").arguments]
    assert {"-DPLAYERS=3", "-DSEAT=2", "-DASKED=PLAY_PROMPT", "-DCOPIED=MONK"} < {*monk}
    assert "-DCOPIED=-1" in [*Question(2, 0, "nothing").arguments]


def test_the_engine_reads_the_step_that_is_asked_where_it_is_known() -> None:
    """All that decides by the kind of the step in the engine reads it in the same way."""
    engine = (NATIVE / "engine.c").read_text(encoding="utf-8")
    assert engine.count(TOP) == len(re.findall(r"switch \((?:prompt|next)\.kind\)", engine)) - 1


def test_what_holds_is_counted(figures: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The questions of some places, and the checks of CBMC."""
    assert main(["4.3.nun", "setup"]) == 0
    told = capsys.readouterr().out
    assert told.startswith("4 of 459 questions")
    assert re.search(r"^4\.3\.nun: 220 checks hold, in \d+ s$", told, re.MULTILINE)
    found = json.loads(figures.read_text(encoding="utf-8"))
    assert found == {"asked": 4, "hold": 4, "checks": 4 * 220}


def test_cbmc_is_told_all_that_a_question_needs(figures: Path) -> None:
    """Who is asked for what, that loops must be unrolled to the end, and which step is asked."""
    assert main(["3.2.monk"]) == 0
    told = (figures.parent / "told").read_text(encoding="utf-8").split("\n")
    assert {*Question(3, 2, "monk").arguments, "--unwinding-assertions"} < {*told}
    assert {each for each in told if each.endswith(".c") and "/" not in each} == {*preserved.FILES}
    assert {*preserved.FILES} < {path.name for path in NATIVE.glob("*.c")}
    asking = (figures.parent / "asking.c").read_text(encoding="utf-8")
    assert asking.count(" = asked(row);") == 5
    assert TOP not in asking


def test_what_fails_is_reported(figures: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It names the function and what is wrong there; what CBMC cannot read is no answer."""
    says(figures.parent, BAD)
    assert main(["2.1.banker", "2.1.nun"]) == 1
    assert "2.1.banker: put_down: array 'ROW'.played upper bound" in capsys.readouterr().out
    assert json.loads(figures.read_text(encoding="utf-8"))["hold"] == 0
    for unreadable in ("PARSING ERROR\\n", BAD.replace("1 of", "2 of")):
        says(figures.parent, unreadable)
        with pytest.raises(RuntimeError, match="CBMC"):
            main(["2.1.banker"])


def test_mistakes_have_to_be_noticed(figures: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each is made in a line that stands once, and counts if its question fails."""
    mistakes = tomllib.loads(MISTAKES.read_text(encoding="utf-8"))["mistake"]
    assert {each["question"] for each in mistakes} <= {*map(str, questions())}
    assert main(["--mistakes"]) == 1
    assert capsys.readouterr().out.count(": not noticed\n") == len(mistakes)
    says(figures.parent, BAD)
    invariants = {each["invariant"] for each in mistakes if "invariant" in each}
    assert main(["--mistakes"]) == 1
    missed = sum("invariant" in each for each in mistakes)
    assert capsys.readouterr().out.count(": not noticed\n") == missed
    failing = [BAD[: BAD.index(" array")] + f" {each}: FAILURE\\n" for each in sorted(invariants)]
    failed = f"** {len(failing)} of 220 failed (2 iterations)\\n"
    says(figures.parent, "".join([*failing, failed]))
    assert main(["--mistakes"]) == 0
    with pytest.raises(RuntimeError, match=r"turn\.c does not have this line once: void"):
        preserved.is_noticed({**mistakes[0], "file": "turn.c", "line": "void"})


def test_what_games_keep_is_asked_by_itself(
    figures: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """CBMC has to refute that a question is never reached, and nothing else."""
    assert main(["--invariants", "2.1.banker"]) == 1
    assert "2.1.banker: it is never reached" in capsys.readouterr().out
    never = BAD.replace("array 'ROW'.played upper bound", NEVER)
    says(figures.parent, BAD + never.replace("1 of", "2 of"))
    with pytest.raises(RuntimeError, match="cannot be read"):
        main(["--invariants", "2.1.banker"])
    says(figures.parent, BAD[: BAD.index("**")] + never.replace("1 of", "2 of"))
    assert main(["--invariants", "2.1.banker"]) == 1
    assert "2.1.banker: put_down: array 'ROW'.played upper bound," in capsys.readouterr().out
    says(figures.parent, never)
    assert main(["--invariants", "2.1.banker", "2.0.nun"]) == 0
    assert "-DINVARIANTS" in (figures.parent / "told").read_text(encoding="utf-8").split("\n")
    assert json.loads(figures.read_text(encoding="utf-8"))["hold"] == 2


def test_what_cannot_be_asked_is_told(
    figures: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A question that there is not, and a machine without CBMC."""
    with pytest.raises(SystemExit):
        main(["5.0.monk"])
    assert "there is no question 5.0.monk" in capsys.readouterr().err
    monkeypatch.setenv("PATH", str(figures.parent / "nowhere"))
    assert main(["2.1"]) == 2
    assert "CBMC is not installed" in capsys.readouterr().err


@pytest.mark.skipif(not shutil.which("cbmc"), reason="CBMC is not installed")
def test_cbmc_answers() -> None:
    """A turn begins, and the position is valid."""
    finding = preserved.check(Question(2, 1, "turn"))
    assert finding.checks > 400
    assert not finding.failed
    assert not preserved.check_invariants(Question(2, 0, "setup")).failed
