"""Measure the analysis: `python docs/studies/judging.py FILE --games 20 --seed 1`.

For each level that many games of it against itself are analysed: points lost, the CPU time, and
luck by its source, seat and phase.  Each answer below *good* is judged again by many rollouts with
other seeds.  In as many games of ``strong`` blunders are planted, and those that
such rollouts confirm are looked up in the analysis.  The figures are written to FILE, as JSON, with
intervals of 95 %.
"""

import json
import math
import random
import sys
import time
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean, stdev

import attrs

sys.path.append(str(Path(__file__).parents[2]))

import valletta_rules as vr
from docs.studies.common import parse
from valletta_rules import analysis
from valletta_rules.bots.registry import LEVELS
from valletta_rules.bots.rollouts import leads_of
from valletta_rules.bots.turns import imagine
from valletta_rules.memory import remember
from valletta_rules.studies import Job, play_game

WORLDS = (30, 200)
"""In how many worlds rollouts choose the end of an answer, and in how many others they measure."""

EFFORT = (1000, 4)
"""They go on to the end of the game, and each search in them keeps four positions."""

PLANTED = vr.PlayPrompt | vr.SitePrompt | vr.PaymentPrompt
"""The questions at which blunders are planted."""

A_GAME = 8
"""How many of them of a game are tried."""

LEAST = 0.5
"""How many points a planted answer loses by the search of the turn, at least."""

Found = dict[str, list[float]]
"""Figures of a game by their names."""


def again(record: vr.Record, move: int, best: vr.Action) -> tuple[float, float, float]:
    """Return by how much an answer is worse than another one, the standard error, and the chance.

    Takes the game, how many moves come before, and the other answer.
    """
    before = attrs.evolve(record, actions=record.actions[:move])
    *_, step = vr.replay(before)
    assert isinstance(step.state.prompt, vr.PlayerPrompt)
    seat = step.state.prompt.seat
    seen = vr.view(step.state, seat)
    memory, rng = remember(before, seat), random.Random(10**6 + move)
    worlds = [imagine(seen, rng, memory) for _ in range(sum(WORLDS))]
    luck = [rng.getrandbits(32) for _ in worlds]
    forecast, chosen = analysis.adviser.forecast_for(seen), slice(WORLDS[0])
    leads = []
    for each in analysis.weigh(seen, record.actions[move]):
        if each.action in (best, record.actions[move]):
            ends = [line.state for line in each.lines[:3]]
            tried = leads_of(ends, worlds[chosen], luck[chosen], forecast, seat, *EFFORT)
            end = ends[max(range(len(ends)), key=lambda place: fmean(tried[place]))]
            rest = slice(WORLDS[0], None)
            (lead,) = leads_of([end], worlds[rest], luck[rest], forecast, seat, *EFFORT)
            leads.append((each.action == best, lead))
    (_, worse), (_, better) = sorted(leads)
    apart = [a - b for a, b in zip(better, worse, strict=True)]
    chance = fmean((a > 0) - (b > 0) for a, b in zip(better, worse, strict=True))
    return fmean(apart), stdev(apart) / math.sqrt(len(apart)), chance


def judged(level: str, seed: int, players: int = 2) -> Found:
    """Return the figures of a game of a level against itself."""
    found = defaultdict[str, list[float]](list)
    record = play_game(Job((level,) * players, seed)).record
    begun = time.process_time()
    told = analysis.analyse(record)
    found[f"seconds of CPU, {players} players"].append(time.process_time() - begun)
    final = next(
        (n for n, step in enumerate(vr.replay(record), 1) if step.state.phase is vr.Phase.FINAL), 0
    )
    for each in told.summaries:
        found[f"points lost a game, {level}"].append(each.lost_points)
        found[f"points lost a decision, {level}"].append(each.lost_points / each.decisions)
    for luck in told.luck:
        phase = "final" if luck.move >= final else "main"
        place = f"{players} players, seat {luck.seat}, {luck.source}, {phase}"
        found[f"luck in points, {place}"].append(luck.points)
        found[f"luck in chance, {place}"].append(luck.chance)
    for decision in told.decisions:
        if decision.grade is not analysis.Grade.GOOD:
            points, error, _ = again(record, decision.move, decision.best)
            found[f"flagged and worse, {level}"].append(points > 0)
            found[f"flagged and shown better, {level}"].append(points < -1.96 * error)
    return dict(found)


def planted(seed: int) -> list[float]:
    """Return whether blunders that are planted in a game of `strong` are named, if they are any."""
    record = play_game(Job(("strong", "strong"), seed)).record
    states = [record.start, *(step.state for step in vr.replay(record))]
    rng, found = random.Random(seed), list[float]()
    asked = [n for n, state in enumerate(states) if isinstance(state.prompt, PLANTED)]
    for move in rng.sample(asked, A_GAME):
        seen = vr.view(states[move], states[move].active)
        best, *others = analysis.weigh(seen)
        if worse := [each.action for each in others if best.lead - each.lead >= LEAST]:
            found += named(record, move, seen, rng.choice(worse), best.action)
    return found


def named(
    record: vr.Record, move: int, seen: vr.PlayerView, planted: vr.Action, best: vr.Action
) -> list[float]:
    """Return whether an answer that replaces a move is named; nothing if it is no blunder."""
    before = record.actions[:move]
    wrong = attrs.evolve(record, actions=(*before, planted))
    points, error, chance = again(wrong, move, best)
    if points < max(4, 1.96 * error) or chance < 0.1:
        return []
    memory = remember(attrs.evolve(record, actions=before), seen.seat)
    trials = analysis.settling.Trials(seen, memory, move, analysis.settling.WORLDS[2])
    decision = analysis.judge(seen, planted, move, 0, trials)
    return [decision is not None and decision.grade is not analysis.Grade.GOOD]


def summary(found: Found) -> dict[str, dict[str, float]]:
    """Return the mean of each figure, half its interval of 95 %, and how many there are."""
    return {
        name: {
            "mean": round(fmean(each), 4),
            "error": round(1.96 * stdev(each) / math.sqrt(len(each)), 4) if len(each) > 1 else 0.0,
            "count": len(each),
        }
        for name, each in sorted(found.items())
    }


def main(argv: Sequence[str] | None = None) -> None:
    """Carry out the command."""
    options = parse(__doc__, argv, "file", games=20, seed=1, players=2, levels=",".join(LEVELS))
    every = defaultdict[str, list[float]](list)
    for seed in range(options.seed, options.seed + options.games):
        for level in filter(None, options.levels.split(",")):
            for name, figures in judged(level, seed, options.players).items():
                every[name] += figures
        every["planted and named"] += planted(seed)
        options.file.write_text(json.dumps(summary(every), indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main()
