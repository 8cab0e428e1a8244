"""Play the study of the game, and write down what it found: `python docs/studies/make.py FOLDER`.

The planner plays against itself, by each opening and with each number of players; the rollouts bot
repeats the two openings of two players as a check.  The games are kept in the folder, one study for
each of these *cells*; the page of the documentation is made of `SUMMARY`, which is written anew
whenever the games of all cells have grown by a round.  Interrupted, the same command goes on.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Final

import attrs

from valletta_rules import HANS_IM_GLUECK, REFERENCE_MANUAL
from valletta_rules.components.display import SITES
from valletta_rules.studies import Store, Study, read_store, run
from valletta_rules.studies.store import CONVERTER, GAMES, STUDY, read_study
from valletta_rules.studies.summary import Summary, summarise

SUMMARY: Final = Path(__file__).parent / "summary.json"
"""What the page is made of."""

OPENINGS: Final = {
    "draft": HANS_IM_GLUECK,
    "start-player variant": HANS_IM_GLUECK.with_variants(start_player_variant=True),
    "draft, staggered": REFERENCE_MANUAL,
}
"""The openings, and the rule sets that have them."""


@attrs.frozen
class StudyCell:
    """A part of the study."""

    name: str
    """What it is called: the bot, how many play, the opening."""
    study: Study


def cells(planner: str, rollouts: str, games: int, checks: int) -> tuple[StudyCell, ...]:
    """Return the cells with so many games each, and so many of those that are a check."""
    found = [_cell(planner, players, opening, games) for opening in OPENINGS for players in SITES]
    found += [_cell(rollouts, 2, opening, checks) for opening in tuple(OPENINGS)[:2] if checks]
    return tuple(found)


def _cell(bot: str, players: int, opening: str, games: int) -> StudyCell:
    study = Study((bot,), players, games, seed=100_000, rules=OPENINGS[opening])
    return StudyCell(f"{bot}, {players} players, {opening}", study)


def folder_of(folder: Path, cell: StudyCell) -> Path:
    """Return the folder in which the games of a cell are kept."""
    return folder / cell.name.replace(", ", "_").replace(" ", "-").replace(":", "_")


def play(folder: Path, cell: StudyCell, jobs: int) -> None:
    """Play what a cell lacks; it may have more already."""
    there = read_study(folder).games if (folder / STUDY).exists() else 0
    study = attrs.evolve(cell.study, games=max(there, cell.study.games))
    with Store(folder, study) as store:
        run(store, workers=jobs)


def write(folder: Path, wanted: Sequence[StudyCell], file: Path) -> None:
    """Write down what the games of the cells show, each with the digest of its games."""
    found = []
    for cell in wanted:
        games = folder_of(folder, cell) / GAMES
        summary = summarise(*read_store(games.parent))
        digest = sha256(games.read_bytes()).hexdigest()
        named = {"name": cell.name, "sha256": digest, "summary": CONVERTER.unstructure(summary)}
        rounded = json.loads(json.dumps(named), parse_float=lambda text: round(float(text), 4))
        found.append(json.dumps(rounded, separators=(",", ":")))
    lines = ",\n".join(found)
    file.write_text(f"[\n{lines}\n]\n", encoding="utf-8")


def read() -> dict[str, tuple[str, Summary]]:
    """Return the digest of the games and the summary of each cell by its name."""
    return {
        each["name"]: (each["sha256"], CONVERTER.structure(each["summary"], Summary))
        for each in json.loads(SUMMARY.read_text("utf-8"))
    }


def main(argv: Sequence[str] | None = None) -> None:
    """Play what is missing, round by round, and write the summary."""
    parser = argparse.ArgumentParser(description=__doc__)
    add = parser.add_argument
    add("folder", type=Path, help="where the games are kept")
    add("--games", type=int, default=2000, help="games a cell (default: 2000)")
    add("--checks", type=int, default=200, help="games a check (default: 200)")
    add("--round", type=int, default=200, help="how many games a cell grows by at a time")
    add("--planner", default="planner", help="the bot (default: planner)")
    add("--rollouts", default="rollouts", help="the bot of the checks (default: rollouts)")
    add("--jobs", type=int, default=1, help="games played at a time (default: 1)")
    given = parser.parse_args(argv)
    largest = max(given.games, given.checks)
    for most in [*range(given.round, largest, given.round), largest]:
        games, checks = min(most, given.games), min(most, given.checks)
        wanted = cells(given.planner, given.rollouts, games, checks)
        for cell in wanted:
            play(folder_of(given.folder, cell), cell, given.jobs)
        write(given.folder, wanted, SUMMARY)


if __name__ == "__main__":
    main()
