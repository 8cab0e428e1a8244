"""Formal statements of the clauses about components."""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Final

from valletta_rules import GameState, agenda, events
from valletta_rules.card_sets import built_in
from valletta_rules.components import CardSet, Character, Colour, Good, is_above

from . import Perspective, Step, always, asks, defines, posts, shows
from .building import bill, scores_in_view
from .green import icons
from .red import chain, purple_chain
from .scoring import building_points
from .setup import STARTING
from .vocabulary import deck, in_the_game, opponents, plays

# Goods


@defines("CMP-20")
def materials() -> tuple[Good, ...]:
    """Return wood, stone and brick."""
    return (Good.WOOD, Good.STONE, Good.BRICK)


@defines("CMP-1")
def goods() -> tuple[Good, ...]:
    """Return gold and the materials."""
    return (Good.GOLD, *materials())


@always("CMP-2")
def no_good_runs_out(step: Step) -> bool | None:
    """A player receives all goods that they take from the supply, which is unlimited."""
    takers = {each.seat for each in step.events if isinstance(each, events.GoodsTaken)}
    owned = [(step.after.players[n].goods, step.table.players[n].goods) for n in takers]
    return all(actual == due for actual, due in owned) if takers else None


# Cards and tokens, as they are printed


def is_beginning(state: GameState) -> bool:
    """Return whether the game is at its beginning, before any building has been dealt."""
    return not state.display


def has_known_cards(state: GameState) -> bool:
    """Return whether a game with a built-in card set is at its beginning."""
    return is_beginning(state) and state.cards in built_in.BUILT_IN.values()


PRINTED: Final[Mapping[str, Callable[[CardSet], bool]]] = {
    "CMP-4": lambda c: len({each.character for each in c.buildings} | {*STARTING.kinds()}) == 31,
    "CMP-11": lambda c: all(min(*b.cost, b.points) >= 0 and b.icon in goods() for b in c.buildings),
    "CMP-18": lambda c: sum(c.barrels[good] for good in goods()) == 25,
    "CMP-25": lambda c: {each.icon for each in c.buildings} == {*goods()},
    "CMP-26": lambda c: (
        {(b.letter == "A") + (b.character is Character.BANKER) for b in c.buildings} == {0, 2}
    ),
}
"""The conditions on a card set, keyed by clause: there are 31 kinds of characters; each building
has an icon, and neither its cost nor its points are negative; there are 25 barrels; each good is
the icon of a building; the letter A is on all buildings of the Banker, and on no others."""


@always(*PRINTED, at=agenda.DealPrompt, where=is_beginning)
def printed(state: GameState, clause: str) -> bool:
    """The card set satisfies the condition in `PRINTED` for the clause."""
    return PRINTED[clause](state.cards)


@always("CMP-5", at=agenda.DealPrompt)
def starting_colours(state: GameState) -> bool:
    """All starting cards are red, except Valette, which is purple."""
    cards = {card for each in state.players for card in each.hand.kinds() + each.draw_pile.kinds()}
    purple = {card for card in cards if card.colour is not Colour.RED}
    return purple == {Character.VALETTE} and Character.VALETTE.colour is Colour.PURPLE


posts("CMP-5", at=agenda.PlayPrompt)(chain)
posts("CMP-22", at=agenda.PlayPrompt)(purple_chain)


@always("CMP-6", at=agenda.DealPrompt, where=is_beginning)
def kinds_by_colour(state: GameState) -> bool:
    """The buildings have 23 kinds of characters: four green, twelve blue and seven yellow ones."""
    colours = Counter(card.colour for card in {each.character for each in state.cards.buildings})
    return colours == {Colour.GREEN: 4, Colour.BLUE: 12, Colour.YELLOW: 7}


@always("CMP-7", at=agenda.DealPrompt)
def number_of_cards(state: GameState) -> bool:
    """Each player has eight cards, the supply has four cards, and there are 37 buildings."""
    decks = [len(deck(state, seat)) for seat in state.seats]
    buildings = sum(each.copies for each in state.cards.buildings)
    return ({*decks}, len(state.supply), buildings) == ({8}, 4, 37)


@always("CMP-33", at=agenda.PlayPrompt | agenda.ValettePrompt | agenda.DrawPrompt)
def decks_with_the_supply(step: Step) -> bool:
    """A card can leave or join a deck only by moving to or from the supply."""
    return in_the_game(step.before) == in_the_game(step.after)


@always("CMP-8", at=agenda.DealPrompt, where=is_beginning)
def colours_of_buildings(state: GameState) -> bool:
    """Each of the 37 buildings is green, blue or yellow."""
    colours = [each.colour for each in state.cards.buildings for _ in range(each.copies)]
    return len(colours) == 37 and {*colours} <= {Colour.GREEN, Colour.BLUE, Colour.YELLOW}


@always("CMP-9", at=agenda.DealPrompt, where=is_beginning)
def one_letter(state: GameState) -> bool:
    """All buildings of a character have the same letter, and no other character has it."""
    pairs = {(each.letter, each.character) for each in state.cards.buildings}
    return len({letter for letter, _ in pairs}) == len({card for _, card in pairs}) == len(pairs)


@always("CMP-10", at=agenda.DealPrompt)
def a_card_for_each_copy(step: Step) -> bool:
    """A building is dealt at most as often as the card set has copies of it."""
    return all(n <= building.copies for building, n in Counter(step.after.display).items())


@always("CMP-23", at=agenda.DealPrompt, where=is_beginning)
def yellow_twice(state: GameState) -> bool:
    """Some yellow characters have one building in the card set, and the others have two."""
    cards = Counter(each.character for each in state.cards.buildings for _ in range(each.copies))
    return {n for card, n in cards.items() if card.colour is Colour.YELLOW} == {1, 2}


@always("CMP-24", at=agenda.DealPrompt, where=has_known_cards)
def gold_in_every_cost(state: GameState) -> bool:
    """Each building of a built-in card set costs gold."""
    return all(each.cost.gold for each in state.cards.buildings)


@always("CMP-27", at=agenda.DealPrompt, where=has_known_cards)
def barrels_of_every_good(state: GameState) -> bool:
    """A built-in card set has barrels of every good."""
    return all(state.cards.barrels[good] for good in goods())


@always("CMP-19")
def houses_of_a_player(state: GameState) -> bool:
    """No player has more than eight houses on the display of buildings."""
    return all(len(each.built) <= 8 for each in state.players)


@shows("CMP-12")
def upgraded_side(perspective: Perspective) -> Mapping[str, object]:
    """The icon and the points of an upgraded building are doubled."""
    at = perspective.state, perspective.owner
    return {"icons": icons(*at), "buildings": building_points(*at)}


# Street and display


@always("CMP-13", at=agenda.PlayPrompt)
def last_space(step: Step) -> bool | None:
    """The card Valette moves the figure from every space except space 25."""
    is_moved = (step.after.valette > step.before.valette) == (step.before.valette < 25)
    return is_moved if plays(step, Character.VALETTE) else None


always("CMP-14", "CMP-16", at=agenda.PaymentPrompt)(scores_in_view)


@always("CMP-15", at=agenda.SitePrompt)
def sides_of_the_street(state: GameState) -> bool:
    """Rows of five sites are alternately above and below the street."""
    return all(is_above(site) == (site // 5 in (0, 2, 4)) for site in range(len(state.display)))


asks("CMP-17", at=agenda.SitePrompt)(bill)

# Players

defines("CMP-32")(opponents)
