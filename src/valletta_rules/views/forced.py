"""Forced answers: questions that have but one, and whether saying so tells a secret.

What follows by itself need not be asked.  But that a card is the only one that can be played tells
what the hand holds.  It is the only such question: what may be answered to every other one follows
from what lies open, and from the hand only of a seat that may decline, and so has a choice.
"""

from __future__ import annotations

from valletta_rules.actions import Action
from valletta_rules.agenda import PlayPrompt
from valletta_rules.engine import legal_actions
from valletta_rules.state import Form, GameState
from valletta_rules.views.view import view


def only_answer(state: GameState | Form) -> Action | None:
    """Return the answer to a question that has but one; `None` if there is a choice, or no end.

    It may be a secret: for searches, and for programs that are asked nothing else.
    """
    actions = legal_actions(state)
    return actions[0] if len(actions) == 1 else None


def public_answer(state: GameState) -> Action | None:
    """Return the answer to a question that has but one, if all at the table can tell that it has.

    A card is played by itself only out of a hand that everybody knows.
    """
    prompt = state.prompt
    if isinstance(prompt, PlayPrompt):
        shown = view(state, None).table.players[prompt.seat]
        if shown.sure != state.players[prompt.seat].hand:
            return None
    return only_answer(state)
