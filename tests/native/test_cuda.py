"""Games on a GPU equal games in a `native.Batch`, byte for byte; a mock replaces the CUDA
driver.
"""

from __future__ import annotations

import ctypes
import gc
import random
import shutil
import subprocess
import sys
from array import array
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

import valletta_rules as vr
from spec.checks import random_games
from tests.native.driver import Driver
from tests.positions import EDITIONS
from tests.sources import ROOT
from valletta_rules import native
from valletta_rules.native import __main__, cuda, device
from valletta_rules.numeric.encoding import columns
from valletta_rules.numeric.numbering import COUNT, numbers_of
from valletta_rules.specification.worked_examples import position_of

pytestmark = [
    pytest.mark.skipif(shutil.which("cc") is None, reason="the C compiler cc is not installed"),
    pytest.mark.usefixtures("backend", "driver"),
]


@pytest.fixture(scope="module")
def kernels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Compile the GPU kernels for the CPU, and return the path of the shared library."""
    built = tmp_path_factory.mktemp("cuda") / "kernels.so"
    subprocess.run(["bash", ROOT / "src" / "gpu" / "build.sh", "host", built], check=True)
    return built


@pytest.fixture
def driver(kernels: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Driver:
    """Replace the CUDA driver with a mock that runs the kernels on the CPU."""
    (tmp_path / "cuda.ptx").write_text("// kernels\n")
    driver = Driver(kernels)
    monkeypatch.setattr(ctypes, "CDLL", lambda _: driver)
    monkeypatch.setattr(device, "KERNELS", tmp_path / "cuda.ptx")
    monkeypatch.setattr(device, "DEVICE_TYPE", 1)  # the type of the processor, for numpy
    monkeypatch.setattr(cuda, "card", cache(device.Card))
    return driver


def packed(players: int = 2, **options: Any) -> native.PackedState:
    """Return the packed position of a new game."""
    return native.pack(vr.new_game(players, **options))


class Given:
    """A GPU array as another library would pass it, through `__cuda_array_interface__`."""

    def __init__(self, given: Any, stream: int | None = None) -> None:
        """Wrap the array `given`; `stream` is the CUDA stream that created the array."""
        self.given = np.ascontiguousarray(given)
        self.stream = stream

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        return {**self.given.__array_interface__, "strides": None, "stream": self.stream}


def compare(start: native.PackedState, games: int, steps: int, **chance: Any) -> int:
    """Compare a batch on the GPU with a batch on the CPU; return the number of games that ended."""
    rng, ends = random.Random(games), 0
    batch = native.Batch(start, games, restart=True, **chance)
    others = cuda.Batch(start, games, restart=True, **chance)
    for step in range(steps):
        assert __main__.results(others) == __main__.results(batch)
        ids = batch.sample(step)
        others.step(others.sample(step) if step % 2 else Given(ids))
        batch.step(ids)
        ends += sum(batch.done())
        if step == 50:
            seeds = array("Q", range(step, step + games))
            wanted = bytes(rng.choices([0, 1], k=games))
            batch.reset(seeds, wanted)
            others.reset(seeds, wanted)
    assert others.position(games - 1) == batch.position(games - 1)
    if batch.done()[0]:
        assert others.last_position(0) == batch.last_position(0)
    return ends


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("rules", EDITIONS)
def test_games_on_a_gpu_equal_games_of_a_native_batch(rules: vr.RuleSet, players: int) -> None:
    """The games are equal after every step, restart and reset.

    Either the batch or the caller resolves chance.
    """
    start = packed(players, rules=rules)
    assert compare(start, 5, 220 * players)
    compare(start, 3, 100, chance="outside")


@pytest.mark.parametrize(("games", "steps"), [(1, 100), (31, 100), (33, 100), (4097, 4)])
def test_games_on_a_gpu_equal_games_of_a_native_batch_for_any_number_of_games(
    games: int, steps: int
) -> None:
    """The number of games need not be a multiple of the block size of the kernels."""
    compare(packed(), games, steps)


@given(random_games.card_sets())
@settings(max_examples=5)
def test_games_on_a_gpu_equal_games_of_a_native_batch_with_any_card_set(cards: vr.CardSet) -> None:
    """The card sets are random."""
    compare(packed(cards=cards), 5, 120)


def test_games_on_a_gpu_without_restart_stay_over() -> None:
    """A finished game ignores action numbers, and its last position remains available."""
    batch, others = native.Batch(packed(), 3), cuda.Batch(packed(), 3)
    with pytest.raises(ValueError, match="has not ended yet"):
        cuda.Batch(packed(), 3, restart=True).last_position(0)
    while not all(batch.done()):
        ids = batch.sample(1)
        batch.step(ids)
        advanced = others.advance(Given(ids))
    assert advanced.done.to_host().tolist() == [1, 1, 1]
    assert __main__.results(others) == __main__.results(batch)
    assert others.last_position(2) == batch.last_position(2)
    with pytest.raises(IndexError, match="the batch has 3 games"):
        others.position(3)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_rollouts_on_a_gpu_equal_rollouts_on_the_cpu(players: int) -> None:
    """The results are equal for one game and for many games. Zero games raise an error."""
    for games in (1, 40):
        expected = native.rollouts(packed(players), games, 5)
        assert cuda.rollouts(packed(players), games, 5) == expected
    with pytest.raises(ValueError, match="at least one game"):
        cuda.rollouts(packed(), 0, 5)


# Errors


def test_an_illegal_number_stops_all_games_until_the_error_is_reported() -> None:
    """The next check raises the error, which names the game and the clause."""
    batch = cuda.Batch(packed(), 33)
    ids = np.array(batch.sample(1).to_host())
    before = __main__.results(batch)
    wrong = ids.copy()
    monk, *_ = numbers_of(vr.PlayCard(vr.Character.MONK), packed().cards)
    wrong[7], wrong[20] = monk, -1
    batch.step(Given(wrong))
    batch.step(Given(ids))
    assert __main__.results(batch) == before
    with pytest.raises(ValueError, match=rf"{monk} is not a legal number in game 7 \([A-Z]+-\d+\)"):
        batch.check()
    for number in (COUNT, -1):
        wrong[7] = number
        batch.step(Given(wrong))
        with pytest.raises(ValueError, match=f"{number} is not a legal number in game 7$"):
            batch.position(0)
    batch.step(Given(ids))
    batch.check()
    assert __main__.results(batch) != before


def test_a_game_on_a_gpu_stops_if_its_position_becomes_too_large_to_store() -> None:
    """The other games in the batch continue."""
    hand = {"hand": "shopkeeper, lumberjack", "goods": "65000g"}
    state = position_of({"red": hand, "blue": {"hand": "maid"}})
    games, batch = cuda.Batch(native.pack(state), 2), native.Batch(native.pack(state), 2)
    number, *_ = numbers_of(vr.PlayCard(vr.Character.SHOPKEEPER), state.cards)
    other, *_ = numbers_of(vr.PlayCard(vr.Character.LUMBERJACK), state.cards)
    ids = array("q", [other, number])
    games.step(Given(ids))
    for work in (games.check, lambda: batch.step(ids), lambda: games.position(1)):
        with pytest.raises(OverflowError, match="game 1"):
            work()
    assert __main__.results(games) == __main__.results(batch)


def test_a_batch_on_a_gpu_refuses_wrong_arguments() -> None:
    """Arrays must be on the GPU and have the right type and shape."""
    batch = cuda.Batch(packed(), 3)
    with pytest.raises(TypeError, match="expected an array on the GPU, not array"):
        batch.step(array("q", [0, 0, 0]))
    for wrong in (np.zeros(2, np.int64), np.zeros(3, np.int32), np.zeros((3, 1), np.int64)):
        with pytest.raises(ValueError, match="contiguous array of"):
            batch.step(Given(wrong))
    for options in ({"chance": "nowhere"}, {"games": 0}, {"games": cuda.MOST_GAMES + 1}):
        with pytest.raises(ValueError, match=r"chance|games"):
            cuda.Batch(packed(), **{"games": 3, **options})  # type: ignore[arg-type]


# The driver


def test_a_step_on_a_gpu_neither_waits_nor_allocates_memory(driver: Driver) -> None:
    """Neither do the methods that return results."""
    batch = cuda.Batch(packed(4), 40)
    driver.calls.clear()
    for _ in range(3):
        batch.advance(batch.sample(1))
        batch.to_play(), batch.scores()
    masks = np.zeros((40, COUNT), bool)
    assert batch.legal_mask(into=(into := Given(masks))) is into
    assert into.given.any()
    assert driver.calls["cuLaunchKernel"] == 3 * 11 + 1
    assert not driver.calls["cuMemAlloc_v2"] + driver.calls["cuStreamSynchronize"]


def test_memory_on_a_gpu_is_freed_with_its_last_reference(driver: Driver) -> None:
    """An array keeps its memory even after its batch is deleted."""
    batch = cuda.Batch(packed(), 40)
    views = batch.observe(seats="all")
    del batch
    gc.collect()
    assert views.to_host()
    assert driver.calls["cuMemAlloc_v2"] == driver.calls["cuMemFree_v2"] + 1
    del views
    assert driver.calls["cuMemAlloc_v2"] == driver.calls["cuMemFree_v2"]


@pytest.mark.parametrize(
    ("attribute", "value", "reason"),
    [
        ("version", 10_020, "the driver supports CUDA 10, but CUDA 11 is the minimum"),
        ("capability", 7, "the GPU has compute capability 7, but 8 is the minimum"),
        ("memory", 10, "the GPU has too little free memory"),
        ("failure", 700, "cuStreamSynchronize: unknown error"),
    ],
)
def test_why_not_returns_the_reason_why_a_gpu_cannot_be_used(
    driver: Driver, attribute: str, value: int, reason: str
) -> None:
    """The driver or the GPU is too old, memory is insufficient, or a call fails."""
    ordinary = getattr(driver, attribute)
    setattr(driver, attribute, value)
    assert cuda.why_not() == reason
    setattr(driver, attribute, ordinary)
    assert cuda.why_not() is None
    assert cuda.why_not(1) == "cuDeviceGet: invalid device ordinal"


@pytest.mark.parametrize(
    ("module", "name", "value", "reason"),
    [
        (ctypes, "CDLL", ctypes.CDLL, "the CUDA driver cannot be loaded: "),
        (device, "KERNELS", Path("none"), "valletta-rules was built without GPU kernels"),
        (native, "why_not", "there is no native backend", "there is no native backend"),
    ],
)
def test_a_missing_driver_or_kernel_or_backend_is_named_in_the_error(
    module: Any, name: str, value: Any, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The function `why_not` returns the same reason."""
    start = packed()
    monkeypatch.setattr(device, "LIBRARY", "none.so")
    monkeypatch.setattr(module, name, value)
    assert (cuda.why_not() or "").startswith(reason)
    with pytest.raises(device.CudaError, match=reason):
        cuda.Batch(start, 1)


def test_a_batch_that_does_not_fit_into_gpu_memory_raises_a_memory_error(driver: Driver) -> None:
    """The message states the bytes that a game needs, and the number of games that fit."""
    driver.memory = 1 << 20
    with pytest.raises(
        MemoryError, match=r"^5000 games of (\d+) bytes .* 1048576 .* \d+ games fit$"
    ):
        cuda.Batch(packed(), 5000)


# Arrays


def test_numpy_arrays_share_the_memory_of_arrays_on_the_device(driver: Driver) -> None:
    """Later writes to the GPU memory are visible in the numpy arrays.

    The arrays keep that memory allocated.
    """
    batch = cuda.Batch(packed(3), 40, stream=7)
    views, ids = np.from_dlpack(batch.observe()), np.from_dlpack(batch.sample(1))
    assert driver.waits == (1, 7)
    assert views.shape == batch.observe().shape == (40, len(columns(3)))
    assert (views.dtype.name, ids.dtype.name) == ("int16", "int64")
    before = views.copy()
    batch.step(Given(ids, stream=9))
    assert driver.waits == (7, 9)
    batch.observe()
    assert (views != before).any()
    del batch
    gc.collect()
    assert views.any()
    assert driver.calls["cuMemAlloc_v2"] == driver.calls["cuMemFree_v2"] + 2
    del views, ids
    assert driver.calls["cuMemAlloc_v2"] == driver.calls["cuMemFree_v2"]
    assert not device._lent


def test_an_array_refuses_to_export_itself_as_a_copy_or_to_another_device(driver: Driver) -> None:
    """The test also checks that deleting an unused DLPack capsule releases its memory."""
    batch = cuda.Batch(packed(), 4, stream=5)
    masks = batch.legal_mask()
    assert masks.__cuda_array_interface__["stream"] == 5
    for wrong in ({"copy": True}, {"dl_device": (2, 1)}):
        with pytest.raises(BufferError):
            masks.__dlpack__(**wrong)
    with pytest.raises(ValueError, match="stream 0 is ambiguous"):
        masks.__dlpack__(stream=0)
    capsule = masks.__dlpack__(stream=-1)
    assert driver.waits == (0, 0)
    assert len(device._lent) == 1
    del capsule
    assert not device._lent


# The self-test


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lower the number of games that the self-test compares, to save time."""
    monkeypatch.setattr(__main__, "GAMES", 20)


@pytest.mark.usefixtures("few")
def test_the_self_test_compares_games_and_measures_steps(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The output names the GPU and the version of CUDA."""
    __main__.main(["--check", "cuda", "--steps", "1000"])
    assert capsys.readouterr().out.split("\n")[:2] == ["Processor, CUDA 13.0", "2 players: equal"]
    __main__.main(["--measure", "cuda", "--games", "5"])
    assert "4 players, 5 games, million per second: step 0." in capsys.readouterr().out


@pytest.mark.usefixtures("few")
@pytest.mark.parametrize(
    ("where", "name", "message"),
    [
        (cuda.Batch, "done", "2 players, step 0: done differs"),
        (cuda, "rollouts", "2 players: rollouts differ"),
    ],
)
def test_the_self_test_fails_at_the_first_difference(
    where: Any, name: str, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The message names the difference.

    Without a GPU, the message is the reason why no GPU can be used.
    """
    monkeypatch.setattr(where, name, lambda batch, *_: _ or batch.scores())
    with pytest.raises(SystemExit, match=message):
        __main__.main(["--check", "cuda", "--steps", "60"])
    monkeypatch.setattr(cuda, "why_not", lambda: "there is no GPU")
    with pytest.raises(SystemExit, match="there is no GPU"):
        __main__.main(["--check", "cuda"])


def test_importing_the_package_loads_no_cuda_driver() -> None:
    """Importing the package or its module `native` does not import ctypes either."""
    code = (
        "import sys; import valletta_rules.native; assert 'ctypes' not in sys.modules;"
        "import valletta_rules.native.cuda as c; assert not c.card.cache_info().currsize"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
