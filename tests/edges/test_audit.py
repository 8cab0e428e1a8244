"""The audit: what cannot be is found, and what can be is not found fault with."""

from __future__ import annotations

import ast
import inspect
import pickle
import random
from collections.abc import Callable
from functools import cache
from itertools import count, islice, product
from pathlib import Path
from typing import Any

import attrs
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.positions import a_building
from tests.properties.playthroughs import (
    Playthrough,
    Temper,
    asks,
    games,
    in_every,
    positions,
    scaled,
    seeded_moves,
)
from valletta_rules import (
    HANS_IM_GLUECK,
    RECONSTRUCTION,
    REFERENCE_MANUAL,
    Z_MAN,
    CardBag,
    Character,
    Decline,
    GameState,
    Goods,
    Pay,
    Phase,
    Player,
    Problem,
    RuleSet,
    SiteSet,
    apply,
    legal_actions,
    new_game,
    outcome,
    problems_of,
    problems_of_view,
    resolve_chance,
    view,
)
from valletta_rules.actions import DECLINE, PLAY
from valletta_rules.agenda import (
    ArtisanPrompt,
    BarrelPrompt,
    BonusPrompt,
    DealPrompt,
    DraftPrompt,
    DrawPrompt,
    EndTurn,
    MaidPrompt,
    MonkPrompt,
    NunPrompt,
    PassTurn,
    PaymentPrompt,
    PlayPrompt,
    SitePrompt,
    Step,
    Turn,
    ValettePrompt,
)
from valletta_rules.audit import Impossible, problems_of_outcome
from valletta_rules.card_sets.codes import Misprint
from valletta_rules.codec import Misfit
from valletta_rules.errors import Flaw
from valletta_rules.outcome import Outcome, Score
from valletta_rules.specification.clauses import clause_ids

C = Character
EVERY = 12
"""Of how many positions of a game one is audited."""


def sample(game: Playthrough) -> list[GameState]:
    """Return some of the positions of a game, its last ones among them."""
    return [*game.positions[::EVERY], *game.positions[-3:]]


def found(state: GameState) -> list[str]:
    """Return where an audit finds problems."""
    return [problem.path for problem in problems_of(state)]


# What can be


@in_every(games)
def test_a_position_that_can_be_reached_has_no_problem(game: Playthrough) -> None:
    """Whatever is played, in every edition and with any cards, the audit finds nothing."""
    for state in sample(game):
        assert problems_of(state) == ()


@given(positions(asks(PaymentPrompt, MonkPrompt, BonusPrompt, ArtisanPrompt, ValettePrompt)))
def test_a_question_in_the_middle_of_a_turn_is_no_problem(state: GameState) -> None:
    """Nor does it find anything while somebody is asked about an effect."""
    assert problems_of(state) == ()


@scaled(0.5)
@given(games())
def test_what_anybody_sees_of_a_position_has_no_problem(game: Playthrough) -> None:
    """The views of every seat, and that of a spectator, agree with a position."""
    for state in game.positions[:: 4 * EVERY]:
        for seat in (None, *state.seats):
            assert problems_of_view(view(state, seat)) == ()


# What cannot be: any position, one thing changed


def reached(
    where: Callable[[GameState], bool],
    *,
    players: int = 2,
    rules: RuleSet = HANS_IM_GLUECK,
    temper: Temper = Temper.EAGER,
) -> GameState:
    """Return the first position with a property in a few games by a seeded generator."""
    for seed in range(40):
        for state in game_of(players, rules, temper, seed):
            if where(state):
                assert problems_of(state) == ()
                return state
    raise AssertionError("no such position was reached")


@cache
def game_of(players: int, rules: RuleSet, temper: Temper, seed: int) -> list[GameState]:
    """Return the positions of a game by a seeded generator."""
    moves = seeded_moves(new_game(players, rules=rules), seed, temper)
    return [move.after for move in islice(moves, 3000)]


def late(state: GameState) -> bool:
    """Tell whether a turn begins in which everybody has built, upgraded and discarded."""
    return (
        state.phase is Phase.MAIN
        and isinstance(state.prompt, PlayPrompt)
        and not state.played
        and 3 < state.valette < 20
        and all(
            player.built and player.upgraded and player.discard_pile for player in state.players
        )
    )


LATE = reached(late)
"""A turn begins in the middle of a game of two."""

START = reached(lambda state: state.phase is Phase.MAIN)
"""The first turn of a game of two."""

OVER = reached(lambda state: state.phase is Phase.OVER)
"""The end of a game of two."""

FINAL = reached(
    lambda state: (
        state.phase is Phase.FINAL
        and isinstance(state.prompt, PlayPrompt)
        and state.active == 1
        and len(state.players[0].built) == 8
    )
)
"""The final phase, which seat 0 has triggered with his eighth house."""

DEALING = new_game()
"""Nothing has been dealt."""

DRAWING = reached(asks(DrawPrompt))
"""The display has been dealt, and the first hand is drawn."""

DRAFTING = reached(
    lambda state: isinstance(state.prompt, DraftPrompt) and state.prompt.seat == 0, players=3
)
"""Two of three players have chosen their extra good."""


def with_player(state: GameState, seat: int, **changes: Any) -> GameState:
    """Return a position in which something of one player is different."""
    return state.with_player(seat, attrs.evolve(state.players[seat], **changes))


def bag(*characters: Character) -> CardBag:
    """Return a bag of cards."""
    return CardBag.of(*characters)


def first(cards: CardBag) -> Character:
    """Return the first card of a bag."""
    return next(iter(cards))


def moved(state: GameState, seat: int, source: str, target: str) -> GameState:
    """Return a position in which a card of a player has gone from one place to another."""
    player = state.players[seat]
    card = first(getattr(player, source))
    changes = {source: getattr(player, source).minus(card)}
    changes[target] = getattr(player, target).plus(card)
    return with_player(state, seat, **changes)


MINE, YOURS = LATE.players[LATE.active], LATE.players[1 - LATE.active]
ME, YOU = LATE.active, 1 - LATE.active


def free_site(state: GameState) -> int:
    """Return a site without a house."""
    taken = {site for player in state.players for site in player.built}
    return next(site for site in range(len(state.display)) if site not in taken)


DAMAGES: dict[str, tuple[GameState, str]] = {
    "a card is lost from a hand": (
        with_player(LATE, YOU, hand=YOURS.hand.minus(first(YOURS.hand))),
        f"players[{YOU}].hand",
    ),
    "a card is lost from a discard pile": (
        with_player(LATE, YOU, discard_pile=YOURS.discard_pile.minus(first(YOURS.discard_pile))),
        "",
    ),
    "a card too many is in a draw pile": (
        with_player(LATE, ME, draw_pile=MINE.draw_pile.plus(C.MAID)),
        "",
    ),
    "a card too many is in the supply": (LATE.replace(supply=LATE.supply.plus(C.KNIGHT)), ""),
    "the supply is lost": (START.replace(supply=bag()), ""),
    "a card was played that nobody had": (LATE.replace(played=(C.MAID,)), ""),
    "a card has changed hands with nobody hiring": (
        with_player(
            with_player(START, 0, draw_pile=START.players[0].draw_pile.plus(C.BUILDER)),
            1,
            draw_pile=bag(*list(START.players[1].draw_pile)[:-1]),
        ).replace(supply=START.supply),
        "",
    ),
    "two Valettes": (
        with_player(LATE, ME, discard_pile=MINE.discard_pile.plus(C.VALETTE)),
        f"players[{ME}]",
    ),
    "a Valette in the supply": (
        with_player(
            LATE,
            YOU,
            hand=bag(*[each for each in YOURS.hand if each is not C.VALETTE]),
            draw_pile=bag(*[each for each in YOURS.draw_pile if each is not C.VALETTE]),
            discard_pile=bag(*[each for each in YOURS.discard_pile if each is not C.VALETTE]),
        ).replace(supply=LATE.supply.plus(C.VALETTE)),
        f"players[{YOU}]",
    ),
    "six cards in a hand": (
        with_player(LATE, YOU, hand=YOURS.hand.plus(C.MAID)),
        f"players[{YOU}].hand",
    ),
    "a hand that was not refilled": (
        moved(LATE, YOU, "hand", "discard_pile"),
        f"players[{YOU}].hand",
    ),
    "a hand that is short as its turn begins": (
        moved(LATE, ME, "hand", "discard_pile"),
        f"players[{ME}].hand",
    ),
    "a card shown that is not there": (
        with_player(LATE, ME, shown=MINE.shown.plus(C.KNIGHT)),
        f"players[{ME}].shown",
    ),
    "a card shown before the first turn": (
        with_player(DRAFTING, 0, shown=bag(first(DRAFTING.players[0].hand))),
        "players[0].shown",
    ),
    "negative goods": (
        with_player(LATE, YOU, goods=Goods(gold=1, wood=-1)),
        f"players[{YOU}].goods.wood",
    ),
    "a negative score": (with_player(LATE, YOU, score=-2), f"players[{YOU}].score"),
    "points out of nothing": (with_player(START, 1, score=2), "players[1].score"),
    "an odd score without a yellow card": (with_player(START, 1, score=1), "players[1].score"),
    "a score that should have begun the final phase": (
        with_player(LATE, YOU, score=25),
        f"players[{YOU}].score",
    ),
    "a ninth house": (
        with_player(LATE, ME, built=SiteSet.of(*range(9))),
        f"players[{ME}].built",
    ),
    "an eighth house that should have begun the final phase": (
        with_player(LATE, ME, built=SiteSet.of(*range(8))),
        f"players[{ME}].built",
    ),
    "a house whose character is nowhere": (
        with_player(LATE, ME, built=MINE.built.plus(free_site(LATE))),
        "",
    ),
    "a site with two owners": (
        with_player(LATE, 1, built=LATE.players[1].built.plus(next(iter(LATE.players[0].built)))),
        "players[1].built",
    ),
    "an upgrade of what is not built": (
        with_player(LATE, ME, upgraded=MINE.upgraded.plus(free_site(LATE))),
        f"players[{ME}].upgraded",
    ),
    "a house beyond the display": (
        with_player(LATE, ME, built=MINE.built.plus(20)),
        f"players[{ME}].built",
    ),
    "an upgrade beyond the display": (
        with_player(LATE, ME, upgraded=SiteSet(-1)),
        f"players[{ME}].upgraded",
    ),
    "a barrel that came back": (LATE.replace(barrels=LATE.barrels + Goods(gold=1)), "barrels"),
    "a barrel that was revealed twice": (
        LATE.replace(barrels=LATE.barrels - Goods(wood=1)),
        "barrels",
    ),
    "more barrels of a kind than there are": (
        LATE.replace(barrels=Goods(gold=26, wood=LATE.barrels.total - 26)),
        "barrels.gold",
    ),
    "Valette beyond the street": (LATE.replace(valette=26), "valette"),
    "Valette before the tower": (LATE.replace(valette=-1), "valette"),
    "Valette a space too far": (LATE.replace(valette=LATE.valette + 1), "barrels"),
    "Valette at the end, and the final phase has not begun": (
        LATE.replace(valette=25, barrels=Goods()),
        "valette",
    ),
    "five players": (LATE.replace(players=LATE.players + LATE.players[:1] * 3), "players"),
    "no players": (LATE.replace(players=()), "players"),
    "a third player who has joined": (LATE.replace(players=(*LATE.players, Player())), "display"),
    "a seat that is not there": (LATE.replace(active=2), "active"),
    "another seat's turn": (LATE.replace(active=YOU), "agenda[0]"),
    "a building too many": (LATE.replace(display=LATE.display + LATE.display[:1]), "display"),
    "a building too few": (START.replace(display=START.display[:-1]), "display"),
    "a building from elsewhere": (
        LATE.replace(display=(*LATE.display[:-1], a_building())),
        "display[19]",
    ),
    "a building more often than there are cards": (
        LATE.replace(display=(RECONSTRUCTION.buildings[0],) * 20),
        "display",
    ),
    "cards that contradict the rulebook": (
        attrs.evolve(LATE, cards=attrs.evolve(LATE.cards, barrels=Goods(1, 1, 1, 1))),
        "cards.barrels",
    ),
    "a building that contradicts the rulebook": (
        attrs.evolve(
            LATE,
            cards=attrs.evolve(
                LATE.cards,
                buildings=(
                    attrs.evolve(LATE.cards.buildings[0], points=99),
                    *LATE.cards.buildings[1:],
                ),
            ),
        ),
        "cards.buildings[0].points",
    ),
    "a building of a letter that is not its own": (
        attrs.evolve(
            LATE,
            cards=attrs.evolve(
                LATE.cards,
                buildings=(
                    *LATE.cards.buildings,
                    attrs.evolve(LATE.cards.buildings[-1], design=2),
                ),
            ),
        ),
        f"cards.buildings[{len(LATE.cards.buildings)}]",
    ),
    "fewer barrels with three players": (
        attrs.evolve(DRAFTING, rules=HANS_IM_GLUECK.with_variants(fewer_barrels=True)),
        "rules.fewer_barrels",
    ),
    "Valette where no barrel was, with fewer barrels": (
        attrs.evolve(LATE, valette=4, rules=HANS_IM_GLUECK.with_variants(fewer_barrels=True)),
        "valette",
    ),
    "four cards played": (LATE.replace(played=(C.MAID,) * 4), "played"),
    "cards played that have been discarded": (
        reached(
            lambda state: isinstance(state.prompt, DrawPrompt) and state.phase is Phase.MAIN
        ).replace(played=(C.MAID,)),
        "played",
    ),
    "the main phase over without a cause": (LATE.replace(phase=Phase.FINAL), "phase"),
    "a final phase that never began": (
        FINAL.replace(phase=Phase.MAIN),
        "players[0].built",
    ),
    "the setup after the first turn": (LATE.replace(phase=Phase.SETUP), "agenda[0]"),
    "an end with cards in hand": (LATE.replace(phase=Phase.OVER, agenda=()), f"players[{ME}].hand"),
    "an end with a draw pile": (
        with_player(OVER, 0, draw_pile=bag(C.MAID)),
        "players[0].draw_pile",
    ),
    "an end in the middle of a turn": (OVER.replace(played=(C.MAID,)), "played"),
    "an end with something to do": (OVER.replace(agenda=(EndTurn(0),)), "agenda[0]"),
    "nothing to do": (LATE.replace(agenda=()), "agenda"),
    "a turn without an end": (LATE.replace(agenda=LATE.agenda[:1]), "agenda"),
    "an end of the turn at once": (LATE.replace(agenda=LATE.agenda[1:]), "agenda[0]"),
    "four plays": (LATE.replace(agenda=(PlayPrompt(ME, 4), EndTurn(ME))), "agenda[0]"),
    "two plays at the start of a turn": (
        LATE.replace(agenda=(PlayPrompt(ME, 2), EndTurn(ME))),
        "agenda[0]",
    ),
    "another turn after this one": (
        LATE.replace(agenda=(*LATE.agenda, Turn(1, 2))),
        "agenda[2]",
    ),
    "a question about a card that was not played": (
        LATE.replace(agenda=(MaidPrompt(ME), *LATE.agenda)),
        "agenda[0]",
    ),
    "a barrel that nobody reached": (
        LATE.replace(agenda=(BarrelPrompt(ME), *LATE.agenda)),
        "barrels",
    ),
    "an opening hand before the display": (
        moved(DEALING, 0, "draw_pile", "hand"),
        "players[0].hand",
    ),
    "a second hand before the first": (moved(DRAWING, 1, "draw_pile", "hand"), "players[1].hand"),
    "a hand drawn with the question still asked": (
        with_player(
            DRAWING,
            0,
            hand=bag(*list(DRAWING.players[0].draw_pile)[:5]),
            draw_pile=bag(*list(DRAWING.players[0].draw_pile)[5:]),
        ),
        "players[0].hand",
    ),
    "a display that is not complete as hands are drawn": (
        DRAWING.replace(display=DRAWING.display[:-1]),
        "display",
    ),
    "a complete display that is still dealt": (
        DEALING.replace(display=DRAWING.display),
        "agenda[0]",
    ),
    "too many buildings of a colour": (
        DEALING.replace(
            display=tuple(
                building
                for building in RECONSTRUCTION.buildings
                if building.colour == "yellow"
                for _ in range(building.copies)
            )
        ),
        "display",
    ),
    "a card discarded before the first turn": (
        moved(DRAWING, 0, "draw_pile", "discard_pile"),
        "players[0].discard_pile",
    ),
    "a card played before the first turn": (DEALING.replace(played=(C.MAID,)), "played"),
    "a step of Valette before the first turn": (DEALING.replace(valette=1), "valette"),
    "the second seat first": (DEALING.replace(active=1), "active"),
    "no goods at the start": (with_player(DEALING, 0, goods=Goods()), "players[0].goods"),
    "two extra goods": (
        with_player(DRAFTING, 1, goods=Goods(3, 1, 1, 1)),
        "players[1].goods",
    ),
    "the same extra good twice": (
        with_player(DRAFTING, 1, goods=DRAFTING.players[2].goods),
        "players[1].goods",
    ),
    "an extra good before its turn": (
        with_player(DRAFTING, 0, goods=Goods(2, 1, 1, 1)),
        "players[0].goods",
    ),
    "a set that has lost a good": (
        DRAFTING.replace(agenda=(DraftPrompt(0, Goods(gold=1)), *DRAFTING.agenda[1:])),
        "agenda[0].goods",
    ),
    "a display dealt to nobody": (DEALING.replace(agenda=(DealPrompt(),)), "agenda"),
}
"""Positions in which one thing cannot be, and where the audit should find it."""


@pytest.mark.parametrize("damage", DAMAGES)
def test_what_cannot_be_is_found_where_it_is(damage: str) -> None:
    """One change that cannot be is found, and among what is found is its place."""
    state, path = DAMAGES[damage]
    assert path in found(state)


def test_all_problems_are_told_at_once() -> None:
    """Several changes are all found."""
    state = with_player(LATE, YOU, goods=Goods(wood=-1), score=-1)
    state = state.replace(supply=state.supply.plus(C.KNIGHT), agenda=())
    assert {"", f"players[{YOU}].goods.wood", f"players[{YOU}].score", "agenda"} <= set(
        found(state)
    )


def test_a_problem_says_where_it_is_what_it_is_and_which_clause_it_contradicts() -> None:
    """A problem in words."""
    (problem,) = problems_of(with_player(LATE, 0, goods=Goods(1, -1, 0, 0)))
    assert str(problem) == (
        "players[0].goods.wood: nobody has less than nothing, and this is -1 [CMP-1]"
    )
    assert str(Problem("", Impossible.SCORE, "it cannot be")) == "it cannot be"


@given(positions(), st.data())
def test_a_card_more_or_less_is_always_found(state: GameState, data: st.DataObject) -> None:
    """Wherever a card is added or taken away, the audit finds something."""
    seat = data.draw(st.sampled_from(state.seats), label="seat")
    name = data.draw(st.sampled_from(["hand", "draw_pile", "discard_pile"]), label="place")
    character = data.draw(st.sampled_from(Character), label="card")
    cards = getattr(state.players[seat], name)
    changed = [cards.plus(character), *([cards.minus(character)] if character in cards else [])]
    for each in changed:
        assert problems_of(with_player(state, seat, **{name: each}))


@given(positions(), st.data())
def test_an_agenda_with_a_step_more_or_less_is_always_found(
    state: GameState, data: st.DataObject
) -> None:
    """A step that is left out, doubled or put for another seat cannot be what is to be done."""
    assume(state.agenda)
    at = data.draw(st.integers(min_value=0, max_value=len(state.agenda) - 1), label="step")
    before, step, after = state.agenda[:at], state.agenda[at], state.agenda[at + 1 :]
    if not isinstance(step, MonkPrompt | BarrelPrompt):  # one more may have been asked
        assert problems_of(state.replace(agenda=(*before, step, step, *after)))
    if isinstance(step, PlayPrompt | EndTurn | PassTurn | Turn):  # no effect, which may be over
        assert problems_of(state.replace(agenda=(*before, *after)))
        seat = (step.seat + 1) % len(state.players)
        assert problems_of(state.replace(agenda=(*before, attrs.evolve(step, seat=seat), *after)))


@given(positions(), st.integers(min_value=0, max_value=25))
def test_valette_elsewhere_is_always_found(state: GameState, space: int) -> None:
    """As every step reveals a barrel or passes a space without one, he can stand nowhere else.

    Only a space without a barrel leaves no trace.
    """
    assume(not state.rules.barrel_layout.endswith("players") or state.rules.fewer_barrels)
    assume(space != state.valette)
    assert problems_of(state.replace(valette=space))


# Turns


def asked(prompt: type, **table: Any) -> GameState:
    """Return a position that can be reached in which a question is asked."""
    return reached(asks(prompt), **table)


def instead(state: GameState, *steps: Step) -> GameState:
    """Return a position with other steps in place of the first."""
    return state.replace(agenda=(*steps, *state.agenda[1:]))


def test_a_question_must_be_that_of_the_card_played_last() -> None:
    """Another card's question, or the right one for another seat, cannot be asked."""
    state = asked(MaidPrompt)
    seat = state.active
    assert found(instead(state, NunPrompt(seat))) == ["agenda[0]"]
    assert found(instead(state, MaidPrompt(1 - seat))) == ["agenda[0]"]
    asking = asked(MonkPrompt)
    assert found(instead(asking, NunPrompt(asking.active))) == ["agenda[0]"]
    # Under the reference manual with three players there is no barrel on space 3.
    passing = reached(
        lambda state: isinstance(state.prompt, ValettePrompt) and state.valette == 3,
        players=3,
        rules=REFERENCE_MANUAL,
    )
    assert found(instead(passing, NunPrompt(passing.active))) == ["agenda[0]"]


def test_a_price_must_be_that_of_its_site() -> None:
    """A question for payment names a site that can be built on or upgraded, and its price."""
    state = reached(
        lambda state: (
            isinstance(state.prompt, PaymentPrompt)
            and bool(state.players[0].upgraded and state.players[1].built)
        )
    )
    prompt = state.prompt
    assert isinstance(prompt, PaymentPrompt)
    dearer = attrs.evolve(prompt, price=prompt.price + Goods(gold=1))
    assert found(instead(state, dearer)) == ["agenda[0]"]
    for site in (99, *state.players[1 - prompt.seat].built, *state.players[prompt.seat].upgraded):
        assert found(instead(state, attrs.evolve(prompt, site=site))) == ["agenda[0]"]


def test_the_monk_asks_only_who_can_give() -> None:
    """An opponent with fewer than four goods is not asked."""
    state = asked(MonkPrompt, players=3)
    prompt = state.prompt
    assert isinstance(prompt, MonkPrompt)
    assert found(with_player(state, prompt.seat, goods=Goods(gold=3))) == ["agenda[0]"]


def test_nobody_is_asked_in_vain() -> None:
    """A question without an answer, or to which one can only decline, is a problem."""
    paying = asked(PaymentPrompt)
    assert found(with_player(paying, paying.active, goods=Goods())) == ["agenda[0]"]
    choosing = reached(
        lambda state: isinstance(state.prompt, SitePrompt) and not state.players[state.active].built
    )
    assert found(with_player(choosing, choosing.active, goods=Goods())) == ["agenda[0]"]
    crafting = asked(ArtisanPrompt)
    seat = crafting.active
    assert "agenda[0]" not in found(crafting)
    bare = with_player(crafting, seat, built=SiteSet(), upgraded=SiteSet())
    assert problems_of(bare)
    drawing = reached(lambda state: isinstance(state.prompt, DrawPrompt) and bool(state.valette))
    drawer = drawing.players[drawing.active]
    empty = with_player(
        drawing,
        drawing.active,
        draw_pile=bag(),
        discard_pile=drawer.discard_pile + drawer.draw_pile,
    )
    assert found(empty) == ["agenda[0]"]


def test_an_artisan_without_a_building_is_not_asked() -> None:
    """The Artisan of a player without any icon has no effect."""
    state = asked(ArtisanPrompt)
    seat = state.active
    sites = state.players[seat].built
    other = 1 - seat
    given = with_player(state, seat, built=SiteSet(), upgraded=SiteSet(), score=0)
    given = with_player(
        given,
        other,
        built=SiteSet.of(*state.players[other].built, *sites),
        upgraded=state.players[other].upgraded,
    ).replace(valette=25, barrels=Goods(), phase=Phase.FINAL)
    hand = state.players[seat]
    given = with_player(
        given, seat, draw_pile=hand.draw_pile + hand.discard_pile, discard_pile=bag()
    )
    assert "agenda[0]" in found(given) or len(given.players[other].built) > 8


@pytest.mark.parametrize(
    "rules", [REFERENCE_MANUAL, Z_MAN.with_variants(start_player_variant=True)]
)
def test_staggered_first_turns_are_no_problem_and_nobody_has_had_a_turn_before(
    rules: RuleSet,
) -> None:
    """On the first turns of a staggered opening the seats to come are as they were laid out."""
    for seat in (0, 1):
        state = reached(
            lambda state, seat=seat: (  # type: ignore[misc]
                isinstance(state.prompt, PlayPrompt) and state.active == seat
            ),
            players=3,
            rules=rules,
        )
        drawn = moved(state, 2, "draw_pile", "discard_pile")
        assert found(drawn) == ["players[2].discard_pile"]
    refilling = reached(
        lambda state: state.agenda[:1] == (DrawPrompt(0),) and Turn(1, 2) in state.agenda[1:3],
        players=3,
        rules=rules,
    )
    assert found(moved(refilling, 1, "draw_pile", "discard_pile")) == ["players[1].discard_pile"]


# Views and outcomes


def seen(state: GameState, **changes: Any) -> list[str]:
    """Return what is found about the view of seat 0 with something of player 1 changed."""
    seen = view(state, 0)
    table = seen.table
    players = (table.players[0], attrs.evolve(table.players[1], **changes))
    changed = attrs.evolve(seen, table=attrs.evolve(table, players=players))
    return [problem.path for problem in problems_of_view(changed)]


def test_a_view_that_contradicts_itself_is_found() -> None:
    """A hand that one may not see, or that cannot be drawn from the hidden cards, is a problem."""
    there = view(LATE, 0).table.players[1]
    assert seen(LATE, hand=LATE.players[1].hand) == ["table.players[1].hand"]
    assert seen(LATE, shown=bag(*[C.KNIGHT] * 5)) == ["table.players[1].hidden"]
    assert seen(LATE, hand_size=-1) == ["table.players[1].hand_size"]
    assert seen(LATE, hand_size=len(there.hidden) + 1) == ["table.players[1].hand_size"]
    mine = view(LATE, 0)
    player = attrs.evolve(mine.table.players[0], hand_size=6)
    table = attrs.evolve(mine.table, players=(player, mine.table.players[1]))
    (problem,) = problems_of_view(attrs.evolve(mine, table=table))
    assert problem.path == "table.players[0].hand_size"
    paths = [problem.path for problem in problems_of_view(attrs.evolve(mine, seat=3))]
    assert paths == ["seat", "table.players[0].hand"]


def test_a_view_of_an_impossible_position_is_found() -> None:
    """What is found about a position that agrees with the view is told in terms of the view."""
    assert seen(LATE, goods=Goods(gold=-1)) == ["table.players[1].goods.gold"]
    assert "" in seen(LATE, discard_pile=bag())
    looking = attrs.evolve(view(LATE, 0), agenda=())
    assert [problem.path for problem in problems_of_view(looking)] == ["agenda"]


def test_the_actions_of_a_view_are_those_of_its_viewer() -> None:
    """They are all of his legal actions if he is asked, and none if he is not."""
    mine, yours = view(LATE, ME), view(LATE, YOU)
    for wrong in (
        attrs.evolve(mine, legal_actions=()),
        attrs.evolve(mine, legal_actions=mine.legal_actions[1:]),
        attrs.evolve(yours, legal_actions=mine.legal_actions),
    ):
        assert [problem.path for problem in problems_of_view(wrong)] == ["legal_actions"]


def test_the_payments_of_a_view_are_checked_one_by_one() -> None:
    """Payments are legal, in order, each once, and there is one at least."""
    state = reached(
        lambda state: isinstance(state.prompt, PaymentPrompt) and len(legal_actions(state)) > 2
    )
    mine = view(state, state.active)
    actions = mine.legal_actions
    for wrong in ((), actions[::-1], (*actions, Pay(Goods(gold=99))), (*actions, Decline())):
        (problem,) = problems_of_view(attrs.evolve(mine, legal_actions=wrong))
        assert problem.path == "legal_actions"


def test_winners_follow_from_the_scores() -> None:
    """An outcome in which others have won than the scores say is a problem."""
    right = outcome(OVER)
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
    alike = tuple(Score(seat, 9, 0, 0, 2) for seat in (0, 1))
    assert problems_of_outcome(Outcome(alike, (0, 1), "SCO-11")) == ()


def test_the_extra_good_of_two_players_may_be_asked_for() -> None:
    """A position in which the Monk, the Innkeeper or the Tax Collector offers it is possible."""
    wanted = {Character.MONK, Character.INNKEEPER, Character.TAX_COLLECTOR}
    for seed in count():
        rng = random.Random(seed)
        state = resolve_chance(new_game(players=2), rng)
        while state.prompt is not None:
            if isinstance(state.prompt, BonusPrompt) and state.prompt.character in wanted:
                assert problems_of(state) == ()
                wanted.remove(state.prompt.character)
            state = resolve_chance(apply(state, rng.choice(legal_actions(state))), rng)
        if not wanted:
            return


# Codes and facts


def test_a_problem_has_a_code_and_facts() -> None:
    """What is wrong can be said in any language: by a stable code, and by what was found."""
    (problem,) = problems_of(with_player(LATE, 0, goods=Goods(1, -1, 0, 0)))
    assert problem.code is Impossible.GOODS_NEGATIVE
    assert problem.facts == {"good": "wood", "found": -1}
    assert problem.clause == "CMP-1"


@pytest.mark.parametrize("flaws", [Impossible, Misprint, Misfit])
def test_every_code_is_found_in_something(flaws: type[Flaw]) -> None:
    """No code is without use: the room that has it tells of it."""
    rooms = Path(inspect.getfile(flaws)).parent.glob("*.py")
    used = {
        node.attr
        for path in rooms
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Attribute) and getattr(node.value, "id", "") == flaws.__name__
    }
    assert used == {flaw.name for flaw in flaws}


def test_a_code_is_that_of_one_flaw() -> None:
    """Whatever is wrong with a document, its code alone tells what; clauses named are clauses."""
    flaws: list[Flaw] = [*Impossible, *Misprint, *Misfit]
    assert len({*flaws}) == len(flaws)
    assert {flaw.clause for flaw in flaws if flaw.clause} <= set(clause_ids())


def test_a_flaw_can_be_pickled() -> None:
    """A problem that has been sent elsewhere has the same code there."""
    (problem,) = problems_of(with_player(LATE, 0, goods=Goods(1, -1, 0, 0)))
    again = pickle.loads(pickle.dumps(problem))
    assert again == problem
    assert again.code is problem.code


@pytest.mark.rule("VAL-8")
@pytest.mark.parametrize("fewer_barrels", [False, True])
def test_cards_change_hands_as_often_as_valette_is_played_and_no_more(fewer_barrels: bool) -> None:
    """Each time Valette's card was played one card may have been dismissed, and not one more."""
    rules = HANS_IM_GLUECK.with_variants(fewer_barrels=fewer_barrels)
    state, plays, rng = new_game(2, rules=rules), 0, random.Random(5)
    while plays < 2 or not isinstance(state.prompt, PlayPrompt):
        if state.prompt is not None and state.prompt.seat is None:
            state = resolve_chance(state, rng)
            continue
        actions = legal_actions(state)
        wanted = (each for each in (PLAY[C.VALETTE], DECLINE) if each in actions)
        action = next(wanted, actions[0])
        plays += action == PLAY[C.VALETTE]
        state = apply(state, action)
    for number in range(plays + 3):
        codes = {problem.code for problem in problems_of(state)}
        assert (Impossible.TRADES in codes) is (number > plays)
        seat, pile, card = next(
            (seat, pile, card)
            for seat, pile in product((0, 1), ("draw_pile", "discard_pile"))
            for card in getattr(state.players[seat], pile)
            if card is not C.VALETTE
        )
        left = getattr(state.players[seat], pile).minus(card)
        state = with_player(state, seat, **{pile: left})
        state = state.replace(supply=state.supply.plus(card))
