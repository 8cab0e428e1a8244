"""Games in a batch equal games of the engine at each step; illegal action numbers change
nothing.
"""

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
    """The random number generator of a batch, implemented from its documentation."""

    def __init__(self, seed: int, number: int = 0) -> None:
        """Start the random number stream of the game with index `number`, for the given seed."""
        self.key = self.mixed((self.mixed(seed) + number) & ALL)
        self.counts = count(1)

    @staticmethod
    def mixed(bits: int) -> int:
        """Apply the mixing function of SplitMix64 to `bits`."""
        bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9 & ALL
        bits = (bits ^ bits >> 27) * 0x94D049BB133111EB & ALL
        return bits ^ bits >> 31

    def randrange(self, stop: int, /) -> int:
        """Return a random number from 0 to `stop` - 1."""
        for drawn in self.counts:
            bits = self.mixed((self.key + drawn * 0x9E3779B97F4A7C15) & ALL)
            if bits >= 2**64 % stop:
                return bits % stop
        raise AssertionError


def a_batch(games: int, players: int = 2, **options: Any) -> native.Batch:
    """Return a batch in which all games are new."""
    return native.Batch(native.pack(vr.new_game(players)), games, **options)


def results(batch: native.Batch) -> list[Any]:
    """Return a batch's masks, seats, flags, rewards and scores as bytes."""
    methods: tuple[Callable[[], Any], ...] = (
        batch.legal_mask,
        batch.to_play,
        batch.done,
        batch.rewards,
        batch.scores,
    )
    return [method().tobytes() for method in methods]


def played(seed: int, steps: int, **options: Any) -> Iterator[native.Batch]:
    """Play five games in a batch with random actions, and yield the batch after each step."""
    batch = a_batch(5, **options)
    for _ in range(steps):
        batch.step(batch.sample(seed))
        yield batch


# Comparison with the engine


class Replayed:
    """A game from a batch, replayed in the engine, with the parts of an unfinished payment."""

    def __init__(self, state: vr.GameState, chance: SplitMix | None) -> None:
        """Start in the position `state`.

        `chance` is the generator for random events if the batch resolves them, or else `None`.
        """
        self.state, self.chance, self.begun = state, chance, list[int]()
        self.let_chance_answer()

    def let_chance_answer(self) -> None:
        """Resolve pending random events, such as drawing cards, if the batch does so itself."""
        if self.chance is not None:
            self.state = vr.resolve_chance(self.state, self.chance)

    def step(self, number: int) -> None:
        """Apply an action number; a payment takes several of them."""
        self.begun.append(number)
        if (action := action_of(self.begun, self.state.cards)) is not None:
            self.state, self.begun = vr.apply(self.state, action), []
            self.let_chance_answer()

    def seat(self) -> int:
        """Return the seat that must decide, encoded as a batch encodes it."""
        prompt = self.state.prompt
        if prompt is None:
            return native.Batch.NOBODY
        return native.Batch.CHANCE if isinstance(prompt, ChancePrompt) else prompt.seat

    def encode_view(self, seat: int) -> list[int]:
        """Return a view as an array: for a seat, or for a spectator if `seat` is negative."""
        viewer = None if seat < 0 else seat
        begun = self.begun if viewer == self.seat() else ()
        return [*native.encode(native.pack(self.state), viewer, begun)]


@pytest.mark.parametrize("chance", ["inside", "outside"])
@pytest.mark.parametrize("rules", [*EDITIONS, vr.RuleSet("Mine", effects=vr.Effects.OPTIONAL)])
def test_batch_games_equal_games_of_the_engine_at_every_step(
    rules: vr.RuleSet, chance: Literal["inside", "outside"]
) -> None:
    """Legal-action masks, views and results are equal, even in the middle of a payment."""
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
            assert batch.observe().tolist() == [game.encode_view(game.seat()) for game in games]
            for game, mask, encoded in zip(games, masks, views, strict=True):
                assert bytes(mask) == legal_mask(game.state, game.begun)
                assert encoded == [game.encode_view(seat) for seat in range(players)]
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


def test_the_games_of_a_batch_do_not_depend_on_the_number_of_threads() -> None:
    """Each game has its own random number stream, and a new one after each restart."""
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


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this platform cannot fork processes")
def test_a_batch_continues_correctly_in_a_forked_process() -> None:
    """The parent and the child process continue the same games, each process with its own
    threads.
    """
    subprocess.run([sys.executable, "-W", "ignore", "-c", FORK], check=True, timeout=600)


def test_resetting_some_games_of_a_batch_leaves_the_others_unchanged() -> None:
    """Only the selected games start again, with their new seeds."""
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
        with pytest.raises(ValueError, match="has not ended yet"):
            batch.last_position(1)


# Ends and restarts


def test_a_game_that_is_over_accepts_only_the_number_none_and_keeps_its_results() -> None:
    """`NONE` means that no action is taken. Only a reset starts a new game."""
    batch = a_batch(2)
    with pytest.raises(ValueError, match="has not ended yet"):
        batch.last_position(0)
    while not all(batch.done().tolist()):
        batch.step(batch.sample(5))
    before = results(batch)
    assert any(any(line) for line in batch.rewards().tolist())
    assert list(batch.sample(5)) == [batch.NONE] * 2
    batch.step(batch.sample(5))
    assert results(batch) == before
    with pytest.raises(ValueError, match="331 is not a legal number in game 1"):
        batch.step(array("q", [batch.NONE, 331]))
    batch.reset(array("Q", [0, 1]))
    assert results(batch) == results(a_batch(2))


def test_with_restart_a_game_starts_again_in_the_step_in_which_it_ends() -> None:
    """The scores and rewards of the finished game remain available until the next step.

    The final position remains available even longer.
    """
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
        with pytest.raises(ValueError, match="-1 is not a legal number"):
            batch.step(array("q", [batch.NONE]))
        batch.step(batch.sample(6))
        assert not batch.done()[0]
        assert batch.scores().tolist() == [[0, 0]]
    batch.reset(array("Q", [0]))
    with pytest.raises(ValueError, match="has not ended yet"):
        batch.last_position(0)


def test_a_batch_can_start_in_any_position() -> None:
    """Examples are a position in which chance must decide, and the end of a game."""
    *_, batch = played(7, 900)
    over = batch.position(0)
    done = native.Batch(over, 1, restart=True)
    assert done.done().tolist() == [1]
    assert done.scores().tolist() == [batch.scores().tolist()[0]]
    done.step(array("q", [done.NONE]))
    assert done.last_position(0) == over


# `advance`


def separate_results(batch: native.Batch) -> list[bytes]:
    """Return the arrays that `advance` would return, each computed by a separate method call."""
    arrays = (batch.observe(), batch.legal_mask(), batch.rewards(), batch.done())
    return [each.tobytes() for each in arrays]


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("chance", ["inside", "outside"])
def test_advance_equals_observe_legal_mask_rewards_and_done_called_separately(
    players: int, chance: Literal["inside", "outside"]
) -> None:
    """The results are equal at every step, including after restarts, resets and `step`."""
    options: dict[str, Any] = {"chance": chance, "restart": True}
    one, other = (a_batch(7, players, threads=threads, **options) for threads in (1, 2))
    ends, first = 0, one.advance(one.sample(1))
    other.step(other.sample(1))
    for step in range(900):
        assert [each.tobytes() for each in first] == separate_results(other)
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


def test_advance_from_the_middle_of_a_game_returns_the_results_of_the_separate_methods() -> None:
    """The games start in a position with houses, and restart in the same position."""
    *_, before = played(7, 120)
    one, other = (native.Batch(before.position(0), 3, restart=True) for _ in range(2))
    for step in range(500):
        ids = one.sample(step)
        advanced = one.advance(ids)
        other.step(ids)
        assert [each.tobytes() for each in advanced] == separate_results(other)


def test_advance_without_restarts_leaves_a_finished_game_unchanged() -> None:
    """The batch has two games. One continues after the other has finished."""
    one, other = (a_batch(2, chance="inside") for _ in range(2))
    for step in range(2000):
        ids = one.sample(step)
        advanced = one.advance(ids)
        other.step(ids)
        assert [each.tobytes() for each in advanced] == separate_results(other)
        if all(number == one.NONE for number in ids):
            break
    else:
        pytest.fail("the games do not end")


def test_advance_refuses_the_arguments_that_step_refuses() -> None:
    """After an error, no array has changed.

    If the position of a game becomes too large to store, its observations are zeros.
    """
    batch = a_batch(2)
    advanced = batch.advance(batch.sample(1))
    before = [each.tobytes() for each in advanced]
    with pytest.raises(ValueError, match="331 is not a legal number in game 1"):
        batch.advance(array("q", [batch.sample(1)[0], 331]))
    with pytest.raises(ValueError, match="contiguous"):
        batch.advance(array("q", [1]))
    assert [each.tobytes() for each in advanced] == before
    native_batch, size = batch._batch, len(batch._arrays()[0])
    with pytest.raises(TypeError):
        native_batch.advance(None, None)
    with pytest.raises(ValueError, match="bytes are needed"):
        native_batch.advance(array("q", [1]), bytearray(size))
    for into in (bytearray(size - 1), memoryview(bytearray(size + 1))[1:]):
        with pytest.raises(ValueError, match=r"bytes are needed|not aligned"):
            native_batch.advance(batch.sample(1), into)
    hand = {"hand": "shopkeeper, lumberjack", "goods": "65000g"}
    state = position_of({"red": hand, "blue": {"hand": "maid"}})
    full = native.Batch(native.pack(state), 1)
    number, *_ = numbers_of(vr.PlayCard(vr.Character.SHOPKEEPER), state.cards)
    with pytest.raises(OverflowError, match="game 0"):
        full.advance(array("q", [number]))
    advanced = full.advance(array("q", [full.NONE]))
    assert [each.tobytes() for each in advanced] == separate_results(full)
    assert not any(advanced.observations.cast("B").cast("h"))


# Wrong numbers and full rows


def test_a_step_with_an_illegal_number_changes_no_game() -> None:
    """The game with the illegal number is also unchanged."""
    for batch in played(8, 400, threads=2):
        before = results(batch), [batch.position(game) for game in range(5)]
        right = list(batch.sample(1))
        masks = batch.legal_mask().tolist()
        for wrong in (-2, COUNT, 2**40, -(2**63), masks[3].index(0)):
            ids = array("q", [*right[:3], wrong, *right[4:]])
            with pytest.raises(ValueError, match=f"{wrong} is not a legal number in game 3$"):
                batch.step(ids)
        assert (results(batch), [batch.position(game) for game in range(5)]) == before


def test_results_are_written_into_the_given_buffer() -> None:
    """A program can therefore reuse its buffers."""
    batch, packed, width = a_batch(3), native.pack(vr.new_game(2)), len(columns(2))
    methods: list[tuple[Callable[..., Any], Literal["b", "h", "?"], tuple[int, ...]]] = [
        (batch.to_play, "b", (3,)),
        (batch.legal_mask, "?", (3, COUNT)),
        (batch.observe, "h", (3, width)),
        (lambda *into: native.encode(packed, 1, (), *into), "h", (width,)),
    ]
    for method, kind, shape in methods:
        expected = memoryview(method()).tobytes()
        into = memoryview(bytearray(b"\1" * len(expected))).cast(kind, shape)
        assert method(into) is into
        assert into.tobytes() == expected


def test_a_game_in_a_batch_stops_if_its_position_becomes_too_large_to_store() -> None:
    """The other games continue.

    The stopped game accepts only `NONE`.  It has an empty mask, an empty view and no winner.
    """
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
    for arrays in (batch.legal_mask(), batch.observe()):
        assert [any(each) for each in arrays.tolist()] == [True, False]
    first = batch.sample(1)[0]
    with pytest.raises(ValueError, match="is not a legal number in game 1"):
        batch.step(array("q", [first, number]))
    with pytest.raises(OverflowError, match="game 0"):
        batch.step(array("q", [number, batch.NONE]))
    batch.step(array("q", [batch.NONE] * 2))


# Samples and rollouts


def test_a_sample_is_drawn_uniformly_from_the_legal_numbers() -> None:
    """The sample depends on the seed, the game's index and the number of steps, not on the
    threads.
    """
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
def test_rollouts_equal_games_of_random_players_in_the_engine(
    rules: vr.RuleSet, players: int
) -> None:
    """The engine receives the same random numbers as the rollouts."""
    start = vr.new_game(players, rules=rules)
    rollouts = native.rollouts(native.pack(start), 3, seed=5, threads=2)
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
    assert rollouts == native.Rollouts(
        3, 0, decisions, tuple(shares), tuple(map(sum, points)),
        tuple(sum(each**2 for each in seat) for seat in points),
    )  # fmt: skip


def test_a_rollout_that_reaches_a_dead_end_counts_as_unfinished() -> None:
    """A dead end is a position without legal actions, or with a random event that has no
    outcome.
    """
    state = position_of({"red": {"hand": "maid"}, "blue": {"hand": "maid"}})
    cheap = vr.Goods(gold=1)
    stuck: tuple[tuple[Step, ...], ...] = (
        (PaymentPrompt(0, 7, cheap),),
        (MonkPrompt(0, 1),),
        (BarrelPrompt(0),),
    )
    for agenda in stuck:
        impossible = native.pack(state.replace(agenda=agenda, barrels=vr.Goods()))
        rollouts = native.rollouts(impossible, 5, 1)
        assert impossible.legal_mask(()) is None or isinstance(impossible.prompt, BarrelPrompt)
        assert (rollouts.games, rollouts.unfinished, rollouts.decisions) == (5, 5, 0)
        assert not any((*rollouts.shares, *rollouts.points, *rollouts.squares))


def test_rollouts_refuse_wrong_arguments() -> None:
    """The test passes wrong numbers of games and threads, wrong seeds, and an unpacked position.

    A game whose position becomes too large to store raises no error, but counts as unfinished.
    """
    start = native.pack(vr.new_game(2))
    for games, seed, threads in ((0, 1, 1), (1, -1, 1), (1, 2**64, 1), (1, 1, 0), (1, 1, 257)):
        with pytest.raises(ValueError, match=r"at least one game|a seed must be|threads"):
            native.rollouts(start, games, seed, threads=threads)
    with pytest.raises(TypeError):
        native.rollouts(vr.new_game(2), 1, 1)  # type: ignore[arg-type]
    hand = {"hand": "shopkeeper", "goods": "65000g"}
    full = native.pack(position_of({"red": hand, "blue": {"hand": "maid"}}))
    rollouts = native.rollouts(full, 20, 1)
    assert 0 < rollouts.unfinished <= rollouts.games == 20


def test_an_interrupt_stops_rollouts_of_any_number_of_games() -> None:
    """For example, the user presses Ctrl-C."""
    start = native.pack(vr.new_game(2))
    before = signal.signal(signal.SIGVTALRM, signal.default_int_handler)
    signal.setitimer(signal.ITIMER_VIRTUAL, 0.05)
    try:
        with pytest.raises(KeyboardInterrupt):
            native.rollouts(start, 2**62, 1)
    finally:
        signal.signal(signal.SIGVTALRM, before)


def test_concurrent_rollouts_give_the_results_of_separate_ones() -> None:
    """Only one call at a time uses the thread pool. Concurrent calls create their own threads."""
    start, many_results = native.pack(vr.new_game(2)), list[native.Rollouts]()
    many = threading.Thread(
        target=lambda: many_results.append(native.rollouts(start, 3_000, 1, threads=2))
    )
    many.start()
    few = [native.rollouts(start, 40, 2, threads=2) for _ in range(5)]
    many.join()
    assert few == [native.rollouts(start, 40, 2)] * 5
    assert many_results == [native.rollouts(start, 3_000, 1)]


def test_a_batch_used_by_a_second_thread_raises_an_error() -> None:
    """The refused call changes no game."""
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
