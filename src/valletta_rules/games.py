"""The creation of games from a number of players, a rule set and a card set."""

from __future__ import annotations

from typing import SupportsIndex

from valletta_rules.card_sets import validation
from valletta_rules.card_sets.files import RECONSTRUCTION, CardSetError
from valletta_rules.components import CardSet, abbreviated, whole
from valletta_rules.engine import begin
from valletta_rules.rulebook.setup import lay_table
from valletta_rules.rulings import HANS_IM_GLUECK, RuleSet
from valletta_rules.state import GameState


def new_game(
    players: SupportsIndex = 2, *, rules: RuleSet = HANS_IM_GLUECK, cards: CardSet = RECONSTRUCTION
) -> GameState:
    """Return the first position of a game, before the first building is dealt.

    `players` is the number of players, 2 to 4; `rules` is the rule set; `cards` is the card set.
    This function draws nothing at random: use `resolve_chance` to deal the buildings, or apply
    chance actions.

    Raises `PlayerCountError` for any other number of players, `VariantError` for a variant that the
    number of players does not allow, `CardSetError` for cards that contradict the rulebook, and
    `TypeError` for players, rules or cards of a wrong type.
    """
    count = whole(players, "players")
    if not isinstance(rules, RuleSet):
        raise TypeError(
            f"rules must be a RuleSet, not {type(rules).__name__}: {abbreviated(rules)}"
        )
    if not isinstance(cards, CardSet):
        raise TypeError(
            f"cards must be a CardSet, not {type(cards).__name__}: {abbreviated(cards)}"
        )
    if problems := validation.validate(cards):
        raise CardSetError(f"card set {abbreviated(cards.name)}", problems)
    return begin(lay_table(count, rules, cards))
