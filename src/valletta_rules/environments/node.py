"""Nodes of a game tree.  A node is a position together with the answers that led to it."""

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
    """A node of a game tree: a position, any incomplete payment, and a link to the parent node.

    A node is immutable.  Copying a node returns the node itself, which makes cloning a state fast.
    """

    __slots__ = ("_memories", "_numbers", "answers", "before", "number", "position", "prefix")

    def __init__(
        self,
        position: GameState | PackedState,
        prefix: tuple[int, ...] = (),
        before: Node | None = None,
        number: int = -1,
    ) -> None:
        """Create a node.

        `prefix` contains the action numbers of an incomplete payment. `before` is the parent node,
        and `number` is the answer that leads from the parent to this node.
        """
        self.position: Final = position
        self.prefix: Final = prefix
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
        """Return the data for pickling: the initial position and all answers after it."""
        *_, first = self.back()
        return _again, (first.state, self.history)

    def back(self) -> Iterator[Node]:
        """Yield this node, its parent, and so on up to the root."""
        node: Node | None = self
        while node is not None:
            yield node
            node = node.before

    @property
    def history(self) -> tuple[int, ...]:
        """The numbers of all answers from the root to this node, including random outcomes."""
        return tuple(node.number for node in self.back() if node.before)[::-1]

    @property
    def state(self) -> GameState:
        """The position as a `GameState`."""
        position = self.position
        return position if isinstance(position, GameState) else position.unpack()

    @property
    def is_chance(self) -> bool:
        """Whether the next answer is a random outcome."""
        return isinstance(self.position.prompt, agenda.ChancePrompt)

    @property
    def seat(self) -> int | None:
        """The seat that must answer; `None` before a random outcome and at the end of the game."""
        prompt = self.position.prompt
        return None if prompt is None or isinstance(prompt, agenda.ChancePrompt) else prompt.seat

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers of the legal answers, in ascending order."""
        if self._numbers is None:
            self._numbers = legal_numbers(self.position, self.prefix)
        return self._numbers

    def chances(self) -> list[tuple[int, float]]:
        """Return the possible random outcomes, as pairs of a number and its probability."""
        cards = self.position.cards
        every = chance_outcomes(self.position)
        return [(numbers_of(action, cards)[0], float(chance)) for action, chance in every]

    def after(self, number: int) -> Node:
        """Return the child node after the answer `number`.

        Raises `ValueError` if that answer is illegal.
        """
        if number not in self.numbers:
            legal = f"the legal numbers are {list(self.numbers)}"
            raise ValueError(f"{number} is not the number of a legal action; {legal}")
        prefix = (*self.prefix, number)
        action = action_of(prefix, self.position.cards)
        if action is None:
            return Node(self.position, prefix, self, number)
        return Node(engine.apply(self.position, action), (), self, number)

    def observe(self, seat: int | None) -> Sequence[int]:
        """Return the view of a seat as an array.  A seat of `None` means a spectator.

        The array has the columns of `valletta_rules.numeric.encoding`.
        """
        prefix = self.prefix if seat is not None and seat == self.seat else ()
        return observe(self.position, seat, prefix)

    def memory(self, seat: int | None) -> Memory:
        """Return the memory of a seat, or of a spectator (`None`).  The result is cached."""
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
                node._add_events(memory, seat)
            self._memories[seat] = memory
        return self._memories[seat]

    def recall(self, seat: int | None) -> str:
        """Return a text that is equal for two nodes if and only if `seat` cannot distinguish them.

        A seat of `None` means a spectator.  The text includes the numbers of an incomplete payment,
        which are public.
        """
        information = self.memory(seat).information_state(view(self.position, seat))
        return " ".join([information.digest, *map(str, self.prefix)])

    def _add_events(self, memory: Memory, seat: int | None) -> None:
        """Add to the memory of a seat the events that occurred between the parent and this node."""
        if self.before is not None and (action := self.action) is not None:
            for event in engine.transition(self.before.state, action).events:
                memory.see(redact(event, seat))

    @property
    def action(self) -> actions.Action | None:
        """The action between the parent and this node; `None` while a payment is incomplete."""
        prefix = () if self.before is None else self.before.prefix
        return action_of((*prefix, self.number), self.position.cards)

    def imagined(self, seat: int, rng: components.Generator) -> list[int]:
        """Return the answers of a random history that is consistent with all that a seat knows."""
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
    """Return the node reached from the root position `state` by the answers in `history`."""
    node = first_node(state)
    for number in history:
        node = node.after(number)
    return node


def first_node(state: GameState) -> Node:
    """Return the root node of a game, with a packed position if the native backend is available."""
    return Node(native.pack(state) if native.available else state)
