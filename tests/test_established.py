"""What the long checks established is told apart from figures of an earlier version."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from subprocess import CompletedProcess
from types import ModuleType

import pytest

from spec.checks import (
    fuzzed,
    goldens,
    javascript_comparison,
    lockstep,
    mutants,
    native_comparison,
)
from spec.checks.__main__ import ACCEPTED, EXPLORER, FIGURES, main
from spec.checks.established import ROOT, is_present, stamp, write
from spec.checks.lockstep import Divergence, Tally, parse_arguments
from valletta_rules import new_game
from valletta_rules.codec.__main__ import GENERATED


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    """A repository of two files."""
    (tmp_path / "one.qnt").write_text("module one {\n  val a = 1\n}\n", encoding="utf-8")
    (tmp_path / "two.py").write_text('"""Two."""\n\nA = "# 2"\n"""A."""\n', encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("name", "text", "is_held"),
    [
        ("one.qnt", "module one {\n  val a = 1\n}\n", True),
        # A change of comments, docstrings and empty lines leaves figures as they are.
        ("one.qnt", "// One.\nmodule one {\n\n  val a = 1   // the first\n}\n", True),
        ("two.py", '"""Two,\n\nat length.\n"""\n\n# two\nA = "# 2"\n', True),
        # A change of anything else does not, nor a file that is added or falls away.
        ("one.qnt", "module one {\n  val a = 2\n}\n", False),
        ("two.py", 'A = "# 3"\n', False),
        ("three.py", "B = 3\n", False),
        ("one.qnt", None, False),
    ],
)
def test_a_stamp_holds_while_nothing_but_words_changes(
    sources: Path, name: str, text: str | None, is_held: bool
) -> None:
    """Figures are written with the day, and belong to an earlier version once the code changes."""
    write(sources / "found.json", {"code": stamp(("*.qnt", "*.py"), sources)}, {"steps": 3})
    found = json.loads((sources / "found.json").read_text(encoding="utf-8"))
    assert (len(found["date"]), found["steps"]) == (len("2017-10-26"), 3)
    if text is None:
        (sources / name).unlink()
    else:
        (sources / name).write_text(text, encoding="utf-8")
    assert is_present(found["sources"]["code"], sources) is is_held


def test_the_model_was_explored_as_it_is() -> None:
    """What was explored is of the present model and its tools."""
    sources = json.loads((ROOT / "spec/explored.json").read_text(encoding="utf-8"))["sources"]
    assert all(map(is_present, sources.values())), "run: python -m spec.checks accept model"


PROGRAMS = [fuzzed, javascript_comparison, lockstep, mutants, native_comparison]


@pytest.mark.parametrize("program", PROGRAMS)
def test_figures_depend_on_what_checks_as_well(program: ModuleType) -> None:
    """Besides what was checked, the stamps are of what checked it, and all exist."""
    patterns = [pattern for each in program.sources().values() for pattern in each["files"]]
    assert all(any(ROOT.glob(pattern)) for pattern in (*patterns, *EXPLORER))
    assert any(pattern.startswith(("spec/checks", "tests")) for pattern in patterns)
    assert any(not pattern.startswith(("spec/checks", "spec/tools")) for pattern in patterns)


# Accepting


def test_what_can_be_accepted_is_listed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The help names what can be accepted, how long it takes, and what is of an earlier version."""
    monkeypatch.setattr("spec.checks.__main__.is_present", lambda stamped: False)
    for arguments in (["--help"], ["accept", "--help"]):
        with pytest.raises(SystemExit):
            main(arguments)
        told = capsys.readouterr().out
        assert all(f"  {name:9} {of}" in told for name, (of, _) in ACCEPTED.items())
        assert all(f"{each.of} ({each.takes}); of an earlier" in told for each in FIGURES.values())


def test_figures_are_made_by_their_programs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Those that are named, or all that are of an earlier version; and the first fault ends it."""
    ran: list[list[str]] = []

    def run(command: list[str], **_: object) -> CompletedProcess[str]:
        ran.append(command)
        return CompletedProcess(command, len(ran) // 4)

    monkeypatch.setattr("subprocess.run", run)
    monkeypatch.setattr("spec.checks.__main__.is_present", lambda stamped: False)
    chosen = ["--of", "mistakes", "hostile", "--clause", "BLD-6", "--seconds", "7"]
    assert main(["accept", "figures", *chosen]) == 0
    assert ran[0][1:] == ["-m", "spec.checks.mistakes", "--write", "--clause", "BLD-6"]
    assert ran[1][-2:] == ["7", "spec/hostile.json"]
    assert main(["accept", "figures"]) == 1
    assert len(ran) == 4
    assert capsys.readouterr().err == "native_comparison: nothing accepted\n"


def test_nothing_is_written_of_a_run_that_found_something(monkeypatch: pytest.MonkeyPatch) -> None:
    """A divergence, a find of the fuzzer, an unexplained survivor: told, and not written down."""
    tally = Tally(divergences=[Divergence("outcome", new_game(2), None, "ours", "theirs")])
    monkeypatch.setattr(lockstep, "run", lambda options: tally)
    monkeypatch.setattr(lockstep, "why_unavailable", lambda: None)
    monkeypatch.setattr(lockstep, "write", None)
    assert lockstep.main(["--write"]) == 1
    monkeypatch.setattr(fuzzed, "write", None)
    monkeypatch.setattr(sys, "executable", "false")
    assert fuzzed.accept(1) == 1
    monkeypatch.setattr("spec.checks.__main__.why_unavailable", lambda: "Node is away")
    assert main(["accept", "kit"]) == 1


def test_schema_picture_and_tables_are_written_anew(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """What is written of JSON Schema and TypeScript is what the types say."""
    texts = list(GENERATED.values())
    files = {tmp_path / str(number): text for number, text in enumerate(texts)}
    monkeypatch.setattr("valletta_rules.codec.__main__.GENERATED", files)
    monkeypatch.setattr("spec.checks.messages.TYPES", tmp_path / "messages")
    monkeypatch.setattr("spec.checks.picture.PICTURE", tmp_path / "picture")
    monkeypatch.setattr("spec.native_sources.accept", lambda: None)
    assert main(["accept", "generated"]) == 0
    assert [path.read_text("utf-8") for path in files] == [text() for text in texts]
    assert (tmp_path / "picture").exists()


def test_games_are_written_down_anew(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """What was missing is there, what belongs to no game is gone, and all is as it is played."""
    few = goldens.goldens()[:2]
    monkeypatch.setattr(goldens, "goldens", lambda: few)
    monkeypatch.setattr(goldens, "FOLDER", tmp_path)
    (tmp_path / "stray.txt").write_text("nothing", encoding="utf-8")
    assert (goldens.main(), len(goldens.strays())) == (1, 1)
    assert main(["accept", "goldens"]) == 0
    assert (goldens.main(), goldens.strays()) == (0, ())


# What is written


RUN = "valletta_rules.engine.x_run__mutmut"
META = json.dumps({"exit_code_by_key": {f"{RUN}_1": 0, f"{RUN}_2": 37}})
MUTATED = """\
def x_run__mutmut_orig(state):
    return state + 1
def x_run__mutmut_1(state):
    return state - 1
"""


def test_mutants_are_counted_and_survivors_need_a_reason(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What mutmut has found is read by module and fate, and its survivors by what they change."""
    package = tmp_path / "mutants" / "src" / "valletta_rules"
    package.mkdir(parents=True)
    (package / "engine.py.meta").write_text(META, encoding="utf-8")
    (package / "engine.py").write_text(MUTATED, encoding="utf-8")
    ended = CompletedProcess[str]((), 0)
    monkeypatch.setattr("subprocess.run", lambda *_, **__: ended)
    assert mutants.main(["--folder", str(tmp_path)]) == 1
    assert "engine.run\n- 'return state + 1'\n+ 'return state - 1'" in capsys.readouterr().out
    assert mutants.table(mutants.fates(tmp_path)) == {
        "engine": {"mutants": 2, "ill-typed": 1, "caught": 0, "timed out": 0, "survived": 1}
    }
    mutants.lay_out(tmp_path / "copy")
    assert "lru_cache(" not in (tmp_path / "copy/src/valletta_rules/actions.py").read_text("utf-8")


@pytest.mark.parametrize(
    ("arguments", "steps"),
    [([], 20_000), (["--steps", "5", "--seconds", "9"], 5), (["--seconds", "9"], sys.maxsize)],
)
def test_a_lockstep_with_a_time_has_no_other_end(arguments: list[str], steps: int) -> None:
    """A run ends after so many steps, or after so long if only that is said."""
    assert parse_arguments(arguments).steps == steps


def test_the_fuzzers_last_words_are_understood() -> None:
    """The fuzzer says how many documents it tried, and how long that took."""
    came = fuzzed.DONE.match("Done 49496 runs in 121 second(s)\n")
    assert came
    assert came.groups() == ("49496", "121")
