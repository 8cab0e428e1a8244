"""Information set Monte Carlo tree search: determinized games descend one tree to a leaf value.

Each simulation samples a determinization, descends the tree of information sets, expands one
action there, and evaluates the leaf at once instead of playing on.  Transpositions, such as cards
played in another order, share a node.  The options have the names that OpenSpiel gives them.
"""

from __future__ import annotations

import math
import random
from collections.abc import Hashable, Sequence
from typing import Final

import attrs

from valletta_rules.actions import Action
from valletta_rules.agenda import PaymentPrompt, Prompt
from valletta_rules.bots import native_search
from valletta_rules.bots.features import Features, read
from valletta_rules.bots.protocol import Plan
from valletta_rules.bots.turns import State, after, imagine, options
from valletta_rules.bots.value import Forecast, forecast_of
from valletta_rules.chance import resolve_chance
from valletta_rules.engine import legal_actions
from valletta_rules.state import Form
from valletta_rules.views.view import PlayerView

POLICIES: Final = ("max_visit_count", "max_value", "normalized_visit_count")
"""How the final action is chosen: the most visited, the best on average, or at random in proportion
to visits."""

MOST_ANSWERS: Final = 1000
"""After so many answers a simulation ends, as if the last one were new."""

SCALE: Final = 10.0
"""A lead of this many points counts as three quarters of a victory."""


@attrs.define(eq=False)
class _Edge:
    """An action that has been tried, with its statistics."""

    visits: int = 0
    total: float = 0.0
    leads: float = 0.0
    """The sum of the results."""

    @property
    def mean(self) -> float:
        """The mean result, from -1 to 1."""
        return self.total / self.visits


_InformationSet = dict[Action, _Edge]
"""A node of the tree: the actions that have been tried there."""


class IsmctsBot:
    """Search of a tree of one observer's information sets, with a value function at the leaves."""

    def __init__(
        self,
        rng: random.Random,
        max_simulations: int = 1000,
        uct_c: float = 1.0,
        max_world_samples: int = 50,
        final_policy_type: str = "max_visit_count",
    ) -> None:
        """Take the bot's own generator, and the options of the search.

        The simulations share `max_world_samples` determinizations, -1 for one each; the greater
        `uct_c`, the more it explores.  Raises `ValueError` for a value out of range.
        """
        if max_simulations < 1 or max_world_samples < -1 or max_world_samples == 0 or uct_c < 0:
            raise ValueError("simulations and worlds must be 1 or more, and uct_c 0 or more")
        if final_policy_type not in POLICIES:
            raise ValueError(f"final_policy_type must be one of {', '.join(POLICIES)}")
        self._rng, self._simulations, self._uct_c = rng, max_simulations, uct_c
        self._worlds = max_simulations if max_world_samples == -1 else max_world_samples
        self._policy = final_policy_type
        self._nodes = dict[Hashable, _InformationSet]()
        self._root = _InformationSet()
        self._chosen: Action | None = None

    def decide(self, view: PlayerView) -> Action:
        """Return the best action of a search."""
        assert view.seat is not None, "a spectator is asked nothing"
        self._nodes, self._root = {}, {}
        first = imagine(view, self._rng)
        if len(only := options(first)) == 1:
            return only[0]
        forecast = forecast_of(view.table.display, len(view.table.players))
        if type(self._rng) is random.Random and native_search.can_search(first, forecast):
            self._search_natively(first, view.seat, forecast)  # type: ignore[arg-type]
        else:
            self._search(first, view, forecast)
        self._chosen = self._choose(self._root)
        return self._chosen

    def explain(self) -> tuple[Plan, ...]:
        """Return the actions tried: the chosen one, then by visits; none if it was forced."""
        answers = self._root
        ranked = sorted(answers, key=lambda each: (each != self._chosen, -answers[each].visits))
        return tuple([Plan((each,), answers[each].leads / answers[each].visits) for each in ranked])

    def _search(self, first: State, view: PlayerView, forecast: Forecast) -> None:
        """Make all simulations from a view, in the first world and others."""
        assert view.seat is not None, "a spectator is asked nothing"
        worlds = [first]
        for number in range(self._simulations):
            if 0 < number < self._worlds:
                worlds.append(imagine(view, self._rng))
            self._simulate(worlds[number % len(worlds)], view.seat, forecast)

    def _search_natively(self, first: Form, seat: int, forecast: Forecast) -> None:
        """Make all simulations in the native backend; the result is the same."""
        effort = self._simulations, self._worlds, MOST_ANSWERS, self._uct_c, SCALE
        tried = native_search.grow(first, forecast, self._rng, seat, *effort)
        self._root = {action: _Edge(visits, *sums) for action, visits, *sums in tried}

    def _choose(self, answers: dict[Action, _Edge]) -> Action:
        """Return an action by the final policy."""
        if self._policy == "max_visit_count":
            return max(answers, key=lambda action: answers[action].visits)
        if self._policy == "max_value":
            return max(answers, key=lambda action: answers[action].mean)
        visits = [answer.visits for answer in answers.values()]
        return self._rng.choices(list(answers), visits)[0]

    def _simulate(self, state: State, observer: int, forecast: Forecast) -> None:
        """Descend until an action is new or the game is over, then back up the result.

        Each player maximizes the lead over the best opponent; payments are not searched.
        """
        node, way, prompt = self._root, list[tuple[int, _Edge]](), state.prompt
        while True:
            assert prompt is not None
            assert prompt.seat is not None, "a player is asked"
            action = self._try(node, legal_actions(state))
            if (answer := node.get(action)) is None:
                answer = node[action] = _Edge()
            way.append((prompt.seat, answer))
            state = self._resolve(after(state, action))
            features, prompt = read(state), state.prompt
            if prompt is None or not answer.visits or len(way) == MOST_ANSWERS:
                break
            node = self._nodes.setdefault(_seen(prompt, features, observer), {})
        points = forecast.points(features, observer)
        *_, second, first = sorted(points)
        for seat, answer in way:
            lead = points[seat] - (second if points[seat] == first else first)
            answer.visits += 1
            answer.leads += lead
            answer.total += math.tanh(lead / SCALE)

    def _try(self, node: _InformationSet, actions: Sequence[Action]) -> Action:
        """Return an action that is new to the tree, or the best by the UCT formula."""
        tried = [node.get(action) for action in actions]
        if None in tried:
            return self._rng.choice([actions[n] for n, each in enumerate(tried) if each is None])
        known = [(each.total, each.visits) for each in tried if each]
        spread = self._uct_c * math.sqrt(math.log(sum([visits for _, visits in known])))
        promises = [total / visits + spread / math.sqrt(visits) for total, visits in known]
        return actions[promises.index(max(promises))]

    def _resolve(self, state: State) -> State:
        """Resolve chance, and make the payments that are due."""
        state = resolve_chance(state, self._rng)
        while isinstance(state.prompt, PaymentPrompt):
            state = resolve_chance(after(state, *options(state)), self._rng)
        return state


def _seen(prompt: Prompt, features: Features, observer: int) -> Hashable:
    """Return the key of an information set: the observer's view, with the hand only if asked.

    While others act, that hand does not matter.  The order in which cards were played is left
    out, although an Apprentice copies the last of them.
    """
    players = list[tuple[int | None, ...]](features.players)
    for seat, owned in enumerate(players):
        if seat != observer or prompt.seat != observer:
            players[seat] = owned[2:]
    return prompt, features.played, features.valette, *players
