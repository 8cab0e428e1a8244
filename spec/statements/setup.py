"""Setup: formal statements of its clauses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any, Final

from valletta_rules import actions, agenda, events
from valletta_rules.actions import Action
from valletta_rules.components.bags import CardBag
from valletta_rules.components.characters import Character, Colour
from valletta_rules.components.goods import GOODS, NOTHING, ONE, ONE_OF_EACH
from valletta_rules.events import Event
from valletta_rules.rulings import BarrelLayout, RuleSet
from valletta_rules.state import GameState, Phase

from . import Step, Verdicts, allows, always, asks, defines, lays, odds, posts
from .building import is_seen, price
from .vocabulary import plays

# The players


@lays("SET-1")
def two_to_four(players: int, rules: RuleSet) -> bool:
    """Two, three or four take part."""
    return players in (2, 3, 4)


@lays("SET-7")
def variant_for_two(players: int, rules: RuleSet) -> bool | None:
    """With fewer barrels two take part."""
    return players == 2 if rules.fewer_barrels else None


def _began(step: Step) -> list[tuple[GameState, events.TurnBegan]]:
    entries = step.entries
    return [(table, each) for table, each in entries if isinstance(each, events.TurnBegan)]


@always("SET-2", at=agenda.DrawPrompt | agenda.DraftPrompt)
def clockwise(step: Step) -> bool | None:
    """After a turn in the main phase the next number has his, and after the last number 0."""
    for table, turn in _began(step):
        following = (table.active + 1) % len(table.players)
        if table.phase is Phase.MAIN and table.players[following].hand:
            return turn.seat == following
    return None


@always("SET-30", at=agenda.DrawPrompt | agenda.DraftPrompt)
def start_player_begins(step: Step) -> bool | None:
    """Seat 0 has the first turn."""
    if (step.before.phase, step.after.phase) != (Phase.SETUP, Phase.MAIN):
        return None
    first = [each.seat for _, each in _began(step)]
    return (first, step.after.active, getattr(step.asked, "seat", None)) == ([0], 0, 0)


# The barrels


@defines("SET-3", "SET-4", "SET-6")
def has_barrel(state: GameState, space: int) -> bool:
    """Tell whether a space of the street receives a barrel."""
    if state.rules.fewer_barrels:
        return space % 2 == 1
    if state.rules.barrel_layout is BarrelLayout.BY_PLAYERS:
        return {2: space % 2 == 1, 3: space % 3 > 0, 4: True}[len(state.players)]
    return True


@asks("SET-3", at=agenda.PlayPrompt)
@asks("SET-4", at=agenda.PlayPrompt)
@asks("SET-6", at=agenda.PlayPrompt)
def barrel(step: Step) -> agenda.Prompt | None:
    """A barrel is revealed on the spaces that have one."""
    is_moved = plays(step, Character.VALETTE) and step.before.valette < 25
    is_there = is_moved and has_barrel(step.before, step.after.valette)
    return agenda.BarrelPrompt(step.seat) if is_there else None


@always("SET-4", at=agenda.BarrelPrompt)
@always("SET-6", at=agenda.BarrelPrompt)
def no_barrel_elsewhere(state: GameState) -> bool:
    """A barrel is revealed only on a space that has one."""
    return has_barrel(state, state.valette)


@always("SET-3", at=agenda.DealPrompt)
@always("SET-6", at=agenda.DealPrompt)
def barrels_of_the_game(state: GameState) -> bool:
    """Each of the 25 barrels may come up."""
    return state.barrels == state.cards.barrels and state.barrels.total == 25


@allows("SET-5", at=agenda.BarrelPrompt)
def unknown_good(state: GameState) -> Verdicts:
    """Every good that a barrel not yet revealed shows may come up."""
    yield from ((actions.RevealBarrel(good), True) for good in state.barrels.kinds())


@odds("SET-6", at=agenda.BarrelPrompt)
@odds("SET-31", at=agenda.BarrelPrompt)
def next_barrels(state: GameState) -> Mapping[Action, Fraction]:
    """Return the goods that the next barrel can show, each of the barrels left equally likely."""
    left = state.barrels
    return {actions.RevealBarrel(g): Fraction(left[g], left.total) for g in GOODS if left[g]}


# The display

DEALT: Final = {
    2: {Colour.GREEN: 6, Colour.BLUE: 8, Colour.YELLOW: 6},
    3: {Colour.GREEN: 8, Colour.BLUE: 10, Colour.YELLOW: 7},
    4: {Colour.GREEN: 10, Colour.BLUE: 12, Colour.YELLOW: 8},
}
"""The buildings of each colour, by the number of players."""


def _to_deal(state: GameState) -> dict[Colour, int]:
    """Return how many buildings of each colour have yet to be dealt."""
    dealt = Counter(building.colour for building in state.display)
    return {colour: n - dealt[colour] for colour, n in DEALT[len(state.players)].items()}


@asks("SET-8", at=agenda.DealPrompt)
def next_building(step: Step) -> agenda.Prompt | None:
    """Buildings are dealt until all have been."""
    return agenda.DealPrompt() if any(_to_deal(step.after).values()) else None


@always("SET-8", at=agenda.DealPrompt)
def quotas(step: Step) -> bool:
    """No more buildings of a colour are dealt than belong to the display, and in the end all."""
    left = _to_deal(step.after).values()
    return min(left) >= 0 and (isinstance(step.asked, agenda.DealPrompt) or not any(left))


@odds("SET-9", at=agenda.DealPrompt)
@odds("SET-10", at=agenda.DealPrompt)
def next_buildings(state: GameState) -> Mapping[Action, Fraction]:
    """Each site is as likely for each building of the display, each card for its colour."""
    cards, dealt, left = Counter[Colour](), Counter(state.display), _to_deal(state)
    for each in state.cards.buildings:
        cards[each.colour] += each.copies - dealt[each]
    return {
        actions.DealBuilding(each.code): Fraction(left[each.colour], sum(left.values()))
        * Fraction(each.copies - dealt[each], cards[each.colour])
        for each in state.cards.buildings
        if left[each.colour] and each.copies > dealt[each]
    }


@posts("SET-11", at=agenda.DealPrompt)
def next_site(step: Step) -> Iterator[Event]:
    """The building comes to the site after the last."""
    if isinstance(step.action, actions.DealBuilding):
        yield events.BuildingDealt(len(step.before.display), step.action.building)


@asks("SET-11", at=agenda.SitePrompt)
def neighbours(step: Step) -> agenda.Prompt | None:
    """The neighbours that lower a price are those of rows of five."""
    match step.prompt, step.action:
        case agenda.SitePrompt(seat, less), actions.Build(site) | actions.Upgrade(site):
            return agenda.PaymentPrompt(seat, site, price(step.before, seat, site, less))
    return None


@always("SET-11", at=agenda.PaymentPrompt)
def over_the_street(step: Step) -> bool:
    """The first site of each row lies over the first five spaces, and the last over the last."""
    prompt: Any = step.prompt
    scores = any(isinstance(each, events.PointsScored) for each in step.events)
    return scores == is_seen(step.before, prompt.site)


@always("SET-12", at=agenda.DealPrompt)
def left_out(step: Step) -> bool:
    """No character of a building comes into play while the display is dealt."""
    there = step.after.supply
    for each in step.after.players:
        there += each.hand + each.draw_pile + each.discard_pile
    return all(each.colour in (Colour.RED, Colour.PURPLE) for each in there.kinds())


@always("SET-13", at=agenda.DealPrompt)
def no_house_yet(state: GameState) -> bool:
    """A building that is dealt has no house, and is not upgraded."""
    return not any(each.built or each.upgraded for each in state.players)


@always("SET-13", at=agenda.PaymentPrompt)
def front_up(step: Step) -> bool | None:
    """The first house on a building leaves its front up."""
    prompt: Any = step.prompt
    is_new = prompt.site not in step.mine.built
    return prompt.site not in step.after.players[step.seat].upgraded if is_new else None


@always("SET-17", at=agenda.PaymentPrompt)
def one_on_each(step: Step) -> bool | None:
    """Each new building brings its character to the hand, a second copy of a kind as well."""
    prompt: Any = step.prompt
    if prompt.site in step.mine.built:
        return None
    card = step.before.display[prompt.site].character
    return step.after.players[step.seat].hand == step.mine.hand.plus(card)


# What the players begin with

STARTING: Final = CardBag.of(
    Character.SHOPKEEPER,
    Character.LUMBERJACK,
    Character.STONE_SCULPTOR,
    Character.BRICK_WORKER,
    Character.MAID,
    Character.BUILDER,
    Character.APPRENTICE,
    Character.VALETTE,
)
"""The starting characters of a player."""


@always("SET-14", at=agenda.DealPrompt)
def eight_cards(state: GameState) -> bool:
    """Everybody has the eight, and no other card."""
    return all(each.hand + each.draw_pile == STARTING for each in state.players)


@always("SET-16", at=agenda.DealPrompt)
def four_builders(state: GameState) -> bool:
    """The supply holds four Builders and no other card."""
    return state.supply == CardBag.of(*[Character.BUILDER] * 4)


@always("SET-18", at=agenda.DealPrompt)
def unused_houses(state: GameState) -> bool:
    """No house stands anywhere."""
    return not any(each.built for each in state.players)


@always("SET-19", at=agenda.DealPrompt)
def no_points(state: GameState) -> bool:
    """No player has a point."""
    return not any(each.score for each in state.players)


@always("SET-20", at=agenda.DealPrompt)
def a_set_of_goods(state: GameState) -> bool:
    """Everybody has one good of each kind."""
    return all(each.goods == ONE_OF_EACH for each in state.players)


@always("SET-21", at=agenda.DealPrompt)
def on_the_tower(state: GameState) -> bool:
    """Valette stands on no space."""
    return state.valette == 0


# The opening hands


def _next_to_draw(step: Step) -> agenda.Prompt | None:
    """Return the prompt of the first player without five cards, once the display is complete."""
    if step.before.phase is Phase.SETUP and not any(_to_deal(step.after).values()):
        for seat, each in enumerate(step.after.players):
            if len(each.hand) < 5:
                return agenda.DrawPrompt(seat)
    return None


@asks("SET-15", at=agenda.DealPrompt | agenda.DrawPrompt)
def five_cards(step: Step) -> agenda.Prompt | None:
    """One after the other draws until he holds five."""
    return _next_to_draw(step)


@odds("SET-15", at=agenda.DrawPrompt)
def cards_at_random(state: GameState) -> Mapping[Action, Fraction] | None:
    """Each card that is left is equally likely."""
    if state.phase is not Phase.SETUP or not isinstance(state.prompt, agenda.DrawPrompt):
        return None
    pile = state.players[state.prompt.player].draw_pile
    return {actions.DrawCard(card): Fraction(n, len(pile)) for card, n in pile.items()}


@posts("SET-15", at=agenda.DrawPrompt)
def card_drawn(step: Step) -> Iterator[Event]:
    """The card comes to the hand."""
    if step.before.phase is Phase.SETUP and isinstance(step.action, actions.DrawCard):
        yield events.CardDrawn(step.seat, step.action.character)


@always("SET-32", at=agenda.DrawPrompt)
def three_left(step: Step) -> bool | None:
    """With five cards in the hand three are in the draw pile, and none is discarded."""
    me = step.after.players[step.seat]
    if step.before.phase is not Phase.SETUP or len(me.hand) < 5:
        return None
    return len(me.draw_pile) == 3 and not me.discard_pile and me.hand + me.draw_pile == STARTING


# The extra goods


def _draft(step: Step) -> agenda.Prompt | None:
    """Return the prompt of the last player when all hands are drawn, and then of the one before."""
    match step.prompt, step.action:
        case agenda.DraftPrompt(seat, goods), actions.DraftGood(good):
            return agenda.DraftPrompt(seat - 1, goods - ONE[good]) if seat else None
        case agenda.DrawPrompt(), _ if step.before.phase is Phase.SETUP and not _next_to_draw(step):
            return agenda.DraftPrompt(len(step.after.players) - 1, ONE_OF_EACH)
    return None


@asks("SET-22", at=agenda.DraftPrompt)
@asks("SET-23", at=agenda.DrawPrompt | agenda.DraftPrompt)
@asks("SET-28", at=agenda.DrawPrompt)
def next_choice(step: Step) -> agenda.Prompt | None:
    """The last player chooses from a whole set, the next counter-clockwise from what is left."""
    return _draft(step)


@allows("SET-22", at=agenda.DraftPrompt)
def goods_of_the_set(state: GameState) -> Verdicts:
    """Any good that is left may be chosen, and no other."""
    goods = state.prompt.goods if isinstance(state.prompt, agenda.DraftPrompt) else NOTHING
    yield from ((actions.DraftGood(good), goods[good] > 0) for good in GOODS)


@posts("SET-22", at=agenda.DraftPrompt)
def good_chosen(step: Step) -> Iterator[Event]:
    """The player receives the good chosen."""
    if isinstance(step.action, actions.DraftGood):
        yield events.GoodDrafted(step.seat, step.action.good)


@always("SET-24", at=agenda.DraftPrompt)
def nothing_kept(step: Step) -> bool:
    """A player receives one good, and no player the last remainder."""
    gains = [
        after.goods.total - before.goods.total
        for before, after in zip(step.before.players, step.after.players, strict=True)
    ]
    return gains == [int(seat == step.seat) for seat in step.before.seats]


@asks("SET-25", at=agenda.DealPrompt | agenda.DrawPrompt)
def hands_first(step: Step) -> agenda.Prompt | None:
    """The first choice comes when all hands are drawn, and not before."""
    return _next_to_draw(step) or _draft(step)


def _begins(state: GameState) -> bool:
    """Tell whether the first card of the game is played, and the second player has fewer plays."""
    is_first = any(isinstance(each, agenda.Turn) for each in state.agenda)
    return is_first and not state.played and isinstance(state.prompt, agenda.PlayPrompt)


@always("SET-26", at=agenda.DraftPrompt | agenda.PlayPrompt)
def no_extra_good(state: GameState) -> bool | None:
    """No player chooses, and each has one good of each kind when the first card is played."""
    if isinstance(state.prompt, agenda.DraftPrompt):
        return False
    return all(each.goods == ONE_OF_EACH for each in state.players) if _begins(state) else None


@always("SET-28", at=agenda.PlayPrompt)
def an_extra_good(state: GameState) -> bool | None:
    """When the first card is played everybody has one good more."""
    return all(each.goods.total == 5 for each in state.players) if _begins(state) else None


# The first turns

FIRST: Final = (
    agenda.DealPrompt
    | agenda.DrawPrompt
    | agenda.DraftPrompt
    | agenda.PlayPrompt
    | agenda.ValettePrompt
    | agenda.PaymentPrompt
)
"""The prompts at which the setup or the first turn may end."""


def _to_come(step: Step) -> list[agenda.Turn]:
    """Return those first turns that had fewer plays and were to come, before this step."""
    if step.before.phase is Phase.SETUP:
        return [agenda.Turn(0, 1), agenda.Turn(1, 2)]
    return (
        [agenda.Turn(1, 2)] if any(isinstance(e, agenda.Turn) for e in step.before.agenda) else []
    )


@posts("SET-27", at=FIRST)
@posts("SET-28", at=FIRST)
def one_and_two_plays(step: Step) -> Iterator[Event]:
    """The first turn has one play, the second two."""
    for (_, each), turn in zip(_began(step), _to_come(step), strict=False):
        yield events.TurnBegan(each.seat, turn.plays)


@always("SET-27", at=FIRST)
@always("SET-28", at=FIRST)
def still_to_come(step: Step) -> bool | None:
    """A first turn that has not begun is still on the agenda, with its plays."""
    if not (due := _to_come(step)):
        return None
    left = [each for each in step.after.agenda if isinstance(each, agenda.Turn)]
    return left == due[len(_began(step)) :]
