"""The automatic player, a fast bot with simple heuristics.

The heuristics value goods, buildings and cards in points, and do not depend on the values of a
particular card set.  The player uses only public information and its own hand.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from math import inf
from operator import attrgetter
from types import MappingProxyType
from typing import Final

import attrs

from valletta_rules import actions, agenda
from valletta_rules.components.bags import CardBag
from valletta_rules.components.buildings import HOUSES_PER_PLAYER
from valletta_rules.components.characters import CHARACTERS, STARTING_CHARACTERS, Character, Colour
from valletta_rules.components.display import NEIGHBOURS, column_of
from valletta_rules.components.goods import GOODS, NOTHING, ONE, Good, Goods
from valletta_rules.components.street import LAST_SPACE, area_of
from valletta_rules.engine import apply, check, legal_actions
from valletta_rules.rulebook import building, red
from valletta_rules.rulebook.card_effects import REDUCTIONS
from valletta_rules.rulebook.final_phase import TRIGGERING_SCORE
from valletta_rules.rulebook.houses_and_icons import icons, owner_of
from valletta_rules.state import GameState, Phase
from valletta_rules.views.player_information import cheapest_payment
from valletta_rules.views.view import PlayerView, asked_seat, determinize

C = Character

GATHERERS: Final = (C.SHOPKEEPER, C.LUMBERJACK, C.STONE_SCULPTOR, C.BRICK_WORKER)
"""The weak cards that the bot dismisses late in the game."""

STRENGTHS: Final = MappingProxyType(
    dict.fromkeys(CHARACTERS, 2.0)
    | {
        **dict.fromkeys((*GATHERERS, C.MAID, C.APPRENTICE, C.VALETTE), 0.5),
        **dict.fromkeys((*REDUCTIONS, C.NUN, C.SEAMSTRESS, C.KNIGHT), 3.0),
    }
)
"""The approximate worth of each card over a whole game, in points."""

STAGES: Final = MappingProxyType(
    {card: 2 if card.colour in red.COPIED_COLOURS else 1 for card in CHARACTERS}
    | {
        **{card: 4 for card in CHARACTERS if card.colour is Colour.YELLOW},
        **dict.fromkeys(REDUCTIONS, 3),
    }
)
"""The stage of a turn in which each card is played: goods first, then building, then scoring."""


class AutomaticBot:
    """The automatic player: a bot that uses simple heuristics and does not search."""

    def __init__(self, rng: random.Random) -> None:
        """Create a bot with its own random generator `rng`."""
        self._rng = rng

    def decide(self, view: PlayerView) -> actions.Action:
        """Return one of the legal actions of a view, whose viewer must answer.

        The hidden hands are sampled, but the action does not depend on them.  Raises `ValueError`
        if the viewer need not answer.
        """
        asked_seat(view)
        return choose(determinize(view, self._rng), self._rng)


def choose(state: GameState, rng: random.Random) -> actions.Action:
    """Return the action that the heuristics choose for the player who must answer.

    The action depends only on the position and on `rng`, which chooses between cards of about equal
    value.  Raises `ValueError` if the position has no prompt for a player.
    """
    prompt = state.prompt
    if isinstance(prompt, agenda.PlayPrompt):
        action = _play(state, prompt.seat, prompt.plays, rng)
    else:
        action = _answer(state)
    assert check(state, action) is None, f"{action!r} is illegal"
    return action


def _answer(state: GameState) -> actions.Action:
    """Return the answer to any prompt of a player except the prompt to play a card."""
    prompt = state.prompt
    if prompt is None or isinstance(prompt, agenda.ChancePrompt | agenda.PlayPrompt):
        raise ValueError("the position has no prompt for a player")
    goods, worth = state.players[prompt.seat].goods, worths(state, prompt.seat)
    match prompt:
        case agenda.SitePrompt(seat, reduction):
            offer = _best_candidate(state, seat, reduction)
            return actions.DECLINE if offer is None else offer.action
        case agenda.PaymentPrompt(_, _, price):
            return actions.Pay(cheapest_payment(price, goods))
        case agenda.ValettePrompt(seat):
            return _staff(state, seat)
        case agenda.SeamstressPrompt():
            *_, second, first = sorted(GOODS, key=worth.__getitem__)
            return actions.TakeGoods(ONE[first] + ONE[second])
        case agenda.ArtisanPrompt(seat):
            return actions.TAKE[max(GOODS, key=lambda good: worth[good] * icons(state, seat, good))]
        case _:
            return max(legal_actions(state), key=lambda action: _worth_of(action, worth))


def _worth_of(action: actions.Action, worth: Mapping[Good, float]) -> float:
    """Return the value of the good that the action takes, or minus the value of the good it gives.

    The value of any other action is minus infinity.
    """
    match action:
        case actions.DraftGood(good) | actions.TakeGood(good):
            return worth[good]
        case actions.GiveGood(good) | actions.ReturnGood(good):
            return -worth[good]
        case _:
            return -inf


def _staff(state: GameState, seat: int) -> actions.Action:
    """Return the action at Valette's prompt: hire, dismiss or decline.

    The bot hires a card for building if its deck has fewer than two of them.  In the final phase,
    it hires any card.  Late in the main phase, it dismisses `GATHERERS` while its deck is larger
    than at the start.
    """
    player = state.players[seat]
    deck = player.hand + player.draw_pile + player.discard_pile + CardBag.of(*state.played)
    is_final = state.phase is Phase.FINAL
    few = sum(card in REDUCTIONS for card in deck) < 2
    wanted = [card for card in state.supply.kinds() if is_final or (few and card in REDUCTIONS)]
    if wanted:
        return actions.HIRE[max(wanted, key=STRENGTHS.__getitem__)]
    weak = [card for card in GATHERERS if card in player.hand]
    is_late = not is_final and progress(state) > 0.4
    if weak and is_late and len(deck) > len(STARTING_CHARACTERS):
        return actions.DISMISS[weak[-1]]
    return actions.DECLINE


# Playing a card


def _play(state: GameState, seat: int, plays: int, rng: random.Random) -> actions.Action:
    """Return the action that plays the next card.

    The bot selects the best cards for this turn, and then plays the one with the earliest stage.
    Cards without a useful effect in this turn are selected last, weak cards before strong ones.
    The Apprentice is played after the best red or green card, unless the Apprentice gains more now.
    """
    worth, hand = worths(state, seat), state.players[seat].hand.kinds()
    gains = {card: _gain(state, seat, card, worth, plays) + rng.random() / 20 for card in hand}
    merits = {card: gain if gain > 0.1 else -STRENGTHS[card] for card, gain in gains.items()}
    models = (
        card for card in hand if card.colour in red.COPIED_COLOURS and card is not C.APPRENTICE
    )
    model = max(models, key=merits.__getitem__, default=C.APPRENTICE)
    if C.APPRENTICE in merits and plays > 1:
        merits[C.APPRENTICE] = max(merits[C.APPRENTICE], merits[model] - 0.1)
    picked = sorted(hand, key=merits.__getitem__)[-plays:]
    stages = {card: STAGES[card] for card in picked}
    if {model, C.APPRENTICE} <= stages.keys() and gains[model] > gains[C.APPRENTICE]:
        stages |= {model: 5, C.APPRENTICE: 6}
    card = min(picked, key=lambda card: (stages[card], gains[card]))
    in_vain = actions.PLAY_IN_VAIN[card]
    return in_vain if gains[card] < 0 and check(state, in_vain) is None else actions.PLAY[card]


def _gain(
    state: GameState, seat: int, card: Character, worth: Mapping[Good, float], plays: int
) -> float:
    """Return the approximate gain in points from playing a card in this turn.

    For a card that builds, each of the other cards of the turn is assumed to yield one good.  For
    all other cards except Valette, the engine computes the effect.
    """
    copied = red.stands_for(state.rules, state.played, card)
    if copied is C.VALETTE:
        return (0.0 if state.valette == LAST_SPACE else worth[Good.GOLD]) + progress(state) / 2
    if copied is not None and copied in REDUCTIONS:
        offer = _best_candidate(state, seat, REDUCTIONS[copied], coming=plays - 1)
        return 0.0 if offer is None else offer.gain
    after = apply(state, actions.PLAY[card])
    while not (
        after.prompt is None or isinstance(after.prompt, agenda.ChancePrompt | agenda.PlayPrompt)
    ):
        after = apply(after, _answer(after))
    player, goods = after.players[seat], after.players[seat].goods - state.players[seat].goods
    value = sum(worth[good] * count for good, count in zip(GOODS, goods, strict=True))
    return value + player.score - state.players[seat].score


# Values of goods and buildings


def progress(state: GameState) -> float:
    """Return the progress of the game towards the final phase, from 0 to 1."""
    if state.phase is Phase.FINAL:
        return 1.0
    best = max(player.score for player in state.players)
    houses = max(len(player.built) for player in state.players)
    parts = (state.valette / LAST_SPACE, best / TRIGGERING_SCORE, houses / HOUSES_PER_PLAYER)
    return min(1.0, max(parts))


def worths(state: GameState, seat: int) -> Mapping[Good, float]:
    """Return the worth in points of an additional good of each kind for a player.

    At the end of the game, three goods score a point.  Earlier a good is worth more, especially a
    good that the player needs for the most promising building.  The worth decreases with the number
    of goods of that kind.
    """
    goods, usual = state.players[seat].goods, _usual_worth(state) * (2 - progress(state))
    target = max(_candidates(state, seat, NOTHING), key=_MERIT, default=None)
    lacking = NOTHING if target is None else target.price.less(goods)
    return {
        good: usual * (1.6 if lacking[good] else 1.0) / (1 + 0.05 * goods[good]) for good in GOODS
    }


def _usual_worth(state: GameState) -> float:
    return 0.35 + 0.25 * (1 - progress(state))


@attrs.frozen
class _Candidate:
    """A building that the player considers building or upgrading."""

    gain: float
    """The gained points minus the value of the spent goods."""
    effort: int
    """The number of goods to pay, including goods that replace others."""
    price: Goods
    action: actions.Build | actions.Upgrade


_MERIT: Final = attrgetter("gain", "effort", "price")
"""The sort key of candidates; the candidate with the greatest key is the best."""


def _candidates(state: GameState, seat: int, reduction: Goods) -> Iterator[_Candidate]:
    """Yield all buildings that the player could build or upgrade with unlimited goods."""
    player, early, usual = state.players[seat], 1 - progress(state), _usual_worth(state)
    watched = area_of(state.valette)

    def offer(action: actions.Build | actions.Upgrade, price: Goods, extra: float) -> _Candidate:
        bonus = building.CONSTRUCTION_BONUS if column_of(action.site) == watched else 0
        effort = price.total + (building.SUBSTITUTES - 1) * price.less(player.goods).total
        points = state.display[action.site].points + bonus + extra
        return _Candidate(points - usual * effort, effort, price, action)

    if len(player.built) < HOUSES_PER_PLAYER:
        for site, card in enumerate(state.display):
            if owner_of(state, site) is None:
                strength = STRENGTHS[card.character] * max(early, 0.3)
                neighbours = (NEIGHBOURS[site] & ~player.built.mask).bit_count()
                price = building.building_price(state, seat, site, reduction)
                yield offer(actions.BUILD[site], price, strength + early * (0.5 + neighbours / 5))
    for site in player.built:
        if site not in player.upgraded:
            price = building.upgrade_price(state, site, reduction)
            yield offer(actions.UPGRADE[site], price, -early)


def _best_candidate(
    state: GameState, seat: int, reduction: Goods, coming: int = 0
) -> _Candidate | None:
    """Return the best affordable candidate, or `None` if no candidate has a positive gain.

    `coming` is the number of goods that the player is expected to get before building.
    """
    most = state.players[seat].goods.total + coming
    offers = _candidates(state, seat, reduction)
    good = (each for each in offers if each.gain > 0 and each.effort <= most)
    return max(good, key=_MERIT, default=None)
