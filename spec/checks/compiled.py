"""Compile the native backend from its original or changed sources, and load it."""

import os
import subprocess
import sysconfig
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib.machinery import ExtensionFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from typing import Any, Final

from valletta_rules import native

COMPILER: Final = (
    *(os.environ.get("CC", "gcc"), "-std=c11", "-fPIC", "-fvisibility=hidden"),
    f"-I{sysconfig.get_path('include')}",
)
"""The compiler with its options: no warnings and no optimisation, so that compilation is fast."""


def object_of(source: Path, folder: Path, headers: Path) -> Path:
    """Compile a source to an object file in a folder.

    Raises `subprocess.CalledProcessError` if the compiler reports an error.
    """
    object_file = folder / f"{source.stem}.o"
    command = (*COMPILER, f"-I{headers}", "-c", str(source), "-o", str(object_file))
    subprocess.run(command, check=True, capture_output=True)
    return object_file


def library_of(objects: Iterable[Path], folder: Path) -> Path:
    """Link object files into a library in a folder."""
    library = folder / "_native.abi3.so"
    command = (COMPILER[0], "-shared", *map(str, objects), "-o", str(library))
    subprocess.run(command, check=True, capture_output=True)
    return library


def loaded(library: Path) -> Any:
    """Load a library as a module; the backend that is already in use remains loaded."""
    loader = ExtensionFileLoader("valletta_rules._native", str(library))
    spec = spec_from_loader(loader.name, loader)
    assert spec is not None
    module = module_from_spec(spec)
    loader.exec_module(module)
    return module


@contextmanager
def played_by(library: Any) -> Iterator[None]:
    """Let the package use the given native library within a `with` block."""
    before = native._library, native.why_not
    native._library, native.why_not = library, None
    native._table.cache_clear()
    native._prepare(library)
    try:
        yield
    finally:
        native._library, native.why_not = before
        native._table.cache_clear()
