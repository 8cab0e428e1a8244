"""Red characters: formal statements of the clauses about them."""

from __future__ import annotations

from collections.abc import Sequence

from valletta_rules.actions import PlayCard
from valletta_rules.components.characters import Character, Colour
from valletta_rules.rulings import RuleSet

from . import Step, defines


@defines("RED-10", "RED-11", "RED-12", "RED-13", "RED-14")
def copied(rules: RuleSet, played: Sequence[Character]) -> Character | None:
    """Return the card whose effect an Apprentice performs after the cards of this turn."""
    for card in reversed(played):
        if card is not Character.APPRENTICE:
            return card if card.colour in (Colour.RED, Colour.GREEN) else None
        if rules.apprentice_colour is Colour.PURPLE:
            return None
    return None


def performs(step: Step) -> Character | None:
    """Return the card whose effect the play carries out, an Apprentice's copy included."""
    if not isinstance(step.action, PlayCard) or not step.action.use_effect:
        return None
    card = step.action.character
    is_copy = card is Character.APPRENTICE
    return copied(step.before.rules, step.before.played) if is_copy else card
