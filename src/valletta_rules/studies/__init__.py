"""Studies: thousands of games between bots, played anywhere, stored line by line, and counted."""

from valletta_rules.studies.game import GameResult, Job, play_game
from valletta_rules.studies.run import open_processes, run
from valletta_rules.studies.statistics import Sprt
from valletta_rules.studies.store import Store, StoreError, read_store
from valletta_rules.studies.study import Study

__all__ = [
    "GameResult",
    "Job",
    "Sprt",
    "Store",
    "StoreError",
    "Study",
    "open_processes",
    "play_game",
    "read_store",
    "run",
]
