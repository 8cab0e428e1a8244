"""What the long checks established is told from what an earlier version of the sources did."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from tests.established import ENGINE, MODEL, ROOT, fingerprint, is_present, stamp, write
from tests.fuzz.codec import CODEC, DONE
from tests.mutation.run import FATES, mutated, table
from tests.spec.lockstep import Tally, figures, parse_arguments

WRITTEN = (
    "spec/explored.json",
    "spec/mutations.json",
    "spec/lockstep.json",
    "tests/fuzz/figures.json",
    "tests/mutation/figures.json",
)


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


@pytest.mark.parametrize("patterns", [MODEL, ENGINE, CODEC, mutated()])
def test_every_source_that_is_stamped_exists(patterns: list[str]) -> None:
    """No pattern stands for nothing."""
    assert all(any(ROOT.glob(pattern)) for pattern in patterns)


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


def test_a_lockstep_with_a_mistake_is_not_written_down(capsys: pytest.CaptureFixture[str]) -> None:
    """Figures of a run that must disagree would establish nothing."""
    with pytest.raises(SystemExit):
        parse_arguments(["--write", "--mistake", "tie"])
    assert "establishes nothing" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "steps"),
    [([], 20_000), (["--steps", "5", "--seconds", "9"], 5), (["--seconds", "9"], sys.maxsize)],
)
def test_a_lockstep_with_a_time_has_no_other_end(arguments: list[str], steps: int) -> None:
    """A run ends after so many steps, or after so long if only that is said."""
    assert parse_arguments(arguments).steps == steps


def test_the_fuzzers_last_words_are_understood() -> None:
    """The fuzzer says how many documents it tried, and how long that took."""
    came = DONE.match("Done 49496 runs in 121 second(s)\n")
    assert came
    assert came.groups() == ("49496", "121")
