"""A game server: one table, JSON over HTTP, and nobody is told what he may not see.

=====  =================  =======================================================================
POST   /seats             take a free seat: ``{"name": "Anna"}`` gives ``{"seat": 0, "token": ...}``
GET    /view              the view of the seat whose token is sent, or else a spectator's
GET    /events?after=N    what happened after N moves, redacted, an event a line; waits for a move
POST   /actions?answers=N make a move: the document of an action, which answers revision N
=====  =================  =======================================================================

A refusal is JSON, too: ``{"code": "out-of-turn", "message": ..., "facts": ...}``.

It listens on the loopback interface, on a port that is free, and stops when every seat has been
told that the game is over.

It needs ``pip install "valletta-rules[server]"``.
Run ``python examples/game_server.py``: two clients in threads play a game over HTTP, and make sure
that they were never sent a hidden card.  With ``--serve`` it prints its URL and waits for clients.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import secrets
import socket
import threading
from collections.abc import Callable
from queue import SimpleQueue

import game_client
import uvicorn
from starlette.applications import Starlette
from starlette.background import BackgroundTask
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

import valletta_rules as valletta
from valletta_rules import (
    Action,
    CodecError,
    IllegalActionError,
    MalformedActionError,
    OutOfTurnError,
    PassedQuestionError,
    Session,
    Transition,
)
from valletta_rules.events import GameEnded

LONGEST_BODY = 4_000
"""How many bytes a request may bring; an action takes about a hundred."""

PATIENCE = 10.0
"""How many seconds a client that listens is kept waiting before it is told of no event."""


class Room:
    """A table, and those who sit around it.

    All of it is used by one event loop, so that no two requests see it half changed.
    """

    def __init__(self, players: int, seed: int | None, close: Callable[[], None]) -> None:
        """Lay a table, and remember what is to be called when the game is over for everybody."""
        self.session = Session(players, seed=seed)
        self.close = close
        self.tokens: dict[str, int] = {}
        self.names: dict[int, str] = {}
        self.news = asyncio.Event()
        self.told: set[int] = set()
        """The seats that know that the game is over."""
        self.session.subscribe(self.observe)

    def observe(self, step: Transition) -> None:
        """Wake up all who listen."""
        self.news.set()
        self.news = asyncio.Event()

    def application(self) -> Starlette:
        """Return the application to be served."""
        return Starlette(
            routes=[
                Route("/seats", self.join, methods=["POST"]),
                Route("/view", self.look),
                Route("/events", self.listen),
                Route("/actions", self.act, methods=["POST"]),
            ],
            exception_handlers={HTTPException: say_why, ClientDisconnect: say_nothing},
        )

    # What is answered

    async def join(self, request: Request) -> Response:
        """Give away the next free seat, with a token that nobody else can guess."""
        match read_json(await body_of(request)):
            case {"name": str(name)}:
                seat = len(self.names)
            case _:
                raise refusal(400, "no-name", 'a body {"name": "..."} is wanted')
        if seat == len(self.session.names):
            raise refusal(409, "no-seat", "every seat is taken")
        token = secrets.token_urlsafe()
        self.names[seat], self.tokens[token] = name[:40], seat
        return JSONResponse({"seat": seat, "token": token}, 201)

    async def look(self, request: Request) -> Response:
        """Send a view, how many moves led to it, and which revision it is."""
        seen = valletta.view(self.session.state, self.seat_of(request))
        return Response(valletta.to_json(seen), headers=self.count(), media_type="application/json")

    async def listen(self, request: Request) -> Response:
        """Send what happened after so many moves, as soon as there is one more.

        It waits for moves and not for events, for a choice may change nothing but the question.
        """
        seat, after = self.seat_of(request), number_in(request, "after")
        if after >= self.session.moves:
            await wait_for(self.news)
        steps = self.session.transitions[after:]
        events = [valletta.redact(event, seat) for step in steps for event in step.events]
        knows_the_end = any(isinstance(event, GameEnded) for event in events)
        return Response(
            "\n".join(map(valletta.to_json, events)),
            headers=self.count(),
            media_type="application/x-ndjson",
            background=BackgroundTask(self.say_goodbye, seat) if knows_the_end else None,
        )

    async def act(self, request: Request) -> Response:
        """Make a move.

        A seat that is not asked is refused before its move is looked at: the answer would tell it
        something about the hand of the player who is.  A move that was sent twice is made once,
        for it says which revision it answers.
        """
        seat = self.seat_of(request)
        if seat is None:
            raise refusal(401, "no-token", "who are you? send the token of a seat")
        answered = number_in(request, "answers")
        try:
            action = valletta.from_json((await body_of(request)).decode(errors="replace"))
            if not isinstance(action, Action):
                raise refusal(400, "no-action", "an action is wanted")
            self.session.play(action, seat=seat, revision=answered)
        except (CodecError, MalformedActionError) as error:
            raise refusal(400, error.code, str(error)) from None
        except (OutOfTurnError, PassedQuestionError) as error:
            raise refusal(409, error.code, str(error), **error.facts) from None
        except IllegalActionError as error:
            why = valletta.to_json(error.violation)
            return Response(why, 422, media_type="application/json")
        return Response(status_code=204)

    # How it is done

    def seat_of(self, request: Request) -> int | None:
        """Return the seat whose token is sent, or `None` for a spectator."""
        header = request.headers.get("authorization", "")
        if not header:
            return None
        seat = self.tokens.get(header.removeprefix("Bearer "))
        if seat is None:
            raise refusal(401, "wrong-token", "no seat has this token")
        return seat

    def count(self) -> dict[str, str]:
        """Return the headers that tell how many moves there have been, and the revision."""
        return {
            "Valletta-Moves": str(self.session.moves),
            "Valletta-Revision": str(self.session.revision),
        }

    async def say_goodbye(self, seat: int | None) -> None:
        """Note that a seat knows the end; close when all do."""
        if seat is not None:
            self.told.add(seat)
        if len(self.told) == len(self.session.names):
            self.close()


async def body_of(request: Request) -> bytes:
    """Return the body of a request, unless it is too long."""
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > LONGEST_BODY:
            raise refusal(413, "too-long", f"a body has {LONGEST_BODY} bytes at most")
    return body


def read_json(body: bytes) -> object:
    """Return what a body says, or `None` if it is no JSON."""
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None


def number_in(request: Request, name: str) -> int:
    """Return a number out of the query of a request."""
    text = request.query_params.get(name, "")
    if not (text.isascii() and text.isdigit() and len(text) <= 6):
        raise refusal(400, "no-number", f"{name} must be a number")
    return int(text)


async def wait_for(news: asyncio.Event) -> None:
    """Wait until something happens, but not for ever."""
    try:
        await asyncio.wait_for(news.wait(), PATIENCE)
    except TimeoutError:
        return


def refusal(status: int, code: str, message: str, **facts: object) -> HTTPException:
    """Return the error that refuses a request, with what the client is told of it."""
    return HTTPException(status, json.dumps({"code": code, "message": message, "facts": facts}))


async def say_why(request: Request, error: Exception) -> Response:
    """Answer a refused request with its reason; what Starlette itself refuses has two words."""
    assert isinstance(error, HTTPException)
    if not error.detail.startswith("{"):
        error = refusal(error.status_code, error.detail.lower().replace(" ", "-"), error.detail)
    return Response(error.detail, error.status_code, media_type="application/json")


async def say_nothing(request: Request, error: Exception) -> Response:
    """Answer nobody: the client has gone away in the middle of its request."""
    return Response(status_code=400)


def serve(players: int, seed: int | None, announce: Callable[[str], None]) -> None:
    """Serve a game until it is over and everybody has been told; `announce` is told the URL."""

    def close() -> None:
        server.should_exit = True

    application = Room(players, seed, close).application()
    config = uvicorn.Config(
        application, log_level="warning", lifespan="off", timeout_graceful_shutdown=5
    )
    server = uvicorn.Server(config)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # else answers dawdle
        announce(f"http://127.0.0.1:{listener.getsockname()[1]}")
        server.run(sockets=[listener])


def demonstrate() -> None:
    """Serve a game in a thread to two clients in others."""
    urls: SimpleQueue[str] = SimpleQueue()
    server = threading.Thread(target=serve, args=(2, 1, urls.put), daemon=True)
    server.start()
    game_client.play_two(urls.get(timeout=10))
    server.join(timeout=30)
    if server.is_alive():
        raise SystemExit("the server did not stop")


def main() -> None:
    """Serve one game, or show how it is done."""
    parser = argparse.ArgumentParser(description="Serve a game over HTTP on the loopback.")
    parser.add_argument("--serve", action="store_true", help="print the URL, wait for clients")
    parser.add_argument("--players", type=int, choices=(2, 3, 4), default=2)
    parser.add_argument("--seed", type=int, help="repeat the luck of this seed")
    arguments = parser.parse_args()
    if arguments.serve:
        serve(arguments.players, arguments.seed, lambda url: print(url, flush=True))
    else:
        demonstrate()


if __name__ == "__main__":
    main()
