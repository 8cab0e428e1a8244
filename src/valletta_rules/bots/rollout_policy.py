"""A fast rollout policy: it values each card and each site by itself, without any search.

It plays the cards that gain most, builders last, builds the most valuable buildings, hires good
characters, and keeps its goods balanced.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Final

from valletta_rules.actions import (
    DECLINE,
    PLAY,
    Action,
    Build,
    Decline,
    DraftGood,
    GiveGood,
    Hire,
    ReturnGood,
    TakeGood,
    Upgrade,
)
from valletta_rules.agenda import PlayPrompt, SitePrompt, ValettePrompt
from valletta_rules.bots.automatic import STAGES
from valletta_rules.bots.features import Owned, read
from valletta_rules.bots.turns import State, options
from valletta_rules.bots.value import Forecast, Income
from valletta_rules.components.characters import CHARACTERS
from valletta_rules.rulebook.characters import REDUCTIONS

SPREAD: Final = 0.5
"""By how many points a card may be worse and still be played sometimes."""

LEAST_WEALTH: Final = 4
"""With fewer goods, building is not considered."""

NEW_HOUSE: Final = 1.5
"""How many points a new building is worth for its later yield."""

EFFORT: Final = 0.35
"""How many points each good of a printed cost is worth."""

LEAST_GAIN: Final = -2.0
"""Buildings that gain less are not built."""

LEAST_MERIT: Final = 1.5
"""Characters worth less are not hired."""

_STAGES: Final = tuple([STAGES[card] for card in CHARACTERS])
_BUILDERS: Final = frozenset(card.rank for card in REDUCTIONS)


def quick_answer(state: State, forecast: Forecast, rng: random.Random) -> Action:
    """Return an action for the player who is asked, from public information and that player's hand.

    Takes the forecast of the game, and a generator that breaks ties.
    """
    prompt = state.prompt
    assert prompt is not None, "nobody is asked"
    assert prompt.seat is not None, "no player is asked"
    owned = read(state).players[prompt.seat]
    if isinstance(prompt, PlayPrompt):
        return _play(owned, prompt.plays, _yields(owned, forecast), rng)
    if len(actions := options(state)) == 1:
        return actions[0]
    if isinstance(prompt, SitePrompt):
        return max(actions, key=lambda action: _gain(action, forecast))
    if isinstance(prompt, ValettePrompt):
        return _staff(actions, _yields(owned, forecast))
    return max(actions, key=_evenness(owned, rng))


def _yields(owned: Owned, forecast: Forecast) -> Sequence[Income]:
    return forecast.yields(forecast.holdings(owned.built, owned.upgraded))


def _play(owned: Owned, plays: int, yields: Sequence[Income], rng: random.Random) -> Action:
    """Return the card to play first of those that gain most."""
    assert owned.hand is not None, "the hand is hidden"
    is_poor = sum(owned[3:7]) < LEAST_WEALTH
    ranked = list[tuple[float, int]]()
    for rank, count in enumerate(owned.hand.to_bytes(len(CHARACTERS), "little")):
        if count:
            brings = 0.0 if is_poor and rank in _BUILDERS else yields[rank].merit
            ranked += [(brings + SPREAD * rng.random(), rank)] * count
    ranked.sort(reverse=True)
    *_, first = min((_STAGES[rank], -merit, rank) for merit, rank in ranked[:plays])
    return PLAY[CHARACTERS[first]]


def _gain(action: Action, forecast: Forecast) -> float:
    """Return about how many points building or upgrading gains."""
    match action:
        case Build(site):
            card = forecast.display[site]
            return card.points + NEW_HOUSE - EFFORT * card.cost.total
        case Upgrade(site):
            card = forecast.display[site]
            return card.points - EFFORT * (card.cost.total - card.cost.gold)
        case _:
            return LEAST_GAIN


def _staff(actions: Sequence[Action], yields: Sequence[Income]) -> Action:
    """Hire the best character, if there is a good one, and dismiss nobody."""

    def merit(action: Action) -> float:
        return yields[action.character.rank].merit if isinstance(action, Hire) else LEAST_MERIT

    return max((DECLINE, *actions), key=merit)


def _evenness(owned: Owned, rng: random.Random) -> Callable[[Action], float]:
    """Return a key that prefers to take the scarcest goods and give the most plentiful."""
    stock = owned[3:7]

    def evenness(action: Action) -> float:
        match action:
            case TakeGood(good) | DraftGood(good):
                return -stock[good.rank]
            case GiveGood(good) | ReturnGood(good):
                return stock[good.rank]
            case Decline():
                return -1000
            case _:
                return rng.random()

    return evenness
