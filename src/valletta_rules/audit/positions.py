"""The audit: everything that is impossible about a position.

A position that comes out of `valletta_rules.apply` needs no audit.  One that comes from outside,
or was put together by hand, may have lost a card, or have two owners on one site.  Whatever can be
told from the position alone is told, all of it at once; a position without a problem may
still be one that no game leads to, for nobody can tell how many goods a player should have.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import pairwise
from typing import Final, assert_never

import attrs

from valletta_rules.actions import DECLINE, sort_key
from valletta_rules.agenda import (
    ArchitectPrompt,
    ArtisanPrompt,
    BarrelPrompt,
    BonusPrompt,
    DealPrompt,
    DraftPrompt,
    DrawPrompt,
    EndTurn,
    MaidPrompt,
    MonkPrompt,
    NunPrompt,
    PassTurn,
    PaymentPrompt,
    PlayPrompt,
    Prompt,
    SeamstressPrompt,
    SitePrompt,
    Step,
    TraderPrompt,
    Turn,
    ValettePrompt,
)
from valletta_rules.card_sets.facts import Problem as CardSetProblem
from valletta_rules.card_sets.facts import validate
from valletta_rules.components.buildings import HOUSES_PER_PLAYER
from valletta_rules.components.card_set import CardSet
from valletta_rules.components.characters import CHARACTERS, STARTING_CHARACTERS, Character, Colour
from valletta_rules.components.display import QUOTAS, SITES, SiteSet
from valletta_rules.components.goods import GOODS, NOTHING, ONE_OF_EACH, Goods
from valletta_rules.components.street import LAST_SPACE, TOWER
from valletta_rules.components.values import Value
from valletta_rules.engine import RULES, check, legal_actions
from valletta_rules.outcome import Outcome
from valletta_rules.rulebook.blue import CARD_REDUCTION, gives_monk, has_icons
from valletta_rules.rulebook.building import (
    CONSTRUCTION_BONUS,
    building_price,
    can_pay,
    upgrade_price,
)
from valletta_rules.rulebook.final_phase import TRIGGERING_SCORE, end_conditions
from valletta_rules.rulebook.holdings import owner_of
from valletta_rules.rulebook.red import stands_for
from valletta_rules.rulebook.scoring import winners
from valletta_rules.rulebook.setup import (
    GENERAL_SUPPLY,
    STAGGERED_PLAYS,
    STARTING_DECK,
    first_turns,
)
from valletta_rules.rulebook.turn import HAND_SIZE, PLAYS_PER_TURN
from valletta_rules.rulebook.valette import barrel_spaces
from valletta_rules.state import GameState, Phase, Player
from valletta_rules.views.view import PlayerView, determinize


@attrs.frozen
class Problem(Value):
    """Something that is impossible, and where."""

    path: str
    """Where it is, as in ``players[1].goods.wood``; empty if it is the value as a whole."""
    message: str
    """What is impossible, as a clause that can follow the place and a colon."""
    clause: str | None = None
    """The id of the clause of the rulebook that is contradicted, if it is one."""

    def __str__(self) -> str:
        """Say where the problem is, what it is, and which clause it contradicts."""
        place = f"{self.path}: " if self.path else ""
        clause = f" [{self.clause}]" if self.clause is not None else ""
        return f"{place}{self.message}{clause}"


Problems = Iterator[Problem]
"""What a check finds."""


def problems_of(state: GameState) -> tuple[Problem, ...]:
    """Return everything that is impossible about a position; nothing if no problem can be told.

    Takes a position whose fields have the types declared.  Where parts do not even fit
    together (five players, a house on a site that the display has not), only that is returned.
    Every position that a game can reach has no problem.
    """
    if misfits := tuple(_misfits(state)):
        return misfits
    problems = tuple(problem for find in _CHECKS for problem in find(state))
    return problems or tuple(_asked_in_vain(state))


# Parts that do not fit together


def _misfits(state: GameState) -> Problems:
    """Find what keeps the parts of a position from being compared with one another."""
    count, sites = len(state.players), len(state.display)
    if count not in QUOTAS:
        yield Problem("players", f"Valletta is for 2, 3 or 4 players, not {count}", "SET-1")
    elif sites > SITES[count]:
        message = f"{count} players have {SITES[count]} sites, not {sites}"
        yield Problem("display", message, "SET-8")
    if not 0 <= state.active < count:
        yield Problem("active", f"there is no seat {state.active}", "SET-2")
    if not TOWER <= state.valette <= LAST_SPACE:
        yield Problem("valette", f"the street has no space {state.valette}", "CMP-13")
    for path, houses in _site_sets(state):
        if not 0 <= houses.mask < 1 << sites:
            yield Problem(path, "there is a site that the display does not have", "BLD-29")


def _site_sets(state: GameState) -> Iterator[tuple[str, SiteSet]]:
    """Run through the sets of sites of a position and where they are."""
    for seat, player in enumerate(state.players):
        yield f"players[{seat}].built", player.built
        yield f"players[{seat}].upgraded", player.upgraded


# Edition, card set and display


def _variant(state: GameState) -> Problems:
    if state.rules.fewer_barrels and len(state.players) != 2:
        message = f"this variant is for 2 players, not {len(state.players)}"
        yield Problem("rules.fewer_barrels", message, "SET-7")


def _cards(state: GameState) -> Problems:
    for fault in faults_of(state.cards):
        building = "" if fault.building is None else f".buildings[{fault.building - 1}]"
        cell = f".{fault.cell}" if fault.cell else ""
        yield Problem(f"cards{building}{cell}", fault.message, fault.clause)


@lru_cache(maxsize=16)
def faults_of(cards: CardSet) -> tuple[CardSetProblem, ...]:
    """Return what is wrong with a card set, found once for all positions it is used in."""
    return validate(cards)


def _display(state: GameState) -> Problems:
    dealt = Counter[str]()
    for site, building in enumerate(state.display):
        dealt[building.code] += 1
        if building not in state.cards.buildings:
            message = f"the card set has no such building {building.code}"
            yield Problem(f"display[{site}]", message, "SET-9")
        elif dealt[building.code] > building.copies:
            message = f"{building.code} lies there {dealt[building.code]} times"
            message += f", and the card set has it {building.copies} times"
            yield Problem(f"display[{site}]", message, "CMP-10")
    colours = Counter(building.colour for building in state.display)
    for colour, quota in QUOTAS[len(state.players)].items():
        if colours[colour] > quota:
            message = f"there are {colours[colour]} {colour} buildings, not {quota}"
            yield Problem("display", message, "SET-8")
    missing = SITES[len(state.players)] - len(state.display)
    if missing and state.phase is not Phase.SETUP:
        yield Problem("display", f"{missing} sites have no building", "SET-8")


# Goods, points, houses, barrels


def _goods(state: GameState) -> Problems:
    for seat, player in enumerate(state.players):
        for good, count in zip(GOODS, player.goods, strict=True):
            if count < 0:
                message = f"nobody has less than nothing, and this is {count}"
                yield Problem(f"players[{seat}].goods.{good}", message, "CMP-1")
    for good, count, all_of_it in zip(GOODS, state.barrels, state.cards.barrels, strict=True):
        if not 0 <= count <= all_of_it:
            message = f"of {all_of_it} barrels there cannot be {count} left"
            yield Problem(f"barrels.{good}", message, "CMP-18")


def _barrels(state: GameState) -> Problems:
    if state.rules.fewer_barrels and state.valette != TOWER and state.valette % 2 == 0:
        yield Problem("valette", f"space {state.valette} has no barrel to move to", "VAL-3")
    spaces = barrel_spaces(state.rules, len(state.players))
    reached = sum(space <= state.valette for space in spaces)
    reached -= sum(isinstance(step, BarrelPrompt) for step in state.agenda)
    revealed = state.cards.barrels.total - state.barrels.total
    if revealed != reached:
        message = f"Valette has come past {reached} revealed barrels, and {revealed} are gone"
        yield Problem("barrels", message, "VAL-5")


def _houses(state: GameState) -> Problems:
    for seat, player in enumerate(state.players):
        if len(player.built) > HOUSES_PER_PLAYER:
            message = f"a player has {HOUSES_PER_PLAYER} houses, not {len(player.built)}"
            yield Problem(f"players[{seat}].built", message, "CMP-19")
        for site in player.built:
            owner = owner_of(state, site)
            if owner != seat:
                message = f"site {site} carries a house of seat {owner} as well"
                yield Problem(f"players[{seat}].built", message, "BLD-3")
        for site in player.upgraded:
            if site not in player.built:
                message = f"the player has no house on site {site}"
                yield Problem(f"players[{seat}].upgraded", message, "BLD-15")


def _points(state: GameState) -> Problems:
    """Find points that nobody can have scored: without yellow cards there are only bonuses."""
    yellow = any(
        state.display[site].colour is Colour.YELLOW
        for player in state.players
        for site in player.built
    )
    for seat, player in enumerate(state.players):
        path, score = f"players[{seat}].score", player.score
        if score < 0:
            yield Problem(path, f"a score is never below zero, and this is {score}", "SET-19")
        elif not yellow:
            bonuses = len(player.built) + len(player.upgraded) if state.valette != TOWER else 0
            if score > CONSTRUCTION_BONUS * bonuses or score % CONSTRUCTION_BONUS:
                message = f"nothing here can have brought {score} points"
                yield Problem(path, message, "BLD-32")


# Cards


def _hands(state: GameState) -> Problems:
    for seat, player in enumerate(state.players):
        if len(player.hand) > HAND_SIZE:
            message = f"a hand holds {HAND_SIZE} cards at most, not {len(player.hand)}"
            yield Problem(f"players[{seat}].hand", message, "TRN-22")
        for character, count in player.shown.items():
            if count > player.hand.count(character):
                message = f"{character.english} is known to be in the hand and is not there"
                yield Problem(f"players[{seat}].shown", message)


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


def _card_count(state: GameState) -> Problems:
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
        yield Problem("", message, "CMP-7")
    if not lost:
        yield from _traded_cards(state)


def _traded_cards(state: GameState) -> Problems:
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
        yield Problem("", message, "VAL-8")


def _own_valette(state: GameState) -> Problems:
    for seat in state.seats:
        count = _cards_of(state, seat)[Character.VALETTE]
        if count != 1:
            message = f"every player owns one Valette all along, and this one {count}"
            yield Problem(f"players[{seat}]", message, "SET-14")


# What remains to be done


def _course(state: GameState) -> Problems:
    """Find what does not go with the part of the game, and an agenda that cannot be."""
    match state.phase:
        case Phase.SETUP:
            yield from _setup(state)
        case Phase.MAIN:
            yield from _turn(state)
            yield from _refilled(state)
            yield from _not_yet_triggered(state)
        case Phase.FINAL:
            yield from _turn(state)
            yield from _refilled(state)
            yield from _triggered(state)
        case Phase.OVER:
            yield from _over(state)
            yield from _triggered(state)
        case _:
            assert_never(state.phase)


def _compare(state: GameState, possible: Iterable[tuple[Step, ...]]) -> Problems:
    """Find the first step that makes an agenda differ from every possible one."""
    right = 0
    for agenda in possible:
        if agenda == state.agenda:
            return
        common = zip(agenda, state.agenda, strict=False)
        first = next((at for at, (one, other) in enumerate(common) if one != other), None)
        right = max(right, min(len(agenda), len(state.agenda)) if first is None else first)
    if right < len(state.agenda):
        message = f"{type(state.agenda[right]).__name__} cannot be what is to be done here"
        yield Problem(f"agenda[{right}]", message)
    else:
        yield Problem("agenda", "something is missing that must be done here")


def _setup(state: GameState) -> Problems:
    top = state.prompt
    seats = state.seats
    left = top.goods if isinstance(top, DraftPrompt) else NOTHING
    turns = first_turns(state.rules)
    last = seats[-1]
    draft: tuple[Step, ...] = (DraftPrompt(last, ONE_OF_EACH),) if state.rules.has_draft else ()
    draws = tuple(DrawPrompt(seat) for seat in seats)
    possible = [(DealPrompt(), *draws, *draft, *turns)]
    possible += [(*draws[seat:], *draft, *turns) for seat in seats]
    if draft:
        possible += [(DraftPrompt(seat, left), *turns) for seat in seats]
    yield from _compare(state, possible)
    missing = SITES[len(seats)] - len(state.display)
    if (missing > 0) is not isinstance(top, DealPrompt):
        yield Problem("display", f"{missing} sites have no building at this point", "SET-25")
    for path, is_there in (("active", state.active), ("valette", state.valette)):
        if is_there:
            yield Problem(path, f"nobody has moved yet, and this is {is_there}", "SET-21")
    if state.played:
        yield Problem("played", "nobody has played a card yet", "SET-1")
    for seat, player in enumerate(state.players):
        yield from _fresh(seat, player)
        yield from _opening_hand(top, seat, player)
    yield from _drafted(state, top)


def _fresh(seat: int, player: Player) -> Problems:
    """Find what a player cannot have before his first turn."""
    for name, thing in (
        ("discard_pile", player.discard_pile),
        ("built", player.built),
        ("upgraded", player.upgraded),
        ("score", player.score),
        ("shown", player.shown),
    ):
        if thing:
            yield Problem(f"players[{seat}].{name}", "this player has had no turn yet", "SET-18")


def _opening_hand(top: Prompt | None, seat: int, player: Player) -> Problems:
    """Find an opening hand with too few or too many cards: they are drawn seat by seat."""
    match top:
        case DealPrompt():
            sizes = range(1)
        case DrawPrompt(drawing) if drawing < seat:
            sizes = range(1)
        case DrawPrompt(drawing) if drawing == seat:
            sizes = range(HAND_SIZE)
        case _:
            sizes = range(HAND_SIZE, HAND_SIZE + 1)
    if len(player.hand) not in sizes:
        message = f"this hand cannot hold {len(player.hand)} cards at this point"
        yield Problem(f"players[{seat}].hand", message, "SET-15")


def _drafted(state: GameState, top: Prompt | None) -> Problems:
    """Find goods that do not come out of the set of one good each that goes round."""
    left = ONE_OF_EACH
    for seat in reversed(state.seats):
        extra = state.players[seat].goods - ONE_OF_EACH
        took = isinstance(top, DraftPrompt) and seat > top.seat
        if extra.total != took or min(extra) < 0 or not left.covers(extra):
            message = f"{state.players[seat].goods} cannot be what is owned at this point"
            yield Problem(f"players[{seat}].goods", message, "SET-22" if took else "SET-20")
        else:
            left -= extra
    if isinstance(top, DraftPrompt) and top.goods != left:
        yield Problem("agenda[0].goods", f"{left} must be left of the set", "SET-22")


def _over(state: GameState) -> Problems:
    yield from _compare(state, [()])
    if state.played:
        yield Problem("played", "the game is over", "FIN-16")
    for seat, player in enumerate(state.players):
        for name, cards in (("hand", player.hand), ("draw_pile", player.draw_pile)):
            if cards:
                message = "the game is over, and no card can be left to play"
                yield Problem(f"players[{seat}].{name}", message, "FIN-16")


def _triggered(state: GameState) -> Problems:
    if not end_conditions(state):
        message = f"no condition for the final phase is fulfilled, and this is {state.phase}"
        yield Problem("phase", message, "FIN-4")


def _not_yet_triggered(state: GameState) -> Problems:
    """Find a final phase that should have begun: only this turn can have triggered it."""
    for seat, player in enumerate(state.players):
        if seat != state.active or _is_fresh_turn(state):
            if player.score >= TRIGGERING_SCORE:
                message = "the final phase should have begun with this score"
                yield Problem(f"players[{seat}].score", message, "FIN-2")
            if len(player.built) >= HOUSES_PER_PLAYER:
                message = "the final phase should have begun with the eighth house"
                yield Problem(f"players[{seat}].built", message, "FIN-3")
    moved = Character.VALETTE in state.played or isinstance(state.prompt, DrawPrompt)
    if state.valette == LAST_SPACE and not moved:
        yield Problem("valette", "the final phase should have begun on this space", "FIN-1")


def _is_fresh_turn(state: GameState) -> bool:
    return isinstance(state.prompt, PlayPrompt) and not state.played


def _refilled(state: GameState) -> Problems:
    """Find hands that have not been refilled as far as they could be.

    During a turn the hand of its player has as many cards as he held at first, less those played
    and dismissed, and those gained on top.
    """
    for seat, player in enumerate(state.players):
        final = state.phase is Phase.FINAL
        was_full = bool(player.draw_pile or (player.discard_pile and not final))
        fewest = HAND_SIZE if was_full else 0
        most = HAND_SIZE
        if seat == state.active:
            if isinstance(state.prompt, DrawPrompt):
                continue
            gains, losses = _gains_and_losses(state)
            fewest -= len(state.played) + losses
            most += gains - len(state.played)
        if not fewest <= len(player.hand) <= most:
            message = f"this hand cannot hold {len(player.hand)} cards at this point"
            yield Problem(f"players[{seat}].hand", message, "TRN-17")


def _gains_and_losses(state: GameState) -> tuple[int, int]:
    """Return how many cards the player may have gained and dismissed this turn, at most."""
    played = state.played
    copied = [stands_for(state.rules, played[:at], card) for at, card in enumerate(played)]
    pending = [type(step) for step in state.agenda]
    gains = sum(card in _REDUCTIONS or card is Character.VALETTE for card in copied)
    gains -= any(each in pending for each in (SitePrompt, PaymentPrompt, ValettePrompt))
    losses = copied.count(Character.VALETTE) - (ValettePrompt in pending)
    return gains, losses


_REDUCTIONS: Final = {
    Character.BUILDER: NOTHING,
    Character.BRICKLAYER: Goods(brick=CARD_REDUCTION),
    Character.STONEMASON: Goods(stone=CARD_REDUCTION),
    Character.CARPENTER: Goods(wood=CARD_REDUCTION),
}
"""What the cards with which one builds take off a price."""


def _turn(state: GameState) -> Problems:
    if len(state.played) > PLAYS_PER_TURN:
        message = f"{PLAYS_PER_TURN} cards are played in a turn, not {len(state.played)}"
        yield Problem("played", message, "TRN-2")
    elif state.played and isinstance(state.prompt, DrawPrompt):
        yield Problem("played", "the played cards have been discarded at this point", "TRN-16")
    yield from _compare(state, _agendas_of_a_turn(state))
    if _is_first_turn(state):
        for seat in range(state.active + 1, len(state.players)):
            yield from _fresh(seat, state.players[seat])


def _is_first_turn(state: GameState) -> bool:
    """Tell whether the agenda shows that this is one of the staggered first turns."""
    if Turn(1, STAGGERED_PLAYS[1]) in state.agenda:
        return True
    plays = sum(step.plays for step in state.agenda if isinstance(step, PlayPrompt))
    return state.active == 1 and plays > 0 and len(state.played) + plays < PLAYS_PER_TURN


def _agendas_of_a_turn(state: GameState) -> Iterator[tuple[Step, ...]]:
    """Run through every agenda that is possible during a turn, as far as the cards played tell."""
    active = state.active
    staggered = state.rules.has_staggered_start and state.phase is Phase.MAIN
    refill = (DrawPrompt(active), PassTurn(active))
    yield refill
    if staggered and active == 0:
        yield (*refill, Turn(1, STAGGERED_PLAYS[1]))
    for plays in range(PLAYS_PER_TURN - len(state.played) + 1):
        total = len(state.played) + plays
        rest: tuple[Step, ...] = (EndTurn(active),)
        if plays:
            rest = (PlayPrompt(active, plays), *rest)
        if staggered and (active, total) == (0, STAGGERED_PLAYS[0]):
            rest = (*rest, Turn(1, STAGGERED_PLAYS[1]))
        elif total != PLAYS_PER_TURN and not (
            staggered and (active, total) == (1, STAGGERED_PLAYS[1])
        ):
            continue
        for effect in _effects_under_way(state):
            if effect or plays:
                yield (*effect, *rest)


def _effects_under_way(state: GameState) -> Iterator[tuple[Step, ...]]:
    """Run through what may be left to be done of the effect of the card played last."""
    yield ()
    if not state.played:
        return
    seat = state.active
    two_players = len(state.players) == 2
    card = stands_for(state.rules, state.played[:-1], state.played[-1])
    if card in _REDUCTIONS:
        yield (SitePrompt(seat, _REDUCTIONS[card]),)
        yield from _payments_under_way(state, _REDUCTIONS[card])
    elif card in _QUESTIONS:
        yield (_QUESTIONS[card](seat),)
    elif card is Character.VALETTE:
        yield (ValettePrompt(seat),)
        if state.valette in barrel_spaces(state.rules, len(state.players)):
            yield BarrelPrompt(seat), ValettePrompt(seat)
    elif card is Character.MONK:
        gifts = tuple(MonkPrompt(opponent, seat) for opponent in state.opponents_of(seat))
        bonus = (BonusPrompt(seat, card),) if two_players else ()
        for given in range(len(gifts) + 1):
            yield (*gifts[given:], *bonus)
    elif card in (Character.INNKEEPER, Character.TAX_COLLECTOR) and two_players:
        yield (BonusPrompt(seat, card),)


_QUESTIONS: Final[dict[Character | None, Callable[[int], Step]]] = {
    Character.MAID: MaidPrompt,
    Character.TRADER: TraderPrompt,
    Character.SEAMSTRESS: SeamstressPrompt,
    Character.ARTISAN: ArtisanPrompt,
    Character.NUN: NunPrompt,
    Character.ARCHITECT: ArchitectPrompt,
}
"""The cards that ask their player one question and nobody else."""


def _payments_under_way(state: GameState, reduction: Goods) -> Iterator[tuple[Step, ...]]:
    """Find the question for payment, if one is asked and its site and price are right."""
    top, seat = state.prompt, state.active
    if not isinstance(top, PaymentPrompt) or not 0 <= top.site < len(state.display):
        return
    player, owner = state.players[seat], owner_of(state, top.site)
    if owner is None and len(player.built) < HOUSES_PER_PLAYER:
        price = building_price(state, seat, top.site, reduction)
        yield (PaymentPrompt(seat, top.site, price),)
    elif owner == seat and top.site not in player.upgraded:
        yield (PaymentPrompt(seat, top.site, upgrade_price(state, top.site, reduction)),)


_CHECKS: Final[tuple[Callable[[GameState], Problems], ...]] = (
    _variant,
    _cards,
    _display,
    _goods,
    _barrels,
    _houses,
    _points,
    _hands,
    _card_count,
    _own_valette,
    _course,
)
"""The checks, each of which finds its problems on its own."""


def _asked_in_vain(state: GameState) -> Problems:
    """Find a question to which there is no answer, or none but to decline; it is never asked."""
    prompt = state.prompt
    match prompt:
        case None:
            return
        case PaymentPrompt():
            in_vain = not can_pay(state.players[prompt.seat].goods, prompt.price)
        case MonkPrompt():
            in_vain = not gives_monk(state, prompt)
        case ArtisanPrompt():
            in_vain = not has_icons(state, prompt.seat)
        case DrawPrompt():
            player = state.players[prompt.player]
            in_vain = len(player.hand) >= HAND_SIZE or not player.draw_pile
        case _:
            in_vain = RULES[type(prompt)].legal(state, prompt) in ((), (DECLINE,))
    if in_vain:
        message = f"{type(prompt).__name__} asks for something that cannot be done here"
        yield Problem("agenda[0]", message)


# Views and outcomes


def problems_of_view(view: PlayerView) -> tuple[Problem, ...]:
    """Return what is impossible about a view: what contradicts itself, or every position.

    Takes a view whose fields have the types declared.  It is compared with a position that agrees
    with it, so that the paths of what is found there begin with ``table`` or ``agenda``.
    """
    if problems := tuple(_contradictions(view)):
        return problems
    state = determinize(view, random.Random(0))
    if problems := problems_of(state):
        return tuple(
            attrs.evolve(problem, path=_in_view(problem.path)) if problem.path else problem
            for problem in problems
        )
    return tuple(_unfit_actions(view, state))


def _in_view(path: str) -> str:
    """Return where in a view a part of a position is seen."""
    return path if path.startswith("agenda") else f"table.{path}"


def _contradictions(view: PlayerView) -> Problems:
    """Find a viewer who is not there, and hands that cannot be drawn from the hidden cards."""
    if view.seat is not None and view.seat not in range(len(view.table.players)):
        yield Problem("seat", f"there is no seat {view.seat}")
    for seat, player in enumerate(view.table.players):
        path = f"table.players[{seat}]"
        if (player.hand is not None) is not (seat == view.seat):
            yield Problem(f"{path}.hand", "a player sees his own hand, and no other")
        hand = player.shown if player.hand is None else player.hand
        if not player.shown <= player.hidden or not hand <= player.hidden:
            yield Problem(f"{path}.hidden", "cards of the hand are not among them")
        elif not len(hand) <= player.hand_size <= len(player.hidden):
            yield Problem(f"{path}.hand_size", f"this hand cannot hold {player.hand_size} cards")
        elif player.hand is not None and len(player.hand) != player.hand_size:
            yield Problem(f"{path}.hand_size", f"this hand holds {len(player.hand)} cards")


def _unfit_actions(view: PlayerView, state: GameState) -> Problems:
    """Find legal actions that are not those of the viewer.

    Payments are checked one by one: some positions have far more of them than a view may list.
    """
    prompt, listed = state.prompt, view.legal_actions
    if prompt is None or prompt.seat is None or prompt.seat != view.seat:
        fit = listed == ()
    elif isinstance(prompt, PaymentPrompt):
        fit = (
            bool(listed)
            and all(check(state, action) is None for action in listed)
            and all(sort_key(one) < sort_key(other) for one, other in pairwise(listed))
        )
    else:
        fit = listed == legal_actions(state)
    if not fit:
        yield Problem("legal_actions", "these are not the viewer's legal actions")


def problems_of_outcome(outcome: Outcome) -> tuple[Problem, ...]:
    """Return what is impossible about an outcome: winners that the scores do not make so."""
    if len(outcome.scores) not in QUOTAS:
        message = f"Valletta is for 2, 3 or 4 players, not {len(outcome.scores)}"
        return (Problem("scores", message, "SET-1"),)
    for seat, score in enumerate(outcome.scores):
        if score.seat != seat:
            return (Problem(f"scores[{seat}].seat", f"must be {seat}, for this is its line"),)
    right = winners(outcome.scores)
    if outcome.winners != right.winners:
        return (Problem("winners", "these scores make others win", right.clause),)
    if outcome.clause != right.clause:
        return (Problem("clause", f"it is {right.clause} that decides between these scores"),)
    return ()
