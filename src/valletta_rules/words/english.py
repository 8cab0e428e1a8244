"""The game in English: sentences for actions, prompts and events, and the table as text.

Everything here is a pure function of values of this package.  Players are called by names that
the caller may choose.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, assert_never

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
    DealPrompt,
    DraftPrompt,
    DrawPrompt,
    MaidPrompt,
    MonkPrompt,
    NunPrompt,
    PaymentPrompt,
    PlayPrompt,
    SeamstressPrompt,
    SitePrompt,
    TraderPrompt,
    ValettePrompt,
)
from valletta_rules.components.buildings import Building
from valletta_rules.components.characters import Character
from valletta_rules.components.display import ROW_LENGTH, column_of, is_above
from valletta_rules.components.goods import GOODS, NOTHING, ONE, Goods
from valletta_rules.components.street import AREA_LENGTH, area_of
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
    Event,
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
from valletta_rules.outcome import Outcome
from valletta_rules.rulebook.blue import NUN_TAKES
from valletta_rules.rulebook.building import (
    CONSTRUCTION_BONUS,
    building_price,
    upgrade_price,
)
from valletta_rules.rulebook.holdings import icons, owner_of
from valletta_rules.rulebook.red import stands_for
from valletta_rules.rulebook.scoring import score_sheet
from valletta_rules.rulebook.yellow import ARCHITECT_POINTS, ARCHITECT_PRICE
from valletta_rules.state import GameState

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
    C.VALETTE: "move him, take the barrel, dismiss or hire",
    C.BANKER: "take 1 gold for each gold icon",
    C.WOODWORKER: "take 1 wood for each wood icon",
    C.CARVER: "take 1 stone for each stone icon",
    C.MASON: "take 1 brick for each brick icon",
    C.MONK: "each opponent with 4 goods or more gives one of them",
    C.BRICKLAYER: "build or upgrade for 2 brick less",
    C.TRADER: "return 1 wood, stone or brick for 3 gold",
    C.SEAMSTRESS: "take 2 goods of any kind",
    C.MERCHANT: "return 1 gold for 1 wood, 1 stone and 1 brick",
    C.ARTISAN: "name a good, take 1 for each icon of it",
    C.CHAMBERLAIN: "take 1 gold for each green building",
    C.STONEMASON: "build or upgrade for 2 stone less",
    C.INNKEEPER: "take 1 gold from each opponent with 2 or more",
    C.NUN: "take 3 of a good, every opponent takes 1 of it",
    C.CARPENTER: "build or upgrade for 2 wood less",
    C.TAX_COLLECTOR: "take of each material 1 from every opponent with 3 or more",
    C.ARCHITECT: "return 4 of one material for 4 points",
    C.GRAND_BAILIFF: "return 4 gold for 4 points",
    C.GRAND_MASTER: "return one good of each kind for 5 points",
    C.PHILIP: "score 1 point for each green building",
    C.CHARLES: "score 1 point for each blue building",
    C.PIUS: "score 1 point for each upgraded building",
    C.KNIGHT: "score 2 points",
}
"""What the characters do, in brief."""


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


def joined(parts: Sequence[str]) -> str:
    """Join parts of a sentence: ``Red, Blue and Green``."""
    return " and ".join(filter(None, [", ".join(parts[:-1]), *parts[-1:]]))


def brief(goods: Goods) -> str:
    """Write goods as one types them: ``2g 1w``; no goods at all as ``-``."""
    counts = zip(GOODS, goods, strict=True)
    return " ".join(f"{count}{good[0]}" for good, count in counts if count) or "-"


# Actions


def describe_action(state: GameState, action: Action) -> str:
    """Say what an action would do as the answer to the prompt of a position, as a request.

    Sites and buildings must exist; otherwise the action need not be legal.
    """
    match action:
        case DealBuilding(code):
            return f"deal {label(state.cards.building(code))} to site {len(state.display)}"
        case DrawCard(character):
            return f"draw {title(character)}"
        case RevealBarrel(good):
            return f"find {ONE[good]} in the barrel"
        case DraftGood(good) | GiveGood(good):
            return f"{'take' if isinstance(action, DraftGood) else 'give'} {ONE[good]}"
        case PlayCard():
            return _describe_play(state, action)
        case TakeGood():
            return _describe_take(state, action)
        case TakeGoods(goods):
            return f"take {goods}"
        case ReturnGood(good):
            if isinstance(state.prompt, ArchitectPrompt):
                points = counted(ARCHITECT_POINTS, "point")
                return f"return {Goods.of(good, ARCHITECT_PRICE)} for {points}"
            return f"return {ONE[good]} for 3 gold"
        case Build() | Upgrade():
            return _describe_construction(state, action)
        case Pay(goods):
            return f"pay {goods}"
        case Dismiss(character):
            return f"dismiss {title(character)}"
        case Hire(character):
            return f"hire {title(character)} ({GISTS[character]})"
        case Decline():
            return _describe_decline(state)
        case _:
            assert_never(action)


def _describe_play(state: GameState, action: PlayCard) -> str:
    character = action.character
    if not action.use_effect:
        return f"play {title(character)} without effect"
    gist = GISTS[character]
    if character is C.APPRENTICE:
        copied = stands_for(state.rules, state.played, character)
        gist = "nothing to copy" if copied is None else f"as {title(copied)}: {GISTS[copied]}"
    return f"play {title(character)} ({gist})"


def _describe_take(state: GameState, action: TakeGood) -> str:
    good = action.good
    match state.prompt:
        case ArtisanPrompt(seat):
            goods = Goods.of(good, icons(state, seat, good))
            return f"take {goods}" if goods else f"take no {good}, for want of icons"
        case NunPrompt():
            return f"take {Goods.of(good, NUN_TAKES)}, every opponent {ONE[good]}"
        case _:
            return f"take {ONE[good]}"


def _describe_construction(state: GameState, action: Build | Upgrade) -> str:
    prompt, site = state.prompt, action.site
    seat = state.active if prompt is None or prompt.seat is None else prompt.seat
    reduction = prompt.reduction if isinstance(prompt, SitePrompt) else NOTHING
    building, where = state.display[site], f"{label(state.display[site])} on site {site}"
    gains = counted(building.points, "point")
    if area_of(state.valette) == column_of(site):
        gains += f", Valette gives {CONSTRUCTION_BONUS}"
    if isinstance(action, Upgrade):
        return f"upgrade {where} for {upgrade_price(state, site, reduction)}: {gains}"
    price = building_price(state, seat, site, reduction)
    return f"build {where} for {price}: {gains}, {building.icon} icon"


def _describe_decline(state: GameState) -> str:
    match state.prompt:
        case SitePrompt():
            return "neither build nor upgrade"
        case ValettePrompt():
            return "neither dismiss nor hire"
        case BonusPrompt():
            return "take no extra good"
        case _:
            return "make no use of it"


# Prompts


def describe_prompt(state: GameState, names: Sequence[str] = NAMES) -> str:
    """Say the question that a position asks, addressed to the player who must answer."""
    prompt = state.prompt
    if prompt is None:
        return "The game is over."
    asked = "Chance" if prompt.seat is None else names[prompt.seat]
    match prompt:
        case DealPrompt():
            question = f"which building is dealt to site {len(state.display)}?"
        case DrawPrompt(player):
            question = f"which card does {names[player]} draw?"
        case BarrelPrompt():
            question = f"what does the barrel on space {state.valette} hold?"
        case DraftPrompt():
            question = "which extra good do you start with?"
        case PlayPrompt(_, plays):
            question = f"which card do you play? ({plays} to play)"
        case MaidPrompt():
            question = "which good does your Maid take?"
        case SitePrompt(_, reduction):
            off = f" ({reduction} off the price)" if reduction else ""
            question = f"what do you build or upgrade?{off}"
        case PaymentPrompt(seat, site, price):
            what = "upgrading" if site in state.players[seat].built else "building"
            question = f"how do you pay {price} for {what} {label(state.display[site])}?"
        case ValettePrompt():
            question = "do you dismiss or hire a character?"
        case MonkPrompt(_, taker):
            question = f"which good do you give to the Monk of {names[taker]}?"
        case TraderPrompt():
            question = "what do you return for 3 gold?"
        case SeamstressPrompt():
            question = "which two goods does your Seamstress take?"
        case ArtisanPrompt():
            question = "of which good does your Artisan count the icons?"
        case NunPrompt():
            question = "which good does your Nun share out?"
        case BonusPrompt(_, character):
            question = f"which extra good does {title(character)} bring?"
        case ArchitectPrompt():
            question = f"which material do you return for {counted(ARCHITECT_POINTS, 'point')}?"
        case _:
            assert_never(prompt)
    return f"{asked}, {question}"


# Events


@attrs.frozen
class Sentence:
    """Somebody and what he does; kept apart so that a story need not repeat its hero."""

    subject: str
    """Who or what does it."""
    predicate: str
    """What is done."""

    def __str__(self) -> str:
        """Say the whole sentence."""
        return f"{self.subject[:1].upper()}{self.subject[1:]} {self.predicate}."


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
    EndCondition.SCORE: "reaches 25 points",
    EndCondition.HOUSES: "builds the eighth house",
}
"""How it is said that a condition for the final phase was fulfilled."""


def narrate(
    event: Event, state: GameState, names: Sequence[str] = NAMES, *, reader: int | None = None
) -> str:
    """Say what happened, in a sentence.

    `state` is the position in which the action was taken.  Drawn cards are named to their own
    player only: `reader` is the seat of whoever reads this, `None` for a spectator.
    """
    return str(tell(event, state, names, reader=reader))


def tell(
    event: Event, state: GameState, names: Sequence[str] = NAMES, *, reader: int | None = None
) -> Sentence:
    """Say what happened like `narrate`, with subject and predicate apart."""
    match event:
        case BuildingDealt(site, code):
            return Sentence(f"site {site}", f"receives {label(state.cards.building(code))}")
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
            return Sentence(
                names[seat], f"draws {title(character) if seat == reader else 'a card'}"
            )
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
            return Sentence(names[event.seat], _predicate(event, state))


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


def _predicate(event: _Plain, state: GameState) -> str:
    match event:
        case TurnBegan(_, plays):
            return f"is to play {counted(plays, 'card')}"
        case GoodDrafted(_, good):
            return f"takes {ONE[good]} as an extra good"
        case GoodsTaken(_, goods):
            return f"takes {goods}"
        case GoodsReturned(_, goods):
            price = state.prompt.price if isinstance(state.prompt, PaymentPrompt) else None
            if price is None:
                return f"returns {goods}"
            return f"pays {goods}" + (f" for a price of {price}" if goods != price else "")
        case Built(_, site, character):
            return f"builds {state.display[site].code} on site {site} and gains {title(character)}"
        case Upgraded(_, site):
            return f"upgrades {label(state.display[site])} on site {site}"
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


CELL: Final = 19
"""How many columns a site takes in a drawing of the display."""


def draw_display(state: GameState, names: Sequence[str] = NAMES) -> str:
    """Draw the display as it lies around the street: three lines for each site.

    They show its number, code and character; its cost; its points, icon and owner, a plus
    marking an upgraded building.
    """
    rows = range(0, len(state.display), ROW_LENGTH)
    above = [start for start in reversed(rows) if is_above(start)]
    below = [start for start in rows if not is_above(start)]
    lines = [line for start in above for line in _draw_row(state, start, names)]
    lines.append(_draw_street(state))
    lines += [line for start in below for line in _draw_row(state, start, names)]
    return "\n".join(lines)


def _draw_row(state: GameState, start: int, names: Sequence[str]) -> list[str]:
    cells = [_cell(state, site, names) for site in range(start, start + ROW_LENGTH)]
    return ["".join(line.ljust(CELL) for line in row).rstrip() for row in zip(*cells, strict=True)]


def _cell(state: GameState, site: int, names: Sequence[str]) -> tuple[str, str, str]:
    building, owner = state.display[site], owner_of(state, site)
    house = ""
    if owner is not None:
        house = f", {names[owner]}{'+' if site in state.players[owner].upgraded else ''}"
    return (
        f"{site:2} {building.code} {SHORT_NAMES[building.character]}"[: CELL - 1],
        f"   {brief(building.cost)}",
        f"   {building.points}p {building.icon}{house}",
    )


def _draw_street(state: GameState) -> str:
    areas = []
    for area in range(ROW_LENGTH):
        first = area * AREA_LENGTH + 1
        valette = f" V:{state.valette}" if area_of(state.valette) == area else ""
        areas.append(f"=={first}-{first + AREA_LENGTH - 1}{valette}".ljust(CELL, "="))
    return "".join(areas)


def describe_holdings(state: GameState, seat: int) -> str:
    """Say what lies in front of a player: goods, houses, points on the track."""
    player = state.players[seat]
    upgraded = f" ({len(player.upgraded)} upgraded)" if player.upgraded else ""
    houses = f"{counted(len(player.built), 'house')}{upgraded}"
    return f"{player.goods}; {houses}; {counted(player.score, 'point')} scored"


def describe_standings(state: GameState, names: Sequence[str] = NAMES) -> str:
    """Say in a line how the players would score if the game ended now."""
    return "; ".join(
        f"{names[score.seat]} {score.total} ({counted(score.houses, 'house')})"
        for score in score_sheet(state)
    )


def draw_score_sheet(outcome: Outcome, names: Sequence[str] = NAMES) -> str:
    """Draw the score sheet, with who has won and by which clause."""
    rows: list[tuple[str, ...]] = [("", "track", "buildings", "goods", "total", "houses")]
    for each in outcome.scores:
        counts = (each.track, each.buildings, each.goods, each.total, each.houses)
        rows.append((names[each.seat], *map(str, counts)))
    lines = ["".join([row[0].ljust(8), *(cell.rjust(11) for cell in row[1:])]) for row in rows]
    winner = describe_winner(outcome, names)
    return "\n".join([*lines, "", f"{winner[0].upper()}{winner[1:]} ({outcome.clause})."])


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
