"""The store of a study: a folder with a file for the study and its totals, and one for the games.

`GAMES` is a CSV file with a line for each game, in order.  A line has less than 200 bytes, and
spaces separate the values of the seats.  Records are not stored.  A game's record is created by
playing the game again, and a digest verifies that the game is the same.  `STUDY` contains the
definition of the study, the totals for reports, and the finished games that wait for an earlier
game to finish.

Games may be played in other processes, but only one process writes to the folder and locks `GAMES`.
It appends lines to `GAMES`, and then replaces `STUDY`, which contains the length and the digest of
`GAMES`.  The totals therefore agree with the games up to the stored length, whenever the process is
stopped.  Lines after this length are removed when the study continues.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, suppress
from hashlib import blake2b
from importlib import import_module
from itertools import islice
from operator import attrgetter
from pathlib import Path
from typing import IO, Any, Final, get_origin

import attrs
from cattrs import Converter

from valletta_rules.card_sets.built_in import read_any_cards, write_any_cards
from valletta_rules.components import CardSet
from valletta_rules.errors import VallettaError
from valletta_rules.records.record import Record
from valletta_rules.rulings import RuleSet
from valletta_rules.studies.game import GameResult, play_game
from valletta_rules.studies.study import Study
from valletta_rules.studies.totals import Played, Totals
from valletta_rules.text.files import printable_path, write_whole
from valletta_rules.text.values import plain, read_rules, write_rules
from valletta_rules.version import __version__

STUDY_FORMAT: Final = 4
"""The version number of the format of the files `STUDY` and `GAMES`."""

STUDY: Final = "study.json"
"""The name of the file with the definition and the totals of the study."""

GAMES: Final = "games.csv"
"""The name of the file with the results of the games."""

FIGURES: Final = tuple(field.name for field in attrs.fields(GameResult))
"""The names of the columns of `GAMES` that follow the game's number and seed."""

COLUMNS: Final = ",".join(("game", "seed", *FIGURES))
"""The first line of `GAMES`, which contains the names of the columns."""

MOST_STORED: Final = 1000
"""The maximum number of games in `STUDY` that wait for an earlier game.

Further waiting games are not stored, and are played again if the study is interrupted.  So many
games wait only if games are short, so this takes little time.
"""


class StoreError(VallettaError, ValueError):
    """Raised if a folder has no study, or if its study is damaged, in use, or a different one."""

    path: Path
    """The file or folder with the error."""
    reason: str
    """A description of the error."""
    line: int | None
    """The number of the line with the error, from 1; `None` for an error without a line."""

    def __init__(self, path: Path, reason: str, line: int | None = None) -> None:
        """Create an error about the file or folder `path`; lines are numbered from 1."""
        super().__init__(path, reason, line)
        self.path, self.reason, self.line = path, reason, line

    def __str__(self) -> str:
        """Return the message: the path, the line if there is one, and the reason."""
        where = "" if self.line is None else f", line {self.line}"
        return f"{printable_path(str(self.path))}{where}: {self.reason}"


@attrs.frozen
class Checkpoint:
    """The progress of a study, as stored in the file `STUDY`."""

    sums: Totals
    """The totals of the study's first games, up to the end of a block."""
    waiting: dict[int, Played]
    """The finished games that wait for an earlier game to finish, keyed by number."""
    length: int
    """The length in bytes of the part of `GAMES` that contains the games in `sums`."""
    digest: str
    """The digest of the first `length` bytes of `GAMES`."""


class Store(AbstractContextManager["Store"]):
    """A context manager that writes the results of a study to a folder."""

    def __init__(self, folder: str | os.PathLike[str], study: Study) -> None:
        """Open or create the folder of a study, and read the progress if it contains a study.

        An existing study must equal `study`, except that it may have fewer games.  Raises
        `StoreError` if it differs, is damaged, or is open in another `Store`, and `OSError` if the
        folder or a file cannot be used.
        """
        self._folder = Path(folder)
        self._folder.mkdir(parents=True, exist_ok=True)
        self.study = study
        """The study whose results are stored."""
        self.sums = Totals(study)
        """The totals of the study's first games, up to the end of a block."""
        self.waiting: dict[int, Played] = {}
        """The finished games that wait for an earlier game to finish, keyed by number."""
        self._digest, self._length = _new_digest(), 0
        self._file = (self._folder / GAMES).open("ab")
        try:
            _lock(self._file, self._folder)
            self._go_on()
        except BaseException:
            self._file.close()
            raise

    def _go_on(self) -> None:
        """Read the progress of an existing study, and remove results that are not in its totals."""
        if (self._folder / STUDY).exists():
            stored = read_checkpoint(self._folder)
            _need_same(self._folder / STUDY, stored.sums.study, self.study)
            self.sums, self.waiting = attrs.evolve(stored.sums, study=self.study), stored.waiting
            self._digest = check_games(self._folder, stored)
            self._length = stored.length
        elif self._file.tell():
            raise StoreError(self._folder, f"this folder has {GAMES}, but {STUDY} is missing")
        self._file.truncate(self._length)
        self._write_down("")

    @property
    def played(self) -> int:
        """The number of finished games."""
        return self.sums.games + len(self.waiting)

    def missing(self) -> Iterator[int]:
        """Yield the numbers of the games that have not been played, in order."""
        if self.sums.is_decided:
            return iter(())
        waiting = frozenset(self.waiting)
        return (n for n in range(self.sums.games, self.study.size) if n not in waiting)

    def add(self, games: Mapping[int, Played]) -> None:
        """Add finished games, keyed by their numbers, and write the progress of the study."""
        self.waiting |= games
        lines = [] if self.sums.games else [f"{COLUMNS}\n"]
        while not self.sums.is_decided:
            numbers = range(self.sums.games, self.sums.games + self.study.block_size)
            if not all(number in self.waiting for number in numbers):
                break
            block = [self.waiting.pop(number) for number in numbers]
            for number, (result, _) in zip(numbers, block, strict=True):
                lines.append(write_line(self.study, number, result))
            self.sums.add(block)
        else:
            self.waiting.clear()
        self._write_down("".join(lines) if self.sums.games else "")

    def _write_down(self, lines: str) -> None:
        """Append `lines` to the file `GAMES`, and then write the new totals to the file `STUDY`."""
        text = lines.encode("ascii")
        self._file.write(text)
        self._file.flush()
        os.fsync(self._file.fileno())
        self._digest.update(text)
        self._length += len(text)
        waiting = dict(islice(self.waiting.items(), MOST_STORED))
        now = Checkpoint(self.sums, waiting, self._length, self._digest.hexdigest())
        write_whole(self._folder / STUDY, _write(now))

    def __exit__(self, *raised: object) -> None:
        """Close the file `GAMES`."""
        self._file.close()


# Reading a folder


def read_store(folder: str | os.PathLike[str]) -> Totals:
    """Return the totals of the study in a folder.

    The function only reads the files, and the study may be in progress.  Raises `StoreError` if the
    folder contains no study or a damaged study, and `OSError` if a file cannot be read.
    """
    checkpoint = read_checkpoint(folder)
    check_games(folder, checkpoint)
    return checkpoint.sums


def read_games(folder: str | os.PathLike[str]) -> Iterator[GameResult]:
    """Yield the results of the games in a folder, in order.

    Raises the errors of `read_store`.
    """
    checkpoint = read_checkpoint(folder)
    check_games(folder, checkpoint)
    return _read_lines(Path(folder) / GAMES, checkpoint.sums)


def replay_game(folder: str | os.PathLike[str], number: int) -> Record:
    """Play game `number` of the study in a folder again, and return its record.

    Raises `IndexError` if the study has no game with this number, and `StoreError` if the result
    differs from the stored one, for example because a bot or the package has changed.  Also raises
    the errors of `read_store` and of `play_game`.
    """
    sums, path = read_store(folder), Path(folder) / GAMES
    study = sums.study
    if not 0 <= number < sums.games:
        raise IndexError(
            f"this study has no game {number}; it has {sums.games} games, numbered from 0"
        )
    stored, game = next(_read_lines(path, sums, number)), play_game(study.job(number))
    if game.result != stored:
        raise StoreError(
            path,
            f"game {number} differs when it is played again: its digest is "
            f"{game.result.digest}, not {stored.digest}; a bot or valletta-rules has changed "
            f"(the game was played by version {study.version}; this is version {__version__})",
            number + 2,
        )
    return game.record


def read_study(folder: str | os.PathLike[str]) -> Study:
    """Return the study in a folder; raise `StoreError` if the folder contains no valid study."""
    return read_checkpoint(folder).sums.study


def read_checkpoint(folder: str | os.PathLike[str]) -> Checkpoint:
    """Return the progress of the study in a folder.

    Raises `StoreError` if the folder contains no valid study.
    """
    path = Path(folder) / STUDY
    try:
        return _read(path.read_bytes())
    except FileNotFoundError:
        raise StoreError(Path(folder), f"this folder has no study: {STUDY} is missing") from None
    except ValueError as misfit:
        raise StoreError(path, str(misfit)) from None


def check_games(folder: str | os.PathLike[str], checkpoint: Checkpoint) -> blake2b:
    """Verify that the games included in the totals are unchanged, and return their digest.

    Raises `StoreError` if the games have changed, with the line number of a damaged line.
    """
    path, digest, left = Path(folder) / GAMES, _new_digest(), checkpoint.length
    with path.open("rb") as file:
        while left and (part := file.read(min(left, 1 << 20))):
            digest.update(part)
            left -= len(part)
    if left:
        raise StoreError(path, f"damaged: the last {left} bytes of the file are missing")
    if digest.hexdigest() != checkpoint.digest:
        for _ in _read_lines(path, checkpoint.sums):
            pass
        raise StoreError(path, "damaged: the file was changed since it was written")
    return digest


def _need_same(path: Path, known: Study, study: Study) -> None:
    """Raise `StoreError` if `study` differs from `known`, except that it may have more games."""
    old, new = (CONVERTER.unstructure(each) for each in (known, study))
    old["games"] = max(old["games"], new["games"])  # more games continue the same study
    differing = [key for key in old if old[key] != new[key]]
    if differing:
        listed = ", ".join(f"{key} {old[key]!r}, not {new[key]!r}" for key in differing)
        raise StoreError(path, f"this folder has a different study: {listed}")


def _lock(file: IO[bytes], path: Path) -> None:
    """Lock a file until it is closed, if the system and the file system support locks."""
    with suppress(ImportError):  # Windows has no such module
        fcntl: Any = import_module("fcntl")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            reason = "another process is playing this study"
            raise StoreError(path, reason) from None
        except OSError:
            pass  # some file systems have no locks


def _new_digest() -> blake2b:
    return blake2b(digest_size=16)


# Lines


def write_line(study: Study, number: int, result: GameResult) -> str:
    """Return the result of a game as a line of `GAMES`."""
    cells = [" ".join(map(str, each)) if type(each) is tuple else each for each in _cells(result)]
    return f"{number},{study.seed_of(number)},{','.join(cells)}\n"


_cells: Final = attrgetter(*FIGURES)


def _read_lines(path: Path, sums: Totals, first: int = 0) -> Iterator[GameResult]:
    """Yield the results in the file `path`, starting with game `first`.

    Raises `StoreError` for a line that `write_line` cannot have written.
    """
    with path.open("rb") as file:
        for number, line in enumerate(islice(file, first + 1, sums.games + 1), first):
            try:
                result = _read_line(line.decode("ascii"))
                if write_line(sums.study, number, result).encode() != line:
                    raise ValueError(
                        "the line differs from the line that this version writes for this game"
                    )
            except (TypeError, ValueError) as error:
                reason = f"damaged: {plain(str(error), 80)}"
                raise StoreError(path, reason, number + 2) from None
            yield result


def _read_line(line: str) -> GameResult:
    """Parse a line into a result; raise `ValueError` or `TypeError` for a damaged line."""
    _, _, *cells = line.rstrip("\n").split(",")
    figures = {
        name: cell if name in ("stop", "digest") else cell.split()
        for name, cell in zip(FIGURES, cells, strict=True)
    }
    return CONVERTER.structure(figures, GameResult)


# Checkpoints


def _write(checkpoint: Checkpoint) -> bytes:
    """Return the content of the file `STUDY`: the progress of a study and a digest, as JSON."""
    return _sealed({"format": STUDY_FORMAT, **CONVERTER.unstructure(checkpoint)})


def _sealed(document: Mapping[str, Any]) -> bytes:
    """Return the JSON object `document` with its digest as an additional last entry."""
    dump = json.JSONEncoder(separators=(",", ":")).encode
    check = blake2b(dump(document).encode(), digest_size=16).hexdigest()
    return f"{dump({**document, 'check': check})}\n".encode()


def _read(content: bytes) -> Checkpoint:
    """Parse the content of `STUDY` into the progress of a study.

    Raises `ValueError` for content that `_write` has not written.
    """
    try:
        document = json.loads(content)
        version = document["format"]
    except (LookupError, TypeError, ValueError, RecursionError) as error:
        raise ValueError(f"damaged: {type(error).__name__}: {plain(str(error), 80)}") from None
    if version != STUDY_FORMAT:
        raise ValueError(
            f"the file has format {plain(repr(version))}; this version reads format {STUDY_FORMAT}"
        )
    document.pop("check", None)
    if content != _sealed(document):
        raise ValueError("damaged: the file was changed since it was written")
    return CONVERTER.structure(document, Checkpoint)


def _make_converter() -> Converter:
    converter = Converter(detailed_validation=False)
    converter.register_unstructure_hook(RuleSet, write_rules)
    converter.register_structure_hook(RuleSet, lambda text, _: read_rules(text))
    converter.register_unstructure_hook(CardSet, write_any_cards)
    converter.register_structure_hook(CardSet, lambda text, _: read_any_cards(text))
    converter.register_unstructure_hook_func(
        _is_counter, lambda counts: [[*key, count] for key, count in counts.items()]
    )
    converter.register_structure_hook_func(
        _is_counter, lambda rows, _: Counter({tuple(key): count for *key, count in rows})
    )
    return converter


def _is_counter(kind: Any) -> bool:
    return get_origin(kind) is Counter


CONVERTER: Final = _make_converter()
"""A converter of studies, totals and summaries to JSON values and back."""
