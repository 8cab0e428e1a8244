"""Whoever says what, and when: all pages end with the same game, which is the one in the store."""

from __future__ import annotations

import asyncio
import itertools
import tempfile
from pathlib import Path
from typing import Any

import attrs
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.web.tables import House, Person, a_house
from valletta_rules.web.game import Game
from valletta_rules.web.protocol import Answer, Ping, Present, Said, Undo
from valletta_rules.web.store import TableStore

Told = dict[str, Any]

PAGES = [(0,), (0,), (1,), (0, 1), ()]
"""Whose seats the pages have: two tabs of one, the other's, a screen of both, a spectator's."""


@attrs.define
class Screen:
    """A page: it hears what it is told, and shows it."""

    person: Person
    log: list[Told] = attrs.field(factory=list)
    moment: Told = attrs.field(factory=dict)
    parts: dict[str, Told] = attrs.field(factory=dict)
    read: int = 0
    """How many messages it has heard."""
    past: dict[int, list[Told]] = attrs.field(factory=dict)
    """The log as it was at each revision."""

    def hear(self) -> None:
        """Take in what has been told since."""
        for told in self.person.told[self.read :]:
            if told["type"] == "welcome":
                since = -1 if told["since"] is None else told["since"]
                self.log = [each for each in self.log if each["revision"] <= since]
                self.log += told["log"]
                self.parts = {}
            elif told["type"] == "rewound":
                self.log = [struck(each, told["to"]) for each in self.log]
            if "entry" in told:
                self.log.append(told["entry"])
            if "moment" in told:
                self.moment = told["moment"]
                self.show(told["patch"])
                self.past[self.moment["revision"]] = list(self.log)
        self.read = len(self.person.told)

    def show(self, patch: Told) -> None:
        """Exchange parts of the drawing."""
        self.parts = {key: part for key, part in self.parts.items() if key not in patch["gone"]}
        self.parts |= {part["key"]: part for part in patch["changed"]}

    @property
    def shows(self) -> tuple[Any, ...]:
        """All that can be seen on it."""
        return self.log, self.moment, self.parts


def struck(entry: Told, to: int) -> Told:
    """Return an entry after everything after a revision has been taken back."""
    is_struck = entry["revision"] > to and entry["back_to"] is None
    return entry | {"is_struck": entry["is_struck"] or is_struck}


class Crowd:
    """Pages of one table, and what they say at the same time."""

    def __init__(self, house: House) -> None:
        """Take the house of the table."""
        self.house, self.names = house, itertools.count()
        self.screens: list[Screen] = []
        self.said: list[tuple[Screen, Said]] = []

    async def enter(
        self, seats: tuple[int, ...], seen: Screen | None = None, at: int = 0
    ) -> Screen:
        """Open a page, which may know a log up to a revision already."""
        person = await self.house.enter(*seats, seen=None if seen is None else at)
        screen = Screen(person, [] if seen is None else list(seen.past[at]))
        screen.hear()
        self.screens.append(screen)
        return screen

    async def leave(self, screen: Screen) -> None:
        """Close a page; a double of what it said may come yet."""
        self.screens.remove(screen)
        await screen.person.actor.leave(screen.person.connection)

    async def say(self, screen: Screen, said: Said) -> None:
        """Say something without waiting for an answer."""
        self.said.append((screen, said))
        await screen.person.actor.hear(screen.person.connection, said)

    async def settle(self) -> None:
        """Wait until everything has been heard."""
        for screen in self.screens:
            await screen.person.actor.hear(screen.person.connection, Ping())
        for screen in self.screens:
            await screen.person.read("pong")
            screen.hear()

    async def do(self, what: str, which: int, lot: int) -> None:
        """Do one thing, as a page knows the table, which may be late."""
        screen = self.screens[which % len(self.screens)]
        moment, name = screen.moment, f"n{next(self.names)}"
        match what:
            case "answer" if moment["choices"] or moment["payment"]:
                actions = moment["view"]["value"]["legal_actions"]
                value = actions[lot % len(actions)]
                document = {"valletta_rules": 2, "kind": "Action", "value": value}
                await self.say(screen, Answer(name, moment["revision"], document))
            case "undo" if (offer := moment["undo"]) is not None:
                await self.say(screen, Undo(name, moment["revision"], offer["to"], lot % 2 == 0))
            case "present" if moment["waits_for"] is not None:
                await self.say(screen, Present(name, moment["waits_for"]))
            case "again" if self.said:
                await self.say(*self.said[lot % len(self.said)])
            case "enter" if len(self.screens) < 8:
                await self.enter(PAGES[lot % len(PAGES)])
            case "leave" if len(self.screens) > 3:
                await self.leave(screen)
            case "settle":
                await self.settle()


THINGS = st.tuples(
    st.sampled_from(
        ["answer"] * 6 + ["undo", "present", "again", "enter", "leave"] + ["settle"] * 4
    ),
    st.integers(0, 7),
    st.integers(0, 40),
)


TWICE_TAKEN_BACK = [("answer", 2, 0), ("settle", 0, 0), ("undo", 2, 0), ("settle", 0, 0)] * 2


@example(things=TWICE_TAKEN_BACK)
@given(things=st.lists(THINGS, min_size=10, max_size=50))
@settings(max_examples=6)
def test_all_pages_end_with_the_game_that_is_kept(things: list[tuple[str, int, int]]) -> None:
    """Answers, undos, doubles, joins and leaves in any order lose nothing and invent nothing."""

    async def scenario(folder: Path) -> None:
        async with a_house(folder) as house:
            crowd = Crowd(house)
            for seats in PAGES:
                await crowd.enter(seats)
            for thing in things:
                await crowd.do(*thing)
            await crowd.settle()
            await agree(crowd)
            await since(crowd)

    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(scenario(Path(folder)))


async def agree(crowd: Crowd) -> None:
    """The log in the store leads to the game in the actor, which is what each page shows."""
    house, person = crowd.house, crowd.screens[0].person
    here: Game = house.game(person)
    kept = Game(here.start, (await house.database.ask(TableStore.table, house.opened.table)).seed)
    for entry in await house.database.ask(TableStore.log, house.opened.table):
        kept.add(kept.read(entry))
    assert [attrs.evolve(step, at=0) for step in kept.steps] == [
        attrs.evolve(step, at=0) for step in here.steps
    ]
    assert {screen.moment["revision"] for screen in crowd.screens} == {here.now.revision}


async def since(crowd: Crowd) -> None:
    """A page that comes back with any part of the log sees what one sees that comes anew."""
    for seats in {screen.person.connection.own for screen in crowd.screens}:
        fresh = await crowd.enter(seats)
        old = max(
            (each for each in crowd.screens if each.person.connection.own == seats),
            key=lambda each: len(each.past),
        )
        if len(seats) < 2:  # on a screen of several it depends on who has lifted the curtain
            assert old.shows == fresh.shows
        for revision in [*old.past][len(old.past) % 4 :: 4]:
            assert (await crowd.enter(seats, old, revision)).shows == fresh.shows
