"""Tests that public functions accept integers of any type and refuse wrong arguments."""

import random
from collections.abc import Callable
from functools import partial
from typing import Any

import attrs
import pytest

import valletta_rules as vr
from tests.positions import position, seat
from valletta_rules import analysis, svg, words
from valletta_rules.bots import make_bot
from valletta_rules.memory import remember
from valletta_rules.words import language_of

Call = Callable[[Any], object]

STATE = position(seat(hand=[vr.Character.MAID]), seat())

OVER = position(seat(), seat(), phase=vr.Phase.OVER, agenda=())

BUILT = position(seat(built=[3, 8]), seat(built=[4]))

DRAWN = vr.CardDrawn(1, vr.Character.MAID)

SESSION = vr.Session(2, seed=3)

MILL = vr.RECONSTRUCTION.buildings[0]


class Number:
    """An integer type that does not inherit from `int`, like the integer types of numpy."""

    def __init__(self, value: int) -> None:
        """Wrap the integer `value`."""
        self.value = value

    def __index__(self) -> int:
        return self.value


SEATED: dict[str, tuple[Call, int]] = {
    "view": (lambda number: vr.view(STATE, number), 1),
    "check_by": (lambda number: vr.check_by(STATE, number, vr.Decline()) and None, 0),
    "redact": (lambda number: vr.redact(DRAWN, number), 1),
    "player_information": (lambda number: vr.player_information(STATE, number), 1),
    "deck_census": (lambda number: vr.deck_census(STATE, number), 1),
    "end_progress": (lambda number: vr.end_progress(STATE, number), 1),
    "affordable_sites": (lambda number: vr.affordable_sites(STATE, number), 1),
    "play": (lambda number: vr.Session(2, seed=1).play("draft gold", seat=number) and None, 1),
    "since": (lambda number: vr.Session(2, seed=1).game.since(None, number), 1),
    "remember": (lambda number: remember(SESSION.record, number).events, 1),
    "belief": (lambda number: remember(SESSION.record, 0).belief(number), 1),
}
"""Calls with a seat as the argument, each with a valid seat."""

COUNTED: dict[str, tuple[Call, int]] = {
    "owner_of": (lambda site: vr.owner_of(BUILT, site), 8),
    "building_price": (lambda site: vr.building_price(BUILT, 1, site), 9),
    "upgrade_price": (lambda site: vr.upgrade_price(BUILT, site), 8),
    "neighbours_of": (lambda site: list(vr.neighbours_of(site)), 8),
    "sites": (lambda sites: list(vr.neighbours_of(6, sites)), 20),
    "many sites": (lambda sites: list(vr.neighbours_of(6, sites)), 10**30),
    "in": (lambda site: site in BUILT.players[0].built, 8),
    "plus": (lambda site: list(vr.SiteSet.of(1).plus(site)), 8),
    "SiteSet": (lambda site: list(vr.SiteSet.of(site, 5)), 3),
    "new_game": (vr.new_game, 3),
    "Session": (lambda players: len(vr.Session(players, seed=1).names), 3),
    "seed": (lambda seed: vr.Session(2, seed=seed).state, 3),
    "resume": (lambda seed: vr.Session.resume(SESSION.record, seed=seed).seed, 3),
    "position_after": (lambda moves: vr.position_after(SESSION.record, moves), 3),
    "clauses_in_force": (lambda players: len(vr.clauses_in_force(vr.Z_MAN, players)), 2),
    "Goods": (lambda count: repr(vr.Goods(count, brick=count)), 3),
    "Goods.of": (lambda count: repr(vr.Goods.of(vr.Good.WOOD, count)), 3),
    "points": (lambda points: repr(attrs.evolve(MILL, points=points)), 3),
    "copies": (lambda copies: repr(attrs.evolve(MILL, copies=copies)), 3),
    "design": (lambda design: repr(attrs.evolve(MILL, design=design)), 3),
    "Build": (lambda site: vr.to_json(vr.Build(site)), 2),
    "Upgrade": (lambda site: vr.to_json(vr.Upgrade(site)), 2),
    "Pay": (lambda count: vr.to_json(vr.Pay(vr.Goods(count, 1))), 2),
    "TakeGoods": (lambda count: hash(vr.TakeGoods(vr.Goods(count))), 2),
}
"""Calls with a number other than a seat as the argument, each with a valid number."""


@pytest.mark.parametrize("name", [*SEATED, *COUNTED])
def test_public_functions_accept_integers_of_any_type(name: str) -> None:
    """For example, a numpy integer can be passed as a seat, a site or an amount of goods."""
    call, number = (SEATED | COUNTED)[name]
    assert call(Number(number)) == call(number)


@pytest.mark.parametrize("name", SEATED)
@pytest.mark.parametrize("number", [-1, 4, 99])
def test_public_functions_refuse_a_seat_that_the_game_does_not_have(name: str, number: int) -> None:
    """The error contains the seat and the number of players."""
    with pytest.raises(vr.SeatError, match=f"players has no seat {number}") as refused:
        SEATED[name][0](number)
    assert refused.value.code == "seat"
    assert refused.value.facts == {"seat": number, "players": 4 if name == "redact" else 2}


@pytest.mark.parametrize("name", SEATED)
def test_the_seat_none_means_a_spectator_who_can_see_the_game_but_not_act(name: str) -> None:
    """A server may pass `None` for an unknown token, so `None` must never identify a player."""
    call, _ = SEATED[name]
    if name in ("view", "redact", "since", "remember"):
        call(None)
    elif name in ("check_by", "play"):
        with pytest.raises(vr.NotAskedError, match="a spectator cannot move now: seat"):
            call(None)
    else:
        with pytest.raises(TypeError, match="a seat"):
            call(None)


def test_the_function_redact_hides_a_drawn_card_from_all_other_seats() -> None:
    """The seat may be an integer of any type."""
    assert vr.redact(DRAWN, Number(1)) == DRAWN
    assert vr.redact(DRAWN, Number(0)) == vr.HiddenCardDrawn(1)


class NumpyRandom:
    """A random generator with the methods of `numpy.random.Generator`."""

    def __init__(self, seed: int) -> None:
        """Create a generator that draws the same numbers as `random.Random(seed)`."""
        self.rng = random.Random(seed)

    def integers(self, low: int) -> Number:
        """Return an integer from 0 to `low` - 1. Its type does not inherit from `int`."""
        return Number(self.rng.randrange(low))


def test_chance_functions_accept_random_generators_of_python_and_numpy() -> None:
    """Generators that draw the same numbers lead to the same random outcomes and sampled hands."""
    state = vr.new_game(2)
    assert vr.sample_chance(state, NumpyRandom(7)) == vr.sample_chance(state, random.Random(7))
    assert vr.sample_chance(state, random) in vr.legal_actions(
        state
    )  # the module draws from its shared state
    state = vr.resolve_chance(state, random.Random(7))
    assert vr.resolve_chance(vr.new_game(2), NumpyRandom(7)) == state
    view = vr.view(state, 0)
    assert vr.determinize(view, NumpyRandom(1)) == vr.determinize(view, random.Random(1))


# Refused arguments

NO_NUMBERS = (True, False, 1.0, "0", [0], None)

NEED_A_POSITION: list[Call] = [
    *(vr.legal_actions, vr.outcome, vr.chance_outcomes, vr.position_line, vr.problems_of),
    lambda state: vr.check(state, vr.Decline()),
    lambda state: vr.apply(state, vr.Decline()),
    lambda state: vr.transition(state, vr.Decline()),
    lambda state: vr.sample_chance(state, random.Random(1)),
    lambda state: vr.resolve_chance(state, random.Random(1)),
    lambda state: vr.view(state, 0),
    lambda state: vr.check_by(state, 0, vr.Decline()),
]
"""Calls that need a full position and refuse the view of a player."""

NEED_A_VIEW: list[Call] = [
    *(make_bot(name, random.Random(1)).decide for name in ("random", "automatic", "strong")),
    *(analysis.advise, analysis.weigh, lambda view: analysis.judge(view, vr.Decline())),
]
"""Calls that need the view of the seat that must answer."""

Refused = tuple[list[Call], tuple[object, ...], type[Exception], str]

MALFORMED: list[tuple[list[Any], tuple[object, ...]]] = [
    ([vr.Build, vr.Upgrade], (True, False, "3", 3.0, None, -1)),
    (
        [vr.PlayCard, vr.DrawCard, vr.Dismiss, vr.Hire],
        ("knight", vr.Good.GOLD, 7, vr.CardBag.of(vr.Character.MAID)),
    ),
    ([partial(vr.PlayCard, vr.Character.KNIGHT)], (0, None)),
    (
        [vr.TakeGood, vr.GiveGood, vr.ReturnGood, vr.DraftGood, vr.RevealBarrel],
        ("gold", 0, None, vr.Goods(1)),
    ),
    ([vr.DealBuilding], (1, None)),
    (
        [vr.Pay, vr.TakeGoods],
        ((1, 1, 0, 0), vr.Good.GOLD, vr.Goods(3, -1), {"gold": 1}),
    ),
]
"""Constructors of actions, each with arguments that it refuses."""

MALFORMED_ROWS: list[Refused] = [
    ([kind], values, vr.MalformedActionError, rf"^{getattr(kind, 'func', kind).__name__}\.")
    for kinds, values in MALFORMED
    for kind in kinds
]

REFUSED: list[Refused] = [
    ([call for call, _ in SEATED.values()], NO_NUMBERS[:-1], TypeError, "a seat must be a whole"),
    (
        [COUNTED["neighbours_of"][0], vr.SiteSet.of, vr.SiteSet.of(1).plus],
        NO_NUMBERS,
        TypeError,
        "a site must be a whole",
    ),
    (
        [
            vr.Goods,
            *(partial(vr.Goods, *(0,) * place) for place in (1, 2, 3)),
            COUNTED["Goods.of"][0],
        ],
        NO_NUMBERS,
        TypeError,
        "^a number of goods must be a whole number, not ",
    ),
    (
        [COUNTED[name][0] for name in ("points", "copies", "design")],
        NO_NUMBERS,
        TypeError,
        "^a number of a building must be a whole number, not ",
    ),
    ([COUNTED["clauses_in_force"][0]], NO_NUMBERS, TypeError, "^players must be a whole number, n"),
    (
        [
            *(vr.explain, vr.ruling, vr.look_up, vr.chapters, language_of, vr.parse_card_set),
            *(partial(read, name) for read, name in ((vr.explain, "BLD-3"), (vr.look_up, "BLD"))),
            lambda language: vr.clauses_in_force(vr.Z_MAN, 2, language),
        ],
        (3, 1.0, True, None, b"BLD-3"),
        TypeError,
        r"^expected text \(str\), not ",
    ),
    (
        [vr.parse_record, vr.parse_position_line, partial(vr.parse_action, STATE)],
        (3, 1.0, True, None, b"BLD-3", ["a"]),
        TypeError,
        r"^expected text \(str\), not ",
    ),
    ([vr.CardBag.of], (*NO_NUMBERS, 3, "x"), TypeError, "^expected a card, not |unhashable"),
    (
        [lambda value: vr.redact(value, 0)],
        (*NO_NUMBERS, vr.Z_MAN),
        TypeError,
        "^expected an event, not ",
    ),
    (
        [lambda value: vr.fold(value, [DRAWN])],
        (*NO_NUMBERS, STATE),
        TypeError,
        r"^expected a table \(Table\), not ",
    ),
    (
        [
            *(vr.format_record, vr.position_after, lambda value: [*vr.replay(value)]),
            *(
                vr.format_action,
                vr.formal_text,
                lambda value: vr.cheapest_payment(value, vr.Goods(1)),
            ),
            *(
                lambda value: remember(value, 0),
                lambda value: vr.cheapest_payment(vr.Goods(1), value),
            ),
            *(lambda value: vr.affordable_sites(STATE, 0, value), partial(vr.parse_card_set, "")),
            *(
                lambda value: vr.clauses_in_force(value, 2),
                lambda value: vr.parse_action(value, "pass"),
            ),
            lambda value: vr.parse_action(STATE, "pass", value),
            *(analysis.analyse, analysis.opening_of, analysis.analysis_to_json),
            *(partial(make_bot, "random"), lambda value: make_bot(value, random.Random(1))),
            *(words.page_words, words.draw_score_sheet, svg.to_png),
            *(svg.draw_card, svg.draw_character, svg.draw_good),
        ],
        (3, 1.0, MILL, ()),
        TypeError,
        "^expected .*, not ",
    ),
    ([COUNTED["position_after"][0]], NO_NUMBERS[:-1], TypeError, "moves must be a whole number"),
    ([vr.new_game], NO_NUMBERS, TypeError, "players must be a whole number, not "),
    ([vr.new_game], (-1, 0, 1, 5, 100), vr.PlayerCountError, "is for 2, 3 or 4 players, not "),
    (
        [lambda site: vr.neighbours_of(site, 20)],
        (-1, 20, 30),
        ValueError,
        "^a display of 20 sites ha",
    ),
    (
        [lambda rules: vr.new_game(2, rules=rules)],
        (None, "Z-Man", vr.RuleSet, vr.RECONSTRUCTION, 1),
        TypeError,
        "RuleSet",
    ),
    (
        [lambda cards: vr.new_game(2, cards=cards)],
        (None, "Reconstruction", vr.HANS_IM_GLUECK, ()),
        TypeError,
        "CardSet",
    ),
    (
        [lambda colour: vr.RuleSet("odd", apprentice_colour=colour)],
        (vr.Colour.GREEN, vr.Colour.BLUE, vr.Colour.YELLOW),
        ValueError,
        "apprentice_colour",
    ),
    (
        [lambda character: vr.BonusPrompt(0, character)],
        (vr.Character.VALETTE, vr.Character.MAID, "x" * 100_000),
        ValueError,
        "^expected a character that grants an extra good, not .{1,210}$",
    ),
    (
        [vr.RuleSet, vr.HANS_IM_GLUECK.with_answers],
        ("x" * 100_000,),
        ValueError,
        "^.{1,300}$",
    ),
    (
        [lambda rng: vr.sample_chance(vr.new_game(2), rng)],
        (None, 7),
        TypeError,
        "expected a random generator",
    ),
    ([vr.by_random], (None, 7), TypeError, "expected a random generator"),
    (
        [lambda draw: vr.Game.begin(vr.new_game(2), draw=draw)],
        (None, random.Random(1)),
        TypeError,
        r"^draw must be a function, such as by_random\(rng\), not [NR]",
    ),
    (
        NEED_A_VIEW,
        (vr.view(STATE, 1), vr.view(STATE, None), vr.view(OVER, 0)),
        ValueError,
        "expected the view of the seat that must answer, not of (seat [01]|a spectator)",
    ),
    (
        [vr.chance_outcomes, lambda state: vr.sample_chance(state, random.Random(1))],
        (STATE, OVER),
        vr.NoChanceError,
        "the game is over|must answer, not chance",
    ),
    (
        [
            lambda value: vr.check(OVER, value),
            partial(vr.apply, STATE),
            partial(vr.transition, STATE),
        ],
        (None, "pass", 3, vr.Build, vr.PlayPrompt(0, 3), vr.Good.GOLD, ()),
        vr.MalformedActionError,
        "not an action",
    ),
    (
        NEED_A_POSITION,
        (vr.view(STATE, 0), vr.view(STATE, 0).table, None),
        TypeError,
        r"expected a position \(GameState\), not [PTN]",
    ),
    (NEED_A_POSITION, (vr.view(STATE, 0),), TypeError, r"a view has \.legal_actions; determinize "),
    (
        [
            *(vr.problems_of_view, lambda view: vr.determinize(view, random.Random(1))),
            *NEED_A_VIEW,
        ],
        (STATE, vr.view(STATE, 0).table, None),
        TypeError,
        r"expected a view \(PlayerView\), not [GTN]",
    ),
    (
        [
            vr.table_information,
            vr.predicted_scores,
            vr.ending,
            lambda value: vr.deck_census(value, 0),
        ],
        (SESSION,),
        TypeError,
        "expected a position, a view or a table, not Session",
    ),
]
"""Calls with wrong arguments, the expected type of error, and a pattern for its message."""


@pytest.mark.parametrize(("calls", "values", "error", "message"), REFUSED + MALFORMED_ROWS)
def test_public_functions_refuse_arguments_of_wrong_types_and_values(
    calls: list[Call], values: tuple[object, ...], error: type[Exception], message: str
) -> None:
    """The error states the expected type or value."""
    for call in calls:
        for value in values:
            with pytest.raises(error, match=message):
                call(value)
