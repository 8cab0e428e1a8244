"""Memories over many whole games, beside a spectator who keeps every hand that is possible.

    python -m tests.memory.long --games 36

The automatic player plays, in turns by each number of players and edition.  Memory and spectator
must agree after every move, in fractions.  Then it is told how much more a memory knows than a
view when turns begin, and how long it takes to hear an event.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from itertools import cycle, islice, product
from statistics import fmean

from spec.checks.random_games import Playthrough, Temper, make_move
from tests.memory.shuffles import watch
from tests.positions import EDITIONS
from valletta_rules import GameState, new_game, redact, sample_chance, view
from valletta_rules.bots.automatic import choose
from valletta_rules.events import FinalPhaseBegan, TurnBegan
from valletta_rules.memory import Belief, Memory

MOST_CARDS = 17
"""Of a player with more hidden cards than that beliefs are not compared."""


def games() -> Iterator[Playthrough]:
    """Run through games without an end."""
    for seed, (players, rules) in enumerate(cycle(product((2, 3, 4), EDITIONS))):
        start, rng, moves = new_game(players, rules=rules), random.Random(seed), []
        state = start
        while state.prompt is not None:
            is_chance = state.prompt.seat is None
            action = sample_chance(state, rng) if is_chance else choose(state, rng)
            moves.append(make_move(state, action))
            state = moves[-1].after
        yield Playthrough(start, seed, Temper.RANDOM, len(moves), tuple(moves))


def of_the_view(state: GameState, seat: int) -> Belief:
    """Return what is believed of a hand by whoever has only a view."""
    late = Memory(None)
    late.begin(view(state, None))
    return late.belief(seat)


def differences(mine: Belief, theirs: Belief) -> tuple[float, float]:
    """Return the share of another's hands that are impossible, and the total variation."""
    hands = dict(theirs.hands())
    pairs = [(mine.chance_of(hand), chance) for hand, chance in hands.items()]
    impossible = sum((chance for own, chance in pairs if not own), Fraction(0))
    return float(impossible), float(sum(abs(own - chance) for own, chance in pairs) / 2)


def compare(game: Playthrough) -> Iterator[tuple[str, float, float]]:
    """Run through what a memory knows more of each player than a view, at each turn's beginning."""
    memory = Memory(None)
    memory.begin(view(game.start, None))
    for move in game.moves:
        for event in move.events:
            memory.see(redact(event, None))
        if any(isinstance(event, TurnBegan) for event in move.events):
            part = f"{move.after.phase} phase"
            if FinalPhaseBegan() in move.events:
                part = "beginning of the final phase"
            for seat in move.after.seats:
                if len((mine := memory.belief(seat)).hidden) <= MOST_CARDS:
                    yield part, *differences(mine, of_the_view(move.after, seat))


def seconds_of(game: Playthrough) -> tuple[float, int, int]:
    """Return how long a memory takes over a game, how many events it hears, and its cases."""
    memory, most = Memory(None), 0
    memory.begin(view(game.start, None))
    events = [redact(event, None) for event in game.events]
    began = time.process_time()
    for event in events:
        memory.see(event)
    taken = time.process_time() - began
    memory.begin(view(game.start, None))
    for event in events:
        memory.see(event)
        cases = (memory.belief(seat).components for seat in range(len(game.start.players)))
        most = max(most, *map(len, cases))
    return taken, len(events), most


def report(number: int) -> Iterator[str]:
    """Run through what so many games show, line by line."""
    compared, events, cases, seconds = 0, 0, 0, 0.0
    found: defaultdict[str, list[tuple[float, float]]] = defaultdict(list)
    for game in islice(games(), number):
        compared += watch(game)
        taken, heard, most = seconds_of(game)
        seconds, events, cases = seconds + taken, events + heard, max(cases, most)
        for part, impossible, variation in compare(game):
            found[part].append((impossible, variation))
    yield f"{number} games, {events:,} events: {compared:,} chances agree as fractions"
    yield f"{seconds / events * 1e6:.0f} us an event, at most {cases} components"
    for part, pairs in found.items():
        impossible, variation = (fmean(each) for each in zip(*pairs, strict=True))
        yield (
            f"{part}: {len(pairs)} hands, impossible without a memory {impossible:.1%}, "
            f"total variation {variation:.3f}, at most {max(most for _, most in pairs):.3f}"
        )


def main() -> None:
    """Play, compare, and tell."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=36)
    sys.stdout.writelines(f"{line}\n" for line in report(parser.parse_args().games))


if __name__ == "__main__":
    main()
