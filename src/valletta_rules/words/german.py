"""The game in German: names, and sentences for actions, prompts, events and violations.

It says what `valletta_rules.words.english` says, in the words of the German rules.  Cards are
declined; of the goods only stones change after a number.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any, Final, Literal, assert_never

import attrs

from valletta_rules.actions import (
    Action,
    Build,
    DealBuilding,
    Decline,
    Dismiss,
    DraftGood,
    DrawCard,
    GiveGood,
    Hire,
    Pay,
    PlayCard,
    ReturnGood,
    RevealBarrel,
    TakeGood,
    TakeGoods,
    Upgrade,
)
from valletta_rules.agenda import (
    ArchitectPrompt,
    ArtisanPrompt,
    BarrelPrompt,
    BonusPrompt,
    ChancePrompt,
    DealPrompt,
    DraftPrompt,
    DrawPrompt,
    MaidPrompt,
    MonkPrompt,
    NunPrompt,
    PaymentPrompt,
    PlayerPrompt,
    PlayPrompt,
    Prompt,
    SeamstressPrompt,
    SitePrompt,
    TraderPrompt,
    ValettePrompt,
)
from valletta_rules.card_sets.files import CardSetError
from valletta_rules.codec.text import CodecError
from valletta_rules.components.bags import CardBag
from valletta_rules.components.buildings import HOUSES_PER_PLAYER, Building
from valletta_rules.components.characters import Character, Colour
from valletta_rules.components.display import column_of
from valletta_rules.components.goods import NOTHING, Good, Goods
from valletta_rules.components.street import area_of
from valletta_rules.errors import (
    Code,
    IllegalActionError,
    NothingToRedoError,
    NothingToUndoError,
    OutOfTurnError,
    PassedQuestionError,
    PlayerCountError,
    Problem,
    SeatError,
    VallettaError,
    VariantError,
    Violation,
)
from valletta_rules.events import (
    BarrelRevealed,
    BuildingDealt,
    Built,
    CardCopied,
    CardDrawn,
    CardPlayed,
    Dismissed,
    EffectDeclined,
    EffectFizzled,
    EndCondition,
    FinalPhaseBegan,
    FinalPhaseTriggered,
    GameEnded,
    GoodDrafted,
    GoodsGiven,
    GoodsReturned,
    GoodsTaken,
    Hired,
    PlayedCardsDiscarded,
    PlayerDroppedOut,
    PointsScored,
    Reshuffled,
    TurnBegan,
    Upgraded,
    ValetteMoved,
)
from valletta_rules.outcome import Outcome, Score
from valletta_rules.records.record import RecordError
from valletta_rules.rulebook.blue import (
    CARD_REDUCTION,
    INNKEEPER_SPARES,
    MERCHANT_WARES,
    MONK_SPARES,
    NUN_TAKES,
    SEAMSTRESS_TAKES,
    TAX_COLLECTOR_SPARES,
    TRADER_TAKES,
)
from valletta_rules.rulebook.building import CONSTRUCTION_BONUS, building_price, upgrade_price
from valletta_rules.rulebook.final_phase import TRIGGERING_SCORE
from valletta_rules.rulebook.holdings import icons
from valletta_rules.rulebook.red import stands_for
from valletta_rules.rulebook.scoring import score_sheet
from valletta_rules.rulebook.yellow import (
    ARCHITECT_POINTS,
    ARCHITECT_PRICE,
    BAILIFF_POINTS,
    BAILIFF_PRICE,
    GRAND_MASTER_POINTS,
    KNIGHT_POINTS,
)
from valletta_rules.state import Board, GameState, Phase
from valletta_rules.text.files import shown_path
from valletta_rules.text.notation import AmbiguousMoveError, NotAMoveError, format_action
from valletta_rules.text.values import plain
from valletta_rules.views.player_information import (
    Ending,
    EndProgress,
    Offer,
    OwnBuilding,
    Position,
)
from valletta_rules.views.redaction import HiddenCardDrawn, RedactedEvent
from valletta_rules.views.view import Table
from valletta_rules.words import german_page
from valletta_rules.words.captions import Captions
from valletta_rules.words.console import Console
from valletta_rules.words.german_problems import TEMPLATES
from valletta_rules.words.language import Asking, Headings, Sentence, Vocabulary, board_of

NAMES: Final = ("Rot", "Blau", "Grün", "Gelb")
"""What the players are called, seat by seat, if the caller does not say."""

C = Character

SHORT_NAMES: Final[Mapping[Character, str]] = {character: character.german for character in C} | {
    C.VALETTE: "Valette",
    C.ARCHITECT: "Architekt",
    C.GRAND_BAILIFF: "Großbailli",
    C.GRAND_MASTER: "Großmeister",
    C.PHILIP: "König Philipp",
    C.CHARLES: "Kaiser Karl",
    C.PIUS: "Papst Pius",
    C.KNIGHT: "Ritter",
}
"""The names of the characters, as short as people say them."""

PERSONS: Final = (C.VALETTE, C.PHILIP, C.CHARLES, C.PIUS)
"""Characters whose names take no article and are the same in every case."""

WOMEN: Final = (C.SHOPKEEPER, C.MAID, C.TRADER, C.SEAMSTRESS, C.NUN)
"""Characters whose names are feminine; all others are masculine."""

WEAK: Final = (C.CARVER, C.ARCHITECT)
"""Characters whose names end in -en in every case but the nominative."""

GOOD_NAMES: Final[Mapping[Good, str]] = {
    Good.GOLD: "Gold",
    Good.WOOD: "Holz",
    Good.STONE: "Stein",
    Good.BRICK: "Ziegel",
}
"""What the goods are called."""

MASCULINE_GOODS: Final = (Good.STONE, Good.BRICK)
"""Goods whose names are masculine; the others are neuter."""


class Case(Enum):
    """A case of German grammar, by its articles: of a man, and of a woman."""

    NOMINATIVE = "der", "die"
    DATIVE = "dem", "der"
    ACCUSATIVE = "den", "die"


def declined(character: Character, case: Case) -> str:
    """Name a character in a case, with its article if it takes one: ``dem Baumeister``."""
    name = SHORT_NAMES[character]
    if character in PERSONS:
        return name
    ending = "en" if character in WEAK and case is not Case.NOMINATIVE else ""
    return f"{case.value[character in WOMEN]} {name}{ending}"


def title(character: Character) -> str:
    """Name a character within a sentence: ``der Baumeister``, but ``Valette``."""
    return declined(character, Case.NOMINATIVE)


def _whom(character: Character) -> str:
    return declined(character, Case.ACCUSATIVE)


def _by(character: Character) -> str:
    return f"von {declined(character, Case.DATIVE)}".replace("von dem ", "vom ")


def label(building: Building) -> str:
    """Name a building by its code and its character: ``A (Bankier)``."""
    return f"{building.code} ({SHORT_NAMES[building.character]})"


def describe_copies(count: int) -> str:
    """Say how many cards there are of a kind: ``1 Karte``."""
    return counted(count, "Karte", "Karten")


def describe_building(building: Building, *, upgraded: bool = False) -> str:
    """Say what one side of a building shows: ``Ein grünes Gebäude: kostet 1 Gold; ...``."""
    times = 2 if upgraded else 1
    shows = f"{_symbols(times, building.icon)}, {_points(times * building.points)}"
    price = "" if upgraded else f"kostet {describe_goods(building.cost)}; "
    colour = CAPTIONS.card_colours[building.colour]
    return f"Ein {colour}es Gebäude: {price}{shows}; {describe_copies(building.copies)}."


def counted(count: int, one: str, several: str) -> str:
    """Say a number of things: ``1 Haus``, ``2 Häuser``."""
    return f"{count} {one if count == 1 else several}"


def _points(count: int) -> str:
    return counted(count, "Punkt", "Punkte")


def _houses(count: int) -> str:
    return counted(count, "Haus", "Häuser")


def _symbols(count: int, good: Good) -> str:
    return counted(count, f"{GOOD_NAMES[good]}symbol", f"{GOOD_NAMES[good]}symbole")


def _amount(count: int, good: Good) -> str:
    """Say how much there is of a good: ``1 Stein``, ``2 Steine``, ``2 Ziegel``."""
    return f"{count} {'Steine' if good is Good.STONE and count != 1 else GOOD_NAMES[good]}"


def _are_several(goods: Goods) -> bool:
    """Tell whether a verb stands in the plural after goods: ``2 Steine``, but not ``2 Gold``."""
    return len(goods.kinds()) > 1 or any(goods[good] > 1 for good in MASCULINE_GOODS)


def _none_of(good: Good) -> str:
    """Say in the accusative that there is nothing of a good: ``keinen Stein``."""
    return f"{'keinen' if good in MASCULINE_GOODS else 'kein'} {GOOD_NAMES[good]}"


def joined(parts: Sequence[str]) -> str:
    """Join parts of a sentence: ``Rot, Blau und Grün``."""
    return " und ".join(filter(None, [", ".join(parts[:-1]), *parts[-1:]]))


def describe_goods(goods: Goods) -> str:
    """Say how many goods there are of each kind: ``2 Gold und 1 Stein``; or ``nichts``."""
    return joined([_amount(goods[good], good) for good in goods.kinds()]) or "nichts"


def describe_cards(cards: CardBag) -> str:
    """Name some cards: ``Magd, Baumeister (x2)``; no card at all as ``keine``."""
    named = (
        SHORT_NAMES[card] + (f" (x{count})" if count > 1 else "") for card, count in cards.items()
    )
    return ", ".join(named) or "keine"


GISTS: Final[Mapping[Character, str]] = {
    C.SHOPKEEPER: "1 Gold nehmen",
    C.LUMBERJACK: "1 Holz nehmen",
    C.STONE_SCULPTOR: "1 Stein nehmen",
    C.BRICK_WORKER: "1 Ziegel nehmen",
    C.MAID: "1 Gut nach Wahl nehmen",
    C.BUILDER: "bauen oder aufwerten",
    C.APPRENTICE: "die rote oder grüne Karte davor wiederholen",
    C.VALETTE: "ihn ziehen, das Gut im Fass nehmen, dann eine Person entlassen oder einstellen",
    C.BANKER: "für jedes deiner Goldsymbole 1 Gold nehmen",
    C.WOODWORKER: "für jedes deiner Holzsymbole 1 Holz nehmen",
    C.CARVER: "für jedes deiner Steinsymbole 1 Stein nehmen",
    C.MASON: "für jedes deiner Ziegelsymbole 1 Ziegel nehmen",
    C.MONK: f"von jedem Mitspieler mit {MONK_SPARES} oder mehr Gütern 1 davon nehmen",
    C.BRICKLAYER: f"für bis zu {CARD_REDUCTION} Ziegel weniger bauen oder aufwerten",
    C.TRADER: f"1 Holz, Stein oder Ziegel gegen {describe_goods(TRADER_TAKES)} tauschen",
    C.SEAMSTRESS: f"{SEAMSTRESS_TAKES} Güter nach Wahl nehmen",
    C.MERCHANT: f"1 Gold gegen {describe_goods(MERCHANT_WARES)} tauschen",
    C.ARTISAN: "ein Gut nennen und für jedes deiner Symbole davon 1 nehmen",
    C.CHAMBERLAIN: "für jedes deiner grünen Gebäude 1 Gold nehmen",
    C.STONEMASON: f"für bis zu {_amount(CARD_REDUCTION, Good.STONE)} weniger bauen oder aufwerten",
    C.INNKEEPER: f"von jedem Mitspieler mit {INNKEEPER_SPARES} oder mehr Gold 1 davon nehmen",
    C.NUN: f"von einem Gut {NUN_TAKES} nehmen, jeder Mitspieler nimmt 1 davon",
    C.CARPENTER: f"für bis zu {CARD_REDUCTION} Holz weniger bauen oder aufwerten",
    C.TAX_COLLECTOR: (
        "von jedem Mitspieler 1 von jedem Baustoff nehmen,"
        f" von dem er {TAX_COLLECTOR_SPARES} oder mehr hat"
    ),
    C.ARCHITECT: f"{ARCHITECT_PRICE} von einem Baustoff für {ARCHITECT_POINTS} Punkte abgeben",
    C.GRAND_BAILIFF: f"{describe_goods(BAILIFF_PRICE)} für {BAILIFF_POINTS} Punkte abgeben",
    C.GRAND_MASTER: f"von jedem Gut 1 für {GRAND_MASTER_POINTS} Punkte abgeben",
    C.PHILIP: "für jedes deiner grünen Gebäude 1 Punkt bekommen",
    C.CHARLES: "für jedes deiner blauen Gebäude 1 Punkt bekommen",
    C.PIUS: "für jedes deiner aufgewerteten Gebäude 1 Punkt bekommen",
    C.KNIGHT: f"{KNIGHT_POINTS} Punkte bekommen",
}
"""What the characters do, in brief, in the infinitive."""

_MAY: Final = "Du darfst {}."
_BY_SYMBOLS: Final = "{}. Es zählen die Symbole auf deinen Gebäuden."
_BONUS: Final = "Zu zweit darfst du zusätzlich 1 {} aus dem Vorrat nehmen."

_EFFECTS: Final[Mapping[Character, str]] = {
    **dict.fromkeys((C.BRICKLAYER, C.STONEMASON, C.CARPENTER, C.TRADER), _MAY),
    **dict.fromkeys((C.MERCHANT, C.GRAND_BAILIFF, C.GRAND_MASTER), _MAY),
    **dict.fromkeys((C.BANKER, C.WOODWORKER, C.CARVER, C.MASON, C.ARTISAN), _BY_SYMBOLS),
    C.BUILDER: f"{_MAY} Die Karte senkt den Preis nicht.",
    C.VALETTE: (
        "die Figur ziehen und das Gut im Fass nehmen; danach darfst du eine Person entlassen oder"
        " einstellen."
    ),
    C.MONK: f"{{}}; er wählt, was er gibt. {_BONUS.format('Gut')}",
    C.INNKEEPER: f"{{}}. {_BONUS.format('Gold')}",
    C.TAX_COLLECTOR: f"{{}}. {_BONUS.format('Holz, Stein oder Ziegel')}",
}
"""How the gists of some characters become whole sentences; all others need nothing but a stop.

A sentence says *darfst* only where every edition leaves the effect to the player.
"""


def describe_effect(character: Character) -> str:
    """Say in whole sentences what a character does: the text of its card."""
    said = _EFFECTS.get(character, "{}.").format(GISTS[character])
    return said[0].upper() + said[1:]


HEADINGS: Final = Headings(
    track="Leiste",
    buildings="Gebäude",
    goods="Güter",
    total="Summe",
    houses="Häuser",
    points="Punkte",
    deck="Karten",
    hand="Hand",
    end="Ende",
    in_reach="Möglich",
    nothing="nichts",
    supply="Personenvorrat",
    final_phase="Endphase",
)
"""What stands above and before the parts of a table."""

CAPTIONS: Final = Captions(
    code="de",
    game="Eine Partie Valletta: {}",
    table="Der Tisch einer Partie Valletta: {}",
    status="{}, {} Spieler, {}",
    phases={
        Phase.SETUP: "Aufbau",
        Phase.MAIN: "Hauptphase",
        Phase.FINAL: "Endphase",
        Phase.OVER: "beendet",
    },
    seen_by=", gesehen von {}",
    spectator="jemandem, der zuschaut",
    over="Die Partie ist zu Ende: {}.",
    asked="ist gefragt",
    on_turn="am Zug",
    piles="{} auf der Hand, {} im Nachziehstapel, {} abgelegt",
    houses_left="Häuser übrig: {}",
    site="Bauplatz {}",
    valette="Valette steht auf Feld {}.",
    tower="Valette steht auf dem Turm.",
    barrels="In den Fässern",
    played="In diesem Zug gespielt",
    draw_pile="Nachziehstapel",
    hidden="Hand und Nachziehstapel",
    discard_pile="Ablagestapel",
    free="gehört niemandem",
    upgraded="aufgewertet",
    card_colours={
        Colour.RED: "rot",
        Colour.PURPLE: "lila",
        Colour.GREEN: "grün",
        Colour.BLUE: "blau",
        Colour.YELLOW: "gelb",
    },
    seat_colours={
        "red": "Rot",
        "blue": "Blau",
        "green": "Grün",
        "yellow": "Gelb",
        "orange": "Orange",
        "pink": "Rosa",
        "black": "Schwarz",
        "white": "Weiß",
    },
    street="Die Straße für {} Spieler, {}",
    street_told=(
        "Ein Turm und die Felder 1 bis {} in {} Bereichen zu {}. Valette steht auf dem Turm."
        " Fässer: {}, {}."
    ),
    every_space="auf jedem Feld",
    some_spaces="auf den Feldern {}",
    area="Bereich {}: {} bis {}",
    track="Die Punkteleiste",
    scored="{}: {}, {}",
    before_the_track="vor Feld 1",
    on_space="auf Feld {}",
    with_tokens="{} mit Plättchen für {} Punkte",
    display="Die Auslage für {} Spieler",
    display_told="{} Bauplätze in Reihen zu {}. Über der Straße, von außen: {}. Unter ihr: {}.",
    row_told="Bauplätze {} bis {}",
    neighbours="Neben Bauplatz {} liegen die Bauplätze {}.",
    row="Reihe {}",
)
"""What is written in pictures."""

PAGE: Final = german_page.PAGE
"""What a page in a browser says around a game."""

TALK: Final = german_page.TALK
"""What a table in a browser tells those who sit at it."""

VOCABULARY: Final = Vocabulary(
    verbs={
        **dict.fromkeys(("spiel", "spiele", "spielen", "ausspielen"), "play"),
        **dict.fromkeys(("bau", "baue", "bauen", "errichte", "errichten"), "build"),
        **dict.fromkeys(("werte", "aufwerten", "verbessere", "verbessern"), "upgrade"),
        **dict.fromkeys(("zahl", "zahle", "zahlen", "bezahle", "bezahlen"), "pay"),
        **dict.fromkeys(("nimm", "nehme", "nehmen", "erhalte", "bekomme"), "take"),
        **dict.fromkeys(("gib", "gebe", "geben", "abgeben"), "give"),
        **dict.fromkeys(("tausche", "tauschen", "lege", "zurücklegen"), "return"),
        **dict.fromkeys(("beginne", "beginnen", "starte", "starten"), "draft"),
        **dict.fromkeys(("entlass", "entlasse", "entlassen"), "dismiss"),
        **dict.fromkeys(("stelle", "stell", "einstellen", "engagiere", "anheuern"), "hire"),
        **dict.fromkeys(
            ("verzichte", "verzichten", "passe", "passen", "nein", "nichts"), "decline"
        ),
        **dict.fromkeys(("weder", "weiter", "nix"), "decline"),
        **dict.fromkeys(("wähle", "nutze", "nenne", "verteile"), ""),
    },
    fillers=frozenset(
        (
            *("der", "die", "das", "den", "dem", "des", "ein", "eine", "einen", "einem", "mein"),
            *("meine", "meinen", "und", "auf", "aus", "ab", "an", "zu", "zurück", "mit", "von"),
            *("vom", "für", "ich", "bitte", "bauplatz", "platz", "haus", "gebäude", "darauf"),
        )
    ),
    nothing=frozenset(("nichts",)),
    in_vain=("ohne aktion", "ohne wirkung", "vergeblich", "umsonst"),
    endings=("en", "es", "e", "n", "s"),
)
"""What people type."""


# Violations


_QUESTIONS: Final[Mapping[str, str]] = {
    DealPrompt.__name__: "dem nächsten Gebäude",
    DrawPrompt.__name__: "der gezogenen Karte",
    BarrelPrompt.__name__: "dem Gut im Fass",
    DraftPrompt.__name__: "dem zusätzlichen Gut",
    PlayPrompt.__name__: "der nächsten Karte",
    MaidPrompt.__name__: "dem Gut der Magd",
    SitePrompt.__name__: "dem Bauplatz",
    PaymentPrompt.__name__: "der Zahlung",
    ValettePrompt.__name__: "dem Entlassen oder Einstellen",
    MonkPrompt.__name__: "dem Gut für den Bettelmönch",
    TraderPrompt.__name__: "dem Gut für die Händlerin",
    SeamstressPrompt.__name__: "den Gütern der Schneiderin",
    ArtisanPrompt.__name__: "dem Gut des Vorarbeiters",
    NunPrompt.__name__: "dem Gut der Ordensschwester",
    BonusPrompt.__name__: "dem zusätzlichen Gut",
    ArchitectPrompt.__name__: "dem Baustoff für den Architekten",
}
"""What the prompts ask for, in the dative, by the names that violations give them."""

_ANSWERS: Final[Mapping[str, str]] = {
    DealBuilding.__name__: "ein Gebäude auszulegen",
    DrawCard.__name__: "eine Karte zu ziehen",
    RevealBarrel.__name__: "ein Fass aufzudecken",
    DraftGood.__name__: "ein zusätzliches Gut zu wählen",
    GiveGood.__name__: "ein Gut zu geben",
    PlayCard.__name__: "eine Karte auszuspielen",
    TakeGood.__name__: "ein Gut zu nehmen",
    TakeGoods.__name__: "Güter zu nehmen",
    ReturnGood.__name__: "ein Gut zurückzulegen",
    Build.__name__: "zu bauen",
    Upgrade.__name__: "aufzuwerten",
    Pay.__name__: "zu zahlen",
    Dismiss.__name__: "eine Person zu entlassen",
    Hire.__name__: "eine Person einzustellen",
    Decline.__name__: "zu verzichten",
}
"""What the actions are, in the infinitive, by the names that violations give them."""


def describe_violation(violation: Violation, names: Sequence[str] = NAMES) -> str:
    """Say why an action is illegal, as a sentence without its stop, from its code and facts.

    A violation of this package has the facts that belong to its code; raises `KeyError` for one
    that lacks them.
    """
    facts: Mapping[str, Any] = violation.facts
    match violation.code:
        case Code.GAME_OVER:
            return "das Spiel ist zu Ende"
        case Code.WRONG_KIND:
            asked, answered = _QUESTIONS[facts["prompt"]], _ANSWERS[facts["action"]]
            return f"gefragt ist nach {asked}, und {answered} ist darauf keine Antwort"
        case Code.NO_HOUSE_LEFT:
            return f"alle {HOUSES_PER_PLAYER} Häuser sind gebaut"
        case Code.NO_SUCH_BARREL:
            return f"kein Fass mit {GOOD_NAMES[facts['good']]} ist übrig"
        case Code.GOOD_NOT_OFFERED:
            return f"{GOOD_NAMES[facts['good']]} steht hier nicht zur Wahl"
        case Code.WRONG_NUMBER_OF_GOODS:
            taken = facts["goods"].total
            return f"{title(C.SEAMSTRESS)} nimmt {SEAMSTRESS_TAKES} Güter und nicht {taken}"
        case Code.BUILDING_NOT_AVAILABLE:
            if violation.clause == "SET-8":
                return f"für {facts['building']} ist in seiner Farbe kein Platz mehr in der Auslage"
            return f"alle Karten von {facts['building']} liegen schon aus"
        case Code.NOT_OWNED:
            return f"der Spieler hat {_lacking(facts)}"
        case Code.NOT_AFFORDABLE | Code.PAYMENT_SHORT | Code.PAYMENT_EXCESSIVE:
            bill = f"Bauplatz {facts['site']} kostet abzüglich der Nachlässe"
            return f"{bill} {describe_goods(facts['price'])}; {_unpaid(violation.code, facts)}"
        case (
            Code.SITE_TAKEN | Code.SITE_NOT_OWN | Code.ALREADY_BUILT | Code.ALREADY_UPGRADED as code
        ):
            return _about_a_site(code, facts, names)
        case _:
            return _about_a_card(violation.code, facts["character"], violation.clause)


def _lacking(facts: Mapping[str, Any]) -> str:
    """Say what a player has instead of what is wanted."""
    if "payment" in facts:
        paid = describe_goods(facts["payment"])
        return f"{describe_goods(facts['goods'])} und kann nicht {paid} zahlen"
    good: Good = facts["good"]
    if facts.get("owned"):
        return f"{describe_goods(Goods.of(good, facts['owned']))}, also nicht genug davon"
    return _none_of(good)


_Unpaid = Literal[Code.NOT_AFFORDABLE, Code.PAYMENT_SHORT, Code.PAYMENT_EXCESSIVE]
"""The codes for goods that do not pay a price."""


def _unpaid(code: _Unpaid, facts: Mapping[str, Any]) -> str:
    """Say how goods fail to pay a price."""
    match code:
        case Code.NOT_AFFORDABLE:
            return f"der Spieler hat {describe_goods(facts['goods'])}, und das reicht nicht"
        case Code.PAYMENT_SHORT:
            extra: Goods = facts["payment"].less(facts["price"])
            verb = "genügen" if _are_several(extra) else "genügt"
            instead = f", und {describe_goods(extra)} {verb} nicht als Ersatz" if extra else ""
            return f"die Zahlung lässt {describe_goods(facts['missing'])} offen{instead}"
        case Code.PAYMENT_EXCESSIVE:
            paid: Goods = facts["payment"]
            verb = "sind" if _are_several(paid) else "ist"
            return f"{describe_goods(paid)} {verb} mehr als das"
        case _:
            assert_never(code)


_OfASite = Literal[Code.SITE_TAKEN, Code.SITE_NOT_OWN, Code.ALREADY_BUILT, Code.ALREADY_UPGRADED]
"""The codes for what cannot be done on a site."""


def _about_a_site(code: _OfASite, facts: Mapping[str, Any], names: Sequence[str]) -> str:
    """Say what a site is not fit for."""
    place, owner = f"auf Bauplatz {facts['site']}", facts.get("owner")
    match code:
        case Code.SITE_TAKEN:
            return f"{place} steht ein Haus von {names[facts['owner']]}"
        case Code.SITE_NOT_OWN:
            whose = "niemandem" if owner is None else names[owner]
            return f"das Gebäude {place} gehört {whose}, und nur eigene sind aufzuwerten"
        case Code.ALREADY_BUILT:
            return f"{place} steht schon ein eigenes Haus, es lässt sich nur noch aufwerten"
        case Code.ALREADY_UPGRADED:
            return f"das Gebäude {place} ist schon aufgewertet"
        case _:
            assert_never(code)


_OfACard = Literal[
    Code.CARD_NOT_IN_HAND,
    Code.CARD_NOT_IN_SUPPLY,
    Code.CARD_NOT_IN_PILE,
    Code.EFFECT_COMPULSORY,
    Code.NO_EFFECT_TO_DECLINE,
]
"""The codes for what cannot be done with a card."""


def _about_a_card(code: _OfACard, character: Character, clause: str) -> str:
    """Say what cannot be done with a card."""
    match code:
        case Code.CARD_NOT_IN_HAND:
            return f"{title(character)} ist nicht auf der Hand"
        case Code.CARD_NOT_IN_SUPPLY:
            return f"{title(character)} liegt nicht im Personenvorrat"
        case Code.CARD_NOT_IN_PILE:
            return f"{title(character)} liegt nicht im Nachziehstapel"
        case Code.EFFECT_COMPULSORY:
            return f"wer {_whom(character)} ausspielt, muss die Aktion ausführen"
        case Code.NO_EFFECT_TO_DECLINE:
            if clause == "TRN-14":
                return f"{title(character)} kann hier nichts tun, worauf zu verzichten wäre"
            return f"wer {_whom(character)} ausspielt, kann erst bei der Wahl danach verzichten"
        case _:
            assert_never(code)


# Problems and errors


def describe_problem(problem: Problem) -> str:
    """Say what is wrong with a position, a card set or a document, without the place."""
    facts = {name: _fact(fact) for name, fact in problem.facts.items()}
    template = TEMPLATES.get(problem.code)
    return problem.message if template is None else template.format_map(facts)


def _listed(problems: Sequence[Problem]) -> str:
    """List problems with their places and clauses, several below each other."""
    said = [str(attrs.evolve(each, message=describe_problem(each))) for each in problems]
    several = f"{len(said)} Probleme" + "".join(f"\n- {each}" for each in said)
    return said[0] if len(said) == 1 else several


def _fact(fact: object) -> object:
    """Return a fact as it is said."""
    match fact:
        case Goods():
            return describe_goods(fact)
        case Good():
            return GOOD_NAMES[fact]
        case Character():
            return SHORT_NAMES[fact]
        case Colour():
            return CAPTIONS.card_colours[fact]
        case Phase():
            return CAPTIONS.phases[fact]
        case _:
            return fact


def describe_error(error: VallettaError, names: Sequence[str] = NAMES) -> str:
    """Say what went wrong, as a sentence without its stop; in English where German has no words."""
    match error:
        case IllegalActionError(violation=violation):
            return f"{describe_violation(violation, names)} [{violation.clause}]"
        case OutOfTurnError(seat=seat, asked=asked):
            who = "wer zuschaut," if seat is None else names[seat]
            whom = "und auch sonst kein Spieler" if asked is None else f"sondern {names[asked]}"
            return f"{who} ist nicht gefragt, {whom}"
        case PassedQuestionError(revision=revision, now=now):
            return f"das antwortet auf Stand {revision}, und jetzt ist es Stand {now}"
        case SeatError(seat=seat, players=players):
            return f"einen Platz {seat} gibt es bei {players} Spielern nicht"
        case NothingToUndoError():
            return "es gibt nichts zurückzunehmen"
        case NothingToRedoError():
            return "es gibt nichts zu wiederholen"
        case NotAMoveError(text=text):
            return f"„{plain(text)}“ ist kein Zug"
        case AmbiguousMoveError(text=text, candidates=candidates):
            return f"„{plain(text)}“ ist mehrdeutig: {', '.join(map(format_action, candidates))}"
        case CodecError(problems=problems):
            return _listed(problems)
        case CardSetError(source=source, problems=problems):
            return f"{shown_path(source)}: {_listed(problems)}"
        case RecordError():
            return _about_a_record(error)
        case VariantError():
            return "diese Variante ist nur für 2 Spieler"
        case PlayerCountError():
            return "Valletta ist für 2, 3 oder 4 Spieler"
        case _:
            return str(error)


def _about_a_record(error: RecordError) -> str:
    """Say where a record is wrong, and why; in English if it is no illegal move."""
    places = (("Zeile", error.line), ("Zug", error.move))
    where = ", ".join(f"{word} {number}" for word, number in places if number is not None)
    cause = error.__cause__
    reason = describe_error(cause) if isinstance(cause, VallettaError) else error.reason
    return f"{where}: {reason}" if where else reason


# Actions


def describe_action(position: Asking, action: Action) -> str:
    """Say what an action would do as the answer to the question asked, in the infinitive.

    Takes a position, or somebody's view of one.  Sites and buildings must exist; otherwise the
    action need not be legal.
    """
    board, prompt = board_of(position), position.prompt
    match action:
        case DealBuilding(code):
            return f"{label(board.cards.building(code))} auf Bauplatz {len(board.display)} legen"
        case DrawCard(character):
            return f"{_whom(character)} ziehen"
        case RevealBarrel(good):
            return f"1 {GOOD_NAMES[good]} im Fass finden"
        case DraftGood(good):
            return f"1 {GOOD_NAMES[good]} nehmen"
        case GiveGood(good):
            return f"1 {GOOD_NAMES[good]} geben"
        case PlayCard(character, use_effect):
            return _describe_play(board, character, use_effect)
        case TakeGood(good):
            return _describe_take(board, prompt, good)
        case TakeGoods(goods):
            return f"{describe_goods(goods)} nehmen"
        case ReturnGood(good):
            if isinstance(prompt, ArchitectPrompt):
                returned = describe_goods(Goods.of(good, ARCHITECT_PRICE))
                return f"{returned} für {_points(ARCHITECT_POINTS)} abgeben"
            return f"1 {GOOD_NAMES[good]} gegen {describe_goods(TRADER_TAKES)} tauschen"
        case Build() | Upgrade():
            return _describe_construction(board, prompt, action)
        case Pay(goods):
            return f"{describe_goods(goods)} zahlen"
        case Dismiss(character):
            return f"{_whom(character)} entlassen"
        case Hire(character):
            return f"{_whom(character)} einstellen ({GISTS[character]})"
        case Decline():
            return _describe_decline(prompt)
        case _:
            assert_never(action)


def _describe_play(board: GameState | Table, character: Character, use_effect: bool) -> str:
    if not use_effect:
        return f"{_whom(character)} ohne Aktion ausspielen"
    gist = GISTS[character]
    if character is C.APPRENTICE:
        copied = stands_for(board.rules, board.played, character)
        gist = "nichts zu kopieren" if copied is None else f"wie {title(copied)}: {GISTS[copied]}"
    return f"{_whom(character)} ausspielen ({gist})"


def _describe_take(board: Board, prompt: Prompt | None, good: Good) -> str:
    match prompt:
        case ArtisanPrompt(seat):
            count = icons(board, seat, good)
            if not count:
                return f"{_none_of(good)} nehmen, da Symbole fehlen"
            return f"{_amount(count, good)} nehmen"
        case NunPrompt():
            return f"{_amount(NUN_TAKES, good)} nehmen, jeder Mitspieler 1 {GOOD_NAMES[good]}"
        case _:
            return f"1 {GOOD_NAMES[good]} nehmen"


def _describe_construction(
    board: GameState | Table, prompt: Prompt | None, action: Build | Upgrade
) -> str:
    site = action.site
    seat = board.active if prompt is None or prompt.seat is None else prompt.seat
    reduction = prompt.reduction if isinstance(prompt, SitePrompt) else NOTHING
    building, where = board.display[site], f"{label(board.display[site])} auf Bauplatz {site}"
    gains = _points(building.points)
    if area_of(board.valette) == column_of(site):
        gains += f", von Valette {CONSTRUCTION_BONUS}"
    if isinstance(action, Upgrade):
        price = upgrade_price(board, site, reduction)
        return f"{where} für {describe_goods(price)} aufwerten: {gains}"
    price = building_price(board, seat, site, reduction)
    icon = GOOD_NAMES[building.icon]
    return f"{where} für {describe_goods(price)} bauen: {gains}, {icon}symbol"


def _describe_decline(prompt: Prompt | None) -> str:
    match prompt:
        case SitePrompt():
            return "weder bauen noch aufwerten"
        case ValettePrompt():
            return "weder entlassen noch einstellen"
        case BonusPrompt():
            return "kein zusätzliches Gut nehmen"
        case _:
            return "darauf verzichten"


# Prompts


def describe_prompt(position: Asking, names: Sequence[str] = NAMES) -> str:
    """Say the question that is asked, addressed to the player who must answer.

    Takes a position, or somebody's view of one.
    """
    board, prompt = board_of(position), position.prompt
    match prompt:
        case None:
            return "Das Spiel ist zu Ende."
        case DealPrompt() | DrawPrompt() | BarrelPrompt():
            return f"Zufall, {_ask_chance(board, prompt, names)}?"
        case _:
            return f"{names[prompt.seat]}, {_ask_player(board, prompt, names)}"


def _ask_chance(board: Board, prompt: ChancePrompt, names: Sequence[str]) -> str:
    match prompt:
        case DealPrompt():
            return f"welches Gebäude kommt auf Bauplatz {len(board.display)}"
        case DrawPrompt(player):
            return f"welche Karte zieht {names[player]}"
        case BarrelPrompt():
            return f"was enthält das Fass auf Feld {board.valette}"
        case _:
            assert_never(prompt)


def _ask_player(board: Board, prompt: PlayerPrompt, names: Sequence[str]) -> str:
    match prompt:
        case DraftPrompt():
            return "mit welchem zusätzlichen Gut beginnst du?"
        case PlayPrompt(_, plays):
            return f"welche Karte spielst du aus? (noch {plays})"
        case MaidPrompt():
            return "welches Gut nimmt deine Magd?"
        case SitePrompt(_, reduction):
            off = f" ({describe_goods(reduction)} Nachlass)" if reduction else ""
            return f"was baust du, oder was wertest du auf?{off}"
        case PaymentPrompt(seat, site, price):
            what = "das Aufwerten" if site in board.players[seat].built else "das Bauen"
            paid, building = describe_goods(price), label(board.display[site])
            return f"wie zahlst du {paid} für {what} von {building}?"
        case ValettePrompt():
            return "entlässt du eine Person, oder stellst du eine ein?"
        case MonkPrompt(_, taker):
            monk = declined(C.MONK, Case.DATIVE)
            return f"welches Gut gibst du {monk} von {names[taker]}?"
        case TraderPrompt():
            return f"was tauschst du gegen {describe_goods(TRADER_TAKES)}?"
        case SeamstressPrompt():
            return f"welche {SEAMSTRESS_TAKES} Güter nimmt deine Schneiderin?"
        case ArtisanPrompt():
            return "von welchem Gut zählt dein Vorarbeiter die Symbole?"
        case NunPrompt():
            return "welches Gut verteilt deine Ordensschwester?"
        case BonusPrompt(_, character):
            return f"welches zusätzliche Gut bringt {title(character)}?"
        case ArchitectPrompt():
            return f"welchen Baustoff gibst du für {_points(ARCHITECT_POINTS)} ab?"
        case _:
            assert_never(prompt)


# Events


DECLINED: Final[Mapping[str, str]] = {
    "BLD-2": "baut nichts und wertet nichts auf",
    "VAL-9": "entlässt niemanden und stellt niemanden ein",
}
"""How it is said that an offer of a clause was declined, if not as `DECLINED_ELSE`."""

DECLINED_ELSE: Final = "verzichtet darauf"
"""How it is said that any other offer was declined."""

TRIGGERED: Final[Mapping[EndCondition, str]] = {
    EndCondition.LAST_BARREL: "bringt Valette zum letzten Fass",
    EndCondition.SCORE: f"erreicht {TRIGGERING_SCORE} Punkte",
    EndCondition.HOUSES: f"baut das letzte von {HOUSES_PER_PLAYER} Häusern",
}
"""How it is said that a condition for the final phase was fulfilled."""


def tell(
    event: RedactedEvent,
    position: Asking,
    names: Sequence[str] = NAMES,
    *,
    reader: int | None = None,
) -> Sentence:
    """Say what happened, with subject and predicate apart.

    `position` is the position in which the action was taken, or somebody's view of it.  Drawn
    cards are named to their own player only: `reader` is the seat of whoever reads this, `None`
    for a spectator.
    """
    board = board_of(position)
    match event:
        case BuildingDealt(site, code):
            return Sentence(f"Bauplatz {site}", f"erhält {label(board.cards.building(code))}")
        case ValetteMoved(space):
            return Sentence("Valette", f"geht auf Feld {space}")
        case BarrelRevealed(good):
            return Sentence("das Fass", f"enthält 1 {GOOD_NAMES[good]}")
        case FinalPhaseBegan():
            return Sentence("die Endphase", "beginnt: Alle spielen die Karten aus, die sie haben")
        case GameEnded(outcome):
            return Sentence("das Spiel", f"ist zu Ende: {describe_winner(outcome, names)}")
        case GoodsGiven(giver, taker, goods):
            return Sentence(names[giver], f"gibt {describe_goods(goods)} an {names[taker]}")
        case CardDrawn(seat, character):
            drawn = _whom(character) if seat == reader else "eine Karte"
            return Sentence(names[seat], f"zieht {drawn}")
        case HiddenCardDrawn(seat):
            return Sentence(names[seat], "zieht eine Karte")
        case CardPlayed(seat, character):
            return Sentence(names[seat], f"spielt {_whom(character)} aus")
        case CardCopied(seat, character):
            return Sentence(names[seat], f"kopiert {_whom(character)}")
        case EffectFizzled(seat, character):
            return Sentence(names[seat], f"bekommt nichts {_by(character)}")
        case Dismissed(seat, character):
            return Sentence(names[seat], f"entlässt {_whom(character)}")
        case Hired(seat, character):
            return Sentence(names[seat], f"stellt {_whom(character)} ein")
        case _:
            return Sentence(names[event.seat], _predicate(event, board, position.prompt))


_Plain = (
    Reshuffled
    | GoodDrafted
    | TurnBegan
    | EffectDeclined
    | GoodsTaken
    | GoodsReturned
    | PointsScored
    | Built
    | Upgraded
    | PlayedCardsDiscarded
    | FinalPhaseTriggered
    | PlayerDroppedOut
)
"""What a player did that involves no card and no other player."""


def _predicate(event: _Plain, board: Board, prompt: Prompt | None) -> str:
    match event:
        case TurnBegan(_, plays):
            return f"hat {counted(plays, 'Karte', 'Karten')} auszuspielen"
        case GoodDrafted(_, good):
            return f"nimmt 1 {GOOD_NAMES[good]} als zusätzliches Gut"
        case GoodsTaken(_, goods):
            return f"nimmt {describe_goods(goods)}"
        case GoodsReturned(_, goods):
            if not isinstance(prompt, PaymentPrompt):
                return f"legt {describe_goods(goods)} zurück"
            price = f" (Preis: {describe_goods(prompt.price)})" if goods != prompt.price else ""
            return f"zahlt {describe_goods(goods)}{price}"
        case Built(_, site, character):
            gained = _whom(character)
            return f"baut {board.display[site].code} auf Bauplatz {site} und bekommt {gained}"
        case Upgraded(_, site):
            return f"wertet {label(board.display[site])} auf Bauplatz {site} auf"
        case PointsScored(_, points, clause):
            bonus = " von Valette" if clause in {"BLD-32", "BLD-33"} else ""
            return f"bekommt {_points(points)}{bonus}"
        case EffectDeclined(_, clause):
            return DECLINED.get(clause, DECLINED_ELSE)
        case PlayedCardsDiscarded():
            return "legt die ausgespielten Karten ab"
        case Reshuffled():
            return "mischt den Ablagestapel zu einem neuen Nachziehstapel"
        case FinalPhaseTriggered(_, condition):
            return f"{TRIGGERED[condition]} und leitet damit die Endphase ein"
        case PlayerDroppedOut():
            return "hat keine Karte mehr und scheidet aus"
        case _:
            assert_never(event)


# The table


def describe_holdings(position: Position, seat: int) -> str:
    """Say what lies in front of a player: goods, houses, points on the track."""
    player = board_of(position).players[seat]
    upgraded = f" ({len(player.upgraded)} aufgewertet)" if player.upgraded else ""
    houses = f"{_houses(len(player.built))}{upgraded}"
    return f"{describe_goods(player.goods)}; {houses}; {_points(player.score)} auf der Punkteleiste"


def describe_standings(position: Position, names: Sequence[str] = NAMES) -> str:
    """Say in a line how the players would score if the game ended now."""
    return "; ".join(
        f"{names[score.seat]} {score.total} ({_houses(score.houses)})"
        for score in score_sheet(board_of(position))
    )


def describe_winner(outcome: Outcome, names: Sequence[str] = NAMES) -> str:
    """Say who has won, and how a tie was broken."""
    winners = joined([names[seat] for seat in outcome.winners])
    points = counted(max(score.total for score in outcome.scores), "Punkt", "Punkten")
    match outcome.clause:
        case "SCO-9":
            return f"{winners} gewinnt mit {points}, mehr als alle anderen"
        case "SCO-10":
            return f"{winners} gewinnt den Gleichstand mit {points} durch die meisten Häuser"
        case _:
            return f"{winners} teilen sich den Sieg mit {points} und gleich vielen Häusern"


# What is known of players


MEASURES: Final[Mapping[EndCondition, tuple[str, str, str]]] = {
    EndCondition.LAST_BARREL: ("Valette", "Schritt", "Schritte"),
    EndCondition.SCORE: ("Punkte", "Punkt", "Punkte"),
    EndCondition.HOUSES: ("Häuser", "Haus", "Häuser"),
}
"""What is measured for each end condition, and what is lacking is called, one of it and several."""


def describe_points(score: Score) -> str:
    """Say what a player has scored, and what it would be if the game ended now."""
    return (
        f"{score.track}, oder {score.total}, wenn das Spiel jetzt endete"
        f" ({score.track} auf der Punkteleiste, {score.buildings} für Gebäude,"
        f" {score.goods} für Güter)"
    )


def describe_houses(count: int) -> str:
    """Say how many houses are built of those there are."""
    return f"{count} von {HOUSES_PER_PLAYER}"


def describe_house(house: OwnBuilding) -> str:
    """Name a player's building and say what it is worth."""
    upgraded, icon = ", aufgewertet" if house.is_upgraded else "", house.building.icon
    worth = f"{_points(house.points)}, {_symbols(house.icons[icon], icon)}"
    return f"{label(house.building)} auf Bauplatz {house.site}{upgraded}: {worth}"


def describe_progress(progress: EndProgress) -> str:
    """Say what is reached of a condition for the final phase, and what is lacking."""
    what, one, several = MEASURES[progress.condition]
    left = "ERFÜLLT" if progress.is_fulfilled else f"noch {counted(progress.left, one, several)}"
    return f"{what} {progress.reached}/{progress.goal} ({left})"


def describe_offer(offer: Offer) -> str:
    """Say what could be built or upgraded, at what price, and how it would be paid."""
    verb = "bauen" if isinstance(offer.action, Build) else "aufwerten"
    paid = "" if offer.payment == offer.price else f" (Zahlung: {describe_goods(offer.payment)})"
    bonus = f", {offer.bonus} davon von Valette" if offer.bonus else ""
    what = f"{label(offer.building)} auf Bauplatz {offer.action.site}"
    price = describe_goods(offer.price)
    return f"{what} für {price} {verb}{paid}: {_points(offer.points)}{bonus}"


def describe_ending(ending: Ending) -> str:
    """Say whether the final phase is near."""
    match ending:
        case Ending.NOT_YET:
            return "noch nicht eingeleitet"
        case Ending.COMING:
            return "steht bevor"
        case Ending.UNDER_WAY:
            return "im Gange"
        case Ending.OVER:
            return "vorbei"
        case _:
            assert_never(ending)


# The terminal

CONSOLE: Final = Console(
    players="{count} Spieler",
    seed="Zufallszahl {seed}",
    variants={"start-player": "Startspielervariante", "fewer-barrels": "weniger Fässer"},
    reconstruction=(
        "Die Werte der Karten sind nachempfunden, nicht die gedruckten (siehe: valletta cards)."
    ),
    cards="Die Karten sind die von {name}.",
    legend=(
        "(Bauplatz, Buchstabe; Punkte, Symbol; Person;"
        " Kosten in g Gold, w Holz, s Stein, b Ziegel; Besitzer)"
    ),
    opening_hand="Starthand",
    refill="Nachziehen",
    draws="zieht",
    no_effect="ohne Wirkung",
    own_turn="{name}, Zug {turn}{few}",
    turn="{name}, Zug {turn}{few} ({holdings})",
    few=(", keine Karte", ", 1 Karte", ", 2 Karten"),
    after_rounds="Wäre nach {rounds} Runden Schluss: {standings}",
    now="Wäre jetzt Schluss: {standings}",
    score_sheet="Wertung ({about})",
    unfinished="Das Spiel bleibt unvollendet.",
    unsaved="Gespeichert ist es nicht; das tut beim nächsten Mal: speichern DATEI.",
    broken_off=(
        "abgebrochen nach {turns} Zügen (--max-turns); die Regeln selbst setzen keine Grenze"
    ),
    welcome="Du spielst {name}. Mit ? siehst du jederzeit, was du tun kannst.",
    hand="Hand",
    no_card="keine Karte",
    valette="Valette auf Feld {space}",
    tower="Valette auf dem Turm",
    build="bauen",
    upgrade="aufwerten",
    more="noch {count}: m für die nächsten, alle für alle, oder tippe 2g 1w",
    help=(
        "Tippe, was vor einem Zug steht, oder nenne ihn: magd, baue 7, Holz, zahle 2g 1w,"
        " stelle den Bankier ein, verzichte. Der Anfang genügt, wenn er eindeutig ist und keines"
        " dieser Wörter:"
    ),
    help_commands=(
        ("?, h", "diese Hilfe und noch einmal die Frage"),
        ("b, plan", "Gebäude und Straße"),
        ("info", "alles, was von den Spielern bekannt ist"),
        ("tipp", "was der Computer täte"),
        ("warum nicht X", "warum ein Zug nicht geht, etwa: warum nicht baue 7"),
        ("regel X", "eine Regel oder Karte, etwa: regel BLD-3, regel Bettelmönch"),
        ("zurück", "die letzte Wahl zurücknehmen, auch einen falschen Bauplatz"),
        ("speichern X", "das Spiel in die Datei X schreiben"),
        ("m, alle", "weitere Zahlungen sehen, oder alle"),
        ("q, ende", "das Spiel verlassen"),
    ),
    help_paying=(("2g 1w", "2 Gold und 1 Holz zahlen (g Gold, w Holz, s Stein, b Ziegel)"),),
    not_understood="„{text}“ ist nicht zu verstehen; ? zeigt, was du tun kannst.",
    suggestion="„{text}“ ist nicht zu verstehen. Meintest du {meant}?",
    ambiguous="Was davon meinst du? {moves}",
    refused="Das geht nicht: {reason}. [{clause}]",
    allowed="Das geht durchaus.",
    negation="nicht",
    why_what="Sag, was du tun möchtest, etwa: warum nicht baue 7",
    rule_what="Sag, welche Regel oder Karte, etwa: regel BLD-3, regel Bettelmönch",
    more_of_rule="Mehr dazu: valletta rule {name}",
    no_rule="Eine Regel oder Karte „{name}“ gibt es nicht.",
    undone="Deine letzte Wahl ist zurückgenommen.",
    nothing_to_undo="Es gibt nichts zurückzunehmen.",
    hint="Der Computer würde {action}.",
    worth="(am Ende {points} Punkte Vorsprung, meint er)",
    decimal=",",
    saved="Das Spiel steht in {file}.",
    go_on="Weiter geht es mit: {command}",
    not_saved="Das Spiel lässt sich nicht in {file} schreiben: {reason}.",
    exists="{file} gibt es schon; wähle einen anderen Namen.",
    resumed="Das Spiel aus {file} geht weiter.",
    only_resumed="--resume setzt ein Spiel fort, wie es ist, und verträgt kein {options}",
    no_input="wer spielt, braucht eine Eingabe zum Tippen",
    commands={
        **dict.fromkeys(("?", "h", "hilfe"), "help"),
        **dict.fromkeys(("b", "plan", "auslage", "brett"), "board"),
        **dict.fromkeys(("info", "spieler"), "info"),
        **dict.fromkeys(("tipp", "rat"), "hint"),
        **dict.fromkeys(("warum", "wieso"), "why"),
        **dict.fromkeys(("regel", "regeln", "karte"), "rule"),
        **dict.fromkeys(("zurück", "zurueck", "rückgängig"), "undo"),
        "speichern": "save",
        "m": "more",
        "alle": "all",
        **dict.fromkeys(("q", "ende", "beenden"), "quit"),
    },
    by_the_rules="{names} spielen nach den Regeln {rules}.",
    turn_of="Zug {turn}, {name}",
    chooses="{name}: {action}.",
    record_ends="Hier endet die Aufzeichnung.  {question}",
    unreadable="{file} lässt sich nicht lesen: {reason}",
    until="--until muss eine Zahl von 0 bis {moves} sein",
    cannot_write="die Ausgabe lässt sich nicht schreiben: {reason}",
)
"""What a terminal says around a game."""
