"""Games on a GPU: `Batch` and `rollouts` as in the native backend, without copies to the host.

The kernels are the rules of the native backend, compiled for a GPU. A seed leads to the same game
as in the native backend. A CUDA driver and a GPU of compute capability 8.0 or more are required. If
the kernels cannot be used, `why_not` returns the reason. Importing this module does not access the
GPU.
"""

from __future__ import annotations

from array import array
from functools import cache
from math import prod
from typing import Any, Final, Literal, SupportsIndex

from valletta_rules import native
from valletta_rules.errors import MalformedActionError
from valletta_rules.native import device
from valletta_rules.numeric import encoding, numbering

MOST_GAMES: Final = 1 << 24
"""The maximum number of games in a batch."""

STACK, DEEP_STACK = 8 << 10, 32 << 10
"""The stack size of a thread in bytes, in a batch and in rollouts."""

_NO_GAME, _LANES, _OBSERVING, _SHARED, _PLAYING = 2**31 - 1, 32, 32, 48 << 10, 1 << 16
_CALM: Final = array("i", (_NO_GAME, _NO_GAME, 0)).tobytes()
_KEYS: Final = numbering.COUNT + 1
_ROW: Final = native.POSITION_HEADER.size + native.LIMITS["MAX_PLAYERS"] * native.PLAYER.size
_SUM: Final = 4 + 3 * native.LIMITS["MAX_PLAYERS"]

card: Final = cache(device.Card)
"""Return the GPU with the given index, after loading its kernels. Raise `CudaError` on failure."""


def why_not(number: int = 0) -> str | None:
    """Return the reason why the GPU `number` cannot be used, or `None` if it can be used.

    This function loads the driver and the kernels. On the first use on a machine, the driver
    compiles the kernels.
    """
    try:
        card(number)
    except (device.CudaError, MemoryError) as reason:
        return str(reason)
    return None


class Batch(native.Batch):
    """A batch of thousands of games on a GPU. Pass action numbers to play them.

    Methods, shapes and constants are those of `native.Batch`, with these differences.

    * A result is a `device.Array`, or the array `into`. Every call of a method returns the same
      `device.Array`. The arrays `ids` and `into` must be on the GPU and have
      ``__cuda_array_interface__``, like arrays of PyTorch, CuPy and JAX.
    * Methods queue work in the ``stream`` of the batch, which may be assigned before each call. The
      caller's work on ids and results must use the same stream.
    * An illegal number is reported later, by `check` or another method that synchronises (`reset`,
      `position` and `last_position`). Until then, steps do not change any game.
    * Seeds for `reset` are in host memory.
    """

    def __init__(
        self,
        start: native.PackedState,
        games: int,
        *,
        chance: Literal["inside", "outside"] = "inside",
        restart: bool = False,
        number: int = 0,
        stream: int = 0,
    ) -> None:
        """Start games in a position, with the seeds 0, 1, 2 and so on.

        `chance` and `restart` are as in `native.Batch`. `number` is the number of the GPU. `stream`
        is the handle of a stream, such as ``torch.cuda.current_stream().cuda_stream``; 0 means the
        default stream. Raises `ValueError` for too few or too many games and for any other value of
        `chance`, `CudaError` if the GPU cannot be used, and `MemoryError` if it has too little
        memory.
        """
        if chance not in ("inside", "outside"):
            raise ValueError(f"chance must be 'inside' or 'outside', not {chance!r}")
        if not 1 <= games <= MOST_GAMES:
            raise ValueError(f"the number of games must be from 1 to {MOST_GAMES}, not {games}")
        self._card, self.stream, self._restarts = card(number), stream, restart
        self._start, self._games = start, games
        self._players = native._players_of(bytes(start))
        self._need_memory()
        self._card.need_stack(STACK)
        self._given = _course(self._card, start, stream, chance == "outside", restart)
        for name, size in {
            "game": games * self._card.sizes["game"],
            "last": (games if restart else 1) * _ROW,
            "trouble": len(_CALM),
            **dict.fromkeys(("keys", "starts"), 4 * _KEYS),
            **dict.fromkeys(("rank", "order"), 4 * games),
        }.items():
            self._given[name] = device.Array(self._card, (size,))
        self._card.write(self._given["trouble"].address, _CALM, stream)
        self._results: dict[int, device.Array] = {}
        self.reset(array("Q", range(games)))
        for method in (self.legal_mask, self.to_play, self.done, self.rewards, self.scores):
            method()  # allocates the result
        self.observe()
        self.sample(0)

    def _need_memory(self) -> None:
        """Raise `MemoryError` if the games and their results do not fit in the free GPU memory."""
        row = _ROW if self._restarts else 0
        results = 2 * len(encoding.columns(self._players)) + numbering.COUNT + 8 * self._players
        each = self._card.sizes["game"] + row + results + 18  # rank, order, sample, to_play, done
        if (free := self._card.free()) < self._games * each:
            raise MemoryError(
                f"{self._games} games of {each} bytes each do not fit in {free} free bytes of GPU"
                f" memory; at most {free // each} games fit"
            )

    def _run(self, kernel: str, threads: int, **given: Any) -> None:
        self._card.launch(kernel, threads, self.stream, **self._given, **given)

    def _place(self, given: Any, letter: str, shape: tuple[int, ...]) -> int:
        """Return the address of an array on the GPU. The batch waits for the array's stream.

        Raises `TypeError` for any value that is not an array on the GPU, and `ValueError` for an
        array of another type or shape.
        """
        interface = getattr(given, "__cuda_array_interface__", None)
        if interface is None:
            raise TypeError(f"expected an array on the GPU, not {type(given).__name__}")
        kind, (address, _) = interface["typestr"][1:], interface["data"]
        right = kind in (device.KINDS[letter], "b1" if letter == "B" else "")
        if not right or interface["shape"] != shape or interface.get("strides") or address % 8:
            raise ValueError(
                f"expected a contiguous array of shape {shape} and type {device.KINDS[letter]} at"
                f" an address divisible by 8, not shape {interface['shape']} and type {kind}"
            )
        if interface.get("stream") is not None:
            self._card.wait(self.stream, interface["stream"])
        return int(address)

    def _fetch(
        self, kind: int, formats: str, size: int, into: Any, *columns: int, seed: int = 0
    ) -> Any:
        shape = (self._games, *columns)
        result = self._results.get(kind) if into is None else into
        if result is None:
            result = self._results[kind] = device.Array(self._card, shape, formats[0])
        if into is None:
            result.stream = self.stream
        given = {"into": self._place(result, formats[0], shape), "kind": kind, "seed": seed}
        if kind == native._MASK:
            self._run("legal_mask", self._games * _LANES, **given)
        elif kind in (native._VIEW, native._VIEWS):
            views, width = prod(columns[:-1]), 2 * columns[-1]
            block = min(_OBSERVING, _SHARED // width)
            given |= {"views": views, "block": block, "shared": block * width}
            self._run("observe", self._games * views, **given)
        else:
            self._run("results", self._games, **given)
        return result

    def _reset(self, seeds: memoryview, wanted: memoryview | bytes) -> None:
        self.check()
        given = device.Array(self._card, (9 * self._games,))
        self._card.write(given.address, bytes(seeds) + bytes(wanted), self.stream)
        self._run("reset", self._games, given=given, games=self._games)
        self.check()

    def step(self, ids: Any) -> None:
        """Play an action number in each game. `ids` is a GPU array of signed 64-bit integers.

        `check` reports illegal numbers, and games whose positions can no longer be packed.
        """
        place = self._place(ids, "q", (self._games,))
        self._card.call("cuMemsetD8Async", self._given["keys"].address, 0, 4 * _KEYS, self.stream)
        self._run("check", self._games, given=place)
        self._run("starts", _KEYS)
        self._run("sort", self._games)
        self._run("step", self._games)

    def advance(self, ids: Any) -> native.Advanced:
        """Play an action number in each game, as `step` does, and return the results."""
        self.step(ids)
        return native.Advanced(self.observe(), self.legal_mask(), self.rewards(), self.done())

    def check(self) -> None:
        """Synchronise, and raise the first error since the last check.

        Raises `ValueError`, which names the game, the number and the clause, after an illegal
        number. Neither the step with this number nor a later one has changed a game. Raises
        `OverflowError` if the position of a game can no longer be packed. This game has stopped,
        and all other games have advanced.
        """
        trouble = self._given["trouble"].address
        illegal, stopped, _ = array("i", self._card.read(trouble, len(_CALM), self.stream))
        if (illegal, stopped) == (_NO_GAME, _NO_GAME):
            return
        self._card.write(trouble, _CALM, self.stream)
        if illegal == _NO_GAME:
            raise OverflowError(
                f"game {stopped} has stopped: its position exceeds the size of a row"
            )
        (number,) = array("q", self._part(illegal, 8, self._card.sizes["answer"]))
        clause = _clause_against(self.position(illegal), number)
        raise ValueError(f"{number} is not a legal number in game {illegal}{clause}")

    def _part(self, game: int, size: int, offset: int = 0) -> bytes:
        """Return `size` bytes of a game, starting at `offset`. A game begins with its row."""
        place = self._given["game"].address + game * self._card.sizes["game"] + offset
        return bytes(self._card.read(place, size, self.stream))

    def _position(self, game: int, *, is_last: bool) -> native.PackedState:
        self.check()
        if not 0 <= game < self._games:
            raise IndexError(f"game {game} does not exist; the batch has {self._games} games")
        row = self._part(game, _ROW)
        if is_last and _read(row)[1]:
            place = self._given["last"].address + game * self._restarts * _ROW
            row = bytes(self._card.read(place, _ROW, self.stream))
        players, _, fault = _read(row)
        if fault:
            raise OverflowError(f"game {game} has stopped: its position exceeds the size of a row")
        if not players:
            raise ValueError(f"game {game} has not ended yet")
        start, version = self._start, native.LIMITS["LAYOUT_VERSION"]
        return native._restore(version, start.rules, start.cards, row[: len(bytes(start))])


def _read(row: bytes) -> tuple[int, int, int]:
    """Read from a row: the number of players, the number of steps, and whether the game stopped."""
    _, _, _, players, _, _, _, _, steps, fault, *_ = native.POSITION_HEADER.unpack_from(row)
    return players, steps, fault


def _clause_against(position: native.PackedState, number: int) -> str:
    """Return the clause that an action number violates, in brackets; empty if there is none."""
    try:
        action = numbering.action_of([number], position.cards)
        refused = action and native.refusal(position, action)
    except (LookupError, ValueError, MalformedActionError):
        return ""
    return f" ({refused.clause})" if refused else ""


def _course(
    card: device.Card, start: native.PackedState, stream: int, outside: bool, restart: bool
) -> dict[str, Any]:
    """Return the data that all games have in common, as arrays for the kernels."""
    row = bytes(start)
    table = native.table_bytes(start.rules, start.cards, native._players_of(row))
    names = "course", "described"
    arrays: dict[str, Any] = {name: device.Array(card, (card.sizes[name],)) for name in names}
    course = table + row.ljust(_ROW, b"\0") + bytes([outside, restart])
    card.write(arrays["course"].address, course, stream)
    card.launch("prepare", 1, stream, **arrays)
    return arrays


def rollouts(
    position: native.PackedState,
    games: SupportsIndex,
    seed: SupportsIndex,
    *,
    number: int = 0,
    stream: int = 0,
) -> native.Rollouts:
    """Play random games to the end on a GPU, and return the results that `native.rollouts` returns.

    `number` is the number of the GPU. `stream` is the handle of a stream, and is synchronised.
    Raises `ValueError` for less than one game or a seed out of range, and `device.CudaError` if the
    GPU cannot be used.
    """
    count, gpu = native._count(games), card(number)
    gpu.need_stack(DEEP_STACK)
    given = _course(gpu, position, stream, outside=False, restart=False)
    into = device.Array(gpu, (_SUM,), "Q")
    into.stream = stream
    threads, drawn = min(count, _PLAYING), native._seed(seed)
    gpu.launch("rollouts", threads, stream, into=into, games=count, seed=drawn, **given)
    _, played, unfinished, decisions, *sums = into.to_host()
    seats, players = native.LIMITS["MAX_PLAYERS"], native._players_of(bytes(position))
    shares, points, squares = (tuple(sums[seats * part :][:players]) for part in range(3))
    won = tuple([share / 12 for share in shares])
    return native.Rollouts(played, unfinished, decisions, won, points, squares)
