"""Play the study of the game and write its summary: `python docs/studies/make.py FOLDER`.

The planner plays against itself, by each opening and with each number of players; the rollouts bot
repeats the two openings of two players as a check.  The games are kept in the folder, one study for
each of these *cells*; the page of the documentation is made from `SUMMARY`, which is written
whenever the games of all cells have grown by a round.  Interrupted, the same command goes on.

The options are the games of each cell and of each check, the games of a round, the two bots, and
how many games are played at a time.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from hashlib import file_digest
from pathlib import Path
from typing import Final

import attrs

sys.path.append(str(Path(__file__).parents[2]))

from docs.studies.common import parse
from valletta_rules import HANS_IM_GLUECK, REFERENCE_MANUAL
from valletta_rules.components.display import SITES
from valletta_rules.studies import Store, Study, read_store, run
from valletta_rules.studies.store import CONVERTER, GAMES, STUDY, read_study
from valletta_rules.studies.summary import Summary, summarise

SUMMARY: Final = Path(__file__).parent / "summary.json"
"""The file from which the page is made."""

OPENINGS: Final = {
    "draft": HANS_IM_GLUECK,
    "start-player variant": HANS_IM_GLUECK.with_variants(start_player_variant=True),
    "draft, staggered": REFERENCE_MANUAL,
}
"""The openings, and the rule sets that have them."""


def cells(planner: str, rollouts: str, games: int, checks: int) -> dict[str, Study]:
    """Return the cells by name, with a number of games each, and of those that are a check.

    Each opening has seeds of its own, so that what is found by two of them is independent.
    """
    found = [(planner, players, opening, games) for opening in OPENINGS for players in SITES]
    seeds = {opening: 100_000 * number for number, opening in enumerate(OPENINGS, 1)}
    found += [(rollouts, 2, opening, checks) for opening in tuple(OPENINGS)[:2] if checks]
    return {
        f"{bot}, {players} players, {opening}": Study(
            (bot,), players, games, seed=seeds[opening], rules=OPENINGS[opening]
        )
        for bot, players, opening, games in found
    }


def folder_name(cell: str) -> str:
    """Return the name of the folder in which the games of a cell are kept."""
    return cell.replace(", ", "_").replace(" ", "-").replace(":", "_")


def play(folder: Path, study: Study, jobs: int) -> None:
    """Play the missing games of a cell; it may have more already."""
    there = read_study(folder).games if (folder / STUDY).exists() else 0
    with Store(folder, attrs.evolve(study, games=max(there, study.games))) as store:
        run(store, workers=jobs)


def summary_of(name: str, folder: Path) -> str:
    """Return the summary of a cell's games with their digest, as a line of JSON."""
    summary = summarise(read_store(folder))
    with (folder / GAMES).open("rb") as file:
        digest = file_digest(file, "sha256").hexdigest()
    named = {"name": name, "sha256": digest, "summary": CONVERTER.unstructure(summary)}
    rounded = json.loads(json.dumps(named), parse_float=lambda text: round(float(text), 4))
    return json.dumps(rounded, separators=(",", ":"))


def read() -> dict[str, tuple[str, Summary]]:
    """Return the digest of the games and the summary of each cell by its name."""
    return {
        each["name"]: (each["sha256"], CONVERTER.structure(each["summary"], Summary))
        for each in json.loads(SUMMARY.read_text("utf-8"))
    }


def main(argv: Sequence[str] | None = None) -> None:
    """Play the missing games, round by round, and write the summary."""
    games = {"games": 2000, "checks": 1000, "round": 200}
    given = parse(__doc__, argv, "folder", **games, planner="planner", rollouts="rollouts")
    largest = max(given.games, given.checks)
    for most in [*range(given.round, largest, given.round), largest]:
        games, checks = min(most, given.games), min(most, given.checks)
        wanted = cells(given.planner, given.rollouts, games, checks)
        folders = {name: given.folder / folder_name(name) for name in wanted}
        for name, study in wanted.items():
            play(folders[name], study, given.jobs)
        lines = ",\n".join(summary_of(name, folder) for name, folder in folders.items())
        SUMMARY.write_text(f"[\n{lines}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
