"""The server when memory runs out: each allocation that fails is an error, or does not matter."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from valletta_rules import HANS_IM_GLUECK, RECONSTRUCTION, new_game, to_json
from valletta_rules.web.game import Game, stored_game
from valletta_rules.web.protocol import read_message
from valletta_rules.web.store import LogEntry, Occupant, TableDocuments, TableStore

memory = pytest.importorskip("_testcapi", reason="memory cannot be made to run out here")

pytestmark = pytest.mark.skipif(
    sys.version_info >= (3, 12), reason="CPython 3.12.1 and 3.13.0 crash by themselves: see CRASHES"
)

CRASHES = """
import _testcapi
def kept(left):
    return {name: 1 for name in left if all(left[name] for _ in range(2))}
left = dict.fromkeys(map(str, range(20)), 1)
for count in range(1, 400):
    try:
        _testcapi.set_nomemory(count, count + 1)
        try:
            kept(left)
        finally:
            _testcapi.remove_mem_hooks()
    except MemoryError:
        pass
"""
"""A program that ends in a segmentation fault on those, and does nothing on 3.11."""

SEATS = tuple(Occupant("person", None, "", colour) for colour in ("red", "blue"))
STEPS = 61
"""Of how many allocations one fails; all of them would take too long."""

MOST = 300_000
"""More allocations than a call makes."""


def starved(use: Callable[[], object], expected: object) -> int:
    """Let one allocation after the other fail; return how many times that was an error."""
    failed, count, calm = 0, 1, 0
    while calm < 3:
        assert count < MOST, "allocations fail without end"
        memory.set_nomemory(count, count + 1)
        try:
            try:
                found = use()
            finally:
                memory.remove_mem_hooks()
        except MemoryError:
            failed, calm = failed + 1, 0
        else:
            assert found == expected, "a wrong answer for want of memory"
            calm += 1
        count += STEPS
    return failed


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_server_that_lacks_memory_gives_no_wrong_answer(tmp_path: Path) -> None:
    """A game, its log, messages and the store: an error or the right answer, and then as before."""
    game = Game(new_game(2), b"luck")
    documents = to_json(HANS_IM_GLUECK), to_json(RECONSTRUCTION), "{}"
    table = TableDocuments(*documents, b"luck", "1.0", game.opening())
    entry = LogEntry(0, "open", None, "", game.opening(), at=1.0)
    with closing(TableStore(tmp_path / "tables")) as kept:
        name = kept.create(table, SEATS).table
        kept.append(name, LogEntry(1, "answer", 0, "play", at=1.0))
        stored = kept.table(name)
        hello = (
            '{"type": "hello", "protocol": 1, "table": "a", "tokens": [], "seen": null,'
            ' "language": "en"}'
        )
        uses: list[Callable[[], object]] = [
            lambda: kept.table(name),
            lambda: kept.log(name),
            lambda: kept.seats(name),
            lambda: game.read(entry).state,
            lambda: stored_game(stored, 2).start,
            lambda: read_message(hello),
            game.opening,
        ]
        failed = sum(starved(use, use()) for use in uses)
        assert failed > len(uses)
        assert not kept.problems()
