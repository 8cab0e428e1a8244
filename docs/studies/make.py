"""Play the study of the game and write its summary: `python docs/studies/make.py FOLDER`.

The bot ``planner`` plays against itself, with each opening and each number of players.  As a check,
the bot ``rollouts`` also plays two-player games with the openings of the rulebooks.  Each of these
combinations is a *cell*, whose games are stored as a study in FOLDER.  After each round of games in
all cells, the program writes `SUMMARY`, from which the documentation's page about the study is
generated.  After an interruption, the same command continues.  At the end it writes the opening
book, for which it plays additional games with randomly drafted extra goods.

The options set the numbers of games per cell, per check, per draft and per round, the two bots, and
the number of games that are played in parallel.
"""

import json
import random
import sys
from collections.abc import Sequence
from hashlib import file_digest
from pathlib import Path
from typing import Final

import attrs

sys.path.append(str(Path(__file__).parents[2]))

from docs.studies.common import parse
from valletta_rules import HANS_IM_GLUECK, REFERENCE_MANUAL, Action, DraftPrompt, PlayerView
from valletta_rules.analysis import opening_of
from valletta_rules.analysis import openings as book
from valletta_rules.bots import make_bot
from valletta_rules.card_sets.built_in import write_any_cards
from valletta_rules.components import SITES
from valletta_rules.studies import Store, Study, Totals, play_game, read_store, run_study
from valletta_rules.studies.store import CONVERTER, GAMES, STUDY, read_study
from valletta_rules.studies.summary import Summary, openings, summarise

SUMMARY: Final = Path(__file__).parent / "summary.json"
"""The file from which the documentation's page about the study is generated."""

BOOK: Final = Path(book.__file__).with_name("openings.json")
"""The file of the opening book, which is part of the package."""

DRAFTED: Final = 50_000
"""The offset between the seeds of a cell and the seeds of its games with randomly drafted goods."""

OPENINGS: Final = {
    opening_of(rules): rules
    for rules in (
        HANS_IM_GLUECK,
        HANS_IM_GLUECK.with_variants(start_player_variant=True),
        REFERENCE_MANUAL,
    )
}
"""The openings, each with a rule set that has this opening."""


def cells(planner: str, rollouts: str, games: int, checks: int) -> dict[str, Study]:
    """Return the cells, keyed by name, with `games` games each, or `checks` games for a check.

    The openings have different seeds, so that their results are independent.
    """
    combinations = [(planner, players, opening, games) for opening in OPENINGS for players in SITES]
    seeds = {opening: 100_000 * number for number, opening in enumerate(OPENINGS, 1)}
    combinations += [(rollouts, 2, opening, checks) for opening in tuple(OPENINGS)[:2] if checks]
    return {
        f"{bot}, {players} players, {opening}": Study(
            (bot,), players, games, seed=seeds[opening], rules=OPENINGS[opening]
        )
        for bot, players, opening, games in combinations
    }


def folder_name(cell: str) -> str:
    """Return the name of the folder that contains the games of a cell."""
    return cell.replace(", ", "_").replace(" ", "-").replace(":", "_")


def play(folder: Path, study: Study, jobs: int) -> None:
    """Play the missing games of a cell. The folder may contain more games than `study` requires."""
    existing = read_study(folder).games if (folder / STUDY).exists() else 0
    with Store(folder, attrs.evolve(study, games=max(existing, study.games))) as store:
        run_study(store, workers=jobs)


def summary_of(name: str, folder: Path) -> str:
    """Return a line of JSON with the summary of a cell's games and the digest of the games file."""
    summary = summarise(read_store(folder))
    with (folder / GAMES).open("rb") as file:
        digest = file_digest(file, "sha256").hexdigest()
    named = {"name": name, "sha256": digest, "summary": CONVERTER.unstructure(summary)}
    rounded = json.loads(json.dumps(named), parse_float=lambda text: round(float(text), 4))
    return json.dumps(rounded, separators=(",", ":"))


class Drafting:
    """A bot that chooses the extra good at random, and otherwise plays like another bot."""

    def __init__(self, spec: str, rng: random.Random) -> None:
        """Create the bot; `spec` is the specification of the other bot."""
        self.bot, self.rng = make_bot(spec, rng), rng

    def decide(self, view: PlayerView) -> Action:
        """Return a random extra good for a draft, or the other bot's decision otherwise."""
        by_lot = isinstance(view.prompt, DraftPrompt)
        return self.rng.choice(view.legal_actions) if by_lot else self.bot.decide(view)


def drafted(study: Study, games: int) -> Totals:
    """Play games of a cell with randomly drafted extra goods; return totals of the results."""
    sums = Totals(attrs.evolve(study, games=games, seed=study.seed + DRAFTED))
    while sums.games < games:
        game = play_game(sums.study.job(sums.games), Drafting)
        sums.add([(game.result, game.course)])
    return sums


def write_book(cells: Sequence[Totals], games: int) -> None:
    """Write the opening book from the games of one bot, with one line for each cell.

    `games` is the number of games per cell with randomly drafted extra goods.
    """
    study = cells[0].study
    head = {"cards": write_any_cards(study.cards), "bot": study.bots[0]}
    entries = [
        openings(sums, drafted(sums.study, games) if sums.study.rules.has_draft else None)
        for sums in cells
    ]
    lines = ",\n".join(
        json.dumps(book.CONVERTER.unstructure(each), separators=(",", ":")) for each in entries
    )
    BOOK.write_text(f'{json.dumps(head)[:-1]}, "cells": [\n{lines}\n]}}\n', encoding="utf-8")


def read() -> dict[str, tuple[str, Summary]]:
    """Load the digest of the games and the summary of each cell, keyed by the cell's name."""
    return {
        each["name"]: (each["sha256"], CONVERTER.structure(each["summary"], Summary))
        for each in json.loads(SUMMARY.read_text("utf-8"))
    }


def main(argv: Sequence[str] | None = None) -> None:
    """Play the missing games, round by round, and write the summary and the opening book."""
    games = {"games": 2000, "checks": 2000, "drafts": 2000, "round": 200}
    options = parse(__doc__, argv, "folder", **games, planner="planner", rollouts="rollouts")
    largest = max(options.games, options.checks)
    for most in [*range(options.round, largest, options.round), largest]:
        games, checks = min(most, options.games), min(most, options.checks)
        wanted = cells(options.planner, options.rollouts, games, checks)
        folders = {name: options.folder / folder_name(name) for name in wanted}
        for name, study in wanted.items():
            play(folders[name], study, options.jobs)
        lines = ",\n".join(summary_of(name, folder) for name, folder in folders.items())
        SUMMARY.write_text(f"[\n{lines}\n]\n", encoding="utf-8")
    planned = [
        read_store(options.folder / folder_name(name))
        for name, study in cells(options.planner, options.rollouts, options.games, 0).items()
    ]
    write_book(planned, options.drafts)


if __name__ == "__main__":
    main()
