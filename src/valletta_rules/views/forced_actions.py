"""Forced actions: the only legal action at a prompt, and whether playing it reveals a secret.

A forced action could be played without asking the player. But if the only possible card were played
automatically, this would reveal the hand. Automatic answers to other prompts reveal nothing, since
their legal actions follow from public information. They depend on the hand only where the seat may
also decline, and then the action is not forced.
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

    The result can reveal hidden information. Use it in searches, and in programs that always play
    forced actions.
    """
    actions = legal_actions(state)
    return actions[0] if len(actions) == 1 else None


PLENTY: Final = 40
"""Payments are never treated as forced for a player with more than this number of goods."""


def public_answer(state: GameState) -> Action | None:
    """Return the only legal action, if all players can infer that it is the only one.

    Playing a card is forced only if all players know the hand. Payments of a player with more
    than `PLENTY` goods are never treated as forced, since listing all of them can take long.
    """
    prompt = state.prompt
    if isinstance(prompt, PaymentPrompt) and state.players[prompt.seat].goods.total > PLENTY:
        return None
    if isinstance(prompt, PlayPrompt):
        shown = view(state, None).table.players[prompt.seat]
        if shown.sure != state.players[prompt.seat].hand:
            return None
    return only_answer(state)
