"""Events: what happens in a transition, as a sequence of typed values.

Every event names the clause of the rulebook that caused it.
"""

from __future__ import annotations

from enum import StrEnum
from typing import ClassVar

import attrs

from valletta_rules.components.buildings import BuildingCode
from valletta_rules.components.characters import Character
from valletta_rules.components.display import Seat, Site
from valletta_rules.components.goods import Good, Goods
from valletta_rules.components.limits import Count, Positive
from valletta_rules.components.street import Space
from valletta_rules.components.values import Value
from valletta_rules.errors import ClauseId
from valletta_rules.results import Outcome


class EndCondition(StrEnum):
    """One of the three conditions that trigger the final phase."""

    LAST_BARREL = "last_barrel"
    """Valette has reached the space with the last barrel."""
    SCORE = "score"
    """A player has 25 points or more."""
    HOUSES = "houses"
    """A player has built all eight houses."""


@attrs.frozen
class BuildingDealt(Value):
    """A building was dealt to a site of the display."""

    site: Site
    """The number of the site to which the building was dealt, counted from 0."""
    building: BuildingCode
    """The building's code."""

    clause: ClassVar[str] = "SET-11"


@attrs.frozen
class CardDrawn(Value):
    """A player drew a card. Only that player may know which card."""

    seat: Seat
    """The seat that drew the card."""
    character: Character
    """The card that was drawn."""

    clause: ClassVar[str] = "TRN-17"


@attrs.frozen
class Reshuffled(Value):
    """A player's discard pile became the draw pile because the draw pile was empty."""

    seat: Seat
    """The seat of the player."""

    clause: ClassVar[str] = "TRN-19"


@attrs.frozen
class GoodDrafted(Value):
    """A player took an extra good from the set that is passed around before the first turn."""

    seat: Seat
    """The seat that chose the good."""
    good: Good
    """The good that the player took."""

    clause: ClassVar[str] = "SET-22"


@attrs.frozen
class TurnBegan(Value):
    """A player's turn began. The player may play up to `plays` cards."""

    seat: Seat
    """The seat whose turn it is."""
    plays: Positive
    """The number of cards that the player may play."""

    clause: ClassVar[str] = "TRN-1"


@attrs.frozen
class CardPlayed(Value):
    """A player played a card."""

    seat: Seat
    """The seat that played the card."""
    character: Character
    """The card played."""

    clause: ClassVar[str] = "TRN-2"


@attrs.frozen
class CardCopied(Value):
    """An Apprentice began to carry out the effect of another card."""

    seat: Seat
    """The seat that played the Apprentice."""
    character: Character
    """The card that is copied."""

    clause: ClassVar[str] = "RED-10"


@attrs.frozen
class EffectDeclined(Value):
    """A player declined the effect of a card or the offer of a prompt."""

    seat: Seat
    """The seat that declined the effect or the offer."""
    clause: ClauseId
    """The clause that allows the player to decline."""


@attrs.frozen
class EffectFizzled(Value):
    """A played card had no effect, because its effect could not change anything."""

    seat: Seat
    """The seat that played the card."""
    character: Character
    """The card that was played."""

    clause: ClassVar[str] = "TRN-14"


@attrs.frozen
class GoodsTaken(Value):
    """A player took goods from the general supply."""

    seat: Seat
    """The seat that took the goods."""
    goods: Goods
    """The goods taken; never empty."""
    clause: ClauseId
    """The rulebook clause under which the goods were taken."""


@attrs.frozen
class GoodsReturned(Value):
    """A player returned goods to the general supply."""

    seat: Seat
    """The seat that returned the goods."""
    goods: Goods
    """The goods returned; never empty."""
    clause: ClauseId
    """The rulebook clause under which the goods were returned."""


@attrs.frozen
class GoodsGiven(Value):
    """A player gave goods to another player."""

    giver: Seat
    """The seat that gave the goods."""
    taker: Seat
    """The seat that received the goods."""
    goods: Goods
    """The goods given."""
    clause: ClauseId
    """The rulebook clause under which the goods were given."""


@attrs.frozen
class PointsScored(Value):
    """A player scored points."""

    seat: Seat
    """The seat that scored the points."""
    points: Count
    """The number of points."""
    clause: ClauseId
    """The rulebook clause under which the points were scored."""


@attrs.frozen
class Built(Value):
    """A player built a house on a site and took the character card that lay there."""

    seat: Seat
    """The seat that built the house."""
    site: Site
    """The site built on."""
    character: Character
    """The character card that the player took from the site into the hand."""

    clause: ClassVar[str] = "BLD-29"


@attrs.frozen
class Upgraded(Value):
    """A player upgraded a building."""

    seat: Seat
    """The seat that upgraded the building."""
    site: Site
    """The site of the building."""

    clause: ClassVar[str] = "BLD-30"


@attrs.frozen
class ValetteMoved(Value):
    """Valette moved along the street."""

    space: Space
    """The space that Valette reached, 1 to 25."""
    clause: ClauseId
    """The rulebook clause under which he moved."""


@attrs.frozen
class BarrelRevealed(Value):
    """A barrel was turned over and left the game."""

    good: Good
    """The good on the barrel."""

    clause: ClassVar[str] = "VAL-4"


@attrs.frozen
class Dismissed(Value):
    """A player dismissed a character to the character supply."""

    seat: Seat
    """The seat that dismissed the character."""
    character: Character
    """The card dismissed."""

    clause: ClassVar[str] = "VAL-10"


@attrs.frozen
class Hired(Value):
    """A player hired a character from the character supply."""

    seat: Seat
    """The seat that hired the character."""
    character: Character
    """The card hired."""

    clause: ClassVar[str] = "VAL-12"


@attrs.frozen
class PlayedCardsDiscarded(Value):
    """The cards played in the turn went to the player's discard pile."""

    seat: Seat
    """The seat whose turn ends."""

    clause: ClassVar[str] = "TRN-16"


@attrs.frozen
class FinalPhaseTriggered(Value):
    """A player fulfilled an end condition in the main phase."""

    seat: Seat
    """The seat that fulfilled the condition."""
    condition: EndCondition
    """The condition that is fulfilled."""
    clause: ClauseId
    """The clause that states the condition."""


@attrs.frozen
class FinalPhaseBegan(Value):
    """The final phase began: every discard pile was added to its draw pile."""

    clause: ClassVar[str] = "FIN-5"


@attrs.frozen
class PlayerDroppedOut(Value):
    """A player has no card left and takes no further turn."""

    seat: Seat
    """The seat that dropped out."""

    clause: ClassVar[str] = "FIN-11"


@attrs.frozen
class GameEnded(Value):
    """The game is over."""

    outcome: Outcome
    """The scores and the winners."""

    clause: ClassVar[str] = "FIN-16"


Event = (
    BuildingDealt
    | CardDrawn
    | Reshuffled
    | GoodDrafted
    | TurnBegan
    | CardPlayed
    | CardCopied
    | EffectDeclined
    | EffectFizzled
    | GoodsTaken
    | GoodsReturned
    | GoodsGiven
    | PointsScored
    | Built
    | Upgraded
    | ValetteMoved
    | BarrelRevealed
    | Dismissed
    | Hired
    | PlayedCardsDiscarded
    | FinalPhaseTriggered
    | FinalPhaseBegan
    | PlayerDroppedOut
    | GameEnded
)
"""Any event. The union is complete: no other type is an event."""

Log = list[Event] | None
"""The list to which rules append events, or `None` if the caller needs no events."""
