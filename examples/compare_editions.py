"""Compare the editions in a thousand games: does the start player have an advantage?

Automatic players play games with the same seeds under each edition, on all processors.  The report
on each edition lists each seat's victories with 95 % confidence intervals, and statistics on the
games.  A shared victory is counted fractionally.

Run ``python examples/compare_editions.py [--games N] [--players N] [--start-player-variant]``.
"""

import argparse
import os
import tempfile
from pathlib import Path

from valletta_rules import HANS_IM_GLUECK, REFERENCE_MANUAL, Z_MAN
from valletta_rules.studies import Store, Study, run_study
from valletta_rules.studies.report import as_text
from valletta_rules.studies.summary import summarise


def report(study: Study, folder: Path) -> str:
    """Play the games of a study, store them in a folder, and return the study's report."""
    with Store(folder, study) as store:
        run_study(store, workers=os.cpu_count() or 1)
        return as_text(summarise(store.sums))


def main() -> None:
    """Play games with each of the three editions, and print the reports."""
    parser = argparse.ArgumentParser(description="Compare the editions over many games.")
    parser.add_argument(
        "--games", type=int, default=1000, help="games under each edition (default: 1000)"
    )
    parser.add_argument("--players", type=int, choices=(2, 3, 4), default=2)
    parser.add_argument("--start-player-variant", action="store_true")
    options = parser.parse_args()
    for edition in (HANS_IM_GLUECK, Z_MAN, REFERENCE_MANUAL):
        rules = edition.with_variants(start_player_variant=options.start_player_variant)
        study = Study(("automatic",), options.players, options.games, rules=rules)
        with tempfile.TemporaryDirectory() as folder:
            print(f"{report(study, Path(folder))}\n")


if __name__ == "__main__":
    main()
