"""The audit: everything that is impossible about a position.

A position that comes out of `valletta_rules.apply` needs no audit.  One that comes from outside,
or was put together by hand, may have lost a card, or have two owners on one site.  Whatever can be
told from the position alone is told, all of it at once; a position without a problem may
still be one that no game leads to, for nobody can tell how many goods a player should have.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Final

import attrs

from valletta_rules.agenda import (
    BarrelPrompt,
    ValettePrompt,
)
from valletta_rules.audit.codes import Impossible
from valletta_rules.audit.course import problems_of_the_course, problems_of_the_question
from valletta_rules.card_sets.facts import Misprint, validate
from valletta_rules.components.buildings import HOUSES_PER_PLAYER
from valletta_rules.components.card_set import CardSet
from valletta_rules.components.characters import CHARACTERS, STARTING_CHARACTERS, Character, Colour
from valletta_rules.components.display import QUOTAS, SITES, SiteSet
from valletta_rules.components.goods import GOODS
from valletta_rules.components.street import LAST_SPACE, TOWER
from valletta_rules.errors import Problem, problem
from valletta_rules.rulebook.building import (
    CONSTRUCTION_BONUS,
)
from valletta_rules.rulebook.holdings import owner_of
from valletta_rules.rulebook.setup import (
    GENERAL_SUPPLY,
    STARTING_DECK,
)
from valletta_rules.rulebook.turn import HAND_SIZE
from valletta_rules.rulebook.valette import barrel_spaces
from valletta_rules.state import GameState, Phase, need_position


def problems_of(state: GameState) -> tuple[Problem, ...]:
    """Return everything that is impossible about a position; nothing if no problem can be told.

    Takes a position whose fields have the types declared.  Where parts do not even fit
    together (five players, a house on a site that the display has not), only that is returned.
    Every position that a game can reach has no problem.  Raises `TypeError` for what is no
    position.
    """
    need_position(state)
    if misfits := tuple(_misfits(state)):
        return misfits
    problems = tuple(problem for find in _CHECKS for problem in find(state))
    return problems or tuple(problems_of_the_question(state))


def problems_of_cards(cards: CardSet) -> tuple[Problem, ...]:
    """Return everything about a card set that contradicts the rulebook.

    Takes any card set; the paths lead to its buildings and their values.
    """
    return tuple(map(_in_card_set, validate(cards)))


def _in_card_set(fault: Misprint) -> Problem:
    """Return what is wrong with a card set with its place in the value."""
    cell = "code" if fault.cell in ("letter", "design") else fault.cell
    building = "" if fault.building is None else f"buildings[{fault.building - 1}]"
    path = ".".join(filter(None, (building, cell)))
    return problem(path, Impossible.CARDS, fault.message, fault.clause)


# Parts that do not fit together


def _misfits(state: GameState) -> Iterator[Problem]:
    """Find what keeps the parts of a position from being compared with one another."""
    count, sites = len(state.players), len(state.display)
    if count not in QUOTAS:
        yield problem(
            "players",
            Impossible.PLAYER_COUNT,
            f"Valletta is for 2, 3 or 4 players, not {count}",
            "SET-1",
            players=count,
        )
    elif sites > SITES[count]:
        message = f"{count} players have {SITES[count]} sites, not {sites}"
        yield problem(
            "display", Impossible.SITE_COUNT, message, "SET-8", players=count, sites=sites
        )
    if not 0 <= state.active < count:
        yield problem(
            "active",
            Impossible.NO_SUCH_SEAT,
            f"there is no seat {state.active}",
            "SET-2",
            seat=state.active,
        )
    if not TOWER <= state.valette <= LAST_SPACE:
        yield problem(
            "valette",
            Impossible.NO_SUCH_SPACE,
            f"the street has no space {state.valette}",
            "CMP-13",
            space=state.valette,
        )
    for path, houses in _site_sets(state):
        if not 0 <= houses.mask < 1 << sites:
            yield problem(
                path,
                Impossible.NO_SUCH_SITE,
                "there is a site that the display does not have",
                "BLD-29",
            )


def _site_sets(state: GameState) -> Iterator[tuple[str, SiteSet]]:
    """Run through the sets of sites of a position and where they are."""
    for seat, player in enumerate(state.players):
        yield f"players[{seat}].built", player.built
        yield f"players[{seat}].upgraded", player.upgraded


# Edition, card set and display


def _variant(state: GameState) -> Iterator[Problem]:
    if state.rules.fewer_barrels and len(state.players) != 2:
        message = f"this variant is for 2 players, not {len(state.players)}"
        yield problem(
            "rules.fewer_barrels", Impossible.VARIANT, message, "SET-7", players=len(state.players)
        )


def _cards(state: GameState) -> Iterator[Problem]:
    for each in problems_of_cards(state.cards):
        yield attrs.evolve(each, path=f"cards.{each.path}")


def _buildings(state: GameState) -> Iterator[Problem]:
    dealt = Counter[str]()
    for site, building in enumerate(state.display):
        dealt[building.code] += 1
        if building not in state.cards.buildings:
            message = f"the card set has no such building {building.code}"
            yield problem(
                f"display[{site}]",
                Impossible.NO_SUCH_BUILDING,
                message,
                "SET-9",
                building=building.code,
            )
        elif dealt[building.code] > building.copies:
            message = f"{building.code} lies there {dealt[building.code]} times"
            message += f", and the card set has it {building.copies} times"
            yield problem(
                f"display[{site}]",
                Impossible.TOO_MANY_ALIKE,
                message,
                "CMP-10",
                building=building.code,
                copies=building.copies,
            )


def _display(state: GameState) -> Iterator[Problem]:
    colours = Counter(building.colour for building in state.display)
    for colour, quota in QUOTAS[len(state.players)].items():
        if colours[colour] > quota:
            message = f"there are {colours[colour]} {colour} buildings, not {quota}"
            yield problem(
                "display",
                Impossible.COLOUR_QUOTA,
                message,
                "SET-8",
                colour=colour,
                found=colours[colour],
                most=quota,
            )
    missing = SITES[len(state.players)] - len(state.display)
    if missing and state.phase is not Phase.SETUP:
        yield problem(
            "display",
            Impossible.SITES_EMPTY,
            f"{missing} sites have no building",
            "SET-8",
            sites=missing,
        )


# Goods, points, houses, barrels


def _goods(state: GameState) -> Iterator[Problem]:
    for seat, player in enumerate(state.players):
        for good, count in zip(GOODS, player.goods, strict=True):
            if count < 0:
                message = f"nobody has less than nothing, and this is {count}"
                yield problem(
                    f"players[{seat}].goods.{good}",
                    Impossible.NEGATIVE,
                    message,
                    "CMP-1",
                    good=good,
                    found=count,
                )
    for good, count, all_of_it in zip(GOODS, state.barrels, state.cards.barrels, strict=True):
        if not 0 <= count <= all_of_it:
            message = f"of {all_of_it} barrels there cannot be {count} left"
            yield problem(
                f"barrels.{good}",
                Impossible.BARRELS_LEFT,
                message,
                "CMP-18",
                good=good,
                found=count,
                most=all_of_it,
            )


def _barrels(state: GameState) -> Iterator[Problem]:
    if state.rules.fewer_barrels and state.valette != TOWER and state.valette % 2 == 0:
        yield problem(
            "valette",
            Impossible.NO_BARREL_HERE,
            f"space {state.valette} has no barrel to move to",
            "VAL-3",
            space=state.valette,
        )
    spaces = barrel_spaces(state.rules, len(state.players))
    reached = sum(space <= state.valette for space in spaces)
    reached -= sum(isinstance(step, BarrelPrompt) for step in state.agenda)
    revealed = state.cards.barrels.total - state.barrels.total
    if revealed != reached:
        message = f"Valette has come past {reached} revealed barrels, and {revealed} are gone"
        yield problem(
            "barrels",
            Impossible.BARRELS_REVEALED,
            message,
            "VAL-5",
            reached=reached,
            revealed=revealed,
        )


def _houses(state: GameState) -> Iterator[Problem]:
    for seat, player in enumerate(state.players):
        if len(player.built) > HOUSES_PER_PLAYER:
            message = f"a player has {HOUSES_PER_PLAYER} houses, not {len(player.built)}"
            yield problem(
                f"players[{seat}].built",
                Impossible.TOO_MANY_HOUSES,
                message,
                "CMP-19",
                found=len(player.built),
                most=HOUSES_PER_PLAYER,
            )
        for site in player.built:
            owner = owner_of(state, site)
            if owner != seat:
                message = f"site {site} carries a house of seat {owner} as well"
                yield problem(
                    f"players[{seat}].built",
                    Impossible.SITE_SHARED,
                    message,
                    "BLD-3",
                    site=site,
                    owner=owner,
                )
        for site in player.upgraded:
            if site not in player.built:
                message = f"the player has no house on site {site}"
                yield problem(
                    f"players[{seat}].upgraded", Impossible.NOT_BUILT, message, "BLD-15", site=site
                )


def _points(state: GameState) -> Iterator[Problem]:
    """Find points that nobody can have scored: without yellow cards there are only bonuses."""
    yellow = any(
        state.display[site].colour is Colour.YELLOW
        for player in state.players
        for site in player.built
    )
    for seat, player in enumerate(state.players):
        path, score = f"players[{seat}].score", player.score
        if score < 0:
            yield problem(
                path,
                Impossible.NEGATIVE,
                f"a score is never below zero, and this is {score}",
                "SET-19",
                found=score,
            )
        elif not yellow:
            bonuses = len(player.built) + len(player.upgraded) if state.valette != TOWER else 0
            if score > CONSTRUCTION_BONUS * bonuses or score % CONSTRUCTION_BONUS:
                message = f"nothing here can have brought {score} points"
                yield problem(path, Impossible.SCORE, message, "BLD-32", found=score)


# Cards


def _hands(state: GameState) -> Iterator[Problem]:
    for seat, player in enumerate(state.players):
        if len(player.hand) > HAND_SIZE:
            message = f"a hand holds {HAND_SIZE} cards at most, not {len(player.hand)}"
            yield problem(
                f"players[{seat}].hand",
                Impossible.HAND_SIZE,
                message,
                "TRN-22",
                found=len(player.hand),
                most=HAND_SIZE,
            )
        for character, count in player.shown.items():
            if count > player.hand.count(character):
                message = f"{character.english} is known to be in the hand and is not there"
                yield problem(
                    f"players[{seat}].shown", Impossible.SHOWN_CARD, message, character=character
                )


def _cards_of(state: GameState, seat: int) -> Counter[Character]:
    """Count the cards of a player, those just played included."""
    player = state.players[seat]
    cards = Counter(dict(player.hand.items()))
    cards.update(dict(player.draw_pile.items()))
    cards.update(dict(player.discard_pile.items()))
    if seat == state.active:
        cards.update(state.played)
    return cards


def _brought_by_houses(state: GameState, seat: int) -> Counter[Character]:
    """Count the characters that have come to a player with his buildings."""
    return Counter(state.display[site].character for site in state.players[seat].built)


def _card_count(state: GameState) -> Iterator[Problem]:
    """Find cards that have appeared or disappeared, or gone from deck to deck too often."""
    there = Counter(dict(state.supply.items()))
    belong = Counter(dict(GENERAL_SUPPLY.items()))
    for seat in state.seats:
        there.update(_cards_of(state, seat))
        belong.update(dict(STARTING_DECK.items()))
        belong.update(_brought_by_houses(state, seat))
    lost = [character for character in CHARACTERS if there[character] != belong[character]]
    for character in lost:
        message = f"there are {there[character]} {character.english} cards in all"
        message += f", where {belong[character]} belong"
        yield problem(
            "",
            Impossible.CARDS_LOST,
            message,
            "CMP-7",
            character=character,
            found=there[character],
            right=belong[character],
        )
    if not lost:
        yield from _traded_cards(state)


def _traded_cards(state: GameState) -> Iterator[Problem]:
    """Find cards that can only have been dismissed or hired more often than Valette was played."""
    if state.valette == LAST_SPACE:
        return
    plays = (state.valette + 1) // 2 if state.rules.fewer_barrels else state.valette
    plays -= sum(isinstance(step, ValettePrompt) for step in state.agenda)
    trades = 0
    for seat in state.seats:
        cards, brought = _cards_of(state, seat), _brought_by_houses(state, seat)
        for character in {*cards, *brought, *STARTING_CHARACTERS}:
            net = cards[character] - STARTING_DECK.count(character) - brought[character]
            trades += abs(net)
    if trades > max(0, plays):
        message = f"cards have been dismissed or hired {trades} times at least"
        message += f", and Valette's card allowed it {max(0, plays)} times"
        yield problem("", Impossible.TRADES, message, "VAL-8", found=trades, most=max(0, plays))


def _own_valette(state: GameState) -> Iterator[Problem]:
    for seat in state.seats:
        count = _cards_of(state, seat)[Character.VALETTE]
        if count != 1:
            message = f"every player owns one Valette all along, and this one {count}"
            yield problem(
                f"players[{seat}]", Impossible.ONE_VALETTE, message, "SET-14", found=count
            )


_CHECKS: Final[tuple[Callable[[GameState], Iterator[Problem]], ...]] = (
    _variant,
    _cards,
    _buildings,
    _display,
    _goods,
    _barrels,
    _houses,
    _points,
    _hands,
    _card_count,
    _own_valette,
    problems_of_the_course,
)
"""The checks, each of which finds its problems on its own."""
