"""What the engine and a native backend with a mistake in it are asked, until they disagree.

The engine answers once.  The worked examples are asked first, then games and positions as they
come.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Final

import attrs

from spec.checks.compiled import library_of, loaded, object_of, played_by
from spec.checks.lockstep import Lockstep
from spec.checks.native_comparison import Native, against
from spec.checks.random_games import (
    RandomPlayer,
    a_position,
    an_ending,
    any_rules,
    every_table,
    some_card_sets,
)
from spec.checks.rules import Engine
from valletta_rules import RECONSTRUCTION, Action, GameState, PlayCard
from valletta_rules.components.characters import CHARACTERS
from valletta_rules.native import PackedState
from valletta_rules.specification.worked_examples import Worked, examples

EXAMPLES: Final = ""
"""The examples of these clauses are asked; nothing stands for all."""

TABLES: Final = 24
"""The number of tables at which games are played and positions are generated."""

MOVES: Final = 3
"""So many moves are made from each position."""

BREADTH: Final = 12
"""So many actions are carried out after each of them."""

SHARE: Final = 0.1
"""What part of the positions of a whole game are compared."""

LockstepQuestion = Callable[[Lockstep[PackedState]], object]
"""Compares something in lockstep."""


class Remembering(Engine):
    """The engine, which carries out nothing twice."""

    def __init__(self) -> None:
        """Begin without a memory."""
        self._known: dict[tuple[int, int], tuple[GameState, Action, GameState]] = {}

    def apply(self, position: GameState, action: Action) -> GameState:
        """Carry an action out, or remember what came of it."""
        place = id(position), id(action)
        if place not in self._known:  # what is kept there keeps its place
            self._known[place] = position, action, super().apply(position, action)
        return self._known[place][2]


@attrs.define
class Recording(Lockstep[PackedState]):
    """A lockstep that notes what it is asked."""

    noted: list[LockstepQuestion] = attrs.field(factory=list)

    def compare(
        self, state: GameState, actions: Sequence[Action], followed: Sequence[Action]
    ) -> list[GameState]:
        """Compare, and note what."""
        self.noted.append(lambda lockstep: lockstep.compare(state, actions, followed))
        return super().compare(state, actions, followed)


class Asked:
    """The native backend as it is, compiled, and what the engine says to many questions."""

    def __init__(self, sources: Path, folder: Path) -> None:
        """Compile the sources, and put the questions to the engine and to the backend as it is.

        Takes a folder for the objects.
        """
        self._sources, self._engine = sources, Remembering()
        self._objects = {
            each: object_of(each, folder, sources) for each in sorted(sources.glob("*.c"))
        }
        with played_by(loaded(self.library({}, folder))):
            self._questions = self._recorded()

    def library(self, changed: Mapping[Path, str], folder: Path) -> Path:
        """Return a library in which some sources have another text; it lies in the folder.

        Raises `subprocess.CalledProcessError` if it cannot be compiled.
        """
        objects = dict(self._objects)
        for path, text in changed.items():
            copy = folder / path.name
            copy.write_text(text, encoding="utf-8")
            objects[path] = object_of(copy, folder, self._sources)
        return library_of(objects.values(), folder)

    def difference(self, library: Path) -> str | None:
        """Return where a library first disagrees with the engine, or nothing."""
        with played_by(loaded(library)):
            lockstep = self._thorough(against(Native(), random.Random(0)))
            for question in self._questions:
                error = None
                try:
                    question(lockstep)
                except Exception as raised:  # a backend may be so wrong that it comes to this
                    error = type(raised).__name__
                for first in lockstep.tally.divergences:
                    return f"{first.what} under {type(first.state.prompt).__name__}"
                if error:
                    return error
        return None

    def _thorough(self, lockstep: Lockstep[PackedState]) -> Lockstep[PackedState]:
        lockstep.engine, lockstep.sparing, lockstep.asked = self._engine, 1, 24
        return lockstep

    def _recorded(self) -> list[LockstepQuestion]:
        rng = random.Random(0)
        chosen = [*every_table(), *((any_rules(rng, players), players) for players in (2, 3, 4))]
        rng.shuffle(chosen)
        card_choice = (RECONSTRUCTION, *some_card_sets(0, 3))
        asked: list[LockstepQuestion] = [
            partial(show, worked)
            for worked in examples()
            if worked.example.clause.startswith(EXAMPLES)
        ]
        lockstep = Recording(Native(), rng=random.Random(0))
        self._thorough(lockstep)
        for question in asked:
            question(lockstep)
        lockstep.noted.clear()
        wanderer = RandomPlayer(rng)
        for rules, players in chosen[:TABLES]:
            cards = rng.choice(card_choice)
            start = lockstep.begin(players, rules, cards)
            for _ in lockstep.game(start, wanderer, compared=lambda state: rng.random() < SHARE):
                pass
            for character in CHARACTERS:
                state = a_position(rng, rules, players, cards, character)
                moves = lockstep.game(state, wanderer, breadth=BREADTH, first=PlayCard(character))
                for _ in islice(moves, MOVES):
                    pass
            for _ in lockstep.game(an_ending(rng, rules, players, cards), wanderer):
                pass
        return asked + lockstep.noted


def show(worked: Worked, lockstep: Lockstep[PackedState]) -> None:
    """Compare an example."""
    lockstep.show(worked, BREADTH)
