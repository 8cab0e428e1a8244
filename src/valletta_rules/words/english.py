"""The game in English: names, and sentences for actions, prompts and events.

Everything here is a pure function of values of this package.  Whatever is said of a position can
be said of somebody's view of it.  Players are called by names that the caller may choose.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, assert_never

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
from valletta_rules.components.bags import CardBag
from valletta_rules.components.buildings import HOUSES_PER_PLAYER, Building
from valletta_rules.components.characters import Character, Colour
from valletta_rules.components.display import column_of
from valletta_rules.components.goods import GOODS, NOTHING, ONE, Good, Goods
from valletta_rules.components.street import area_of
from valletta_rules.errors import (
    Code,
    IllegalActionError,
    OutOfTurnError,
    Problem,
    VallettaError,
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
from valletta_rules.text.values import write_goods
from valletta_rules.views.player_information import (
    Ending,
    EndProgress,
    Offer,
    OwnBuilding,
    Position,
)
from valletta_rules.views.redaction import HiddenCardDrawn, RedactedEvent
from valletta_rules.views.view import Table
from valletta_rules.words import english_page
from valletta_rules.words.captions import Captions
from valletta_rules.words.console import Console
from valletta_rules.words.language import Asking, Headings, Sentence, Vocabulary, board_of

NAMES: Final = ("Red", "Blue", "Green", "Yellow")
"""What the players are called, seat by seat, if the caller does not say."""

C = Character

SHORT_NAMES: Final[Mapping[Character, str]] = {character: character.english for character in C} | {
    C.VALETTE: "Valette",
    C.ARCHITECT: "Architect",
    C.GRAND_BAILIFF: "Grand Bailiff",
    C.GRAND_MASTER: "Grand Master",
    C.PHILIP: "Philip II",
    C.CHARLES: "Charles V",
    C.PIUS: "Pius V",
    C.KNIGHT: "Knight",
}
"""The names of the characters, as short as people say them."""

PERSONS: Final = (C.VALETTE, C.PHILIP, C.CHARLES, C.PIUS)
"""Characters whose names take no article."""

GISTS: Final[Mapping[Character, str]] = {
    C.SHOPKEEPER: "take 1 gold",
    C.LUMBERJACK: "take 1 wood",
    C.STONE_SCULPTOR: "take 1 stone",
    C.BRICK_WORKER: "take 1 brick",
    C.MAID: "take 1 good of any kind",
    C.BUILDER: "build or upgrade",
    C.APPRENTICE: "do as the red or green card before him",
    C.VALETTE: "move him, take the good in the barrel, then dismiss or hire",
    C.BANKER: "take 1 gold for each gold icon",
    C.WOODWORKER: "take 1 wood for each wood icon",
    C.CARVER: "take 1 stone for each stone icon",
    C.MASON: "take 1 brick for each brick icon",
    C.MONK: f"each opponent with {MONK_SPARES} goods or more gives 1 of them",
    C.BRICKLAYER: f"build or upgrade for up to {CARD_REDUCTION} brick less",
    C.TRADER: f"return 1 wood, stone or brick for {TRADER_TAKES}",
    C.SEAMSTRESS: f"take {SEAMSTRESS_TAKES} goods of any kind",
    C.MERCHANT: f"return 1 gold for {MERCHANT_WARES}",
    C.ARTISAN: "name a good, take 1 for each icon of it",
    C.CHAMBERLAIN: "take 1 gold for each green building",
    C.STONEMASON: f"build or upgrade for up to {CARD_REDUCTION} stone less",
    C.INNKEEPER: f"take 1 gold from each opponent with {INNKEEPER_SPARES} or more",
    C.NUN: f"take {NUN_TAKES} of a good, every opponent takes 1 of it",
    C.CARPENTER: f"build or upgrade for up to {CARD_REDUCTION} wood less",
    C.TAX_COLLECTOR: (
        f"take of each material 1 from every opponent with {TAX_COLLECTOR_SPARES} or more of it"
    ),
    C.ARCHITECT: f"return {ARCHITECT_PRICE} of one material for {ARCHITECT_POINTS} points",
    C.GRAND_BAILIFF: f"return {BAILIFF_PRICE} for {BAILIFF_POINTS} points",
    C.GRAND_MASTER: f"return one good of each kind for {GRAND_MASTER_POINTS} points",
    C.PHILIP: "score 1 point for each green building",
    C.CHARLES: "score 1 point for each blue building",
    C.PIUS: "score 1 point for each upgraded building",
    C.KNIGHT: f"score {KNIGHT_POINTS} points",
}
"""What the characters do, in brief."""

_MAY: Final = "You may {}."
_BY_ICONS: Final = "{} on your buildings."
_BONUS: Final = "If you are 2 players, you may take 1 {} besides."

_EFFECTS: Final[Mapping[Character, str]] = {
    **dict.fromkeys((C.BRICKLAYER, C.STONEMASON, C.CARPENTER, C.TRADER), _MAY),
    **dict.fromkeys((C.MERCHANT, C.GRAND_BAILIFF, C.GRAND_MASTER), _MAY),
    **dict.fromkeys((C.BANKER, C.WOODWORKER, C.CARVER, C.MASON, C.ARTISAN), _BY_ICONS),
    **dict.fromkeys((C.CHAMBERLAIN, C.PHILIP, C.CHARLES, C.PIUS), "{} of yours."),
    C.BUILDER: f"{_MAY} The card takes nothing off the price.",
    C.VALETTE: (
        "move him and take the good in the barrel; then you may dismiss or hire a character."
    ),
    C.MONK: f"{{}}, as they choose. {_BONUS.format('good')}",
    C.INNKEEPER: f"{{}}. {_BONUS.format('gold')}",
    C.TAX_COLLECTOR: f"{{}}. {_BONUS.format('material')}",
}
"""How the gists of some characters become whole sentences; all others need nothing but a stop.

How far an effect is compulsory depends on the edition, and so a sentence says *may* only where
every edition does.
"""

GOOD_NAMES: Final[Mapping[Good, str]] = {good: good.value for good in GOODS}
"""What the goods are called."""

HEADINGS: Final = Headings(
    track="track",
    buildings="buildings",
    goods="goods",
    total="total",
    houses="houses",
    points="points",
    deck="Deck",
    hand="Hand",
    end="The end",
    in_reach="In reach",
    nothing="nothing",
    supply="Supply",
    final_phase="Final phase",
)
"""What stands above and before the parts of a table."""

CAPTIONS: Final = Captions(
    code="en",
    game="A game of Valletta: {}",
    table="The table of a game of Valletta: {}",
    status="{}, {} players, {}",
    phases={
        Phase.SETUP: "setup",
        Phase.MAIN: "main phase",
        Phase.FINAL: "final phase",
        Phase.OVER: "over",
    },
    seen_by=", as {} sees it",
    spectator="a spectator",
    over="The game is over: {}.",
    asked="is asked",
    on_turn="on turn",
    piles="{} in hand, {} in the draw pile, {} discarded",
    houses_left="houses left: {}",
    site="site {}",
    valette="Valette stands on space {}.",
    tower="Valette stands on the tower.",
    barrels="In the barrels",
    played="Played this turn",
    draw_pile="Draw pile",
    hidden="Hand and draw pile",
    discard_pile="Discard pile",
    free="nobody's",
    upgraded="upgraded",
    card_colours={colour: colour.value for colour in Colour},
    seat_colours={
        "red": "Red",
        "blue": "Blue",
        "green": "Green",
        "yellow": "Yellow",
        "orange": "Orange",
        "pink": "Pink",
        "black": "Black",
        "white": "White",
    },
    street="The street for {} players, {}",
    street_told=(
        "A tower and spaces 1 to {} in {} areas of {}. Valette stands on the tower."
        " Barrels: {}, {}."
    ),
    every_space="on every space",
    some_spaces="on spaces {}",
    area="area {}: spaces {} to {}",
    track="The score track",
    scored="{}: {}, {}",
    before_the_track="before space 1",
    on_space="on space {}",
    with_tokens="{} with tokens worth {}",
    display="The display for {} players",
    display_told="{} sites in rows of {}. Above the street, from the outside: {}. Below it: {}.",
    row_told="sites {} to {}",
    neighbours="Next to site {} lie sites {}.",
    row="row {}",
)
"""What is written in pictures."""

PAGE: Final = english_page.PAGE
"""What a page in a browser says around a game."""

TALK: Final = english_page.TALK
"""What a table in a browser tells those who sit at it."""

VOCABULARY: Final = Vocabulary(
    verbs={
        **{word: word for word in ("play", "build", "upgrade", "pay", "take", "return", "give")},
        **{word: word for word in ("draft", "dismiss", "hire", "decline")},
        **dict.fromkeys(("spend",), "pay"),
        **dict.fromkeys(("get", "gain"), "take"),
        **dict.fromkeys(("trade", "exchange", "swap"), "return"),
        **dict.fromkeys(("fire", "sack"), "dismiss"),
        **dict.fromkeys(("employ", "recruit"), "hire"),
        **dict.fromkeys(("pass", "skip", "neither", "no", "nothing", "none"), "decline"),
        **dict.fromkeys(("choose", "pick", "select", "use"), ""),
    },
    fillers=frozenset(
        ("a", "an", "the", "my", "and", "on", "at", "to", "for", "with", "site", "house", "please")
    ),
    nothing=frozenset(("nothing", "none")),
    in_vain=("in vain", "without effect", "without its effect"),
    endings=("s",),
)
"""What people type."""


def title(character: Character) -> str:
    """Name a character within a sentence: ``the Builder``, but ``Valette``."""
    name = SHORT_NAMES[character]
    return name if character in PERSONS else f"the {name}"


def label(building: Building) -> str:
    """Name a building by its code and its character: ``A (Banker)``."""
    return f"{building.code} ({SHORT_NAMES[building.character]})"


def counted(count: int, noun: str) -> str:
    """Say a number of things: ``1 point``, ``2 points``."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def describe_copies(count: int) -> str:
    """Say how many cards there are of a kind: ``1 card``."""
    return counted(count, "card")


def describe_building(building: Building, *, upgraded: bool = False) -> str:
    """Say what one side of a building shows: ``A green building: costs 1 gold; 1 wood icon...``."""
    times = 2 if upgraded else 1
    shows = (
        f"{counted(times, f'{building.icon} icon')}, {counted(times * building.points, 'point')}"
    )
    price = "" if upgraded else f"costs {building.cost}; "
    return f"A {building.colour} building: {price}{shows}; {describe_copies(building.copies)}."


def joined(parts: Sequence[str]) -> str:
    """Join parts of a sentence: ``Red, Blue and Green``."""
    return " and ".join(filter(None, [", ".join(parts[:-1]), *parts[-1:]]))


def describe_goods(goods: Goods) -> str:
    """Say how many goods there are of each kind: ``2 gold and 1 stone``; or ``nothing``."""
    return str(goods)


def brief(goods: Goods) -> str:
    """Write goods as one types them: ``2g 1w``; no goods at all as ``0``."""
    return write_goods(goods, " ")


def describe_cards(cards: CardBag) -> str:
    """Name some cards: ``Maid, Builder (x2)``; no card at all as ``none``."""
    named = (
        SHORT_NAMES[card] + (f" (x{count})" if count > 1 else "") for card, count in cards.items()
    )
    return ", ".join(named) or "none"


def describe_effect(character: Character) -> str:
    """Say in whole sentences what a character does: the text of its card."""
    said = _EFFECTS.get(character, "{}.").format(GISTS[character])
    return said[0].upper() + said[1:]


def describe_violation(violation: Violation, names: Sequence[str] = NAMES) -> str:
    """Say why an action is illegal, as a sentence without its stop.

    It is the message of the violation, but for words that are the programmer's: players are
    called by their names, and kinds of question and answer are not named.
    """
    if violation.code is Code.WRONG_KIND:
        return "that is no answer to what is asked here"
    owner = violation.facts.get("owner")
    return (
        violation.message.replace(f"seat {owner}", names[owner])
        if isinstance(owner, int)
        else violation.message
    )


def describe_problem(problem: Problem) -> str:
    """Say what is wrong with a position, a card set or a document, without the place."""
    return problem.message


def describe_error(error: VallettaError, names: Sequence[str] = NAMES) -> str:
    """Say what went wrong, as a sentence without its stop; players are called by their names."""
    match error:
        case IllegalActionError(violation=violation):
            return f"{describe_violation(violation, names)} [{violation.clause}]"
        case OutOfTurnError(seat=seat, asked=asked):
            who = "a spectator" if seat is None else names[seat]
            whom = "no player is" if asked is None else f"{names[asked]} is"
            return f"{who} cannot move now: {whom} asked"
        case _:
            return str(error)


# Actions


def describe_action(position: Asking, action: Action) -> str:
    """Say what an action would do as the answer to the question asked, as a request.

    Takes a position, or somebody's view of one.  Sites and buildings must exist; otherwise the
    action need not be legal.
    """
    board, prompt = board_of(position), position.prompt
    match action:
        case DealBuilding(code):
            return f"deal {label(board.cards.building(code))} to site {len(board.display)}"
        case DrawCard(character):
            return f"draw {title(character)}"
        case RevealBarrel(good):
            return f"find {ONE[good]} in the barrel"
        case DraftGood(good):
            return f"take {ONE[good]}"
        case GiveGood(good):
            return f"give {ONE[good]}"
        case PlayCard(character, use_effect):
            return _describe_play(board, character, use_effect)
        case TakeGood(good):
            return _describe_take(board, prompt, good)
        case TakeGoods(goods):
            return f"take {goods}"
        case ReturnGood(good):
            if isinstance(prompt, ArchitectPrompt):
                return f"return {Goods.of(good, ARCHITECT_PRICE)} for {ARCHITECT_POINTS} points"
            return f"return {ONE[good]} for {TRADER_TAKES}"
        case Build() | Upgrade():
            return _describe_construction(board, prompt, action)
        case Pay(goods):
            return f"pay {goods}"
        case Dismiss(character):
            return f"dismiss {title(character)}"
        case Hire(character):
            return f"hire {title(character)} ({GISTS[character]})"
        case Decline():
            return _describe_decline(prompt)
        case _:
            assert_never(action)


def _describe_play(board: GameState | Table, character: Character, use_effect: bool) -> str:
    if not use_effect:
        return f"play {title(character)} without effect"
    gist = GISTS[character]
    if character is C.APPRENTICE:
        copied = stands_for(board.rules, board.played, character)
        gist = "nothing to copy" if copied is None else f"as {title(copied)}: {GISTS[copied]}"
    return f"play {title(character)} ({gist})"


def _describe_take(board: Board, prompt: Prompt | None, good: Good) -> str:
    match prompt:
        case ArtisanPrompt(seat):
            goods = Goods.of(good, icons(board, seat, good))
            return f"take {goods}" if goods else f"take no {good}, for want of icons"
        case NunPrompt():
            return f"take {Goods.of(good, NUN_TAKES)}, every opponent {ONE[good]}"
        case _:
            return f"take {ONE[good]}"


def _describe_construction(
    board: GameState | Table, prompt: Prompt | None, action: Build | Upgrade
) -> str:
    site = action.site
    seat = board.active if prompt is None or prompt.seat is None else prompt.seat
    reduction = prompt.reduction if isinstance(prompt, SitePrompt) else NOTHING
    building, where = board.display[site], f"{label(board.display[site])} on site {site}"
    gains = counted(building.points, "point")
    if area_of(board.valette) == column_of(site):
        gains += f", Valette gives {CONSTRUCTION_BONUS}"
    if isinstance(action, Upgrade):
        return f"upgrade {where} for {upgrade_price(board, site, reduction)}: {gains}"
    price = building_price(board, seat, site, reduction)
    return f"build {where} for {price}: {gains}, {building.icon} icon"


def _describe_decline(prompt: Prompt | None) -> str:
    match prompt:
        case SitePrompt():
            return "neither build nor upgrade"
        case ValettePrompt():
            return "neither dismiss nor hire"
        case BonusPrompt():
            return "take no extra good"
        case _:
            return "make no use of it"


# Prompts


def describe_prompt(position: Asking, names: Sequence[str] = NAMES) -> str:
    """Say the question that is asked, addressed to the player who must answer.

    Takes a position, or somebody's view of one.
    """
    board, prompt = board_of(position), position.prompt
    match prompt:
        case None:
            return "The game is over."
        case DealPrompt() | DrawPrompt() | BarrelPrompt():
            return f"Chance, {_ask_chance(board, prompt, names)}?"
        case _:
            return f"{names[prompt.seat]}, {_ask_player(board, prompt, names)}"


def _ask_chance(board: Board, prompt: ChancePrompt, names: Sequence[str]) -> str:
    match prompt:
        case DealPrompt():
            return f"which building is dealt to site {len(board.display)}"
        case DrawPrompt(player):
            return f"which card does {names[player]} draw"
        case BarrelPrompt():
            return f"what does the barrel on space {board.valette} hold"
        case _:
            assert_never(prompt)


def _ask_player(board: Board, prompt: PlayerPrompt, names: Sequence[str]) -> str:
    match prompt:
        case DraftPrompt():
            return "which extra good do you start with?"
        case PlayPrompt(_, plays):
            return f"which card do you play? ({plays} to play)"
        case MaidPrompt():
            return "which good does your Maid take?"
        case SitePrompt(_, reduction):
            off = f" ({reduction} off the price)" if reduction else ""
            return f"what do you build or upgrade?{off}"
        case PaymentPrompt(seat, site, price):
            what = "upgrading" if site in board.players[seat].built else "building"
            return f"how do you pay {price} for {what} {label(board.display[site])}?"
        case ValettePrompt():
            return "do you dismiss or hire a character?"
        case MonkPrompt(_, taker):
            return f"which good do you give to the Monk of {names[taker]}?"
        case TraderPrompt():
            return f"what do you return for {TRADER_TAKES}?"
        case SeamstressPrompt():
            return f"which {SEAMSTRESS_TAKES} goods does your Seamstress take?"
        case ArtisanPrompt():
            return "of which good does your Artisan count the icons?"
        case NunPrompt():
            return "which good does your Nun share out?"
        case BonusPrompt(_, character):
            return f"which extra good does {title(character)} bring?"
        case ArchitectPrompt():
            return f"which material do you return for {ARCHITECT_POINTS} points?"
        case _:
            assert_never(prompt)


# Events


DECLINED: Final[Mapping[str, str]] = {
    "BLD-2": "neither builds nor upgrades",
    "VAL-9": "neither dismisses nor hires",
    "TRN-11": "makes no use of it",
}
"""How it is said that an offer of a clause was declined, if not as `DECLINED_ELSE`."""

DECLINED_ELSE: Final = "declines"
"""How it is said that any other offer was declined."""

TRIGGERED: Final[Mapping[EndCondition, str]] = {
    EndCondition.LAST_BARREL: "brings Valette to the last barrel",
    EndCondition.SCORE: f"reaches {TRIGGERING_SCORE} points",
    EndCondition.HOUSES: f"builds the last of {HOUSES_PER_PLAYER} houses",
}
"""How it is said that a condition for the final phase was fulfilled."""


def narrate(
    event: RedactedEvent,
    position: Asking,
    names: Sequence[str] = NAMES,
    *,
    reader: int | None = None,
) -> str:
    """Say what happened, in a sentence.

    `position` is the position in which the action was taken, or somebody's view of it.  Drawn
    cards are named to their own player only: `reader` is the seat of whoever reads this, `None`
    for a spectator.
    """
    return str(tell(event, position, names, reader=reader))


def tell(
    event: RedactedEvent,
    position: Asking,
    names: Sequence[str] = NAMES,
    *,
    reader: int | None = None,
) -> Sentence:
    """Say what happened like `narrate`, with subject and predicate apart."""
    board = board_of(position)
    match event:
        case BuildingDealt(site, code):
            return Sentence(f"site {site}", f"receives {label(board.cards.building(code))}")
        case ValetteMoved(space):
            return Sentence("Valette", f"walks to space {space}")
        case BarrelRevealed(good):
            return Sentence("the barrel", f"holds {ONE[good]}")
        case FinalPhaseBegan():
            return Sentence("the final phase", "begins: all play on through the cards they have")
        case GameEnded(outcome):
            return Sentence("the game", f"is over: {describe_winner(outcome, names)}")
        case GoodsGiven(giver, taker, goods):
            return Sentence(names[giver], f"gives {goods} to {names[taker]}")
        case CardDrawn(seat, character):
            drawn = title(character) if seat == reader else "a card"
            return Sentence(names[seat], f"draws {drawn}")
        case HiddenCardDrawn(seat):
            return Sentence(names[seat], "draws a card")
        case CardPlayed(seat, character):
            return Sentence(names[seat], f"plays {title(character)}")
        case CardCopied(seat, character):
            return Sentence(names[seat], f"copies {title(character)}")
        case EffectFizzled(seat, character):
            return Sentence(names[seat], f"gets nothing from {title(character)}")
        case Dismissed(seat, character):
            return Sentence(names[seat], f"dismisses {title(character)}")
        case Hired(seat, character):
            return Sentence(names[seat], f"hires {title(character)}")
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
            return f"is to play {counted(plays, 'card')}"
        case GoodDrafted(_, good):
            return f"takes {ONE[good]} as an extra good"
        case GoodsTaken(_, goods):
            return f"takes {goods}"
        case GoodsReturned(_, goods):
            if not isinstance(prompt, PaymentPrompt):
                return f"returns {goods}"
            price = prompt.price
            return f"pays {goods}" + (f" for a price of {price}" if goods != price else "")
        case Built(_, site, character):
            return f"builds {board.display[site].code} on site {site} and gains {title(character)}"
        case Upgraded(_, site):
            return f"upgrades {label(board.display[site])} on site {site}"
        case PointsScored(_, points, clause):
            bonus = " from Valette" if clause in {"BLD-32", "BLD-33"} else ""
            return f"scores {counted(points, 'point')}{bonus}"
        case EffectDeclined(_, clause):
            return DECLINED.get(clause, DECLINED_ELSE)
        case PlayedCardsDiscarded():
            return "discards the cards played"
        case Reshuffled():
            return "shuffles the discard pile into a new draw pile"
        case FinalPhaseTriggered(_, condition):
            return f"{TRIGGERED[condition]}, which triggers the final phase"
        case PlayerDroppedOut():
            return "has no card left and drops out"
        case _:
            assert_never(event)


# The table


def describe_holdings(position: Position, seat: int) -> str:
    """Say what lies in front of a player: goods, houses, points on the track."""
    player = board_of(position).players[seat]
    upgraded = f" ({len(player.upgraded)} upgraded)" if player.upgraded else ""
    houses = f"{counted(len(player.built), 'house')}{upgraded}"
    return f"{player.goods}; {houses}; {counted(player.score, 'point')} scored"


def describe_standings(position: Position, names: Sequence[str] = NAMES) -> str:
    """Say in a line how the players would score if the game ended now."""
    return "; ".join(
        f"{names[score.seat]} {score.total} ({counted(score.houses, 'house')})"
        for score in score_sheet(board_of(position))
    )


def describe_winner(outcome: Outcome, names: Sequence[str] = NAMES) -> str:
    """Say who has won, and how a tie was broken."""
    winners = joined([names[seat] for seat in outcome.winners])
    points = counted(max(score.total for score in outcome.scores), "point")
    match outcome.clause:
        case "SCO-9":
            return f"{winners} wins with {points}, the most of all"
        case "SCO-10":
            return f"{winners} wins a tie at {points} by the most houses"
        case _:
            return f"{winners} share the victory with {points} and as many houses"


# What is known of players


MEASURES: Final[Mapping[EndCondition, tuple[str, str]]] = {
    EndCondition.LAST_BARREL: ("Valette", "move"),
    EndCondition.SCORE: ("points", "point"),
    EndCondition.HOUSES: ("houses", "house"),
}
"""What is measured for each end condition, and what one of it is called that is lacking."""


def describe_points(score: Score) -> str:
    """Say what a player has scored, and what it would be if the game ended now."""
    return (
        f"{score.track}, or {score.total} if the game ended now"
        f" ({score.track} scored, {score.buildings} of buildings, {score.goods} of goods)"
    )


def describe_houses(count: int) -> str:
    """Say how many houses are built of those there are."""
    return f"{count} of {HOUSES_PER_PLAYER}"


def describe_house(house: OwnBuilding) -> str:
    """Name a player's building and say what it is worth."""
    upgraded, icon = ", upgraded" if house.is_upgraded else "", house.building.icon
    worth = f"{counted(house.points, 'point')}, {counted(house.icons[icon], f'{icon} icon')}"
    return f"{label(house.building)} on site {house.site}{upgraded}: {worth}"


def describe_progress(progress: EndProgress) -> str:
    """Say what is reached of a condition for the final phase, and what is lacking."""
    what, lacking = MEASURES[progress.condition]
    left = "FULFILLED" if progress.is_fulfilled else counted(progress.left, lacking)
    return f"{what} {progress.reached}/{progress.goal} ({left})"


def describe_offer(offer: Offer) -> str:
    """Say what could be built or upgraded, at what price, and how it would be paid."""
    verb = "build" if isinstance(offer.action, Build) else "upgrade"
    paid = "" if offer.payment == offer.price else f", paid with {offer.payment}"
    bonus = f", {offer.bonus} of them from Valette" if offer.bonus else ""
    what = f"{verb} {label(offer.building)} on site {offer.action.site}"
    return f"{what} for {offer.price}{paid}: {counted(offer.points, 'point')}{bonus}"


def describe_ending(ending: Ending) -> str:
    """Say whether the final phase is near."""
    return ending.replace("_", " ")


# The terminal

CONSOLE: Final = Console(
    players="{count} players",
    seed="seed {seed}",
    variants={"start-player": "start-player variant", "fewer-barrels": "fewer barrels"},
    reconstruction=(
        "The card values are a reconstruction, not the printed ones (see: valletta cards)."
    ),
    cards="The cards are those of {name}.",
    legend="(site, letter; points, icon; character; cost in gold, wood, stone, brick; owner)",
    opening_hand="Opening hand",
    refill="Refill",
    draws="draws",
    no_effect="to no effect",
    own_turn="{name}, turn {turn}{few}",
    turn="{name}, turn {turn}{few} ({holdings})",
    few=(", no card", ", 1 card", ", 2 cards"),
    after_rounds="If it ended after {rounds} rounds: {standings}",
    now="If it ended now: {standings}",
    score_sheet="Score sheet ({about})",
    unfinished="The game is left unfinished.",
    unsaved="It is not saved; next time, save FILE keeps it.",
    broken_off=("broken off after {turns} turns (--max-turns); the rules themselves set no limit"),
    welcome="You play {name}. Type ? at any time to see what you can do.",
    hand="Hand",
    no_card="no card",
    valette="Valette on space {space}",
    tower="Valette on the tower",
    build="build",
    upgrade="upgrade",
    more="{count} more: m for the next, all for all, or type 2g 1w",
    help=(
        "Type what stands before the thing you want to do, or say it: maid, build 7, wood,"
        " pay 2g 1w, hire the Banker, decline. Its beginning will do, if it is clear and is none"
        " of these words:"
    ),
    help_commands=(
        ("?, h", "this help, and the question again"),
        ("b, board", "the buildings and the street"),
        ("info", "all that is known of the players"),
        ("hint", "what the computer would do"),
        ("why not X", "why a move cannot be made, as in: why not build 7"),
        ("rule X", "a rule or a card, as in: rule BLD-3, rule Monk"),
        ("undo", "take your last choice back, a wrong site too"),
        ("save FILE", "write the game to a file"),
        ("m, all", "see more payments, or all of them"),
        ("q, quit", "leave the game"),
    ),
    help_paying=(("2g 1w", "pay 2 gold and 1 wood (g gold, w wood, s stone, b brick)"),),
    not_understood="'{text}' is not understood; ? shows what you can do.",
    suggestion="'{text}' is not understood. Did you mean {meant}?",
    ambiguous="Which do you mean? {moves}",
    refused="Not possible: {reason}. [{clause}]",
    allowed="But you can.",
    negation="not",
    why_what="Say what you would like to do, as in: why not build 7",
    rule_what="Say which rule or card, as in: rule BLD-3, rule Monk",
    more_of_rule="More of it: valletta rule {name}",
    no_rule="There is no rule or card '{name}'.",
    undone="Your last choice is taken back.",
    nothing_to_undo="There is nothing to take back.",
    hint="The computer would {action}.",
    worth="({points} points ahead at the end, it thinks)",
    decimal=".",
    saved="The game is in {file}.",
    go_on="Go on with: {command}",
    not_saved="The game cannot be written to {file}: {reason}.",
    exists="{file} exists already; choose another name.",
    resumed="The game of {file} goes on.",
    only_resumed="--resume goes on with a game as it is, and cannot have {options}",
    no_input="somebody who plays needs an input to type at",
    commands={
        **dict.fromkeys(("?", "h", "help"), "help"),
        **dict.fromkeys(("b", "board", "map"), "board"),
        **dict.fromkeys(("info", "players"), "info"),
        **dict.fromkeys(("hint", "tip"), "hint"),
        **dict.fromkeys(("why", "whynot"), "why"),
        **dict.fromkeys(("rule", "rules", "card"), "rule"),
        **dict.fromkeys(("undo", "back"), "undo"),
        "save": "save",
        "m": "more",
        "all": "all",
        **dict.fromkeys(("q", "quit", "exit"), "quit"),
    },
    by_the_rules="{names} play by the rules {rules}.",
    turn_of="Turn {turn}, {name}",
    chooses="{name} chooses to {action}.",
    record_ends="Here the record ends.  {question}",
    unreadable="{file} cannot be read: {reason}",
    until="--until must be a number from 0 to {moves}",
    cannot_write="cannot write: {reason}",
)
"""What a terminal says around a game."""
