"""Games in a batch equal the engine's games, number by number; wrong numbers change nothing."""

import os
import signal
import subprocess
import sys
import threading
from array import array
from collections.abc import Callable, Iterator
from itertools import count
from typing import Any, Literal

import pytest

import valletta_rules as vr
from tests.positions import EDITIONS
from valletta_rules import native
from valletta_rules.agenda import BarrelPrompt, ChancePrompt, MonkPrompt, PaymentPrompt, Step
from valletta_rules.numeric.encoding import columns
from valletta_rules.numeric.numbering import COUNT, NUMBERS, action_of, legal_mask, numbers_of
from valletta_rules.specification.worked_examples import position_of

pytestmark = pytest.mark.usefixtures("backend")

ALL = 2**64 - 1


class SplitMix:
    """The random numbers of a batch, generated as documented."""

    def __init__(self, seed: int, number: int = 0) -> None:
        """Begin with the first number of a game from a seed."""
        self.key = self.mixed((self.mixed(seed) + number) & ALL)
        self.counts = count(1)

    @staticmethod
    def mixed(bits: int) -> int:
        """Mix the bits of a number."""
        bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9 & ALL
        bits = (bits ^ bits >> 27) * 0x94D049BB133111EB & ALL
        return bits ^ bits >> 31

    def randrange(self, stop: int, /) -> int:
        """Return a number below a limit."""
        for drawn in self.counts:
            bits = self.mixed((self.key + drawn * 0x9E3779B97F4A7C15) & ALL)
            if bits >= 2**64 % stop:
                return bits % stop
        raise AssertionError


def a_batch(games: int, players: int = 2, **options: Any) -> native.Batch:
    """Return a batch of new games."""
    return native.Batch(native.pack(vr.new_game(players)), games, **options)


def results(batch: native.Batch) -> list[Any]:
    """Return all results of a batch."""
    tells: tuple[Callable[[], Any], ...] = (
        batch.legal_mask,
        batch.to_play,
        batch.done,
        batch.rewards,
        batch.scores,
    )
    return [tell().tobytes() for tell in tells]


def played(seed: int, steps: int, **options: Any) -> Iterator[native.Batch]:
    """Play a batch at random, and yield it after each step."""
    batch = a_batch(5, **options)
    for _ in range(steps):
        batch.step(batch.sample(seed))
        yield batch


# The same games


class Replayed:
    """A game of a batch in the engine, with the parts of a payment given so far."""

    def __init__(self, state: vr.GameState, chance: SplitMix | None) -> None:
        """Begin in a position, with numbers for chance if chance is inside."""
        self.state, self.chance, self.begun = state, chance, list[int]()
        self.let_chance_answer()

    def let_chance_answer(self) -> None:
        """Answer for chance, if chance is inside."""
        if self.chance is not None:
            self.state = vr.resolve_chance(self.state, self.chance)

    def step(self, number: int) -> None:
        """Answer by a number."""
        self.begun.append(number)
        if (action := action_of(self.begun, self.state.cards)) is not None:
            self.state, self.begun = vr.apply(self.state, action), []
            self.let_chance_answer()

    def seat(self) -> int:
        """Return the seat to move, encoded as in a batch."""
        prompt = self.state.prompt
        if prompt is None:
            return native.Batch.NOBODY
        return native.Batch.CHANCE if isinstance(prompt, ChancePrompt) else prompt.seat

    def seen(self, seat: int) -> list[int]:
        """Return the array of a seat's view, or of a spectator's if no player must decide."""
        viewer = None if seat < 0 else seat
        begun = self.begun if viewer == self.seat() else ()
        return [*native.encode(native.pack(self.state), viewer, begun)]


@pytest.mark.parametrize("chance", ["inside", "outside"])
@pytest.mark.parametrize("rules", [*EDITIONS, vr.RuleSet("Mine", effects=vr.Effects.OPTIONAL)])
def test_games_equal_those_of_the_engine(
    rules: vr.RuleSet, chance: Literal["inside", "outside"]
) -> None:
    """Masks, views and results equal the engine's at every step, also within payments."""
    payments = 0
    for players in (2, 3, 4):
        start = vr.new_game(players, rules=rules)
        batch = native.Batch(native.pack(start), 2, chance=chance)
        seeds = array("Q", [ALL, players])
        batch.reset(seeds)
        inside = chance == "inside"
        games = [Replayed(start, SplitMix(seed) if inside else None) for seed in seeds]
        while not all(batch.done().tolist()):
            masks, views = batch.legal_mask().tolist(), batch.observe(seats="all").tolist()
            assert batch.to_play().tolist() == [game.seat() for game in games]
            assert batch.observe().tolist() == [game.seen(game.seat()) for game in games]
            for game, mask, seen in zip(games, masks, views, strict=True):
                assert bytes(mask) == legal_mask(game.state, game.begun)
                assert seen == [game.seen(seat) for seat in range(players)]
            ids = batch.sample(3)
            batch.step(ids)
            for game, number in zip(games, ids, strict=True):
                if number != batch.NONE:
                    payments += number in NUMBERS[vr.Pay]
                    game.step(number)
        for place, game in enumerate(games):
            assert native.pack(game.state) == batch.position(place) == batch.last_position(place)
            end = vr.outcome(game.state)
            assert end is not None
            assert batch.scores().tolist()[place] == [score.total for score in end.scores]
            share = [(seat in end.winners) / len(end.winners) for seat in range(players)]
            assert batch.rewards().tolist()[place] == pytest.approx(share)
            assert batch.to_play()[place] == batch.NOBODY
            assert not any(batch.legal_mask().tolist()[place])
    assert payments > 100


def test_the_number_of_threads_does_not_matter() -> None:
    """Every game has its own random numbers, and new ones when it restarts."""
    shared = (played(1, 900, restart=True, threads=threads) for threads in (2, 3, 8))
    ends = 0
    for one, *others in zip(played(1, 900, restart=True), *shared, strict=True):
        assert [results(other) for other in others] == [results(one)] * 3
        ends += sum(one.done())
    assert ends > 5


FORK = """
import os
from valletta_rules import native, new_game

def played(batch, steps):
    for _ in range(steps):
        batch.step(batch.sample(3))
    return batch.observe(seats="all").tobytes()

start = native.pack(new_game(3))
batch, expected = native.Batch(start, 40, threads=3), played(native.Batch(start, 40), 60)
played(batch, 30)
child = os.fork()
if not child:
    equal = played(batch, 30) == expected
    del batch
    os._exit(not equal)
assert played(batch, 30) == expected
assert os.waitpid(child, 0)[1] == 0
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes cannot be forked here")
def test_a_forked_process_has_its_own_threads() -> None:
    """Parent and child continue the games, and end their threads."""
    subprocess.run([sys.executable, "-W", "ignore", "-c", FORK], check=True, timeout=600)


def test_some_games_can_be_reset_alone() -> None:
    """The selected games are new games of their seeds; the others stay as they are."""
    assert a_batch(4).position(3) == native.pack(vr.resolve_chance(vr.new_game(2), SplitMix(3)))
    for restart in (False, True):
        batch = a_batch(3, restart=restart)
        while not batch.done()[1]:
            batch.step(batch.sample(7))
        before, scores = batch.position(2), batch.scores().tolist()
        batch.reset(array("Q", [7, 8, 9]), bytes([1, 0, 0]))
        assert batch.position(0) == native.pack(vr.resolve_chance(vr.new_game(2), SplitMix(7)))
        assert batch.position(2) == before
        assert batch.scores().tolist() == scores
        assert vr.outcome(batch.last_position(1))
        batch.reset(array("Q", [7, 8, 9]), array("B", [0, 1, 0]))
        assert batch.position(1) == native.pack(vr.resolve_chance(vr.new_game(2), SplitMix(8)))
        assert not batch.done()[1]
        with pytest.raises(ValueError, match="no game was over"):
            batch.last_position(1)


# From call to call


def test_a_game_that_is_over_stays_so() -> None:
    """It accepts `NONE` only, and keeps its results."""
    batch = a_batch(2)
    with pytest.raises(ValueError, match="no game was over"):
        batch.last_position(0)
    while not all(batch.done().tolist()):
        batch.step(batch.sample(5))
    before = results(batch)
    assert any(any(line) for line in batch.rewards().tolist())
    assert list(batch.sample(5)) == [batch.NONE] * 2
    batch.step(batch.sample(5))
    assert results(batch) == before
    with pytest.raises(ValueError, match="game 1 does not accept 331"):
        batch.step(array("q", [batch.NONE, 331]))
    batch.reset(array("Q", [0, 1]))
    assert results(batch) == results(a_batch(2))


def test_a_game_restarts_in_the_call_in_which_it_is_over() -> None:
    """Its result is available for one step, its last position stays, and no number is ignored."""
    batch = a_batch(1, restart=True)
    for number in (1, 2):
        state = vr.resolve_chance(vr.new_game(2), SplitMix(0, number))
        while not batch.done()[0]:
            assert batch.rewards().tolist() == [[0, 0]]
            batch.step(batch.sample(6))
        assert batch.position(0) == native.pack(state)
        assert bytes(batch.legal_mask().cast("B")) == legal_mask(state)
        end = vr.outcome(batch.last_position(0))
        assert end is not None
        assert batch.scores().tolist() == [[score.total for score in end.scores]]
        assert sum(batch.rewards().tolist()[0]) == 1
        with pytest.raises(ValueError, match="does not accept -1"):
            batch.step(array("q", [batch.NONE]))
        batch.step(batch.sample(6))
        assert not batch.done()[0]
        assert batch.scores().tolist() == [[0, 0]]
    batch.reset(array("Q", [0]))
    with pytest.raises(ValueError, match="no game was over"):
        batch.last_position(0)


def test_games_may_begin_anywhere() -> None:
    """They may also begin at a chance prompt, or when the game is over."""
    *_, batch = played(7, 900)
    over = batch.position(0)
    done = native.Batch(over, 1, restart=True)
    assert done.done().tolist() == [1]
    assert done.scores().tolist() == [batch.scores().tolist()[0]]
    done.step(array("q", [done.NONE]))
    assert done.last_position(0) == over


# One call for all


def shown(batch: native.Batch) -> list[bytes]:
    """Return the results of `advance` of a batch, by a separate call for each."""
    told = (batch.observe(), batch.legal_mask(), batch.rewards(), batch.done())
    return [each.tobytes() for each in told]


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("chance", ["inside", "outside"])
def test_advance_returns_the_results_of_the_single_calls(
    players: int, chance: Literal["inside", "outside"]
) -> None:
    """This holds at every step, through restarts, after `step`, and in threads."""
    options: dict[str, Any] = {"chance": chance, "restart": True}
    one, other = (a_batch(7, players, threads=threads, **options) for threads in (1, 2))
    ends, first = 0, one.advance(one.sample(1))
    other.step(other.sample(1))
    for step in range(900):
        assert [each.tobytes() for each in first] == shown(other)
        if step % 100 == 50:
            seeds, wanted = array("Q", range(step, step + 7)), bytes([0, 1, 1, 0, 0, 0, 1])
            one.reset(seeds, wanted)
            other.reset(seeds, wanted)
        if step % 100 == 70:
            one.step(one.sample(4))
            other.step(other.sample(4))
        assert one.advance(one.sample(step)) is first
        other.step(other.sample(step))
        ends += sum(first.done)
    assert ends
    assert all(each.readonly for each in first)
    assert first.observations.shape == (7, len(columns(players)))
    assert first.masks.shape == (7, COUNT)


def test_advance_from_the_middle_of_a_game() -> None:
    """A game that starts again has the display of the last one, without owners of its houses."""
    *_, before = played(7, 120)
    one, other = (native.Batch(before.position(0), 3, restart=True) for _ in range(2))
    for step in range(500):
        ids = one.sample(step)
        told = one.advance(ids)
        other.step(ids)
        assert [each.tobytes() for each in told] == shown(other)


def test_advance_refuses_what_step_refuses() -> None:
    """Then no array changes; a game that exceeds a row shows zeros, as in `observe`."""
    batch = a_batch(2)
    told = batch.advance(batch.sample(1))
    before = [each.tobytes() for each in told]
    with pytest.raises(ValueError, match="game 1 does not accept 331"):
        batch.advance(array("q", [batch.sample(1)[0], 331]))
    with pytest.raises(ValueError, match="contiguous"):
        batch.advance(array("q", [1]))
    assert [each.tobytes() for each in told] == before
    native_batch, size = batch._batch, len(batch._arrays()[0])
    for into in (bytearray(size - 1), memoryview(bytearray(size + 1))[1:]):
        with pytest.raises(ValueError, match=r"bytes are needed|not aligned"):
            native_batch.advance(batch.sample(1), into)
    hand = {"hand": "shopkeeper, lumberjack", "goods": "65000g"}
    state = position_of({"red": hand, "blue": {"hand": "maid"}})
    full = native.Batch(native.pack(state), 1)
    number, *_ = numbers_of(vr.PlayCard(vr.Character.SHOPKEEPER), state.cards)
    with pytest.raises(OverflowError, match="game 0"):
        full.advance(array("q", [number]))
    told = full.advance(array("q", [full.NONE]))
    assert [each.tobytes() for each in told] == shown(full)
    assert not any(told.observations.cast("B").cast("h"))


# Wrong numbers and full rows


def test_an_illegal_number_changes_nothing() -> None:
    """Neither its game nor those before and after it change."""
    for batch in played(8, 400, threads=2):
        before = results(batch), [batch.position(game) for game in range(5)]
        right = list(batch.sample(1))
        masks = batch.legal_mask().tolist()
        for wrong in (-2, COUNT, 2**40, -(2**63), masks[3].index(0)):
            ids = array("q", [*right[:3], wrong, *right[4:]])
            with pytest.raises(ValueError, match=f"game 3 does not accept {wrong}$"):
                batch.step(ids)
        assert (results(batch), [batch.position(game) for game in range(5)]) == before


def test_results_are_written_into_a_given_buffer() -> None:
    """A program can reuse the buffer."""
    batch, packed, width = a_batch(3), native.pack(vr.new_game(2)), len(columns(2))
    tells: list[tuple[Callable[..., Any], Literal["b", "h", "?"], tuple[int, ...]]] = [
        (batch.to_play, "b", (3,)),
        (batch.legal_mask, "?", (3, COUNT)),
        (batch.observe, "h", (3, width)),
        (lambda *into: native.encode(packed, 1, (), *into), "h", (width,)),
    ]
    for tell, kind, shape in tells:
        expected = memoryview(tell()).tobytes()
        into = memoryview(bytearray(b"\1" * len(expected))).cast(kind, shape)
        assert tell(into) is into
        assert into.tobytes() == expected


def test_a_game_that_a_row_cannot_hold_stops() -> None:
    """The others continue; that one accepts only `NONE`, shows nothing, and has no winner."""
    hand = {"hand": "shopkeeper, lumberjack", "goods": "65000g"}
    state = position_of({"red": hand, "blue": {"hand": "maid"}})
    batch = native.Batch(native.pack(state), 2)
    number, *_ = numbers_of(vr.PlayCard(vr.Character.SHOPKEEPER), state.cards)
    other, *_ = numbers_of(vr.PlayCard(vr.Character.LUMBERJACK), state.cards)
    assert all(map(any, batch.observe().tolist()))
    with pytest.raises(OverflowError, match="game 1"):
        batch.step(array("q", [other, number]))
    assert batch.position(0) == native.pack(vr.apply(state, vr.PlayCard(vr.Character.LUMBERJACK)))
    with pytest.raises(OverflowError, match="game 1"):
        batch.position(1)
    assert batch.to_play().tolist() == [0, batch.NOBODY]
    assert batch.done().tolist() == [0, 0]
    for told in (batch.legal_mask(), batch.observe()):
        assert [any(each) for each in told.tolist()] == [True, False]
    first = batch.sample(1)[0]
    with pytest.raises(ValueError, match="game 1 does not accept"):
        batch.step(array("q", [first, number]))
    with pytest.raises(OverflowError, match="game 0"):
        batch.step(array("q", [number, batch.NONE]))
    batch.step(array("q", [batch.NONE] * 2))


# Random numbers inside


def test_a_sample_is_drawn_from_the_mask() -> None:
    """Each number is equally likely; it depends on seed, place and count, not on threads."""
    for answers, batch in enumerate(played(3, 40), 1):
        masks = batch.legal_mask().tolist()
        for seed in (0, 7, ALL):
            for place, (mask, number) in enumerate(zip(masks, batch.sample(seed), strict=True)):
                legal = [each for each, allowed in enumerate(mask) if allowed]
                numbers = SplitMix(seed, -1 - place)
                numbers.counts = count(answers + 1)
                assert number == legal[numbers.randrange(len(legal))]
    assert list(a_batch(50, threads=3).sample(ALL)) == list(a_batch(50).sample(ALL))
    of_numpy = memoryview(bytearray(8 * 50)).cast("l")
    assert list(a_batch(50).sample(ALL, of_numpy)) == list(a_batch(50).sample(ALL))


@pytest.mark.parametrize("rules", EDITIONS)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_rollouts_are_games_of_random_players(rules: vr.RuleSet, players: int) -> None:
    """With the same numbers, the engine gets the same results, decision by decision."""
    start = vr.new_game(players, rules=rules)
    told = native.rollouts(native.pack(start), 3, seed=5, threads=2)
    decisions, shares, points = 0, [0.0] * players, [list[int]() for _ in range(players)]
    for number in range(3):
        numbers = SplitMix(5, number)
        state = vr.resolve_chance(start, numbers)
        while state.prompt is not None:
            legal = vr.legal_actions(state)
            state = vr.resolve_chance(
                vr.apply(state, legal[numbers.randrange(len(legal))]), numbers
            )
            decisions += 1
        end = vr.outcome(state)
        assert end is not None
        for seat, score in enumerate(end.scores):
            points[seat].append(score.total)
            shares[seat] += (seat in end.winners) / len(end.winners)
    assert told == native.Rollouts(
        3, 0, decisions, tuple(shares), tuple(map(sum, points)),
        tuple(sum(each**2 for each in seat) for seat in points),
    )  # fmt: skip


def test_a_game_that_cannot_go_on_is_unfinished() -> None:
    """If no action is legal, or chance has no answer, the game counts only as unfinished."""
    state = position_of({"red": {"hand": "maid"}, "blue": {"hand": "maid"}})
    cheap = vr.Goods(gold=1)
    stuck: tuple[tuple[Step, ...], ...] = (
        (PaymentPrompt(0, 7, cheap),),
        (MonkPrompt(0, 1),),
        (BarrelPrompt(0),),
    )
    for agenda in stuck:
        impossible = native.pack(state.replace(agenda=agenda, barrels=vr.Goods()))
        told = native.rollouts(impossible, 5, 1)
        assert impossible.legal_mask(()) is None or isinstance(impossible.prompt, BarrelPrompt)
        assert (told.games, told.unfinished, told.decisions) == (5, 5, 0)
        assert not any((*told.shares, *told.points, *told.squares))


def test_impossible_rollouts() -> None:
    """Wrong arguments are refused; a game that a row cannot hold counts as unfinished."""
    start = native.pack(vr.new_game(2))
    for games, seed, threads in ((0, 1, 1), (1, -1, 1), (1, 2**64, 1), (1, 1, 0), (1, 1, 257)):
        with pytest.raises(ValueError, match=r"at least one game|a seed is|threads"):
            native.rollouts(start, games, seed, threads=threads)
    with pytest.raises(TypeError):
        native.rollouts(vr.new_game(2), 1, 1)  # type: ignore[arg-type]
    hand = {"hand": "shopkeeper", "goods": "65000g"}
    full = native.pack(position_of({"red": hand, "blue": {"hand": "maid"}}))
    told = native.rollouts(full, 20, 1)
    assert 0 < told.unfinished <= told.games == 20


def test_rollouts_can_be_interrupted() -> None:
    """Ctrl-C interrupts them, for any number of games."""
    start = native.pack(vr.new_game(2))
    before = signal.signal(signal.SIGVTALRM, signal.default_int_handler)
    signal.setitimer(signal.ITIMER_VIRTUAL, 0.05)
    try:
        with pytest.raises(KeyboardInterrupt):
            native.rollouts(start, 2**62, 1)
    finally:
        signal.signal(signal.SIGVTALRM, before)


def test_concurrent_rollouts_have_their_own_threads() -> None:
    """The pool serves one call at a time; the results are the same."""
    start, found = native.pack(vr.new_game(2)), list[native.Rollouts]()
    many = threading.Thread(
        target=lambda: found.append(native.rollouts(start, 3_000, 1, threads=2))
    )
    many.start()
    few = [native.rollouts(start, 40, 2, threads=2) for _ in range(5)]
    many.join()
    assert few == [native.rollouts(start, 40, 2)] * 5
    assert found == [native.rollouts(start, 3_000, 1)]


def test_a_batch_can_be_used_by_only_one_thread_at_a_time() -> None:
    """The second thread is refused, and changes no game."""
    batch, refused = a_batch(3_000, 4), []
    seeds = array("Q", range(3_000))
    going = True

    def disturb() -> None:
        while going:
            try:
                batch.to_play()
            except RuntimeError as reason:
                refused.append(str(reason))

    other = threading.Thread(target=disturb)
    other.start()
    try:
        for _ in range(200):
            batch.reset(seeds)
            if refused:
                break
    finally:
        going = False
        other.join()
    assert set(refused) == {"another thread is at work on this batch"}
    assert results(batch) == results(a_batch(3_000, 4))
