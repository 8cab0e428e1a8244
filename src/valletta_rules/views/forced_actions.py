"""Forced actions: prompts with one legal action, and whether playing it reveals a secret.

A forced action needs no prompt.  But if only one card can be played, that fact reveals what the
hand holds.  No other prompt does this: its legal actions follow from public information, and from
the hand only where the seat may also decline, and so has a choice.
"""

from __future__ import annotations

from typing import Final

from valletta_rules.actions import Action
from valletta_rules.agenda import PaymentPrompt, PlayPrompt
from valletta_rules.engine import legal_actions
from valletta_rules.state import Form, GameState
from valletta_rules.views.view import view


def only_answer(state: GameState | Form) -> Action | None:
    """Return the only legal action; `None` if there is a choice or the game is over.

    It may reveal a secret: meant for searches, and for programs that never ask what is forced.
    """
    actions = legal_actions(state)
    return actions[0] if len(actions) == 1 else None


PLENTY: Final = 40
"""The number of goods from which on a player always chooses the payment."""


def public_answer(state: GameState) -> Action | None:
    """Return the only legal action, if all players can infer that it is the only one.

    A card is forced only if everybody knows the hand.  Whether there is another payment is not
    worked out for a player with plenty of goods, who may have very many.
    """
    prompt = state.prompt
    if isinstance(prompt, PaymentPrompt) and state.players[prompt.seat].goods.total > PLENTY:
        return None
    if isinstance(prompt, PlayPrompt):
        shown = view(state, None).table.players[prompt.seat]
        if shown.sure != state.players[prompt.seat].hand:
            return None
    return only_answer(state)
