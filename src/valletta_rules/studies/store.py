"""A study in a folder: its definition, and one line of JSON for each finished game.

`STUDY` defines the study, `GAMES` holds the results.  A line has everything that determines its
game, the result, and the game itself, so that it can be recomputed, replayed, and counted in
another way.  Lines are only ever added.  They are written by one process, wherever games are
played, which locks the file and flushes every line: whatever stops that process, at most the last
line is torn, and a torn last line is cut off when the study goes on.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Final, Self, TypeVar

from cattrs import Converter

from valletta_rules.card_sets.built_in import read_any_cards, write_any_cards
from valletta_rules.components.card_set import CardSet
from valletta_rules.errors import VallettaError
from valletta_rules.rulings import RuleSet
from valletta_rules.studies.game import GameResult
from valletta_rules.studies.study import Study
from valletta_rules.text.files import shown_path
from valletta_rules.text.values import plain, read_rules, write_rules

FORMAT: Final = 1
"""The version of the format of both files."""

STUDY: Final = "study.json"
"""The file that defines the study."""

GAMES: Final = "games.jsonl"
"""The file of results."""

T = TypeVar("T", Study, GameResult)


class StoreError(VallettaError, ValueError):
    """A folder that holds no study, a damaged one, or a different one: where, and why."""

    path: Path
    """The file or folder."""
    reason: str
    """The reason."""
    line: int | None
    """The line, from 1, if the error is in one."""

    def __init__(self, path: Path, reason: str, line: int | None = None) -> None:
        """Take the file or folder, the reason, and the line."""
        super().__init__(path, reason, line)
        self.path, self.reason, self.line = path, reason, line

    def __str__(self) -> str:
        """Return the message: where, and why."""
        where = "" if self.line is None else f", line {self.line}"
        return f"{shown_path(str(self.path))}{where}: {self.reason}"


class Store:
    """The results of a study, in memory and in its folder; a context that closes its file."""

    def __init__(self, folder: str | os.PathLike[str], study: Study) -> None:
        """Open the folder of a study, create it if necessary, and go on where it stopped.

        A study that is there may have had fewer games; otherwise it must be the same.  Raises
        `StoreError` if it differs, if another `Store` has it open, or if a line other than the last
        is damaged, and `OSError`.
        """
        path = Path(folder)
        path.mkdir(parents=True, exist_ok=True)
        self.study = study
        """The study."""
        self.results: dict[int, GameResult] = {}
        """The results by the numbers of the games."""
        self._file = (path / GAMES).open("ab")
        try:
            _lock(self._file, path)
            self._go_on(path)
        except BaseException:
            self._file.close()
            raise

    def _go_on(self, path: Path) -> None:
        """Write the definition of the study, and read the results."""
        if (path / STUDY).exists():
            _need_same(path / STUDY, read_study(path), self.study)
        elif (path / GAMES).stat().st_size:
            raise StoreError(path, f"there is a {GAMES}, but no {STUDY} that says of what")
        _write_whole(path / STUDY, _write(self.study))
        whole = 0
        for result, end in _read_games(path / GAMES, self.study):
            self.results[result.job.number], whole = result, end
        self._file.truncate(whole)

    def add(self, result: GameResult) -> None:
        """Write the result of a game, and flush it at once."""
        self.results[result.job.number] = result
        self._file.write(f"{_write(result)}\n".encode())
        self._file.flush()

    def __enter__(self) -> Self:
        """Return the store itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the file."""
        self._file.close()


def read_store(folder: str | os.PathLike[str]) -> tuple[Study, dict[int, GameResult]]:
    """Return the study in a folder and the results by the numbers of the games.

    Nothing is changed; a torn last line is ignored.  Raises `StoreError` for a folder without a
    study or with a damaged one, and `OSError` if it cannot be read.
    """
    study = read_study(folder)
    games = _read_games(Path(folder) / GAMES, study)
    return study, {result.job.number: result for result, _ in games}


def read_study(folder: str | os.PathLike[str]) -> Study:
    """Return the study in a folder; raise `StoreError` if there is none."""
    path = Path(folder) / STUDY
    try:
        return _read(path.read_bytes(), Study)
    except FileNotFoundError:
        raise StoreError(Path(folder), f"there is no study here: {STUDY} is missing") from None
    except _MisfitError as misfit:
        raise StoreError(path, str(misfit)) from None


def _need_same(path: Path, known: Study, study: Study) -> None:
    """Refuse to go on with a different study."""
    old, new = (_plain(each) for each in (known, study))
    old["games"] = max(old["games"], new["games"])  # more games go on with the same study
    differing = [key for key in old if old[key] != new[key]]
    if differing:
        listed = ", ".join(f"{key} {old[key]!r}, not {new[key]!r}" for key in differing)
        raise StoreError(path, f"here is another study: {listed}")


def _lock(file: IO[bytes], path: Path) -> None:
    """Lock a file until it is closed, if the system and its file systems can."""
    with suppress(ImportError):  # there is none on Windows
        fcntl: Any = import_module("fcntl")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise StoreError(
                path, "this study is being played already, by another process"
            ) from None
        except OSError:
            pass  # some file systems have no locks


def _write_whole(path: Path, text: str) -> None:
    """Write a file atomically."""
    new = path.with_suffix(".new")
    new.write_text(f"{text}\n", encoding="utf-8")
    new.replace(path)


def _read_games(path: Path, study: Study) -> Iterator[tuple[GameResult, int]]:
    """Yield the results in a file, with the offset at which each of their lines ends."""
    if not path.exists():
        return
    end, seen = 0, set[int]()
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            if not line.endswith(b"\n"):
                return
            try:
                result = _read(line, GameResult)
                job = result.job
                if job.number in seen:
                    raise _MisfitError(f"game {job.number} is there twice")
                if job not in study:
                    raise _MisfitError(f"game {job.number} is none of this study")
            except _MisfitError as misfit:
                raise StoreError(path, str(misfit), number) from None
            seen.add(job.number)
            end += len(line)
            yield result, end


# Lines


class _MisfitError(Exception):
    """A text is not of the expected form."""


def _write(value: Study | GameResult) -> str:
    """Return a value as a line of JSON."""
    return json.dumps({"format": FORMAT, **_plain(value)}, separators=(",", ":"))


def _read(line: bytes, kind: type[T]) -> T:
    """Return the value of a line that `_write` has written; raise `_MisfitError` for any other."""
    try:
        text = line.decode("ascii").rstrip("\n")
        found = json.loads(text)
        version = found.pop("format")
        value = CONVERTER.structure(found, kind) if version == FORMAT else None
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise _MisfitError(f"damaged: {type(error).__name__}: {plain(str(error), 80)}") from None
    except RecursionError:
        raise _MisfitError("damaged: nested too deeply") from None
    if value is None:
        raise _MisfitError(f"it has format {plain(repr(version))}; this version reads {FORMAT}")
    if _write(value) != text:  # a true for a 1, a space, a key of no meaning
        raise _MisfitError("damaged: it is not as this version would have written it")
    return value


def _plain(value: Study | GameResult) -> dict[str, Any]:
    """Return a value as dictionaries, lists, texts and numbers."""
    plain: dict[str, Any] = CONVERTER.unstructure(value)
    return plain


def _make_converter() -> Converter:
    """Return the converter between studies or results and plain values."""
    converter = Converter(detailed_validation=False)
    converter.register_unstructure_hook(RuleSet, write_rules)
    converter.register_structure_hook(RuleSet, lambda text, _: read_rules(text))
    converter.register_unstructure_hook(CardSet, write_any_cards)
    converter.register_structure_hook(CardSet, lambda text, _: read_any_cards(text))
    return converter


CONVERTER: Final = _make_converter()
"""Turns studies, results and summaries into plain values and back."""
