"""Games on a GPU: `Batch` and `rollouts` of the native backend, without a copy to the host.

The kernels are the rules of the native backend, compiled for a GPU: the same seeds give the same
games.  They need a driver of CUDA and a GPU of compute capability 8.0 or more; `why_not` says what
is missing.  Importing this module does nothing.
"""

from __future__ import annotations

from array import array
from functools import cache
from itertools import accumulate
from math import prod
from typing import Any, Final, Literal, SupportsIndex

from valletta_rules import native
from valletta_rules.components.numbers import whole
from valletta_rules.errors import MalformedActionError
from valletta_rules.native import device
from valletta_rules.numeric import encoding, numbering

MOST_GAMES: Final = 1 << 24
"""The most games of a batch."""

_NO_GAME, _LANES, _OBSERVING, _ALIGNED, _PLAYING = 2**31 - 1, 32, 32, 256, 1 << 16
_CALM: Final = array("i", (_NO_GAME, _NO_GAME, 0)).tobytes()

card: Final = cache(device.Card)
"""Return the GPU of a number, ready to play; raise `CudaError` if that is not possible."""


def why_not(number: int = 0) -> str | None:
    """Return why no games can be played on the GPU of a number, or `None` if they can.

    Loads driver and kernels.  At the first time on a machine the driver compiles the kernels.
    """
    try:
        card(number)
    except (device.CudaError, MemoryError) as reason:
        return str(reason)
    return None


class Batch:
    """Thousands of games side by side on a GPU, played by action number.

    Methods, shapes and constants are those of `native.Batch`, with these differences.

    * A result is a `device.Array`, the same one at every call, or the array to write `into`.  Ids
      and such arrays are on the GPU, and have ``__cuda_array_interface__``, as those of PyTorch,
      CuPy and JAX.
    * Methods queue work in the ``stream`` of the batch, which may be assigned before each call.
      The caller's work on ids and results belongs in the same stream.
    * An illegal number is reported later: all games stay as they are and ignore all numbers, until
      `check`, or another method that synchronises, raises the error.
    """

    NONE: Final = native.Batch.NONE
    CHANCE: Final = native.Batch.CHANCE
    NOBODY: Final = native.Batch.NOBODY

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
        """Begin games in a position, with the seeds 0, 1, 2 and so on.

        Takes `chance` and `restart` as `native.Batch` does, the number of the GPU, and the handle
        of a stream, such as ``torch.cuda.current_stream().cuda_stream``; 0 is the default stream.
        Raises `ValueError` for too many games, or none, and for another `chance`, `CudaError` if
        the GPU cannot be used, and `MemoryError` if its memory does not suffice.
        """
        if chance not in ("inside", "outside"):
            raise ValueError(f"chance is 'inside' or 'outside', not {chance!r}")
        if not 1 <= games <= MOST_GAMES:
            raise ValueError(f"there are 1 to {MOST_GAMES} games, not {games}")
        self._card, self.stream, self._restarts = card(number), stream, restart
        self._start, self._games = start, games
        self._players = native._players_of(bytes(start))
        self._columns = len(encoding.columns(self._players))
        self._card.need_stack(device.STACK)
        self._card.share("observe", 2 * _OBSERVING * self._columns)
        self._allocate()
        self._card.write(self._given["trouble"], _CALM, stream)
        course = _course(self._card, start, outside=chance == "outside", restart=restart)
        self._card.write(self._given["course"], course, stream)
        self._run("prepare", 1)
        self.reset(array("Q", range(games)))

    def _allocate(self) -> None:
        """Allocate the memory of games and results; raise `MemoryError` if it is not free."""
        shapes = self._shapes()
        sizes, games = self._card.sizes, self._games
        parts = {
            "course": sizes["course"],
            "described": sizes["described"],
            "trouble": sizes["trouble"],
            "keys": 4 * sizes["keys"],
            "starts": 4 * sizes["keys"],
            "rank": 4 * games,
            "order": 4 * games,
            "game": sizes["game"] * games,
            "last": sizes["row"] * (games if self._restarts else 1),
            **{
                name: prod(shape) * int(device.KINDS[letter][1])
                for name, (letter, shape) in shapes.items()
            },
        }
        taken = [-(-size // _ALIGNED) * _ALIGNED for size in parts.values()]
        free = self._card.free()
        if sum(taken) > free:
            each = -(-sum(taken) // games)
            raise MemoryError(
                f"{games} games of {each} bytes do not fit into the {free} bytes of the GPU's"
                f" memory that are free: {free // each} do"
            )
        self._memory = device.Memory(self._card, sum(taken))
        places = dict(zip(parts, accumulate(taken, initial=self._memory.address), strict=False))
        self._given = {name: place for name, place in places.items() if name not in shapes}
        self._results = {
            name: device.Array(self._memory, places[name], shape, letter)
            for name, (letter, shape) in shapes.items()
        }

    def _shapes(self) -> dict[str, tuple[str, tuple[int, ...]]]:
        """Return the type, as a letter of `array.array`, and the shape of each result."""
        games, players = self._games, self._players
        return {
            "observe": ("h", (games, self._columns)),
            "legal_mask": ("B", (games, numbering.COUNT)),
            "to_play": ("b", (games,)),
            "done": ("B", (games,)),
            "rewards": ("f", (games, players)),
            "scores": ("i", (games, players)),
            "sample": ("q", (games,)),
        }

    def _run(self, kernel: str, threads: int, **given: int) -> None:
        """Run a kernel on the games, in the stream of the batch."""
        self._card.launch(kernel, threads, self.stream, **self._given, **given)

    def _place(self, given: Any, letter: str, shape: tuple[int, ...]) -> int:
        """Return the address of an array on the GPU; the batch waits for its stream.

        Raises `TypeError` for anything else, and `ValueError` for an array of another type or
        shape.
        """
        found = getattr(given, "__cuda_array_interface__", None)
        if found is None:
            raise TypeError(f"an array on the GPU is needed, not {type(given).__name__}")
        kind, (address, _) = found["typestr"][1:], found["data"]
        right = kind in (device.KINDS[letter], "b1" if letter == "B" else "")
        if not right or found["shape"] != shape or found.get("strides") or address % 8:
            raise ValueError(
                f"this must be a contiguous array of {shape} items of type {device.KINDS[letter]}"
                f" at a multiple of 8 bytes, not of {found['shape']} and type {kind}"
            )
        if found.get("stream") is not None:
            self._card.wait(self.stream, found["stream"])
        return int(address)

    def _write(self, kernel: str, into: Any, *, each: int = 1, **given: int) -> Any:
        """Return a result, written by a kernel with `each` threads a game."""
        own = self._results["all" if kernel == "observe" and each > 1 else kernel]
        own.stream = self.stream
        result = own if into is None else into
        place = self._place(result, own.letter, own.shape)
        self._run(kernel, self._games * each, into=place, **given)
        return result

    def reset(self, seeds: Any, wanted: Any = None) -> None:
        """Restart games as `native.Batch.reset` does; seeds are in the memory of the host.

        Synchronises, and raises the errors of `check`.
        """
        self.check()
        shape = (self._games,)
        passed = bytes(native._buffer(seeds, "QL", 8, shape))
        if wanted is not None:
            passed += bytes(native._buffer(wanted, "B?", 1, shape))
        memory = device.Memory(self._card, len(passed))
        self._card.write(memory.address, passed, self.stream)
        chosen = {} if wanted is None else {"wanted": memory.address + 8 * self._games}
        self._run("reset", self._games, given=memory.address, **chosen)
        self.check()

    def step(self, ids: Any) -> None:
        """Play an action number in each game: an array of signed 64-bit integers on the GPU.

        Numbers that are not legal, and games that no longer fit in a row, are reported by `check`.
        """
        self._card.clear(self._given["keys"], 4 * self._card.sizes["keys"], self.stream)
        self._run("check", self._games, given=self._place(ids, "q", (self._games,)))
        self._run("starts", self._card.sizes["keys"])
        self._run("sort", self._games)
        self._run("step", self._games)

    def advance(self, ids: Any) -> native.Advanced:
        """Play an action number in each game, as `step` does, and return what follows."""
        self.step(ids)
        return native.Advanced(self.observe(), self.legal_mask(), self.rewards(), self.done())

    def legal_mask(self, into: Any = None) -> Any:
        """Return a byte for each number in each game, 1 if it is legal in a game that goes on."""
        return self._write("legal_mask", into, each=_LANES)

    def to_play(self, into: Any = None) -> Any:
        """Return who is asked in each game, as a signed byte: a seat, `CHANCE` or `NOBODY`."""
        return self._write("to_play", into)

    def done(self, into: Any = None) -> Any:
        """Return a byte for each game, 1 if it was over after the last step (and restarted)."""
        return self._write("done", into)

    def rewards(self, into: Any = None) -> Any:
        """Return each seat's reward, as 32-bit floating-point numbers."""
        return self._write("rewards", into, each=self._players)

    def scores(self, into: Any = None) -> Any:
        """Return each seat's points, as signed 32-bit integers; 0 in a game not `done`."""
        return self._write("scores", into, each=self._players)

    def observe(self, into: Any = None, *, seats: Literal["to play", "all"] = "to play") -> Any:
        """Return the observations of each game, as `native.Batch.observe` does.

        The first call for all seats allocates their array.
        """
        if seats not in ("to play", "all"):
            raise ValueError(f"seats are 'to play' or 'all', not {seats!r}")
        if seats == "all" and "all" not in self._results:
            shape = self._games, self._players, self._columns
            memory = device.Memory(self._card, 2 * prod(shape))
            self._results["all"] = device.Array(memory, memory.address, shape, "h")
        views = self._players if seats == "all" else 1
        shared = 2 * _OBSERVING * self._columns
        return self._write(
            "observe", into, each=views, views=views, block=_OBSERVING, shared=shared
        )

    def sample(self, seed: SupportsIndex, into: Any = None) -> Any:
        """Return a legal number for each game, drawn as `native.Batch.sample` does."""
        return self._write("sample", into, seed=native._seed(seed))

    def check(self) -> None:
        """Synchronise, and raise the first error since the last check.

        It is a `ValueError` with game, number and clause if a number was not legal: the games are
        as they were before it; and an `OverflowError` if a game no longer fits in a row: it has
        stopped, while the others have gone on.
        """
        trouble = self._given["trouble"]
        illegal, stopped, _ = array("i", bytes(self._card.read(trouble, len(_CALM), self.stream)))
        if (illegal, stopped) == (_NO_GAME, _NO_GAME):
            return
        self._card.write(trouble, _CALM, self.stream)
        if illegal == _NO_GAME:
            raise OverflowError(f"game {stopped} has come to more than a row can hold, and stops")
        sizes = self._card.sizes
        place = self._given["game"] + illegal * sizes["game"] + sizes["answer"]
        (number,) = array("q", bytes(self._card.read(place, 8, self.stream)))
        clause = _clause_against(self.position(illegal), number)
        raise ValueError(f"game {illegal} does not accept {number}{clause}")

    def position(self, game: int) -> native.PackedState:
        """Return the position of a game; during a partial payment, the position before it.

        Synchronises, and raises the errors of `check` and of `native.Batch.position`.
        """
        return self._position(game, is_last=False)

    def last_position(self, game: int) -> native.PackedState:
        """Return the final position of the game that ended most recently in that place.

        Synchronises, and raises the errors of `check` and of `native.Batch.last_position`.
        """
        return self._position(game, is_last=True)

    def _position(self, game: int, *, is_last: bool) -> native.PackedState:
        self.check()
        if not 0 <= game < self._games:
            raise IndexError(f"there are {self._games} games")
        sizes = self._card.sizes
        row = self._card.read(self._given["game"] + game * sizes["game"], sizes["row"], self.stream)
        if is_last and row[sizes["steps"]]:
            place = self._given["last"] + game * self._restarts * sizes["row"]
            row = self._card.read(place, sizes["row"], self.stream)
        if row[sizes["fault"]]:
            raise OverflowError(f"game {game} has come to more than a row can hold, and stops")
        if not row[sizes["players"]]:
            raise ValueError("no game was over there before")
        start = self._start
        row = row[: len(bytes(start))]
        version = native.LIMITS["LAYOUT_VERSION"]
        return native._restore(version, start.rules, start.cards, bytes(row))


def _clause_against(position: native.PackedState, number: int) -> str:
    """Return the clause against an action number, in brackets, or nothing if there is none."""
    try:
        action = numbering.action_of([number], position.cards)
        refused = action and native.refusal(position, action)
    except (LookupError, ValueError, MalformedActionError):
        return ""
    return f" ({refused.clause})" if refused else ""


def _course(card: device.Card, start: native.PackedState, *, outside: bool, restart: bool) -> bytes:
    """Return what all games share, as the kernels read it."""
    course, row = bytearray(card.sizes["course"]), bytes(start)
    table = native.table_bytes(start.rules, start.cards, native._players_of(row))
    course[: len(table)] = table
    at = card.sizes["start"]
    course[at : at + len(row)] = row
    at = card.sizes["flags"]
    course[at : at + 2] = bytes([outside, restart])
    return bytes(course)


def rollouts(
    position: native.PackedState,
    games: SupportsIndex,
    seed: SupportsIndex,
    *,
    number: int = 0,
    stream: int = 0,
) -> native.Rollouts:
    """Play games at random to the end, as `native.rollouts` does, and return the same.

    Takes the number of the GPU and the handle of a stream, which it synchronises.  Raises
    `ValueError` for no game or another seed, and `device.CudaError` if the GPU cannot be used.
    """
    count, gpu = whole(games, "games"), card(number)
    if not 1 <= count < 2**63:
        raise ValueError(f"there must be at least one game, not {count}")
    gpu.need_stack(device.DEEP_STACK)
    size = gpu.sizes["course"]
    memory = device.Memory(gpu, size + gpu.sizes["described"] + gpu.sizes["sum"])
    into = memory.address + memory.size - gpu.sizes["sum"]
    gpu.write(memory.address, _course(gpu, position, outside=False, restart=False), stream)
    given = {"course": memory.address, "described": memory.address + size}
    gpu.launch("prepare", 1, stream, **given)
    threads = min(count, _PLAYING)
    given |= {"into": into, "games": count, "seed": native._seed(seed)}
    gpu.launch("rollouts", threads, stream, **given)
    told = array("Q", bytes(gpu.read(into, gpu.sizes["sum"], stream)))
    _, played, unfinished, decisions, *sums = told
    players = native._players_of(bytes(position))
    seats = native.LIMITS["MAX_PLAYERS"]
    shares, points, squares = (tuple(sums[seats * part :][:players]) for part in range(3))
    won = tuple([share / 12 for share in shares])
    return native.Rollouts(played, unfinished, decisions, won, points, squares)
