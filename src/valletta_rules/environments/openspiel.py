"""The game as an OpenSpiel game: with explicit chance nodes, and no secrets revealed.

.. code-block:: python

   import pyspiel
   from valletta_rules.environments import openspiel  # registers the game

   game = pyspiel.load_game("python_valletta(players=3,rules=z-man)")
   state = game.new_initial_state()
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, SupportsIndex

from valletta_rules.actions import Pay, RevealBarrel
from valletta_rules.components import SITES, whole
from valletta_rules.environments.extras import extra
from valletta_rules.environments.node import Node, first_node
from valletta_rules.environments.referee import shares
from valletta_rules.games import new_game
from valletta_rules.numeric.encoding import columns
from valletta_rules.numeric.numbering import COUNT, NUMBERS, action_of
from valletta_rules.records.position_line import position_line
from valletta_rules.rulebook.scoring import score_sheet, winners
from valletta_rules.text.notation import format_action
from valletta_rules.text.values import read_rules

with extra("openspiel"):
    import numpy as np
    import pyspiel  # pyright: ignore[reportMissingImports]  # it has no types
    from numpy.typing import NDArray

NAME: Final = "python_valletta"
"""The name of the game in OpenSpiel."""

MAX_LENGTH: Final = 4000
"""The default number of players' actions after which a game is truncated."""


PARAMETERS: Final[Mapping[str, Any]] = MappingProxyType(
    {
        "players": 2,
        "rules": "hans-im-glueck",
        "max_length": MAX_LENGTH,
    }
)
"""The parameters with their defaults: players, the rule set as in records, the most answers."""

# Chance outcomes are numbered like players' actions; barrels come last.
_CHANCES: Final = NUMBERS[RevealBarrel].stop

GAME_TYPE: Final = pyspiel.GameType(
    short_name=NAME,
    long_name="Valletta",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=max(SITES),
    min_num_players=min(SITES),
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification=dict(PARAMETERS),
)
"""The properties of the game."""


class VallettaGame(pyspiel.Game):  # type: ignore[misc]  # OpenSpiel has no types
    """A game with its number of players, rule set and limit.

    The parameter ``rules`` is a rule set as in records, such as ``z-man+fewer-barrels``.  After
    ``max_length`` answers of players a game is broken off, and judged by the points as they are.

    A winner gets 1 and the others lose as much together: with more winners than one, each gets
    less.  So the returns add up to 0.
    """

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        """Create the game from its parameters.

        Raises `ValueError` for invalid parameters, and the errors of
        `valletta_rules.new_game`.
        """
        given = {**PARAMETERS, **(params or {})}
        players = given["players"]
        self.max_length: int = given["max_length"]
        self.first: Final[Node] = first_node(new_game(players, rules=read_rules(given["rules"])))
        info = pyspiel.GameInfo(
            num_distinct_actions=COUNT,
            max_chance_outcomes=_CHANCES,
            num_players=players,
            min_utility=-1.0 / (players - 1),
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=self.max_length,
        )
        super().__init__(GAME_TYPE, info, given)

    def new_initial_state(self) -> VallettaState:
        """Return the state in which chance must deal the first building."""
        return VallettaState(self)

    def max_chance_nodes_in_history(self) -> int:
        """Return an upper bound: the setup, and a barrel or a hand after each answer."""
        return 100 + 10 * self.max_length

    def make_py_observer(
        self,
        iig_obs_type: Any = None,
        params: Mapping[str, Any] | None = None,
    ) -> OpenSpielObserver:
        """Return an observer of states for a player."""
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        return OpenSpielObserver(kind, params, self.num_players())


class VallettaState(pyspiel.State):  # type: ignore[misc]  # OpenSpiel has no types
    """A state: a node of the tree of a game, which copies of the state share."""

    def __init__(self, game: VallettaGame) -> None:
        """Start a new game."""
        super().__init__(game)
        self.node: Node = game.first
        self.max_length: Final[int] = game.max_length

    def current_player(self) -> int:
        """Return the seat that must answer, or OpenSpiel's constant for chance or the end."""
        if self.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        seat = self.node.seat
        return int(pyspiel.PlayerId.CHANCE if seat is None else seat)

    def is_terminal(self) -> bool:
        """Return whether the game is over or truncated."""
        return self.node.position.prompt is None or self.node.answers >= self.max_length

    def _legal_actions(self, player: int) -> list[int]:
        return list(self.node.numbers)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the outcomes of chance with their probabilities."""
        return self.node.chances()

    def apply_action(self, action: SupportsIndex) -> None:
        """Answer by a number.

        Raises `TypeError` for anything but a whole number, which OpenSpiel would truncate,
        and `ValueError` for one that is not legal; then nothing has changed.
        """
        super().apply_action(whole(action, "an action"))

    def apply_action_with_legality_check(self, action: SupportsIndex) -> None:
        """Answer by a number; raises the errors of `apply_action`."""
        self.apply_action(action)

    def child(self, action: SupportsIndex) -> VallettaState:
        """Return the state after an answer; raises the errors of `apply_action`."""
        state: VallettaState = self.clone()
        state.apply_action(action)
        return state

    def _apply_action(self, number: int) -> None:
        self.node = self.node.after(number)

    def _action_to_string(self, player: int, number: int) -> str:
        action = action_of((number,), self.node.position.cards)
        return f"part {number - NUMBERS[Pay].start}" if action is None else format_action(action)

    def returns(self) -> list[float]:
        """Return the players' returns, 0 while the game goes on."""
        if not self.is_terminal():
            return [0.0] * self.num_players()
        seats, best = self.num_players(), winners(score_sheet(self.node.state)).winners
        return [(seats * share - 1) / (seats - 1) for share in shares(best, seats)]

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> VallettaState:
        """Return a state consistent with a player's information, with its exact probability.

        Takes a function that draws a number from 0 to 1, which seeds a generator.
        """
        state: VallettaState = self.get_game().new_initial_state()
        for number in self.node.imagined(player, random.Random(sampler())):
            state.apply_action(number)
        return state

    def __str__(self) -> str:
        """Return the position as a line, with the parts of a partial payment."""
        return " ".join([position_line(self.node.state), *map(str, self.node.begun)])


_PRIVATE: Final = ("hand.", "begun.")
"""The prefixes of the names of private columns."""


class OpenSpielObserver:
    """The observation of a state by a player, as array or as text.

    With perfect recall the text stands for all that the player has seen since the beginning.
    Without, it names the columns of `valletta_rules.numeric.encoding` that are not 0.  Without the
    public part, only the columns of the hand and of a payment begun are filled.
    """

    def __init__(self, kind: Any, params: Mapping[str, Any] | None, players: int) -> None:
        """Create the observer from the observation type.

        Raises `ValueError` for parameters, and for types with all players' secrets, with neither
        part, or with perfect recall of the private part alone.
        """
        self._recalls, self._is_public = kind.perfect_recall, kind.public_info
        self._is_player = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        everything = kind.private_info == pyspiel.PrivateInfoType.ALL_PLAYERS
        is_fit = self._is_public or (self._is_player and not self._recalls)
        if params or everything or not is_fit:
            raise ValueError(
                "views are of one player or of a spectator, without parameters; the private part "
                "alone is seen without recall"
            )
        self._columns = columns(players)
        self.dict: dict[str, Any] = {}
        self.tensor: NDArray[np.float32] | None = None
        if not self._recalls:
            self.tensor = np.zeros(len(self._columns), np.float32)
            self.dict["view"] = self.tensor

    def set_from(self, state: VallettaState, player: int) -> None:
        """Write the observation into the array."""
        if self.tensor is not None:
            self.tensor[:] = self._seen(state, player)

    def string_from(self, state: VallettaState, player: int) -> str:
        """Return the observation as text."""
        if self._recalls:
            return state.node.recall(player if self._is_player else None)
        seen = zip(self._columns, self._seen(state, player), strict=True)
        return " ".join(f"{name}={number}" for name, number in seen if number)

    def _seen(self, state: VallettaState, player: int) -> Sequence[int]:
        seen = state.node.observe(player if self._is_player else None)
        if self._is_public:
            return seen
        named = zip(self._columns, seen, strict=True)
        return [number if name.startswith(_PRIVATE) else 0 for name, number in named]


pyspiel.register_game(GAME_TYPE, VallettaGame)
