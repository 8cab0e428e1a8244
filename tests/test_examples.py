"""Tests that every example program runs without input and prints the expected output."""

import importlib
import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

import valletta_rules as vr
from valletta_rules import native

EXAMPLES = Path(__file__).parents[1] / "examples"

TIME_LIMIT = 600
"""The timeout for an example in seconds. On an idle machine, none needs more than ten."""


class Run(NamedTuple):
    """The arguments and requirements of an example, and a part of its expected output."""

    says: str
    """A text that the output must contain."""
    arguments: tuple[str, ...] = ()
    extra: str = ""
    """The optional extra of the package that the example needs, or ""."""
    needs: tuple[str, ...] = ()
    """The modules that the extra installs. If a module is missing, the test is skipped."""


RUNS = {
    "compare_editions.py": Run("Reference", ("--games", "2")),
    "kept_table.py": Run("each call was sent twice and executed once"),
    "over_a_websocket.py": Run(
        "Seat 1 was sent the hand of seat 1, and no other", extra="web", needs=("websockets",)
    ),
    "own_card_set.py": Run("did you mean banker"),
    "random_game.py": Run("PlayCard", ("3",)),
    "search.py": Run("of 1 games", ("--games", "1", "--worlds", "4")),
    "train_an_agent.py": Run(
        "games against random",
        ("--rounds", "2", "--each", "2", "--watch", "1", "--games", "1"),
        "rl",
        ("numpy",),
    ),
}
"""A `Run` for each example, keyed by file name."""


def test_every_example_in_the_folder_is_tested() -> None:
    """If this test fails, add the new example to `RUNS`."""
    assert {path.name for path in EXAMPLES.glob("*.py")} == set(RUNS)


@pytest.mark.parametrize("name", RUNS)
def test_an_example_exits_with_status_0_and_prints_the_expected_output(
    name: str, tmp_path: Path
) -> None:
    """Without input, it prints nothing to standard error and leaves no files behind."""
    run = RUNS[name]
    missing = [module for module in run.needs if importlib.util.find_spec(module) is None]
    if missing:
        pytest.skip(f"{' and '.join(missing)} missing: pip install '.[{run.extra}]'")
    if run.extra == "rl" and not native.available:
        pytest.skip(str(native.why_not))
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / name), *run.arguments],
        cwd=tmp_path,
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=TIME_LIMIT,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert not done.stderr
    assert run.says in done.stdout
    assert not list(tmp_path.iterdir())


def test_the_example_server_starts_a_new_game_if_the_first_entry_of_its_file_is_incomplete(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """It removes the incomplete entry, so that the file can be replayed later."""
    monkeypatch.syspath_prepend(EXAMPLES)
    module = importlib.import_module("kept_table")
    path = tmp_path / "game.log"
    path.write_text('{"valletta_rules":2,"kind":"LogEn', "utf-8")
    assert module.Table(path).game == module.Table(path).game


def test_the_example_server_refuses_malformed_calls_and_stores_nothing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Each reply is a refusal with a code."""
    monkeypatch.syspath_prepend(EXAMPLES)
    table = importlib.import_module("kept_table").Table(tmp_path / "game.log", players=2)
    call = {"call": "answer", "revision": 0, "id": "1"}
    draft = vr.to_json(vr.DraftGood(vr.Good.GOLD))
    for code, text in (
        ("malformed-call", "{"),
        ("malformed-call", "[" * 100_000),
        ("malformed-call", "7"),
        ("malformed-call", json.dumps({**call, "revision": "0"})),
        ("malformed-call", json.dumps({**call, "call": "redo"})),
        ("malformed-call", json.dumps({**call, "id": "1" * 81})),
        ("no-json", json.dumps(call)),
        ("future-revision", json.dumps({**call, "revision": 7, "action": draft})),
        ("wrong-kind", json.dumps({**call, "action": vr.to_json(vr.Decline())})),
        ("malformed-action", json.dumps({**call, "action": vr.to_json(vr.Z_MAN)})),
    ):
        refusal = vr.from_json(table.call(table.game.prompt.seat, text))
        assert isinstance(refusal, vr.Refusal)
        assert refusal.code == code
    assert len((tmp_path / "game.log").read_text("utf-8").splitlines()) == 1
