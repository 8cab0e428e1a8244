"""The rules of the board game Valletta as an immutable, typed core.

Ask a position which actions are legal, apply one, and get the next position.
"""

from valletta_rules.actions import (
    Action,
    Build,
    ChanceAction,
    DealBuilding,
    Decline,
    Dismiss,
    DraftGood,
    DrawCard,
    GiveGood,
    Hire,
    Pay,
    PlayCard,
    PlayerAction,
    ReturnGood,
    RevealBarrel,
    TakeGood,
    TakeGoods,
    Upgrade,
)
from valletta_rules.agenda import ChancePrompt, PlayerPrompt, Prompt
from valletta_rules.card_sets.files import (
    RECONSTRUCTION,
    CardSetError,
    load_card_set,
    parse_card_set,
)
from valletta_rules.chance import chance_outcomes, resolve_chance, sample_chance
from valletta_rules.components.bags import CardBag
from valletta_rules.components.buildings import Building
from valletta_rules.components.card_set import CardSet
from valletta_rules.components.characters import Character, Colour
from valletta_rules.components.display import SiteSet
from valletta_rules.components.goods import Good, Goods
from valletta_rules.engine import Transition, apply, check, legal_actions, transition
from valletta_rules.errors import (
    BrokenInvariantError,
    Code,
    IllegalActionError,
    MalformedActionError,
    NoChanceError,
    PlayerCountError,
    VallettaError,
    VariantError,
    Violation,
)
from valletta_rules.events import Event
from valletta_rules.games import new_game
from valletta_rules.outcome import Outcome, Score
from valletta_rules.rulebook.scoring import outcome
from valletta_rules.rulings import (
    HANS_IM_GLUECK,
    REFERENCE_MANUAL,
    Z_MAN,
    BarrelLayout,
    Effects,
    Opening,
    RuleSet,
)
from valletta_rules.state import GameState, Phase, Player

__all__ = [
    "HANS_IM_GLUECK",
    "RECONSTRUCTION",
    "REFERENCE_MANUAL",
    "Z_MAN",
    "Action",
    "BarrelLayout",
    "BrokenInvariantError",
    "Build",
    "Building",
    "CardBag",
    "CardSet",
    "CardSetError",
    "ChanceAction",
    "ChancePrompt",
    "Character",
    "Code",
    "Colour",
    "DealBuilding",
    "Decline",
    "Dismiss",
    "DraftGood",
    "DrawCard",
    "Effects",
    "Event",
    "GameState",
    "GiveGood",
    "Good",
    "Goods",
    "Hire",
    "IllegalActionError",
    "MalformedActionError",
    "NoChanceError",
    "Opening",
    "Outcome",
    "Pay",
    "Phase",
    "PlayCard",
    "Player",
    "PlayerAction",
    "PlayerCountError",
    "PlayerPrompt",
    "Prompt",
    "ReturnGood",
    "RevealBarrel",
    "RuleSet",
    "Score",
    "SiteSet",
    "TakeGood",
    "TakeGoods",
    "Transition",
    "Upgrade",
    "VallettaError",
    "VariantError",
    "Violation",
    "apply",
    "chance_outcomes",
    "check",
    "legal_actions",
    "load_card_set",
    "new_game",
    "outcome",
    "parse_card_set",
    "resolve_chance",
    "sample_chance",
    "transition",
]
