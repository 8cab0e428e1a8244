"""Evaluate the possible answers to a prompt, and analyse whole games.

Hints, coaching and analyses use the same evaluation.  `weigh` evaluates every answer to a prompt,
given only the view of a seat.  `advise` returns two or three answers with reasons.  `analyse`
compares each answer in a game with the best one, and separates luck from play.
"""

from valletta_rules.analysis.adviser import Advice as Advice
from valletta_rules.analysis.adviser import Suggestion as Suggestion
from valletta_rules.analysis.adviser import Weighed as Weighed
from valletta_rules.analysis.adviser import advise as advise
from valletta_rules.analysis.adviser import weigh as weigh
from valletta_rules.analysis.bands import LEVELS_OF as LEVELS_OF
from valletta_rules.analysis.bands import Band as Band
from valletta_rules.analysis.bands import played_like as played_like
from valletta_rules.analysis.chances import chances_to_win as chances_to_win
from valletta_rules.analysis.documents import ANALYSIS_SCHEMA as ANALYSIS_SCHEMA
from valletta_rules.analysis.documents import analysis_from_json as analysis_from_json
from valletta_rules.analysis.documents import analysis_to_json as analysis_to_json
from valletta_rules.analysis.game import Analysis as Analysis
from valletta_rules.analysis.game import Decision as Decision
from valletta_rules.analysis.game import Grade as Grade
from valletta_rules.analysis.game import Luck as Luck
from valletta_rules.analysis.game import LuckSource as LuckSource
from valletta_rules.analysis.game import SeatChance as SeatChance
from valletta_rules.analysis.game import SeatSummary as SeatSummary
from valletta_rules.analysis.game import TurningPoint as TurningPoint
from valletta_rules.analysis.game import analyse as analyse
from valletta_rules.analysis.game import analysing as analysing
from valletta_rules.analysis.game import grade_of as grade_of
from valletta_rules.analysis.game import judge as judge
from valletta_rules.analysis.openings import Book as Book
from valletta_rules.analysis.openings import Experience as Experience
from valletta_rules.analysis.openings import Fortune as Fortune
from valletta_rules.analysis.openings import Openings as Openings
from valletta_rules.analysis.openings import find_openings as find_openings
from valletta_rules.analysis.openings import opening_of as opening_of
from valletta_rules.analysis.openings import read_book as read_book
from valletta_rules.analysis.value_parts import Parts as Parts
from valletta_rules.analysis.value_parts import Share as Share
from valletta_rules.analysis.value_parts import ValuePart as ValuePart
from valletta_rules.analysis.value_parts import compare as compare
