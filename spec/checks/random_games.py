"""Random tables, positions, games and actions, for use by tests and programs.

The first half of the module consists of Hypothesis strategies: card sets, tables, playthroughs,
positions and actions.  A playthrough starts at a new table.  A seeded generator chooses its first
moves, so that every part of a game is reached quickly.  Further moves are drawn one by one, as
indices into the legal actions.  A playthrough shrinks towards fewer moves of both kinds, two
players, the default edition, the built-in card set, and the first legal action.

`in_every` and `positions` share games between tests, if the Hypothesis profile draws the same games
in every run.

The second half uses a seeded generator: tables of every edition, constructed positions near the
thresholds of the rules, and a player that prefers rare actions.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import Enum
from functools import cache, lru_cache, wraps
from itertools import islice, product
from string import ascii_uppercase
from typing import Any, Final, NamedTuple, TypeVar, get_args

import attrs
from hypothesis import HealthCheck, Phase, given, reject, seed, settings
from hypothesis import strategies as st
from hypothesis.vendor.pretty import RepresentationPrinter

import valletta_rules as vr
from valletta_rules import rulings
from valletta_rules.actions import sort_key
from valletta_rules.card_sets.validation import COST, DEAREST
from valletta_rules.components.characters import (
    BUILDING_CHARACTERS,
    CHARACTERS,
    STARTING_CHARACTERS,
)
from valletta_rules.rulebook.scoring import score_sheet
from valletta_rules.rulebook.setup import GENERAL_SUPPLY
from valletta_rules.rulebook.valette import barrel_spaces

EDITIONS: Final = tuple(rulings.EDITIONS.values())
"""The rule sets of the three editions."""

# By Hypothesis: card sets


class Face(NamedTuple):
    """The values printed on a building, without its character and letter."""

    cost: vr.Goods
    icon: vr.Good
    points: int


def _in_letter_order(design: tuple[Face, int]) -> tuple[vr.Goods, int, int]:
    """Return the sort key that orders the designs of a letter as in card set files."""
    face, _ = design
    return face.cost, face.icon.rank, face.points


_RARELY = st.sampled_from((False, False, False, True))
"""A strategy for a boolean that is usually `False`."""


_LETTERS = st.permutations(ascii_uppercase[1:]).map(lambda letters: ["A", *letters])
"""A strategy that assigns letters to the characters: A to the Banker, and the other letters in
random order."""

_FOUR_CHARACTERS = st.lists(
    st.sampled_from(BUILDING_CHARACTERS), min_size=4, max_size=4, unique=True
)
"""A strategy for four characters.  Each gets a building with a different icon, so that no icon is
missing."""


@st.composite
def card_sets(draw: st.DrawFn, *, dearest: int = 4, points: int = 5) -> vr.CardSet:
    """Draw a card set that satisfies the clauses about cards.

    A cost has at most `dearest` goods of each kind, or rarely more, up to the maximum for card
    sets.  The front of a building has at most `points` points.  The card set shrinks towards one
    design per letter in alphabetical order, many Bankers and Monks, no costs, no points, and
    barrels of gold.
    """
    copies = draw(_copies())
    letters = dict(zip(BUILDING_CHARACTERS, draw(_LETTERS), strict=False))
    owed = dict(zip(draw(_FOUR_CHARACTERS), vr.GOODS, strict=True))
    faces = _faces(dearest, points)
    buildings: list[vr.Building] = []
    for character in BUILDING_CHARACTERS:
        cards = [draw(faces)] * copies[character]
        for copy in range(1, copies[character]):
            if draw(_RARELY):
                cards[copy] = draw(faces)
        if character in owed:
            cards[0] = cards[0]._replace(icon=owed[character])
        designs = sorted(Counter(cards).items(), key=_in_letter_order)
        buildings += (
            vr.Building(letters[character], character, *face, copies=count, design=design)
            for design, (face, count) in enumerate(designs, 1)
        )
    buildings.sort(key=lambda building: (building.letter, building.design))
    return vr.CardSet("Generated", tuple(buildings), draw(_barrels()))


@st.composite
def _copies(draw: st.DrawFn) -> Counter[vr.Character]:
    """Draw the number of buildings of each character: 37 in total, at least ten of them green."""
    green, blue, yellow = (
        [each for each in BUILDING_CHARACTERS if each.colour is colour]
        for colour in (vr.Colour.GREEN, vr.Colour.BLUE, vr.Colour.YELLOW)
    )
    twice = draw(st.lists(st.sampled_from(yellow), min_size=1, max_size=6, unique=True))
    others = 37 - len(yellow) - len(twice) - len(green) - len(blue)
    more_green = draw(st.integers(min_value=6, max_value=others))
    return Counter(
        [
            *BUILDING_CHARACTERS,
            *twice,
            *(draw(st.sampled_from(green)) for _ in range(more_green)),
            *(draw(st.sampled_from(blue)) for _ in range(others - more_green)),
        ]
    )


def _faces(dearest: int, points: int) -> st.SearchStrategy[Face]:
    """Draw a face that costs up to `dearest` goods of each kind, or rarely many of one kind."""
    number, few = (
        st.integers(0, dearest),
        st.integers(0, (DEAREST - max(COST)) // (len(vr.GOODS) - 1)),
    )
    much = st.permutations([few, few, few, st.integers(dearest, max(COST))])
    costs = _RARELY.flatmap(
        lambda is_dear: (
            much.flatmap(lambda kinds: st.tuples(*kinds)) if is_dear else st.tuples(*[number] * 4)
        )
    ).map(lambda cost: vr.Goods(*cost))
    return st.builds(Face, costs, st.sampled_from(vr.GOODS), st.integers(0, points))


@st.composite
def _barrels(draw: st.DrawFn) -> vr.Goods:
    """Draw the number of barrels of each good; the total is 25."""
    wood = draw(st.integers(min_value=0, max_value=25))
    stone = draw(st.integers(min_value=0, max_value=25 - wood))
    brick = draw(st.integers(min_value=0, max_value=25 - wood - stone))
    return vr.Goods(25 - wood - stone - brick, wood, stone, brick)


T = TypeVar("T")

MOVES_PER_PLAYER = 250
"""The approximate number of moves per player in a random game, including random events."""

LONGEST_GAME = 5_000
"""The number of moves after which a game is truncated, because the main phase may last forever."""


PROFILE = settings()
"""The settings of the current Hypothesis profile.  They are read on import, because the settings
within a test may differ."""


def scaled(factor: float) -> settings:
    """Return settings with `factor` times the profile's number of examples, but at least one."""
    return settings(max_examples=max(1, round(settings().max_examples * factor)))


# By Hypothesis: tables

ANSWERS: Final[Mapping[str, Sequence[Any]]] = {
    "effects": tuple(vr.Effects),
    "opening": tuple(vr.Opening),
    "barrel_layout": tuple(vr.BarrelLayout),
    "apprentice_colour": (vr.Colour.RED, vr.Colour.PURPLE),
}
"""The fields of a rule set that differ between editions, each with its possible values."""


@st.composite
def rule_sets(draw: st.DrawFn, players: int) -> vr.RuleSet:
    """Draw a rule set: an edition or a custom one, with or without variants.

    `players` is the number of players, because some variants are only for two.
    """
    rules: vr.RuleSet = draw(
        st.sampled_from(EDITIONS)
        | st.builds(
            vr.RuleSet,
            st.just("Of the house"),
            **{field: st.sampled_from(answers) for field, answers in ANSWERS.items()},
        )
    )
    return rules.with_variants(
        start_player_variant=draw(st.booleans()),
        fewer_barrels=players == 2 and draw(st.booleans()),
    )


def any_cards() -> st.SearchStrategy[vr.CardSet]:
    """Draw a card set: the built-in one or, with equal probability, a generated one."""
    return st.just(vr.RECONSTRUCTION) | card_sets()


@st.composite
def tables(draw: st.DrawFn) -> vr.GameState:
    """Draw the first position of a game."""
    players = draw(st.integers(min_value=2, max_value=4))
    return vr.new_game(players, rules=draw(rule_sets(players)), cards=draw(any_cards()))


# By Hypothesis: moves


@attrs.frozen
class PlaythroughMove:
    """A move of a playthrough: an action, its events, and the positions before and after it."""

    before: vr.GameState
    action: vr.Action
    after: vr.GameState
    events: tuple[vr.Event, ...]


@attrs.frozen(repr=False)
class Playthrough:
    """A random game, or the beginning of one."""

    start: vr.GameState
    seed: int
    """The seed of the generator that chose the first moves."""
    temper: Temper
    """The preference that the generator had when it chose the first moves."""
    lead: int
    """The number of first moves, which the seeded generator chose."""
    moves: tuple[PlaythroughMove, ...]
    """All moves: those that the seeded generator chose, then those that were drawn one by one."""

    @property
    def positions(self) -> tuple[vr.GameState, ...]:
        """Every position of the game, including the first."""
        return (self.start, *(move.after for move in self.moves))

    @property
    def end(self) -> vr.GameState:
        """The last position of the game."""
        return self.moves[-1].after if self.moves else self.start

    @property
    def events(self) -> tuple[vr.Event, ...]:
        """All events of the game, in order."""
        return tuple(event for move in self.moves for event in move.events)

    def __repr__(self) -> str:
        """Return a call of `played` that replays the game."""
        start, drawn = self.start, [move.action for move in self.moves[self.lead :]]
        cards = "" if start.cards == vr.RECONSTRUCTION else f", cards={start.cards!r}"
        table = f"new_game({len(start.players)}, rules={start.rules!r}{cards})"
        return f"played({table}, {self.seed}, {self.temper!r}, {self.lead}, {drawn!r})"

    def _repr_pretty_(self, printer: RepresentationPrinter, cycle: bool) -> None:
        """Print a call of `played` that replays the game, when Hypothesis reports an example."""
        printer.text(repr(self))


def played(
    start: vr.GameState, seed: int, temper: Temper, lead: int, actions: Sequence[vr.Action] = ()
) -> Playthrough:
    """Play at most `lead` seeded moves and then the given actions; return the playthrough."""
    moves = list(islice(seeded_moves(start, seed, temper), lead))
    lead = len(moves)
    state = moves[-1].after if moves else start
    for action in actions:
        moves.append(make_move(state, action))
        state = moves[-1].after
    return Playthrough(start, seed, temper, lead, tuple(moves))


def make_move(state: vr.GameState, action: vr.Action) -> PlaythroughMove:
    """Apply an action; return it with its events and the positions before and after it."""
    result = vr.transition(state, action)
    return PlaythroughMove(state, action, result.state, result.events)


class Temper(Enum):
    """A preference of the seeded generator among legal actions."""

    RANDOM = "random"
    """Choose each action with the same probability."""
    EAGER = "eager"
    """Prefer actions that use optional effects."""
    AMBITIOUS = "ambitious"
    """Prefer actions that use optional effects, yellow cards and upgrades, and avoid playing
    Valette."""

    def __repr__(self) -> str:
        """Return the Python expression for this member."""
        return f"Temper.{self.name}"

    def choose(self, actions: Sequence[vr.Action], rng: random.Random) -> vr.Action:
        """Choose one of the given legal actions, following this preference."""
        if self is not Temper.RANDOM:
            actions = _best(actions, _is_use)
        if self is Temper.AMBITIOUS:
            actions = _best(actions, _is_for_points)
            actions = _best(actions, _spares_the_street)
        return actions[rng.randrange(len(actions))]


def _best(
    actions: Sequence[vr.Action], is_good: Callable[[vr.Action], bool]
) -> Sequence[vr.Action]:
    return [action for action in actions if is_good(action)] or actions


def _is_use(action: vr.Action) -> bool:
    return not isinstance(action, vr.Decline) and getattr(action, "use_effect", True)


def _is_for_points(action: vr.Action) -> bool:
    if isinstance(action, vr.PlayCard | vr.Hire):
        return action.character.colour is vr.Colour.YELLOW
    return isinstance(action, vr.Upgrade)


def _spares_the_street(action: vr.Action) -> bool:
    return action != vr.PlayCard(vr.Character.VALETTE)


def seeded_moves(start: vr.GameState, seed: int, temper: Temper) -> Iterator[PlaythroughMove]:
    """Yield the moves that a seeded generator chooses, including random events, until the end."""
    rng, state = random.Random(seed), start
    while (prompt := state.prompt) is not None:
        actions = vr.legal_actions(state)
        chance = prompt.seat is None
        action = rng.choice(actions) if chance else temper.choose(actions, rng)
        move = make_move(state, action)
        yield move
        state = move.after


SEEDS = st.integers(min_value=0, max_value=2**32 - 1)

TEMPERS = st.sampled_from(Temper)


@st.composite
def playthroughs(draw: st.DrawFn, *, most: int = 40) -> Playthrough:
    """Draw the first part of a game: a number of seeded moves, then up to `most` drawn moves."""
    start = draw(tables())
    lead = draw(st.integers(min_value=0, max_value=MOVES_PER_PLAYER * len(start.players)))
    game = played(start, draw(SEEDS), draw(TEMPERS), lead)
    moves, state = list(game.moves), game.end
    for number in draw(st.lists(st.integers(min_value=0, max_value=255), max_size=most)):
        if not (actions := vr.legal_actions(state)):
            break
        moves.append(make_move(state, actions[number % len(actions)]))
        state = moves[-1].after
    return attrs.evolve(game, moves=tuple(moves))


def whole_games() -> st.SearchStrategy[Playthrough]:
    """Draw a game that a seeded generator has played to its end."""
    return st.builds(played, tables(), SEEDS, TEMPERS, st.just(LONGEST_GAME))


def games() -> st.SearchStrategy[Playthrough]:
    """Draw a whole game or the first part of a game."""
    return playthroughs() | whole_games()


# Counts of explored games


@attrs.define
class Explored:
    """Counts of the random games that this process has explored; each game counts once."""

    games: dict[int, bool] = attrs.field(factory=dict)
    """Whether each game used a generated card set, keyed by a hash of the game."""
    positions: int = 0
    card_sets: set[int] = attrs.field(factory=set)
    rule_sets: set[vr.RuleSet] = attrs.field(factory=set)

    def note(self, positions: Sequence[vr.GameState]) -> None:
        """Count a game with the given positions, unless it has been counted already."""
        start, game = positions[0], hash((positions[0], positions[-1], len(positions)))
        if game not in self.games:
            self.games[game] = start.cards != vr.RECONSTRUCTION
            self.positions += len(positions)
            self.card_sets.add(hash(start.cards))
            self.rule_sets.add(start.rules)

    def figures(self) -> dict[str, int]:
        """Return the numbers of games, positions, card sets and rule sets."""
        names = {rules.name for rules in self.rule_sets}
        return {
            "games": len(self.games),
            "games_with_generated_cards": sum(self.games.values()),
            "positions": self.positions,
            "card_sets": len(self.card_sets),
            "rule_sets": len(self.rule_sets),
            "editions": sum(edition.name in names for edition in EDITIONS),
        }


EXPLORED: Final = Explored()
"""The counts of the random games that this process has explored."""


# Games that tests share


def drawn(
    strategy: st.SearchStrategy[T], count: int, *, seeded: int | None = None
) -> tuple[T, ...]:
    """Draw `count` values that many tests share.

    In the profile `ci`, the values depend only on the strategy.  With the seed `seeded`, they are
    the same in every profile.
    """
    values: list[T] = []

    @settings(
        max_examples=count,
        derandomize=PROFILE.derandomize and seeded is None,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy)
    def collect(value: T) -> None:
        values.append(value)

    (collect if seeded is None else seed(seeded)(collect))()
    return tuple(values)


@cache
def sample(
    games: Callable[[], st.SearchStrategy[Playthrough]], count: int
) -> tuple[Playthrough, ...]:
    """Return the games that are shared by all tests with the same number of examples.

    The sample begins with fixed games, one for each edition and number of players.  Together, they
    reach positions of every kind.  Hypothesis draws the other games, so they depend on its
    version.
    """
    always = tuple(
        played(vr.new_game(players, rules=rules), number, Temper.RANDOM, LONGEST_GAME)
        for number, (players, rules) in enumerate(product((2, 3, 4), EDITIONS))
    )
    return always + drawn(games(), max(1, count - len(always)))


def in_every(
    games: Callable[[], st.SearchStrategy[Playthrough]],
) -> Callable[[Callable[[Playthrough], None]], Callable[[], None]]:
    """Return a decorator that runs a test on every game of a sample that tests share.

    If the test fails on a game, Hypothesis searches for the smallest game on which it fails.  If
    the profile draws different examples in every run, the sample is not used, and Hypothesis draws
    new games for each test.
    """

    def decorated(test: Callable[[Playthrough], None]) -> Callable[[], None]:
        count = settings().max_examples

        @wraps(test)
        def noted(game: Playthrough) -> None:
            EXPLORED.note(game.positions)
            test(game)

        searching: Callable[[], None] = given(games())(noted)
        if not PROFILE.derandomize:
            return searching

        def on_the_sample() -> None:
            for game in sample(games, count):
                try:
                    noted(game)
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

PositionKind = tuple[vr.Phase, type[vr.Prompt] | None]
"""A kind of position: its phase, and the type of its prompt or `None`."""

KINDS: Final[tuple[PositionKind, ...]] = (
    *((vr.Phase.SETUP, prompt) for prompt in (vr.DealPrompt, vr.DrawPrompt, vr.DraftPrompt)),
    *(
        (phase, prompt)
        for phase in (vr.Phase.MAIN, vr.Phase.FINAL)
        for prompt in (vr.DrawPrompt, vr.BarrelPrompt, *get_args(vr.PlayerPrompt))
        if prompt is not vr.DraftPrompt
    ),
    (vr.Phase.OVER, None),
)
"""Every possible kind of position."""

PLENTY: Final = (17, 18, 19, 36, 32_000)
"""Large counts of a good, some near the limit up to which the native backend caches payments."""

MOST_GAMES = 60
"""The maximum number of games that are searched for a position of the chosen kind."""


def kind_of(state: vr.GameState) -> PositionKind:
    """Return the kind of a position: its phase and the type of its prompt."""
    return state.phase, None if state.prompt is None else type(state.prompt)


@cache
def starts() -> tuple[vr.GameState, ...]:
    """Return first positions of games with random rule sets and card sets."""
    return drawn(tables(), 3 * PROFILE.max_examples)


@lru_cache(maxsize=4 * MOST_GAMES)
def positions_of_game(number: int) -> dict[PositionKind, list[vr.GameState]]:
    """Play the random game with the given number; return its positions, keyed by kind."""
    start, temper = starts()[number % len(starts())], tuple(Temper)[number % len(Temper)]
    by_kind: dict[PositionKind, list[vr.GameState]] = {kind_of(start): [start]}
    for move in islice(seeded_moves(start, number, temper), LONGEST_GAME):
        by_kind.setdefault(kind_of(move.after), []).append(move.after)
    EXPLORED.note([state for states in by_kind.values() for state in states])
    return by_kind


@cache
def kinds_where(where: Callable[[vr.GameState], bool]) -> tuple[PositionKind, ...]:
    """Return the kinds of those positions in the random games that satisfy `where`."""
    games = [positions_of_game(number) for number in range(MOST_GAMES)]
    return tuple(kind for kind in KINDS if any(any(map(where, g.get(kind, ()))) for g in games))


def anywhere(state: vr.GameState) -> bool:
    """Return `True`: the default predicate, which every position satisfies."""
    return True


def positions(where: Callable[[vr.GameState], bool] = anywhere) -> st.SearchStrategy[vr.GameState]:
    """Draw a position that a game can reach and that satisfies `where`.

    Each kind of position is equally likely.  The kind is drawn first, then a game, then a position
    of that kind in the game.
    """
    starts()  # Hypothesis warns if values are drawn within a test
    return _positions(where)


@st.composite
def _positions(draw: st.DrawFn, where: Callable[[vr.GameState], bool]) -> vr.GameState:
    kind = draw(st.sampled_from(kinds_where(where)))
    games = MOST_GAMES if PROFILE.derandomize else 2**16
    number, place = draw(st.integers(0, games - 1)), draw(st.integers(0, 2**16))
    for each in range(number, number + MOST_GAMES):
        each %= games
        if states := [state for state in positions_of_game(each).get(kind, ()) if where(state)]:
            state = states[place % len(states)]
            rich = _enriched(draw, state) if draw(_RARELY) else state
            return rich if where(rich) else state
    return reject()


def _enriched(draw: st.DrawFn, state: vr.GameState) -> vr.GameState:
    """Replace one player's count of one good with an unusually large count."""
    seat, good = draw(st.integers(0, len(state.players) - 1)), draw(st.sampled_from(vr.GOODS))
    player, count = state.players[seat], draw(st.sampled_from(PLENTY))
    goods = attrs.evolve(player.goods, **{good.value: count})
    return state.with_player(seat, attrs.evolve(player, goods=goods))


def is_chance(state: vr.GameState) -> bool:
    """Return whether a position waits for a random event."""
    return isinstance(state.prompt, vr.ChancePrompt)


@cache
def asks(*prompts: type) -> Callable[[vr.GameState], bool]:
    """Return a predicate that is true if the prompt of a position has one of the given types."""
    return lambda state: isinstance(state.prompt, prompts)


# Actions


def every_action(state: vr.GameState) -> tuple[vr.Action, ...]:
    """Return every well-formed action, legal or not, except actions with amounts of goods."""
    return _every_action(state.cards, len(state.display))


@lru_cache
def _every_action(cards: vr.CardSet, dealt: int) -> tuple[vr.Action, ...]:
    sites = range(dealt)
    return (
        *(vr.DealBuilding(building.code) for building in cards.buildings),
        *(vr.DrawCard(character) for character in vr.Character),
        *(vr.RevealBarrel(good) for good in vr.Good),
        *(vr.DraftGood(good) for good in vr.Good),
        *(
            vr.PlayCard(character, use_effect=use)
            for character in vr.Character
            for use in (True, False)
        ),
        *(vr.TakeGood(good) for good in vr.Good),
        *(vr.ReturnGood(good) for good in vr.Good),
        *(vr.GiveGood(good) for good in vr.Good),
        *(vr.Build(site) for site in sites),
        *(vr.Upgrade(site) for site in sites),
        *(vr.Dismiss(character) for character in vr.Character),
        *(vr.Hire(character) for character in vr.Character),
        vr.Decline(),
    )


def goods(most: int = 8) -> st.SearchStrategy[vr.Goods]:
    """Draw goods, up to `most` of each kind."""
    count = st.integers(min_value=0, max_value=most)
    return st.builds(vr.Goods, count, count, count, count)


def well_formed_actions(state: vr.GameState) -> st.SearchStrategy[vr.Action]:
    """Draw an action that refers to the game's cards and sites, and often answers the prompt."""
    every = every_action(state)
    amounts: st.SearchStrategy[vr.Action] = st.builds(vr.Pay, goods()) | st.builds(
        vr.TakeGoods, goods(3)
    )
    if state.prompt is None:
        return st.sampled_from(every) | amounts
    answers = [action for action in every if isinstance(action, state.prompt.answers)]
    return st.sampled_from(answers or every) | st.sampled_from(every) | amounts


def near(rng: random.Random, payment: vr.Pay, steps: Sequence[int]) -> vr.Pay:
    """Return a payment with the count of a random good changed by one of `steps`."""
    counts, place = list(payment.goods), rng.randrange(len(vr.GOODS))
    counts[place] = max(0, counts[place] + rng.choice(steps))
    return vr.Pay(vr.Goods(*counts))


def in_order(actions: Sequence[vr.Action]) -> list[vr.Action]:
    """Sort actions in the order of `legal_actions`."""
    return sorted(actions, key=sort_key)


# By a seeded generator: tables


def every_table() -> Iterator[tuple[vr.RuleSet, int]]:
    """Yield each valid combination of an edition, variants and a number of players."""
    for edition, players, *on in product(EDITIONS, (2, 3, 4), (False, True), (False, True)):
        start_player, fewer = on
        if players == 2 or not fewer:
            yield (
                edition.with_variants(start_player_variant=start_player, fewer_barrels=fewer),
                players,
            )


def any_rules(rng: random.Random, players: int) -> vr.RuleSet:
    """Return a random rule set, with any values in the fields that differ between editions."""
    return vr.RuleSet(
        "Of the house",
        **{field: rng.choice(answers) for field, answers in ANSWERS.items()},
        start_player_variant=rng.random() < 0.3,
        fewer_barrels=players == 2 and rng.random() < 0.3,
    )


def some_card_sets(number: int, count: int) -> tuple[vr.CardSet, ...]:
    """Return `count` card sets, generated with the seed `number`."""
    return drawn(card_sets(dearest=3), count, seeded=number)


# By a seeded generator: positions from the middle of a game


def a_position(
    rng: random.Random, rules: vr.RuleSet, players: int, cards: vr.CardSet, character: vr.Character
) -> vr.GameState:
    """Return a position in which a player with `character` in hand must play a card.

    The position resembles one in a game: each player has the starting cards, the characters of
    their buildings, and sometimes further cards.  Amounts near the thresholds of the rules are
    common, and so are positions in which an end condition is nearly satisfied.
    """
    table = vr.resolve_chance(vr.new_game(players, rules=rules, cards=cards), rng)
    valette = rng.choice((0, 0, 5, 11, 22, 23, 24, 24, 25, rng.randrange(26)))
    if rules.fewer_barrels and valette:
        valette -= 1 - valette % 2
    active = rng.randrange(players)
    plays = rng.choice((3, 3, 2, 2, 1))
    played = tuple(_some_played(rng) for _ in range(3 - plays))
    phase = vr.Phase.FINAL if rng.random() < 0.4 else vr.Phase.MAIN
    free = list(range(len(table.display)))
    rng.shuffle(free)
    people = []
    for seat in range(players):
        count = rng.choice((0, 1, 2, 3, 5, 7, 8))
        sites, free = free[: min(count, len(free))], free[count:]
        extra = (character,) if seat == active else ()
        people.append(_a_person(rng, table, sites, phase, extra))
    hired = vr.CardBag.of(*(rng.choice(CHARACTERS) for _ in range(rng.choice((0, 0, 2)))))
    return table.replace(
        players=tuple(people),
        supply=rng.choice((vr.CardBag(), GENERAL_SUPPLY, hired, GENERAL_SUPPLY + hired)),
        barrels=_barrels_left(rng, rules, players, cards, valette),
        valette=valette,
        active=active,
        played=played,
        phase=phase,
        agenda=(vr.PlayPrompt(active, plays), vr.EndTurn(active)),
    )


def an_ending(
    rng: random.Random, rules: vr.RuleSet, players: int, cards: vr.CardSet
) -> vr.GameState:
    """Return a position before the last play of a game, which often ends in a tie.

    The last card is an Apprentice that has no card to copy.  Playing it therefore changes no score.
    """
    state = a_position(rng, rules, players, cards, vr.Character.APPRENTICE)
    seat, target = state.active, rng.randrange(60, 90)
    people = []
    for player, line in zip(state.players, score_sheet(state), strict=True):
        discards = player.draw_pile + player.discard_pile + player.hand
        score = target - line.buildings - line.goods + rng.choice((0, 0, 0, -1))
        people.append(
            player.replace(
                hand=vr.CardBag(),
                draw_pile=vr.CardBag(),
                discard_pile=discards,
                score=max(0, score),
            )
        )
    people[seat] = people[seat].replace(hand=vr.CardBag.of(vr.Character.APPRENTICE))
    return state.replace(
        players=tuple(people),
        phase=vr.Phase.FINAL,
        played=(),
        agenda=(vr.PlayPrompt(seat, 3), vr.EndTurn(seat)),
    )


def _some_played(rng: random.Random) -> vr.Character:
    """Return a card that was played earlier in the turn, often one that can be copied."""
    return rng.choice((*CHARACTERS[:12], *[vr.Character.APPRENTICE] * 6, rng.choice(CHARACTERS)))


def _a_person(
    rng: random.Random,
    table: vr.GameState,
    sites: Sequence[int],
    phase: vr.Phase,
    extra: tuple[vr.Character, ...],
) -> vr.Player:
    characters = [table.display[site].character for site in sites]
    deck = [*STARTING_CHARACTERS, *characters]
    deck += [vr.Character.APPRENTICE, vr.Character.BUILDER] * rng.choice((0, 0, 1))
    rng.shuffle(deck)
    hand = rng.choice((0, 1, 4, 4, 4, 6))
    drawn = rng.choice((0, 0, 1, len(deck)))
    rest = deck[hand + drawn :]
    upgraded = [site for site in sites if rng.random() < 0.4]
    counts = rng.choice(((0, 0, 1, 1, 2, 3, 3, 4, 5), (0, 0, 1, 2, 1)))
    return vr.Player(
        hand=vr.CardBag.of(*deck[:hand], *extra),
        draw_pile=vr.CardBag.of(*deck[hand : hand + drawn]),
        discard_pile=vr.CardBag.of(*rest),
        goods=vr.Goods(*(rng.choice(counts) for _ in vr.GOODS)),
        built=vr.SiteSet.of(*sites),
        upgraded=vr.SiteSet.of(*upgraded),
        score=rng.choice((0, 0, 7, 22, 23, 24, 25, 26, 49)),
    )


def _barrels_left(
    rng: random.Random, rules: vr.RuleSet, players: int, cards: vr.CardSet, valette: int
) -> vr.Goods:
    tokens = [good.value for good in vr.GOODS for _ in range(cards.barrels[good])]
    rng.shuffle(tokens)
    revealed = sum(space <= valette for space in barrel_spaces(rules, players))
    return vr.Goods(**Counter(tokens[revealed:]))


# By a seeded generator: games without end


@attrs.define
class RandomPlayer:
    """A player that chooses at random, but prefers answers that have been rare so far."""

    rng: random.Random
    counts: Counter[tuple[str, ...]] = attrs.field(factory=Counter)
    """How often each kind of answer has been given, keyed by rule set and kind of answer."""

    def choose(self, state: vr.GameState, actions: Sequence[vr.Action]) -> vr.Action:
        """Choose one of the legal actions in a position, including random outcomes."""
        if isinstance(state.prompt, vr.ChancePrompt):
            return vr.sample_chance(state, self.rng)
        if isinstance(state.prompt, vr.PaymentPrompt) and self.rng.random() < 0.7:
            cheap = min(self._total(action) for action in actions)
            actions = [action for action in actions if self._total(action) == cheap]
        if len(actions) > 1 and self.rng.random() < 0.7:
            actions = [action for action in actions if action != vr.Decline()] or actions
        weights = [1 / (1 + self.counts[self._kind(state, action)]) for action in actions]
        action = self.rng.choices(actions, weights)[0]
        self.counts[self._kind(state, action)] += 1
        return action

    def _total(self, action: vr.Action) -> int:
        return action.goods.total if isinstance(action, vr.Pay) else 0

    def _kind(self, state: vr.GameState, action: vr.Action) -> tuple[str, ...]:
        if isinstance(action, vr.PlayCard):
            return (str(state.rules), action.character, str(action.use_effect))
        return (str(state.rules), type(state.prompt).__name__, repr(action))
