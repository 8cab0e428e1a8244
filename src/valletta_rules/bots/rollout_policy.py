"""A quick policy to play on with: it looks at each card and each site by itself, and tries nothing.

It plays what brings most, buildings last, builds what shows most, hires what is good, and evens its
goods out.
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
"""How many points two cards may be apart and yet the worse one be played, now and then."""

LEAST_WEALTH: Final = 4
"""With fewer goods nobody thinks of building."""

NEW_HOUSE: Final = 1.5
"""How many points a new building is worth for what it will bring."""

EFFORT: Final = 0.35
"""How many points each good of a printed cost is worth."""

LEAST_GAIN: Final = -2.0
"""What gains less is not built."""

LEAST_MERIT: Final = 1.5
"""Who is worth less is not hired."""

_STAGES: Final = tuple([STAGES[card] for card in CHARACTERS])
_BUILDERS: Final = frozenset(card.rank for card in REDUCTIONS)


def quick_answer(state: State, forecast: Forecast, rng: random.Random) -> Action:
    """Return an answer for the player who is asked, by that player's own hand.

    Takes the forecast of the game, and a generator that decides between what is alike.
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
    """Return the card to be played first of those that bring most."""
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
    """Return what prefers to take what there is least of, and to give what there is most of."""
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
