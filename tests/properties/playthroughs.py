"""Hypothesis strategies for games as they are played: tables, playthroughs, positions, actions.

A playthrough starts at a fresh table.  Its first moves are made by a seeded generator, so that
every part of a game is reached quickly; the moves after them are drawn one by one as numbers of
legal actions.  It shrinks towards fewer moves of both kinds, two players, the default edition,
the built-in card set, and the first legal action.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from enum import Enum
from itertools import islice

import attrs
from hypothesis import reject, settings
from hypothesis import strategies as st
from hypothesis.vendor.pretty import RepresentationPrinter

from tests.positions import EDITIONS
from tests.strategies import card_sets
from valletta_rules import (
    RECONSTRUCTION,
    Action,
    BarrelLayout,
    Build,
    CardSet,
    Character,
    Colour,
    DealBuilding,
    Decline,
    Dismiss,
    DraftGood,
    DrawCard,
    Effects,
    Event,
    GameState,
    GiveGood,
    Good,
    Goods,
    Hire,
    Opening,
    Pay,
    PlayCard,
    ReturnGood,
    RevealBarrel,
    RuleSet,
    TakeGood,
    TakeGoods,
    Upgrade,
    legal_actions,
    new_game,
    transition,
)
from valletta_rules.actions import sort_key

MOVES_PER_PLAYER = 250
"""About how many moves, chance's included, a game at random has for each of its players."""

LONGEST_GAME = 5_000
"""After so many moves a game is broken off, since the main phase need not end."""


def scaled(factor: float) -> settings:
    """Return settings with so many times the examples of the profile, at least one."""
    return settings(max_examples=max(1, round(settings().max_examples * factor)))


# Tables


@st.composite
def rule_sets(draw: st.DrawFn, players: int) -> RuleSet:
    """Draw a rule set for a number of players: a preset or any other, with or without variants."""
    rules: RuleSet = draw(
        st.sampled_from(EDITIONS)
        | st.builds(
            RuleSet,
            st.just("Of the house"),
            effects=st.sampled_from(Effects),
            opening=st.sampled_from(Opening),
            barrel_layout=st.sampled_from(BarrelLayout),
            apprentice_colour=st.sampled_from([Colour.RED, Colour.PURPLE]),
        )
    )
    return rules.with_variants(
        start_player_variant=draw(st.booleans()),
        fewer_barrels=players == 2 and draw(st.booleans()),
    )


def any_cards() -> st.SearchStrategy[CardSet]:
    """Draw the built-in card set, or one time in four another within the facts of the rulebook."""
    return st.integers(min_value=0, max_value=3).flatmap(
        lambda number: card_sets() if number == 3 else st.just(RECONSTRUCTION)
    )


@st.composite
def tables(draw: st.DrawFn) -> GameState:
    """Draw the first position of a game."""
    players = draw(st.integers(min_value=2, max_value=4))
    return new_game(players, rules=draw(rule_sets(players)), cards=draw(any_cards()))


# Moves


@attrs.frozen
class Move:
    """One answer to one prompt."""

    before: GameState
    """The position in which it was given."""
    action: Action
    """The answer."""
    after: GameState
    """The position that it led to."""
    events: tuple[Event, ...]
    """What happened."""


@attrs.frozen(repr=False)
class Playthrough:
    """A game, or the beginning of one."""

    start: GameState
    """The table as it was laid."""
    seed: int
    """The seed of the generator that made the first moves."""
    temper: Temper
    """How it chose among legal actions."""
    lead: int
    """How many moves it made."""
    moves: tuple[Move, ...]
    """Every move: those of the generator and those drawn one by one."""

    @property
    def positions(self) -> tuple[GameState, ...]:
        """Every position that was reached, the first one included."""
        return (self.start, *(move.after for move in self.moves))

    @property
    def end(self) -> GameState:
        """The last position that was reached."""
        return self.moves[-1].after if self.moves else self.start

    @property
    def events(self) -> tuple[Event, ...]:
        """Everything that happened, in order."""
        return tuple(event for move in self.moves for event in move.events)

    def __repr__(self) -> str:
        """Show what is needed to play the game again."""
        start, drawn = self.start, [move.action for move in self.moves[self.lead :]]
        cards = "" if start.cards == RECONSTRUCTION else f", cards={start.cards!r}"
        table = f"new_game({len(start.players)}, rules={start.rules!r}{cards})"
        return f"played({table}, {self.seed}, {self.temper!r}, {self.lead}, {drawn!r})"

    def _repr_pretty_(self, printer: RepresentationPrinter, cycle: bool) -> None:
        """Show the same where Hypothesis reports an example."""
        printer.text(repr(self))


def played(
    start: GameState, seed: int, temper: Temper, lead: int, actions: Sequence[Action] = ()
) -> Playthrough:
    """Return the playthrough of some seeded moves, at most `lead`, and some actions after them."""
    moves = list(islice(seeded_moves(start, seed, temper), lead))
    lead = len(moves)
    state = moves[-1].after if moves else start
    for action in actions:
        moves.append(make_move(state, action))
        state = moves[-1].after
    return Playthrough(start, seed, temper, lead, tuple(moves))


def make_move(state: GameState, action: Action) -> Move:
    """Return the move that an action makes."""
    result = transition(state, action)
    return Move(state, action, result.state, result.events)


class Temper(Enum):
    """How a generator chooses among legal actions."""

    RANDOM = "random"
    """All alike."""
    EAGER = "eager"
    """It makes use of whatever is offered."""
    AMBITIOUS = "ambitious"
    """It is out for points rather than for houses, and leaves Valette alone."""

    def __repr__(self) -> str:
        """Show the member as it is written in code."""
        return f"Temper.{self.name}"

    def choose(self, actions: Sequence[Action], rng: random.Random) -> Action:
        """Choose one of some legal actions."""
        if self is not Temper.RANDOM:
            actions = _best(actions, _is_use)
        if self is Temper.AMBITIOUS:
            actions = _best(actions, _is_for_points)
            actions = _best(actions, _spares_the_street)
        return actions[rng.randrange(len(actions))]


def _best(actions: Sequence[Action], is_good: Callable[[Action], bool]) -> Sequence[Action]:
    return [action for action in actions if is_good(action)] or actions


def _is_use(action: Action) -> bool:
    return not isinstance(action, Decline) and getattr(action, "use_effect", True)


def _is_for_points(action: Action) -> bool:
    if isinstance(action, PlayCard | Hire):
        return action.character.colour is Colour.YELLOW
    return isinstance(action, Upgrade)


def _spares_the_street(action: Action) -> bool:
    return action != PlayCard(Character.VALETTE)


def seeded_moves(start: GameState, seed: int, temper: Temper) -> Iterator[Move]:
    """Make moves by a seeded generator, chance's too, until the game is over."""
    rng, state = random.Random(seed), start
    while (prompt := state.prompt) is not None:
        actions = legal_actions(state)
        chance = prompt.seat is None
        action = rng.choice(actions) if chance else temper.choose(actions, rng)
        move = make_move(state, action)
        yield move
        state = move.after


SEEDS = st.integers(min_value=0, max_value=2**32 - 1)
"""Seeds of generators."""

TEMPERS = st.sampled_from(Temper)
"""The tempers."""


@st.composite
def playthroughs(draw: st.DrawFn, *, most: int = 40) -> Playthrough:
    """Draw the beginning of a game: seeded moves as far as one likes, then up to `most` drawn."""
    start = draw(tables())
    lead = draw(st.integers(min_value=0, max_value=MOVES_PER_PLAYER * len(start.players)))
    game = played(start, draw(SEEDS), draw(TEMPERS), lead)
    moves, state = list(game.moves), game.end
    for number in draw(st.lists(st.integers(min_value=0, max_value=255), max_size=most)):
        if not (actions := legal_actions(state)):
            break
        moves.append(make_move(state, actions[number % len(actions)]))
        state = moves[-1].after
    return attrs.evolve(game, moves=tuple(moves))


def whole_games() -> st.SearchStrategy[Playthrough]:
    """Draw a game played to its end by a seeded generator."""
    return st.builds(played, tables(), SEEDS, TEMPERS, st.just(LONGEST_GAME))


def games() -> st.SearchStrategy[Playthrough]:
    """Draw the beginning of a game, or a whole one."""
    return playthroughs() | whole_games()


@st.composite
def positions(
    draw: st.DrawFn, where: Callable[[GameState], bool] = lambda state: True
) -> GameState:
    """Draw a position that can be reached and has a property.

    It is the last such position up to a drawn number of moves, or the first one after them.
    """
    start = draw(tables())
    lead = draw(st.integers(min_value=0, max_value=MOVES_PER_PLAYER * len(start.players)))
    found = start if where(start) else None
    moves = seeded_moves(start, draw(SEEDS), draw(TEMPERS))
    for number, move in enumerate(islice(moves, LONGEST_GAME), 1):
        if found is not None and number > lead:
            break
        if where(move.after):
            found = move.after
    return found if found is not None else reject()


def is_chance(state: GameState) -> bool:
    """Tell whether chance is asked."""
    return state.prompt is not None and state.prompt.seat is None


def asks(*prompts: type) -> Callable[[GameState], bool]:
    """Return the property of positions that they ask a question of one of some types."""
    return lambda state: isinstance(state.prompt, prompts)


# Actions


def every_action(state: GameState) -> tuple[Action, ...]:
    """Return every well-formed action of a game that names no amount of goods, legal or not."""
    sites = range(len(state.display))
    return (
        *(DealBuilding(building.code) for building in state.cards.buildings),
        *(DrawCard(character) for character in Character),
        *(RevealBarrel(good) for good in Good),
        *(DraftGood(good) for good in Good),
        *(PlayCard(character, use_effect=use) for character in Character for use in (True, False)),
        *(TakeGood(good) for good in Good),
        *(ReturnGood(good) for good in Good),
        *(GiveGood(good) for good in Good),
        *(Build(site) for site in sites),
        *(Upgrade(site) for site in sites),
        *(Dismiss(character) for character in Character),
        *(Hire(character) for character in Character),
        Decline(),
    )


def goods(most: int = 8) -> st.SearchStrategy[Goods]:
    """Draw goods, up to `most` of each kind."""
    count = st.integers(min_value=0, max_value=most)
    return st.builds(Goods, count, count, count, count)


def well_formed_actions(state: GameState) -> st.SearchStrategy[Action]:
    """Draw any action that names only what this game has, often an answer to the prompt."""
    every = every_action(state)
    amounts: st.SearchStrategy[Action] = st.builds(Pay, goods()) | st.builds(TakeGoods, goods(3))
    if state.prompt is None:
        return st.sampled_from(every) | amounts
    answers = [action for action in every if isinstance(action, state.prompt.answers)]
    return st.sampled_from(answers or every) | st.sampled_from(every) | amounts


def in_order(actions: Sequence[Action]) -> list[Action]:
    """Return actions in the order in which legal actions are listed."""
    return sorted(actions, key=sort_key)
