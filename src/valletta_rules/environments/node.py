"""Nodes of a game tree: positions with their history."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from copy import copy
from typing import TYPE_CHECKING, Final

from valletta_rules import actions, agenda, components, engine, events, native
from valletta_rules.chance import chance_outcomes
from valletta_rules.environments.referee import observe
from valletta_rules.memory import Memory
from valletta_rules.numeric.numbering import NUMBERS, action_of, legal_numbers, numbers_of
from valletta_rules.state import GameState
from valletta_rules.views.seen_events import redact
from valletta_rules.views.view import view

if TYPE_CHECKING:
    from valletta_rules.native import PackedState


class Node:
    """A node of a game tree: the position, a partial payment, and the history.

    It never changes, and copies of it are itself, so that a state is cloned in no time.
    """

    __slots__ = ("_memories", "_numbers", "answers", "before", "begun", "number", "position")

    def __init__(
        self,
        position: GameState | PackedState,
        begun: tuple[int, ...] = (),
        before: Node | None = None,
        number: int = -1,
    ) -> None:
        """Create a node: position, numbers of a partial payment, parent, and answer."""
        self.position: Final = position
        self.begun: Final = begun
        self.before: Final = before
        self.number: Final = number
        is_answer = before is not None and not before.is_chance
        self.answers: int = is_answer + (0 if before is None else before.answers)
        self._numbers: tuple[int, ...] | None = None
        self._memories: dict[int | None, Memory] = {}

    def __deepcopy__(self, memo: object) -> Node:
        """Return the node itself."""
        return self

    def __reduce__(self) -> tuple[Callable[..., Node], tuple[object, ...]]:
        """Pickle the first position and the answers."""
        *_, first = self.back()
        return _again, (first.state, self.history)

    def back(self) -> Iterator[Node]:
        """Yield this node and all before it, back to the first."""
        node: Node | None = self
        while node is not None:
            yield node
            node = node.before

    @property
    def history(self) -> tuple[int, ...]:
        """All answers so far, those of chance included."""
        return tuple(node.number for node in self.back() if node.before)[::-1]

    @property
    def state(self) -> GameState:
        """The position as a `GameState`."""
        position = self.position
        return position if isinstance(position, GameState) else position.unpack()

    @property
    def is_chance(self) -> bool:
        """Whether chance must answer."""
        return isinstance(self.position.prompt, agenda.ChancePrompt)

    @property
    def seat(self) -> int | None:
        """The seat that must answer, if one must."""
        prompt = self.position.prompt
        return None if prompt is None or isinstance(prompt, agenda.ChancePrompt) else prompt.seat

    @property
    def numbers(self) -> tuple[int, ...]:
        """The legal numbers, ascending."""
        if self._numbers is None:
            self._numbers = legal_numbers(self.position, self.begun)
        return self._numbers

    def chances(self) -> list[tuple[int, float]]:
        """Return the outcomes of chance with their probabilities."""
        cards = self.position.cards
        every = chance_outcomes(self.position)
        return [(numbers_of(action, cards)[0], float(chance)) for action, chance in every]

    def after(self, number: int) -> Node:
        """Return the node after an answer.

        Raises `ValueError` for a number that is not legal.
        """
        if number not in self.numbers:
            raise ValueError(f"{number} is no legal answer; legal are {list(self.numbers)}")
        begun = (*self.begun, number)
        action = action_of(begun, self.position.cards)
        if action is None:
            return Node(self.position, begun, self, number)
        return Node(engine.apply(self.position, action), (), self, number)

    def observe(self, seat: int | None) -> Sequence[int]:
        """Return a seat's view as an array of `valletta_rules.numeric.encoding`."""
        begun = self.begun if seat is not None and seat == self.seat else ()
        return observe(self.position, seat, begun)

    def memory(self, seat: int | None) -> Memory:
        """Return the information state of a seat, or a spectator."""
        node, way = self, list[Node]()
        while seat not in node._memories and node.before is not None:
            way.append(node)
            node = node.before
        if seat not in node._memories:
            node._memories[seat] = Memory(seat)
            node._memories[seat].begin(view(node.position, seat))
        if way:
            memory = copy(node._memories[seat])
            for node in reversed(way):
                node._tell(memory, seat)
            self._memories[seat] = memory
        return self._memories[seat]

    def recall(self, seat: int | None) -> str:
        """Return a text that is equal for two nodes exactly if a seat has seen the same.

        `None` stands for a spectator.  The parts of a partial payment are public, too.
        """
        seen = self.memory(seat).information_state(view(self.position, seat))
        return " ".join([seen.digest, *map(str, self.begun)])

    def _tell(self, memory: Memory, seat: int | None) -> None:
        """Pass the events since the parent to a memory."""
        if self.before is not None and (action := self.action) is not None:
            for event in engine.transition(self.before.state, action).events:
                memory.see(redact(event, seat))

    @property
    def action(self) -> actions.Action | None:
        """The action that led here, or `None` after a part of a payment."""
        begun = () if self.before is None else self.before.begun
        return action_of((*begun, self.number), self.position.cards)

    def imagined(self, seat: int, rng: components.Generator) -> list[int]:
        """Sample a history consistent with everything a seat has seen."""
        drawn = iter(
            [
                numbers_of(actions.DRAW[event.character], self.position.cards)[0]
                for event in self.memory(seat).imagine(rng)
                if isinstance(event, events.CardDrawn)
            ]
        )
        draws = NUMBERS[actions.DrawCard]
        return [next(drawn) if number in draws else number for number in self.history]


def _again(state: GameState, history: Sequence[int]) -> Node:
    """Return the node after some answers."""
    node = first_node(state)
    for number in history:
        node = node.after(number)
    return node


def first_node(state: GameState) -> Node:
    """Return the first node of a game, with the position in the faster form."""
    return Node(native.pack(state) if native.available else state)
