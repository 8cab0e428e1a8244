"""A game server that survives crashes: it appends every change of the game to a log file.

Requests and replies are strings.  A request contains a revision and an id, so that a client can
safely repeat it until a reply arrives.  You must provide the transport and authenticate the seats.

Run ``python examples/kept_table.py``: three bots play on a server that crashes every few calls.
The bots send each call twice, and undo some of their answers.
"""

import json
import os
import random
import tempfile
from pathlib import Path
from typing import Any

import valletta_rules as vr
from valletta_rules.bots import make_bot
from valletta_rules.words import refusal_of


class MalformedCallError(vr.VallettaError, ValueError):
    """The text sent by a client is not a valid call; the message describes the expected format."""


def read_call(text: str) -> dict[str, Any]:
    """Parse a call sent by a client; raise `MalformedCallError` if the text is not a valid call."""
    kinds = {"call": str, "revision": int, "id": str}
    try:
        request = json.loads(text)
        is_call = {key: type(request[key]) for key in kinds} == kinds
    except (ValueError, LookupError, TypeError, RecursionError):
        is_call = False
    if not is_call or request["call"] not in ("answer", "undo") or len(request["id"]) > 80:
        raise MalformedCallError(
            'expected {"call": "answer" or "undo", "revision": ..., "id": ...}'
        )
    return dict(request)


class Table:
    """A game together with its log file."""

    def __init__(self, path: Path, players: int = 3) -> None:
        """Continue the game logged in the file at `path`.

        Start a new game if the file has no entry.
        """
        self.path, self.draw = path, vr.by_random(random.SystemRandom())
        text = path.read_text("utf-8") if path.exists() else ""
        whole = text[: text.rfind("\n") + 1]
        if path.exists():
            os.truncate(
                path, len(whole.encode())
            )  # the server did not reply to the call of an incomplete entry
        if whole:
            self.game = vr.Game.replay(whole.splitlines())
        else:
            game = vr.Game.begin(vr.new_game(players), draw=self.draw)
            self._keep(game, game.entry)

    def call(self, seat: int, text: str) -> str:
        """Execute a call made by a seat.  Return the changes that the seat can see, or an error."""
        try:
            request = read_call(text)
            game, entry = self._carried_out(seat, request)
        except vr.VallettaError as error:
            return vr.to_json(refusal_of(error))
        if game is not self.game:  # a repeated call has no effect
            self._keep(game, entry)
        return self.news(seat, request["revision"])

    def news(self, seat: int | None, revision: int | None) -> str:
        """Return the changes since `revision` that a seat can see, as JSON.

        A `revision` of `None` means all of them.
        """
        return vr.to_json(self.game.since(revision, seat))

    def _carried_out(self, seat: int, request: dict[str, Any]) -> tuple[vr.Game, vr.LogEntry]:
        call: dict[str, Any] = {"seat": seat, "revision": request["revision"], "id": request["id"]}
        if request["call"] == "answer":
            action: Any = vr.from_json(str(request.get("action")))
            return self.game.answer(action, **call, draw=self.draw)
        game, entry = self.game.undo(**call)
        if game is not self.game and not vr.may_undo_own(self.game.last_choice, seat):
            raise vr.NothingToUndoError(
                "only the player of the last answer can undo it, and only if it revealed nothing"
            )
        return game, entry

    def _keep(self, game: vr.Game, entry: vr.LogEntry) -> None:
        """Append an entry to the log file, and only then make `game` the current game."""
        with self.path.open("a", encoding="utf-8") as file:
            file.write(vr.to_json(entry) + "\n")
            file.flush()
            os.fsync(file.fileno())
        self.game = game


class Client:
    """A bot that plays over an unreliable connection, and therefore sends each call twice."""

    def __init__(self, table: Table, seat: int) -> None:
        """Connect to the table as the player of `seat`, and request the current view."""
        self.seat, self.calls, self.rng = seat, 0, random.Random(seat)
        self.bot = make_bot("automatic", random.Random(seat))
        self.news = self.read(table.news(seat, None))

    def read(self, text: str) -> vr.News:
        """Parse a reply of the server to a successful call."""
        news = vr.from_json(text)
        assert isinstance(news, vr.News)
        return news

    def play(self, table: Table) -> None:
        """Answer the prompt or undo the last answer; send the call twice, to simulate a retry."""
        self.news = self.read(table.news(self.seat, self.news.revision))
        call = {"call": "undo"}
        if self.news.view.is_asked and self.rng.random() < 0.9:
            call = {"call": "answer", "action": vr.to_json(self.bot.decide(self.news.view))}
        self.calls += 1
        request = {**call, "revision": self.news.revision, "id": f"{self.seat}-{self.calls}"}
        replies = [table.call(self.seat, json.dumps(request)) for _ in range(2)]
        assert replies[0] == replies[1], "a repeated call was executed again"


def main() -> None:
    """Let three clients play a game to its end; the server crashes every few calls."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "game.log")
        table, kills = Table(path), 0
        clients = [Client(table, seat) for seat in range(3)]
        while table.game.prompt is not None:
            for client in clients:
                client.play(table)
            if random.random() < 0.2:
                with path.open("a", encoding="utf-8") as file:
                    file.write(
                        '{"valletta_rules":2,"kind":"LogEn'
                    )  # the server crashed while it was writing
                table, kills = Table(path), kills + 1
        undone = sum(isinstance(entry, vr.Undone) for entry in table.game.log)
        print(f"{table.game.revision} calls, {undone} undone, killed {kills} times")
    print("each call was sent twice and executed once")


if __name__ == "__main__":
    main()
