"""The native backend as an implementation of the rules: with packed positions, or in batches."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence

import attrs

from spec.checks.rules import Library
from valletta_rules import Action, CardSet, Event, GameState, RuleSet, Violation, native
from valletta_rules.numeric.numbering import action_of, numbers_of


class Packed(Library["native.PackedState"]):
    """The native backend as an implementation of the rules, with packed positions."""

    def new_game(self, players: int, rules: RuleSet, cards: CardSet) -> native.PackedState:
        """Return the first position of a game, packed."""
        first: native.PackedState = native._table(rules, cards, players).first()
        return first

    def read(self, state: GameState) -> native.PackedState:
        """Pack a `GameState`."""
        return native.pack(state)

    def written(self, position: native.PackedState) -> GameState:
        """Unpack a position into a `GameState`."""
        return position.unpack()

    def is_legal(self, position: native.PackedState, action: Action) -> bool:
        """Return whether the backend accepts an action."""
        return position.allows(action)

    def events(self, position: native.PackedState, action: Action) -> Sequence[Event]:
        """Return the events of an action, as the backend reports them."""
        after, events = native.transition(position, action)
        assert after == position.position_after(action), (
            "the position after a step differs with and without its events"
        )
        return events

    def reason(self, position: native.PackedState, action: Action) -> Violation | None:
        """Return the backend's violation for an illegal action, with the engine's message text."""
        refused, violation = native.refusal(position, action), super().reason(position, action)
        if refused is None or violation is None:
            return None
        code, clause, facts = refused
        return attrs.evolve(violation, code=code, clause=clause, details=tuple(facts.items()))


class Batched(Packed):
    """The native backend as an implementation of the rules, with batches of one game.

    A batch computes the legal actions and the results of actions.  All other answers are those of
    packed positions.
    """

    def at(self, position: native.PackedState, numbers: Sequence[int]) -> native.Batch:
        """Play action numbers from a position in a batch of one game, and return the batch."""
        batch = native.Batch(position, 1, chance="outside")
        for number in numbers:
            batch.step(array("q", [number]))
        return batch

    def listed(self, position: native.PackedState, prefix: Sequence[int]) -> Iterator[Action]:
        """Yield the legal actions whose sequences of action numbers begin with `prefix`."""
        for number, is_legal in enumerate(bytes(self.at(position, prefix).legal_mask())):
            if is_legal:
                numbers = [*prefix, number]
                action = action_of(numbers, position.cards)
                yield from [action] if action else self.listed(position, numbers)

    def legal_actions(self, position: native.PackedState) -> Sequence[Action]:
        """Return the legal actions according to the masks that batches compute."""
        return [*self.listed(position, ())]

    def apply(self, position: native.PackedState, action: Action) -> native.PackedState:
        """Play the action numbers of an action in a batch; return the resulting position."""
        return self.at(position, numbers_of(action, position.cards)).position(0)
