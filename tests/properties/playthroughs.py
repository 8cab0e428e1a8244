"""Hypothesis strategies for games as they are played: tables, playthroughs, positions, actions.

Games that are the same on every run are played once for all tests: `in_every` and `positions`.

A playthrough starts at a fresh table.  Its first moves are made by a seeded generator, so that
every part of a game is reached quickly; the moves after them are drawn one by one as numbers of
legal actions.  It shrinks towards fewer moves of both kinds, two players, the default edition,
the built-in card set, and the first legal action.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from enum import Enum
from functools import cache, lru_cache
from itertools import islice, product
from typing import Final, TypeVar, get_args

import attrs
from hypothesis import HealthCheck, Phase, given, reject, settings
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
    apply,
    legal_actions,
    new_game,
    transition,
)
from valletta_rules import Phase as Stage
from valletta_rules.actions import sort_key
from valletta_rules.agenda import (
    BarrelPrompt,
    ChancePrompt,
    DealPrompt,
    DraftPrompt,
    DrawPrompt,
    PlayerPrompt,
    Prompt,
)

T = TypeVar("T")

MOVES_PER_PLAYER = 250
"""About how many moves, chance's included, a game at random has for each of its players."""

LONGEST_GAME = 5_000
"""After so many moves a game is broken off, since the main phase need not end."""


PROFILE = settings()
"""The profile: within a test the settings are the test's own."""


def scaled(factor: float) -> settings:
    """Return settings with so many times the examples of the profile, at least one."""
    return settings(max_examples=max(1, round(PROFILE.max_examples * factor)))


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


# Games that tests share


def drawn(strategy: st.SearchStrategy[T], count: int) -> tuple[T, ...]:
    """Draw some values, to be used by many tests: the same for the same strategy in `ci`."""
    found: list[T] = []

    @settings(max_examples=count, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
    @given(strategy)
    def collect(value: T) -> None:
        found.append(value)

    collect()
    return tuple(found)


@cache
def sample(games: Callable[[], st.SearchStrategy[Playthrough]]) -> tuple[Playthrough, ...]:
    """Return some games that all tests share: as many as a test has examples, and these first.

    What Hypothesis draws may change with it; a game of each edition by each number of players is
    the same for ever, and together they come to positions of every kind.
    """
    always = tuple(
        played(new_game(players, rules=rules), number, Temper.RANDOM, LONGEST_GAME)
        for number, (players, rules) in enumerate(product((2, 3, 4), EDITIONS))
    )
    return always + drawn(games(), max(1, PROFILE.max_examples - len(always)))


def in_every(
    games: Callable[[], st.SearchStrategy[Playthrough]],
) -> Callable[[Callable[[Playthrough], None]], Callable[[], None]]:
    """Run a test on all games of a sample, played once for all tests.

    If it fails on one of them, Hypothesis looks for the least game on which it fails.  Where
    examples are not the same on every run, the test is given games of its own.
    """

    def decorated(test: Callable[[Playthrough], None]) -> Callable[[], None]:
        searching: Callable[[], None] = given(games())(test)
        if not PROFILE.derandomize:
            return searching

        def on_the_sample() -> None:
            for game in sample(games):
                try:
                    test(game)
                except Exception as error:
                    error.add_note(repr(game))
                    searching()
                    raise

        on_the_sample.__name__ = test.__name__
        on_the_sample.__doc__ = test.__doc__
        on_the_sample.__module__ = test.__module__
        return on_the_sample

    return decorated


# Positions, by phase and prompt

Kind = tuple[Stage, type[Prompt] | None]
"""A phase, and the type of what is asked."""

KINDS: Final[tuple[Kind, ...]] = (
    *((Stage.SETUP, asked) for asked in (DealPrompt, DrawPrompt, DraftPrompt)),
    *(
        (phase, asked)
        for phase in (Stage.MAIN, Stage.FINAL)
        for asked in (DrawPrompt, BarrelPrompt, *get_args(PlayerPrompt))
        if asked is not DraftPrompt
    ),
    (Stage.OVER, None),
)
"""Every kind of position that there is."""

MOST_GAMES = 60
"""In so many games, one after the other, a position of a kind is looked for."""


def kind_of(state: GameState) -> Kind:
    """Return the kind of a position."""
    return state.phase, None if state.prompt is None else type(state.prompt)


@cache
def starts() -> tuple[GameState, ...]:
    """Return the first positions of some games, with rules and cards of every sort."""
    return drawn(tables(), 3 * PROFILE.max_examples)


@lru_cache(maxsize=4 * MOST_GAMES)
def positions_of_game(number: int) -> dict[Kind, list[GameState]]:
    """Return the positions of the game with a number, by their kinds."""
    rng = random.Random(number)
    state, temper = starts()[number % len(starts())], rng.choice(tuple(Temper))
    found: dict[Kind, list[GameState]] = {kind_of(state): [state]}
    for _ in range(LONGEST_GAME):
        if not (actions := legal_actions(state)):
            break
        state = apply(
            state, rng.choice(actions) if is_chance(state) else temper.choose(actions, rng)
        )
        found.setdefault(kind_of(state), []).append(state)
    return found


@cache
def kinds_where(where: Callable[[GameState], bool]) -> tuple[Kind, ...]:
    """Return the kinds of positions some of which have a property."""
    games = [positions_of_game(number) for number in range(MOST_GAMES)]
    return tuple(kind for kind in KINDS if any(any(map(where, g.get(kind, ()))) for g in games))


def anywhere(state: GameState) -> bool:
    """Tell of every position that it will do."""
    return True


def positions(where: Callable[[GameState], bool] = anywhere) -> st.SearchStrategy[GameState]:
    """Draw a position that can be reached and has a property.

    Drawn first are the phase and what is asked, each as likely as any other; then a game, and one
    of its positions of that kind.
    """
    starts()  # Hypothesis does not like to draw within a test
    return _positions(where)


@st.composite
def _positions(draw: st.DrawFn, where: Callable[[GameState], bool]) -> GameState:
    kind = draw(st.sampled_from(kinds_where(where)))
    games = MOST_GAMES if PROFILE.derandomize else 2**16
    number, place = draw(st.integers(0, games - 1)), draw(st.integers(0, 2**16))
    for each in range(number, number + MOST_GAMES):
        each %= games
        if found := [state for state in positions_of_game(each).get(kind, ()) if where(state)]:
            return found[place % len(found)]
    return reject()


def is_chance(state: GameState) -> bool:
    """Tell whether chance is asked."""
    return isinstance(state.prompt, ChancePrompt)


@cache
def asks(*prompts: type) -> Callable[[GameState], bool]:
    """Return the property of positions that they ask a question of one of some types."""
    return lambda state: isinstance(state.prompt, prompts)


# Actions


def every_action(state: GameState) -> tuple[Action, ...]:
    """Return every well-formed action of a game that names no amount of goods, legal or not."""
    return _every_action(state.cards, len(state.display))


@lru_cache
def _every_action(cards: CardSet, dealt: int) -> tuple[Action, ...]:
    sites = range(dealt)
    return (
        *(DealBuilding(building.code) for building in cards.buildings),
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
