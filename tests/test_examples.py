"""The examples: each of them runs by itself, without input, and says what it should."""

from __future__ import annotations

import asyncio
import importlib
import importlib.util
import json
import os
import subprocess
import sys
from collections.abc import MutableMapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from valletta_rules import Z_MAN, Decline, DraftGood, Good, to_json

EXAMPLES = Path(__file__).parents[1] / "examples"

TIME_LIMIT = 120
"""How many seconds an example may take; on an idle machine none takes ten."""


class Run(NamedTuple):
    """How an example is run, and what it prints."""

    says: str
    """A part of its output."""
    arguments: tuple[str, ...] = ()
    extra: str = ""
    """The extra of the package that it needs."""
    needs: tuple[str, ...] = ()
    """The modules that come with the extra."""


RUNS = {
    "bot.py": Run("The bot won"),
    "compare_editions.py": Run("Reference", ("--games", "2"), "examples", ("rich",)),
    "exact_odds.py": Run("comes with"),
    "game_client.py": Run("stopped by itself", (), "server", ("starlette", "uvicorn")),
    "game_server.py": Run("and no other card", (), "server", ("starlette", "uvicorn")),
    "hot_seat.py": Run("The game is over"),
    "own_card_set.py": Run("did you mean banker"),
    "random_game.py": Run("PlayCard", ("3",)),
    "search.py": Run("of 1 games", ("--games", "1", "--worlds", "4")),
    "train_an_agent.py": Run(
        "games against random",
        ("--minutes", "0.02", "--games", "2"),
        "rl",
        ("gymnasium", "numpy", "pettingzoo"),
    ),
    "replay_and_annotate.py": Run("A damaged file is refused: line"),
}
"""How each example is run."""


def test_every_example_is_run() -> None:
    """There is no example that nobody tries."""
    assert {path.name for path in EXAMPLES.glob("*.py")} == set(RUNS)


@pytest.mark.parametrize("name", RUNS)
def test_an_example_runs_without_input(name: str, tmp_path: Path) -> None:
    """An example runs to its end without input and without a word of complaint."""
    run = RUNS[name]
    missing = [module for module in run.needs if importlib.util.find_spec(module) is None]
    if missing:
        pytest.skip(f'{" and ".join(missing)} missing: pip install "valletta-rules[{run.extra}]"')
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


@pytest.mark.parametrize("name", RUNS)
def test_an_example_says_how_to_run_it(name: str) -> None:
    """An example opens with what it shows and the command that runs it."""
    opening = (EXAMPLES / name).read_text(encoding="utf-8").split('"""')[1]
    assert f"python examples/{name}" in opening


# The game server, asked without a network

Message = MutableMapping[str, Any]


def asked(
    application: Any,
    method: str,
    path: str,
    body: object = b"",
    token: str = "",
    *,
    stays: bool = True,
) -> tuple[int, Any]:
    """Return the status and the JSON with which an application answers a request."""
    sent: list[Message] = []
    text = body if isinstance(body, bytes) else json.dumps(body).encode()
    received = {"type": "http.request", "body": text} if stays else {"type": "http.disconnect"}

    async def receive() -> Message:
        return received

    async def send(message: Message) -> None:
        sent.append(message)

    headers = [(b"authorization", f"Bearer {token}".encode())] if token else []
    path, _, query = path.partition("?")
    scope = {"type": "http", "method": method, "path": path, "headers": headers}
    asyncio.run(application({**scope, "query_string": query.encode()}, receive, send))
    told = b"".join(message.get("body", b"") for message in sent)
    return sent[0]["status"], json.loads(told) if told.startswith(b"{") else told


@pytest.fixture
def room(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return a room of the game server, with two players."""
    pytest.importorskip("starlette")
    pytest.importorskip("uvicorn")
    monkeypatch.syspath_prepend(EXAMPLES)
    return importlib.import_module("game_server").Room(2, 1, lambda: None)


def test_the_server_refuses_in_json(room: Any) -> None:
    """Whatever a client does wrong, it is told a code, a message and the facts."""
    application = room.application()
    for wrong in (b"", b"{", {"name": 5}, {"name": None}, ["name"], b"[" * 3000):
        assert asked(application, "POST", "/seats", wrong)[1]["code"] == "no-name"
    seats = [asked(application, "POST", "/seats", {"name": name}) for name in ("Anna", "Ben")]
    token = seats[1][1]["token"]
    draft = to_json(DraftGood(Good.GOLD)).encode()
    for status, code, request in (
        (409, "no-seat", ("POST", "/seats", {"name": "Carla"})),
        (413, "too-long", ("POST", "/seats", b"x" * 5_000)),
        (404, "not-found", ("GET", "/nowhere")),
        (405, "method-not-allowed", ("GET", "/seats")),
        (401, "wrong-token", ("GET", "/view", b"", "wrong")),
        (401, "no-token", ("POST", "/actions?answers=0", draft)),
        (400, "no-number", ("GET", "/events?after=x")),
        (400, "no-number", ("POST", "/actions", draft, token)),
        (400, "no-action", ("POST", "/actions?answers=0", to_json(Z_MAN).encode(), token)),
        (409, "out-of-turn", ("POST", "/actions?answers=0", draft, seats[0][1]["token"])),
        (409, "passed-question", ("POST", "/actions?answers=7", draft, token)),
    ):
        told = asked(application, *request)
        assert told[0] == status
        assert told[1].keys() == {"code", "message", "facts"}
        assert told[1]["code"] == code
    assert asked(application, "POST", "/actions?answers=0", b"\xff", token)[0] == 400
    illegal = asked(application, "POST", "/actions?answers=0", to_json(Decline()).encode(), token)
    assert (illegal[0], illegal[1]["value"]["code"]) == (422, "wrong-kind")


def test_the_server_makes_a_move_once_that_arrives_twice(room: Any) -> None:
    """The second time, it answers a question that has passed."""
    application = room.application()
    tokens = [asked(application, "POST", "/seats", {"name": "X"})[1]["token"] for _ in range(2)]
    draft = to_json(DraftGood(Good.GOLD)).encode()
    assert asked(application, "POST", "/actions?answers=0", draft, tokens[1])[0] == 204
    status, told = asked(application, "POST", "/actions?answers=0", draft, tokens[1])
    assert (status, told["facts"]) == (409, {"revision": 0, "now": 1})


def test_the_server_lets_a_client_go(room: Any) -> None:
    """A client that goes away in the middle of a request changes nothing, and raises nothing."""
    assert asked(room.application(), "POST", "/seats", stays=False) == (400, b"")
    assert not room.names
