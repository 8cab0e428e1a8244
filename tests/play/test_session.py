"""Tests of `Session`: chance, undo, observers, saving and threads."""

import copy
import pickle
import random
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any
from unittest.mock import Mock

import attrs
import pytest

import valletta_rules as vr
from tests.positions import position, seat
from valletta_rules.bots.automatic import choose
from valletta_rules.play import driver
from valletta_rules.views.forced_actions import public_answer

DRAFT = ("draft gold", "draft wood")


def play_some(session: vr.Session, moves: int, seed: int = 0) -> vr.GameState:
    """Make up to `moves` random choices in a session, and return the resulting position."""
    rng = random.Random(seed)
    for _ in range(moves):
        if session.prompt is None:
            break
        session.play(choose(session.state, rng))
    return session.state


# Playing


def test_a_session_reaches_the_same_positions_as_a_loop_of_engine_calls() -> None:
    """The loop calls `apply` and `resolve_chance` with a generator that has the same seed."""
    session, rng = vr.Session(3, rules=vr.Z_MAN, seed=7), random.Random(7)
    state = vr.resolve_chance(vr.new_game(3, rules=vr.Z_MAN), rng)
    chooser = random.Random(1)
    for _ in range(60):
        assert session.state == state
        action = choose(state, chooser)
        session.play(action)
        state = vr.resolve_chance(vr.apply(state, action), rng)


def test_play_accepts_an_action_or_its_text() -> None:
    """`play` returns the transitions of the move and of the automatic moves that follow it."""
    session = vr.Session(("Anna", "Ben"), seed=1)
    assert session.prompt == vr.DraftPrompt(1, vr.Goods(1, 1, 1, 1))
    (step,) = session.play("draft gold")
    assert step.state == session.state
    session.play(vr.legal_actions(session.state)[0])
    assert session.game.moves == len(session.transitions) == len(session.record.actions) == 32
    assert repr(session) == "<Session Anna, Ben: Hans im Glück, 32 moves>"


@pytest.mark.parametrize(
    ("move", "error"),
    [
        ("draft gld", vr.NotAMoveError),
        ("Maid", vr.IllegalActionError),
        (vr.DrawCard(vr.Character.MAID), vr.IllegalActionError),
        ("draw Maid", vr.IllegalActionError),
        (7, TypeError),
    ],
)
def test_a_refused_move_leaves_the_session_unchanged(
    move: vr.Action, error: type[Exception]
) -> None:
    """The state of the random generator is unchanged, too."""
    session = vr.Session(2, seed=1)
    before, luck = session.game, session._luck.getstate()
    with pytest.raises(error):
        session.play(move)
    assert session.game is before
    assert session._luck.getstate() == luck


def test_a_move_out_of_turn_is_refused_before_its_text_is_parsed() -> None:
    """An error in parsing could depend on the hand of the player who must answer."""
    session = vr.Session(2, seed=1)
    with pytest.raises(
        vr.NotAskedError, match="seat 0 cannot move now: seat 1 is asked"
    ) as refused:
        session.play("nonsense", seat=0)
    assert (refused.value.seat, refused.value.asked) == (0, 1)


def test_no_move_is_legal_in_a_session_after_the_end_of_the_game() -> None:
    """A further move raises an error. The session's record contains the whole game."""
    session = vr.Session(2, seed=1)
    play_some(session, 1000)
    assert vr.outcome(session.state) is not None
    assert list(vr.replay(session.record)) == list(session.transitions)
    with pytest.raises(vr.NotAskedError, match="seat 1 cannot move now: no player is asked"):
        session.play("Maid", seat=1)
    with pytest.raises(vr.IllegalActionError):
        session.play("Maid")


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"players": 5}, vr.PlayerCountError, "not 5"),
        ({"players": ["Anna"]}, vr.PlayerCountError, "not 1"),
        ({"players": ["Anna", "Anna"]}, ValueError, "no two players"),
        ({"players": "Ben"}, TypeError, "a sequence of names, not 'Ben'"),
        ({"cards": attrs.evolve(vr.new_game().cards, buildings=())}, vr.CardSetError, "buildings"),
        ({"seed": "7"}, TypeError, "a seed must be a whole number, not str"),
        ({"seed": -1}, ValueError, "^a seed must be 0 or more, not -1$"),
    ],
)
def test_a_session_with_invalid_players_cards_or_seed_is_refused(
    options: dict[str, Any], error: type[Exception], message: str
) -> None:
    """For the number of players and the cards, `new_game` raises the same errors."""
    with pytest.raises(error, match=message):
        vr.Session(**options)


# Chance


def test_sessions_without_a_seed_have_different_random_seeds() -> None:
    """A known seed would reveal future random outcomes, so the `repr` does not contain it."""
    session, other = vr.Session(), vr.Session()
    assert session.seed != other.seed
    assert vr.Session(seed=session.seed).state == session.state
    assert str(session.seed) not in repr(session)


# Undo and redo


def test_undo_and_redo_do_not_change_the_outcomes_of_chance() -> None:
    """The session is compared with one in which the same answers are given without undo.

    It is also compared with one that is resumed from the record with the same seed.
    """
    session, straight = (vr.Session(3, seed=5, skip_forced=True) for _ in range(2))
    for each in (session, straight):
        play_some(each, 20, seed=1)
    before, after = session.state, play_some(session, 9, seed=2)
    for _ in range(3):
        assert [session.undo() for _ in range(9)][-1] == before
        assert [session.redo() for _ in range(9)][-1][-1].state == after
    session.undo(to=20)
    text = vr.format_record(session.record)
    resumed = vr.Session.resume(vr.parse_record(text), seed=5, skip_forced=True)
    for each in (session, straight, resumed):
        play_some(each, 15, seed=3)
        assert vr.position_after(each.record) == each.state
    assert session.record == straight.record == resumed.record
    with pytest.raises(vr.NothingToRedoError):
        session.redo()


# Revisions


def test_a_repeated_call_for_an_old_revision_is_refused() -> None:
    """Both players can draft gold, so a repeated answer could be legal for the next prompt.

    A repeated undo or redo is refused, too.
    """
    session = vr.Session(2, seed=1)
    session.play(DRAFT[0], seat=1, revision=0)
    with pytest.raises(vr.StaleError, match="for revision 0, but the game is at revision 1"):
        session.play(DRAFT[0], seat=1, revision=0)
    for value in (True, 1.0, "1"):
        with pytest.raises(TypeError, match="a revision must be a whole number"):
            session.play(DRAFT[1], revision=value)  # type: ignore[arg-type]
    session.play(DRAFT[1], seat=0, revision=1)
    for call, kind in ((session.undo, vr.Undone), (session.redo, vr.Redone)):
        revision = session.game.revision
        call(seat=0, revision=revision)
        assert isinstance(entry := session.game.entry, kind)
        assert (entry.seat, entry.revision) == (0, revision + 1)
        with pytest.raises(vr.StaleError):
            call(seat=0, revision=revision)
        with pytest.raises(vr.SeatError):
            call(seat=2)
    session.undo()
    assert session.game.entry == vr.Undone(5, 0, 1, None)


# Copies


@pytest.mark.parametrize(
    "duplicate", [copy.copy, copy.deepcopy, lambda session: pickle.loads(pickle.dumps(session))]
)
def test_a_copied_session_is_independent_of_the_original(
    duplicate: Callable[[vr.Session], vr.Session],
) -> None:
    """The copy has its own generator, history and undone moves, but no observers."""
    session, lone = vr.Session(["Anna", "Ben"], seed=5), vr.Session(["Anna", "Ben"], seed=5)
    for each in (session, lone):
        play_some(each, 30)
        each.undo()
    received: list[vr.Transition] = []
    session.subscribe(received.append)
    twin = duplicate(session)
    assert (twin.state, twin.record, twin.seed) == (session.state, session.record, session.seed)
    assert twin.game == session.game
    for each in (twin, session, lone):
        assert each.redo()
        play_some(each, 30)
        assert each.record == twin.record
    assert received == list(session.transitions[-len(received) :])
    with ThreadPoolExecutor(2) as pool, twin._lock:
        pool.submit(session.undo).result(timeout=600)


def test_players_of_a_session_can_be_renamed() -> None:
    """The session's record contains the new names."""
    session = vr.Session(2, seed=1)
    assert session.names == ("red", "blue")
    session.rename(["Anna", "Ben"])
    assert session.names == session.record.names == ("Anna", "Ben")
    with pytest.raises(ValueError, match="no two players"):
        session.rename(["Anna", "Anna"])
    with pytest.raises(TypeError, match="names must be a sequence of names, not 'Ben'"):
        session.rename("Ben")
    session.rename(())
    assert session.names == ("red", "blue")


# Forced moves


@pytest.mark.parametrize(
    ("pile", "forced"), [([vr.Character.BUILDER], None), ([], vr.PlayCard(vr.Character.MAID))]
)
def test_playing_a_card_is_forced_only_if_all_players_know_the_hand(
    pile: list[vr.Character], forced: vr.Action | None
) -> None:
    """If other players do not know the hand, an automatic move would reveal it."""
    state = position(seat(hand=[vr.Character.MAID] * 2, draw_pile=pile), seat(), plays=1)
    assert vr.legal_actions(state) == (vr.PlayCard(vr.Character.MAID),)
    assert public_answer(state) == forced


@pytest.mark.parametrize("goods", [vr.Goods(gold=40), vr.Goods(gold=41)])
def test_a_payment_is_forced_only_for_up_to_forty_goods(goods: vr.Goods) -> None:
    """With more goods, `public_answer` does not enumerate the possible payments."""
    prompt = vr.PaymentPrompt(0, 0, vr.Goods(gold=2))
    state = position(seat(goods=goods), seat(), agenda=(prompt, vr.EndTurn(0)))
    assert vr.legal_actions(state) == (vr.Pay(vr.Goods(gold=2)),)
    assert (public_answer(state) is None) == (goods.total > 40)


# Observers


def test_an_observer_receives_every_transition_after_its_subscription() -> None:
    """An observer is also notified of undo and redo, but not after it unsubscribes."""
    session = vr.Session(2, seed=1)
    received: list[vr.Transition] = []
    rewound: list[vr.GameState] = []
    initial_moves = session.game.moves
    session.subscribe(lambda step: None)
    unsubscribe = session.subscribe(received.append, rewound=rewound.append)
    play_some(session, 30)
    assert received == list(session.transitions[initial_moves:])
    assert session.undo() == rewound[0]
    again = session.redo()
    assert received[-len(again) :] == list(again)
    assert len(received) == session.game.moves - initial_moves + len(again)
    before = len(received)
    unsubscribe()
    unsubscribe()
    play_some(session, 1)
    assert len(received) == before


@pytest.mark.parametrize("error", [KeyError, KeyboardInterrupt])
def test_an_error_in_an_observer_does_not_prevent_a_move(error: type[BaseException]) -> None:
    """The other observers are called, and then `play` raises an `ObserverError`.

    A `KeyboardInterrupt` in an observer is raised unchanged.
    """
    session, twin = vr.Session(2, seed=1), vr.Session(2, seed=1)
    received: list[vr.Transition] = []

    def fail(step: vr.Transition) -> None:
        raise error(len(step.events))

    end = session.subscribe(fail)
    session.subscribe(received.append)
    expected = vr.ObserverError if error is KeyError else error
    for text in DRAFT:
        with pytest.raises(expected) as raised:
            session.play(text)
        twin.play(text)
    if isinstance(raised.value, vr.ObserverError):
        assert [type(each) for each in raised.value.errors] == [KeyError] * len(received[1:])
        assert raised.value.__cause__ is raised.value.errors[0]
        assert str(raised.value).startswith("the move was made, but observers raised KeyError: ")
    assert session.state == twin.state
    assert received == list(session.transitions[-len(received) :])
    end()
    play_some(session, 20)
    play_some(twin, 20)
    assert session.record == twin.record


@pytest.mark.parametrize("call", [None, 7])
def test_subscribing_an_observer_that_is_not_callable_is_refused(
    call: Callable[[object], object],
) -> None:
    """Without this check, the error would not occur before the next move."""
    session = vr.Session(2, seed=1)
    with pytest.raises(TypeError, match="observers must be callable"):
        session.subscribe(call)
    if call is not None:
        with pytest.raises(TypeError, match="observers must be callable"):
            session.subscribe(print, rewound=call)
    session.play(DRAFT[0])


def test_an_observer_may_make_a_move() -> None:
    """The observers receive the transitions of both moves in the right order."""
    session = vr.Session(2, seed=1)
    received: list[vr.Transition] = []

    def answer(step: vr.Transition) -> None:
        prompt = step.state.prompt
        if step.state == session.state and prompt is not None and prompt.seat == 0:
            session.play(vr.legal_actions(step.state)[0])

    initial_moves = session.game.moves
    session.subscribe(answer)
    session.subscribe(received.append)
    session.play(DRAFT[0])
    assert session.prompt is not None
    assert session.prompt.seat == 1
    assert received == list(session.transitions[initial_moves:])


def test_an_observer_that_unsubscribes_receives_no_further_transition() -> None:
    """The observer unsubscribes in the middle of a move, before its last transition."""
    session = vr.Session(2, seed=1)
    received: list[vr.Transition] = []

    def until_chance_prompt(step: vr.Transition) -> None:
        received.append(step)
        if isinstance(step.state.prompt, vr.ChancePrompt):
            end()

    initial_moves = session.game.moves
    end = session.subscribe(until_chance_prompt)
    play_some(session, 20)
    steps = session.transitions[initial_moves:]
    is_chance = [isinstance(step.state.prompt, vr.ChancePrompt) for step in steps]
    assert received == list(steps[: is_chance.index(True) + 1])


def test_an_interrupted_move_leaves_the_session_unchanged(monkeypatch: pytest.MonkeyPatch) -> None:
    """The interruption occurs after the answer, during the random moves that follow it."""
    session, twin = vr.Session(2, seed=1), vr.Session(2, seed=1)
    rng, interrupted = random.Random(9), 0
    for _ in range(20):
        action = choose(session.state, rng)
        step = vr.transition(session.state, action)
        with monkeypatch.context() as patch, suppress(KeyboardInterrupt):
            patch.setattr(driver, "transition", Mock(side_effect=[step, KeyboardInterrupt]))
            session.play(action)
        if session.state == twin.state:
            interrupted += 1
            session.play(action)
        twin.play(action)
        assert session.record == twin.record
    assert interrupted


# Saving and resuming


def test_a_record_that_ends_at_a_chance_prompt_can_be_resumed() -> None:
    """With the original seed, the resumed session draws the same cards as the original game."""
    session = vr.Session(["Anna", "Ben"], seed=1)
    play_some(session, 20)
    record = attrs.evolve(session.record, actions=session.record.actions[:27])
    assert vr.Session.resume(record, seed=1).record.actions == session.record.actions[:30]
    assert vr.Session.resume(record).prompt == vr.DraftPrompt(1, vr.Goods(1, 1, 1, 1))
    assert vr.Session.resume(record).names == ("Anna", "Ben")


def test_a_note_stays_with_its_move_through_undo_and_redo() -> None:
    """Undoing the move removes its note, and redoing the move restores it."""
    session = vr.Session(2, seed=1)
    session.play(DRAFT[0])
    notes = [vr.Note(0, "begin"), vr.Note(0, "again"), vr.Note(31, "gold!")]
    resumed = vr.Session.resume(attrs.evolve(session.record, notes=notes), seed=1)
    assert resumed.record.notes == tuple(notes)
    resumed.undo()
    assert resumed.record.notes == tuple(notes[:2])
    resumed.redo()
    assert resumed.record.notes == tuple(notes)
    assert vr.Session.resume(vr.Record(2, notes=notes[:1])).record.notes == (notes[0],)


def test_a_session_resumed_from_a_log_continues_the_revision_numbers() -> None:
    """An answer for an older revision, from before the restart, is therefore refused."""
    first = vr.Session(2, seed=1)
    play_some(first, 6)
    first.undo()
    log = [vr.to_json(entry) for entry in first.game.log]
    resumed = vr.Session.resume(vr.Game.replay(log), seed=1)
    assert resumed.game == first.game
    with pytest.raises(vr.StaleError):
        resumed.play(vr.legal_actions(resumed.state)[0], revision=6)
    for each in (first, resumed):
        each.redo(revision=7)
        play_some(each, 10)
    assert resumed.game == first.game
    assert vr.Session.resume(first.record).game.revision == 16
    with pytest.raises(TypeError, match="a record"):
        vr.Session.resume(log)  # type: ignore[arg-type]


def test_a_resumed_session_makes_the_forced_moves_that_a_record_lacks() -> None:
    """The session is resumed with `skip_forced` from a record that ends at a forced prompt."""
    whole, chooser = vr.Session(2, seed=1, skip_forced=True), random.Random(1)
    while whole.prompt is not None:
        whole.play(choose(whole.state, chooser))
    actions, forced = whole.record.actions, 0
    for moves, step in enumerate(whole.transitions[:-1], 1):
        record = attrs.evolve(whole.record, actions=actions[:moves])
        before = vr.Session.resume(record, seed=1)
        after = vr.Session.resume(record, seed=1, skip_forced=True)
        if not isinstance(step.state.prompt, vr.ChancePrompt) and after.game.moves > moves:
            forced += 1
            assert before.game.moves == moves
            assert after.game.revision <= before.game.revision
    assert forced


# Threads


def test_other_threads_never_read_a_session_in_the_middle_of_a_move() -> None:
    """Three threads read the session while another thread plays."""
    session, done = vr.Session(2, seed=1), threading.Event()

    def read() -> None:
        while not done.is_set():
            record, state, steps = session.record, session.state, session.transitions
            for current in (state, steps[-1].state, vr.position_after(record)):
                assert not isinstance(current.prompt, vr.ChancePrompt)
            str(session)

    rng = random.Random(0)
    with ThreadPoolExecutor(3) as pool:
        readers = [pool.submit(read) for _ in range(3)]
        for _ in range(12):
            session.play(choose(session.state, rng))
            session.undo()
            session.redo()
        done.set()
        for reader in readers:
            reader.result()


def test_only_one_of_several_concurrent_answers_succeeds() -> None:
    """Eight threads try to draft the same good."""
    session, barrier = vr.Session(2, seed=1), threading.Barrier(8)

    def draft(_: int) -> bool:
        barrier.wait()
        with suppress(vr.NotAskedError):
            return bool(session.play(DRAFT[0], seat=1))
        return False

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(draft, range(8))) == 1
    assert session.state.players[1].goods[vr.Good.GOLD] == 2
