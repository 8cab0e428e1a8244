"""Serve the table of ``kept_table.py`` over WebSockets; each client sees only its seat's view.

Run ``python examples/over_a_websocket.py``: it starts a server on this machine and two clients that
play a game on it.  Install the extra ``web`` first.
"""

import asyncio
import json
import random
import secrets
import tempfile
from contextlib import suppress
from pathlib import Path

from kept_table import Table
from websockets.asyncio.client import connect
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed

import valletta_rules as vr
from valletta_rules.bots import make_bot


class Server:
    """A server for one game, with a secret token for each seat and the client connections."""

    def __init__(self, path: Path) -> None:
        """Open the game in the file at `path`, and create an unguessable token for each seat."""
        self.table = Table(path, players=2)
        self.tokens = {secrets.token_urlsafe(): seat for seat in range(2)}
        self.lines: dict[ServerConnection, tuple[int | None, int | None]] = {}
        """The seat (`None` for a spectator) and the last revision sent, keyed by connection."""

    async def sit(self, line: ServerConnection) -> None:
        """Serve a client until it disconnects; the client's URL contains the token of its seat."""
        seat = self.tokens.get(line.request.path[1:] if line.request else "")
        self.lines[line] = seat, None
        await self.send_news()
        with suppress(ConnectionClosed):
            async for text in line:
                if seat is not None:
                    reply = self.table.call(seat, str(text))
                    is_refused = isinstance(vr.from_json(reply), vr.Refusal)
                    await (line.send(reply) if is_refused else self.send_news())
        del self.lines[line]

    async def send_news(self) -> None:
        """Send each client the changes that its seat can see."""
        now = self.table.game.revision
        for line, (seat, known) in [*self.lines.items()]:
            if known != now:
                self.lines[line] = seat, now
                with suppress(ConnectionClosed):
                    await line.send(self.table.news(seat, known))


async def play(url: str, seed: int) -> str:
    """Play a game to its end, and list the seats whose hands the server sent to this client."""
    bot = make_bot("automatic", random.Random(seed))
    visible: set[int] = set()
    async with connect(url) as line:
        async for text in line:
            news = vr.from_json(str(text))
            assert isinstance(news, vr.News), f"the server refused a call: {text!r}"
            players = enumerate(news.view.table.players)
            visible |= {seat for seat, player in players if player.hand is not None}
            if news.view.prompt is None:
                break
            if news.view.is_asked:
                action = vr.to_json(bot.decide(news.view))
                call = {"call": "answer", "revision": news.revision, "action": action}
                await line.send(json.dumps({**call, "id": f"{seed}-{news.revision}"}))
    return ", ".join(map(str, sorted(visible)))


async def main() -> None:
    """Let two clients play over WebSockets, and print the result of the game."""
    with tempfile.TemporaryDirectory() as folder:
        table = Server(Path(folder, "game.log"))
        async with serve(table.sit, "127.0.0.1", 0) as server:
            host, port = next(iter(server.sockets)).getsockname()
            links = [f"ws://{host}:{port}/{token}" for token in table.tokens]
            hands = await asyncio.gather(*map(play, links, (1, 2)))
    print(vr.outcome(table.table.game.position))
    for number, seats in enumerate(hands):
        print(f"Seat {number} was sent the hand of seat {seats}, and no other.")


if __name__ == "__main__":
    asyncio.run(main())
