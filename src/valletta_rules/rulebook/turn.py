"""A turn: playing three cards one by one, discarding them, and refilling the hand."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Any, Final

from valletta_rules.actions import DRAW, PLAY, PLAY_IN_VAIN, DrawCard, PlayCard
from valletta_rules.agenda import Agenda, DrawPrompt, EndTurn, PassTurn, PlayPrompt, Step, Turn
from valletta_rules.components import CardBag, Character
from valletta_rules.errors import Code, Violation, violation
from valletta_rules.events import (
    CardCopied,
    CardDrawn,
    CardPlayed,
    EffectFizzled,
    Log,
    PlayedCardsDiscarded,
    Reshuffled,
    TurnBegan,
)
from valletta_rules.rulebook import final_phase, red
from valletta_rules.rulebook.card_effects import CARD_EFFECTS, STAKES
from valletta_rules.rulebook.effects import Declining, Rule, by_chance, decline
from valletta_rules.state import GameState, Phase

PLAYS_PER_TURN: Final = 3
"""The number of cards played in a turn.

Rules: TRN-2
"""

HAND_SIZE: Final = 5
"""The number of cards up to which a hand is refilled.

Rules: TRN-17
"""


def begin_turn(state: GameState, step: Turn, rest: Agenda, log: Log) -> GameState:
    """Begin a turn: put the prompt to play a card, and the end of the turn, on the agenda.

    Rules: TRN-1, TRN-2
    """
    if log is not None:
        log.append(TurnBegan(step.seat, step.plays))
    return state.replace(
        active=step.seat,
        phase=Phase.MAIN if state.phase is Phase.SETUP else state.phase,
        agenda=_steps_of_a_turn(step.seat, step.plays) + rest,
    )


@cache
def _steps_of_a_turn(seat: int, plays: int) -> Agenda:
    return PlayPrompt(seat, plays), EndTurn(seat)


# Playing a card


def legal_plays(state: GameState, prompt: PlayPrompt) -> tuple[PlayCard, ...]:
    """Return the legal plays of each kind of card: with its effect, and without it if allowed.

    Rules: TRN-2, TRN-3, TRN-4, TRN-8, TRN-9
    """
    seat, plays = prompt.seat, []
    stakes = STAKES[state.rules.effects]
    for character in state.players[seat].hand.kinds():
        plays.append(PLAY[character])
        is_candidate = character in stakes or character is Character.APPRENTICE
        if is_candidate and may_play_in_vain(state, seat, character):
            plays.append(PLAY_IN_VAIN[character])
    return tuple(plays)


def may_play_in_vain(state: GameState, seat: int, character: Character) -> bool:
    """Return whether a card may be played without its effect. An Apprentice has the copied effect.

    Rules: TRN-8, TRN-9, TRN-11, TRN-12, RED-5, RED-17, GRN-9
    """
    copied = red.stands_for(state.rules, state.played, character)
    stake = STAKES[state.rules.effects].get(copied)
    return stake is not None and stake(state, seat)


def check_play(state: GameState, prompt: PlayPrompt, action: PlayCard) -> Violation | None:
    """Return the violation if the card, or declining its effect, is not allowed, else `None`.

    Rules: TRN-3, TRN-7, TRN-8, TRN-10, TRN-14, RED-17, VAL-2
    """
    character = action.character
    if not state.players[prompt.seat].hand.count(character):
        message = f"{character.english} is not in the player's hand"
        return violation("TRN-3", Code.CARD_NOT_IN_HAND, message, character=character)
    if action.use_effect or may_play_in_vain(state, prompt.seat, character):
        return None
    copied = red.stands_for(state.rules, state.played, character)
    name = character.english
    if copied is None or not CARD_EFFECTS[copied].can_do_something(state, prompt.seat):
        message = f"{name} can do nothing here, so that there is no effect to decline"
        return violation("TRN-14", Code.NO_EFFECT_TO_DECLINE, message, character=character)
    effect = CARD_EFFECTS[copied]
    if effect.declining is Declining.AT_ITS_CHOICE or not effect.stake(state, prompt.seat):
        message = f"{name}'s effect is declined, if at all, when its choice is made"
        return violation("TRN-10", Code.NO_EFFECT_TO_DECLINE, message, character=character)
    message = f"{name}'s effect must be carried out"
    clause = "VAL-2" if copied is Character.VALETTE else "TRN-7"
    return violation(clause, Code.EFFECT_COMPULSORY, message, character=character)


def play(state: GameState, prompt: PlayPrompt, action: PlayCard, log: Log) -> GameState:
    """Move a card from the hand to the player's board and carry out its effect.

    The next card of the turn is played after all prompts of the effect.

    Rules: TRN-2, TRN-5, TRN-7, TRN-13, TRN-14, TRN-15, RED-16
    """
    seat, character = prompt.seat, action.character
    copied = red.stands_for(state.rules, state.played, character)
    state = put_down(state, prompt, character, log)
    if copied is None:
        return fizzle(state, seat, character, log)
    effect = CARD_EFFECTS[copied]
    if not action.use_effect:
        return decline(state, seat, effect.permission if copied is character else "RED-17", log)
    if log is not None and copied is not character:
        log.append(CardCopied(seat, copied))
    if not effect.can_do_something(state, seat):
        return fizzle(state, seat, character, log)
    return effect.carry_out(state, seat, log)


def fizzle(state: GameState, seat: int, character: Character, log: Log) -> GameState:
    """Record that a played card has no effect. The card counts as played.

    Rules: TRN-14, TRN-15
    """
    if log is not None:
        log.append(EffectFizzled(seat, character))
    return state


def put_down(state: GameState, prompt: PlayPrompt, character: Character, log: Log) -> GameState:
    """Move a card from the hand to the next free space of the player's board.

    Rules: TRN-2, TRN-25
    """
    seat, plays = prompt.seat, prompt.plays
    if log is not None:
        log.append(CardPlayed(seat, character))
    rest = state.agenda[1:]
    if plays > 1:
        rest = _steps_of_a_turn(seat, plays - 1)[:1] + rest
    player = state.players[seat]
    return state.replace(
        players=state.players_with(seat, player.losing(character)),
        played=(*state.played, character),
        agenda=rest,
    )


def has_a_card(state: GameState, prompt: PlayPrompt) -> bool:
    """Return whether the player has a card to play. If the hand is empty, the turn ends early.

    Rules: TRN-4, TRN-6
    """
    return bool(state.players[prompt.seat].hand)


# The end of a turn


def end_turn(state: GameState, step: EndTurn, rest: Agenda, log: Log) -> GameState:
    """Discard the played cards and put the refill of the hand on the agenda.

    Rules: TRN-1, TRN-16
    """
    seat, player = step.seat, state.players[step.seat]
    if log is not None:
        log.append(PlayedCardsDiscarded(seat))
    discard_pile = player.discard_pile + CardBag.of(*state.played)
    state = state.replace(
        players=state.players_with(seat, player.replace(discard_pile=discard_pile)),
        played=(),
        agenda=_steps_of_a_refill(seat) + rest,
    )
    return reshuffle_if_wanted(state, seat, log)


@cache
def _steps_of_a_refill(seat: int) -> Agenda:
    return DrawPrompt(seat), PassTurn(seat)


def reshuffle_if_wanted(state: GameState, seat: int, log: Log) -> GameState:
    """Make the discard pile the draw pile if a card must be drawn and the draw pile is empty.

    The discard pile is not reshuffled at any other time, and never in the final phase.

    Rules: TRN-19, TRN-20, FIN-9
    """
    player = state.players[seat]
    if player.draw_pile or len(player.hand) >= HAND_SIZE or not player.discard_pile:
        return state
    if state.phase is Phase.FINAL:
        return state
    if log is not None:
        log.append(Reshuffled(seat))
    return state.with_player(seat, player.with_discard_pile_joined())


def draws_a_card(state: GameState, prompt: DrawPrompt) -> bool:
    """Return whether a card is drawn: the hand is not full, and the draw pile is not empty.

    Rules: TRN-17, TRN-21, TRN-22, FIN-10
    """
    player = state.players[prompt.player]
    return len(player.hand) < HAND_SIZE and bool(player.draw_pile)


def draw_weights(state: GameState, prompt: DrawPrompt) -> tuple[tuple[DrawCard, int], ...]:
    """Return a draw for each kind of card in the draw pile, weighted by the number of such cards.

    Rules: TRN-17, TRN-18, SET-15
    """
    pile = state.players[prompt.player].draw_pile
    return tuple((DRAW[card], count) for card, count in pile.items())


def check_draw(state: GameState, prompt: DrawPrompt, action: DrawCard) -> Violation | None:
    """Return the violation if a card cannot be drawn, else `None`.

    Rules: TRN-17
    """
    if state.players[prompt.player].draw_pile.count(action.character):
        return None
    message = f"no {action.character.english} is in the draw pile of seat {prompt.player}"
    return violation("TRN-17", Code.CARD_NOT_IN_PILE, message, character=action.character)


def draw(state: GameState, prompt: DrawPrompt, action: DrawCard, log: Log) -> GameState:
    """Move a card from the draw pile to the hand. The prompt is repeated until the hand is full.

    Rules: TRN-17, TRN-19, SET-15
    """
    if log is not None:
        log.append(CardDrawn(prompt.player, action.character))
    return draw_cards(state, prompt, CardBag.of(action.character), log)


def draw_cards(state: GameState, prompt: DrawPrompt, cards: CardBag, log: Log) -> GameState:
    """Move cards from the draw pile to the hand, at most `cards_wanted`.

    Rules: TRN-17, TRN-19
    """
    player = state.players[prompt.player]
    drawn = player.replace(hand=player.hand + cards, draw_pile=player.draw_pile - cards)
    return reshuffle_if_wanted(state.with_player(prompt.player, drawn), prompt.player, log)


def cards_wanted(state: GameState, prompt: DrawPrompt) -> int:
    """Return the number of cards to draw before the hand is full or the draw pile is empty.

    Rules: TRN-17
    """
    player = state.players[prompt.player]
    return min(HAND_SIZE - len(player.hand), len(player.draw_pile))


def pass_turn(state: GameState, step: PassTurn, rest: Agenda, log: Log) -> GameState:
    """Pass the turn clockwise to the next player who has a card in the hand.

    If an end condition is fulfilled, the final phase begins first. If no player has a card in the
    hand, the game ends. At the start of a game, the next turn may already be on the agenda.

    Rules: TRN-23, TRN-24, FIN-4, FIN-7, FIN-11, FIN-12, FIN-13, FIN-16
    """
    state = final_phase.begin_if_triggered(state, log)
    final_phase.record_dropping_out(state, step.seat, log)
    if rest:
        return state.replace(agenda=rest)
    for seat in (*state.opponents_of(step.seat), step.seat):
        if state.players[seat].hand:
            return begin_turn(state, Turn(seat, PLAYS_PER_TURN), rest, log)
    return final_phase.end(state, log)


RULES: Final[Mapping[type[Step], Rule[Any, Any]]] = MappingProxyType(
    {
        DrawPrompt: by_chance(draw_weights, check_draw, draw, draws_a_card),
        PlayPrompt: Rule(legal_plays, check_play, play, has_a_card),
    }
)
"""The rules for the prompts to play and to draw cards, keyed by the type of prompt."""
