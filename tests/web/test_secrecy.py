"""Tests that pages learn nothing hidden, not even from the number or order of messages."""

import random
import re
from collections import Counter
from contextlib import AsyncExitStack
from contextvars import ContextVar
from pathlib import Path
from typing import Any

import pytest

from tests.web.client import Page, document, serving
from valletta_rules import Action, DrawPrompt, GameState
from valletta_rules.chance import Draw, chance_outcomes
from valletta_rules.play import driver

SEATS = (None, None, None)
"""The bot levels of the three seats; `None` is a person."""

WORLD: ContextVar[int] = ContextVar("WORLD")
"""The number of the current game, 0 or 1. Both games run in the same process."""


class Rigged:
    """A source of random outcomes for two games.

    Draws from hidden piles can differ between the games.  All other outcomes are equal.
    """

    def __init__(self, watcher: int | None, seed: int) -> None:
        """`watcher` is the seat that must not see a difference; `None` means a spectator."""
        self.watcher, self.seed = watcher, seed
        self.calls: Counter[int] = Counter()
        self.differences = 0

    def __call__(self, state: GameState, _: Draw) -> Action:
        """Return a random outcome for the current game."""
        world = WORLD.get()
        self.calls[world] += 1
        options = [action for action, _ in chance_outcomes(state)]
        rng = random.Random(f"{self.seed} {self.calls[world]}")
        is_hidden = isinstance(state.prompt, DrawPrompt) and state.prompt.player != self.watcher
        if is_hidden and rng.random() < 0.15:  # hands with common cards can be played alike
            self.differences += len(options) > 1
            return options[-world]
        return rng.choice(options)


class World:
    """One of the two games: a table, a page for each seat, and the page of the watcher."""

    def __init__(self, number: int, path: Path) -> None:
        """Create game number 0 or 1, which is stored in the file `path`."""
        self.number, self.path = number, path
        self.pages: list[Page] = []

    async def begin(self, stack: AsyncExitStack, watcher: int | None) -> None:
        """Open the table and connect all pages. The page of the watcher is the last one."""
        WORLD.set(self.number)
        self.table = await (await stack.enter_async_context(serving(self.path))).open(*SEATS)
        self.pages = [await self.table.enter(seat) for seat in range(len(SEATS))]
        self.watcher = await self.table.enter(*() if watcher is None else (watcher,))
        await self.watcher.receive_until("presence")

    async def do(self, seat: int, kind: str, **wish: Any) -> None:
        """Let a player answer or take back a step, and all pages read the step."""
        WORLD.set(self.number)
        self.pages[seat].send_json(kind, **wish)
        for page in (*self.pages, self.watcher):
            message = await page.receive_until("stepped", "refused")
            assert message["type"] != "refused", message

    def transcript(self) -> list[str]:
        """Return all messages that the watcher has received.

        Table ids and times always differ, so they are replaced.
        """
        texts = [each.replace(self.table.id, "TABLE") for each in self.watcher.texts]
        return [re.sub(r'"at":[0-9]+', '"at":0', text) for text in texts]


def question_of(rng: random.Random, revision: int) -> dict[str, Any]:
    """Return a random request from the watcher, who need not be the player to act."""
    card = {"type": "PlayCard", "character": rng.choice(["maid", "knight", "monk"])}
    action = document({**card, "use_effect": True})
    some: list[dict[str, Any]] = [
        {"kind": "look", "at": rng.randrange(revision + 1), "open": False},
        {"kind": "look", "at": revision, "open": True},
        {"kind": "why-not", "revision": revision, "action": action},
        {"kind": "answer", "revision": revision, "action": {**action, "kind": "Event"}},
        {"kind": "answer", "revision": revision + 1, "action": action},
        {"kind": "undo", "revision": revision, "to": revision, "agreed": True},
        {"kind": "hint", "revision": revision},
        {"kind": "reopen", "at": 0},
        {"kind": "retry", "at": 0, "action": action},
        {"kind": "renew", "seat": 1},
    ]
    return {"id": f"w{revision}", **rng.choice(some)}


async def play(one: World, other: World, rng: random.Random, most: int) -> int:
    """Play the same actions in both games as long as these are legal, and return their number."""
    for count in range(most):
        active_seat, revision = one.pages[0].moment["asked"], one.pages[0].revision
        assert active_seat == other.pages[0].moment["asked"]
        if active_seat is None:
            return count
        offers = [page for page in one.pages if page.moment["undo"] is not None]
        if offers and rng.random() < 0.2:
            page = rng.choice(offers)
            to = page.moment["undo"]["to"]
            seat, wish = page.own[0], {"kind": "undo", "to": to, "agreed": False}
        else:
            legal = other.pages[active_seat].legal
            options = [each for each in one.pages[active_seat].legal if each in legal]
            if not options:
                return count
            seat, wish = active_seat, {"kind": "answer", "action": document(rng.choice(options))}
        for world in (one, other):
            await world.do(seat, id=f"a{count}", revision=revision, **wish)
        question = question_of(rng, one.pages[0].revision)
        for world in (one, other):
            await world.watcher.request(**question)
    return most


@pytest.mark.anyio
@pytest.mark.parametrize(("watcher", "seed"), [(0, 0), (1, 1), (None, 5)])
async def test_a_watcher_receives_equal_messages_in_two_games_that_differ_only_in_hidden_cards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, watcher: int | None, seed: int
) -> None:
    """The messages must be equal byte by byte, and in the same order.

    They include the responses to random requests from the watcher.
    """
    chance = Rigged(watcher, seed)
    monkeypatch.setattr(driver, "draw_chance", chance)

    async with AsyncExitStack() as stack:
        one, other = worlds = [World(number, tmp_path / f"{number}") for number in range(2)]
        for world in worlds:
            await world.begin(stack, watcher)
        played = await play(one, other, random.Random(seed), 150)
    assert played > 40, (played, chance.differences)
    assert chance.differences > 4
    for message, counterpart in zip(one.transcript(), other.transcript(), strict=True):
        assert message == counterpart
    hidden = 0 if watcher != 0 else 1
    assert one.pages[hidden].texts != other.pages[hidden].texts
