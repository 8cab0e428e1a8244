"""The audit of positions.

A position from `valletta_rules.apply` needs no audit. A position that comes from outside, or was
constructed by hand, can lack a card or have a site with two owners. The audit reports all problems
that are visible in the position alone. A position without problems may still be impossible: for
example, the audit cannot know how many goods a player should have.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from operator import sub
from typing import Final

import attrs

from valletta_rules import agenda, engine, errors, rulings
from valletta_rules.audit.agendas import problems_of_the_course
from valletta_rules.audit.impossible import Impossible
from valletta_rules.card_sets.validation import validate
from valletta_rules.components.bags import EMPTY, CardBag
from valletta_rules.components.buildings import HOUSES_PER_PLAYER, Building
from valletta_rules.components.card_set import CardSet
from valletta_rules.components.characters import CHARACTERS, Character, Colour
from valletta_rules.components.display import QUOTAS, SITES, SiteSet
from valletta_rules.components.goods import GOODS
from valletta_rules.components.street import LAST_SPACE, ODD_SPACES, SPACES, TOWER
from valletta_rules.rulebook import houses_and_icons, setup, turn, valette
from valletta_rules.rulebook.building import CONSTRUCTION_BONUS
from valletta_rules.state import GameState, Player, need_position


def problems_of(state: GameState) -> tuple[errors.Problem, ...]:
    """Return the reasons why no game can produce a position; none if the audit finds no reason.

    The fields of `state` must have their declared types. If the rules cannot be applied at all
    (five players, or a house on a site that does not exist), only the problems that prevent it are
    returned. A position that a game can reach has no problem. Raises `TypeError` for any value that
    is not a position.
    """
    need_position(state)
    if misfits := tuple(_misfits(state)):
        return misfits
    problems = tuple(problem for find in _CHECKS for problem in find(state))
    return problems or tuple(_in_vain(state))


def _misfits(state: GameState) -> Iterator[errors.Problem]:
    """Yield the inconsistencies that would prevent the other checks."""
    count, sites, played = len(state.players), len(state.display), len(state.played)
    if count not in QUOTAS:
        yield Impossible.PLAYER_COUNT.at("players", players=count)
    elif sites > SITES[count]:
        yield Impossible.SITE_COUNT.at("display", players=count, found=sites, most=SITES[count])
    if state.rules.fewer_barrels and count != 2:
        yield Impossible.VARIANT.at("rules.fewer_barrels", players=count)
    if not 0 <= state.active < count:
        yield Impossible.NO_SUCH_SEAT.at("active", seat=state.active)
    if not TOWER <= state.valette <= LAST_SPACE:
        yield Impossible.NO_SUCH_SPACE.at("valette", space=state.valette)
    if played > turn.PLAYS_PER_TURN:
        yield Impossible.PLAYED_TOO_MANY.at("played", found=played, most=turn.PLAYS_PER_TURN)
    for each in validate(state.cards):
        yield attrs.evolve(each, path=f"cards.{each.path}")
    for site in _foreign_sites(state.display, state.cards):
        code = state.display[site].code
        yield Impossible.NO_SUCH_BUILDING.at(f"display[{site}]", building=code)
    for seat, player in enumerate(state.players):
        if not 0 <= player.built.mask | player.upgraded.mask < 1 << sites:
            for name in ("built", "upgraded"):
                if not 0 <= getattr(player, name).mask < 1 << sites:
                    yield Impossible.NO_SUCH_SITE.at(f"players[{seat}].{name}")
        bags = player.hand, player.draw_pile, player.discard_pile, player.shown
        if not all(map(CardBag.is_possible, bags)):
            for name in ("hand", "draw_pile", "discard_pile", "shown"):
                if not getattr(player, name).is_possible():
                    yield Impossible.NO_SUCH_CARDS.at(f"players[{seat}].{name}")
    if not state.supply.is_possible():
        yield Impossible.NO_SUCH_CARDS.at("supply")


@lru_cache(maxsize=64)
def _foreign_sites(display: tuple[Building, ...], cards: CardSet) -> tuple[int, ...]:
    """Return the sites with buildings that are not in the card set."""
    known = frozenset(cards.buildings)
    return tuple([site for site, building in enumerate(display) if building not in known])


def _in_vain(state: GameState) -> Iterator[errors.Problem]:
    """Yield a problem for a prompt that the engine would have skipped."""
    prompt = state.prompt
    if prompt is not None and not engine.RULES[type(prompt)].still_stands(state, prompt):
        yield Impossible.IN_VAIN.at("agenda[0]", prompt=type(prompt).__name__)


def _display(state: GameState) -> Iterator[errors.Problem]:
    yield from _dealt(state.rules, state.cards, state.display, len(state.players))
    missing = SITES[len(state.players)] - len(state.display)
    if missing and not isinstance(state.prompt, agenda.DealPrompt):
        yield Impossible.SITES_EMPTY.at("display", sites=missing)


@lru_cache(maxsize=64)
def _dealt(
    rules: rulings.RuleSet, cards: CardSet, display: tuple[Building, ...], players: int
) -> tuple[errors.Problem, ...]:
    """Return the problems of a display.

    They are cached, since the display is constant in a game.
    """
    return tuple(_too_many(GameState(rules, cards, display, (Player(),) * players)))


def _too_many(state: GameState) -> Iterator[errors.Problem]:
    for building, left in setup.left_of_cards(state).items():
        if left < 0:
            code, most = building.code, building.copies
            yield Impossible.TOO_MANY_ALIKE.at(
                "display", building=code, found=most - left, most=most
            )
    for colour, left in setup.left_of_quotas(state).items():
        if left < 0:
            most = QUOTAS[len(state.players)][colour]
            yield Impossible.COLOUR_QUOTA.at("display", colour=colour, found=most - left, most=most)


# Goods, points, houses, barrels


def _goods(state: GameState) -> Iterator[errors.Problem]:
    amounts = [state.barrels, *[player.goods for player in state.players]]
    if min(map(min, amounts)) >= 0 and state.cards.barrels.covers(state.barrels):
        return
    for good in GOODS:
        for seat, player in enumerate(state.players):
            if (amount := player.goods[good]) < 0:
                path = f"players[{seat}].goods.{good}"
                yield Impossible.GOODS_NEGATIVE.at(path, good=good, found=amount)
        left, most = state.barrels[good], state.cards.barrels[good]
        if not 0 <= left <= most:
            yield Impossible.BARRELS_LEFT.at(f"barrels.{good}", good=good, found=left, most=most)


def _barrels(state: GameState) -> Iterator[errors.Problem]:
    if state.valette != TOWER and state.valette not in _steps(state):
        yield Impossible.NO_BARREL_HERE.at("valette", space=state.valette)
    spaces = valette.barrel_spaces(state.rules, len(state.players))
    reached = bisect_right(spaces, state.valette) - _count_prompts(state, agenda.BarrelPrompt)
    revealed = state.cards.barrels.total - state.barrels.total
    if revealed != reached:
        yield Impossible.BARRELS_REVEALED.at("barrels", reached=reached, revealed=revealed)


def _steps(state: GameState) -> Sequence[int]:
    """Return the spaces of the street on which Valette can stop, in ascending order."""
    return ODD_SPACES if state.rules.fewer_barrels else SPACES


def _count_prompts(
    state: GameState, prompt: type[agenda.BarrelPrompt | agenda.ValettePrompt]
) -> int:
    """Return the number of prompts of the given type on the agenda."""
    return sum(isinstance(step, prompt) for step in state.agenda)


def _houses(state: GameState) -> Iterator[errors.Problem]:
    occupied = 0
    for seat, player in enumerate(state.players):
        built, upgraded = player.built.mask, player.upgraded.mask
        if (houses := built.bit_count()) > HOUSES_PER_PLAYER:
            path = f"players[{seat}].built"
            yield Impossible.TOO_MANY_HOUSES.at(path, found=houses, most=HOUSES_PER_PLAYER)
        if shared := built & occupied:
            for site in SiteSet(shared):
                path, owner = f"players[{seat}].built", houses_and_icons.owner_of(state, site)
                yield Impossible.SITE_SHARED.at(path, site=site, owner=owner)
        if upgraded & ~built:
            for site in SiteSet(upgraded & ~built):
                yield Impossible.NOT_BUILT.at(f"players[{seat}].upgraded", site=site)
        occupied |= built


def _points(state: GameState) -> Iterator[errors.Problem]:
    """Yield a problem for each impossible score.

    If no yellow building is built, points come only from the bonuses for construction.
    """
    built = [state.display[site] for player in state.players for site in player.built]
    yellow = any(building.colour is Colour.YELLOW for building in built)
    for seat, player in enumerate(state.players):
        score, bonuses = player.score, len(player.built) + len(player.upgraded)
        bonuses = 0 if state.valette == TOWER else bonuses
        if score < 0:
            yield Impossible.SCORE_NEGATIVE.at(f"players[{seat}].score", found=score)
        elif not yellow and (score > CONSTRUCTION_BONUS * bonuses or score % CONSTRUCTION_BONUS):
            yield Impossible.SCORE.at(f"players[{seat}].score", found=score)


# Cards


def _hands(state: GameState) -> Iterator[errors.Problem]:
    for seat, player in enumerate(state.players):
        if (size := len(player.hand)) > turn.HAND_SIZE:
            path = f"players[{seat}].hand"
            yield Impossible.HAND_TOO_LARGE.at(path, found=size, most=turn.HAND_SIZE)
        for character, count in () if player.shown <= player.hand else player.shown.items():
            if count > player.hand.count(character):
                yield Impossible.NOT_SHOWN.at(f"players[{seat}].shown", character=character)


def _most_trades(state: GameState) -> int:
    plays = bisect_right(_steps(state), state.valette) - _count_prompts(state, agenda.ValettePrompt)
    return max(0, plays)


def _cards(state: GameState) -> Iterator[errors.Problem]:
    """Yield problems for missing and surplus cards, and for too many exchanges with the supply."""
    present, belong, trades = [state.supply.counts()], [setup.GENERAL_SUPPLY.counts()], 0
    for seat, player in enumerate(state.players):
        played = CardBag.of(*state.played) if seat == state.active else EMPTY
        brought = CardBag.of(*[state.display[site].character for site in player.built])
        own = (player.hand, player.draw_pile, player.discard_pile, played)
        owned = _added([bag.counts() for bag in own])
        due = _added([setup.STARTING_DECK.counts(), brought.counts()])
        present.append(owned)
        belong.append(due)
        trades += sum(map(abs, map(sub, owned, due)))
        if (count := owned[Character.VALETTE.rank]) != 1:
            yield Impossible.ONE_VALETTE.at(f"players[{seat}]", found=count)
    all_present, all_that_belong = _added(present), _added(belong)
    for character, count, right in zip(CHARACTERS, all_present, all_that_belong, strict=True):
        if count != right:
            yield Impossible.CARDS_LOST.at("", character=character, found=count, right=right)
    is_whole, most = all_present == all_that_belong, _most_trades(state)
    if is_whole and trades > most and state.valette != LAST_SPACE:
        yield Impossible.TRADES.at("", found=trades, most=most)


def _added(counts: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    return tuple(map(sum, zip(*counts, strict=True)))


_CHECKS: Final[tuple[Callable[[GameState], Iterator[errors.Problem]], ...]] = (
    _display,
    _goods,
    _barrels,
    _houses,
    _points,
    _hands,
    _cards,
    problems_of_the_course,
)
"""The independent checks of a position."""
