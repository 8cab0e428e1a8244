"""The audit of agendas. It verifies that an agenda fits the phase and the played cards."""

from __future__ import annotations

from collections.abc import Iterator
from types import MappingProxyType
from typing import Any, Final, assert_never

from valletta_rules.agenda import (
    Agenda,
    DealPrompt,
    DraftPrompt,
    DrawPrompt,
    EndTurn,
    PassTurn,
    PaymentPrompt,
    PlayPrompt,
    SitePrompt,
    Turn,
    ValettePrompt,
)
from valletta_rules.audit.impossible import Impossible
from valletta_rules.components import LAST_SPACE, NOTHING, ONE_OF_EACH, TOWER, Character
from valletta_rules.errors import Problem
from valletta_rules.events import EndCondition
from valletta_rules.rulebook import building, card_effects, red, setup
from valletta_rules.rulebook.final_phase import end_conditions
from valletta_rules.rulebook.turn import HAND_SIZE, PLAYS_PER_TURN
from valletta_rules.state import GameState, Phase


def problems_of_the_course(state: GameState) -> Iterator[Problem]:
    """Yield problems if phase, agenda and other parts of a position contradict one another."""
    match state.phase:
        case Phase.SETUP:
            yield from _setup(state)
        case Phase.MAIN:
            yield from _turn(state)
            yield from _not_yet_triggered(state)
        case Phase.FINAL:
            yield from _turn(state)
            yield from _triggered(state)
        case Phase.OVER:
            yield from _over(state)
            yield from _triggered(state)
        case _:
            assert_never(state.phase)


def _compare(state: GameState, *possible: Agenda) -> Iterator[Problem]:
    """Yield a problem for the first step at which the agenda differs from all possible agendas."""
    agenda = state.agenda
    if agenda in possible:
        return
    lengths = range(max(map(len, possible)) + 1)
    right = max(at for at in lengths if any(each[:at] == agenda[:at] for each in possible))
    if right < len(agenda):
        step = type(agenda[right]).__name__
        yield Impossible.WRONG_STEP.at(f"agenda[{right}]", step=step)
    else:
        yield Impossible.STEP_MISSING.at("agenda")


def _none(flaw: Impossible, path: str, item: Any, *names: str) -> Iterator[Problem]:
    """Yield a problem for each attribute of `item` in `names` that is neither empty nor 0."""
    for name in names:
        if value := getattr(item, name):
            yield flaw.at(path + name, found=value)


# Setup


def _setup(state: GameState) -> Iterator[Problem]:
    yield from _compare(state, *_agendas_of_the_setup(state))
    yield from _none(Impossible.MOVED, "", state, "active", "valette")
    yield from _none(Impossible.TOO_EARLY, "", state, "played")
    for seat in state.seats:
        yield from _fresh(state, seat)
        yield from _hand(state, seat, Impossible.OPENING_HAND)
    yield from _drafted(state)


def _agendas_of_the_setup(state: GameState) -> Iterator[Agenda]:
    turns = setup.first_turns(state.rules)
    whole = setup.lay_table(len(state.players), state.rules, state.cards).agenda
    for done in range(len(whole) - len(turns)):
        yield whole[done:]
    if state.rules.has_draft:
        left = state.prompt.goods if isinstance(state.prompt, DraftPrompt) else NOTHING
        for seat in state.seats:
            yield DraftPrompt(seat, left), *turns


def _fresh(state: GameState, seat: int) -> Iterator[Problem]:
    """Yield a problem for each player field that should be empty before the first turn."""
    player = state.players[seat]
    names = ("discard_pile", "built", "upgraded", "score", "shown")
    return _none(Impossible.TOO_EARLY, f"players[{seat}].", player, *names)


def _drafted(state: GameState) -> Iterator[Problem]:
    """Yield a problem if the drafted goods cannot come from a set with one good of each kind."""
    top, left = state.prompt, ONE_OF_EACH
    for seat in reversed(state.seats):
        goods = state.players[seat].goods
        took, extra = isinstance(top, DraftPrompt) and seat > top.seat, goods - ONE_OF_EACH
        if extra.total != took or min(extra) < 0 or not left.covers(extra):
            flaw = Impossible.DRAFTED if took else Impossible.STARTING_GOODS
            yield flaw.at(f"players[{seat}].goods", found=goods)
        else:
            left -= extra
    if isinstance(top, DraftPrompt) and top.goods != left:
        yield Impossible.DRAFT_LEFT.at("agenda[0].goods", left=left)


# The final phase and the end


def _over(state: GameState) -> Iterator[Problem]:
    yield from _compare(state, ())
    yield from _none(Impossible.TOO_LATE, "", state, "played")
    for seat, player in enumerate(state.players):
        yield from _none(Impossible.TOO_LATE, f"players[{seat}].", player, "hand", "draw_pile")


def _triggered(state: GameState) -> Iterator[Problem]:
    if not end_conditions(state):
        yield Impossible.NOT_TRIGGERED.at("phase", phase=state.phase)


_CAUSES: Final = MappingProxyType({EndCondition.SCORE: "score", EndCondition.HOUSES: "built"})
"""A mapping from end conditions to the player fields on which they depend."""


def _not_yet_triggered(state: GameState) -> Iterator[Problem]:
    """Yield a problem for each end condition that was fulfilled before this turn.

    Such a condition would have started the final phase.
    """
    if not end_conditions(state):
        return
    turn_begins = isinstance(state.prompt, PlayPrompt) and not state.played
    for seat, player in enumerate(state.players):
        if seat != state.active or turn_begins:
            for condition in end_conditions(state.replace(players=(player,), valette=TOWER)):
                path = f"players[{seat}].{_CAUSES[condition]}"
                yield Impossible.TRIGGERED.at(path, condition=condition)
    moved = Character.VALETTE in state.played or isinstance(state.prompt, DrawPrompt)
    if state.valette == LAST_SPACE and not moved:
        yield Impossible.TRIGGERED.at("valette", condition=EndCondition.LAST_BARREL)


# Turns


def _turn(state: GameState) -> Iterator[Problem]:
    if isinstance(state.prompt, DrawPrompt):
        yield from _none(Impossible.NOT_DISCARDED, "", state, "played")
    if state.agenda not in _agendas_of_a_turn(state, PLAYS_PER_TURN):
        yield from _first_turn(state)
    for seat in state.seats:
        yield from _hand(state, seat, Impossible.HAND_SIZE)


def _first_turn(state: GameState) -> Iterator[Problem]:
    """Yield the problems of a turn with an agenda that is impossible after the first turns."""
    opening = tuple(_agendas_of_a_first_turn(state))
    yield from _compare(state, *_agendas_of_a_turn(state, PLAYS_PER_TURN), *opening)
    if state.agenda in opening:
        if not isinstance(state.prompt, DrawPrompt):
            path, player = f"players[{state.active}].", state.players[state.active]
            yield from _none(Impossible.TOO_EARLY, path, player, "discard_pile")
        for seat in range(state.active + 1, len(state.players)):
            yield from _fresh(state, seat)


def _agendas_of_a_first_turn(state: GameState) -> Iterator[Agenda]:
    if state.phase is Phase.MAIN:
        turns = setup.first_turns(state.rules)
        for at, turn in enumerate(turns):
            if turn.seat == state.active:
                yield from _agendas_of_a_turn(state, turn.plays, *turns[at + 1 :])


def _agendas_of_a_turn(state: GameState, plays: int, *later: Turn) -> Iterator[Agenda]:
    seat, left = state.active, plays - len(state.played)
    yield DrawPrompt(seat), PassTurn(seat), *later
    to_play = (PlayPrompt(seat, left),) if left > 0 else ()
    for effect in _effects_under_way(state):
        if left >= 0 and (to_play or effect):
            yield *effect, *to_play, EndTurn(seat), *later


def _effects_under_way(state: GameState) -> Iterator[Agenda]:
    """Yield every list of steps that may remain of the last played card's effect.

    A list is empty, or contains the last steps of the effect, or a payment for a chosen site.
    """
    yield ()
    if not state.played:
        return
    card = red.stands_for(state.rules, state.played[:-1], state.played[-1])
    if card is None:
        return
    effect, seat = card_effects.CARD_EFFECTS[card], state.active
    before = state.replace(valette=max(TOWER, state.valette - 1), agenda=())
    if effect.can_do_something(before, seat):
        steps = effect.carry_out(before, seat, None).agenda
        yield from (steps[done:] for done in range(len(steps)))
        for step in steps:
            if isinstance(step, SitePrompt):
                for site in building.legal_sites(state, step):
                    yield building.choose_site(before.doing_first(step), step, site, None).agenda


def _hand(state: GameState, seat: int, flaw: Impossible) -> Iterator[Problem]:
    if (size := len(state.players[seat].hand)) not in _hand_sizes(state, seat):
        yield flaw.at(f"players[{seat}].hand", found=size)


def _hand_sizes(state: GameState, seat: int) -> range:
    """Return the possible numbers of cards in a hand at this point.

    During a turn, the hand consists of the cards at the beginning of the turn, minus played and
    dismissed cards, plus gained cards.
    """
    player, played = state.players[seat], state.played
    match state.prompt:
        case DealPrompt():
            return range(1)
        case DrawPrompt(drawing) if drawing == seat:
            return range(HAND_SIZE)
        case DrawPrompt(drawing) if drawing < seat and state.phase is Phase.SETUP:
            return range(1)
    could_draw = player.draw_pile or (player.discard_pile and state.phase is not Phase.FINAL)
    least, most = HAND_SIZE if could_draw else 0, HAND_SIZE
    if seat == state.active:
        cards = [red.stands_for(state.rules, played[:at], card) for at, card in enumerate(played)]
        step_types = {type(step) for step in state.agenda}
        gains = sum(card in card_effects.REDUCTIONS or card is Character.VALETTE for card in cards)
        gains -= not step_types.isdisjoint((SitePrompt, PaymentPrompt, ValettePrompt))
        losses = cards.count(Character.VALETTE) - (ValettePrompt in step_types)
        least, most = least - len(played) - losses, most - len(played) + gains
    return range(least, most + 1)
