"""What the long checks established is told from what an earlier version of the sources did."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from subprocess import CompletedProcess
from types import ModuleType

import pytest

from spec.checks import fuzz, goldens, lockstep
from spec.checks.__main__ import ACCEPTED, EXPLORER, main
from spec.checks.established import ENGINE, MODEL, ROOT, fingerprint, is_present, stamp, write
from spec.checks.lockstep import COMPARER, Divergence, Tally, figures, parse_arguments
from spec.checks.mutants import __main__ as mutants
from spec.checks.mutants.__main__ import FATES, table
from valletta_rules import new_game
from valletta_rules.codec.__main__ import GENERATED

WRITTEN = tuple(name for each in ACCEPTED.values() for name in each.files)
"""The files of figures."""


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    """A repository of two files."""
    (tmp_path / "one.qnt").write_text("module one {\n  val a = 1\n}\n", encoding="utf-8")
    (tmp_path / "two.py").write_text('"""Two."""\n\nA = "# 2"\n"""A."""\n', encoding="utf-8")
    return tmp_path


FILES = ("*.qnt", "*.py")


def test_a_stamp_holds_while_nothing_changes(sources: Path) -> None:
    """Figures belong to the present sources as long as those stay as they are."""
    assert is_present(stamp(FILES, sources), sources)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("one.qnt", "// One.\nmodule one {\n\n  val a = 1   // the first\n}\n"),
        ("two.py", '"""Two,\n\nat length.\n"""\n\n# two\nA = "# 2"\n'),
    ],
)
def test_words_do_not_count(sources: Path, name: str, text: str) -> None:
    """A change of comments, docstrings and empty lines leaves figures as they are."""
    before = stamp(FILES, sources)
    (sources / name).write_text(text, encoding="utf-8")
    assert is_present(before, sources)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("one.qnt", "module one {\n  val a = 2\n}\n"),
        ("two.py", 'A = "# 3"\n'),
        ("three.py", "B = 3\n"),
    ],
)
def test_a_change_or_a_new_file_is_noticed(sources: Path, name: str, text: str) -> None:
    """Figures belong to an earlier version once anything else changes, or a file is added."""
    before = stamp(FILES, sources)
    (sources / name).write_text(text, encoding="utf-8")
    assert not is_present(before, sources)


def test_a_file_that_falls_away_is_noticed(sources: Path) -> None:
    """Figures belong to an earlier version once a file is gone."""
    before = stamp(FILES, sources)
    (sources / "one.qnt").unlink()
    assert not is_present(before, sources)


def test_figures_are_written_with_day_and_stamps(sources: Path) -> None:
    """What is written down says when it was found, and of which sources."""
    write(sources / "found.json", {"code": stamp(FILES, sources)}, {"steps": 3})
    found = json.loads((sources / "found.json").read_text(encoding="utf-8"))
    assert found["sources"]["code"] == {
        "files": list(FILES),
        "sha256": fingerprint(FILES, sources),
    }
    assert found["steps"] == 3
    assert len(found["date"]) == len("2017-10-26")


@pytest.mark.parametrize("name", WRITTEN)
def test_what_is_committed_can_be_compared(name: str) -> None:
    """Every file of figures names sources that exist."""
    path = ROOT / name
    if not path.exists():
        pytest.skip(f"{name} has not been written")
    for stamped in json.loads(path.read_text(encoding="utf-8"))["sources"].values():
        assert all(any(ROOT.glob(pattern)) for pattern in stamped["files"])


def test_the_model_was_explored_as_it_is() -> None:
    """What was explored is of the present model and its tools."""
    sources = json.loads((ROOT / "spec/explored.json").read_text(encoding="utf-8"))["sources"]
    assert all(map(is_present, sources.values())), "run: python -m spec.checks accept model"


@pytest.mark.parametrize(
    "patterns",
    [
        MODEL,
        ENGINE,
        EXPLORER,
        COMPARER,
        fuzz.CODEC,
        fuzz.FUZZER,
        mutants.TESTS,
    ],
)
def test_every_source_that_is_stamped_exists(patterns: list[str]) -> None:
    """No pattern stands for nothing."""
    assert all(any(ROOT.glob(pattern)) for pattern in patterns)


@pytest.mark.parametrize("program", [lockstep, fuzz, mutants])
def test_figures_depend_on_what_checks_as_well(program: ModuleType) -> None:
    """Besides what was checked, the stamps are of what checked it, the program itself."""
    patterns = [pattern for each in program.sources().values() for pattern in each["files"]]
    own = Path(str(program.__file__)).relative_to(ROOT)
    assert any(own.match(pattern) for pattern in patterns)
    assert any(not pattern.startswith(("spec/checks", "spec/tools")) for pattern in patterns)


# Accepting


def test_what_can_be_accepted_is_listed(capsys: pytest.CaptureFixture[str]) -> None:
    """The help names everything that can be accepted, and how long it takes."""
    for arguments in (["--help"], ["accept", "--help"]):
        with pytest.raises(SystemExit):
            main(arguments)
        told = capsys.readouterr().out
        for name, each in ACCEPTED.items():
            assert f"  {name:9} {each.of} ({each.takes})" in told


def test_what_is_of_an_earlier_version_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The help names the sources that have changed since figures were written."""
    monkeypatch.setattr("spec.checks.__main__.is_present", lambda stamped: False)
    with pytest.raises(SystemExit):
        main(["--help"])
    told = capsys.readouterr().out
    assert "mutants of the engine (an hour, extra mutation); of an earlier version of: " in told


def test_nothing_is_accepted_that_a_check_objects_to(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A divergence, a find of the fuzzer, an unexplained survivor: told, and not written down."""
    before = {name: (ROOT / name).read_bytes() for name in WRITTEN}
    tally = Tally(divergences=[Divergence("outcome", new_game(2), None, "ours", "theirs")])
    monkeypatch.setattr("spec.checks.model.why_unavailable", lambda: None)
    monkeypatch.setattr(lockstep, "run", lambda options: (tally, 1.0))
    monkeypatch.setattr(fuzz, "run", lambda seconds: None)
    monkeypatch.setattr(mutants, "run", lambda work: ({}, {"unexplained": 1}))
    for name, reason in (
        ("lockstep", "engine only: ours"),
        ("fuzzed", "found something"),
        ("mutants", "does not explain every survivor"),
    ):
        assert main(["accept", name]) == 1
        told = capsys.readouterr().err
        assert reason in told
        assert told.endswith("nothing accepted\n")
    monkeypatch.setattr("subprocess.run", lambda *_, **__: CompletedProcess((), 1))
    assert main(["accept", "mistakes"]) == 1
    assert "a mistake is not noticed by the tests of its own clause" in capsys.readouterr().err
    monkeypatch.setattr(mutants, "run", lambda work: None)
    monkeypatch.setattr("spec.checks.model.why_unavailable", lambda: "Node is away")
    assert [main(["accept", name]) for name in ("mutants", "lockstep")] == [1, 1]
    assert {name: (ROOT / name).read_bytes() for name in WRITTEN} == before


def test_the_schema_is_written_anew(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """What is written of JSON Schema and TypeScript is what the types say."""
    texts = list(GENERATED.values())
    files = {tmp_path / str(number): text for number, text in enumerate(texts)}
    monkeypatch.setattr("valletta_rules.codec.__main__.GENERATED", files)
    assert main(["accept", "schema"]) == 0
    assert [path.read_text("utf-8") for path in files] == [text() for text in texts]


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


def test_mutants_are_counted_by_module_and_fate() -> None:
    """Mutants of functions and of methods are counted with their module."""
    fates = {
        "valletta_rules.components.bags.xǁCardBagǁitems__mutmut_1": "caught",
        "valletta_rules.components.bags.x_of__mutmut_1": "ill-typed",
        "valletta_rules.engine.x_run__mutmut_1": "survived",
    }
    none = dict.fromkeys(("mutants", *FATES), 0)
    assert table(fates) == {
        "components.bags": none | {"mutants": 2, "ill-typed": 1, "caught": 1},
        "engine": none | {"mutants": 1, "survived": 1},
    }


def test_the_lockstep_is_written_down_in_figures() -> None:
    """What a run in lockstep compared is written as numbers, its disagreements too."""
    tally = Tally(games=1, steps=3, fully=2, successors=4)
    tally.by_prompt["PlayPrompt"] += 3
    found = figures(tally, 59.6, 7)
    assert (found["seed"], found["seconds"], found["divergences"]) == (7, 60, 0)
    assert (found["games"], found["steps"], found["by_prompt"]) == (1, 3, {"PlayPrompt": 3})


@pytest.mark.parametrize(
    ("arguments", "steps"),
    [([], 20_000), (["--steps", "5", "--seconds", "9"], 5), (["--seconds", "9"], sys.maxsize)],
)
def test_a_lockstep_with_a_time_has_no_other_end(arguments: list[str], steps: int) -> None:
    """A run ends after so many steps, or after so long if only that is said."""
    assert parse_arguments(arguments).steps == steps


def test_the_fuzzers_last_words_are_understood() -> None:
    """The fuzzer says how many documents it tried, and how long that took."""
    came = fuzz.DONE.match("Done 49496 runs in 121 second(s)\n")
    assert came
    assert came.groups() == ("49496", "121")
