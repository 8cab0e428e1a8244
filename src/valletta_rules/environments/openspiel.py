"""The game as an OpenSpiel game with explicit chance nodes and imperfect information.

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
    import pyspiel  # pyright: ignore[reportMissingImports]  # OpenSpiel has no types
    from numpy.typing import NDArray

NAME: Final = "python_valletta"
"""The name of the game in OpenSpiel."""

MAX_LENGTH: Final = 4000
"""The default of ``max_length``, the number of players' answers after which a game is truncated."""


PARAMETERS: Final[Mapping[str, Any]] = MappingProxyType(
    {
        "players": 2,
        "rules": "hans-im-glueck",
        "max_length": MAX_LENGTH,
    }
)
"""The default values of the game's parameters.

The class `VallettaGame` describes the parameters.
"""

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
"""The properties that OpenSpiel requires for each game, such as imperfect information."""


class VallettaGame(pyspiel.Game):  # type: ignore[misc]  # OpenSpiel has no types
    """The game as an OpenSpiel `Game`.

    The parameter ``players`` is the number of players, and ``rules`` is the rule set in the
    notation of records, such as ``z-man+fewer-barrels``.  After ``max_length`` answers by players,
    a game is truncated, and the current scores determine its winners.

    The returns add up to 0: a single winner receives 1, and the other players together receive -1.
    Tied winners share the victory and receive less than 1 each.
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
        """Return the initial state, in which the first building has not been dealt."""
        return VallettaState(self)

    def max_chance_nodes_in_history(self) -> int:
        """Return an upper bound: 100 nodes for the setup, and 10 after each answer."""
        return 100 + 10 * self.max_length

    def make_py_observer(
        self,
        iig_obs_type: Any = None,
        params: Mapping[str, Any] | None = None,
    ) -> OpenSpielObserver:
        """Return an observer for the given observation type, or for the default type."""
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        return OpenSpielObserver(kind, params, self.num_players())


class VallettaState(pyspiel.State):  # type: ignore[misc]  # OpenSpiel has no types
    """The game state for OpenSpiel.  It refers to an immutable node of the game tree."""

    def __init__(self, game: VallettaGame) -> None:
        """Create the initial state of the game `game`."""
        super().__init__(game)
        self.node: Node = game.first
        self.max_length: Final[int] = game.max_length

    def current_player(self) -> int:
        """Return the seat that must answer, or OpenSpiel's id for chance or a terminal state."""
        if self.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        seat = self.node.seat
        return int(pyspiel.PlayerId.CHANCE if seat is None else seat)

    def is_terminal(self) -> bool:
        """Return whether the game is over or has been truncated."""
        return self.node.position.prompt is None or self.node.answers >= self.max_length

    def _legal_actions(self, player: int) -> list[int]:
        return list(self.node.numbers)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the possible random outcomes, as pairs of a number and its probability."""
        return self.node.chances()

    def apply_action(self, action: SupportsIndex) -> None:
        """Play the action numbered `action`.

        Raises `TypeError` for a value that is not an integer (OpenSpiel would truncate it), and
        `ValueError` for the number of an illegal action.  An error leaves the state unchanged.
        """
        super().apply_action(whole(action, "an action"))

    def apply_action_with_legality_check(self, action: SupportsIndex) -> None:
        """Play the action numbered `action`; raises the same errors as `apply_action`."""
        self.apply_action(action)

    def child(self, action: SupportsIndex) -> VallettaState:
        """Return the state after an answer; raises the same errors as `apply_action`."""
        state: VallettaState = self.clone()
        state.apply_action(action)
        return state

    def _apply_action(self, number: int) -> None:
        self.node = self.node.after(number)

    def _action_to_string(self, player: int, number: int) -> str:
        action = action_of((number,), self.node.position.cards)
        return f"part {number - NUMBERS[Pay].start}" if action is None else format_action(action)

    def returns(self) -> list[float]:
        """Return the returns of the players.  They are 0 until the state is terminal."""
        if not self.is_terminal():
            return [0.0] * self.num_players()
        seats, best = self.num_players(), winners(score_sheet(self.node.state)).winners
        return [(seats * share - 1) / (seats - 1) for share in shares(best, seats)]

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> VallettaState:
        """Return a random state that is consistent with a player's information.

        States are sampled with exact probabilities.

        `sampler` is a function that returns a random number from 0 to 1, used as a seed.
        """
        state: VallettaState = self.get_game().new_initial_state()
        for number in self.node.imagined(player, random.Random(sampler())):
            state.apply_action(number)
        return state

    def __str__(self) -> str:
        """Return the position as a line of text.  The numbers of any incomplete payment follow."""
        return " ".join([position_line(self.node.state), *map(str, self.node.prefix)])


_PRIVATE: Final = ("hand.", "begun.")
"""The prefixes of the column names for private information in an encoded view."""


class OpenSpielObserver:
    """An OpenSpiel observer: it returns a player's observation of a state, as an array or as text.

    With perfect recall, the text identifies all information that the player has received since the
    start of the game.  Without perfect recall, the text lists the nonzero columns of
    `valletta_rules.numeric.encoding`.  Without public information, all columns are zero except
    those of the hand and of an incomplete payment.
    """

    def __init__(self, kind: Any, params: Mapping[str, Any] | None, players: int) -> None:
        """Create the observer for the observation type `kind`.

        Raises `ValueError` if `params` is not empty, and for an unsupported observation type.
        Three types are unsupported: private information of all players, no information at all, and
        perfect recall of private information only.
        """
        self._recalls, self._is_public = kind.perfect_recall, kind.public_info
        self._is_player = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        everything = kind.private_info == pyspiel.PrivateInfoType.ALL_PLAYERS
        is_fit = self._is_public or (self._is_player and not self._recalls)
        if params or everything or not is_fit:
            raise ValueError(
                "unsupported observer: expected public information or the private information of "
                "one player, no parameters, and perfect recall only with public information"
            )
        self._columns = columns(players)
        self.dict: dict[str, Any] = {}
        self.tensor: NDArray[np.float32] | None = None
        if not self._recalls:
            self.tensor = np.zeros(len(self._columns), np.float32)
            self.dict["view"] = self.tensor

    def set_from(self, state: VallettaState, player: int) -> None:
        """Write the observation of a player into the array `tensor`."""
        if self.tensor is not None:
            self.tensor[:] = self._observation(state, player)

    def string_from(self, state: VallettaState, player: int) -> str:
        """Return the observation of a player as text."""
        if self._recalls:
            return state.node.recall(player if self._is_player else None)
        pairs = zip(self._columns, self._observation(state, player), strict=True)
        return " ".join(f"{name}={number}" for name, number in pairs if number)

    def _observation(self, state: VallettaState, player: int) -> Sequence[int]:
        observation = state.node.observe(player if self._is_player else None)
        if self._is_public:
            return observation
        named = zip(self._columns, observation, strict=True)
        return [number if name.startswith(_PRIVATE) else 0 for name, number in named]


pyspiel.register_game(GAME_TYPE, VallettaGame)
