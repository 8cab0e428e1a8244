"""Setup: the display, the starting decks, the extra good and the first turns."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from math import lcm
from types import MappingProxyType
from typing import Any, Final

from valletta_rules.actions import DRAFT, DealBuilding, DraftGood
from valletta_rules.agenda import DealPrompt, DraftPrompt, DrawPrompt, Step, Turn
from valletta_rules.components.bags import CardBag
from valletta_rules.components.buildings import Building
from valletta_rules.components.card_set import CardSet
from valletta_rules.components.characters import STARTING_CHARACTERS, Character, Colour
from valletta_rules.components.display import QUOTAS, SITES
from valletta_rules.components.goods import ONE, ONE_OF_EACH
from valletta_rules.components.names import abbreviated
from valletta_rules.errors import (
    Code,
    MalformedActionError,
    PlayerCountError,
    VariantError,
    Violation,
    violation,
)
from valletta_rules.events import BuildingDealt, GoodDrafted, Log
from valletta_rules.rulebook.effects import Rule, by_chance
from valletta_rules.rulebook.turn import PLAYS_PER_TURN
from valletta_rules.rulings import RuleSet
from valletta_rules.state import Board, GameState, Player

STARTING_DECK: Final = CardBag.of(*STARTING_CHARACTERS)
"""The eight cards with which every player starts.

Rules: SET-14
"""

GENERAL_SUPPLY: Final = CardBag.of(*[Character.BUILDER] * 4)
"""The character supply at the beginning of a game: four Builders.

Rules: SET-16
"""

STAGGERED_PLAYS: Final = (1, 2)
"""The numbers of cards that the first and second player play on staggered first turns.

Rules: SET-27, SET-28
"""


def lay_table(players: int, rules: RuleSet, cards: CardSet) -> GameState:
    """Return the position before any card is dealt. All steps of the setup are on the agenda.

    Seat 0 is the start player.  Raises the errors of `check_table`.

    Rules: SET-5, SET-13, SET-14, SET-16, SET-18, SET-19, SET-20, SET-21, SET-22, SET-25, SET-26,
        SET-32
    """
    check_table(players, rules)
    steps: list[Step] = [DealPrompt()]
    steps += [DrawPrompt(seat) for seat in range(players)]
    if rules.has_draft:
        steps.append(DraftPrompt(players - 1, ONE_OF_EACH))
    return GameState(
        rules=rules,
        cards=cards,
        players=(Player(draw_pile=STARTING_DECK, goods=ONE_OF_EACH),) * players,
        supply=GENERAL_SUPPLY,
        barrels=cards.barrels,
        agenda=(*steps, *first_turns(rules)),
    )


def check_table(players: int, rules: RuleSet) -> None:
    """Raise an error for a number of players that the rules do not allow.

    Raises `PlayerCountError` for any number of players other than two to four, and `VariantError`
    for a variant that the number of players does not allow.

    Rules: SET-1, SET-7
    """
    if type(players) is not int or players not in QUOTAS:
        raise PlayerCountError(f"Valletta is for 2, 3 or 4 players, not {abbreviated(players)}")
    if rules.fewer_barrels and players != 2:
        raise VariantError(
            f"the variant with fewer barrels is for 2 players, and this game has {players}"
        )


def first_turns(rules: RuleSet) -> tuple[Turn, ...]:
    """Return the turns on the initial agenda: the start player's, or two staggered turns.

    Rules: SET-2, SET-27, SET-28, SET-30
    """
    if rules.has_staggered_start:
        return tuple(Turn(seat, plays) for seat, plays in enumerate(STAGGERED_PLAYS))
    return (Turn(0, PLAYS_PER_TURN),)


# Dealing the display


def lacks_a_building(state: GameState, prompt: DealPrompt) -> bool:
    """Return whether a site of the display has no building yet.

    Rules: SET-8, SET-12
    """
    return len(state.display) < SITES[len(state.players)]


def left_of_quotas(board: Board) -> dict[Colour, int]:
    """Return, for each colour, the number of buildings that must still be dealt.

    Rules: SET-8
    """
    left = dict(QUOTAS[len(board.players)])
    for building in board.display:
        left[building.colour] -= 1
    return left


def left_of_cards(state: GameState) -> dict[Building, int]:
    """Return, for each building, the number of its cards that have not been dealt.

    Rules: SET-8
    """
    left = {building: building.copies for building in state.cards.buildings}
    for building in state.display:
        left[building] -= 1
    return left


def deal_weights(state: GameState, prompt: DealPrompt) -> tuple[tuple[DealBuilding, int], ...]:
    """Return the possible next deals, with weights proportional to their probabilities.

    Rules: SET-8, SET-9, SET-10
    """
    weights = weights_of(left_of_cards(state), left_of_quotas(state))
    return tuple((_deal(building.code), weight) for building, weight in weights)


def weights_of(
    cards: Mapping[Building, int], quotas: Mapping[Colour, int]
) -> list[tuple[Building, int]]:
    """Return the buildings that may be dealt next, weighted in proportion to their probabilities.

    At the setup, a quota of cards of each colour is picked at random, and the picked cards are
    shuffled. So the probability of each colour is proportional to what is left of its quota, and
    all cards of one colour are equally likely.

    Rules: SET-8, SET-9, SET-10
    """
    of_colour = dict.fromkeys(quotas, 0)
    for building, left in cards.items():
        of_colour[building.character.colour] += left
    open_colours = [colour for colour, quota in quotas.items() if quota]
    every = lcm(*[of_colour[colour] for colour in open_colours])
    chance = {colour: quotas[colour] * every // of_colour[colour] for colour in open_colours}
    return [
        (building, left * chance[building.character.colour])
        for building, left in cards.items()
        if left and building.character.colour in chance
    ]


@lru_cache(maxsize=256)
def _deal(code: str) -> DealBuilding:
    """Return the action that deals a building. The result is cached and shared by all positions."""
    return DealBuilding(code)


def check_deal(state: GameState, prompt: DealPrompt, action: DealBuilding) -> Violation | None:
    """Return the violation if a building cannot be dealt, else `None`.

    Raises `MalformedActionError` if the card set has no such building.

    Rules: SET-8, SET-9
    """
    code = action.building
    try:
        building = state.cards.building(code)
    except KeyError:
        raise MalformedActionError(f"the card set has no building {abbreviated(code)}") from None
    if not left_of_quotas(state)[building.colour]:
        message = f"no further {building.colour} building belongs in this display"
        return violation("SET-8", Code.BUILDING_NOT_AVAILABLE, message, building=code)
    if building.copies == sum(dealt.code == code for dealt in state.display):
        message = f"every card of building {code} has been dealt"
        return violation("SET-9", Code.BUILDING_NOT_AVAILABLE, message, building=code)
    return None


def deal(state: GameState, prompt: DealPrompt, action: DealBuilding, log: Log) -> GameState:
    """Put a building on the next site. The prompt is repeated until the display is complete.

    Rules: SET-10, SET-11, SET-13, SET-17, CMP-15
    """
    if log is not None:
        log.append(BuildingDealt(len(state.display), action.building))
    return state.replace(display=(*state.display, state.cards.building(action.building)))


# The draft of an extra good


def legal_drafts(state: GameState, prompt: DraftPrompt) -> tuple[DraftGood, ...]:
    """Return an action for each good in the set that the players pass around.

    Rules: SET-22
    """
    return tuple(DRAFT[good] for good in prompt.goods.kinds())


def check_draft(state: GameState, prompt: DraftPrompt, action: DraftGood) -> Violation | None:
    """Return the violation if a good is not in the set that the players pass around, else `None`.

    Rules: SET-22
    """
    if prompt.goods[action.good]:
        return None
    message = f"{action.good} has been taken; what is left is {prompt.goods}"
    return violation("SET-22", Code.GOOD_NOT_OFFERED, message, good=action.good)


def draft(state: GameState, prompt: DraftPrompt, action: DraftGood, log: Log) -> GameState:
    """Give the chosen good to the player. Pass the rest to the previous seat, if there is one.

    Rules: SET-22, SET-23, SET-24
    """
    if log is not None:
        log.append(GoodDrafted(prompt.seat, action.good))
    player, good = state.players[prompt.seat], ONE[action.good]
    state = state.done().with_player(prompt.seat, player.replace(goods=player.goods + good))
    if prompt.seat > 0:
        state = state.doing_first(DraftPrompt(prompt.seat - 1, prompt.goods - good))
    return state


RULES: Final[Mapping[type[Step], Rule[Any, Any]]] = MappingProxyType(
    {
        DealPrompt: by_chance(deal_weights, check_deal, deal, lacks_a_building),
        DraftPrompt: Rule(legal_drafts, check_draft, draft),
    }
)
"""The rules for the prompts of the setup, keyed by the type of prompt."""
