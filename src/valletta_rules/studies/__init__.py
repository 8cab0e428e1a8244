"""Studies: thousands of games between bots, played anywhere, counted, and replayed on demand."""

from valletta_rules.studies.game import Game, GameResult, Job, play_game
from valletta_rules.studies.run import open_processes, run
from valletta_rules.studies.statistics import Sprt
from valletta_rules.studies.store import Store, StoreError, read_games, read_store, replay_game
from valletta_rules.studies.study import Study
from valletta_rules.studies.sums import Sums

__all__ = [
    "Game",
    "GameResult",
    "Job",
    "Sprt",
    "Store",
    "StoreError",
    "Study",
    "Sums",
    "open_processes",
    "play_game",
    "read_games",
    "read_store",
    "replay_game",
    "run",
]
