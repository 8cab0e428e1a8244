"""Memories over whole games: of every edition and number of players, the final phase included."""

from __future__ import annotations

import copy
import pickle
import random
from collections.abc import Iterator
from functools import cache
from itertools import pairwise

import attrs
import pytest

from spec.checks.random_games import (
    LONGEST_GAME,
    Playthrough,
    PlaythroughMove,
    Temper,
    card_sets,
    drawn,
    is_chance,
    played,
)
from tests.memory.shuffles import watch
from tests.positions import EDITIONS, position
from tests.positions import seat as a_seat
from valletta_rules import (
    RECONSTRUCTION,
    Build,
    Character,
    DrawCard,
    DrawPrompt,
    GameState,
    Goods,
    Note,
    Phase,
    Record,
    RecordError,
    SitePrompt,
    Upgrade,
    apply,
    determinize,
    legal_actions,
    new_game,
    position_after,
    problems_of,
    redact,
    sample_chance,
    transition,
    view,
)
from valletta_rules.components.characters import STARTING_CHARACTERS
from valletta_rules.events import Built, CardDrawn, Upgraded
from valletta_rules.memory import InformationState, Memory, remember, resample

GENERATED = drawn(card_sets(), 4)[-1]
"""A card set within the facts of the rulebook."""

TABLES = [
    (2, EDITIONS[0], Temper.RANDOM, RECONSTRUCTION),
    (2, EDITIONS[1].with_variants(fewer_barrels=True), Temper.EAGER, RECONSTRUCTION),
    (2, EDITIONS[2].with_variants(start_player_variant=True), Temper.AMBITIOUS, RECONSTRUCTION),
    (3, EDITIONS[0], Temper.EAGER, GENERATED),
    (3, EDITIONS[2], Temper.RANDOM, RECONSTRUCTION),
    (4, EDITIONS[0].with_variants(start_player_variant=True), Temper.RANDOM, RECONSTRUCTION),
    (4, EDITIONS[1], Temper.AMBITIOUS, GENERATED),
]
games = pytest.mark.parametrize("number", range(len(TABLES)))
some_games = pytest.mark.parametrize("number", [0, 2, 3, 6])


@cache
def game(number: int) -> Playthrough:
    """Return one of some whole games."""
    players, rules, temper, cards = TABLES[number]
    return played(new_game(players, rules=rules, cards=cards), number, temper, LONGEST_GAME)


def record(number: int, moves: int = LONGEST_GAME) -> Record:
    """Return a game as a record, or its first moves."""
    actions = [move.action for move in game(number).moves[:moves]]
    players, rules, _, cards = TABLES[number]
    return Record(players, rules, cards, actions)


def heard(game: Playthrough, seat: int | None) -> Iterator[tuple[Memory, GameState]]:
    """Run through a game: yield what a seat remembers, and the position, after each move."""
    memory = Memory(seat)
    memory.begin(view(game.start, seat))
    for move in game.moves:
        for event in move.events:
            memory.see(redact(event, seat))
        yield memory, move.after


@pytest.mark.parametrize("number", [0, 2, 3])
def test_an_independent_spectator_knows_the_same(number: int) -> None:
    """Whoever keeps every possible hand with its weight finds the same chances, as fractions."""
    watch(game(number))


@some_games
def test_what_is_remembered_agrees_with_what_lies_open(number: int) -> None:
    """Cards, sizes and components fit together at every moment, and the chances add up."""
    for memory, state in heard(game(number), 0):
        for owner, player in enumerate(state.players):
            belief = memory.belief(owner)
            assert belief.hidden == player.hand + player.draw_pile
            assert belief.hand_size == len(player.hand)
            assert belief.pile_size == len(player.draw_pile)
            groups = belief.old + belief.new
            assert len(groups.kinds()) == len(groups)
            for case in belief.components:
                assert case.weight > 0
                assert player.shown <= case.held <= belief.hidden - groups
                drawn = belief.hand_size - len(case.held) - case.kept
                assert 0 <= case.kept <= len(belief.old)
                assert 0 <= drawn <= len(groups) - case.kept
                if state.phase is Phase.MAIN:
                    assert (case.kept, len(belief.old)) == (0, 0)
        assert memory.table == view(state, 0).table
    chances = memory.chances(0)
    assert set(chances.values()) <= {0, 1}


def test_two_seats_remember_the_same_of_a_third() -> None:
    """What others believe of a hand does not depend on their own."""
    one, other, nobody = (heard(game(4), seat) for seat in (0, 1, None))
    for (mine, _), (his, _), (theirs, _) in zip(one, other, nobody, strict=True):
        assert mine.belief(2) == his.belief(2) == theirs.belief(2)
        assert his.belief(0) == theirs.belief(0)


@pytest.mark.parametrize("number", [0, 2, 5])
def test_a_record_is_remembered_as_if_heard_live(number: int) -> None:
    """The memory of a saved game is that of whoever was there, and so is a copy of it."""
    for seat in (1, None):
        *_, (live, state) = heard(game(number), seat)
        saved = remember(record(number), seat)
        assert saved == live
        now = view(state, seat)
        assert saved.information_state(now) == live.information_state(now)
        assert pickle.loads(pickle.dumps(live)) == live


def test_a_copy_goes_its_own_way() -> None:
    """A copied memory hears for itself."""
    memory = Memory(0)
    memory.begin(view(game(0).start, 0))
    twin = copy.copy(memory)
    memory.see(game(0).moves[0].events[0])
    assert (len(memory.events), len(twin.events)) == (1, 0)
    assert memory != twin


# What is made up


@some_games
def test_a_position_made_up_agrees_with_the_view(number: int) -> None:
    """It gives an equal view, is possible, and has only hands that are possible.

    In the main phase those that are made up without a memory are possible, too.
    """
    rng = random.Random(number)
    for turn, (memory, state) in enumerate(heard(game(number), 1)):
        if turn % 40 == 0:
            now = view(state, 1)
            guess = determinize(now, rng, memory)
            assert view(guess, 1) == now
            assert problems_of(guess) == ()
            assert legal_actions(guess) or guess.phase is Phase.OVER
            for owner, player in enumerate(guess.players):
                assert memory.belief(owner).chance_of(player.hand) > 0
            if state.phase is Phase.MAIN:
                forgetful = determinize(now, rng)
                for owner, player in enumerate(forgetful.players):
                    assert memory.belief(owner).chance_of(player.hand) > 0


def test_what_lay_in_a_discard_pile_when_the_final_phase_began_is_in_no_hand() -> None:
    """Whoever remembers it never makes up a hand with it; a view alone does not tell."""
    green, blue = STARTING_CHARACTERS[:5], STARTING_CHARACTERS[5:]
    state = position(
        a_seat(hand=[Character.KNIGHT], draw_pile=green),
        a_seat(hand=green, draw_pile=blue, discard_pile=[Character.CHARLES]),
        valette=25,
        plays=1,
    )
    memory, rng = Memory(0), random.Random(1)
    memory.begin(view(state, 0))
    while state.phase is not Phase.FINAL:
        step = transition(state, legal_actions(state)[0])
        state = step.state
        for event in step.events:
            memory.see(redact(event, 0))
    now = view(state, 0)
    assert Character.CHARLES in now.table.players[1].hidden
    assert memory.chances(1)[Character.CHARLES] == 0
    for remembered in (memory, None):
        hands = [determinize(now, rng, remembered).players[1].hand for _ in range(60)]
        assert any(Character.CHARLES in hand for hand in hands) is (remembered is None)


@pytest.mark.parametrize(("number", "seat"), [(0, 0), (1, None), (4, 2), (5, 0)])
def test_another_game_of_which_a_seat_remembers_the_same(number: int, seat: int | None) -> None:
    """A record made up replays to its end, the seat remembers the same, and no note tells more."""
    true, rng = record(number), random.Random(number)
    other = resample(attrs.evolve(true, notes=(Note(3, "They hold Charles."),)), seat, rng)
    assert other.notes == ()
    assert other != true
    assert remember(other, seat) == remember(true, seat)
    assert view(position_after(other), seat) == view(position_after(true), seat)


@some_games
def test_exchanging_what_is_hidden_changes_nothing(number: int) -> None:
    """If others drew the same cards at other times, the seat remembers and makes up the same."""
    true, rng, found = record(number, 160), random.Random(number), 0
    memory, now = remember(true, 0), view(position_after(true), 0)
    while found < 2:
        other = exchanged(true, game(number).moves[:160], rng)
        try:
            theirs = remember(other, 0)
        except RecordError:
            continue
        if theirs.events != memory.events:
            continue
        found += 1
        assert theirs == memory
        assert theirs.information_state(now) == memory.information_state(now)
        assert resample(other, 0, random.Random(1)) == resample(true, 0, random.Random(1))
        one, two = (determinize(now, random.Random(1), each) for each in (memory, theirs))
        assert one == two


def exchanged(record: Record, moves: tuple[PlaythroughMove, ...], rng: random.Random) -> Record:
    """Return a record in which one of the others draws two cards in the other order."""
    owner = rng.randrange(1, record.players)
    places = [
        place
        for place, move in enumerate(moves)
        if any(isinstance(each, CardDrawn) and each.seat == owner for each in move.events)
    ]
    one, other = rng.sample(places, 2)
    actions = list(record.actions)
    actions[one], actions[other] = actions[other], actions[one]
    return attrs.evolve(record, actions=actions)


# Information states


@pytest.mark.parametrize("number", [0, 4])
def test_information_states_never_forget(number: int) -> None:
    """Of one game all differ, are equal to themselves, and a later one begins with the earlier."""
    found: list[InformationState] = []
    for turn, (memory, state) in enumerate(heard(game(number), 0)):
        if turn % 3 == 0 and not is_chance(state):
            found.append(memory.information_state(view(state, 0)))
            assert found[-1] == memory.information_state(view(state, 0))
    assert len(set(found)) == len({each.digest for each in found}) == len(found)
    for earlier, later in pairwise(found):
        assert earlier != later
        assert earlier.start == later.start
        assert later.events[: len(earlier.events)] == earlier.events


@some_games
def test_different_moves_are_told_apart(number: int) -> None:
    """Whatever may be done, everybody learns which of it was; only draws of others look alike."""
    for move in game(number).moves[::5]:
        state = move.before
        told = set()
        for action in legal_actions(state):
            step = transition(state, action)
            told.add((tuple(redact(each, None) for each in step.events), step.state.agenda))
        assert len(told) == (
            1 if isinstance(state.prompt, DrawPrompt) else len(legal_actions(state))
        )


@games
def test_what_no_event_tells_comes_out_later(number: int) -> None:
    """Only the choice of a site is silent, and the payment tells for which it was."""
    moves = game(number).moves
    for move, following in pairwise(moves):
        if not move.events:
            assert isinstance(move.before.prompt, SitePrompt)
            assert isinstance(move.action, Build | Upgrade)
            sites = {e.site for e in following.events if isinstance(e, Built | Upgraded)}
            assert sites == {move.action.site}


def test_equal_knowledge_by_different_ways_is_told_apart() -> None:
    """Whoever drew two cards in another order knows as much, and has seen something else."""
    start, rng = game(0).start, random.Random(0)
    while not isinstance(start.prompt, DrawPrompt):
        start = apply(start, sample_chance(start, rng))
    ends = []
    for order in ((Character.MAID, Character.BUILDER), (Character.BUILDER, Character.MAID)):
        memory, state = Memory(0), start
        memory.begin(view(start, 0))
        for character in order:
            step = transition(state, DrawCard(character))
            state = step.state
            for event in step.events:
                memory.see(event)
        ends.append((memory.belief(0), memory.belief(1), memory.information_state(view(state, 0))))
    assert ends[0][:2] == ends[1][:2]
    assert ends[0][2] != ends[1][2]


def test_a_digest_tells_of_a_site_chosen_and_not_yet_paid_for() -> None:
    """No event tells which site was chosen; what remains to be done does, to everybody."""
    memory, start = next(
        (memory, state)
        for memory, state in heard(game(0), 0)
        if isinstance(state.prompt, SitePrompt) and len(legal_actions(state)) > 2
    )
    chosen = [action for action in legal_actions(start) if isinstance(action, Build | Upgrade)]
    found = [memory.information_state(view(apply(start, action), 0)) for action in chosen]
    assert len({each.events for each in found}) == 1
    assert len({each.digest for each in found}) == len(chosen) > 1


def test_a_digest_tells_card_sets_of_one_name_apart() -> None:
    """Two games with other cards are other games, whatever the cards are called."""
    digests = set()
    for cards in (GENERATED, attrs.evolve(GENERATED, barrels=Goods(wood=25))):
        memory = Memory(0)
        start = view(new_game(2, cards=cards), 0)
        memory.begin(start)
        digests.add(memory.information_state(start).digest)
    assert len(digests) == 2
