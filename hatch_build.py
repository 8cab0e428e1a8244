"""Build hooks that add the traceability matrix, the native backend and a README.

The matrix lists where each clause is implemented and tested, for the command `valletta rule`.  A
wheel contains the matrix.  An editable installation writes it to the folder of the specification,
and `python spec/traceability.py` updates it there.

The native backend is compiled from `src/native` if there is a C compiler; otherwise the package is
pure Python.  The environment variable ``VALLETTA_NATIVE`` says whether the backend is optional
(unset), left out (``0``) or required (``1``).  The backend needs CPython on Linux or macOS, with
the global interpreter lock.  To compile for another machine, set ``CC`` and ``LDSHARED`` to a
cross-compiler, and ``VALLETTA_NATIVE_PLATFORM`` to the platform tag of the wheel;
`tests/native/wheels.sh` sets all three.  With ``VALLETTA_CUDA=1``, the rules are also compiled for
a GPU by `ziglang`, which must be installed.
"""

import importlib.util
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import warnings
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface
from packaging.tags import sys_tags

LIBRARY, KERNELS = "_native.abi3.so", "cuda.ptx"


class Readme(MetadataHookInterface):
    """A metadata hook that removes pictures and links to repository files from the README."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Add the README to the metadata, without its local pictures and relative links."""
        text = Path(self.root, "README.md").read_text(encoding="utf-8")
        text = re.sub(r"!\[[^]]*\]\((?!https?:)[^)]*\)\n+", "", text)
        text = re.sub(r"\[([^]]+)\]\((?!https?:)[^)]*\)", r"\1", text)
        metadata["readme"] = {"content-type": "text/markdown", "text": text}


class Additions(BuildHookInterface[Any]):
    """A build hook that adds the traceability matrix, the native backend and GPU kernels."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Generate all additions.

        Include them in a wheel, or write them to an editable checkout.
        """
        self.folder = tempfile.TemporaryDirectory()
        self.add_matrix(version, build_data)
        self.add_native(version, build_data)
        self.add_kernels(version, build_data)

    def add_matrix(self, version: str, build_data: dict[str, Any]) -> None:
        """Write the traceability matrix, and include it in a wheel."""
        root = Path(self.root)
        loaded("valletta_rules.specification.files", root / "src")
        mentions = loaded("spec.mentions", root)
        if version == "editable":
            mentions.write_matrix(root)
            return
        file = Path(self.folder.name, "matrix.json")
        file.write_text(json.dumps(mentions.matrix(root)), encoding="utf-8")
        build_data["force_include"][str(file)] = "valletta_rules/_spec/matrix.json"

    def add_native(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile the native backend if it is wanted; warn if the compilation fails.

        Raises `ValueError` for a value of ``VALLETTA_NATIVE`` other than 0 and 1, and
        `RuntimeError` if the backend is required and cannot be compiled.
        """
        wanted = os.environ.get("VALLETTA_NATIVE", "")
        if wanted not in ("", "0", "1"):
            raise ValueError(f"VALLETTA_NATIVE must be 0, 1 or unset, not {wanted!r}")
        home = Path(self.root, "src", "valletta_rules", LIBRARY)
        if version == "editable":
            home.unlink(missing_ok=True)  # it may be built from other sources
        reason = why_not(wanted)
        if reason is None:
            try:
                library = compiled(Path(self.root), Path(self.folder.name))
            except (Exception, SystemExit) as failure:  # no matter why: Python alone suffices
                reason = f"the native backend was not compiled: {failure!r}"
        if reason is not None:
            if wanted == "1":
                raise RuntimeError(reason)
            if wanted != "0":
                warnings.warn(f"{reason}; valletta-rules will be pure Python", stacklevel=2)
            return
        if version == "editable":
            shutil.copyfile(library, home)
            return
        build_data["pure_python"] = False
        build_data["tag"] = f"cp311-abi3-{wanted_platform()}"
        build_data["force_include"][str(library)] = f"valletta_rules/{LIBRARY}"

    def add_kernels(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile the GPU kernels if ``VALLETTA_CUDA`` is 1."""
        home = Path(self.root, "src", "valletta_rules", "native", KERNELS)
        if version == "editable":
            home.unlink(missing_ok=True)
        if os.environ.get("VALLETTA_CUDA") != "1":
            return
        target = home if version == "editable" else Path(self.folder.name, KERNELS)
        command = ["bash", f"{self.root}/src/gpu/build.sh", "ptx", str(target)]
        subprocess.run(command, env={**os.environ, "PYTHON": sys.executable}, check=True)
        if version != "editable":
            build_data["force_include"][str(target)] = f"valletta_rules/native/{KERNELS}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the temporary files."""
        self.folder.cleanup()


def loaded(name: str, folder: Path) -> Any:
    """Load a module from its file.  Its package cannot be imported in an isolated build."""
    path = folder / f"{name.replace('.', '/')}.py"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    sys.modules[name] = module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def why_not(wanted: str) -> str | None:
    """Return the reason why the native backend must not be compiled, or `None` if it can be.

    Args:
        wanted: The value of ``VALLETTA_NATIVE``.
    """
    if wanted == "0":
        return "the native backend is left out"
    if platform.python_implementation() != "CPython" or sys.platform not in ("linux", "darwin"):
        return "the native backend is for CPython on Linux and macOS"
    if sysconfig.get_config_var("Py_GIL_DISABLED"):
        return "the native backend needs the interpreter's lock; free-threaded CPython has none"
    return None


def compiled(root: Path, folder: Path) -> Path:
    """Compile the native backend, and return the path of the library."""
    from setuptools import Distribution, Extension  # its absence counts as having no compiler

    headers = sorted(str(path) for path in root.glob("src/native/*.h"))
    flags = ["-std=c11", "-Wall", "-Wextra", "-fvisibility=hidden", "-pthread", "-ffp-contract=off"]
    if "CFLAGS" not in os.environ:
        flags += ["-O3", "-g0"]
    extension = Extension(
        "valletta_rules._native",
        sources(root, folder),
        include_dirs=["src/native"],
        depends=headers,
        extra_compile_args=flags,
        extra_link_args=["-pthread", "-lm"],
        py_limited_api=True,
    )
    build: Any = Distribution({"ext_modules": [extension]}).get_command_obj("build_ext")
    build.build_lib = str(folder / "lib")
    build.build_temp = os.environ.get("VALLETTA_NATIVE_OBJECTS", str(folder / "objects"))
    before = Path.cwd()
    os.chdir(root)
    try:
        build.ensure_finalized()
        build.run()
    finally:
        os.chdir(before)
    (library,) = (folder / "lib" / "valletta_rules").glob("_native*.so")  # 3.15 adds the platform
    return library


def sources(root: Path, folder: Path) -> list[str]:
    """Return the source files to compile.

    The files with rules are combined into one, so that the compiler can inline their functions.
    """
    files = sorted(root.glob("src/native/*.c"))
    apart = re.compile(r'#include "(binding|search|thread)\.h"')
    others = [path for path in files if apart.search(path.read_text(encoding="utf-8"))]
    together = folder / "rules.c"
    included = (f'#include "{path.name}"\n' for path in files if path not in others)
    together.write_text("".join(included), encoding="utf-8")
    return [str(together), *(path.relative_to(root).as_posix() for path in others)]


def wanted_platform() -> str:
    """Return the wheel's platform tag: ``VALLETTA_NATIVE_PLATFORM``, or that of this machine."""
    if wanted := os.environ.get("VALLETTA_NATIVE_PLATFORM"):
        return wanted
    if sys.platform == "darwin":  # the oldest macOS, and the processors, that Python builds for
        return re.sub("[-.]", "_", sysconfig.get_platform())
    platforms = (tag.platform for tag in sys_tags())
    return next(each for each in platforms if not each.startswith(("manylinux", "musllinux")))
