"""Studies: series of games between bots, with stored results, statistics, and replays of games."""

from valletta_rules.studies.game import GameResult as GameResult
from valletta_rules.studies.game import Job as Job
from valletta_rules.studies.game import PlayedGame as PlayedGame
from valletta_rules.studies.game import play_game as play_game
from valletta_rules.studies.run import open_processes as open_processes
from valletta_rules.studies.run import run_study as run_study
from valletta_rules.studies.statistics import Sprt as Sprt
from valletta_rules.studies.store import Store as Store
from valletta_rules.studies.store import StoreError as StoreError
from valletta_rules.studies.store import read_games as read_games
from valletta_rules.studies.store import read_store as read_store
from valletta_rules.studies.store import replay_game as replay_game
from valletta_rules.studies.study import Study as Study
from valletta_rules.studies.totals import Totals as Totals
