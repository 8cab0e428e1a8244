"""Functions that read and write files safely."""

from __future__ import annotations

import errno
import os
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_hex

import attrs

from valletta_rules.text.misspelling import Misspelling
from valletta_rules.text.values import UnfitError, plain


def printable_path(path: str) -> str:
    """Make the path of a file safe for use in messages; see `plain`."""
    return plain(path, most=400)


def failure(error: OSError) -> str:
    """Return a message for an `OSError`: the path of the file, if there is one, and the reason."""
    if error.filename is None:
        return str(error)
    return f"{printable_path(str(error.filename))}: {error.strerror}"


def read_text(path: str | os.PathLike[str], limit: int) -> str:
    """Read a text file in UTF-8, with or without a byte order mark.

    Raises `UnfitError` if the file has more than `limit` bytes, is not UTF-8, or has an invalid
    path. Raises `OSError` if the file cannot be read.
    """
    try:
        with Path(path).open("rb") as file:
            content = file.read(limit + 1)
    except ValueError:
        raise UnfitError.of(Misspelling.NO_FILE_NAME) from None
    return decoded(content, limit)


def decoded(content: bytes, limit: int) -> str:
    """Decode `content`: all bytes of a text file, or at least its first `limit` + 1 bytes.

    Raises `UnfitError` if there are more than `limit` bytes, or if they are not UTF-8.
    """
    if len(content) > limit:
        raise UnfitError.of(Misspelling.FILE_TOO_LONG, most=limit)
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise attrs.evolve(UnfitError.of(Misspelling.NOT_UTF8), line=line) from None


def write_whole(path: str | os.PathLike[str], content: bytes, *, new: bool = False) -> None:
    """Write a file atomically. Other programs read either the old content or all of the new.

    With `new`, the file must not exist. Raises the errors of `replacing`.
    """
    with replacing(path, new=new) as part:
        part.write_bytes(content)


@contextmanager
def replacing(path: str | os.PathLike[str], *, new: bool = False) -> Iterator[Path]:
    """Yield a temporary file that replaces the file at `path` at the end of the block.

    An exception in the block, a disk error or a crash neither leaves an incomplete file nor loses
    the old content. The temporary file is in the same folder. Symbolic links are followed, and the
    permissions of an existing file are preserved. If the block removes the temporary file, the file
    is not replaced. For a device or a pipe, the path itself is yielded.

    Raises `UnfitError` for an invalid path, `FileExistsError` if `new` is true and the file exists,
    and `OSError` if the file cannot be written. After an error, the file is unchanged.
    """
    named, existing, is_claimed = Path(path), None, False
    try:
        with suppress(FileNotFoundError):
            existing = named.stat()
    except ValueError:
        raise UnfitError.of(Misspelling.NO_FILE_NAME) from None
    if new and os.path.lexists(named):
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path))
    if existing is not None and not stat.S_ISREG(existing.st_mode):
        yield named
        return
    if existing is not None:
        named.open("rb+").close()  # a read-only file raises an error
    target = Path(os.path.realpath(named))
    part = target.with_name(f".valletta-{token_hex(8)}")
    try:
        part.open("xb").close()
        yield part
        if not part.exists():
            return
        with part.open("rb+") as written:
            os.fsync(written.fileno())
        if existing is not None:
            _take_over(named, existing, part)
        if new:
            os.close(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL))
            is_claimed = True
        os.replace(part, target)
        is_claimed = False
        _keep_name(target.parent)
    except OSError as error:
        if error.filename == str(part):
            error.filename = str(path)
        raise
    finally:
        for left in (*target.parent.glob(f"{part.name}*"), *(target,) * is_claimed):
            left.unlink(missing_ok=True)


def _keep_name(folder: Path) -> None:
    """Flush a folder to disk, so that a renamed file keeps its new name even after a power cut.

    Errors are ignored, since the file is complete in any case and Windows cannot flush folders.
    """
    with suppress(OSError):
        opened = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)


def _take_over(named: Path, existing: os.stat_result, part: Path) -> None:
    """Copy the owner and the permissions of one file to another, as far as the system allows."""
    for owner in ((existing.st_uid, -1), (-1, existing.st_gid)):
        with suppress(OSError, AttributeError):  # Windows has no `os.chown`
            os.chown(part, *owner)
    shutil.copystat(named, part)
    os.utime(part)
