"""Nobody is told what he may not see, not even by how much he is told, or in which order."""

from __future__ import annotations

import random
import re
from collections import Counter
from contextlib import AsyncExitStack
from contextvars import ContextVar
from pathlib import Path
from typing import Any

import pytest

from tests.web.tables import Thinking, document
from tests.web.visitor import QUICK, Told, Visitor, inner_of, open_table, running, tokens_of
from valletta_rules.actions import Action
from valletta_rules.agenda import DrawPrompt
from valletta_rules.chance import chance_outcomes
from valletta_rules.engine import legal_actions
from valletta_rules.play import driver
from valletta_rules.state import GameState
from valletta_rules.web.application import application

PLAYERS = 3

WORLD: ContextVar[int] = ContextVar("WORLD")
"""In which of two games something happens."""


class Rigged:
    """Chance that deals others other cards in each game, and else the same."""

    def __init__(self, watcher: int | None, seed: int) -> None:
        """Take who must not notice, or `None` for a spectator."""
        self.watcher, self.seed = watcher, seed
        self.asked: Counter[int] = Counter()
        self.differences = 0

    def __call__(self, state: GameState, _: random.Random) -> Action:
        """Answer for chance."""
        world = WORLD.get()
        self.asked[world] += 1
        options = [action for action, _ in chance_outcomes(state)]
        rng = random.Random(f"{self.seed} {self.asked[world]}")
        is_hidden = isinstance(state.prompt, DrawPrompt) and state.prompt.player != self.watcher
        if is_hidden and rng.random() < 0.15:  # hands that overlap can be played alike
            self.differences += len(options) > 1
            return options[-world]
        return rng.choice(options)


class World:
    """One of the two games: its application, its table, and everybody's connections."""

    def __init__(self, number: int, folder: Path) -> None:
        """Take which one it is."""
        self.number, self.folder = number, folder
        self.application: Any = None
        self.opened: Told = {}
        self.seats: list[Visitor] = []
        self.moments: list[Told] = []

    async def begin(self, stack: AsyncExitStack, watcher: int | None) -> None:
        """Open the table, and let everybody in, the watcher last."""
        WORLD.set(self.number)
        path, workers = self.folder / f"{self.number}.sqlite", Thinking()
        made = application(path, workers=workers, limits=QUICK)
        self.application = await stack.enter_async_context(running(made))
        self.opened = await open_table(self.application, *([None] * PLAYERS))
        tokens = tokens_of(self.opened)
        for seat in range(PLAYERS):
            visitor = await stack.enter_async_context(Visitor(self.application))
            visitor.hello(self.opened["table"], tokens[seat])
            self.moments.append((await visitor.until("welcome"))["moment"])
            self.seats.append(visitor)
        self.watcher = await stack.enter_async_context(Visitor(self.application))
        mine = () if watcher is None else (tokens[watcher],)
        self.watcher.hello(self.opened["table"], *mine)
        await self.watcher.until("presence")

    @property
    def state(self) -> GameState:
        """Return the position, which nobody is sent."""
        actors = inner_of(self.application).state.tables._tables
        state = actors[self.opened["table"]].result()._game.now.state
        assert isinstance(state, GameState)
        return state

    async def do(self, seat: int, **wish: Any) -> None:
        """Let a seat answer or take back, and everybody hear of it."""
        WORLD.set(self.number)
        self.seats[seat].say(**wish)
        for number, visitor in enumerate(self.seats):
            told = await visitor.until("stepped", "rewound", "refused")
            assert told["type"] != "refused", told
            self.moments[number] = told["moment"]
        await self.watcher.until("stepped", "rewound")

    async def wonder(self, **question: Any) -> None:
        """Let the watcher ask something, and hear an answer."""
        self.watcher.say(**question)
        while (await self.watcher.hear()).get("id") != question["id"]:
            pass

    def transcript(self) -> list[str]:
        """Return all that the watcher was told, but for what is drawn by lot for each table."""
        texts = [each.replace(self.opened["table"], "TABLE") for each in self.watcher.transcript]
        return [re.sub(r'"at":[0-9]+', '"at":0', text) for text in texts]


def question_of(rng: random.Random, revision: int) -> dict[str, Any]:
    """Return what a curious watcher asks, whether or not he is asked himself."""
    action = {"type": "PlayCard", "character": rng.choice(["maid", "knight", "monk"])}
    played = {"valletta_rules": 2, "kind": "Action", "value": {**action, "use_effect": True}}
    about = {"id": f"w{revision}", "revision": revision}
    some = [
        {"type": "look", "id": f"w{revision}", "at": rng.randrange(revision + 1), "open": False},
        {"type": "look", "id": f"w{revision}", "at": revision, "open": True},
        {"type": "why-not", **about, "action": played},
        {"type": "answer", **about, "action": {**played, "kind": "Event"}},
        {"type": "answer", "id": f"w{revision}", "revision": revision + 1, "action": played},
        {"type": "undo", **about, "to": revision, "agreed": True},
        {"type": "hint", **about},
        {"type": "renew", "id": f"w{revision}", "seat": 1},
    ]
    return rng.choice(some)


async def play(worlds: list[World], rng: random.Random, most: int) -> int:
    """Play both games in the same way, as far as that is possible; return how far it was."""
    for count in range(most):
        one, other = worlds
        assert one.moments[0]["asked"] == other.moments[0]["asked"]
        asked = one.moments[0]["asked"]
        if asked is None:
            return count
        revision = one.moments[0]["revision"]
        offers = [seat for seat in range(PLAYERS) if one.moments[seat]["undo"] is not None]
        if offers and rng.random() < 0.2:
            seat = rng.choice(offers)
            to = one.moments[seat]["undo"]["to"]
            wish = {"type": "undo", "to": to, "agreed": False}
        else:
            seat = asked
            options = [
                each for each in legal_actions(one.state) if each in legal_actions(other.state)
            ]
            if not options:
                return count
            wish = {"type": "answer", "action": document(rng.choice(options))}
        for world in worlds:
            await world.do(seat, id=f"a{count}", revision=revision, **wish)
        question = question_of(rng, one.moments[0]["revision"])
        for world in worlds:
            await world.wonder(**question)
    return most


@pytest.mark.anyio
@pytest.mark.parametrize(("watcher", "seed"), [(0, 0), (1, 1), (None, 5)])
async def test_two_games_that_differ_in_what_one_may_not_see_look_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, watcher: int | None, seed: int
) -> None:
    """Every message is the same, letter by letter, and they come in the same order."""
    chance = Rigged(watcher, seed)
    monkeypatch.setattr(driver, "sample_chance", chance)

    async with AsyncExitStack() as stack:
        one, other = worlds = [World(number, tmp_path) for number in range(2)]
        for world in worlds:
            await world.begin(stack, watcher)
        played = await play(worlds, random.Random(seed), 150)
    assert played > 40, (played, chance.differences)
    assert chance.differences > 4
    mine, others = one.transcript(), other.transcript()
    for here, there in zip(mine, others, strict=False):
        assert here == there
    assert len(mine) == len(others)
    hidden = 0 if watcher != 0 else 1
    assert one.seats[hidden].transcript != other.seats[hidden].transcript
