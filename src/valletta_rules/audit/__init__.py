"""What is impossible about a position: everything that no game can bring about."""

from valletta_rules.audit.codes import Impossible
from valletta_rules.audit.positions import problems_of
from valletta_rules.audit.views import problems_of_outcome, problems_of_view

__all__ = [
    "Impossible",
    "problems_of",
    "problems_of_outcome",
    "problems_of_view",
]
