"""Analysis: what each answer is worth, why, and how a finished game went.

One evaluation serves hints, coaching and analysis: `weigh` values every answer to a question, from
a view alone; `advise` names two or three of them with reasons; `analyse` compares the answers of a
game with the best ones, and tells luck apart from play.
"""

from valletta_rules.analysis.adviser import Advice, Suggestion, Weighed, advise, weigh
from valletta_rules.analysis.chances import chances_to_win
from valletta_rules.analysis.documents import (
    ANALYSIS_SCHEMA,
    analysis_from_json,
    analysis_to_json,
)
from valletta_rules.analysis.game import (
    Analysis,
    Decision,
    Grade,
    Luck,
    Source,
    Standing,
    Summary,
    TurningPoint,
    analyse,
    analysing,
    grade_of,
    judge,
)
from valletta_rules.analysis.openings import (
    Book,
    Experience,
    Fortune,
    Openings,
    Remark,
    find_openings,
    opening_of,
    read_book,
    remark_on,
)
from valletta_rules.analysis.parts import Part, Parts, Share, compare

__all__ = [
    "ANALYSIS_SCHEMA",
    "Advice",
    "Analysis",
    "Book",
    "Decision",
    "Experience",
    "Fortune",
    "Grade",
    "Luck",
    "Openings",
    "Part",
    "Parts",
    "Remark",
    "Share",
    "Source",
    "Standing",
    "Suggestion",
    "Summary",
    "TurningPoint",
    "Weighed",
    "advise",
    "analyse",
    "analysing",
    "analysis_from_json",
    "analysis_to_json",
    "chances_to_win",
    "compare",
    "find_openings",
    "grade_of",
    "judge",
    "opening_of",
    "read_book",
    "remark_on",
    "weigh",
]
