"""Fit the curve of win probabilities to games: `python docs/studies/chances.py FOLDER`.

FOLDER contains the games that `docs/studies/make.py` has played.  The program replays the games for
each number of players, and records the expected points of all players at the start of every turn.
It chooses the three parameters of `valletta_rules.analysis.chances` that maximise the likelihood of
the victories in the even-numbered games.  It measures the calibration in the odd-numbered games.
It writes the parameters and the calibration to `FITTED`, which is part of the package.
"""

import json
import math
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import fmean
from typing import Final

import attrs

sys.path.append(str(Path(__file__).parents[2]))

from docs.studies.common import parse
from docs.studies.make import cells, folder_name
from valletta_rules import GameState, Record, TurnBegan, outcome, replay, view
from valletta_rules.analysis import chances
from valletta_rules.analysis.adviser import forecast_for
from valletta_rules.analysis.chances import Curve, chances_to_win
from valletta_rules.bots.features import read
from valletta_rules.bots.value import expected
from valletta_rules.studies import replay_game

FITTED: Final = Path(chances.__file__).with_name("chances.json")
"""The file for the fitted parameters and their calibration."""

SMALLEST: Final = 0.01
"""The minimum of a parameter, and of the steps by which it is changed. The search for parameters
ends when a step would be smaller."""


@attrs.frozen
class Moment:
    """The start of a turn: the expected points at that time, and who won the game in the end."""

    points: tuple[float, ...]
    left: float
    mover: int
    won: tuple[float, ...]
    """The result of each seat: 1 for a sole winner, 1/n for each of n winners, else 0."""

    def predict(self, curve: Curve) -> tuple[float, ...]:
        """Return the win probability of each seat according to a curve."""
        return chances_to_win(self.points, self.left, self.mover, curve)


def moments(record: Record) -> Iterator[Moment]:
    """Yield the start of each turn in a finished game."""
    turns, last = list[tuple[int, GameState]](), record.start
    for step in replay(record):
        last = step.state
        turns += [(each.seat, last) for each in step.events if isinstance(each, TurnBegan)]
    end = outcome(last)
    assert end is not None, "the games of a study are over"
    won = tuple([(seat in end.winners) / len(end.winners) for seat in range(record.players)])
    for seat, state in turns:
        outlooks = forecast_for(view(state, None)).outlooks(read(state), None)
        yield Moment(tuple(map(expected, outlooks)), outlooks[0].left, seat, won)


def surprise(curve: Curve, known: Sequence[Moment]) -> float:
    """Return the mean negative log-likelihood of the victories according to a curve."""
    return -math.fsum(
        share * math.log(max(chance, 1e-9))
        for each in known
        for share, chance in zip(each.won, each.predict(curve), strict=True)
        if share
    ) / len(known)


def fit(known: Sequence[Moment]) -> Curve:
    """Return the curve with the lowest surprise, found by coordinate descent."""
    best, step = Curve(2.0, 1.0, 2.0), 0.5
    least = surprise(best, known)
    while step >= SMALLEST:
        before = least
        for name in attrs.fields_dict(Curve):
            for change in (step, -step):
                tried = attrs.evolve(best, **{name: max(SMALLEST, getattr(best, name) + change)})
                if (loss := surprise(tried, known)) < least:
                    best, least = tried, loss
        if least == before:
            step /= 2
    return Curve(*(round(value, 3) for value in attrs.astuple(best)))


def calibration(curve: Curve, known: Sequence[Moment]) -> list[tuple[int, float, float]]:
    """Return the number of predictions, their mean and the win rate, per interval of width 0.1."""
    tenths: list[list[tuple[float, float]]] = [[] for _ in range(10)]
    for each in known:
        for chance, share in zip(each.predict(curve), each.won, strict=True):
            tenths[min(9, int(10 * chance))].append((chance, share))
    return [
        (
            len(every),
            round(fmean(chance for chance, _ in every), 4),
            round(fmean(share for _, share in every), 4),
        )
        for every in tenths
        if every
    ]


def main(argv: Sequence[str] | None = None) -> None:
    """Fit the curve, and write its parameters and its calibration to `FITTED`."""
    options = parse(__doc__, argv, "folder", games=300, bot="planner")
    known: tuple[list[Moment], list[Moment]] = [], []
    for name, study in cells(options.bot, "", 1, 0).items():
        if study.rules.has_draft and not study.rules.has_staggered_start:
            for number in range(options.games):
                record = replay_game(options.folder / folder_name(name), number)
                known[number % 2].extend(moments(record))
    curve = fit(known[0])
    written = {
        "curve": attrs.asdict(curve),
        "bot": options.bot,
        "games": options.games,
        "surprise": round(surprise(curve, known[1]), 4),
        "calibration": calibration(curve, known[1]),
    }
    lines = ",\n".join(f"{json.dumps(key)}: {json.dumps(each)}" for key, each in written.items())
    FITTED.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
