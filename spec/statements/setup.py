"""Formal statements of the clauses about the setup."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import Final

from valletta_rules import actions, agenda, events
from valletta_rules.actions import Action
from valletta_rules.components.bags import CardBag
from valletta_rules.components.characters import CHARACTERS, Character, Colour
from valletta_rules.components.goods import GOODS, NOTHING, ONE, ONE_OF_EACH
from valletta_rules.events import Event, TurnBegan
from valletta_rules.rulings import BarrelLayout, RuleSet
from valletta_rules.state import GameState, Phase

from . import Applies, Step, Verdicts, allows, always, asks, lays, odds, posts
from .building import bill, character, is_new, scores_in_view
from .red import GATHERED
from .vocabulary import entered, in_the_game, plays, prompt_of

# The players


@lays("SET-1")
def two_to_four(players: int, rules: RuleSet) -> bool:
    """A table has two, three or four players."""
    return players in (2, 3, 4)


@lays("SET-7")
def variant_for_two(players: int, rules: RuleSet) -> bool | None:
    """Only a game for two players may use the variant with fewer barrels."""
    return players == 2 if rules.fewer_barrels else None


@always("SET-2", at=agenda.DrawPrompt | agenda.DraftPrompt)
def clockwise(step: Step) -> bool | None:
    """In the main phase, the next turn belongs to the next seat clockwise."""
    following = (step.before.active + 1) % len(step.before.players)
    is_main = step.before.phase is step.after.phase is Phase.MAIN
    began = [each.seat for each in entered(step, TurnBegan) if is_main]
    return began == [following] if began and step.after.players[following].hand else None


@always("SET-30", at=agenda.DrawPrompt | agenda.DraftPrompt)
def start_player_begins(step: Step) -> bool | None:
    """Seat 0 takes the first turn."""
    first = [each.seat for each in entered(step, TurnBegan)]
    actual = (first, step.after.active, getattr(step.next_prompt, "seat", None))
    return actual == ([0], 0, 0) if in_setup(step) and step.after.phase is Phase.MAIN else None


# The barrels


def has_barrel(state: GameState, space: int) -> bool:
    """Return whether a space of the street has a barrel when the game starts (SET-3, 4, 6)."""
    if state.rules.fewer_barrels:
        return space % 2 == 1
    if state.rules.barrel_layout is BarrelLayout.BY_PLAYERS:
        return {2: space % 2 == 1, 3: space % 3 > 0, 4: True}[len(state.players)]
    return True


@asks("SET-3", "SET-4", "SET-6", at=agenda.PlayPrompt)
def barrel(step: Step) -> agenda.Prompt | None:
    """A barrel is revealed when Valette reaches a space with a barrel."""
    is_moved = plays(step, Character.VALETTE) and step.before.valette < 25
    is_due = is_moved and has_barrel(step.before, step.after.valette)
    return agenda.BarrelPrompt(step.seat) if is_due else None


@always("SET-4", "SET-6", at=agenda.BarrelPrompt)
def no_barrel_elsewhere(state: GameState) -> bool:
    """A barrel is revealed only on a space with a barrel."""
    return has_barrel(state, state.valette)


@allows("SET-5", at=agenda.BarrelPrompt)
def barrels_in_the_game(state: GameState) -> Verdicts:
    """Only a barrel that is still hidden may be revealed."""
    yield from ((actions.RevealBarrel(good), state.barrels[good] > 0) for good in GOODS)


@odds("SET-6", "SET-31", at=agenda.BarrelPrompt)
def next_barrels(state: GameState) -> Mapping[Action, Fraction]:
    """Each of the hidden barrels is equally likely to be revealed next."""
    left = state.barrels
    return {actions.RevealBarrel(g): Fraction(left[g], left.total) for g in GOODS if left[g]}


# The display

DEALT: Final = {
    2: {Colour.GREEN: 6, Colour.BLUE: 8, Colour.YELLOW: 6},
    3: {Colour.GREEN: 8, Colour.BLUE: 10, Colour.YELLOW: 7},
    4: {Colour.GREEN: 10, Colour.BLUE: 12, Colour.YELLOW: 8},
}
"""The number of buildings of each colour on the display, keyed by the number of players."""


def _to_deal(state: GameState) -> dict[Colour, int]:
    """Return, for each colour, the number of buildings that are still to be dealt."""
    dealt = Counter(building.colour for building in state.display)
    return {colour: n - dealt[colour] for colour, n in DEALT[len(state.players)].items()}


@asks("SET-8", at=agenda.DealPrompt)
def next_building(step: Step) -> agenda.Prompt | None:
    """Buildings are dealt as long as the display lacks buildings of any colour."""
    return agenda.DealPrompt() if any(_to_deal(step.after).values()) else None


@odds("SET-9", "SET-10", at=agenda.DealPrompt)
def next_buildings(state: GameState) -> Mapping[Action, Fraction]:
    """Colours are weighted by their missing buildings; the cards of a colour are equally likely."""
    cards = Counter({each: each.copies for each in state.cards.buildings}) - Counter(state.display)
    sizes, left = Counter(each.colour for each in cards.elements()), _to_deal(state)
    of_colours = {each: Fraction(left[each], sum(left.values())) for each in left}
    return {
        actions.DealBuilding(each.code): of_colours[each.colour] * Fraction(n, sizes[each.colour])
        for each, n in cards.items()
        if left[each.colour]
    }


@allows("SET-8", at=agenda.DealPrompt)
def complete_colours(state: GameState) -> Verdicts:
    """No building is dealt if the display already has all buildings of its colour."""
    left, every = _to_deal(state), state.cards.buildings
    yield from ((actions.DealBuilding(each.code), False) for each in every if not left[each.colour])


@posts("SET-11", at=agenda.DealPrompt)
def next_site(step: Step) -> Iterator[Event]:
    """Each building is dealt to the next site."""
    yield events.BuildingDealt(len(step.before.display), step.action.building)


@always("SET-11", at=agenda.DealPrompt)
def others_stay(step: Step) -> bool:
    """Buildings that have been dealt stay on their sites."""
    return step.after.display[:-1] == step.before.display


# the neighbours that lower a price are those in rows of five, and the first site of each row lies
# over the first five spaces
asks("SET-11", at=agenda.SitePrompt)(bill)
always("SET-11", at=agenda.PaymentPrompt)(scores_in_view)


@always("SET-12", at=agenda.DealPrompt)
def left_out(step: Step) -> bool:
    """While the display is dealt, no character of a building is in a deck or in the supply."""
    colours = {each.colour for each in in_the_game(step.after).kinds()}
    return colours <= {Colour.RED, Colour.PURPLE}


@always("SET-13", at=agenda.PaymentPrompt, where=is_new)
def front_up(step: Step) -> bool:
    """A building that has just been built is not upgraded."""
    return step.prompt.site not in step.now.upgraded


@always("SET-17", at=agenda.PaymentPrompt, where=is_new)
def one_on_each(step: Step) -> bool:
    """Each new building adds its character to the hand, even if it is the second of its kind."""
    return step.now.hand == step.mine.hand.plus(character(step))


# What the players begin with

STARTING: Final = CardBag.of(
    *GATHERED, Character.MAID, Character.BUILDER, Character.APPRENTICE, Character.VALETTE
)
"""The eight characters with which each player starts."""

BEGINNING: Final[Mapping[str, Callable[[GameState], bool]]] = {
    "SET-3": lambda state: state.barrels == state.cards.barrels and state.barrels.total == 25,
    "SET-6": lambda state: state.barrels == state.cards.barrels and state.barrels.total == 25,
    "SET-13": lambda state: not any(each.built or each.upgraded for each in state.players),
    "SET-14": lambda state: all(each.hand + each.draw_pile == STARTING for each in state.players),
    "SET-16": lambda state: state.supply == CardBag.of(*[Character.BUILDER] * 4),
    "SET-18": lambda state: not any(each.built for each in state.players),
    "SET-19": lambda state: not any(each.score for each in state.players),
    "SET-20": lambda state: all(each.goods == ONE_OF_EACH for each in state.players),
    "SET-21": lambda state: state.valette == 0,
}
"""The conditions that hold while the display is dealt, keyed by clause: there are 25 hidden
barrels, no building is upgraded, each player has the eight starting cards, four Builders are for
hire, no house is placed, no player has points, each player has one good of each kind, and Valette
is on the tower."""


@always(*BEGINNING, at=agenda.DealPrompt)
def beginning(state: GameState, clause: str) -> bool:
    """The position satisfies the condition in `BEGINNING` for the clause."""
    return BEGINNING[clause](state)


# The opening hands


def in_setup(subject: Step | GameState) -> bool:
    """Return whether a position, or the position before a step, is in the setup phase."""
    return (subject.before if isinstance(subject, Step) else subject).phase is Phase.SETUP


@asks("SET-15", at=agenda.DealPrompt | agenda.DrawPrompt)
def next_to_draw(step: Step) -> agenda.Prompt | None:
    """When the display is complete, the players draw five cards each, one player after another."""
    without = [seat for seat, each in enumerate(step.after.players) if len(each.hand) < 5]
    is_due = in_setup(step) and without and not any(_to_deal(step.after).values())
    return agenda.DrawPrompt(without[0]) if is_due else None


@odds("SET-15", at=agenda.DrawPrompt, where=in_setup)
def cards_at_random(state: GameState) -> Mapping[Action, Fraction]:
    """Each card of the draw pile is equally likely."""
    pile = state.players[prompt_of(state).player].draw_pile
    return {actions.DrawCard(card): Fraction(n, len(pile)) for card, n in pile.items()}


@allows("SET-15", at=agenda.DrawPrompt, where=in_setup)
def cards_of_the_pile(state: GameState) -> Verdicts:
    """Only a card of the draw pile may be drawn."""
    pile = state.players[prompt_of(state).player].draw_pile
    yield from ((actions.DrawCard(card), card in pile) for card in CHARACTERS)


@posts("SET-15", at=agenda.DrawPrompt, where=in_setup)
def card_drawn(step: Step) -> Iterator[Event]:
    """The drawn card is added to the hand."""
    yield events.CardDrawn(step.seat, step.action.character)


@always("SET-32", at=agenda.DrawPrompt, where=in_setup)
def three_left(step: Step) -> bool | None:
    """When a player has drawn five cards, three are left in the draw pile."""
    now, cards = step.now, step.now.hand + step.now.draw_pile
    piles = len(now.draw_pile), len(now.discard_pile)
    return (piles, cards) == ((3, 0), STARTING) if len(now.hand) >= 5 else None


# The extra goods


@asks("SET-22", at=agenda.DraftPrompt)
@asks("SET-23", at=agenda.DrawPrompt | agenda.DraftPrompt)
@asks("SET-28", at=agenda.DrawPrompt)
def next_choice(step: Step) -> agenda.Prompt | None:
    """The last player chooses an extra good first, then the others counter-clockwise."""
    if isinstance(step.prompt, agenda.DraftPrompt):
        left = step.prompt.goods - ONE[step.action.good]
        return agenda.DraftPrompt(step.seat - 1, left) if step.seat else None
    is_drawn = isinstance(step.prompt, agenda.DrawPrompt) and not next_to_draw(step)
    is_first, last = is_drawn and in_setup(step), len(step.before.players) - 1
    return agenda.DraftPrompt(last, ONE_OF_EACH) if is_first else None


@allows("SET-22", at=agenda.DraftPrompt)
def goods_of_the_set(state: GameState) -> Verdicts:
    """Only an extra good that no player has taken yet may be chosen."""
    yield from ((actions.DraftGood(good), prompt_of(state).goods[good] > 0) for good in GOODS)


@posts("SET-22", at=agenda.DraftPrompt)
def good_chosen(step: Step) -> Iterator[Event]:
    """The player receives the chosen good."""
    yield events.GoodDrafted(step.seat, step.action.good)


@always("SET-24", at=agenda.DraftPrompt)
def only_the_chooser_gains(step: Step) -> bool:
    """Only the player who chooses receives an extra good; the remaining goods go to no player."""
    gains = [new.goods.total - old.goods.total for old, new in step.players]
    return gains == [int(seat == step.seat) for seat in step.before.seats]


@asks("SET-25", at=agenda.DealPrompt | agenda.DrawPrompt)
def hands_first(step: Step) -> agenda.Prompt | Applies | None:
    """Extra goods are chosen only after all hands have been drawn."""
    return next_to_draw(step) or next_choice(step)


def _begins(state: GameState) -> bool:
    """Return whether no card has been played in a game with shortened first turns."""
    return not state.played and _turns(state) > 0


def _turns(state: GameState) -> int:
    """Return the number of shortened turns that have not begun."""
    return sum(isinstance(each, agenda.Turn) for each in state.agenda)


@always("SET-26", at=agenda.DraftPrompt)
def no_choice(state: GameState) -> bool:
    """Under the start-player variant, no player chooses an extra good."""
    return False


@always("SET-26", "SET-28", at=agenda.PlayPrompt, where=_begins)
def goods_to_begin_with(state: GameState, clause: str) -> bool:
    """Before the first card, no player has an extra good (SET-26), or each has one (SET-28)."""
    due = [ONE_OF_EACH + each for each in (ONE.values() if clause == "SET-28" else [NOTHING])]
    return all(each.goods in due for each in state.players)


# The first turns

FIRST: Final = (agenda.Turn(0, 1), agenda.Turn(1, 2))
"""The two shortened turns at the start of a game: one play for seat 0, and two plays for seat 1."""


def _to_come(step: Step) -> tuple[agenda.Turn, ...]:
    """Return the shortened turns that had not begun before the step."""
    return FIRST if in_setup(step) else FIRST[len(FIRST) - _turns(step.before) :]


@posts("SET-27", "SET-28")
def one_and_two_plays(step: Step) -> Iterator[Event]:
    """If the first turns of a game are shortened, they have one play and two plays."""
    for each, turn in zip(entered(step, TurnBegan), _to_come(step), strict=False):
        yield TurnBegan(each.seat, turn.plays)


@always("SET-27", "SET-28", where=_to_come)
def still_to_come(step: Step) -> bool:
    """A shortened turn that has not begun stays on the agenda, with its number of plays."""
    left = tuple(each for each in step.after.agenda if isinstance(each, agenda.Turn))
    return left == _to_come(step)[len(entered(step, TurnBegan)) :]
