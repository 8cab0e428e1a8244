"""A table for tests: rooms without connections, and people who say things and read what comes."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import attrs
import pytest

from valletta_rules import PlayerView, to_json, view
from valletta_rules.actions import Action
from valletta_rules.bots import Plan
from valletta_rules.web.guests import Guest
from valletta_rules.web.lobby import open_table
from valletta_rules.web.protocol import Answer, Hello, NewSeat, NewTable, OpenedTable, Said
from valletta_rules.web.rooms import Room, Rooms
from valletta_rules.web.store import Clerk
from valletta_rules.web.thinkers import Advice, Heard

COLOURS = ("red", "blue", "green", "yellow")
NAMES = ("Anna", "", "Clara", "Doro")


class Thinking:
    """A player of the machine who takes the first answer, when he is let."""

    def __init__(self) -> None:
        """Be free to answer."""
        self.go = asyncio.Event()
        self.go.set()
        self.asked: list[str] = []
        self.heard: list[Heard | None] = []
        self.plans: tuple[Plan, ...] = ()
        """What is weighed for a hint."""
        self.is_at_a_loss = False

    async def decide(
        self, spec: str, asked: Sequence[PlayerView], heard: Heard | None, *_: object, table: str
    ) -> Action:
        """Return the first answer."""
        self.asked.append(spec)
        self.heard.append(heard)
        await self.go.wait()
        return asked[-1].legal_actions[0]

    async def hint(self, seen: PlayerView, heard: Heard | None = None, *, table: str) -> Advice:
        """Advise the first answer."""
        self.heard.append(heard)
        await self.go.wait()
        if self.is_at_a_loss:
            raise ZeroDivisionError
        return Advice(seen.legal_actions[0], self.plans)


@attrs.define(eq=False)
class Person:
    """Somebody with a page."""

    room: Room
    guest: Guest
    told: list[dict[str, Any]] = attrs.field(factory=list)
    count: int = 0

    async def read(self, *kinds: str) -> dict[str, Any]:
        """Return the next message of some type; what comes before it is remembered only."""
        while True:
            text = await asyncio.wait_for(self.guest.outbox.next(), 10)
            assert text is not None, f"the connection was closed: {self.guest.outbox.code}"
            self.told.append(json.loads(text))
            if not kinds or self.told[-1]["type"] in kinds:
                return self.told[-1]

    async def until(self, revision: int) -> dict[str, Any]:
        """Return the message that tells of a revision, whether or not it has been read."""
        while True:
            for message in self.told:
                is_step = message["type"] in ("stepped", "rewound")
                if is_step and message["revision"] == revision:
                    return message
            await self.read()

    async def say(self, said: Said, *kinds: str) -> dict[str, Any]:
        """Say something, and return the answer to it."""
        await self.room.hear(self.guest, said)
        while True:
            answer = await self.read(*kinds)
            if answer.get("id") == getattr(said, "id", None):
                return answer

    async def answer(self, action: Action, revision: int, name: str = "") -> dict[str, Any]:
        """Answer the question of a revision."""
        self.count += 1
        return await self.say(answer_of(action, revision, name or f"a{self.count}"))


def answer_of(action: Action, revision: int, name: str) -> Answer:
    """Return the message with an answer."""
    return Answer(name, revision, json.loads(to_json(action)))


@attrs.define
class House:
    """A server without connections, and a table in it."""

    path: Path
    rooms: Rooms
    clerk: Clerk
    thinking: Thinking
    opened: OpenedTable

    async def room(self) -> Room:
        """Return the room of the table."""
        return await self.rooms.room(self.opened.table)

    def token(self, seat: int) -> str:
        """Return the token of a seat."""
        return next(each.token for each in self.opened.invitations if each.seat == seat)

    async def enter(
        self, *seats: int, opener: bool = False, seen: int | None = None, language: str = "en"
    ) -> Person:
        """Let somebody come, who has been welcomed if his links are right."""
        tokens = tuple(map(self.token, seats)) + (self.opened.opener,) * opener
        return await self.come(tokens, seen, language)

    async def come(
        self, tokens: tuple[str, ...], seen: int | None = None, language: str = "en"
    ) -> Person:
        """Let somebody come with some tokens."""
        person = Person(await self.room(), Guest(language))
        await person.room.join(person.guest, Hello(1, self.opened.table, tokens, seen, language))
        await person.read("welcome", "ended")
        return person

    async def leave(self, *people: Person) -> Room:
        """Let all go who are there, and return the room that is begun once theirs is forgotten."""
        for person in people:
            await person.room.leave(person.guest)
        async with asyncio.timeout(20):
            while await self.room() is people[0].room:
                await asyncio.sleep(0)
        return await self.room()

    def game(self, person: Person) -> Any:
        """Return the game that is played in somebody's room."""
        return person.room._game

    def legal(self, person: Person) -> tuple[Action, ...]:
        """Return what whoever is asked can answer."""
        now = self.game(person).now
        return view(now.state, now.asked).legal_actions


@asynccontextmanager
async def a_house(
    path: Path, people: int = 2, machines: int = 0, level: str = "novice"
) -> AsyncIterator[House]:
    """Open a table for people, then for players of the machine."""
    seats = tuple(
        NewSeat(NAMES[seat], COLOURS[seat], None if seat < people else level)
        for seat in range(people + machines)
    )
    thinking = Thinking()
    same = SimpleNamespace(token_bytes=bytes)  # the same luck each time
    async with Clerk(path / "tables.sqlite3") as clerk:
        rooms = Rooms(clerk, thinking)  # type: ignore[arg-type]
        wish = NewTable("hans-im-glueck", (), None, seats, False)
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr("valletta_rules.web.lobby.secrets", same)
            opened = await open_table(clerk, wish)
        try:
            yield House(path, rooms, clerk, thinking, opened)
        finally:
            await rooms.close()


def at_a_table(
    **options: Any,
) -> Callable[[Callable[[House], Awaitable[None]]], Callable[[Path], None]]:
    """Let a test be a coroutine that is given a house; the options are those of `a_house`."""

    def decorate(test: Callable[[House], Awaitable[None]]) -> Callable[[Path], None]:
        async def scenario(path: Path) -> None:
            async with a_house(path, **options) as house:
                await test(house)

        def run(tmp_path: Path) -> None:
            asyncio.run(scenario(tmp_path))

        run.__doc__, run.__name__ = test.__doc__, getattr(test, "__name__", "test")
        return run

    return decorate
