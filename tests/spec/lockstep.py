"""Games in lockstep: the engine plays, and the formal specification is asked about its steps.

At each step compared, the specification names the whole set of legal actions and the position
after the action chosen; both must be those of the engine.  Payments are the exception: where
there are very many, only the position after the payment is compared.

    python -m tests.spec.lockstep --steps 50000 --seed 1

plays whole games and hand-made positions, of every edition, until so many steps are compared.
With `--write` the figures go to `spec/lockstep.json`, where the documentation finds them.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Final

import attrs
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import Phase as HypothesisPhase

from tests.established import ENGINE, MODEL, stamp, write
from tests.spec.model import (
    SPEC,
    Oracle,
    as_modelled,
    encode_action,
    encode_state,
    why_unavailable,
)
from tests.strategies import card_sets
from valletta_rules import (
    RECONSTRUCTION,
    Action,
    BarrelLayout,
    CardBag,
    CardSet,
    Character,
    Colour,
    Decline,
    Effects,
    GameState,
    Goods,
    Opening,
    Pay,
    Phase,
    PlayCard,
    Player,
    RuleSet,
    SiteSet,
    apply,
    legal_actions,
    new_game,
    outcome,
    rulings,
    sample_chance,
)
from valletta_rules.agenda import (
    ChancePrompt,
    DealPrompt,
    DrawPrompt,
    EndTurn,
    PaymentPrompt,
    PlayPrompt,
)
from valletta_rules.components.characters import CHARACTERS, STARTING_CHARACTERS
from valletta_rules.components.goods import GOODS
from valletta_rules.rulebook.scoring import score_sheet
from valletta_rules.rulebook.setup import GENERAL_SUPPLY
from valletta_rules.rulebook.valette import barrel_spaces

EDITIONS: Final = tuple(rulings.EDITIONS.values())
"""The preset rule sets."""

FIGURES: Final = SPEC / "lockstep.json"
"""What the last run with `--write` established."""

MOST_PAYMENTS: Final = 400
"""With more payments than this in a position, the specification is not asked to list them."""


# Tables


def tables() -> Iterator[tuple[RuleSet, int]]:
    """Run through every edition with every variant and number of players."""
    for edition in EDITIONS:
        for players in (2, 3, 4):
            for start_player in (False, True):
                for fewer_barrels in (False, True) if players == 2 else (False,):
                    rules = edition.with_variants(
                        start_player_variant=start_player, fewer_barrels=fewer_barrels
                    )
                    yield rules, players


def any_rules(rng: random.Random, players: int) -> RuleSet:
    """Return any answers to the questions on which the editions differ."""
    return RuleSet(
        "Of the house",
        effects=rng.choice(tuple(Effects)),
        opening=rng.choice(tuple(Opening)),
        barrel_layout=rng.choice(tuple(BarrelLayout)),
        apprentice_colour=rng.choice((Colour.RED, Colour.PURPLE)),
        start_player_variant=rng.random() < 0.3,
        fewer_barrels=players == 2 and rng.random() < 0.3,
    )


def some_card_sets(number: int, count: int) -> tuple[CardSet, ...]:
    """Return some generated card sets, the same for the same number."""
    found: list[CardSet] = []

    @seed(number)
    @settings(
        max_examples=count,
        derandomize=False,
        database=None,
        deadline=None,
        phases=(HypothesisPhase.generate,),
        suppress_health_check=tuple(HealthCheck),
    )
    @given(card_sets(dearest=3))
    def collect(cards: CardSet) -> None:
        found.append(cards)

    collect()
    return tuple(found)


# Positions from the middle of a game


def a_position(
    rng: random.Random, rules: RuleSet, players: int, cards: CardSet, character: Character
) -> GameState:
    """Return a position in which a player with a certain character in hand is to play a card.

    It could be one of a game: everybody's cards are the starting characters, those of his
    buildings, and a few that were hired.  Amounts near the thresholds of the rules are common,
    and so are nearly finished streets, scores and rows of houses.
    """
    table = new_game(players, rules=rules, cards=cards)
    while isinstance(table.prompt, DealPrompt):
        table = apply(table, sample_chance(table, rng))
    valette = rng.choice((0, 0, 5, 11, 22, 23, 24, 24, 25, rng.randrange(26)))
    if rules.fewer_barrels and valette:
        valette -= 1 - valette % 2
    active = rng.randrange(players)
    plays = rng.choice((3, 3, 2, 2, 1))
    played = tuple(_some_played(rng) for _ in range(3 - plays))
    phase = Phase.FINAL if rng.random() < 0.4 else Phase.MAIN
    free = list(range(len(table.display)))
    rng.shuffle(free)
    people = []
    for seat in range(players):
        count = rng.choice((0, 1, 2, 3, 5, 7, 8))
        sites, free = free[: min(count, len(free))], free[count:]
        extra = (character,) if seat == active else ()
        people.append(_a_person(rng, table, sites, phase, extra))
    hired = CardBag.of(*(rng.choice(CHARACTERS) for _ in range(rng.choice((0, 0, 2)))))
    return table.replace(
        players=tuple(people),
        supply=rng.choice((CardBag(), GENERAL_SUPPLY, hired, GENERAL_SUPPLY + hired)),
        barrels=_barrels_left(rng, rules, players, cards, valette),
        valette=valette,
        active=active,
        played=played,
        phase=phase,
        agenda=(PlayPrompt(active, plays), EndTurn(active)),
    )


def an_ending(rng: random.Random, rules: RuleSet, players: int, cards: CardSet) -> GameState:
    """Return a position in which the last card of the game is to be played, often with a tie.

    The card is an Apprentice with nothing to copy, so that the score sheet remains as it is.
    """
    state = a_position(rng, rules, players, cards, Character.APPRENTICE)
    seat, target = state.active, rng.randrange(60, 90)
    people = []
    for player, line in zip(state.players, score_sheet(state), strict=True):
        discards = player.draw_pile + player.discard_pile + player.hand
        score = target - line.buildings - line.goods + rng.choice((0, 0, 0, -1))
        people.append(
            player.replace(
                hand=CardBag(), draw_pile=CardBag(), discard_pile=discards, score=max(0, score)
            )
        )
    people[seat] = people[seat].replace(hand=CardBag.of(Character.APPRENTICE))
    return state.replace(
        players=tuple(people),
        phase=Phase.FINAL,
        played=(),
        agenda=(PlayPrompt(seat, 3), EndTurn(seat)),
    )


def _some_played(rng: random.Random) -> Character:
    """Return a card that may have been played this turn, often one that can be copied."""
    return rng.choice((*CHARACTERS[:12], *[Character.APPRENTICE] * 6, rng.choice(CHARACTERS)))


def _a_person(
    rng: random.Random,
    table: GameState,
    sites: Sequence[int],
    phase: Phase,
    extra: tuple[Character, ...],
) -> Player:
    characters = [table.display[site].character for site in sites]
    deck = [*STARTING_CHARACTERS, *characters]
    deck += [Character.APPRENTICE, Character.BUILDER] * rng.choice((0, 0, 1))
    rng.shuffle(deck)
    hand = rng.choice((0, 1, 4, 4, 4, 6))
    drawn = rng.choice((0, 0, 1, len(deck)))
    rest = deck[hand + drawn :]
    upgraded = [site for site in sites if rng.random() < 0.4]
    counts = rng.choice(((0, 0, 1, 1, 2, 3, 3, 4, 5), (0, 0, 1, 2, 1)))
    return Player(
        hand=CardBag.of(*deck[:hand], *extra),
        draw_pile=CardBag.of(*deck[hand : hand + drawn]),
        discard_pile=CardBag.of(*rest),
        goods=Goods(*(rng.choice(counts) for _ in GOODS)),
        built=SiteSet.of(*sites),
        upgraded=SiteSet.of(*upgraded),
        score=rng.choice((0, 0, 7, 22, 23, 24, 25, 26, 49)),
    )


def _barrels_left(
    rng: random.Random, rules: RuleSet, players: int, cards: CardSet, valette: int
) -> Goods:
    tokens = [good.value for good in GOODS for _ in range(cards.barrels[good])]
    rng.shuffle(tokens)
    revealed = sum(space <= valette for space in barrel_spaces(rules, players))
    return Goods(**Counter(tokens[revealed:]))


# Players


@attrs.define
class Wanderer:
    """Somebody who plays at random but likes what has been seen seldom."""

    rng: random.Random
    seen: Counter[tuple[str, ...]] = attrs.field(factory=Counter)
    """How often each kind of answer has been given, edition by edition."""

    def choose(self, state: GameState, actions: Sequence[Action]) -> Action:
        """Choose one of the legal actions of a position, chance's too."""
        if isinstance(state.prompt, ChancePrompt):
            return sample_chance(state, self.rng)
        if isinstance(state.prompt, PaymentPrompt) and self.rng.random() < 0.7:
            cheap = min(self._total(action) for action in actions)
            actions = [action for action in actions if self._total(action) == cheap]
        if len(actions) > 1 and self.rng.random() < 0.7:
            actions = [action for action in actions if action != Decline()] or actions
        weights = [1 / (1 + self.seen[self._kind(state, action)]) for action in actions]
        action = self.rng.choices(actions, weights)[0]
        self.seen[self._kind(state, action)] += 1
        return action

    def _total(self, action: Action) -> int:
        return action.goods.total if isinstance(action, Pay) else 0

    def _kind(self, state: GameState, action: Action) -> tuple[str, ...]:
        if isinstance(action, PlayCard):
            return (str(state.rules), action.character, str(action.use_effect))
        return (str(state.rules), type(state.prompt).__name__, repr(action))


# Comparing


@attrs.frozen
class Divergence:
    """A step at which the engine and the formal specification disagree."""

    what: str
    """What they disagree about."""
    state: GameState
    """The position."""
    action: Action | None
    """The action chosen."""
    engine: str
    """What the engine says and the specification does not."""
    model: str
    """What the specification says and the engine does not."""

    def __str__(self) -> str:
        """Say everything that is needed to look into it."""
        action = None if self.action is None else encode_action(self.action)
        return (
            f"{self.what} under {type(self.state.prompt).__name__} in {self.state.rules}\n"
            f"  engine only: {self.engine}\n"
            f"  specification only: {self.model}\n"
            f"  action: {json.dumps(action)}\n"
            f"  position: {json.dumps(encode_state(self.state))}"
        )


@attrs.define
class Tally:
    """What has been compared."""

    games: int = 0
    """Whole games begun, the first positions compared."""
    steps: int = 0
    """Steps compared."""
    fully: int = 0
    """Those at which the whole set of legal actions was compared."""
    successors: int = 0
    """Positions after an action compared."""
    outcomes: int = 0
    """Ends of games compared."""
    by_rules: Counter[str] = attrs.field(factory=Counter)
    """Steps by rule set and number of players."""
    by_prompt: Counter[str] = attrs.field(factory=Counter)
    """Steps by type of prompt."""
    by_action: Counter[str] = attrs.field(factory=Counter)
    """Actions by type, and what they name."""
    divergences: list[Divergence] = attrs.field(factory=list)
    """Where they disagreed."""

    def __str__(self) -> str:
        """Say it in a line."""
        return (
            f"{self.steps:,} steps compared with the formal specification, {self.fully:,} of them"
            f" with the whole set of legal actions; {self.successors:,} successors,"
            f" {self.outcomes:,} outcomes; {len(self.divergences):,} divergences"
        )


def _difference(engine: GameState, model: GameState) -> tuple[str, str]:
    """Return the parts of two positions that differ."""
    ours, theirs = encode_state(engine), encode_state(model)
    parts = [part for part in ours if ours[part] != theirs[part]]
    return (
        json.dumps({part: ours[part] for part in parts}),
        json.dumps({part: theirs[part] for part in parts}),
    )


@attrs.define
class Lockstep:
    """The engine and the formal specification, step by step."""

    oracle: Oracle
    most_payments: int = MOST_PAYMENTS
    tally: Tally = attrs.field(factory=Tally)

    def compare(
        self,
        state: GameState,
        actions: Sequence[Action],
        action: Action | None,
        others: Iterable[Action] = (),
    ) -> GameState:
        """Compare a position's legal actions, and what some of them lead to.

        Returns what the engine makes of the action, or the position itself if there is none.
        """
        tally = self.tally
        fully = not isinstance(state.prompt, PaymentPrompt) or len(actions) <= self.most_payments
        answer = self.oracle.ask(state, action, legal=fully)
        tally.steps += 1
        tally.fully += fully
        tally.by_rules[f"{state.rules}, {len(state.players)} players"] += 1
        tally.by_prompt[type(state.prompt).__name__ if state.prompt else "the end"] += 1
        if len(set(actions)) != len(actions):
            self._diverge("a legal action named twice", state, action, repr(actions), "")
        if answer.legal is not None and answer.legal != (ours := frozenset(actions)):
            engine, model = sorted(map(repr, ours - answer.legal)), answer.legal - ours
            self._diverge(
                "legal actions", state, action, f"{engine}", f"{sorted(map(repr, model))}"
            )
        if answer.outcome != (result := outcome(state)):
            self._diverge("outcome", state, action, repr(result), repr(answer.outcome))
        if action is None:
            tally.outcomes += 1
            return state
        after = self._follow(state, action, answer.after)
        for other in others:
            if other != action:
                self._follow(state, other, self.oracle.ask(state, other, legal=False).after)
        return after

    def _follow(self, state: GameState, action: Action, model: GameState | None) -> GameState:
        """Compare what an action leads to."""
        named = f" {action.character}" if isinstance(action, PlayCard) else ""
        vain = " in vain" if named and not getattr(action, "use_effect", True) else ""
        self.tally.by_action[f"{type(action).__name__}{named}{vain}"] += 1
        self.tally.successors += 1
        after = apply(state, action)
        if model is None:
            self._diverge("successor", state, action, repr(after), "none")
        elif model != as_modelled(after):
            self._diverge("successor", state, action, *_difference(after, model))
        return after

    def _diverge(
        self, what: str, state: GameState, action: Action | None, engine: str, model: str
    ) -> None:
        self.tally.divergences.append(Divergence(what, state, action, engine, model))

    def begin(self, state: GameState) -> None:
        """Compare the first position of a game."""
        model = self.oracle.first(state)
        self.tally.games += 1
        if model != state:
            self._diverge("first position", state, None, *_difference(state, model))

    def game(
        self,
        state: GameState,
        wanderer: Wanderer,
        *,
        compared: Callable[[GameState], bool] = lambda state: True,
        breadth: int = 1,
        first: Action | None = None,
    ) -> Iterator[GameState]:
        """Play on from a position to the end of the game, comparing as one goes.

        Yields the position after each step compared.  Compares what `breadth` of the legal
        actions lead to.
        """
        while True:
            actions = legal_actions(state)
            if not actions:
                self.compare(state, actions, None)
                return
            action = first if first in actions else wanderer.choose(state, actions)
            first = None
            if compared(state):
                others = wanderer.rng.sample(actions, min(breadth - 1, len(actions)))
                state = self.compare(state, actions, action, others)
                yield state
            else:
                state = apply(state, action)


def sampled(
    rng: random.Random, *, draws: float, plays: float = 1.0, others: float = 1.0
) -> Callable[[GameState], bool]:
    """Return a rule to compare only a share of the steps, by what is asked."""

    def is_compared(state: GameState) -> bool:
        match state.prompt:
            case DealPrompt() | DrawPrompt():
                return rng.random() < draws
            case PlayPrompt():
                return rng.random() < plays
            case _:
                return rng.random() < others

    return is_compared


# The larger run


def rounds(
    lockstep: Lockstep,
    wanderer: Wanderer,
    chosen: Sequence[tuple[RuleSet, int]],
    card_choice: Sequence[CardSet],
) -> Iterator[GameState]:
    """Play for ever: a whole game at each table, and positions for each character."""
    rng = wanderer.rng
    while True:
        for rules, players in chosen:
            cards = rng.choice(card_choice)
            start = new_game(players, rules=rules, cards=cards)
            lockstep.begin(start)
            yield from lockstep.game(start, wanderer, compared=sampled(rng, draws=0.2))
            for character in CHARACTERS:
                state = a_position(rng, rules, players, cards, character)
                first = PlayCard(character, use_effect=rng.random() < 0.7)
                moves = lockstep.game(state, wanderer, breadth=3, first=first)
                yield from islice(moves, rng.randrange(3, 20))
            for _ in range(5):
                ending = an_ending(rng, rules, players, cards)
                yield from lockstep.game(ending, wanderer)


def report(tally: Tally, seconds: float) -> str:
    """Return the summary of a run."""
    lines = [f"{tally} in {seconds:.0f} s"]
    for title, counts in (
        ("rules", tally.by_rules),
        ("prompt", tally.by_prompt),
        ("action", tally.by_action),
    ):
        lines.append(f"by {title}:")
        lines += [f"  {count:>9,}  {name}" for name, count in sorted(counts.items())]
    return "\n".join(lines)


def figures(tally: Tally, seconds: float, seed: int) -> dict[str, object]:
    """Return what a run established, as it is written down."""
    return {
        "seed": seed,
        "seconds": round(seconds),
        "games": tally.games,
        "steps": tally.steps,
        "fully": tally.fully,
        "successors": tally.successors,
        "outcomes": tally.outcomes,
        "divergences": len(tally.divergences),
        "by_rules": dict(sorted(tally.by_rules.items())),
        "by_prompt": dict(sorted(tally.by_prompt.items())),
        "by_action": dict(sorted(tally.by_action.items())),
    }


def parse_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.spec.lockstep",
        description="Compare the engine with the formal specification, step by step.",
    )
    parser.add_argument(
        "--steps", type=int, help="compare so many steps: 20,000 unless --seconds is given"
    )
    parser.add_argument("--seed", type=int, default=0, help="of the random generator")
    parser.add_argument("--seconds", type=float, help="stop after so long, whatever is compared")
    parser.add_argument(
        "--players", type=int, nargs="+", choices=(2, 3, 4), default=(2, 3, 4), help="at a table"
    )
    parser.add_argument(
        "--rules",
        nargs="+",
        choices=("hans_im_glueck", "z_man", "reference_manual", "any"),
        default=("hans_im_glueck", "z_man", "reference_manual", "any"),
        help="an edition, with each of its variants, or any answers to the rulings",
    )
    parser.add_argument(
        "--mistake",
        default="",
        help="make a deliberate mistake in the specification, which must be noticed",
    )
    parser.add_argument(
        "--payments",
        type=int,
        default=4 * MOST_PAYMENTS,
        help="compare the legal actions only where there are no more payments than this",
    )
    parser.add_argument(
        "--write", action="store_true", help="write the figures down for the documentation"
    )
    options = parser.parse_args(arguments)
    if options.write and options.mistake:
        parser.error("a run with a mistake establishes nothing that could be written down")
    if options.steps is None:
        options.steps = 20_000 if options.seconds is None else sys.maxsize
    return options


def tables_of(options: argparse.Namespace, rng: random.Random) -> list[tuple[RuleSet, int]]:
    """Return the tables that were asked for on the command line."""
    names = dict(zip(("hans_im_glueck", "z_man", "reference_manual"), EDITIONS, strict=True))
    wanted = {names[name].name for name in options.rules if name != "any"}
    found = [table for table in tables() if table[0].name in wanted]
    if "any" in options.rules:
        found += [(any_rules(rng, players), players) for players in (2, 3, 4) for _ in range(8)]
    rng.shuffle(found)
    return [table for table in found if table[1] in options.players]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; the exit code is 1 if they disagreed, 2 if there was nobody to ask."""
    options = parse_arguments(arguments)
    if (reason := why_unavailable()) is not None:
        sys.stderr.write(f"{reason}\n")
        return 2
    sources = {"model": stamp(MODEL), "engine": stamp(ENGINE)}
    rng = random.Random(options.seed)
    chosen = tables_of(options, rng)
    card_choice = (RECONSTRUCTION, *some_card_sets(options.seed, 12))
    began = told = time.monotonic()
    with Oracle(options.mistake) as oracle:
        lockstep = Lockstep(oracle, options.payments)
        for _ in rounds(lockstep, Wanderer(rng), chosen, card_choice):
            now, tally = time.monotonic(), lockstep.tally
            if now - told > 10:
                told = now
                sys.stderr.write(f"{now - began:6.0f} s  {tally}\n")
            if tally.steps >= options.steps or now - began > (options.seconds or now):
                break
    for divergence in lockstep.tally.divergences[:20]:
        sys.stdout.write(f"{divergence}\n")
    seconds = time.monotonic() - began
    sys.stdout.write(f"{report(lockstep.tally, seconds)}\n")
    if options.write:
        write(FIGURES, sources, figures(lockstep.tally, seconds, options.seed))
    return 1 if lockstep.tally.divergences else 0


if __name__ == "__main__":
    sys.exit(main())
