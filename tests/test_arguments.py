"""Arguments: numbers as Python, numpy and others write them."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from tests.positions import position, seat
from valletta_rules import (
    Build,
    CardDrawn,
    Character,
    Decline,
    Goods,
    HiddenCardDrawn,
    MalformedActionError,
    Pay,
    SeatError,
    Session,
    SiteSet,
    TakeGoods,
    Upgrade,
    affordable_sites,
    apply,
    building_price,
    chance_outcomes,
    check,
    check_by,
    deck_census,
    determinize,
    end_progress,
    ending,
    legal_actions,
    neighbours_of,
    new_game,
    outcome,
    owner_of,
    player_information,
    position_after,
    position_line,
    predicted_scores,
    problems_of,
    problems_of_view,
    redact,
    resolve_chance,
    sample_chance,
    table_information,
    to_json,
    transition,
    upgrade_price,
    view,
)

STATE = position(seat(hand=[Character.MAID]), seat())

DRAWN = CardDrawn(1, Character.MAID)


class Number:
    """A whole number of another type, such as numpy has."""

    def __init__(self, value: int) -> None:
        """Stand for a whole number."""
        self.value = value

    def __index__(self) -> int:
        return self.value


SEATED: dict[str, Callable[[Any], object]] = {
    "view": lambda number: view(STATE, number),
    "check_by": lambda number: check_by(STATE, number, Decline()) and None,
    "redact": lambda number: redact(DRAWN, number),
    "player_information": lambda number: player_information(STATE, number),
    "deck_census": lambda number: deck_census(STATE, number),
    "end_progress": lambda number: end_progress(STATE, number),
    "affordable_sites": lambda number: affordable_sites(STATE, number),
    "play": lambda number: Session(2, seed=1).play("draft gold", seat=number) and None,
}
"""Every function that takes a seat."""

ASKED = {"check_by": 0, "play": 1}
"""The seat that is asked, where it matters."""


@pytest.mark.parametrize("name", SEATED)
def test_a_seat_is_a_whole_number_of_any_type(name: str) -> None:
    """What numpy calls 1 is seat 1."""
    number = ASKED.get(name, 1)
    assert SEATED[name](Number(number)) == SEATED[name](number)


@pytest.mark.parametrize("name", SEATED)
@pytest.mark.parametrize("thing", [True, False, 1.0, "0", [0]])
def test_nothing_else_is_a_seat(name: str, thing: object) -> None:
    """Neither `True` nor 1.0 is a seat, though Python takes them for 1."""
    with pytest.raises(TypeError, match="a seat must be a whole number, not "):
        SEATED[name](thing)


@pytest.mark.parametrize("name", SEATED)
@pytest.mark.parametrize("number", [-1, 4, 99])
def test_a_seat_that_no_game_has_is_refused(name: str, number: int) -> None:
    """The error says how many players there are."""
    with pytest.raises(SeatError, match=f"players has no seat {number}") as refused:
        SEATED[name](number)
    assert refused.value.code == "seat"
    assert refused.value.facts == {"seat": number, "players": 4 if name == "redact" else 2}


BUILT = position(seat(built=[3, 8]), seat(built=[4]))

SITED: dict[str, Callable[[Any], object]] = {
    "owner_of": lambda site: owner_of(BUILT, site),
    "building_price": lambda site: building_price(BUILT, 1, site),
    "upgrade_price": lambda site: upgrade_price(BUILT, site),
    "neighbours_of": lambda site: (list(neighbours_of(site)), list(neighbours_of(6, site))),
    "in": lambda site: site in BUILT.players[0].built,
    "plus": lambda site: list(SiteSet.of(1).plus(site)),
}
"""What is asked about a site."""


@pytest.mark.parametrize("name", SITED)
@pytest.mark.parametrize("site", [8, 9])
def test_a_site_is_a_whole_number_of_any_type(name: str, site: int) -> None:
    """What numpy calls 8 is site 8."""
    assert SITED[name](Number(site)) == SITED[name](site)


@pytest.mark.parametrize("site", [-1, 20, 30])
def test_a_site_that_no_display_has_has_no_neighbours(site: int) -> None:
    """The error says how many sites there are; and what is no number is none at all."""
    with pytest.raises(ValueError, match=f"^a display of 20 sites has no site {site}$"):
        neighbours_of(site, 20)
    with pytest.raises(TypeError, match=r"^a site must be a whole number, not bool: True$"):
        neighbours_of(True)


def test_a_card_is_hidden_from_all_but_the_one_who_draws() -> None:
    """Whatever type the number of the seat has."""
    assert redact(DRAWN, Number(1)) == DRAWN
    assert redact(DRAWN, Number(0)) == HiddenCardDrawn(1)


def test_sites_and_goods_are_whole_numbers_of_any_type() -> None:
    """An action made with numbers of another type is the same plain action."""
    two: Any = Number(2)
    goods = Goods(two, 1, two, 0)
    for made, plain in (
        (Build(two), Build(2)),
        (Upgrade(two), Upgrade(2)),
        (Pay(goods), Pay(Goods(2, 1, 2, 0))),
        (TakeGoods(goods), TakeGoods(Goods(2, 1, 2, 0))),
    ):
        assert made == plain
        assert to_json(made) == to_json(plain)
        assert hash(made) == hash(plain)
    with pytest.raises(MalformedActionError, match=r"Pay\.goods must hold whole numbers of goods"):
        Pay(Goods(two, True))


def test_the_number_of_players_is_a_whole_number_of_any_type() -> None:
    """Three players are three players."""
    three: Any = Number(3)
    assert new_game(three) == new_game(3)
    assert len(Session(three, seed=1).names) == 3
    for thing in (True, 3.0, None):
        with pytest.raises(TypeError, match="players must be a whole number, not "):
            new_game(thing)  # type: ignore[arg-type]


class NumpyRandom:
    """A generator that draws like `numpy.random.Generator`."""

    def __init__(self, seed: int) -> None:
        """Draw the numbers of `random.Random`."""
        self.rng = random.Random(seed)

    def integers(self, low: int) -> Number:
        """Return a number from 0 up to `low` less one, of a type of its own."""
        return Number(self.rng.randrange(low))


def test_a_generator_is_pythons_or_numpys() -> None:
    """Chance answers by either, and hands are made up by either, with the same numbers."""
    state = new_game(2)
    assert sample_chance(state, NumpyRandom(7)) == sample_chance(state, random.Random(7))
    state = resolve_chance(state, random.Random(7))
    assert resolve_chance(new_game(2), NumpyRandom(7)) == state
    seen = view(state, 0)
    assert determinize(seen, NumpyRandom(1)) == determinize(seen, random.Random(1))


@pytest.mark.parametrize("thing", [None, 7, random])
def test_nothing_else_is_a_generator(thing: Any) -> None:
    """A seed is no generator; the module `random` is one, whose luck everybody shares."""
    if thing is random:
        assert sample_chance(new_game(2), thing)
        return
    with pytest.raises(TypeError, match="a random generator is needed"):
        sample_chance(new_game(2), thing)


WHAT_NEEDS_A_POSITION: dict[str, Callable[[Any], object]] = {
    "legal_actions": legal_actions,
    "check": lambda state: check(state, Decline()),
    "apply": lambda state: apply(state, Decline()),
    "transition": lambda state: transition(state, Decline()),
    "outcome": outcome,
    "chance_outcomes": chance_outcomes,
    "sample_chance": lambda state: sample_chance(state, random.Random(1)),
    "resolve_chance": lambda state: resolve_chance(state, random.Random(1)),
    "view": lambda state: view(state, 0),
    "check_by": lambda state: check_by(state, 0, Decline()),
    "position_line": position_line,
    "problems_of": problems_of,
}
"""Functions that a view does not suffice for."""


@pytest.mark.parametrize("name", WHAT_NEEDS_A_POSITION)
@pytest.mark.parametrize("thing", [view(STATE, 0), view(STATE, 0).table, None])
def test_what_is_no_position_is_refused(name: str, thing: object) -> None:
    """The error says what is needed, and what was given."""
    with pytest.raises(TypeError, match=r"a position \(GameState\) is needed, not [PTN]"):
        WHAT_NEEDS_A_POSITION[name](thing)


@pytest.mark.parametrize("thing", [STATE, view(STATE, 0).table, None])
def test_what_is_no_view_is_refused(thing: Any) -> None:
    """A view is made up into a position, and examined; nothing else is."""
    for function in (problems_of_view, lambda seen: determinize(seen, random.Random(1))):
        with pytest.raises(TypeError, match=r"a view \(PlayerView\) is needed, not [GTN]"):
            function(thing)


@pytest.mark.parametrize(
    "function", [table_information, predicted_scores, ending, lambda thing: deck_census(thing, 0)]
)
def test_only_what_lies_on_a_table_is_analysed(function: Callable[[Any], object]) -> None:
    """A session has a position, and is none."""
    with pytest.raises(TypeError, match="a position, a view or a table is needed, not Session"):
        function(Session(2, seed=1))


def test_seeds_moves_and_sets_of_sites_are_whole_numbers_of_any_type() -> None:
    """A session has the same luck, a record the same positions, a set the same sites."""
    three: Any = Number(3)
    session = Session(2, seed=three)
    assert (session.seed, session.state) == (3, Session(2, seed=3).state)
    assert Session.resume(session.record, seed=three).seed == 3
    assert position_after(session.record, three) == position_after(session.record, 3)
    assert [*SiteSet.of(three, 5)] == [3, 5]
    for thing in (True, 3.0, "3"):
        with pytest.raises(TypeError, match="moves must be a whole number, not "):
            position_after(session.record, thing)  # type: ignore[arg-type]
        with pytest.raises(TypeError, match="a site must be a whole number, not "):
            SiteSet.of(thing)  # type: ignore[arg-type]
