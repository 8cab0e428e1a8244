"""Tests of the opening book, which contains statistics for each kind of opening."""

import pytest

from valletta_rules import HANS_IM_GLUECK, REFERENCE_MANUAL
from valletta_rules.analysis import find_openings, opening_of, read_book

RULES = {
    "draft": HANS_IM_GLUECK,
    "start-player variant": HANS_IM_GLUECK.with_variants(start_player_variant=True),
    "draft, staggered": REFERENCE_MANUAL,
}
"""A rule set for each kind of opening, keyed by the name of the opening."""


def test_the_opening_book_has_statistics_for_each_opening_and_number_of_players() -> None:
    """For five players, looking up an opening raises an error."""
    assert {(each.players, each.opening) for each in read_book().cells} == {
        (players, opening) for players in (2, 3, 4) for opening in RULES
    }
    for opening, rules in RULES.items():
        assert opening_of(rules) == opening
        openings = find_openings(3, opening)
        assert (openings.players, openings.opening) == (3, opening)
    with pytest.raises(LookupError, match="5 players with the opening 'draft'"):
        find_openings(5, "draft")
