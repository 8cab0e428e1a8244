"""What a table does when its file fails: nothing acknowledged is lost, and everybody is told."""

from __future__ import annotations

import asyncio
from contextlib import closing
from pathlib import Path

import pytest

from tests.web.faults import WAYS, Faults, Ordeal, faulty_files
from tests.web.test_upkeep import AGES, NOW, a_table
from valletta_rules.cli.main import main
from valletta_rules.web import serving as served
from valletta_rules.web.serving import FILE
from valletta_rules.web.store import DatabaseThread, TableStore

pytestmark = pytest.mark.anyio

STRIDE = 2


@pytest.mark.parametrize("shift", range(len(WAYS)))
async def test_nothing_acknowledged_is_lost_when_the_file_fails(tmp_path: Path, shift: int) -> None:
    """At every step half of the calls, in turn; `python -m tests.web.faults` lets all fail."""
    ordeal = Ordeal(tmp_path / FILE, stride=STRIDE, shift=shift)
    await ordeal.play(12)
    assert {*(+ordeal.injected)} == {"open", "join", "answer", "undo"}


async def test_an_old_table_is_there_or_it_is_gone(tmp_path: Path) -> None:
    """Whatever fails while it is removed, and what others ask for at the same time is right."""
    path = tmp_path / FILE
    bounds = AGES.bounds(NOW)
    for way in WAYS:
        for count in range(1, 100):
            with faulty_files():
                with closing(TableStore(path)) as kept:
                    old, new = a_table(kept, 100), a_table(kept, 1)
                async with DatabaseThread(path) as database:
                    Faults.arm(count, way)
                    calls = [database.ask(TableStore.remove, each, bounds) for each in (old, new)]
                    outcomes = await asyncio.gather(*calls, return_exceptions=True)
                    has_failed = Faults.disarm()
            with closing(TableStore(path)) as kept:
                assert not kept.problems()
                names = kept.names()
                assert new in names
                assert (outcomes[0] is True) <= (old not in names)
                assert len(kept.log(old)) == 2 * (old in names)
            if not has_failed:
                break
        assert outcomes == [True, False]


@pytest.mark.parametrize("command", [[], ["--check"], ["--backup", "copy"]])
def test_a_command_whose_file_fails_ends_with_a_sentence(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    command: list[str],
) -> None:
    """It serves, checks or copies, or it says why not; of a copy that fails nothing is left."""
    with closing(TableStore(tmp_path / FILE)) as kept:
        a_table(kept, 1)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(served._Server, "run", lambda server, sockets: None)
    statuses = list[int]()
    with faulty_files():
        for count in range(1, 200):
            Path("copy").unlink(missing_ok=True)
            Faults.arm(count, WAYS[count % 2])
            statuses.append(
                main(["serve", "--no-browser", "--folder", ".", "--port", "0", *command])
            )
            has_failed = Faults.disarm()
            said = capsys.readouterr()
            sentences = (said.err + said.out).splitlines()
            if not has_failed:
                break
            assert statuses[-1] == 0 or sentences, command
            assert "Traceback" not in said.err
            assert {each.name for each in tmp_path.iterdir() if "valletta" in each.name} == set()
            assert Path("copy").exists() == (statuses[-1] == 0 and "copy" in command)
    assert len(statuses) > 10
    assert statuses[-1] == (1 if "--check" in command else 0)  # its table has no rules
