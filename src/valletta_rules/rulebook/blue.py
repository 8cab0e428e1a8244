"""The blue cards: goods from many sources, cheaper building, and goods taken from opponents."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

from valletta_rules.actions import (
    DECLINE,
    GIVE,
    RETURN,
    TAKE,
    Decline,
    GiveGood,
    ReturnGood,
    TakeGood,
    TakeGoods,
)
from valletta_rules.agenda import (
    ArtisanPrompt,
    BonusPrompt,
    MonkPrompt,
    NunPrompt,
    SeamstressPrompt,
    Step,
    TraderPrompt,
)
from valletta_rules.components import GOODS, MATERIALS, ONE, Character, Colour, Good, Goods
from valletta_rules.errors import Code, Violation, violation
from valletta_rules.events import Log
from valletta_rules.rulebook.building import construction
from valletta_rules.rulebook.effects import (
    Declining,
    Effect,
    Rule,
    check_declining_choice,
    check_good,
    decline,
    legal_goods,
    question,
)
from valletta_rules.rulebook.houses_and_icons import count_of_colour, icons
from valletta_rules.rulebook.ledger import give, give_back, take
from valletta_rules.state import GameState

# The extra good with two players: Monk, Innkeeper and Tax Collector


BONUS_GOODS: Final[Mapping[Character, tuple[Good, ...]]] = MappingProxyType(
    {
        Character.MONK: GOODS,
        Character.INNKEEPER: (Good.GOLD,),
        Character.TAX_COLLECTOR: MATERIALS,
    }
)
"""The kinds of good that may be chosen as the extra good.

Rules: BLU-5, BLU-25, BLU-32
"""


def legal_bonuses(state: GameState, prompt: BonusPrompt) -> tuple[TakeGood | Decline, ...]:
    """Return an action for each good that may be taken as the extra good, and one that declines.

    Rules: BLU-5, BLU-25, BLU-32
    """
    return (*(TAKE[good] for good in BONUS_GOODS[prompt.character]), DECLINE)


def check_bonus(
    state: GameState, prompt: BonusPrompt, action: TakeGood | Decline
) -> Violation | None:
    """Return the violation if a good cannot be taken as the extra good, else `None`.

    Rules: BLU-5, BLU-25, BLU-31, BLU-32
    """
    if isinstance(action, Decline) or action.good in BONUS_GOODS[prompt.character]:
        return None
    message = f"{prompt.character.english} takes no {action.good} from the supply"
    return violation(prompt.clause, Code.GOOD_NOT_OFFERED, message, good=action.good)


def take_bonus(
    state: GameState, prompt: BonusPrompt, action: TakeGood | Decline, log: Log
) -> GameState:
    """Take the extra good from the general supply, or decline it.

    Rules: BLU-5, BLU-25, BLU-32
    """
    state = state.done()
    if isinstance(action, Decline):
        return decline(state, prompt.seat, prompt.clause, log)
    return take(state, prompt.seat, ONE[action.good], prompt.clause, log)


def _with_bonus(state: GameState, seat: int, character: Character) -> GameState:
    """Add a prompt for an extra good after the effect if the game has two players.

    Rules: BLU-5, BLU-25, BLU-32
    """
    if len(state.players) == 2:
        return state.doing_first(BonusPrompt(seat, character))
    return state


def _or_bonus(takes: Effect) -> Effect:
    """Return a version of an effect which, in a game for two players, can always do something.

    In such a game, the player may take an extra good after the effect.

    Rules: BLU-5, BLU-25, BLU-32, BLU-33, BLU-35
    """
    condition = takes.can_do_something

    def can_do_something(state: GameState, seat: int) -> bool:
        return len(state.players) == 2 or condition(state, seat)

    return Effect(takes.carry_out, can_do_something, takes.declining, "BLU-33", at_once=condition)


# The Monk


MONK_SPARES: Final = 4
"""An opponent with at least this number of goods has to give one to the Monk.

Rules: BLU-4
"""


def has_to_give(state: GameState, seat: int) -> bool:
    """Return whether an opponent has to give the Monk a good.

    Rules: BLU-1, BLU-4
    """
    return state.players[seat].goods.total >= MONK_SPARES


def monk_takes(state: GameState, seat: int) -> bool:
    """Return whether any opponent has to give the Monk a good.

    Rules: BLU-1, BLU-33, FIN-14
    """
    return any(has_to_give(state, opponent) for opponent in state.opponents_of(seat))


def monk(state: GameState, seat: int, log: Log) -> GameState:
    """Prompt each opponent, in clockwise order, to choose a good and give it to the Monk's player.

    Rules: BLU-1, BLU-3, BLU-5, FIN-14
    """
    state = _with_bonus(state, seat, Character.MONK)
    return state.doing_first(*(MonkPrompt(opponent, seat) for opponent in state.opponents_of(seat)))


def gives_monk(state: GameState, prompt: MonkPrompt) -> bool:
    """Return whether the opponent in a Monk's prompt still has enough goods to give one.

    Rules: BLU-3, BLU-4
    """
    return has_to_give(state, prompt.seat)


def legal_gifts(state: GameState, prompt: MonkPrompt) -> tuple[GiveGood, ...]:
    """Return an action for each kind of good that the opponent can give to the Monk.

    Rules: BLU-1, BLU-2, BLU-34
    """
    return tuple(GIVE[good] for good in state.players[prompt.seat].goods.kinds())


def check_gift(state: GameState, prompt: MonkPrompt, action: GiveGood) -> Violation | None:
    """Return the violation if the opponent cannot give the chosen good to the Monk, else `None`.

    Rules: BLU-1, BLU-2
    """
    if state.players[prompt.seat].goods[action.good]:
        return None
    message = f"the player has no {action.good} to give"
    return violation("BLU-2", Code.NOT_OWNED, message, good=action.good)


def give_to_monk(state: GameState, prompt: MonkPrompt, action: GiveGood, log: Log) -> GameState:
    """Move the chosen good from the opponent to the player who played the Monk.

    Rules: BLU-1, BLU-2
    """
    return give(state.done(), prompt.seat, prompt.taker, ONE[action.good], "BLU-1", log)


# Bricklayer, Stonemason and Carpenter


CARD_REDUCTION: Final = 2
"""The number of goods by which Bricklayer, Stonemason and Carpenter each reduce a price.

Rules: BLU-6, BLU-22, BLU-29
"""


# The Trader


TRADER_TAKES: Final = Goods(gold=3)
"""The goods that the Trader takes in exchange for one material.

Rules: BLU-7
"""


def can_trade(state: GameState, seat: int) -> bool:
    """Return whether the player has a wood, a stone or a brick.

    Rules: BLU-9
    """
    goods = state.players[seat].goods
    return bool(goods.wood or goods.stone or goods.brick)


def legal_trades(state: GameState, prompt: TraderPrompt) -> tuple[ReturnGood | Decline, ...]:
    """Return a trade for each material that the player has, and the option to decline.

    Rules: BLU-7, BLU-8
    """
    goods = state.players[prompt.seat].goods
    return (*(RETURN[good] for good in MATERIALS if goods[good]), DECLINE)


def check_trade(
    state: GameState, prompt: TraderPrompt, action: ReturnGood | Decline
) -> Violation | None:
    """Return the violation if a good cannot be traded, else `None`.

    Rules: BLU-7, BLU-8
    """
    if isinstance(action, Decline):
        return None
    if action.good is Good.GOLD:
        message = "the Trader returns wood, stone or brick, not gold"
        return violation("BLU-7", Code.GOOD_NOT_OFFERED, message, good=action.good)
    if not state.players[prompt.seat].goods[action.good]:
        message = f"the player has no {action.good} to return"
        return violation("BLU-7", Code.NOT_OWNED, message, good=action.good)
    return None


def trade(
    state: GameState, prompt: TraderPrompt, action: ReturnGood | Decline, log: Log
) -> GameState:
    """Trade one material for three gold from the general supply, or decline.

    Rules: BLU-7, BLU-8
    """
    state = state.done()
    if isinstance(action, Decline):
        return decline(state, prompt.seat, "BLU-8", log)
    state = give_back(state, prompt.seat, ONE[action.good], "BLU-7", log)
    return take(state, prompt.seat, TRADER_TAKES, "BLU-7", log)


# The Seamstress


SEAMSTRESS_TAKES: Final = 2
"""The number of goods that the Seamstress takes.

Rules: BLU-10
"""

PAIRS: Final = tuple(
    TakeGoods(goods)
    for goods in sorted(
        {ONE[one] + ONE[other] for one in GOODS for other in GOODS},
    )
)
"""All pairs of goods: two of one kind, or one each of two kinds.

Rules: BLU-10
"""

_PAIRS_OR_NONE: Final[tuple[TakeGoods | Decline, ...]] = (*PAIRS, DECLINE)


def legal_pairs(state: GameState, prompt: SeamstressPrompt) -> tuple[TakeGoods | Decline, ...]:
    """Return all pairs of goods and, if effects are optional, the option to decline.

    Rules: BLU-10, BLU-11
    """
    return _PAIRS_OR_NONE if state.rules.effects_are_optional else PAIRS


def check_pair(
    state: GameState, prompt: SeamstressPrompt, action: TakeGoods | Decline
) -> Violation | None:
    """Return the violation if the Seamstress cannot take the goods, else `None`.

    Rules: BLU-10, BLU-11
    """
    if isinstance(action, Decline):
        return check_declining_choice(state, Character.SEAMSTRESS)
    if action.goods.total != SEAMSTRESS_TAKES:
        message = f"the Seamstress takes {SEAMSTRESS_TAKES} goods, not {action.goods}"
        return violation("BLU-10", Code.WRONG_NUMBER_OF_GOODS, message, goods=action.goods)
    return None


def take_pair(
    state: GameState, prompt: SeamstressPrompt, action: TakeGoods | Decline, log: Log
) -> GameState:
    """Take two goods of one kind or of two kinds for the Seamstress, or decline.

    Rules: BLU-10, BLU-11
    """
    state = state.done()
    if isinstance(action, Decline):
        return decline(state, prompt.seat, "BLU-11", log)
    return take(state, prompt.seat, action.goods, "BLU-10", log)


# The Merchant


MERCHANT_WARES: Final = Goods(wood=1, stone=1, brick=1)
"""The goods that the Merchant takes in exchange for one gold.

Rules: BLU-12
"""


def can_buy(state: GameState, seat: int) -> bool:
    """Return whether the player has a gold for the Merchant.

    Rules: BLU-13, BLU-14
    """
    return state.players[seat].goods.gold > 0


def merchant(state: GameState, seat: int, log: Log) -> GameState:
    """Trade one gold for one wood, one stone and one brick from the general supply.

    Rules: BLU-12
    """
    state = give_back(state, seat, ONE[Good.GOLD], "BLU-12", log)
    return take(state, seat, MERCHANT_WARES, "BLU-12", log)


# The Artisan


def has_icons(state: GameState, seat: int) -> bool:
    """Return whether the player has any icons. Every building has at least one.

    Rules: BLU-17
    """
    return bool(state.players[seat].built)


def craft(
    state: GameState, prompt: ArtisanPrompt, action: TakeGood | Decline, log: Log
) -> GameState:
    """Take a good of the chosen kind for each icon of this kind on the player's buildings.

    Rules: BLU-15, BLU-16, BLU-18
    """
    state = state.done()
    if isinstance(action, Decline):
        return decline(state, prompt.seat, "BLU-18", log)
    goods = Goods.of(action.good, icons(state, prompt.seat, action.good))
    return take(state, prompt.seat, goods, "BLU-15", log)


# The Chamberlain


def has_green(state: GameState, seat: int) -> bool:
    """Return whether the player has a green building.

    Rules: BLU-20
    """
    return count_of_colour(state, seat, Colour.GREEN) > 0


def chamberlain(state: GameState, seat: int, log: Log) -> GameState:
    """Take one gold for each green building of the Chamberlain's player.

    Rules: BLU-19
    """
    gold = Goods(gold=count_of_colour(state, seat, Colour.GREEN))
    return take(state, seat, gold, "BLU-19", log)


# Innkeeper and Tax Collector


def levy(due: Callable[[GameState, int], Goods], character: Character, clause: str) -> Effect:
    """Return an effect that takes from each opponent the goods that `due` returns for them.

    Rules: BLU-23, BLU-25, BLU-30, BLU-32, BLU-33, FIN-14
    """

    def anybody_gives(state: GameState, seat: int) -> bool:
        return any(due(state, opponent) for opponent in state.opponents_of(seat))

    def carry_out(state: GameState, seat: int, log: Log) -> GameState:
        for opponent in state.opponents_of(seat):
            if goods := due(state, opponent):
                state = give(state, opponent, seat, goods, clause, log)
        return _with_bonus(state, seat, character)

    return _or_bonus(Effect(carry_out, anybody_gives, Declining.AS_PLAYED_IF_OPTIONAL))


INNKEEPER_SPARES: Final = 2
"""An opponent with at least this amount of gold has to give one gold to the Innkeeper.

Rules: BLU-24
"""


def due_to_innkeeper(state: GameState, seat: int) -> Goods:
    """Return the goods that the Innkeeper takes from an opponent.

    Rules: BLU-23, BLU-24
    """
    return Goods(gold=1 if state.players[seat].goods.gold >= INNKEEPER_SPARES else 0)


TAX_COLLECTOR_SPARES: Final = 3
"""An opponent with at least this amount of a material has to give one to the Tax Collector.

Rules: BLU-30
"""


def due_to_tax_collector(state: GameState, seat: int) -> Goods:
    """Return the goods that the Tax Collector takes from an opponent: materials, never gold.

    Rules: BLU-30, BLU-31
    """
    goods = state.players[seat].goods
    return Goods(
        wood=1 if goods.wood >= TAX_COLLECTOR_SPARES else 0,
        stone=1 if goods.stone >= TAX_COLLECTOR_SPARES else 0,
        brick=1 if goods.brick >= TAX_COLLECTOR_SPARES else 0,
    )


# The Nun


NUN_TAKES: Final = 3
"""The number of goods that the Nun takes.

Rules: BLU-26
"""


def share_alms(
    state: GameState, prompt: NunPrompt, action: TakeGood | Decline, log: Log
) -> GameState:
    """Give three goods of the chosen kind to the Nun's player, and one to each opponent.

    Rules: BLU-26, BLU-27, BLU-28, FIN-15
    """
    state = state.done()
    if isinstance(action, Decline):
        return decline(state, prompt.seat, "BLU-28", log)
    state = take(state, prompt.seat, Goods.of(action.good, NUN_TAKES), "BLU-26", log)
    for opponent in state.opponents_of(prompt.seat):
        state = take(state, opponent, ONE[action.good], "BLU-27", log)
    return state


EFFECTS: Final[Mapping[Character, Effect]] = MappingProxyType(
    {
        Character.MONK: _or_bonus(Effect(monk, monk_takes, Declining.AS_PLAYED_IF_OPTIONAL)),
        Character.BRICKLAYER: construction(Goods(brick=CARD_REDUCTION)),
        Character.TRADER: question(TraderPrompt, can_trade),
        Character.SEAMSTRESS: question(SeamstressPrompt),
        Character.MERCHANT: Effect(merchant, can_buy, Declining.AS_PLAYED, "BLU-13"),
        Character.ARTISAN: question(ArtisanPrompt, has_icons),
        Character.CHAMBERLAIN: Effect(
            chamberlain, has_green, Declining.AS_PLAYED_IF_OPTIONAL, "BLU-21"
        ),
        Character.STONEMASON: construction(Goods(stone=CARD_REDUCTION)),
        Character.INNKEEPER: levy(due_to_innkeeper, Character.INNKEEPER, "BLU-23"),
        Character.NUN: question(NunPrompt),
        Character.CARPENTER: construction(Goods(wood=CARD_REDUCTION)),
        Character.TAX_COLLECTOR: levy(due_to_tax_collector, Character.TAX_COLLECTOR, "BLU-30"),
    }
)
"""The effects of the blue characters.

Rules: BLU-6, BLU-13, BLU-21, BLU-22, BLU-29, BLU-33
"""

RULES: Final[Mapping[type[Step], Rule[Any, Any]]] = MappingProxyType(
    {
        MonkPrompt: Rule(legal_gifts, check_gift, give_to_monk, gives_monk),
        TraderPrompt: Rule(legal_trades, check_trade, trade),
        SeamstressPrompt: Rule(legal_pairs, check_pair, take_pair),
        ArtisanPrompt: Rule(legal_goods, check_good, craft),
        NunPrompt: Rule(legal_goods, check_good, share_alms),
        BonusPrompt: Rule(legal_bonuses, check_bonus, take_bonus),
    }
)
"""The rules for the prompts of the blue characters, keyed by the type of prompt."""
