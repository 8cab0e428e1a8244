"""The opening book: what it says of which answers."""

from __future__ import annotations

import random

import attrs
import pytest

from valletta_rules import (
    HANS_IM_GLUECK,
    REFERENCE_MANUAL,
    Build,
    Decline,
    DraftGood,
    DraftPrompt,
    Good,
    RuleSet,
    Session,
    SitePrompt,
    Upgrade,
    view,
)
from valletta_rules.analysis import advise, find_openings, openings, read_book, remark_on
from valletta_rules.analysis.openings import LEAST
from valletta_rules.bots import make_bot
from valletta_rules.views import PlayerView

VARIANT = HANS_IM_GLUECK.with_variants(start_player_variant=True)


def building(rules: RuleSet = HANS_IM_GLUECK, players: int = 2) -> list[PlayerView]:
    """Return the views of a game by a bot in which a seat may build, by how much it has built."""
    session, found = Session(players, rules=rules, seed=4), list[PlayerView]()
    bot = make_bot("automatic", random.Random(4))
    while session.prompt is not None:
        seen = view(session.state, session.prompt.seat)
        if isinstance(seen.prompt, SitePrompt) and any(
            isinstance(each, Build) for each in seen.legal_actions
        ):
            found.append(seen)
        session.play(bot.decide(seen))
    return found


@pytest.mark.parametrize(
    ("rules", "opening"),
    [
        (HANS_IM_GLUECK, "draft"),
        (VARIANT, "start-player variant"),
        (REFERENCE_MANUAL, "draft, staggered"),
    ],
)
def test_first_and_second_buildings_are_known_by_their_characters(
    rules: RuleSet, opening: str
) -> None:
    """Whatever is built later, too rarely, or not at all, has no remark."""
    known = find_openings(3, opening)
    told = 0
    for seen in building(rules, 3):
        assert seen.seat is not None
        house = len(seen.table.players[seen.seat].built) + 1
        for action in seen.legal_actions:
            remark = remark_on(seen, (action,))
            if not isinstance(action, Build) or house > 2:
                assert remark is None
                continue
            who = seen.table.display[action.site].character
            expected = known.houses[house - 1].get(who)
            if expected is None or expected.seats < LEAST:
                assert remark is None
            else:
                told += 1
                assert remark == openings.Remark(who, house, expected)
    assert told > 5


@pytest.mark.parametrize("players", [2, 3, 4])
def test_goods_are_known_seat_by_seat(players: int) -> None:
    """Every good, in the seat that chooses; and the adviser says so."""
    session = Session(players, seed=1)
    while isinstance(prompt := session.prompt, DraftPrompt):
        seen = view(session.state, prompt.seat)
        for action in seen.legal_actions:
            assert isinstance(action, DraftGood)
            known = find_openings(players, "draft").drafts[prompt.seat][action.good]
            assert remark_on(seen, (action,)) == openings.Remark(action.good, 0, known)
        assert all(each.remark is not None for each in advise(seen).suggestions)
        session.play(seen.legal_actions[0])


def test_a_building_is_found_behind_other_answers() -> None:
    """As in a plan, whose first answer is to play a card."""
    seen = building()[0]
    build = next(each for each in seen.legal_actions if isinstance(each, Build))
    assert remark_on(seen, (Decline(), Upgrade(build.site), build)) == remark_on(seen, (build,))
    assert remark_on(seen, ()) is None


def test_nothing_is_said_of_other_cards() -> None:
    """The results are of one card set."""
    seen = view(Session(2, seed=1).state, 1)
    cards = attrs.evolve(seen.table.cards, name="Mine")
    other = attrs.evolve(seen, table=attrs.evolve(seen.table, cards=cards))
    assert remark_on(seen, (DraftGood(Good.GOLD),)) is not None
    assert remark_on(other, (DraftGood(Good.GOLD),)) is None


def test_what_the_book_does_not_know_is_an_error() -> None:
    """It names what was asked for."""
    with pytest.raises(LookupError, match="5 players with the opening 'draft'"):
        find_openings(5, "draft")
    assert {(each.players, each.opening) for each in read_book().cells} == {
        (players, opening)
        for players in (2, 3, 4)
        for opening in ("draft", "start-player variant", "draft, staggered")
    }
