"""A table for tests: tables without connections, and people who say things and read what comes."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import attrs
import pytest

from valletta_rules import PlayerView, to_json, view
from valletta_rules.actions import Action
from valletta_rules.bots import Plan
from valletta_rules.web.actors import TableActor, TableRegistry
from valletta_rules.web.connections import Connection
from valletta_rules.web.lobby import open_table
from valletta_rules.web.protocol import Answer, Hello, NewSeat, NewTable, OpenedTable, Said
from valletta_rules.web.store import DatabaseThread
from valletta_rules.web.workers import Heard, Thought, WorkerPool

COLOURS = ("red", "blue", "green", "yellow")
NAMES = ("Anna", "", "Clara", "Doro")


class Thinking(WorkerPool):
    """Workers in this process, which take the first answer when they are let."""

    def __init__(self) -> None:
        """Be free to answer."""
        super().__init__(0)
        self.go = asyncio.Event()
        self.go.set()
        self.asked: list[str] = []
        self.heard: list[Heard | None] = []
        self.plans: tuple[Plan, ...] = ()
        """What is weighed for a hint."""
        self.is_at_a_loss = False

    async def decide(
        self, spec: str, asked: Sequence[PlayerView], heard: Heard | None, seed: int, *, table: str
    ) -> Action:
        """Return the first answer."""
        self.asked.append(spec)
        self.heard.append(heard)
        await self.go.wait()
        return asked[-1].legal_actions[0]

    async def hint(self, view: PlayerView, heard: Heard | None = None, *, table: str) -> Thought:
        """Advise the first answer."""
        self.heard.append(heard)
        await self.go.wait()
        if self.is_at_a_loss:
            raise ZeroDivisionError
        return Thought(view.legal_actions[0], self.plans)


@attrs.define(eq=False)
class Person:
    """Somebody with a page."""

    actor: TableActor
    connection: Connection
    told: list[dict[str, Any]] = attrs.field(factory=list)
    count: int = 0

    async def read(self, *kinds: str) -> dict[str, Any]:
        """Return the next message of some type; what comes before it is remembered only."""
        while True:
            text = await asyncio.wait_for(self.connection.queue.next(), 10)
            assert text is not None, f"the connection was closed: {self.connection.queue.code}"
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
        await self.actor.hear(self.connection, said)
        while True:
            answer = await self.read(*kinds)
            if answer.get("id") == getattr(said, "id", None):
                return answer

    async def refused(self, said: Said) -> str:
        """Say something, and return the code with which it is refused."""
        answer = await self.say(said, "refused")
        return str(answer["refusal"]["value"]["code"])

    async def notice(self) -> dict[str, Any]:
        """Return the next message about who is here that says something."""
        while (message := await self.read("presence"))["notice"] is None:
            pass
        return message

    async def answer(self, action: Action, revision: int, name: str = "") -> dict[str, Any]:
        """Answer the question of a revision."""
        self.count += 1
        return await self.say(answer_of(action, revision, name or f"a{self.count}"))


def answer_of(action: Action, revision: int, name: str) -> Answer:
    """Return the message with an answer."""
    return Answer(name, revision, document(action))


def document(action: Action) -> Any:
    """Return an action as a page sends it."""
    return json.loads(to_json(action))


@attrs.define
class House:
    """A server without connections, and a table in it."""

    path: Path
    tables: TableRegistry
    database: DatabaseThread
    thinking: Thinking
    opened: OpenedTable

    async def actor(self) -> TableActor:
        """Return the actor of the table."""
        return await self.tables.actor(self.opened.table)

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
        person = Person(await self.actor(), Connection(language))
        await person.actor.join(
            person.connection, Hello(1, self.opened.table, tokens, seen, language)
        )
        await person.read("welcome", "ended")
        return person

    async def leave(self, *people: Person) -> TableActor:
        """Let all go who are there, and return the actor that is begun once theirs is forgotten."""
        for person in people:
            await person.actor.leave(person.connection)
        async with asyncio.timeout(20):
            while await self.actor() is people[0].actor:
                await asyncio.sleep(0)
        return await self.actor()

    def game(self, person: Person) -> Any:
        """Return the game that is played in somebody's actor."""
        return person.actor._game

    def legal(self, person: Person) -> tuple[Action, ...]:
        """Return what whoever is asked can answer."""
        now = self.game(person).now
        return view(now.state, now.asked).legal_actions


@asynccontextmanager
async def a_house(
    path: Path, people: int = 2, machines: int = 0, level: str = "novice"
) -> AsyncIterator[House]:
    """Open a table for people, then for bots."""
    seats = tuple(
        NewSeat(NAMES[seat], COLOURS[seat], None if seat < people else level)
        for seat in range(people + machines)
    )
    thinking = Thinking()
    same = SimpleNamespace(token_bytes=bytes)  # the same luck each time
    async with DatabaseThread(path / "tables.sqlite3") as database:
        tables = TableRegistry(database, thinking)
        wish = NewTable("hans-im-glueck", (), None, seats, False)
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr("valletta_rules.web.lobby.secrets", same)
            opened = await open_table(database, wish)
        try:
            yield House(path, tables, database, thinking, opened)
        finally:
            await tables.close()
