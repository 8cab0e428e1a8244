"""Forced actions: the only legal action at a prompt, and whether all players can infer it.

A program can play a forced action without asking the player. But if it plays a card automatically
because no other card is legal, the other players learn the hand. At any other prompt, a forced
action reveals nothing: either the legal actions follow from public information, or the player may
also decline, so that no action is forced.
"""

from __future__ import annotations

from typing import Final

from valletta_rules.actions import Action
from valletta_rules.agenda import PaymentPrompt, PlayPrompt
from valletta_rules.engine import legal_actions
from valletta_rules.state import Form, GameState
from valletta_rules.views.view import view


def only_answer(state: GameState | Form) -> Action | None:
    """Return the only legal action, or `None` if there is a choice or the game is over.

    The result can reveal hidden information. It is meant for searches, and for programs that play
    every forced action.
    """
    actions = legal_actions(state)
    return actions[0] if len(actions) == 1 else None


PLENTY: Final = 40
"""The maximum number of a player's goods for which a payment can be treated as forced."""


def public_answer(state: GameState) -> Action | None:
    """Return the only legal action, if all players can infer that it is the only one.

    Playing a card is forced only if all players know the hand. Paying is never treated as forced if
    the player has more than `PLENTY` goods, because listing the payments can take long.
    """
    prompt = state.prompt
    if isinstance(prompt, PaymentPrompt) and state.players[prompt.seat].goods.total > PLENTY:
        return None
    if isinstance(prompt, PlayPrompt):
        player = view(state, None).table.players[prompt.seat]
        if player.sure != state.players[prompt.seat].hand:
            return None
    return only_answer(state)
