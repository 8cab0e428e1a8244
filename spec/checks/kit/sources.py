"""The sources of the kit's vectors: the worked examples of the clauses, and random games.

A source consists of a position and a list of actions.  The engine and the formal model compute the
answers for the vector.
"""

import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache
from itertools import islice
from typing import Final

import attrs

import valletta_rules as vr
from spec.checks.random_games import RandomPlayer, a_position, an_ending, every_table
from valletta_rules.audit.impossible import Impossible
from valletta_rules.card_sets.misprint import Misprint
from valletta_rules.components import CHARACTERS, EMPTY
from valletta_rules.specification.worked_examples import examples

SEED: Final = 7
"""The seed of the random games."""

MOST_LEGAL: Final = 60
"""The maximum number of legal actions in a position; positions with more are left out.  Only
prompts for a payment exceed the maximum."""

TOLERATED: Final = frozenset(
    {
        *Misprint,
        Impossible.NO_SUCH_BUILDING,
        Impossible.CARDS_LOST,
        Impossible.ONE_VALETTE,
        Impossible.SCORE,
        Impossible.HAND_SIZE,
        Impossible.OPENING_HAND,
        Impossible.TRIGGERED,
    }
)
"""The inconsistencies that a position may have.  A worked example may invent buildings, and may
omit parts that do not matter: other cards, the source of points, the pending final phase."""


@attrs.frozen
class VectorSource:
    """A position from which a vector is made, with the clauses that the vector tests."""

    clauses: tuple[str, ...]
    """The ids of the clauses that the vector tests.  The main clause comes first."""
    slug: str
    """The readable part of the vector's id, which follows the name of the chapter."""
    text: str
    """A sentence that describes what the vector tests."""
    state: vr.GameState
    """The position from which the vector is made."""
    actions: tuple[vr.Action, ...]
    """The actions whose results or refusals the vector must contain."""
    origin: str
    """The example or the game from which the position comes."""
    is_about_views: bool = False
    """Whether the vector tests the views of seats instead of the rules."""


def all_sources() -> Iterator[VectorSource]:
    """Yield the sources of all vectors, in a fixed order."""
    yield from merged([*from_examples(), *from_games()])
    yield from merged([*views_of_examples(), *views_of_games()])


def merged(sources: Iterable[VectorSource]) -> Iterator[VectorSource]:
    """Merge sources that have the same position; the first one provides the slug and the text."""
    by_position: dict[vr.GameState, VectorSource] = {}
    for source in sources:
        first = by_position.get(source.state)
        if first is None:
            by_position[source.state] = source
        else:
            by_position[source.state] = attrs.evolve(
                first,
                clauses=tuple(dict.fromkeys((*first.clauses, *source.clauses))),
                actions=tuple(dict.fromkeys((*first.actions, *source.actions))),
            )
    yield from by_position.values()


# Examples


def from_examples() -> Iterator[VectorSource]:
    """Yield a source for each suitable position of a worked example, the last one first."""
    for worked in examples():
        if worked.example.ask:
            continue  # it is about the library's views, not about the course of the game
        example = worked.example
        end = () if example.refused else ((worked.after, None),)
        for state, action in reversed((*worked.steps(), *end)):
            position = without_revealed(state)
            if is_fit(position) and len(vr.legal_actions(position)) <= MOST_LEGAL:
                yield VectorSource(
                    clauses=in_force((example.clause,), position),
                    slug=example.id,
                    text=example.says,
                    state=position,
                    actions=() if action is None else (action,),
                    origin=f"example {example}",
                )


def without_revealed(state: vr.GameState) -> vr.GameState:
    """Return a position without its record of revealed cards, on which no rule depends."""
    return state.replace(players=tuple(player.replace(shown=EMPTY) for player in state.players))


def is_fit(state: vr.GameState) -> bool:
    """Return whether a position is consistent enough for other engines to evaluate it."""
    if isinstance(state.prompt, vr.DealPrompt) and state.cards != vr.RECONSTRUCTION:
        return False
    goes_on = not state.agenda or isinstance(state.agenda[-1], vr.EndTurn | vr.PassTurn | vr.Turn)
    if not goes_on and state.phase is not vr.Phase.SETUP:
        return False
    return all(problem.code in TOLERATED for problem in vr.problems_of(state))


def in_force(clauses: Iterable[str], state: vr.GameState) -> tuple[str, ...]:
    """Return the given clauses that are in force at the table of a position."""
    known = _in_force(state.rules, len(state.players))
    return tuple(clause for clause in dict.fromkeys(clauses) if clause in known)


@cache
def _in_force(rules: vr.RuleSet, players: int) -> frozenset[str]:
    return frozenset(clause.id for clause in vr.clauses_in_force(rules, players))


def views_of_examples() -> Iterator[VectorSource]:
    """Yield a source for each worked example about the visible information."""
    for worked in examples():
        if " looks at " in worked.example.ask and is_fit(worked.after):
            yield VectorSource(
                clauses=in_force((worked.example.clause,), worked.after),
                slug=worked.example.id,
                text=worked.example.says,
                state=worked.after,
                actions=(),
                origin=f"example {worked.example}",
                is_about_views=True,
            )


# Games


def from_games() -> Iterator[VectorSource]:
    """Yield sources from random games of every edition, including the final positions."""
    rng = random.Random(SEED)
    wanderer = RandomPlayer(rng)
    for rules, players in every_table():
        start = vr.new_game(players, rules=rules, cards=vr.RECONSTRUCTION)
        game = list(_played(start, wanderer))
        counts: Counter[str] = Counter()
        for state in rng.sample(game, len(game)):
            name = type(state.prompt).__name__ if state.prompt else "the end"
            counts[name] += 1
            if counts[name] <= 1:
                yield _of_game(state)
    for number, character in enumerate(CHARACTERS):
        rules, players = list(every_table())[number % 21]
        cards: vr.CardSet = vr.RECONSTRUCTION
        state = without_revealed(a_position(rng, rules, players, cards, character))
        if is_fit(state):
            yield _of_game(state)
    for rules, players in list(every_table())[::2]:
        ending = an_ending(rng, rules, players, vr.RECONSTRUCTION)
        for state in islice(_played(ending, wanderer), 1, 4):
            if is_fit(state):
                yield _of_game(state)


MOST_VIEWED: Final = 6
"""The number of positions from each game for vectors about views, besides the last position."""

VIEW_CLAUSES: Final = (
    "INF-1",
    "INF-2",
    "INF-5",
    "INF-6",
    "INF-7",
    "INF-8",
    "INF-10",
    "INF-14",
    "INF-15",
)
"""The clauses that are tested by every vector about views."""


def views_of_games() -> Iterator[VectorSource]:
    """Yield sources for vectors about views: positions of random games, with revealed cards."""
    rng = random.Random(SEED)
    wanderer = RandomPlayer(rng)
    for rules, players in every_table():
        state = vr.new_game(players, rules=rules, cards=vr.RECONSTRUCTION)
        states_by_kind: dict[object, vr.GameState] = {}
        while actions := vr.legal_actions(state):
            if len(actions) <= MOST_LEGAL:
                states_by_kind.setdefault(
                    (type(state.prompt), _has_revealed_cards(state), state.phase), state
                )
            state = vr.apply(state, wanderer.choose(state, actions))
        yield from map(_view_source, [*rng.sample([*states_by_kind.values()], MOST_VIEWED), state])


def _has_revealed_cards(state: vr.GameState) -> bool:
    return any(player.shown for player in state.players)


def _view_source(state: vr.GameState) -> VectorSource:
    name = type(state.prompt).__name__ if state.prompt else "the end"
    return VectorSource(
        clauses=in_force(
            (*VIEW_CLAUSES, *(("INF-13",) if _has_revealed_cards(state) else ())), state
        ),
        slug=f"seen-at-{_slug(name)}",
        text=f"In a game of {len(state.players)}, {name}: what does each seat see?",
        state=state,
        actions=(),
        origin=f"game of seed {SEED}",
        is_about_views=True,
    )


def _slug(name: str) -> str:
    return re.sub(r"(?<!^)([A-Z])", r"-\1", name.replace(" ", "-")).lower()


def _played(state: vr.GameState, wanderer: RandomPlayer) -> Iterator[vr.GameState]:
    """Play a game to its end, and yield its positions."""
    yield without_revealed(state)
    while actions := vr.legal_actions(state):
        state = vr.apply(state, wanderer.choose(state, actions))
        yield without_revealed(state)


def _of_game(state: vr.GameState) -> VectorSource:
    """Return a source for a position, with the clauses of its prompt and of its events."""
    prompt, players = state.prompt, len(state.players)
    if prompt is None:
        result = vr.outcome(state)
        assert result is not None
        clauses, name = ["SCO-1", "SCO-9", result.clause], "the end"
    else:
        events = [
            str(event.clause)
            for action in vr.legal_actions(state)[:40]
            for event in vr.transition(state, action).events
        ]
        clauses = [prompt.clause, *(id for id, _ in Counter(events).most_common(5))]
        name = type(prompt).__name__
    decider = "chance" if isinstance(prompt, vr.ChancePrompt) else "a player"
    question = f"{name}: what can {decider} answer, and what does it lead to?"
    return VectorSource(
        clauses=in_force(clauses, state),
        slug=_slug(name),
        text=f"In a game of {players} by the rules of {state.rules}, {question}",
        state=state,
        actions=(),
        origin=f"game of seed {SEED}",
    )


def refused_in(state: vr.GameState, actions: Iterable[vr.Action]) -> Iterator[vr.Action]:
    """Yield illegal actions, one for each reason for a refusal."""
    reasons = set()
    for action in actions:
        with suppress(vr.MalformedActionError):
            violation = vr.check(state, action)
            if (
                violation is not None
                and (reason := (violation.code, violation.clause)) not in reasons
            ):
                reasons.add(reason)
                yield action
