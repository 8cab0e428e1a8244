"""What the tests of the rulebook ask the engine: a plugin of pytest that writes it down.

A test of the rulebook is marked with the clauses that it shows, and mostly with one.  So the
positions that it asks about, and what it does in them, show that clause.  The plugin is loaded
before any test, and puts a note-taker before every function of the engine that is asked; imported
otherwise, it leaves the engine alone.
"""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any, Final

import attrs
import pytest

import valletta_rules
from valletta_rules import chance, engine, games
from valletta_rules.actions import Action
from valletta_rules.rulebook import scoring
from valletta_rules.state import GameState

FILE: Final = "VALLETTA_ASKED"
"""The environment variable that names the file to write."""


@attrs.frozen
class Asked:
    """A question that a test asked."""

    test: str
    """The test, as pytest names it."""
    clauses: tuple[str, ...]
    """The clauses with which it is marked."""
    sentence: str
    """The first sentence of what it says."""
    state: GameState
    """The position."""
    action: Action | None
    """The action, if it is about one."""


_asked: dict[Asked, None] = {}
_test: list[tuple[str, tuple[str, ...], str]] = []
_depth: list[None] = []


def _note(module: Any, name: str) -> None:
    """Put a note-taker before a function, which notes what is asked by no other of them."""
    function: Callable[..., Any] = getattr(module, name)

    def noting(*arguments: Any, **keywords: Any) -> Any:
        outermost = not _depth
        _depth.append(None)
        try:
            answer = function(*arguments, **keywords)
        finally:
            _depth.pop()
            if outermost and name != "new_game":
                _take_down(*arguments)
        if outermost and name == "new_game":
            _take_down(answer)
        return answer

    setattr(module, name, noting)


def _take_down(state: object, action: object = None, *others: object) -> None:
    if _test and type(state) is GameState:
        known = action if isinstance(action, Action) else None
        _asked[Asked(*_test[0], state, known)] = None


if FILE in os.environ:
    for _module, _name in (
        *((engine, name) for name in ("apply", "transition", "check", "legal_actions")),
        (chance, "chance_outcomes"),
        (scoring, "outcome"),
        (valletta_rules, "outcome"),
        (games, "new_game"),
    ):
        _note(_module, _name)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Function) -> Generator[None, object, object]:
    """Take notes while a test runs that is marked with clauses."""
    clauses = tuple(id for mark in item.iter_markers("rule") for id in mark.args)
    sentence = " ".join((item.obj.__doc__ or "").split("\n\n")[0].split())
    if clauses:
        _test.append((item.nodeid, clauses, sentence))
    try:
        return (yield)
    finally:
        _test.clear()


def pytest_sessionfinish() -> None:
    """Write the notes."""
    Path(os.environ[FILE]).write_bytes(pickle.dumps(list(_asked)))
