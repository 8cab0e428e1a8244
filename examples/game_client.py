"""A client of `game_server.py`: it joins a table, follows the events, and answers when asked.

All it knows comes over HTTP, as the JSON documents of `valletta_rules.from_json`.  It keeps the
table up to date from the events alone, checks that against what the server says, and makes sure
that it was never sent what its seat may not see.

Run ``python examples/game_client.py URL [--name NAME]`` against a running server; without a URL it
starts a server of its own in another process, and two clients play there.
It needs ``pip install "valletta-rules[server]"`` only to start the server.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import attrs

import valletta_rules as valletta
from valletta_rules import Action, HiddenCardDrawn, Outcome, PlayerView, RedactedEvent, Table
from valletta_rules.bots.automatic import choose
from valletta_rules.codec import Value
from valletta_rules.events import CardDrawn, GameEnded

SERVER = Path(__file__).with_name("game_server.py")


class LeakError(Exception):
    """The server sent something that the seat may not see."""


class ServerError(Exception):
    """The server refused a request."""


@dataclass
class Client:
    """A player somewhere else."""

    url: str
    name: str
    seat: int = -1
    token: str = ""
    seen: int = 0
    """How many moves the client has followed."""
    revision: int = 0
    """The revision that the client has seen, and that it answers."""
    leaves: bool = False
    """Whether the client is to leave the table before the end."""
    documents: list[Value] = field(default_factory=list)
    """Everything that was received."""

    def __post_init__(self) -> None:
        """Connect; the connection is kept open from one request to the next."""
        self.connection = HTTPConnection(urlsplit(self.url).netloc, timeout=30)

    # Talking to the server

    def request(self, method: str, path: str, body: str = "") -> tuple[str, dict[str, str]]:
        """Send a request and return the text and the headers of the answer."""
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        self.connection.request(method, path, body.encode(), headers)
        response = self.connection.getresponse()
        text = response.read().decode()
        if response.status >= 400:
            raise ServerError(f"{response.status}: {text}")
        return text, {key.lower(): value for key, value in response.getheaders()}

    def read(self, text: str) -> Value:
        """Read a document, and look whether it tells too much."""
        value = valletta.from_json(text)
        self.documents.append(value)
        if tells_too_much(value, self.seat):
            raise LeakError(f"seat {self.seat} was sent {value!r}")
        return value

    def join(self) -> None:
        """Take a free seat at the table."""
        text, _ = self.request("POST", "/seats", json.dumps({"name": self.name}))
        place = json.loads(text)
        self.seat, self.token = place["seat"], place["token"]

    def look(self) -> tuple[PlayerView, int]:
        """Return the client's view, and how many moves led to it."""
        text, headers = self.request("GET", "/view")
        value = self.read(text)
        assert isinstance(value, PlayerView)
        self.revision = int(headers["valletta-revision"])
        return value, int(headers["valletta-moves"])

    def listen(self) -> list[RedactedEvent]:
        """Wait for a move, and return what happened; nothing if nobody moves for a while."""
        text, headers = self.request("GET", f"/events?after={self.seen}")
        self.seen = int(headers["valletta-moves"])
        values = [self.read(line) for line in text.split("\n") if line]
        return [value for value in values if isinstance(value, RedactedEvent)]

    def answer(self, action: Action) -> None:
        """Make a move."""
        path = f"/actions?answers={self.revision}"
        self.request("POST", path, valletta.to_json(action))

    # Playing

    def play(self, seed: int) -> Outcome:
        """Join, and play until the game is over."""
        self.join()
        rng = random.Random(seed)
        view, self.seen = self.look()
        table = view.table
        while not self.leaves:
            if view.legal_actions:
                self.answer(choose(valletta.determinize(view, rng), rng))
            events = self.listen()
            table = valletta.fold(table, events)
            if (outcome := ending(events)) is not None:
                return outcome
            view = self.look_again(table, view)
        raise ServerError("another client has left the table")

    def look_again(self, table: Table, before: PlayerView) -> PlayerView:
        """Return the new view if it belongs to the moves that were followed so far.

        If more has happened meanwhile, the rest is to be heard first.
        """
        view, count = self.look()
        if count != self.seen:
            return attrs.evolve(before, table=table, legal_actions=())
        if view.table != table:
            raise ServerError("the events do not lead to the table that the server shows")
        return view


def ending(events: list[RedactedEvent]) -> Outcome | None:
    """Return how the game ended, if it did."""
    return next((event.outcome for event in events if isinstance(event, GameEnded)), None)


def tells_too_much(value: Value, seat: int) -> bool:
    """Tell whether a document shows another's hand, or a card that another drew."""
    match value:
        case PlayerView():
            hands = [player.hand for player in value.table.players]
            return value.seat != seat or any(
                hand is not None for owner, hand in enumerate(hands) if owner != seat
            )
        case CardDrawn(drawer):
            return drawer != seat
        case valletta.GameState() | valletta.Transition() | valletta.Record():
            return True
        case _:
            return False


def summary(client: Client) -> str:
    """Say what a client was sent."""
    drawn = sum(isinstance(each, CardDrawn) for each in client.documents)
    hidden = sum(isinstance(each, HiddenCardDrawn) for each in client.documents)
    return (
        f"{client.name} in seat {client.seat} was sent {len(client.documents)} documents:"
        f" {drawn} cards of its own, {hidden} hidden cards of others, and no other card."
    )


def play_two(url: str) -> None:
    """Let two clients play a game at a server, each in a thread, and say how it went."""
    clients = [Client(url, "Anna"), Client(url, "Ben")]
    with ThreadPoolExecutor(len(clients)) as pool:
        games = [pool.submit(client.play, seed) for seed, client in enumerate(clients)]
        ended = []
        for game in as_completed(games):
            ended.append(game)
            for client in clients:
                client.leaves = client.leaves or game.exception() is not None
    outcomes = [game.result() for game in ended]  # the first that failed tells why
    assert outcomes[0] == outcomes[1], "both were told the same"
    print(outcomes[0])
    for client in clients:
        print(summary(client))


def with_own_server() -> None:
    """Start a server in another process, and play there."""
    command = [sys.executable, str(SERVER), "--serve"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            url = server.stdout.readline().strip()
            if not url:
                raise SystemExit("the server did not start")
            play_two(url)
            server.wait(timeout=30)
        finally:
            server.kill()
    print(f"The server at {urlsplit(url).hostname} stopped by itself.")


def main() -> None:
    """Join a server, or start one."""
    parser = argparse.ArgumentParser(description="Play at a game server over HTTP.")
    parser.add_argument("url", nargs="?", help="where the server is; without it one is started")
    parser.add_argument("--name", default="Carla")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    if arguments.url is None:
        with_own_server()
    else:
        client = Client(arguments.url, arguments.name)
        print(client.play(arguments.seed))
        print(summary(client))


if __name__ == "__main__":
    main()
