"""The rules of the board game Valletta as an immutable, typed core.

Ask a position which actions are legal, apply one, and get the next position.

Everything a program needs is imported from here; where it is defined is nobody's business.
A module is loaded when a name of it is first used.
"""

# pyright: reportGeneralTypeIssues=false
# (a star import meets some constants twice, in the module that has them and in one that uses them)

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Final

from valletta_rules.version import __version__ as __version__

if TYPE_CHECKING:
    from valletta_rules.actions import *
    from valletta_rules.agenda import *
    from valletta_rules.audit.positions import problems_of
    from valletta_rules.audit.views import problems_of_view
    from valletta_rules.card_sets.files import (
        RECONSTRUCTION,
        CardSetError,
        load_card_set,
        parse_card_set,
    )
    from valletta_rules.chance import *
    from valletta_rules.codec import CodecError, from_json, to_json
    from valletta_rules.components.bags import *
    from valletta_rules.components.buildings import *
    from valletta_rules.components.card_set import *
    from valletta_rules.components.characters import *
    from valletta_rules.components.display import *
    from valletta_rules.components.goods import *
    from valletta_rules.components.street import *
    from valletta_rules.engine import *
    from valletta_rules.errors import *
    from valletta_rules.events import *
    from valletta_rules.games import new_game
    from valletta_rules.play.session import Session
    from valletta_rules.records.files import format_record, parse_record, read_record, write_record
    from valletta_rules.records.position_line import (
        PositionLineError,
        parse_position_line,
        position_line,
    )
    from valletta_rules.records.record import Note, Record, RecordError, position_after, replay
    from valletta_rules.results import *
    from valletta_rules.rulebook.building import building_price, upgrade_price
    from valletta_rules.rulebook.holdings import owner_of
    from valletta_rules.rulebook.scoring import outcome
    from valletta_rules.rulings import *
    from valletta_rules.specification.clauses import *
    from valletta_rules.specification.phrases import UnknownLanguageError
    from valletta_rules.specification.sources import *
    from valletta_rules.state import *
    from valletta_rules.text.notation import (
        AmbiguousMoveError,
        NotAMoveError,
        format_action,
    )
    from valletta_rules.views.news import *
    from valletta_rules.views.player_information import *
    from valletta_rules.views.redaction import *
    from valletta_rules.views.view import *
    from valletta_rules.words.typed import parse_action

__all__ = [
    "CHARACTERS",
    "GOODS",
    "HANS_IM_GLUECK",
    "QUOTAS",
    "RECONSTRUCTION",
    "REFERENCE_MANUAL",
    "Z_MAN",
    "Action",
    "AmbiguousMoveError",
    "ArchitectPrompt",
    "ArtisanPrompt",
    "BarrelLayout",
    "BarrelPrompt",
    "BarrelRevealed",
    "BonusPrompt",
    "BrokenInvariantError",
    "Build",
    "Building",
    "BuildingDealt",
    "Built",
    "CardBag",
    "CardCopied",
    "CardDrawn",
    "CardPlayed",
    "CardSet",
    "CardSetError",
    "ChanceAction",
    "ChancePrompt",
    "Chapter",
    "Character",
    "ClauseKind",
    "ClauseText",
    "Code",
    "CodecError",
    "Colour",
    "Condition",
    "Confidence",
    "DealBuilding",
    "DealPrompt",
    "DeckCensus",
    "Decline",
    "Dismiss",
    "Dismissed",
    "DraftGood",
    "DraftPrompt",
    "DrawCard",
    "DrawPrompt",
    "EffectDeclined",
    "EffectFizzled",
    "Effects",
    "EndCondition",
    "EndProgress",
    "EndTurn",
    "Ending",
    "Event",
    "FinalPhaseBegan",
    "FinalPhaseTriggered",
    "GameEnded",
    "GameState",
    "GiveGood",
    "Good",
    "GoodDrafted",
    "Goods",
    "GoodsGiven",
    "GoodsReturned",
    "GoodsTaken",
    "HiddenCardDrawn",
    "Hire",
    "Hired",
    "IllegalActionError",
    "MaidPrompt",
    "MalformedActionError",
    "MonkPrompt",
    "NoChanceError",
    "NotAMoveError",
    "News",
    "Note",
    "NothingToRedoError",
    "NothingToUndoError",
    "NunPrompt",
    "Objection",
    "ObserverError",
    "Offer",
    "Opening",
    "OutOfTurnError",
    "Outcome",
    "OwnBuilding",
    "PassTurn",
    "PassedQuestionError",
    "Pay",
    "PaymentPrompt",
    "Phase",
    "PlayCard",
    "PlayPrompt",
    "PlayedCardsDiscarded",
    "Player",
    "PlayerAction",
    "PlayerCountError",
    "PlayerDroppedOut",
    "PlayerInformation",
    "PlayerPrompt",
    "PlayerView",
    "PointsScored",
    "PositionLineError",
    "Problem",
    "Prompt",
    "Record",
    "RecordError",
    "RedactedEvent",
    "RedactedForAnotherError",
    "Reference",
    "Reshuffled",
    "ReturnGood",
    "Relation",
    "RevealBarrel",
    "Refusal",
    "RuleSet",
    "RulingText",
    "Score",
    "SeamstressPrompt",
    "SeatError",
    "SeenPlayer",
    "Session",
    "SitePrompt",
    "SiteSet",
    "Source",
    "Table",
    "TableInformation",
    "TakeGood",
    "TakeGoods",
    "TraderPrompt",
    "Transition",
    "Turn",
    "TurnBegan",
    "UnknownClauseError",
    "UnknownLanguageError",
    "Upgrade",
    "Upgraded",
    "ValetteMoved",
    "ValettePrompt",
    "VallettaError",
    "VariantError",
    "Violation",
    "affordable_sites",
    "apply",
    "area_of",
    "building_price",
    "chance_outcomes",
    "chapters",
    "cheapest_payment",
    "check",
    "check_by",
    "clause_ids",
    "clauses_in_force",
    "column_of",
    "deck_census",
    "determinize",
    "end_progress",
    "ending",
    "explain",
    "fold",
    "formal_text",
    "format_action",
    "format_record",
    "from_json",
    "legal_actions",
    "load_card_set",
    "look_up",
    "neighbours_of",
    "new_game",
    "outcome",
    "owner_of",
    "parse_action",
    "parse_card_set",
    "parse_position_line",
    "parse_record",
    "player_information",
    "position_after",
    "position_line",
    "predicted_scores",
    "problems_of",
    "problems_of_view",
    "read_record",
    "redact",
    "replay",
    "resolve_chance",
    "ruling",
    "ruling_ids",
    "sample_chance",
    "table_information",
    "to_json",
    "transition",
    "upgrade_price",
    "view",
    "write_record",
]

_HOMES: Final = (
    "components.goods",
    "components.characters",
    "components.buildings",
    "components.card_set",
    "components.bags",
    "components.display",
    "components.street",
    "rulings",
    "errors",
    "results",
    "actions",
    "agenda",
    "events",
    "state",
    "rulebook.holdings",
    "rulebook.building",
    "rulebook.scoring",
    "engine",
    "card_sets.files",
    "chance",
    "games",
    "views.view",
    "views.redaction",
    "views.news",
    "views.player_information",
    "specification.phrases",
    "specification.sources",
    "specification.clauses",
    "text.notation",
    "records.record",
    "records.files",
    "records.position_line",
    "audit.positions",
    "audit.views",
    "codec",
    "words.typed",
    "play.session",
)
"""The modules in which these names are defined, from the ground floor up.

A name is looked for in this order, so that one of the core never loads an edge.
"""


def _home_of(name: str) -> ModuleType:
    """Return the module in which an exported name is defined."""
    homes = (import_module(f"{__name__}.{home}") for home in _HOMES)
    return next(home for home in homes if name in getattr(home, "__all__", vars(home)))


def _find(name: str) -> object:
    """Return what a name of the package stands for: what is exported, or a module."""
    if name in __all__:
        return globals().setdefault(name, vars(_home_of(name))[name])
    try:
        if name.startswith("_"):
            raise ModuleNotFoundError
        return import_module(f"{__name__}.{name}")
    except ModuleNotFoundError:
        message = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(message, name=name, obj=sys.modules[__name__]) from None


def __dir__() -> list[str]:
    """List what can be named, loaded or not."""
    return sorted({*globals(), *__all__})


if not TYPE_CHECKING:  # else every name would be known to type checkers
    __getattr__ = _find
