"""Studies: games of bots by the thousand, played anywhere, kept line by line, and counted."""

from valletta_rules.studies.game import GameResult, Job, play_game

__all__ = ["GameResult", "Job", "play_game"]
