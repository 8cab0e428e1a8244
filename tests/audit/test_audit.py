"""Tests of the audit, which reports impossible positions and views.

``impossible.toml`` describes each impossible position as a valid one with some fields changed.
"""

import pickle
import random
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import attrs
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import valletta_rules as vr
from spec.checks.random_games import Playthrough, games, positions, scaled
from valletta_rules.audit import Impossible, problems_of_outcome
from valletta_rules.card_sets.misprint import Misprint
from valletta_rules.codec import Misfit
from valletta_rules.errors import Flaw
from valletta_rules.records.damage import Damage
from valletta_rules.text.misspelling import Misspelling

C = vr.Character
EVERY = 48
"""The number of positions of a game from one audited position to the next."""

CASES = tomllib.loads(Path(__file__).with_name("impossible.toml").read_text("utf-8"))
LINES: Mapping[str, str] = CASES["positions"]

LATE = vr.parse_position_line(LINES["late"])
"""A position in the middle of a two-player game, at the beginning of a turn."""

OVER = vr.parse_position_line(LINES["over"])
"""The final position of a two-player game."""

ME, YOU = LATE.active, 1 - LATE.active


def problem_paths(state: vr.GameState) -> list[str]:
    """Return the paths of all problems that the audit of a position reports."""
    return [problem.path for problem in vr.problems_of(state)]


def with_player(state: vr.GameState, seat: int, **changes: Any) -> vr.GameState:
    """Return a copy of a position with some fields of one player changed."""
    return state.with_player(seat, attrs.evolve(state.players[seat], **changes))


def with_cards(**changes: Any) -> vr.GameState:
    """Return a copy of the position `LATE` with some fields of its card set changed."""
    return attrs.evolve(LATE, cards=attrs.evolve(LATE.cards, **changes))


# Possible positions


@scaled(0.5)
@given(games())
def test_views_of_positions_in_random_games_have_no_problem(game: Playthrough) -> None:
    """The audit must accept the views of each seat and of a spectator."""
    for state in game.positions[::EVERY]:
        for seat in (None, *state.seats):
            assert vr.problems_of_view(vr.view(state, seat)) == ()


# Impossible positions


@pytest.mark.parametrize("name", LINES)
def test_the_positions_that_the_other_tests_change_have_no_problem(name: str) -> None:
    """The other tests damage these positions, so the damage causes every problem they report."""
    assert vr.problems_of(vr.parse_position_line(LINES[name])) == ()


@pytest.mark.parametrize(("description", "name", "changes", "problems"), CASES["changes"]["cases"])
def test_every_problem_that_a_change_to_a_valid_position_causes_is_reported(
    description: str, name: str, changes: list[str], problems: list[str]
) -> None:
    """`impossible.toml` lists the changes, and the paths and codes of the expected problems."""
    top, *seats = LINES[name].split("|")
    for change in changes:
        field, _, value = change.partition("=")
        *of_seat, key = field.split()
        exchange = rf"\b{key}=\S+", f"{key}={value}"
        if of_seat:
            seat = int(of_seat[1])
            seats[seat] = re.sub(*exchange, seats[seat], count=1)
        else:
            top = re.sub(*exchange, top, count=1)
    audited = vr.problems_of(vr.parse_position_line("|".join([top, *seats])))
    assert {f"{each.path} {each.code}".strip() for each in audited} == set(problems)


FIRST, *OTHERS = LATE.cards.buildings

NO_LINE: Mapping[str, tuple[vr.GameState, str]] = {
    "an upgrade beyond the display": (
        with_player(LATE, ME, upgraded=vr.SiteSet(-1)),
        f"players[{ME}].upgraded",
    ),
    "Valette beyond the street": (LATE.replace(valette=26), "valette"),
    "Valette before the tower": (LATE.replace(valette=-1), "valette"),
    "five players": (LATE.replace(players=LATE.players + LATE.players[:1] * 3), "players"),
    "no players": (LATE.replace(players=()), "players"),
    "a third player who has joined": (
        LATE.replace(players=(*LATE.players, vr.Player())),
        "display",
    ),
    "a seat that is not there": (LATE.replace(active=2), "active"),
    "cards against the rulebook": (with_cards(barrels=vr.Goods(1, 1, 1, 1)), "cards.barrels"),
    "a building against the rulebook": (
        with_cards(buildings=(attrs.evolve(FIRST, points=99), *OTHERS)),
        "cards.buildings[0].points",
    ),
    "a building of a letter that is not its own": (
        with_cards(buildings=(FIRST, *OTHERS, attrs.evolve(OTHERS[-1], design=2))),
        f"cards.buildings[{len(LATE.cards.buildings)}]",
    ),
    "an end with something to do": (OVER.replace(agenda=(vr.EndTurn(0),)), "agenda[0]"),
    "an end of the turn at once": (LATE.replace(agenda=LATE.agenda[1:]), "agenda[0]"),
    "a payment for no site": (
        vr.parse_position_line(LINES["payment"]).replace(
            agenda=(vr.PaymentPrompt(0, 99, vr.Goods(1)),)
        ),
        "agenda[0]",
    ),
}
"""Impossible positions without a position line, each with the path of its problem."""


@pytest.mark.parametrize("name", NO_LINE)
def test_an_impossible_position_that_cannot_be_written_as_a_line_is_reported(name: str) -> None:
    """For example, Valette is beyond the street, or the game has five players."""
    state, path = NO_LINE[name]
    assert path in problem_paths(state)


@given(positions(), st.data())
def test_adding_a_card_to_a_players_pile_or_removing_one_from_it_is_reported(
    state: vr.GameState, data: st.DataObject
) -> None:
    """The pile is the hand, the draw pile or the discard pile."""
    seat = data.draw(st.sampled_from(state.seats), label="seat")
    name = data.draw(st.sampled_from(["hand", "draw_pile", "discard_pile"]), label="place")
    character = data.draw(st.sampled_from(vr.Character), label="card")
    cards = getattr(state.players[seat], name)
    changed = [cards.plus(character), *([cards.minus(character)] if character in cards else [])]
    for each in changed:
        assert vr.problems_of(with_player(state, seat, **{name: each}))


@given(positions(), st.data())
def test_adding_or_removing_a_step_of_the_agenda_is_reported(
    state: vr.GameState, data: st.DataObject
) -> None:
    """Assigning a step to another seat is also reported.

    The test excludes steps that may be missing or repeated.
    """
    assume(state.agenda)
    at = data.draw(st.integers(min_value=0, max_value=len(state.agenda) - 1), label="step")
    before, step, after = state.agenda[:at], state.agenda[at], state.agenda[at + 1 :]
    if not (
        isinstance(step, vr.BarrelPrompt) or vr.GiveGood in getattr(step, "answers", ())
    ):  # such a prompt may occur several times
        assert vr.problems_of(state.replace(agenda=(*before, step, step, *after)))
    if isinstance(
        step, vr.PlayPrompt | vr.EndTurn | vr.PassTurn | vr.Turn
    ):  # a step of an effect could already be finished
        assert vr.problems_of(state.replace(agenda=(*before, *after)))
        seat = (step.seat + 1) % len(state.players)
        assert vr.problems_of(
            state.replace(agenda=(*before, attrs.evolve(step, seat=seat), *after))
        )


@scaled(0.5)
@given(positions(lambda state: state.phase is not vr.Phase.SETUP), st.data())
def test_a_game_can_continue_from_a_changed_position_that_the_audit_accepts(
    state: vr.GameState, data: st.DataObject
) -> None:
    """Goods, score, shown cards and supply of a random position are changed."""
    few = st.builds(vr.Goods, *[st.integers(0, 30)] * 4)
    seat = data.draw(st.sampled_from(state.seats), label="seat")
    bonuses = data.draw(st.integers(0, 9), label="bonuses")
    changed = with_player(state, seat, goods=data.draw(few, label="goods"), score=3 * bonuses)
    shown = data.draw(st.sampled_from((vr.CardBag(), changed.players[seat].hand)), label="shown")
    changed = with_player(changed, seat, shown=shown)
    changed = changed.replace(
        supply=data.draw(st.sampled_from((changed.supply, vr.CardBag())), label="supply")
    )
    assume(not vr.problems_of(changed))
    rng = random.Random(1)
    for _ in range(400):
        changed = vr.resolve_chance(changed, rng)
        if (prompt := changed.prompt) is None:
            break
        assert vr.view(changed, prompt.seat).legal_actions
        changed = vr.apply(changed, rng.choice(vr.legal_actions(changed)))
    assert (vr.outcome(changed) is None) is (changed.prompt is not None)


@pytest.mark.parametrize("packed", [-1, 1 << 8 * len(C)])
def test_a_bag_of_cards_whose_packed_integer_is_negative_or_too_large_is_reported(
    packed: int,
) -> None:
    """A bag packs the counts of all kinds of cards into one integer."""
    bag = vr.CardBag(packed=packed)
    for pile in ("hand", "draw_pile", "discard_pile", "shown"):
        assert problem_paths(with_player(LATE, YOU, **{pile: bag})) == [f"players[{YOU}].{pile}"]
    assert problem_paths(LATE.replace(supply=bag)) == ["supply"]


# Views and outcomes


def view_problem_paths(state: vr.GameState, **changes: Any) -> list[str]:
    """Change player 1 in the view of seat 0, and return the paths of the reported problems."""
    view = vr.view(state, 0)
    table = view.table
    players = (table.players[0], attrs.evolve(table.players[1], **changes))
    changed = attrs.evolve(view, table=attrs.evolve(table, players=players))
    return [problem.path for problem in vr.problems_of_view(changed)]


def test_a_view_with_an_impossible_hand_is_reported() -> None:
    """The hand is shown to the wrong seat, has an impossible size, or contains impossible cards."""
    opponent = vr.view(LATE, 0).table.players[1]
    assert view_problem_paths(LATE, hand=LATE.players[1].hand) == ["table.players[1].hand"]
    assert view_problem_paths(LATE, shown=vr.CardBag.of(*[C.KNIGHT] * 5)) == [
        "table.players[1].hidden"
    ]
    assert view_problem_paths(LATE, hand_size=-1) == ["table.players[1].hand_size"]
    assert view_problem_paths(LATE, hand_size=len(opponent.hidden) + 1) == [
        "table.players[1].hand_size"
    ]
    mine = vr.view(LATE, 0)
    player = attrs.evolve(mine.table.players[0], hand_size=6)
    table = attrs.evolve(mine.table, players=(player, mine.table.players[1]))
    (problem,) = vr.problems_of_view(attrs.evolve(mine, table=table))
    assert problem.path == "table.players[0].hand_size"
    paths = [problem.path for problem in vr.problems_of_view(attrs.evolve(mine, seat=3))]
    assert paths == ["seat", "table.players[0].hand"]


def test_the_paths_of_problems_in_a_view_are_relative_to_the_view() -> None:
    """For example, the path `players[1]` of a position becomes `table.players[1]`."""
    assert view_problem_paths(LATE, goods=vr.Goods(gold=-1)) == ["table.players[1].goods.gold"]
    assert "" in view_problem_paths(LATE, discard_pile=vr.CardBag())
    looking = attrs.evolve(vr.view(LATE, 0), agenda=())
    assert [problem.path for problem in vr.problems_of_view(looking)] == ["agenda"]


def test_wrong_legal_actions_in_a_view_are_reported() -> None:
    """A view contains all legal actions if its seat must decide, and otherwise none."""
    mine, yours = vr.view(LATE, ME), vr.view(LATE, YOU)
    for wrong in (
        attrs.evolve(mine, legal_actions=()),
        attrs.evolve(mine, legal_actions=mine.legal_actions[1:]),
        attrs.evolve(yours, legal_actions=mine.legal_actions),
    ):
        assert [problem.path for problem in vr.problems_of_view(wrong)] == ["legal_actions"]


def test_wrong_payments_in_a_view_are_reported() -> None:
    """The payments in a view must be legal, sorted and distinct. At least one must be listed."""
    state = vr.parse_position_line(LINES["payment"])
    mine = vr.view(state, state.active)
    actions = mine.legal_actions
    for wrong in (
        (),
        actions[::-1],
        (*actions, vr.Pay(vr.Goods(gold=99))),
        (*actions, vr.Decline()),
    ):
        (problem,) = vr.problems_of_view(attrs.evolve(mine, legal_actions=wrong))
        assert problem.path == "legal_actions"


def test_an_outcome_whose_winners_contradict_the_scores_is_reported() -> None:
    """The clause that decided the game must also be consistent with the scores."""
    right = vr.outcome(OVER)
    assert right is not None
    assert problems_of_outcome(right) == ()
    (seat,) = right.winners
    for wrong, path in (
        (attrs.evolve(right, winners=(1 - seat,)), "winners"),
        (attrs.evolve(right, clause="SCO-11"), "clause"),
        (attrs.evolve(right, scores=right.scores[::-1]), "scores[0].seat"),
        (attrs.evolve(right, scores=()), "scores"),
    ):
        assert [problem.path for problem in problems_of_outcome(wrong)] == [path]
    alike = tuple(vr.Score(seat, 9, 0, 0, 2) for seat in (0, 1))
    assert problems_of_outcome(vr.Outcome(alike, (0, 1), "SCO-11")) == ()


# Codes and facts


def test_a_pickled_audit_problem_keeps_its_path_code_facts_and_clause() -> None:
    """The clause is the rule that the position violates."""
    (problem,) = vr.problems_of(with_player(LATE, 0, goods=vr.Goods(1, -1, 0, 0)))
    assert str(problem) == ("players[0].goods.wood: an amount must be 0 or more, not -1 [CMP-1]")
    assert problem.facts == {"good": "wood", "found": -1}
    again = pickle.loads(pickle.dumps(problem))
    assert again == problem
    assert again.code is problem.code is Impossible.GOODS_NEGATIVE
    assert str(vr.Problem("", Impossible.SCORE, "it cannot be")) == "it cannot be"


def test_every_kind_of_problem_has_a_unique_code_and_an_existing_clause() -> None:
    """A program can therefore identify a problem by its code."""
    flaws: list[Flaw] = [*Impossible, *Misprint, *Misfit, *Misspelling, *Damage]
    assert len({*flaws}) == len(flaws)
    assert {flaw.clause for flaw in flaws if flaw.clause} <= set(vr.clause_ids())
