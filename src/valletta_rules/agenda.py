"""The agenda: the remaining steps of a game, represented as data.

A position's agenda is a tuple of steps, the next one first. Some steps are *prompts*: questions
that a player, or chance, must answer. The other steps need no answer: the engine runs each of them
as soon as it is the first step. Between two calls of the engine, the first step is therefore a
prompt, unless the game is over.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Annotated, Any, ClassVar, Final

import attrs

from valletta_rules import actions
from valletta_rules.components import Among, Character, Goods, Positive, Seat, Site, Value
from valletta_rules.components.names import abbreviated

AnswerTypes = tuple[type[actions.Action], ...]
"""The types of action that answer a prompt."""


@attrs.frozen
class DealPrompt(Value):
    """A question to chance: which building is dealt to the next site of the display?"""

    seat: ClassVar[None] = None
    clause: ClassVar[str] = "SET-9"
    answers: ClassVar[AnswerTypes] = (actions.DealBuilding,)


@attrs.frozen
class DrawPrompt(Value):
    """A question to chance: which card does a player draw?

    The prompt is repeated until the hand is full or no card is left to draw.
    """

    player: Seat
    """The seat that draws."""

    seat: ClassVar[None] = None
    clause: ClassVar[str] = "TRN-18"
    answers: ClassVar[AnswerTypes] = (actions.DrawCard,)


@attrs.frozen
class BarrelPrompt(Value):
    """A question to chance: which good is on the barrel that Valette has reached?"""

    player: Seat
    """The seat that takes the good."""

    seat: ClassVar[None] = None
    clause: ClassVar[str] = "VAL-4"
    answers: ClassVar[AnswerTypes] = (actions.RevealBarrel,)


@attrs.frozen
class DraftPrompt(Value):
    """Which extra good do you start with?"""

    seat: Seat
    """The seat that chooses."""
    goods: Goods
    """The goods from which the seat chooses: those left in the set that is passed around."""

    clause: ClassVar[str] = "SET-22"
    answers: ClassVar[AnswerTypes] = (actions.DraftGood,)


@attrs.frozen
class PlayPrompt(Value):
    """Which card do you play?"""

    seat: Seat
    """The seat whose turn it is."""
    plays: Positive
    """The number of cards still to be played this turn, including the card of this prompt."""

    clause: ClassVar[str] = "TRN-2"
    answers: ClassVar[AnswerTypes] = (actions.PlayCard,)


@attrs.frozen
class MaidPrompt(Value):
    """Which good does your Maid take?"""

    seat: Seat
    """The seat that chooses."""

    character: ClassVar[Character] = Character.MAID
    clause: ClassVar[str] = "RED-6"
    answers: ClassVar[AnswerTypes] = (actions.TakeGood, actions.Decline)


@attrs.frozen
class SitePrompt(Value):
    """Where do you build, or what do you upgrade?"""

    seat: Seat
    """The seat that may build."""
    reduction: Goods
    """The reduction in price from the effect of the played card."""

    clause: ClassVar[str] = "BLD-1"
    answers: ClassVar[AnswerTypes] = (actions.Build, actions.Upgrade, actions.Decline)


@attrs.frozen
class PaymentPrompt(Value):
    """With which goods do you pay?"""

    seat: Seat
    """The seat that pays."""
    site: Site
    """The chosen site. If the seat owns the house on the site, the payment is for an upgrade,
    otherwise for a new house.
    """
    price: Goods
    """The price after all reductions, but before any substitution of goods."""

    clause: ClassVar[str] = "BLD-19"
    answers: ClassVar[AnswerTypes] = (actions.Pay,)


@attrs.frozen
class ValettePrompt(Value):
    """Do you dismiss a character, hire one, or neither?"""

    seat: Seat
    """The seat that chooses."""

    clause: ClassVar[str] = "VAL-8"
    answers: ClassVar[AnswerTypes] = (actions.Dismiss, actions.Hire, actions.Decline)


@attrs.frozen
class MonkPrompt(Value):
    """Which good do you give to the player who played the Monk?"""

    seat: Seat
    """The opponent who gives the good."""
    taker: Seat
    """The seat that played the Monk."""

    clause: ClassVar[str] = "BLU-2"
    answers: ClassVar[AnswerTypes] = (actions.GiveGood,)


@attrs.frozen
class TraderPrompt(Value):
    """Which material do you return to the supply for the Trader?"""

    seat: Seat
    """The seat that chooses."""

    clause: ClassVar[str] = "BLU-7"
    answers: ClassVar[AnswerTypes] = (actions.ReturnGood, actions.Decline)


@attrs.frozen
class SeamstressPrompt(Value):
    """Which two goods does your Seamstress take?"""

    seat: Seat
    """The seat that chooses."""

    clause: ClassVar[str] = "BLU-10"
    answers: ClassVar[AnswerTypes] = (actions.TakeGoods, actions.Decline)


@attrs.frozen
class ArtisanPrompt(Value):
    """For which kind of icon does your Artisan take goods, one for each icon?"""

    seat: Seat
    """The seat that chooses."""

    character: ClassVar[Character] = Character.ARTISAN
    clause: ClassVar[str] = "BLU-15"
    answers: ClassVar[AnswerTypes] = (actions.TakeGood, actions.Decline)


@attrs.frozen
class NunPrompt(Value):
    """Your Nun takes three goods of one kind: which kind?"""

    seat: Seat
    """The seat that chooses."""

    character: ClassVar[Character] = Character.NUN
    clause: ClassVar[str] = "BLU-26"
    answers: ClassVar[AnswerTypes] = (actions.TakeGood, actions.Decline)


BONUS_CLAUSES: Final = MappingProxyType(
    {
        Character.MONK: "BLU-5",
        Character.INNKEEPER: "BLU-25",
        Character.TAX_COLLECTOR: "BLU-32",
    }
)
"""The clauses that grant an extra good in two-player games, keyed by the character played."""

BonusCharacter = Annotated[Character, Among(tuple(BONUS_CLAUSES))]
"""A character that grants an extra good in two-player games: Monk, Innkeeper or Tax Collector."""


def _grants_one(prompt: Value, field: attrs.Attribute[Any], character: Character) -> None:
    if character not in BONUS_CLAUSES:
        raise ValueError(
            f"expected a character that grants an extra good, not {abbreviated(character)}"
        )


@attrs.frozen
class BonusPrompt(Value):
    """Which extra good do you take in a two-player game?

    Raises `ValueError` for a character that grants no extra good.
    """

    seat: Seat
    """The seat that may take the good."""
    character: BonusCharacter = attrs.field(validator=_grants_one)
    """The card that was played."""

    answers: ClassVar[AnswerTypes] = (actions.TakeGood, actions.Decline)

    @property
    def clause(self) -> str:
        """The clause that grants the extra good."""
        return BONUS_CLAUSES[self.character]


@attrs.frozen
class ArchitectPrompt(Value):
    """You return four goods of one material for the Architect: which material?"""

    seat: Seat
    """The seat that chooses."""

    clause: ClassVar[str] = "YEL-2"
    answers: ClassVar[AnswerTypes] = (actions.ReturnGood, actions.Decline)


@attrs.frozen
class Turn(Value):
    """The step in which a player's turn begins."""

    seat: Seat
    """The seat whose turn it is."""
    plays: Positive
    """The number of cards to be played in the turn."""


@attrs.frozen
class EndTurn(Value):
    """The step in which a player discards the played cards and starts to refill the hand."""

    seat: Seat
    """The seat whose turn ends."""


@attrs.frozen
class PassTurn(Value):
    """The step in which the turn passes to the next player.

    If an end condition has triggered the final phase, the final phase begins in this step.
    """

    seat: Seat
    """The seat whose turn has ended."""


ChancePrompt = DealPrompt | DrawPrompt | BarrelPrompt
"""Any prompt for chance. The union is complete: no other type is a prompt for chance."""

PlayerPrompt = (
    DraftPrompt
    | PlayPrompt
    | MaidPrompt
    | SitePrompt
    | PaymentPrompt
    | ValettePrompt
    | MonkPrompt
    | TraderPrompt
    | SeamstressPrompt
    | ArtisanPrompt
    | NunPrompt
    | BonusPrompt
    | ArchitectPrompt
)
"""Any prompt for a player. The union is complete: no other type is a prompt for a player."""

Prompt = ChancePrompt | PlayerPrompt
"""Any prompt. The union is complete: no other type is a prompt."""

Step = Prompt | Turn | EndTurn | PassTurn
"""Any step of an agenda. The union is complete: no other type is a step."""

Agenda = tuple[Step, ...]
"""The remaining steps of a game, the next step first."""
