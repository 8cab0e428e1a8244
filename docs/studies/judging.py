"""Measure the analysis of games: `python docs/studies/judging.py FILE --games 20 --seed 1`.

For each level, the program analyses `--games` games that bots of the level play against each other.
It measures the points that answers lose, the CPU time of the analysis, and luck by source, seat and
phase.  It checks answers that the analysis grades below *good* by many rollouts with other seeds.
It also replaces answers with blunders in games of the level ``strong``, and counts how
many of the blunders the analysis detects.  Only blunders that rollouts confirm are counted.  The
results are written to FILE, as JSON, with 95 % confidence intervals.
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
"""The number of sampled positions used to select the best continuation of an answer, and the number
of further sampled positions then used to measure the answer."""

EFFORT = (1000, 4)
"""The parameters of the rollouts: enough turns to reach the end of the game, and a beam of four
positions."""

PLANTED = vr.PlayPrompt | vr.SitePrompt | vr.PaymentPrompt
"""The types of prompt at which answers are replaced by blunders."""

A_GAME = 8
"""The number of prompts in each game at which a blunder is tried."""

LEAST = 0.5
"""The minimum number of points that a blunder must lose, according to the search of the turn."""

Measurements = dict[str, list[float]]
"""The values measured in a game, keyed by the name of the measurement."""


def again(record: vr.Record, move: int, best: vr.Action) -> tuple[float, float, float]:
    """Return by how much the best answer beats the one in the game, according to rollouts.

    `record` is the game, and `move` is the number of moves before the answer.  `best` is the answer
    that is compared with the answer in the game.  The result is the mean difference in points, its
    standard error, and the difference in the chance of winning.
    """
    before = attrs.evolve(record, actions=record.actions[:move])
    *_, step = vr.replay(before)
    assert isinstance(step.state.prompt, vr.PlayerPrompt)
    seat = step.state.prompt.seat
    view = vr.view(step.state, seat)
    memory, rng = remember(before, seat), random.Random(10**6 + move)
    worlds = [imagine(view, rng, memory) for _ in range(sum(WORLDS))]
    luck = [rng.getrandbits(32) for _ in worlds]
    forecast, chosen = analysis.adviser.forecast_for(view), slice(WORLDS[0])
    leads = []
    for each in analysis.weigh(view, record.actions[move]):
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


def judged(level: str, seed: int, players: int = 2) -> Measurements:
    """Let bots of a level play a game, analyse it, and return the measured values."""
    measured = defaultdict[str, list[float]](list)
    record = play_game(Job((level,) * players, seed)).record
    started = time.process_time()
    result = analysis.analyse(record)
    measured[f"seconds of CPU, {players} players"].append(time.process_time() - started)
    final = next(
        (n for n, step in enumerate(vr.replay(record), 1) if step.state.phase is vr.Phase.FINAL), 0
    )
    for each in result.summaries:
        measured[f"points lost a game, {level}"].append(each.lost_points)
        measured[f"points lost a decision, {level}"].append(each.lost_points / each.decisions)
        own = [decision for decision in result.decisions if decision.seat == each.seat]
        band = analysis.played_like(own)
        measured[f"played like the own level, {level}"].append(
            band is not None and level in analysis.LEVELS_OF[band]
        )
    for luck in result.luck:
        phase = "final" if luck.move >= final else "main"
        place = f"{players} players, seat {luck.seat}, {luck.source}, {phase}"
        measured[f"luck in points, {place}"].append(luck.points)
        measured[f"luck in chance, {place}"].append(luck.chance)
    for decision in result.decisions:
        if decision.grade is not analysis.Grade.GOOD:
            points, error, _ = again(record, decision.move, decision.best)
            measured[f"flagged and worse, {level}"].append(points > 0)
            measured[f"flagged and shown better, {level}"].append(points < -1.96 * error)
    return dict(measured)


def planted(seed: int) -> list[float]:
    """Plant blunders in a game of the level `strong`.

    Return, for each confirmed blunder, whether the analysis detects it.
    """
    record = play_game(Job(("strong", "strong"), seed)).record
    states = [record.start, *(step.state for step in vr.replay(record))]
    rng, detected = random.Random(seed), list[float]()
    moves = [n for n, state in enumerate(states) if isinstance(state.prompt, PLANTED)]
    for move in rng.sample(moves, A_GAME):
        view = vr.view(states[move], states[move].active)
        best, *others = analysis.weigh(view)
        if worse := [each.action for each in others if best.lead - each.lead >= LEAST]:
            detected += named(record, move, view, rng.choice(worse), best.action)
    return detected


def named(
    record: vr.Record, move: int, view: vr.PlayerView, planted: vr.Action, best: vr.Action
) -> list[float]:
    """List whether the analysis detects a blunder; empty if rollouts do not confirm the blunder."""
    before = record.actions[:move]
    wrong = attrs.evolve(record, actions=(*before, planted))
    points, error, chance = again(wrong, move, best)
    if points < max(4, 1.96 * error) or chance < 0.1:
        return []
    memory = remember(attrs.evolve(record, actions=before), view.seat)
    trials = analysis.settling.Trials(view, memory, move, analysis.settling.WORLDS[2])
    decision = analysis.judge(view, planted, move, 0, trials)
    return [decision is not None and decision.grade is not analysis.Grade.GOOD]


def summary(measured: Measurements) -> dict[str, dict[str, float]]:
    """Return the mean, half of its 95 % confidence interval, and the count of each measurement."""
    return {
        name: {
            "mean": round(fmean(each), 4),
            "error": round(1.96 * stdev(each) / math.sqrt(len(each)), 4) if len(each) > 1 else 0.0,
            "count": len(each),
        }
        for name, each in sorted(measured.items())
    }


def main(argv: Sequence[str] | None = None) -> None:
    """Run the measurements, and write the results after each game."""
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
