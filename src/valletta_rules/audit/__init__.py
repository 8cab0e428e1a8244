"""What is impossible about a position: everything that no game can bring about."""

from valletta_rules.audit.positions import (
    Problem,
    problems_of,
    problems_of_outcome,
    problems_of_view,
)

__all__ = ["Problem", "problems_of", "problems_of_outcome", "problems_of_view"]
