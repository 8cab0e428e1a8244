"""Fuzz the native backend with malformed packed positions, tables, numbers and pickles.

    python -m spec.checks.hostile --seconds 5 --seed 1

For any input, the backend must raise a Python exception, or return a position from which play can
continue; it must never crash.  ``tests/native/sanitize.sh hostile`` runs the fuzzer under
sanitizers, which turn every access out of bounds, and every overflow, into a crash.
"""

from __future__ import annotations

import argparse
import copy
import operator
import pickle
import random
import sys
import time
from array import array
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Final

from spec.checks.figures import publish
from spec.checks.random_games import RandomPlayer, a_position, any_rules, every_action
from valletta_rules import (
    RECONSTRUCTION,
    Goods,
    Pay,
    apply,
    legal_actions,
    native,
    new_game,
)
from valletta_rules.components.characters import CHARACTERS
from valletta_rules.numeric import encoding, numbering

CLEAR: Final = (
    *(TypeError, ValueError, IndexError, OverflowError, AttributeError, BufferError, LookupError),
    RuntimeError,
)
"""The exceptions with which the backend may refuse malformed input."""

DEAREST: Final = 24
"""The maximum number of goods in a price that the fuzzer pays.  Higher prices have too many
possible payments to list."""


class Odd:
    """An object whose special methods return unsuitable values."""

    def __index__(self) -> int:
        """Return an integer that does not fit into a machine word."""
        return 1 << 70

    def __eq__(self, other: object) -> bool:
        """Return `True` for every object."""
        return True

    def __hash__(self) -> int:
        """Return -1, the value that signals an error in C."""
        return -1

    def randrange(self, stop: int, /) -> Any:
        """Return a value that is not a number."""
        return self


def failing(*_: object) -> Any:
    """Raise `ZeroDivisionError`, regardless of the arguments."""
    raise ZeroDivisionError


class Angry(Odd):
    """An object whose special methods raise errors."""

    __index__ = __eq__ = randrange = failing
    __hash__ = Odd.__hash__


def random_object(rng: random.Random) -> Any:
    """Return a random object, which is often of a wrong type or out of range."""
    payment = Pay(Goods(*(rng.choice((0, 1, 3, 255, 256, 1 << 16, 1 << 70)) for _ in range(4))))
    return rng.choice(
        (
            *(None, True, -1, 0, 7, 1 << 31, 1 << 63, -(1 << 70), 0.5, float("nan"), 1j),
            *("", "row", b"", bytes(rng.randrange(700)), bytearray(8), [], (), {}, set()),
            *(Odd(), Angry(), Odd, object(), operator, len, payment, Goods(), random.Random(1)),
            *(array("q", [1, 2]), array("d", [0.5]), memoryview(b"abc"), range(5), iter(())),
        )
    )


def buffers(rng: random.Random) -> Any:
    """Return a random buffer; the size, format and layout vary."""
    return rng.choice(
        (
            array(rng.choice("bBhHiIlLqQfd"), range(rng.choice((0, 2, 3, 4)))),
            *(bytes(24), bytearray(24), memoryview(bytes(24)).cast("Q")[::-1]),
            memoryview(bytearray(48)).cast("q")[::2],
        )
    )


class Fuzzer:
    """A source of random attacks on the native backend."""

    def __init__(self, seed: int) -> None:
        """Create a few packed positions, which the attacks use."""
        self.rng = random.Random(seed)
        self.tried = Counter[str]()
        """How often each attack has been run."""
        self.refused = Counter[str]()
        """How often each attack has raised an exception."""
        self.library: Any = native._library
        self.positions = [native.pack(self._a_state()) for _ in range(40)]

    def _a_state(self) -> Any:
        rng, players = self.rng, self.rng.choice((2, 3, 4))
        if rng.random() < 0.2:
            return new_game(players)
        character = rng.choice(CHARACTERS)
        state = a_position(rng, any_rules(rng, players), players, RECONSTRUCTION, character)
        wanderer = RandomPlayer(rng)
        for _ in range(rng.randrange(12)):
            if actions := legal_actions(state):
                state = apply(state, wanderer.choose(state, actions))
        return state

    def once(self) -> None:
        """Run one attack, chosen at random."""
        rows, batches = (self.rows,) * 3, (self.batches,) * 2
        others = (
            self.tables,
            self.actions,
            self.generators,
            self.pickles,
            self.wrong_types,
        )
        attack = self.rng.choice((*rows, *batches, *others, self.wrong_types))
        self.tried[attack.__name__] += 1
        try:
            attack()
        except (*CLEAR, ZeroDivisionError) as error:
            if not str(error) and not isinstance(error, ZeroDivisionError):
                raise AssertionError(f"{attack.__name__}: the exception has no message") from error
            self.refused[attack.__name__] += 1

    def _damaged(self, given: bytes) -> bytes:
        rng, row = self.rng, bytearray(given)
        for _ in range(rng.choice((1, 1, 1, 2, 2, 3, 8))):
            if row:
                place = rng.randrange(min(len(row), rng.choice((8, 50, 200, len(row)))))
                near = row[place] ^ 1, row[place] + 1 & 255
                row[place] = rng.choice((0, 1, 2, 4, 31, 127, 255, *near))
        if rng.random() < 0.1:
            row = row[: rng.randrange(len(row) + 1)]
        if rng.random() < 0.1:
            row += rng.randbytes(rng.randrange(200))
        return bytes(row)

    def rows(self) -> None:
        """Pass corrupted packed positions to the backend; play on from one that it accepts."""
        packed = self.rng.choice(self.positions)
        row = bytes(packed)
        table = native._table(packed.rules, packed.cards, native._players_of(row))
        self._play(self._accepted(table, row))

    def _accepted(self, table: Any, row: bytes) -> Any:
        """Return a corrupted position that the backend accepts; give up after six attempts."""
        for _ in range(5):
            with suppress(ValueError):
                return table.position(self._damaged(row))
        return table.position(self._damaged(row))

    def tables(self) -> None:
        """Pass the backend a corrupted table, and corrupted packed positions for that table."""
        packed = self.rng.choice(self.positions)
        row = bytes(packed)
        known: list[Any] = list(native._TABLE.unpack(bytes(native._TABLE.size)))
        known[:6] = native._players_of(row), 1, 1, 0, 1 << 25, 37
        dealings = tuple(range(self.rng.choice((37, 37, 37, 37, 0, 38))))
        table = self.library.Table(
            packed.rules, packed.cards, dealings, self._damaged(native._TABLE.pack(*known))
        )
        self._play(self._accepted(table, row))

    def _play(self, position: Any) -> None:
        for _ in range(self.rng.randrange(1, 25)):
            hash(position), position == position, bytes(position), repr(position)
            position.weights()
            prompt = position.prompt
            if prompt is not None and sum(getattr(prompt, "price", ())) > DEAREST:
                return
            actions = position.list_actions()
            if self.rng.random() < 0.3:
                position.unpack()
            if self.rng.random() < 0.2:
                self._play_batch(position)
            if self.rng.random() < 0.3:
                self._observe(position)
            if not actions:
                position.outcome()
                return
            after = position.position_after(self.rng.choice(actions))
            assert after is not None, "the backend refuses an action that it lists as legal"
            position = after
            if self.rng.random() < 0.3:
                position = position.resolved(self.rng)

    def _observe(self, position: Any) -> None:
        """Encode a position for a random seat, and sample the parts hidden from that seat."""
        rng, players = self.rng, native._players_of(bytes(position))
        seat = rng.choice((-1, 0, players - 1))
        size = 2 * len(encoding.columns(players)) if players > 1 else 2
        position.encode(bytearray(size), seat, rng.randrange(4), 1, 1 << 20, -1)
        position.determinized(seat, rng)
        position.legal_mask(tuple(rng.randrange(215, 275) for _ in range(rng.randrange(5))))
        redacted = position.redacted(None if seat < 0 else seat)
        redacted.unpack(seat)
        assert bytes(redacted.determinized(rng).redacted(None if seat < 0 else seat)) == bytes(
            redacted
        )

    def _play_batch(self, position: Any) -> None:
        """Play a few random legal moves in a batch of games that start from a position."""
        rng = self.rng
        batch = self.library.Batch(position, 2, rng.random() < 0.5, rng.random() < 0.5, 1)
        batch.reset(array("Q", (1, 2)))
        mask = bytearray(2 * numbering.COUNT)
        for _ in range(rng.randrange(12)):
            batch.fill(0, mask)
            batch.step(self._numbers(mask))
            batch.position(0, rng.random() < 0.1)

    def _numbers(self, mask: bytes | bytearray) -> array[int]:
        """Return a random legal action number for each game of a batch."""
        size = numbering.COUNT
        games = [mask[first : first + size] for first in range(0, len(mask), size)]
        legal = ([number for number in range(size) if game[number]] for game in games)
        return array("q", [self.rng.choice(each) if each else -1 for each in legal])

    def actions(self) -> None:
        """Pass an arbitrary action, or an object that is not an action, to the backend."""
        packed = self.rng.choice(self.positions)
        action = self.rng.choice((*every_action(packed.unpack()), random_object(self.rng)))
        packed.allows(action)
        packed.position_after(action)

    def generators(self) -> None:
        """Pass the backend a random generator that returns wrong values, or an unfit object."""
        packed = native.pack(new_game(self.rng.choice((2, 3, 4))))
        plain: Any = random.Random(1)
        wrong = random_object(self.rng)
        if not isinstance(wrong, int):  # one that is always too large would be called forever
            vars(plain)["getrandbits"] = self.rng.choice((lambda bits: wrong, lambda bits: -1))
        packed.resolved(self.rng.choice((plain, Odd(), Angry(), wrong)))

    def pickles(self) -> None:
        """Restore a pickled position after one of its parts is corrupted or replaced."""
        packed = self.rng.choice(self.positions)
        reduced: Any = packed.__reduce__()
        restore, parts = reduced[0], list(reduced[1])
        place = self.rng.randrange(4)
        parts[place] = self._damaged(parts[3]) if place == 3 else random_object(self.rng)
        restored = restore(*parts)
        assert pickle.loads(pickle.dumps(restored)) == copy.deepcopy(restored)
        self._play(restored)

    def batches(self) -> None:
        """Play the games of a batch by action numbers, sometimes including an illegal action."""
        rng = self.rng
        games, start = rng.choice((1, 2, 5)), rng.choice(self.positions)
        batch = native.Batch(
            start,
            games,
            chance=rng.choice(("inside", "outside")),
            restart=rng.random() < 0.5,
            threads=rng.choice((1, 2, 7)),
        )
        batch.reset(array("Q", [rng.getrandbits(64) for _ in range(games)]))
        for _ in range(rng.randrange(1, 30)):
            before = batch.legal_mask().tobytes()
            ids, wild = self._numbers(before), rng.random() < 0.2
            if wild:
                none = -2, -1, numbering.COUNT, 1 << 62, -(1 << 63), 3
                ids[rng.randrange(games)] = rng.choice(none)
            try:
                batch.step(ids)
            except ValueError:
                assert wild
                assert batch.legal_mask().tobytes() == before, "a refused step changed a game"
        batch.position(rng.choice((0, games - 1, games, -1)))

    def wrong_types(self) -> None:
        """Call a random function of the backend with random objects as arguments."""
        rng, library = self.rng, self.library
        packed: Any = rng.choice(self.positions)
        redacted = packed.redacted(0)
        table = native._table(packed.rules, packed.cards, native._players_of(bytes(packed)))
        batch, games = library.Batch(packed, 1, False, False, 1), native.Batch(packed, 3)
        called: Callable[..., Any] = rng.choice(
            (
                *(library.Table, library.Batch, library.PackedState, table.position),
                *(
                    packed.allows,
                    packed.refusal,
                    packed.position_after,
                    packed.resolved,
                    packed.__eq__,
                    packed.__copy__,
                ),
                *(batch.reset, batch.step, batch.fill, batch.position, native.pack, native.Batch),
                *(library.legal_actions, library.apply, library.resolve_chance),
                *(native.determinize, native._restore, packed.list_actions, packed.weights),
                *(packed.encode, packed.determinized, packed.outcome, packed.unpack, packed.points),
                *(packed.redacted, packed.legal_mask, redacted.unpack, redacted.determinized),
                *(games.reset, games.step, games.legal_mask, games.rewards, games.done),
            )
        )
        count = rng.choice((0, 1, 1, 1, 1, 2, 3, 5))
        called(*(rng.choice((random_object, random_object, buffers))(rng) for _ in range(count)))


def run(seconds: float, seed: int) -> Fuzzer:
    """Run random attacks for the given number of seconds; return the fuzzer with its counts."""
    fuzzer, end = Fuzzer(seed), time.monotonic() + seconds
    while time.monotonic() < end:
        fuzzer.once()
    return fuzzer


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the fuzzer; return 2 if no native backend is available."""
    parser = argparse.ArgumentParser(prog="python -m spec.checks.hostile", description=__doc__)
    parser.add_argument("--seconds", type=float, default=5, help="the duration")
    parser.add_argument("--seed", type=int, default=0, help="the seed of the random generator")
    options = parser.parse_args(arguments)
    if native.why_not is not None:
        sys.stderr.write(f"{native.why_not}\n")
        return 2
    fuzzer = run(options.seconds, options.seed)
    print(f"{fuzzer.tried.total():,} attacks, {fuzzer.refused.total():,} refused")
    publish(seed=options.seed, tried=dict(fuzzer.tried), refused=dict(fuzzer.refused))
    return 0


if __name__ == "__main__":
    sys.exit(main())
