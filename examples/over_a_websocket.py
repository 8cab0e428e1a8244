"""The room of ``embedded_game.py`` over WebSockets: each client gets the view of its own seat only.

Run ``python examples/over_a_websocket.py``: a server on this machine, and two clients that play a
game through it.  It needs the extra ``web``.
"""

import asyncio
import json
import random
from contextlib import suppress

from embedded_game import Room
from websockets.asyncio.client import connect
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed

from valletta_rules import News, from_json, outcome, to_json
from valletta_rules.bots import make_bot


class Server:
    """A room, and its connections: the token of each, and the last revision that it was sent."""

    def __init__(self, room: Room) -> None:
        """Open a room."""
        self.room = room
        self.lines: dict[ServerConnection, tuple[str, int | None]] = {}

    async def sit(self, line: ServerConnection) -> None:
        """Serve a client, whose token is the path, until it leaves or sends nonsense."""
        token = line.request.path[1:] if line.request else ""
        self.lines[line] = token, None
        await self.tell()
        with suppress(ConnectionClosed, KeyError, TypeError, ValueError):
            async for text in line:
                said = json.loads(text)
                refusal = self.room.answer(token, said["revision"], json.dumps(said["answer"]))
                await (line.send(refusal) if refusal else self.tell())
        del self.lines[line]

    async def tell(self) -> None:
        """Send every client what it has missed."""
        now = self.room.session.game.revision
        for line, (token, known) in [*self.lines.items()]:
            if known != now:
                self.lines[line] = token, now
                with suppress(ConnectionClosed):
                    await line.send(self.room.news(token, known))


async def play(url: str, seed: int) -> str:
    """Play a game to its end, and return the seats whose hands were received."""
    bot = make_bot("automatic", random.Random(seed))
    seen: set[int] = set()
    async with connect(url) as line:
        async for text in line:
            news = from_json(str(text))
            assert isinstance(news, News), f"this was refused: {text!r}"
            players = enumerate(news.view.table.players)
            seen |= {seat for seat, player in players if player.hand is not None}
            if news.view.prompt is None:
                break
            if news.view.legal_actions:
                answer = json.loads(to_json(bot.decide(news.view)))
                await line.send(json.dumps({"revision": news.revision, "answer": answer}))
    return ", ".join(map(str, sorted(seen)))


async def main() -> None:
    """Let two clients play, and print the result."""
    room = Room(["Anna", "Ben"], seed=1)
    async with serve(Server(room).sit, "127.0.0.1", 0) as server:
        host, port = next(iter(server.sockets)).getsockname()
        links = [f"ws://{host}:{port}/{token}" for token in room.tokens]
        hands = await asyncio.gather(*map(play, links, (1, 2)))
    print(outcome(room.session.state))
    for name, seats in zip(room.session.names, hands, strict=True):
        print(f"{name} was sent the hand of seat {seats}, and no other.")


if __name__ == "__main__":
    asyncio.run(main())
