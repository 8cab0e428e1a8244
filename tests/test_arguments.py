"""Arguments: numbers as Python, numpy and others write them, and what functions refuse."""

import random
from collections.abc import Callable
from functools import partial
from typing import Any

import attrs
import pytest

from tests.positions import position, seat
from valletta_rules import (
    HANS_IM_GLUECK,
    RECONSTRUCTION,
    Z_MAN,
    Build,
    CardBag,
    CardDrawn,
    Character,
    Colour,
    DealBuilding,
    Decline,
    Dismiss,
    DraftGood,
    DrawCard,
    GiveGood,
    Good,
    Goods,
    HiddenCardDrawn,
    Hire,
    MalformedActionError,
    NoChanceError,
    NotAskedError,
    Pay,
    Phase,
    PlayCard,
    PlayerCountError,
    ReturnGood,
    RevealBarrel,
    RuleSet,
    SeatError,
    Session,
    SiteSet,
    TakeGood,
    TakeGoods,
    Upgrade,
    affordable_sites,
    apply,
    building_price,
    chance_outcomes,
    chapters,
    cheapest_payment,
    check,
    check_by,
    clauses_in_force,
    deck_census,
    determinize,
    end_progress,
    ending,
    explain,
    fold,
    formal_text,
    format_action,
    format_record,
    legal_actions,
    look_up,
    neighbours_of,
    new_game,
    outcome,
    owner_of,
    parse_action,
    parse_card_set,
    parse_position_line,
    parse_record,
    player_information,
    position_after,
    position_line,
    predicted_scores,
    problems_of,
    problems_of_view,
    redact,
    replay,
    resolve_chance,
    ruling,
    sample_chance,
    table_information,
    to_json,
    transition,
    upgrade_price,
    view,
)
from valletta_rules.agenda import BonusPrompt, PlayPrompt
from valletta_rules.memory import remember
from valletta_rules.words import language_of

Call = Callable[[Any], object]

STATE = position(seat(hand=[Character.MAID]), seat())

OVER = position(seat(), seat(), phase=Phase.OVER, agenda=())

BUILT = position(seat(built=[3, 8]), seat(built=[4]))

DRAWN = CardDrawn(1, Character.MAID)

SESSION = Session(2, seed=3)

MILL = RECONSTRUCTION.buildings[0]


class Number:
    """A whole number of another type, such as numpy has."""

    def __init__(self, value: int) -> None:
        """Stand for a whole number."""
        self.value = value

    def __index__(self) -> int:
        return self.value


SEATED: dict[str, tuple[Call, int]] = {
    "view": (lambda number: view(STATE, number), 1),
    "check_by": (lambda number: check_by(STATE, number, Decline()) and None, 0),
    "redact": (lambda number: redact(DRAWN, number), 1),
    "player_information": (lambda number: player_information(STATE, number), 1),
    "deck_census": (lambda number: deck_census(STATE, number), 1),
    "end_progress": (lambda number: end_progress(STATE, number), 1),
    "affordable_sites": (lambda number: affordable_sites(STATE, number), 1),
    "play": (lambda number: Session(2, seed=1).play("draft gold", seat=number) and None, 1),
    "since": (lambda number: Session(2, seed=1).since(None, number), 1),
    "remember": (lambda number: remember(SESSION.record, number).events, 1),
    "belief": (lambda number: remember(SESSION.record, 0).belief(number), 1),
}
"""Every function that takes a seat, and the seat that it is asked about."""

COUNTED: dict[str, tuple[Call, int]] = {
    "owner_of": (lambda site: owner_of(BUILT, site), 8),
    "building_price": (lambda site: building_price(BUILT, 1, site), 9),
    "upgrade_price": (lambda site: upgrade_price(BUILT, site), 8),
    "neighbours_of": (lambda site: list(neighbours_of(site)), 8),
    "sites": (lambda sites: list(neighbours_of(6, sites)), 20),
    "many sites": (lambda sites: list(neighbours_of(6, sites)), 10**30),
    "in": (lambda site: site in BUILT.players[0].built, 8),
    "plus": (lambda site: list(SiteSet.of(1).plus(site)), 8),
    "SiteSet": (lambda site: list(SiteSet.of(site, 5)), 3),
    "new_game": (new_game, 3),
    "Session": (lambda players: len(Session(players, seed=1).names), 3),
    "seed": (lambda seed: Session(2, seed=seed).state, 3),
    "resume": (lambda seed: Session.resume(SESSION.record, seed=seed).seed, 3),
    "position_after": (lambda moves: position_after(SESSION.record, moves), 3),
    "clauses_in_force": (lambda players: len(clauses_in_force(Z_MAN, players)), 2),
    "Goods": (lambda count: repr(Goods(count, brick=count)), 3),
    "Goods.of": (lambda count: repr(Goods.of(Good.WOOD, count)), 3),
    "points": (lambda points: repr(attrs.evolve(MILL, points=points)), 3),
    "copies": (lambda copies: repr(attrs.evolve(MILL, copies=copies)), 3),
    "design": (lambda design: repr(attrs.evolve(MILL, design=design)), 3),
    "Build": (lambda site: to_json(Build(site)), 2),
    "Upgrade": (lambda site: to_json(Upgrade(site)), 2),
    "Pay": (lambda count: to_json(Pay(Goods(count, 1))), 2),
    "TakeGoods": (lambda count: hash(TakeGoods(Goods(count))), 2),
}
"""What else takes a number."""


@pytest.mark.parametrize("name", [*SEATED, *COUNTED])
def test_a_number_is_a_whole_number_of_any_type(name: str) -> None:
    """What numpy calls 8 is seat, site, number of players, seed or amount 8."""
    call, number = (SEATED | COUNTED)[name]
    assert call(Number(number)) == call(number)


@pytest.mark.parametrize("name", SEATED)
@pytest.mark.parametrize("number", [-1, 4, 99])
def test_a_seat_that_no_game_has_is_refused(name: str, number: int) -> None:
    """The error says how many players there are."""
    with pytest.raises(SeatError, match=f"players has no seat {number}") as refused:
        SEATED[name][0](number)
    assert refused.value.code == "seat"
    assert refused.value.facts == {"seat": number, "players": 4 if name == "redact" else 2}


@pytest.mark.parametrize("name", SEATED)
def test_nobody_is_a_spectator_who_may_look_but_never_moves(name: str) -> None:
    """What a server gets for a token that nobody has never stands for a player."""
    call, _ = SEATED[name]
    if name in ("view", "redact", "since", "remember"):
        call(None)
    elif name in ("check_by", "play"):
        with pytest.raises(NotAskedError, match="a spectator cannot move now: seat"):
            call(None)
    else:
        with pytest.raises(TypeError, match="a seat"):
            call(None)


def test_a_card_is_hidden_from_all_but_the_one_who_draws() -> None:
    """Whatever type the number of the seat has."""
    assert redact(DRAWN, Number(1)) == DRAWN
    assert redact(DRAWN, Number(0)) == HiddenCardDrawn(1)


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
    assert sample_chance(state, random) in legal_actions(state)  # whose state everybody shares
    state = resolve_chance(state, random.Random(7))
    assert resolve_chance(new_game(2), NumpyRandom(7)) == state
    seen = view(state, 0)
    assert determinize(seen, NumpyRandom(1)) == determinize(seen, random.Random(1))


# What is refused

NO_NUMBERS = (True, False, 1.0, "0", [0], None)

NEED_A_POSITION: list[Call] = [
    *(legal_actions, outcome, chance_outcomes, position_line, problems_of),
    lambda state: check(state, Decline()),
    lambda state: apply(state, Decline()),
    lambda state: transition(state, Decline()),
    lambda state: sample_chance(state, random.Random(1)),
    lambda state: resolve_chance(state, random.Random(1)),
    lambda state: view(state, 0),
    lambda state: check_by(state, 0, Decline()),
]
"""Functions that a view does not suffice for."""

Refused = tuple[list[Call], tuple[object, ...], type[Exception], str]

MALFORMED: list[tuple[list[Any], tuple[object, ...]]] = [
    ([Build, Upgrade], (True, False, "3", 3.0, None, -1)),
    ([PlayCard, DrawCard, Dismiss, Hire], ("knight", Good.GOLD, 7, CardBag.of(Character.MAID))),
    ([partial(PlayCard, Character.KNIGHT)], (0, None)),
    ([TakeGood, GiveGood, ReturnGood, DraftGood, RevealBarrel], ("gold", 0, None, Goods(1))),
    ([DealBuilding], (1, None)),
    (
        [Pay, TakeGoods],
        ((1, 1, 0, 0), Good.GOLD, Goods(3, -1), {"gold": 1}),
    ),
]
"""Some types of actions, and what none of them can be about."""

MALFORMED_ROWS: list[Refused] = [
    ([kind], things, MalformedActionError, rf"^{getattr(kind, 'func', kind).__name__}\.")
    for kinds, things in MALFORMED
    for kind in kinds
]

REFUSED: list[Refused] = [
    ([call for call, _ in SEATED.values()], NO_NUMBERS[:-1], TypeError, "a seat must be a whole"),
    (
        [COUNTED["neighbours_of"][0], SiteSet.of, SiteSet.of(1).plus],
        NO_NUMBERS,
        TypeError,
        "a site must be a whole",
    ),
    (
        [Goods, *(partial(Goods, *(0,) * place) for place in (1, 2, 3)), COUNTED["Goods.of"][0]],
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
            *(explain, ruling, look_up, chapters, language_of, parse_card_set),
            *(partial(read, name) for read, name in ((explain, "BLD-3"), (look_up, "BLD"))),
            lambda language: clauses_in_force(Z_MAN, 2, language),
        ],
        (3, 1.0, True, None, b"BLD-3"),
        TypeError,
        r"^a text \(str\) is needed, not ",
    ),
    (
        [parse_record, parse_position_line, partial(parse_action, STATE)],
        (3, 1.0, True, None, b"BLD-3", ["a"]),
        TypeError,
        r"^a text \(str\) is needed, not ",
    ),
    ([CardBag.of], (*NO_NUMBERS, 3, "x"), TypeError, "^a card is needed, not |unhashable"),
    (
        [lambda thing: redact(thing, 0)],
        (*NO_NUMBERS, Z_MAN),
        TypeError,
        "^an event is needed, not ",
    ),
    (
        [lambda thing: fold(thing, [DRAWN])],
        (*NO_NUMBERS, STATE),
        TypeError,
        r"^a table \(Table\) is",
    ),
    (
        [
            *(format_record, position_after, lambda thing: [*replay(thing)]),
            *(format_action, formal_text, lambda thing: cheapest_payment(thing, Goods(1))),
            *(lambda thing: remember(thing, 0), lambda thing: cheapest_payment(Goods(1), thing)),
            *(lambda thing: affordable_sites(STATE, 0, thing), partial(parse_card_set, "")),
            *(lambda thing: clauses_in_force(thing, 2), lambda thing: parse_action(thing, "pass")),
            lambda thing: parse_action(STATE, "pass", thing),
        ],
        (3, 1.0, MILL, ()),
        TypeError,
        " is needed, not ",
    ),
    ([COUNTED["position_after"][0]], NO_NUMBERS[:-1], TypeError, "moves must be a whole number"),
    ([new_game], NO_NUMBERS, TypeError, "players must be a whole number, not "),
    ([new_game], (-1, 0, 1, 5, 100), PlayerCountError, "is for 2, 3 or 4 players, not "),
    ([lambda site: neighbours_of(site, 20)], (-1, 20, 30), ValueError, "^a display of 20 sites ha"),
    (
        [lambda rules: new_game(2, rules=rules)],
        (None, "Z-Man", RuleSet, RECONSTRUCTION, 1),
        TypeError,
        "RuleSet",
    ),
    (
        [lambda cards: new_game(2, cards=cards)],
        (None, "Reconstruction", HANS_IM_GLUECK, ()),
        TypeError,
        "CardSet",
    ),
    (
        [lambda colour: RuleSet("odd", apprentice_colour=colour)],
        (Colour.GREEN, Colour.BLUE, Colour.YELLOW),
        ValueError,
        "apprentice_colour",
    ),
    (
        [lambda character: BonusPrompt(0, character)],
        (Character.VALETTE, Character.MAID, "x" * 100_000),
        ValueError,
        "^no extra good is granted by .{1,210}$",
    ),
    (
        [RuleSet, HANS_IM_GLUECK.with_answers],
        ("x" * 100_000,),
        ValueError,
        "^.{1,300}$",
    ),
    (
        [lambda rng: sample_chance(new_game(2), rng)],
        (None, 7),
        TypeError,
        "a random generator is needed",
    ),
    (
        [chance_outcomes, lambda state: sample_chance(state, random.Random(1))],
        (STATE, OVER),
        NoChanceError,
        "the game is over|must answer, not chance",
    ),
    (
        [lambda thing: check(OVER, thing), partial(apply, STATE), partial(transition, STATE)],
        (None, "pass", 3, Build, PlayPrompt(0, 3), Good.GOLD, ()),
        MalformedActionError,
        "not an action",
    ),
    (
        NEED_A_POSITION,
        (view(STATE, 0), view(STATE, 0).table, None),
        TypeError,
        r"a position \(GameState\) is needed, not [PTN]",
    ),
    (NEED_A_POSITION, (view(STATE, 0),), TypeError, r"a view has \.legal_actions; determinize "),
    (
        [problems_of_view, lambda seen: determinize(seen, random.Random(1))],
        (STATE, view(STATE, 0).table, None),
        TypeError,
        r"a view \(PlayerView\) is needed, not [GTN]",
    ),
    (
        [table_information, predicted_scores, ending, lambda thing: deck_census(thing, 0)],
        (SESSION,),
        TypeError,
        "a position, a view or a table is needed, not Session",
    ),
]
"""Some calls, what none of them takes, the error, and what it says."""


@pytest.mark.parametrize(("calls", "things", "error", "said"), REFUSED + MALFORMED_ROWS)
def test_what_is_no_argument_is_refused(
    calls: list[Call], things: tuple[object, ...], error: type[Exception], said: str
) -> None:
    """The error says what is needed."""
    for call in calls:
        for thing in things:
            with pytest.raises(error, match=said):
                call(thing)
