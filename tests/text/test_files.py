"""Tests of writing files. A file must be written completely or not at all."""

import errno
import os
import resource
import stat
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from valletta_rules import Note, Record, read_record, write_record
from valletta_rules.text.files import failure, replacing, write_whole
from valletta_rules.text.values import UnfitError

Write = Callable[[Path], object]

LONG = Record(2, notes=[Note(0, "x" * 400)] * 20)

WRITERS: dict[str, Write] = {
    "content": partial(write_whole, content=b"x" * 8192),
    "record": partial(write_record, LONG),
}
"""Functions that write a file of more than 4,096 bytes."""


@pytest.fixture(params=["limit", "fsync", "replace"])
def _failing(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Make writing a file fail after 4,096 bytes or in a system call."""

    def fail(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    if request.param == "limit":
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, limits[1]))
    else:
        monkeypatch.setattr(os, request.param, fail)
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, limits)


@pytest.mark.usefixtures("_failing")
@pytest.mark.parametrize("old", [None, b"the old content"])
@pytest.mark.parametrize("name", WRITERS)
def test_a_failed_write_leaves_the_old_file_unchanged(
    name: str, old: bytes | None, tmp_path: Path
) -> None:
    """If the file is new, nothing is left behind."""
    path = tmp_path / "file"
    if old is not None:
        path.write_bytes(old)
    with pytest.raises(OSError, match=r"File too large|No space left"):
        WRITERS[name](path)
    assert {each: each.read_bytes() for each in tmp_path.iterdir()} == (
        {} if old is None else {path: old}
    )


def test_if_creating_a_new_file_fails_no_empty_file_is_left_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A program can therefore try again with the same name."""
    monkeypatch.setattr(os, "replace", lambda *_: (_ for _ in ()).throw(OSError("broken")))
    with pytest.raises(OSError, match="broken"):
        write_whole(tmp_path / "file", b"new", new=True)
    assert not [*tmp_path.iterdir()]


def test_the_content_of_a_file_is_synchronised_before_it_is_renamed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise, a power failure could leave an empty file.

    If the file system cannot synchronise a folder, the error is ignored.
    """
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to(Path("folder", "file"))
    steps, fsync, replace = list[object](), os.fsync, os.replace

    def synchronised(number: int) -> None:
        steps.append(os.fstat(number).st_ino)
        if stat.S_ISDIR(os.fstat(number).st_mode):
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
        fsync(number)

    def replaced(old: Path, new: Path) -> None:
        steps.append("replaced")
        replace(old, new)

    monkeypatch.setattr(os, "fsync", synchronised)
    monkeypatch.setattr(os, "replace", replaced)
    write_whole(tmp_path / "link", b"new")
    file = tmp_path / "folder" / "file"
    assert file.read_bytes() == b"new"
    assert steps == [file.stat().st_ino, "replaced", file.parent.stat().st_ino]


def test_replacing_a_file_preserves_its_permissions_and_symbolic_links(tmp_path: Path) -> None:
    """A symbolic link remains a link, and its target has the new content."""
    umask = os.umask(0o027)
    try:
        write_whole(tmp_path / "new", b"")
    finally:
        os.umask(umask)
    assert (tmp_path / "new").stat().st_mode & 0o777 == 0o640
    folder, link = tmp_path / "folder", tmp_path / "link"
    folder.mkdir()
    link.symlink_to(Path("folder", "game"))
    write_record(Record(2), link)
    (folder / "game").chmod(0o604)
    os.utime(folder / "game", (1, 1))
    write_record(LONG, link)
    assert (folder / "game").stat().st_mtime > 1
    assert link.is_symlink()
    assert read_record(folder / "game") == LONG
    assert (folder / "game").stat().st_mode & 0o777 == 0o604
    assert [each.name for each in folder.iterdir()] == ["game"]


def test_a_read_only_file_is_not_replaced() -> None:
    """The operating system would allow it, because the folder of the file is writable."""
    with TemporaryDirectory() as folder:
        path, user = Path(folder, "file"), os.geteuid()
        path.write_bytes(b"old")
        path.chmod(0o444)
        Path(folder).chmod(0o777)
        if user == 0:
            os.seteuid(65534)
        try:
            with pytest.raises(PermissionError):
                write_whole(path, b"new")
        finally:
            os.seteuid(user)
        assert [each.read_bytes() for each in Path(folder).iterdir()] == [b"old"]


def test_creating_a_new_file_never_replaces_an_existing_file_or_link(tmp_path: Path) -> None:
    """Another program may create the file at the same time, and a link may be dangling."""
    path, link = tmp_path / "file", tmp_path / "link"
    link.symlink_to("nowhere")
    with pytest.raises(FileExistsError) as refused, replacing(path, new=True):
        path.write_bytes(b"another's")
    assert refused.value.filename == str(path)
    for each in (path, link, tmp_path):
        with pytest.raises(FileExistsError):
            write_whole(each, b"mine", new=True)
    assert path.read_bytes() == b"another's"
    assert {*tmp_path.iterdir()} == {path, link}


def test_writing_to_a_folder_or_an_impossible_path_is_refused(tmp_path: Path) -> None:
    """A device such as ``/dev/null`` is accepted and written to directly."""
    write_whole("/dev/null", b"nothing")
    assert not Path("/dev/null").is_file()
    for path, error in (
        (tmp_path, IsADirectoryError),
        (tmp_path / "none" / "file", FileNotFoundError),
        (Path(__file__, "file"), NotADirectoryError),
    ):
        with pytest.raises(error) as refused:
            write_whole(path, b"")
        assert refused.value.filename in (str(path), path)
    for name in ("a\0b", "\ud800"):
        with pytest.raises(UnfitError, match="this is not a valid file name"):
            write_whole(name, b"")


def test_removing_the_temporary_file_cancels_the_replacement_of_a_file(tmp_path: Path) -> None:
    """Related temporary files, such as a journal, are also removed."""
    path = tmp_path / "file"
    path.write_bytes(b"old")
    with replacing(path) as part:
        part.with_name(f"{part.name}-journal").touch()
        part.unlink()
    assert [*tmp_path.iterdir()] == [path]
    assert path.read_bytes() == b"old"


def test_the_text_of_a_system_error_is_one_line_with_file_name_and_reason() -> None:
    """Without a file name, the line contains the number of the error and the reason."""
    assert failure(OSError(errno.ENOSPC, "no space left")) == "[Errno 28] no space left"
    assert failure(OSError(errno.ENOSPC, "no space left", "a")) == "a: no space left"
    assert "\n" not in failure(OSError(errno.ENOSPC, "no space left", "a\nb"))
